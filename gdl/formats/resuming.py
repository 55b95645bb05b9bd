"""Checkpoint files, from which long work continues after Ctrl-C, a limit or a kill.

A file has a line of text, then parts in bytes. The line begins with its own checksum; the rest of it is JSON: the
identity of the work, further data, the length of each part, and a checksum of all parts. An older file stays until the
new one is complete.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any
from zlib import crc32

from gdl.errors import DamagedData, Refusal, clean
from gdl.formats import files

EVERY = 60.0  # seconds between two checkpoints
MOST_LINE = 1 << 26  # bytes of the first line, at most


def write_line(value: Any, separators: tuple[str, str] | None = None) -> bytes:
    """A value as a line of JSON that begins with its checksum."""
    text = json.dumps(value, separators=separators).encode()
    return b"%d %s\n" % (crc32(text), text)


def read_line(line: bytes) -> Any:
    """The value in a line of a journal; None if the line is incomplete or its checksum is wrong."""
    check, _, text = line.partition(b" ")
    if not text.endswith(b"\n") or check != b"%d" % crc32(text[:-1]):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def differs(told: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    """True if a file's header, `told`, disagrees with the identity of this work, `known`."""
    return any(told.get(name) != value for name, value in known.items())


class CheckpointFile:
    """The checkpoint file of some work, which `known` identifies, and the messages for a file that is damaged or of
    other work. `every` is the number of seconds between checkpoints."""

    DAMAGED = "is no whole checkpoint"
    OTHER = "is a checkpoint of another game"
    OLDER = "was written by another version of gdl, which counted otherwise; without it the work begins anew"

    def __init__(self, file: Path, known: dict[str, Any], every: float | None = None):
        self.file, self._known = file, known
        self.every = EVERY if every is None else every  # seconds
        self._next = monotonic() + self.every

    @property
    def is_due(self) -> bool:
        """True if the last checkpoint was written more than `every` seconds ago."""
        return monotonic() >= self._next

    def write(self, parts: Mapping[str, bytes | memoryview], told: dict[str, Any]) -> None:
        """Write a checkpoint: the header with `told`, then the parts."""
        check = 0
        for part in parts.values():
            check = crc32(part, check)
        lengths = {name: len(part) for name, part in parts.items()}
        with files.open_atomic(self.file) as out:
            out.write(write_line({**self._known, **told, "lengths": lengths, "check": check}))
            for part in parts.values():
                out.write(part)
        self._next = monotonic() + self.every

    def read(self) -> tuple[dict[str, Any], dict[str, memoryview]] | None:
        """Read the header of the checkpoint and its parts; None if there is no file. Raises DamagedData if it is
        incomplete, Refusal if it belongs to other work."""
        if not self.file.exists():
            return None
        with files.name_in_errors(self.file), open(self.file, "rb") as file:
            told = read_line(file.readline(MOST_LINE))
            if not isinstance(told, dict):
                raise self.damage_error()
            if differs(told, {**self._known, "version": told.get("version")}):
                raise Refusal(f"{clean(str(self.file))} {self.OTHER}")
            if differs(told, self._known):
                raise Refusal(f"{clean(str(self.file))} {self.OLDER}")
            try:
                lengths: dict[str, int] = told.get("lengths", {})
                data = memoryview(file.read(sum(lengths.values()) + 1))
            except (AttributeError, TypeError):
                raise self.damage_error() from None
        parts, at = {}, 0
        for name, length in lengths.items():
            parts[name] = data[at : at + length]
            at += length
        if at != len(data) or crc32(data) != told.get("check"):
            raise self.damage_error()
        return told, parts

    def damage_error(self) -> DamagedData:
        """The error for a file that is incomplete or damaged."""
        return DamagedData(f"{clean(str(self.file))} {self.DAMAGED}; without it the work begins anew")

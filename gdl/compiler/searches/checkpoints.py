"""Checkpoints: where a long enumeration goes on after Ctrl-C, or after its process was killed.

What has been found is written to one file beside the table that is to be: a line with a checksum of its own and JSON
(what game, how long each array is, their checksum), then the arrays. The table of numbers is not among them: it is laid
out again. Since states are numbered in the order of discovery wherever work was cut, what comes out is the same to the
byte. (The line once had no checksum; such checkpoints are still read.)
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any
from zlib import crc32

from gdl.compiler.searches.enumeration import K
from gdl.compiler.searches.retrograde import Retrograde
from gdl.compiler.searches.retrograde_tables import keys_of, rules_of
from gdl.errors import DamagedData, Refusal, clean
from gdl.formats import files

FILE = "checkpoint"
EVERY = 60.0  # seconds between two checkpoints
_ALWAYS = ("enumerated", "solved", "utility", "utility_slot", "levels", "keys")  # the arrays, by name
_OF_CHANCE = ("play", "pattern_slot", "pattern_start", "pattern_weight", "pattern_even", "share")
_OF_GRAPHS = ("who", "value", "pool", "edges")


class RetrogradeCheckpoint:
    """The checkpoint of one search in a folder."""

    def __init__(self, search: Retrograde, folder: Path, every: float = EVERY):
        self.search = search
        self.folder = folder
        self.every = every
        self._began = monotonic()
        self._next = self._began + every
        self._known = {
            "rules": rules_of(search.game.model, keys_of(search.packing, search.symmetries)),
            "start": list(b"".join([search.start, *search.further_starts])),
        }

    def with_checkpoints(self, slices: Iterator[None]) -> Iterator[None]:
        """The slices of the search, with a checkpoint now and then, one where Ctrl-C stops it, and one at the end of a
        long search: what follows need not number the states again."""
        try:
            for each in slices:
                if monotonic() >= self._next:
                    self.save()
                yield each
        except KeyboardInterrupt:
            self.save()
            raise
        if monotonic() >= self._began + self.every:
            self.save()

    def save(self) -> None:
        """Write what has been found; the checkpoint before stays until this one is whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        parts = [(name, memoryview(part).cast("B")) for name, part in _parts(self.search)]
        check = 0
        for _, part in parts:
            check = crc32(part, check)
        lengths = {name: len(part) for name, part in parts}
        header = json.dumps({**self._known, "direct": self.search.direct, "lengths": lengths, "check": check}).encode()
        with files.open_atomic(self.folder / FILE) as file:
            file.write(b"%d %s\n" % (crc32(header), header))
            for _, part in parts:
                file.write(part)
        self._next = monotonic() + self.every

    def load(self) -> bool:
        """Go on from the checkpoint, if there is one. Raises DamagedData where it is not whole, Refusal where it is
        another search's."""
        try:
            with open(self.folder / FILE, "rb") as file:
                header, data = file.readline(), memoryview(file.read())
        except OSError:
            return False
        known = _read_header(header, data)
        if known is None:
            raise self._damage_fault()
        lengths: dict[str, int] = known["lengths"]
        if {name: known.get(name) for name in self._known} != self._known:
            raise Refusal(
                f"{clean(str(self.folder / FILE))} is of another game or position, or made by another version of gdl"
            )
        if known.get("direct") != self.search.direct or lengths["keys"] > 8 * len(self.search.module["keys"]):
            raise Refusal(f"{clean(str(self.folder / FILE))} was made with another limit of memory")
        at = 0
        found = {}
        for name, length in lengths.items():
            found[name] = data[at : at + length]
            at += length
        self._restore(found)
        return True

    def _damage_fault(self) -> DamagedData:
        return DamagedData(f"{clean(str(self.folder / FILE))} is damaged; without it the work begins anew")

    def _restore(self, found: dict[str, memoryview]) -> None:
        """Put the arrays in their places: first those that tell how long the others are."""
        module = self.search.module
        first = ("enumerated", "solved", "play")
        for name in sorted(found, key=lambda name: name not in first):
            part = found[name]
            target, offset = (module["pool"], self.search.solved["EDGE"]) if name == "edges" else (module[name], 0)
            words = array(target.format)
            words.frombytes(part)
            target[offset : offset + len(words)] = memoryview(words)
        if self.search.direct:  # the table of numbers, for the keys that are known
            module["put_all"]()
        else:
            module["lay_out"](self.search.found[K.SLOTS])

    def remove(self) -> None:
        """The work is done."""
        (self.folder / FILE).unlink(missing_ok=True)


def _read_header(line: bytes, data: memoryview) -> dict[str, Any] | None:
    """What the first line says; None unless it is whole, and the arrays are as it says."""
    try:
        check, header = (None, line) if line.startswith(b"{") else line.split(b" ", 1)
        if check is not None and int(check) != crc32(header.removesuffix(b"\n")):
            return None
        known: dict[str, Any] = json.loads(header)
        lengths = known["lengths"]
        named = {*_ALWAYS} <= {*lengths} <= {*_ALWAYS, *_OF_CHANCE, *_OF_GRAPHS}
        whole = named and crc32(data) == known["check"] and sum(lengths.values()) == len(data)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return known if whole else None


def _parts(search: Retrograde) -> Iterator[tuple[str, Any]]:
    """The arrays that hold what has been found, as long as they are used."""
    module, found = search.module, search.found
    used = {"levels": found[K.LEVELS], "keys": search.states * search.packing.words}
    for name in _ALWAYS:
        yield name, module[name][: used.get(name)]
    for name in _OF_CHANCE if search.has_chance else ():
        yield name, module[name]
    if search.has_chance or not search.is_layered:
        expanded = found[K.EXPANDED]
        for name in _OF_GRAPHS[:-1]:
            each = 2 if name == "value" and search.pairs and not search.has_chance else 1
            yield name, module[name][: expanded * each]
        edge = search.solved["EDGE"]
        yield "edges", module["pool"][edge : edge + found[K.EDGES]]

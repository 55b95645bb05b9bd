"""Checkpoints of counterfactual regret minimisation: where a long run goes on after a limit, Ctrl-C or a crash.

A file has a line with a checksum of its own and JSON (of what game and method, how many iterations, the checksum of
what follows), then the numbers of the minimiser, and the average strategy that was judged best, as floats of eight
bytes, the lowest first. Floats are restored to the bit, and strategies are judged after the same iterations wherever
work was cut; so what comes out is the same to the byte.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple
from zlib import crc32

from gdl.compiler.searches.regret_minimisation import KEPT, CfrSequenceTable, Minimiser
from gdl.errors import DamagedData, Refusal, clean
from gdl.formats import files

EVERY = 60.0  # seconds between two checkpoints
MOST_LINE = 4_096  # bytes of the first line
FLOAT = 8  # bytes


class BestAverage(NamedTuple):
    """The average strategy that was judged best, after so many iterations."""

    iterations: int
    average: array[float]


class CheckpointFile:
    """The file of one run: a line of what is `known` and told of it, then parts in bytes."""

    def __init__(self, file: Path, known: dict[str, Any]):
        self.file, self._known = file, known
        self._next = monotonic() + EVERY

    @property
    def is_due(self) -> bool:
        """Whether the last one was written long ago."""
        return monotonic() >= self._next

    def write(self, parts: Sequence[bytes], told: dict[str, Any]) -> None:
        """Write the parts; the checkpoint before stays until this one is whole."""
        check = 0
        for part in parts:
            check = crc32(part, check)
        header = json.dumps({**self._known, **told, "check": check}).encode()
        with files.open_atomic(self.file) as out:
            out.write(b"%d %s\n" % (crc32(header), header))
            for part in parts:
                out.write(part)
        self._next = monotonic() + EVERY

    def read(self, most: int = -1) -> tuple[dict[str, Any], bytes] | None:
        """What the file tells, and so many bytes at most of its parts; None where there is none. Raises DamagedData
        where its first line is not whole, Refusal where it is of another run."""
        if not self.file.exists():
            return None
        with open(self.file, "rb") as file:
            line, data = file.readline(MOST_LINE), file.read(most)
        told = _first_line(line)
        if told is None:
            raise self.damage_error()
        if {name: told.get(name) for name in self._known} != self._known:
            raise Refusal(f"{clean(str(self.file))} is a checkpoint of another game or {[*self._known][-1]}")
        return told, data

    def damage_error(self) -> DamagedData:
        """What to raise where it is not whole."""
        return DamagedData(f"{clean(str(self.file))} is no whole checkpoint; without it the work begins anew")


class CfrCheckpoint(CheckpointFile):
    """The checkpoint of one run."""

    def __init__(self, file: Path, table: CfrSequenceTable, method: str):
        super().__init__(file, {"what": "cfr", "version": 1, "game": _digest(table), "method": method})
        self._size = sum(table.sequences)

    def save(self, minimiser: Minimiser, best: BestAverage | None) -> None:
        """Write what was found. What a half-done iteration would tear is not written."""
        if minimiser.torn:
            return
        parts = [_bytes(minimiser.module[name]) for name in KEPT]
        parts += [] if best is None else [_bytes(best.average)]
        self.write(parts, {"iterations": minimiser.iterations, "best": best and best.iterations})

    def load(self, minimiser: Minimiser) -> BestAverage | None:
        """Go on from the checkpoint, if there is one; the best of the strategies judged so far. Raises DamagedData
        where it is not whole, Refusal where it is of another game or method."""
        found = self.read((len(KEPT) + 1) * self._size * FLOAT + 1)
        if found is None:
            return None
        known, data = found
        counts = known.get("iterations"), known.get("best")
        parts = len(KEPT) + (counts[1] is not None)
        if len(data) != parts * self._size * FLOAT or crc32(data) != known.get("check") or not _are_counts(*counts):
            raise self.damage_error()
        rows = [numbers_in("d", data[k * self._size * FLOAT : (k + 1) * self._size * FLOAT]) for k in range(parts)]
        minimiser.restore(dict(zip(KEPT, rows, strict=False)), known["iterations"])
        return None if counts[1] is None else BestAverage(known["best"], rows[-1])


def _first_line(line: bytes) -> dict[str, Any] | None:
    """What the first line says; None unless it is whole."""
    try:
        check, header = line.split(b" ", 1)
        if int(check) != crc32(header.removesuffix(b"\n")):
            return None
        known = json.loads(header)
    except ValueError:
        return None
    return known if isinstance(known, dict) else None


def _are_counts(iterations: Any, best: Any) -> bool:
    """Whether these are numbers of iterations, the best not being later than the last."""
    if not isinstance(iterations, int) or iterations < 0:
        return False
    return best is None or (isinstance(best, int) and 0 <= best <= iterations)


def _digest(table: CfrSequenceTable) -> str:
    """By what a game is known, as its sequences and what they pay."""
    digest = sha256(repr((table.sequences, table.sets)).encode())
    digest.update(little_endian_bytes(table.led))
    digest.update(little_endian_bytes(table.paid))
    return digest.hexdigest()


def little_endian_bytes(numbers: array[Any]) -> bytes:
    """The bytes of the numbers, the lowest first."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers.tobytes()


def _bytes(numbers: Any) -> bytes:
    return little_endian_bytes(array("d", numbers))


def numbers_in(code: str, data: bytes) -> array[Any]:
    """The numbers again."""
    found: array[Any] = array(code)
    found.frombytes(data)
    if sys.byteorder == "big":
        found.byteswap()
    return found

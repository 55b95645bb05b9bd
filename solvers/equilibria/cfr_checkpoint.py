"""Checkpoints of counterfactual regret minimisation: where a long run goes on after a limit, Ctrl-C or a crash.

A file (gdl/formats/resuming.py) holds the numbers of the minimiser, and the average strategy that was judged best, as
floats of eight bytes, the lowest first. Floats are restored to the bit, and strategies are judged after the same
iterations wherever work was cut; so what comes out is the same to the byte. (The first line once had no lengths.)
"""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from array import array
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Self

from gdl.compiler.searches.regret_minimisation import KEPT, CfrSequenceTable, Minimiser
from gdl.compiler.searches.sampling import KEPT as KEPT_OF_SAMPLES
from gdl.compiler.searches.sampling import Sampling
from gdl.errors import Refusal, clean
from gdl.formats.resuming import CheckpointFile

# Checkpoints of regret minimisation by samples: where a long run goes on after a limit, Ctrl-C or a crash.
#
# A file (gdl/formats/resuming.py) has for its parts the numbers of the search, the lowest byte first; the texts that
# were heard; the averages that were judged best. Only what stands between two iterations is written, and the state of
# the generator of random numbers is among it: what goes on draws what an unbroken run would draw.

TEXTS = "texts"  # the name of the part with the texts that were heard


FLOAT = 8  # bytes of a float
BEST = "best"  # the name of the part with the average that was judged best


class BestAverage(NamedTuple):
    """The average strategy that was judged best, and its number of iterations."""

    iterations: int
    average: array[float]


class RunCheckpoint(CheckpointFile, ABC):
    """The checkpoint of one run. `best` is the best of the averages judged at FIRST, 2 FIRST, 4 FIRST, … iterations;
    None if there is none. In a `with` block it is saved however the block ends."""

    best: BestAverage | None = None

    @abstractmethod
    def save(self) -> None:
        """Write the state of the search, and the best average."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *why: object) -> None:
        self.save()


class MccfrCheckpoint(RunCheckpoint):
    """The checkpoint of one run of regret minimisation by samples."""

    OTHER = "is a checkpoint of another game or seed"

    def __init__(self, file: Path, search: Sampling, seed: int):
        super().__init__(file, {"what": "mccfr", "version": 1, "game": search.identity(), "seed": seed})
        self.search = search

    def save(self) -> None:
        """Write the state of the search, and the best average if there is one. An iteration that is half done is
        finished first."""
        search, best = self.search, self.best
        if not search.is_between:
            search.learn(search.iterations + 1)
            for _ in search:
                pass
        if not search.is_between:  # there was no room
            return
        parts = {name: little_endian_bytes(numbers) for name, numbers in search.checkpoint_arrays().items()}
        parts[TEXTS] = json.dumps(list(search.heard)).encode()
        parts |= {} if best is None else {BEST: little_endian_bytes(best.average)}
        told = {"iterations": search.iterations, "best": best and best.iterations}
        self.write(parts, ({"rounds": True} if search.by_rounds else {}) | told)

    def load(self) -> BestAverage | None:
        """Restore the search from the checkpoint, if there is one. Returns the best of the averages judged so far, or
        None. Raises DamagedData if it is not whole, Refusal if it is of another game or seed."""
        found = self.read()
        if found is None:
            return None
        known, parts = found
        if known.get("rounds", False) is not self.search.by_rounds:
            by = "by one process" if self.search.by_rounds else "by several workers"
            raise Refusal(f"{clean(str(self.file))} was written {by}, and is for the same alone")
        if {*KEPT_OF_SAMPLES, TEXTS} - parts.keys():
            raise self.damage_error()
        self.search.restore(
            {name: numbers_in(code, parts[name]) for name, code in KEPT_OF_SAMPLES.items()},
            json.loads(bytes(parts[TEXTS])),
        )
        return BestAverage(known["best"], numbers_in("d", parts[BEST])) if BEST in parts else None


class CfrCheckpoint(RunCheckpoint):
    """The checkpoint of one run of cfr."""

    OTHER = "is a checkpoint of another game or method"

    def __init__(self, file: Path, minimiser: Minimiser, table: CfrSequenceTable, method: str):
        super().__init__(file, {"what": "cfr", "version": 2, "game": _digest(table), "method": method})
        self.minimiser = minimiser
        self._size = sum(table.sequences) * FLOAT

    def save(self) -> None:
        """Write the state of the minimiser, and the best average if there is one. In the middle of an iteration nothing
        is written."""
        minimiser, best = self.minimiser, self.best
        if minimiser.torn:
            return
        parts = {name: _bytes(minimiser.module[name]) for name in KEPT}
        parts |= {} if best is None else {BEST: _bytes(best.average)}
        self.write(parts, {"iterations": minimiser.iterations, "best": best and best.iterations})

    def load(self) -> BestAverage | None:
        """Restore the minimiser from the checkpoint, if there is one. Returns the best of the averages judged so far,
        or None. Raises DamagedData if it is not whole, Refusal if it is of another game or method."""
        found = self.read()
        if found is None:
            return None
        told, parts = found
        iterations, best = told.get("iterations"), told.get("best")
        whole = self._usual_lengths(best) == {name: len(part) for name, part in parts.items()}
        if not whole or not _are_counts(iterations, best):
            raise self.damage_error()
        rows = {name: numbers_in("d", part) for name, part in parts.items()}
        average = rows.pop(BEST, None)
        self.minimiser.restore(rows, told["iterations"])
        return None if average is None else BestAverage(told["best"], average)

    def _lengths(self, told: dict[str, Any]) -> dict[str, int]:
        return super()._lengths(told) or self._usual_lengths(told.get("best"))

    def _usual_lengths(self, best: Any) -> dict[str, int]:
        return dict.fromkeys([*KEPT, *([] if best is None else [BEST])], self._size)


def _are_counts(iterations: Any, best: Any) -> bool:
    """True if these are numbers of iterations, the best one (None: none was judged) not being later than the last."""
    if not isinstance(iterations, int) or iterations < 0:
        return False
    return best is None or (isinstance(best, int) and 0 <= best <= iterations)


def _digest(table: CfrSequenceTable) -> str:
    """A digest of the game for a checkpoint, made of its sequences and payoffs."""
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


def numbers_in(code: str, data: bytes | memoryview) -> array[Any]:
    """Read back an array of numbers from its bytes."""
    found: array[Any] = array(code)
    found.frombytes(data)
    if sys.byteorder == "big":
        found.byteswap()
    return found

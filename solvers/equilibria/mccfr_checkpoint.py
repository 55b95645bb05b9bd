"""Checkpoints of regret minimisation by samples: where a long run goes on after a limit, Ctrl-C or a crash.

A file has a line with a checksum of its own and JSON (of what game and seed, how long each part is, the checksum of
what follows), then the parts: the numbers of the search, the lowest byte first; the texts that were heard; the averages
that were judged best. Only what stands between two iterations is written, and the state of the generator of random
numbers is among it: what goes on draws what an unbroken run would draw.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zlib import crc32

from gdl.compiler.searches.sampling import KEPT
from gdl.errors import Refusal, clean
from gdl.solvers.equilibria.cfr_checkpoint import BestAverage, CheckpointFile, little_endian_bytes, numbers_in

TEXTS, BEST = "texts", "best"  # the parts beside the numbers of the search


class MccfrCheckpoint(CheckpointFile):
    """The checkpoint of one run."""

    def __init__(self, file: Path, search: Any, seed: int):
        super().__init__(file, {"what": "mccfr", "version": 1, "game": search.identity(), "seed": seed})
        self.search = search

    def save(self, best: BestAverage | None) -> None:
        """Write what was found, the iteration that is half done being finished first."""
        search = self.search
        if not search.is_between:
            search.learn(search.iterations + 1)
            for _ in search:
                pass
        if not search.is_between:  # there was no room
            return
        parts = {name: little_endian_bytes(numbers) for name, numbers in search.checkpoint_arrays().items()}
        parts[TEXTS] = json.dumps(list(search.heard)).encode()
        parts |= {} if best is None else {BEST: little_endian_bytes(best.average)}
        lengths = {name: len(part) for name, part in parts.items()}
        told = {"iterations": search.iterations, "best": best and best.iterations, "lengths": lengths}
        self.write([*parts.values()], ({"rounds": True} if search.by_rounds else {}) | told)

    def load(self) -> BestAverage | None:
        """Go on from the checkpoint, if there is one; the best of the averages judged so far. Raises DamagedData where
        it is not whole, Refusal where it is of another game or seed."""
        found = self.read()
        if found is None:
            return None
        known, data = found
        if known.get("rounds", False) is not self.search.by_rounds:
            by = "by one process" if self.search.by_rounds else "by several workers"
            raise Refusal(f"{clean(str(self.file))} was written {by}, and is for the same alone")
        lengths: dict[str, int] = known.get("lengths") or {}
        if crc32(data) != known.get("check") or sum(lengths.values()) != len(data) or {*KEPT, TEXTS} - lengths.keys():
            raise self.damage_error()
        parts, at = {}, 0
        for name, length in lengths.items():
            parts[name] = data[at : at + length]
            at += length
        self.search.restore(
            {name: numbers_in(code, parts[name]) for name, code in KEPT.items()}, json.loads(parts[TEXTS])
        )
        return BestAverage(known["best"], numbers_in("d", parts[BEST])) if BEST in parts else None

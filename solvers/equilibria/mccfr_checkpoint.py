"""Checkpoints of regret minimisation by samples: where a long run goes on after a limit, Ctrl-C or a crash.

A file (gdl/formats/resuming.py) has for its parts the numbers of the search, the lowest byte first; the texts that were
heard; the averages that were judged best. Only what stands between two iterations is written, and the state of the
generator of random numbers is among it: what goes on draws what an unbroken run would draw.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gdl.compiler.searches.sampling import KEPT
from gdl.errors import Refusal, clean
from gdl.formats.resuming import CheckpointFile
from gdl.solvers.equilibria.cfr_checkpoint import BEST, BestAverage, little_endian_bytes, numbers_in

TEXTS = "texts"  # the part beside the numbers of the search, and BEST


class MccfrCheckpoint(CheckpointFile):
    """The checkpoint of one run."""

    OTHER = "is a checkpoint of another game or seed"

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
        told = {"iterations": search.iterations, "best": best and best.iterations}
        self.write(parts, ({"rounds": True} if search.by_rounds else {}) | told)

    def load(self) -> BestAverage | None:
        """Go on from the checkpoint, if there is one; the best of the averages judged so far. Raises DamagedData where
        it is not whole, Refusal where it is of another game or seed."""
        found = self.read()
        if found is None:
            return None
        known, parts = found
        if known.get("rounds", False) is not self.search.by_rounds:
            by = "by one process" if self.search.by_rounds else "by several workers"
            raise Refusal(f"{clean(str(self.file))} was written {by}, and is for the same alone")
        if {*KEPT, TEXTS} - parts.keys():
            raise self.damage_error()
        self.search.restore(
            {name: numbers_in(code, parts[name]) for name, code in KEPT.items()}, json.loads(bytes(parts[TEXTS]))
        )
        return BestAverage(known["best"], numbers_in("d", parts[BEST])) if BEST in parts else None

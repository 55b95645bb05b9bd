"""Checkpoints of regret minimisation by samples: where a long run goes on after a limit, Ctrl-C or a crash.

A file has a line with a checksum of its own and JSON (of what game and seed, how long each part is, the checksum of
what follows), then the parts: the numbers of the search, the lowest byte first; the texts that were heard; the averages
that were judged best. Only what stands between two iterations is written, and the state of the generator of random
numbers is among it: what goes on draws what an unbroken run would draw.
"""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic
from typing import Any
from zlib import crc32

from gdl.compiler.searches.sampling import KEPT
from gdl.errors import Refusal, clean
from gdl.formats import files
from solvers.equilibria.cfr_checkpoint import EVERY, MOST_LINE, Best, damaged, first_line, numbers_in, swapped

TEXTS, BEST = "texts", "best"  # the parts beside the numbers of the search


class Checkpoint:
    """The checkpoint of one run."""

    def __init__(self, file: Path, search: Any, seed: int):
        self.file, self.search = file, search
        self._known = {"what": "mccfr", "version": 1, "game": search.identity(), "seed": seed}
        self._known |= {"rounds": True} if search.by_rounds else {}
        self._next = monotonic() + EVERY

    @property
    def is_due(self) -> bool:
        """Whether the last one was written long ago."""
        return monotonic() >= self._next

    def save(self, best: Best | None) -> None:
        """Write what was found, the iteration that is half done being finished first; the checkpoint before stays until
        this one is whole."""
        search = self.search
        if not search.is_between:
            search.learn(search.iterations + 1)
            for _ in search:
                pass
        if not search.is_between:  # there was no room
            return
        parts = {name: swapped(numbers) for name, numbers in search.kept().items()}
        parts[TEXTS] = json.dumps(list(search.heard)).encode()
        parts |= {} if best is None else {BEST: swapped(best.average)}
        check = 0
        for part in parts.values():
            check = crc32(part, check)
        lengths = {name: len(part) for name, part in parts.items()}
        told = {"iterations": search.iterations, "best": best and best.iterations, "lengths": lengths, "check": check}
        header = json.dumps({**self._known, **told}).encode()
        with files.written(self.file) as out:
            out.write(b"%d %s\n" % (crc32(header), header))
            for part in parts.values():
                out.write(part)
        self._next = monotonic() + EVERY

    def load(self) -> Best | None:
        """Go on from the checkpoint, if there is one; the best of the averages judged so far. Raises DamagedData where
        it is not whole, Refusal where it is of another game or seed."""
        if not self.file.exists():
            return None
        with open(self.file, "rb") as file:
            line, data = file.readline(MOST_LINE), file.read()
        known = first_line(line)
        if known is None:
            raise damaged(self.file)
        if any(known.get(name) != self._known[name] for name in ("what", "version", "game", "seed")):
            raise Refusal(f"{clean(str(self.file))} is a checkpoint of another game or seed")
        if known.get("rounds", False) is not self.search.by_rounds:
            by = "by one process" if self.search.by_rounds else "by several workers"
            raise Refusal(f"{clean(str(self.file))} was written {by}, and is for the same alone")
        lengths: dict[str, int] = known.get("lengths") or {}
        if crc32(data) != known.get("check") or sum(lengths.values()) != len(data) or {*KEPT, TEXTS} - lengths.keys():
            raise damaged(self.file)
        parts, at = {}, 0
        for name, length in lengths.items():
            parts[name] = data[at : at + length]
            at += length
        self.search.restore(
            {name: numbers_in(code, parts[name]) for name, code in KEPT.items()}, json.loads(parts[TEXTS])
        )
        return Best(known["best"], numbers_in("d", parts[BEST])) if BEST in parts else None

"""Checkpoints, from which a long enumeration continues after Ctrl-C, or after its process was killed.

All that has been found is written to one file (gdl/formats/resuming.py) in the folder of the future table. The table of
numbers is left out: it is laid out again. Since states are numbered in the order of discovery wherever work was cut,
the result is the same to the byte.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from gdl.compiler.interrupts import InterruptedAfterCall
from gdl.compiler.searches.retrograde import K, Retrograde
from gdl.errors import Refusal, clean
from gdl.formats.resuming import CheckpointFile
from gdl.model.fingerprint import rules_key
from gdl.wings.tables.table_files import keys_of

FILE = "checkpoint"
_ALWAYS = ("enumerated", "solved", "utility", "utility_slot", "levels", "keys")  # the arrays, by name
_OF_CHANCE = ("play", "pattern_slot", "pattern_start", "pattern_weight", "pattern_even", "share")
_OF_GRAPHS = ("who", "value", "pool", "edges")


class RetrogradeCheckpoint(CheckpointFile):
    """The checkpoint of one search, in a folder."""

    DAMAGED = "is damaged"
    OTHER = "is of another game or position, or made by another version of gdl"

    def __init__(self, search: Retrograde, folder: Path, every: float | None = None):
        rules = rules_key(search.game.model, keys_of(search.packing, search.folding))
        known = {"rules": rules, "start": list(search.start)}
        super().__init__(folder / FILE, known, every)
        self.search = search
        self._began = monotonic()

    def with_checkpoints(self, slices: Iterator[None]) -> Iterator[None]:
        """The slices of the search, with checkpoints between them: from time to time, where Ctrl-C stops it, and at the
        end of a long search, so that later phases need not number the states again. What is found in a slice that is
        cut off is not whole, and before the first is done there may be no state to begin from: then nothing is
        saved."""
        begun = whole = False
        try:
            for each in slices:
                begun = whole = True
                if self.is_due:
                    self.save()
                yield each
                whole = False
        except KeyboardInterrupt as stop:
            if whole or (begun and isinstance(stop, InterruptedAfterCall)):
                self.save()
            raise
        if monotonic() >= self._began + self.every:
            self.save()

    def save(self) -> None:
        """Write all that has been found to the checkpoint."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        parts = {name: memoryview(part).cast("B") for name, part in _parts(self.search)}
        self.write(parts, {"direct": self.search.direct})

    def load(self) -> bool:
        """Continue from the checkpoint, if there is one. Raises DamagedData if it is incomplete, Refusal if it belongs
        to another search."""
        found = self.read()
        if found is None:
            return False
        told, parts = found
        if not {*_ALWAYS} <= parts.keys() <= {*_ALWAYS, *_OF_CHANCE, *_OF_GRAPHS}:
            raise self.damage_error()
        if told.get("direct") != self.search.direct or len(parts["keys"]) > 8 * len(self.search.module["keys"]):
            raise Refusal(f"{clean(str(self.file))} was made with another limit of memory")
        self._restore(parts)
        return True

    def _restore(self, found: dict[str, memoryview]) -> None:
        """Copy the saved arrays back into the module; first those that say how long the others are."""
        module = self.search.module
        first = ("enumerated", "solved", "play")
        for name in sorted(found, key=lambda name: name not in first):
            part = found[name]
            target, offset = (module["pool"], self.search.solved[K.EDGE]) if name == "edges" else (module[name], 0)
            words = array(target.format)
            words.frombytes(part)
            target[offset : offset + len(words)] = memoryview(words)
        if self.search.direct:  # the table of numbers, for the keys that are known
            module["put_all"]()
        else:
            module["lay_out"](self.search.found[K.SLOTS])

    def remove(self) -> None:
        """Delete the checkpoint, when the work is done."""
        self.file.unlink(missing_ok=True)


def _parts(search: Retrograde) -> Iterator[tuple[str, Any]]:
    """The arrays with all that has been found, by name, each as far as it is used."""
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
        edge = search.solved[K.EDGE]
        yield "edges", module["pool"][edge : edge + found[K.EDGES]]

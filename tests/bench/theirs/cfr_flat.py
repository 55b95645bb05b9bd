"""CFR+ in C on the positions that gdl unfolds: `cfr_flat.py GAME GAP` prints what its iterations alone took, until all
players together could gain no more than the gap, which is looked at (by gdl) after ever twice as many."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import tempfile
from array import array
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

import gdl
from gdl.commands import engines
from gdl.game import Chance, Terminal
from gdl.solvers.equilibria.cfr import Averaging
from gdl.solvers.equilibria.payoffs import Payoffs
from gdl.solvers.equilibria.positions import PositionGraph, explore
from gdl.solvers.equilibria.sequences import sequences

CHANCE, END = 2, 3
POINTERS = {"b": ctypes.c_int8, "i": ctypes.c_int32, "d": ctypes.c_double}


class Tree:
    """The arrays of the C program."""

    def __init__(self, positions: PositionGraph):
        form = sequences(positions)
        self.judge = Averaging(form, "plus")
        payoffs = Payoffs(form)
        sets = positions.information_sets
        slots = [payoffs.begin[found.player] + form.first[h] for h, found in enumerate(sets)]
        kind, first, count, link, slot = array("b"), array("i"), array("i"), array("i"), array("i")
        share, paid = array("d"), array("d")
        for node, h, after in zip(positions.nodes, positions.sets, positions.successors, strict=True):
            first.append(len(link))
            count.append(len(after))
            link.extend(after)
            chances = [float(chance) for _, chance in node.outcomes] if isinstance(node, Chance) else [0.0] * len(after)
            share.extend(chances)
            kind.append(CHANCE if isinstance(node, Chance) else END if h is None else sets[h].player)
            slot.append(0 if h is None else slots[h])
            paid.append(float(node.utilities[0]) if isinstance(node, Terminal) else 0.0)  # type: ignore[arg-type]
        numbers = payoffs.begin[-1]
        self.sums, plays = array("d", bytes(8 * numbers)), array("d", bytes(8 * numbers))
        widths = [len(found.actions) for found in sets]
        for at, width in zip(slots, widths, strict=True):
            plays[at : at + width] = array("d", [1 / width] * width)
        self._arrays: list[Any] = [kind, first, count, link, slot, share, paid]
        self._arrays += [len(sets), array("i", slots), array("i", widths), array("b", [one.player for one in sets])]
        self._arrays += [array("d", bytes(8 * numbers)), self.sums, plays]

    def run(self, library: Any, done: int, iterations: int) -> float:
        """The seconds for the iterations from so many on until so many are done."""
        given = [one if isinstance(one, int) else _pointer(one) for one in self._arrays]
        began = process_time()
        library.run(*given, done, iterations)
        return process_time() - began


def _pointer(numbers: array[Any]) -> Any:
    return (POINTERS[numbers.typecode] * len(numbers)).from_buffer(numbers)


def main(name: str, gap: str) -> None:
    title, *settings = name.split(",")
    game = gdl.loads(*gdl.read(title), settings=dict(setting.split("=") for setting in settings)).game
    tree = Tree(explore(engines.offer(game, "wasm")))
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "cfr_flat.so"
        source = Path(__file__).parents[1] / "c" / "cfr_flat.c"
        words = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", str(made), str(source)]
        subprocess.run(words, check=True)
        library = ctypes.CDLL(str(made))
        done, count, seconds = 0, 8, 0.0
        while True:
            seconds += tree.run(library, done, count)
            done = count
            found = sum(tree.judge.take(tree.sums, done).regret, Fraction(0))
            if found <= Fraction(gap):
                break
            count *= 2
    print(json.dumps({"seconds": seconds, "iterations": done, "gap": float(found)}))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The sequences that lead to the ends of a flat game, by kernel code that is joined with no game."""

from __future__ import annotations

from array import array
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from gdl.compiler import python, wasm
from gdl.compiler.fault import engine_faults
from gdl.compiler.joining import kernel, kernel_constants
from gdl.errors import Refusal
from gdl.states.flat import CHANCE, TERMINAL, FlatGame

K = kernel_constants("sequence_table", "tuples")
MOST_BITS = 62  # of a whole number, without its sign


class EndTable(NamedTuple):
    """The ends of a game by sequences. For each combination of sequences that leads to ends, `led`: the sequence of
    each player; `paid`: what the ends pay each player, times the probability of chance's part, as numerators over
    `under`. For each information set, `first`: the sequence of its first action; `before`: the one that leads to it."""

    first: tuple[int, ...]
    before: tuple[int, ...]
    led: array[int]
    paid: array[int]
    likely: array[int]  # of each combination: the probability of chance's part, over `under`
    under: int


def end_table(flat: FlatGame, engine: str | None = None) -> EndTable | None:
    """The table of a flat game; None if a player forgets own moves, or the numbers are too large for kernel code.
    `engine`: "wasm", "python" or None, the faster one."""
    engine = engine or ("wasm" if wasm.available() else "python")
    seats, positions, sets = len(flat.players), len(flat.kinds), len(flat.owners)
    notes = list(map(flat.notes.__getitem__, flat.all_of(TERMINAL)))
    kinds = list(dict.fromkeys(notes))
    utilities = [flat.words.utilities(note) for note in kinds]
    under = lcm(*(Fraction(utility).denominator for row in utilities for utility in row))
    paid = [int(utility * under) for row in utilities for utility in row]
    if any(abs(amount) >> MOST_BITS for amount in paid):
        return None
    code = kernel(
        "sequence_table", SEATS=seats, POSITIONS=positions, LINKS=max(1, len(flat.links)), SETS=max(1, sets),
        ENDS=len(notes), NOTES=max(kinds) + 1, KINDS_OF_END=len(kinds), TUPLES=len(notes) + 1,
        TUPLE_WORDS=(len(notes) + 1) * seats, TUPLE_SLOTS=max(K.FIRST_TUPLE_SLOTS, 2 * len(notes)),
    )  # fmt: skip
    with engine_faults(flat.name):
        try:
            module = wasm.load(code.parts, ("fill",), wasm.ADDRESSES) if engine == "wasm" else python.load(code.parts)
        except Refusal:
            return None
        for name, numbers in (("kind", flat.kinds), ("note", flat.notes), ("start", flat.starts), ("link", flat.links)):
            module[name][: len(numbers)] = numbers
        for number, note in enumerate(kinds):
            module["pays"][note] = number
        for place, amount in enumerate(paid):
            module["pay"][place] = amount
        counts = [1] * seats
        for h, (player, width) in enumerate(zip(flat.owners, flat.widths, strict=True)):
            module["owner"][h], module["set_first"][h] = player, counts[player]
            counts[player] += width
        _fill_shares(module["share"], flat)
        if module["fill"]() != K.DONE or (under * int(module["under"][0])) >> MOST_BITS:
            return None
    ends = int(module["tuple_count"][0])
    return EndTable(
        tuple(module["set_first"][:sets]), tuple(module["set_before"][:sets]),
        array("i", module["tuple_word"][: ends * seats]), array("q", module["end_paid"][: ends * seats]),
        array("q", map(under.__mul__, module["end_likely"][:ends])), under * int(module["under"][0]),
    )  # fmt: skip


def _fill_shares(share: memoryview, flat: FlatGame) -> None:
    """Write the weight of every outcome of chance into `share`, by its link."""
    known: dict[int, tuple[int, ...]] = {}
    for position in flat.all_of(CHANCE):
        note = flat.notes[position]
        if note not in known:
            known[note] = flat.words.weights(note)
        for at, weight in enumerate(known[note], flat.starts[position]):
            share[at] = weight

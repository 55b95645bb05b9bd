"""Tests of whole lines, as `exists line in lines(Square, 3): forall s in line: mark[s] = p` asks.

A game of lines asks this at every position of every line, so all the squares of a line are read at once. The work
counted is that of the two quantifiers.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Sequence
from operator import itemgetter

from gdl.errors import Span
from gdl.interpreter.closures import Cells, Frame, Value
from gdl.model import core
from gdl.model.domains import ordinal_base
from gdl.model.games import Variable

CHEAP_DOMAIN = 8  # values that need no counting
Counting = Function[[int, "Span | None"], None]


def held_throughout(
    e: core.Quantifier, variables: Sequence[Variable], value: Function[[core.Expression], Value], count: Counting
) -> Value | None:
    """A fast closure for the question whether some line, of lines known before play and all of one length, has a value
    on all its squares; None if `e` is any other question."""
    match e:
        case core.Quantifier(
            "exists", line, core.Const(tuple(lines)), None, core.Quantifier(
                "forall", square, core.Local(each), None, core.Comparison(
                    "=", core.Element(number, (core.Local(at),)), core.Const() | core.Local() | core.Mover() as held
                ), inner
            ),
        ) if line == each and square == at and held not in (core.Local(line), core.Local(square)):  # fmt: skip
            variable = variables[number]
        case _:
            return None
    low, extent = ordinal_base(variable.indices[0]), variable.extents[0]
    lengths = {len(squares) if isinstance(squares, tuple) else 0 for squares in lines}
    length = max(lengths, default=0)
    if len(lengths) > 1 or length < 2 or not all(low <= s < low + extent for squares in lines for s in squares):
        return None
    looks = [itemgetter(*(variable.place + s - low for s in squares)) for squares in lines]
    wanted = value(held)
    of_lines = len(looks) if len(looks) > CHEAP_DOMAIN else 0

    def run(c: Cells, f: Frame) -> bool:
        all_the_same = (wanted(c, f),) * length
        for look in looks:
            if look(c) == all_the_same:
                count(of_lines + (looks.index(look) + 1) * length, inner)
                return True
        count(of_lines + len(looks) * length, inner)
        return False

    return run

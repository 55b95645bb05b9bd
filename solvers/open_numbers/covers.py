"""Sets of points said in few words: comparisons that do not matter are left out.

A set is given by cases, each of them some comparisons that all hold, and so is what lies outside of it.

1. A comparison may go, or be made weak (x > 4 made x >= 4), as long as its case meets nothing outside of the set.
2. A case that lies within another says nothing new.

These are the prime implicants of logic (Quine, The problem of simplifying truth functions, 1952), found greedily, for
linear comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.solvers.open_numbers.regions import Cases, Polyhedron, Side, Sides

MAX_CASES = 4_000  # cases times outside parts; with more the cases are left as they are

_WEAKER = {1: (2,), 0: (2, -2), -1: (-2,), 2: (), -2: ()}
_NOT = {1: (0, -1), 0: (1, -1), -1: (0, 1), 2: (-1,), -2: (1,)}


def simplify_cases(whole: Polyhedron, cases: Cases, outside: Sequence[Sides]) -> Cases:
    """The same set in fewer words; `whole` is what is promised of the unknowns."""
    if len(cases) * len(outside) > MAX_CASES:
        return cases
    wide = [_widen_case(whole, case, outside) for case in cases]
    kept: list[Sides] = []
    for case in dict.fromkeys(wide):
        if not any(_within(whole, case, other) for other in kept):
            kept = [*(other for other in kept if not _within(whole, other, case)), case]
    return tuple(kept)


def _widen_case(whole: Polyhedron, case: Sides, outside: Sequence[Sides]) -> Sides:
    """The case without what it does not need."""
    for side in case:
        others = tuple(other for other in case if other is not side)
        weaker = [others, *((*others, side._replace(sign=sign)) for sign in _WEAKER[side.sign])]
        fitting = (trial for trial in weaker if not any(_meets(whole, trial, part) for part in outside))
        case = next(fitting, case)
    return case


def _within(whole: Polyhedron, case: Sides, other: Sides) -> bool:
    """Whether the case lies all within the other."""
    negations = (side._replace(sign=sign) for side in other for sign in _NOT[side.sign])
    return not any(_meets(whole, case, (negation,)) for negation in negations)


def _meets(whole: Polyhedron, case: Sides, other: Sides) -> bool:
    sides: list[Side] = [*whole.sides, *case, *other]
    if not sides:
        return True
    return Polyhedron(whole.names, tuple(sides[:-1])).meets(sides[-1])

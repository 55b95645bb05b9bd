"""Perfect equilibria, checked anew: each side must be a best reply to some draw in which the others play everything,
which says the same as that it is not weakly dominated, and is found by another program. Of two players no more is
asked; with three or more the others must err independently, which is not checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from gdl.game import Number
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.correlated import plans_of
from gdl.solvers.verify.linear import maximise
from gdl.solvers.verify.verdict import Finding, Unchecked


def check_perfect(case: VerifierCase) -> Iterator[Finding]:
    """Each strategy of each equilibrium is a best reply to a mixture of everything."""
    plans = plans_of(case)
    if any(len(case.graph.positions.sets_of(p)) != 1 for p in range(len(plans.of))):
        raise Unchecked("that they are perfect, in a tree")
    for number, profile in enumerate(case.claim.equilibria, start=1):
        rows = case.behaviour(profile)
        for p, player in enumerate(case.game.players):
            (h,) = case.graph.positions.sets_of(p)
            mix = rows[h]
            if mix is None or not _has_full_reason(case, p, mix):
                said = f"equilibrium {number}: what {player} plays is weakly dominated"
                yield Finding(False, ("equilibria", "concept"), said)
                return
    if len(plans.of) > 2:
        yield Finding(None, ("concept",), "that others who err alone lead there: only that nothing dominated is played")
    elif case.claim.concept == "proper":
        yield Finding(None, ("concept",), "that they are proper: only that they are perfect")
    yield Finding(True, ("equilibria", "concept"), "nobody plays what is weakly dominated")


def _has_full_reason(case: VerifierCase, player: int, mix: Sequence[Number]) -> bool:
    """Whether some draw of all plans of the others makes this one a best reply: maximise the least of its weights."""
    table, counts = plans_of(case).table, [len(own) for own in plans_of(case).of]
    cells = list(product(*(range(count) for p, count in enumerate(counts) if p != player)))
    others = range(len(cells))
    plan = {next(iter(one))[1]: k for k, one in enumerate(plans_of(case).of[player])}  # by the number of the action

    def pays(k: int, j: int) -> Number:
        return table[*cells[j][:player], k, *cells[j][player:]][player]

    mine = [sum((Fraction(x) * pays(plan[i], j) for i, x in enumerate(mix)), Fraction(0)) for j in others]
    gains = [[pays(k, j) - mine[j] for j in others] for k in plan.values()]
    rows = [[*row, sum(row)] for row in gains]  # weights above the least, and the least, which everything has
    found = maximise([*(0 for _ in others), 1], [*rows, [*(1 for _ in others), len(others)]], [*(0 for _ in rows), 1])
    return found is not None and found.value > 0

"""Perfect equilibria, checked anew: each side must be a best reply to some draw in which the others play everything,
which says the same as that it is not weakly dominated, and is found by another program. Of two players no more is
asked; with three or more the others must err independently, which is not checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from gdl.game import Number
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.correlated import plans_of
from gdl.solvers.verify.linear import maximise
from gdl.solvers.verify.plans import VerifierPlans
from gdl.solvers.verify.verdict import Finding, Unchecked

PERFECT, PROPER = "perfect", "proper"  # concepts


def check_perfect(case: VerifierCase) -> Iterator[Finding]:
    """Each strategy of each equilibrium is a best reply to a mixture of everything, in the table of plans."""
    plans = plans_of(case)
    for number, profile in enumerate(case.claim.equilibria, start=1):
        rows = [row or () for row in case.behaviour(profile)]
        for p, player in enumerate(case.game.players):
            mix = [prod(rows[h][k] if rows[h] else 0 for h, k in plan) for plan in plans.of[p]]
            if sum(mix) != 1:
                raise Unchecked(f"equilibrium {number} does not say all that {player} does")
            if not has_full_reason(plans, p, mix):
                said = f"equilibrium {number}: what {player} plays is weakly dominated"
                yield Finding(False if case.claim.exact else None, ("equilibria", "concept"), said)
                return
    if len(plans.of) > 2:
        yield Finding(None, ("concept",), "that others who err alone lead there: only that nothing dominated is played")
    elif case.claim.concept == PROPER:
        yield Finding(None, ("concept",), "that they are proper: only that they are perfect")
    yield Finding(True, ("equilibria", "concept"), "nobody plays what is weakly dominated")


def has_full_reason(plans: VerifierPlans, player: int, mix: Sequence[Number]) -> bool:
    """True if some draw of all plans of the others makes this mixture of the player's plans a best reply: maximise the
    least of its weights."""
    cells = list(product(*(range(len(own)) for p, own in enumerate(plans.of) if p != player)))
    others, own = range(len(cells)), range(len(mix))
    pays = [[plans.table[*cell[:player], k, *cell[player:]][player] for cell in cells] for k in own]
    mine = [sum((Fraction(x) * row[j] for x, row in zip(mix, pays, strict=True)), Fraction(0)) for j in others]
    gains = [[row[j] - mine[j] for j in others] for row in pays]
    rows = [[*row, sum(row)] for row in gains]  # weights above the least, and the least, which everything has
    found = maximise([*(0 for _ in others), 1], [*rows, [*(1 for _ in others), len(others)]], [*(0 for _ in rows), 1])
    return found is not None and found.value > 0

"""The checks of symmetric equilibria, and for two actions that these are all."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

from gdl.game import Number, Simultaneous, Terminal, require_number
from gdl.wings.verify import profiles
from gdl.wings.verify.case import VerifierCase, VerifierCheck
from gdl.wings.verify.sturm import changes, sturm_chain, without_end_roots
from gdl.wings.verify.verdict import Finding, Unchecked

MOST_COMBINATIONS = 100_000  # of the others' actions


def check_symmetric(case: VerifierCase) -> Iterator[Finding]:
    """In every equilibrium all players do the same."""
    for number, profile in enumerate(case.claim.equilibria, start=1):
        rows = [
            {a: x for row in profile.get(player, {}).values() for a, x in row.items() if x}
            for player in case.game.players
        ]
        same = all(row == rows[0] for row in rows)
        yield Finding(
            same, ("equilibria", "concept"), f"equilibrium {number}: all play {'the same' if same else 'otherwise'}"
        )


def check_complete(case: VerifierCase) -> Iterator[Finding]:
    """There are no more mixtures of two actions at which both pay the first player the same, everyone else playing the
    mixture: roots between 0 and 1 of a polynomial, counted by Sturm's theorem. Nor more actions that are best there."""
    if not case.claim.complete:
        return
    node, size = case.game.node(case.game.initial()), len(case.game.players) - 1
    if not isinstance(node, Simultaneous) or len(node.actions[0]) != 2 or 2**size > MOST_COMBINATIONS:
        raise Unchecked("whether there are others is looked at for few combinations of two actions alone")
    more: list[Number] = [0] * (size + 1)  # by how many of the others take the second action, for all who may be these
    for others in product(node.actions[0], repeat=size):
        first, second = (_payoff(case, (own, *others)) for own in node.actions[0])
        more[others.count(node.actions[0][1])] += second - first
    form = [sum((-1) ** (k - j) * comb(size - j, k - j) * more[j] for j in range(k + 1)) for k in range(size + 1)]
    if not any(form):
        yield Finding(False, ("complete",), "there are more")
        return
    chain = sturm_chain(without_end_roots(form))
    count = (more[0] <= 0) + (more[-1] >= 0) + changes(chain, Fraction(0)) - changes(chain, Fraction(1))
    said = f"of equilibria in which all do the same there is this number: {count}"
    yield Finding(len(case.claim.equilibria) == count, ("complete",), said)


def _payoff(case: VerifierCase, joint: tuple[str, ...]) -> Number:
    """The first player's payoff of a combination of actions."""
    end = case.game.node(case.game.successor(case.game.initial(), joint))
    if not isinstance(end, Terminal):
        raise Unchecked("play goes on after the first move")
    return require_number(end.utilities[0])


CHECKS = (
    VerifierCheck(check_symmetric, ("concept",)),
    VerifierCheck(profiles.check_equilibria, ("equilibria",)),
    VerifierCheck(check_complete, ("complete",)),
    *profiles.PAID,
)

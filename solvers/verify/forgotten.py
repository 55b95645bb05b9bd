"""The best reply of a player who forgets, by trying every plan of theirs.

A plan says one action for each of the player's information sets. Where play comes to each set once at most, what a
mixture at a set pays is between what its actions pay, so that no mixture is better than the best plan (Isbell 1957).
Where a set can be passed twice, mixing there may be better still, but never better than if the player knew every
position: where that pays no more than the best plan, the plan is the best reply.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from gdl.game import Number, Terminal, require_number
from gdl.solvers.verify.position_graph import VerifierPositions, reach
from gdl.solvers.verify.replies import Behaviour, best_reply, chances, expectation
from gdl.solvers.verify.verdict import Unchecked

PLANS = 5_000  # that are tried


def best_reply_value(positions: VerifierPositions, behaviour: Behaviour, player: int) -> Number:
    """The most that the player can get against the others. Unchecked where there are too many plans of a player who
    forgets, or mixing on the way might be better than all of them."""
    try:
        return best_reply(positions, behaviour, player).value
    except Unchecked as forgets:
        sets, sizes = positions.sets_of(player), positions.information_sets
        if prod(len(sizes[h].actions) for h in sets) > PLANS:
            raise forgets
        why = forgets
    most: Number | None = None
    for plan in product(*(range(len(sizes[h].actions)) for h in sets)):
        rows = list(behaviour)
        for h, chosen in zip(sets, plan, strict=True):
            rows[h] = tuple(Fraction(k == chosen) for k in range(len(sizes[h].actions)))
        paid = expectation(positions, tuple(rows))[player]
        most = paid if most is None or paid > most else most
    assert most is not None
    if _is_passed_twice(positions, player) and most != _with_all_seen(positions, behaviour, player):
        raise why
    return most


def _with_all_seen(positions: VerifierPositions, behaviour: Behaviour, player: int) -> Number:
    """The most that the player could get against the others who knew each position."""
    worth: list[Number] = [0] * len(positions.nodes)
    for position in reversed(range(len(positions.nodes))):
        node, h = positions.nodes[position], positions.sets[position]
        after = [worth[successor] for successor in positions.successors[position]]
        if isinstance(node, Terminal):
            worth[position] = require_number(node.utilities[player])
        elif h is not None and positions.information_sets[h].player == player:
            worth[position] = max(after)
        elif h is None or behaviour[h] is not None:
            row = chances(positions, behaviour, position)
            worth[position] = sum((share * one for share, one in zip(row, after, strict=True)), Fraction(0))
    return worth[0]


def _is_passed_twice(positions: VerifierPositions, player: int) -> bool:
    """True if one play can come twice to an information set of the player."""
    return any(
        positions.sets[later] == h
        for h in positions.sets_of(player)
        for member in positions.information_sets[h].members
        for later in reach(positions.successors[member], lambda position: positions.successors[position])
    )

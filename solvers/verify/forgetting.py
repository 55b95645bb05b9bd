"""Players who forget: the best reply of one among several, and whether a lone one has a better plan.

Of several, a plan says one action for each of the player's information sets. Where play comes to each set once at most,
what a mixture at a set pays is between what its actions pay, so that no mixture is better than the best plan (Isbell
1957). Where a set can be passed twice, mixing there may be better still, but never better than if the player knew every
position: where that pays no more than the best plan, the plan is the best reply.

Of a lone player: a plan's worth is linear in the probabilities of a set that play passes once at most, so that pure
choices there are enough (Isbell, Finitary games, 1957). Where one set of two actions is left, which play can pass more
often, the worth is a polynomial in one probability, for each choice at the others: it is above a number just if it is
so at an end, or if it crosses the number, at a root of odd multiplicity, in between (Sturm).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod
from operator import mul

from gdl.game import Chance, Number, Terminal, require_number
from gdl.solvers.verify.position_graph import VerifierPositions, fold, reach
from gdl.solvers.verify.replies import Behaviour, best_reply, chances, expectation
from gdl.solvers.verify.sturm import Polynomial, is_somewhere_positive, value_at
from gdl.solvers.verify.verdict import Unchecked

PLANS = 5_000  # the most plans of one player among several
CHOICES = 2_000  # the most choices of a lone player at the sets that are passed once
FINEST = 4_096  # the line from 0 to 1 is halved no further, in the search for a better mixture, beyond so many parts


def find_better(positions: VerifierPositions, paid: Number) -> Number | None:
    """The payoff of a plan of the lone player that pays more than `paid`; None if there is none."""
    sets = positions.information_sets
    twice = [h for h in range(len(sets)) if _comes_again(positions, h)]
    once = [h for h in range(len(sets)) if h not in twice]
    if len(twice) > 1 or any(len(sets[h].actions) != 2 for h in twice):
        raise Unchecked("play can pass several information sets more than once, or one of more than two actions")
    if prod(len(sets[h].actions) for h in once) > CHOICES:
        raise Unchecked(f"more than {CHOICES:,} plans of a player who forgets")
    for choice in product(*(range(len(sets[h].actions)) for h in once)):
        form = _worth(positions, dict(zip(once, choice, strict=True)))
        if is_somewhere_positive([form[0] - paid, *form[1:]]):
            parts = 1
            while parts <= FINEST:
                parts *= 2
                most = max(value_at(form, Fraction(k, parts)) for k in range(parts + 1))
                if most > paid:
                    return most
            raise Unchecked("another plan pays a little more")
    return None


def _comes_again(positions: VerifierPositions, h: int) -> bool:
    """True if one play can pass the information set twice."""
    members = positions.information_sets[h].members
    after = reach([after for one in members for after in positions.successors[one]], positions.successors.__getitem__)
    return not set(members).isdisjoint(after)


def _worth(positions: VerifierPositions, chosen: Mapping[int, int]) -> Polynomial:
    """The worth of a plan as a polynomial in the probability of the first action at the only set that is left open."""

    def worth(position: int, after: list[Polynomial]) -> Polynomial:
        node, h = positions.nodes[position], positions.sets[position]
        if isinstance(node, Terminal):
            return [Fraction(require_number(node.utilities[0]))]
        if isinstance(node, Chance):
            return _sum(*([share * c for c in one] for (_, share), one in zip(node.outcomes, after, strict=True)))
        if h is not None and (number := chosen.get(h)) is not None:
            return after[number]
        first, second = after
        return _sum(second, [Fraction(0), *first], [Fraction(0), *(-c for c in second)])

    return fold(positions, worth)[0]


def _sum(*forms: Polynomial) -> Polynomial:
    return [sum((form[k] for form in forms if k < len(form)), Fraction(0)) for k in range(max(map(len, forms)))]


def best_reply_value(positions: VerifierPositions, behaviour: Behaviour, player: int) -> Number:
    """The most that the player can get against the others' behaviour. Raises Unchecked if the player forgets and has
    too many plans, or might do better by mixing on the way than by any plan."""
    try:
        return best_reply(positions, behaviour, player).value
    except Unchecked as forgets:
        sets, sizes = positions.sets_of(player), positions.information_sets
        if prod(len(sizes[h].actions) for h in sets) > PLANS:
            raise forgets
        why = forgets

    def payoff(plan: tuple[int, ...]) -> Number:
        rows = list(behaviour)
        for h, chosen in zip(sets, plan, strict=True):
            rows[h] = tuple(Fraction(k == chosen) for k in range(len(sizes[h].actions)))
        return expectation(positions, tuple(rows))[player]

    most = max(map(payoff, product(*(range(len(sizes[h].actions)) for h in sets))))
    if any(_comes_again(positions, h) for h in sets) and most != _with_all_seen(positions, behaviour, player):
        raise why
    return most


def _with_all_seen(positions: VerifierPositions, behaviour: Behaviour, player: int) -> Number:
    """The most that the player could get against the others by knowing the position at each move."""

    def worth(position: int, after: list[Number]) -> Number:
        node, h = positions.nodes[position], positions.sets[position]
        if isinstance(node, Terminal):
            return require_number(node.utilities[player])
        if h is not None and positions.information_sets[h].player == player:
            return max(after)
        if h is not None and behaviour[h] is None:
            return 0  # off the path of play
        return sum(map(mul, chances(positions, behaviour, position), after), Fraction(0))

    return fold(positions, worth)[0]

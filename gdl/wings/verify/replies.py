"""Payoffs of a profile, and of each player's best reply to it, from the definitions.

A profile is an equilibrium if no best reply to what the others do pays its player more (Nash 1950). A best reply is
found over what its player knows: how likely chance and the others make the positions of an information set does not
depend on the own actions before it, since these are remembered (Kuhn 1953).

1. From the start, shares of play are passed on: chance and the others divide them, the player's own actions do not.
   Each share belongs to a stretch of play: from the start, or from one own action at one information set, or from a
   position where stretches meet, to the player's next actions.
2. A stretch is worth what the ends pay to which it leads, what the best action is worth at each set that it leads to,
   and its part of each position where it meets with others. The last stretch comes first.

A set to which two stretches lead is one whose player has forgotten something: then there is no saying what is best.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from gdl.errors import listing
from gdl.game import Action, Chance, Number, Terminal, exact, require_number
from gdl.solution import Mixture, Profile
from gdl.wings.verify.position_graph import Behaviour, Row, VerifierPositions, fold, reach
from gdl.wings.verify.sturm import Polynomial, is_somewhere_positive, value_at
from gdl.wings.verify.verdict import Misfit, Unchecked
from gdl.wings.verify.worth import mean

Weights = Mapping[int, Number]  # position -> the weight with which play begins there
START: Weights = {0: 1}


class Judgement(NamedTuple):
    """The payoff of a profile to each player, and the most that each can gain by deviating alone."""

    value: tuple[Number, ...]
    regret: tuple[Number, ...]


class BestReply(NamedTuple):
    """The most that a player can get against fixed others, and for each own information set that can be reached the
    numbers of the actions that get it."""

    value: Number
    choices: Mapping[int, tuple[int, ...]]


def read_profile(positions: VerifierPositions, profile: Profile) -> Behaviour:
    """The profile by number of information set. An action that is left out has probability 0. Raises Misfit where
    it names what the game does not have, or probabilities are not such."""
    strangers = [player for player in profile if player not in positions.players]
    if strangers:
        cast = f"{positions.game} has the players {listing(positions.players)}"
        raise Misfit(f"the profile is for {listing(strangers)}, but {cast}")
    rows: list[Row | None] = [None] * len(positions.information_sets)
    for player, mixtures in profile.items():
        own = {positions.information_sets[h].name: h for h in positions.sets_of(positions.players.index(player))}
        unknown = [name for name in mixtures if name not in own]
        if unknown:
            raise Misfit(f"{positions.game} has no information set of {player} called {listing(unknown, 'or')}")
        for name, mixture in mixtures.items():
            rows[own[name]] = read_row(positions.information_sets[own[name]].actions, mixture, name)
    return tuple(rows)


def read_row(actions: Sequence[Action], mixture: Mixture, where: str) -> Row:
    """A mixture as the probabilities of the actions, in their order. Raises Misfit where it is none; `where` names
    the place."""
    unknown = [action for action in mixture if action not in actions]
    if unknown:
        raise Misfit(f"no action at {where} is called {listing(unknown, 'or')}")
    row = tuple(mixture.get(action, 0) for action in actions)
    if any(probability < 0 for probability in row) or sum(row) != 1:
        raise Misfit(f"the probabilities at {where} do not sum to one: {', '.join(map(str, row))}")
    return row


def chances(positions: VerifierPositions, behaviour: Behaviour, position: int) -> Row:
    """The probability of each successor of a position; () at an end. Raises Misfit if the behaviour does not give
    it."""
    node, h = positions.nodes[position], positions.sets[position]
    if isinstance(node, Chance):
        return tuple(probability for _, probability in node.outcomes)
    if h is None:
        return ()
    row = behaviour[h]
    if row is None:
        found = positions.information_sets[h]
        who = positions.players[found.player]
        raise Misfit(f"the profile does not say what {who} does at {found.name}, which can be reached")
    return row


def weigh_positions(
    positions: VerifierPositions, behaviour: Behaviour, start: Weights = START
) -> Iterator[tuple[int, Number]]:
    """The positions that play from the weighted positions reaches, in order, each with its weight."""
    weights = dict(start)
    for position in range(min(start), len(positions.nodes)):
        weight = weights.get(position)
        if weight is None:
            continue
        yield position, weight
        row = chances(positions, behaviour, position)
        for share, after in zip(row, positions.successors[position], strict=True):
            if share:
                weights[after] = weights.get(after, 0) + weight * share


def expectation(positions: VerifierPositions, behaviour: Behaviour, start: Weights = START) -> tuple[Number, ...]:
    """The payoff of a profile to each player, from the weighted positions."""
    total: list[Number] = [0] * len(positions.players)
    for position, weight in weigh_positions(positions, behaviour, start):
        node = positions.nodes[position]
        if isinstance(node, Terminal):
            total = [t + weight * require_number(u) for t, u in zip(total, node.utilities, strict=True)]
    return tuple(map(exact, total))


def best_reply(positions: VerifierPositions, behaviour: Behaviour, player: int, start: Weights = START) -> BestReply:
    """The best that the player can do against the others from the weighted positions; the behaviour's own part for the
    player is not used. Raises Unchecked if the player forgets."""
    sets, stretches = positions.information_sets, _Stretches(positions, player)
    shares: dict[int, dict[int, Number]] = {position: {0: weight} for position, weight in start.items()}
    for position in range(min(start), len(positions.nodes)):
        here = shares.pop(position, None)
        if here is None:
            continue
        node, h = positions.nodes[position], positions.sets[position]
        if isinstance(node, Terminal):
            for stretch, share in here.items():
                stretches.pays[stretch] += share * require_number(node.utilities[player])
            continue
        stretch, share = here.popitem() if len(here) == 1 else (stretches.meet(here), 1)
        is_own = h is not None and sets[h].player == player
        first = stretches.enter(h, stretch) if h is not None and is_own else 0
        row = None if is_own else chances(positions, behaviour, position)
        for k, after in enumerate(positions.successors[position]):
            part = share if row is None else share * row[k]
            if part:
                later = stretch if row is not None else first + k
                there = shares.setdefault(after, {})
                there[later] = there[later] + part if later in there else part
    return stretches.best()


def worths(positions: VerifierPositions, behaviour: Behaviour, best: int | None = None) -> list[tuple[Number, ...]]:
    """The value of each position to every player by a behaviour, 0 where it says nothing. Player `best`, if given,
    knows the position at each move and does what is best there."""

    def worth(position: int, after: list[tuple[Number, ...]]) -> tuple[Number, ...]:
        node, h = positions.nodes[position], positions.sets[position]
        if isinstance(node, Terminal):
            return tuple(map(require_number, node.utilities))
        if h is not None and best is not None and positions.information_sets[h].player == best:
            return max(after, key=lambda vector: vector[best])
        if h is not None and behaviour[h] is None:
            return (0,) * len(positions.players)
        return mean(chances(positions, behaviour, position), after)

    return fold(positions, worth)


class _Stretches:
    """The stretches of play between one player's actions, by number; every stretch has a smaller number than those that
    it leads to."""

    def __init__(self, positions: VerifierPositions, player: int):
        self.positions, self.player = positions, player
        self.pays: list[Number] = [0]  # by stretch: what the ends on it pay
        self.meets: dict[int, list[tuple[Number, int]]] = {}  # by stretch: its shares of those in which it meets others
        self.leads: dict[int, list[int]] = {}  # by stretch: the own sets that come next
        self.first: dict[int, int] = {}  # by own set: the stretch after its first action; those of the others follow
        self.before: dict[int, int] = {}  # by own set: the stretch that leads there

    def meet(self, shares: Mapping[int, Number]) -> int:
        """The number of a new stretch, which begins where several stretches meet in these shares."""
        for stretch, share in shares.items():
            self.meets.setdefault(stretch, []).append((share, len(self.pays)))
        self.pays.append(0)
        return len(self.pays) - 1

    def enter(self, h: int, stretch: int) -> int:
        """The number of the stretch after the first action of own set `h`, to which this stretch leads. Raises
        Unchecked if another stretch leads there too."""
        found = self.positions.information_sets[h]
        if h not in self.first:
            self.before[h], self.first[h] = stretch, len(self.pays)
            self.pays += [0] * len(found.actions)
            self.leads.setdefault(stretch, []).append(h)
        if self.before[h] != stretch:
            raise Unchecked(f"{self.positions.players[self.player]} forgets at {found.name} what was known before")
        return self.first[h]

    def best(self) -> BestReply:
        """The value of the first stretch, and the best actions at all own sets."""
        worth: list[Number] = [0] * len(self.pays)
        choices: dict[int, tuple[int, ...]] = {}
        for stretch in reversed(range(len(worth))):
            total = self.pays[stretch] + sum(share * worth[later] for share, later in self.meets.get(stretch, ()))
            for h in self.leads.get(stretch, ()):
                first = self.first[h]
                own = worth[first : first + len(self.positions.information_sets[h].actions)]
                most = max(own)
                total += most
                choices[h] = tuple(k for k, number in enumerate(own) if number == most)
            worth[stretch] = total
        return BestReply(exact(worth[0]), choices)


def follows(positions: VerifierPositions, behaviour: Behaviour, start: int = 0) -> dict[int, dict[int, Number]]:
    """The beliefs by Bayes' rule at each information set that play from position `start` reaches: the probability of
    each of its positions, given that one of them is reached."""
    met: dict[int, dict[int, Number]] = {}
    for position, weight in weigh_positions(positions, behaviour, {start: 1}):
        h = positions.sets[position]
        if h is not None:
            met.setdefault(h, {})[position] = weight
    return {h: {m: exact(Fraction(w) / sum(own.values())) for m, w in own.items()} for h, own in met.items()}


# Players who forget: the best reply of one among several, and whether a lone one has a better plan.
#
# Of several, a plan says one action for each of the player's information sets. Where play comes to each set once at
# most, what a mixture at a set pays is between what its actions pay, so that no mixture is better than the best plan
# (Isbell 1957). Where a set can be passed twice, mixing there may be better still, but never better than if the player
# knew every position: where that pays no more than the best plan, the plan is the best reply.
#
# Of a lone player: a plan's worth is linear in the probabilities of a set that play passes once at most, so that pure
# choices there are enough (Isbell, Finitary games, 1957). Where one set of two actions is left, which play can pass
# more often, the worth is a polynomial in one probability, for each choice at the others: it is above a number just if
# it is so at an end, or if it crosses the number, at a root of odd multiplicity, in between (Sturm).

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
        form = _worth_as_polynomial(positions, dict(zip(once, choice, strict=True)))
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


def _worth_as_polynomial(positions: VerifierPositions, chosen: Mapping[int, int]) -> Polynomial:
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
    if any(_comes_again(positions, h) for h in sets) and most != worths(positions, behaviour, player)[0][player]:
        raise why
    return most

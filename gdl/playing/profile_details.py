"""A profile in detail: how often each node and information set is reached, what is believed there, what everyone gets
from there on, what each action pays, and what its player could gain by another action at this set alone.

1. Chances of the nodes, from the start down; beliefs follow by Bayes' rule, and there are none where play never leads.
2. Payoffs from the ends up: of a node by the profile, of an action on average over the belief.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from gdl.errors import LimitReached, clean
from gdl.formats.solve_answer import JudgedNode, JudgedSet
from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.numbers import brief
from gdl.render.strategies import align_columns

if TYPE_CHECKING:
    from gdl.solvers.equilibria.behaviour import Behaviour
    from gdl.solvers.equilibria.positions import PositionGraph

MOST_NODES = 20_000  # of a game whose profiles are shown in detail
Payoffs = tuple[Number, ...] | None  # of everyone; None where the profile is silent


class ProfileDetails:
    """The chances, beliefs and payoffs of a profile."""

    def __init__(self, positions: PositionGraph, behaviour: Behaviour):
        from gdl.solvers.equilibria.position_paths import PositionPaths, follows, reach_probabilities

        if positions.count > MOST_NODES:
            raise LimitReached(f"a profile is told node by node of {MOST_NODES:,} nodes at most")
        self.positions, self.behaviour = positions, behaviour
        self.names = PositionPaths(positions).names
        self.reached = reach_probabilities(positions, behaviour)
        self.beliefs = follows(positions, behaviour)
        self.payoffs = self._payoffs()

    def _payoffs(self) -> list[Payoffs]:
        """The expected payoffs of all players from each position; None where the profile does not say how to play."""
        found: list[Payoffs] = [None] * self.positions.count
        for position in reversed(range(self.positions.count)):
            node, h = self.positions.nodes[position], self.positions.sets[position]
            if isinstance(node, Terminal):
                found[position] = tuple(map(require_number, node.utilities))
                continue
            row = [share for _, share in node.outcomes] if isinstance(node, Chance) else None
            shares = row if h is None else self.behaviour[h]
            after = [found[successor] for successor in self.positions.successors[position]]
            found[position] = None if shares is None else _weighted_average(shares, after)
        return found

    def nodes(self) -> Iterator[JudgedNode]:
        """The name of each node, the probability of reaching it and everyone's payoff from there on; the start
        first."""
        for position, paid in enumerate(self.payoffs):
            value = None if paid is None else dict(zip(self.positions.players, paid, strict=True))
            yield JudgedNode(self.names[position], self.reached.get(position, 0), value)

    def sets(self) -> Mapping[str, Mapping[str, JudgedSet]]:
        """The details of each information set, by player and by the set's name."""
        told: dict[str, dict[str, JudgedSet]] = {player: {} for player in self.positions.players}
        for h, found in enumerate(self.positions.information_sets):
            told[self.positions.players[found.player]][found.name] = self._set(h)
        return {player: sets for player, sets in told.items() if sets}

    def _set(self, h: int) -> JudgedSet:
        found, belief = self.positions.information_sets[h], self.beliefs.get(h)
        reached = exact(sum((self.reached.get(m, 0) for m in found.members), Fraction(0)))
        if belief is None:
            return JudgedSet(reached)
        shares = list(belief.values())

        def pays(places: Sequence[int]) -> Number | None:
            paid = _weighted_average(shares, [self.payoffs[place] for place in places])
            return None if paid is None else paid[found.player]

        value = pays(list(belief))
        actions = {
            action: pays([self.positions.successors[m][k] for m in belief]) for k, action in enumerate(found.actions)
        }
        known = [paid for paid in actions.values() if paid is not None]
        regret = None if value is None or len(known) < len(actions) else exact(max(known) - value)
        by_name = {self.names[m]: belief.get(m, 0) for m in found.members}
        return JudgedSet(reached, by_name, value, actions, regret)


def _weighted_average(shares: Sequence[Number], payoffs: Sequence[Payoffs]) -> Payoffs:
    """The average payoffs by shares; None where a payoff whose share is not 0 is unknown."""
    pairs = [(share, paid) for share, paid in zip(shares, payoffs, strict=True) if share]
    known = [(share, paid) for share, paid in pairs if paid is not None]
    if len(known) < len(pairs):
        return None
    players = range(len(known[0][1]))
    return tuple(exact(sum((share * Fraction(paid[p]) for share, paid in known), Fraction(0))) for p in players)


def detail_lines(sets: Mapping[str, Mapping[str, JudgedSet]], names: Mapping[str, Mapping[str, str]]) -> list[str]:
    """A table of the information sets, with the belief below each that has several nodes. `names`: by player, the names
    of sets in texts."""
    rows = [["", "reached", "gets", "gains", "actions pay"]]
    for player, own in sets.items():
        for name, one in own.items():
            called = names.get(player, {}).get(name, name)
            paid = ", ".join(f"{action} {_amount_text(amount)}" for action, amount in (one.actions or {}).items())
            rows.append(
                [f"{player} at {called}", brief(one.reached), _amount_text(one.value), _amount_text(one.regret), paid]
            )
            if one.belief is not None and len(one.belief) > 1:
                held = ", ".join(f"{node} {brief(share)}" for node, share in one.belief.items())
                rows.append([f"    believes: {held}"])
    width = max(map(len, rows))
    table = iter(align_columns([row for row in rows if len(row) == width]))
    return [clean(next(table).rstrip() if len(row) == width else row[0]) for row in rows]


def _amount_text(amount: Number | None) -> str:
    return "?" if amount is None else brief(amount)


def sets_in_order(positions: PositionGraph) -> dict[str, list[str]]:
    """The names of each player's information sets, in the order in which a depth-first walk meets them."""
    met: dict[int, None] = {}
    seen: set[int] = set()
    stack = [0]
    while stack:
        position = stack.pop()
        if position in seen:
            continue
        seen.add(position)
        h = positions.sets[position]
        if h is not None:
            met.setdefault(h)
        stack.extend(reversed(positions.successors[position]))
    names: dict[str, list[str]] = {player: [] for player in positions.players}
    for h in met:
        found = positions.information_sets[h]
        names[positions.players[found.player]].append(found.name)
    return names

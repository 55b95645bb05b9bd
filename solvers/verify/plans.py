"""A game as a table of plans, for the verifier: what each player can do as a whole, and what that pays.

A reduced plan says what a player does at every own information set that the plan itself does not exclude: a set is
entered after one of some own actions, or after none. With perfect recall it is one action; where equal positions are
taken for one it may be several.

What a behaviour does is told by its weights: the product of the own probabilities on the way to each own action. Two
behaviours with equal weights are the same to everyone.

Sources: Kuhn 1953; von Stengel, Handbook of Game Theory 3, 2002 (realization plans).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import chain, product
from math import prod

from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.solvers.verify.position_graph import VerifierPositions
from gdl.solvers.verify.replies import Behaviour
from gdl.solvers.verify.verdict import Unchecked

POSITIONS = 50_000  # the most positions of a game whose plans are listed
PLANS = 400  # the most plans of one player
CELLS = 20_000  # the most cells of the table
FORGETS = "several ways lead to a position that are not told apart, so what mixtures of plans do there is not compared"

Step = tuple[int, int]  # an information set, and the number of an action there
Plan = frozenset[Step]
Weights = frozenset[tuple[Step, Number]]  # own actions with their weights, if above 0
Table = dict[tuple[int, ...], tuple[Number, ...]]


class VerifierPlans:
    """The reduced plans of every player, and the payoffs of every combination of them. Raises Unchecked if they are too
    many."""

    def __init__(self, positions: VerifierPositions):
        if len(positions.nodes) > POSITIONS:
            raise Unchecked(f"there are more than {POSITIONS:,} positions, so plans are not listed")
        self.positions = positions
        self.leads = [self._list_steps(player) for player in range(len(positions.players))]
        self.of = [self._list_plans(player) for player in range(len(positions.players))]
        if prod(map(len, self.of)) > CELLS:
            raise Unchecked(f"the table of plans has more than {CELLS:,} cells")

    def _list_steps(self, player: int) -> dict[Step | None, dict[int, None]]:
        """The information sets that the player may enter next, after each own action and (under None) before the first
        one."""
        latest: list[dict[Step | None, None]] = [{} for _ in self.positions.nodes]
        latest[0][None] = None
        found: dict[Step | None, dict[int, None]] = {}
        for position, after in enumerate(self.positions.successors):
            h = self.positions.sets[position]
            is_own = h is not None and self.positions.information_sets[h].player == player
            for step in latest[position] if is_own else ():
                found.setdefault(step, {})[h] = None  # type: ignore[index]
            for k, successor in enumerate(after):
                latest[successor] |= {(h, k): None} if is_own else latest[position]  # type: ignore[dict-item]
        return found

    def _list_plans(self, player: int) -> list[Plan]:
        """All reduced plans of the player: an action at each own set that the plan itself can reach."""
        found: list[Plan] = []
        waiting = [(dict[int, int](), list(self.leads[player].get(None, ())))]
        while waiting:
            plan, left = waiting.pop()
            while left and left[-1] in plan:
                left.pop()
            if left:
                *rest, h = left
                for k in reversed(range(len(self.positions.information_sets[h].actions))):
                    waiting.append(({**plan, h: k}, [*rest, *self.leads[player].get((h, k), ())]))
            else:
                found.append(frozenset(plan.items()))
            if len(found) + len(waiting) > PLANS:
                raise Unchecked(f"{self.positions.players[player]} has more than {PLANS} plans")
        return found

    @cached_property
    def table(self) -> Table:
        """The payoffs of every combination of plans, by the numbers of the plans."""
        cells = product(*(range(len(own)) for own in self.of))
        return {cell: self._payoffs([self.of[p][plan] for p, plan in enumerate(cell)]) for cell in cells}

    def pays(self, player: int) -> list[list[Number]]:
        """The payoffs of the player: a row for each own plan, and in it a column for each combination of the others'
        plans."""
        others = list(product(*(range(len(own)) for p, own in enumerate(self.of) if p != player)))
        own = range(len(self.of[player]))
        return [[self.table[*cell[:player], k, *cell[player:]][player] for cell in others] for k in own]

    def _payoffs(self, plans: Sequence[Plan]) -> tuple[Number, ...]:
        """The average payoffs of one combination of plans, one plan for each player."""
        chosen = {h: k for plan in plans for h, k in plan}
        total: list[Number] = [0] * len(plans)
        weights: dict[int, Number] = {0: 1}
        queue = [0]  # positions, of which those that come later have greater numbers
        while queue:
            position = heappop(queue)
            weight, node, after = weights[position], self.positions.nodes[position], self.positions.successors[position]
            if isinstance(node, Terminal):
                total = [t + weight * require_number(u) for t, u in zip(total, node.utilities, strict=True)]
                continue
            h = self.positions.sets[position]
            shares = [share for _, share in node.outcomes] if isinstance(node, Chance) else [1]
            for successor, share in zip(after if h is None else [after[chosen[h]]], shares, strict=True):
                if successor not in weights:
                    heappush(queue, successor)
                weights[successor] = weights.get(successor, 0) + weight * share
        return tuple(map(exact, total))

    @cached_property
    def by_name(self) -> list[dict[str, int]]:
        """For each player the number of each plan by its name. The plans of a player with a single information set are
        called by the action alone."""
        return [{self._name(player, plan): k for k, plan in enumerate(own)} for player, own in enumerate(self.of)]

    def _name(self, player: int, plan: Plan) -> str:
        sets = self.positions.information_sets
        told = [(sets[h].name, sets[h].actions[k]) for h, k in sorted(plan)]
        if len(self.positions.sets_of(player)) == 1:
            return told[0][1]
        return f"({', '.join(f'{name}: {action}' for name, action in told)})"

    def mixes(self, behaviour: Behaviour) -> list[list[Number]]:
        """The probability of each plan of each player by a behaviour."""
        rows = [row or () for row in behaviour]
        return [[prod(rows[h][k] if rows[h] else 0 for h, k in plan) for plan in own] for own in self.of]

    # -- weights ----------------------------------------------------------------------------------------------

    def weights_of_mix(self, player: int, mix: Sequence[Number]) -> Weights:
        """The weights of the own actions by a mixture of the player's plans. Raises Unchecked if the player forgets and
        the plan is not pure."""
        entered = Counter(chain.from_iterable(self.leads[player].values()))
        if sum(map(bool, mix)) > 1 and max(entered.values()) > 1:
            raise Unchecked(FORGETS)
        found: dict[Step, Number] = {}
        for plan, chance in zip(self.of[player], mix, strict=True):
            for step in plan if chance else ():
                found[step] = found.get(step, Fraction(0)) + chance
        return frozenset(found.items())

    def weights_of(self, player: int, behaviour: Behaviour) -> Weights:
        """The weights of the own actions by a behaviour. Raises Unchecked if several ways lead to a set with different
        probabilities."""
        found: dict[Step, Fraction] = {}
        met: dict[int, Fraction] = {}
        queue: list[tuple[Step | None, Fraction]] = [(None, Fraction(1))]
        for step, weight in queue:  # grows while it is walked
            for h in self.leads[player].get(step, ()):
                if met.setdefault(h, weight) != weight:
                    raise Unchecked(FORGETS)
                for k, chance in enumerate(behaviour[h] or ()):
                    if chance and (h, k) not in found:
                        found[h, k] = weight * chance
                        queue.append(((h, k), found[h, k]))
        return frozenset(found.items())

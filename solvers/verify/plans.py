"""A game as a table of plans, for the verifier: what each player can do as a whole, and what that pays.

A reduced plan says what a player does at every own information set that the plan itself does not exclude. With perfect
recall the own sets hang together as a forest: each is entered after one own action, or after none. So the plans are
the combinations of an action at every first set with plans for the sets that this action lets be reached.

What a behaviour does is told by its weights: the product of the own probabilities on the way to each own action. Two
behaviours with equal weights are the same to everyone.

Sources: Kuhn 1953; von Stengel, Handbook of Game Theory 3, 2002 (realization plans).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod

from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.solvers.verify.position_graph import VerifierPositions
from gdl.solvers.verify.replies import Behaviour
from gdl.solvers.verify.verdict import Unchecked

PATHS = 50_000  # ways through the game that are looked at
PLANS = 400  # of one player
CELLS = 20_000  # of the table

Step = tuple[int, int]  # an information set, and the position of an action there
Plan = frozenset[Step]
Weights = frozenset[tuple[Step, Number]]  # own actions that have some, and how much
Table = dict[tuple[int, ...], tuple[Number, ...]]


class VerifierPlans:
    """The reduced plans of every player, and what every combination of them pays."""

    def __init__(self, positions: VerifierPositions):
        self.positions = positions
        self.before: dict[int, Step | None] = {}  # the own action after which each set is entered
        self.ends: list[tuple[Sequence[Plan], Number, tuple[Number, ...]]] = []  # own actions, chance, utilities
        self._walk()
        self.below: dict[Step | None, list[tuple[int, int]]] = {}  # an own action -> player and set entered next
        for h, step in self.before.items():
            self.below.setdefault(step, []).append((positions.information_sets[h].player, h))
        self.of = [self._combine_plans(player, self._first(player)) for player in range(len(positions.players))]
        if prod(map(len, self.of)) > CELLS:
            raise Unchecked(f"the table of plans has more than {CELLS:,} cells")

    def _walk(self) -> None:
        """Every way from the start to an end."""
        nobody: tuple[Plan, ...] = (frozenset(),) * len(self.positions.players)
        last: tuple[Step | None, ...] = (None,) * len(self.positions.players)
        stack = [(0, nobody, last, Fraction(1))]
        count = 0
        while stack:
            position, done, latest, chance = stack.pop()
            count += 1
            if count > PATHS:
                raise Unchecked(f"there are more than {PATHS:,} ways through the game")
            node, h = self.positions.nodes[position], self.positions.sets[position]
            if isinstance(node, Terminal):
                self.ends.append((done, chance, tuple(map(require_number, node.utilities))))
                continue
            for k, after in enumerate(self.positions.successors[position]):
                if isinstance(node, Chance):
                    stack.append((after, done, latest, chance * node.outcomes[k][1]))
                    continue
                assert h is not None
                who = node.player
                if self.before.setdefault(h, latest[who]) != latest[who]:
                    raise Unchecked("a player forgets, so plans do not hang together")
                own = tuple(d | {(h, k)} if p == who else d for p, d in enumerate(done))
                now = tuple((h, k) if p == who else step for p, step in enumerate(latest))
                stack.append((after, own, now, chance))

    def _first(self, player: int) -> list[int]:
        return [h for who, h in self.below.get(None, []) if who == player]

    def _combine_plans(self, player: int, sets: Sequence[int]) -> list[Plan]:
        """Every plan for these sets and all that they lead to."""
        plans: list[Plan] = [frozenset()]
        for h in sets:
            own: list[Plan] = []
            for k in range(len(self.positions.information_sets[h].actions)):
                later = [one for who, one in self.below.get((h, k), []) if who == player]
                own += [frozenset({(h, k)}) | rest for rest in self._combine_plans(player, later)]
            if len(plans) * len(own) > PLANS:
                raise Unchecked(f"{self.positions.players[player]} has more than {PLANS} plans")
            plans = [one | other for one, other in product(plans, own)]
        return plans

    @cached_property
    def table(self) -> Table:
        """The payoffs of every combination of plans."""
        reached = [[self._reachable_ends(player, plan) for plan in own] for player, own in enumerate(self.of)]
        weighed = [tuple(exact(chance * u) for u in utilities) for _, chance, utilities in self.ends]
        found: Table = {}
        for cell in product(*(range(len(own)) for own in self.of)):
            bits = (1 << len(weighed)) - 1
            for player, plan in enumerate(cell):
                bits &= reached[player][plan]
            met = [weighed[end] for end in _members(bits)]
            found[cell] = tuple(sum(column) for column in zip(*met, strict=True))
        return found

    @cached_property
    def by_name(self) -> list[dict[str, int]]:
        """Each player's plans by their names: the action alone of a player with one information set."""
        return [{self._name(player, plan): k for k, plan in enumerate(own)} for player, own in enumerate(self.of)]

    def _name(self, player: int, plan: Plan) -> str:
        sets = self.positions.information_sets
        told = [(sets[h].name, sets[h].actions[k]) for h, k in sorted(plan)]
        if len(self.positions.sets_of(player)) == 1:
            return told[0][1]
        return f"({', '.join(f'{name}: {action}' for name, action in told)})"

    def _reachable_ends(self, player: int, plan: Plan) -> int:
        """The ends that the plan does not exclude, as bits."""
        return sum(1 << end for end, (done, _, _) in enumerate(self.ends) if done[player] <= plan)

    # -- weights ----------------------------------------------------------------------------------------------

    def weights_of_mix(self, player: int, mix: Sequence[Number]) -> Weights:
        """The weights of a mixture of the player's plans."""
        found: dict[Step, Number] = {}
        for plan, chance in zip(self.of[player], mix, strict=True):
            for step in plan if chance else ():
                found[step] = found.get(step, Fraction(0)) + chance
        return frozenset(found.items())

    def weights_of(self, player: int, behaviour: Behaviour) -> Weights:
        """The weights of what the player does by a behaviour."""
        found: dict[Step | None, Number] = {None: Fraction(1)}
        queue: list[Step | None] = [None]
        for step in queue:  # grows while it is walked
            for who, h in self.below.get(step, []):
                row = behaviour[h] if who == player else None
                for k, chance in enumerate(row or ()):
                    if chance:
                        found[h, k] = found[step] * chance
                        queue.append((h, k))
        return frozenset((step, Fraction(weight)) for step, weight in found.items() if step is not None)


def _members(bits: int) -> list[int]:
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found

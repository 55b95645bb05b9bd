"""Max^n with shallow pruning: what the mover has already leaves the player before too little to care.

Utilities sum to a known total, and each is at least a known bound. Let player i move, sure of alpha_i by some action,
and let i look at another action, after which j moves:

1. As soon as j has v_j by some reply, nobody else gets more than total - v_j - the least of the others. Once that is
   no more than alpha_i, player i will not come here: the other replies are skipped (shallow pruning).
2. As soon as j has as much as anyone can get, j looks no further (immediate pruning).

The bound is handed down by one step only. Handing it further down (deep pruning, as alpha-beta does) is unsound with
three players or more: what lies between may keep i's choice from mattering, and yet change what others do. Where the
sum or the bounds are not known, by promise or proof, nothing can be skipped; so it is below chance.

Sources: Korf, Multi-player alpha-beta pruning, Artificial Intelligence 48, 1991; max^n: Luckhardt and Irani, AAAI 1986.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any, Literal

from gdl.errors import InternalError
from gdl.game import Action, Chance, Decision, Game, Node, Number, Terminal, require_number, surely_at
from gdl.solution import Rule, Solution
from gdl.solvers.budget import NO_LIMITS, SearchLimits, answering
from gdl.solvers.certificate import everyone_chooses
from gdl.solvers.minimax.backward_induction import average
from gdl.solvers.minimax.star import ORDERS, PROOF, UNTIED, induction_beside
from gdl.solvers.minimax.vectors import Vector, first_best, with_ties
from gdl.solvers.minimax.windows import WindowFrame, WindowSearch, begin_search, complete_answer
from gdl.solvers.needs import TREE_LIKE
from gdl.solvers.record import Bound, NodeResult, SearchPlace, Window
from gdl.solvers.solver import Solver


class MaxFrame(WindowFrame):
    """A node whose mover wants the most for themselves; its window holds the mover's own numbers."""

    def __init__(self, place: SearchPlace, node: Decision, children: Sequence[int], most: Bound):
        """`most`: the mover's utility at which the node is left, since more would not matter."""
        super().__init__(place, node.actions, children, (-inf, most))
        self.player: int = node.player
        self.best: NodeResult | None = None
        self.skipping = False

    @property
    def own_value(self) -> Number:
        number: Number = self.result.value[self.player]
        return number

    @property
    def child_window(self) -> Window:
        return (-inf if self.best is None else self.own_value), self.window[1]

    @property
    def next_window(self) -> Window:
        return -inf, inf  # of another player's numbers: MaxSearch finds it

    def take(self, position: int, found: NodeResult) -> None:
        if self.best is None or found.value[self.player] > self.own_value:
            self.best = found._replace(line=(self.actions[position], *found.line))

    def is_outside_window(self, strictly: bool) -> bool:
        most = self.window[1]
        return self.own_value > most if strictly else self.own_value >= most

    def finish(self) -> None:
        self.skipping = self.done < len(self.children)
        super().finish()

    @property
    def partial_result(self) -> NodeResult:
        return self.result._replace(bound="exact" if self.done == len(self.children) else "lower")

    @property
    def result(self) -> NodeResult:
        """The best vector so far; after a cut the mover may have still better, so it is a lower bound of theirs."""
        assert self.best is not None
        return self.best._replace(bound="lower" if self.skipping else "exact")


class AverageFrame(WindowFrame):
    """A chance node: all outcomes are looked at, and their vectors averaged."""

    def __init__(self, place: SearchPlace, node: Chance):
        actions: list[Action] = [action for action, _ in node.outcomes]
        super().__init__(place, actions, range(len(actions)), (-inf, inf))
        self.weights = [weight for _, weight in node.outcomes]
        self.vectors: list[Vector] = []

    def take(self, position: int, found: NodeResult) -> None:
        self.vectors.append(found.value)

    def is_outside_window(self, strictly: bool) -> bool:
        return False

    @property
    def partial_result(self) -> NodeResult | None:
        return self.result if len(self.vectors) == len(self.weights) else None

    @property
    def result(self) -> NodeResult:
        return NodeResult(average(self.weights, self.vectors), "exact", ())


class MaxSearch(WindowSearch):
    """A run of max^n; `total` is the known sum of all utilities, None where it is not known."""

    total: Number | None = None
    limited = False  # whether anything was known by which to prune

    def frame(self, place: SearchPlace, node: Node, window: Window) -> WindowFrame:
        if isinstance(node, Chance):
            return AverageFrame(place, node)
        assert isinstance(node, Decision)
        # Deep cuts, by what players further up have secured, would be unsound with more than two players (Korf 1991).
        most = min(self._ceiling(place.state, node.player), self._shallow_bound(place.state, node.player))
        self.limited = self.limited or most < inf
        return MaxFrame(place, node, self.order(place.state, node), most)

    def utility(self, state: Any, node: Terminal) -> Vector:
        return tuple(require_number(utility) for utility in node.utilities)

    def _ceiling(self, state: Any, player: int) -> Bound:
        """The most that the player can get below the state; infinite if that is not known."""
        declared = surely_at(self.game, state)[player][1]
        return min(self._left_by(state, {player}, 0), inf if declared is None else declared)

    def _shallow_bound(self, state: Any, player: int) -> Bound:
        """The number at which the player may stop looking: with this much for the player, the parent's mover gets no
        more here than elsewhere already. Infinite where that argument does not apply."""
        parent = self.stack[-1] if self.stack else None
        # The parent must have an alternative already, and be another player: then a child in which it can get no more
        # than that will not be chosen.
        if not isinstance(parent, MaxFrame) or parent.player == player or parent.best is None:
            return inf
        return self._left_by(state, {player, parent.player}, parent.own_value)

    def _left_by(self, state: Any, players: set[int], taken: Number) -> Bound:
        """The total less `taken` and less the least utilities of all but the `players`; infinite if one of them is not
        known."""
        if self.total is None:
            return inf
        found = surely_at(self.game, state)
        left = self.total - taken
        for player in range(len(self.game.players)):
            if player not in players:
                least = found[player][0]
                if least is None:
                    return inf
                left -= least
        return left


def shallow(
    game: Game[Any],
    limits: SearchLimits = NO_LIMITS,
    *,
    cut: Literal["ge", "gt"] = "ge",
    order: Literal["given", "reverse", "best", "worst"] = "given",
) -> Solution:
    """Max^n that skips what a known sum and known lower bounds of the utilities show not to matter.

    `cut` is "ge" (skip at equality) or "gt"; numbers in windows are those of whoever moves at the node.
    """
    budget = limits.budget()
    proof = budget.part(PROOF, 1.0)
    search, answer = begin_search(MaxSearch, SHALLOW, game, Rule(cut, order), None, budget, ORDERS)
    search.total = game.traits.constant_sum
    with answering(lambda: replace(answer, nodes=budget.spent, leaves=search.leaves)):
        search.run()
    answer = complete_answer(search, answer, None)
    if not search.limited and answer.best:
        answer = replace(answer, notes=(*answer.notes, UNSOUND))
    with answering(lambda: answer):
        found = induction_beside(game, proof)
        if found is None:
            return replace(answer, notes=(*answer.notes, UNTIED))
        if answer.value != found.of[game.initial()]:
            raise InternalError("shallow pruning differs from max^n")
        profile = everyone_chooses(game, first_best(game, found.of))
        return replace(with_ties(answer, game, found), equilibria=() if profile is None else (profile,))


UNSOUND = (
    "nothing was skipped: that would be unsound unless the utilities have a known sum and known least values "
    "(`utility >= 0`)"
)


SHALLOW = Solver(
    name="shallow",
    run=shallow,
    needs=TREE_LIKE,
    summary="maxn that skips what cannot matter, by a known sum and least values of the utilities",
    extent="whole",
    steps="recorded",
)

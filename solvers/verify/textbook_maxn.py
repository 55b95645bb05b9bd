"""Max^n with shallow pruning, once more and by itself, for the verifier: what it visits, skips and returns.

    MAX^N(node, enough):
        at an end: return the utilities
        most = the least of `enough`, and all that the mover can get below the node
        for each child, in the order asked for:
            the child's `enough` is what is left of the sum, when this mover keeps the best so far and all but these two
            get the least that they can get below the child (nothing is known at the first child, or below chance)
            best = the better for the mover of best and MAX^N(child, its enough)
            if the mover gets `most` by it: skip the other children                        (rule gt: only more than it)
        return best

Backward induction is the same search, in which nothing is ever enough.

Source: Korf, Multi-player alpha-beta pruning, Artificial Intelligence 48, 1991.
"""

from __future__ import annotations

from math import inf
from typing import Any

from gdl.game import Chance, Decision, Number, Terminal, actions, maximiser, require_number, surely_at
from gdl.numbers import to_json
from gdl.solution import Path
from gdl.solvers.verify.textbook import Look, TextbookAlphaBeta, TextbookRun, run_nested
from gdl.solvers.verify.verdict import Unchecked
from gdl.solvers.verify.worth import Vector, mean


class TextbookMaxn(TextbookAlphaBeta):
    """The textbook's max^n with cuts, for the value vectors of all players. A window bounds the value of whoever moves
    at its node."""

    def search(self) -> TextbookRun:
        """Make the whole run. Raises Unchecked if it is too long."""
        run_nested(self._look_for_all((), None, self.game.initial(), inf))
        return self.run

    def _as_json(self, value: Any) -> Any:
        return {player: to_json(number) for player, number in zip(self.game.players, value, strict=True)}

    def _look_for_all(self, path: Path, action: str | None, state: Any, enough: Number | float) -> Look:
        """Look at a node: returns its value vector, or once the mover has `enough`, one that is no better for whoever
        moved before."""
        here = self.game.node(state)
        if not isinstance(here, Decision | Chance | Terminal):
            raise Unchecked("this search is for games in which one moves at a time")
        most = self._most(state, here, enough)
        node = self._begin(path, action, state, None, -inf, most)
        if isinstance(here, Terminal):
            self.run.leaves += 1
            paid = tuple(map(require_number, here.utilities))
            self._step(node, "leaf", paid, "exact")
            return self._record_visit(node, "terminal", paid, "exact")[0]
        node.actions = actions(here)
        node.rest = self._order(state, None, here) if isinstance(here, Decision) else range(len(node.actions))
        node.order = list(node.rest)
        self._step(node, "enter", None, None)
        vectors: list[Vector] = []
        best: Vector | None = None
        bound, whole = "exact", False
        for child in node.order:
            after, window = self.game.successor(state, node.actions[child]), (node.alpha, node.beta)
            enough = self._enough(node, here, after)
            vectors.append((yield self._look_for_all((*path, child), node.actions[child], after, enough)))
            node.done += 1
            whole = node.done == len(node.order)
            if isinstance(here, Chance):
                best = mean([weight for _, weight in here.outcomes], vectors) if whole else None
                self._step(node, "update", best, "exact" if whole else None)
                continue
            node.player = here.player
            if best is None or vectors[-1][here.player] > best[here.player]:
                best = vectors[-1]
                node.alpha = node.v = best[here.player]
            if node.v > most or (node.v == most and self.rules.cut == "ge"):
                bound = "exact" if whole else "lower"
                self._cut(node, window, bound, best)
                break
            self._step(node, "update", best, "exact" if whole else self._so_far(node))
        return self._leave(node, "decision" if isinstance(here, Decision) else "chance", best, bound)[0]

    def _so_far(self, node: Any) -> str | None:
        return "lower"

    def _most(self, state: Any, here: Any, enough: Number | float) -> Number | float:
        """The most that the mover can get at a node, or `enough` if that is less; infinity where nobody decides."""
        if not isinstance(here, Decision):
            return inf
        ceiling = surely_at(self.game, state)[here.player][1]
        return min(enough, self._left_by(state, {here.player}, 0), inf if ceiling is None else ceiling)

    def _enough(self, node: Any, here: Decision | Chance, after: Any) -> Number | float:
        """The amount for the mover at a child that leaves the mover at this node no more than they have already;
        infinite if not known."""
        child = self.game.node(after)
        if isinstance(here, Chance) or not isinstance(child, Decision) or child.player == here.player or not node.done:
            return inf
        return inf if node.alpha == -inf else self._left_by(after, {child.player, here.player}, node.alpha)

    def _left_by(self, state: Any, players: set[int], taken: Number | float) -> Number | float:
        """The rest of the sum of all utilities, after `taken` and after the least that all but the given players get;
        infinite if not known."""
        total = self.game.traits.constant_sum
        least = [low for player, (low, _) in enumerate(surely_at(self.game, state)) if player not in players]
        known = [low for low in least if low is not None]
        return inf if total is None or len(known) < len(least) else total - taken - sum(known)


class TextbookInduction(TextbookMaxn):
    """Backward induction: nothing is skipped, and steps show no window. If one number stands for all players, steps
    show only that."""

    def _as_json(self, value: Any) -> Any:
        whose = maximiser(self.game.players)
        return to_json(value[whose]) if self.game.traits.has_scalar_value else super()._as_json(value)

    def _so_far(self, node: Any) -> str | None:
        others = self.game.traits.has_scalar_value and node.player != maximiser(self.game.players)
        return "upper" if others else "lower"

    def _most(self, state: Any, here: Any, enough: Number | float) -> Number | float:
        return inf

    def _step(self, node: Any, event: str, value: Any, bound: str | None, window: Any = None) -> None:
        super()._step(node, event, value, bound, (-inf, inf))

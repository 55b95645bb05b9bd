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

Source: Korf, Multi-player alpha-beta pruning, Artificial Intelligence 48, 1991.
"""

from __future__ import annotations

from math import inf
from typing import Any

from gdl.game import Chance, Decision, Number, Terminal, actions, require_number, surely_at
from gdl.numbers import to_json
from gdl.solution import Path
from gdl.solvers.verify.textbook import TextbookAlphaBeta, TextbookRun
from gdl.solvers.verify.verdict import Unchecked
from gdl.solvers.verify.worth import Vector, mean

DEEPEST = 300  # plies


class TextbookMaxn(TextbookAlphaBeta):
    """The search of one game for everybody's numbers; windows hold those of whoever moves."""

    def search(self) -> TextbookRun:
        """The whole run. Unchecked where it is too long."""
        self._look((), None, self.game.initial(), inf)
        return self.run

    def _as_json(self, value: Any) -> Any:
        return {player: to_json(number) for player, number in zip(self.game.players, value, strict=True)}

    def _look(self, path: Path, action: str | None, state: Any, enough: Number | float) -> Vector:
        """The worth of a node, or one no better for whoever moved before."""
        here = self.game.node(state)
        if len(path) > DEEPEST or not isinstance(here, Decision | Chance | Terminal):
            raise Unchecked(f"shallow pruning is looked at where one moves at a time, for {DEEPEST} plies")
        most: Number | float = inf
        if isinstance(here, Decision):
            ceiling = surely_at(self.game, state)[here.player][1]
            most = min(enough, self._left_by(state, {here.player}, 0), inf if ceiling is None else ceiling)
        node = self._begin(path, action, state, None, -inf, most)
        if isinstance(here, Terminal):
            self.run.leaves += 1
            paid = tuple(map(require_number, here.utilities))
            self._step(node, "leaf", paid, "exact")
            self._record_visit(node, None, "terminal", paid, "exact")
            return paid
        node.actions = actions(here)
        node.rest = self._order(state, None, here) if isinstance(here, Decision) else range(len(node.actions))
        node.order = list(node.rest)
        self._step(node, "enter", None, None)
        vectors: list[Vector] = []
        best: Vector | None = None
        bound, whole = "exact", False
        for child in node.order:
            after, window = self.game.successor(state, node.actions[child]), (node.alpha, node.beta)
            vectors.append(self._look((*path, child), node.actions[child], after, self._enough(node, here, after)))
            node.done += 1
            whole = node.done == len(node.order)
            if isinstance(here, Chance):
                best = mean([weight for _, weight in here.outcomes], vectors) if whole else None
                self._step(node, "update", best, "exact" if whole else None)
                continue
            if best is None or vectors[-1][here.player] > best[here.player]:
                best = vectors[-1]
                node.alpha = node.v = best[here.player]
            if node.v > most or (node.v == most and self.rules.cut == "ge"):
                bound = "exact" if whole else "lower"
                self._cut(node, window, bound, best)
                break
            self._step(node, "update", best, "exact" if whole else "lower")
        assert best is not None
        self._step(node, "leave", best, bound)
        decides = isinstance(here, Decision)
        player = self.game.players[here.player] if isinstance(here, Decision) else None
        self._record_visit(node, player, "decision" if decides else "chance", best, bound)
        return best

    def _enough(self, node: Any, here: Decision | Chance, after: Any) -> Number | float:
        """So much is enough for whoever moves at a child to leave the mover no more than they have."""
        child = self.game.node(after)
        if isinstance(here, Chance) or not isinstance(child, Decision) or child.player == here.player or not node.done:
            return inf
        return inf if node.alpha == -inf else self._left_by(after, {child.player, here.player}, node.alpha)

    def _left_by(self, state: Any, players: set[int], taken: Number | float) -> Number | float:
        """The rest of the sum of all utilities after `taken`, and the least that all but the `players` get."""
        total = self.game.traits.constant_sum
        least = [low for player, (low, _) in enumerate(surely_at(self.game, state)) if player not in players]
        known = [low for low in least if low is not None]
        return inf if total is None or len(known) < len(least) else total - taken - sum(known)

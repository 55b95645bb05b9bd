"""Every move of a play, judged by the worth of the positions before and after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gdl.compiler.compiled_engine import falling_back
from gdl.errors import EngineFault, GameError, LimitReached, Refusal
from gdl.formats.answer_records import MoveJudgement
from gdl.game import Action, Chance, Decision, Game, Number, Terminal, Unknown
from gdl.interpreter.position import Continuation
from gdl.playing.judging import PositionWorth, scale
from gdl.solution import Solution
from gdl.states.explore import Progress
from gdl.states.sequential import Sequential


class PlayAnalysis:
    """Judges moves by the worth of the positions before and after them."""

    def __init__(self, game: Game[Any], seconds: float, fault: Callable[[EngineFault], None]):
        """`fault` is told where the compiled engine fails."""
        self.game = Sequential(game)
        self.inner = game
        self.seconds, self.fault = seconds, fault
        self.scale = scale(game)

    def of(self, actions: Sequence[Action], progress: Progress) -> Iterator[MoveJudgement]:
        """Every move of a player; outcomes of chance are no moves."""
        state = self.game.initial()
        for ply, action in enumerate(actions, start=1):
            node = self.game.node(state)
            if isinstance(node, Decision):
                yield self._judge_move(ply, state, node, action)
            state = self.game.successor(state, action)
            progress(ply)

    def _judge_move(self, ply: int, state: Any, node: Decision, action: Action) -> MoveJudgement:
        player, name = node.player, self.game.players[node.player]
        before = self.worth(state) if len(node.actions) > 1 else PositionWorth(None, True, (action,))
        if action in before.best:
            value = None if before.value is None else before.value[player]
            return MoveJudgement(ply, name, action, "", before.exact, 0, action, value)
        if not before.best:
            return MoveJudgement(ply, name, action, "", False, None, None, None)
        best = before.best[0]
        after = self.worth(self.game.successor(state, action))
        if not (before.exact and after.exact):  # two estimates, as deep as each other
            before = self.worth(self.game.successor(state, best))._replace(exact=False)
        if before.value is None or after.value is None:
            return MoveJudgement(ply, name, action, "", False, None, best, None)
        exact = before.exact and after.exact
        cost = max(0, before.value[player] - after.value[player])
        mark = self.scale.mark(before, after, player)
        return MoveJudgement(ply, name, action, mark, exact, cost, best, before.value[player])

    def worth(self, state: Any) -> PositionWorth:
        """Of a position: what the rules say at an end, what chance makes of it on average, else what a search finds."""
        node = self.game.node(state)
        if isinstance(node, Terminal):
            return PositionWorth(_known_utilities(node.utilities), True)
        if isinstance(node, Chance):
            return self._average(state, node)
        return self._search_worth(Continuation(self.inner, state.state))

    def _average(self, state: Any, node: Chance) -> PositionWorth:
        found = [(share, self.worth(self.game.successor(state, outcome))) for outcome, share in node.outcomes]
        if any(worth.value is None for _, worth in found):
            return PositionWorth(None, False)
        players = range(len(self.game.players))
        value = tuple(sum(share * worth.value[p] for share, worth in found if worth.value) for p in players)
        return PositionWorth(
            value, all(worth.exact for _, worth in found), (), any(worth.evaluated for _, worth in found)
        )

    def _search_worth(self, position: Game[Any]) -> PositionWorth:
        from gdl.solvers import solve

        found: Any = None
        try:
            found = falling_back(lambda: solve(position, time=self.seconds), position, self.fault)
        except LimitReached as stop:
            found = stop.partial
        except (Refusal, GameError):
            found = None
        if not isinstance(found, Solution) or found.value is None:
            return PositionWorth(None, False, found.best if isinstance(found, Solution) else ())
        return PositionWorth(found.value, found.exact, found.best, not found.exact and found.solver != "mcts")


def _known_utilities(utilities: Sequence[Any]) -> tuple[Number, ...] | None:
    """The utilities of an end; None where the file leaves one open."""
    return None if any(isinstance(utility, Unknown) for utility in utilities) else tuple(utilities)

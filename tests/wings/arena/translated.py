"""The searches of this wing, with what changes their code."""

from functools import partial
from typing import Any

from gdl.compiler.searches.mcts_driver import MctsTreeOptions
from gdl.solvers.mcts.mcts import TreeSettings
from gdl.wings.arena.contest_driver import KernelContest
from gdl.wings.arena.listed_moves import ListedMoves

MANNER = MctsTreeOptions((), 1000, 1000, 16, 3, patience=(100, 10, 2), few_visits=100, amaf=1.0)


def contest(game: Any, start: Any, engine: str, evaluates: bool = False) -> KernelContest:
    """Plays of trees of a hundred simulations."""
    manner = MANNER._replace(price=game.model.forever)
    options = {"manner": manner._asdict(), "opposed": False, "positions": 9, "least": [-1] * len(game.players)}
    return KernelContest(
        game, start, engine, share=TreeSettings(100, None, 1, (1.0, 1.0)), evaluates=evaluates, **options
    )


TRANSLATED = {KernelContest: (contest, partial(contest, evaluates=True)), ListedMoves: (ListedMoves,)}

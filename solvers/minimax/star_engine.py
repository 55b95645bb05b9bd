"""A long run of star1, star2 or paranoid, made on the compiled engine: the same nodes, the same answer
(gdl/compiler/kernels/star.py)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gdl.compiler.search_kinds import STAR
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers.budget import answering
from gdl.solvers.engine_stages import compiled_search, giving_up, run_slices
from gdl.solvers.minimax.star_search import StarSearch
from gdl.solvers.minimax.windows import best_so_far, vector_of
from gdl.solvers.record import NodeResult, finite, most_recorded

if TYPE_CHECKING:
    from gdl.compiler.searches.star_driver import Star


@dataclass(frozen=True)
class StarRun:
    """The subject of a run: the game, and the player whose utility is maximised. If `recorded`, windows and cuts are
    wanted, and only a run too long to be recorded is left to the compiled engine."""

    game: Game[Any]
    player: int
    probing: bool = False
    recorded: bool = True


def on_engine(
    search: StarSearch, solver: str, answer: Solution, depth: int | None, before: int, run: StarRun
) -> StarSearch | None:
    """The search with the result of a run on the compiled engine, made from its beginning. None if the engine has no
    such kernel, if it does not suit the game, or if the run is short enough to be recorded.

    `before` nodes were spent before the run began. Raises LimitReached with the best so far.
    """
    game, most = run.game, search.budget.nodes
    left = None if most is None else most - before
    if game.traits.perfect_information is not True or (
        left is not None and run.recorded and left <= most_recorded(game)
    ):
        return None
    low, high = map(finite, search.limits(search.game.initial()))
    made = compiled_search(
        game,
        replace(STAR, name=solver),
        True,
        player=run.player,
        probing=run.probing,
        strictly=search.strictly,
        depth=depth,
        bounds=(low, high),
        one_sum=len(game.players) > 1 and search.watch.total is None,
        apart=game.traits.cyclic is not False,
    )
    if made is None:
        return None
    budget, by_twin = search.budget, search.budget.spent
    with giving_up(game), answering(lambda: _so_far(made, search, answer, before)):
        if run.recorded:
            run_slices(made, made.go_on(most_recorded(game) + 1), budget)
        if not (made.done and run.recorded):
            try:
                run_slices(made, made.go_on(left), budget)
            finally:
                budget.spent = before + made.nodes
            if not made.done:
                raise budget.out_of_nodes()
            _give(made, search)
            return search
    budget.spent = by_twin
    return None


def _give(made: Star, search: StarSearch) -> None:
    """Hand the results of a compiled run to the search, as if it had found them itself."""
    search.result = NodeResult(made.value, "exact", made.line)
    search.leaves, search.cut_off, search.chances = made.leaves, made.cut_off, made.chances
    search.bounded = made.chances if made.bounded else 0
    search.watch.total = made.total if search.watch.total is None else search.watch.total
    search.record.kept = False


def _so_far(made: Star, search: StarSearch, answer: Solution, before: int) -> Solution:
    """The best so far, when a limit stopped the run."""
    answer = replace(answer, nodes=before + made.nodes, leaves=made.leaves)
    line = made.line
    if not line or made.value is None:
        return answer
    return best_so_far(answer, made.root_progress, vector_of(search, made.value), line)

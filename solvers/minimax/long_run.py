"""Alpha-beta on the compiled engine, for runs that nobody reads node by node.

1. The textbook's run, the same nodes as `gdl.solvers.minimax.alpha_beta` visits, far faster: it tells soon whether the
   run is short enough to be recorded, and then is left to that.
2. A longer one gives way to a search that answers the same question with far fewer nodes: principal variation search
   with a transposition table (gdl/compiler/kernels/principal_variation.py). It proves all best actions. Its answer has
   the nodes and leaves of the textbook's run where that was soon done, and otherwise none.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gdl.compiler.search_kinds import ALPHA_BETA, DEPTH_LIMITED
from gdl.errors import LimitReached, Refusal
from gdl.errors.shares import FOLDING_SECONDS
from gdl.game import Action, Decision, Game, Terminal
from gdl.solution import RecordedSearch, Solution
from gdl.solvers.budget import Budget, answering, secured_bounds
from gdl.solvers.certificate import UNTIED
from gdl.solvers.engine_stages import compiled_search, giving_up, memory_limit, run_slices
from gdl.solvers.minimax.windows import best_so_far, constant_sum_vector
from gdl.solvers.record import most_recorded

if TYPE_CHECKING:
    from gdl.compiler.searches.principal_variation import PrincipalVariation, PvAnswer
    from gdl.compiler.searches.star_driver import Star

COUNTED = 100_000  # nodes up to which the textbook's run is followed, to count them
UNLISTED = "no strategies are listed: the game is too large for that"
UNENDED = "the line stops where the search remembered no more of it"
ON_TO_QUIET = " and on to quiet positions"
SELECTIVELY = ", and less deep where EVAL or the order of the actions gives little hope"
HOPED, HOPELESS = 200_000, 0.0001  # positions after which a proof is given up if less than this share of it is done
UNFINISHED = "the last depth was not finished: this is the best of what was looked at"
PASTLESS = "positions were told apart by what is there now, not by what came before"


def long_run(game: Game[Any], answer: Solution, depth: int | None, budget: Budget, threads: int = 1) -> Solution | None:
    """The answer of the compiled engine for a run too long to be recorded; None where the run is short enough, or the
    engine does not suit the game. The `rule` of `answer` says how cuts are made. Raises LimitReached with the best so
    far."""
    assert answer.rule is not None
    run = compiled_search(game, ALPHA_BETA, True, strictly=answer.rule.cut == "gt", depth=depth)
    recorded = most_recorded(game)
    if run is None or (budget.nodes is not None and budget.nodes <= recorded):
        return None
    with giving_up(game):
        with answering(lambda: _partial_answer(run, answer, depth)):
            run_slices(run, run.go_on(COUNTED if budget.nodes is None else recorded + 1), budget)
        if not run.done:
            return _search_with_table(game, run, answer, depth, budget, threads)
        if run.nodes > recorded:
            return replace(
                _search_with_table(game, run, answer, depth, budget, threads), nodes=run.nodes, leaves=run.leaves
            )
    return None


def _partial_answer(run: Star, answer: Solution, depth: int | None) -> Solution:
    """The best answer so far of a run of the textbook's alpha-beta."""
    answer = replace(answer, nodes=run.nodes, leaves=run.leaves)
    if run.value is None:
        return answer
    start, value = run.game.node(run.state), constant_sum_vector(run.game, 0, run.value, run.total)
    proven = secured_bounds(answer, start.player, value) if depth is None and isinstance(start, Decision) else None
    return best_so_far(answer, run.root_progress, value, run.line, proven)


def _search_with_table(
    game: Game[Any], run: Star, answer: Solution, depth: int | None, budget: Budget, threads: int
) -> Solution:
    """The answer of the search with a table."""
    nodes = None if budget.nodes is None else budget.nodes - run.nodes
    search = run.with_table(nodes, forgets=depth is not None, memory=memory_limit(game), threads=threads)
    slices = search.solve(lambda: budget.has(FOLDING_SECONDS)) if depth is None else search.deepen(depth)
    with answering(
        lambda: table_search_answer(search, answer) if search.answer else _partial_answer(run, answer, depth)
    ):
        run_slices(search, slices, budget)
        if search.is_out_of_nodes:
            raise budget.out_of_nodes()
    return table_search_answer(search, answer)


def provable(game: Game[Any]) -> bool:
    """True if the search with a table suits the game, and is fast."""
    traits = game.traits
    suits = (
        traits.has_scalar_value
        and not (traits.chance or traits.simultaneous or traits.cyclic)
        and traits.unknowns is False
    )
    return bool(suits and traits.perfect_information is True and game.engine.fast)


def prove_with_table(game: Game[Any], budget: Budget, threads: int = 1, to_play: bool = False) -> Solution | None:
    """The exact answer of the search with a table, if it is found within the nodes and seconds; else None. With
    `to_play` one best action is enough, and the search gives up where it would take far longer than hoped."""
    if not provable(game):
        return None
    search = None
    with suppress(Refusal, LimitReached):  # who chose the engine did not choose this search
        search = compiled_search(
            game, DEPTH_LIMITED, True, nodes=budget.nodes, memory=memory_limit(game), threads=threads
        )  # it need not have a limit
        if search is not None:
            slices = search.solve(lambda: budget.has(FOLDING_SECONDS))
            run_slices(search, _as_hoped(search, slices) if to_play else slices, budget)
    if search is None or search.answer is None:
        return None
    return table_search_answer(search, Solution(game.name, "alpha-beta", game.players, game.traits))


def _as_hoped(search: PrincipalVariation, slices: Generator[None, None, None]) -> Iterator[None]:
    """The slices of the search until it has an answer (other actions may tie with its action), or hardly any hope of
    one."""
    with closing(slices):
        for _ in slices:
            yield
            if search.answer is not None or search.is_hopeless(HOPED, HOPELESS):
                return


def table_search_answer(search: PrincipalVariation, answer: Solution) -> Solution:
    """The answer of a search with a table so far."""
    found = search.answer
    answer = answer.with_part(RecordedSearch, rule=None)
    how = f"{search.nodes:,} positions were made by principal variation search with a transposition table"
    if search.threads > 1:
        how += f", by {search.threads} threads"
    if search.symmetries > 1:
        how += f", up to {search.symmetries} symmetries of the game"
    if found is None:
        return replace(answer, notes=(how,))
    estimated = None if found.proved else f"cut off at depth {found.depth}: what lies deeper was only estimated"
    further = (ON_TO_QUIET if search.quiescent else "") + (SELECTIVELY if search.selective else "")
    depth = () if found.depth is None else (f"searched to depth {found.depth}{further}",)
    answer = replace(
        answer,
        exact=found.proved,
        value=constant_sum_vector(search.game, 0, found.value, search.total),
        best=found.best,
        line=found.line,
        depth=found.depth,
        notes=(*depth, how),
        limit=estimated,
    )
    listed = (UNLISTED,) if answer.exact else ()
    return _with_notes(replace(answer, notes=(*answer.notes, *listed)), search, found)


def _with_notes(answer: Solution, search: PrincipalVariation, found: PvAnswer) -> Solution:
    """The answer with notes on what its proof leaves open."""
    notes = [] if found.ties else [UNTIED]
    notes += [] if not answer.exact or _ends(search.game, search.state, answer.line) else [UNENDED]
    notes += [UNFINISHED] if found.unfinished else []
    notes += [PASTLESS] if search.forgets and not answer.exact else []
    return replace(answer, notes=(*answer.notes, *notes))


def _ends(game: Game[Any], state: Any, line: Iterable[Action]) -> bool:
    """True if play is over after the line."""
    for action in line:
        state = game.successor(state, action)
    return isinstance(game.node(state), Terminal)

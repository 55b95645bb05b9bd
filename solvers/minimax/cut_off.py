"""H-MINIMAX with iterative deepening: minimax cut off at a depth, where EVAL(s) stands for what lies below.

1. For depth 1, 2, 3, …: cut the game off after so many plies (CUTOFF-TEST), and take EVAL(s) there.
2. Solve that game by backward induction: MAX and MIN, chance nodes, any number of players. Equal states with equally
   many plies left are visited once (the lectures' closed set, a transposition table).
3. With two players (or one), zero sum and no chance, a file may say what quiet play is: then play that is not quiet is
   followed past the depth (solvers/horizon.py).
4. Stop at the depth asked for, or when nothing was cut off: then the answer is exact. When nodes or seconds are
   spent, the deepest finished search is the answer.

Long searches are made on the compiled engine. With two players, zero sum and no chance, alpha-beta with a table of
transpositions finds the same values there (gdl/compiler/kernels/principal_variation.py); all other games are searched
just as here (gdl/compiler/kernels/vectors.py), and with chance and two opponents then by star2 with a table of
transpositions, which finds the same values too (gdl/compiler/kernels/star.py).

A deepening search whose limit of time is flexible ends: the longer its best action has been the same, the
sooner.

Where the best action changes from depth to depth it may change again, and the whole time is spent; each depth that
keeps it leaves less to be found. So of a clock for a whole game more is left for the moves that need it.

Sources: Shannon, Programming a computer for playing chess, 1950; Russell and Norvig, Artificial Intelligence, section
5.4; iterative deepening: Slate and Atkin, CHESS 4.5, 1977; Korf, Depth-first iterative-deepening, Artificial
Intelligence 27, 1985; time: Hyatt, Using time wisely, ICCA Journal 7, 1984.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from gdl.compiler import search_kinds
from gdl.errors import GameError, LimitReached, Refusal, clean
from gdl.errors.deadline import CLOCK, Deadline
from gdl.game import Game, surely_at
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, DepthProgress, SearchLimits, answering
from gdl.solvers.engine_stages import (
    check_threads,
    compiled_search,
    giving_up,
    memory_limit,
    run_slices,
    run_stages,
    unless_long,
)
from gdl.solvers.horizon import Horizon, NoEvaluation, Quiescence, check_depth, for_windows, goes_on
from gdl.solvers.minimax.backward_induction import backward_induction, horizon_answer
from gdl.solvers.minimax.long_run import ON_TO_QUIET, table_search_answer
from gdl.solvers.minimax.vectors import InductionValues, values_above
from gdl.solvers.minimax.windows import constant_sum_vector
from gdl.solvers.needs import ALL_SEEN, Watch
from gdl.solvers.solver import Solver

if TYPE_CHECKING:
    from gdl.compiler.searches.principal_variation import PrincipalVariation
    from gdl.compiler.searches.star_driver import Star
    from gdl.compiler.searches.vectors_driver import Vectors

BEGUN = 300  # nodes visited before the compiled engine is asked
BEGUN_SECONDS = 0.2  # seconds before it is asked, where its answer is the same to the node
COMPILED = 1_000_000  # positions of a search on the compiled engine without a depth or limits
FOLLOWED, FAR_MORE = 2_000, 2  # nodes after which star2 is tried with chance, and how many times as many it may take
ROOM = 1 << 28  # bytes of its table
NODES = 30_000  # nodes of such a search in Python
SHARES = (1.0, 0.75, 0.5, 0.35)  # of the time, by how many depths after one another have kept the best action


class FlexibleDeadline(Deadline):
    """A limit of time that need not be spent, for it is taken from a clock for many searches."""


def until_decided(
    search: PrincipalVariation, slices: Generator[None, None, None], budget: Budget
) -> Generator[None, None, None]:
    """The slices of a search on the compiled engine; with a flexible clock, only as many as the search is worth."""
    time = budget.time
    if not isinstance(time, FlexibleDeadline):
        yield from slices
        return
    kept, depth, best = 0, None, None
    with closing(slices):
        for _ in slices:
            yield
            found = search.answer
            if found is not None and found.depth != depth:
                kept = min(kept + 1, len(SHARES) - 1) if found.best[0] == best else 0
                depth, best = found.depth, found.best[0]
            if time - (time.end - CLOCK.now()) >= SHARES[kept] * time:
                return


def depth_limited(
    game: Game[Any],
    limits: SearchLimits = NO_LIMITS,
    *,
    depth: int | None = None,
    threads: int = 1,
    selective: bool = False,
) -> Solution:
    """The value and best actions as far as the search sees, with EVAL where it is cut off.

    `depth` plies are the work asked for. `nodes` and `time` are limits: LimitReached brings the deepest finished
    search. With none of the three the search stops by itself, at NODES nodes or COMPILED positions. `threads` share the
    work of alpha-beta: the value is the same, but where a limit stops it depends on the machine. With `selective`,
    where the file says what quiet play is, alpha-beta leaves out what is not likely to matter, or looks less deep.
    Without a depth a better evaluation than the file's is used where there is one.
    """
    check_threads(DEPTH_LIMITED.name, threads)
    if depth is None:
        from gdl.compiler.better_evaluation import with_evaluation

        game = with_evaluation(game) or game
    if selective and not goes_on(game):
        raise Refusal(f"a selective search needs `quiet:` in `evaluate`, which {clean(game.name)} does not have")
    own_limit = depth is None and not limits.is_set
    budget = limits.budget(NODES if own_limit else None)
    same = game.traits.chance is not False or not for_windows(game)
    begun = _Deepening(game, Budget(BEGUN, BEGUN_SECONDS if same else None, limits.progress))

    def search_small() -> Solution:
        with answering(lambda: begun.answer):
            begun.run(depth)
            return begun.answer

    return run_stages(
        game,
        lambda: unless_long(search_small) if limits.time is None and budget.allows_more_than(BEGUN) else None,
        lambda: _windows(game, depth, budget, own_limit, threads, selective),
        lambda: _vectors(game, depth, budget, own_limit),
        whole=lambda: _run_deepening(_Deepening(game, budget), depth, own_limit),
    )


def _no_answer_yet(game: Game[Any]) -> Solution:
    """An answer that is to be filled in; it says by what positions are estimated if the file does not."""
    return replace(DEPTH_LIMITED.answer(game, exact=False), reason=game.promises.estimated_by)


def _run_deepening(deepening: _Deepening, depth: int | None, own_limit: bool) -> Solution:
    """The answer of deepening in Python. At a limit: raise LimitReached with the answer so far; but if the limit is the
    search's own (`own_limit`), return it."""
    try:
        with answering(lambda: deepening.answer):
            deepening.run(depth)
    except LimitReached as stop:
        if deepening.answer.value is None and deepening.fault is not None:
            raise deepening.fault from None  # no search was finished, as the file has no evaluation
        if not own_limit:
            raise
        assert isinstance(stop.partial, Solution)
        return stop.partial
    return deepening.answer


def _windows(
    game: Game[Any],
    depth: int | None,
    budget: Budget,
    own_limit: bool,
    threads: int,
    selective: bool,
) -> Solution | None:
    """The answer of alpha-beta on the compiled engine; None where the game has no such kernel, or the kernel does not
    suit it."""
    check_depth(depth)
    answer = _no_answer_yet(game)
    if not for_windows(game):
        return None
    search = None
    with suppress(Refusal) if game.traits.chance is None else nullcontext():  # if it has chance, max^n may still do
        search = _alpha_beta(game, _node_limit(game, budget, own_limit), threads, selective)
    if search is None or not search.game.model.has_mirrored_evaluation:
        return None
    unsuited = giving_up(game) if goes_on(game) else suppress(Refusal)  # else max^n may still do
    budget.begins_now()
    try:
        with unsuited, answering(lambda: _compiled_answer(search, answer)):
            slices = _telling_depths(search, search.deepen(depth), answer, budget)
            run_slices(search, until_decided(search, slices, budget), budget)
            if search.is_out_of_nodes and not own_limit:
                raise budget.out_of_nodes()
            return _compiled_answer(search, answer)
    except GameError:
        if not search.selective:
            raise  # else it may lie where no play leads, after a pass
        return _windows(game, depth, budget, own_limit, threads, selective=False)
    return None


def _telling_depths(
    search: PrincipalVariation, slices: Generator[None, None, None], answer: Solution, budget: Budget
) -> Generator[None, None, None]:
    """The slices of a search; whoever watches its progress by depths is told after each slice that has ended one."""
    told = None
    with closing(slices):
        for _ in slices:
            yield
            if isinstance(budget.progress, DepthProgress) and search.answer is not told:
                told = search.answer
                budget.progress.deeper(lambda: replace(table_search_answer(search, answer), nodes=search.nodes))


def _alpha_beta(game: Game[Any], nodes: int | None, threads: int, selective: bool) -> PrincipalVariation | None:
    """The search by alpha-beta on the compiled engine; None where the game has none. One that differs in the number of
    nodes alone is not compiled anew."""
    search = compiled_search(
        game, search_kinds.DEPTH_LIMITED, True, forgets=True,
        quiescent=goes_on(game), memory=memory_limit(game), threads=threads, selective=selective,
    )  # fmt: skip
    if search is not None:
        search.most = nodes
        search.stop_after(nodes)
    return search


def _compiled_answer(search: PrincipalVariation, answer: Solution) -> Solution:
    """The given answer, filled in from a search on the compiled engine as far as it has come, also at a depth that is
    not finished."""
    search.take_unfinished()
    return replace(table_search_answer(search, answer), nodes=search.nodes)


def _node_limit(game: Game[Any], budget: Budget, own_limit: bool) -> int | None:
    """The number of nodes that a search on the compiled engine may visit; None: no limit."""
    return COMPILED if own_limit and game.engine.fast else budget.nodes


def _vectors(game: Game[Any], depth: int | None, budget: Budget, own_limit: bool) -> Solution | None:
    """The answer of the same search as in this file, with the same nodes, made on the compiled engine. None where the
    game has no such kernel, or the kernel does not suit it."""
    if game.traits.perfect_information is not True or goes_on(game):
        return None
    own = budget.part(_node_limit(game, budget, own_limit), 1.0)
    search = compiled_search(game, search_kinds.VECTORS, budget.allows_more_than(BEGUN), nodes=own.nodes)
    if search is None:
        return None
    own.begins_now()
    with giving_up(game):
        return _run_deepening(_CompiledDeepening(game, own, search, own_limit or own.nodes is None), depth, own_limit)
    return None


class _Deepening:
    """Searches deeper and deeper; `answer` is the answer of the deepest finished search."""

    def __init__(self, game: Game[Any], budget: Budget):
        self.game = game
        self.budget = budget
        self.answer = _no_answer_yet(game)
        self.fault: NoEvaluation | None = None  # of the last search that met a node without EVAL

    def run(self, last: int | None) -> None:
        """Search to depth `last` (None: without end), or until nothing is cut off. A depth whose search met a node
        without EVAL is passed over, unless it is the last."""
        check_depth(last)
        for depth in count(1) if last is None else range(1, last + 1):
            horizon = Quiescence(self.game, depth) if goes_on(self.game) else Horizon(self.game, depth)
            try:
                self.answer = self._search_horizon(horizon)
            except NoEvaluation as fault:
                self.fault = fault
                if depth == last:
                    raise
                continue
            self.fault = None
            if self.answer.exact:
                return

    def _search_horizon(self, horizon: Horizon) -> Solution:
        """The answer of one search to one depth."""
        watch = Watch(DEPTH_LIMITED.name, {**DEPTH_LIMITED.needs, "cyclic": False}, horizon)
        found = backward_induction(horizon, watch=watch, budget=self.budget)
        return self._answer(horizon, found)

    def _answer(self, horizon: Horizon, found: InductionValues) -> Solution:
        """The answer of a search to the horizon that found these values."""
        reached = f"searched to depth {horizon.depth}" + (ON_TO_QUIET if isinstance(horizon, Quiescence) else "")
        notes = (f"{reached}; {self.budget.spent:,} nodes in all, shallower searches included",)
        return replace(horizon_answer(self.answer, horizon, found), depth=horizon.depth, notes=notes)


class _CompiledDeepening(_Deepening):
    """Iterative deepening on the compiled engine: of all vectors, and in a game of two opponents with chance by star2
    with a table, once that has come as far with no more nodes."""

    def __init__(self, game: Game[Any], budget: Budget, search: Vectors, may_skip: bool):
        """`may_skip`: whether nodes may be left out, which are not those of the reference implementation then."""
        super().__init__(game, budget)
        self.search = search
        self.windows: Star | None = None
        traits = game.traits
        two = bool(traits.chance) and traits.players == 2 and traits.constant_sum == 0
        self.undecided = may_skip and two and search.game.model.has_mirrored_evaluation

    def _search_horizon(self, horizon: Horizon) -> Solution:
        if self.windows is not None:
            with suppress(Refusal):
                return self._search_windows(self.windows, horizon)
            self.windows = None
        search = self.search
        run_slices(search, search.search(horizon.depth), self.budget)
        if search.is_out_of_nodes:
            raise self.budget.out_of_nodes()
        self.budget.spent = search.nodes
        answer = self._answer(horizon, values_above(search))
        if self.undecided and search.nodes > FOLLOWED and not answer.exact:
            self.undecided = False
            with suppress(Refusal):
                self._compare(horizon.depth)
        return answer

    def _compare(self, depth: int) -> None:
        """Search by windows as deep as the vectors were; go on by them unless that takes far more nodes."""
        game, search = self.game, self.search
        windows = compiled_search(
            game, search_kinds.WINDOWS, True, probing=True, depth=1, apart=False,
            bounds=surely_at(game, game.initial())[0], room=min(ROOM, memory_limit(game) or ROOM),
        )  # fmt: skip
        if windows is None:
            return
        for shallower in range(1, depth + 1):
            run_slices(windows, windows.search(shallower, FAR_MORE * search.nodes), self.budget)
            if not windows.done:
                return
        self.windows = windows

    def _search_windows(self, windows: Star, horizon: Horizon) -> Solution:
        """The answer of star2 to one depth."""
        depth, budget, before = horizon.depth, self.budget, windows.nodes
        run_slices(windows, windows.search(depth, budget.nodes and budget.nodes - self.search.nodes), budget)
        budget.spent = self.search.nodes + windows.nodes
        if not windows.done:
            raise budget.out_of_nodes()
        assert windows.value is not None
        return replace(
            self.answer,
            exact=not windows.is_estimate,
            value=constant_sum_vector(self.game, 0, windows.value, 0),
            best=windows.best,
            line=windows.line,
            nodes=windows.nodes - before,
            leaves=windows.leaves,
            depth=depth,
            limit=f"cut off at depth {depth}: what lies deeper was only estimated" if windows.is_estimate else None,
            notes=(
                f"searched to depth {depth} by star2 with a transposition table; {budget.spent:,} nodes in all, "
                "shallower searches included",
            ),
        )


DEPTH_LIMITED = Solver(
    name="depth-limited",
    run=depth_limited,
    needs=ALL_SEEN,
    summary="minimax cut off at a depth, with the file's evaluation there, deeper and deeper",
    estimates=True,
)

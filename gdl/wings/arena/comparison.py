"""Solvers side by side: each on each game, with what it found, how many nodes, how long and how much memory it took.

Each run has the same limits and a process of its own, with a copy of the game there, so that the order of the solvers
changes nothing. What is done before the search is told apart: the traits of the game, its rules lowered, and machine
code made. Runs are repeated, one round after the other, and the run of the median time stands for all. The answer of a
user's own search is judged (`gdl/solvers/own_search.py`), and the time of the judging is not counted. Memory is the
peak of the process above what it held before the search, as Linux tells.
"""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, wraps
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

from gdl.compiler.compiled_engine import offer, playing_engine
from gdl.errors import GameError, LimitReached, Refusal
from gdl.formats.files import write
from gdl.game import Game, Holder
from gdl.playing import loading
from gdl.playing.loading import Given
from gdl.solution import Solution
from gdl.solvers import own_row, solve
from gdl.solvers.solver import Solver
from gdl.states import count
from gdl.wings.arena.answers import CompareAnswer, ComparedRun
from gdl.wings.arena.comparison_formats import WRITERS, comparison_html, comparison_text
from gdl.wings.arena.measuring import count_making, in_fresh_process, this_machine

TREE_COUNTED = 20_000  # positions, up to which the nodes of the tree are counted as well
SECONDS = 10.0  # of a run, unless a limit is given
REPEATS = 3  # runs of each solver on each game, unless a number is given

Search = str | Callable[..., Any] | tuple[str | Callable[..., Any], dict[str, Any]]


@dataclass(frozen=True)
class Comparison:
    """The runs of a comparison; printed, it is a table."""

    runs: tuple[ComparedRun, ...]

    @property
    def answer(self) -> CompareAnswer:
        """The runs and the machine, as `--json` prints them."""
        return CompareAnswer(this_machine(), self.runs)

    def __str__(self) -> str:
        return comparison_text(self.answer)

    def _repr_html_(self) -> str:
        return comparison_html(self.answer)

    def save(self, file: str | Path) -> None:
        """Write the table to a file.

        Args:
            file: its path; the format follows from the ending: .csv, .tex, .html, .txt or .json.

        Raises:
            Refusal: the file has another ending.
        """
        ending = Path(file).suffix
        if ending not in WRITERS:
            raise Refusal(f"'{file}' has no ending of a known format: let it end in {', '.join(WRITERS)}")
        write(file, WRITERS[ending](self.answer))


def compare(
    games: Given | Sequence[Given],
    solvers: Search | Sequence[Search],
    *,
    time: float | None = SECONDS,
    nodes: int | None = None,
    repeats: int = REPEATS,
) -> Comparison:
    """Run several solvers on several games, one after the other, each in a process of its own.

    Args:
        games: a game, or a list of games; each is a Game, what `gdl.loads` returns, or what `gdl.load` takes as `path`.
        solvers: a solver, or a list of solvers; each is its name, a function of your own (see `gdl.solve`), or a pair
            of either and a dict of options.
        time: the seconds that each run may take; None: no limit.
        nodes: how many nodes each run may look at; None: no limit.
        repeats: how many runs each solver makes on each game. One that its time ended is not repeated.

    Returns:
        A table with a row for each solver and game: value, best action, nodes, the median of the seconds, memory. `str`
        prints it, `save` writes it.

    Raises:
        GameError: a game cannot be loaded.

    Example:
        >>> import gdl
        >>> table = gdl.compare("figure_5_2", ["minimax", "alpha-beta"])
        >>> [(run.solver, run.nodes) for run in table.runs]
        [('minimax', 13), ('alpha-beta', 11)]
    """
    listed = [games] if isinstance(games, str | Holder) or not isinstance(games, Sequence) else games
    searches = [solvers] if isinstance(solvers, str) or callable(solvers) else [*solvers]
    limits = {"time": time, "nodes": nodes}
    *_, found = [(), *runs([*map(loading.game_of, listed)], searches, limits, repeats)]
    return Comparison(found)


def runs(
    games: Sequence[Game[Any]], solvers: Sequence[Search], limits: dict[str, Any], repeats: int
) -> Iterator[tuple[ComparedRun, ...]]:
    """Run each solver on each game, round by round, and yield after each run the table so far. `limits` are options of
    all solvers."""
    pairs = [(game, search if isinstance(search, tuple) else (search, {})) for game in games for search in solvers]
    found: dict[int, list[ComparedRun]] = {}
    for place in [*range(len(pairs))] * repeats:
        game, (solver, options) = pairs[place]
        given, name, before = {**limits, **options}, _label(solver, options), found.setdefault(place, [])
        if before and (not _has_answer(before[0]) or before[0].seconds >= (given["time"] or inf)):
            continue  # another run would say no more
        try:
            before.append(in_fresh_process(partial(_run, game, solver, given, name)))
        except (LimitReached, Refusal) as died:
            before.append(ComparedRun(game.name, name, None, None, False, None, 0.0, None, None, str(died)))
        yield tuple(median_run(made) for made in found.values() if made)


def _has_answer(run: ComparedRun) -> bool:
    return run.value is not None or run.best is not None


def median_run(made: Sequence[ComparedRun]) -> ComparedRun:
    """The run of the median time, with the least and the most time of all."""
    ordered = sorted(made, key=lambda run: run.seconds)
    spread = (ordered[0].seconds, ordered[-1].seconds)
    return ordered[(len(made) - 1) // 2].copy_with(repeats=len(made), spread=spread)


def _fresh_copy(game: Game[Any]) -> Game[Any]:
    """A copy of the game without what earlier runs have kept; the game itself where it cannot be copied."""
    try:
        copy: Game[Any] = pickle.loads(pickle.dumps(game))
    except (AttributeError, TypeError, pickle.PicklingError):
        return game
    return copy


def _label(solver: str | Callable[..., Any], options: dict[str, Any]) -> str:
    """The name of a solver with its options, as the command line writes them: `mcts:simulations=100`."""
    row = own_row(solver)
    name = str(solver) if row is None else row.name
    words = ",".join(f"{option}={value}" for option, value in options.items())
    return f"{name}{',' if ':' in name else ':'}{words}" if words else name


def _run(game: Game[Any], solver: str | Callable[..., Any], options: dict[str, Any], name: str) -> ComparedRun:
    """Run a solver once on a copy of the game, in this process."""
    over: list[float] = []  # when a user's own search was over, before its answer was judged
    making: list[float] = []
    begun = perf_counter()
    row, own = own_row(solver), offer(_fresh_copy(game), "auto")
    _ = own.traits, playing_engine(own)
    count_making(making)
    gc.collect()
    before, started = _reset_peak(), perf_counter()
    try:
        work: Any = solver if row is None else _timed_row(row, over)
        found: Any = solve(own, work, **options)
        why = "" if found.exact else found.limit or ""
    except LimitReached as stop:
        found, why = stop.partial, str(stop)
    except (Refusal, GameError) as refusal:
        found, why = None, str(refusal).splitlines()[0]
    seconds = (over or [perf_counter()])[0] - started - sum(making)
    ready = started - begun + sum(making)
    memory = None if before is None else max(0, _status_bytes("VmHWM") - before)
    if not isinstance(found, Solution):
        return ComparedRun(game.name, name, None, None, False, None, seconds, ready, memory, why or None)
    judgement = found.notes[-1] if over and found.notes else _tree_note(game, name, found)
    value = None if found.value is None else dict(zip(found.players, found.value, strict=True))
    note = "; ".join(filter(None, (judgement, why)))
    return ComparedRun(
        game.name, name, value, next(iter(found.best), None), found.exact, found.nodes, seconds, ready, memory,
        note or None,
    )  # fmt: skip


def _tree_note(game: Game[Any], name: str, found: Solution) -> str:
    """The note on the nodes of alpha-beta: how many the tree has, where equal positions come again in it; or that
    another search did the work. "" for other searches, and for games that are too large to count."""
    if name.partition(":")[0] != "alpha-beta":
        return ""
    if found.nodes is None:
        return next((note for note in found.notes if "positions" in note), "")
    with suppress(LimitReached, GameError, Refusal):
        positions = count.states(game, TREE_COUNTED).states
        if (nodes := count.histories(game, TREE_COUNTED).histories) > positions:
            return (
                f"it walks the tree of {nodes:,} nodes, in which the {positions:,} positions come again; minimax and "
                "others look at each position once"
            )
    return ""


def _timed_row(row: Solver, over: list[float]) -> Solver:
    """A copy of a solver's row whose `run` appends the time of its end to `over`."""

    @wraps(row.run)
    def run(*given: Any, **options: Any) -> Solution:
        try:
            return row.run(*given, **options)
        finally:
            over.append(perf_counter())

    return replace(row, run=run)


def _reset_peak() -> int | None:
    """Reset the peak of the process's memory. Returns the bytes that it holds now, or None if the system does not
    say."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        return _status_bytes("VmRSS")
    except OSError:
        return None


def _status_bytes(what: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(what))

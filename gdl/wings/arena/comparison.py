"""Solvers side by side: each on each game, with what it found, how many nodes, how long and how much memory it took.

Each run has the same limits, and a copy of the game of its own, so that none profits from what one before it has kept;
only what Python has imported stays. The answer of a user's own search is judged (`gdl/solvers/own_search.py`), and the
time of the judging is not counted. Memory is the peak of the process above what it held before the run, as Linux tells.
"""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from time import perf_counter
from typing import Any

from gdl.compiler.compiled_engine import offer
from gdl.errors import GameError, LimitReached, Refusal
from gdl.formats.files import write
from gdl.game import Game, Holder
from gdl.playing import loading
from gdl.playing.loading import Given
from gdl.solution import Solution
from gdl.solvers import own_row, solve
from gdl.solvers.solver import Solver
from gdl.states import count
from gdl.wings.arena.answers import ComparedRun
from gdl.wings.arena.comparison_formats import WRITERS, comparison_html, comparison_text

TREE_COUNTED = 20_000  # positions, up to which the nodes of the tree are counted as well
SECONDS = 10.0  # of a run, unless a limit is given

Search = str | Callable[..., Any] | tuple[str | Callable[..., Any], dict[str, Any]]


@dataclass(frozen=True)
class Comparison:
    """The runs of a comparison; printed, it is a table."""

    runs: tuple[ComparedRun, ...]

    def __str__(self) -> str:
        return comparison_text(self.runs)

    def _repr_html_(self) -> str:
        return comparison_html(self.runs)

    def save(self, file: str | Path) -> None:
        """Write the table or the chart to a file.

        Args:
            file: its path; the format follows from the ending: .csv, .tex, .svg, .html or .txt.

        Raises:
            Refusal: the file has another ending.
        """
        ending = Path(file).suffix
        if ending not in WRITERS:
            raise Refusal(f"'{file}' has no ending of a known format: let it end in {', '.join(WRITERS)}")
        write(file, WRITERS[ending](self.runs))


def compare(
    games: Given | Sequence[Given],
    solvers: Search | Sequence[Search],
    *,
    time: float | None = SECONDS,
    nodes: int | None = None,
) -> Comparison:
    """Run several solvers on several games, one after the other.

    Args:
        games: a game, or a list of games; each is a Game, what `gdl.loads` returns, or what `gdl.load` takes as `path`.
        solvers: a solver, or a list of solvers; each is its name, a function of your own (see `gdl.solve`), or a pair
            of either and a dict of options.
        time: the seconds that each run may take; None: no limit.
        nodes: how many nodes each run may look at; None: no limit.

    Returns:
        A table with a row for each run: value, best action, nodes, seconds, memory. `str` prints it, `save` writes it.

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
    return Comparison(tuple(runs(map(loading.game_of, listed), searches, {"time": time, "nodes": nodes})))


def runs(games: Iterable[Game[Any]], solvers: Sequence[Search], limits: dict[str, Any]) -> Iterator[ComparedRun]:
    """Run each solver on each game, and yield each run when it is over. `limits` are options of all solvers."""
    for game in games:
        for search in solvers:
            solver, options = search if isinstance(search, tuple) else (search, {})
            own = _fresh_copy(game)
            _ = own.traits  # computed here, so that no solver's time includes it
            yield _run(own, solver, {**limits, **options}, _label(solver, options))


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

    over: list[float] = []  # when a user's own search was over, before its answer was judged
    gc.collect()
    before, begun = _reset_peak(), perf_counter()
    try:
        row = own_row(solver)
        work: Any = solver if row is None else _timed_row(row, over)
        found: Any = solve(offer(game, "auto"), work, **options)
        why = "" if found.exact else found.limit or ""
    except LimitReached as stop:
        found, why = stop.partial, str(stop)
    except (Refusal, GameError) as refusal:
        found, why = None, str(refusal).splitlines()[0]
    seconds = (over or [perf_counter()])[0] - begun
    memory = None if before is None else max(0, _status_bytes("VmHWM") - before)
    if not isinstance(found, Solution):
        return ComparedRun(game.name, name, None, None, False, None, seconds, memory, why or None)
    judgement = found.notes[-1] if over and found.notes else _tree_note(game, name, found)
    value = None if found.value is None else dict(zip(found.players, found.value, strict=True))
    note = "; ".join(filter(None, (judgement, why)))
    return ComparedRun(
        game.name, name, value, next(iter(found.best), None), found.exact, found.nodes, seconds, memory, note or None
    )


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

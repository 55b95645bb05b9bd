"""Tables of solved games, written and used by gdl solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Any

from gdl.commands import engines, telling
from gdl.commands.limiting import Limits, free
from gdl.commands.workers import Staff, asked_again
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.search_kinds import RETROGRADE
from gdl.errors import Refusal, clean
from gdl.formats import files
from gdl.game import Game
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import State
from gdl.playing.asked_game import Asking
from gdl.playing.solved_tables import ProbingGame, holds, open_table
from gdl.solution import Solution
from gdl.symmetry import Symmetry

# gdl solve --table by several workers: each does pieces of retrograde analysis, and the same table comes out.

JOURNAL = "journal"  # the file that has what was done


def solve_with_workers(
    game: Game[Any], by: Asking, folder: Path, maximiser: int, limits: Limits, symmetry: bool, staff: Staff,
    starts: Sequence[State],
) -> Solution:  # fmt: skip
    """Solve a game with workers, and write its table into the folder; the table also holds all positions that follow
    from the further `starts`. Results of pieces are kept in a folder inside until the work is done, so that the same
    command can continue it."""
    from gdl.compiler.searches.shared_table import SharedTable
    from gdl.solvers import solve
    from gdl.solvers.cluster.journal import journal
    from gdl.solvers.cluster.pieces import Job

    whole, start = by_rules(game)
    back_end = game.engine.engine  # type: ignore[attr-defined]
    shared = SharedTable(whole, start, back_end, folder, maximiser, limits.room(), symmetry, starts)
    shared.work.mkdir(parents=True, exist_ok=True)
    written = tuple(one.to_json() for one in shared.search.symmetries)
    job = Job(prepare, (by, back_end, maximiser, limits.memory, written, shared.work.resolve()))
    with (
        journal(shared.work / JOURNAL, shared.work_identity, "which makes a table there") as kept,
        staff.hire_workers() as workers,
        limits.enforce("states") as progress,
        kept.detect_contradictions(shared.work),
    ):
        shared.by_workers = lambda pieces: kept.results(workers, job, pieces)
        game.engine.keep(RETROGRADE, shared.search)
        solution = solve(game, "retrograde", progress=progress)
    rmtree(shared.work, ignore_errors=True)
    return solution


def tidy(folder: Path) -> None:
    """Remove the results of pieces from the folder, whose table is complete."""
    if (folder / "work" / JOURNAL).exists():
        rmtree(folder / "work", ignore_errors=True)


def prepare(about: tuple[Asking, str, int, int | None, tuple[Any, ...], Path]) -> Callable[[Any, Any], Any]:
    """The function with which a worker's process does the pieces."""
    from gdl.compiler.searches.owner import Owner

    by, engine, maximiser, memory, written, work = about
    symmetries = tuple(Symmetry.read(one) for one in written)
    return Owner(*by_rules(asked_again(by).game), engine, maximiser, memory, symmetries, work).do


def solve(
    game: Game[Any],
    folder: Path,
    engine: str,
    limits: Limits,
    symmetry: bool,
    staff: Staff,
    by: Asking,
    find: Callable[[Game[Any]], Solution],
    beginnings: Callable[[], Sequence[State]] | None = None,
) -> Solution:
    """The answer with a table. If the folder has no table, it is made: of the game or, with `beginnings`, of all that
    follows the positions that this function finds; `symmetry` keeps one position of those that are symmetric; workers
    help if `staff` has some. The answer is then the table's own, or, if the table does not hold the position, that of a
    search (`find`) that looks positions up in it."""
    if not holds(folder):
        first = None if beginnings is None else beginnings()
        with _alone(game, folder):
            if not holds(folder):

                def make(chosen: str) -> Solution:
                    if staff.should_split_work:
                        return _build_with_workers(game, folder, chosen, limits, symmetry, first, staff, by)
                    return _build_table(game, folder, chosen, limits, symmetry, first)

                made = engines.without_wasm(make, engine)
                if first is None:
                    return made
    looked = open_table(game, folder)
    if staff.should_split_work:
        tidy(folder)
    found = looked.solution()
    return found or find(ProbingGame(game, looked, free))


@contextmanager
def _alone(game: Game[Any], folder: Path) -> Iterator[None]:
    """Hold the lock of the folder within the block. Raises WrongCommand if the folder cannot be written."""
    try:
        with files.lock_folder(folder, f"which makes a table of {clean(game.name)}"):
            yield
    except BrokenPipeError:
        raise
    except OSError as error:
        why = f"the table cannot be written to {clean(str(folder))}: {error.strerror}; name a folder"
        raise telling.WrongCommand(why) from None


def _build_table(
    game: Game[Any], folder: Path, engine: str, limits: Limits, symmetry: bool, first: Sequence[State] | None
) -> Solution:
    """Solve by retrograde analysis on the compiled engine, and write the table; `first` are the positions to begin from
    in place of the game's start (None: the start)."""
    from gdl.compiler.searches import retrograde_tables
    from gdl.compiler.searches.checkpoints import RetrogradeCheckpoint
    from gdl.solvers import solve as solved

    price = game.promises.forever
    offered = engines.offer(Continuation(game, first[0]) if first else game, engine)
    starts = first[1:] if first else ()
    search = offered.engine.search(
        RETROGRADE, maximiser=_maximiser(game), memory=limits.room(), symmetry=symmetry, starts=starts
    )
    offered.engine.keep(RETROGRADE, search)
    search.checkpoint = RetrogradeCheckpoint(search, folder)
    with limits.enforce("states") as progress:
        solution = solved(offered, "retrograde", progress=progress)
        if search.price is None:  # solved in fractions, which a table does not hold
            for _ in search.analyse(price[search.maximiser] if price else 0):
                pass
    if search.endless and price is None:
        raise Refusal(f"a table of {clean(game.name)} needs to know what endless play is worth: say `forever -> draw`")
    retrograde_tables.write(search, folder)
    search.checkpoint.remove()
    _tell_where(folder, search.states)
    return solution


def _build_with_workers(
    game: Game[Any], folder: Path, engine: str, limits: Limits, symmetry: bool, first: Sequence[State] | None,
    staff: Staff, by: Asking,
) -> Solution:  # fmt: skip
    """Build the table with several workers."""
    offered = engines.offer(Continuation(game, first[0]) if first else game, engine)
    starts = first[1:] if first else ()
    solution = solve_with_workers(offered, by, folder, _maximiser(game), limits, symmetry, staff, starts)
    _tell_where(folder, solution.states)
    return solution


def _tell_where(folder: Path, states: int | None) -> None:
    telling.remark(f"the table of {states or 0:,} positions is in {clean(str(folder))}")


def _maximiser(game: Game[Any]) -> int:
    """The index of the player whom solvers treat as MAX."""
    from gdl.solvers.minimax.windows import max_player

    return max_player(game)

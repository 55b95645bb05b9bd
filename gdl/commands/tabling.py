"""Tables of solved games, written and used by gdl solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gdl.commands import engines, telling
from gdl.commands.limiting import Limits, free
from gdl.commands.workers import Staff
from gdl.errors import Refusal, clean
from gdl.formats import files
from gdl.game import Game
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import State
from gdl.playing.asked_game import Asking
from gdl.playing.solved_tables import ProbingGame, holds, open_table
from gdl.solution import Solution


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
    """The answer with a table: where the folder holds one, its own or that of a search that probes it; else the table
    is made there, with `symmetry` of one position of those that are symmetric, by the workers that were asked for, or
    of all that follows the positions that `beginnings` finds, which a search then probes."""
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
        from gdl.commands import shared_tables

        shared_tables.tidy(folder)
    found = looked.solution()
    return found or find(ProbingGame(game, looked, free))


@contextmanager
def _alone(game: Game[Any], folder: Path) -> Iterator[None]:
    """In the block nobody else writes to the folder; where it cannot be written, another is to be named."""
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
    """Solve by retrograde analysis on the compiled engine, and keep all that it finds; `first`: from these positions
    on, in place of the game's start."""
    from gdl.compiler.searches import retrograde_tables
    from gdl.compiler.searches.checkpoints import RetrogradeCheckpoint
    from gdl.solvers import solve as solved

    price = game.promises.forever
    offered = engines.offer(Continuation(game, first[0]) if first else game, engine)
    more = {"starts": first[1:]} if first else {}
    search = offered.engine.search(
        "retrograde", maximiser=_maximiser(game), memory=limits.room(), symmetry=symmetry, **more
    )
    offered.engine.keep("retrograde", search)
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
    """The same by several workers."""
    from gdl.commands import shared_tables

    offered = engines.offer(Continuation(game, first[0]) if first else game, engine)
    starts = first[1:] if first else ()
    solution = shared_tables.solve_with_workers(offered, by, folder, _maximiser(game), limits, symmetry, staff, starts)
    _tell_where(folder, solution.states)
    return solution


def _tell_where(folder: Path, states: int | None) -> None:
    telling.remark(f"the table of {states or 0:,} positions is in {clean(str(folder))}")


def _maximiser(game: Game[Any]) -> int:
    """The player that solvers call MAX."""
    from gdl.solvers.minimax.windows import max_player

    return max_player(game)

"""Tables of solved games, written and used by gdl solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from gdl.commands import console, engines
from gdl.commands.limiting import Limits
from gdl.compiler.search_kinds import RETROGRADE
from gdl.errors import Refusal, clean
from gdl.formats import files
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.wings.tables.table_lookup import holds, open_table


def solve_with_table(
    game: Game[Any], folder: Path, engine: str, limits: Limits, options: Mapping[str, Any],
    find: Callable[[Game[Any]], Solution],
) -> Solution:  # fmt: skip
    """The answer with the table in a folder, which is made if there is none. The answer is the table's own, or, if the
    table does not hold the position, that of the search with these options, `find`."""
    if not holds(folder):
        with _locked_folder(game, folder):
            if not holds(folder):
                build = partial(_build_table, game, folder, limits, bool(options.get("symmetry")))
                return engines.without_wasm(build, engine)
    found = open_table(game, folder).solution()
    if found is None:
        console.remark(f"the table in {clean(str(folder))} does not have this position: it is searched")
    return found or find(game)


@contextmanager
def _locked_folder(game: Game[Any], folder: Path) -> Iterator[None]:
    """Hold the lock of the folder within the block. Raises WrongCommand if the folder cannot be written."""
    try:
        with files.lock_folder(folder, f"which makes a table of {clean(game.name)}"):
            yield
    except BrokenPipeError:
        raise
    except OSError as error:
        why = f"the table cannot be written to {clean(str(folder))}: {error.strerror}; name a folder"
        raise console.WrongCommand(why) from None


def _build_table(game: Game[Any], folder: Path, limits: Limits, symmetry: bool, engine: str) -> Solution:
    """Solve by retrograde analysis on the compiled engine, and write the table; `symmetry` keeps one position of those
    that are symmetric."""
    from gdl.solvers.minimax.windows import max_player
    from gdl.wings.tables import table_files as retrograde_tables
    from gdl.wings.tables.checkpoints import RetrogradeCheckpoint

    offered, most = engines.offer(game, engine), max_player(game)
    price, room = game.promises.forever, limits.room()
    search = offered.engine.search(RETROGRADE, maximiser=most, memory=room, symmetry=symmetry)
    offered.engine.keep(RETROGRADE, search)
    search.checkpoint = RetrogradeCheckpoint(search, folder)
    with limits.enforce("states") as progress:
        solution = solve(offered, "retrograde", progress=progress)
        if search.price is None:  # solved in fractions, which a table does not hold
            for _ in search.analyse(price[search.maximiser] if price else 0):
                pass
    if search.endless and price is None:
        name = clean(game.name)
        raise Refusal(f"a table of {name} needs to know what endless play is worth: say `forever -> draw`")
    retrograde_tables.write(search, folder)
    search.checkpoint.remove()
    console.remark(f"the table of {search.states:,} positions is in {clean(str(folder))}")
    return solution

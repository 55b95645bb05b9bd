"""Tables of solved games, written and used by gdl solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
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
    """The answer with the table in a folder, which is made if there is none. `find` is the search with these
    options."""
    return TableRequest(game, folder, engine, limits, bool(options.get("symmetry"))).solve(find)


@dataclass(frozen=True)
class TableRequest:
    """A table that is asked for: of which game, in which folder, made on which engine. `symmetry` keeps one position of
    those that are symmetric."""

    game: Game[Any]
    folder: Path
    engine: str
    limits: Limits
    symmetry: bool

    def solve(self, find: Callable[[Game[Any]], Solution]) -> Solution:
        """The answer with a table, which is made if the folder has none. The answer is the table's own, or, if the
        table does not hold the position, that of a search (`find`)."""
        if not holds(self.folder):
            with self._locked_folder():
                if not holds(self.folder):
                    return engines.without_wasm(self._build, self.engine)
        found = open_table(self.game, self.folder).solution()
        if found is None:
            console.remark(f"the table in {clean(str(self.folder))} does not have this position: it is searched")
        return found or find(self.game)

    @contextmanager
    def _locked_folder(self) -> Iterator[None]:
        """Hold the lock of the folder within the block. Raises WrongCommand if the folder cannot be written."""
        try:
            with files.lock_folder(self.folder, f"which makes a table of {clean(self.game.name)}"):
                yield
        except BrokenPipeError:
            raise
        except OSError as error:
            why = f"the table cannot be written to {clean(str(self.folder))}: {error.strerror}; name a folder"
            raise console.WrongCommand(why) from None

    def _build(self, engine: str) -> Solution:
        """Solve by retrograde analysis on the compiled engine, and write the table."""
        from gdl.solvers.minimax.windows import max_player
        from gdl.wings.tables import table_files as retrograde_tables
        from gdl.wings.tables.checkpoints import RetrogradeCheckpoint

        offered, most = engines.offer(self.game, engine), max_player(self.game)
        price, room = self.game.promises.forever, self.limits.room()
        search = offered.engine.search(RETROGRADE, maximiser=most, memory=room, symmetry=self.symmetry)
        offered.engine.keep(RETROGRADE, search)
        search.checkpoint = RetrogradeCheckpoint(search, self.folder)
        with self.limits.enforce("states") as progress:
            solution = solve(offered, "retrograde", progress=progress)
            if search.price is None:  # solved in fractions, which a table does not hold
                for _ in search.analyse(price[search.maximiser] if price else 0):
                    pass
        if search.endless and price is None:
            name = clean(self.game.name)
            raise Refusal(f"a table of {name} needs to know what endless play is worth: say `forever -> draw`")
        retrograde_tables.write(search, self.folder)
        search.checkpoint.remove()
        console.remark(f"the table of {search.states:,} positions is in {clean(str(self.folder))}")
        return solution

"""Tables of solved games, written and used by gdl solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gdl.commands import console, engines
from gdl.commands.limiting import Limits, free_memory
from gdl.compiler.search_kinds import RETROGRADE
from gdl.errors import Refusal, clean
from gdl.formats import files
from gdl.game import Game
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import State
from gdl.playing.loading import Asked
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.wings.tables.table_lookup import ProbingGame, holds, open_table


def solve_with_table(
    asked: Asked, game: Game[Any], folder: Path, where: str | None, engine: str, limits: Limits,
    options: Mapping[str, Any], find: Callable[[Game[Any]], Solution],
) -> Solution:  # fmt: skip
    """The answer with the table in a folder, which is made if there is none: of the game or, with `where`, of the
    positions in which this condition holds, and all that follow them. `find` is the search with these options."""
    begin = None
    if where is not None:
        from gdl.wings.tables.beginnings import beginnings

        begin = partial(beginnings, asked, where, options.get("time"))
    return TableRequest(game, folder, engine, limits, bool(options.get("symmetry"))).solve(find, begin)


@dataclass(frozen=True)
class TableRequest:
    """A table that is asked for: of which game, in which folder, made on which engine. `symmetry` keeps one position of
    those that are symmetric."""

    game: Game[Any]
    folder: Path
    engine: str
    limits: Limits
    symmetry: bool

    def solve(
        self, find: Callable[[Game[Any]], Solution], beginnings: Callable[[], Sequence[State]] | None = None
    ) -> Solution:
        """The answer with a table. If the folder has no table, it is made: of the game or, with `beginnings`, of all
        that follows the positions that this function finds. The answer is then the table's own, or, if the table does
        not hold the position, that of a search (`find`) that looks positions up in it."""
        if not holds(self.folder):
            first = None if beginnings is None else beginnings()
            with self._locked_folder():
                if not holds(self.folder):
                    made = engines.without_wasm(lambda engine: self._build(engine, first), self.engine)
                    if first is None:
                        return made
        looked = open_table(self.game, self.folder)
        return looked.solution() or find(ProbingGame(self.game, looked, free_memory))

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

    def _build(self, engine: str, first: Sequence[State] | None) -> Solution:
        """Make the table on the engine; `first` are the positions to begin from in place of the game's start (None: the
        start)."""
        from gdl.solvers.minimax.windows import max_player

        offered = engines.offer(Continuation(self.game, first[0]) if first else self.game, engine)
        solution, states = self._solve_all(offered, max_player(self.game), first[1:] if first else ())
        console.remark(f"the table of {states:,} positions is in {clean(str(self.folder))}")
        return solution

    def _solve_all(self, offered: Game[Any], maximiser: int, starts: Sequence[State]) -> tuple[Solution, int]:
        """Solve by retrograde analysis on the compiled engine, and write the table; it also holds all positions that
        follow from the further `starts`. Returns the answer and the number of positions in the table."""
        from gdl.wings.tables import table_files as retrograde_tables
        from gdl.wings.tables.checkpoints import RetrogradeCheckpoint

        price, room = self.game.promises.forever, self.limits.room()
        search = offered.engine.search(
            RETROGRADE, maximiser=maximiser, memory=room, symmetry=self.symmetry, starts=starts
        )
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
        return solution, search.states

"""Tables of solved games, written and used by gdl solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any

from gdl.commands import console, engines
from gdl.commands.limiting import Limits, free
from gdl.commands.workers import Staff, asked_again
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.search_kinds import RETROGRADE
from gdl.errors import Refusal, clean
from gdl.formats import files
from gdl.game import Game
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import State
from gdl.playing.loading import Asking
from gdl.playing.solved_tables import ProbingGame, holds, open_table
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.symmetry import Symmetry

# gdl solve --table by several workers: each does pieces of retrograde analysis, and the same table comes out.

JOURNAL = "journal"  # the file that has what was done


@dataclass(frozen=True)
class TableRequest:
    """A table that is asked for: of which game, in which folder, made on which engine. `symmetry` keeps one position of
    those that are symmetric; workers help if `staff` has some, who load the game as `by` says."""

    game: Game[Any]
    folder: Path
    engine: str
    limits: Limits
    symmetry: bool
    staff: Staff
    by: Asking

    def solve(
        self, find: Callable[[Game[Any]], Solution], beginnings: Callable[[], Sequence[State]] | None = None
    ) -> Solution:
        """The answer with a table. If the folder has no table, it is made: of the game or, with `beginnings`, of all
        that follows the positions that this function finds. The answer is then the table's own, or, if the table does
        not hold the position, that of a search (`find`) that looks positions up in it."""
        if not holds(self.folder):
            first = None if beginnings is None else beginnings()
            with self._alone():
                if not holds(self.folder):
                    made = engines.without_wasm(lambda engine: self._build(engine, first), self.engine)
                    if first is None:
                        return made
        looked = open_table(self.game, self.folder)
        if self.staff.should_split_work:
            tidy(self.folder)
        return looked.solution() or find(ProbingGame(self.game, looked, free))

    @contextmanager
    def _alone(self) -> Iterator[None]:
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
        make = self._build_by_workers if self.staff.should_split_work else self._build_alone
        solution, states = make(offered, max_player(self.game), first[1:] if first else ())
        console.remark(f"the table of {states:,} positions is in {clean(str(self.folder))}")
        return solution

    def _build_alone(self, offered: Game[Any], maximiser: int, starts: Sequence[State]) -> tuple[Solution, int]:
        """Solve by retrograde analysis on the compiled engine, and write the table; it also holds all positions that
        follow from the further `starts`. Returns the answer and the number of positions in the table."""
        from gdl.compiler.searches import retrograde_tables
        from gdl.compiler.searches.checkpoints import RetrogradeCheckpoint

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

    def _build_by_workers(self, offered: Game[Any], maximiser: int, starts: Sequence[State]) -> tuple[Solution, int]:
        """Solve by workers, and write the same table. Results of pieces are kept in a folder inside until the work is
        done, so that the same command can continue it."""
        from gdl.compiler.searches.shared_table import SharedTable
        from gdl.solvers.cluster.journal import journal
        from gdl.solvers.cluster.pieces import Job

        whole, start = by_rules(offered)
        back_end = offered.engine.engine  # type: ignore[attr-defined]
        room, limits = self.limits.room(), self.limits
        shared = SharedTable(whole, start, back_end, self.folder, maximiser, room, self.symmetry, starts)
        shared.work.mkdir(parents=True, exist_ok=True)
        written = tuple(one.to_json() for one in shared.search.symmetries)
        job = Job(prepare, (self.by, back_end, maximiser, limits.memory, written, shared.work.resolve()))
        with (
            journal(shared.work / JOURNAL, shared.work_identity, "which makes a table there") as kept,
            self.staff.hire_workers(self.folder) as workers,
            limits.enforce("states") as progress,
            kept.detect_contradictions(shared.work),
        ):
            shared.by_workers = lambda pieces: kept.results(workers, job, pieces)
            offered.engine.keep(RETROGRADE, shared.search)
            solution = solve(offered, "retrograde", progress=progress)
        rmtree(shared.work, ignore_errors=True)
        return solution, solution.states or 0


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

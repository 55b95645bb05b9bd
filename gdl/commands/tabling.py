"""Tables of solved games on the command line: written by gdl solve, and looked at by gdl solve, play and show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdl.commands import engines, telling
from gdl.commands.limiting import MEBIBYTE, Limits, free
from gdl.commands.workers import Staff
from gdl.compiler.compiled_engine import by_rules
from gdl.errors import DamagedData, Refusal, clean, count_text
from gdl.formats import files
from gdl.game import NO_ENGINE, Action, Decision, Engine, Game, Node, Number, Terminal
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import State
from gdl.numbers import to_text
from gdl.playing.asked_game import Asking
from gdl.playing.match import Opponent
from gdl.solution import Solution
from gdl.solvers.cyclic.spaces import one_of_many
from gdl.states.sequential import Turn

if TYPE_CHECKING:
    from gdl.compiler.searches.retrograde_tables import RetrogradeTable

_COPIES = 3  # of a table at most: for the textbook's search, for that with transpositions, and for that up to symmetry


def open_table(game: Game[Any], folder: Path) -> TableLookup:
    """The table in a folder. Raises DamagedData where none is whole, Refusal where it is another game's."""
    from gdl.compiler.searches.retrograde_tables import MANIFEST, RetrogradeTable

    whole, _ = by_rules(game)
    if not (folder / MANIFEST).exists():
        raise DamagedData(f"there is no table in {clean(str(folder))}: a table without its {MANIFEST} is not whole")
    return TableLookup(game, RetrogradeTable(whole, folder))


def holds(folder: Path) -> bool:
    """Whether there is a table in the folder."""
    return (folder / "manifest.json").exists()


class TableLookup:
    """A game beside its table."""

    def __init__(self, game: Game[Any], table: RetrogradeTable):
        self.game = game
        self.table = table

    def value(self, state: Any) -> tuple[Number | float, ...] | None:
        """What a state is worth to everyone, if the table has it."""
        number = self.table.number(state)
        return None if number is None else self.table.utilities(number)

    def rank(self, state: Any) -> int | None:
        """How many plies the end is away, if the table tells it."""
        number = self.table.number(state)
        return None if number is None else self.table.rank(number)

    def rank_actions(self, state: Any) -> list[tuple[Action, tuple[Number | float, ...], int | None]] | None:
        """The actions of a state, what they lead to and how far the end is then, the best first: those that keep the
        value; among winning ones those that end soonest, among others those that end latest. None where the table has
        not all that follows."""
        node = self.game.node(state)
        found = []
        for action in node.actions if isinstance(node, Decision) else ():
            after = self.game.successor(state, action)
            number = self.table.number(after)
            if number is None:
                return None
            found.append((action, self.table.utilities(number), self.table.rank(number)))
        if not isinstance(node, Decision):
            return None
        mover = node.player

        def place(entry: tuple[Action, tuple[Number | float, ...], int | None]) -> tuple[Any, int]:
            _, values, rank = entry
            hurries = (values[self.table.maximiser] > self.table.price) == (mover == self.table.maximiser)
            return -values[mover], 0 if rank is None else rank if hurries else -rank

        return sorted(found, key=place)

    def solution(self) -> Solution | None:
        """The answer for the game's first state, if the table has it."""
        start = self.game.initial()
        values = self.value(start)
        if values is None:
            return None
        line: list[Action] = []
        state, met = start, {start}
        while isinstance(self.game.node(state), Decision) and (found := self.rank_actions(state)):
            line.append(found[0][0])
            state = self.game.successor(state, found[0][0])
            if state in met:
                break
            met.add(state)
        ranked = self.rank_actions(start) or []
        rank = self.rank(start)
        notes = [] if self.table.images == 1 else [one_of_many(self.table.images)]
        notes += [f"with best play the game ends after {rank} plies"] if rank else []
        return Solution(
            self.game.name,
            "table",
            self.game.players,
            self.game.traits,
            exact=not self.table.has_chance,
            value=values,
            best=tuple(action for action, after, _ in ranked if not self.table.has_chance and after == values)
            or tuple(action for action, _, _ in ranked[:1]),
            line=tuple(line),
            states=self.table.states,
            notes=tuple(notes),
        )


class ProbingGame:
    """A game whose positions end where the table has them, with the values that it tells: so every search probes."""

    def __init__(self, game: Game[Any], looked: TableLookup):
        self.game = game
        self.engine = _probing(game, looked.table)
        self.looked = looked
        self.name = game.name
        self.players = game.players
        self.promises = game.promises
        self._start = game.initial()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def node(self, state: Any) -> Node:
        if state != self._start and not self.looked.table.has_chance:
            values: Any = self.looked.value(state)
            if values is not None:
                return Terminal(values)
        return self.game.node(state)


def _probing(game: Game[Any], table: RetrogradeTable) -> Engine:
    """The searches of the compiled engine that probe the table in their memory; none where that does not fit."""
    from gdl.compiler.compiled_engine import CompiledEngine
    from gdl.compiler.searches import probing

    engine = game.engine
    if table.has_chance or not isinstance(engine, CompiledEngine):
        return NO_ENGINE

    try:
        lowered = probing.lower_with_table(table)
        room, taken = _room(game), _COPIES * probing.size(table)
        if room is not None and taken > room // 2:
            raise Refusal(
                f"{_COPIES} copies of it take {count_text(taken >> 20, 'MiB')}, more than half of what is free"
            )
    except Refusal as why:
        telling.remark(f"search on the compiled engine cannot probe the table: {why}; the interpreter searches")
        return NO_ENGINE

    def remaining_memory() -> int | None:
        """The bytes beside the table, where somebody set a limit."""
        room = engine.room()
        return None if room is None else max(room - taken, MEBIBYTE)

    return engine.probing(lowered, remaining_memory)


def _room(game: Game[Any]) -> int | None:
    """The bytes that searches may take now; None where the system does not tell."""
    room = game.engine.room()
    return free() if room is None else room


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
    return found or find(ProbingGame(game, looked))


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


class ByTable:
    """Plays by the table in a folder: the best action of every position that it has, else what another finds who
    searches as far as the table."""

    def __init__(self, game: Game[Any], folder: Path, make: Callable[[Game[Any], bool], Opponent]):
        """`make` is told whether the other will be wanted: play from a position of the table never leaves it."""
        self.looked = open_table(game, folder)
        self.other = make(ProbingGame(game, self.looked), self.looked.value(game.initial()) is None)

    def move(self, state: Turn, player: int) -> Action:
        found = self.looked.rank_actions(state.state)
        return found[0][0] if found else self.other.move(state, player)

    def hint(self, state: Turn, player: int) -> str:
        found = self.looked.rank_actions(state.state)
        if not found:
            return self.other.hint(state, player)
        action, values, rank = found[0]
        worth = ", ".join(
            f"{name} {to_text(value)}" for name, value in zip(self.looked.game.players, values, strict=True)
        )
        return f"{action}: {worth}" + (
            "" if rank is None else f"; the end comes {rank:,} {'ply' if rank == 1 else 'plies'} later"
        )


def table_text(game: Game[Any], folder: Path) -> str:
    """What the table says of the game's first state, and of what its actions lead to, the best first."""
    from gdl.numbers import vector_text
    from gdl.render.strategies import align_columns

    looked = open_table(game, folder)
    start = game.initial()
    values = looked.value(start)
    if values is None:
        return "The table does not have this position.\n"

    def value_columns(values: tuple[Number | float, ...], rank: int | None) -> list[str]:
        return [vector_text(values), "" if rank is None else f"end after {rank} plies"]

    rows = [["", f"value for {', '.join(game.players)}", ""], ["here", *value_columns(values, looked.rank(start))]]
    rows += [[clean(action), *value_columns(after, rank)] for action, after, rank in looked.rank_actions(start) or ()]
    return "\n".join(align_columns(rows)) + "\n"

"""Tables of solved games, as play and search use them: what a table says of positions, and a game whose positions end
where a table has them.

Where a table of part of a game begins: positions in which a condition holds.

1. The positions that the file names, and those met first in random plays from the start, in which the condition holds.
2. The table then has all that can be reached from any of them. Where pieces go back and forth, as in most endings, that
   is nearly all that the condition means; where not, it is what play came to, and search goes on as ever elsewhere.

A table is checked: what it says of its positions follows from what it says of those after them.

1. Every block of the table is compared with its checksum.
2. The positions that play can reach are walked with the interpreter, which had no part in making the table, as far as
   MOST_WALKED; of a larger table further ones are met in random plays. In a table of part of the game the walk begins
   where random plays come to a position that it has.
3. An end is worth what the rules say. The mover of any other position can do as well as the table says, and no better,
   by the values after each action.
4. The end is as far away as those positions say. Where somebody gets more than endless play would give them, it comes
   nearer with every ply of theirs, and with every reply that does not give them more still: so play by the table
   ends, and does not go round in a circle.

Steps 3 and 4 for all positions prove all values (Condon, The complexity of stochastic games, 1992, for games without
chance). With chance the table has bounds: the least and greatest value after each action must lie within them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.compiler.compiled_engine import CompiledEngine, by_rules
from gdl.errors import DamagedData, GameError, LimitReached, Refusal, clean, count_text, size_text
from gdl.game import NO_ENGINE, Action, Chance, Decision, Engine, Game, Node, Number, Terminal, actions, require_number
from gdl.interpreter.position import Continuation, at
from gdl.interpreter.rules_game import RulesGame, State
from gdl.numbers import to_text, vector_text
from gdl.playing import loading
from gdl.playing.loading import Asked
from gdl.playing.match import Opponent
from gdl.playing.stepping.making import environment
from gdl.render.strategies import align_columns
from gdl.solution import Solution
from gdl.solvers.budget import Budget
from gdl.solvers.cyclic.spaces import one_of_many
from gdl.states.explore import Progress, move_text
from gdl.states.random_numbers import Generator
from gdl.states.sequential import Turn

if TYPE_CHECKING:
    from gdl.compiler.searches.retrograde_tables import RetrogradeTable


Free = Callable[[], int | None]  # the bytes that searches may take if no limit was set; None: not known


def _unknown() -> None:
    """The bytes of memory that are free: not known (None)."""


_COPIES = 3  # of a table at most: for the textbook's search, for that with transpositions, and for that up to symmetry


def open_table(game: Game[Any], folder: Path) -> TableLookup:
    """Open the table in a folder. Raises DamagedData where there is no complete one, Refusal where it is for another
    game."""
    from gdl.compiler.searches.retrograde_tables import MANIFEST, RetrogradeTable

    whole, _ = by_rules(game)
    if not (folder / MANIFEST).exists():
        raise DamagedData(f"there is no table in {clean(str(folder))}: a table without its {MANIFEST} is not whole")
    return TableLookup(game, RetrogradeTable(whole, folder))


def holds(folder: Path) -> bool:
    """True if there is a table in the folder."""
    return (folder / "manifest.json").exists()


class TableLookup:
    """A game and its table."""

    def __init__(self, game: Game[Any], table: RetrogradeTable):
        self.game = game
        self.table = table

    def value(self, state: Any) -> tuple[Number | float, ...] | None:
        """The value of a state to everyone; None if the table does not have the state."""
        number = self.table.number(state)
        return None if number is None else self.table.utilities(number)

    def rank(self, state: Any) -> int | None:
        """The distance to the end in plies; None if the table does not have it."""
        number = self.table.number(state)
        return None if number is None else self.table.rank(number)

    def rank_actions(self, state: Any) -> list[tuple[Action, tuple[Number | float, ...], int | None]] | None:
        """For each action of a state the action, the values and the plies to the end behind it, the best first: those
        that keep the value; among winning ones those that end soonest, among others those that end latest. None where
        the table lacks a successor, or nobody decides."""
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
        """The answer for the game's first state; None if the table does not have it."""
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
    """A game in which positions of the table are ends, with the table's values: so every search uses the table."""

    def __init__(self, game: Game[Any], looked: TableLookup, free: Free = _unknown):
        self.game = game
        self.engine = _probing(game, looked.table, free)
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


def _probing(game: Game[Any], table: RetrogradeTable, free: Free) -> Engine:
    """The game's engine with searches that probe the table in their memory; NO_ENGINE where that does not fit."""
    from gdl.compiler.searches import probing

    engine = game.engine
    if table.has_chance or not isinstance(engine, CompiledEngine):
        return NO_ENGINE

    try:
        lowered = probing.lower_with_table(table)
        room, taken = engine.room(), _COPIES * probing.size(table)
        room = free() if room is None else room
        if room is not None and taken > room // 2:
            raise Refusal(f"{_COPIES} copies of it take {size_text(taken)}, more than half of what is free")
    except Refusal as why:
        engine.tell(f"search on the compiled engine cannot probe the table: {why}; the interpreter searches")
        return NO_ENGINE

    def remaining_memory() -> int | None:
        """The bytes that are left beside the copies of the table; None: no limit was set."""
        room = engine.room()
        return None if room is None else max(room - taken, 1 << 20)

    return engine.probing(lowered, remaining_memory)


class ByTable:
    """Plays from the table in a folder. Where the table has no value, another player searches down to the positions
    that it has."""

    def __init__(self, game: Game[Any], folder: Path, make: Callable[[Game[Any], bool], Opponent], free: Free):
        """`make` gives the other player for a game; its second argument is True if that player will be needed: play
        from a position of the table never leaves it."""
        self.looked = open_table(game, folder)
        self.other = make(ProbingGame(game, self.looked, free), self.looked.value(game.initial()) is None)

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
        return f"{action}: {worth}" + ("" if rank is None else f"; the end comes {count_text(rank, 'ply')} later")


def table_text(game: Game[Any], folder: Path) -> str:
    """The value and the distance to the end of the game's first state, and of the states after its actions, the best
    first."""
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


NAME = "--where"  # what messages call the text of the condition
PLAYS, PLIES = 2_000, 600  # random plays, and plies of each, at most
ENOUGH = 64  # positions with which a table begins, at most
SEED = 1
SHARE = 0.3  # of the time, for plays


def beginnings(asked: Asked, condition: str, time: float | None = None) -> list[State]:
    """The positions with which a table of part of a game begins, found by random plays. Raises Refusal if they reach
    none, LimitReached if the time did not allow enough plays."""
    from gdl.checker.asked import ending_where

    rules, start = by_rules(asked.game)
    settings, variant = asked.by.settings, asked.by.variant
    model = ending_where(asked.loaded.description, condition, NAME, settings, variant)
    if model.times or rules.model.times:
        raise Refusal(f"a table does not tell positions apart by those before them, for which {clean(model.name)} asks")
    ends = RulesGame(model)

    def holds(state: State) -> bool:
        try:
            return isinstance(ends.node(state), Terminal)
        except GameError:  # nobody can move, and it is no end by the condition
            return False

    found = dict.fromkeys(_named_positions(asked, holds))
    budget, plays = Budget(None, time).part(None, SHARE), 0
    try:
        for met in _plays(asked.game, ends if start == ends.initial() else Continuation(ends, start), budget):
            plays += 1
            if met is not None:
                found.setdefault(met)
            if len(found) >= ENOUGH:
                break
    except LimitReached as stop:
        if not found:
            raise LimitReached(f"{stop}: {_unmet(asked.game, condition, plays)}") from None
    if not found:
        raise Refusal(_unmet(asked.game, condition, plays))
    return list(found)


def _unmet(game: Game[Any], condition: str, plays: int) -> str:
    told = (
        f"in {count_text(plays, 'random play')} of {clean(game.name)} no position was met in which {clean(condition)}"
    )
    return f"{told}; name one: --position TEXT, or a variant that begins there, makes a table of all that follows"


def _named_positions(asked: Asked, holds: Callable[[State], bool]) -> Iterator[State]:
    """The positions of the file in which the condition holds."""
    for name in getattr(asked.loaded.model, "positions", {}):
        start: Any = loading.play(at(asked.loaded.model, name)).initial()
        if holds(start):
            yield start


def _plays(game: Game[Any], ends: Game[Any], budget: Budget) -> Iterator[State | None]:
    """For each of some random plays, the first position in which the condition holds; None if it never does. Two
    environments make the same play: one ends by the rules, the other where the condition holds."""
    playing, looking, generator = environment(game), environment(ends), Generator(SEED)
    for seed in range(PLAYS):
        playing.reset(seed)
        looking.reset(seed)
        for _ in range(PLIES):
            if playing.over or looking.over:
                break
            number = playing.legal[generator.below(len(playing.legal))]
            playing.step(number)
            budget.visit()
            if not playing.over:  # else there may be no action, which is a fault of what goes on
                looking.step(number)
        yield looking.position if looking.over and not playing.over else None


# ---- A table, checked ----------------------------------------------------------------------------------------------


MOST_WALKED = 50_000  # positions that are walked
MET = 10_000  # positions met in random plays, where the table has more
NEAR = 1e-6  # two bounds that differ by less are one, in units of the greatest utility


class WrongPosition(NamedTuple):
    """A position with a wrong entry in the table: the mistake, and a play that leads there."""

    what: str
    play: tuple[Action, ...]


class TableCheck:
    """A game and its table, with the number of positions that were checked."""

    def __init__(self, game: Game[Any], folder: Path):
        """Open the table in a folder. Raises DamagedData where the folder has no whole table of the game."""
        table = open_table(game, folder).table
        self.game, self.table = game, table
        self.walked = 0
        self.whole = table.number(game.initial()) is not None  # False: the table is of a part of the game
        self.complete = False  # whether all positions that play can reach were walked
        self.met = 0  # positions checked in random plays

    def extent(self) -> str:
        """A sentence on how much was checked."""
        walked, states = count_text(self.walked, "position"), count_text(self.table.states, "position")
        if self.complete:
            return f"All {walked} that play can reach were checked; the table has {states}."
        met = f" and {self.met:,} met in random plays" if self.met else ""
        return f"{walked}{met} were checked; the table has {states}."

    def first_wrong(self, progress: Progress) -> WrongPosition | None:
        """The first wrong position, walking breadth first and then at random; None if none was met."""
        for state, play in self._walk():
            self.walked += 1
            progress(self.walked)
            if what := self._wrong(state):
                return WrongPosition(what, play)
        self.complete = self.whole and self.walked < MOST_WALKED
        if self.complete:
            return None
        for state, play in self._random_plays():
            if not self.whole and self.table.number(state) is None:
                continue
            self.met += 1
            if what := self._wrong(state):
                return WrongPosition(what, play)
        return None

    def _walk(self) -> Iterator[tuple[Any, tuple[Action, ...]]]:
        """Each position that can be reached, once, breadth first, with a play that leads there; MOST_WALKED at most.
        Where the table is of a part of the game the walk begins at the positions that random plays reach."""
        starts = {self.game.initial(): tuple[Action, ...]()} if self.whole else self._first_met()
        came: dict[Any, tuple[Any, Action] | None] = dict.fromkeys(starts)
        for state in (queue := [*starts]):
            first, play = self._play(came, state)
            yield state, (*starts[first], *play)
            for action in actions(self.game.node(state)):
                after = self.game.successor(state, action)
                if after not in came and len(came) < MOST_WALKED:
                    came[after] = state, action
                    queue.append(after)

    def _first_met(self) -> dict[Any, tuple[Action, ...]]:
        """For a table of part of a game, the first of its positions that random plays reach, with these plays. Raises
        Refusal if they reach none."""
        found: dict[Any, tuple[Action, ...]] = {}
        before = 0
        for state, play in self._random_plays():
            if len(play) > before and before:
                continue  # of this play the first one was found
            before = 0
            if self.table.number(state) is not None:
                found.setdefault(state, play)
                before = len(play)
        if not found:
            raise Refusal(f"random plays of {clean(self.game.name)} came to no position of the table: none was checked")
        return found

    @staticmethod
    def _play(came: dict[Any, tuple[Any, Action] | None], state: Any) -> tuple[Any, tuple[Action, ...]]:
        """The position from which the walk came to a state, and the play from there. `came` has for each position the
        one before it and the action."""
        found: list[Action] = []
        while (step := came[state]) is not None:
            state, action = step
            found.append(move_text(action))
        return state, tuple(reversed(found))

    def _random_plays(self) -> Iterator[tuple[Any, tuple[Action, ...]]]:
        random, left = Random(1), MET
        while left:
            state, play = self.game.initial(), tuple[Action, ...]()
            while left and (choice := actions(self.game.node(state))) and len(play) < MET:
                action = random.choice(choice)
                state, play, left = self.game.successor(state, action), (*play, action), left - 1
                yield state, play

    # -- one position ---------------------------------------------------------------------------------------

    def _wrong(self, state: Any) -> str:
        """The mistake of the table at a position; "" if there is none."""
        number = self.table.number(state)
        if number is None:
            return "it has no such position"
        return self._wrong_bounds(state, number) if self.table.has_chance else self._wrong_value(state, number)

    def _wrong_value(self, state: Any, number: int) -> str:
        value, node = self.table.value(number), self.game.node(state)
        if isinstance(node, Terminal):
            end = require_number(node.utilities[self.table.maximiser])
            if value != end:
                return f"the end is worth {to_text(end)}, not {to_text(value)}"
            rank = self.table.rank(number)
            untold = rank is None and value == self.table.price
            return "" if rank == 0 or untold else f"this is the end, and not {_distance_text(rank)}"
        assert isinstance(node, Decision)
        numbers = [self.table.number(self.game.successor(state, action)) for action in node.actions]
        if None in numbers:
            return "a position that follows is missing"
        after = [(self.table.value(n), self.table.rank(n)) for n in numbers if n is not None]
        maximises = node.player == self.table.maximiser
        due = (max if maximises else min)(found for found, _ in after)
        if value != due:
            return f"its value is {to_text(due)} by those that follow, not {to_text(value)}"
        return self._wrong_rank(value, self.table.rank(number), after, maximises)

    def _wrong_rank(
        self, value: Number | float, rank: int | None, after: list[tuple[Number | float, int | None]], maximises: bool
    ) -> str:
        """The mistake if the end is not as far away as the later positions say: MAX hurries to more than the price
        of endless play, and puts off less, and MIN the contrary. (Where the value is that price, the distance need not
        be told.)"""
        if rank is None and value == self.table.price:
            return ""
        kept = [distance for found, distance in after if found == value]
        ends = [distance for distance in kept if distance is not None]
        hurries = (value > self.table.price) == maximises
        forced = ends and (hurries or len(ends) == len(kept))
        due = 1 + (min if hurries else max)(ends) if forced else None
        if due is None and value != self.table.price:
            return f"nobody is known to force its value, {to_text(value)}"
        return (
            "" if rank == due else f"the end is {_distance_text(due)} by those that follow, not {_distance_text(rank)}"
        )

    def _wrong_bounds(self, state: Any, number: int) -> str:
        """The mistake in the bounds of a value, where there is chance; "" if there is none."""
        low, high = self.table.bounds(number)
        node = self.game.node(state)
        near = NEAR * max(1.0, *(abs(float(utility)) for utility in self.table.utility))
        if isinstance(node, Terminal):
            due = float(require_number(node.utilities[self.table.maximiser]))
            lowest, highest = due, due
        else:
            found = [self.table.number(self.game.successor(state, action)) for action in actions(node)]
            if None in found:
                return "a position that follows is missing"
            bounds = [self.table.bounds(n) for n in found if n is not None]
            if isinstance(node, Chance):
                weights = [float(weight) for _, weight in node.outcomes]
                lowest, highest = (sum(w * b[k] for w, b in zip(weights, bounds, strict=True)) for k in (0, 1))
            else:
                assert isinstance(node, Decision)
                best = max if node.player == self.table.maximiser else min
                lowest, highest = best(b[0] for b in bounds), best(b[1] for b in bounds)
        if lowest < low - near or highest > high + near:
            return f"its value lies in {lowest:.6g}..{highest:.6g} by those that follow, not in {low:.6g}..{high:.6g}"
        return ""


def _distance_text(rank: int | None) -> str:
    return "never forced" if rank is None else f"{rank:,} plies away"

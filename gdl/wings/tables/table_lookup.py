"""Tables of solved games, as play and search use them: what a table says of positions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdl.compiler.compiled_engine import by_rules
from gdl.errors import DamagedData, clean, count_text
from gdl.game import Action, Decision, Game, Number
from gdl.numbers import to_text, vector_text
from gdl.render.strategies import align_columns
from gdl.solution import Solution
from gdl.solvers.cyclic.spaces import one_of_many
from gdl.states.sequential import Opponent, Turn

if TYPE_CHECKING:
    from gdl.wings.tables.table_files import RetrogradeTable


def open_table(game: Game[Any], folder: Path) -> TableLookup:
    """Open the table in a folder. Raises DamagedData where there is no complete one, Refusal where it is for another
    game."""
    from gdl.wings.tables.table_files import MANIFEST, RetrogradeTable

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


class ByTable:
    """Plays from the table in a folder. Where the table has no value, another player searches."""

    def __init__(self, game: Game[Any], folder: Path, make: Callable[[Game[Any], bool], Opponent]):
        """`make` gives the other player for a game; its second argument is True if that player will be needed: play
        from a position of the table never leaves it."""
        self.looked = open_table(game, folder)
        self.other = make(game, self.looked.value(game.initial()) is None)

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

"""A table of a solved game, checked: what it says of its positions follows from what it says of those after them.

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

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from gdl.errors import Refusal, clean, count_text
from gdl.game import Action, Chance, Decision, Game, Number, Terminal, actions, require_number
from gdl.numbers import to_text
from gdl.states.explore import Progress, move_text
from gdl.wings.tables.table_lookup import open_table

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
            if what := self._mistake_at(state):
                return WrongPosition(what, play)
        self.complete = self.whole and self.walked < MOST_WALKED
        if self.complete:
            return None
        for state, play in self._random_plays():
            if not self.whole and self.table.number(state) is None:
                continue
            self.met += 1
            if what := self._mistake_at(state):
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

    def _mistake_at(self, state: Any) -> str:
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

"""The flat game: every position of a game that ends, in arrays, each before those that follow it.

Simultaneous moves are turns that the other players do not see, and positions that are alike for everybody for ever are
one. Words for what stands in the arrays, the names of information sets and of actions, are made where somebody asks for
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import Any, Protocol

from gdl.errors import GameError, Problem
from gdl.game import Action, Chance, Decision, Number, Terminal

DECISION, CHANCE, TERMINAL = 0, 1, 3  # as kernels have them
UNOPENED = 4  # a position that was met, but not looked at, where a limit stopped the work


class Words(Protocol):
    """Gives the utilities, probabilities, actions and names for which a flat game has only numbers."""

    def utilities(self, note: int) -> tuple[Number, ...]:
        """The utilities of all players at an end."""

    def weights(self, note: int) -> tuple[int, ...]:
        """The probabilities of the outcomes of chance, as whole numbers in proportion."""

    def outcomes(self, position: int) -> Chance:
        """The outcomes of chance at a position by their names."""

    def actions(self, h: int) -> tuple[Action, ...]:
        """The actions at an information set."""

    def name(self, h: int) -> str:
        """The name of an information set."""


@dataclass(frozen=True)
class FlatGame:
    """A flat game. For position i, `kinds[i]` is its kind; `notes[i]` is the information set of a decision, and a
    number known to `words` at an end or a chance node; `links[starts[i]:starts[i + 1]]` are the positions that follow,
    in the order of its actions or outcomes. `owners` and `widths` have for each information set its player and its
    number of actions."""

    name: str
    players: tuple[str, ...]
    kinds: Sequence[int]
    notes: Sequence[int]
    starts: Sequence[int]
    links: Sequence[int]
    owners: Sequence[int]
    widths: Sequence[int]
    words: Words
    bytes: int  # of memory that it takes
    keep: Any = None  # owns the memory of the arrays

    def all_of(self, kind: int) -> Iterator[int]:
        """The positions of a kind, in order."""
        wanted = bytes(one == kind for one in range(256))
        return compress(range(len(self.kinds)), bytes(self.kinds).translate(wanted))

    def nodes(self, decisions: Sequence[Decision]) -> tuple[Terminal | Chance | Decision, ...]:
        """The node of each position; `decisions` are those of the information sets. Equal ends are one node."""
        ends: dict[int, Terminal] = {}
        made: list[Terminal | Chance | Decision] = []
        for position, (kind, note) in enumerate(zip(self.kinds, self.notes, strict=True)):
            if kind == DECISION:
                made.append(decisions[note])
            elif kind == CHANCE:
                made.append(self.words.outcomes(position))
            else:
                if note not in ends:
                    ends[note] = Terminal(self.words.utilities(note))
                made.append(ends[note])
        return tuple(made)

    def successors(self) -> tuple[tuple[int, ...], ...]:
        """The positions that follow each position."""
        links = list(self.links)
        return tuple(tuple(links[start:end]) for start, end in pairwise(self.starts))

    def sets(self) -> tuple[int | None, ...]:
        """The information set of each position; None where nobody decides."""
        pairs = zip(self.kinds, self.notes, strict=True)
        return tuple(note if kind == DECISION else None for kind, note in pairs)


def other_actions(player: str, name: str, one: tuple[Action, ...], other: tuple[Action, ...]) -> GameError:
    """The error where a player cannot tell two positions apart that have different actions."""
    return GameError(
        Problem(
            f"{player} cannot tell two positions of {name} apart, but has different actions there",
            note=f"one offers {', '.join(one)}; the other {', '.join(other)}",
            help="let the player see what makes the difference, or offer the same actions in the same order",
        )
    )

"""The part of an answer by the theory of games in which a player who cannot move loses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gdl.errors import listing
from gdl.record import Record
from gdl.solution import Solution, SolutionPart

MOST_MOVES = 5  # first moves that are named for one nimber
MOST_NIMBERS = 12  # nimbers after first moves that are listed


class Combinatorial(Record):
    """The combinatorial theory of a game of two in which a player who cannot move loses (or wins: misère).

    `outcome`: N, the next player to move wins; P, the previous one; L or R, the first or the second player, whoever
    begins. The nimber `grundy` is that of the heap of Nim that equals the game; None where the players' moves differ,
    or in misère play. `nimbers` are those after each first move. `classes` counts the positions of each outcome, for
    either player to move.
    """

    outcome: str
    grundy: int | None = None
    nimbers: Mapping[str, int] = {}
    classes: Mapping[str, int] = {}


class Nimbers(SolutionPart):
    """Outcome class and nimber, of a game to which the theory applies."""

    combinatorial: Combinatorial

    @property
    def says_something(self) -> bool:
        return True

    @property
    def summary(self) -> str:
        return self.combinatorial.outcome

    def measures(self) -> Mapping[str, str]:
        nimber = self.combinatorial.grundy
        return {"nimber": "" if nimber is None else str(nimber)}

    def facts(self, answer: Solution) -> Iterable[tuple[str, str]]:
        """The outcome, the nimber, the nimbers after each move, and the number of positions of each outcome."""
        found = self.combinatorial
        who = {"N": "who moves next wins", "P": "who moves next loses"}
        who |= {side: f"{player} wins, whoever begins" for side, player in zip("LR", answer.players, strict=True)}
        yield "outcome", f"{found.outcome}: {who[found.outcome]}"
        if found.grundy is not None:
            yield "nimber", str(found.grundy)
            yield from _facts_on_moves(found.nimbers)
        if found.classes:
            counts = listing(f"{count:,} {name}" for name, count in found.classes.items())
            yield "positions", f"{sum(found.classes.values()):,}: {counts}"

    def json_fields(self, answer: Solution) -> Mapping[str, Any]:
        found = self.combinatorial
        return {
            "outcome": found.outcome,
            "grundy": found.grundy,
            "nimbers": found.nimbers or None,
            "classes": found.classes or None,
        }


def _facts_on_moves(nimbers: Mapping[str, int]) -> Iterable[tuple[str, str]]:
    """A row that lists the first moves by the nimber after them, cut to a readable length."""
    moves: dict[int, list[str]] = {}
    for action, number in nimbers.items():
        moves.setdefault(number, []).append(action)
    told = [f"{number} after {listing(actions, 'or', most=MOST_MOVES)}" for number, actions in sorted(moves.items())]
    if told:
        yield "moves to", "; ".join(told[:MOST_NIMBERS]) + ("; …" if len(told) > MOST_NIMBERS else "")

"""The part of an answer that says what coalitions secure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import starmap
from typing import Any

from gdl.formats import solve_answer as form
from gdl.formats.answer import by_player
from gdl.game import Number
from gdl.numbers import as_stated, costs_are_shown, to_text
from gdl.record import Record
from gdl.render.strategies import align_columns, lines_left_out
from gdl.solution import Solution, SolutionPart

MOST_SHOWN = 40  # coalitions


class Coalitions(Record):
    """The coalitions of a game: the payoffs that they secure against all others (`worths`); shares in the `core` (None:
    it is empty, or unknown); the `margin` of the least core, by which the least contented coalition is above its worth
    at best; and the `nucleolus`, which makes the least contented coalition as content as possible, then the next, and
    so on."""

    worths: tuple[tuple[tuple[str, ...], Number], ...]
    core: tuple[Number, ...] | None
    margin: Number | None
    nucleolus: tuple[Number, ...] | None = None


class CoalitionWorths(SolutionPart):
    """The payoffs that sets of players secure; the value of the answer is the Shapley value."""

    coalitions: Coalitions

    @property
    def says_something(self) -> bool:
        return True

    def lines(self, answer: Solution) -> list[str]:
        """A line for each coalition, with what it secures against all others."""
        listed = ([", ".join(members), to_text(as_stated(worth))] for members, worth in self.coalitions.worths)
        rows = [["coalition", "pays at most" if costs_are_shown() else "secures"], *listed]
        shown = align_columns(rows[: MOST_SHOWN + 1])
        return [*shown, *lines_left_out(len(rows) - 1 - MOST_SHOWN), ""]

    def json_fields(self, answer: Solution) -> Mapping[str, Any]:
        """The worths of all sets of players, the Shapley value, the nucleolus and the core."""
        players, found = answer.players, self.coalitions
        empty, shares = found.core is None, by_player(players, found.core)
        return {
            "coalitions": list(starmap(form.CoalitionWorth, found.worths)),
            "shapley": by_player(players, answer.value),
            "nucleolus": by_player(players, found.nucleolus),
            "core": None if found.margin is None else form.CoreAnswer(empty, found.margin, shares),
        }

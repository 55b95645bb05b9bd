"""Answers that tell what random plays show: of `gdl playouts` and `gdl check --play`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from gdl.formats.answer_kinds import ABSENT, AnswerPart, AnswerRecord, ByPlayer, Count, RoundedPart

Shares = Mapping[str, float]  # by player


class PlayLengths(RoundedPart):
    """The lengths of plays, in plies."""

    shortest: Count
    quartiles: Annotated[Sequence[float] | None, "null where plays are very long"]
    mean: float
    longest: Count


class PlayoutFigures(AnswerPart, kw_only=True):
    """Statistics of random plays."""

    playouts: Count
    plies: Annotated[Count, "of all of them together"]
    value: Annotated[ByPlayer, "the mean utilities"]
    wins: Annotated[Shares | None, "plays in which a player alone has the highest utility"] = None
    draws: Annotated[Shares | None, "plays in which a player shares it with others"] = None
    length: PlayLengths | None = None
    branching: Annotated[float | None, "the mean number of actions to choose from; null: nobody chose"] = ABSENT


class PlayoutsAnswer(PlayoutFigures, AnswerRecord):
    """Statistics of random plays, with the schema's number."""


class RuleOfPlays(AnswerPart):
    """An action, the number of plays in which it was possible, and of those in which it was chosen."""

    name: str
    line: Count
    possible: Count
    happened: Count


class EndOfPlays(AnswerPart):
    """A terminal line, and the number of plays that it ended."""

    line: Count
    plays: Count


class PlayedFile(AnswerPart, kw_only=True):
    """A game file."""

    file: str


class PlaysOfFile(PlayedFile, PlayoutFigures, kw_only=True):
    """Statistics of random plays of a file's game, and the use of its rules in some of them."""

    looked_at: Annotated[Count | None, "the plays whose rules were counted"] = None
    rules: Sequence[RuleOfPlays] | None = None
    ends: Sequence[EndOfPlays] | None = None

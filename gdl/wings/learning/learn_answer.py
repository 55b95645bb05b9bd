"""The answer of `gdl learn` as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from gdl.formats.answer_kinds import AnswerPart, AnswerRecord, Count


class LearningPointAnswer(AnswerPart):
    """How good a net was after a number of games of learning: which share of pairs of positions it puts in the right
    order, and half the width of its 95% interval."""

    games: Count
    right: float
    error: float


class LearningMatchAnswer(AnswerPart):
    """The result of a match of the learned evaluation against the one that the game had."""

    games: Count
    won: Count
    drawn: Count
    lost: Count
    gain: float
    interval: tuple[float, float]
    stronger: bool


class LearnAnswer(AnswerRecord, kw_only=True):
    """An evaluation that was learned: from how many games, how large it is, and the match that tested it (null:
    none)."""

    games: Count
    model: Literal["linear", "tuples", "net"] | None = None
    patterns: Count | None = None
    numbers: Count | None = None
    match: LearningMatchAnswer | None
    replaced: Annotated[bool | None, "the net is another than the first"] = None
    curve: Sequence[LearningPointAnswer] | None = None

"""The answer of `gdl learn` as JSON."""

from __future__ import annotations

from typing import Literal

from gdl.formats.answer_kinds import AnswerPart, AnswerRecord, Count


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
    model: Literal["linear", "tuples"] | None = None
    patterns: Count | None = None
    numbers: Count | None = None
    match: LearningMatchAnswer | None

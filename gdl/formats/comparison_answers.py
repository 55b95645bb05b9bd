"""Answers that set side by side: solvers, of `gdl compare`, and contestants, of `gdl match --round-robin`."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.formats.answer_kinds import AnswerPart, AnswerRecord, ByPlayer, Count, Names
from gdl.formats.answer_records import MatchForfeit


class ComparedRun(AnswerPart):
    """A run of a solver on a game: its answer, seconds, and bytes of memory (null: the system does not tell); `note`
    says how a search of the user's own was judged, what stopped it, or why there is no answer."""

    game: str
    solver: str
    value: ByPlayer | None
    best: str | None
    exact: bool
    nodes: Count | None
    seconds: float
    memory: Count | None
    note: str | None = None


class CompareAnswer(AnswerRecord):
    """Solvers side by side."""

    runs: Sequence[ComparedRun]


class TableRow(AnswerPart):
    """The results of a contestant in all its games, and its strength relative to the others."""

    contestant: str
    won: Count
    drawn: Count
    lost: Count
    elo: float
    interval: tuple[float, float]


class PairAnswer(AnswerPart):
    """The results of the first of two contestants against the second."""

    contestants: Names
    won: Count
    drawn: Count
    lost: Count


class RoundRobinAnswer(AnswerRecord):
    """The table of a tournament, the strongest first."""

    game: str
    games: Count
    table: Sequence[TableRow]
    pairs: Sequence[PairAnswer]
    forfeits: Sequence[MatchForfeit] | None = None

"""Answers about ways to play: contestants, of `gdl match`; solvers, of `gdl compare`; and moves, of `gdl analyse`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from gdl.formats.answer_kinds import Amount, AnswerPart, AnswerRecord, ByPlayer, Count, Names, Texts

Mark = Literal["", "?!", "?", "??"]
Decided = Literal["higher", "lower"]


class MatchForfeit(AnswerPart):
    """A game of a match that a program gave up, and why."""

    game: Count
    contestant: str
    reason: str


class ContestantWork(AnswerPart):
    """The work of a contestant: the moves that it looked for, its nodes and its processor time; for how many of these
    moves its search found nothing (`unfound`), and in how many the clock ended it (`late`)."""

    contestant: str
    moves: Count
    nodes: Count
    seconds: float
    unfound: Count
    late: Count


class SprtAnswer(AnswerPart):
    """The state of a sequential probability ratio test between two differences in Elo; `decided` null: not yet."""

    elo: tuple[float, float]
    likelihood: float
    decided: Decided | None


class MatchAnswer(AnswerRecord):
    """The result of a match, seen by the first of the two contestants."""

    game: str
    contestants: Names
    games: Count
    won: Count
    drawn: Count
    lost: Count
    score: float
    interval: tuple[float, float]
    gain: float
    sprt: SprtAnswer | None = None
    forfeits: Sequence[MatchForfeit] | None = None
    work: Sequence[ContestantWork] = ()


class MoveJudgement(AnswerPart):
    """A move and its mark: `cost` is the loss against the best move, `worth` the worth of the best move, both to the
    player who moved. null: not known."""

    ply: Count
    player: str
    action: str
    mark: Mark
    exact: bool
    cost: Amount | None
    best: str | None
    worth: Amount | None


class AnalyseAnswer(AnswerRecord):
    """A play with every move judged."""

    game: str
    actions: Names
    result: str
    moves: Sequence[MoveJudgement]


class ComparedRun(AnswerPart):
    """A run of a solver on a game: its answer, the seconds of its search, those of the game's `preparation`, and bytes
    of memory (null: the system does not tell); `note` says how a search of the user's own was judged, what stopped it,
    or why there is no answer. It is the run of the median time of so many `repeats`; `spread` has the least and the
    most time."""

    game: str
    solver: str
    value: ByPlayer | None
    best: str | None
    exact: bool
    nodes: Count | None
    seconds: float
    preparation: float | None
    memory: Count | None
    note: str | None = None
    repeats: Count = 1
    spread: tuple[float, float] | None = None


class CompareAnswer(AnswerRecord):
    """Solvers side by side, and the versions and the machine that they ran on."""

    machine: Texts
    runs: Sequence[ComparedRun]


class BenchRow(AnswerPart):
    """A command of a suite: what its answer has, and its processor time; whether the stored answer is the `same`, and
    how many `times` as fast it was (null: none is stored). In the suite `peers`: the other program, its time over ours
    (null: it is not there), and what is missing or differs."""

    suite: str
    command: str
    found: Annotated[Mapping[str, Any], "of the answer to `command --json`"]
    seconds: float
    same: bool | None = None
    times: float | None = None
    peer: str | None = None
    ratio: float | None = None
    note: str | None = None


class BenchAnswer(AnswerRecord):
    """Suites of commands, run on this machine, beside results stored on another."""

    machine: Texts
    against: Texts
    rows: Sequence[BenchRow]


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
    work: Sequence[ContestantWork] = ()

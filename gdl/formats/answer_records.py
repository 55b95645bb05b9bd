"""Answers of commands with --json: a frozen record for each, from which its JSON and its schema follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from gdl.formats.answer_kinds import Amount, AnswerPart, AnswerRecord, ByPlayer, Count, Counts, Names, Texts
from gdl.formats.solve_answer import SolveAnswer, SweepAnswer

Mark = Literal["", "?!", "?", "??"]
Decided = Literal["higher", "lower"]


class PerftAnswer(AnswerRecord):
    """Sequences of a length; those after each first action. What is not complete is of shorter ones."""

    depth: Count
    count: Count
    divide: Counts | None = None
    complete: Literal[False] | None = None


class StatesAnswer(AnswerRecord):
    """The reachable states; `depth` has those that appear first at each ply."""

    states: Count
    terminal: Count
    edges: Count
    depth: Sequence[Count]
    symmetries: Count = 0
    complete: Literal[False] | None = None


class HistoriesAnswer(AnswerRecord):
    """The histories of the unmerged tree."""

    histories: Count
    terminal: Count
    chance: Count
    decision: Counts
    infosets: Counts
    complete: Literal[False] | None = None


class MatchForfeit(AnswerPart):
    """A game that a program gave up."""

    game: Count
    contestant: str
    reason: str


class UnfoundMoves(AnswerPart):
    """In how many of its moves a contestant's search found nothing."""

    contestant: str
    moves: Count
    of: Count


class SprtAnswer(AnswerPart):
    """What the games decide between two differences in Elo."""

    elo: tuple[float, float]
    likelihood: float
    decided: Decided | None


class MatchAnswer(AnswerRecord):
    """The score of the first of two contestants."""

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
    unfound: Sequence[UnfoundMoves] | None = None


class MoveJudgement(AnswerPart):
    """A move: what it cost its player beside the best one, with the mark for that; the worth is that of the best move,
    to the player. None: it is not known."""

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


class VerifierFinding(AnswerPart):
    """What a check has found of some fields of an answer; None: it was not checked."""

    ok: bool | None
    fields_: Names
    text: str


class VerifyAnswer(AnswerRecord):
    """Whether a saved answer holds."""

    ok: bool
    verdict: str
    findings: Sequence[VerifierFinding]


class BookAnswer(AnswerRecord):
    """What a book says of the start; of the positions `searched` it has all that follows."""

    game: str
    positions: Count
    searched: Count
    proved: Count
    value: ByPlayer | None
    exact: bool
    line: Names
    file: str | None


class NewAnswer(AnswerRecord):
    """The file that was begun."""

    file: str


class GameSummary(AnswerPart):
    """A game that comes with gdl."""

    name: str
    summary: str


class GamesAnswer(AnswerRecord):
    """The games that come with gdl."""

    games: Sequence[GameSummary]


class VersionAnswer(AnswerRecord):
    """What is installed."""

    version: str
    python: str
    engine: str
    extras: Texts


ANSWERS: Mapping[str, tuple[type[AnswerRecord], ...]] = {  # by command; of several each is a way to answer
    "solve": (SolveAnswer, SweepAnswer),
    "perft": (PerftAnswer,),
    "states": (StatesAnswer, HistoriesAnswer),
    "match": (MatchAnswer,),
    "analyse": (AnalyseAnswer,),
    "verify": (VerifyAnswer,),
    "book": (BookAnswer,),
    "new": (NewAnswer,),
    "games": (GamesAnswer,),
    "version": (VersionAnswer,),
}

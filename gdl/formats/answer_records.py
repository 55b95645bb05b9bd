"""What commands print with --json: a frozen record for each answer, from which its JSON and its schema follow.

A key is a field (`fields_` is the key `fields`). One with a default is left out of the JSON where it has that; every
other is always there, and null where it is None. The definitions of parts that several answers share (`Count` and its
like) stand in answers.schema.json, as do those of the answers that have no record yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal

from gdl.numbers import to_json
from gdl.record import Record

Count = Annotated[int, "count"]
Counts = Annotated[Mapping[str, int], "counts"]
Names = Annotated[Sequence[str], "names"]
Texts = Annotated[Mapping[str, str], "texts"]
ByPlayer = Annotated[Mapping[str, Any], "by_player"]
Mark = Literal["", "?!", "?", "??"]
Decided = Literal["higher", "lower"]
Exact = Annotated[Any, "number"]  # a whole number, or a fraction


class AnswerRecord(Record):
    """An answer, or a part of one."""

    def to_object(self) -> dict[str, Any]:
        """As JSON has it."""
        kind = type(self)
        return {
            name.rstrip("_"): to_plain(value)
            for name, value in vars(self).items()
            if not (hasattr(kind, name) and getattr(kind, name) == value)
        }


def to_plain(value: Any) -> Any:
    """A value of an answer as JSON has it: records and mappings as objects, fractions as text."""
    if isinstance(value, AnswerRecord):
        return value.to_object()
    if isinstance(value, Mapping):
        return {key: to_plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(one) for one in value]
    return to_json(value) if isinstance(value, Fraction) else value


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


class MatchForfeit(AnswerRecord):
    """A game that a program gave up."""

    game: Count
    contestant: str
    reason: str


class UnfoundMoves(AnswerRecord):
    """In how many of its moves a contestant's search found nothing."""

    contestant: str
    moves: Count
    of: Count


class SprtAnswer(AnswerRecord):
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


class MoveJudgement(AnswerRecord):
    """A move: what it cost its player beside the best one, with the mark for that; the worth is that of the best move,
    to the player. None: it is not known."""

    ply: Count
    player: str
    action: str
    mark: Mark
    exact: bool
    cost: Exact | None
    best: str | None
    worth: Exact | None


class AnalyseAnswer(AnswerRecord):
    """A play with every move judged."""

    game: str
    actions: Names
    result: str
    moves: Sequence[MoveJudgement]


class VerifierFinding(AnswerRecord):
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


class GameSummary(AnswerRecord):
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

"""Answers about game files: problems, which every command prints that fails, `gdl check` and `gdl test`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from gdl.formats.answer_kinds import Amount, AnswerPart, AnswerRecord, Count, Kind, Names, Profile, Texts
from gdl.formats.playout_answers import PlaysOfFile

Difference = Literal["not-legal", "should-be-illegal", "payoff", "seen", "end"]
Place = Annotated[int, Kind("positive")]


class TextEdit(AnswerPart):
    """A range of a file, from a line and column to another, and the text to put in its place."""

    line: Place
    column: Place
    end_line: Place
    end: Annotated[Place, "the column behind its last character"]
    text: str


class ProblemAnswer(AnswerPart):
    """A problem. Line, column and end count from 1, and are null for a problem without a place."""

    code: Annotated[str, Kind("code"), "a word for its kind"]
    severity: Literal["error", "warning"]
    file: str | None
    line: Place | None
    column: Place | None
    end: Annotated[Place | None, "the column behind its last character in that line"]
    message: str
    help: str
    note: str | None = None
    play: Annotated[Names | None, "a play that leads to it"] = None
    edits: Annotated[Sequence[TextEdit] | None, "that mend it, where there is one way"] = None


class ProblemsAnswer(AnswerRecord):
    """The problems for which a command failed."""

    problems: Sequence[ProblemAnswer]


class EngineAnswer(AnswerPart):
    """The engine that plays a game; `because` is the part of the file that keeps the compiled engine from playing it
    (null: nothing does)."""

    name: Literal["wasm", "python", "interpreter"]
    because: ProblemAnswer | None


class LineShare(AnswerPart):
    """A line of the rules, and its share of the computing time."""

    line: Place
    share: Annotated[float, "on the engine that plays the game"]
    interpreter: Annotated[float, "on the interpreter"]


class CheckAnswer(AnswerRecord):
    """Problems of game files and the engine of each; with --play also what the plays of each game show, with --profile
    which lines take the time."""

    problems: Sequence[ProblemAnswer]
    plays: Sequence[PlaysOfFile] | None = None
    engine: Annotated[EngineAnswer | None, "of a single file without an error"] = None
    engines: Annotated[Mapping[str, EngineAnswer] | None, "of several files, by their names"] = None
    profile: Sequence[LineShare] | None = None


class FailedExpectation(AnswerPart):
    """An `expect` line that does not hold."""

    file: str
    line: Count
    expectation: str
    found: str


class FileCoverage(AnswerPart):
    """The number of guards, effects and ends of a file, and how many of them fired."""

    file: str
    parts: Count
    fired: Count


class IdlePart(AnswerPart):
    """A guard, effect or end that never fired."""

    file: str
    line: Count
    column: Count
    kind: str
    text: str


class PlayDifference(AnswerPart):
    """The first difference between recorded plays and the rules; plays and plies count from 1."""

    play: Count
    ply: Count
    kind: Difference
    line: Annotated[Place | None, "of the rules that made it"]
    message: str


class PlaysAnswer(AnswerRecord):
    """Recorded plays checked against the rules."""

    plays: Count
    first: Annotated[PlayDifference | None, "null: there is no difference"]


class ExpectationsAnswer(AnswerRecord, kw_only=True):
    """The results of the `expect` lines of game files."""

    games: Count
    expectations: Count
    failures: Count
    broken: Annotated[Count, "files that are wrong"]
    failed: Sequence[FailedExpectation]
    coverage: Sequence[FileCoverage] | None = None
    idle: Sequence[IdlePart] | None = None
    problems: Sequence[ProblemAnswer]


class AskAnswer(AnswerRecord):
    """The answer to a question; `answer` is null if a limit leaves it open, or if the question asks for a
    probability."""

    game: str
    question: str
    answer: Literal["yes", "no"] | None
    value: Annotated[Amount | None, "how probable it is"]
    interval: Annotated[tuple[Amount, Amount] | None, "what is proven of that"]
    exact: bool
    solver: str
    strategy: Profile | None
    play: Annotated[Names, "a play that shows it"]
    fingerprint: Annotated[str | None, "of the game"] = None
    settings: Annotated[Texts | None, "the parameters that were given values"] = None
    variant: Annotated[str | None, "of the file"] = None
    position: Annotated[str | None, "where it begins, in the game's notation"] = None
    after: Annotated[Names | None, "the actions after which it begins"] = None

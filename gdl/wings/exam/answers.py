"""Answers about exam trees: of `gdl quiz` and `gdl grade`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from gdl.formats.answer_kinds import Amount, AnswerPart, AnswerRecord, Count, Names, Texts
from gdl.formats.explain_answer import KeyAnswer

QuestionKind = str


class AskedItem(AnswerPart):
    """One item that a question asks for: the right answer, and others that count in full or in part."""

    item: str
    points: Amount
    right: str
    also: Annotated[Names, "right as well"]
    partly: Annotated[Names, "given half the points (of a list, where most of it is right)"]


class ExamQuestion(AnswerPart):
    """A question with its key."""

    kind: Annotated[QuestionKind, "search, open (for which numbers is it so?), equilibria, or as in FILE:KIND"]
    game: Annotated[str, "its file"]
    asked: Sequence[AskedItem]
    points: Amount


class SavedQuestion(ExamQuestion):
    """A question as saved for `gdl grade`: the text of its game, the search that it asks for, and that search's
    options."""

    solver: str
    options: Texts
    number: Count  # among those of its file


class ExerciseAnswer(ExamQuestion, AnswerRecord, kw_only=True):
    """A tree that `gdl quiz` made, with its questions and its key."""

    answers: KeyAnswer


ExerciseAnswers = Sequence[ExerciseAnswer]


class MarkAnswer(AnswerPart):
    """An item of the key, the student's answer to it, and its mark."""

    item: str
    given: Annotated[str | None, "null: nothing was given"]
    right: Annotated[str | None, "null: nothing is asked for"]
    correct: bool
    why: str
    points: Amount
    read: Annotated[str | None, "how it was read"]
    ambiguous: Annotated[Names, "readings between which the answer does not decide"]


class WrongItem(AnswerPart):
    """The first wrong item, in the order of the search."""

    item: str
    why: str


class GradeAnswer(AnswerRecord):
    """The marks of an exercise."""

    items: Sequence[MarkAnswer]
    score: Amount
    of: Annotated[Amount, "of as many points; what is ambiguous does not count"]
    first_wrong: WrongItem | None


class QuestionMark(MarkAnswer):
    """An item of a question of an exam, with its mark."""

    question: Count


class StudentMarks(AnswerPart):
    """The marks of one student."""

    name: str
    score: Amount
    of: Amount
    variant: Count
    is_guessed: Annotated[bool, "the student named no variant: it is that in which most is right"]
    items: Sequence[QuestionMark]


class LookAnswer(AnswerPart):
    """An answer that a person is to look at."""

    question: Count
    variant: Count
    item: Annotated[str, "empty if it was not read"]
    answer: str
    points: Annotated[Amount, "how many it may get"]
    students: Annotated[Count, "who gave it"]


class QuestionStatistics(AnswerPart):
    """How a class did in a question."""

    question: Count
    points: Amount
    difficulty: Annotated[float, "the mean share of its points"]
    discrimination: Annotated[float | None, "its correlation with the points of the other questions"]
    wrong: Annotated[Names, "the commonest wrong answers"]


class ClassAnswer(AnswerRecord):
    """The marks of a class for an exam."""

    students: Sequence[StudentMarks]
    look: Sequence[LookAnswer]
    questions: Sequence[QuestionStatistics]

"""A teacher's decisions on answers, kept beside the words of a course: a line `question 7, left: "A silent" = right`
for each different answer, which holds for all who wrote the same, with other blanks or capitals too. Without an item,
`question 1: "the rest goes" = read c2 c3`, it is on words that could not be read, and on what may stand there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from gdl.errors import Problem, Source, Span, WrongRequest, clean, count_text
from gdl.explain.names import fold
from gdl.game import Number, exact
from gdl.numbers import read_number
from gdl.wings.exam.answers import LookAnswer
from gdl.wings.exam.grade import GradeReport, Mark, decimal_text, may_stand_there, unread_phrases
from gdl.wings.exam.phrases import NO_ISOLATES, Words, is_decision

_DECIDED, _HEAD = "decided by hand", "# Please look at "
_OPEN = re.compile(rf'^(?:{_HEAD}[\d,]+ answers?;.*|question .*(?<!\\)" = \?[ \t]*(?:#.*)?)\r?$\n?', re.MULTILINE)
_LINE = re.compile(
    r'\s*question\s+(?P<question>\d{1,4})(?:,\s*variant\s+(?P<variant>\d{1,4}))?(?:,\s*(?P<item>[^"]*[^":\s]))?\s*'
    r'(?::\s*(?:"(?P<answer>(?:[^"\\]|\\.)*)"\s*(?:=\s*(?P<said>[^#\s][^#]*)(?:#.*)?$)?)?)?',
    re.IGNORECASE,
)
_SHAPE = 'write it as in: question 7, left: "A silent" = right'
_VERDICTS = "write right, wrong, points such as 1.5, or what it means, as in: read cut: c2 c3"

Judge = Callable[[str], GradeReport]
Look = tuple[int, int, str, str]  # question, variant, item and answer, as `look_at` gives them


class Decision(NamedTuple):
    """The points for an answer (None: all), or what it is to be read as, and the place where that is said."""

    points: Number | None
    reading: str
    place: Span

    @property
    def why(self) -> str:
        return f"read by hand as {self.reading}" if self.reading else _DECIDED

    def refuse(self, message: str, help: str) -> WrongRequest:
        return WrongRequest(Problem(message, self.place, help=help))


def look_at(question: int, variant: int, item: str, answer: str) -> Look:
    """The place of an answer, in the form in which places are compared."""
    plain = re.sub(r"\s*([=:,;<>]+)\s*", r"\1", fold(clean(" ".join(answer.split()))))
    return question, variant, item.replace('"', "'"), plain.rstrip(" .!") or plain


def read_decisions(course: Source) -> dict[Look, Decision]:
    """The decisions in the words of a course. Raises WrongRequest with all lines that are none."""
    found, problems = dict[Look, Decision](), list[Problem]()
    for line in re.finditer(r"[^\r\n]+", course.text):
        whole, said = Span(course, *line.span()), _LINE.match(line[0])
        verdict = ((said and said["said"]) or "").rstrip()
        if verdict == "?" or not is_decision(line[0]):
            continue
        if not said or not verdict:
            rest = whole.part(said.end() if said else 0, len(line[0].rstrip()))
            problems.append(Problem("this line cannot be read from here on", rest, help=_SHAPE))
            continue
        answer = re.sub(r"\\(.)", r"\1", said["answer"])
        look = look_at(int(said["question"]), int(said["variant"] or 1), said["item"] or "", answer)
        place = whole.part(said.start("said"), said.start("said") + len(verdict))
        made = _read_verdict(verdict, place)
        if made is None:
            problems.append(Problem(f"'{clean(verdict)}' is no decision", place, help=_VERDICTS))
        elif found.setdefault(look, made) is not made:
            told = f"line {found[look].place.line} decides on this answer too"
            problems.append(Problem(told, whole, help="take one of the two lines out"))
    if problems:
        raise WrongRequest(*problems)
    return found


def _read_verdict(said: str, place: Span) -> Decision | None:
    if reading := re.fullmatch(r'read(?:\s+as)?[\s:]+("?)(.*\S)\1', said, re.IGNORECASE):
        return Decision(None, reading[2], place)
    try:
        word = re.sub(r"(?<![^\W\d])points?$", "", said.casefold().replace(",", ".")).rstrip()
        points = {"right": None, "wrong": 0}[word] if word in ("right", "wrong") else read_number(word)
    except ValueError:
        return None
    return Decision(points, "", place) if points is None or points >= 0 else None


@dataclass(frozen=True)
class Decisions:
    """Decisions, by what they are on."""

    made: Mapping[Look, Decision]

    def mark(self, judge: Judge, text: str, question: int = 1, variant: int = 1) -> GradeReport:
        """The marks that `judge` gives a text, with the decisions on its items, and on what was not read."""
        found = judge(text)
        said = {one: self.made.get(look_at(question, variant, "", one)) for one in unread_phrases(found.marks)}
        worth = worth_of(filter(may_stand_there, found.marks))
        for one in (mark for mark in found.marks if mark.ambiguous and mark.given and mark.right is not None):
            own = self.made.get(look_at(question, variant, one.item, one.given or ""))
            said |= {one.given or "": own} if own and own.reading else {}  # which may answer other items, too
        marks = []
        for mark in found.marks:
            looks = (look_at(question, variant, item, mark.given or "") for item in (mark.item, ""))
            own = next(filter(None, map(self.made.get, looks)), None)
            if may_stand_there(mark) and said and None not in said.values():
                mark = _decide_mark(judge, mark, list(filter(None, said.values())), "; ".join(said), worth)
            elif own and mark.given and mark.right is not None:
                mark = _decide_mark(judge, mark, [own], mark.given, mark.worth)
            elif on_phrase := next(filter(None, map(said.get, unread_phrases([mark]))), None):
                mark = replace(mark, why=on_phrase.why, by_hand=True)
            marks.append(mark)
        return replace(found, marks=tuple(marks), first_wrong=found.first_wrong if found.first_wrong in marks else None)


def _decide_mark(judge: Judge, mark: Mark, made: Sequence[Decision], given: str, worth: Number) -> Mark:
    """The mark of an item by decisions on what was `given`, which is worth so many points together with other items."""
    decided = replace(mark, why=_DECIDED, mistake=_DECIDED, ambiguous=(), by_hand=True)
    for one in made:
        if one.reading:
            texts = (one.reading, f"{mark.item.removesuffix(' window')}: {one.reading}")[: 1 + bool(mark.given)]
            read = [again for text in texts for again in judge(text).marks if again.given and again.right is not None]
            if all(again.ambiguous for again in read):
                told = f"'{clean(one.reading)}' cannot be read as an answer"
                raise one.refuse(told, "write it in the form of the key, or decide by points")
            for again in read:
                if again.item == mark.item and not again.ambiguous:
                    why = "; ".join(filter(None, [one.why, again.why]))
                    return replace(again, given=given, read=one.reading, why=why, by_hand=True)
        elif one.points != 0:
            points = worth if one.points is None else one.points
            is_full = decimal_text(points) == decimal_text(worth)  # which is rounded where it is listed
            if points > worth and not (is_full or may_stand_there(mark)):  # others may miss more items
                raise one.refuse(f"this is worth {decimal_text(worth)} at most", "write no more than these")
            share = 1 if is_full or points > worth else exact(Fraction(points) / Fraction(worth))
            return replace(decided, given=given, share=share)
    return replace(decided, share=0, given=mark.given if any(one.reading for one in made) else given)


def worth_of(marks: Iterable[Mark]) -> Number:
    return exact(sum((Fraction(mark.worth) for mark in marks), Fraction(0)))


def open_answers(given: Iterable[tuple[int, int, GradeReport]]) -> list[LookAnswer]:
    """The different answers on which nobody has decided, from the marks for a question and variant; of several
    spellings that which most students have."""
    texts, worths = dict[Look, Counter[str]](), dict[Look, Number]()
    for question, variant, report in given:
        for item, answer, points in _open_items(report.marks):
            look = look_at(question, variant, item, answer)
            texts.setdefault(look, Counter())[" ".join(answer.split())] += 1
            worths[look] = max(points, worths.get(look, 0))
    usual = ((*look[:3], told.most_common(1)[0][0], worths[look], told.total()) for look, told in texts.items())
    return sorted((LookAnswer(*one) for one in usual), key=lambda one: (one.question, one.variant, -one.students))


def _open_items(marks: Sequence[Mark]) -> Iterator[tuple[str, str, Number]]:
    """The items that are unclear, with what was answered and their points; without an item what was not read."""
    waiting = list(filter(may_stand_there, marks))
    for said in unread_phrases(marks) if waiting else ():
        yield "", said, worth_of(waiting)
    for mark in marks:
        if mark.ambiguous and mark.given and mark.right is not None and mark not in waiting:
            yield mark.item, mark.given, mark.worth


def list_open(text: str, found: Sequence[LookAnswer]) -> str:
    """The words of a course with a line for each answer that is open; all other lines stay as they are."""
    kept, told = _OPEN.sub("", text), [f"{_HEAD}{count_text(len(found), 'answer')}; for ? {_VERDICTS}"]
    for one in found:
        variant = f", variant {one.variant}" if one.variant > 1 else ""
        item, quoted = f", {one.item}" if one.item else "", re.sub(r'(["\\])', r"\\\1", clean(one.answer))
        worth = f"{count_text(one.students, 'student')}, of {decimal_text(one.points)}"
        told.append(f'question {one.question}{variant}{item}: "{quoted}" = ?  # {worth}')
    above = [kept.rstrip(), ""] if kept.strip() else []
    end = "\r\n" if "\r\n" in text else "\n"
    return end.join([*above, *told, ""]) if found else kept


def look_text(found: Sequence[LookAnswer], words: Words) -> str:
    """A request to look at the answers that are open, which stand in the words' file, if they have one."""
    file = words.course.name
    deed = words.why("look file", file=clean(file)) if file else words.why("look nowhere")
    return words.why_of("look", len(found), deed=deed).translate(NO_ISOLATES) if found else ""

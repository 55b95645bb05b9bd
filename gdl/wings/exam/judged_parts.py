"""Parts of a question, each with the right answer and its judge: a number, one name or several, names in an order, the
ends of a window, or anything that a check accepts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any, NamedTuple

from gdl.explain.names import fold
from gdl.game import Number, exact
from gdl.numbers import read_number, to_text
from gdl.solution import Rule
from gdl.wings.exam.answers import AskedItem
from gdl.wings.exam.grade import half_if_mostly_right, same_amount, same_end
from gdl.wings.exam.phrases import Words, in_all_languages
from gdl.wings.exam.reading import hanzi_figure, is_nothing
from gdl.wings.exam.student_phrases import phrases_heard
from gdl.wings.exam.window_texts import window_ends, window_text

Judge = Callable[[str], Number | None]  # the share of a text that is right; None: it cannot be read

_WORD = re.compile(r'"[^"]*"|[^\s,;:|()"]+\([^()]*\)|[^\s,;:|]+')  # the second are actions such as take(2, 1)
_FIGURE = re.compile(r"(?<![\w.])[-+]?(?:\d+/\d+|\d*\.\d+|\d+)")
_ROOT = re.compile(r"(?<![\w.)])(?:sqrt|√)\s*(\()?\s*(\d{1,9}(?:\.\d{1,9}|/[1-9]\d{0,8})?)(?(1)\s*\))", re.IGNORECASE)
_FILLERS = frozenset("and und και 和 và و or oder then dann the is as -> => =".split())
_HYPHEN = re.compile(r"(?<=\w)-(?=[^\W\d])|(?<=\d)-(?=\d)")
_NUMBERING = re.compile(r"(?<!\S)\d+[.)]\s+(?=[^\d\s])")
_NOT = frozenset("not no nicht kein keine".split())
_NEEDLESS = re.compile(r"(?is)\((?:under|below|at|of|from|nim-sum) [^()]*\)|\b(?:because|since|weil|denn)\b.*")


class Part(NamedTuple):
    """One item of a question: its name, the right answer, and its judge; the phrase (`label`) under which it stands on
    a sheet, with the `fields` filled in; other answers that count in full (`also`) or half (`partly`); the points.
    `check` describes the judge as data, for a page that marks (gdl/wings/exam/practice.js); if it is empty, the page
    compares only with the right answers."""

    item: str
    right: str
    judge: Judge
    label: str
    fields: Mapping[str, str] = {}
    also: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    points: Number = 1
    table: tuple[tuple[str, ...], ...] = ()  # the right answer as rows, if it is shown as a table
    check: Mapping[str, Any] = {}

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings under which a student may write the answer."""
        more = ("Never looked at",) if self.label == "cut" else ()
        return (self.item, *more, *(told.format(**self.fields) for told in in_all_languages(self.label)))

    def key_text(self, words: Words) -> str:
        """The right answer as the key shows it, in the language of `words`."""
        known = self.right in ("always", "sometimes", "never", "draw", "none")
        return words[self.right] if known else words.condition(self.right)

    def to_item(self) -> AskedItem:
        return AskedItem(self.item, self.points, self.right, self.also, self.partly)


def words_in(text: str) -> list[str]:
    """The words of an answer in the form in which they are compared, without filler words."""
    found = [word.strip("\"'.[]{}") for word in _WORD.findall(text)]
    words = [plain(word if re.fullmatch(r"[^()]+\([^()]*\)", word) else word.strip("()")) for word in found]
    return [word for word in words if word and word not in _FILLERS]


def plain(name: str) -> str:
    """The name in the form in which names are compared; spaces after the commas of its arguments are dropped."""
    return fold(name).replace(", ", ",")


def _figure(word: str) -> str:
    """The word as a number in its usual spelling, if it is one; else unchanged."""
    try:
        return to_text(read_number(word))
    except ValueError:
        return word


class Task(NamedTuple):
    """The parts of a question, the fields of its text, and the rule and solver of its search, if it has one."""

    parts: Sequence[Part]
    fields: Mapping[str, str] = {}
    rule: Rule | None = None
    solver: str = ""


def number(
    item: str, right: Number | None, label: str, fields: Mapping[str, str] = {}, nothing: Sequence[str] = ()
) -> Part:
    """A part whose answer is a number. If `right` is None there is none, which may be said by the words `nothing`
    too."""
    words = [fold(word) for word in (*in_all_languages("none"), *nothing)]

    def judge(text: str) -> Number | None:
        said = re.sub(r"([-+])\s+(?=\d)|(?<=[=≈])", r"\1 ", re.sub(r"(?<!\d)(\d+),(\d+)(?!\d)", r"\1.\2", text))
        said = _ROOT.sub(lambda found: f"{sqrt(Fraction(found[2])):.6f}", hanzi_figure(re.split("[=≈]", said)[-1]))
        figures = _FIGURE.findall(said)
        if right is None:
            return int(is_nothing([text.strip()]) or fold(text).strip(" .") in words)
        return None if len(set(figures)) != 1 else int(same_amount(figures[0], right))

    check = {"check": "number", "right": None if right is None else to_text(right), "nothing": words}
    told = "none" if right is None else f"{float(right):.2f}" if Fraction(right).denominator > 10**9 else to_text(right)
    return Part(item, told, judge, label, fields, check=check)


def one_of(
    item: str,
    rights: Sequence[str],
    label: str,
    fields: Mapping[str, str] = {},
    alike: Sequence[str] = (),
    read: Callable[[str], str] = str,
    among: Sequence[str] = (),
) -> Part:
    """A part whose answer is one of the names `rights`, or of the phrases `alike` that mean the same; phrases of ours
    may be written in any language. An answer is first `read` as a name; one that is not `among` these is unclear."""
    names = {plain(told) for right in rights for told in (right, *_translations(right), *alike)}
    others = {*map(plain, among)}

    def judge(text: str) -> Number | None:
        text = read(_NEEDLESS.sub("", text))
        words = words_in(text)
        said = _without_fillers(words, names | others) or (words if len(words) == 1 else [])
        told, wrong = plain(text.strip(" .")), others or said
        if told in names or (said and names.issuperset(said)):
            return 1
        return 0 if _NOT.isdisjoint(said) and (told in wrong or (len(said) == 1 and said[0] in wrong)) else None

    check = {"check": "one", "right": sorted(names)}
    return Part(item, rights[0] if rights else "none", judge, label, fields, tuple(rights[1:]), check=check)


def is_strange(words: Collection[str], known: Collection[str]) -> bool:
    """True if some of the words are neither known nor look like numbers or the names of actions."""
    return any(word not in known and len(word) > 2 and word.isalpha() for word in words)


def _without_fillers(words: Sequence[str], names: Collection[str]) -> list[str]:
    """The words without those that say nothing in an answer, unless they are among the `names`."""
    return [word for word in words if word in names or word not in filler_words()]


@cache
def filler_words() -> frozenset[str]:
    """Words that say nothing in an answer."""
    return frozenset(word for phrase in phrases_heard()["lone"] for word in phrase.casefold().split())


def _translations(word: str) -> tuple[str, ...]:
    return in_all_languages(word) if word in ("always", "sometimes", "never", "draw", "none") else ()


def several(
    item: str, rights: Collection[str], label: str, beside: Collection[str] = (), alike: Collection[str] = ()
) -> Part:
    """A part whose answer is the set of the names `rights`, in any order, or a phrase of those `alike`; half the points
    if as many are right as wrong. Names in `beside` may be written, too, and change nothing."""
    due, beside = {plain(right) for right in rights}, {plain(name) for name in beside}

    def judge(text: str) -> Number | None:
        if fold(text.strip(" .")) in map(fold, alike):
            return 1
        said = set() if is_nothing([text.strip()]) else set(_without_fillers(words_in(text), due)) - (beside - due)
        if said != due and is_strange(said, due):
            return None
        return 1 if said == due else half_if_mostly_right(len(said & due), len(said ^ due))

    check = {"check": "several", "right": sorted(due), "beside": sorted(beside - due)}
    return Part(item, " ".join(rights) or "none", judge, label, check=check)


def names_in_order(
    item: str,
    rights: Sequence[str],
    label: str,
    others: Sequence[Sequence[str]] = (),
    alike: Sequence[Sequence[str]] = (),
) -> Part:
    """A part whose answer is a sequence of names, `rights` or one of the sequences in `others`, or in `alike`, which
    name the same things in another way."""
    due = [[_figure(plain(name)) for name in some] for some in (rights, *others, *alike)]
    known = {name for some in due for name in some}

    def judge(text: str) -> Number | None:
        if ["none"] in due and is_nothing([text.strip(" .")]):
            return 1
        shares = list[int | None]()
        for one in re.split(r"\s+or\s+", _NUMBERING.sub("", _NEEDLESS.sub("", text))):
            words = _without_fillers(words_in(one), known)
            said = [_figure(each) for word in words for each in ([word] if word in known else _HYPHEN.split(word))]
            shares.append(1 if said in due else None if not said or is_strange(said, known) else 0)
        clear = [share for share in shares if share is not None]
        return min(clear) if len(clear) == len(shares) else None

    also, check = tuple(" ".join(one) for one in others), {"check": "order", "right": due}
    return Part(item, " ".join(rights), judge, label, {}, also, check=check)


def window(item: str, ends: tuple[Number | None, Number | None], label: str, fields: Mapping[str, str]) -> Part:
    """A part whose answer is the two ends of a window; half the points for one right end."""

    def judge(text: str) -> Number | None:
        said = list(re.findall(r"[-+]?(?:inf(?:inity)?\b|[\d./]*\d)", text.casefold()))
        if len(said) != 2:
            return None
        return exact(Fraction(sum(same_end(said[end], ends[end], end) for end in (0, 1)), 2))

    check = {"check": "window", "right": window_ends(ends)}
    return Part(item, window_text(ends), judge, label, fields, check=check)

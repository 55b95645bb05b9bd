"""The words of an exam sheet, in the languages that it can be printed in: a file `words/LANGUAGE.txt` for each, in
which every line is `name = phrase`; a course puts its own in their place by a file of such lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Formatter

from gdl.errors import Problem, Source, Span, WrongRequest, clean, listing, nearest

LANGUAGES = ("en", "de", "el", "zh", "vi", "fa")
RIGHT_TO_LEFT = ("fa",)
_SIGN, _PAGE, _PRACTICE = "legend: ", "page: ", "practice: "  # before a phrase whose English words stand after it
_NO_COURSE = Source("", "")
NO_ISOLATES = dict.fromkeys(map(ord, "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"))  # for what shows none


@cache
def phrases(language: str) -> Mapping[str, str]:
    """All phrases of a language, by name."""
    text = files("gdl.wings.exam").joinpath(f"words/{language}.txt").read_text(encoding="utf-8")
    return dict(line.split(" = ", 1) for line in text.splitlines())


@dataclass(frozen=True)
class Words:
    """The words of a sheet in a language; the phrases in `own`, from the file of a `course`, replace ours."""

    language: str = LANGUAGES[0]
    own: Mapping[str, str] = field(default_factory=dict)
    course: Source = _NO_COURSE

    @property
    def direction(self) -> str:
        return "rtl" if self.language in RIGHT_TO_LEFT else "ltr"

    def __getitem__(self, name: str) -> str:
        return self.own[name] if name in self.own else phrases(self.language)[name]

    def say(self, name: str, **parts: str) -> str:
        """The phrase of that name with its parts filled in."""
        return self[name].format(**parts)

    def search(self, solver: str) -> str:
        """The name of a search in lectures; the solver's own name if there is no such phrase."""
        return self[f"solver {solver}"] if f"solver {solver}" in phrases(self.language) else solver

    def why(self, name: str, **parts: str) -> str:
        """The reason of that name (the phrase `why NAME`) with its parts filled in."""
        return self.isolate_parts(self[f"why {name}"]).format(**parts)

    def why_of(self, name: str, count: int, **parts: str) -> str:
        """The reason of that name for so many things; `why NAME one`, if it is only one."""
        return self.why(f"{name} one" if count == 1 else name, **parts, count=f"{count:,}")

    def crossing(self, text: str) -> str:
        """The text on how a window was crossed, `2 <= alpha 3 from B`, in these words; any other text unchanged."""
        found = re.fullmatch(r"(\S+ [<>]=?) (alpha|beta) (\S+)(?: from (.+))?", text)
        if found is None:
            return text
        own, end, limit, source = found.groups()
        told = f"{own} {self[end]} {limit}"
        return self.why("from", crossing=told, source=source) if source else told

    def isolate_parts(self, text: str) -> str:
        """The phrase; in a language written from right to left, with marks around its placeholders, so that what is
        filled in keeps its own direction."""
        isolated = "\N{FIRST STRONG ISOLATE}\\g<0>\N{POP DIRECTIONAL ISOLATE}"
        return re.sub(r"\{\w+\}", isolated, text) if self.direction == "rtl" else text

    def in_our_words(self, text: str) -> str:
        """The student's text, with the course's headings replaced by ours."""
        for name, told in filter(all, self.own.items()):
            ours = phrases(self.language).get(name, told)
            text = re.sub(rf"^(\s*){re.escape(told)}(?=\s*[:=])", rf"\g<1>{ours}", text, flags=re.I | re.M)
        return text

    def list(self, items: Sequence[str]) -> str:
        """The items as a list in words, `a, b and c`."""
        return listing(items, self["and"])

    def condition(self, text: str) -> str:
        """The condition, or the list, with `and`, `or` and `none` in this language."""
        return " ".join(self[word] if word in ("and", "or", "none") else word for word in text.split(" "))

    @property
    def legend(self) -> Mapping[str, str]:
        """The words of a picture in this language, by the English ones."""
        return self._by_english(_SIGN)

    @property
    def page(self) -> Mapping[str, str]:
        """The words of the page for playing in this language, by the English ones."""
        return self._by_english(_PAGE)

    @property
    def practice(self) -> Mapping[str, str]:
        """The words of the page for practice in this language, by the English ones; marks let what is filled in keep
        its own direction."""
        told = {**self.page, **self.legend, **self._by_english(_PRACTICE)}
        told |= {one: self[one] for one in ("chance", "none", "question")}
        return {name: self.isolate_parts(text) for name, text in told.items()}

    def _by_english(self, kind: str) -> Mapping[str, str]:
        told = {**phrases(self.language), **self.own}
        return {name.removeprefix(kind): text for name, text in told.items() if name.startswith(kind)}


ENGLISH = Words()


def read_words(language: str, text: str, name: str) -> Words:
    """The words of a language with those of a course, from a text of lines `name = phrase`. Raises WrongRequest
    with the lines whose name is none of a phrase, or in which a part is missing."""
    known, own, problems = phrases(language), dict[str, str](), list[Problem]()
    course = Source(name, text)
    for line in re.finditer(r"[^\r\n]+", text):
        key, equals, told = (part.strip() for part in line[0].partition("="))
        if not key or key.startswith("#") or is_decision(line[0]):
            continue
        place = Span(course, start := line.start() + line[0].index(key), start + len(key))
        if not equals or (key not in known and key not in phrases("de")):
            near = nearest(key, known)
            help = f"write '{near} = …'" if near else "gdl guide teachers says where they stand"
            problems.append(Problem(f"no phrase is called '{clean(key)}'", place, help=help))
        elif fields_of(told) != fields_of(known.get(key, "")):
            due = sorted(fields_of(known.get(key, "")))
            parts = " and ".join(f"{{{part}}}" for part in due) or "no parts in braces"
            problems.append(Problem(f"'{clean(key)}' has {parts}", place, help="write them as they are"))
        own[key] = clean(told)
    if problems:
        raise WrongRequest(*problems)
    return Words(language, own, course)


def is_decision(line: str) -> bool:
    """True for a line that is to be a decision on an answer, `question 7, left: "A silent" = right`, rightly written or
    not."""
    return re.match(r'\s*question\s+\d|\s*[^=#\s][^=#]*:\s*"', line, re.IGNORECASE) is not None


def fields_of(text: str) -> set[str]:
    """The placeholders of a phrase as written, with their format; `{` alone if the phrase is malformed."""
    try:
        parts = [part for part in Formatter().parse(text) if part[1] is not None]
        return {f"{name}{form and ':' + form}{(turned and '!' + turned) or ''}" for _, name, form, turned in parts}
    except ValueError:
        return {"{"}


def in_all_languages(name: str) -> tuple[str, ...]:
    """The phrase of that name in every language, for reading students' answers."""
    return tuple(phrases(language)[name] for language in LANGUAGES)

"""The words of an exam sheet, in the languages that it can be printed in: a file `words/LANGUAGE.txt` for each, in
which every line is `name = phrase`; a course puts its own in their place by a file of such lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Formatter

from gdl.errors import WrongRequest, clean, listing, nearest

LANGUAGES = ("en", "de", "el", "zh", "vi", "fa")
RIGHT_TO_LEFT = ("fa",)
_SIGN, _PAGE, _PRACTICE = "legend: ", "page: ", "practice: "  # before a phrase whose English words stand after it


@cache
def phrases(language: str) -> Mapping[str, str]:
    """All phrases of a language, by name."""
    text = files("gdl.exam").joinpath(f"words/{language}.txt").read_text(encoding="utf-8")
    return dict(line.split(" = ", 1) for line in text.splitlines())


@dataclass(frozen=True)
class Words:
    """The words of a sheet: those of a language, but where a course has its `own`."""

    language: str = LANGUAGES[0]
    own: Mapping[str, str] = field(default_factory=dict)

    @property
    def direction(self) -> str:
        return "rtl" if self.language in RIGHT_TO_LEFT else "ltr"

    def __getitem__(self, name: str) -> str:
        return self.own[name] if name in self.own else phrases(self.language)[name]

    def say(self, name: str, **parts: str) -> str:
        """The phrase with its parts filled in."""
        return self[name].format(**parts)

    def search(self, solver: str) -> str:
        """A search by the name that lectures give it."""
        return self[f"solver {solver}"] if f"solver {solver}" in phrases(self.language) else solver

    def why(self, name: str, **parts: str) -> str:
        """The reason of that name with its parts filled in."""
        return self.isolate_parts(self[f"why {name}"]).format(**parts)

    def crossing(self, text: str) -> str:
        """How a window was crossed, `2 <= alpha 3 from B`, in these words; another text as it is."""
        found = re.fullmatch(r"(\S+ [<>]=?) (alpha|beta) (\S+)(?: from (.+))?", text)
        if found is None:
            return text
        own, end, limit, source = found.groups()
        told = f"{own} {self[end]} {limit}"
        return self.why("from", crossing=told, source=source) if source else told

    def isolate_parts(self, text: str) -> str:
        """A phrase whose parts stand from left to right if they begin so, also where it runs from right to left."""
        return (
            re.sub(r"\{\w+\}", "\N{FIRST STRONG ISOLATE}\\g<0>\N{POP DIRECTIONAL ISOLATE}", text)
            if self.direction == "rtl"
            else text
        )

    def in_our_words(self, text: str) -> str:
        """The text of a student, with our headings in place of those of the course."""
        for name, told in filter(all, self.own.items()):
            ours = phrases(self.language).get(name, told)
            text = re.sub(rf"^(\s*){re.escape(told)}(?=\s*[:=])", rf"\g<1>{ours}", text, flags=re.I | re.M)
        return text

    def list(self, items: Sequence[str]) -> str:
        """`a, b and c`."""
        return listing(items, self["and"])

    def condition(self, text: str) -> str:
        """A condition, or a list that may be empty, with the words between its parts in this language."""
        return " ".join(self[word] if word in ("and", "or", "none") else word for word in text.split(" "))

    @property
    def legend(self) -> Mapping[str, str]:
        """The words of a picture, by the English ones."""
        return self._by_english(_SIGN)

    @property
    def page(self) -> Mapping[str, str]:
        """The words of the page to play on, by the English ones."""
        return self._by_english(_PAGE)

    @property
    def practice(self) -> Mapping[str, str]:
        """The words of the page to practise on, by the English ones; what is filled in keeps its own direction."""
        told = {
            **self.page,
            **self.legend,
            **self._by_english(_PRACTICE),
            **{one: self[one] for one in ("chance", "none", "question")},
        }
        return {name: self.isolate_parts(text) for name, text in told.items()}

    def _by_english(self, kind: str) -> Mapping[str, str]:
        told = {**phrases(self.language), **self.own}
        return {name.removeprefix(kind): text for name, text in told.items() if name.startswith(kind)}


ENGLISH = Words()


def read_words(language: str, text: str, name: str) -> Words:
    """The words of a language with those of a course, from a text of lines `name = phrase`. Raises WrongRequest where
    there is no such phrase, or it lacks one of its parts."""
    known, own = phrases(language), dict[str, str]()
    for number, line in enumerate(text.splitlines(), start=1):
        key, equals, told = (part.strip() for part in line.partition("="))
        if not key or key.startswith("#"):
            continue
        where = f"line {number:,} of {clean(name)}"
        if not equals or (key not in known and key not in phrases("de")):
            near = nearest(key, known)
            help = f"write '{near} = …'" if near else "gdl guide teachers says where they stand"
            raise WrongRequest(f"{where}: no phrase is called '{clean(key)}'", help=help)
        if fields_of(told) != fields_of(known.get(key, "")):
            due = sorted(fields_of(known.get(key, "")))
            parts = " and ".join(f"{{{part}}}" for part in due) or "no parts in braces"
            raise WrongRequest(f"{where}: '{clean(key)}' has {parts}", help="write them as they are")
        own[key] = clean(told)
    return Words(language, own)


def fields_of(text: str) -> set[str]:
    """The parts of a phrase that are filled in, as they are written, with a form or without."""
    try:
        parts = [part for part in Formatter().parse(text) if part[1] is not None]
        return {f"{name}{form and ':' + form}{(turned and '!' + turned) or ''}" for _, name, form, turned in parts}
    except ValueError:
        return {"{"}


def in_all_languages(name: str) -> tuple[str, ...]:
    """A phrase in every language, as students may write it."""
    return tuple(phrases(language)[name] for language in LANGUAGES)

"""Phrases that students use, in our words. A file `heard/LANGUAGE.txt` has lines `our word = phrase | phrase`; our word
is that of a list (`cut`), a sign (`>=`), a number, or the name of a heading in `words/en.txt`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files

from gdl.explain.names import with_plain_signs
from gdl.wings.exam.phrases import in_all_languages

FIGURES = tuple(map(str, range(2, 11)))
IN_TREES = (*"cut best >= <= is none and or drop root left right".split(), "cut: none", *FIGURES)
IN_LINES = (">=", "<=", "is", "and", "or", "always", "sometimes", "never", "if", "otherwise", "wins")
_NO_BLANKS = "\u3040-\u9fff"  # letters of scripts that put no blanks between words
_LEAST = 3  # letters of a word that may be written wrongly
_ALIKE = 0.75  # how alike it is to the right one
_VULGAR = "¼-¾⅐-⅞"  # fractions that are one letter


_LATEX: Mapping[str, str] = {
    r"\\(?:text|math|operatorname)\w*\{([^{}]*)\}|\\emph\{([^{}]*)\}": r"\1\2", r"\$|\\[()!,;]|\\(?:left|right)\b": "",
    r"\\geq?(?:slant)?\b|&ge;": ">=", r"\\leq?(?:slant)?\b|&le;": "<=", r"\\times\b": ";", r"\\([{}])": r"\1",
    r"\\[dt]?frac\s*(?:\{(-?\d+)\}|(\d))\s*(?:\{(\d+)\}|(\d))": r"\1\2/\3\4", r"\\(max|min)\b": r"\1",
    r"\\inf(?:ty|inity)\b": "inf", r"\\langle\b": "(", r"\\rangle\b": ")",
}  # fmt: skip


def plain_text(text: str) -> str:
    """The text with plain digits and signs, without LaTeX; a dot between two factors is `*`, and 1½ is 1 1/2."""
    for pattern, sign in _LATEX.items():
        text = re.sub(pattern, sign, text)
    text = re.sub(rf"(?<=\d)(?=[{_VULGAR}])", " ", text)
    return with_plain_signs(re.sub(rf"(?<=[\d{_VULGAR}]) ?· ?(?=[\d{_VULGAR}(])", "*", text))


@cache
def phrases_heard() -> Mapping[str, tuple[str, ...]]:
    """The phrases of all languages, by our word for them."""
    found: dict[str, tuple[str, ...]] = {}
    for file in sorted(files("gdl.wings.exam").joinpath("heard").iterdir(), key=lambda file: file.name):
        for line in with_plain_signs(file.read_text(encoding="utf-8")).splitlines():
            word, _, phrases = line.partition(" = ")
            found[word] = (*found.get(word, ()), *(phrase.strip() for phrase in phrases.split(" | ")))
    return found


def heading_pattern(name: str) -> str:
    """A regular expression for the heading of that name, in any language of exams or of students."""
    told = (*in_all_languages(name), *phrases_heard()[name])
    return "|".join(re.escape(with_plain_signs(one)) for one in sorted(told, key=len, reverse=True))


def phrase_pattern(phrase: str) -> str:
    """A regular expression for a phrase that stands between blanks or signs, with any blanks between its words."""
    words, letter = r"\s+".join(map(re.escape, phrase.split())), rf"[^\W{_NO_BLANKS}]"
    before = r"(?<!\w)" if re.match(letter, phrase) else ""
    return before + words + (r"(?!\w)" if re.search(f"{letter}$", phrase) else "")


@cache
def _meanings(ours: tuple[str, ...]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """A pattern for all phrases for some of our words, and the word that each phrase (in small letters) stands for."""
    means = {phrase.casefold(): word for word in reversed(ours) for phrase in phrases_heard().get(word, ())}
    longest = sorted(means, key=len, reverse=True)
    patterns = (rf"(?<=[\w,)] ){one}(?= [\w(])" if re.fullmatch(rf"[^\W{_NO_BLANKS}]", one) else phrase_pattern(one)
                for one in longest)  # fmt: skip
    return re.compile("|".join(patterns), re.IGNORECASE), means


def in_our_words(text: str, ours: tuple[str, ...], is_name: Callable[[str], object]) -> str:
    """The text with phrases replaced by those of `ours` that they stand for, unless they are names of the game; of
    words such as `returns`, those before a number or a sign become `=`."""
    pattern, means = _meanings(ours)

    def our_word(found: re.Match[str]) -> str:
        word = means.get(" ".join(found[0].split()).casefold())
        if word is None or is_name(found[0]):
            return found[0]
        return {"drop": " ", "is": " \0 ", "no end": " none "}.get(word, f" {word} ")

    text = pattern.sub(our_word, text)
    text = re.sub(r"\0\s*(?=[-+(\d<>=])", "= ", text).replace("\0", "is")
    return re.sub(r" +(?=[ ,;:)]|\.(?:\s|$))", "", text)


def without_slips(text: str, ours: tuple[str, ...], is_name: Callable[[str], object]) -> str:
    """The text with each word that is none of ours, but much like a single one of them, mended."""
    known = {word for phrases in phrases_heard().values() for phrase in phrases for word in phrase.casefold().split()}
    wanted = {one: word for word in ours for one in (*phrases_heard().get(word, ()), word) if one.isalpha()}

    def mend_word(found: re.Match[str]) -> str:
        word = found[0].casefold()
        likely = (one for one in wanted if len(one) > _LEAST)
        near = {wanted[one] for one in likely if SequenceMatcher(None, word, one.casefold()).ratio() >= _ALIKE}
        return near.pop() if len(near) == 1 and word not in known and not is_name(word) else found[0]

    return re.sub(rf"[^\W\d_]{{{_LEAST},}}", mend_word, text)

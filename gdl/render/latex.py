"""Text for LaTeX: whatever a name contains is printed, never obeyed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from importlib.resources import files
from itertools import groupby, pairwise
from operator import itemgetter

from gdl.errors import clean

_NUMBERS = re.compile(r"(inf|[-0-9/.,() <>=~])*")

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "-": r"{-}",
    "[": r"{[}",
    "]": r"{]}",
    ",": r"{,}",
    "=": r"{=}",
    "?": r"{?}",
    "!": r"{!}",
    "…": r"\ldots{}",
    "–": r"{--}",
    "\N{REPLACEMENT CHARACTER}": r"\textbullet{}",
}
_LATIN = 0x17F  # the letters below are known to every LaTeX
_SIGNS = {  # signs that the fonts of text may lack
    "≤": r"\le",
    "≥": r"\ge",
    "≈": r"\approx",
    "∞": r"\infty",
    "−": "-",
    "→": r"\to",
    "←": r"\gets",
    "×": r"\times",
    "√": r"\surd",
    "·": r"\cdot",
}
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩς",
        "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon varphi "
        "chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega varsigma".split(),
        strict=True,
    )
) | {"ο": "o", "Α": "A", "Β": "B", "Ε": "E", "Ζ": "Z", "Η": "H", "Ι": "I", "Κ": "K", "Μ": "M", "Ν": "N"}
_GREEK |= {"Ο": "O", "Ρ": "P", "Τ": "T", "Χ": "X"}
_NEUTRAL = ("WS", "ON", "CS", "ES", "ET", "BN", "NSM")  # signs that stand in either direction of writing
_CJK = 0x2E80  # the first code point of Chinese, Japanese and Korean


FONTS = files("gdl.render").joinpath("fonts.tex").read_text(encoding="utf-8")  # the head of a document


_OWN_SIGNS = frozenset("()[]=+-−/<>≤≥·")  # fonts for Arabic script may lack them: they come from the document's


def latex(text: str) -> str:
    """The text as LaTeX prints it. Brackets, commas and equals signs are protected, as options would read them
    otherwise. A document that uses it needs FONTS, by which lualatex and xelatex take a font that has the script."""
    parts = []
    for script, run in _runs(clean(text)):
        signs = _OWN_SIGNS if script == "rtl" else ()
        plain = "".join(
            f"{{\\normalfont {_latex_character(one)}}}" if one in signs else _ESCAPES.get(one, one)
            for one in _with_breaks(run)
        )
        parts.append(f"\\{script}{{{plain}}}" if script else "".join(map(_latex_character, run)))
    return "".join(parts)


def _with_breaks(run: str) -> Iterator[str]:
    """The characters of a run of Chinese text, with a command before each at which a line may be broken; no line begins
    with a closing punctuation mark."""
    for before, character in pairwise(f" {run}"):
        if _script(before) == "cjk" and unicodedata.category(character) in ("Lo", "Ps"):
            yield r"\hanbreak{}"
        yield character


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Split the text into runs of one script, each with the name of the font that it needs: `cjk`, `rtl` (right to
    left), or "" for the document's own. Spaces and punctuation between words written from right to left belong to their
    run, else the words would stand in the wrong order."""
    scripts = list(map(_script, text))
    last = len(text)  # the end of the letters from right to left met last, or beyond the text
    for at, character in enumerate(text):
        if scripts[at] == "rtl":
            scripts[last:at] = ["rtl"] * (at - last)
            last = at + 1
        elif scripts[at] or unicodedata.bidirectional(character) not in _NEUTRAL:
            last = len(text)
    for script, run in groupby(zip(scripts, text, strict=True), itemgetter(0)):
        yield script, "".join(character for _, character in run)


def _script(character: str) -> str:
    if unicodedata.east_asian_width(character) in "WF" and ord(character) >= _CJK:
        return "cjk"
    # Hebrew, and Arabic but for its digits and signs of sums: marks have no direction, but stay with their letters.
    marked = "\u0591" <= character <= "\u066c" or "\u0670" <= character <= "\u06ed"
    return "rtl" if marked or unicodedata.bidirectional(character) in ("R", "AL") else ""


def _latex_character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character in _SIGNS:
        return f"\\ensuremath{{{_SIGNS[character]}}}"
    if ord(character) <= _LATIN:
        return character
    base, *marks = list(unicodedata.normalize("NFD", character))
    if base in _GREEK and all(mark == "\N{COMBINING ACUTE ACCENT}" for mark in marks):
        name = _GREEK[base]
        symbol = f"\\ensuremath{{{chr(92) if len(name) > 1 else ''}{name}}}"
        return f"\\greek{{{symbol}}}{{{character}}}" if not marks else f"\\greek{{\\'{{{symbol}}}}}{{{character}}}"
    vietnamese = 0x1EA0 <= ord(character) <= 0x1EF9 or character in "ơƠưƯ"
    return f"\\{'viet' if vietnamese else 'letter'}{{{ord(character):X}}}{{{character}}}"


def math(number: str) -> str:
    r"""A number, vector, bound or window as a formula of LaTeX, `$\le 2$`; plain text if it holds a name (`?x`)."""
    if not _NUMBERS.fullmatch(number):
        return latex(number)
    for plain, symbol in (("<=", r"\le "), (">=", r"\ge "), ("~", r"\approx "), ("inf", r"\infty ")):
        number = number.replace(plain, symbol)
    return f"${{{number}}}$"

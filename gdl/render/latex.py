"""Text for LaTeX: whatever a name contains is printed, never obeyed."""

from __future__ import annotations

import re

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
    "\N{REPLACEMENT CHARACTER}": r"\textbullet{}",
}
_LATIN = 0x17F  # the letters below are known to every LaTeX


FONTS = r"""\usepackage{iftex}
\ifPDFTeX\usepackage[T1]{fontenc}\usepackage{textcomp}\else\usepackage{fontspec}\fi
\newcommand\letter[2]{\ifPDFTeX U+#1\else #2\fi}% pdflatex knows few letters and prints the numbers of the others
"""


def latex(text: str) -> str:
    """The text as LaTeX prints it; brackets, commas and equals signs are hidden from whoever reads options. A document
    that uses it needs FONTS."""
    return "".join(map(_printed, clean(text)))


def _printed(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if ord(character) < _LATIN else f"\\letter{{{ord(character):X}}}{{{character}}}"


def math(number: str) -> str:
    """A number, vector, bound or window in mathematics, `$\\le 2$`; text where it holds a name (`?x`)."""
    if not _NUMBERS.fullmatch(number):
        return latex(number)
    for plain, symbol in (("<=", r"\le "), (">=", r"\ge "), ("~", r"\approx "), ("inf", r"\infty ")):
        number = number.replace(plain, symbol)
    return f"${{{number}}}$"

"""Text for LaTeX: whatever a name contains is printed, never obeyed."""

from __future__ import annotations

import re

from gdl.errors import clean

_NUMBERS = re.compile(r"(inf|[-0-9/.,() <>=~])*")

_ESCAPES = str.maketrans(
    {
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
)


def latex(text: str) -> str:
    """The text as LaTeX prints it; brackets, commas and equals signs are hidden from whoever reads options."""
    return clean(text).translate(_ESCAPES)


def math(number: str) -> str:
    """A number, vector, bound or window in mathematics, `$\\le 2$`; text where it holds a name (`?x`)."""
    if not _NUMBERS.fullmatch(number):
        return latex(number)
    for plain, symbol in (("<=", r"\le "), (">=", r"\ge "), ("~", r"\approx "), ("inf", r"\infty ")):
        number = number.replace(plain, symbol)
    return f"${{{number}}}$"

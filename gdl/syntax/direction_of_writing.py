"""Characters that make a text look otherwise than it is read."""

from __future__ import annotations

import re
import unicodedata

from gdl.errors import Problem, Source, Span

_TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # the property Bidi_Control of Unicode


def turning(source: Source, known: list[Problem]) -> list[Problem]:
    """Characters that turn the direction of writing, in texts and remarks too, where the scanner lets them be: what is
    shown is then not what is read (Boucher and Anderson, Trojan Source, 2021)."""
    told = {problem.span.start for problem in known if problem.span}
    return [
        Problem(
            f"an invisible character turns the direction of writing here: {unicodedata.name(found[0])} "
            f"(U+{ord(found[0]):04X})",
            Span(source, found.start(), found.end()),
            help="take it out; letters that are written from right to left are so without it",
        )
        for found in _TURNS.finditer(source.text)
        if found.start() not in told
    ]

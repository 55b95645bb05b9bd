"""Games of other programs, known by how their files begin, so that one message says what such a file is."""

from __future__ import annotations

import re

from gdl.errors import Problem, Source, Span

_FORMATS = (  # how the files begin, and what they are
    (r"\((?:game|match|define)\s+\"", "a game description of Ludii (.lud)"),
    (r"\(\s*(?:role|init|<=|base|input|legal|next|goal|terminal)[\s(]|role\(\w+\)",
     "a description in the Game Description Language of general game playing (.kif, .gdl)"),
)  # fmt: skip
_LEADING = re.compile(r"(?:\s|//[^\n]*\n|;[^\n]*\n|\#[^\n]*\n)*")  # blanks and comments, also those of other languages


def foreign_file(source: Source) -> Problem | None:
    """What a file is that another program reads; None where it is none of those that are known."""
    blank = _LEADING.match(source.text)
    start = blank.end() if blank else 0
    for pattern, what in _FORMATS:
        found = re.compile(pattern).match(source.text, start)
        if found is not None:
            line_end = source.text.find("\n", start)
            end = len(source.text) if line_end < 0 else line_end
            help = "write its rules anew: gdl guide first-game"
            return Problem(f"this is {what}, and gdl reads .game files", Span(source, start, end), help=help)
    return None

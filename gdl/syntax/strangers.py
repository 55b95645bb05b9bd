"""Games of other programs, known by how their files begin, so that one message says what such a file is."""

from __future__ import annotations

import re

from gdl.errors import Problem, Source, Span

_TREE, _RULES = "write it as a tree: gdl guide trees", "write its rules anew: gdl guide first-game"
_FORMATS = (  # how the files begin, what they are, what to do
    (r"EFG\s+\d+\s+[RD]\b", "a game in extensive form of Gambit (.efg)", _TREE),
    (r"NFG\s+\d+\s+[RD]\b", "a game in strategic form of Gambit (.nfg)", "write it as a matrix: gdl guide matrices"),
    (r"\((?:game|match|define)\s+\"", "a game description of Ludii (.lud)", _RULES),
    (r"\(\s*(?:role|init|<=|base|input|legal|next|goal|terminal)[\s(]|role\(\w+\)",
     "a description in the Game Description Language of general game playing (.kif, .gdl)", _RULES),
)  # fmt: skip
_LEADING = re.compile(r"(?:\s|//[^\n]*\n|;[^\n]*\n|\#[^\n]*\n)*")  # blanks and comments, also those of other languages


def foreign_file(source: Source) -> Problem | None:
    """What a file is that another program reads; None where it is none of those that are known."""
    blank = _LEADING.match(source.text)
    start = blank.end() if blank else 0
    for pattern, what, help in _FORMATS:
        found = re.compile(pattern).match(source.text, start)
        if found is not None:
            line_end = source.text.find("\n", start)
            end = len(source.text) if line_end < 0 else line_end
            return Problem(f"this is {what}, and gdl reads .game files", Span(source, start, end), help=help)
    return None

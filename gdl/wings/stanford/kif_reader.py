"""Files in Stanford's Game Description Language (.kif), read: clauses in brackets, remarks behind `;`.

Words mean the same in capitals and small letters, as the Knowledge Interchange Format has them.

Sources: N. Love and others, General Game Playing: Game Description Language Specification (2008); M. Genesereth, R.
Fikes, Knowledge Interchange Format (1992).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn

from gdl import syntax
from gdl.errors import GameError, Problem, Source, Span, clean, limits
from gdl.syntax.words import Syntax
from gdl.wings.stanford.clauses_model import KIF_FILE

ENDINGS = (".kif", ".gdl")
_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")
_ROLE = re.compile(r"\(\s*role[\s()]", re.IGNORECASE)
_LONGEST = 200  # characters of a word
_KEPT = re.compile(r"\??[!-~]+")


class Form(Syntax):
    """A word, or a list of forms (`word` is then empty)."""

    word: str
    parts: tuple[Form, ...] = ()


class Clauses(syntax.OtherLanguage):
    """The forms of a whole file of clauses."""

    check = "gdl.wings.stanford.check_clauses:check_clauses"
    forms: tuple[Form, ...]


def is_kif(text: str) -> bool:
    """True if a text is a file of clauses: apart from comments it begins with a bracket, and it declares a role."""
    first = next((found[0] for found in _TOKEN.finditer(text) if found[0][0] != ";"), "")
    return first == "(" and _ROLE.search(text) is not None


def title(name: str) -> str:
    """The title of the game in a file of that name."""
    return Path(name).stem if name.lower().endswith(ENDINGS) else name


def description(text: str, name: str) -> syntax.Description:
    """The clauses of a file, as the sections of a game. Raises GameError if the brackets do not match."""
    source = Source(name, text)
    top: list[Form] = []
    open: list[tuple[int, list[Form]]] = []  # for each open list, where it begins and its parts so far
    for token in _TOKEN.finditer(text):
        word, span = token[0], Span(source, token.start(), token.end())
        if word[0] == ";":
            continue
        parts = open[-1][1] if open else top
        if word == "(":
            if len(open) >= limits.NESTING:
                _refuse_text(f"nested more than {limits.NESTING} deep", span, "nest fewer")
            open.append((token.start(), []))
        elif word == ")":
            if not open:
                _refuse_text("this ')' closes nothing", span, "take it out")
            start, inside = open.pop()
            (open[-1][1] if open else top).append(Form(Span(source, start, token.end()), "", tuple(inside)))
        elif len(word) > _LONGEST or not _KEPT.fullmatch(word):
            _refuse_text(
                f"'{clean(word[:40])}' is no word of such a file", span, "write letters, digits and signs of ASCII"
            )
        else:
            parts.append(Form(span, word.lower()))
    if open:
        start = open[-1][0]
        _refuse_text("this '(' is never closed", Span(source, start, start + 1), "write ) behind it")
    whole = Span(source, 0, len(text))
    return syntax.Description(whole, title(name), (Clauses(whole, tuple(top)),))


def _refuse_text(message: str, span: Span, help: str) -> NoReturn:
    raise GameError(Problem(message, span, help=help, code=KIF_FILE))

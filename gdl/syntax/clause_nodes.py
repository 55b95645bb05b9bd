"""Games written as clauses, in Stanford's Game Description Language: lists and words as they stand in the file."""

from __future__ import annotations

from gdl.syntax.words import Syntax


class Form(Syntax):
    """A word, or a list of forms (`word` is then empty)."""

    word: str
    parts: tuple[Form, ...] = ()


class Clauses(Syntax):
    """The forms of a whole file of clauses."""

    forms: tuple[Form, ...]

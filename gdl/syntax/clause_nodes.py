"""Games written as clauses, in Stanford's Game Description Language: lists and words as they stand in the file."""

from __future__ import annotations

from gdl.syntax.words import Syntax


class Form(Syntax):
    """A word, or a list of forms, whose word is then empty."""

    word: str
    parts: tuple[Form, ...] = ()


class Clauses(Syntax):
    """A whole file of clauses."""

    forms: tuple[Form, ...]

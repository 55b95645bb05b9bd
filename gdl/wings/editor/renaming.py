"""Renaming: why a name of a game file cannot be changed, or not to what is asked for.

What a name is written in is not always known: a picture has its first letter, a text two names without a blank. The
renamed file is therefore checked, and refused if it is wrong or its plays are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gdl.errors import GameError, clean
from gdl.inspection.expectations import ExpectationGames, expectations
from gdl.inspection.quantities import QUANTITIES, legal_actions
from gdl.playing import loading
from gdl.syntax import Description, Expectation
from gdl.syntax.lexer import SECTIONS, STATEMENTS, WORDS
from gdl.web.manual import word_index
from gdl.wings.editor.document import Document


def refusal(document: Document, offset: int, new: str | None = None) -> str:
    """The reason why the name at a place cannot be changed to a `new` one, or to any (None); "" if it can."""
    word, symbol = document.word_at(offset), document.symbol_at(offset)
    if word is None:
        return "no name stands here"
    old = clean(word[0])
    if symbol is None:
        return f"'{old}' is no name that this file declares"
    if not symbol.is_declared_here:
        return f"'{old}' is a name of the game that this file begins from, and can only be changed there"
    if new is None:
        return ""
    if not re.fullmatch(r"[^\W\d]\w*", new):
        return f"'{clean(new)}' is no name: a name has letters, digits and _, and begins with no digit"
    if new in word_index() or new in WORDS | SECTIONS | STATEMENTS:
        return f"'{new}' is a word of the language"
    return f"the file already has the name '{new}', and a name means one thing" if new in document.known else ""


def consequence(document: Document, text: str) -> str:
    """The fault that the file would have with this text, though it is right as it is; "" if none."""
    document.check()
    if any(not problem.warning for problem in document.problems):
        return ""
    other = Document(document.name, document.folder)
    other.update(text)
    for problem in other.problems:
        if not problem.warning and problem.span is not None:
            return f"line {problem.span.line} would be wrong: {problem.message}"
    descriptions = [loading.described(each, document.name, document.folder) for each in (document.text, text)]
    before, after = (_legal_answers(each) for each in descriptions)
    for held, one, two in zip(expectations(descriptions[0]), before, after, strict=True):
        if one != two:
            return f"line {held.wanted.span.line} names actions in words that cannot follow the new name"
    return ""


def _legal_answers(description: Description) -> Iterator[int | None]:
    """For each expectation how many of the actions in its answer are legal where it stands; None if its play goes
    wrong there."""
    games = ExpectationGames(description, loading.play, {}, None)
    for held in expectations(description):
        answer: Any = ()
        if isinstance(held.wanted, Expectation) and held.wanted.quantity.name in ("actions", "best"):
            answer = QUANTITIES[held.wanted.quantity.name].read(held.wanted.answer)
        try:
            legal = legal_actions(games.game(held)) if answer or held.wanted.conditions else frozenset()
            yield len(legal.intersection([answer] if isinstance(answer, str) else answer))
        except GameError:
            yield None

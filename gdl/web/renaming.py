"""Renaming: why a name of a game file cannot be changed, or not to what is asked for."""

from __future__ import annotations

import re
from itertools import pairwise

from gdl.errors import clean
from gdl.syntax.lexer import SECTIONS, STATEMENTS, WORDS
from gdl.web.document import IN_TEMPLATE, PLAYED, Document
from gdl.web.hover import words as manual


def refusal(document: Document, offset: int, new: str | None = None) -> str:
    """The reason why the name at a place cannot be changed to a `new` one, or to any (None); "" if it can."""
    word, symbol = document.word_at(offset), document.symbol_at(offset)
    if word is None:
        return "no name stands here"
    old = clean(word[0])
    if symbol is None:
        return f"'{old}' is no name that this file declares"
    if not symbol.own:
        return f"'{old}' is a name of the game that this file begins from, and can only be changed there"
    written = {document.is_written_otherwise(other) for other, _ in document.known[word[0]] if not other.local}
    if symbol.kind in PLAYED and (len(written) > 1 or (False in written and word[0] in _fixed_words(document))):
        for start, _ in document.mentions(word[0]):
            if document.in_play(start):
                line = document.text.count("\n", 0, start) + 1
                return f"'{old}' also stands in a text behind 'as', so it is not sure which is meant in line {line}"
    if new is None:
        return ""
    if not re.fullmatch(r"[^\W\d]\w*", new):
        return f"'{clean(new)}' is no name: a name has letters, digits and _, and begins with no digit"
    if new in manual() or new in WORDS | SECTIONS | STATEMENTS:
        return f"'{new}' is a word of the language"
    return f"the file already has the name '{new}', and a name means one thing" if new in document.known else ""


def _fixed_words(document: Document) -> set[str]:
    """The words that texts behind `as` hold outside of braces."""
    texts = [token.text for before, token in pairwise(document.tokens) if before.kind == "_AS"]
    return {word for text in texts for word in re.findall(r"[^\W\d]\w*", IN_TEMPLATE.sub(" ", text))}

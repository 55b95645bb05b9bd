"""The look of a file in an editor: the kind of each word and comment, and the lines that can be folded together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from gdl.syntax.lexer import Token
from gdl.wings.editor.document import Document
from gdl.wings.editor.symbols import KINDS

# What each kind of name is to an editor, in the order of the legend that it is sent.
TYPES = ("keyword", "comment", "string", "number", "operator", "enumMember", "type", "property", "function", "method",
         "parameter", "variable", "class")  # fmt: skip
_OF_TOKEN = {"STRING": "string", "INT": "number", "NUMBER": "number", "UNKNOWN": "parameter"}
_OPERATORS = frozenset("REL LT PLUS MINUS STAR SLASH _EQUALS _ASSIGN _ARROW _DOTS _EDGE _QUESTION".split())


class HighlightSpan(NamedTuple):
    """A stretch of the text: its start, its end and the number of its type in TYPES."""

    start: int
    end: int
    type: int


def marks(document: Document) -> list[HighlightSpan]:
    """Every word and comment that has a look of its own, in the order of the text."""
    found = [*_words(document), *_comments(document)]
    return sorted(mark for mark in found if mark.start < mark.end)


def _words(document: Document) -> Iterator[HighlightSpan]:
    for token in document.tokens:
        kind = _type_of(document, token)
        if kind is not None:
            yield HighlightSpan(token.start, token.end, TYPES.index(kind))


def _type_of(document: Document, token: Token) -> str | None:
    if token.kind == "NAME":
        symbol = document.resolve_symbol(token.text.partition(".")[0], token.start)
        return None if symbol is None else KINDS[symbol.kind][1]
    if token.kind in _OPERATORS:
        return "operator"
    return _OF_TOKEN.get(token.kind) or ("keyword" if token.text[:1].isalpha() and token.kind != "PICTURE" else None)


def _comments(document: Document) -> Iterator[HighlightSpan]:
    """The comments: what stands between words and begins with their sign."""
    ends = [0, *(token.end for token in document.tokens if token.text)]
    starts = [*(token.start for token in document.tokens if token.text), len(document.text)]
    for end, start in zip(ends, starts, strict=True):
        for comment in re.finditer(r"#[^\n]*", document.text[end:start]):
            yield HighlightSpan(end + comment.start(), end + comment.end(), TYPES.index("comment"))


def folds(document: Document) -> list[tuple[int, int]]:
    """The blocks of lines that can be folded: first and last line, from 0."""
    lines = document.text.split("\n")
    found: list[tuple[int, int]] = []
    open_blocks: list[tuple[int, int]] = []  # indentation and line
    last = 0
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        while open_blocks and open_blocks[-1][0] >= indent:
            _, first = open_blocks.pop()
            found += [(first, last)] if last > first else []
        open_blocks.append((indent, number))
        last = number
    found += [(first, last) for _, first in open_blocks if last > first]
    return sorted(found)

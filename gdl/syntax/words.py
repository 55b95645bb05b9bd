"""The common part of all syntax, and the words of which a file is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from gdl.errors import Span, clean
from gdl.record import Record


class Syntax(Record):
    """Any part of a file."""

    span: Span
    rest: ClassVar[bool] = False


class Word(Syntax):
    """A name, number, text or sign as it stands; `kind` is NAME, INT, NUMBER, STRING, UNKNOWN…"""

    kind: str
    text: str

    @property
    def name(self) -> str:
        """The name meant: the text itself, without the quotes and escapes of a quoted one, and fit to be shown."""
        return self.text if self.kind != "STRING" else unquote_text(self.text[1:-1])


def unquote_text(text: str) -> str:
    """The text between double quotes, with its escapes undone; no character that steers a terminal gets through."""
    return clean(text).replace('\\"', '"').replace("\\\\", "\\")


def parts(part: Syntax) -> Iterator[Syntax]:
    """The parts directly inside a part, in order."""
    for value in part.__dict__.values():
        yield from _syntax_in(value)


def _syntax_in(value: object) -> Iterator[Syntax]:
    if isinstance(value, Syntax):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _syntax_in(item)


def descendants(*roots: Syntax) -> Iterator[Syntax]:
    """The given parts and all parts inside them, however deep."""
    work = list(roots)
    while work:
        part = work.pop()
        yield part
        work += parts(part)

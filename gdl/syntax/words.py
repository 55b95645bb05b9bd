"""The common part of all syntax, and the words of which a file is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from gdl.errors import Span, clean
from gdl.errors.deadline import check_deadline
from gdl.record import Record


class Syntax(Record):
    """Any part of a file. The last field of a class with `rest` takes all remaining parts of its rule."""

    span: Span
    rest: ClassVar[bool]

    def __init_subclass__(cls, rest: bool = False) -> None:
        super().__init_subclass__()
        cls.rest = rest


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


def parts(part: Syntax) -> list[Syntax]:
    """The parts directly inside a part, in order."""
    return _syntax_in(part.__dict__.values())


def _syntax_in(values: Iterable[object]) -> list[Syntax]:
    found: list[Syntax] = []
    for value in values:
        if isinstance(value, Syntax):
            found.append(value)
        elif value.__class__ is tuple:
            found += _syntax_in(value)
    return found


def descendants(*roots: object) -> Iterator[Syntax]:
    """The given parts, also those in tuples, and all parts inside them, however deep."""
    work = _syntax_in(roots)
    while work:
        check_deadline()
        part = work.pop()
        yield part
        work += _syntax_in(part.__dict__.values())

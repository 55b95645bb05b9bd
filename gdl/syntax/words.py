"""What every part of a file has in common, and the words it is made of."""

from __future__ import annotations

from typing import ClassVar

from gdl.errors import Span
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
        """The name meant: the text itself, without the quotes and escapes of a quoted one."""
        if self.kind != "STRING":
            return self.text
        return self.text[1:-1].replace('\\"', '"').replace("\\\\", "\\")

"""Where a line goes wrong: the token, what stands around it, and what would have been right there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from gdl.errors import Source
from gdl.syntax.lexer import SECTIONS, Token

LINE_ENDS = ("_NL", "_INDENT", "_DEDENT", "$END")
VALUE = {"NAME", "INT", "_LPAR"}  # what may stand wherever a value may
Diagnosis = tuple[str, str]  # what the rules of the game say, and what to do
_AFTER_VALUE = {"_AND", "PLUS"}  # what may follow a complete value


@dataclass(frozen=True)
class Place:
    """The place at which a line goes wrong, with what stands around it and which tokens would fit."""

    source: Source
    tokens: list[Token]
    index: int
    accepted: set[str]  # kinds of tokens that would be right there

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    @property
    def text(self) -> str:
        return self.token.text

    @property
    def word_before(self) -> str:
        """The word before the token on the line."""
        return "" if self.index == self.line_start else self.tokens[self.index - 1].text

    @property
    def before_kind(self) -> str:
        return "" if self.index == self.line_start else self.tokens[self.index - 1].kind

    @property
    def token_after(self) -> Token | None:
        return self.tokens[self.index + 1] if self.index + 1 < len(self.tokens) else None

    @property
    def line_start(self) -> int:
        start = self.index
        while start and self.tokens[start - 1].kind not in LINE_ENDS:
            start -= 1
        return start

    @property
    def head(self) -> str:
        """The first word of the line."""
        return self.tokens[self.line_start].text

    @property
    def opens(self) -> bool:
        """True if the line is the first of its section."""
        return self.tokens[self.line_start].kind == f"_{self.section.upper()}"

    @property
    def section(self) -> str:
        """The section that the line stands in; within a variant, the one inside it."""
        for index in range(self.line_start, 0, -1):
            value = self.tokens[index].text
            if value in SECTIONS and self.tokens[index].kind == f"_{value.upper()}":
                return value
        return self.tokens[0].text

    @property
    def at_line_end(self) -> bool:
        return self.token.kind in LINE_ENDS

    @property
    def last_of_line(self) -> bool:
        """True if the line as written ends behind the token, even if it continues in the next."""
        following = self.token_after
        if following is None or following.kind in LINE_ENDS:
            return True
        return "\n" in self.source.text[self.token.end : following.start]

    @property
    def assigns(self) -> bool:
        """True if a ':=' stands on the rest of the line."""
        rest = takewhile(lambda token: token.kind not in LINE_ENDS, self.tokens[self.index :])
        return any(token.kind == "_ASSIGN" for token in rest)

    @property
    def value_due(self) -> bool:
        return self.accepted >= VALUE

    @property
    def value_ended(self) -> bool:
        return bool(self.accepted & _AFTER_VALUE)

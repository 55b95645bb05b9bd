"""Tokens -> tree: Lark's LALR(1) parser reads them by the table of grammar.lark (see gdl.syntax.tables).

1. `Tokens` is the lexer that Lark asks for: it hands on what `gdl.syntax.lexer` has found.
2. Lark's parser shifts a token, or reduces: a rule is complete, and its callback makes one part of the rule's parts.
3. A token that does not fit raises Lark's UnexpectedToken; its `accepts` are the kinds of tokens that would.

Lark builds trees itself, but leaves the signs out, brackets too, and what is then left has not the place of the whole;
here each part keeps the place of all that was read for it. How rules shape the tree (a leading `?` or `_`, an alias,
`[…]`) is as Lark's manual has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from lark.grammar import NonTerminal
from lark.lexer import Lexer, LexerThread
from lark.parsers.lalr_analysis import IntParseTable, Reduce, Shift
from lark.parsers.lalr_parser import _Parser

from gdl.errors.deadline import check_deadline
from gdl.syntax import tables
from gdl.syntax.lexer import Token

Part = tuple["str | None", Any, "int | None", int]  # kind, value, where it starts (None: it is empty) and ends
Word = Callable[[Token], Any]
Make = Callable[["int | None", int, "list[Any]"], Any]  # where a node starts (None: it is empty), ends; its values
Node = Callable[[str], Make]  # the name of a rule


class Tokens(Lexer):
    """Lark's lexer of a text that has been taken apart before."""

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        for token in lexer_state:
            check_deadline()
            yield token


class Rule:
    """A rule of the grammar. `kept` lists those symbols on its right that leave values in the tree: the symbol's
    position, True if its values take its place, and how many optional ones are missing before it."""

    def __init__(
        self, origin: str, name: str, size: int, kept: Sequence[tuple[int, bool, int]], missing: int, lone: bool
    ):
        self.origin = NonTerminal(origin)
        self.expansion = range(size)  # of which Lark's parser asks for the length alone
        self.name = name  # of the node that it makes
        self.kept = kept
        self.missing = missing  # optional values at the end
        self.lone = lone  # True if it has a single value, which takes the place of the node

    def callback(self, node: Node) -> Callable[[list[Part]], Part]:
        """The function that makes a part of the rule's parts."""
        kept, missing = self.kept, [None] * self.missing
        if self.lone:
            ((position, _, _),) = kept
            if len(self.expansion) == 1:  # as where a sum is one product: three of four reductions are such
                return itemgetter(0)
            return lambda parts: (None, parts[position][1], *extent_of_parts(parts))
        make = _list if self.origin.name[0] == "_" else node(self.name)

        def build(parts: list[Part]) -> Part:
            values: list[Any] = []
            for position, spread, absent in kept:
                if absent:
                    values += [None] * absent
                if spread:  # a list that grows at its end is not copied each time
                    values = values + parts[position][1] if values else parts[position][1]
                else:
                    values.append(parts[position][1])
            values += missing
            start, end = extent_of_parts(parts)
            return None, make(start, end, values), start, end

        return build


def _list(start: int | None, end: int, values: list[Any]) -> list[Any]:
    """The values of a rule whose values take its place."""
    return values


class Rows(dict[int, "dict[str, tuple[Any, Any]]"]):
    """For each state of Lark's parser what to do at every symbol; decoded when it is first asked for."""

    def __init__(self, rows: Sequence[str], rules: Sequence[Sequence[Any]]):
        self.rows = rows
        self.rules = [Rule(*rule) for rule in rules]

    def __missing__(self, state: int) -> dict[str, tuple[Any, Any]]:
        words = self.rows[state].split()
        row = self[state] = {
            symbol: (Shift, action) if action >= 0 else (Reduce, self.rules[-1 - action])
            for symbol, action in zip(words[::2], map(int, words[1::2]), strict=True)
        }
        return row


class Callbacks(dict[Any, Callable[[Any], Part]]):
    """The functions that Lark's parser calls, by the kind of a token that leaves a value, or the rule."""

    def __init__(self, word: Word, node: Node):
        """`word` makes a value of a token, `node` gives what makes the values of a rule's nodes."""
        _, kept = _table()
        super().__init__(dict.fromkeys(kept, lambda token: (token.kind, word(token), token.start, token.end)))
        self.node = node

    def __missing__(self, rule: Rule) -> Callable[[list[Part]], Part]:
        made = self[rule] = rule.callback(self.node)
        return made


def parse(tokens: Sequence[Token], start: str, callbacks: Callbacks) -> Any:
    """The tree of the tokens. Raises UnexpectedToken at the first token that does not fit."""
    table, _ = _table()
    text: Any = tuple(tokens)  # which Lark's threads of a text pass on as it is
    return _Parser(table, callbacks).parse(LexerThread(Tokens(), text), start)[1]


@cache
def _table() -> tuple[IntParseTable, list[str]]:
    """Lark's table of the grammar, and the kinds of tokens that leave values in the tree."""
    stored = tables.load()
    first = {start: state for start, (state, _) in stored["starts"].items()}
    complete = {start: state for start, (_, state) in stored["starts"].items()}
    rows = Rows(stored["states"], stored["rules"])
    return IntParseTable(rows, first, complete), stored["words"]  # type: ignore[no-untyped-call]


def extent_of_parts(parts: list[Part]) -> tuple[int | None, int]:
    """The start and end in the text of these parts, as far as they have a place; the start is None if none has."""
    if parts and (start := parts[0][2]) is not None and parts[-1][2] is not None:
        return start, parts[-1][3]
    start, end = None, 0
    for _, _, first, last in parts:
        if first is not None:
            start = first if start is None else start
            end = last
    return start, end

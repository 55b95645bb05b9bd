"""The parser's tables: made by Lark from grammar.lark when the package is built, and read by Lark's parser at every
start (gdl.syntax.lark_parser).

Building them takes longer than most games take to solve; so the build writes them beside the grammar as JSON, and in a
checkout whose grammar has changed since, the first start that needs them does.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Any

from gdl.errors.installed import package_folder

STARTS = ["section", "expr", "question"]
FOLDER = package_folder() / "syntax"
FILE = "grammar.json"


def load() -> dict[str, Any]:
    """The stored tables if they were made from this grammar, else new ones, which are stored where that is possible."""
    stored = FOLDER / FILE
    if stored.is_file():
        tables: dict[str, Any] = json.loads(stored.read_text(encoding="utf-8"))
        if tables["grammar"] == _grammar() and "words" in tables:  # which older tables have not
            return tables
    tables = make()
    if not sys.dont_write_bytecode:  # as of compiled modules, nothing is to be kept then
        fresh = stored.with_name(f"{FILE}.{os.getpid()}")
        with suppress(OSError):
            fresh.write_text(json.dumps(tables, separators=(",", ":")), encoding="utf-8")
            fresh.replace(stored)
    return tables


def make() -> dict[str, Any]:
    """The tables as plain data: the grammar's text and, of its automaton,

    - `starts`: for each start symbol its first state, and the state in which it is complete;
    - `words`: the kinds of tokens that leave values in the tree;
    - `rules`: each as the arguments of `gdl.syntax.lark_parser.Rule`;
    - `states`: for each every symbol with its action, as one text, which is read when a file first needs it; an action
      is to go to a state, or less than 0, to reduce by a rule (-1 is rule 0).

    Lark numbers states and orders symbols as its sets happen to be; here states have the order in which they are
    reached, and symbols that of the alphabet, so that a grammar has the same tables each time.
    """
    automaton = build().parser.parser._parse_table
    reached = [automaton.start_states[start] for start in STARTS]
    states: dict[Any, int] = {}
    numbers: dict[Any, int] = {}
    for state in reached:  # which grows
        if state not in states:
            states[state] = len(states)
            reached += [target for _, target in _actions(automaton, state).values() if isinstance(target, int)]
    rows = [
        {
            symbol: states[target] if isinstance(target, int) else -1 - numbers.setdefault(target, len(numbers))
            for symbol, (_, target) in _actions(automaton, state).items()
        }
        for state in states
    ]
    words = sorted({symbol for row in rows for symbol in row if symbol.isupper() and symbol[0] not in "_$"})
    starts = {s: [states[first], states[automaton.end_states[s]]] for s, first in automaton.start_states.items()}
    made = {
        "grammar": _grammar(), "starts": starts, "words": words, "rules": [_rule(rule) for rule in numbers],
        "states": [" ".join(f"{symbol} {action}" for symbol, action in row.items()) for row in rows],
    }  # fmt: skip
    plain: dict[str, Any] = json.loads(json.dumps(made))  # as stored: Lark's own strings compare slowly
    return plain


def _actions(automaton: Any, state: Any) -> dict[str, Any]:
    return dict(sorted(automaton.states[state].items()))


def build() -> Any:
    """Lark's own parser; any conflict in the grammar is an error."""
    from lark import Lark
    from lark.lexer import Lexer

    class Tokens(Lexer):
        """The lexer that Lark asks for: it passes on the tokens of `gdl.syntax.lexer`."""

        def __init__(self, configuration: Any) -> None: ...

        def lex(self, data: Any, *rest: Any) -> Any:
            return iter(data)

    words = "".join(
        c if c.isalnum() or c == "_" else " " for line in _grammar().splitlines() for c in line.split("//")[0] + " "
    )
    tokens = sorted({word for word in words.split() if word.isupper() and word.strip("_").isascii()})
    return Lark(
        f"{_grammar()}\n%declare {' '.join(tokens)}\n", parser="lalr", lexer=Tokens, start=STARTS, strict=True,
        maybe_placeholders=True, propagate_positions=True,
    )  # fmt: skip


def _grammar() -> str:
    return FOLDER.joinpath("grammar.lark").read_text(encoding="utf-8")


def _rule(rule: Any) -> list[Any]:
    """A rule of Lark's as the arguments of `gdl.syntax.lark_parser.Rule`."""
    origin = rule.origin.name
    absent = rule.options.empty_indices or [False] * len(rule.expansion)  # True: an optional part that is not here
    parts = []
    missing = position = 0
    for here in absent:
        if here:
            missing += 1
            continue
        symbol = rule.expansion[position]
        if not (symbol.is_term and symbol.filter_out):
            parts.append([position, not symbol.is_term and symbol.name.startswith("_"), missing])
            missing = 0
        position += 1
    lone = bool(rule.options.expand1) and not rule.alias and len(parts) == 1 and not parts[0][2] and not missing
    assert not (lone and parts[0][1]), f"{origin} stands for a list, of one value or of several"
    return [origin, rule.alias or origin, len(rule.expansion), parts, missing, lone]

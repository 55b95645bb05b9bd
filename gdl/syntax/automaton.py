"""Tokens -> tree, by the tables of gdl.syntax.tables: the automaton of an LALR(1) parser.

1. The automaton is in a state, on top of those of everything it has read and not yet put together.
2. The state says at the next token: shift, put the token on top; or reduce, put the last parts together by a rule.
3. A reduction gives one part in place of several; the state below says where to go on with it.
4. When the last token is read and the start symbol is the only part, that is the tree.

Source: DeRemer, Practical translators for LR(k) languages, 1969; Aho et al., Compilers, section 4.6. How rules shape
the tree (a leading `?` or `_`, an alias, `[…]`) is as Lark's manual has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gdl.syntax.lexer import Token

END = "$END"

Place = tuple["int | None", int]  # where a part starts (None: it is empty) and ends
Leaf = Callable[[Token], Any]
Node = Callable[[str, "int | None", int, "list[Any]"], Any]  # name, where it starts (None: it is empty), ends, parts


class Unexpected(Exception):
    """Raised for a token that does not fit, with the kinds of tokens that would."""

    def __init__(self, token: Token, accepted: set[str]):
        super().__init__(token)
        self.token = token
        self.accepted = accepted


class Rule(NamedTuple):
    """A rule of the grammar. `kept` lists those symbols on its right that leave parts in the tree: the symbol's
    position, True if its parts take its place, and how many optional parts are missing before it."""

    origin: str
    name: str  # of the node that it makes
    size: int
    kept: Sequence[tuple[int, bool, int]]
    missing: int  # optional parts at the end
    lone: bool  # True if a single part takes the place of the node

    def build(self, read: list[Any], start: int | None, end: int, node: Node) -> Any:
        """The node of a rule, from the values read for its symbols."""
        parts: list[Any] = []
        for position, spread, missing in self.kept:
            if missing:
                parts += [None] * missing
            if spread:  # a list that grows at its end is not copied each time
                parts = parts + read[position] if parts else read[position]
            else:
                parts.append(read[position])
        if self.missing:
            parts += [None] * self.missing
        if self.origin[0] == "_":
            return parts
        return parts[0] if self.lone and len(parts) == 1 else node(self.name, start, end, parts)


class Automaton:
    """The parser of one grammar."""

    def __init__(self, tables: dict[str, Any]):
        self.rules = [Rule(*rule) for rule in tables["rules"]]
        # The origin of each rule of one symbol whose value becomes its own, as when a word is a sum of one part: three
        # of four reductions are by these.
        passes = [rule.lone and rule.size == 1 and [*map(list, rule.kept)] == [[0, False, 0]] for rule in self.rules]
        self.passing = [rule.origin if alone else None for rule, alone in zip(self.rules, passes, strict=True)]
        self.states: list[dict[str, int]] = tables["states"]
        self.first = {start: first for start, (first, _) in tables["starts"].items()}
        self.complete = {complete for _, complete in tables["starts"].values()}

    def parse(self, tokens: Sequence[Token], start: str, leaf: Leaf, node: Node) -> Any:
        """The tree of the tokens: `leaf` makes a value of a token, `node` of a rule and its parts. Raises Unexpected at
        the first token that does not fit."""
        states = [self.first[start]]
        values: list[Any] = []
        places: list[Place] = []  # where each value starts and ends; one without tokens starts nowhere
        for token in tokens:
            action = self._make_room(token.kind, token, states, values, places, node)
            states.append(action)
            values.append(None if token.kind[0] == "_" else leaf(token))
            places.append((token.start, token.end))
        self._make_room(END, tokens[-1], states, values, places, node)
        return values[0]

    def _make_room(
        self, kind: str, token: Token, states: list[int], values: list[Any], places: list[Place], node: Node
    ) -> int:
        """Reduce as long as the states say so at a token of this kind. Returns the state to go to with the token; at
        the end that in which the start symbol is complete."""
        rows, passing = self.states, self.passing
        top = states[-1]
        while True:
            action = rows[top].get(kind)
            if action is None and kind == END and top in self.complete:
                return top
            if action is None:
                raise Unexpected(token, {k for k in rows[top] if k.isupper() and self._fits(states, k)})
            if action >= 0:
                return action
            passed = passing[-1 - action]
            if passed is None:
                self._reduce(self.rules[-1 - action], states, values, places, node)
                top = states[-1]
            else:
                top = states[-1] = rows[states[-2]][passed]

    def _reduce(self, rule: Rule, states: list[int], values: list[Any], places: list[Place], node: Node) -> None:
        """Replace the last parts by the node of a rule."""
        at = len(values) - rule.size
        start, end = _extent(places[at:])
        value = rule.build(values[at:], start, end, node)
        del states[at + 1 :], values[at:], places[at:]
        states.append(self.states[states[-1]][rule.origin])
        values.append(value)
        places.append((start, end))

    def _fits(self, states: list[int], kind: str) -> bool:
        """True if a token of this kind can come next, perhaps after reductions."""
        states = list(states)
        while (action := self.states[states[-1]].get(kind)) is not None and action < 0:
            rule = self.rules[-1 - action]
            del states[len(states) - rule.size :]
            states.append(self.states[states[-1]][rule.origin])
        return action is not None


def _extent(places: list[Place]) -> Place:
    """The start and end in the text of these parts, as far as they have a place; the start is None if none has."""
    start = end = None
    for first, last in places:
        if first is not None:
            start = first if start is None else start
            end = last
    return start, end or 0

"""A game with other utilities at its ends: by a formula such as `42*u + 1000`, or by where play ended."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gdl.errors import Refusal, clean
from gdl.game import Game, Node, Number, Terminal, exact, maximiser, require_number
from gdl.numbers import read_number
from gdl.states.game_wrapper import GameWrapper

_LONGEST = 100  # characters of a formula
_HIGHEST = 9  # powers
_SIGNS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip


class Transformed(GameWrapper):
    """The game with other utilities: a function of each end and its utility. In a zero-sum game of two players it is
    applied to MAX's utility, and the game stays zero-sum."""

    def __init__(self, game: Game[Any], utility: Callable[[Any, Number], Number]):
        super().__init__(game)
        self.utility, self.first = utility, maximiser(game.players)
        self.opposed = len(game.players) == 2 and game.traits.constant_sum is not None

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if not isinstance(node, Terminal):
            return node
        if not self.opposed:
            return Terminal(tuple(self.utility(state, require_number(own)) for own in node.utilities))
        new, total = self.utility(state, require_number(node.utilities[self.first])), self.traits.constant_sum or 0
        return Terminal(tuple(new if p == self.first else total - new for p in range(2)))


def read_formula(text: str) -> Callable[[Number], Number]:
    """The function given by a formula of u, with numbers, + - * / and whole powers. Raises Refusal where the text is no
    such formula."""
    try:
        tree = ast.parse(text.strip().replace("^", "**") if len(text) <= _LONGEST else "", mode="eval").body
        found = _read(tree)
    except (SyntaxError, ValueError, RecursionError, OverflowError):
        raise Refusal(f"'{clean(text[:60])}' is no formula of u, such as 42*u + 1000") from None

    def change(utility: Number) -> Number:
        try:
            return exact(found(utility))
        except ZeroDivisionError:
            raise Refusal(f"'{clean(text)}' divides by zero where u = {utility}") from None

    return change


def _read(one: ast.expr) -> Callable[[Any], Any]:
    if isinstance(one, ast.Name) and one.id == "u":
        return Fraction
    if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.USub):
        inner = _read(one.operand)
        return lambda u: -inner(u)
    if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Pow):
        base, power = _read(one.left), int(ast.unparse(one.right))
        if not 0 <= power <= _HIGHEST or any(isinstance(part, ast.Pow) for part in ast.walk(one.left)):
            raise ValueError  # for powers of powers grow without measure
        return lambda u: base(u) ** power
    if isinstance(one, ast.BinOp) and type(one.op) in _SIGNS:
        left, right, sign = _read(one.left), _read(one.right), _SIGNS[type(one.op)]
        return lambda u: sign(left(u), right(u))
    constant = Fraction(read_number(ast.unparse(one)))
    return lambda u: constant

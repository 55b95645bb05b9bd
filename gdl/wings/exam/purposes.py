"""Utilities by a formula of u, with roots and absolute values too, and an opponent who has a purpose of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import Any

from gdl.errors import Refusal
from gdl.game import Game, Node, Number, Promises, Terminal, Traits, Unknown, exact, maximiser
from gdl.numbers import to_text
from gdl.states.game_wrapper import GameWrapper
from gdl.states.transformed import read_formula

_AROUND = re.compile(r"(?P<minus>-?)\s*(?:(?P<name>sqrt|√|abs)\s*\((?P<inside>.*)\)|\|(?P<bars>[^|]*)\|)")
LONGEST = 100  # letters of a formula with roots
_PLACES = 10**20  # in which a root that is no fraction is kept, so that the order of roots is that of the numbers
_ROUNDED = "roots that are no fractions are rounded at the twentieth place: their order is exact, sums are not"


def read_purpose(text: str) -> Callable[[Number], Number]:
    """The function given by a formula of u: as `--transform` reads it, or a root or an absolute value of one, such as
    `sqrt(u)`, `-|u - 3|`. Raises Refusal where the text is no such formula."""
    found = _AROUND.fullmatch(text.strip())
    if found is None or len(text) > LONGEST:
        return read_formula(text)
    try:
        inner = read_purpose(found["bars"] if found["inside"] is None else found["inside"])
    except Refusal:
        return read_formula(text)  # which refuses it too, and quotes the whole
    of, sign = root if found["name"] in ("sqrt", "√") else abs, -1 if found["minus"] else 1
    return lambda u: exact(of(Fraction(inner(u))) * sign)


def read_transform(text: str, remark: Callable[[str], None]) -> Callable[[Number], Number]:
    """The function of `--transform`, as `read_purpose`, with a remark on what is not exact about roots."""
    change = read_purpose(text)
    if re.search("sqrt|√", text):
        remark(_ROUNDED)
    return change


def add_note(text: str, solution: Any) -> Any:
    """The answer (a Solution) for a game with such utilities, with that remark as a note."""
    return replace(solution, notes=(*solution.notes, _ROUNDED)) if re.search("sqrt|√", text) else solution


def root(value: Fraction) -> Fraction:
    """The square root: exact where it is a fraction, else rounded down at its twentieth place."""
    if value < 0:
        raise Refusal(f"{to_text(exact(value))} has no root")
    return Fraction(isqrt(value.numerator * value.denominator * _PLACES**2), value.denominator * _PLACES)


class Purposes(GameWrapper):
    """A game of two players at whose ends MAX (or the first player) gets the old utility, and the opponent `theirs`, a
    function of it, which is known to be no more than `most` (None: nothing is known)."""

    def __init__(self, game: Game[Any], theirs: Callable[[Number], Number], most: Number | None = None):
        super().__init__(game)
        self.theirs, self.first, self.most = theirs, maximiser(game.players), most
        if len(game.players) != 2:
            raise Refusal("an opponent has a purpose in a game of two players")
        known = tuple((None, None if player == self.first else most) for player in range(2))
        self.promises = Promises(bounds=lambda state: known)

    @property
    def traits(self) -> Traits:
        return replace(self.game.traits, zero_sum=False, constant_sum=None)

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if not isinstance(node, Terminal):
            return node
        mine = node.utilities[self.first]
        if isinstance(mine, Unknown):
            raise Refusal(f"a purpose is a function of known numbers; give one, as in with {mine.name} = 3")
        if self.most is not None and self.theirs(mine) > self.most:
            least = to_text(self.theirs(mine))
            raise Refusal(f"most is at least {least}, what the opponent gets where MAX gets {mine}")
        return Terminal(tuple(mine if player == self.first else self.theirs(mine) for player in range(2)))

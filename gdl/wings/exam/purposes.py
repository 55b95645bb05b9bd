"""Utilities by a formula of u, with roots and absolute values too, and an opponent who has a purpose of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf, isqrt
from typing import Any, NamedTuple

from gdl.errors import Refusal, clean
from gdl.game import Game, Node, Number, Promises, Terminal, Traits, Unknown, exact, maximiser
from gdl.numbers import to_text
from gdl.solution import RecordedSearch, Solution
from gdl.solvers.minimax.windows import constant_sum_vector
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


Purpose = Callable[[Number], Number]


class Order(NamedTuple):
    """How a purpose orders numbers: as sign*|u - vertex| does, or without a vertex as sign*u."""

    sign: int
    vertex: Number | None

    @property
    def peak(self) -> Number | None:
        """The number that is best for the opponent; None if there is none."""
        return self.vertex if self.sign < 0 else None

    def rank(self, u: Any) -> Any:
        return self.sign * (u if self.vertex is None else max(u - self.vertex, self.vertex - u))


def read_order(text: str) -> Order:
    """The order of a purpose. Raises Refusal for one that is neither linear, nor a square, nor an absolute value."""
    found = _AROUND.fullmatch(text.strip())
    of = read_formula(text if found is None else found["bars"] or found["inside"] or "")
    low, middle, high = (Fraction(of(u)) for u in range(3))
    bend = (high - 2 * middle + low) / 2
    slope = middle - low - bend
    is_like = (bend or slope) and all(of(u) == (bend * u + slope) * u + low for u in range(3, _ALIKE))
    if not is_like or (found and (bend or found["name"] in ("sqrt", "√"))):
        raise Refusal(f"'{clean(text)}' is neither linear, nor a square, nor an absolute value, as -|u - 3| is")
    if found:
        return Order(-1 if found["minus"] else 1, exact(-low / slope))
    return Order(1 if (bend or slope) > 0 else -1, exact(-slope / (2 * bend)) if bend else None)


_ALIKE = 1_000  # two formulas that agree at so many numbers are one: their letters and powers allow no such degree


class Purposes(GameWrapper):
    """A game of two players with a number u at each end: MAX (or whoever is first) wants u to be large (MIN, if nobody
    is called MAX: small), and the opponent wants `theirs`, a function of it, which is known to be no more than `most`
    (None: nothing is known). Its `order` is needed for numbers left open, and by a search that `prunes` by it."""

    def __init__(
        self,
        game: Game[Any],
        theirs: Purpose,
        most: Number | None = None,
        order: Order | None = None,
        prunes: bool = False,
    ):
        super().__init__(game)
        self.theirs, self.order, self.prunes = theirs, order, prunes
        first = maximiser(game.players)
        self.first = 1 - first if "MIN" in game.players and "MAX" not in game.players else first
        self.turn = 1 if self.first == first else -1  # what the player `first` gets is u, or minus u
        if len(game.players) != 2:
            raise Refusal("an opponent has a purpose in a game of two players")
        peak = order.peak if order else None
        self.most = theirs(peak) if prunes and peak is not None and most is None else most
        known = tuple((None, None if player == self.first else self.most) for player in range(2))
        self.promises = Promises(bounds=lambda state: known)

    @property
    def traits(self) -> Traits:
        return replace(self.game.traits, zero_sum=False, constant_sum=None)

    def node(self, state: Any) -> Node:
        """The node; numbers left open stay as they are, for a search puts forms in their place."""
        node = self.game.node(state)
        if not isinstance(node, Terminal) or isinstance(node.utilities[self.first], Unknown):
            return node
        mine = node.utilities[self.first]
        u = mine * self.turn
        if self.most is not None and self.theirs(u) > self.most:
            raise Refusal(f"most is at least {to_text(self.theirs(u))}, what the opponent gets where u is {to_text(u)}")
        return Terminal(tuple(mine if player == self.first else self.theirs(u) for player in range(2)))

    def with_forms(self, game: Game[Any], order: Order) -> Purposes:
        """A game of forms with this purpose: the opponent gets numbers that are only in the order of the purpose."""
        peak = None if order.peak is None else self.theirs(order.peak)
        if self.most is not None and (peak is None or self.most < peak):
            least = "∞" if peak is None else to_text(peak)
            raise Refusal(f"most is at least {least}, what the opponent could get by a number left open")
        most = None if self.most is None or self.most != peak else 0
        return Purposes(game, order.rank, most, order, self.prunes)

    def enough(self, mine: Any, mover: int | None) -> Any:
        """The utility at which the mover does not let play come here, if by what was chosen before `first` gets this
        much elsewhere."""
        assert self.order is not None
        if self.order.sign * (self.turn if self.order.vertex is None else 1) > 0:
            return inf
        if self.order.peak is not None:
            best = self.order.peak * self.turn
            mine = max(mine, 2 * best - mine if mover == self.first else best)
        return mine if mover == self.first else self.theirs(mine * self.turn)

    def u_of(self, value: Any, bound: str = "exact") -> Number | None:
        """The number u of a node by its vector; None where a search that left it has only a bound."""
        u = exact(value[self.first] * self.turn)
        return u if bound == "exact" or self.theirs(u) == self.most else None

    def drawn(self, solution: Solution | None) -> tuple[Game[Any], Solution | None]:
        """The game and its solution for a picture, in numbers u alone."""
        if solution is None:
            return self.game, None
        tell = partial(constant_sum_vector, self, maximiser(self.players))
        known = ((visit, self.u_of(visit.value, visit.bound)) for visit in solution.visits)
        visits = tuple(replace(visit, value=tell(u), bound="exact") for visit, u in known if u is not None)
        values = {path: tell(self.u_of(value)) for path, value in solution.values.items()}
        return self.game, solution.with_part(RecordedSearch, visits=visits, values=values)

"""Regions of the unknowns, parted until a question has one answer in each: exactly, without sampling.

1. Ask the question in the whole region. It is answered, or stops at a comparison that the region leaves open (Split).
2. Then the region is parted into those of its parts that are not empty: where the form is greater than zero, zero,
   less than zero. Ask in each of them.

A region is the set of points at which some linear forms are positive, zero or not negative. With one unknown it is a
stretch of the line; with several, whether a part is empty is a linear program: let every form that is to be positive
exceed t, and ask for the greatest t.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from gdl.errors import LimitReached, Refusal
from gdl.game import Number, exact
from gdl.numbers import to_text
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram, Unbounded, maximise

Answer = TypeVar("Answer")


class Side(NamedTuple):
    """A form and its sign: 1 greater than zero, 0 zero, -1 less than zero, 2 not negative, -2 not positive."""

    terms: Terms
    constant: Number
    sign: int


@dataclass(frozen=True)
class UnknownInterval:
    """A stretch of one unknown's line, from `low` to `high` (None: without end); `has_low` and `has_high` say if the
    ends belong to it."""

    name: str
    low: Number | None = None
    high: Number | None = None
    has_low: bool = False
    has_high: bool = False

    def holds(self, value: Number) -> bool:
        above = self.low is None or value > self.low or (self.has_low and value == self.low)
        below = self.high is None or value < self.high or (self.has_high and value == self.high)
        return above and below

    @property
    def point(self) -> Number | None:
        """The only value of the stretch; None if it has more than one."""
        return self.low if self.low is not None and self.low == self.high else None

    def joined_with(self, later: UnknownInterval) -> UnknownInterval:
        """This stretch and the one that follows it, as one."""
        return replace(self, high=later.high, has_high=later.has_high)

    def signs(self, terms: Terms, constant: Number) -> list[int]:
        """The signs that the form has in the region, the greatest first."""
        ((_, slope),) = terms
        root = exact(Fraction(-constant) / slope)
        found = [0] if self.holds(root) else []
        if self.high is None or self.high > root:
            found.append(1 if slope > 0 else -1)
        if self.low is None or self.low < root:
            found.append(-1 if slope > 0 else 1)
        return sorted(found, reverse=True)

    def part(self, side: Side) -> UnknownInterval:
        """The part of the region where the form has the side's sign, which must not be empty."""
        ((_, slope),) = side.terms
        root = exact(Fraction(-side.constant) / slope)
        closed = side.sign in (2, 0, -2)
        if side.sign == 0:
            return replace(self, low=root, high=root, has_low=True, has_high=True)
        if (side.sign > 0) == (slope > 0):
            tighter = self.low is None or root > self.low or (root == self.low and not closed)
            return replace(self, low=root, has_low=closed) if tighter else self
        tighter = self.high is None or root < self.high or (root == self.high and not closed)
        return replace(self, high=root, has_high=closed) if tighter else self

    def extent(self, name: str) -> UnknownInterval:
        """The stretch of values that the unknown takes in the region."""
        return self if name == self.name else UnknownInterval(name)


@dataclass(frozen=True)
class Polyhedron:
    """A region of several unknowns: all points at which the forms of its sides have their signs."""

    names: tuple[str, ...]
    sides: tuple[Side, ...] = ()
    _known: dict[tuple[Terms, Number], list[int]] = field(default_factory=dict, compare=False, repr=False)

    def signs(self, terms: Terms, constant: Number) -> list[int]:
        scale = max(terms[0][1], -terms[0][1])
        key = tuple((name, exact(Fraction(c) / scale)) for name, c in terms), exact(Fraction(constant) / scale)
        if key not in self._known:
            self._known[key] = [s for s in (1, 0, -1) if self.meets(Side(*key, s))]
        return self._known[key]

    def part(self, side: Side) -> Polyhedron:
        return Polyhedron(self.names, (*self.sides, side))

    def meets(self, side: Side) -> bool:
        """True if the form has the side's sign somewhere in the region."""
        return _greatest_slack(self.names, (*self.sides, side)) > 0

    def extent(self, name: str) -> UnknownInterval:
        low, high = (self._end(name, sign) for sign in (-1, 1))
        has_low, has_high = (end is not None and self.meets(Side(((name, 1),), -end, 0)) for end in (low, high))
        return UnknownInterval(name, low, high, has_low, has_high)

    def _end(self, name: str, sign: int) -> Number | None:
        """The greatest (sign 1) or least (-1) value of the unknown on the region's closure; None: without end."""
        closed = [side._replace(sign=_CLOSED[side.sign]) for side in self.sides]
        try:
            return sign * maximise(_program(self.names, closed, {name: sign})).value
        except Unbounded:
            return None


Region = UnknownInterval | Polyhedron  # never empty

_CLOSED = {1: 2, 2: 2, 0: 0, -2: -2, -1: -2}


def _greatest_slack(names: tuple[str, ...], sides: Sequence[Side]) -> Number:
    """The greatest t, at most 1, by which all strict sides can hold at once; -1 if the sides cannot hold."""
    try:
        return maximise(_program(names, sides, {})).value
    except Infeasible:
        return -1


def _program(names: tuple[str, ...], sides: Sequence[Side], goal: dict[str, int]) -> LinearProgram:
    """The linear program over the region. Every unknown is a difference of two variables that are not negative; the
    last variable is t, the margin of strict sides, which is maximised if no `goal` is given."""
    columns = {name: 2 * number for number, name in enumerate(names)}
    slack = 2 * len(names)
    rows: list[dict[int, Number]] = [{slack: 1}]
    bounds: list[Number] = [1]
    equalities = set()
    for terms, constant, sign in sides:
        turn = -1 if sign >= 0 else 1
        row: dict[int, Number] = {}
        for name, coefficient in terms:
            row |= {columns[name]: turn * coefficient, columns[name] + 1: -turn * coefficient}
        if sign in (1, -1):
            row[slack] = 1
        if sign == 0:
            equalities.add(len(rows))
        rows.append(row)
        bounds.append(-turn * constant)
    objective: dict[int, Number] = {} if goal else {slack: 1}
    for name, sign in goal.items():
        objective |= {columns[name]: sign, columns[name] + 1: -sign}
    return LinearProgram(slack + 1, objective, rows, bounds, frozenset(equalities))


# ---- Parting a region ---------------------------------------------------------------------------------------------


@dataclass
class RegionNode(Generic[Answer]):
    """A node of the tree of regions: a leaf has an answer, any other node the form that divides its region, and the
    parts by the sign of the form there."""

    region: Region
    answer: Answer | None = None
    form: tuple[Terms, Number] | None = None
    parts: dict[int, RegionNode[Answer]] = field(default_factory=dict)

    def leaves(self) -> Iterator[RegionNode[Answer]]:
        """The leaves of the tree, from the greatest sign to the least."""
        stack = [self]
        while stack:
            case = stack.pop()
            if case.form is None:
                yield case
            else:
                stack += [case.parts[sign] for sign in sorted(case.parts)]


def divide_region(whole: Region, ask: Callable[[Region], Answer], most: int) -> RegionNode[Answer]:
    """The tree of regions divided until `ask` has one answer in each leaf. Raises LimitReached beyond `most` leaves."""
    root: RegionNode[Answer] = RegionNode(whole)
    stack = [root]
    found = 0
    while stack:
        case = stack.pop()
        try:
            case.answer = ask(case.region)
        except Split as split:
            case.form = split.terms, split.constant
            signs = case.region.signs(*case.form)
            case.parts = {sign: RegionNode(case.region.part(Side(*case.form, sign))) for sign in signs}
            stack += case.parts.values()
            continue
        found += 1
        if found > most:
            raise LimitReached(f"stopped after {most:,} cases: the answer depends on the unknowns in too many ways")
    return root


Sides = tuple[Side, ...]
Cases = tuple[Sides, ...]  # any of them, all of whose sides hold: () is never, ((),) is always


def when(root: RegionNode[Answer], question: Callable[[Answer], bool]) -> Cases:
    """The points at which the answer to the question is yes, as cases. Parts with equal answers are joined where they
    meet."""
    found: dict[int, Cases] = {}
    for case in _from_below(root):
        if case.form is None:
            assert case.answer is not None
            found[id(case)] = ((),) if question(case.answer) else ()
            continue
        parts = {sign: found.pop(id(part)) for sign, part in case.parts.items()}
        found[id(case)] = _join_cases(case.form, parts)
    return found[id(root)]


def _from_below(root: RegionNode[Answer]) -> list[RegionNode[Answer]]:
    """All nodes of the tree, parts before the whole."""
    order = [root]
    for case in order:  # grows while it is walked
        order += case.parts.values()
    return order[::-1]


def _join_cases(form: tuple[Terms, Number], parts: dict[int, Cases]) -> Cases:
    """The cases of the parts, each with the side that defines its part; neighbouring parts with equal cases become
    one."""
    if len(set(parts.values())) == 1:
        return next(iter(parts.values()))
    joined: list[Sides] = []
    signs = sorted(parts, reverse=True)
    while signs:
        sign = signs.pop(0)
        cases = parts[sign]
        if sign in (1, 0) and signs and parts[signs[0]] == cases and signs[0] == sign - 1:
            signs.pop(0)
            sign = 2 if sign else -2
        joined += [(Side(*form, sign), *rest) for rest in cases]
    return tuple(joined)


# Linear forms such as 3 - 2x, compared within a region of the unknowns.
#
# A form takes the place of a number in a search: it is added, multiplied by numbers and compared like one. A comparison
# that the region leaves open raises Split, which says by which form the region is to be parted; in each part the search
# is run again, until every comparison it makes has one answer in all of the region.

Terms = tuple[tuple[str, Number], ...]  # unknown -> coefficient, none of them zero, in the order of their names


class Split(Exception):
    """A comparison is open: the sign of the form is not the same everywhere in the region."""

    def __init__(self, terms: Terms, constant: Number):
        super().__init__(text(terms, constant))
        self.terms = terms
        self.constant = constant


class Form:
    """A linear form, a constant plus a multiple of each unknown, which is compared within a region."""

    __slots__ = ("constant", "region", "terms")

    def __init__(self, region: Region, terms: Terms, constant: Number):
        self.region = region
        self.terms = terms
        self.constant = constant

    @classmethod
    def unknown(cls, region: Region, name: str) -> Form:
        return cls(region, ((name, 1),), 0)

    def _with_terms(self, terms: Mapping[str, Number], constant: Number) -> Form:
        kept = tuple((name, exact(terms[name])) for name in sorted(terms) if terms[name])
        return Form(self.region, kept, exact(constant))

    # -- reckoning --------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Form:
        return self._sum(other, 1)

    __radd__ = __add__

    def _sum(self, other: Any, times: int) -> Form:
        terms, constant = parts(other)
        mine = dict(self.terms)
        for name, coefficient in terms:
            mine[name] = mine.get(name, 0) + times * coefficient
        return self._with_terms(mine, self.constant + times * constant)

    def __neg__(self) -> Form:
        return self * -1

    def __sub__(self, other: Any) -> Form:
        return self._sum(other, -1)

    def __rsub__(self, other: Any) -> Form:
        return (self * -1)._sum(other, 1)

    def __mul__(self, other: Any) -> Form:
        terms, constant = parts(other)
        if self.terms and terms:
            names = " and ".join(f"?{form[0][0]}" for form in (self.terms, terms))
            raise Refusal(f"the answer is not linear: it holds a product of {names}; give one of them a number")
        if terms:
            return self._with_terms({name: self.constant * c for name, c in terms}, self.constant * constant)
        return self._with_terms({name: c * constant for name, c in self.terms}, self.constant * constant)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Form:
        return self * (1 / Fraction(other))

    # -- comparing --------------------------------------------------------------------------------------------

    def _compare_with(self, other: Any) -> int:
        if isinstance(other, float):  # an infinity
            return -1 if other > 0 else 1
        difference = self - other
        terms, constant = difference.terms, difference.constant
        signs = self.region.signs(terms, constant) if terms else [(constant > 0) - (constant < 0)]
        if len(signs) > 1:
            raise Split(terms, constant)
        return signs[0]

    def __lt__(self, other: Any) -> bool:
        return self._compare_with(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._compare_with(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._compare_with(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._compare_with(other) >= 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form | int | Fraction) and self._compare_with(other) == 0

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return text(self.terms, self.constant)


def parts(number: Any) -> tuple[Terms, Number]:
    """The terms and the constant of a form or a number."""
    return (number.terms, number.constant) if isinstance(number, Form) else ((), number)


def text(terms: Terms, constant: Number) -> str:
    """The form as a person writes it: x, 3 - 2*x, 1/2*x + 1/2*y - 1. Terms that are not negative come first."""
    pieces = [(coefficient, name) for name, coefficient in terms] + ([(constant, "")] if constant or not terms else [])
    pieces.sort(key=lambda piece: piece[0] < 0)
    written = ""
    for amount, name in pieces:
        sign = "-" if amount < 0 else "+"
        size = max(amount, -amount)
        factor = name if name and size == 1 else f"{to_text(size)}*{name}" if name else to_text(size)
        written += f" {sign} {factor}" if written else f"{'-' if amount < 0 else ''}{factor}"
    return written

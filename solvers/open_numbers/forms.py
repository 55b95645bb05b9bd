"""Linear forms such as 3 - 2x, compared within a region of the unknowns.

A form takes the place of a number in a search: it is added, multiplied by numbers and compared like one. A comparison
that the region leaves open raises Split, which says by which form the region is to be parted; in each part the search
is run again, until every comparison it makes has one answer in all of the region.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

from gdl.errors import Refusal
from gdl.game import Number, exact
from gdl.numbers import to_text

Terms = tuple[tuple[str, Number], ...]  # unknown -> coefficient, none of them zero, in the order of their names


class Split(Exception):
    """A comparison is open: the sign of the form is not the same everywhere in the region."""

    def __init__(self, terms: Terms, constant: Number):
        super().__init__(text(terms, constant))
        self.terms = terms
        self.constant = constant


class Signs(Protocol):
    """A region that can tell the signs of forms in it."""

    def sign(self, terms: Terms, constant: Number) -> int:
        """-1, 0 or 1 if that is the sign of the form everywhere in the region; else raises Split."""
        ...


class Form:
    """A linear form, a constant plus a multiple of each unknown, which is compared within a region."""

    __slots__ = ("constant", "region", "terms")

    def __init__(self, region: Signs, terms: Terms, constant: Number):
        self.region = region
        self.terms = terms
        self.constant = constant

    @classmethod
    def unknown(cls, region: Signs, name: str) -> Form:
        return cls(region, ((name, 1),), 0)

    def _with(self, terms: Mapping[str, Number], constant: Number) -> Form:
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
        return self._with(mine, self.constant + times * constant)

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
            return self._with({name: self.constant * c for name, c in terms}, self.constant * constant)
        return self._with({name: c * constant for name, c in self.terms}, self.constant * constant)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Form:
        return self * (1 / Fraction(other))

    # -- comparing --------------------------------------------------------------------------------------------

    def _against(self, other: Any) -> int:
        if isinstance(other, float):  # an infinity
            return -1 if other > 0 else 1
        difference = self - other
        return self.region.sign(difference.terms, difference.constant)

    def __lt__(self, other: Any) -> bool:
        return self._against(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._against(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._against(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._against(other) >= 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form | int | Fraction) and self._against(other) == 0

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

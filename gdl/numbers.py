"""Exact numbers as text and as JSON, and back: 3, "1/18", "?x", and a float only where a number is inexact."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

from gdl.game import Number, Probability, Rest, Unknown, Utility, exact

DIGITS = 12  # a fraction with more stands in texts as a decimal, and in full in --json
READABLE = 20  # characters of a fraction in a sentence, at most
SHARE = 12  # and of one in a table: a probability, an end of an interval
PARTS = 100  # greatest denominator of an estimated probability in a table; finer ones are shown as decimals
_DIGITS = 4000  # longest number read; Python itself stops a little above
_NUMBER = re.compile(
    r"[+-]?([0-9]+(\.[0-9]+|/[0-9]+)?|\.[0-9]+)", re.ASCII
)  # no exponents: 1e999999999 would never end
_DECIMALS: ContextVar[bool] = ContextVar("decimals", default=False)
_COSTS: ContextVar[bool] = ContextVar("costs", default=False)
_PLACES = 6  # of a decimal in a picture
_UNKNOWN = re.compile(r"(-?)\?(\w+)")


def to_json(number: Utility | Rest | float) -> int | str | float:
    """A whole number as int, a fraction as "1/18", an unknown as "?x", an inexact number as the float it is."""
    if isinstance(number, Unknown | Rest):
        return str(number)
    if isinstance(number, Fraction):
        number = exact(number)
    return str(number) if isinstance(number, Fraction) else number


@contextmanager
def _setting(way: ContextVar[bool], shown: bool) -> Iterator[None]:
    before = way.set(shown)
    try:
        yield
    finally:
        way.reset(before)


def decimals(shown: bool) -> AbstractContextManager[None]:
    """Inside, if `shown`, `to_text` writes a fraction that is exactly a decimal of few places as one: 0.25, and 1/3 as
    before."""
    return _setting(_DECIMALS, shown)


def costs(shown: bool) -> AbstractContextManager[None]:
    """Inside, `as_stated` turns utilities into the costs that players pay, if `shown`."""
    return _setting(_COSTS, shown)


def costs_are_shown() -> bool:
    return _COSTS.get()


def as_stated(utility: Any) -> Any:
    """A utility, or a vector of some, as the game's file states it: where that has costs, with the other sign."""
    if not _COSTS.get() or utility is None:
        return utility
    return tuple(map(opposite_of, utility)) if isinstance(utility, tuple) else opposite_of(utility)


def opposite_of(utility: Any) -> Any:
    """A number or an unknown with the other sign."""
    if isinstance(utility, Unknown):
        return replace(utility, negative=not utility.negative)
    return -utility if utility else utility


def to_text(number: Utility | Rest | float) -> str:
    """The number as a person writes it: 3, 1/18, 0.25."""
    if isinstance(number, Rest):
        return " - ".join([to_text(number.share), *map(str, number.unknowns)])
    if isinstance(number, Fraction) and _DECIMALS.get() and 10**_PLACES % number.denominator == 0:
        whole, rest = divmod(abs(number.numerator) * 10**_PLACES // number.denominator, 10**_PLACES)
        return f"{'-' * (number < 0)}{whole}.{rest:0{_PLACES}}".rstrip("0").removesuffix(".")
    return rounded_text(number, 6) if isinstance(number, float) else str(to_json(number))


def brief(number: Utility | float, about: str = "", longest: int = READABLE) -> str:
    """A number for a reader. A fraction of more than `longest` characters, or of more than DIGITS digits, is rounded to
    6 digits, and a float, as an estimate, to 2; `about` stands before a rounded number."""
    if isinstance(number, float):
        return f"{about}{number:.2g}" if abs(number) < 100 else f"{about}{number:.0f}"
    text = to_text(number)
    is_long = isinstance(number, Fraction) and (len(text) > longest or sum(map(str.isdecimal, text)) > DIGITS)
    return f"{about}{rounded_text(float(number), 6)}" if is_long else text


def rounded_text(number: float, digits: int, group: str = "") -> str:
    """The number in `digits` digits, with all digits before the point unless they are too many to read: 0.0556, 1000.5,
    3.33e+19. `group` separates thousands; "": nothing does."""
    if 10**digits - 0.5 <= abs(number) < 10**DIGITS:
        return f"{number:{group}.1f}".removesuffix(".0")
    return f"{number:.{digits}g}"


def share_text(number: Number | float, exactly: bool = True) -> str:
    """A probability in a table. Unless it is known `exactly`, a fraction whose denominator is over PARTS is shown as a
    decimal."""
    if exactly or isinstance(number, float) or Fraction(number).denominator <= PARTS:
        return brief(number, longest=SHARE)
    return f"{float(number):.6g}"


def end_text(limit: Number | None, infinite: str, text: Callable[[Number], str] = brief) -> str:
    """An end of a search window, a number as `text` writes it; `infinite` is the text for None."""
    return infinite if limit is None else text(limit)


def window_text(alpha: Number | None, beta: Number | None, text: Callable[[Number], str] = brief) -> str:
    """A search window as text, its numbers as `text` writes them: (3, inf)."""
    return f"({end_text(alpha, '-inf', text)}, {end_text(beta, 'inf', text)})"


def vector_text(numbers: Iterable[Utility | float]) -> str:
    """A vector as the language writes it: (1, -1/2)."""
    return f"({', '.join(map(to_text, numbers))})"


def amount_text(value: Number | tuple[Number, ...]) -> str:
    """A number, or a vector, as the language writes it."""
    return vector_text(value) if isinstance(value, tuple) else to_text(value)


def read_number(value: Any) -> Number:
    """The exact number that an int, a fraction, a decimal or their text stands for; a float is the decimal it prints
    as, so 0.1 is a tenth. Raises ValueError for anything else."""
    if isinstance(value, bool):
        raise ValueError(f"{value} is not a number")
    if isinstance(value, Rational):  # also a whole number of another library
        return exact(Fraction(int(value.numerator), int(value.denominator)))
    if isinstance(value, float) and math.isfinite(value):
        return exact(Fraction(Decimal(repr(float(value)))))
    text = value.strip() if isinstance(value, str) else ""
    if len(text) > _DIGITS or not _NUMBER.fullmatch(text):
        raise ValueError(f"{_short_text(value)} is not a number")
    try:
        return exact(Fraction(text))
    except ZeroDivisionError:
        raise ValueError(f"{_short_text(value)} divides by zero") from None


def plain_numbers(value: Any) -> Any:
    """The value as Python's own numbers, if it is a number or an array of numpy."""
    return value.tolist() if hasattr(value, "tolist") else value


def read_utility(value: Any) -> Utility:
    """Read a number as `read_number` does; the text `?x` or `-?x` is an unknown."""
    if isinstance(value, Unknown):
        return value
    unknown = _UNKNOWN.fullmatch(value.strip()) if isinstance(value, str) else None
    return Unknown(unknown[2], negative=bool(unknown[1])) if unknown else read_number(value)


def read_probability(value: Any) -> Probability:
    """Read a number as `read_number` does; the text `?p` is an unknown, and `3/4 - ?p` the rest that it leaves over."""
    if isinstance(value, Unknown | Rest):
        return value
    share, *others = value.split(" - ") if isinstance(value, str) else (value,)
    unknowns = tuple(_UNKNOWN.fullmatch(other.strip()) for other in others)
    if others and all(unknown and not unknown[1] for unknown in unknowns):
        return Rest(read_number(share), tuple(Unknown(unknown[2]) for unknown in unknowns if unknown))
    return read_utility(value)


def read_vector(value: Any) -> tuple[Utility, ...]:
    """A sequence of numbers, or the text `(1, -1/2)`; one number alone is a vector of one."""
    if isinstance(value, str):
        text = value.strip()
        value = text[1:-1].split(",") if text.startswith("(") and text.endswith(")") else [text]
    elif not isinstance(value := plain_numbers(value), list | tuple):
        value = [value]
    numbers = [read_utility(number) for number in value]
    if len(numbers) > 2:  # then an unknown stands for the whole vector, and each component says whose it is
        numbers = [
            Unknown(n.name, player=seat, span=n.span) if isinstance(n, Unknown) else n for seat, n in enumerate(numbers)
        ]
    return tuple(numbers)


def _short_text(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."

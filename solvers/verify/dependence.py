"""Stretches of an unknown and conditions, as an answer writes them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import Any, NamedTuple

from gdl.errors import DamagedData
from gdl.game import Number
from gdl.numbers import to_json
from gdl.solution import Path
from gdl.solvers.verify.claim import read_amount

_KEY = "unknowns"


class IntervalClaim(NamedTuple):
    """An interval of one unknown's line, and in `data` what the answer says is true there. An end that is None is
    infinite; `closed` says of each end whether it belongs to the interval. In `data` null stands where the answer
    leaves something open."""

    low: Number | None
    high: Number | None
    closed: tuple[bool, bool]
    data: Mapping[str, Any]

    @property
    def value(self) -> Mapping[str, str] | None:
        """For each player the value as a text: a number, or a form such as `3 - 2*x`; None if the answer leaves it
        open."""
        value = self.data.get("value")
        return None if value is None else {player: _form(form) for player, form in value.items()}

    @property
    def pruned(self) -> list[Path] | None:
        """The paths of the roots of skipped subtrees; None if the answer leaves them open."""
        pruned = self.data.get("pruned")
        return None if pruned is None else [*map(tuple, pruned)]

    def holds(self, t: Any) -> bool:
        """True if the number lies in the interval."""
        above = self.low is None or t > self.low or (t == self.low and self.closed[0])
        below = self.high is None or t < self.high or (t == self.high and self.closed[1])
        return above and below


class AnswerCondition(NamedTuple):
    """A statement of when something holds, such as that an action (`of`) is best (`what`): in any of the cases `when`,
    in each of which all comparisons hold."""

    what: str
    of: str | tuple[Any, ...]
    when: tuple[tuple[str, ...], ...]

    @property
    def in_words(self) -> tuple[str, str]:
        """The cases as one text, and "always", "never" or "sometimes"."""
        if self.when in ((), ((),)):
            often = "always" if self.when else "never"
            return often, often
        cases = [" and ".join(case) for case in self.when]
        apart = any(len(case) > 1 for case in self.when)
        return (", or " if apart else " or ").join(cases), "sometimes"


def read_stretches(data: Any) -> dict[str, tuple[IntervalClaim, ...]]:
    """The intervals that the answer lists for each unknown. Raises DamagedData where an end is no exact number."""
    return {name: tuple(map(_stretch, own)) for name, own in data.items()}


def _stretch(one: Mapping[str, Any]) -> IntervalClaim:
    ends = one["ends"]
    return IntervalClaim(_end(one["from"]), _end(one["to"]), (ends[0] == "closed", ends[1] == "closed"), one)


def _end(value: Any) -> Number | None:
    found = None if value is None else read_amount(value, _KEY)
    if isinstance(found, float):
        raise DamagedData("the answer's unknowns have rounded ends")
    return found


def _form(value: Any) -> str:
    return value if isinstance(value, str) else str(to_json(read_amount(value, _KEY)))


def read_conditions(data: Any) -> tuple[AnswerCondition, ...]:
    """The conditions of an answer. Raises DamagedData where one is about something else than an action, a value, a node
    or a profile."""
    return tuple(map(_condition, data))


def _condition(one: Mapping[str, Any]) -> AnswerCondition:
    about = one["of"]
    found = tuple(about) if isinstance(about, list) else about
    if not isinstance(found, str | tuple) or not all(isinstance(item, int | str) for item in found):
        raise DamagedData("the answer's conditions are about something that is neither a node nor a profile")
    return AnswerCondition(one["what"], found, tuple(map(tuple, one["when"])))


# Linear forms and comparisons as an answer writes them: `3 - 2*x`, `x <= 4`, `2 < x < 3`, `x > min(y, 3)`.

Point = Mapping[str, Any]  # unknown -> a number, or a form that can be reckoned with like one
Linear = tuple[dict[str, Fraction], Fraction]

DEEPEST = 200  # the most opening brackets in a form
_NUMBER = r"[0-9]{1,4000}(?:/[0-9]{1,4000})?"
_RELATIONS: Mapping[str, Callable[[Any, Any], bool]] = {"<=": le, ">=": ge, "<": lt, ">": gt, "=": eq}


class Reader:
    """Reads forms and comparisons about the unknowns of these names."""

    def __init__(self, names: Sequence[str]):
        known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        self._term = re.compile(rf"\s*([+-]?)\s*(?:({_NUMBER})\*)?({known})|\s*([+-]?)\s*({_NUMBER})")

    def linear(self, text: str) -> Linear:
        """The coefficients and the constant of a linear form. Raises DamagedData if the text is none."""
        terms: dict[str, Fraction] = {}
        constant = Fraction(0)
        at = 0
        while at < len(text):
            found = self._term.match(text, at)
            if found is None or found.end() == at or (at and not (found[1] or found[4])):
                raise DamagedData(f"the answer has '{text[:40]}' where a linear form belongs")
            sign = -1 if "-" in (found[1], found[4]) else 1
            if found[3]:
                terms[found[3]] = terms.get(found[3], Fraction(0)) + sign * _read(found[2] or "1")
            else:
                constant += sign * _read(found[5])
            at = found.end()
        return {name: c for name, c in terms.items() if c}, constant

    def at(self, text: str, point: Point) -> Any:
        """The value at a point of a linear form, or of the min or max of several."""
        if text.count("(") > DEEPEST:
            raise DamagedData(f"the answer has more than {DEEPEST} brackets in '{text[:40]}'")
        if found := re.fullmatch(r"\s*(min|max)\((.*)\)\s*", text):
            return (min if found[1] == "min" else max)(self.at(part, point) for part in _arguments(found[2]))
        terms, constant = self.linear(text)
        return sum((point[name] * c for name, c in terms.items()), constant)

    def holds(self, comparison: str, point: Point) -> bool:
        """True if a comparison, or a chain of two (`2 < x < 3`), holds at the point."""
        parts = _sides(comparison)
        if len(parts) not in (3, 5):
            raise DamagedData(f"the answer has '{comparison[:40]}' where a comparison belongs")
        sides = [self.at(side, point) for side in parts[::2]]
        return all(_RELATIONS[word](*pair) for word, pair in zip(parts[1::2], itertools.pairwise(sides), strict=True))


def _arguments(text: str) -> list[str]:
    """The parts of a text between the commas that are not inside brackets."""
    depths = itertools.accumulate((sign == "(") - (sign == ")") for sign in text)
    commas = [place for place, (sign, depth) in enumerate(zip(text, depths, strict=True)) if sign == "," and not depth]
    return [text[one + 1 : other] for one, other in itertools.pairwise([-1, *commas, len(text)])]


def _sides(comparison: str) -> list[str]:
    """The sides of a comparison with the relation signs between them."""
    return re.split(r"\s*(<=|>=|<|>|=)\s*", comparison)


def _read(number: str) -> Fraction:
    try:
        return Fraction(number)
    except (ValueError, ZeroDivisionError):
        raise DamagedData(f"the answer has '{number[:40]}' where a number belongs") from None

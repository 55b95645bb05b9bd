"""Linear forms and comparisons as an answer writes them: `3 - 2*x`, `x <= 4`, `2 < x < 3`, `x > min(y, 3)`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import Any

from gdl.errors import DamagedData

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

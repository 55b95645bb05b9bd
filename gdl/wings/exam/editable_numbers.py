"""The numbers that a lesson lets its reader change: in the file of its game what leaves and cells of tables are worth,
estimates, and the weights of chance, which are written with their colon, as in 1/2:; and some settings, as in c=1.
Actions that are called by a number stay as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl.errors import Refusal, clean
from gdl.game import Number
from gdl.numbers import read_number, to_text

_BODY = re.compile(r"(^(?:tree|matrix)\b.*(?:\n(?!\w).*)*|\Z)", re.MULTILINE)
_NUMBER = re.compile(
    r'"[^"\n]*"|#.*|(?<![\w./?])(-?\d+(?:\.\d+)?(?:/\d+)?)(?![\w./]|\s*:)'
    r"|(?<![\w./?])(\d+[./]\d+)(?=\s*:)"  # a weight: no action is called by a fraction
)
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
NUMBERS_OF_SETTINGS = ("simulations", "c")  # of a question


def numbers_in(text: str) -> list[str]:
    """The numbers of the tree or the table of a game file, in the order in which they are written."""
    found = _NUMBER.finditer(_BODY.split(text, maxsplit=1)[1])
    return [one[1] or f"{one[2]}:" for one in found if one[1] or one[2]]


def with_numbers(text: str, numbers: Sequence[str]) -> str:
    """The game file with other numbers in these places. Raises Refusal where there are too many or too few, or one is
    no number."""
    if len(numbers) != (wanted := len(numbers_in(text))):
        raise Refusal(f"{wanted} numbers are wanted")
    left = [to_text(_read_one(number)) for number in numbers]

    def exchange_number(found: re.Match[str]) -> str:
        number = left.pop(0) if found[1] or found[2] else found[0]
        return f"{number}/1" if found[2] and number.isdecimal() else number  # still no name of an action

    before, body, after = _BODY.split(text, maxsplit=1)
    return before + _NUMBER.sub(exchange_number, body) + after


def settings_among(numbers: Sequence[str]) -> dict[str, str]:
    """The settings among the numbers, as decimals. Raises Refusal where one is no number, or no setting."""
    found: dict[str, str] = {}
    for name, equals, said in (number.partition("=") for number in numbers):
        if equals and name not in NUMBERS_OF_SETTINGS:
            raise Refusal(clean(f"{name} is no number of this question"))
        if equals:
            number = _read_one(said)
            found[name] = said.strip() if _DECIMAL.fullmatch(said.strip()) else f"{float(number):.12g}"
    return found


def _read_one(text: str) -> Number:
    try:
        return read_number(text.removesuffix(":"))
    except ValueError as wrong:
        raise Refusal(clean(str(wrong))) from None

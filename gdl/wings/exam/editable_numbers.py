"""The numbers of a game file that a lesson lets its reader change: what leaves and cells of tables are worth, and
estimates. The weights of chance, and actions that are called by a number, stay as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl.errors import Refusal, clean
from gdl.numbers import read_number, to_text

_BODY = re.compile(r"(^(?:tree|matrix)\b.*(?:\n(?!\w).*)*|\Z)", re.MULTILINE)
_NUMBER = re.compile(r'"[^"\n]*"|#.*|(?<![\w./?])(-?\d+(?:\.\d+)?(?:/\d+)?)(?![\w./]|\s*:)')


def numbers_in(text: str) -> list[str]:
    """The numbers of the tree or the table of a game file, in the order in which they are written."""
    return [found[1] for found in _NUMBER.finditer(_BODY.split(text, maxsplit=1)[1]) if found[1]]


def with_numbers(text: str, numbers: Sequence[str]) -> str:
    """The game file with other numbers in these places. Raises Refusal where there are too many or too few, or one is
    no number."""
    if len(numbers) != (wanted := len(numbers_in(text))):
        raise Refusal(f"{wanted} numbers are wanted")
    try:
        left = [to_text(read_number(number)) for number in numbers]
    except ValueError as wrong:
        raise Refusal(clean(str(wrong))) from None
    before, body, after = _BODY.split(text, maxsplit=1)
    return before + _NUMBER.sub(lambda found: left.pop(0) if found[1] else found[0], body) + after

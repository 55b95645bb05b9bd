"""The attributes of a state graph as plain values that every file format knows, numbers staying exact."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gdl.errors import clean
from gdl.game import Rest, Unknown
from gdl.numbers import to_json, to_text, window_text

_NUMBERS = ("probability", "played", "quiet")
_VECTORS = ("utilities", "evaluation", "value", "returned", "forever")
_WINDOWS = ("window", "window_after")


def plain(value: Any) -> Any:
    """The value as JSON data: fractions and unknowns become text, tuples lists; an infinite float or one that is not a
    number becomes text as well."""
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, float | Fraction | Unknown | Rest):
        return to_json(value)
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return str(value)


def as_text(name: str, value: Any) -> str | int | bool | float:
    """The value of the attribute `name` as a scalar: numbers that may be fractions as text such as `1/3`, vectors as
    `(1, -1/2)`, names as a JSON list. Text is cleaned of characters that XML does not know."""
    if isinstance(value, str):
        return clean_lines(value)
    if name in _WINDOWS:
        return window_text(value[0], value[1], to_text)
    if name in _VECTORS and isinstance(value, list | tuple):
        return f"({', '.join(str(to_json(number)) for number in value)})"
    if isinstance(value, bool) or (isinstance(value, int) and name not in _NUMBERS + _VECTORS):
        return value
    simple = _clean_texts(plain(value))
    return json.dumps(simple) if isinstance(simple, list | dict) else str(simple)


def _clean_texts(value: Any) -> Any:
    """The plain value with every text in it cleaned, in the same way as names elsewhere in the file, so that they still
    agree."""
    if isinstance(value, dict):
        return {clean_lines(name): _clean_texts(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_clean_texts(part) for part in value]
    return clean_lines(value) if isinstance(value, str) else value


def clean_lines(text: str) -> str:
    """The text cleaned of harmful characters, its line ends kept."""
    return "\n".join(map(clean, text.split("\n")))

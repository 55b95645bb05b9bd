"""The attributes of a state graph as plain values that every file format knows, and back, numbers staying exact."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gdl.errors import GameError, Problem, clean
from gdl.game import Rest, Unknown
from gdl.numbers import read_probability, read_utility, read_vector, to_json, window_text
from gdl.states.graph_game import RESTLESS, name_list, read_json, read_pairs

LARGEST = 64 * 2**20  # characters of a graph's file that are read at all

_NUMBERS = ("probability", "played", "quiet")
_VECTORS = ("utilities", "evaluation", "value", "forever")
_WINDOWS = ("window", "window_after")
_NAMES = ("players", "joint", "line", "best")


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
        return window_text(*value)
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


def restore_attribute(name: str, value: Any) -> Any:
    """The value of the attribute `name` from its form in a file, which `plain` or `as_text` made; GameError if it
    cannot be one."""
    try:
        if name in _NUMBERS:
            return _number(value)
        if name in _VECTORS:
            return _vector(value)
        if name in _WINDOWS:
            return _window(value)
        if name == "bounds":
            return read_pairs(value)
        if name in _NAMES and (isinstance(value, list) or str(value).startswith("[")):
            return list(name_list(value)) if name == "players" else name_list(value)
        if name == "information_set" and isinstance(value, str) and value.startswith("{"):
            return _mapping(value)
    except (ValueError, TypeError) as wrong:
        raise GameError(Problem(f"the attribute '{name}' of the graph: {wrong}")) from None
    return value


def _number(value: Any) -> Any:
    return value if isinstance(value, float) or value == RESTLESS else read_probability(value)


def _vector(value: Any) -> Any:
    """The payoffs that an attribute holds: a tuple with one number per player, a mapping from players to numbers, or a
    single number."""
    if isinstance(value, str) and value.startswith("{"):
        return read_json(value)
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and any(isinstance(number, float) for number in value):
        return tuple(_number(number) for number in value)
    return read_vector(value) if isinstance(value, list) or str(value).startswith("(") else _number(value)


def _window(value: Any) -> tuple[Any, ...]:
    ends = value.strip("()").split(",") if isinstance(value, str) else value
    if len(ends) != 2:
        raise ValueError("a window has two ends")
    infinite = (None, "-inf", "inf")
    return tuple(
        None if (end.strip() if isinstance(end, str) else end) in infinite else read_utility(end) for end in ends
    )


def _mapping(value: str) -> Any:
    """The information sets of a simultaneous node, by player, from JSON; a name that only looks like JSON stays as it
    is."""
    try:
        names = read_json(value)
    except ValueError:
        return value
    return names if isinstance(names, dict) else value


def clean_lines(text: str) -> str:
    """The text cleaned of harmful characters, its line ends kept."""
    return "\n".join(map(clean, text.split("\n")))


def refuse_large(text: str) -> None:
    """Raise GameError if the text is larger than any file of a state graph should be."""
    if len(text) > LARGEST:
        raise GameError(Problem(f"the graph's file is {len(text):,} characters long; {LARGEST:,} are read at most"))

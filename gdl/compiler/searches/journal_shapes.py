"""What results of pieces look like, for those that come from a file: a journal from elsewhere is not believed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl.compiler.searches.owner import OWNERS
from gdl.formats.parts import is_part

Shape = Callable[[Any], bool]  # whether a value has it


def number(value: Any) -> bool:
    return type(value) is int and -(1 << 63) <= value < 1 << 63


def count(value: Any) -> bool:
    return number(value) and value >= 0


def maybe(shape: Shape) -> Shape:
    """That, or None."""
    return lambda value: value is None or shape(value)


def each(shape: Shape, length: int | None = None) -> Shape:
    """A list of those, of any length or of this one."""
    return lambda value: isinstance(value, list) and length in (None, len(value)) and all(map(shape, value))


def record(*shapes: Shape) -> Shape:
    """A list of one of each."""
    return lambda value: (
        isinstance(value, list)
        and len(value) == len(shapes)
        and all(shape(one) for shape, one in zip(shapes, value, strict=True))
    )


IMAGE = record(count, count, is_part, is_part)
CHUNK = record(count, is_part, is_part, each(count, OWNERS))
SETTLED = each(is_part, 4)
RESULTS: dict[str, Shape] = {  # what comes of a piece, by its name
    "begin": record(each(maybe(IMAGE), OWNERS), each(CHUNK)),
    "expand": record(
        count, each(record(count, is_part, is_part), OWNERS), is_part, each(record(count, is_part), OWNERS), count,
        each(number), maybe(number),
    ),
    "admit": record(maybe(IMAGE), each(record(count, is_part)), record(count, is_part, is_part)),
    "gather": each(CHUNK),
    "graph": record(each(is_part, 2), SETTLED),
    "wave": record(count, SETTLED, each(each(record(count, is_part, maybe(is_part)), OWNERS))),
    "tell": each(is_part, 2),
    "place": each(is_part, 2),
}  # fmt: skip


def is_sound(piece: Any, result: Any) -> bool:
    """Whether a result can be that of a piece, as far as its look tells."""
    what, *about = piece
    if not RESULTS[what](result):
        return False
    if what == "admit":
        return len(result[1]) == len(about[2]) and (result[0] is not None or not about[2])
    return True

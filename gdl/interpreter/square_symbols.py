"""Symbols for the values on the squares of a board: those of a legend, else made from the names of the values."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from gdl.interpreter.memory import HIDDEN
from gdl.model.domains import Named, Optional, Part, Type, board_of, text_of
from gdl.model.games import Look, RulesModel, Variable

EMPTY = "."


def look_of(model: RulesModel, index: int) -> Look:
    """The way to draw a variable: the variables drawn in one picture with it, and their symbols."""
    said = next((look for look in reversed(model.looks) if index in look.variables), None)
    return said or _sides_and_kinds(model, index) or Look((index,), {})


def _sides_and_kinds(model: RulesModel, index: int) -> Look | None:
    """The way to draw pieces on one board, if one of two arrays over it holds the owner of each piece, the other its
    kind, and no legend explains them: letters of the kinds, capitals for the first player, as in chess. Else None."""
    first = model.variables[index]
    board = board_of(first.indices[0]) if len(first.indices) == 1 else None
    if board is None or len(model.players) != 2 or any(set(look.variables) & {index} for look in model.looks):
        return None
    arrays = [k for k, v in enumerate(model.variables) if v.indices == first.indices]
    if len(arrays) != 2 or index != arrays[0] or any(set(look.variables) & set(arrays) for look in model.looks):
        return None
    sides, kinds = (_enumeration_of(model.variables[k].type) for k in arrays)
    if sides is None or kinds is None or sides.members != model.players or kinds.members == model.players:
        return None
    letters = [name[0].lower() for name in kinds.members]
    if len(set(letters)) < len(letters) or not isinstance(model.variables[arrays[0]].type, Optional):
        return None
    said: dict[tuple[Any, ...], str] = {}
    for kind, (letter, name) in enumerate(zip(letters, kinds.members, strict=True)):
        said |= {(0, kind): letter.upper(), (1, kind): letter, (None, kind): name}
    return Look(tuple(arrays), said | {(None, _nothing(model.variables[arrays[1]])): EMPTY})


def _enumeration_of(type: Type) -> Named | None:
    inner = type.item if isinstance(type, Optional) else type
    return inner if isinstance(inner, Named) and inner.board is None else None


def _nothing(variable: Variable) -> Any:
    """The value of an array's element on which nothing stands."""
    return None if isinstance(variable.type, Optional) else 0


def symbol_of(type: Type) -> Callable[[Any], str]:
    """A function to a short symbol for each value of a type: a dot for none and false, a cross for true, the first
    letter of a name if all members differ in it, for a record the symbols of its fields."""
    inner = type.item if isinstance(type, Optional) else type
    names = inner.whole.members if isinstance(inner, Part) else inner.members if isinstance(inner, Named) else ()
    record = isinstance(inner, Named) and bool(inner.parts)
    letters = ["".join(word[0] for word in re.findall(r"[\w-]+", name)[1:]) if record else name[0] for name in names]
    short = bool(names) and len(set(letters)) == len(names)

    def symbol(value: Any) -> str:
        if value is None or value is False:
            return EMPTY
        if value == HIDDEN:
            return HIDDEN
        return "x" if value is True else letters[value] if short else text_of(type, value, by_field=True)

    return symbol

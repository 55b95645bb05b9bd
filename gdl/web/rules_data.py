"""The rules of a game as plain data, for the page on which it is played: core forms, types, tables.

A form is an object whose kind stands under the empty name; spans are left out. Types and tables are kept in lists, and
named by their place. A number that a script cannot hold exactly is written `{"big": "…"}`, a fraction
`{"fraction": [n, d]}`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gdl.analysis.trials import rings
from gdl.errors import Refusal, clean
from gdl.model import core
from gdl.model.domains import Named, Optional, Part, Range, Sequence, SetType, Type, ordinal_base
from gdl.model.games import RulesModel
from gdl.record import Record

LARGEST = 2**53  # beyond which a script's numbers are not exact
_LEFT_OUT = ("span", "settled", "text", "recursive")


class RulesData:
    """The data of one game, as they are gathered."""

    def __init__(self, model: RulesModel):
        self.model = model
        self.types: list[dict[str, Any]] = []
        self.type_numbers: dict[int, int] = {}
        self.kept: list[Any] = []  # what the numbers are of, so that it stays where it is
        self.tables: list[Any] = []
        self.table_numbers: dict[int, int] = {}

    def whole(self) -> dict[str, Any]:
        """The rules as objects, lists, numbers and texts. Raises Refusal where the script cannot play them."""
        model = self.model
        if model.rewards:
            raise Refusal(f"{clean(model.name)} has rewards on the way, which the page does not count")
        found = {
            name: self.of(getattr(model, name))
            for name in ("definitions", "procedures", "actions", "chances", "resolve", "start", "opening", "clauses",
                         "features", "times")
        }  # fmt: skip
        found["rings"] = [sorted(ring) for ring in rings(model)]
        found["variables"] = [self.variable(variable) for variable in model.variables]
        return {"name": model.name, "players": list(model.players), **found, "types": self.types, "tables": self.tables}

    def variable(self, variable: Any) -> dict[str, Any]:
        return {
            "name": variable.name,
            "place": variable.place,
            "initial": self.of(variable.initial),
            "type": self.type(variable.type),
            "indices": [self.type(index) for index in variable.indices],
            "extents": list(variable.extents),
            "bases": [ordinal_base(index) for index in variable.indices],
            "visibility": self.of(variable.visibility),
        }

    def of(self, value: Any) -> Any:
        """A form, a constant, or several."""
        if isinstance(value, core.Lookup):
            return {"": "Lookup", "table": self.table(value.table), "arguments": self.of(value.arguments),
                    "bases": list(value.bases), "missing": self.of(value.missing)}  # fmt: skip
        if isinstance(value, Range | Named | Optional | SetType | Sequence):
            return self.type(value)
        if isinstance(value, Record):
            if type(value).__module__ == Named.__module__:  # truths, texts, numbers
                return self.type(value)  # type: ignore[arg-type]
            inner = {name: self.of(part) for name, part in value.__dict__.items() if name not in _LEFT_OUT}
            return {"": type(value).__name__, **inner}
        if isinstance(value, range):
            return {"range": [value.start, value.stop]}
        if isinstance(value, tuple | list):
            return [self.of(item) for item in value]
        if isinstance(value, Fraction):
            return {"fraction": [str(value.numerator), str(value.denominator)]}
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= LARGEST:
            return {"big": str(value)}
        return value

    def table(self, table: Any) -> int:
        if id(table) not in self.table_numbers:
            self.table_numbers[id(table)] = len(self.tables)
            self.kept.append(table)
            self.tables.append(_plain(table))
        return self.table_numbers[id(table)]

    def type(self, type: Type) -> int:
        if id(type) not in self.type_numbers:
            self.kept.append(type)
            number = self.type_numbers[id(type)] = len(self.types)
            self.types.append({})
            self.types[number] = self.describe_type(type)
        return self.type_numbers[id(type)]

    def describe_type(self, type: Type) -> dict[str, Any]:
        match type:
            case Part():
                return {"kind": "part", "members": list(type.whole.members)}
            case Range(low, high):
                return {"kind": "range", "low": self.of(low), "high": self.of(high)}
            case Named():
                board = {} if type.board is None else {"board": True}
                return {"kind": "named", "name": type.name, "members": list(type.members), **board}
            case Optional(item):
                return {"kind": "optional", "item": self.type(item)}
            case SetType(item):
                return {"kind": "set", "item": self.type(item)}
            case Sequence(item):
                return {"kind": "sequence", "item": self.type(item)}
        return {"kind": "plain"}


def _plain(table: Any) -> Any:
    """A table of whole numbers, nested; sets in it are whole numbers too, which may be large."""
    if isinstance(table, tuple | list):
        return [_plain(entry) for entry in table]
    if isinstance(table, range):
        return list(table)
    if isinstance(table, int) and not isinstance(table, bool) and abs(table) >= LARGEST:
        return {"big": str(table)}
    return table

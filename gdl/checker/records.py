"""Records: `type Offer = record(giver: Player, given: Good)` is an enumeration of all that its fields may hold.

So a record packs as its fields do, two are equal by content, and a field is a table over the values of the type.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

from gdl import syntax
from gdl.checker.checks import Checks
from gdl.checker.scope import NOTHING_RIGHT, Typed
from gdl.checker.types import base_type, read_as
from gdl.errors import clean, limits, listing, nearest
from gdl.model import core, domains
from gdl.model.domains import ANYTHING, TRUTH, Named, Optional, Range, SetType, Type, describe_type, members, size


def type_of_record(check: Checks, name: str, written: syntax.RecordOf) -> Type:
    """The type, with a member for each way to fill the fields, the last running fastest."""
    parts: list[tuple[str, Type]] = []
    for each in written.typed:
        type = check.type_of(each.type)
        if any(each.name.name == known for known, _ in parts):
            message = f"{name} has the field {clean(each.name.name)} twice"
            check.scope.problem(message, each.name.span, help="give one of the two another name")
        if isinstance(_without_none(type), SetType):
            message = f"a field of a record is one thing, and this is {describe_type(type)}"
            check.scope.problem(message, each.type.span, help="keep the set in a variable of its own")
            type = ANYTHING
        parts.append((each.name.name, type))
    if any(_without_none(type) == ANYTHING for _, type in parts):
        return ANYTHING
    values = prod(size(type) for _, type in parts)
    if not 1 <= values <= limits.IN_SET:
        message = f"a record has 1 to {limits.IN_SET:,} values, and {name} has {values:,}"
        check.scope.problem(message, written.span, help="use smaller types for its fields, or several variables")
        return ANYTHING
    texts = [[domains.text_of(type, value) for value in members(type)] for _, type in parts]
    return Named(name, tuple(f"{name}({', '.join(each)})" for each in product(*texts)), parts=tuple(parts))


def _without_none(type: Type) -> Type:
    return type.item if isinstance(type, Optional) else type


def check_record(check: Checks, type: Named, e: syntax.Call) -> Typed:
    """`Offer(Ann, wood)`: the record of these fields; none where one does not fit."""
    places, bases = [], []
    for (_, part), written in zip(type.parts, e.arguments, strict=True):
        value, inner, base = check.want(written, part), _without_none(part), 0
        if inner == TRUTH:
            value = core.If(value, core.Const(1), core.Const(0))
        elif isinstance(inner, Range):
            base = inner.low
        if isinstance(part, Optional):
            base -= 1
            none = core.Comparison("=", value, core.Const(None), written.span)
            value = core.If(none, core.Const(base), value)
        places.append(value)
        bases.append(base)
    table: Any = range(len(type.members))
    for _, part in reversed(type.parts[1:]):
        each = size(part)
        table = tuple(tuple(table[at : at + each]) for at in range(0, len(table), each))
    return Typed(core.Lookup(type.name, tuple(table), tuple(places), tuple(bases)), type)


def check_field(check: Checks, e: syntax.FieldOf) -> Typed:
    """`offer.given`; of none, none."""
    typed, name = check.check(e.operand), e.field.text
    type = base_type(typed.type)
    parts = type.parts if isinstance(type, Named) else ()
    at = next((at for at, (known, _) in enumerate(parts) if known == name), None)
    if at is not None:
        values = [each[at] for each in product(*(members(type) for _, type in parts))]
        return _table_of_field(typed, parts[at][1], values, e)
    if type == ANYTHING:
        return NOTHING_RIGHT
    if not parts:
        message = f"only a record has fields, and this is {describe_type(typed.type)}"
        known_alone = name in check.names()  # as in Card.J
        help = f"write {clean(name)} alone" if known_alone else "declare its type as record(…)"
        return check.scope.wrong(message, e.operand.span, help=help)
    known = [known for known, _ in parts]
    near = nearest(name, known)
    help = f"write '{near}'" if near else f"write {listing(known, 'or')}"
    return check.scope.wrong(f"no field of {type} is called '{clean(name)}'", e.field.span, help=help)


def _table_of_field(typed: Typed, part: Type, values: list[Any], e: syntax.FieldOf) -> Typed:
    """The field as a lookup by record, in a table of numbers from 0 up."""
    read = read_as(part)
    type = Optional(read) if isinstance(typed.type, Optional) and not isinstance(read, Optional) else read
    least = min(0, min((int(value) for value in values if value is not None), default=0))
    table = tuple(None if value is None else int(value) - least for value in values)
    found: core.Expression = core.Lookup(f"{base_type(typed.type)}.{e.field.text}", table, (typed.core,), (0,))
    truth = _without_none(part) == TRUTH
    if least == 0 and not truth:
        return Typed(found, type)
    worth: core.Expression = core.Comparison("=", found, core.Const(1), e.span)
    if not truth:
        worth = core.Arithmetic("+", found, core.Const(least), e.span)
    none = core.Comparison("=", found, core.Const(None), e.span)
    return Typed(core.If(none, core.Const(None), worth) if isinstance(type, Optional) else worth, type)

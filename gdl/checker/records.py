"""Records: `type Offer = record(giver: Player, given: Good)` is an enumeration of all that its fields may hold.

So a record packs as its fields do, two are equal by content, and a field is a table over the values of the type.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod
from typing import Any

from gdl import syntax
from gdl.checker.narrowing import narrow_value
from gdl.checker.scope import NOTHING_RIGHT, Checks, Typed
from gdl.checker.types import base_type, read_as
from gdl.errors import Span, clean, limits, listing, suggestion
from gdl.model import core, domains
from gdl.model.domains import (
    ANYTHING,
    TRUTH,
    Named,
    Optional,
    Range,
    SetType,
    Type,
    describe_type,
    members,
    size,
    without_none,
)


def type_of_record(check: Checks, name: str, written: syntax.RecordOf) -> Type:
    """The type of a record, with a member for each combination of values of its fields, the last field varying
    fastest."""
    parts: list[tuple[str, Type]] = []
    for each in written.typed:
        type = check.type_of(each.type)
        if any(each.name.name == known for known, _ in parts):
            message = f"{name} has the field {clean(each.name.name)} twice"
            check.scope.problem(message, each.name.span, help="give one of the two another name")
        if isinstance(without_none(type), SetType):
            message = f"a field of a record is one thing, and this is {describe_type(type)}"
            check.scope.problem(message, each.type.span, help="keep the set in a variable of its own")
            type = ANYTHING
        parts.append((each.name.name, type))
    if any(without_none(type) == ANYTHING for _, type in parts):
        return ANYTHING
    values = prod(size(type) for _, type in parts)
    if not 1 <= values <= limits.IN_SET:
        message = f"a record has 1 to {limits.IN_SET:,} values, and {name} has {values:,}"
        check.scope.problem(message, written.span, help="use smaller types for its fields, or several variables")
        return ANYTHING
    texts = [[domains.text_of(type, value) for value in members(type)] for _, type in parts]
    return Named(name, tuple(f"{name}({', '.join(each)})" for each in product(*texts)), parts=tuple(parts))


def check_record(check: Checks, type: Named, e: syntax.Call) -> Typed:
    """The record with these values in its fields; `none` if a value is outside of its field's type."""
    fields = [name for name, _ in type.parts]
    for each in e.arguments:
        named = each.left.word.text if isinstance(each, syntax.Compare) and isinstance(each.left, syntax.Name) else ""
        if named in fields and named not in check.names():
            message = "the values of a record stand in the order of its fields, without their names"
            return check.scope.wrong(message, each.span, help=f"write the values alone: {listing(fields, most=10)}")
    values = (check.want(written, part) for (_, part), written in zip(type.parts, e.arguments, strict=True))
    return Typed(_record_of(type, values, e.span), type)


def _record_of(type: Named, values: Iterable[core.Expression], span: Span) -> core.Lookup:
    """The record with these values in its fields, as a lookup in a table of all records of the type."""
    places, bases = [], []
    for (_, part), value in zip(type.parts, values, strict=True):
        inner, base = without_none(part), 0
        if inner == TRUTH:
            value = core.If(value, core.Const(1), core.Const(0))
        elif isinstance(inner, Range):
            base = inner.low
        if isinstance(part, Optional):
            base -= 1
            value = core.If(core.Comparison("=", value, core.Const(None), span), core.Const(base), value)
        places.append(value)
        bases.append(base)
    table: Any = range(len(type.members))
    for _, part in reversed(type.parts[1:]):
        each = size(part)
        table = tuple(tuple(table[at : at + each]) for at in range(0, len(table), each))
    return core.Lookup(type.name, tuple(table), tuple(places), tuple(bases))


def check_record_with(check: Checks, e: syntax.RecordWith) -> Typed:
    """The record with another value in one field; of `none`, `none`."""
    typed = check.check(e.whole)
    type = base_type(typed.type)
    parts = type.parts if isinstance(type, Named) else ()
    if not isinstance(type, Named) or e.field.text not in dict(parts):
        return check_field(check, syntax.FieldOf(e.field.span, e.whole, e.field))
    held = Typed(typed.core, type)
    values = [
        check.want(e.value, part) if name == e.field.text else _field(held, at, name, e.span).core
        for at, (name, part) in enumerate(parts)
    ]
    record: core.Expression = _record_of(type, values, e.span)
    if isinstance(typed.type, Optional):
        record = core.If(core.Comparison("=", typed.core, core.Const(None), e.span), core.Const(None), record)
    return Typed(record, typed.type)


def check_field(check: Checks, e: syntax.FieldOf) -> Typed:
    """Check `offer.given`, the value of a field; of `none`, `none`."""
    typed, name = narrow_value(check, check.check(e.operand), e.span), e.field.text
    type = base_type(typed.type)
    parts = type.parts if isinstance(type, Named) else ()
    at = next((at for at, (known, _) in enumerate(parts) if known == name), None)
    if at is not None:
        return _field(typed, at, name, e.span)
    if type == ANYTHING:
        return NOTHING_RIGHT
    if not parts:
        message = f"only a record has fields, and this is {describe_type(typed.type)}"
        help = f"write {clean(name)} alone" if name in check.names() else "declare its type as record(…)"
        if isinstance(type, domains.Array) and name in check.names():
            help = f"write {type.name}[{clean(name)}]"
        if isinstance(type, domains.Array) and type.kind == "sequence":
            help = f"write size({type.name}), first({type.name}), last({type.name}) or {type.name}[1]"
        if isinstance(type, Named) and type.board and name in ("column", "row", "layer"):
            help = f"write {name}(…)"
        return check.scope.wrong(message, e.operand.span, help=help)
    known = [known for known, _ in parts]
    help = suggestion(name, known, f"write {listing(known, 'or')}")
    return check.scope.wrong(f"no field of {type} is called '{clean(name)}'", e.field.span, help=help)


def _field(typed: Typed, at: int, name: str, span: Span) -> Typed:
    """The value of a record's field number `at`, as a lookup in a table of numbers from 0 up; the field of `none` is
    `none`."""
    record = base_type(typed.type)
    assert isinstance(record, Named)
    part = record.parts[at][1]
    values = [each[at] for each in product(*(members(type) for _, type in record.parts))]
    read = read_as(part)
    type = Optional(read) if isinstance(typed.type, Optional) and not isinstance(read, Optional) else read
    least = min(0, min((int(value) for value in values if value is not None), default=0))
    table = tuple(None if value is None else int(value) - least for value in values)
    found: core.Expression = core.Lookup(f"{record}.{name}", table, (typed.core,), (0,))
    truth = without_none(part) == TRUTH
    if least == 0 and not truth:
        return Typed(found, type)
    worth: core.Expression = core.Comparison("=", found, core.Const(1), span)
    if not truth:
        worth = core.Arithmetic("+", found, core.Const(least), span)
    none = core.Comparison("=", found, core.Const(None), span)
    return Typed(core.If(none, core.Const(None), worth) if isinstance(type, Optional) else worth, type)

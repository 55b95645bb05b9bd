"""Records as JSON and back: models and their code as plain data.

A text is the JSON list [classes, things]; the last thing is the whole. A thing is a scalar, or a list that begins with
its kind: one of KINDS, or behind these a class by its number. The rest of the list are the numbers of earlier things,
or, where the kind says so, scalars as they are. So what is shared stays shared, and neither a deep nor a damaged text
needs the stack of calls. Only classes of MODULES are made, by their fields: nothing of a text is called.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from operator import index
from typing import Any

from gdl.record import Record

MODULES = frozenset(
    f"gdl.{module}"
    for module in (
        "errors model.core model.games model.domains model.board compiler.lower compiler.lower.past "
        "compiler.lower.state_layout compiler.lower.writer compiler.ir.nodes compiler.ir.module inspection.findings"
    ).split()
)
MOST = 1_000_000  # things in a text
SCALARS = frozenset((int, str, bool, float, type(None)))
# The kinds of things that are no records: how each is made of its parts. `scalars` and `row` hold scalars as they are.
KINDS: Sequence[tuple[str, Callable[[list[Any]], Any]]] = (
    ("scalars", tuple),
    ("row", list),
    ("tuple", tuple),
    ("list", list),
    ("frozenset", frozenset),
    ("set", set),
    ("dict", lambda parts: dict(zip(parts[::2], parts[1::2], strict=True))),
    ("range", lambda parts: range(*parts)),
    ("Fraction", lambda parts: Fraction(*map(index, parts))),
)
NUMBERS = {name: number for number, (name, _) in enumerate(KINDS)}


class NotKept(ValueError):
    """Raised for a thing that is not kept, or for a text that no things can be made of."""


def encode_thing(whole: Any, known: Sequence[Any] = ()) -> tuple[str, list[Any]]:
    """The text of `whole`, and the things in it, in order, behind those that are `known` where it is read. Raises
    NotKept."""
    things = list(known)
    numbers = {id(thing): number for number, thing in enumerate(things)}
    scalars: dict[tuple[type, Any], int] = {}
    classes: dict[type, int] = {}
    written: list[Any] = []

    def add(thing: Any, text: Any) -> int:
        if len(things) >= MOST:
            raise NotKept("too many things")
        things.append(thing)
        written.append(text)
        return len(things) - 1

    def number_of(part: Any) -> int | None:
        if type(part) not in SCALARS:
            return numbers.get(id(part))
        key = type(part), part
        if key not in scalars:
            scalars[key] = add(part, part)
        return scalars[key]

    work: list[tuple[Any, int, list[Any]]] = []  # things whose parts, with their kind, are not all written
    if number_of(whole) is None:
        work.append((whole, *_parts(whole, classes)))
    while work:
        thing, kind, parts = work[-1]
        if kind <= NUMBERS["row"]:
            row = parts
        else:
            row = [number_of(part) for part in parts]
            if missing := [part for part, number in zip(parts, row, strict=True) if number is None]:
                work += [(part, *_parts(part, classes)) for part in reversed(missing)]
                continue
        work.pop()
        if id(thing) not in numbers:
            numbers[id(thing)] = add(thing, [kind, *row])
    names = [f"{made.__module__}:{made.__qualname__}" for made in classes]
    return json.dumps([names, written], separators=(",", ":")), things


def _parts(thing: Any, classes: dict[type, int]) -> tuple[int, list[Any]]:
    """The kind of a thing, and its parts; its class is numbered if it is new."""
    made = type(thing)
    if made in (tuple, list):
        plain = all(type(part) in SCALARS for part in thing)
        return NUMBERS[("scalars" if made is tuple else "row") if plain else made.__name__], list(thing)
    if made in (frozenset, set):
        return NUMBERS[made.__name__], list(thing)
    if made is dict:
        return NUMBERS["dict"], [part for pair in thing.items() for part in pair]
    if made is range:
        return NUMBERS["range"], [thing.start, thing.stop, thing.step]
    if made is Fraction:
        return NUMBERS["Fraction"], [thing.numerator, thing.denominator]
    names: tuple[str, ...] = _fields(made)  # type: ignore[arg-type]  # mypy takes a class for no key
    return len(KINDS) + classes.setdefault(made, len(classes)), [getattr(thing, name) for name in names]


@cache
def _fields(made: Any) -> tuple[str, ...]:
    """The fields of a class of records. Raises NotKept for any other class."""
    if made.__module__ not in MODULES:
        raise NotKept(f"things of the class {made.__module__}:{made.__qualname__} are not kept")
    if issubclass(made, Record):
        return tuple(made.fields)
    if is_dataclass(made):
        return tuple(field.name for field in fields(made))
    if slots := tuple(name for base in made.__mro__ for name in getattr(base, "__slots__", ())):
        return slots
    raise NotKept(f"{made.__qualname__} is no record")


def decode_things(text: str, known: Sequence[Any] = ()) -> list[Any]:
    """The things of a text, in order, behind those that are `known`; the last is the whole. Raises NotKept."""
    try:
        names, written = json.loads(text)
        if len(written) > MOST:
            raise NotKept("too many things")
        makers = [make for _, make in KINDS] + [_record_maker(name) for name in names]
        things = list(known)
        for row in written:
            if type(row) is not list:
                things.append(row)
            elif row[0] <= NUMBERS["row"]:
                things.append(makers[row[0]](row[1:]))
            else:
                things.append(makers[row[0]]([things[number] for number in row[1:]]))
    except (ValueError, ArithmeticError, TypeError, LookupError, AttributeError, ImportError, RecursionError) as wrong:
        raise NotKept(str(wrong)) from None
    return things


def _record_maker(name: str) -> Callable[[list[Any]], Any]:
    """The function that makes a record of the class with this name, as "module:name", of the values of its fields."""
    module, _, called = name.partition(":")
    if module not in MODULES:
        raise NotKept(f"things of the module {module} are not kept")
    made: Any = getattr(import_module(module), called)
    own, new = _fields(made), made.__new__
    set_field = object.__setattr__

    def make(values: list[Any]) -> Any:
        thing = new(made)
        for field, value in zip(own, values, strict=True):
            set_field(thing, field, value)
        return thing

    def fill(values: list[Any]) -> Any:
        thing = new(made)
        thing.__dict__.update(zip(own, values, strict=True))
        return thing

    return fill if issubclass(made, Record) else make

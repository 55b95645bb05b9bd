"""Is an answer in the form of `gdl solve --json`? Held against the record of its fields, with all their parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from gdl.errors import DamagedData
from gdl.formats.answer_kinds import AnswerPart, Kind
from gdl.formats.solve_answer import SolveAnswer

SCHEMA = "schema"  # the key that comes before the fields
_PLAIN = {str: "text", int: "a whole number", bool: "true or false", NoneType: "null"}
_COUNTED = ("count", "positive")  # kinds of whole numbers


def check_form(answer: Mapping[str, Any]) -> None:
    """Raise DamagedData if the answer has a field that answers do not have, or one of the wrong type. Any field may be
    missing."""
    found = next(_of_record(SolveAnswer, {k: v for k, v in answer.items() if k != SCHEMA}, "", whole=False), None)
    if found is not None:
        raise DamagedData(f"the answer's {found}")


def _of_record(kind: type[AnswerPart], value: Any, path: str, *, whole: bool = True) -> Iterator[str]:
    """The faults of a value that should be a record of this kind. `whole`: no field may be missing."""
    if not isinstance(value, Mapping):
        yield f"{path} is not an object"
        return
    kinds = get_type_hints(kind, include_extras=True)
    names = {name.rstrip("_"): name for name in kind.fields}
    for key, inner in value.items():
        if key not in names:
            yield f"{path}.{str(key)[:40]} is no field of an answer".lstrip(".")
        else:
            yield from _misfits(kinds[names[key]], inner, f"{path}.{key}".lstrip("."))
    for key, name in names.items():
        if whole and key not in value and not hasattr(kind, name):
            yield f"{path} has no {key}"


def _misfits(kind: Any, value: Any, path: str) -> Iterator[str]:
    """The faults of a value that should be of this type."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated and isinstance(kind.__metadata__[0], Kind):
        yield from _of_kind(kind.__metadata__[0], value, path)
    elif origin is Annotated:
        yield from _misfits(parts[0], value, path)
    elif origin in (UnionType, Union):
        wrong = [list(_misfits(part, value, path)) for part in parts if part is not NoneType or value is None]
        yield from [] if [] in wrong else min(wrong, key=lambda said: said[0].count("."), default=[])[:1]
    elif origin is Literal:
        if value not in parts:
            yield f"{path} is none of {', '.join(map(str, parts))}"
    elif origin is Mapping:
        if not isinstance(value, Mapping):
            yield f"{path} is not an object"
            return
        for name, inner in value.items():
            yield from _misfits(parts[1], inner, f"{path}.{name}")
    elif origin in (Sequence, tuple):
        if not isinstance(value, list | tuple) or (origin is tuple and len(value) != len(parts)):
            yield f"{path} is not a list" + (f" of {len(parts)}" if origin is tuple else "")
            return
        for inner in value:
            yield from _misfits(parts[0], inner, path)
    elif kind is not Any and issubclass(kind, AnswerPart):
        yield from _of_record(kind, value, path)
    elif kind is not Any and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        yield f"{path} is not {_PLAIN[kind]}"


def _of_kind(kind: Kind, value: Any, path: str) -> Iterator[str]:
    """The faults of a value that should be a number of this kind."""
    if kind in _COUNTED:
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            yield f"{path} is not a count"
    elif isinstance(value, bool | NoneType | list | Mapping):
        yield f"{path} is not a number"

"""The JSON Schema of everything that `--json` prints, which comes with gdl.

It holds one definition for each command, under its name: made from the records of its answers
(gdl/formats/answer_records.py), or as `answers.schema.json` has it, which also holds what several share. A test
validates with it every JSON answer in the transcripts and on the pages of the manual.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from gdl.formats.answer_kinds import ABSENT, SCHEMA, AnswerPart, AnswerRecord, Kind, to_plain
from gdl.formats.answer_records import ANSWERS

FILE = Path(__file__).with_name("answers.schema.json")
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def document() -> dict[str, Any]:
    """The whole schema."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    for command, records in ANSWERS.items():
        ways = [_refer(record, found["$defs"]) for record in records]
        found["$defs"][command] = ways[0] if len(ways) == 1 else {"anyOf": ways}
    return found


def _refer(record: type[AnswerPart], definitions: dict[str, Any]) -> dict[str, Any]:
    """A reference to the definition of a record, which is put among the others."""
    if record.__name__ not in definitions:
        kinds = get_type_hints(record, include_extras=True)
        first = {"schema": {"$ref": "#/$defs/schema"}} if issubclass(record, AnswerRecord) else {}
        always = [name.rstrip("_") for name in record.fields if not hasattr(record, name)]
        definitions[record.__name__] = {
            "description": record.__doc__,
            "type": "object",
            "required": [*first, *always],
            "additionalProperties": False,
            "properties": first
            | {
                name.rstrip("_"): _schema(kinds[name], definitions, getattr(record, name, ABSENT) is None)
                for name in record.fields
            },
        }
    return {"$ref": f"#/$defs/{record.__name__}"}


def _schema(kind: Any, definitions: dict[str, Any], never_null: bool = False) -> dict[str, Any]:
    """The schema of a type; `never_null` that of a key which is left out instead."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        first, *about = kind.__metadata__
        if isinstance(first, Kind):
            found = {"$ref": f"#/$defs/{first}"}
        else:
            found, about = _schema(parts[0], definitions, never_null), [first]
        return found | ({"description": about[0]} if about else {})
    if origin in (UnionType, Union):
        ways = [_schema(part, definitions) for part in parts if not (never_null and part is type(None))]
        return ways[0] if len(ways) == 1 else {"anyOf": ways}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(parts[1], definitions)}
    if origin is Sequence:
        return {"type": "array", "items": _schema(parts[0], definitions)}
    if origin is tuple:
        size = len(parts)
        return {"type": "array", "items": _schema(parts[0], definitions), "minItems": size, "maxItems": size}
    if kind is Any:
        return {}
    return _refer(kind, definitions) if issubclass(kind, AnswerPart) else {"type": PLAIN[kind]}


def with_schema_number(value: Any) -> Any:
    """An answer as JSON has it, with its number; a list of answers has it in each."""
    if isinstance(value, list):
        return [with_schema_number(each) for each in value]
    return to_plain(value) if isinstance(value, AnswerRecord) else {"schema": SCHEMA} | to_plain(value)

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

from gdl.formats.answer_records import ANSWERS, AnswerRecord, to_plain

SCHEMA = 1  # of every answer; one more when a key changes its meaning
FILE = Path(__file__).with_name("answers.schema.json")
NUMBER = {"schema": {"$ref": "#/$defs/schema"}}
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def document() -> dict[str, Any]:
    """The whole schema."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    for command, records in ANSWERS.items():
        ways = [record_schema(record, NUMBER) for record in records]
        found["$defs"][command] = ways[0] if len(ways) == 1 else {"anyOf": ways}
    return found


def record_schema(record: type[AnswerRecord], first: Mapping[str, Any] = {}) -> dict[str, Any]:
    """The schema of a record, with keys that come `first`."""
    kinds = get_type_hints(record, include_extras=True)
    names = [name for name in record.fields if not hasattr(record, name)]
    keys = {name.rstrip("_"): _schema(kinds[name], hasattr(record, name)) for name in record.fields}
    return {
        "type": "object",
        "required": [*first, *(name.rstrip("_") for name in names)],
        "additionalProperties": False,
        "properties": {**first, **keys},
    }


def _schema(kind: Any, may_lack: bool = False) -> dict[str, Any]:
    """The schema of a type; that of a key which `may_lack` has no null, as it is left out instead."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return {"$ref": f"#/$defs/{kind.__metadata__[0]}"}
    if origin in (UnionType, Union):
        ways = [_schema(part) for part in parts if not (may_lack and part is type(None))]
        return ways[0] if len(ways) == 1 else {"anyOf": ways}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is tuple:
        return {"type": "array", "items": _schema(parts[0]), "minItems": len(parts), "maxItems": len(parts)}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": _schema(parts[0])}
    return record_schema(kind) if issubclass(kind, AnswerRecord) else {"type": PLAIN[kind]}


def with_schema_number(value: Any) -> Any:
    """An answer as JSON has it, with its number; a list of answers has it in each."""
    if isinstance(value, list):
        return [with_schema_number(each) for each in value]
    return {"schema": SCHEMA} | to_plain(value)

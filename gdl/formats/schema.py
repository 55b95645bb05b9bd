"""The JSON Schema of everything that `--json` prints, which comes with gdl: one definition for each command, under its
name, made from the records of its answers. A test validates with it every JSON answer in the transcripts and on the
pages of the manual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from gdl import wings
from gdl.formats import answer_records as of
from gdl.formats import check_answers as check
from gdl.formats import guide_answers as guide
from gdl.formats import playout_answers as plays
from gdl.formats import solve_answer as solve
from gdl.formats.answer_kinds import ABSENT, SCHEMA, AnswerPart, AnswerRecord, Kind
from gdl.formats.explain_answer import ExplainAnswer
from gdl.formats.solve_answer import JudgeAnswer

ANSWERS: Mapping[str, tuple[Any, ...]] = {  # command -> the records of its answers, one for each way to answer
    "problems": (check.ProblemsAnswer,), "check": (check.CheckAnswer,),
    "test": (check.ExpectationsAnswer, check.PlaysAnswer),
    "solve": (solve.SolveAnswer, solve.SweepAnswer, solve.PlanAnswer), "explain": (ExplainAnswer,),
    "show": (of.NormalFormAnswer, of.SourceAnswer, of.PositionAnswer),
    "playouts": (plays.PlayoutsAnswer, check.PlaysAnswer),
    "judge": (JudgeAnswer,),
    "perft": (of.PerftAnswer,), "states": (of.StatesAnswer, of.HistoriesAnswer),
    "new": (of.NewAnswer,),
    "games": (of.GamesAnswer,), "card": (of.CardAnswer,), "solvers": (of.SolversAnswer,),
    "guide": (guide.ContentsAnswer, guide.PageAnswer, guide.WordAnswer, guide.CodeAnswer, guide.SearchAnswer),
    "version": (of.VersionAnswer,), "ask": (check.AskAnswer,),
}  # fmt: skip
SHARED: Mapping[str, Any] = {  # definitions of the kinds of values that are no types of Python
    "schema": {"description": "One more when a key changes its meaning.", "const": SCHEMA},
    "number": {
        "description": "Exact: a whole number, or a fraction as text. Inexact: a float.",
        "anyOf": [{"type": "number"}, {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}, {"enum": ["inf", "-inf"]}],
    },
    "count": {"type": "integer", "minimum": 0},
    "positive": {"type": "integer", "minimum": 1},
    "code": {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
    "condition": {"type": "object", "required": ["holds"]},
}
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def answers() -> dict[str, tuple[Any, ...]]:
    """The records of the answers of each command, those of wings too."""
    rows = {name: row for wing in wings.wings() for name, row in wing.answers.items()}
    return {**ANSWERS, **{command: tuple(map(wings.load, row)) for command, row in rows.items()}}


def document() -> dict[str, Any]:
    """The whole schema."""
    definitions = dict(SHARED)
    for command, kinds in answers().items():
        ways = [schema_of(kind, definitions) for kind in kinds]
        definitions[command] = ways[0] if len(ways) == 1 else {"anyOf": ways}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What gdl COMMAND --json prints",
        "description": "One definition for each command, under its name. An answer is valid if the definition of its "
        "command is, or that of problems.",
        "$defs": definitions,
    }


def _refer(record: type[AnswerPart], definitions: dict[str, Any]) -> dict[str, Any]:
    """A reference to the definition of a record; the definition is added to `definitions` if it is not there yet."""
    if record.__name__ not in definitions:
        kinds = get_type_hints(record, include_extras=True)
        first = {"schema": {"$ref": "#/$defs/schema"}} if issubclass(record, AnswerRecord) else {}
        always = [name.rstrip("_") for name in record.fields if not hasattr(record, name)]
        definitions[record.__name__] = {
            "description": " ".join((record.__doc__ or "").split()),
            "type": "object",
            "required": [*first, *always],
            "additionalProperties": False,
            "properties": first
            | {
                name.rstrip("_"): schema_of(kinds[name], definitions, getattr(record, name, ABSENT) is None)
                for name in record.fields
            },
        }
    return {"$ref": f"#/$defs/{record.__name__}"}


def schema_of(kind: Any, definitions: dict[str, Any], never_null: bool = False) -> dict[str, Any]:
    """The schema of a type; `never_null` for a key that is left out where its value is None."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        first, *about = kind.__metadata__
        if isinstance(first, Kind):
            found = {"$ref": f"#/$defs/{first}"}
        else:
            found, about = schema_of(parts[0], definitions, never_null), [first]
        return found | ({"description": about[0]} if about else {})
    if origin in (UnionType, Union):
        ways = [schema_of(part, definitions) for part in parts if not (never_null and part is type(None))]
        return ways[0] if len(ways) == 1 else {"anyOf": ways}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": schema_of(parts[1], definitions)}
    if origin is Sequence:
        return {"type": "array", "items": schema_of(parts[0], definitions)}
    if origin is tuple:
        size = len(parts)
        return {"type": "array", "items": schema_of(parts[0], definitions), "minItems": size, "maxItems": size}
    if kind is Any:
        return {}
    return _refer(kind, definitions) if issubclass(kind, AnswerPart) else {"type": PLAIN[kind]}

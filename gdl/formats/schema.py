"""The JSON Schema of everything that `--json` prints, which comes with gdl.

`answers.schema.json` holds one definition for each command, under its name. A test validates with it every JSON answer
in the transcripts and on the pages of the manual.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SCHEMA = 1  # of every answer; one more when a key changes its meaning
FILE = Path(__file__).with_name("answers.schema.json")


def document() -> dict[str, Any]:
    """The whole schema."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def with_schema_number(value: Any) -> Any:
    """An answer with its number; a list of answers has it in each."""
    return [with_schema_number(each) for each in value] if isinstance(value, list) else {"schema": SCHEMA} | value

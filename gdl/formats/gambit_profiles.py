"""Profiles as pygambit writes them: `print(profile)`, or the same as JSON.

Each player has a list of mixtures, one for each information set in the order in which a walk through the tree, first
children first, meets them; or one mixture over the strategies of a table. Pygambit 17 names players and actions, 16
lists them in their order. Rational numbers stand there as `Rational(1, 3)`. It is data of Python's, read as such and
never run.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any

LONGEST = 1 << 20  # letters of a profile that is not JSON
_RATIONAL = re.compile(r"Rational\((-?[0-9]{1,400}), ([0-9]{1,400})\)")


def parse_profile(data: bytes) -> Any:
    """The value in a file of JSON, or in one that pygambit printed. Raises ValueError, as the module json does, if it
    is neither."""
    try:
        return json.loads(data)
    except ValueError:
        text = data[: LONGEST + 1].decode("utf-8", "replace").strip()
        if not text.startswith(("{", "[")) or len(text) > LONGEST:
            raise
        try:
            found = ast.literal_eval(_RATIONAL.sub(r'"\1/\2"', text))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            found = None
        if not isinstance(found, dict | list):
            raise
        return found

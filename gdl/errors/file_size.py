"""How large a game file may be: rules are short, and a tree, a table or a graph that is written out is as long as it
is."""

from __future__ import annotations

import re

from gdl.errors import limits

_EXPLICIT = re.compile(r"^(?:tree|matrix)\b|\A\s*(?:[EN]FG |#B?AGG\s|[<{])", re.MULTILINE)


def most_bytes(text: str) -> int:
    """The number of bytes that the file with this text may have."""
    return limits.EXPLICIT if _EXPLICIT.search(text) else limits.SOURCE

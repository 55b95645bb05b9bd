"""Deciding whether two texts say the same of numbers left open: `x <= 4`, `x < 2 or x > 5`, `max(A, 3)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from gdl.errors import Refusal
from gdl.solvers.open_numbers.assumptions import read_assumption
from gdl.solvers.open_numbers.lattice import Comparison, can_hold


def same_condition(one: str, other: str, names: Sequence[str]) -> bool | None:
    """True if the same numbers fit both; None where one of them cannot be read."""
    try:
        mine, others = (_cases(text, names) for text in (one, other))
    except Refusal:
        return None
    return _within(mine, others) and _within(others, mine)


def _cases(text: str, names: Sequence[str]) -> list[tuple[Comparison, ...]]:
    if text.strip().casefold() in ("", "always", "true"):
        return [()]
    return [read_assumption(case.strip(" ,"), names) for case in re.split(r"\bor\b", text)]


def _within(some: Sequence[Sequence[Comparison]], others: Sequence[Sequence[Comparison]]) -> bool:
    """Decide whether every case of the one lies within the others."""
    return not any(can_hold([*case, *(~c for c in chosen)], ()) for case in some for chosen in product(*others))

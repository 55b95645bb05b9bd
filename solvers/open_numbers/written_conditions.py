"""Conditions on numbers left open, as they are written: `B >= max(C, D)`, `2 <= x <= 5`, `x < y and z = 2`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from gdl.errors import Refusal, clean, listing
from gdl.numbers import read_number
from gdl.solvers.open_numbers.lattice import Comparison, Lattice, can_hold, extreme

_LONGEST = 1_000  # characters
_SIGNS = {"≤": "<=", "≥": ">=", "−": "-", "?": ""}


def read_assumption(text: str, names: Sequence[str]) -> tuple[Comparison, ...]:
    """The comparisons in a text, all of which are assumed. Raises Refusal if it is no comparison of these unknowns."""
    written = re.sub("[≤≥−?]", lambda sign: _SIGNS[sign[0]], text)
    written = re.sub(r"(?<![<>=!])=(?!=)", "==", written)
    try:
        tree = ast.parse(written[:_LONGEST].strip(), mode="eval").body
        both = isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And)
        return tuple(c for one in (tree.values if both else [tree]) for c in _comparisons(one, names))  # type: ignore[attr-defined]
    except (SyntaxError, ValueError, RecursionError):
        told = f"compare {listing(names)}, numbers, and min(…) and max(…) of them, as in {names[0]} >= 3"
        raise Refusal(f"'{clean(text[:60])}' cannot be assumed: {told}") from None


def _comparisons(one: ast.expr, names: Sequence[str]) -> Iterator[Comparison]:
    """The comparisons of a chain such as 2 <= x < y. Raises ValueError if it is none."""
    if not isinstance(one, ast.Compare):
        raise ValueError
    sides = [_read(side, names) for side in (one.left, *one.comparators)]
    for sign, (left, right) in zip(one.ops, pairwise(sides), strict=True):
        if isinstance(sign, ast.Gt | ast.GtE):
            left, right = right, left
        elif not isinstance(sign, ast.Lt | ast.LtE | ast.Eq):
            raise ValueError
        yield Comparison(left, right, isinstance(sign, ast.Lt | ast.Gt))
        if isinstance(sign, ast.Eq):
            yield Comparison(right, left)


def _read(one: ast.expr, names: Sequence[str]) -> Lattice:
    if isinstance(one, ast.Call) and ast.unparse(one.func) in ("min", "max") and one.args:
        return extreme(1 if ast.unparse(one.func) == "max" else -1, *(_read(part, names) for part in one.args))
    text = ast.unparse(one).replace(" ", "")
    return text if text in names else read_number(text)


# ---- Texts that say the same --------------------------------------------------------------------------------------


def same_condition(one: str, other: str, names: Sequence[str]) -> bool | None:
    """True if the same numbers satisfy both texts; None if one of them cannot be read."""
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

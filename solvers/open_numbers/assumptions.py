"""Assumptions on numbers left open, as they are written: `B >= max(C, D)`, `2 <= x <= 5`, `x < y and z = 2`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gdl.errors import Refusal, clean, listing
from gdl.numbers import read_number
from gdl.solvers.open_numbers.lattice import Comparison, Lattice, extreme

_LONGEST = 1_000  # characters
_SIGNS = {"≤": "<=", "≥": ">=", "−": "-", "?": ""}


def read_assumption(text: str, names: Sequence[str]) -> tuple[Comparison, ...]:
    """The comparisons in a text, all of which are assumed. Raises Refusal where it has none of these unknowns."""
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
    """The comparisons of a chain; ValueError where it is none."""
    if not isinstance(one, ast.Compare):
        raise ValueError
    sides = [_read(side, names) for side in (one.left, *one.comparators)]
    for sign, (left, right) in zip(one.ops, pairwise(sides), strict=True):
        match sign:
            case ast.Lt() | ast.LtE():
                yield Comparison(left, right, isinstance(sign, ast.Lt))
            case ast.Gt() | ast.GtE():
                yield Comparison(right, left, isinstance(sign, ast.Gt))
            case ast.Eq():
                yield from (Comparison(left, right), Comparison(right, left))
            case _:
                raise ValueError


def _read(one: ast.expr, names: Sequence[str]) -> Lattice:
    if isinstance(one, ast.Call) and ast.unparse(one.func) in ("min", "max") and one.args:
        return extreme(1 if ast.unparse(one.func) == "max" else -1, *(_read(part, names) for part in one.args))
    text = ast.unparse(one).replace(" ", "")
    return text if text in names else read_number(text)

"""Expressions of min and max over numbers left open, and comparisons between them: decided exactly, and simplified.

Where no chance mixes numbers, every value and every bound in a tree is such an expression. Whether comparisons can hold
at once is decided by thresholds. For a number t let each unknown be true where it is greater than t: then max is `or`
and min is `and`, f <= g says that f implies g at every t, and f < g besides that g holds and f does not at some t. As t
grows from threshold to threshold of the numbers in the expressions, unknowns only turn from true to false, so it is
enough to carry the set of their truth assignments that can be reached, as the bits of one integer (its truth table).

Source: Birkhoff, Lattice Theory, 1940 (a lattice polynomial is given by its truth tables).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from math import prod
from typing import NamedTuple

from gdl.errors import LimitReached, Refusal, clean, listing
from gdl.game import Number
from gdl.numbers import read_number, to_text

MAX_UNKNOWNS = 16  # in comparisons that are decided together, at most
MAX_WAYS = 500  # cases of a condition that is multiplied out


class Extreme(NamedTuple):
    """The maximum (sign 1) or the minimum (-1) of its parts."""

    sign: int
    parts: tuple[Lattice, ...]


Lattice = str | Number | Extreme  # the name of an unknown, a number


class Comparison(NamedTuple):
    """The statement low <= high, or if strict low < high."""

    low: Lattice
    high: Lattice
    strict: bool = False

    def __invert__(self) -> Comparison:
        return Comparison(self.high, self.low, not self.strict)

    def __str__(self) -> str:
        relations = "<" if self.strict else "<=", ">" if self.strict else ">="
        if isinstance(self.high, str) and not isinstance(self.low, str):
            return f"{self.high} {relations[1]} {lattice_text(self.low)}"
        return f"{lattice_text(self.low)} {relations[0]} {lattice_text(self.high)}"


def extreme(sign: int, *parts: Lattice) -> Lattice:
    """The maximum (sign 1) or the minimum (-1) of some parts, without parts that others make redundant."""
    own = (part.parts if isinstance(part, Extreme) and part.sign == sign else (part,) for part in parts)
    flat = dict.fromkeys(part for some in own for part in some)
    numbers = [part for part in flat if not isinstance(part, str | Extreme)]
    kept = [part for part in flat if isinstance(part, str | Extreme)]
    kept = [part for part in kept if isinstance(part, str) or not any(own in flat for own in part.parts)]
    kept += [sign * max(sign * number for number in numbers)] if numbers else []  # type: ignore[list-item]
    return kept[0] if len(kept) == 1 else Extreme(sign, tuple(kept))


def lattice_text(one: Lattice) -> str:
    """The expression in words, such as `max(A, min(B, 3))`."""
    if isinstance(one, Extreme):
        return f"{'max' if one.sign > 0 else 'min'}({', '.join(map(lattice_text, one.parts))})"
    return one if isinstance(one, str) else to_text(one)


def atoms(one: Lattice) -> Iterator[str | Number]:
    """The unknowns and numbers in an expression."""
    if isinstance(one, Extreme):
        for part in one.parts:
            yield from atoms(part)
    else:
        yield one


def unknowns_in(*comparisons: Comparison) -> set[str]:
    """The unknowns that occur in the comparisons."""
    return {atom for c in comparisons for side in c[:2] for atom in atoms(side) if isinstance(atom, str)}


# ---- Deciding -----------------------------------------------------------------------------------------------------


def possible(comparisons: Sequence[Comparison]) -> bool:
    """Decide whether all comparisons can hold at once. Raises LimitReached if they have too many unknowns."""
    names = sorted(unknowns_in(*comparisons))
    if len(names) > MAX_UNKNOWNS:
        raise LimitReached(f"stopped: {len(names)} unknown numbers are compared at once, more than {MAX_UNKNOWNS}")
    tables = {name: _table(place, len(names)) for place, name in enumerate(names)}
    full = (1 << (1 << len(names))) - 1
    numbers = sorted({a for c in comparisons for side in c[:2] for a in atoms(side) if not isinstance(a, str)})
    strict = [place for place, comparison in enumerate(comparisons) if comparison.strict]
    reached = {0: full}  # the truth assignments that can be met, by the strict comparisons that were seen to hold
    for t in [None, *numbers]:  # from below all numbers, then from each of them to below the next

        def table(one: Lattice, t: Number | None = t) -> int:
            if isinstance(one, Extreme):
                found = table(one.parts[0])
                for part in one.parts[1:]:
                    found = found | table(part) if one.sign > 0 else found & table(part)
                return found
            return tables[one] if isinstance(one, str) else full if t is None or one > t else 0

        sides = [(table(low), table(high)) for low, high, _ in comparisons]
        good = full
        for low, high in sides:
            good &= ~low | high
        reached = {seen: _implied_assignments(found, tables) & good for seen, found in reached.items()}
        for _ in strict:
            for bit, place in enumerate(strict):
                low, high = sides[place]
                for seen, found in list(reached.items()):
                    if not seen >> bit & 1 and (holding := found & high & ~low):
                        more = reached.get(seen | 1 << bit, 0) | (_implied_assignments(holding, tables) & good)
                        reached[seen | 1 << bit] = more
    return bool(reached.get((1 << len(strict)) - 1))


def can_hold(comparisons: Sequence[Comparison], known: Sequence[Comparison]) -> bool:
    """Decide whether the comparisons can hold together with the known ones. Only those known ones are looked at that
    share unknowns with them, directly or through others."""
    told, rest, before = list(comparisons), list(known), -1
    while len(told) > before:
        before, names = len(told), unknowns_in(*told)
        told += [one for one in rest if unknowns_in(one) & names]
        rest = [one for one in rest if one not in told]
    return possible(told)


@cache
def _table(place: int, count: int) -> int:
    """The truth table of the unknown at `place` among `count`: bit k says if it is true in assignment k."""
    block = ((1 << (1 << place)) - 1) << (1 << place)
    width = 2 << place
    while width < 1 << count:
        block |= block << width
        width *= 2
    return block


def _implied_assignments(table: int, tables: dict[str, int]) -> int:
    """The truth assignments of the table, and all that follow from one of them when some unknowns turn false."""
    for place, own in enumerate(tables.values()):
        table |= (table & own) >> (1 << place)
    return table


# ---- Simplifying --------------------------------------------------------------------------------------------------


def simplify(comparisons: Sequence[Comparison], known: Sequence[Comparison]) -> tuple[Comparison, ...] | None:
    """Shorten comparisons to an equivalent list, given the `known` ones: first those go that follow from others, then
    parts that make no difference. None if they cannot hold together."""
    if not can_hold(comparisons, known):
        return None
    kept = list(dict.fromkeys(comparisons))
    for one in list(kept):
        others = [other for other in kept if other is not one]
        if not can_hold([*others, ~one], known):
            kept = others
    for place, one in enumerate(kept):
        others = [*kept[:place], *kept[place + 1 :]]
        shorter: Comparison | None = one
        while shorter is not None:
            kept[place] = shorter
            alike = (less for less in _without_a_part(shorter) if _are_alike(shorter, less, others, known))
            shorter = next(alike, None)
    return tuple(kept)


def simplify_value(value: Lattice, known: Sequence[Comparison]) -> Lattice:
    """The expression in fewer words, equal to it wherever the known comparisons hold."""
    for less in _smaller_expressions(value):
        if not any(can_hold([Comparison(*pair, True)], known) for pair in ((less, value), (value, less))):
            return simplify_value(less, known)
    return value


def multiply_out(
    comparisons: Sequence[Comparison], known: Sequence[Comparison], is_wide: bool = False
) -> list[tuple[Comparison, ...]] | None:
    """Cases of comparisons without min and max, such that all comparisons hold just if some case does; None if there
    are too many to try. With `is_wide` without cases that can only hold where some numbers are equal."""
    ways = [list(_ways(one)) for one in comparisons]
    if prod(map(len, ways)) > MAX_WAYS:
        return None

    def widen(case: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
        """The case without comparisons that it does not need to lie within the whole."""
        for one in case:
            less = tuple(other for other in case if other is not one)
            if not any(can_hold([*less, ~whole], known) for whole in comparisons):
                case = less
        return case

    kept: list[tuple[Comparison, ...]] = []
    for chosen in product(*ways):
        case = simplify([one for way in chosen for one in way], known)
        if case is None or (is_wide and not can_hold([one._replace(strict=True) for one in case], known)):
            continue
        if not any(_lies_in(case, other, known) for other in kept):
            wide = widen(case)
            kept = [*(other for other in kept if not _lies_in(other, wide, known)), wide]
    return kept


def _ways(one: Comparison) -> Iterator[tuple[Comparison, ...]]:
    """The cases of a comparison, each some comparisons between single unknowns and numbers that all hold."""
    for place, side in enumerate(one[:2]):
        if isinstance(side, Extreme):
            parts = [one._replace(high=part) if place else one._replace(low=part) for part in side.parts]
            if (side.sign > 0) == (place == 0):  # max <= y, x <= min: all of them hold
                yield from (tuple(c for way in ways for c in way) for ways in product(*map(_ways, parts)))
            else:
                yield from (way for part in parts for way in _ways(part))
            return
    yield (one,)


def _lies_in(case: Sequence[Comparison], other: Sequence[Comparison], known: Sequence[Comparison]) -> bool:
    return not any(can_hold([*case, ~one], known) for one in other)


def _are_alike(one: Comparison, other: Comparison, beside: list[Comparison], known: Sequence[Comparison]) -> bool:
    return not can_hold([*beside, one, ~other], known) and not can_hold([*beside, other, ~one], known)


def _without_a_part(one: Comparison) -> Iterator[Comparison]:
    yield from (one._replace(low=less) for less in _smaller_expressions(one.low))
    yield from (one._replace(high=less) for less in _smaller_expressions(one.high))


def _smaller_expressions(one: Lattice) -> Iterator[Lattice]:
    """The expression without one of its parts, each in turn, the outermost first."""
    if isinstance(one, Extreme):
        for place in range(len(one.parts)):
            yield extreme(one.sign, *one.parts[:place], *one.parts[place + 1 :])
        for place, part in enumerate(one.parts):
            for less in _smaller_expressions(part):
                yield extreme(one.sign, *one.parts[:place], less, *one.parts[place + 1 :])


# Conditions on numbers left open, as they are written: `B >= max(C, D)`, `2 <= x <= 5`, `x < y and z = 2`.

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

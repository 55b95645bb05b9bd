"""Bounds for names that get a value more than once: a variable of a body, a parameter of a recursive definition."""

from __future__ import annotations

from dataclasses import replace

from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import (
    Mask,
    Number,
    Sequence,
    UnsupportedConstruct,
    Value,
    hull,
    joined_shape,
    limits_of,
    words_for,
)

LARGEST = 10**9  # the bound put on a number that grows without an end in sight
GROWTHS = 3  # how often bounds may grow before they are taken to have no end


def grown(known: Value, value: Value, growths: int) -> Value:
    """A value without code whose bounds hold both values. `growths`: how often the bounds of `known` have grown; after
    GROWTHS times a bound that still grows is set to LARGEST."""
    joined = joined_bounds(known, value)
    if not isinstance(joined, Number):
        return joined
    low, high = joined.low, joined.high
    # Bounds that have grown so often are taken to have no end in that direction.
    if growths >= GROWTHS and isinstance(known, Number):
        # As in abstract interpretation (widening): a counter in a loop would otherwise grow by one at each attempt.
        low = -LARGEST if low < known.low else low
        high = LARGEST if high > known.high else high
    return replace(joined, low=max(low, -LARGEST), high=min(high, LARGEST))


def escapes(value: Number, held: Number) -> bool:
    """True if the number may lie outside of the bounds of `held`."""
    return value.low < held.low or value.high > held.high


def joined_bounds(known: Value, value: Value) -> Value:
    """A value without code whose bounds, size or shape hold both values."""
    if isinstance(known, Sequence) and isinstance(value, Sequence):
        low, high, _ = hull(known.row, value.row)
        return Sequence(limits_of(low, high), joined_shape(known.shape, value.shape))
    if isinstance(known, Mask) or isinstance(value, Mask):
        size = max(on.as_mask(known).size, on.as_mask(value).size)
        return Mask((sets.EMPTY,) * words_for(size), size)
    a, b = on.as_number(known), on.as_number(value)
    if a.scale != b.scale:
        raise UnsupportedConstruct("fractions in a name that changes")
    return limits_of(*hull(a, b), scale=a.scale)

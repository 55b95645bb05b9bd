"""Random numbers that are the same in Python and in kernel code.

SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from itertools import accumulate
from math import lcm
from typing import Any

from gdl.game import Chance, Number

_WORD = (1 << 64) - 1
_BITS = 31
_TWICE = 1 << 2 * _BITS
_GOLDEN = 0x9E3779B97F4A7C15
STREAM = 256  # playouts that take their random numbers from one stream


class Generator:
    """A stream of random numbers, determined by its seed."""

    def __init__(self, seed: int):
        self.state = seed & _WORD

    def word(self) -> int:
        """64 random bits."""
        self.state = z = self.state + _GOLDEN & _WORD
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
        return z ^ z >> 31

    def bits(self) -> int:
        """31 random bits."""
        return self.word() >> 64 - _BITS

    def draw_below(self, count: int) -> int:
        """A random whole number from 0 up to, but without, `count`; it takes one draw, or more where `count` is
        large."""
        if count < 1 << _BITS:
            return self.bits() * count >> _BITS
        number = self.bits() << _BITS | self.bits()
        if count > _TWICE:
            for _ in range(count.bit_length() // _BITS + 1):
                number = number << _BITS | self.bits()
        return number % count


def stream(seed: int, number: int) -> int:
    """The seed of stream `number` of the streams that belong to a seed; that of stream 0 is the seed itself."""
    return Generator(seed + number * 0xD1342543DE82EF95).word() if number else seed & _WORD


def as_signed_word(word: int) -> int:
    """A word of 64 bits as a signed number, which is how kernel code holds it."""
    return (word + (1 << 63)) % (1 << 64) - (1 << 63)


# Outcomes of chance, drawn by their probabilities as kernel code draws them, so that every engine plays the same.
#
# A wheel of fortune has a sector for each outcome, as wide as it is probable, and is turned by a whole number. To
# measure the sectors of very many outcomes takes long, so the last such wheels are kept.

KEPT_OUTCOMES = 100  # outcomes of a wheel that is kept
KEPT = 4  # wheels


_kept: OrderedDict[int, tuple[Any, list[int]]] = OrderedDict()  # the ends of sectors by the identity of the outcomes


def draw_outcome(node: Chance, generator: Generator) -> int:
    """The number of an outcome of the node, drawn with its exact probability."""
    outcomes, (_, ends) = node.outcomes, _kept.get(id(node.outcomes), (None, None))
    if ends is None:
        ends = _sector_ends(outcomes)
        if len(outcomes) >= KEPT_OUTCOMES:
            _kept[id(outcomes)] = outcomes, ends
            if len(_kept) > KEPT:
                _kept.popitem(last=False)
    return bisect_right(ends, generator.draw_below(ends[-1]))


def _sector_ends(outcomes: tuple[tuple[str, Number], ...]) -> list[int]:
    """The ends of the sectors of the outcomes, in units of one over the common denominator."""
    whole = lcm(*(probability.denominator for _, probability in outcomes))
    return list(accumulate(probability.numerator * (whole // probability.denominator) for _, probability in outcomes))

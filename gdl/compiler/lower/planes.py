"""Sets of squares moved over a board: the preimage of a set under a function of the squares, as shifts and masks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from gdl.compiler.ir.build import wrap64
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import (
    ALL_BITS,
    WORD,
    Mask,
    WordCode,
    as_signed,
    mask_constant,
    word_constant,
    words_for,
)

MOST_SHIFTS = 12  # the most shifts for one function; where it would take more, squares are looked at one by one


def full(size: int) -> Mask:
    """The set of all `size` lanes."""
    return mask_constant((1 << size) - 1, size)


def complement(mask: Mask, size: int) -> Mask:
    """The set of the lanes from 0 to `size` - 1 that are not in the given set."""
    return sets.difference(full(size), mask)


@lru_cache(maxsize=1 << 10)
def shifts(function: tuple[int | None, ...]) -> Mapping[int, int] | None:
    """A partial function from lanes to lanes as shifts: for each distance the set (as bits) of the lanes whose value
    lies that far on; None if there are more than MOST_SHIFTS distances."""
    found: dict[int, int] = {}
    for lane, value in enumerate(function):
        if value is not None:
            # On a board of rows a direction is one distance for all squares but those at the edge, which have no value
            # at all.
            found[value - lane] = found.get(value - lane, 0) | 1 << lane
    return found if len(found) <= MOST_SHIFTS else None


def preimage(mask: Mask, function: Sequence[int | None]) -> Mask | None:
    """The set of the lanes whose value is in the given set; None if the function takes too many shifts."""
    found = shifts(tuple(function))
    if found is None:
        return None
    if mask.bits is not None:
        return mask_constant(
            sum(1 << lane for lane, value in enumerate(function) if value is not None and mask.bits >> value & 1),
            len(function),
        )
    result = mask_constant(0, len(function))
    for distance, lanes in found.items():
        size = len(function)  # the number of lanes of the result
        # The mask takes out squares that a shift carries over the edge into the next row.
        result = sets.union(result, sets.intersection(shift_lanes(mask, distance, size), mask_constant(lanes, size)))
    return result


def shift_lanes(mask: Mask, distance: int, size: int) -> Mask:
    """The set with every member moved down by a distance (up, if it is negative), for `size` lanes. Bits that come in
    from beyond the set may be wrong; the caller masks them."""
    if distance == 0:
        return Mask(sets.pad_words(mask, words_for(size)), size)
    words = []
    for k in range(words_for(size)):
        words.append(_shifted_word(mask.words, k * WORD + distance))
    return Mask(tuple(words), size)


def _shifted_word(words: Sequence[WordCode], start: int) -> WordCode:
    """The 64 bits that begin at bit `start` of the words; bits outside of them are 0."""
    first, rest = divmod(start, WORD)
    low = words[first] if 0 <= first < len(words) else sets.EMPTY
    if rest == 0:
        return low
    high = words[first + 1] if 0 <= first + 1 < len(words) else sets.EMPTY
    up = _up(high, WORD - rest)
    if low == sets.EMPTY:
        return up
    down = _down(low, rest)
    if high == sets.EMPTY:
        return down
    # The shift to the right copies the sign into the upper bits, where the next word's bits go.
    kept = mask_constant((1 << WORD - rest) - 1)
    return sets.union(sets.intersection(Mask((down,), WORD), kept), Mask((up,), WORD)).words[0]


def _down(word: WordCode, distance: int) -> WordCode:
    if word.constant is not None:
        return word_constant(word.constant >> distance)
    # As the signed shift does: if the top bit may be set, all bits that move in may be.
    within = as_signed(word.within) >> distance & ALL_BITS
    return WordCode(word.code >> distance, within, word.most)


def _up(word: WordCode, distance: int) -> WordCode:
    if word.constant is not None:
        return word_constant(word.constant << distance)
    within = word.within << distance
    code = word.code << distance
    if within >> WORD - 1 == 0:
        return WordCode(code, within, word.most)
    return WordCode(wrap64(code), within=within & ALL_BITS)

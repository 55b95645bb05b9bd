"""Sets as words of bits: union, difference, membership, size and order of members; and sets of squares moved over a
board: the preimage of a set under a function of the squares, as shifts and masks."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial, reduce

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import call, choice, compare, wrap64
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower.code_values import (
    ALL_BITS,
    FALSE,
    TRUE,
    WORD,
    Mask,
    Number,
    WordCode,
    as_signed,
    literal,
    mask_constant,
    truth,
    word_constant,
    words_for,
)

EMPTY = word_constant(0)


def pad_words(mask: Mask, words: int) -> tuple[WordCode, ...]:
    """The words of a set, cut off or filled up with empty ones to this number."""
    return (*mask.words, *[EMPTY] * (words - len(mask.words)))[:words]


def resize_set(mask: Mask, size: int) -> Mask:
    """The set with another `size`; its members, which must be less than that, stay the same."""
    return Mask(pad_words(mask, words_for(size)), size, mask.bits)


def union(a: Mask, b: Mask) -> Mask:
    return _fold_words(a, b, max(a.size, b.size), operator.or_, _or)


def intersection(a: Mask, b: Mask) -> Mask:
    return _fold_words(a, b, min(a.size, b.size), operator.and_, _and)


def difference(a: Mask, b: Mask) -> Mask:
    return _fold_words(a, b, a.size, lambda x, y: x & ~y, _set_difference)


def _fold_words(
    a: Mask, b: Mask, size: int, fold: Callable[[int, int], int], join: Callable[[WordCode, WordCode], WordCode]
) -> Mask:
    if a.bits is not None and b.bits is not None:
        return mask_constant(fold(a.bits, b.bits), size)
    if size <= WORD:
        return Mask((join(a.words[0], b.words[0]),), size)
    count = words_for(size)
    return Mask(tuple(map(join, pad_words(a, count), pad_words(b, count))), size)


# The rules below bring words into few forms, so that equal sets have equal code and are computed once: constants stand
# behind, masks that change nothing are dropped, and what is the complement of a word is remembered.
def _or(x: WordCode, y: WordCode) -> WordCode:
    if x == EMPTY:
        return y
    if y in (EMPTY, x):
        return x
    if x.constant is not None:
        x, y = y, x
    return WordCode(x.code | y.code, x.within | y.within, min(WORD, x.most + y.most))


def _and(x: WordCode, y: WordCode) -> WordCode:
    if x.constant is not None:
        x, y = y, x
    if y.constant is not None:
        return _mask_word(x, y.constant & ALL_BITS)
    within = x.within & y.within
    if x == y or not within:
        return x if within else EMPTY
    return WordCode(x.code & y.code, within, min(x.most, y.most))


def _mask_word(x: WordCode, bits: int) -> WordCode:
    """The word without the bits that are not in the constant `bits`."""
    if x.constant is not None:
        return word_constant(x.constant & bits)
    kept = x.within & bits
    if kept in (0, x.within):
        return x if kept else EMPTY
    return WordCode(x.code & word_constant(kept).code, kept, min(x.most, kept.bit_count()))


def _set_difference(x: WordCode, y: WordCode) -> WordCode:
    if x.within & y.within == 0:
        return x
    if y.constant is not None:
        return _mask_word(x, ~y.constant & ALL_BITS)
    if x.constant is not None:
        return complement_word(y, x.constant & ALL_BITS)
    # Without a complement is together with what it is the complement of, if both of them cover all of x.
    if y.inverse is not None and x.within & ~(y.within | y.inverse.within) == 0:
        return _and(x, y.inverse)
    return WordCode(x.code & ~y.code, x.within, x.most)


def complement_word(x: WordCode, bits: int) -> WordCode:
    """The bits of the constant `bits` that the word does not have."""
    if x.constant is not None:
        return word_constant(bits & ~x.constant)
    if x.inverse is not None:
        return _mask_word(x.inverse, bits)
    code = ~x.code & word_constant(bits).code
    return WordCode(code, bits, bits.bit_count(), x if x.within & ~bits == 0 else None)


def select_set(condition: Number, a: Mask, b: Mask) -> Mask:
    """`a` where the condition holds, else `b`."""
    if condition.constant is not None:
        return a if condition.constant else b
    size = max(a.size, b.size)
    count = words_for(size)
    words = [
        x if x == y else WordCode(choice(condition.code, x.code, y.code), x.within | y.within, max(x.most, y.most))
        for x, y in zip(pad_words(a, count), pad_words(b, count), strict=True)
    ]
    return Mask(tuple(words), size)


def same_members(a: Mask, b: Mask) -> Number:
    """The truth that two sets have the same members."""
    if a.bits is not None and b.bits is not None:
        return TRUE if a.bits == b.bits else FALSE
    count = max(len(a.words), len(b.words))
    result = TRUE
    for x, y in zip(pad_words(a, count), pad_words(b, count), strict=True):
        result = on.conjunction(result, truth(compare(x.code, "==", y.code)))
    return result


def is_empty(a: Mask) -> Number:
    return same_members(a, mask_constant(0))


def single_member(member: Number) -> Mask:
    """The set with one member, a number that must be 0 or above."""
    if member.constant is not None:
        return mask_constant(1 << member.constant)
    size = member.high + 1
    if size <= WORD:
        return Mask((WordCode(call("bit", member.code), within=(1 << size) - (1 << max(0, member.low)), most=1),), size)
    words = []
    for k in range(words_for(size)):
        local = on.subtract(member, literal(k * WORD))
        # A member is in one word, and all others are 0; the shift in `bit` counts modulo 64, so it must be tested.
        inside = compare(member.code >> 6, "==", k)
        words.append(WordCode(choice(inside, call("bit", local.code), 0)))
    return Mask(tuple(words), size)


def size(a: Mask) -> Number:
    """How many members a set has."""
    if a.bits is not None:
        return literal(a.bits.bit_count())
    counts: list[ir.Expr] = [call("popcount", word.code) for word in a.words]
    code = reduce(partial(ir.Binary, "+"), counts)
    return Number(code, 0, min(a.size, sum(word.most for word in a.words)))


def contains(a: Mask, member: Number) -> Number:
    """The truth that an atomic number, which may be none, is a member."""
    if member.is_none or member.high < 0 or a.bits == 0:
        return FALSE
    if a.bits is not None and member.constant is not None:
        return TRUE if a.bits >> member.constant & 1 else FALSE
    reach = len(a.words) * WORD
    test = TRUE
    if member.none or member.low < 0:
        test = on.conjunction(test, truth(compare(member.code, ">=", 0)))
    # Beyond the words a shift would wrap around and read another bit.
    if member.high >= reach:
        test = on.conjunction(test, truth(compare(member.code, "<", reach)))
    inside = replace(member, none=False).clip(0, reach - 1)
    return on.conjunction(test, _bit_of(a, inside))


def _bit_of(a: Mask, member: Number) -> Number:
    """The truth that a member's bit is set; the member must lie within the words."""
    first, last = member.low // WORD, member.high // WORD
    if first == last:
        word, place = a.words[first].code, on.subtract(member, literal(first * WORD)).code
    else:
        word, place = a.words[last].code, member.code & (WORD - 1)
        # Chosen from the last word down, only among the words in which the member can be by its bounds.
        for k in reversed(range(first, last)):
            below = compare(member.code, "<", (k + 1) * WORD)
            word = choice(below, a.words[k].code, word)
    return truth(compare(word >> place & 1, "!=", 0))


# ---- Sets of squares, moved ---------------------------------------------------------------------------------------

MOST_SHIFTS = 12  # the most shifts for one function; where it would take more, squares are looked at one by one


def full_mask(size: int) -> Mask:
    """The set of all `size` lanes."""
    return mask_constant((1 << size) - 1, size)


def complement(mask: Mask, size: int) -> Mask:
    """The set of the lanes from 0 to `size` - 1 that are not in the given set."""
    return difference(full_mask(size), mask)


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
        inside = (1 << lane for lane, value in enumerate(function) if value is not None and mask.bits >> value & 1)
        return mask_constant(sum(inside), len(function))
    size = len(function)  # the number of lanes of the result
    result = mask_constant(0, size)
    for distance, lanes in found.items():
        # The mask takes out squares that a shift carries over the edge into the next row.
        result = union(result, intersection(shift_lanes(mask, distance, size), mask_constant(lanes, size)))
    return result


def shift_lanes(mask: Mask, distance: int, size: int) -> Mask:
    """The set with every member moved down by a distance (up, if it is negative), for `size` lanes. Bits that come in
    from beyond the set may be wrong; the caller masks them."""
    if distance == 0:
        return Mask(pad_words(mask, words_for(size)), size)
    return Mask(tuple(_shifted_word(mask.words, k * WORD + distance) for k in range(words_for(size))), size)


def _shifted_word(words: Sequence[WordCode], start: int) -> WordCode:
    """The 64 bits that begin at bit `start` of the words; bits outside of them are 0."""
    first, rest = divmod(start, WORD)
    low = words[first] if 0 <= first < len(words) else EMPTY
    if rest == 0:
        return low
    high = words[first + 1] if 0 <= first + 1 < len(words) else EMPTY
    up = _shift_up(high, WORD - rest)
    if low == EMPTY:
        return up
    down = _down(low, rest)
    if high == EMPTY:
        return down
    # The shift to the right copies the sign into the upper bits, where the next word's bits go.
    kept = mask_constant((1 << WORD - rest) - 1)
    return union(intersection(Mask((down,), WORD), kept), Mask((up,), WORD)).words[0]


def _down(word: WordCode, distance: int) -> WordCode:
    if word.constant is not None:
        return word_constant(word.constant >> distance)
    # As the signed shift does: if the top bit may be set, all bits that move in may be.
    within = as_signed(word.within) >> distance & ALL_BITS
    return WordCode(word.code >> distance, within, word.most)


def _shift_up(word: WordCode, distance: int) -> WordCode:
    if word.constant is not None:
        return word_constant(word.constant << distance)
    within = word.within << distance
    code = word.code << distance
    if within >> WORD - 1 == 0:
        return WordCode(code, within, word.most)
    return WordCode(wrap64(code), within=within & ALL_BITS)

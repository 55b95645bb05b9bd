"""Tuples of words, each kept once: equal tuples have one number.

A tuple is written at the end of all words, one after the other, by `put`; `tuple_number` looks for one that is equal,
word by word, and gives its number: then what was written is taken back. Else it gets the next number. They are found by
open addressing with linear probing; beside a number a slot holds half of the hash, so that nearly every other tuple is
passed over without a look at it, and the table can grow.
"""

from gdl.compiler.kernels.words import *

TUPLES = const(1024)  # set: at most
TUPLE_WORDS = const(8192)  # set: words of all together
TUPLE_SLOTS = const(2048)  # set: slots of the table, full grown
FIRST_TUPLE_SLOTS = const(1024)  # slots of the first table
HASH_HALF = const(-4294967296)  # the bits of a slot that hold half of the hash,
NUMBER_HALF = const(4294967295)  # and 1 + the number of a tuple; a slot of 0 is free
TUPLES_SECOND = const(0)  # set: whether all this lies in the second memory
tuple_from = vast(i32, TUPLES + 1) if TUPLES_SECOND else array(i32, TUPLES + 1)  # by tuple: where it begins
tuple_word = vast(i32, TUPLE_WORDS) if TUPLES_SECOND else array(i32, TUPLE_WORDS)
tuple_slot = vast(i64, TUPLE_SLOTS) if TUPLES_SECOND else array(i64, TUPLE_SLOTS)
tuple_end = array(i32, 1)  # where the next word is put
tuple_count = array(i32, 1)  # tuples kept
tuple_size = array(i64, 1)  # slots that are in use


def put(word: i32) -> None:
    """Add a word to the tuple that is being written."""
    end = tuple_end[0]
    tuple_word[end] = word
    tuple_end[0] = end + 1


def tuple_hash(start: i32, end: i32) -> i64:
    """The hash of the words from `start` up to `end`; its high bits are the best mixed."""
    h: i64 = end - start
    for k in range(start, end):
        h = wrap64((h ^ tuple_word[k]) * -7046029254386353131)
        h = h ^ (h >> 32)
    return wrap64(h * -4658895280553007687)


def tuple_place(h: i64) -> i32:
    """The slot where the search for a tuple with this hash begins."""
    return i32(((h >> 32) & NUMBER_HALF) * tuple_size[0] >> 32)


def grow_tuples(size: i64) -> None:
    """Empty the table, give it `size` slots, and enter all tuples again."""
    for i in range(i32(tuple_size[0])):
        tuple_slot[i] = 0
    tuple_size[0] = size
    for n in range(tuple_count[0]):
        h = tuple_hash(tuple_from[n], tuple_from[n + 1])
        at = tuple_place(h)
        while tuple_slot[at] != 0:
            at += 1
            if at == size:
                at = 0
        tuple_slot[at] = h & HASH_HALF | i64(n + 1)


def tuple_number() -> i32:
    """The number of the tuple that has been written; a new one gets the next number."""
    n = tuple_count[0]
    start = tuple_from[n]
    count = tuple_end[0] - start
    h = tuple_hash(start, start + count)
    at = tuple_place(h)
    while tuple_slot[at] != 0:
        if (tuple_slot[at] ^ h) & HASH_HALF == 0:
            found = i32(tuple_slot[at] & NUMBER_HALF) - 1
            first = tuple_from[found]
            if tuple_from[found + 1] - first == count:
                k = 0
                while k < count and tuple_word[first + k] == tuple_word[start + k]:
                    k += 1
                if k == count:
                    tuple_end[0] = start
                    return found
        at += 1
        if at == tuple_size[0]:
            at = 0
    tuple_slot[at] = h & HASH_HALF | i64(n + 1)
    tuple_count[0] = n + 1
    tuple_from[n + 1] = start + count
    if 2 * (n + 1) > tuple_size[0] and tuple_size[0] < TUPLE_SLOTS:
        size = 2 * tuple_size[0]
        grow_tuples(size if size < TUPLE_SLOTS else TUPLE_SLOTS)
    return n


def forget_tuples(count: i32) -> None:
    """Forget all tuples but the first `count`, the last one first: what was put behind others in the table goes before
    them."""
    while tuple_count[0] > count:
        n = tuple_count[0] - 1
        at = tuple_place(tuple_hash(tuple_from[n], tuple_from[n + 1]))
        while tuple_slot[at] & NUMBER_HALF != n + 1:
            at += 1
            if at == tuple_size[0]:
                at = 0
        tuple_slot[at] = 0
        tuple_count[0] = n
    tuple_end[0] = tuple_from[count]

"""Regrets by samples, in rounds of pieces (see gdl/wings/tables/rounds_driver.py): the additions of a piece, and their
merging.

1. A worker begins a piece with the memories, information sets and regrets that all know; its averages are 0.
2. Set by set the worker sends what the piece has added to the regrets and averages. A set is named by the number of its
   memory; the memories that are new are sent word by word.
3. The process that merges enters the new memories, each of which gets the number that it has there, or the next one;
   the memory before it, and the texts heard, are translated into these numbers. Then the sums are added.
"""

from gdl.compiler.kernels.words import *
from gdl.wings.hidden.kernels.memories import *
from gdl.wings.hidden.kernels.sampling import *
from gdl.wings.hidden.kernels.tuples import *

NEWS = const(8192)  # information sets, or memories, that are sent at once;
NEWS_CHOICES = const(65536)  # the actions of these sets,
NEWS_WORDS = const(65536)  # and the words of these memories, before the last of them
# Places in `rounds`:
KNOWN_TUPLES = const(0)  # the counts when the round began: memories and other tuples,
KNOWN_SETS = const(1)  # information sets,
KNOWN_TEXTS = const(2)  # and texts
ENTERED = const(3)  # new memories of the piece that were entered so far
TOLD_SETS = const(4)  # information sets whose changes are in the arrays now

rounds = array(i64, 5)
set_tuple = vast(i32, SETS) if TUPLES_SECOND else array(i32, SETS)  # by information set: its memory
here_tuple = vast(i32, TUPLES) if TUPLES_SECOND else array(i32, TUPLES)  # by new memory of a piece: its number here,
here_text = vast(i32, TUPLES) if TUPLES_SECOND else array(i32, TUPLES)  # and the same of its new texts
news_from = array(i32, NEWS + 1)  # memories: where the words of each begin,
news_word = array(i32, NEWS_WORDS + SPARE_TUPLE_WORDS)
news_note = array(i32, NEWS)  # and 1 + the number of a text; 0 for other tuples
news_tuple = array(i32, NEWS)  # information sets: the memory,
news_count = array(i32, NEWS)  # how many actions,
news_regret = array(f64, NEWS_CHOICES + MOVES)  # and what was added for each
news_average = array(f64, NEWS_CHOICES + MOVES)


# -- a piece ----------------------------------------------------------------------------------------------------------


def forget_all() -> None:
    """Clear all regrets, averages and memories, to make room for those that all workers share."""
    for i in range(i32(tuple_size[0])):
        tuple_slot[i] = 0
    for t in range(tuple_count[0]):
        tuple_note[t] = 0
    for k in range(set_from[i32(mccfr[KNOWN])]):
        regret[k] = 0.0
        average[k] = 0.0
        gain[k] = 0.0


def begin_piece(first: i64, seed: i64) -> None:
    """Begin a piece from the knowledge that all pieces share, after `first` iterations."""
    begin_round()
    grow_tuples(tuple_size[0])
    for k in range(set_from[i32(mccfr[KNOWN])]):
        gain[k] = regret[k]
    mccfr_mode(LEARNING, 0)
    mccfr[ITERATIONS] = first
    mccfr[FINISHED] = 0
    playout_seed(seed)


def find_memories() -> None:
    """Note the memory of each information set in `set_tuple`."""
    for t in range(tuple_count[0]):
        if tuple_word[tuple_from[t]] >= 0 and tuple_note[t] > 0:
            set_tuple[tuple_note[t] - 1] = t


def tell_news(n: i32) -> i32:
    """Write what this piece has added to the information sets from n on into the `news_` arrays, for as many as there
    is room. Returns the next set."""
    told = 0
    end = 0
    while n < mccfr[KNOWN] and told < NEWS and end < NEWS_CHOICES:
        begin = set_from[n]
        count = set_from[n + 1] - begin
        changed = 1 if n >= rounds[KNOWN_SETS] else 0
        for k in range(count):
            added = regret[begin + k] - gain[begin + k]
            news_regret[end + k] = added
            news_average[end + k] = average[begin + k]
            if added != 0.0 or average[begin + k] != 0.0:
                changed = 1
        if changed:
            news_tuple[told] = set_tuple[n]
            news_count[told] = count
            told += 1
            end += count
        n += 1
    rounds[TOLD_SETS] = told
    return n


# -- what pieces have found -------------------------------------------------------------------------------------------


def begin_round() -> None:
    """Begin a round: the present knowledge is that of all its pieces."""
    rounds[KNOWN_TUPLES] = tuple_count[0]
    rounds[KNOWN_SETS] = mccfr[KNOWN]


def tuple_here(number: i32) -> i32:
    """The number that this worker gives to a memory, from its number in the piece of another worker."""
    known = i32(rounds[KNOWN_TUPLES])
    return number if number < known else here_tuple[number - known]


def text_here(number: i32) -> i32:
    """The number that this worker gives to a text, from its number in the piece of another worker."""
    known = i32(rounds[KNOWN_TEXTS])
    return number if number < known else here_text[number - known]


def enter_tuples(count: i32) -> None:
    """Add the next `count` new memories and texts of a piece."""
    for j in range(count):
        start = news_from[j] - news_from[0]
        is_text = news_word[start] < 0
        follows = is_text == 0 and news_word[start + 1] >= 0
        heard = start + 3 + news_word[start + 2] if follows else 0
        for k in range(start, news_from[j + 1] - news_from[0]):
            word = news_word[k]
            if follows and k == start + 1:
                word = tuple_here(word)
            elif k < heard and k >= start + 3:
                word = text_here(word)
            put(word)
        number = tuple_number()
        here_tuple[i32(rounds[ENTERED])] = number
        rounds[ENTERED] += 1
        if is_text and news_note[j] > 0:
            tuple_note[number] = 1 + text_here(news_note[j] - 1)


def add_news(count: i32, share: f64) -> None:
    """Add the changes of a piece to `count` information sets, in the `news_` arrays, times `share`."""
    end = 0
    for j in range(count):
        known = tuple_here(news_tuple[j])
        n = tuple_note[known] - 1
        if n < 0:
            n = i32(mccfr[KNOWN])
            mccfr[KNOWN] = n + 1
            tuple_note[known] = n + 1
            set_from[n + 1] = set_from[n] + news_count[j]
        at = set_from[n]
        for k in range(news_count[j]):
            regret[at + k] += news_regret[end + k] * share
            average[at + k] += news_average[end + k] * share
        end += news_count[j]

"""Counterfactual regret minimisation by samples, in rounds that several workers share (see kernels/rounds.py).

1. A round has some iterations, in at most PIECES pieces with seeds of their own. The iterations of a piece have the
   numbers, and so the weights, that they would have if one came after the other.
2. A worker begins a piece with the regrets of the round, and learns from the piece's iterations, not from other pieces.
3. The mean of the pieces' additions is added to the regrets and averages, in the order of the pieces' numbers; new
   memories and information sets get their numbers in that order.

So the result is the same however many workers there are. The sum in place of the mean would correct the same mistakes
once for each piece, and overshoot the more, the longer the round. The mean does not: no piece increases the expected
sum of squared regrets by more than its iterations would do alone, and the mean of several increases it by no more than
they do. So the bound is that of the iterations of a piece, one after the other, for rounds of any length; and as far as
regrets come from the luck of sampling, the mean has as little of it as all pieces together.

The length of a round follows from the iterations before it: at most one for every SHARE of them, no further than to the
next power of two, and at most about MOST_PLIES plies or, if that is more, TOLD_PLIES for each action of a known
information set, since it takes time to send their numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from gdl.compiler.joining import kernel_constants
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.random_numbers import as_signed_word, stream
from gdl.wings.hidden.sampling import ENTRIES, KEPT, LEARNT, Sampling

K = kernel_constants("memories", "sampling", "rounds")
PIECES = 8  # pieces of a round, at most
SHARE = 8  # iterations done before a round, for each of its own
MOST_PLIES = 1 << 21  # plies of a round, or
TOLD_PLIES = 16  # plies for each action of the known information sets, if that is more
NEWS = {"news_tuple": "i", "news_count": "i", "news_regret": "d", "news_average": "d"}  # a part of the additions
SHARED = [name for name in KEPT if name not in ("played", "tuple_slot", "average")]  # arrays of Known
INTEGER, FLOAT = 4, 8  # bytes
Piece = tuple[int, int, int]  # the iterations before it, how many it has, and the seed
Numbers = Any  # a memoryview of integers or of floats
Run = Callable[[Sequence[Piece], Any], Iterator[Any]]  # pieces, and what is Known -> the results, in order


class Known(NamedTuple):
    """The knowledge that all share when a round begins: numbers of the kernel, as bytes, and the texts that were
    heard."""

    arrays: dict[str, bytes]
    texts: tuple[str, ...]


class News(NamedTuple):
    """The findings of a piece; numbers of arrays are given as bytes."""

    full: bool  # whether there was no room for more
    plies: int  # all these as in kernels/sampling.py
    traversals: int
    levels: int
    longest: int
    texts: tuple[str, ...]  # texts that are new
    tuples: tuple[bytes, bytes, bytes]  # memories that are new: where they begin, their words, and notes
    sets: tuple[bytes, ...]  # parts of what was added: memories, counts, regrets, averages, one part after the other


class Piecework:
    """A worker: it does one piece after the other, in any order."""

    def __init__(self, game: RulesGame, start: State, engine: str, memory: int | None = None):
        code = "rounds", (*ENTRIES, "forget_all", "begin_piece", "find_memories", "tell_news")
        self.sampling = Sampling(game, start, engine, memory=memory, code=code)

    def do(self, common: Known, piece: Piece) -> News:
        """The result of a piece."""
        (first, count, seed), sampling = piece, self.sampling
        module = sampling.module
        module["forget_all"]()
        for name, numbers in common.arrays.items():
            sampling.put(name, _numbers(numbers, KEPT[name]))
        sampling.heard = {text: number for number, text in enumerate(common.texts)}
        sampling.limit_tables(LEARNT)
        module["begin_piece"](first, as_signed_word(seed))
        sampling.learn(first + count)
        for _ in sampling:
            pass
        known, count = int(module["rounds"][K.KNOWN_TUPLES]), int(module["tuple_count"][0])
        starts = module["tuple_from"][known : count + 1]
        words = module["tuple_word"][int(starts[0]) : int(module["tuple_end"][0])]
        tuples = (starts.tobytes(), words.tobytes(), module["tuple_note"][known:count].tobytes())
        texts = [*sampling.heard][len(common.texts) :]
        plies, traversals, levels, longest = (
            int(sampling.found[part]) for part in (K.TOTAL, K.FINISHED, K.LEVELS, K.LONGEST)
        )
        return News(sampling.full, plies, traversals, levels, longest, (*texts,), tuples, (*self._infoset_updates(),))

    def _infoset_updates(self) -> Iterator[bytes]:
        module, n = self.sampling.module, 0
        module["find_memories"]()
        while n < self.sampling.sets:
            n = module["tell_news"](n)
            told = int(module["rounds"][K.TOLD_SETS])
            choices = sum(module["news_count"][:told].tolist())
            for name, count in zip(NEWS, (told, told, choices, choices), strict=True):
                yield module[name][:count].tobytes()


def sample_in_rounds(
    game: RulesGame, start: State, engine: str, by_workers: Run, seed: int = 1, memory: int | None = None
) -> Sampling:
    """A search for regrets and average strategies in which `by_workers` does the learning, in rounds of pieces."""
    code = "rounds", (*ENTRIES, "begin_round", "enter_tuples", "add_news")
    return Sampling(game, start, engine, seed, memory, code=code, learner=SharedLearner(by_workers, seed).learn)


class SharedLearner:
    """Lets workers learn, and merges their findings."""

    def __init__(self, by_workers: Run, seed: int):
        self._by_workers, self._seed = by_workers, seed

    def learn(self, sampling: Sampling) -> Iterator[None]:
        """Let workers learn until the work that was asked for last is done; yields after each piece and round."""
        while not sampling.full and (pieces := self._pieces(sampling)):
            found = list[News]()
            for news in self._by_workers(pieces, _known_by_all(sampling)):
                found.append(news)
                yield
            sampling.module["begin_round"]()
            sampling.module["rounds"][K.KNOWN_TEXTS] = len(sampling.heard)
            for (_, count, _), news in zip(pieces, found, strict=True):
                _merge(sampling, count, news, len(pieces))
            yield

    def _pieces(self, sampling: Sampling) -> list[Piece]:
        """The pieces of the next round; [] if the work that was asked for is done."""
        done, plies = sampling.iterations, int(sampling.found[K.TOTAL])
        choices = int(sampling.module["set_from"][sampling.sets])
        left, left_plies = int(sampling.found[K.WANTED]) - done, int(sampling.found[K.WANTED_PLIES]) - plies
        if left <= 0 or left_plies <= 0:
            return []
        each = max(1, plies // max(1, done))  # plies of an iteration
        most = min(max(MOST_PLIES, TOLD_PLIES * choices), left_plies) // each
        doubled = (1 << done.bit_length()) - done
        count = min(left, doubled, max(1, min(done // SHARE, most)))
        length = -(-count // PIECES)
        return [
            (first, min(length, done + count - first), stream(self._seed, 1 + first))
            for first in range(done, done + count, length)
        ]


def _known_by_all(sampling: Sampling) -> Known:
    lengths = sampling.lengths_in_use()
    arrays = {name: sampling.module[name][: lengths.get(name, len(sampling.module[name]))].tobytes() for name in SHARED}
    return Known(arrays, (*sampling.heard,))


def _merge(sampling: Sampling, count: int, news: News, pieces: int) -> None:
    """Add the findings of a piece of `count` iterations, one of `pieces`. Nothing is added if there might be no room
    for it, or was none for an earlier piece."""
    if sampling.full or news.full or not _has_room(sampling, news):
        sampling.found[K.FULL] = 1
        return
    numbers = [sampling.heard.setdefault(text, len(sampling.heard)) for text in news.texts]
    sampling.put("here_text", memoryview(array("i", numbers)))
    sampling.module["rounds"][K.ENTERED] = 0
    _enter(sampling, *(_numbers(part, "i") for part in news.tuples))
    for at in range(0, len(news.sets), len(NEWS)):
        parts = news.sets[at : at + len(NEWS)]
        for (name, code), part in zip(NEWS.items(), parts, strict=True):
            sampling.put(name, _numbers(part, code))
        sampling.module["add_news"](len(parts[0]) // INTEGER, 1.0 / pieces)
    sampling.found[K.LEVELS] = min(sampling.found[K.LEVELS], news.levels)
    sampling.found[K.LONGEST] = max(sampling.found[K.LONGEST], news.longest)
    sampling.found[K.TOTAL] += news.plies
    sampling.found[K.FINISHED] += news.traversals
    sampling.found[K.ITERATIONS] += count


def _has_room(sampling: Sampling, news: News) -> bool:
    """True if there is room for all that was new to a piece, even if all of it is new here."""
    module, known = sampling.module, sampling.sets
    _, words, notes = news.tuples
    sets, choices = (sum(map(len, news.sets[part :: len(NEWS)])) for part in (0, 2))
    return (
        int(module["tuple_count"][0]) + len(notes) // INTEGER <= sampling.found[K.MOST_TUPLES]
        and int(module["tuple_end"][0]) + len(words) // INTEGER <= sampling.found[K.MOST_TUPLE_WORDS]
        and known + sets // INTEGER < len(module["set_from"])
        and int(module["set_from"][known]) + choices // FLOAT <= len(module["regret"])
    )


def _enter(sampling: Sampling, begins: Numbers, words: Numbers, notes: Numbers) -> None:
    """Enter the new memories and texts of a piece, as many at a time as the kernel has room for."""
    at = 0
    while at < len(notes):
        end = at + 1
        while end < len(notes) and end - at < K.NEWS and begins[end] - begins[at] < K.NEWS_WORDS:
            end += 1
        sampling.put("news_from", begins[at : end + 1])
        sampling.put("news_word", words[begins[at] - begins[0] : begins[end] - begins[0]])
        sampling.put("news_note", notes[at:end])
        sampling.module["enter_tuples"](end - at)
        at = end


def _numbers(data: bytes, code: str) -> Numbers:
    """The numbers in these bytes, of the type with this code."""
    view: Any = memoryview(data)
    return view.cast(code)

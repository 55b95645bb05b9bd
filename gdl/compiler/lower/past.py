"""The earlier positions of a play, of which `times`, `since` and `always` ask, in the memory of a kernel module.

A state holds two things on its past, which are copied with it: the number of earlier positions, and a digest of their
keys. The keys themselves lie on a stack beside the states: a search that goes down from a state and comes back finds
the keys of that state still there, below its count. A stack that does not fit the digest is a fault, so no state is
ever judged by the past of another. For `times` the order of earlier positions does not matter, so the digest is a sum:
states are equal where the same positions came before them, each as often. For `since` and `always` each position is
mixed with its place first, so states are equal only where the same positions came in the same order.

A key is the words of its parts, and is compared word by word; buckets by its hash lead to those that may be equal.
Kernel code keeps the stack (repetitions.py); here it is read and written from outside, with the same hashes.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import accumulate
from typing import Any, Literal

from gdl.compiler.lower.code_values import NONE, WORD, as_signed, split
from gdl.compiler.lower.state_layout import VariablePlace, numbers_in_planes, numbers_of, values_of
from gdl.interpreter.earlier import Past
from gdl.model import core
from gdl.model.domains import bounds

MOST_PAST = 1 << 13  # the most plies of a play that remembers its positions
BUCKETS = 1 << 10
FACTOR, ROUND = -7046029254386353131, 29  # a hash is multiplied by the one, and then shifted right by the other
PACKED = 1 << 62  # words of packed elements are less than this


@dataclass(frozen=True)
class KeyPart:
    """One part of a key: all elements of a variable (`place`), or a single value (`place` None): a number in one word,
    in which `missing` stands for none, or, if `set`, a set in as many as it needs. `words`: how many words of 64 bits
    the part takes."""

    words: int
    place: VariablePlace | None = None
    set: bool = False
    missing: int = NONE

    @cached_property
    def radix(self) -> int:
        """The number of values that an element can have: the base in which several elements are one number."""
        assert self.place is not None
        return bounds(self.place.variable.type)[1] - self.lowest + 1

    @cached_property
    def lowest(self) -> int:
        """The value whose digit is 0."""
        assert self.place is not None
        return self.place.background

    @cached_property
    def digits_per_word(self) -> int:
        """The number of elements that fit into one word as digits."""
        if self.radix == 1:  # all elements have the one value
            return max(1, self.place.count if self.place is not None else 1)
        count = 1
        # As many digits as leave a word's sign alone: words are signed, and their digits are taken out by division.
        while self.radix ** (count + 1) < PACKED:
            count += 1
        return count

    def words_of_value(self, value: Any) -> list[int]:
        """The words for a value of this part, taken from the interpreter."""
        place = self.place
        if place is None:
            return list(split(value, self.words)) if self.set else [self.missing if value is None else int(value)]
        if place.is_set:
            return [word for bits in value for word in split(bits, place.each // 2)]
        numbers = numbers_of(place.variable.type, value)
        if place.plane is not None:
            # A key is made of what the state holds: planes are its words as they are, and need not be taken apart.
            planes = [sum(1 << i for i, number in enumerate(numbers) if number == held) for held in place.values]
            return [word for plane in planes for word in split(plane, place.words)]
        return [
            self._number(numbers[k : k + self.digits_per_word]) for k in range(0, len(numbers), self.digits_per_word)
        ]

    def _number(self, digits: Sequence[int]) -> int:
        total = 0
        for digit in digits:
            total = total * self.radix + digit - self.lowest
        return total

    def read(self, words: Sequence[int]) -> Any:
        """The value, as the interpreter holds it, from its words."""
        place = self.place
        if place is None:
            return _bits(words) if self.set else None if words[0] == self.missing else words[0]
        if place.is_set:
            each = place.each // 2
            return tuple(_bits(words[k : k + each]) for k in range(0, len(words), each))
        if place.plane is not None:
            bits, long = _bits(words), WORD * place.words
            planes = [bits >> long * k for k in range(len(place.values))]
            return tuple(values_of(place.variable.type, numbers_in_planes(place, planes)))
        numbers = list[int]()
        for number in words:
            count = min(self.digits_per_word, place.count - len(numbers))
            numbers += _digits(number, self.radix, self.lowest, count)
        return tuple(values_of(place.variable.type, numbers))


def whole_variable(place: VariablePlace) -> KeyPart:
    """The part of a key that holds all elements of a variable."""
    if place.is_set or place.plane is not None:
        each = place.each // 2 * place.count if place.is_set else place.words * len(place.values)
        return KeyPart(each, place)
    return KeyPart(-(-place.count // KeyPart(0, place).digits_per_word), place)


@dataclass(frozen=True)
class Noted:
    """The note that one question makes of each position: the words of its key and, for `always`, one more: in how many
    positions up to and including this one its condition has held without a break."""

    kind: Literal["times", "since", "always"]
    parts: tuple[KeyPart, ...]
    asked: tuple[core.Expression, ...]  # the key as the rules write it

    @property
    def key(self) -> int:
        """The number of words that the key takes."""
        return sum(part.words for part in self.parts)

    @property
    def words(self) -> int:
        """The number of words noted for each position."""
        return self.key + (self.kind == "always")

    def share(self, found: int, at: int, held: bool) -> int:
        """The number that an earlier position adds to the digest: made from the hash `found` of its key and, except for
        `times`, from its place `at` and whether the condition `held`."""
        # Mixed twice: shares are added up, and neighbours in one sum should differ in all bits.
        return found if self.kind == "times" else mix_word(mix_word(found, 2 * at + held), 0)


@dataclass(frozen=True)
class PastKeys:
    """The questions of a game about earlier positions, and the word `at` of a state that holds how many positions came
    before it."""

    sites: tuple[Noted, ...]
    at: int
    lost: int  # the trap where the past of a state is not known

    def summary(self, past: Past) -> tuple[int, int]:
        """The number of earlier positions, and the digest of what is noted of them."""
        shares = (share for site in range(len(self.sites)) for _, _, _, share in self._rows(site, past))
        return len(past[0]), as_signed(sum(shares))

    def load(self, module: Mapping[str, Any], past: Past) -> None:
        """Write a past to the stack in a module's memory. For `times`, where order does not matter, the positions come
        in any order."""
        sums = [0] * len(past[0])
        for site in range(len(self.sites)):
            keys, hashes = module[f"past_key_{site}"], module[f"past_hash_{site}"]
            for i, words, found, share in self._rows(site, past):
                keys[i * len(words) : (i + 1) * len(words)] = memoryview(array("q", words))
                hashes[i] = found
                sums[i] += share
        for i, found in enumerate(accumulate(sums), start=1):
            module["past_sum"][i] = as_signed(found)
        self._link(module, len(sums))

    def _link(self, module: Mapping[str, Any], count: int) -> None:
        """Make the chains of the first `count` positions of the stack from the hashes that stand there."""
        for site in range(len(self.sites)):
            heads, links, hashes = (module[f"past_{word}_{site}"] for word in ("head", "link", "hash"))
            # 0 is the end of a chain; links are places from 1 on.
            heads[:] = memoryview(array("i", bytes(4 * BUCKETS)))
            for i, found in enumerate(hashes[:count]):
                links[i], heads[found % BUCKETS] = heads[found % BUCKETS], i + 1
        module["past_top"][0] = count

    def _stack(self, module: Mapping[str, Any]) -> Iterator[tuple[Any, int]]:
        """The arrays that hold something of each position on the stack, each with its words for one position."""
        for site, noted in enumerate(self.sites):
            yield module[f"past_key_{site}"], noted.words
            yield module[f"past_hash_{site}"], 1
        yield module["past_sum"][1:], 1

    def cut_out(self, module: Mapping[str, Any], words: Sequence[int]) -> tuple[bytes, ...] | None:
        """The stack under a state as it stands in memory, for `put_back`; None if it is not there."""
        count = words[self.at]
        return (
            tuple(bytes(held[: count * each]) for held, each in self._stack(module))
            if self.holds(module, words)
            else None
        )

    def put_back(self, module: Mapping[str, Any], stack: tuple[bytes, ...]) -> None:
        """Write a stack to memory that `cut_out` took from there, or from the memory of another instance."""
        for (held, _), saved in zip(self._stack(module), stack, strict=True):
            held[: len(saved) // 8] = memoryview(saved).cast("q")
        self._link(module, len(stack[-1]) // 8)

    def _rows(self, site: int, past: Past) -> Iterator[tuple[int, list[int], int, int]]:
        """For question `site`, one tuple for each earlier position: its place, the words noted, the hash of its key,
        and its share of the digest."""
        noted, unbroken = self.sites[site], 0
        for i, entry in enumerate(past[site]):
            key, held = (entry, False) if noted.kind == "since" else (entry[0], noted.kind == "always" and entry[1])
            words = [
                word for part, value in zip(noted.parts, key, strict=True) for word in part.words_of_value(value)
            ]  # fmt: skip
            found = reduce(mix_word, words, site)
            # A length in place of a truth: whether the condition has held ever since position i is then one comparison.
            unbroken = unbroken + 1 if held else 0
            yield i, words + [unbroken] * (noted.kind == "always"), found, noted.share(found, i, held)

    def holds(self, module: Mapping[str, Any], words: Sequence[int]) -> bool:
        """True if the past of a state (its words) is on the stack."""
        # The digest is a long word in two words of 32 bits; the lower loses its sign.
        count, digest = words[self.at], (words[self.at + 2] & 0xFFFFFFFF) | words[self.at + 3] << 32
        return bool(count <= module["past_top"][0] and module["past_sum"][count] == digest)

    def read(self, module: Mapping[str, Any], words: Sequence[int]) -> Past | None:
        """The past of a state, in the form that the interpreter holds it; None if it is not on the module's stack of
        earlier positions."""
        if not self.holds(module, words):
            return None
        asked = {noted.asked: site for site, noted in enumerate(self.sites)}  # questions often have the same key
        keys = {key: self._keys(module, site, words[self.at]) for key, site in asked.items()}
        return tuple(self._entries(module, site, keys[noted.asked]) for site, noted in enumerate(self.sites))

    def _keys(self, module: Mapping[str, Any], site: int, count: int) -> list[Any]:
        """The keys of the first `count` positions for a question, as the interpreter holds them."""
        noted, rows, found = self.sites[site], module[f"past_key_{site}"], list[Any]()
        for i in range(count):
            parts, at = [], i * noted.words
            for part in noted.parts:
                parts.append(part.read(rows[at : at + part.words]))
                at += part.words
            found.append(tuple(parts))
        return found

    def _entries(self, module: Mapping[str, Any], site: int, keys: Sequence[Any]) -> frozenset[Any] | tuple[Any, ...]:
        """The notes of one question on the first positions, which have these keys, as the interpreter holds them."""
        noted, rows = self.sites[site], module[f"past_key_{site}"]
        match noted.kind:
            case "times":
                return frozenset((key, seen) for key, times in Counter(keys).items() for seen in range(1, times + 1))
            case "since":
                return tuple(keys)
            case "always":
                return tuple((key, rows[i * noted.words + noted.key] > 0) for i, key in enumerate(keys))


def mix_word(found: int, word: int) -> int:
    """The hash `found` extended by one word."""
    found = as_signed((found ^ word) * FACTOR)
    return found ^ found >> ROUND


@lru_cache(4096)  # a ply changes few words of a key
def _digits(number: int, radix: int, lowest: int, count: int) -> list[int]:
    """The last `count` digits of a number in base `radix`, with `lowest` added to each."""
    return [number // radix**k % radix + lowest for k in reversed(range(count))]


def _bits(words: Sequence[int]) -> int:
    """A set as a whole number, from its signed words."""
    return int.from_bytes(array("q", words).tobytes(), "little")

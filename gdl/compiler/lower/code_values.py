"""Values of core expressions in kernel code: expressions of the IR, with the bounds known of them.

A number, a named value and a truth (0 or 1) are a `Number`, one kernel expression with bounds. `none` is the constant
NONE, -1; in a number that may be below zero it is a number less than all its values. A set is a `Mask`, words of 64
bits. A sequence is a `Sequence`, the number of a row of constants. Bounds decide widths (i32 or i64), spare checks and
fold what is already decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from struct import unpack
from typing import Any, NamedTuple

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import i32, i64
from gdl.errors import Problem, Refusal, Span, clean
from gdl.errors.limits import NUMBER

NONE = -1  # the number that stands for `none`
I32 = 1 << 31
I64 = 1 << 63
WORD = 64


class UnsupportedConstruct(Exception):
    """A construct that the compiled engine does not take: its name, its place (`span`), and in `help` another way to
    write the same that the engine takes."""

    def __init__(self, construct: str, help: str = ""):
        super().__init__(construct)
        self.construct, self.help = construct, help
        self.span: Span | None = None

    def refusal(self, game: str) -> Refusal:
        """The Refusal that a user sees, for the game of that name."""
        said = f"the compiled engine does not take {self.construct}"
        place = f" (line {self.span.line})" if self.span else ""
        help = self.help or "write this otherwise where it is to be fast; all answers are the same"
        return Refusal(
            f"{said}{place}; the interpreter plays {clean(game)}", Problem(said, self.span, help=help, warning=True)
        )


@contextmanager
def locate_refusals(span: Span | None) -> Iterator[None]:
    """Within the block, an UnsupportedConstruct that has no place yet gets this one."""
    try:
        yield
    except UnsupportedConstruct as refused:
        refused.span = refused.span or span
        raise


class Fact(NamedTuple):
    """A fact known about a number behind a test: the bounds of its code, and whether it may still be none."""

    code: ir.Expr
    low: int
    high: int
    none: bool


@dataclass(frozen=True, slots=True)
class Number:
    """Code of a number, which may be none only if `none` is true: the code then gives `missing`. Else its value lies
    from `low` to `high` (an empty range: always none) and stands for that value divided by `scale`."""

    code: ir.Expr
    low: int
    high: int
    none: bool = False
    scale: int = 1
    if_true: tuple[Fact, ...] = ()  # of a truth: the facts where it holds, and in `if_false` where it does not
    if_false: tuple[Fact, ...] = ()
    missing: int = NONE

    @property
    def bounds(self) -> tuple[int, int]:
        return self.low, self.high

    @property
    def constant(self) -> int | None:
        """The value of the code if it is known and not none; else None."""
        return self.low if self.low == self.high and not self.none else None

    @property
    def is_none(self) -> bool:
        return self.none and self.low > self.high

    @property
    def wide(self) -> bool:
        """True if the bounds need more than 32 bits."""
        return self.low < -I32 or self.high >= I32

    @property
    def type(self) -> str:
        return "i64" if self.wide else "i32"

    @property
    def atomic(self) -> bool:
        """True if the code may be repeated without repeating work, and keeps its value whatever is written in
        between."""
        return self.code.atomic

    def with_name(self, name: str) -> Number:
        """This number, held in the local variable of that name."""
        return replace(self, code=ir.Local(name, self.type), if_true=(), if_false=())

    def clip(self, low: int, high: int) -> Number:
        """The value with bounds cut to `low` and `high`, since it is known to lie there. Code has 64 bits exactly where
        its bounds need them, so it is narrowed to 32 where the new bounds allow."""
        known = replace(self, low=min(max(self.low, low), high), high=max(min(self.high, high), low))
        return replace(known, code=i32(self.code)) if self.wide and not known.wide else known


ALL_BITS = (1 << WORD) - 1


class WordCode(NamedTuple):
    """Code of 64 bits. Bits outside of `within` are surely 0, and at most `most` bits are 1. Code `~inverse & constant`
    keeps its `inverse`."""

    code: ir.Expr
    within: int = ALL_BITS
    most: int = WORD
    inverse: WordCode | None = None

    @property
    def constant(self) -> int | None:
        return self.code.constant

    @property
    def atomic(self) -> bool:
        return self.code.atomic

    def with_name(self, name: str) -> WordCode:
        """These bits, held in the local variable of that name."""
        return WordCode(ir.Local(name, ir.I64), within=self.within, most=self.most)


@dataclass(frozen=True, slots=True)
class Mask:
    """A set: bit i of the words is the member with ordinal i; ordinals are less than `size`."""

    words: tuple[WordCode, ...]
    size: int
    bits: int | None = None  # the set itself, where it is constant


@dataclass(frozen=True, slots=True)
class ItemShape:
    """The shape of a sequence's items: numbers within bounds, or sequences again (`inner`). `longest` and `shortest`
    are the lengths of the sequences that have this shape."""

    low: int = 0
    high: int = -1
    none: bool = False
    inner: ItemShape | None = None
    longest: int = 0
    shortest: int = 0
    order: int | None = None  # 1 if all rows ascend, -1 if all descend, 0 if each does either; None: other


class TableRow(NamedTuple):
    """The origin of a sequence that is looked up in a table: the table's rows, and code of the index into it."""

    entries: tuple[tuple[Any, ...], ...]
    place: ir.Expr


@dataclass(frozen=True, slots=True)
class Sequence:
    """A sequence of constants, held as the number of its row in the module. `values` are its items if only one row is
    possible; `rows` tells the table it is read from, if any."""

    row: Number
    shape: ItemShape
    values: tuple[Any, ...] | None = None
    rows: TableRow | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """Several values in an order, each with code of its own."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class LaneVector:
    """The value of a name in each lane, known before play; ABSENT where a lane has none."""

    entries: tuple[Any, ...]


ABSENT = object()
Value = Number | Mask | Sequence | Listed | LaneVector


# ---- Constants --------------------------------------------------------------------------------------------------


def literal(value: int) -> Number:
    return Number(ir.Const(value), value, value)


TRUE, FALSE = literal(1), literal(0)
NOTHING = Number(ir.Const(NONE, name="NONE"), 1, 0, none=True)
_NO_CODE = ir.Local("")


def truth(code: ir.Expr) -> Number:
    """A truth (0 or 1) with this code, not known beforehand."""
    return Number(code, 0, 1)


def limits_of(low: int, high: int, none: bool = False, scale: int = 1) -> Number:
    """Bounds of a number without any code; the code is put in later."""
    return Number(_NO_CODE, low, high, none, scale)


def number_constant(value: Any) -> Number:
    """A constant number, truth or none of the model as a Number; fractions get a scale."""
    if value is None:
        return NOTHING
    if isinstance(value, Fraction):
        return replace(literal(value.numerator), scale=value.denominator)
    if isinstance(value, str):
        raise UnsupportedConstruct(f"the text '{value}' as a value")
    return literal(int(value))


def words_for(size: int) -> int:
    """The number of words that a set of `size` members needs."""
    return max(1, -(-size // WORD))


def as_signed(word: int) -> int:
    """The low 64 bits of a number, read as a signed i64."""
    word &= (1 << WORD) - 1
    return word - (1 << WORD) if word >> (WORD - 1) else word


def bits_of(row: Iterable[int], word: int) -> int:
    """The numbers of a row from 0 up as a set of bits, of whose words of 64 bits it gives one, signed."""
    return as_signed(sum(1 << item for item in set(row) if item >= 0) >> WORD * word)


def split(bits: int, words: int) -> tuple[int, ...]:
    """A set's bits as `words` signed words of 64 bits, the lowest first."""
    return unpack(f"<{words}q", (bits & (1 << WORD * words) - 1).to_bytes(WORD // 8 * words, "little"))


# Lowering asks for the same few sets again and again; a mask cannot be changed, so one may stand for all of them.
@lru_cache(maxsize=1 << 12)
def mask_constant(bits: int, size: int = 0) -> Mask:
    size = max(size, bits.bit_length())
    return Mask(tuple(map(word_constant, split(bits, words_for(size)))), size, bits)


def word_constant(bits: int) -> WordCode:
    bits = as_signed(bits)
    return WordCode(ir.Const(bits), bits & ALL_BITS, (bits & ALL_BITS).bit_count())


def shape_of(rows: list[Any]) -> ItemShape:
    """The common shape of sequences that are each one of the given rows."""
    items = [item for row in rows for item in row]
    longest, shortest = max(map(len, rows), default=0), min(map(len, rows), default=0)
    kinds = set(map(type, items))
    if kinds & {tuple, range}:
        return ItemShape(inner=shape_of(items), longest=longest, shortest=shortest)
    if kinds & {str, Fraction}:
        raise UnsupportedConstruct("lists of texts or of fractions")
    numbers = [int(item) for item in items if item is not None]
    # A set among the items is the number made of its bits; rows hold items of 32 bits, which is too few for one.
    if numbers and max(numbers) >= I32:
        raise UnsupportedConstruct("lists of sets")
    if None in items and min(numbers, default=0) < 0:
        raise UnsupportedConstruct("lists of none and of numbers below zero")
    order = _order(rows) if None not in items else None
    return ItemShape(min(numbers, default=0), max(numbers, default=-1), None in items, None, longest, shortest, order)


def _order(rows: list[Any]) -> int | None:
    """The direction of rows of numbers: 1 if all go up, -1 if all go down, 0 if each does one or the other; None if
    some does neither."""
    ups = [all(a < b for a, b in pairwise(row)) for row in rows]
    downs = [all(a > b for a, b in pairwise(row)) for row in rows]
    if all(ups):
        return 1
    if all(downs):
        return -1
    return 0 if all(up or down for up, down in zip(ups, downs, strict=True)) else None


# ---- Joining ----------------------------------------------------------------------------------------------------


def hull(a: Number, b: Number) -> tuple[int, int, bool]:
    """Bounds (low, high, may be none) that hold both numbers, and in which NONE stands for none."""
    held = plain(same_missing(a, b)[2])
    return held.low, held.high, held.none


def plain(number: Number) -> Number:
    """The number, in which NONE stands for none. Raises UnsupportedConstruct where it may be none or below zero."""
    if number.none and number.missing != NONE:
        help = "let them begin at 0 and subtract where they are read, or keep in a Boolean whether there is one"
        raise UnsupportedConstruct("numbers below zero that may be none", help)
    return number


def with_missing(a: Number, missing: int) -> Number:
    """The number, in which `missing` stands for none."""
    if not a.none or a.missing == missing:
        return replace(a, missing=missing)
    code: ir.Expr = ir.Const(missing)
    if not a.is_none:
        code = ir.Select(ir.Compare("==", a.code, ir.Const(a.missing)), code, a.code)
    return replace(a, code=code, missing=missing)


def same_missing(a: Number, b: Number) -> tuple[Number, Number, Number]:
    """Both numbers, in which the same number stands for none, and without code the bounds that hold both."""
    numbers = [n for n in (a, b) if not n.is_none]
    low, high = min((n.low for n in numbers), default=1), max((n.high for n in numbers), default=0)
    # A word that holds it must not mean a number too: no code could tell which.
    missing = min(NONE, low - 1, *(n.missing for n in (a, b) if n.none)) if a.none or b.none else NONE
    if missing < -I32 <= low:
        help = "keep in a Boolean whether there is one, or give variables smaller ranges"
        raise UnsupportedConstruct("numbers of more than 32 bits that may be none", help)
    held = replace(limits_of(low, high, a.none or b.none), missing=missing)
    return with_missing(a, missing), with_missing(b, missing), held


def check_digits(made: Number) -> Number:
    """The number itself, whose code has 64 bits at most. Raises UnsupportedConstruct where it might need more, or more
    digits than play allows: the interpreter checks that limit for each number, the compiled code does not."""
    most = min(NUMBER * made.scale, I64 - 1)
    if made.low < -most or made.high > most:
        help = "keep what is multiplied or added here in bounds, as min(…, 1000) does, or give variables smaller ranges"
        raise UnsupportedConstruct("numbers of more than 18 digits", help)
    return made


def rescale(a: Number, scale: int) -> Number:
    """The number over another scale, which must be a multiple of its own."""
    factor = scale // a.scale
    if factor == 1 or a.is_none:
        return replace(a, scale=scale)
    # NONE times a factor is no longer NONE, and may be a value of the finer scale.
    if a.none:
        raise UnsupportedConstruct("fractions that may be none")
    if a.constant is not None:
        return replace(literal(a.constant * factor), scale=scale)
    made = limits_of(a.low * factor, a.high * factor, scale=scale)
    return check_digits(replace(made, code=(wide_code(a) if made.wide else a.code) * factor))


def wide_code(a: Number) -> ir.Expr:
    """The code of the number, converted to 64 bits if it has 32."""
    return a.code if a.wide else i64(a.code)


def joined_shape(a: ItemShape, b: ItemShape) -> ItemShape:
    """A shape that holds all items of either shape."""
    longest, shortest = max(a.longest, b.longest), min(a.shortest, b.shortest)
    if a.inner and b.inner:
        return ItemShape(inner=joined_shape(a.inner, b.inner), longest=longest, shortest=shortest)
    if a.inner or b.inner:
        return replace(a if a.inner else b, longest=longest, shortest=shortest)  # the other has no items
    numbers = (limits_of(a.low, a.high, a.none), limits_of(b.low, b.high, b.none))
    # An order that one of the two lacks is lost. Two orders that differ leave 0: each row still goes one way.
    order = a.order if a.order == b.order else None if None in (a.order, b.order) else 0
    return ItemShape(*hull(*numbers), None, longest, shortest, order)

"""Kernel Python under CPython: the code that becomes WebAssembly, run as it stands, for debugging and as fallback."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping
from itertools import count
from math import sqrt
from mmap import mmap
from operator import mul
from typing import Any, NamedTuple

from gdl.compiler.ir import printer
from gdl.compiler.ir.module import BIT_PLACES
from gdl.compiler.joining import Code, KernelPart

LARGE = 1 << 20  # bytes of an array that is mapped, not allocated
_numbers = count(1)  # for the file names of loaded texts
_BITS = tuple(1 << k if k < 63 else -(1 << 63) for k in range(64))
_WORD = (1 << 64) - 1


class Type(NamedTuple):
    """A type of kernel code; called, it converts a number."""

    format: str
    size: int
    convert: Callable[[Any], Any]

    def __call__(self, number: Any) -> Any:
        return self.convert(number)


class Trap(Exception):
    """Kernel code has met a fault; the code says which."""

    def __init__(self, code: int):
        super().__init__(f"trap {code}")
        self.code = code


def load(source: Code, words: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The functions and the memory of a kernel module, by name. `words`: the meanings of the words of kernel Python, if
    not WORDS. Debuggers and tracebacks show the lines of all parts."""
    namespace = dict(WORDS if words is None else words)
    for piece in [source] if isinstance(source, str) else source:
        if not isinstance(piece, KernelPart):
            piece = piece if isinstance(piece, str) else printer.module(piece)
            name = f"<kernel {next(_numbers)}>"
            linecache.cache[name] = len(piece), None, piece.splitlines(keepends=True), name
            code = compile(piece, name, "exec")
        else:
            code = compile(piece.tree, piece.file, "exec")
        exec(code, namespace)  # the code is the compiler's own, never an author's
    return namespace


def _const(value: int) -> int:
    return value


def _array(type: Type, size: int) -> Any:
    """Memory for numbers of a type, in whole words of 64 bits, since it may be viewed as another type. Of a large array
    only the pages that are written to take memory."""
    length = max(8, -(-size * type.size // 8) * 8)
    memory = mmap(-1, length) if length > LARGE else bytearray(length)
    return memoryview(memory).cast(type.format)[:size]  # type: ignore[call-overload]


def _table(type: Type, values: tuple[Any, ...]) -> tuple[Any, ...]:
    return values


def _view(type: Type, memory: memoryview) -> memoryview:
    return memory.cast("B").cast(type.format)  # type: ignore[call-overload, no-any-return]


def _copy(target: Any, at: int, source: Any, start: int, count: int) -> None:
    target[at : at + count] = source[start : start + count]


def _equal(one: Any, at: int, other: Any, start: int, count: int) -> int:
    return int(one[at : at + count] == other[start : start + count])


def _greater_words(numbers: Any, at: int, count: int, limit: int) -> int:
    return _wrap64(sum(1 << k for k in range(count) if numbers[at + k] > limit))


def _add_words(target: Any, at: int, source: Any, first: int, rows: Any, start: int, count: int) -> None:
    for row in rows[start : start + 4]:
        for k in range(count):
            target[at + k] += source[first + row + k]


def _dense(
    target: Any, at: int, matrix: Any, first: int, source: Any, start: int, width: int, count: int, shift: int
) -> None:
    """Write the `width` numbers of a net's next layer to `target[at]` and on: each is the sum of `count` products of
    the numbers from `source[start]` on with a column of the matrix, shifted right by `shift`, but at least 0 and at
    most 32767. The matrix, from `matrix[first]` on, holds two rows side by side: `width` pairs of numbers for every two
    rows."""
    for c in range(width):
        total = sum(
            matrix[first + (r // 2 * width + c) * 2 + r % 2] * source[start + r] for r in range(count)
        )  # fmt: skip
        target[at + c] = min(max(_i32(total) >> shift, 0), 32767)


def _dot_words(one: Any, at: int, other: Any, start: int, count: int) -> int:
    return _i32(sum(map(mul, one[at : at + count], other[start : start + count])))


def _positive(numbers: Any, at: int, count: int) -> None:
    for k in range(at, at + count):
        numbers[k] = numbers[k] if numbers[k] > 0 else 0


def _swap(numbers: Any, at: int, value: int) -> int:
    """Store a value, and return the one that was there."""
    before, numbers[at] = numbers[at], value
    return int(before)


def _popcount(word: int) -> int:
    return (word & _WORD).bit_count()


def _ctz(word: int) -> int:
    return (word & -word).bit_length() - 1 if word else 64


def _clz(word: int) -> int:
    return 64 - (word & _WORD).bit_length()


def _wrap64(number: int) -> int:
    number &= _WORD
    return number - (1 << 64) if number >> 63 else number


def _i32(number: int) -> int:
    number = int(number) & 0xFFFFFFFF
    return number - (1 << 32) if number >> 31 else number


def _trap(code: int) -> None:
    raise Trap(code)


WORDS: dict[str, Any] = {  # that kernel Python knows
    "u8": Type("B", 1, int), "i16": Type("h", 2, int), "i32": Type("i", 4, _i32), "i64": Type("q", 8, int),
    "f64": Type("d", 8, float), "const": _const, "array": _array, "vast": _array, "table": _table, "view": _view,
    "copy": _copy, "positive": _positive, "add_words": _add_words, "dense": _dense, "dot_words": _dot_words,
    "equal": _equal, "above": _greater_words, "swap": _swap, "popcount": _popcount, "ctz": _ctz, "clz": _clz,
    "wrap64": _wrap64, "bit": _BITS.__getitem__, "sqrt": sqrt, "trap": _trap,
    "BIT_PLACES": BIT_PLACES,
}  # fmt: skip

"""WebAssembly's binary format: its numbers, its sections, and the instructions that kernel code needs.

Source: WebAssembly Core Specification 2.0, chapter 5; for vast memories 3.0, sections 5.3.9 and 5.4.6; for shared ones
the proposal on threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from struct import pack

HEADER = b"\0asm\1\0\0\0"
PAGE = 1 << 16  # bytes of a page of memory
TYPE, IMPORT, FUNCTION, MEMORY, EXPORT, CODE, DATA = 1, 2, 3, 5, 7, 10, 11  # sections
VALUE = {"i32": b"\x7f", "i64": b"\x7e", "f64": b"\x7c", "v128": b"\x7b", None: b"\x40"}  # types; None: no value

UNREACHABLE, BLOCK, LOOP, IF, ELSE, END = b"\x00", b"\x02", b"\x03", b"\x04", b"\x05", b"\x0b"
BRANCH, BRANCH_IF, RETURN, CALL = b"\x0c", b"\x0d", b"\x0f", b"\x10"
DROP, SELECT, GET, SET, TEE = b"\x1a", b"\x1b", b"\x20", b"\x21", b"\x22"
MEMORY_COPY, LOAD_16, STORE_16 = b"\xfc\x0a\0\0", b"\xfd\x00", b"\xfd\x0b"
VECTOR_OR, VECTOR_XOR, VECTOR_ANY = b"\xfd\x50", b"\xfd\x51", b"\xfd\x53"
SPREAD, GREATER = b"\xfd\x11", b"\xfd\x3b"  # one number in four lanes; a > b, lane by lane (i32x4)
SPREAD_LOAD, PART_4, ADD_4, SHIFT_4 = b"\xfd\x09", b"\xfd\x1b", b"\xfd\xae\1", b"\xfd\xac\1"
SHUFFLE = b"\xfd\x0d"  # bytes of two vectors
PAIRS = b"\xfd\xba\1"  # products of eight numbers of 16 bits, added in pairs of neighbours
ADD_8, GREATER_8 = b"\xfd\x8e\1", b"\xfd\x98\1"  # of two i16x8; the last gives the greater lanes
SWAP = b"\xfe\x43"  # a byte in the place of another, in one stroke
NARROW = {8: b"\xfd\x85\1", 16: b"\xfd\x65"}  # two vectors to one of so many numbers
SIGNS = {4: b"\xfd\xa4\1", 8: b"\xfd\x84\1", 16: b"\xfd\x64"}  # the signs of so many numbers, as bits

LOAD = {"u8": b"\x2d", "i16": b"\x2e", "i32": b"\x28", "i64": b"\x29", "f64": b"\x2b"}  # by the type of an array
STORE = {"u8": b"\x3a", "i16": b"\x3b", "i32": b"\x36", "i64": b"\x37", "f64": b"\x39"}

_NAMES = {
    "i32": (0x45, "eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"),
    "i64": (0x50, "eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"),
    "f64": (0x61, "eq ne lt_s gt_s le_s ge_s"),
}
_ARITHMETIC = {
    "i32": (0x67, "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u"),
    "i64": (0x79, "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u"),
    "f64": (0x99, "abs neg ceil floor trunc nearest sqrt add sub mul div_s"),
}
OPERATION = {
    (type, name): bytes([first + k])
    for table in (_NAMES, _ARITHMETIC)
    for type, (first, names) in table.items()
    for k, name in enumerate(names.split())
}
CONVERSION = {  # (from, to)
    ("i64", "i32"): b"\xa7", ("f64", "i32"): b"\xaa", ("i32", "i64"): b"\xac", ("f64", "i64"): b"\xb0",
    ("u32", "i64"): b"\xad", ("i32", "f64"): b"\xb7", ("i64", "f64"): b"\xb9",
}  # fmt: skip


def leb128_unsigned(number: int) -> bytes:
    """Encode a whole number from 0 up in LEB128."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def leb128_signed(number: int) -> bytes:
    """Encode a signed integer in LEB128."""
    out = bytearray()
    while not -0x40 <= number < 0x40:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number & 0x7F)
    return bytes(out)


def constant(number: int | float, type: str) -> bytes:
    """The instruction that pushes a number of a type; a whole number is taken modulo the type's size."""
    if type == "f64":
        return b"\x44" + pack("<d", number)
    bits = 32 if type == "i32" else 64
    wrapped = (int(number) + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
    return (b"\x41" if type == "i32" else b"\x42") + leb128_signed(wrapped)


def access(instruction: bytes, offset: int, vast: bool = False) -> bytes:
    """A load or a store at a constant offset, in the first memory or the vast one. No alignment is promised."""
    return instruction + (b"\x40\1" if vast else b"\0") + leb128_unsigned(offset)


def memory(size: int, vast: bool = False, shared: bool = False) -> bytes:
    """The declaration of a memory of `size` bytes that never grows. A `vast` memory has addresses of 64 bits, and may
    be shared."""
    pages = leb128_unsigned(-(-size // PAGE))
    return bytes([1 + 2 * shared + 4 * vast]) + pages + pages


def vector(items: Sequence[bytes]) -> bytes:
    return leb128_unsigned(len(items)) + b"".join(items)


def with_byte_count(content: bytes) -> bytes:
    return leb128_unsigned(len(content)) + content


def section(number: int, items: Sequence[bytes]) -> bytes:
    return bytes([number]) + with_byte_count(vector(items))


def signature(parameters: Iterable[str], result: str | None) -> bytes:
    """The encoding of a function's type."""
    return b"\x60" + vector([VALUE[p] for p in parameters]) + vector([] if result is None else [VALUE[result]])


def body(locals: Sequence[str], code: bytes) -> bytes:
    """The entry of a function in the code section; successive locals of one type are declared together."""
    runs: list[tuple[int, str]] = []
    for type in locals:
        if runs and runs[-1][1] == type:
            runs[-1] = (runs[-1][0] + 1, type)
        else:
            runs.append((1, type))
    return with_byte_count(vector([leb128_unsigned(count) + VALUE[type] for count, type in runs]) + code + END)

"""The body of a function while it is written: pieces of code, the names in scope, locals and open blocks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from gdl.compiler.emit import encoding as wasm

I32 = 1 << 31


class Code(NamedTuple):
    """WebAssembly code that leaves one number of this type on the stack."""

    code: bytes
    type: str
    known: int | None = None  # the number, where it is a constant


@dataclass
class EmitScope:
    """The names of a function while its code is written, also where it is written into another in place of a call."""

    result: str | None
    leave: int | None = None  # the block that `return` leaves; None: the function itself
    name: str = ""  # of the function; `file` is the kernel file it comes from
    file: str = ""
    names: dict[str, int] = field(default_factory=dict)
    loops: list[tuple[int, int]] = field(default_factory=list)  # for each open loop the labels of `break`, `continue`


def literal(number: int | float, type: str | None = None) -> Code:
    """The code of a constant; without a type, a whole number is an i32 if it fits, else an i64."""
    if isinstance(number, float):
        return Code(wasm.constant(number, "f64"), "f64")
    type = type or ("i32" if -I32 <= number < I32 else "i64")
    return Code(wasm.constant(number, type), type, number)


class Body:
    """The locals and open blocks of the function that is being written."""

    def __init__(self) -> None:
        self.locals: list[str] = []  # their types
        self.depth = 0  # the number of open blocks
        self.scope = EmitScope(None)

    def fresh(self, type: str) -> int:
        """The number of a new local."""
        self.locals.append(type)
        return len(self.locals) - 1

    @contextmanager
    def open_block(self) -> Iterator[int]:
        """Within the block, a block of WebAssembly is open; yields its label."""
        self.depth += 1
        try:
            yield self.depth
        finally:
            self.depth -= 1

    def jump(self, label: int, instruction: bytes = wasm.BRANCH) -> bytes:
        return instruction + wasm.leb128_unsigned(self.depth - label)

"""The layout of a module's memory: the place of each array, and the bytes that it holds at the start."""

from __future__ import annotations

from dataclasses import dataclass, field
from struct import pack

from gdl.compiler.ir.nodes import SIZE
from gdl.compiler.ir.reader import Read

FORMAT = {"u8": "B", "i16": "h", "i32": "i", "i64": "q", "f64": "d"}  # letters of Python's struct and memoryview
ALIGNMENT = 16
TRAP_CODE = 0  # the address at which a trap stores its code
FIRST_BYTE = 16  # the address of the first array


@dataclass(frozen=True)
class MemoryPlace:
    """The place of an array or table in memory: its type, its offset in bytes, and its number of elements."""

    type: str
    offset: int
    count: int
    vast: bool = False  # in the memory with addresses of 64 bits


@dataclass
class Memory:
    """The layout of a module's memory."""

    places: dict[str, MemoryPlace] = field(default_factory=dict)
    data: list[tuple[int, bytes]] = field(default_factory=list)  # the content of memory at the start: (offset, bytes)
    size: int = FIRST_BYTE  # bytes
    vast: int = 0  # bytes of the memory with addresses of 64 bits


def lay_out_memory(module: Read) -> Memory:
    """Lay out the arrays of a module one behind the other, each at a multiple of ALIGNMENT bytes; vast ones in a memory
    of their own."""
    memory = Memory()
    for name, array in module.arrays.items():
        assert array.count is not None
        if name in module.views:
            memory.places[name] = MemoryPlace(array.type, memory.places[module.views[name]].offset, array.count)
        elif array.vast:
            memory.places[name] = MemoryPlace(array.type, memory.vast, array.count, vast=True)
            memory.vast += array.count * SIZE[array.type]
        else:
            place = memory.places[name] = MemoryPlace(array.type, memory.size, array.count)
            values = module.tables.get(name, ())
            if any(values):
                memory.data.append((place.offset, pack(f"<{array.count}{FORMAT[array.type]}", *values)))
            memory.size += -(-array.count * SIZE[array.type] // ALIGNMENT) * ALIGNMENT
    return memory

"""A module of kernel code: what it declares, and its functions, by name and in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gdl.compiler.ir import nodes as ir

# The number of the k-th set bit of a byte stands at 8 * byte + k: a table for games that find members of sets.
BIT_PLACES = tuple(([b for b in range(8) if byte >> b & 1] + [0] * 8)[k] for byte in range(256) for k in range(8))

DECLARED = ("constants", "arrays", "tables", "views", "functions")  # the fields of a Module with its declarations


@dataclass
class Module:
    """A module of kernel code, or a part that is joined with others: constants, memory and functions."""

    constants: dict[str, int | float] = field(default_factory=dict)
    arrays: dict[str, ir.Array] = field(default_factory=dict)
    tables: dict[str, Sequence[int]] = field(default_factory=dict)  # their numbers; each is in `arrays` too
    views: dict[str, str] = field(default_factory=dict)  # name of a view -> the array whose memory it is
    functions: dict[str, ir.Function] = field(default_factory=dict)
    settled: bool = True  # whether names in functions have their types; a part may get them when it is joined
    title: str = ""  # a comment at the top
    notes: dict[str, str] = field(default_factory=dict)  # comments behind arrays, by name

    def array(self, name: str, type: str, count: int, note: str = "", vast: bool = False) -> None:
        """Declare an array of `count` elements of a type; `vast`: in the memory with addresses of 64 bits."""
        self.arrays[name] = ir.Array(name, type, count, vast)
        if note:
            self.notes[name] = note

    def table(self, name: str, type: str, values: Sequence[int]) -> None:
        """Declare a table of constants; an empty one gets a single 0."""
        self.tables[name] = values = values or (0,)
        self.arrays[name] = ir.Array(name, type, len(values))

    def view(self, name: str, type: str, seen: str) -> None:
        """Declare a view: the memory of the array `seen`, read as elements of another type."""
        array = self.arrays[seen]
        assert array.count is not None
        self.views[name] = seen
        self.arrays[name] = ir.Array(name, type, array.count * ir.SIZE[array.type] // ir.SIZE[type])

    @property
    def names(self) -> list[str]:
        """The names of all constants, arrays and functions."""
        return [*self.constants, *self.arrays, *self.functions]

    def declares(self, name: str) -> bool:
        """True if a constant, array or function has this name."""
        return name in self.functions or name in self.arrays or name in self.constants

    def add(self, other: Module) -> None:
        """Take in all declarations of another module."""
        for kind in (*DECLARED, "notes"):
            getattr(self, kind).update(getattr(other, kind))

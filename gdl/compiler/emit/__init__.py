"""Kernel Python -> a WebAssembly module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gdl.compiler.emit import encoding as wasm
from gdl.compiler.emit.source import Function, Place, Source, reachable, read
from gdl.compiler.emit.statements import FunctionWriter
from gdl.compiler.joining import Code

INLINED_NODES = 60  # nodes of a function that is written in place of each call
INLINED_ONCE_NODES = 1000  # nodes of one that is called at one place only


@dataclass(frozen=True)
class Emitted:
    """A WebAssembly module, and what lies where in its memory."""

    binary: bytes
    constants: dict[str, int | float]
    places: dict[str, Place]
    size: int  # bytes of memory
    vast: int  # bytes of the memory with addresses of 64 bits


def emit(source: Code, entries: Sequence[str] | None = None) -> Emitted:
    """Translate a module.

    1. Read what it declares; memory is laid out there, and tables are its content at the start.
    2. Leave out the functions that the entries do not lead to (all are entries if none are given).
    3. Functions that are small, or called at one place, are written in place of their calls.
    4. Write the functions, and join the sections. The entries and the memory are exported by name.
    """
    module = read(source)
    wanted = list(module.functions) if entries is None else list(entries)
    names = reachable(module, wanted)
    inlined = _inlined(module, names)
    kept = [name for name in names if name in wanted or name not in inlined]
    numbers = {name: number for number, name in enumerate(kept)}
    functions = [module.functions[name] for name in kept]
    memories = [wasm.memory(module.size)]
    exports = [_named("memory") + b"\2\0"]
    if module.vast:
        memories.append(wasm.memory(module.vast, vast=True))
        exports.append(_named("vast") + b"\2\1")
    exports += [_named(name) + b"\0" + wasm.unsigned(numbers[name]) for name in wanted]
    sections = [
        wasm.section(wasm.TYPE, [_signature(function) for function in functions]),
        wasm.section(wasm.FUNCTION, [wasm.unsigned(number) for number in range(len(functions))]),
        wasm.section(wasm.MEMORY, memories),
        wasm.section(wasm.EXPORT, exports),
        wasm.section(wasm.CODE, [FunctionWriter(module, numbers, inlined).function(f) for f in functions]),
        wasm.section(wasm.DATA, [_data(offset, content) for offset, content in module.data]),
    ]
    return Emitted(wasm.HEADER + b"".join(sections), module.constants, module.places, module.size, module.vast)


def _inlined(module: Source, names: list[str]) -> frozenset[str]:
    calls = Counter(call for name in names for call in module.functions[name].calls)
    sizes = {name: module.functions[name].size for name in names}
    small = [
        name
        for name in names
        if sizes[name] <= INLINED_NODES or (calls[name] == 1 and sizes[name] <= INLINED_ONCE_NODES)
    ]
    return frozenset(name for name in small if not _calls_itself(module, name))


def _calls_itself(module: Source, name: str) -> bool:
    """Whether a function calls itself, perhaps through others."""
    calls = module.functions[name].calls
    return bool(calls) and name in reachable(module, calls)


def _signature(function: Function) -> bytes:
    return wasm.signature([type for _, type in function.parameters], function.result)


def _named(name: str) -> bytes:
    return wasm.sized(name.encode())


def _data(offset: int, content: bytes) -> bytes:
    return b"\0" + wasm.constant(offset, "i32") + wasm.END + wasm.sized(content)

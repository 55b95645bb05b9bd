"""Kernel code -> a WebAssembly module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gdl.compiler.emit import encoding as wasm
from gdl.compiler.emit.emit_expressions import EmitContext
from gdl.compiler.emit.emit_statements import FunctionWriter
from gdl.compiler.emit.memory_layout import MemoryPlace, lay_out_memory
from gdl.compiler.ir import walks
from gdl.compiler.ir.reader import Read, read
from gdl.compiler.joining import Code
from gdl.compiler.passes import CODE_PASSES, run_passes
from gdl.states.components import reached_from

INLINED = 25  # a function of at most so many nodes is written in place of each call
INLINED_ONCE = 450  # the same for a function that is called at one place only


@dataclass(frozen=True)
class Emitted:
    """A WebAssembly module, and the places of arrays in its memory."""

    binary: bytes
    constants: dict[str, int | float]
    places: dict[str, MemoryPlace]
    size: int  # bytes of memory
    vast: int  # bytes of the memory with addresses of 64 bits


def emit(code: Code, entries: Sequence[str] | None = None, shared: bool = False) -> Emitted:
    """Translate a module. With `shared` its memories are imported, and the vast one is shared by several instances.

    1. Read what it declares, and lay out its memory; tables are its content at the start.
    2. Leave out the functions that the entries do not lead to (all are entries if none are given).
    3. Functions that are small, or called at one place, are written in place of their calls.
    4. Run the passes over functions.
    5. Write the functions, and join the sections. The entries and the memory are exported by name.
    """
    module = read(code)
    memory = lay_out_memory(module)
    wanted = list(module.functions) if entries is None else list(entries)
    called = _reachable_functions(module, wanted)
    names = [name for name in module.functions if name in called]
    inlined = _functions_to_inline(module, called)
    for name in names:
        module.functions[name] = run_passes(CODE_PASSES, module.function(name))
    kept = [name for name in names if name in wanted or name not in inlined]
    numbers = {name: number for number, name in enumerate(kept)}
    functions = [module.function(name) for name in kept]
    known = EmitContext(module, memory, numbers, inlined)
    memories = {"memory": wasm.memory(memory.size)}
    if memory.vast:
        memories["vast"] = wasm.memory(memory.vast, vast=True, shared=shared)
    imports = [_encode_name("gdl") + _encode_name(name) + b"\2" + limits for name, limits in memories.items() if shared]
    exports = [_encode_name(name) + b"\2" + wasm.leb128_unsigned(number) for number, name in enumerate(memories)]
    exports += [_encode_name(name) + b"\0" + wasm.leb128_unsigned(numbers[name]) for name in wanted]
    sections = [
        wasm.section(wasm.TYPE, [wasm.signature([type for _, type in f.parameters], f.result) for f in functions]),
        *([wasm.section(wasm.IMPORT, imports)] if shared else []),
        wasm.section(wasm.FUNCTION, [wasm.leb128_unsigned(number) for number in range(len(functions))]),
        *([] if shared else [wasm.section(wasm.MEMORY, list(memories.values()))]),
        wasm.section(wasm.EXPORT, exports),
        wasm.section(wasm.CODE, [FunctionWriter(known).function(function) for function in functions]),
        wasm.section(wasm.DATA, [_data(offset, content) for offset, content in memory.data]),
    ]
    return Emitted(wasm.HEADER + b"".join(sections), module.constants, memory.places, memory.size, memory.vast)


def _reachable_functions(module: Read, entries: Sequence[str]) -> dict[str, list[str]]:
    """The functions that the entries can call, directly or not, and the entries themselves: for each, the functions of
    the module that it calls, one entry for each call."""
    found: dict[str, list[str]] = {}
    work = list(entries)
    while work:
        name = work.pop()
        if name not in found:
            found[name] = [called for called in walks.calls(module.function(name).body) if called in module.functions]
            work += found[name]
    return found


def _functions_to_inline(module: Read, called: dict[str, list[str]]) -> frozenset[str]:
    places = Counter(name for names in called.values() for name in names)
    sizes = {name: walks.size(module.function(name).body) for name in called}
    small = [name for name in called if sizes[name] <= INLINED or (places[name] == 1 and sizes[name] <= INLINED_ONCE)]
    return frozenset(name for name in small if not _calls_itself(name, called))


def _calls_itself(name: str, called: dict[str, list[str]]) -> bool:
    """True if a function calls itself, perhaps through others."""
    return name in reached_from(called[name], called.__getitem__)


def _encode_name(name: str) -> bytes:
    return wasm.with_byte_count(name.encode())


def _data(offset: int, content: bytes) -> bytes:
    return b"\0" + wasm.constant(offset, "i32") + wasm.END + wasm.with_byte_count(content)

"""Memory that several instances of wasmtime share, which its Python package does not do right.

The package makes such a memory, but passes it to an instance as the wrong kind of object. So that is done here, with
names of the package's bindings, which are not promised to stay; it is tried out before it is used.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from gdl.compiler import epochs

# A module that imports such a memory, and has a function f that writes 1 to its first word, and returns the old word.
_SWAPPING = (
    b"\0asm\1\0\0\0\1\5\1\x60\0\1\x7f\2\x09\1\1m\1v\2\7\1\1\3\2\1\0\7\5\1\1f\0\0"
    b"\x0a\x0c\1\x0a\0\x42\0\x41\1\xfe\x43\0\0\x0b"
)


def enable_sharing(config: Any) -> Any:
    """The configuration of an engine, changed so that its modules can share memory."""
    config.wasm_threads = config.wasm_memory64 = config.shared_memory = True
    return config


def memory(engine: Any, type: Any) -> Any:
    """A memory of this type, which several instances of an engine's modules may share."""
    import wasmtime
    from wasmtime import _ffi as bindings

    class SharedWasmMemory(wasmtime.SharedMemory):
        def _as_extern(self) -> Any:
            union = bindings.wasmtime_extern_union(sharedmemory=self.ptr())
            return bindings.wasmtime_extern_t(bindings.WASMTIME_EXTERN_SHAREDMEMORY, union)

    return SharedWasmMemory(engine, type)


def memory_bytes(memory: Any) -> Any:
    """The bytes of a memory, which stays alive as long as the returned object."""
    place = ctypes.cast(memory.data_ptr(), ctypes.c_void_p).value or 0
    found: Any = (ctypes.c_ubyte * memory.data_len()).from_address(place)
    found.memory = memory
    return found


@cache
def can_share_memory() -> bool:
    """True if two instances can share memory here. It is tried out: what one writes, the other reads. (Two threads then
    run code of one engine, which Ctrl-C can stop by epochs only.)"""
    import wasmtime

    if not epochs.can_interrupt():
        return False
    try:
        engine = wasmtime.Engine(enable_sharing(epochs.configuration()))
        module = wasmtime.Module(engine, _SWAPPING)
        shared = memory(engine, module.imports[0].type)
        found = []
        for _ in range(2):
            store = wasmtime.Store(engine)
            function: Any = wasmtime.Instance(store, module, [shared]).exports(store)["f"]
            found.append(function(store))
        return found == [0, 1] and memory_bytes(shared)[0] == 1
    except Exception:
        return False

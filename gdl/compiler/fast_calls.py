"""Calls of kernel code that cost little more than Python's own: for programs that step a game.

The package's way to call a function looks up its type and makes objects for arguments and results, some thousands of
instructions. The C API has a function that takes numbers as they are (`wasmtime_func_call_unchecked`); of the package
only the module with the bindings, which is not promised to stay, gives access to it. So where it is not as expected,
the package's way is taken. While such a call runs, Ctrl-C waits: it is for code that takes less than a millisecond.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from gdl.compiler.fault import fault_of
from gdl.compiler.python import Trap
from gdl.errors import EngineFault


def fast_call(store: Any, function: Any, slow: Callable[..., Any], trap_code: Any) -> Callable[[int], int]:
    """A function that calls kernel code with a number of 64 bits, and returns one. `slow` does the same by the
    package's way; `trap_code` is the place where kernel code says which fault it has met."""
    try:
        return _make_unchecked_call(store, function, trap_code)
    except Exception:  # whatever the package has changed
        return slow


def _make_unchecked_call(store: Any, function: Any, trap_code: Any) -> Callable[[int], int]:
    import wasmtime
    from wasmtime import _bindings as bindings

    raw = (bindings.wasmtime_val_raw_t * 1)()
    numbers = memoryview(raw).cast("B").cast("q")
    trap = ctypes.c_void_p()
    # Without declared types, with arguments made beforehand (each a word as wide as a pointer), and with no other
    # thread let in for so short a time, ctypes has the least to do.
    invoke = ctypes.PYFUNCTYPE(ctypes.c_void_p)(_address(bindings._wasmtime_func_call_unchecked))
    word = ctypes.c_void_p.from_param
    context, place = word(_address(store._context())), word(ctypes.addressof(function._func))
    values, one, told = word(ctypes.addressof(raw)), word(1), word(ctypes.addressof(trap))
    trap_code[0] = -1

    def call(number: int = 0) -> int:
        numbers[0] = number
        if invoke(context, place, values, one, told) or trap.value:
            raise failure()
        return numbers[0]

    def failure() -> Exception:
        """The exception for a call that has failed."""
        code, trap_code[0] = trap_code[0], -1
        if not trap.value:  # an error of the engine itself
            return EngineFault("the compiled engine fails on a call of kernel code")
        error = wasmtime.Trap._from_ptr(ctypes.cast(trap.value, ctypes.POINTER(bindings.wasm_trap_t)))  # it is freed
        trap.value = None
        return Trap(code) if code >= 0 else fault_of("kernel code", error)

    call.kept = store, function, raw, trap  # type: ignore[attr-defined]  # as long as it can be called
    return call


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0

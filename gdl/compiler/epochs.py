"""A function of wasmtime that its Python package does not publish: it sets a callback for the end of an epoch.

The C API has it (`wasmtime_store_epoch_deadline_callback`), and documents it; of the package only the module with the
bindings, which is not promised to stay, gives access to it. So it is tried out before it is used.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from typing import Any

_FIRST_PROCESS = os.getpid()
_EMPTY = b"\0asm\1\0\0\0\1\4\1\x60\0\0\3\2\1\0\7\5\1\1f\0\0\x0a\4\1\2\0\x0b"  # a module with a function f that returns


def configuration() -> Any:
    """The configuration of a wasmtime engine. In a forked process, modules are compiled in one thread: the package's
    helping threads do not exist there, and it would wait for them for ever."""
    import wasmtime

    config = wasmtime.Config()
    config.parallel_compilation = os.getpid() == _FIRST_PROCESS
    return config


def install_epoch_callback(store: Any, goes_on: Callable[[], bool]) -> object:
    """Make code of the store call `goes_on` at the end of every epoch; if the result is False the code stops with an
    error.

    The returned object must be kept as long as the store. Raises any exception if the package differs from the one that
    this was written for.
    """
    from wasmtime import _bindings as bindings

    function = bindings._wasmtime_store_epoch_deadline_callback
    _, asks, _, forgets = function.argtypes

    def at_end(context: Any, data: Any, further: Any, kind: Any) -> int:
        further[0] = 1  # epochs until it asks again
        if goes_on():
            return 0
        return ctypes.cast(bindings.wasmtime_error_new(b"interrupted"), ctypes.c_void_p).value or 0

    callback: object = asks(at_end)
    store.set_epoch_deadline(1)
    function(store.ptr(), callback, None, forgets(0))
    return callback


@cache
def can_interrupt() -> bool:
    """True if code can be interrupted in that way on this machine. It is tried out: code asks as it begins, may go on
    once, and is stopped once."""
    import wasmtime

    answers = [False, True]
    try:
        config = configuration()
        config.epoch_interruption = True
        engine = wasmtime.Engine(config)
        store = wasmtime.Store(engine)
        callback = install_epoch_callback(store, answers.pop)
        function: Any = wasmtime.Instance(store, wasmtime.Module(engine, _EMPTY), []).exports(store)["f"]
        engine.increment_epoch()
        function(store)
        engine.increment_epoch()
    except Exception:
        return False
    try:
        function(store)
    except wasmtime.WasmtimeError:
        return callback is not None and not answers
    return False

"""A function of wasmtime that its Python package does not publish: one that is asked at the end of an epoch.

The C API has it (`wasmtime_store_epoch_deadline_callback`), and says what it does; of the package only the module with
the bindings, which is not promised to stay, calls it. So it is tried before it is relied upon.
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
    """The configuration of an engine. A process that was forked compiles by itself: the threads of the package that
    would help are not there, and it would wait for them for ever."""
    import wasmtime

    config = wasmtime.Config()
    config.parallel_compilation = os.getpid() == _FIRST_PROCESS
    return config


def install_epoch_callback(store: Any, goes_on: Callable[[], bool]) -> object:
    """From now on code of the store asks at the end of every epoch whether it goes on; else it stops with an error.

    What is returned must be kept as long as the store. Raises whatever comes of it where the package is another than
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
    """True if that works on this machine. It is tried: code asks as it begins, is let continue once, and stopped
    once."""
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

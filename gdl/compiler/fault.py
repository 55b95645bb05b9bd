"""Errors of the compiler itself, turned into an EngineFault, after which callers can go on without the engine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from gdl.compiler.python import Trap
from gdl.errors import DamagedData, EngineFault, EngineOutOfMemory, GameError, LimitReached, Refusal, clean

MEANT = (GameError, Refusal, LimitReached, DamagedData, EngineFault, Trap)  # that need no other words
_NO_MEMORY = re.compile(  # messages of Unix, Windows and wasmtime itself
    r"[Cc]annot allocate memory|os error (12|8|14|1455)\b|out of memory|mmap failed to reserve"
)


@contextmanager
def engine_faults(game: str) -> Iterator[None]:
    """Turn exceptions of the compiler or an engine, within the block, into EngineFault, chained to its cause; `game` is
    the name of the game. Exceptions that report faults of rules, limits or refusals pass."""
    try:
        yield
    except MEANT:
        raise
    except Exception as error:
        raise fault_of(game, error) from error


def fault_of(what: str, error: Exception) -> EngineFault:
    """An EngineFault that says that the engine fails on `what`, with the last line of the error's text, which is its
    cause; EngineOutOfMemory if memory is short."""
    told = str(error).partition("\n\nStack backtrace:")[0]  # of wasmtime's own calls, as some releases have it
    cause = told.strip().rpartition("\n")[2].strip()
    words = f"{type(error).__name__}: {cause}" if cause else type(error).__name__
    if isinstance(error, RecursionError):
        words = "an expression is too long or too deeply nested; name parts of it with 'define'"
    if isinstance(error, MemoryError) or _NO_MEMORY.search(told):
        return EngineOutOfMemory(
            f"there is too little memory or address space for the compiled engine ({clean(words)})"
        )
    return EngineFault(f"the compiled engine fails on {clean(what)} ({clean(words)})")

"""Kernel Python as WebAssembly, run by the wasmtime wheel: the same functions and memory as `gdl.compiler.python`.

A fault traps. Memory has a fixed size, so nothing grows, and an access outside of it traps. A module may have a second
(vast) memory, beyond the 4 GiB of the first; of both only the pages that are written to take real memory. While a
function runs, Ctrl-C is answered (`interrupts`), however long it takes.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any

from gdl.compiler import sharing
from gdl.compiler.epochs import configuration
from gdl.compiler.fault import fault_of
from gdl.compiler.interrupts import TICK, Stop
from gdl.compiler.joining import Code
from gdl.compiler.python import Trap
from gdl.errors import EngineFault, Refusal, clean, pip_install, size_text
from gdl.errors.deadline import check_deadline

if TYPE_CHECKING:
    from gdl.compiler.emit import Emitted

ADDRESSES = (1 << 32) - (1 << 16)  # bytes of a module's first memory, at most
MEMORY = 1 << 30  # and at most if no other limit is given
STACK = 1 << 19  # bytes; kernel code has no recursion
# Further entries of a loaded module, under names that are no names of kernel Python:
SWIFT = "swift function"  # name -> the function for fast calls (_Runtime.fast_function)
TWIN = "twin"  # makes another instance of the module, with the same content in its first memory
SAME = "same"  # of a twin: copies the content of the first memory of the original once more
BYTES = "bytes"  # the size of the first memory
PAGE = 1 << 14  # bytes that are copied at once from an instance to its twin
LARGE = 1 << 17  # bytes of a module whose compilation takes some tenths of a second


def available() -> bool:
    """True if wasmtime is installed and runs on this machine. It is imported for that, which takes a while: ask only
    where it is about to be used."""
    return not missing()


@cache
def missing() -> str:
    """A sentence that says why wasmtime cannot be used, and what would help; "" if it can."""
    try:
        import wasmtime  # noqa: F401
    except ModuleNotFoundError:
        return f"wasmtime is missing: {pip_install('wasmtime')}"
    except (ImportError, OSError, RuntimeError) as error:  # the package has nothing for this machine
        return f"wasmtime does not run on this machine: {clean(str(error))}"
    return ""


def load(
    source: Code, entries: Sequence[str] | None = None, memory: int = MEMORY, shared: bool = False
) -> dict[str, Any]:
    """The functions and the memory of a kernel module, by name; only the functions `entries`, if those are given.

    `memory`: the most bytes of the first memory. Twins (TWIN) share the vast memory if `shared`, which needs
    `sharing.can_share_memory()`; else that of a twin begins empty. Raises Refusal where wasmtime is missing, or the
    module needs too much memory.
    """
    if not available():
        raise Refusal(f"there is no engine 'wasm' here: {missing()}")
    from gdl.compiler.emit import emit

    emitted = emit(source, entries, shared)
    if emitted.size > memory:
        raise Refusal(f"the compiled engine would need {size_text(emitted.size)} for the game's tables")
    return _instance_names(_Runtime(emitted.binary, emitted.vast > 0, shared), emitted)


def _instance_names(runtime: _Runtime, emitted: Emitted) -> dict[str, Any]:
    """The names of an instance, with their objects: constants, arrays, functions and the further entries of this
    file."""
    from gdl.compiler.emit.memory_layout import FORMAT
    from gdl.compiler.ir.nodes import SIZE

    loaded: dict[str, Any] = dict(emitted.constants)
    for name, place in emitted.places.items():
        memory_of = runtime.vast if place.vast else runtime.memory
        part = memory_of[place.offset : place.offset + place.count * SIZE[place.type]]
        loaded[name] = part.cast(FORMAT[place.type])  # type: ignore[call-overload]
    loaded.update({name: runtime.function(name) for name in runtime.names})
    loaded[SWIFT], loaded[SAME], loaded[BYTES] = cache(runtime.fast_function), runtime.begin_as, emitted.size
    loaded[TWIN] = lambda: _instance_names(runtime.twin(), emitted)
    return loaded


class _Runtime:
    """One instance of a module."""

    def __init__(self, binary: bytes, vast: bool, shared: bool = False):
        """`vast`: the module has a second memory, with addresses of 64 bits; `shared`: it is shared with twins, further
        instances of the same module."""
        import wasmtime

        self._wasmtime, self._vast, self.shares = wasmtime, vast, shared
        self._like: _Runtime | None = None  # the instance whose twin this one is
        self._shared: Any = None  # the second memory, if it is shared
        try:
            config = configuration()
            config.memory_guard_size = 1 << 32  # nothing else is so near behind memory: no access needs to be checked
            self._make(binary, config)
        except wasmtime.WasmtimeError:
            config = configuration()  # address space may be short: then bounds are checked by code
            config.memory_reservation = config.memory_guard_size = config.memory_reservation_for_growth = 0
            self._make(binary, config)

    def twin(self) -> _Runtime:
        """Another instance of the module, with the same content in its first memory."""
        other = copy(self)
        other._like = self
        other._instantiate()
        other.begin_as()
        return other

    def begin_as(self) -> None:
        """Copy the first memory of the instance whose twin this one is, if it is one. Pages that neither has written to
        take no real memory."""
        memory = self._like.memory if self._like else self.memory[:0]
        for at in range(0, len(memory), PAGE):
            content = bytes(memory[at : at + PAGE])
            if content != bytes(self.memory[at : at + PAGE]):
                self.memory[at : at + PAGE] = content

    def _make(self, binary: bytes, config: Any) -> None:
        config.epoch_interruption = True
        config.max_wasm_stack = STACK
        self._engine = self._wasmtime.Engine(sharing.enable_sharing(config) if self.shares else config)
        self._module = self._compile_module(binary)
        if self.shares:
            self._shared = sharing.memory(self._engine, self._module.imports[1].type)
        self._instantiate()

    def _instantiate(self) -> None:
        from gdl.compiler.emit.memory_layout import TRAP_CODE

        wasmtime = self._wasmtime
        self._store = wasmtime.Store(self._engine)
        self._store.set_epoch_deadline(1)  # a vast memory is filled as the instance is made: nothing ends that
        own = [wasmtime.Memory(self._store, self._module.imports[0].type), self._shared] if self._shared else []
        self._exports = wasmtime.Instance(self._store, self._module, own).exports(self._store)
        self.names = [export.name for export in self._module.exports if export.name not in ("memory", "vast")]
        self.memory = self._view_memory("memory")
        self.vast = self._view_memory("vast") if self._vast else self.memory
        self._trap_code = self.memory[TRAP_CODE : TRAP_CODE + 4].cast("i")
        self._stop = Stop(self._engine, self._store)

    def _view_memory(self, name: str) -> memoryview:
        """A memory of the module, "memory" or "vast", which stays alive as long as the returned view."""
        if name == "vast" and self._shared:
            return memoryview(sharing.memory_bytes(self._shared)).cast("B")
        memory = self._exports[name]
        assert isinstance(memory, self._wasmtime.Memory)
        seen: Any = memory.get_buffer_ptr(self._store)
        seen.store = self._store
        return memoryview(seen).cast("B")

    def _compile_module(self, binary: bytes) -> Any:
        """The compiled module. A large one is compiled in a thread of its own, so that Ctrl-C is answered, and a
        limit of time kept, meanwhile."""
        if len(binary) < LARGE:
            return self._wasmtime.Module(self._engine, binary)
        from concurrent.futures import Future

        module: Future[Any] = Future()

        def work() -> None:
            try:
                module.set_result(self._wasmtime.Module(self._engine, binary))
            except BaseException as fault:
                module.set_exception(fault)

        threading.Thread(target=work, name="gdl compiling", daemon=True).start()
        while True:
            with suppress(TimeoutError):
                return module.result(TICK)
            check_deadline()

    def function(self, name: str) -> Callable[..., Any]:
        """An exported function as a Python callable. It raises Trap for a fault of the rules, EngineFault for a bug of
        the engine."""
        exported, store, wasmtime = self._exports[name], self._store, self._wasmtime
        assert isinstance(exported, wasmtime.Func)

        def call(*arguments: Any) -> Any:
            self._trap_code[0] = -1
            try:
                with self._stop:
                    return self._stop.run(exported, store, *arguments)
            except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
                if self._trap_code[0] < 0:
                    raise fault_of("kernel code", error) from error
                raise Trap(self._trap_code[0]) from None

        return call

    def fast_function(self, name: str) -> Callable[[int], int]:
        """An exported function for many short calls, which takes a number of 64 bits and returns one. The package's
        checks at each call are made here, once. Ctrl-C waits until a call is over."""
        exported = self._exports[name]
        assert isinstance(exported, self._wasmtime.Func)
        try:
            return _make_unchecked_call(self._store, exported, self._trap_code)
        except Exception:  # whatever the package has changed
            return self.function(name)


# Calls of kernel code that cost little more than Python's own: for programs that step a game.
#
# The package's way to call a function looks up its type and makes objects for arguments and results, some thousands of
# instructions. The C API has a function that takes numbers as they are (`wasmtime_func_call_unchecked`); of the package
# only the module with the bindings, which is not promised to stay, gives access to it. So where it is not as expected,
# the package's way is taken. While such a call runs, Ctrl-C waits: it is for code that takes less than a millisecond.


def _make_unchecked_call(store: Any, function: Any, trap_code: Any) -> Callable[[int], int]:
    """A function that calls kernel code with a number of 64 bits, and returns one. `trap_code` is the place where
    kernel code says which fault it has met."""
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

"""Kernel Python as WebAssembly, run by the wasmtime wheel: the same functions and memory as `gdl.compiler.python`.

A fault traps. Memory has a fixed size, so nothing grows, and an access outside of it traps. A module may have a second
(vast) memory, beyond the 4 GiB of the first; of both only the pages that are written to take real memory. While a
function runs, Ctrl-C is answered (`interrupts`), however long it takes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any

from gdl.compiler import sharing
from gdl.compiler.epochs import configuration
from gdl.compiler.fault import fault_of
from gdl.compiler.interrupts import Stop
from gdl.compiler.joining import Code
from gdl.compiler.python import Trap
from gdl.errors import Refusal, clean, count_text, pip_install

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
        raise Refusal(f"the compiled engine would need {count_text(emitted.size >> 20, 'MiB')} for the game's tables")
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
    loaded[SWIFT], loaded[SAME], loaded[BYTES] = runtime.fast_function, runtime.begin_as, emitted.size
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
        """Copy the first memory of the instance whose twin this one is, if it is one."""
        if self._like:
            self.memory[:] = self._like.memory

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
        """The compiled module. A large one is compiled in a thread of its own, so that Ctrl-C is answered meanwhile."""
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
        return module.result()

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
        from gdl.compiler.fast_calls import fast_call

        exported = self._exports[name]
        assert isinstance(exported, self._wasmtime.Func)
        return fast_call(self._store, exported, self.function(name), self._trap_code)

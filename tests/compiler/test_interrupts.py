"""Ctrl-C while WebAssembly runs, whichever way wasmtime allows it; and engines that are freed while the alarm rings."""

from __future__ import annotations

import _thread
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from patience import crowd

import gdl
from gdl.commands.limiting import Limits
from gdl.compiler import epochs, interrupts, wasm
from gdl.compiler.searches.playouts_driver import Playing
from gdl.compiler.searches.threads import run_together
from gdl.errors import Interrupted, LimitReached

wasmtime = pytest.importorskip("wasmtime")

SPIN = """
n = array(i32, 2)
def spin() -> None:
    while n[0] < 1:
        n[0] = 0
def wait() -> i32:
    while n[0] < 1:
        n[1] = n[1] + 1
    return n[1]
def count(last: i32) -> i32:
    n[1] = 0
    for k in range(last):
        n[1] = n[1] + k % 3
    return n[1]
"""
COMMANDS = 2_000
WORKERS = 4 * (os.cpu_count() or 1)  # more than there are processors


@pytest.fixture(params=["asked", "beside"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How Python comes to look: the code asks it, or it waits beside."""
    monkeypatch.setattr(epochs, "can_interrupt", lambda: request.param == "asked")
    return str(request.param)


def press_soon() -> None:
    """Ctrl-C after a little while."""

    def press() -> None:
        time.sleep(0.3)
        _thread.interrupt_main()

    threading.Thread(target=press).start()


def test_this_wasmtime_can_be_asked():
    """Where a new release cannot, look at `gdl/compiler/epochs.py`: Ctrl-C is answered all the same."""
    assert epochs.can_interrupt()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # what is raised in a callback
@pytest.mark.parametrize("missing", ["everything", "wasmtime_error_new", "another signature"])
def test_it_is_noticed_that_it_cannot_be_asked(missing: str, monkeypatch: pytest.MonkeyPatch):
    bindings = wasmtime._bindings
    if missing == "everything":
        monkeypatch.setattr(wasmtime, "_bindings", SimpleNamespace())
    elif missing == "another signature":
        monkeypatch.setattr(bindings._wasmtime_store_epoch_deadline_callback, "argtypes", [])
    else:
        monkeypatch.delattr(bindings, missing)
    epochs.can_interrupt.cache_clear()
    assert not epochs.can_interrupt()
    epochs.can_interrupt.cache_clear()


def test_code_that_does_not_end_is_stopped(way: str):
    module = wasm.load(SPIN)
    press_soon()
    with pytest.raises(KeyboardInterrupt):
        module["spin"]()
    assert module["count"](10) == 9  # and the module goes on


def test_code_that_ends_soon_is_left_to_its_end(way: str, monkeypatch: pytest.MonkeyPatch):
    """Ctrl-C waits for it, and what it has counted is there."""
    ask, asked = interrupts._Press.goes_on, list[bool]()

    def pressed(stop: interrupts._Press) -> bool:
        if not asked:
            _thread.interrupt_main()
            time.sleep(0.01)
        asked.append(ask(stop))
        if len(asked) == 1:
            module["n"][0] = 1  # the code ends by itself
        return asked[-1]

    monkeypatch.setattr(interrupts._Press, "goes_on", pressed)
    module = wasm.load(SPIN)
    with pytest.raises(KeyboardInterrupt):
        module["wait"]()
    assert asked == [True]
    assert module["n"][1] > 0


def test_a_limit_of_time_stops_code_that_does_not_end(way: str):
    module = wasm.load(SPIN)
    with pytest.raises(LimitReached, match=r"stopped after 0\.2 s"), Limits(seconds=0.2).enforce():
        module["spin"]()


def test_code_in_threads_is_stopped(way: str):
    modules = [wasm.load(SPIN), wasm.load(SPIN)]

    def work(number: int) -> Iterator[None]:
        modules[number]["spin"]()
        yield

    press_soon()
    with pytest.raises(KeyboardInterrupt):
        run_together([work(0), work(1)], lambda: None)


def test_what_was_complete_is_told(way: str):
    game = gdl.load("nim")
    with pytest.raises(Interrupted) as stop:
        Playing(game, game.initial(), 1 << 40, 1, "wasm").result(lambda done: done > 100 and _thread.interrupt_main())
    partial = stop.value.partial
    whole = Playing(game, game.initial(), partial.playouts, 1, "python").result()
    assert (partial.value, partial.playouts) == (whole.value, whole.playouts)


def test_what_is_stopped_within_a_slice_tells_of_the_slices_before():
    """There a play may be added up by half: its error was the root of a negative number."""
    game, slices = gdl.load("hackenbush"), 0
    search = Playing(game, game.initial(), 1 << 40, 1, "python", counts=True)
    run = search.run

    def torn(budget: int) -> int:
        nonlocal slices
        slices += 1
        if slices == 3:
            search.module["played_sum"][1] += 1000
            raise KeyboardInterrupt
        return int(run(budget))

    search.run = torn
    with pytest.raises(Interrupted) as stop:
        search.result()
    whole = Playing(game, game.initial(), stop.value.partial.playouts, 1, "python").result()
    assert (stop.value.partial.value, stop.value.partial.error) == (whole.value, whole.error)


def test_both_ways_find_the_same(way: str):
    game = gdl.load("kuhn")
    found = Playing(game, game.initial(), 500, 4, "wasm", counts=True).result()
    assert found == Playing(game, game.initial(), 500, 4, "python", counts=True).result()


@pytest.mark.thorough
def test_the_alarm_rings_for_no_engine_that_is_being_freed(monkeypatch: pytest.MonkeyPatch):
    """To free one takes a while, in which other threads may run."""
    freed: set[int] = set()
    wrong: list[int] = []
    delete, increment = wasmtime.Engine._delete, wasmtime.Engine.increment_epoch

    def slowly(engine: object, pointer: object) -> None:
        freed.add(id(engine))
        time.sleep(4 * interrupts.TICK)
        delete(engine, pointer)

    def noted(engine: object) -> None:
        if id(engine) in freed:
            wrong.append(id(engine))
        else:
            increment(engine)

    monkeypatch.setattr(wasmtime.Engine, "_delete", slowly)
    monkeypatch.setattr(wasmtime.Engine, "increment_epoch", noted)
    module = wasm.load(SPIN)
    module["count"](3)
    freed.clear()  # of that by which it was tried whether code can ask
    gc.disable()  # it has no cycles, so its memory is given back at once
    try:
        del module
        for _ in range(600):  # if the alarm was just ringing for it, it is freed when that ring is over
            if freed:
                break
            time.sleep(interrupts.TICK)
    finally:
        gc.enable()
    time.sleep(4 * interrupts.TICK)
    assert freed
    assert not wrong


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60 * crowd())


def test_the_alarm_has_stopped_when_python_ends():
    code = """
import atexit, threading
atexit.register(lambda: print([thread.name for thread in threading.enumerate()]))
from gdl.compiler import wasm
module = wasm.load("def f() -> i32:\\n    return 3\\n")
print(module["f"](), [thread.name for thread in threading.enumerate()])
"""
    done = python(code)
    assert (done.stdout, done.stderr, done.returncode) == ("3 ['MainThread', 'gdl alarm']\n['MainThread']\n", "", 0)


def test_memory_is_there_as_long_as_somebody_looks_at_it():
    code = """
import gc
from gdl.compiler import wasm
seen = wasm.load("a = table(i32, (5, 6, 7,))\\ndef f() -> i32:\\n    return a[1]\\n")["a"]
gc.collect()
print(list(seen))
"""
    done = python(code)
    assert (done.stdout, done.returncode) == ("[5, 6, 7]\n", 0)


@pytest.mark.slow
def test_short_commands_end_well_under_load():
    """Thousands of them, more at a time than there are processors."""
    command = [sys.executable, "-m", "gdl.commands.cli", "playouts", "nim", "--count", "30", "--json"]

    def once(number: int) -> tuple[int, str, str]:
        done = subprocess.run([*command, "--seed", str(number % 7)], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    wanted = [once(number) for number in range(7)]
    assert {code for code, _, _ in wanted} == {0}
    with ThreadPoolExecutor(WORKERS) as pool:
        for number, found in enumerate(pool.map(once, range(COMMANDS))):
            assert found == wanted[number % 7], number

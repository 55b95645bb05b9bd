"""How the tests are run: what they find of signals and of the collection of garbage, how long each may take, how they
are spread over processes, and how those that were skipped are run again."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from patience import FAST, SLOW, at_most

from gdl.compiler import lower

COLLECTED = (1_000_000, 50, 1_000_000)  # objects between two looks for garbage, and how many of these look further
SOONER, MUCH = 20, 1 << 30  # tests between two looks at the memory, and the bytes of it from which games are let go
AHEAD = 12  # tests that are sent to a process before it asks for them


TESTS = str(Path(__file__).parent)
LEFT_OUT = "slow", "thorough"  # the marks that the README's command leaves out
USUAL = "not slow and not thorough"  # and says so
SKIPPED = "gdl/skipped"  # where pytest's cache keeps which tests the last run skipped


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--skipped", action="store_true", help="run the tests that the last run without it skipped")


def pytest_configure(config: pytest.Config) -> None:
    """Ctrl-C works here and in what is started from here, though a script's background job is started without it.
    No garbage is looked for while tests are collected. Of those skipped last time only the files are collected. Whoever
    asks for a file, or by `-k`, gets all cases, and what is thorough."""
    config.option.asked = bool(config.option.keyword) or config.args_source is config.ArgsSource.ARGS
    if config.option.asked and config.option.markexpr == USUAL:
        config.option.markexpr = "not slow"
    if config.option.skipped:
        config.args = sorted({skipped.partition("::")[0] for skipped in config.cache.get(SKIPPED, [])})
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.setdefault("GDL_CACHE", "")  # each test reads its games anew
    for plugin in config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            plugin.sendevent = partial(send_event, plugin.sendevent)
    lower.forgiving = False  # a recogniser that fails is a fault here, and no decline
    gc.disable()


def send_event(send: Callable[..., None], name: str, **event: Any) -> None:
    """The process that gives out the work need not be told that a test begins, nor that it was set up."""
    data = event.get("data", {})
    if name != "logstart" and (data.get("when"), data.get("outcome")) != ("setup", "passed"):
        send(name, **event)


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None]:
    """Of the cases of a test that is marked `one_in(5)` the first of every five is no `thorough` one, where nobody asked
    for it; of one that is marked `thorough_of("chess", "go")` these two are. The README's command does not even make
    the cases that it leaves out."""
    yield
    test, option = metafunc.definition, metafunc.config.option
    sample = None if option.asked else test.get_closest_marker("one_in")
    every, at = (*sample.args, 0)[:2] if sample else (1, 0)
    thorough = {case for mark in test.iter_markers("thorough_of") for case in mark.args}
    for place, case in enumerate(metafunc._calls):
        if place % every != at or case.id in thorough:
            case.marks.append(pytest.mark.thorough.mark)
    if option.markexpr == USUAL:
        usual = [case for case in metafunc._calls if {mark.name for mark in case.marks}.isdisjoint(LEFT_OUT)]
        left_out = any(test.get_closest_marker(mark) for mark in LEFT_OUT)
        metafunc._calls[:] = metafunc._calls[:1] if left_out else usual or metafunc._calls[:1]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of what was skipped last time a file that was skipped as a whole is kept by its name, a test by its own; its cases
    may be others now."""
    if config.option.skipped:
        kept = {skipped.partition("[")[0] for skipped in config.cache.get(SKIPPED, [])}
        items[:] = [item for item in items if kept & {item.nodeid.partition("[")[0], item.nodeid.partition("::")[0]}]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not config.option.skipped and hasattr(config, "cache"):
        skipped = terminalreporter.stats.get("skipped", [])
        config.cache.set(SKIPPED, sorted({report.nodeid for report in skipped}))


def pytest_collection_finish() -> None:
    """Tens of thousands of collected tests stay to the end: no collection of garbage looks at them."""
    gc.freeze()
    gc.set_threshold(*COLLECTED)
    gc.enable()


_done, _much = 0, MUCH


def pytest_runtest_logfinish() -> None:
    """Collect garbage between two tests only, as that takes long: what is young, and all of it only where much memory is
    held. (Nothing is frozen: objects held by a fixture at that moment would stay to the end.) Then the games that tests
    share, with all that they remember of their positions, are let go too."""
    global _done, _much
    _done += 1
    if _done % SOONER:
        return
    gc.collect(1)
    if _resident() > _much:
        for module in list(sys.modules.values()):
            ours = str(getattr(module, "__file__", None)).startswith(TESTS)
            for value in list(vars(module).values()) if ours else ():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
        gc.collect()
        _much = max(MUCH, _resident() + MUCH // 4)


def _resident() -> int:
    """The bytes of this process that are in memory; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def pytest_unconfigure() -> None:
    """At the end pytest looks five times through all that tests have left, for what nobody is told any more."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """No fixture waits for ever."""
    with at_most(_patience(item)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """No test waits for ever."""
    with at_most(_patience(item)):
        return (yield)


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Keep garbage of other tests from being collected at this test's cost."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def little_garbage() -> Iterator[None]:
    """A collection of garbage within this test, in a copy of this process too, looks only at what it made itself, not
    at all that other tests hold."""
    gc.freeze()
    yield
    gc.unfreeze()


def _patience(item: pytest.Item) -> float:
    return SLOW if item.get_closest_marker("slow") or item.get_closest_marker("thorough") else FAST


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give all tests of one game to one process, which then makes the game once (`pytest -n 2`): all tests of
    `tests/laws` whose case is `[chess]` are one piece of work, a test without cases is another, and so is a whole file
    that makes something for all its tests."""
    from xdist.scheduler import LoadScopeScheduling

    texts = {path: path.read_text(encoding="utf-8") for path in Path(TESTS).rglob("test_*.py")}
    whole = {
        path.relative_to(Path(TESTS).parent).as_posix() for path, text in texts.items() if 'scope="module"' in text
    }

    class ByCase(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            test, bracket, case = nodeid.partition("[")
            file = test.partition("::")[0]
            if file in whole:
                return file
            if test.startswith("tests/house/") and "test_docs.py" not in test:  # where one process parses all files
                return "tests/house"
            return test.rpartition("/")[0] + bracket + case if case else nodeid

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            """Forget finished pieces of work: many thousands of them would be counted again after every test."""
            nodeid = self.registered_collections[node][item_index]
            scope = self._split_scope(nodeid)
            piece = self.assigned_work[node][scope]
            piece[nodeid] = True
            if all(piece.values()):
                del self.assigned_work[node][scope]
            self._reschedule(node)

        def _reschedule(self, node: Any) -> None:
            """A process has some work ahead, so that it never waits while tests take a millisecond."""
            while self.workqueue and not node.shutting_down and self._pending_of(self.assigned_work[node]) < AHEAD:
                self._assign_work_unit(node)
            super()._reschedule(node)

    return ByCase(config, log)

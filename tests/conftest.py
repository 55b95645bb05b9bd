"""How the tests are run: what they find of signals, how long each may take, and how they are spread over processes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from patience import FAST, SLOW, at_most


def pytest_configure() -> None:
    """Ctrl-C works here and in what is started from here, though a script's background job is started without it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


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


def _patience(item: pytest.Item) -> float:
    return SLOW if item.get_closest_marker("slow") else FAST


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Those of one game go to one process, which makes it once (`pytest -n 2`): all tests of `test_laws.py` whose case
    is `[chess]` are one piece of work, a test without cases is another."""
    from xdist.scheduler import LoadScopeScheduling

    class ByCase(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            test, bracket, case = nodeid.partition("[")
            return test.partition("::")[0] + bracket + case if case else nodeid

    return ByCase(config, log)

"""How the tests are spread over processes (`pytest -n 2`): those of one game go to one process, which makes it once."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Deal out the cases of a file together: all tests of `test_laws.py` whose case is `[chess]` are one piece of work,
    a test without cases is another."""
    from xdist.scheduler import LoadScopeScheduling

    class ByCase(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            test, bracket, case = nodeid.partition("[")
            return test.partition("::")[0] + bracket + case if case else nodeid

    return ByCase(config, log)

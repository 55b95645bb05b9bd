"""Laws over very many games: some of them at every run, the rest among the slow tests."""

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(every: int, cases: Iterable[Any], first: int = 0) -> list[Any]:
    """All cases as parameters; of every so many, in their order, only one is fast."""
    slow = pytest.mark.slow
    return [pytest.param(case, marks=() if at % every == first else slow) for at, case in enumerate(cases)]

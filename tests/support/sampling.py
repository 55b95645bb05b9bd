"""Laws over very many games: some of them at every run, the rest in the tests of `.ci/run`."""

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(every: int, cases: Iterable[Any], first: int = 0) -> list[Any]:
    """All cases as parameters of a test. Of each `every` cases, in order, the README's command runs only the one at
    place `first`, counted from 0."""
    rest = pytest.mark.thorough
    return [pytest.param(case, marks=() if at % every == first else rest) for at, case in enumerate(cases)]

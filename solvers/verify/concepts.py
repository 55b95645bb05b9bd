"""The checks of answers to other questions than what a game is worth: a list for each concept."""

from __future__ import annotations

from collections.abc import Mapping

from solvers.verify import correlated
from solvers.verify.case import Row

_DRAWN = (
    Row(correlated.check_distribution, ("distribution", "value")),
    Row(correlated.check_equilibria, ("equilibria", "payoffs")),
    Row(correlated.check_welfare, ("exact",)),
    Row(correlated.check_interval, ("interval",)),
)
CHECKS: Mapping[str, tuple[Row, ...]] = {"correlated": _DRAWN, "coarse-correlated": _DRAWN}

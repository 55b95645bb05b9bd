"""The checks of answers to other questions than what a game is worth: a list for each concept."""

from __future__ import annotations

from collections.abc import Mapping

from solvers.verify import beliefs, correlated, profiles
from solvers.verify.case import Row

_DRAWN = (
    Row(correlated.check_distribution, ("distribution", "value")),
    Row(correlated.check_equilibria, ("equilibria", "payoffs")),
    Row(correlated.check_welfare, ("exact",)),
    Row(correlated.check_interval, ("interval",)),
)
_ASSESSED = (
    Row(profiles.check_equilibria, ("equilibria",)),
    Row(beliefs.check_beliefs, ("beliefs",)),
    Row(profiles.check_payoffs, ("payoffs",)),
    Row(profiles.check_regret, ("regret",)),
    Row(beliefs.check_value, ("value",)),
    Row(beliefs.check_complete, ("complete",)),
)
CHECKS: Mapping[str, tuple[Row, ...]] = {
    "correlated": _DRAWN,
    "coarse-correlated": _DRAWN,
    **dict.fromkeys(beliefs.KIND, _ASSESSED),
}

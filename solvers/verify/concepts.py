"""The checks of answers to other questions than what a game is worth: a list for each concept."""

from __future__ import annotations

from collections.abc import Mapping

from solvers.verify import beliefs, coalitions, committed, correlated, populations, profiles, trembling
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
_PLANNED = (
    Row(committed.check_strategy, ("strategy", "value")),
    Row(committed.check_regret, ("regret",)),
    Row(committed.check_best, ("best",)),
    Row(committed.check_nodes, ("nodes",)),
)
_PAID = (
    Row(populations.check_payoffs, ("payoffs", "value")),
    Row(populations.check_regret, ("regret",)),
)
_TREMBLING = (
    Row(profiles.check_equilibria, ("equilibria",)),
    Row(trembling.check_perfect, ("equilibria", "concept")),
    *_PAID,
)
CHECKS: Mapping[str, tuple[Row, ...]] = {
    "correlated": _DRAWN,
    "coarse-correlated": _DRAWN,
    **dict.fromkeys(beliefs.KIND, _ASSESSED),
    "commitment": (*_PLANNED, Row(committed.check_commitment, ("exact", "options"))),
    "team": (*_PLANNED, Row(committed.check_sum, ("exact", "options"))),
    "welfare": (*_PLANNED, Row(committed.check_sum, ("exact",))),
    "coalition": (
        Row(coalitions.check_worths, ("coalitions",)),
        Row(coalitions.check_shapley, ("value", "shapley")),
        Row(coalitions.check_core, ("core",)),
    ),
    "quantal": (Row(populations.check_quantal, ("equilibria", "residual", "options")), *_PAID),
    **dict.fromkeys(("perfect", "proper"), _TREMBLING),
    "evolutionary": (Row(populations.check_stable, ("equilibria", "complete")), *_PAID),
}

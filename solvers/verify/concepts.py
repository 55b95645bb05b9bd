"""The checks of answers to other questions than what a game is worth: a list for each concept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gdl.solvers.verify import beliefs, coalitions, committed, correlated, populations, profiles, trembling
from gdl.solvers.verify.case import Case, Row
from gdl.solvers.verify.finding import Finding

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


def check_estimate(case: Case) -> Iterator[Finding]:
    """An answer that calls itself an estimate claims no more."""
    if not case.claim.exact:
        yield Finding(None, ("exact",), "it is an estimate by the answer's own account")


_CLAIMED = Row(check_estimate, ("exact",))
CHECKS: Mapping[str, tuple[Row, ...]] = {
    "correlated": (*_DRAWN, _CLAIMED),
    "coarse-correlated": (*_DRAWN, _CLAIMED),
    **dict.fromkeys(beliefs.KIND, _ASSESSED),
    "commitment": (*_PLANNED, Row(committed.check_commitment, ("exact", "options")), _CLAIMED),
    "team": (*_PLANNED, Row(committed.check_sum, ("exact", "options")), _CLAIMED),
    "welfare": (*_PLANNED, Row(committed.check_sum, ("exact",)), _CLAIMED),
    "coalition": (
        Row(coalitions.check_worths, ("coalitions",)),
        Row(coalitions.check_shapley, ("value", "shapley")),
        Row(coalitions.check_core, ("core",)),
        _CLAIMED,
    ),
    "quantal": (Row(populations.check_quantal, ("equilibria", "residual", "options")), *_PAID),
    **dict.fromkeys(("perfect", "proper"), (*_TREMBLING, _CLAIMED)),
    "evolutionary": (Row(populations.check_stable, ("equilibria", "complete")), *_PAID, _CLAIMED),
}

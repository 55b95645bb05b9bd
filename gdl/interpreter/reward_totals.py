"""Totals of the gains on the way, and where they are kept: in a variable, in the position, or nowhere.

Where rewards are whole numbers, nothing is discounted and no position comes again, the rules themselves can keep a
total for each player: every reward becomes an assignment, and every end pays the total too. So nothing else needs to
know of them. Where they are fractions or discounted, a position holds what was `Earned`. Where play can come back to a
position, no position can hold a total.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from gdl.analysis.traits import all_at_once
from gdl.game import Number, exact
from gdl.interpreter.bodies import BodyRun
from gdl.model import core
from gdl.model.domains import Named, Range
from gdl.model.games import Clause, Feature, RulesModel
from gdl.model.rewriting import add_variable, change_bodies, replace_forms
from gdl.model.walk import everything

LARGEST_TOTAL = 10**9  # the greatest total


class Earned(NamedTuple):
    """The rewards so far by player, and the weight (a power of the discount) of payments from here on."""

    totals: tuple[Number, ...]
    weight: Number

    def add_run(self, run: BodyRun, acts: bool, discount: Number) -> Earned:
        """The rewards after a run of an action or, if `acts` is false, of a chance step, whose rewards have the weight
        of the action before."""
        weight = self.weight if acts or self.weight == 1 else Fraction(self.weight) / discount
        totals = list(self.totals)
        for player, amount in run.rewards:
            totals[player] += weight * amount
        return Earned(tuple(map(exact, totals)), exact(self.weight * discount) if acts else self.weight)


def with_totals(earned: Earned | None, numbers: tuple[Number, ...]) -> tuple[Number, ...]:
    """Payments from here on, or expected ones, weighted and added to the rewards so far; unchanged if `earned` is
    None."""
    if earned is None:
        return numbers
    return tuple(exact(total + earned.weight * number) for total, number in zip(earned.totals, numbers, strict=True))


def can_keep(model: RulesModel) -> bool:
    """True if the rules could keep totals: rewards are whole numbers, one player moves at a time, and neither a
    discount nor an average counts."""
    if not model.rewards or model.discount != 1 or model.average or all_at_once(model):
        return False
    return all(form.whole for form in everything(model) if isinstance(form, core.Reward))


def keeping_totals(model: RulesModel) -> RulesModel:
    """The rules with a variable for each player's total in place of rewards; the ends pay the totals too."""
    span = next(form.span for form in everything(model) if isinstance(form, core.Reward))
    assert span is not None
    wider, index = add_variable(
        model, "gained", (Named("Player", model.players),), Range(-LARGEST_TOTAL, LARGEST_TOTAL),
        (0,) * len(model.players), span,
    )  # fmt: skip

    def total_element(player: core.Expression) -> core.Element:
        return core.Element(index, (player,), False, span)

    def reward_statements(reward: Any) -> list[core.Statement] | None:
        if not isinstance(reward, core.Reward):
            return None
        return [
            core.Assign(
                index, (player,), core.Arithmetic("+", total_element(player), amount, reward.span or span),
                reward.span or span,
            )
            for amount, player in zip(reward.amounts, reward.players, strict=True)
        ]  # fmt: skip

    def add_totals(clause: Clause) -> Clause:
        numbers = (
            core.Arithmetic("+", u, total_element(core.Const(p)), clause.span) for p, u in enumerate(clause.utilities)
        )
        return clause.copy_with(utilities=tuple(numbers), sum=None, winner=None)

    totals = tuple(total_element(core.Const(p)) for p in range(len(model.players)))
    estimate = Feature(1, totals, 0, wider.variables[index].name, span)
    return change_bodies(wider, lambda body: replace_forms(body, reward_statements)).copy_with(
        clauses=tuple(map(add_totals, model.clauses)),
        features=(*model.features, estimate) if model.features else (),
        rewards=False,
    )

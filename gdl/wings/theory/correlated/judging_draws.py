"""`gdl judge` of a correlated plan: who would do other than recommended."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gdl.errors import Refusal, clean
from gdl.formats.solve_answer import JudgeAnswer
from gdl.game import Game, exact
from gdl.numbers import to_text
from gdl.solvers.equilibria.positions import MOST_POSITIONS
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.claim import read_claim
from gdl.wings.verify.plans import average_payoff, drawn_by, gains, plans_of
from gdl.wings.verify.verdict import Unchecked


def judge_draws(game: Game[Any], answer: Mapping[str, Any]) -> tuple[JudgeAnswer, str]:
    """Judge a correlated plan: everyone's payoff and possible gain, for JSON and as text. A player gains by the best
    reply to each recommendation, or, if the plan is coarse, by opting out for one plan beforehand. Raises Refusal where
    gains cannot be worked out."""
    case = VerifierCase(game, read_claim(answer), MOST_POSITIONS)
    try:
        drawn, plans = drawn_by(case), plans_of(case)
    except Unchecked as why:
        raise Refusal(f"what could be gained is not worked out: {why}") from None
    value = average_payoff(case, drawn)
    best: dict[tuple[int, int | None], tuple[Fraction, int]] = {}
    for (player, told, other), gain in gains(case, drawn):
        if gain > 0 and gain > best.get((player, told), (Fraction(0), 0))[0]:
            best[player, told] = gain, other
    regret = [
        exact(sum((g for (p, _), (g, _) in best.items() if p == player), Fraction(0))) for player in range(len(value))
    ]
    kind = "coarse correlated" if case.claim.concept == "coarse-correlated" else "correlated"
    names = [{k: name for name, k in own.items()} for own in plans.by_name]
    lines = [f"This is {'no' if best else 'a'} {kind} equilibrium.", ""]
    for player, who in enumerate(game.players):
        could = to_text(regret[player]) if regret[player] else "nothing"
        lines.append(f"{who} gets {to_text(value[player])} and could gain {could} by deviating.")
        for (p, told), (gain, other) in best.items():
            if p == player:
                where = "whatever is recommended" if told is None else f"where {names[p][told]} is recommended"
                lines.append(f"    {names[p][other]} {where}: {to_text(exact(gain))}")
    judgement = JudgeAnswer(
        value=dict(zip(game.players, value, strict=True)),
        regret=dict(zip(game.players, regret, strict=True)),
        nash_conv=exact(sum(regret, Fraction(0))),
    )
    return judgement, "\n".join(map(clean, lines))

"""gdl judge of a correlated plan, by who would do other than recommended, and of a division among coalitions, by which
of them would leave, with what it secures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gdl.commands.conditions import condition_lines, conditions_of
from gdl.errors import DamagedData, Refusal, clean, listing
from gdl.game import Game, exact
from gdl.numbers import brief, to_json, to_text


def judge_draws(game: Game[Any], answer: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """What everyone gets and could gain, as data and as text: by the best reply to each recommendation, or for a coarse
    plan by opting out for one plan beforehand."""
    from gdl.solvers.equilibria.positions import MOST_POSITIONS
    from gdl.solvers.verify.case import VerifierCase
    from gdl.solvers.verify.claim import read_claim
    from gdl.solvers.verify.correlated import drawn_by, gains, plans_of
    from gdl.solvers.verify.verdict import Unchecked

    case = VerifierCase(game, read_claim(answer), MOST_POSITIONS)
    try:
        drawn, plans = drawn_by(case), plans_of(case)
    except Unchecked as why:
        raise Refusal(f"what could be gained is not worked out: {why}") from None
    value = [
        exact(sum((c * plans.table[cell][p] for cell, c in drawn.items()), Fraction(0)))
        for p in range(len(game.players))
    ]
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
    data = {
        "value": {who: to_json(x) for who, x in zip(game.players, value, strict=True)},
        "regret": {who: to_json(x) for who, x in zip(game.players, regret, strict=True)},
        "nash_conv": to_json(exact(sum(regret, Fraction(0)))),
    }
    return data, "\n".join(map(clean, lines))


def judge_shares(game: Game[Any], answer: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Whether what a saved answer gives each player (by the Shapley value) lies in the core, as data and as text."""
    from gdl.solvers.budget import Budget
    from gdl.solvers.equilibria.positions import explore
    from gdl.solvers.equilibria.verdicts import ProfileCase
    from gdl.solvers.strategic.judging_plans import division
    from gdl.solvers.verify.claim import read_claim

    value = read_claim(answer).value or {}
    if set(value) != set(game.players):
        raise DamagedData("the answer does not say what each player gets")
    shares = [exact(Fraction(value[player])) for player in game.players]
    verdict = division(ProfileCase(explore(game), (), None, Budget()), shares)
    said = f"This division {'lies' if verdict.holds else 'does not lie'} in the core."
    gets = listing(f"{player} {brief(share)}" for player, share in zip(game.players, shares, strict=True))
    lines = [line for one in verdict.conditions for line in condition_lines(one, {})]
    data = {"value": {player: to_json(value[player]) for player in game.players}, "regret": None, "nash_conv": None}
    return data | conditions_of(verdict), "\n".join(map(clean, [said, "", f"It gives {gets}.", "", *lines]))

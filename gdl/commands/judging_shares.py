"""gdl judge of a division among coalitions: which of them would leave, with what it secures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gdl.commands.conditions import condition_lines, conditions_of
from gdl.errors import DamagedData, clean, listing
from gdl.game import Game, exact
from gdl.numbers import brief, to_json


def judge_answer(game: Game[Any], answer: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
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

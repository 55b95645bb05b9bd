"""`gdl judge` of a division among coalitions: which of them would leave, and with what gain."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gdl.errors import DamagedData, clean, listing
from gdl.formats.solve_answer import JudgeAnswer
from gdl.game import Game, exact
from gdl.numbers import brief
from gdl.playing.concept_conditions import condition_lines, conditions_of
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.verdicts import ProfileCase
from gdl.wings.theory.coalitions.judging_coalitions import division
from gdl.wings.verify.claim import read_claim


def judge_shares(game: Game[Any], answer: Mapping[str, Any]) -> tuple[JudgeAnswer, str]:
    """Judge if the shares of a saved answer (by the Shapley value) lie in the core, for JSON and as text. Raises
    DamagedData where the answer does not give each player a share."""
    value = read_claim(answer).value or {}
    if set(value) != set(game.players):
        raise DamagedData("the answer does not say what each player gets")
    shares = [exact(Fraction(value[player])) for player in game.players]
    verdict = division(ProfileCase("coalition", explore(game), (), None, Budget()), shares)
    said = f"This division {'lies' if verdict.holds else 'does not lie'} in the core."
    gets = listing(f"{player} {brief(share)}" for player, share in zip(game.players, shares, strict=True))
    lines = [line for one in verdict.conditions for line in condition_lines(one, {})]
    gained = {player: value[player] for player in game.players}
    told = JudgeAnswer(value=gained, regret=None, nash_conv=None, **conditions_of(verdict))
    return told, "\n".join(map(clean, [said, "", f"It gives {gets}.", "", *lines]))

"""Scales of learned numbers as utilities, and the number of players that are evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from gdl.errors import Refusal, clean
from gdl.game import Number, surely_at
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.learned import Scale

SAFE = 0.99  # of the greatest utility: no evaluation should be worth as much as a victory


def _total(game: RulesGame) -> Number | None:
    """The sum of the utilities of two players, where it is known to be constant."""
    if len(game.players) != 2:
        return None
    promised = game.promises.constant_sum
    return game.traits.constant_sum if promised is None else promised


def outputs(game: RulesGame) -> int:
    """How many players are evaluated: of two whose utilities have a sum that is known, the first alone."""
    return 1 if _total(game) is not None else len(game.players)


def scale_from_rules(game: RulesGame, start: State) -> Scale:
    """The scale from sums to utilities that the bounds in the rules give; one without bounds where they are not all
    known."""
    total = _total(game)
    bounds = surely_at(game, start)[: 1 if total is not None else None]
    known = [Fraction(bound) for pair in bounds for bound in pair if bound is not None]
    if len(known) < 2 * len(bounds):
        return Scale(0.0, 1.0, False, total)
    low, high = min(known), max(known)
    if total is not None:  # of both players the same
        low, high = min(low, Fraction(total) - high), max(high, Fraction(total) - low)
    scale = Scale(float(low + high) / 2, SAFE * float(high - low) / 2 or 1.0, True, total)
    return scale if scale.fits else Scale(0.0, 1.0, False, total)  # what is met tells more


def scale_from_payoffs(game: RulesGame, scale: Scale, paid: Sequence[float]) -> Scale:
    """The scale where the rules do not say it, but these utilities were met."""
    middle = 0.0 if scale.total is None else float(scale.total) / 2
    found = replace(scale, middle=middle, half=max(abs(utility - middle) for utility in paid) or 1.0)
    if not found.fits:
        name = clean(game.name)
        raise Refusal(f"the utilities of {name} are too large, or too fine, for an evaluation to be learned")
    return found

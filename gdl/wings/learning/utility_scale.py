"""The scale from learned values to utilities, and the number of players that are evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from gdl.errors import Refusal, clean
from gdl.game import Number, surely_at
from gdl.interpreter.rules_game import RulesGame, State
from gdl.wings.learning.learned import Scale

SAFE = 0.99  # of the greatest utility: no evaluation should be worth as much as a victory


def _total(game: RulesGame) -> Number | None:
    """The sum of the utilities of two players, where it is known to be constant."""
    if len(game.players) != 2:
        return None
    promised = game.promises.constant_sum
    return game.traits.constant_sum if promised is None else promised


def outputs(game: RulesGame) -> int:
    """The number of players that are evaluated: one if two players' utilities have a known sum, else all."""
    return 1 if _total(game) is not None else len(game.players)


def scale_from_rules(game: RulesGame, start: State) -> Scale:
    """The scale from learned values to utilities by the bounds that the rules give; a scale without bounds if not all
    of these are known."""
    total = _total(game)
    bounds = surely_at(game, start)[: 1 if total is not None else None]
    known = [Fraction(bound) for pair in bounds for bound in pair if bound is not None]
    if len(known) < 2 * len(bounds):
        return Scale(0.0, 1.0, False, total)
    low, high = min(known), max(known)
    if total is not None:  # the same bounds for both players
        low, high = min(low, Fraction(total) - high), max(high, Fraction(total) - low)
    scale = Scale(float(low + high) / 2, SAFE * float(high - low) / 2 or 1.0, True, total)
    return scale if scale.fits else Scale(0.0, 1.0, False, total)  # scale_from_payoffs will do better


def scale_from_payoffs(game: RulesGame, scale: Scale, paid: Sequence[float]) -> Scale:
    """The scale by the utilities that were met in play, for rules that do not bound them. Raises Refusal if they are
    too large or too fine."""
    middle = 0.0 if scale.total is None else float(scale.total) / 2
    found = replace(scale, middle=middle, half=max(abs(utility - middle) for utility in paid) or 1.0)
    if not found.fits:
        name = clean(game.name)
        raise Refusal(f"the utilities of {name} are too large, or too fine, for an evaluation to be learned")
    return found

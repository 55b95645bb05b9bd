"""Values of pieces that the computer learns before it plays, where the file does not state them."""

from __future__ import annotations

from time import monotonic
from typing import Any

from gdl.analysis.material import with_material
from gdl.compiler.compiled_engine import by_rules, is_by_rules, offer
from gdl.errors import EngineFault, GameError, LimitReached, Refusal, count_text
from gdl.game import Game, surely_at
from gdl.interpreter.rules_game import RulesGame
from gdl.playing import loading

GAMES = 160  # of self-play; half as many more test the values
CONVINCING = 0.85  # of the points of the test, against random play: with fewer the values are dropped
WON_OR_LOST = ((-1, 1), (-1, 1))  # bounds of utilities: where points count, as in go, pieces do not
_SEED = 0


def learn_material(game: Game[Any], seconds: float) -> tuple[Game[Any], str] | None:
    """The game with an evaluation by material that was learned in `seconds` seconds, and words on it; None if there is
    too little time, or material does not decide the game."""
    if not game.engine.fast or not is_by_rules(game):
        return None
    whole, start = by_rules(game)
    model = with_material(whole.model)
    if model is None or game.traits.chance is not False or surely_at(whole, start) != WON_OR_LOST:
        return None
    from gdl.compiler.searches.learning_driver import learn

    end = monotonic() + seconds

    def progress(_: int) -> None:
        if monotonic() > end:
            raise LimitReached("the time for the lesson is over", None)

    try:
        plain = loading.play(model)
        assert isinstance(plain, RulesGame)
        weights, match = learn(plain, start, "wasm", GAMES, _SEED, progress)
    except (EngineFault, GameError, LimitReached, Refusal):
        return None
    if match.won + match.drawn / 2 < CONVINCING * match.games:
        return None
    features = tuple(one.copy_with(weight=weight) for one, weight in zip(model.features, weights, strict=True))
    worth = ", ".join(f"{one.text} {float(one.weight):.3g}" for one in features)
    words = f"in {count_text(GAMES, 'game')} with itself the computer has found what pieces are worth: {worth}"
    return offer(loading.play(model.copy_with(features=features)), "auto"), words

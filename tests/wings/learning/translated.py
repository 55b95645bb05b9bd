"""The searches of this wing, with what changes their code, which tests/compiler/test_code_generation.py translates."""

from typing import Any

from gdl.wings.learning.patterns import inputs_of
from gdl.wings.learning.temporal_differences import TdSelfPlay
from gdl.wings.learning.utility_scale import outputs


def teaching(game: Any, start: Any, engine: str) -> TdSelfPlay:
    """A search that teaches tables, without symmetries, for which the rules would have to be searched."""
    return TdSelfPlay(game, start, engine, inputs_of(game.model, True, outputs(game), ()))


TRANSLATED = {TdSelfPlay: (teaching,)}

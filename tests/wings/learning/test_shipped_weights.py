"""The weights that ship with games."""

from __future__ import annotations

from shipped import shipped

from gdl.compiler.compiled_engine import by_rules, offer
from gdl.formats.game_files import shipped_weights
from gdl.wings.learning.learned_files import shipped_evaluation


def test_weights_that_ship_are_small_and_belong_to_games() -> None:
    for name, file in shipped_weights().items():
        assert file.stat().st_size <= 200_000
        assert shipped_evaluation(by_rules(offer(shipped(name), "auto"))[0].model) is not None

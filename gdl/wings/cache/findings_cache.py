"""Findings of `gdl check`, kept between two starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gdl.formats.game_files import described
from gdl.game import Game
from gdl.inspection.findings import Inspection, inspect, inspect_text
from gdl.interpreter.rules_game import RulesGame
from gdl.model.games import Model
from gdl.states.explore import Progress
from gdl.wings.cache.model_cache import find_model, keep_thing, kept_things, key_of_file


def find_findings(
    text: str, name: str, folder: Path | None, play: Callable[[Model], Game[Any]], settings: Mapping[str, Any],
    variant: str | None, progress: Progress | None,
) -> Inspection:  # fmt: skip
    """The findings in a game file: kept ones, or else those of `inspect`, with the game on whose model code is kept."""
    if (key := key_of_file(text, name, folder, settings, variant)) is None:
        return inspect_text(text, name, folder, play, settings, variant, progress)
    called = f"findings in {key[1]}"
    things = kept_things(called, key)
    if things and isinstance(things[-1], Inspection):
        found = things[-1]
    else:
        description = described(text, name, folder)
        found = inspect(description, play, settings, variant, progress)
        if not isinstance(found.game, RulesGame):
            return found
        if not keep_thing(called, key, replace(found, game=None), folder and description):
            return found
    return replace(found, game=play(find_model(text, name, folder, settings, variant)[1]))

"""Games that tests have in common, each loaded once: a game and its states are values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import gdl
from gdl.interpreter.rules_game import RulesGame


@cache
def texts() -> dict[str, str]:
    """The texts of all shipped games, by their names in order."""
    return {name: file.read_text(encoding="utf-8") for name, file in sorted(gdl.shipped().items())}


@cache
def loaded(name: str, variant: str | None = None) -> gdl.Loaded:
    """A shipped game, or a variant of it, with its file; parameters have their defaults."""
    return gdl.loads(*gdl.read(name), variant=variant)


def shipped(name: str, settings: Mapping[str, str] | None = None) -> RulesGame:
    """A shipped game by rules with these values of its parameters."""
    return _shipped(name, tuple((settings or {}).items()))


@cache
def _shipped(name: str, settings: tuple[tuple[str, str], ...]) -> RulesGame:
    found = gdl.loads(*gdl.read(name), settings=dict(settings)).game if settings else loaded(name).game
    assert isinstance(found, RulesGame)
    return found


@cache
def written_in(file: Path, variant: str | None = None, **settings: str) -> Any:
    """The game in a file."""
    return gdl.loads(file.read_text(encoding="utf-8"), file.name, settings=settings, variant=variant).game

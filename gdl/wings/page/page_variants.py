"""The variants of a file that its page offers, that for play first."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from gdl import checker
from gdl.model.games import RulesModel
from gdl.playing import loading
from gdl.playing.loading import FOR_PLAY


class NamedVariant(NamedTuple):
    """A variant's title, and its model."""

    title: str
    model: RulesModel


def page_variants(text: str, name: str, folder: Path | None) -> dict[str, NamedVariant]:
    """The game as its file says it ("") and its variants, by their names; the one for play first. Nothing for a game
    that is not given by rules."""
    loaded = loading.loads(text, name, folder=folder)
    if not isinstance(loaded.model, RulesModel):
        return {}
    found = {"": NamedVariant(loaded.model.name, loaded.model)}
    for called, section in checker.variants(loaded.description).items():
        model = loading.loads(text, name, variant=called, folder=folder).model
        assert isinstance(model, RulesModel)
        found[called] = NamedVariant(section.title.name if section.title else called, model)
    return {called: found[called] for called in sorted(found, key=lambda each: each != FOR_PLAY)}

"""Attributes of other libraries have a mend: which one of gdl's to write."""

import copy
import pickle
import re

import pytest

import gdl
from gdl.errors.codes import ATTRIBUTES

ROWS = [row.split(": ", 2) for row in ATTRIBUTES.read_text(encoding="utf-8").splitlines()]


def thing(kind: str) -> object:
    game = gdl.load("nim")
    if kind == "play":
        pytest.importorskip("gdl.wings.programs")
        return gdl.environment(game, engine="interpreter")
    return game if kind == "game" else gdl.solve("figure_5_2")


@pytest.mark.parametrize(("kind", "names", "written"), ROWS, ids=[f"{row[0]}-{row[1].split(',')[0]}" for row in ROWS])
def test_what_to_write_is_there_and_what_was_written_is_not(kind: str, names: str, written: str) -> None:
    owner = thing(kind)
    for name in names.split(", "):
        with pytest.raises(AttributeError, match=re.escape(f"write {written}")):
            getattr(owner, name)
    for word, name in re.findall(r"\b(game|answer|env)\.(\w+)", written.replace("gdl.game.", "")):
        assert word and hasattr(owner, name)


def test_other_names_are_plain_errors() -> None:
    game, answer = gdl.load("nim"), gdl.solve("figure_5_2")
    for owner in (game, answer):
        assert not hasattr(owner, "colour") and not hasattr(owner, "__array__")
        assert repr(pickle.loads(pickle.dumps(owner))) == repr(owner) == repr(copy.copy(owner))

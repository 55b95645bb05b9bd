"""Every construct of the language in a small game of its own, which says by `expect` what it means."""

from pathlib import Path

import pytest

import gdl
from gdl import expectations
from solvers import solve

FILES = sorted(Path(__file__).with_name("language").glob("*.game"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_construct(path: Path):
    loaded = gdl.loads(path.read_text(encoding="utf-8"), path.name)
    assert loaded.warnings == ()
    outcomes = list(expectations.run(loaded.description, gdl.play, solve))
    assert outcomes, "the file expects nothing"
    assert [(o.text, o.found) for o in outcomes if not o.holds] == []

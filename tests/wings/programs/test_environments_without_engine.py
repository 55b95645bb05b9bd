"""Where the compiled engine fails, an environment is played by the interpreter."""

from __future__ import annotations

import pytest
from broken_engine import translation

import gdl

pytest.importorskip("wasmtime")


def test_an_environment_says_that_the_interpreter_plays(monkeypatch: pytest.MonkeyPatch):
    translation(monkeypatch)
    with pytest.warns(UserWarning, match="^the compiled engine fails on .*; the interpreter does the work$"):
        env = gdl.environment("nim")
    assert env.names[0] == "take(1, 1)"

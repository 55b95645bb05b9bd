"""Learning has no interpreter: where the compiled engine fails, its kernels run as Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_engine import ASKED_FOR, WARNING, Break, instantiation, loading, run, running, translation
from sampling import one_in

pytest.importorskip("wasmtime")

WALK = """players Ann, Bob

state
    at: -5..5 = 0

action step(n: 1..2)
    at := at + (if mover = Ann then n else -n)

evaluate
    at

terminal
    at >= 4 -> win Ann
    at <= -4 -> win Bob
    forever -> draw
"""


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("broken", one_in(2, [translation, instantiation, running, loading]))
def test_what_has_no_interpreter_runs_as_python(broken: Break, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "walk.game"
    file.write_text(WALK)
    learn = ("learn", str(file), "--games", "16", "--output", "-")
    wanted = run(*learn).stdout
    broken(monkeypatch)
    found = run(*learn)
    assert (found.stdout, found.exit_code) == (wanted, 0)
    assert found.stderr.startswith(WARNING)
    assert f"; its code runs as Python, which is slow. {ASKED_FOR}" in found.stderr
    refused = run(*learn, "--engine", "wasm", "--fresh")
    assert (refused.stdout, refused.exit_code) == ("", 70)

"""The page to play on thinks by an evaluation that was learned as gdl solve does."""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from page_script import game_data, needs_node, run_with_search
from shipped import shipped
from test_play_page import THINKING, thought

import gdl
from gdl.commands.cli import commands
from gdl.commands.engines import game_with_engine
from gdl.errors import Refusal
from gdl.interpreter.rules_game import RulesGame
from gdl.model.games import RulesModel
from gdl.solvers import solve

pytest.importorskip("gdl.wings.learning")
from gdl.wings.learning import learned_files
from gdl.wings.learning.learned import Tables
from gdl.wings.learning.temporal_differences import inputs_for
from gdl.wings.learning.utility_scale import scale_from_rules
from gdl.wings.page.page_engine import page_searches
from gdl.wings.page.play_page import play_page

pytest.importorskip("wasmtime")
SMALL = {"columns": "4", "rows": "4"}


def tables(of: RulesGame) -> Tables:
    inputs, random = inputs_for(of, True), Random(1)
    return Tables(
        inputs, scale_from_rules(of, of.initial()), array("d", [random.gauss(0, 0.3) for _ in range(inputs.entries)])
    )


def with_learned(name: str, kind: Any, settings: dict[str, str] | None = None) -> RulesModel:
    game = shipped(name, settings)
    return game.model.copy_with(features=(), learned=kind(game))


@pytest.mark.thorough
@needs_node
def test_the_page_thinks_by_what_was_learned():
    rolled = gdl.load("backgammon", variant="textbook")
    assert isinstance(rolled, RulesGame)
    that_ships = learned_files.shipped_evaluation(rolled.model)
    assert that_ships is not None
    asked: list[tuple[RulesModel, str, dict[str, int]]] = [
        (with_learned("connect_four", tables), "windows", {"depth": 5}),
        (with_learned("pig", tables), "vectors", {"depth": 3}),
        (that_ships, "vectors", {"depth": 2}),
    ]
    cases, wants = [], []
    for model, search, how in asked:
        game = RulesGame(model)
        engine = page_searches(game)
        assert search in engine
        cases.append([game_data(game), engine, how])
        wants.append(thought(solve(game_with_engine(model), "depth-limited", **how)))
    for (model, *_), found, want in zip(asked, run_with_search(THINKING, cases), wants, strict=True):
        assert found == want, model.name


def test_what_no_search_of_a_page_takes_is_refused():
    for name in ("kuhn", "goofspiel"):
        with pytest.raises(Refusal, match="no search of a page takes what was learned"):
            play_page(with_learned(name, tables), "")


@pytest.mark.thorough
def test_the_command_takes_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    game = shipped("connect_four", SMALL)
    Path("four.safetensors").write_bytes(learned_files.encode_learned(tables(game), game.model, {"games": "1"}))
    words = ["page", "connect_four", "--weights", "four.safetensors", "-o", "four.html"]
    done = CliRunner().invoke(commands, [*words, "--set", "columns=4", "--set", "rows=4"], prog_name="gdl")
    assert done.exit_code == 0, done.output
    assert '"windows":{' in Path("four.html").read_text(encoding="utf-8")
    assert CliRunner().invoke(commands, words, prog_name="gdl").exit_code == 6  # it was learned of other rules

"""The values of pieces, found out by the computer before it plays."""

from __future__ import annotations

from typing import Any

import pytest
from kernel_games import written
from shipped import shipped

import gdl
from gdl.analysis.material import with_material
from gdl.compiler.compiled_engine import by_rules, offer
from gdl.playing.computer import Company, ComputerSettings, Searcher
from gdl.playing.piece_values import learn_material
from gdl.playing.protocol import ThinkingLimits
from gdl.playing.thinking import Thinking
from gdl.states.sequential import Sequential

pytest.importorskip("wasmtime")


def offered(name: str, settings: dict[str, str] | None = None) -> Any:
    """A shipped game, without the evaluation of its file."""
    return offer(written(name, "\n", **(settings or {})), "auto")


@pytest.mark.thorough
def test_a_queen_is_worth_more_than_a_pawn() -> None:
    found = learn_material(offered("minichess"), 60.0)
    assert found is not None
    worth = {feature.text: feature.weight for feature in by_rules(found[0])[0].model.features}
    assert worth["kind queen"] > worth["kind pawn"] > worth["kind king"] == 0  # nobody is ever without a king
    assert "kind queen 0.2" in found[1]


@pytest.mark.parametrize("name", ["hex", pytest.param("fox_and_hounds", marks=pytest.mark.slow), "go"])
def test_what_material_does_not_decide_is_left_to_simulations(name: str) -> None:
    assert learn_material(offered(name), 60.0) is None


@pytest.mark.thorough
def test_there_is_no_lesson_without_time_or_pieces_or_where_the_file_estimates() -> None:
    assert learn_material(offered("ataxx"), 0.0) is None
    for name in ("nim", "pig", "breakthrough"):
        assert with_material(by_rules(offer(shipped(name), "auto"))[0].model) is None


def test_men_of_one_kind_and_pieces_in_hand_count() -> None:
    model = with_material(by_rules(offered("ataxx"))[0].model)
    assert model is not None
    assert [feature.text for feature in model.features] == ["stone"]
    model = with_material(by_rules(offered("nine_mens_morris"))[0].model)
    assert model is not None
    assert [feature.text for feature in model.features] == ["man", "hand"]


@pytest.mark.thorough
def test_the_computer_plays_by_what_it_has_found_out() -> None:
    game, words = offered("ataxx"), list[str]()
    searcher = Searcher(game, ComputerSettings(game, "auto", 0, 60.0, company=Company(remark=words.append)))
    assert searcher._by_material(game, None) is None
    searcher._learn(60.0)
    assert "what pieces are worth: stone 0.0" in words[0]
    found = searcher._by_material(game, None)
    assert found is not None and found.solver == "depth-limited" and found.best


@pytest.mark.thorough
def test_an_engine_that_is_asked_whether_it_is_ready_has_a_lesson_too(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody: Any = None
    thinking, game = Thinking(nobody, "auto", nobody), Sequential(offered("ataxx"))
    said = list[Any]()
    thinking.move(game, game.initial(), ThinkingLimits(nodes=2000), said.append)
    assert all(info.depth is None for info in said)  # unasked it goes to work at once
    monkeypatch.setattr(
        "gdl.playing.piece_values.learn_material", lambda whole, seconds: (_counting_stones(whole), "a lesson")
    )
    thinking = Thinking(nobody, "auto", nobody)
    assert [thinking.get_ready(game, game.initial()) for _ in range(2)] == ["a lesson", ""]
    thinking.move(game, game.initial(), ThinkingLimits(nodes=2000), said.append)
    assert said[-1].depth


def _counting_stones(whole: Any) -> Any:
    model = with_material(by_rules(whole)[0].model)
    assert model is not None
    return offer(gdl.play(model.copy_with(features=[one.copy_with(weight=1) for one in model.features])), "auto")

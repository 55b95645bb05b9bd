"""The page on which a game of clauses is played: its facts are drawn as a board, and moves made by clicks on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsers import needs_browser
from places import ROOT
from test_play_page import browse

import gdl
from gdl.errors import Refusal
from gdl.game import Decision, Terminal
from gdl.interpreter.grounded_game import GroundedGame
from gdl.web.play_page import facts_boards, play_page, steps

CLAUSES = ROOT / "tests" / "interpreter" / "clauses"


def game(name: str) -> Any:
    return gdl.load(CLAUSES / f"{name}.kif")


def test_what_stands_at_two_coordinates_is_a_board():
    found = game("tic_tac_toe")
    assert isinstance(found, GroundedGame)
    (board,) = facts_boards(found)
    assert [(square["x"], square["y"]) for square in board["squares"] if square["name"] == "1 3"] == [(0, 0)]
    assert len(board["squares"]) == 9 and len(board["labels"]) == 6
    assert [step["value"] for step in steps(found, [board])["put(1, 3)"]] == ["1 3"]
    connect = game("connect_three")
    assert steps(connect, facts_boards(connect))["drop(2)"] == [{"column": "2"}]
    assert facts_boards(game("lights")) == []


@pytest.mark.parametrize("name, why", [("race", "'random' moves"), ("cards", "by 'sees'")])
def test_why_there_is_no_page(name: str, why: str):
    file = CLAUSES / f"{name}.kif"
    with pytest.raises(Refusal, match=f"has no page: .*{why}; gdl play plays it"):
        play_page(gdl.loads(file.read_text(encoding="utf-8"), file.name).model, "")


def test_moves_at_once_have_a_page_without_what_the_rules_note():
    """Of the state, only facts are listed."""
    found = game("duel")
    shown = [variable.name for variable in found.model.variables if not variable.name.startswith("(")]
    assert sorted(shown) == ["at", "met", "time"] and len(found.model.variables) == len(shown) + 5
    data = play_page(found.clauses.model, "")
    looks = ",".join(['["words",false]'] * 3 + ['["board",false]'] * 5)  # the last five are told by nothing
    assert f'"kinds":[{looks}]' in data.replace(" ", "") and set(found.move_names) == {"one", "two", "stay", "noop"}


@pytest.mark.slow
@needs_browser
def test_a_person_clicks_a_game_of_clauses(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        const on = (name) => [...document.querySelectorAll(".square")].find((each) => each.querySelector("title").textContent.startsWith(name)).dispatchEvent(new MouseEvent("click", { bubbles: true }));
        on("2 2"); on("2 3");
        result.told = document.body.textContent.includes("control: black");  // folded away
        await gdl.reply(0.2);
        result.signs = [...document.querySelectorAll(".square .disc")].length;
        result.moves = gdl.moves();
        result.legal = gdl.legal();
    """
    found = browse(tmp_path, CLAUSES / "breakthrough.kif", body)
    played = game("breakthrough")
    state = played.initial()
    for name in found["moves"]:
        node = played.node(state)
        assert isinstance(node, Decision)
        state = played.successor(state, next(action for action in node.actions if str(action) == name))
    after = played.node(state)
    assert isinstance(after, Decision) and [str(action) for action in after.actions] == found["legal"]
    assert found["moves"][0] == "move(2, 2, 2, 3)" and found["told"] and found["signs"] == 32


@pytest.mark.slow
@needs_browser
def test_two_people_choose_at_once_on_a_page_of_clauses(tmp_path: Path):
    """Each choice is made before the other is seen; the step that follows both is that of the clauses; then one player
    alone has a choice, whose move ends the game."""
    body = """
        gdl.seats("person", "person");
        gdl.play("one"); gdl.play("two");
        result.legal = gdl.legal();
        gdl.play("two");
        result.moves = gdl.moves();
        result.after = gdl.legal();
    """
    found = browse(tmp_path, CLAUSES / "duel.kif", body)
    clauses = game("duel").clauses
    state = clauses.successor(clauses.initial(), ("one", "two"))
    node, end = clauses.node(state), clauses.node(clauses.successor(state, "two"))
    assert isinstance(node, Decision) and found["legal"] == list(node.actions) and isinstance(end, Terminal)
    assert found["moves"] == [["one", "two"], "two"] and found["after"] == []

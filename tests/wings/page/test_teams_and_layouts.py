"""Teams at a table, boards of boards, hexagons in windows high and wide, and where what is to be done stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browsers import needs_browser
from test_play_page import browse

import gdl


@pytest.mark.thorough
@needs_browser
def test_of_a_team_whoever_moves_is_named_and_all_hands_lie_beside_it(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        for (const name of ["1", "2", "1", "2", "H1", "H2"]) gdl.play(name);
        const each = (what) => [...document.querySelectorAll(what)].map((one) => one.textContent.trim());
        result.turn = each("#status").concat(each("#told"));
        result.beside = ["above", "below"].map((id) => each(`#${id} .hand`).map((text) => text.split(" ")[0]));
        result.buttons = [...document.querySelectorAll(".strip button.card")].map((one) => one.title);
        result.table = each("#things > *").filter((text) => /hand|to move/.test(text));
    """
    assert browse(tmp_path, "open_spades", body) == {
        "turn": ["South (North & South) to move", "East plays H2."],
        "beside": [["East", "West"], ["North", "South"]],
        "buttons": ["D2", "D4", "S3"],
        "table": [],
    }


@pytest.mark.thorough
@needs_browser
def test_a_click_in_a_small_board_plays_there(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        const cell = (name) => [...document.querySelectorAll(".square")].find((each) => each.querySelector("title").textContent.startsWith(name));
        cell("b2 c1").dispatchEvent(new MouseEvent("click", { bubbles: true }));
        result.first = gdl.moves();
        cell("b2 c1").dispatchEvent(new MouseEvent("click", { bubbles: true }));
        cell("c1 a2").dispatchEvent(new MouseEvent("click", { bubbles: true }));
        result.then = gdl.moves();
        result.arrows = document.querySelectorAll(".way").length;
        result.last = [...document.querySelectorAll(".last title")].map((each) => each.textContent.slice(0, 5));
    """
    found = browse(tmp_path, "ultimate_tic_tac_toe", body)
    assert found == {"first": ["b2/c1"], "then": ["b2/c1", "c1/a2"], "arrows": 0, "last": ["c1 a2"]}


@pytest.mark.thorough
@needs_browser
def test_men_who_leave_the_track_go_to_their_tray_not_to_the_others_bar(tmp_path: Path):
    """Both are point 25 for White, and 0 for Black."""
    text = gdl.shipped()["backgammon"].read_text(encoding="utf-8")
    home = tmp_path / "home.game"
    home.write_text(re.sub(r"(0\.\.15 = if i = )1 then 2 else .*", r"\g<1>24 then 15 else 0", text), encoding="utf-8")
    body = """
        gdl.seats("person", "person");
        const arrows = () => [...document.querySelectorAll(".way")].map((each) => /rotate\\(-?(\\d+)/.exec(each.getAttribute("transform"))[1]);
        result.ways = ["White", "Black"].map(() => { gdl.play(gdl.legal()[0]); return [gdl.moves().at(-2), [...new Set(arrows())]]; });
    """
    found = browse(tmp_path, home, body)["ways"]
    assert found[0][1] == found[1][1] == ["0"], found  # to the right, where the trays are


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize(("size", "lies"), [("740,503", True), ("1280,800", True), ("500,900", False)])
def test_a_board_of_hex_lies_on_its_side_where_the_window_is_wide(tmp_path: Path, size: str, lies: bool):
    """Cells of eleven rows can be met by a finger on a phone, whose page is 740 by 360, and each edge is still its owner's."""
    body = """
        const middle = (name) => { const { x, y, width, height } = square(name).querySelector(".ground").getBoundingClientRect(); return [x + width / 2, y + height / 2, width]; };
        const [[ax, ay, wide], [kx, ky], [, up]] = ["a1", "k1", "a11"].map(middle);
        result.lies = [Math.abs(ky - ay) < 1, kx > ax, up < ay];
        result.wide = wide >= 22;
        const far = (line, [x, y]) => { const box = line.getBoundingClientRect(); return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y); };
        const near = (name) => [...document.querySelectorAll(".side")].filter((line) => far(line, middle(name)) < wide * 0.7).map((line) => line.getAttribute("stroke"));
        result.edges = [new Set(near("e1")).size, near("e1").length, near("e1")[0] === near("e11")[0], near("e1")[0] === near("a5")[0], near("f6").length];
    """
    (source := tmp_path / "eleven.game").write_text(gdl.read("hex")[0].replace("(n = 3)", "(n = 11)"), encoding="utf-8")
    found = browse(tmp_path, source, body, size)
    assert found == {"lies": [lies, True, True], "wide": True, "edges": [1, 2, True, False, 0]}


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize(("size", "over"), [("500,740", True), ("1280,800", False)])
def test_what_is_to_be_done_stands_over_the_table_of_a_phone_and_beside_that_of_a_desk(
    tmp_path: Path, size: str, over: bool
):
    """One's hand and what can be done are in view together."""
    body = """
        const box = (what) => document.querySelector(what).getBoundingClientRect();
        result.over = box("#due").bottom <= box("#table").top;
        result.beside = box("#due").left >= box("#table").right;
        result.inside = ["#moves button", "#below .card"].map((what) => box(what).bottom <= innerHeight);
    """
    assert browse(tmp_path, "leduc", body, size) == {"over": over, "beside": not over, "inside": [True, True]}


SNAILS = """
players Ann, Bob
type Snail = red, green, slow
board Field = track(3)
board Town = graph(Ulm-Aalen, Aalen-Bonn)
state
    snails[Field]: sequence of Snail up to 3
    own, other: Field = 2
    station[Town]: Player?
    far[Player, Field]: Boolean
start place
chance place
    push(snails[1], red)
    push(snails[1], green)
    push(snails[1], slow)
    next Ann
action build(t: Town) as "{t}" when station[t] = none
    station[t] := mover
    far[mover, 1] := true
terminal
    no actions -> draw
"""


@pytest.mark.thorough
@needs_browser
def test_towns_and_men_of_a_stack_bear_their_names_and_tracks_are_as_wide_as_one_another(tmp_path: Path):
    (source := tmp_path / "snails.game").write_text(SNAILS, encoding="utf-8")
    body = """
        result.towns = [...document.querySelectorAll(".points .name")].map((each) => each.textContent);
        const [stack] = document.querySelectorAll(".men");
        result.stack = [...stack.querySelectorAll("text")].map((each) => each.textContent);
        result.colours = [...stack.querySelectorAll("rect")].map((each) => each.getAttribute("fill"));
        const tracks = [...document.querySelectorAll("figure")].filter((each) => each.querySelectorAll(".square").length === 3 && each.textContent.startsWith("far"));
        result.wide = new Set(tracks.map((each) => Math.round(each.getBoundingClientRect().width))).size;
    """
    assert browse(tmp_path, source, body, "500,900") == {
        "towns": ["Ulm", "Aalen", "Bonn"],
        "stack": ["red", "green", "slow"],
        "colours": ["red", "green", "#cfc6b0"],
        "wide": 1,
    }


@pytest.mark.thorough
@needs_browser
def test_a_roll_with_variations_stands_in_its_column(tmp_path: Path):
    """A new game rolls anew, and what was rolled before stays as a variation."""
    body = """
        gdl.seats("person", "person");
        while (!document.querySelector("#log details")) document.getElementById("new").click();
        for (let k = 0; k < 2; k++) gdl.play(gdl.legal()[0]);
        const [round] = document.querySelectorAll("#log .round");
        result.parts = [...round.children].map((each) => each.localName);
        const [number, ...lefts] = [round, ...round.querySelectorAll(":scope > span")].map((each) => each.getBoundingClientRect().left);
        result.columns = lefts.map((left) => left - number > 30);
    """
    assert browse(tmp_path, "backgammon", body) == {"parts": ["span", "details", "span"], "columns": [True, True]}

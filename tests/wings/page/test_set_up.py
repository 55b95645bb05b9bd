"""A page is set up by its link, one's own side is below, and moves of chessmen have the names of books."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsers import needs_browser
from page_script import needs_node
from test_log_in_words import acted
from test_play_page import browse


@pytest.mark.thorough
@needs_node
def test_moves_of_chessmen_have_short_names():
    """Two knights that may go to one square are told apart; the name of an action stays in links."""
    body = """
        gdl.seats("person", "person");
        for (const name of "e2e4 d7d5 e4d5 d8d5 g1f3 b8c6 d2d4 c8d7 f1e2 e8c8 e1g1 d5e6 b1d2".split(" ")) gdl.play(name);
        result.log = read("#log button");
        result.told = read("#told")[0];
        result.moves = gdl.moves().slice(0, 3);
    """
    found = acted("chess", body)
    wanted = "e4 d5 exd5 Qxd5 Nf3 Nc6 d4 Bd7 Be2 O-O-O O-O Qe6 Nbd2"
    assert found["log"] == wanted.split() and found["moves"] == ["e2e4", "d7d5", "e4d5"]
    assert found["told"] == "White plays Nbd2."


@pytest.mark.thorough
@needs_node
@pytest.mark.parametrize(
    ("name", "offered", "said"),
    [
        ("tic_tac_toe", "128", "From level 3 on"),
        ("breakthrough", "12345678", ""),
        ("figure_5_2", "8", "From level 1 on"),
    ],
)
def test_as_many_levels_are_offered_as_differ(name: str, offered: str, said: str):
    body = """
        const all = [...document.querySelectorAll("#level option")].filter((each) => !each.hidden);
        result.offered = all.map((each) => each.textContent).join("");
        result.means = document.getElementById("means").textContent;
    """
    found = acted(name, body)
    told = f" {said} this game is played as at level 8." if said else ""
    assert found == {"offered": offered, "means": f"Level 8: the best move that it finds.{told}"}


@pytest.mark.thorough
@needs_browser
def test_what_is_set_up_stands_in_the_link_and_ones_own_side_is_below(tmp_path: Path):
    body = """
        const low = (name) => square(name).getBoundingClientRect().top;
        const by = (id) => document.getElementById(id);
        const choose = (id, value) => { by(id).value = value; by(id).dispatchEvent(new Event("change", { bubbles: true })); };
        result.read = ["level", "seconds", "sides"].map((id) => by(id).value);
        result.below = [by("below").textContent.includes("Black"), low("a8") > low("a1")];
        by("turn").click();
        result.turned = [by("below").textContent.includes("White"), low("a8") < low("a1"), location.hash.split("/")[0]];
        by("turn").click();
        choose("level", "8"); choose("sides", "all"); choose("seconds", "10");
        result.hash = location.hash.split("/")[0];
        result.people = [by("below").textContent.includes("White"), low("a8") < low("a1")];
        gdl.play("e7e5");
        const arrows = () => [...document.querySelectorAll(".way")].map((each) => each.getAttribute("class"));
        result.arrows = arrows();
        const strip = by("below").getBoundingClientRect().top;
        by("values").click();
        result.strip = by("below").getBoundingClientRect().top - strip;
    """
    found = browse(tmp_path, "chess", body, fragment="#cp~l3~s0.3/e2e4")
    assert found == {
        "read": ["3", "0.3", "1"],
        "below": [True, True],
        "turned": [True, True, "#cp~t~l3~s0.3"],
        "hash": "#pp~s10",
        "people": [True, True],
        "arrows": ["way was"],
        "strip": 0,
    }

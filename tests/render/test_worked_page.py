"""The page on which a table of plans is worked out: its words, and in a browser what is marked at each step."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsers import needs_browser
from test_page import tried

import gdl
from gdl.render.draw import draw
from gdl.render.worked_page import table_methods
from gdl.solvers import solve
from gdl.solvers.equilibria.worked import work_out_equilibria


def told(game: str, way: int) -> list[str]:
    return [" ".join((deed.said, *deed.why)) for deed in table_methods(work_out_equilibria(gdl.load(game)))[way].steps]


def page(name: str) -> str:
    game = gdl.load(name)
    text = draw(game, solve(game, "nash"), "html", worked=work_out_equilibria(game))
    assert isinstance(text, str)
    return text


def test_best_replies_are_told_player_by_player_and_then_the_equilibria():
    assert told("chicken", 0)[0].startswith("If ")
    said = told("battle_of_the_sexes", 0)
    assert said[0] == "If She plays fight, He does best by fight. He gets 2 by fight and 0 by ballet."
    assert said[4].startswith(
        "At (fight, fight) all numbers are underlined. It is an equilibrium: He gets 2 and She gets 1"
    )
    assert said[-1] == "Done: there are 2 equilibria in which nobody mixes."
    assert told("matching_pennies", 0)[-1] == "Done: there is no equilibrium in which nobody mixes."


def test_a_dominated_plan_is_compared_number_by_number():
    first, *_, last = told("prisoners", 1)
    assert (
        first
        == "Round 1: silent of A is strictly dominated by betray. If B plays silent: 0 > −1. If B plays betray: −2 > −3."
    )
    assert last == "Done: (betray, betray) is left, the only equilibrium."
    assert "1/9 (strong: beer, weak: quiche) + 8/9" in told("beer_quiche", 1)[0]


def test_a_mixed_equilibrium_comes_with_its_equations_of_indifference():
    *_, suppose, verdict, done = told("battle_of_the_sexes", 2)
    assert "He is indifferent if 2 q(fight) + 0 q(ballet) = 0 q(fight) + 1 q(ballet)." in suppose
    assert "With p(fight) + p(ballet) = 1: p(fight) = 2/3 and p(ballet) = 1/3." in suppose
    assert verdict == "This is an equilibrium. He gets 2/3 and She gets 2/3, and no plan outside pays more."
    assert done == "Done: there are 3 equilibria whose supports are of one size."
    assert "degenerate" in told("beer_quiche", 2)[-1]
    assert "No: q(fight)" not in " ".join(told("battle_of_the_sexes", 2))


def test_a_path_says_which_label_is_there_twice():
    first, second, done = told("battle_of_the_sexes", 3)
    assert "So the label fight of She is there twice" in first
    assert second.endswith("That is the label that was dropped first: all are there.")
    assert done == "Done: dropping fight of He leads to this equilibrium."


@pytest.mark.thorough
@needs_browser
def test_steps_mark_the_table(tmp_path: Path):
    script = """
    const marked = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
    const way = (value) => { byId("way").value = value; byId("way").dispatchEvent(new Event("change")); };
    result.ways = marked("#way option");
    press("ArrowRight");
    result.replies = marked(".reply");
    press("e");
    result.boxed = marked(".equilibrium");
    press("End");
    result.found = marked("#found li");
    result.done = said();
    way(1); press("End");
    result.struck = [marked("span.struck"), marked("td.struck").length];
    way(2); press("End");
    byId("found").querySelector("li:last-child button").click();
    result.weights = marked(".weight").filter(Boolean);
    result.lit = marked("#code [aria-current]");
    """
    found = tried(tmp_path, page("battle_of_the_sexes"), script)
    assert found["ways"][:3] == ["best replies", "dominance", "supports"] and len(found["ways"]) == 7
    assert found["replies"] == ["2", "1"] and found["boxed"] == ["2, 1"]
    assert found["found"] == ["(fight, fight)", "(ballet, ballet)"]
    assert found["struck"] == [[], 0]
    assert found["weights"] == ["1/3", "2/3", "2/3", "1/3"] and found["lit"] == ["else it is an equilibrium"]
    struck = tried(tmp_path, page("prisoners"), script)["struck"]
    assert struck == [["silent", "silent"], 3]


@pytest.mark.parametrize("name", ["seltens_horse", "beer_quiche"])
def test_a_tree_stands_beside_the_table_of_its_plans(name: str):
    text = page(name)
    assert "<summary>The tree</summary>" in text and text.count("<table>") == (2 if name == "seltens_horse" else 1)


def test_hostile_names_stay_text():
    bad = "</script><img src=x onerror=alert(1)>"
    game = gdl.loads(f'game "{bad}"\nplayers "{bad}", B\nmatrix\n        x   "{bad}"\n"{bad}"  1  2\n  y  0  3\n').game
    text = draw(game, solve(game, "nash"), "html", worked=work_out_equilibria(game))
    assert isinstance(text, str) and "<img" not in text and text.count("</script>") == 2

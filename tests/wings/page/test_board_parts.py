"""Parts of boards are found in the rules: whose edges are joined, where the ground is, bar and tray; and a page begins
with the variant for play."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import gdl
from gdl.interpreter.rules_game import playable
from gdl.model.games import RulesModel
from gdl.render.boards_data import boards_data
from gdl.wings.page.board_parts import add_parts
from gdl.wings.page.page_variants import page_variants


def board_of(name: str) -> dict[str, Any]:
    model = gdl.load(name).model
    assert isinstance(model, RulesModel)
    boards = boards_data(model, id)
    add_parts(boards, playable(model))
    return boards[0]


@pytest.mark.parametrize(("name", "count"), [("hex", 12), ("dark_hex", 8)])
def test_each_player_has_two_edges_of_hex(name: str, count: int):
    sides = board_of(name)["sides"]
    assert Counter(side[-1] for side in sides) == {0: count, 1: count}
    below = {player: max(y for _, y, *_, who in sides if who == player) for player in (0, 1)}
    assert below[0] == pytest.approx(below[1], abs=0.6)  # both meet in the lowest corner


def test_where_no_line_wins_no_edge_is_anybodys():
    assert board_of("chinese_checkers")["sides"] == []


def test_lines_of_hexagons_are_named_at_their_lowest_hexagons():
    board = board_of("hex")
    places = {square["name"]: square for square in board["squares"]}
    labels = {label["text"]: label for label in board["labels"]}
    assert sorted(labels) == ["1", "2", "3", "a", "b", "c"]
    for word, lowest in {"a": "a1", "c": "c1", "1": "a1", "3": "a3"}.items():
        aside, down = (labels[word][axis] - places[lowest][axis] for axis in "xy")
        assert abs(aside) < down and (aside > 0) == word.isalpha()


def test_lines_between_dots_are_narrow_and_boxes_wide():
    board = board_of("dots_and_boxes")
    sizes = {square["name"]: (square["wide"], square["high"]) for square in board["squares"]}
    assert [sizes[name] for name in ("a1", "b1", "a2", "b2")] == [(0.5, 0.5), (1.5, 0.5), (0.5, 1.5), (1.5, 1.5)]
    assert board["reach"] == 1 and all("wide" not in square for square in board_of("othello")["squares"])


def test_hackenbush_stands_on_its_ground():
    board = board_of("hackenbush")
    feet = {
        square["name"]: square["x"] for square in board["squares"] if round(square["y"], 3) == board["ground"] - 0.6
    }
    assert sorted(feet) == ["0-1", "0-5", "6-0"] and len(board["dots"]) == 6
    assert feet == {name: next(dot["x"] for dot in board["dots"] if dot["name"] in set(name) - {"0"}) for name in feet}


def test_backgammon_has_bar_and_tray_and_the_first_players_home_below():
    squares = board_of("backgammon")["squares"]
    ends = {(each["name"], each["end"]): each for each in squares if "end" in each}
    assert sorted(ends) == [("0", "bar"), ("0", "off"), ("25", "bar"), ("25", "off")]
    assert {each["x"] for (_, end), each in ends.items() if end == "bar"} == {6}
    home = [each for each in squares if each["name"] in ("19", "24")]
    assert [(each["x"], each["y"]) for each in home] == [(7, 11), (12, 11)]
    assert len({(each["x"], each["y"]) for each in squares}) == 28


@pytest.mark.parametrize(("name", "names"), [
        ("hex", ["play", ""]), ("stratego", ["play", ""]), ("nim", ["", "misere"]), ("prisoners", []),
    ],
)  # fmt: skip
def test_a_page_begins_with_the_variant_for_play(name: str, names: list[str]):
    assert list(page_variants(*gdl.read(name)[:2], None)) == names

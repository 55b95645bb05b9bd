"""Men of whom the state says where they stand are drawn on their boards: as text, as a picture, and on the page."""

from xml.etree import ElementTree

import pytest
from drawn_games import CHASE

import gdl
from gdl.interpreter.board_pieces import pieces_by_board
from gdl.interpreter.drawing import Drawer
from gdl.interpreter.rules_game import RulesGame
from gdl.render.boards_data import boards_data
from gdl.render.svg.board_picture import svg_position

BUILDERS = """
game "Builders"
players Ann, Bob
board Square = grid(3, 2)
state
    height[Square]: 0..4
    worker[p: Player, n: 1..2]: Square = if p = Ann then (if n = 1 then a1 else b1) else if n = 1 then b2 else c2
action go(n: 1..2, s: Square) as "{n}{s}" when s in neighbours(worker[mover, n], directions)
    worker[mover, n] := s
    height[s] := height[s] + 1
terminal
    exists s in Square: height[s] = 4 -> draw
"""

PURSUIT = """
game "Pursuit"
players Thief, Police
board Place = graph(inn - mill, mill - church, church - inn)
state
    thief: Place = church visible to p when p = Thief
    detective[n: 1..2]: Place = if n = 1 then inn else mill
action flee(s: Place) as "{s}" when mover = Thief and s in neighbours(thief) unseen
    thief := s
action search(n: 1..2, s: Place) as "{n}-{s}" when mover = Police and s in neighbours(detective[n])
    detective[n] := s
terminal
    exists n in 1..2: detective[n] = thief -> win Police
"""


def game(text: str) -> RulesGame:
    return RulesGame(gdl.loads(text, "g.game").model)  # type: ignore[arg-type]


def shown(text: str, *after: str) -> list[str]:
    played = game(text)
    state = played.initial()
    for action in after:
        state = played.successor(state, action)
    return played.show(state).splitlines()


def test_men_stand_on_what_is_said_of_their_squares():
    drawn = ["height/worker", "2 1/A1    0 0/B2", "1 1/B1 0/A2    0", "     a    b    c"]
    assert shown(BUILDERS, "1a2", "1a1") == drawn


def test_men_that_share_a_square_are_both_told():
    assert shown(CHASE) == ["2 . . B", "1 W . .", "  a b c", "moves = 0"]
    assert shown(CHASE, "b2", "b2") == ["2   . W+B   .", "1   .   .   .", "    a   b   c", "moves = 2"]


def test_who_stands_nowhere_is_told_on_a_line():
    assert shown(CHASE, "leave") == ["2 . . B", "1 . . .", "  a b c", "king: White: none, Black: c2", "moves = 9"]


def test_several_variables_are_told_apart_and_what_is_hidden_is_not_shown():
    assert shown(PURSUIT) == ["inn    d1 - mill, church", "mill   d2 - inn, church", "church t  - inn, mill"]
    played = game(PURSUIT)
    seen = Drawer(played.model).text(played.visible_cells(played.initial(), 1))
    assert seen.splitlines() == ["inn    d1 - mill, church", "mill   d2 - inn, church", "church .  - inn, mill"]


@pytest.mark.parametrize("names, signs", {
    "Ann, Bob": ["A", "B"], "Ann, Abe": ["An", "Ab"], "P1, P2": ["P1", "P2"], "Jo, Joan": ["Jo", "Joa"],
}.items())  # fmt: skip
def test_names_are_cut_to_what_tells_them_apart(names, signs):
    first = names.split(",")[0]
    (group,) = pieces_by_board(game(CHASE.replace("White, Black", names).replace("White", first)).model)
    assert [man.sign for man in group.men] == signs


def test_what_a_board_says_is_not_hidden_by_marks():
    """A square by itself stands for no man where an array says something of the board: chess notes one passed over."""
    assert pieces_by_board(gdl.loads(*gdl.read("chess")).model) == []  # type: ignore[arg-type]
    assert [group.over for group in pieces_by_board(gdl.loads(*gdl.read("kriegspiel")).model)] == [None]  # type: ignore[arg-type]


def test_the_picture_has_them():
    words = {}
    for name, text in {"builders": BUILDERS, "chase": CHASE, "pursuit": PURSUIT}.items():
        played = game(text)
        drawn = ElementTree.fromstring(svg_position(played.model, played.initial().cells, name))
        words[name] = [found.text for found in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"A1", "A2", "B1", "B2"} <= set(words["builders"])
    assert words["builders"].count("0") == 6  # below a man too
    assert {"W", "B"} <= set(words["chase"])
    assert {"t", "d1", "d2"} <= set(words["pursuit"])


def test_the_page_has_them():
    found = [boards_data(game(text).model, lambda _: 0) for text in (BUILDERS, CHASE, PURSUIT)]
    told = [[(board["title"], [(man["sign"], man["name"], man["owner"]) for man in board["men"]]) for board in boards]
            for boards in found]  # fmt: skip
    assert told == [
        [("height/worker", [("A1", "worker Ann 1", 0), ("A2", "worker Ann 2", 0), ("B1", "worker Bob 1", 1),
                            ("B2", "worker Bob 2", 1)])],
        [("king", [("W", "king White", 0), ("B", "king Black", 1)])],
        [("thief, detective", [("t", "thief", None), ("d1", "detective 1", None), ("d2", "detective 2", None)])],
    ]  # fmt: skip

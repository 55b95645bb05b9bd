"""Positions as text: what is read is what was written, and what cannot be read is told with its place."""

from __future__ import annotations

from random import Random
from textwrap import dedent

import pytest
from places import LANGUAGE
from sampling import one_in
from shipped import loaded

import gdl
from gdl.errors import GameError
from gdl.game import Decision, Terminal
from gdl.interpreter import position
from gdl.model.games import RulesModel
from gdl.states.explore import moves

WITH_NOTATION = [name for name, file in gdl.shipped().items() if "\nnotation " in file.read_text(encoding="utf-8")]
KINDS = dedent("""
    players Ann, Bob
    type Suit = red, green
    board Square = grid(3, 2)
    state
        top: Suit?
        hand: set of Suit
        spots: set of 1..3
        left: 0..20 = 7
        tall: Boolean
        man[Square]: Suit?
        seeds[Player, 1..2]: 0..30
        side[Square]: Player?
        king[Square]: Boolean
    notation "{top} {hand};{spots} {man} {seeds} {side, king} {mover}[ {left} {1}[ {tall}]]"
        side, king at no: A = Ann false, AK = Ann true, B = Bob false, BK = Bob true
        hand: r = red, g = green
    define no(s: Square) = if column(s) = 2 then none else column(s) + 10 * row(s)
    position full "green rg;1,3 r.g/2g 20,0/3,4 AK11,13:B23,K21 Bob 9 8 true"
    action show as "{top} {hand} {spots} {left} {tall} {seeds[Ann, 1]} {seeds[Bob, 2]} {man[c2]} {king[a2]} {mover}"
    terminal
        forever -> draw
    expect actions = {"green {red, green} {1, 3} 9 true 20 4 green true Bob"} at full
    expect actions = {"none {} {} 7 false 0 0 none false Ann"}
    """)


def begun(text: str, at: str):
    return gdl.loads(dedent(text), position=at).game


def actions(game) -> tuple[str, ...]:
    node = game.node(game.initial())
    assert isinstance(node, Decision)
    return node.actions


def message(text: str, at: str | None = None) -> str:
    with pytest.raises(GameError) as wrong:
        gdl.loads(dedent(text), position=at)
    return str(wrong.value)


@pytest.mark.thorough
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", one_in(3, WITH_NOTATION, first=1))
def test_positions_of_shipped_games_come_back_from_their_text(name: str):
    """The text of a position gives back its node and its drawing, at every third state of a few random plays, and at
    their ends."""
    file = loaded(name)
    assert isinstance(file.model, RulesModel)
    random = Random(name)
    for _ in range(2):
        state = file.game.initial()
        for ply in range(25):
            node = file.game.node(state)
            if ply % 3 == 0 or isinstance(node, Terminal):
                again = gdl.play(position.begin_at(file.model, position.text_of(file.model, state)))
                assert again.show(again.initial()) == file.game.show(state)
                assert again.node(again.initial()) == node
            if isinstance(node, Terminal):
                break
            state = file.game.successor(state, random.choice(list(moves(node))))


def test_games_with_a_notation():
    assert {"chess", "checkers", "draughts", "othello", "connect_four", "tic_tac_toe"} <= set(WITH_NOTATION)


def test_every_kind_of_field():
    loaded = gdl.loads(KINDS)
    (known,) = loaded.model.positions.values()
    text = known.text.source.text[known.text.start : known.text.end]
    at = position.begin_at(loaded.model, "full")
    assert actions(gdl.play(at)) == ("green {red, green} {1, 3} 9 true 20 4 green true Bob",)
    assert position.text_of(at, gdl.play(at).initial()) == "green rg;13 r1g/2g 20,0/3,4 AK11,13:BK21,23 Bob 9 1 true"
    assert position.begin_at(loaded.model, text) == at


@pytest.mark.parametrize(
    ("end", "told"),
    [("", "7 false"), (" 3 1", "3 false"), (" 3 x true", "3 true")],
)
def test_what_may_be_left_out(end: str, told: str):
    (action,) = actions(begun(KINDS, f"- -;- 6 0,0/0,0 A:B Ann{end}"))
    assert action.split()[3:5] == told.split()


@pytest.mark.parametrize(
    ("text", "column", "part"),
    [
        ("blue rg;- 6 0,0/0,0 A Ann", 1, "this is no value of top"),
        ("red rx;- 6 0,0/0,0 A Ann", 6, "'x' stands for nothing in hand"),
        ("red rr;- 6 0,0/0,0 A Ann", 6, "'r' stands here twice"),
        ("red r;- rrrr/3 0,0/0,0 A Ann", 9, "this row shows 4 squares, and it has 3"),
        ("red r;- 3 0,0/0,0 A Ann", 9, "man has 2 rows, and here is 1 row"),
        ("red r;- r?r/3 0,0/0,0 A Ann", 10, "'?' stands for nothing in man"),
        ("red r;- 6 0,40/0,0 A Ann", 13, "this is no value of seeds"),
        ("red r;- 6 0,0/0,0 A12 Ann", 19, "this is no square"),
        ("red r;- 6 0,0/0,0 A11:B11 Ann", 23, "this square stands here twice"),
        ("red r;- 6 0,0/0,0 A11-13,13 Ann", 26, "this square stands here twice"),
        ("red r;- 6 0,0/0,0 A11-12 Ann", 19, "this is no square"),
        ("red r;- 6 0,0/0,0 A13-11 Ann", 19, "this is no square"),
        ("red r;- 6 0,0/0,0 A11 Cid", 23, "this is no value of mover"),
        ("red r;- 6 0,0/0,0 A11", 22, "a blank, and mover after it, is due here"),
        ("red r - 6 0,0/0,0 A11 Ann", 6, "' ' stands for nothing in hand"),
        ("red r", 6, "';' is due here"),
        ("red r;- 6 0,0/0,0 A11 Ann 21 1", 27, "this is no value of left"),
        ("red r;- 6 0,0/0,0 A11 Ann 2", 28, "a blank, and 1 after it, is due here"),
        ("red r;- 6 0,0/0,0 A11 Ann 2 1 true x", 31, "this is no value of tall"),
    ],
)
def test_a_wrong_position_is_told_with_its_place(text: str, column: int, part: str):
    told = message(KINDS, text)
    assert told.startswith(f"position:1:{column}: error: {part}"), told
    assert f"  1 | {text}\n" in told


BOARD = """
players Ann, Bob
board Square = grid(2, 2)
state
    man[Square]: Player?
    n: 0..3
{}
define same(s: Square) = column(s)
define changing(s: Square) = man[s]
action wait(k: 0..3) when same(a1) = 1 and changing(a1) = none and man[b2] = none
    n := k
    man[a1] := mover
terminal
    n = 3 -> draw
    forever -> draw
"""


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ('notation "{men}"', "no variable is called 'men'"),
        ('notation "{man}{mover}"', "nothing stands between two fields"),
        ('notation "{man"', "this '{' has no partner"),
        ('notation "{man, n}"', "arrays over the same squares"),
        ('notation "{man}"\n    mover: A = Ann', "the notation has no such field"),
        ('notation "{man}"\n    man A Ann', "this line of the notation has another form"),
        ('notation "{man}"\n    man: A = Cid', "Cid"),
        ('notation "{man}"\n    man at nobody: A = Ann', "no definition is called 'nobody'"),
        ('notation "{man}"\n    man at same: A = Ann, B = Bob', "same calls two squares 1: a1 and a2"),
        ('notation "{man}"\n    man from c1: A = Ann', "'c1' is no corner of the board"),
        ('notation "{man}"\n    man at changing: A = Ann', "must not change during play"),
        ('notation "{man}"\nnotation "{n}"', "a second 'notation'"),
        ('notation "{n}"\nposition late "7"', "this is no value of n"),
        ('notation "{n}"\nstart "7"', "this is no value of n"),
        ('position late "2"', "declares no notation for positions"),
        ('notation "{n}"\nposition n "2"', "the name 'n' is taken"),
    ],
)
def test_a_wrong_notation_is_told(section: str, told: str):
    assert told in message(BOARD.replace("{}", section))


def test_named_positions_are_read_under_the_parameters_of_the_game():
    """A text that does not fit another size is no mistake of the file; whoever asks for it is told."""
    text = """
    game "Row" (n = 3)
    players Ann, Bob
    state
        left: 0..n = n
    notation "{left}"
    position last "3"
    action take
        left := left - 1
    terminal
        left = 0 -> win Ann
    expect value = 1 at last
    """
    assert gdl.loads(dedent(text), settings={"n": "2"}).game.node is not None
    with pytest.raises(GameError, match="left is written a number from 0 to 2"):
        gdl.loads(dedent(text), settings={"n": "2"}, position="last")


@pytest.mark.parametrize(("corner", "rows"), [("a2", "AB/.."), ("b2", "BA/.."), ("a1", "../AB"), ("b1", "../BA")])
def test_a_picture_begins_with_any_corner(corner: str, rows: str):
    """Ann stands on a2, Bob on b2."""
    model = gdl.loads(
        BOARD.replace("{}", f'notation "{{man}}"\n    man from {corner}: A = Ann, B = Bob, . = none')
    ).model
    begun = position.begin_at(model, rows)
    assert begun.variables[0].initial == (None, None, 0, 1)
    assert position.text_of(begun, gdl.play(begun).initial()) == rows


def test_squares_in_a_row():
    model = gdl.loads(*gdl.read("draughts")).model
    assert position.begin_at(model, "W:W31-50:B1-20") == position.begin_at(
        model, position.text_of(model, gdl.play(model).initial())
    )


def test_a_name_that_is_nearly_that_of_a_position():
    told = message(KINDS, "fulll")
    assert told.endswith("help: write 'full'")


def test_what_a_start_does_stays_where_the_position_says_nothing():
    text = """
    players Ann, Bob
    state
        a: 0..9
        b: 0..9
    notation "{a}"
    start
        a := 5
        b := 6
        next Bob
    action tell as "{a} {b} {mover}"
    terminal
        forever -> draw
    """
    assert actions(begun(text, "7")) == ("7 6 Bob",)


def test_a_position_in_a_chance_step_or_a_joint_move():
    text = """
    players Ann, Bob
    state
        n: 0..3
    notation "{n}"
    start roll
    chance roll(k: 1..2)
        n := n + k
    action stay
    terminal
        n = 3 -> draw
        forever -> draw
    """
    game = begun(text, "1")
    state = game.successor(game.initial(), "roll(2)")
    assert game.node(state) == Terminal((0, 0))
    together = text.replace("start roll", "start everyone").replace("action stay", "action stay when n = 2")
    assert begun(together, "2").node(begun(together, "2").initial()).actions == (("stay",), ("stay",))


def test_only_rules_have_positions():
    with pytest.raises(GameError, match="declares no notation for positions"):
        gdl.load("prisoners", position="x")


def test_hands_are_counted_or_repeated():
    model = gdl.loads((LANGUAGE / "hands.game").read_text("utf-8"), "hands.game").model
    some = position.begin_at(model, "some")
    assert position.text_of(some, gdl.play(some).initial()) == "RGg5p [PPr] Black"
    assert position.begin_at(model, "RGgp4p [2Pr] Black") == some
    empty = position.begin_at(model, "empty")
    assert position.text_of(empty, gdl.play(empty).initial()) == "- [] White"


@pytest.mark.parametrize(
    ("text", "message"),
    [("K [] White", "'K' stands for nothing in hand"), ("5p5p [] White", "more than 9 of 'p' are in hand")],
)
def test_a_hand_that_cannot_be(text, message):
    model = gdl.loads((LANGUAGE / "hands.game").read_text("utf-8"), "hands.game").model
    with pytest.raises(GameError, match=message):
        position.begin_at(model, text)


def test_whoever_is_first_begins_where_a_text_names_nobody():
    text = """
    players Ann, Bob
    state
        left: 0..9
    notation "{left}"
    start "7"
    action take
        left := left - 1
    terminal
        left = 0 -> win mover
    """
    node = (game := gdl.loads(dedent(text)).game).node(game.initial())
    assert isinstance(node, Decision) and node.player == 0


def test_a_line_for_two_arrays_says_how_squares_are_drawn():
    model = gdl.loads(KINDS).model
    assert isinstance(model, RulesModel)
    (look,) = model.looks
    assert [model.variables[index].name for index in look.variables] == ["side", "king"]
    assert look.symbols == {(0, False): "A", (0, True): "AK", (1, False): "B", (1, True): "BK"}


def test_a_line_for_one_array_only_says_how_it_is_written():
    text = KINDS.replace("    side, king at no", "    man: r = red, g = green\n    side, king at no")
    assert text != KINDS
    assert gdl.loads(text).model.looks == gdl.loads(KINDS).model.looks

"""`look` in text, in SVG and in a notebook: names, signs, marks and colours, and what is left out."""

from importlib.resources import files
from xml.etree import ElementTree

import gdl
from gdl.interpreter.drawing import Drawer
from gdl.model.appearance import COLOURS, LONGEST_SIGN, SIGNS, present_model, sign_in_text
from gdl.model.symbols import read_symbols, symbol_names
from gdl.render.notebook import game_svg
from gdl.render.svg.board_picture import svg_position

RULES = """players Ann, Bob
board Square = grid(3, 2)
type Kind = orc, elf
type Card = fire, flood
state
    side[Square]: Player?
    kind[Square]: Kind?
    was_side[Square]: Player?
    was_kind[Square]: Kind?
    at: Square = a1
    hand[Player]: set of Card = {fire, flood}
    life: 0..9 = 3
start
    side[b2], kind[b2] := Bob, elf
action go(s: Square) when s in neighbours(at) and s not in {c2}  # {mover} walks to {s}
    was_side[at], was_kind[at] := side[s], kind[s]
    at := s
    life := life - 1
action cast(c: Card)
    hand[mover] := hand[mover] - {c}
terminal
    life = 0 -> win mover
    forever -> draw
"""
LOOK = """look
    hide was_side, was_kind
    show life as "lives left"
    show flood as "Flood: <all> discard"
    draw at as "@"
    draw elf as "star"
    mark {c1, b2} as "cross"
    colour Bob as "gold"
"""


def shown(text: str) -> str:
    game = gdl.loads(text, "g.game").game
    return game.show(game.initial())


def test_a_text_shows_names_signs_and_marks():
    assert shown(RULES + LOOK) == (
        "side/at\n2   .   e   .\n1 ./@   .   ×\n    a   b   c\n"
        "hand: Ann: {fire, Flood: <all> discard}, Bob: {fire, Flood: <all> discard}\nlives left = 3"
    )


def test_without_a_look_every_variable_is_shown():
    assert all(word in shown(RULES) for word in ("was_side", "was_kind", "life = 3", "flood"))


def test_svg_and_notebook_show_the_same():
    game = gdl.loads(RULES + LOOK, "g.game").game
    picture = svg_position(game.model, game.initial().cells, "g")
    assert "lives left" in picture and "Flood: &lt;all&gt; discard" in picture and "was_" not in picture
    assert COLOURS["gold"] in picture and 'class="star"' in picture and 'class="cross"' in picture and ">@<" in picture
    assert 'class="star"' not in svg_position(gdl.loads(RULES, "g.game").model, game.initial().cells, "g")
    assert game_svg(game) == game_svg(gdl.loads(RULES, "g.game").game) or game_svg(game)


def test_what_is_presented_once_stays_as_it_is():
    model = gdl.loads(RULES + LOOK, "g.game").model
    once = present_model(model)
    cells = gdl.loads(RULES + LOOK, "g.game").game.initial().cells
    assert Drawer(once).text(cells) == Drawer(model).text(cells)
    assert [v.place for v in once.variables] == [v.place for v in model.variables]


def test_points_have_names():
    text = "players A\nboard Town = graph(x-y, y-z)\nstate\n    at: Town = x\naction go(t: Town) when t in neighbours(at)\n"
    text += '    at := t\nterminal\n    at = z -> win A\nlook\n    show x as "Lisbon"\n    draw at as "%"\n'
    assert "Lisbon %" in shown(text)
    game = gdl.loads(text, "g.game").game
    assert "Lisbon" in svg_position(game.model, game.initial().cells, "g")


def test_a_hidden_hand_is_not_shown_by_its_texts():
    text = RULES.replace("{fire, flood}\n    life", "{fire, flood} visible to owner\n    life") + LOOK
    game = gdl.loads(text, "g.game").game
    assert game.show_to(game.initial(), 0).count("Flood") == 1


def test_every_sign_has_a_drawing_and_every_other_symbol_stays_a_letter_in_text():
    names = symbol_names()
    assert set(SIGNS) <= set(names) and {"king", "elephant", "bomb"} <= set(names)
    assert all(len(name) > LONGEST_SIGN and (name in SIGNS) == (sign_in_text(name) != "") for name in names)


def test_the_manual_names_every_symbol():
    page = files("gdl").joinpath("docs/look.md").read_text(encoding="utf-8")
    assert [name for name in symbol_names() if f"`{name}`" not in page] == []


def test_every_drawing_is_sound_and_of_one_size():
    """Drawings are 100 by 100, whole SVG, and nothing of a reader's fonts or of a network is in them."""
    for name, (lines, inside) in read_symbols().items():
        drawing = ElementTree.fromstring(f"<g {lines}>{inside}</g>")
        assert len(drawing) > 0, name
        assert {each.tag for each in drawing.iter()} <= {"g", "path", "circle", "rect"}, name


def test_a_piece_that_is_called_like_a_symbol_is_drawn_so():
    text = RULES.replace("orc, elf", "wolf, elf") + LOOK + '    draw elf as "rabbit"\n'
    game = gdl.loads(text, "g.game").game
    cells = list(game.initial().cells)
    place = next(v.place for v in game.model.variables if v.name == "side")
    cells[place : place + 2], cells[place + 6 : place + 8] = [0, 1], [0, 1]
    picture = svg_position(game.model, cells, "g")
    assert 'class="wolf"' in picture and 'class="rabbit"' in picture


def test_sentences_tell_what_was_done():
    look = gdl.loads(RULES, "g.game").model.appearance
    assert look.sentence("Ann", "go(b2)") == "Ann walks to b2"
    assert look.sentence("Ann", "cast(fire)") == "Ann: cast(fire)"
    dice = gdl.load("liars_dice").model.appearance
    assert dice.sentence("Bob", "bid(2, 6)") == "Bob bid 2 × 6"


def test_a_sentence_of_a_name_with_choices_in_the_body():
    text = 'players A, B\ntype C = u, v\nstate\n    n: 0..9\naction go(c: C) as "{c}"  # {mover}: {c}, and more\n'
    text += '    choose k: 1..2 as "{k}"\n    n := k\nterminal\n    n > 0 -> draw\n'
    assert gdl.loads(text, "g.game").model.appearance.sentence("A", "u2") == "A: u, and more"

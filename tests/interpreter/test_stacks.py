"""Stacks of records on the squares of a board: drawn as text and as pictures, and on the page with all cells of a
square."""

from xml.etree import ElementTree

from drawn_games import OFFERS, STACKS

import gdl
from gdl.interpreter.drawing import Drawer
from gdl.interpreter.rules_game import RulesGame
from gdl.render.svg.board_picture import svg_position

SVG = "{http://www.w3.org/2000/svg}"


def stacks() -> RulesGame:
    found = gdl.loads(STACKS, "stacks").game
    assert isinstance(found, RulesGame)
    return found


def after(game: RulesGame, *names: str):
    state = game.initial()
    for name in names:
        state = game.successor(state, name)
    return state


def test_the_top_of_a_stack_is_drawn_with_its_height():
    game = stacks()
    state = after(game, "a1", "a1", "b1")
    drawn = "1 Bq²  Aa\n    a   b\nbugs from below: a1 AqBq\nreserve: Ann: [], Bob: [ant]"
    assert Drawer(game.model).text(state.cells) == drawn
    assert Drawer(game.model).text(after(game, "a1").cells).splitlines()[:2] == ["1 Aq  .", "   a  b"]


def fills_of_circles(picture: ElementTree.Element) -> list[str | None]:
    """The colour of each circle: its own, or that of the drawing of which it is a part."""
    around = {inner: outer for outer in picture.iter() for inner in outer}
    return [circle.get("fill") or around[circle].get("fill") for circle in picture.iter(SVG + "circle")]


def test_a_stack_is_a_pile_of_discs_with_the_top_man_plain():
    game = stacks()
    picture = svg_position(game.model, after(game, "a1", "a1", "b1").cells, "stacks")
    discs = fills_of_circles(ElementTree.fromstring(picture))
    board = [text.text for text in ElementTree.fromstring(picture).iter(SVG + "text")][:4]
    assert discs[:2] == ["#fdfdf8", "#2b2b2b"] and board == ["2", "a", "a", "b"]  # Ann's below, Bob's drawn queen


PLANE = """
players Ann, Bob
board Cell = hextorus(20, 20)
state
    pile[Cell]: sequence of Player up to 4
action put(c: Cell) as "{c}" when size(pile[c]) < 4
    push(pile[c], mover)
terminal
    size(pile[j10]) = 4 -> draw
"""


def test_of_a_plane_without_end_only_what_lies_around_the_men_is_drawn():
    game = gdl.loads(PLANE, "plane").game
    assert isinstance(game, RulesGame)
    picture = ElementTree.fromstring(svg_position(game.model, after(game, "j10", "j10", "j10").cells, "plane"))
    assert 15 <= len(list(picture.iter(SVG + "polygon"))) <= 25
    assert fills_of_circles(picture) == ["#fdfdf8", "#2b2b2b", "#fdfdf8"]


def test_fields_of_records_are_shown_by_their_names():
    game = gdl.loads(OFFERS, "offers").game
    assert isinstance(game, RulesGame)
    name = "Pair(clay, none)"
    assert name in game.node(game.initial()).actions
    state = after(game, name)
    shown = "(giver Ann, pair (one clay, two none), fair true)"
    assert Drawer(game.model).text(state.cells).splitlines() == [
        f"offers = [{shown}]",
        f"held: Ann: none, Bob: {shown}",
        "seen = {(one clay, two none)}",
        "worth: (one wood, two none): 1, (one wood, two wood): 1, (one wood, two clay): 1, "
        "(one clay, two none): 2, (one clay, two wood): 1, (one clay, two clay): 1",
    ]
    memories = [game.information_set(each, 1) for each in (game.initial(), state)]
    assert f"held={shown}" in [f"{each.variable}={each.value}" for each in game.memorist.learnt(*memories, 1)]


CARDS = """
game "Cards"
players Ann, Bob
type Suit = clubs, hearts
type Card = record(suit: Suit, rank: 2..14)
type Bid = record(least: 0..9, most: 0..9)
type Note = record(giver: Player, suit: Suit)
state
    top: Card = Card(hearts, 12)
    hand: set of Card = {Card(clubs, 2), Card(hearts, 3)}
    bid: Bid = Bid(1, 2)
    note: Note = Note(Ann, clubs)
action wait
    bid.least := 2
terminal
    bid.least = 2 -> draw
"""


def test_a_card_of_a_suit_and_a_rank_is_told_without_the_names_of_its_fields() -> None:
    game = gdl.loads(CARDS).game
    assert game.show(game.initial()).splitlines() == [
        "top = hearts 12",
        "hand = {clubs 2, hearts 3}",
        "bid = (least 1, most 2)",
        "note = (giver Ann, suit clubs)",
    ]

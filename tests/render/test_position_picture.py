"""Positions as pictures: squares, hexagons, graphs as points and edges, and what is written below them."""

from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.interpreter.things import kinds
from gdl.model.games import RulesModel
from gdl.render.boards_data import boards_data, man_symbol, variables_on_boards
from gdl.render.svg.board_picture import standing, svg_position

SVG = "{http://www.w3.org/2000/svg}"
HEAD = 'game "G"\nplayers A, B\n'


def drawn(name: str, *after: str, text: str | None = None) -> ElementTree.Element:
    game = gdl.play(gdl.loads(text, "g.game").model if text else gdl.loads(*gdl.read(name)).model)
    state = game.initial()
    for action in after:
        state = game.successor(state, action)
    return ElementTree.fromstring(svg_position(game.model, state.cells, game.name))


def of(picture: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return list(picture.iter(SVG + kind))


def fills(picture: ElementTree.Element, kind: str) -> list[str]:
    return [found.get("fill", "") for found in of(picture, kind)]


def drawings(picture: ElementTree.Element) -> list[tuple[str, str]]:
    """The symbols that are drawn, each with its colour."""
    return [(found.get("class", ""), found.get("fill", "")) for found in of(picture, "g") if found.get("class")]


def words(picture: ElementTree.Element) -> list[str]:
    return [found.text or "" for found in of(picture, "text")]


def test_a_graph_is_points_and_edges():
    picture = drawn("pong_hau_ki")
    assert len(of(picture, "circle")) == 5 + 4
    assert drawings(picture).count(("stone", "#2b2b2b")) == drawings(picture).count(("stone", "#fdfdf8")) == 2
    assert len(of(picture, "path")) == 7 + 4
    assert sorted(words(picture)) == sorted(["nw", "middle", "ne", "sw", "se"])


def test_points_lie_where_their_names_say():
    places = {}
    picture = drawn("nine_mens_morris")
    circles = [group for group in of(picture, "g") if group.find(f"{SVG}circle") is not None]
    names = [word for word in words(picture) if len(word) == 2]
    for circle, name in zip(circles[:-2], names, strict=True):  # the last two stand beside the players' names
        x, y = circle.get("transform", "").removeprefix("translate(").partition(")")[0].split()
        places[name] = float(x), float(y)
    assert places["a7"][0] == places["a1"][0] < places["g1"][0]
    assert places["a7"][1] == places["g7"][1] < places["a1"][1]  # the higher rows are above
    assert len(of(picture, "path")) == 32
    assert words(picture)[-7:-1] == ["White", "hand", "9", "Black", "hand", "9"]


def test_edges_that_are_gone_are_broken_lines():
    broken = [path for path in of(drawn("hackenbush", "0-1"), "path") if path.get("stroke-dasharray")]
    assert len(broken) == 4  # what was above the edge fell
    assert not [path for path in of(drawn("hackenbush"), "path") if path.get("stroke-dasharray")]


def test_edges_that_join_the_same_points_lie_apart_and_bear_what_is_said_of_them():
    text = (
        HEAD + "board Point = graph(a-b, a-b, b-c)\nstate\n    mark[Edge]: 0..9 = 4\n    done: Boolean\n"
        "action go\n    done := true\n    mark[edge(b, c)] := 7\nterminal\n    done and mark[edge(b, c)] = 7 -> draw\n"
    )
    picture = drawn("", text=text)
    assert len({path.get("d") for path in of(picture, "path")}) == 3
    assert words(picture).count("4") == 3
    assert "7" in words(drawn("", "go", text=text))


def test_hexagons_and_squares():
    assert len(of(drawn("hex"), "polygon")) == 9
    assert "b2" in words(drawn("hex"))
    chess = drawn("chess")
    assert len(of(chess, "rect")) == 64 + 1
    men = drawings(chess)
    signs = ["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook", *["pawn"] * 8]
    assert men == [*((sign, "#fdfdf8") for sign in signs), *((sign, "#2b2b2b") for sign in [*signs[8:], *signs[:8]])]
    assert fills(chess, "rect").count("#cfc6b0") == 32


@pytest.mark.thorough
def test_men_are_drawn_by_kind():
    """Stones on crossings, discs in the players' colours, pits with seeds, a track, shogi's and xiangqi's men."""
    go = drawn("go", "e5")
    assert drawings(go) == [("stone", "#2b2b2b")] and fills(go, "rect").count("#ecd9a8") == 81
    assert drawings(drawn("connect_four", "drop(1)", "drop(1)")) == [("stone", "#f0e442"), ("stone", "#d55e00")]
    kalah = drawn("kalah")
    assert len(of(kalah, "ellipse")) == 14 and [name for name, _ in drawings(kalah)] == ["seed"] * 48
    backgammon = drawn("backgammon")
    assert drawings(backgammon).count(("man", "#fdfdf8")) == drawings(backgammon).count(("man", "#2b2b2b")) == 15
    assert [name for name, _ in drawings(drawn("shogi"))].count("wedges-pawn") == 18
    soldiers = [name for name, _ in drawings(drawn("xiangqi")) if "soldier" in name]
    assert soldiers == ["rings-soldier-0"] * 5 + ["rings-soldier-1"] * 5
    assert drawings(drawn("tic_tac_toe", "take(b2)")) == [("cross", "#222")]
    assert ("marshal", "#d55e00") in drawings(drawn("stratego", "deploy flag spy marshal", "deploy flag spy marshal"))


GUARDS = """
players White, Black
type Kind = king, guard
board Square = grid(3, 2)
state
    {arrays}
setup side{legend}
    B B B
    W . W
setup kind
    g k g
    g . g
action wait
    next other(mover)
terminal
    forever -> draw
"""


@pytest.mark.parametrize("legend", ["", "\n    B = Black, W = White"])
@pytest.mark.parametrize("turn", [1, -1])
def test_men_of_two_arrays_stand_on_one_board_though_each_array_has_a_setup(turn: int, legend: str):
    arrays = ["side[Square]: Player?", "kind[Square]: Kind?"][::turn]
    text = GUARDS.format(arrays="\n    ".join(arrays), legend=legend)
    game = gdl.play(gdl.loads(text).model)
    assert game.show(game.initial()).splitlines()[:2] == ["2 g k g", "1 G . G"]
    picture = drawn("", text=text)
    assert drawings(picture) == [("king", "#2b2b2b")] and words(picture).count("g") == 2


BACK = "#35557f"  # of a card


def test_what_lies_beside_the_boards_is_drawn_by_kind():
    """Cards face up or down, dice, heaps, counters, and men in hand by their signs."""
    game = gdl.play(gdl.loads(*gdl.read("leduc")).model)
    state = game.successor(game.successor(game.initial(), "deal(J)"), "deal(K)")
    leduc = ElementTree.fromstring(svg_position(game.model, game.visible_cells(state, 1), game.name))
    assert fills(leduc, "rect").count(BACK) == 1
    assert [word for word in words(leduc) if word in ("Ann", "Bob", "J", "Q", "K")] == ["Ann", "Bob"]
    assert [name for name, _ in drawings(leduc)] == ["letter-K", "court-K"]
    yahtzee = drawn("yahtzee", "1", "3", "6", "6", "6")
    assert [name for name, _ in drawings(yahtzee)] == ["die-1", "die-3", "die-6", "die-6", "die-6"]
    assert [word for word in words(yahtzee) if word in ("rolls", "dice = ", "points")] == ["rolls", "points"]
    nim = drawn("nim", "take(4, 2)")
    assert len(of(nim, "circle")) == 1 + 3 + 5 + 5 and "4: 5" in words(nim)
    shogi = drawn("shogi", "c3c4", "g7g6", "b2h8+")
    assert words(shogi)[-5:] == ["Black", "1", "White", "hand", "–"] and drawings(shogi)[-1][0] == "wedges-bishop"
    assert "promoted = {}" in words(drawn("crazyhouse")) and not any("rights" in word for word in words(drawn("chess")))


def test_what_each_player_sends_is_counters_from_the_start():
    assert words(drawn("colonel_blotto")) == [
        "Blotto",
        "sent 1",
        "–",
        "sent 2",
        "–",
        "Enemy",
        "sent 1",
        "–",
        "sent 2",
        "–",
    ]
    game = gdl.play(gdl.loads(*gdl.read("colonel_blotto")).model)
    state = game.successor(game.initial(), ("send 4 0", "send 1 2"))
    sent = ElementTree.fromstring(svg_position(game.model, state.cells, game.name))
    assert words(sent)[:5] == ["Blotto", "sent 1", "4", "sent 2", "0"]


@pytest.mark.thorough
def test_ships_and_the_shots_at_them_are_one_board_for_each_player():
    """The rules ask for the ships of one and the shots of the other on the same squares; the opponent's ships are hidden."""
    game = gdl.play(gdl.loads(*gdl.read("battleships")).model)
    state = game.initial()
    for action in ("hide a1-north", "hide b1-north", "a1", "b1", "b2", "a2"):
        state = game.successor(state, action)
    boards = boards_data(game.model, lambda _: 0)
    assert [board["title"] for board in boards] == ["ship Ann, mark Bob", "ship Bob, mark Ann"]
    seen = game.visible_cells(state, 0)
    signs = [[standing(board, square, seen, game.players).sign for square in board["squares"]] for board in boards]
    assert signs == [["1", "m", "1h", ""], ["m", "?", "?", "h"]]
    picture = ElementTree.fromstring(svg_position(game.model, game.visible_cells(game.initial(), 0), game.name))
    titles = ["the ships of Ann, shots of Bob", "the ships of Bob, shots of Ann"]  # as the game's `look` says
    assert [word for word in words(picture) if word == "?" or "ships" in word] == [*titles, *"????"]


def test_a_man_whose_record_names_a_player_is_that_players():
    text = (
        HEAD
        + "type Kind = king, rook\ntype Man = record(kind: Kind, owner: Player)\nboard Square = grid(3, 2)\nstate\n"
        "    man[Square]: Man?\naction put(m: Man, s: Square) when man[s] = none\n    man[s] := m\nterminal\n    no actions -> draw\n"
    )
    picture = drawn("", "put(Man(rook, B), a1)", "put(Man(king, A), c2)", text=text)
    assert sorted(drawings(picture)) == [("king", "#fdfdf8"), ("rook", "#2b2b2b")]


def test_a_deck_is_one_card_with_its_number():
    text = (
        HEAD
        + "type Card = 1..9\nstate\n    deck: sequence of Card up to 9 = [1, 2, 3, 4, 5, 6, 7, 8, 9] visible to none\n"
        "    hand[Player]: sequence of Card up to 9 visible to owner\n"
        "action draw\n    push(hand[mover], last(deck))\n    pop(deck)\nterminal\n    size(deck) = 0 -> draw\n"
    )
    game = gdl.play(gdl.loads(text, "g.game").model)
    state = game.successor(game.initial(), "draw")
    seen = ElementTree.fromstring(svg_position(game.model, game.visible_cells(state, 0), game.name))
    assert words(seen) == ["deck", "×8", "A", "hand", "9", "B", "hand", "–"]
    assert fills(seen, "rect").count(BACK) == 1


def test_rows_of_cards_that_each_player_lays_by_colour_are_drawn_each_by_its_colour():
    text = (
        HEAD + "type Colour = red, blue\ntype Card = 1..9\nstate\n    trip[Player, Colour]: sequence of Card up to 5\n"
        "action lay(c: Colour, n: Card)\n    push(trip[mover, c], n)\nterminal\n    size(trip[B, blue]) = 2 -> draw\n"
    )
    picture = drawn("", "lay(red, 2)", "lay(blue, 4)", "lay(red, 7)", text=text)
    assert words(picture) == ["A", "trip red", "2", "7", "trip blue", "–", "B", "trip red", "–", "trip blue", "4"]


@pytest.mark.thorough_of("chess-kinds_of4")
@pytest.mark.parametrize(
    ("name", "kinds_of"),
    {
        "bridge_ending": {"hand": "cards", "played": "cards", "turn": "counters", "tricks": "counters"},
        "backgammon": {"men": "board", "dice": "dice", "roller": "words"},
        "battleships": {"ship": "board", "next": "own counters"},
        "cheat": {"hand": "own cards", "cards": "own counters", "last": "cards", "due": "counters"},
        "chess": {"kind": "board", "rights": "words", "quiet": "words"},
        "hackenbush": {"standing": "board"},
        "kuhn": {"card": "own cards", "chips": "own counters", "bettor": "counters"},
        "liars_dice": {"shows": "own dice", "number_bid": "counters"},
        "monopoly": {"money": "own counters", "at": "words", "owner": "board"},
        "nim": {"left": "heaps"},
        "shogi": {"hand": "own counters"},
        "three_tricks": {"hand": "own cards", "led": "cards"},
        "subtraction": {"left": "heaps"},
        "twenty_one": {"sum": "counters", "stood": "flags"},
    }.items(),
)
def test_the_kind_of_a_picture_follows_from_declarations(name: str, kinds_of: dict[str, str]):
    model = gdl.loads(*gdl.read(name)).model
    found = kinds(model, *variables_on_boards(model, boards_data(model, lambda _: 0)))
    looks = {v.name: f"{'own ' * kind.own}{kind.look}" for v, kind in zip(model.variables, found, strict=True)}
    assert kinds_of.items() <= looks.items()


def test_a_man_who_has_something_more_is_drawn_by_his_kind():
    glyphs = {"spy": ["spy"], "general": ["rings-general-0", "rings-general-1"]}
    assert man_symbol(glyphs, "spy met") == man_symbol(glyphs, "Spy") == "spy" and man_symbol(glyphs, "met") == ""
    assert man_symbol(glyphs, "general", 1) == "rings-general-1"


def test_what_is_hidden_stands_there_by_a_question_mark():
    game = gdl.play(gdl.loads(*gdl.read("stratego")).model)
    state = game.initial()
    for _ in range(2):
        state = game.successor(state, "deploy flag spy marshal")
    seen = ElementTree.fromstring(svg_position(game.model, game.visible_cells(state, 0), game.name))
    assert words(seen).count("?") == 3 and [name for name, _ in drawings(seen)].count("spy") == 1


def test_what_is_not_drawn_is_written_in_lines_that_fit():
    text = (
        HEAD
        + "state\n    heap[i: 1..300]: 0..9 = i mod 2\naction add\n    heap[300] := 1\nterminal\n    heap[300] = 1 -> draw\n"
    )
    picture = drawn("", text=text)
    assert float(picture.get("width", "")) < 1000
    assert " ".join(word.strip() for word in words(picture)).count(": 0") == 150


@pytest.mark.slow
@pytest.mark.parametrize("name", gdl.shipped())
def test_every_shipped_game_is_drawn(name: str):
    loaded = gdl.loads(*gdl.read(name))
    if isinstance(loaded.model, RulesModel):
        picture = drawn(name)
        assert words(picture) or len(of(picture, "rect")) > 1


def shown(*arguments: str):
    return CliRunner().invoke(commands, ["show", *arguments], prog_name="gdl")


def test_show_writes_a_picture(tmp_path):
    file = tmp_path / "p.svg"
    assert shown("tic_tac_toe", "--after", "take(b2)", "-o", str(file)).exit_code == 0
    assert drawings(ElementTree.fromstring(file.read_text())) == [("cross", "#222")]
    assert shown("tic_tac_toe", "--format", "svg").stdout.startswith("<svg")


def test_what_has_no_position_says_what_draws_it():
    found = shown("figure_5_2", "-o", "x.svg")
    assert found.exit_code == 2
    assert "gdl draw FILE -o PICTURE.svg draws trees and matrices" in found.stderr
    assert shown("nim", "-o", "x.tex").exit_code == 2
    assert "a picture shows nothing else" in shown("nim", "-o", "x.svg", "--json").stderr


def test_an_array_of_what_dice_show_counts_no_faces():
    """Such numbers begin at 1; of the faces that are counted there may be none."""
    text = "players A\nstate\n    die[1..4]: 1..6 = 2\naction go\n    die[2] := 6\nterminal\n    die[3] = 6 -> 0\n    forever -> 0\n"
    game = gdl.loads(text).game
    assert "die: 1: 2, 2: 6, 3: 2, 4: 2" in game.show(game.successor(game.initial(), "go"))

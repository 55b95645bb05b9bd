"""The names, parameters and payoffs of the games, and what counts as one ply: facts from outside name them so."""

from __future__ import annotations

import random

import pytest
from notation import play
from sampling import one_in
from shipped import loaded

from gdl import checker, syntax
from gdl.game import Decision, Terminal
from gdl.solvers import solve
from gdl.states import count
from gdl.states.explore import moves

PARAMETERS = {  # game -> what can be set, as the file writes it
    "tic_tac_toe": "columns = 3, rows = 3, run = 3",
    "tic_tac_toe_3d": "n = 3",
    "ultimate_tic_tac_toe": "n = 3",
    "connect_four": "columns = 7, rows = 6, run = 4",
    "gomoku": "columns = 15, rows = 15, run = 5",
    "hex": "n = 3",
    "othello": "n = 8",
    "breakthrough": "rows = 8, columns = 8",
    "amazons": "n = 10",
    "nine_mens_morris": "men = 9",
    "kalah": "houses = 6, seeds = 4",
    "awari": "houses = 6, seeds = 4",
    "dots_and_boxes": "rows = 2, columns = 2",
    "domineering": "rows = 4, columns = 4",
    "chomp": "rows = 3, columns = 4",
    "nim": "heaps = [1, 3, 5, 7]",
    "wythoff": "a = 3, b = 4",
    "subtraction": "heap = 21, moves = [1, 2, 3]",
    "kayles": "row = 7",
    "toads_and_frogs": "toads = 3, frogs = 3, free = 1",
    "checkers": "n = 8, men = 3",
    "draughts": "n = 10, men = 4",
    "chess": "",
    "minichess": "",
    "go": "columns = 9, rows = 9, komi = 0",
    "quarto": "side = 3, traits = [1, 2, 4]",
    "konane": "columns = 6, rows = 6",
    "fox_and_hounds": "n = 8, fox = n - 3",
    "tablut": "n = 7",
    "pentago": "half = 3, run = 5",
    "chinese_checkers": "k = 1, rounds = 4",
    "pig": "goal = 100",
    "backgammon": "",
    "monopoly": "price = [0, 2, 3, 0, 4, 5], cash = 5, salary = 2, sides = 3, rounds = 3",
    "yahtzee": "categories = [sixes, yahtzee]",
    "bandit": "pulls = 3",
    "twenty_one": "",
    "2048": "side = 4, target = 2048",
    "kuhn": "seats = 2, cards = 3",
    "leduc": "",
    "liars_dice": "dice = 1, sides = 6",
    "goofspiel": "n: 2..13 = 3, prizes: Order = shuffled, bids: Sight = shown",
    "rock_paper_scissors": "",
    "matching_pennies": "",
    "colonel_blotto": "soldiers = [4, 3], fields = 2",
    "battleships": "columns = 2, rows = 2, ships = [2]",
    "stratego": "army = [flag, spy, marshal], rows = 2, turns = 8",
    "blind_tic_tac_toe": "columns = 3, rows = 2, run = 2",
    "kriegspiel": "n = 3, plies = 3",
    "bridge_ending": "",
    "scrabble": "side = 3, rack = 2, bag = [2, 1, 2]",
    "one_card_poker": "cards = 13, ante = 1, stake = 1",
    "cheat": "ranks = 2, copies = 2, turns = 4",
    "monty_hall": "",
    "repeated_prisoners": "rounds = 2",
    "chicken": "",
    "stag_hunt": "",
    "battle_of_the_sexes": "",
    "ultimatum": "coins = 10",
    "centipede": "length = 6",
    "entry": "",
    "beer_quiche": "",
    "seltens_horse": "",
    "prisoners": "",
}
VARIANTS = [
    ("nim", "misere"),
    ("tic_tac_toe", "misere"),
    ("kayles", "misere"),
    ("go", "superko"),
    ("chess", "perft"),
    ("backgammon", "textbook"),
]
FIRST = {  # who begins
    "domineering": "Vertical",
    "chess": "White",
    "checkers": "Black",
    "draughts": "White",
    "othello": "Dark",
    "go": "Black",
    "hex": "Red",
    "breakthrough": "Black",
    "awari": "South",
    "kalah": "South",
    "fox_and_hounds": "Fox",
}
WON_BY_ONE = [  # two-player games that pay 1, 0 or -1
    "tic_tac_toe", "tic_tac_toe_3d", "ultimate_tic_tac_toe", "connect_four", "gomoku", "hex", "breakthrough",
    "nine_mens_morris", "awari", "domineering", "chomp", "nim", "wythoff", "subtraction", "kayles", "toads_and_frogs",
    "checkers", "draughts", "chess", "minichess", "quarto", "konane", "fox_and_hounds", "tablut", "pentago", "pig",
    "monopoly", "liars_dice", "goofspiel", "rock_paper_scissors", "battleships", "stratego", "blind_tic_tac_toe",
    "kriegspiel", "scrabble", "cheat",
]  # fmt: skip


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters(name: str):
    (head,) = (section for section in loaded(name).description.sections if isinstance(section, syntax.Game))
    assert ", ".join(p.span.source.text[p.span.start : p.span.end] for p in head.parameters or ()) == PARAMETERS[name]


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_variants(name: str, variant: str):
    assert variant in checker.variants(loaded(name).description)


@pytest.mark.parametrize("name", FIRST)
def test_who_begins(name: str):
    game = loaded(name).game
    node = game.node(game.initial())
    assert isinstance(node, Decision)
    assert game.players[node.player] == game.players[0] == FIRST[name]


def end(name: str, seed: int, plies: int) -> tuple[object, ...] | None:
    """The utilities of a random play, if it ends soon enough."""
    game, dice = loaded(name).game, random.Random(seed)
    state = game.initial()
    for _ in range(plies):
        node = game.node(state)
        if isinstance(node, Terminal):
            return tuple(node.utilities)
        state = game.successor(state, dice.choice(moves(node)))
    return None


@pytest.mark.thorough_of("chess", "pentago")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", one_in(2, WON_BY_ONE))
def test_a_win_pays_one(name: str):
    ends = {end(name, seed, 60) for seed in range(3)}
    assert ends <= {(1, -1), (0, 0), (-1, 1), None}


@pytest.mark.parametrize(
    ("name", "settings", "actions", "margin"),
    [
        ("kalah", {"houses": 1, "seeds": 2}, ["sow(1)"], -2),
        ("dots_and_boxes", {"rows": 1, "columns": 1}, ["b1", "a2", "c2", "b3"], -1),
        ("go", {"columns": 3, "rows": 3}, ["b2", "pass", "pass"], 9),
        ("go", {"columns": 3, "rows": 3, "komi": 7}, ["b2", "pass", "pass"], 2),
    ],
)
def test_margins(name: str, settings: dict[str, int], actions: list[str], margin: int):
    game = play(name, **settings)
    state = game.initial()
    for action in actions:
        state = game.successor(state, action)
    assert game.node(state) == ((margin, -margin),)


def test_a_list_of_one_needs_no_brackets():
    assert solve(play("nim", heaps="7")).best == ("take(1, 7)",)
    assert solve(play("nim", heaps="[7]")).best == ("take(1, 7)",)
    assert solve(play("nim", heaps="3,4,5")).value == (1, -1)


def test_rows_and_columns_of_dots_and_boxes_count_boxes():
    assert count.perft(play("dots_and_boxes", rows=3, columns=1), 1) == 10


@pytest.mark.parametrize(
    ("name", "position", "action", "next_player"),
    [
        pytest.param("checkers", "B:W14,22,23:B9", "9x18x25", 1, id="a multiple jump is one ply"),
        pytest.param("draughts", "W:W31:B27,18,9", "31x22x13x4", 1, id="and so it is here"),
    ],
)
def test_one_move_of_a_rulebook_is_one_ply(name: str, position: str, action: str, next_player: int):
    game = play(name, position=position)
    node = game.node(game.successor(game.initial(), action))
    assert isinstance(node, Terminal) or (isinstance(node, Decision) and node.player == next_player)


def test_a_mill_is_followed_by_its_removal():
    """As the fact counts them: the removal is a ply of the same player."""
    game = play("nine_mens_morris")
    state = game.initial()
    for action in "a7 d6 d7 b6 g7".split():
        state = game.successor(state, action)
    assert game.node(state) == Decision(0, ("xb6", "xd6"))


def test_a_sowing_into_the_own_store_is_followed_by_another():
    game = play("kalah")
    assert game.node(game.successor(game.initial(), "sow(3)")) == Decision(
        0, ("sow(1)", "sow(2)", "sow(4)", "sow(5)", "sow(6)")
    )


def test_a_forced_pass_is_a_ply():
    game = play("othello", n=4)
    passes, work = 0, [(game.initial(), 0)]
    while work and passes < 3:
        state, depth = work.pop()
        node = game.node(state)
        if isinstance(node, Decision):
            assert ("pass" in node.actions) == (node.actions == ("pass",))
            passes += node.actions == ("pass",)
            work.extend((game.successor(state, action), depth + 1) for action in node.actions)
    assert passes == 3

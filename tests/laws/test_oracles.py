"""Shipped games against facts that others have published or computed: counts of sequences and states, values, sizes of
trees, worths of playing at random. Deeper counts are slow on the interpreter.

Sources: Aart Bik for checkers, draughts and othello; Tromp and Farneback for go; Irving, Donkers and Uiterwijk for
kalah; Wilson for dots and boxes; OpenSpiel for the rest.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from games_by_hand import tiny_hanabi
from notation import play
from openspiel_counts import AUCTION, COUNTS
from sampling import one_in

import gdl
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.rules_game import State
from gdl.solvers import solve
from gdl.solvers.equilibria.regret import regret, uniform
from gdl.states import count
from gdl.states.explore import explore, moves

slow = pytest.mark.slow

LARGE_PROGRAMS = {"liars_dice"}  # what only the extra `lp` solves
PERFT = {  # game and settings: the number of sequences of 1, 2, 3 … actions
    "kalah": (6, 35, 185, 942, 4690),
    "kalah houses=3 seeds=2": (3, 8, 19),
    "kalah houses=2 seeds=2": (2, 3, 2),
    "kalah houses=4 seeds=3": (4, 15, 50),
    "othello": (4, 12, 56, 244, 1396, 8200),
    "othello n=6": (4, 12, 56, 244, 1364),
    "othello n=4": (4, 12, 44, 128, 424, 1256, 3624, 9112, 20032, 36412, 50268, 55112, 31396, 12920),
    "othello n=10": (4, 12),
    "dots_and_boxes rows=1 columns=2": (7, 42, 210, 840, 2520, 5040, 5040),
    "amazons": (2176,),
    "amazons n=8": (1232,),
    "amazons n=6": (544,),
    "go columns=2 rows=2": (5, 21, 68, 156),
    "go columns=3 rows=3": (10, 91, 738, 5281),
    "go columns=4 rows=4": (17, 273),
    "go columns=5 rows=5": (26, 651),
    "go": (82, 6643),
    "checkers": (7, 49, 302, 1469, 7361, 36768),
    "draughts": (9, 81, 658, 4265, 27117),
    "draughts n=8 men=3": (7, 49, 302, 1469, 7473, 37628),
    "nine_mens_morris": (24, 552, 12144),
    "awari": (6, 36, 190, 1014),
    "gomoku": (225, 50400),
    "minichess": (7, 53),
    "pentago": (288, 80640),
    "ultimate_tic_tac_toe": (81, 720, 6336, 55080),  # OpenSpiel counts the choice of the first small board apart
    "fox_and_hounds": (2, 14),
}
PERFT_ROWS = [
    pytest.param(game, depth, expected, id=f"{game}: {depth}", marks=slow if expected > 3_000 or depth > 9 else ())
    for game, counts in PERFT.items()
    for depth, expected in enumerate(counts, start=1)
]


def game(written: str):
    """`kalah houses=3 seeds=2` as a game."""
    name, *settings = written.split()
    variant = next((s.removeprefix("at:") for s in settings if s.startswith("at:")), None)
    return play(name, variant, **dict(s.split("=") for s in settings if "=" in s))


@pytest.mark.one_in(7)
@pytest.mark.parametrize(("written", "depth", "expected"), PERFT_ROWS)
def test_perft(written: str, depth: int, expected: int):
    assert count.perft(game(written), depth) == expected


def test_states_of_dots_and_boxes():
    """One row of two boxes; who owns which box belongs to the position."""
    found = count.states(game("dots_and_boxes rows=1 columns=2"))
    assert (found.states, found.terminal, found.edges) == (143, 4, 466)
    assert found.depth == (1, 7, 21, 35, 35, 27, 13, 4)


@pytest.mark.thorough
def test_states_of_checkers():
    found = count.states(game("checkers n=4 men=1"))
    assert (found.states, found.terminal, found.edges) == (2409, 123, 4373)


@pytest.mark.parametrize(
    ("columns", "rows", "expected"),
    [(1, 1, 1), (2, 1, 5), (2, 2, 57), pytest.param(3, 3, 12675, marks=slow)],
)
def test_legal_positions_of_go(columns: int, rows: int, expected: int):
    """The colourings in which every group has a liberty are just those that play reaches."""
    found = explore(play("go", columns=columns, rows=rows))
    assert len({stones(state, columns * rows) for state in found.states}) == expected


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("columns", "expected"), [(1, 1), (2, 9), (3, 907)])
def test_games_of_go_with_superko(columns: int, expected: int):
    """A game is a path of positions that never come back; passes only change whose stone comes next."""
    played = play("go", "superko", columns=columns, rows=1)
    paths = set()
    work = [(played.initial(), (stones(played.initial(), columns),))]
    while work:
        state, path = work.pop()
        paths.add(path)
        for move in moves(played.node(state)):
            after = played.successor(state, move)
            work.append((after, path if move == "pass" else (*path, stones(after, columns))))
    assert len(paths) == expected


def stones(state: State, count: int) -> tuple:
    return state.cells[FIRST_CELL : FIRST_CELL + count]


@pytest.mark.thorough_of("checkers n=4 men=1-0")
@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("kalah houses=1 seeds=1", 0),
        ("kalah houses=1 seeds=2", -2),
        ("kalah houses=2 seeds=2", -2),
        ("kalah houses=3 seeds=2", 4),
        ("dots_and_boxes rows=1 columns=1", -1),
        ("dots_and_boxes rows=1 columns=2", 0),
        pytest.param("dots_and_boxes rows=2 columns=2", 2, marks=slow),
        ("go columns=1 rows=1 at:superko", 0),
        ("go columns=2 rows=1 at:superko", 0),
        ("go columns=3 rows=1 at:superko", 3),
        ("checkers n=4 men=1", 0),
        ("goofspiel", 0),
        ("goofspiel prizes=descending", 0),
        ("liars_dice sides=2", Fraction(1, 2)),
        pytest.param("liars_dice", Fraction(-7, 258), marks=slow),
        ("dark_hex", 1),
        ("toads_and_frogs toads=1 frogs=1", 1),
        ("toads_and_frogs toads=1 frogs=1 at:frogs_first", -1),
        ("toads_and_frogs toads=2 frogs=1", 1),
        ("toads_and_frogs toads=2 frogs=1 at:frogs_first", -1),
        ("toads_and_frogs toads=2 frogs=2", 1),
        ("toads_and_frogs toads=2 frogs=2 at:frogs_first", -1),
        ("wythoff a=1 b=2", -1),
        ("wythoff a=4 b=7", -1),
        ("wythoff a=4 b=6", 1),
        ("one_card_poker cards=3", Fraction(-1, 18)),
        pytest.param("yahtzee categories=chance", Fraction(70, 3), marks=slow),
        pytest.param("yahtzee categories=sixes", Fraction(455, 36), marks=slow),
        pytest.param("yahtzee categories=yahtzee", 50 * Fraction(347897, 7558272), marks=slow),
    ],
)
def test_value(written: str, value: Fraction | int):
    if written in LARGE_PROGRAMS:
        pytest.importorskip("highspy")
    found = solve(game(written))
    assert found.value is not None
    assert found.exact
    assert found.value[0] == value


@slow
@pytest.mark.parametrize(("written", "value"), [("kalah houses=3 seeds=3", 2), ("othello n=4", -8)])
def test_value_by_minimax(written: str, value: int):
    assert solve(game(written), "minimax").value == (value, -value)


@pytest.mark.thorough
def test_value_of_twenty_one():
    """Hit or stand against a dealer who stands on 17, from an endless deck."""
    found = solve(game("twenty_one"))
    assert found.value is not None
    assert float(found.value[0]) == pytest.approx(-0.024208122, abs=1e-9)


def test_states_of_fox_and_hounds():
    found = count.states(game("fox_and_hounds n=4"))
    assert (found.states, found.edges, found.terminal) == (110, 151, 27)


@pytest.mark.thorough  # half a minute of exact arithmetic where the extra `lp` is not installed
def test_value_of_leduc():
    found = solve(game("leduc"))
    assert found.value is not None
    assert found.exact
    assert abs(float(found.value[0]) + 0.0856064241) < 1e-10


@slow
@pytest.mark.parametrize("bids", ["shown", "hidden"])
def test_value_of_goofspiel_of_five(bids: str):
    """Both have the same cards and prizes, so neither can be ahead."""
    pytest.importorskip("highspy")
    found = solve(gdl.load("goofspiel", settings={"n": "5", "prizes": "descending", "bids": bids}))
    assert found.exact and found.value == (0, 0) and found.regret == (0, 0)


@pytest.mark.parametrize(
    ("written", "histories", "terminal", "decisions", "infosets"),
    [
        ("liars_dice sides=2", 127, 60, (32, 32), (16, 16)),
        ("goofspiel prizes=descending", 67, 36, (10, 21), (10, 10)),
        ("goofspiel prizes=ascending bids=hidden", 67, 36, (10, 21), (8, 8)),
        ("dark_hex", 441, 216, (49, 176), (33, 101)),
        ("dark_hex at:unheard", 441, 216, (49, 176), (17, 53)),
        ("kuhn", 58, 30, (12, 12), (6, 6)),
        ("kuhn seats=3 cards=4", 617, 312, (96, 96, 96), (16, 16, 16)),
    ],
)
def test_histories(written: str, histories: int, terminal: int, decisions: tuple, infosets: tuple):
    found = count.histories(game(written))
    assert (found.histories, found.terminal) == (histories, terminal)
    assert tuple(found.decision.values()) == decisions
    assert tuple(found.infosets.values()) == infosets


@pytest.mark.one_in(7)
@pytest.mark.parametrize("name", one_in(2, COUNTS))
def test_information_sets_of_openspiel(name: str):
    ours, settings, sets = COUNTS[name]
    match ours:
        case "tiny hanabi":
            played: Any = tiny_hanabi()
        case "auction":
            played = gdl.loads(AUCTION).game
        case _:
            played = gdl.load(ours, settings=settings)
    assert tuple(count.histories(played).infosets.values()) == sets


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("written", "value", "regrets"),
    [
        ("leduc", Fraction(-5, 64), (2.165625, 2.5815972222)),
        ("kuhn", Fraction(1, 8), (3 / 8, 13 / 24)),
        ("kuhn seats=3 cards=4", Fraction(15, 64), None),
        ("liars_dice sides=2", Fraction(1, 8), (0.625, 0.5)),
        ("goofspiel prizes=descending", 0, None),
        ("dark_hex", 0, None),
    ],
)
def test_playing_at_random(written: str, value: Fraction | int, regrets: tuple[float, float] | None):
    played = game(written)
    found = regret(played, uniform(played))
    assert found.value[0] == value
    if regrets:
        assert [float(each) for each in found.regret] == pytest.approx(regrets, abs=1e-9)


def test_goofspiel_remembers_who_bid_what_when():
    """With the bids shown OpenSpiel tells a player the hands that are left and who took which prize, and not by which
    bids: 135 information sets of four cards, where whoever remembers the bids themselves has 161."""
    remembered: set[tuple[tuple[int, int], ...]] = set()
    told: set[tuple[Any, ...]] = set()

    def bid(hands: tuple[frozenset[int], frozenset[int]], bids: tuple[tuple[int, int], ...]) -> None:
        remembered.add(bids)
        told.add((hands, tuple((one > other) - (one < other) for one, other in bids)))
        if len(hands[0]) > 2:  # of two cards the last one plays itself
            for one in hands[0]:
                for other in hands[1]:
                    bid((hands[0] - {one}, hands[1] - {other}), (*bids, (one, other)))

    cards = frozenset(range(1, 5))
    bid((cards, cards), ())
    assert len(told) == 135
    found = count.histories(game("goofspiel n=4 prizes=descending")).infosets
    assert list(found.values()) == [161, 161] == [len(remembered)] * 2

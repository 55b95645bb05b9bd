"""Shipped games from positions for which others have counted the moves: chess, draughts, othello, backgammon.

Sources: the Chess Programming Wiki and Martin Sedlak's edge cases for chess; pydraughts and a second generator for
draughts; OpenSpiel for othello; GNU backgammon and the figure of Russell and Norvig for backgammon.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from notation import backgammon, play

from gdl.game import Chance, Decision, Game
from gdl.solvers import solve
from gdl.states import count

slow = pytest.mark.slow


def actions(game: Game[Any], state: Any = None) -> tuple[str, ...]:
    node = game.node(game.initial() if state is None else state)
    assert isinstance(node, Decision)
    return node.actions


def after(game: Game[Any], moves: str) -> Any:
    """The state after these actions."""
    state = game.initial()
    for move in moves.split():
        state = game.successor(state, move)
    return state


# ---- Chess ------------------------------------------------------------------------------------------------------

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CHESS_PERFT = {
    "start": (START, 20, 400, 8902, 197281),
    "kiwipete": (KIWIPETE, 48, 2039, 97862),
    "endgame": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 14, 191, 2812, 43238),
    "en passant and check": ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 15, 126, 1928),
    "castling rights": ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 26, 1141, 27826),
}


def chess(fen: str) -> Game[Any]:
    return play("chess", position=fen)


CHESS_ROWS = [
    pytest.param(fen, depth, expected, id=f"{name} {depth}", marks=slow if expected > 10_000 else ())
    for name, (fen, *counts) in CHESS_PERFT.items()
    for depth, expected in enumerate(counts, start=1)
]


@pytest.mark.one_in(7)
@pytest.mark.parametrize(("fen", "depth", "expected"), CHESS_ROWS)
def test_chess_perft(fen: str, depth: int, expected: int):
    assert count.perft(play("chess", "perft", position=fen), depth) == expected


@pytest.mark.thorough
def test_chess_divide():
    divided = count.divide(chess(START), 3)
    assert divided["e2e4"] == 600
    assert divided["g1f3"] == 440
    assert divided["b2b3"] == 420
    assert sum(divided.values()) == 8902


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("fen", "best"),
    [
        pytest.param("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2", "d8h4", id="fool's mate"),
        pytest.param(
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7", id="scholar's mate"
        ),
        pytest.param("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", id="back rank"),
    ],
)
def test_chess_mate_in_one(fen: str, best: str):
    game = chess(fen)
    mates = [a for a in actions(game) if game.node(game.successor(game.initial(), a)) in (((1, -1),), ((-1, 1),))]
    assert mates == [best]


@pytest.mark.thorough
def test_chess_mate_in_two():
    """Paul Morphy's problem: the rook's sacrifice mates on the third ply."""
    found = solve(chess("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), "alpha-beta", depth=3)
    assert (found.value, found.best) == ((1, -1), ("a1a6",))


def test_kinds_of_chess_moves():
    """Of kiwipete's 48 moves eight capture and two castle."""
    game = play("chess", position="kiwipete")
    shown = game.show(game.initial()).splitlines()
    board = {f"{'abcdefgh'[c]}{8 - r}": shown[r][2 + 2 * c] for r in range(8) for c in range(8)}
    chosen = actions(game)
    assert len(chosen) == 48
    assert sum(board[move[2:4]] != "." for move in chosen) == 8
    assert sum(move in ("e1g1", "e1c1") for move in chosen) == 2


@pytest.mark.thorough
def test_chess_queen_mates_in_two_plies():
    for depth, mates in ((1, False), (2, True)):
        found = solve(chess("k7/7Q/2K5/8/8/8/8/8 b - - 0 1"), "alpha-beta", depth=depth)
        assert (found.value == (1, -1)) == mates


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("fen", "moves", "over"),
    [
        pytest.param("4k3/8/8/8/8/8/8/3QK3 w - - 98 80", "d1d2 e8e7", True, id="fifty moves"),
        pytest.param("4k3/8/8/8/8/8/4P3/3QK3 w - - 98 80", "e2e3 e8e7", False, id="a pawn's move in them"),
        pytest.param(START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", True, id="threefold"),
        pytest.param(START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", False, id="twofold"),
        pytest.param("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1b1 a8b8 b1a1 b8a8 a1b1 a8b8 b1a1 b8a8", False,
                     id="the rights were lost on the way"),
        pytest.param("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", True, id="two kings"),
        pytest.param("4k3/8/8/8/8/8/4p3/3NK3 w - - 0 1", "e1e2", True, id="a knight"),
        pytest.param("4kb2/8/8/8/8/8/4p3/2B1K3 w - - 0 1", "e1e2", True, id="bishops of one colour"),
        pytest.param("2b1k3/8/8/8/8/8/4p3/2B1K3 w - - 0 1", "e1e2", False, id="bishops of two colours"),
        pytest.param("4kn2/8/8/8/8/8/4p3/2B1K3 w - - 0 1", "e1e2", False, id="bishop and knight"),
        pytest.param("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", "g5g6", True, id="stalemate"),
    ],
)  # fmt: skip
def test_chess_draws(fen: str, moves: str, over: bool):
    game = chess(fen)
    node = game.node(after(game, moves))
    assert (node == ((0, 0),)) == over
    assert over or isinstance(node, Decision)


@pytest.mark.thorough
def test_chess_counts_en_passant_in_a_repetition_only_where_it_is_legal():
    """On d3 the black pawn would take itself and the white one out of the rook's way to its king: so the position
    after d2d4 is that of the fifth and ninth ply. With the king elsewhere it may take, and the first differs."""
    game = chess("8/8/8/8/k1p4R/8/3P4/4K3 w - - 0 1")
    assert game.node(after(game, "d2d4 a4a3 e1e2 a3a4 e2e1 a4a3 e1e2 a3a4 e2e1")) == ((0, 0),)
    game = chess("8/8/8/8/2p4R/k7/3P4/4K3 w - - 0 1")
    assert isinstance(game.node(after(game, "d2d4 a3a2 e1e2 a2a3 e2e1 a3a2 e1e2 a2a3 e2e1")), Decision)


# ---- Draughts ---------------------------------------------------------------------------------------------------

ENGLISH = ("checkers", 8, 3)
INTERNATIONAL = ("draughts", 10, 4)
BRAZILIAN = ("draughts", 8, 3)
DRAUGHTS = [  # rules, position, moves by their ends, counts of sequences
    (ENGLISH, "B:WK8:B1,6,14,K29,K31", "1-5 14-17 14-18 29-25 31-26 31-27 6-10 6-9", 8, 32, 284),
    (ENGLISH, "W:W23,24,29,32:B1,2,3,8,12,17,22", "23-18 23-19 24-19 24-20 29-25 32-27 32-28", 7, 61, 312),
    (ENGLISH, "B:W18,24,25,26,28,29,30,31,32:B2,3,4,5,7,8,12,13,15,21", "15x22", 1, 2, 9),
    (ENGLISH, "B:W10,24,25,26,27,28,29,30,32:B1,2,3,4,5,12,15",
     "1-6 12-16 15-18 15-19 2-6 2-7 3-7 3-8 4-8 5-9", 10, 64, 396),
    (ENGLISH, "W:W26,28,29:B3,4,5,9,12,K16,24", "28x19", 1, 1, 1),
    (ENGLISH, "B:WK3,10,12,20:B25,K29,K32", "25-30 32-27 32-28", 3, 18, 78),
    (INTERNATIONAL, "W:WK3,23,31,32,36,39,41,42,44,47,48,49:B1,4,7,11,13,20", "3x25", 1, 8, 103),
    (INTERNATIONAL, "B:W20,34,36,37,45,46,48:B1,3,5,7,8,9,12,13,14,15,17,24,28,33,38", "14x25", 1, 9, 90),
    (INTERNATIONAL, "B:W27,41,46:B2,3,4,9,10,17,K26",
     "10-14 10-15 17-21 17-22 2-7 2-8 26-21 26-31 26-37 26-42 26-48 3-8 9-13 9-14", 14, 41, 312),
    (INTERNATIONAL, "W:W28,35,38,39,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,13,16,25,31",
     "28-22 28-23 35-30 38-32 38-33 39-33 39-34 41-36 41-37 42-37 44-40 45-40", 12, 130, 1132),
    (INTERNATIONAL, "B:W28,31,35,36,37,38,40,41,42,44,45,46,47,50:B1,2,3,4,5,6,9,10,11,12,14,15,17,19,21",
     "1-7 11-16 12-18 14-20 15-20 17-22 19-23 19-24 2-7 2-8 21-26 21-27 3-8 9-13", 14, 113, 1115),
    (INTERNATIONAL, "B:W23,31,32,35,36,37,39,40,41,42,43,44,45,46,47,48,49,50:"
     "B1,2,3,4,5,6,7,8,9,10,11,12,13,15,16,17,24,25",
     "10-14 12-18 13-18 13-19 15-20 16-21 17-21 17-22 24-29 24-30 25-30 9-14", 12, 98, 874),
    (BRAZILIAN, "B:W9,20,21,24,28,29,30,31,32:B2,3,4,5,7,11,12,15", "5x14", 1, 9, 63),
    (BRAZILIAN, "B:W17:B1,2,3,4,5,6,K7,13,19", "13x22 7x21", 2, 0, 0),
    (BRAZILIAN, "B:W16:B2,4,13,15,17,19", "19x12", 1, 0, 0),
    (BRAZILIAN, "B:W14,25,26,27,28,30,31:B1,3,4,7", "1-5 1-6 3-8 4-8 7-10 7-11", 6, 46, 244),
    (BRAZILIAN, "B:W17,32:B1,2,5,K9,10,24",
     "1-6 10-14 10-15 2-6 2-7 24-27 24-28 9-13 9-14 9-18 9-23 9-27 9-6", 13, 40, 266),
    (BRAZILIAN, "W:W14,16,25,26,27,31,32:B2,6,9", "14x5", 1, 3, 21),
]  # fmt: skip


def ends(action: str) -> str:
    """`15x22` for `15x18x22`."""
    sign = "x" if "x" in action else "-"
    return action.split(sign)[0] + sign + action.split(sign)[-1]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("row", DRAUGHTS, ids=lambda row: f"{row[0][0]} {row[0][1]} {row[1]}")
def test_draughts_positions(row: tuple[Any, ...]):
    (name, n, men), fen, moves, *counts = row
    game = play(name, position=fen, n=n, men=men)
    assert sorted(map(ends, actions(game))) == moves.split()
    assert [count.perft(game, depth) for depth in (1, 2, 3)] == counts


# ---- Othello ----------------------------------------------------------------------------------------------------

OTHELLO = [  # the moves so far, the legal moves, counts of sequences
    ("e6 d6 c7 d7 c4 f4 d8 b8 f6 b4 c3 c6 g4 d3 d2 f7 a4 e8 e7 c8 g8 e3 b7 c1 b6 c2 d1 e1 b2 b3 f5 a1 f2 a5 f3 g6 "
     "c5 b5 g5 h6 g3 a6 a2 g1 g7 h4 h3 h7", "b1 f1 e2 a3 h5 a7 a8 f8 h8", 9, 33, 271, 919),
    ("e6 f4 g3 e7 f7 g7 g8 c6 d7 h2 c4 c7 e8 d6 b6 b7 c8 f6 g4 a6 a8 d8 f5 f3 b8 h5 a5 a4",
     "g2 h3 h4 g5 g6 h7 f8 h8", 8, 73, 629, 6108),
    ("f5 f4 c3 c6 e3 c4 c5 e6 b7 b5 g4 g5 b6 d2 d6 b2 a4 d3 f7 a7 f3 c7 a8 a5 b4 h4 d8 f2 d7 a6 b3 f6 e2",
     "d1 e1 f1 a2 c2 a3 e7 b8 c8 e8 f8 g8", 12, 165, 1845, 23956),
    ("d3 c5 f6 f3 b6 c2 f4 b5 b4 a3 f2 g2 d2 b7 h2 f1 c6 h3 e2 f5 a8 d6 d7 e7 a5 c4 g5 b8 g3 f7 b3 a6 h4 h6 d8 f8 "
     "e1 g7 d1 a4 c8 c3 g1 e8 c7 e6 e3", "b1 c1 h1 b2 g4 h5", 6, 44, 228, 1482),
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("row", OTHELLO, ids=lambda row: f"after {len(row[0].split())}")
def test_othello_positions(row: tuple[Any, ...]):
    from gdl.interpreter.position import begin_after as continued

    moves, legal, *counts = row
    game = continued(play("othello"), moves)
    assert actions(game) == tuple(legal.split())
    assert [count.perft(game, depth) for depth in range(1, 4)] == counts[:3]


# ---- Backgammon -------------------------------------------------------------------------------------------------

OPENINGS = {"2-1": 15, "3-1": 16, "4-2": 18, "5-3": 9, "6-5": 7, "6-4": 14, "1-1": 42, "5-5": 4, "6-6": 11}


@pytest.mark.parametrize(("roll", "expected"), OPENINGS.items())
def test_backgammon_openings(roll: str, expected: int):
    game = play("backgammon")
    assert len(actions(game, after(game, roll))) == expected


def men(up: Mapping[int, int], down: Mapping[int, int], bar: tuple[int, int], off: tuple[int, int], to_move: str,
        roll: str) -> Game[Any]:  # fmt: skip
    return backgammon(
        {"up_player": up, "down_player": down, "bar": dict(zip(("up", "down"), bar, strict=True)),
         "off": dict(zip(("up", "down"), off, strict=True)), "to_move": to_move, "roll": roll}
    )  # fmt: skip


NONE = (0, 0)
BACKGAMMON = [  # men of White and Black by the board's numbers, bar, off, who moves, the roll, different results
    ({7: 1, 8: 1, 11: 2, 12: 1, 22: 2, 23: 2, 24: 6}, {1: 1, 2: 6, 3: 5}, (0, 1), (0, 2), "down", "5-1", 3),
    ({5: 2, 15: 1, 19: 3, 20: 1, 21: 3, 22: 3, 24: 2}, {1: 1, 6: 5, 10: 3, 11: 2, 23: 2}, (0, 2), NONE, "up", "6-6", 1),
    ({1: 2, 12: 5, 17: 2, 19: 4, 21: 1, 22: 1}, {6: 5, 8: 3, 9: 1, 13: 4, 24: 2}, NONE, NONE, "up", "5-2", 10),
    ({1: 3, 2: 3, 13: 1, 23: 3, 24: 5}, {3: 5, 4: 2, 5: 5, 10: 1, 15: 1, 18: 1}, NONE, NONE, "up", "5-2", 6),
    ({5: 1, 7: 1, 9: 1, 12: 3, 15: 1, 19: 3, 20: 1, 21: 1, 23: 2}, {1: 2, 2: 1, 3: 2, 6: 2, 13: 5, 18: 1, 22: 1, 24: 1},
     (1, 0), NONE, "down", "3-3", 33),
    ({10: 1, 11: 1, 12: 2, 14: 1, 17: 2, 18: 1, 19: 6, 21: 1}, {2: 1, 3: 2, 6: 6, 7: 1, 8: 1, 13: 1, 22: 3},
     NONE, NONE, "up", "2-2", 217),
    ({5: 1, 9: 1, 14: 2, 17: 5, 20: 3, 22: 2, 23: 1}, {1: 2, 2: 2, 6: 4, 18: 1, 19: 2, 21: 4}, NONE, NONE, "up", "5-5", 8),
    ({1: 1, 2: 1, 5: 1, 12: 3, 16: 1, 20: 1, 24: 7}, {3: 1, 4: 1, 6: 2, 7: 2, 8: 4, 9: 1, 14: 1, 21: 1, 23: 1},
     (0, 1), NONE, "down", "2-2", 103),
]  # fmt: skip


@pytest.mark.one_in(5)
@pytest.mark.parametrize("row", BACKGAMMON, ids=lambda row: f"{row[4]} {row[5]} {row[6]}")
def test_backgammon_positions(row: tuple[Any, ...]):
    *position, expected = row
    assert len(actions(men(*position))) == expected


@pytest.mark.parametrize(
    ("position", "plays"),
    [
        pytest.param(({12: 1}, {23: 2, 3: 2}, NONE, (14, 11), "up", "6-5"), ("12/18",), id="of one die the larger"),
        pytest.param(({12: 1}, {18: 2, 3: 2}, NONE, (14, 11), "up", "6-5"), ("12/17 17/23",), id="the smaller first"),
        pytest.param(({1: 1, 20: 2}, {7: 2, 9: 2, 3: 2}, NONE, (12, 9), "up", "6-1"), ("1/2 2/8",), id="both dice"),
        pytest.param(({18: 1, 24: 2}, {1: 2}, NONE, (12, 13), "up", "6-1"), ("18/19 19/25",), id="all home first"),
    ],
)
def test_backgammon_rules(position: tuple[Any, ...], plays: tuple[str, ...]):
    assert actions(men(*position)) == plays


def test_backgammon_of_the_textbook():
    game = play("backgammon", "textbook")
    assert set(actions(game)) == {"5/10 5/11", "5/11 19/24", "5/10 10/16", "5/11 11/16"}
    chance = game.node(game.successor(game.initial(), "5/10 5/11"))
    assert isinstance(chance, Chance)
    rolls = dict(chance.outcomes)
    assert len(rolls) == 21
    assert all(p * 36 == (1 if roll[0] == roll[-1] else 2) for roll, p in rolls.items())


@pytest.mark.parametrize(
    ("down", "off", "value"),
    [
        pytest.param({1: 14}, (14, 1), 1, id="single"),
        pytest.param({7: 15}, (14, 0), 2, id="gammon"),
        pytest.param({7: 14, 19: 1}, (14, 0), 3, id="backgammon"),
    ],
)
def test_backgammon_values(down: dict[int, int], off: tuple[int, int], value: int):
    game = men({24: 1}, down, NONE, off, "up", "2-1")
    assert game.node(game.successor(game.initial(), actions(game)[0])) == ((value, -value),)

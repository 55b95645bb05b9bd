"""Deep counts of action sequences, which others have published: on the compiled engine they take no time.

Sources: the Chess Programming Wiki and Martin Sedlak's edge cases for chess; Aart Bik for checkers, draughts and
othello; Aldo Gonzalez and others for ultimate tic-tac-toe; Tromp for connect four; OpenSpiel for the rest.
"""

from __future__ import annotations

import pytest
from notation import play

from gdl.compiler import wasm
from gdl.compiler.searches.perft import perft

slow = pytest.mark.slow
pytestmark = pytest.mark.skipif(not wasm.available(), reason="wasmtime is missing")

EASY = 70_000  # sequences; what has more is slow

CHESS = [  # position, depth, count
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("kiwipete", 3, 97_862),
    ("kiwipete", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15_833_292),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89_890),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
    ("8/b2p2k1/8/2P5/8/4K3/8/8 b - - 0 1", 6, 1_015_133),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
    ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
    ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
    ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
]

FAMILY = [  # of chess: game, position of its file (None: the start), depth, count
    ("xiangqi", None, 3, 79_666),
    ("xiangqi", None, 4, 3_290_240),
    ("xiangqi", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w", 3, 43_929),
    ("xiangqi", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w", 4, 1_339_047),
    ("xiangqi", "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w", 4, 326_201),
    ("xiangqi", "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w", 4, 202_884),
    ("shogi", None, 3, 25_470),
    ("shogi", None, 4, 719_731),
    ("shogi", "middle", 2, 28_684),
    ("shogi", "middle", 3, 4_809_015),
    ("shogi", "most", 2, 105_677),
]

COUNTS = [  # game and settings, depth, count
    ("checkers", 8, 845_931),
    ("checkers", 9, 3_963_680),
    ("checkers", 10, 18_391_564),
    ("draughts", 7, 1_049_442),
    ("draughts", 8, 6_483_961),
    ("othello", 8, 390_216),
    ("othello", 9, 3_005_288),
    ("othello", 10, 24_571_056),  # where the players may pass twice at the end, 228 more
    ("connect_four", 7, 823_536),
    ("tic_tac_toe", 9, 127_872),
    ("connect_four columns=4 rows=4", 16, 35_613_284),
    ("hex", 9, 120_960),
    ("breakthrough", 4, 256_036),
    ("breakthrough", 5, 6_182_818),
    ("breakthrough rows=4 columns=3", 11, 1_552_018),
    ("breakthrough rows=4 columns=3", 13, 556_672),
    ("amazons", 2, 4_307_152),
    ("ultimate_tic_tac_toe", 5, 473_256),
    ("ultimate_tic_tac_toe", 6, 4_020_960),
    ("dots_and_boxes", 8, 19_958_400),
]


def rows(table):
    return [pytest.param(*row, marks=slow if row[-1] > EASY else (), id=" ".join(map(str, row[:-1]))) for row in table]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("position", "depth", "count"), rows(CHESS))
def test_chess(position: str, depth: int, count: int):
    game = play("chess", "perft", position=position)
    assert perft(game, game.initial(), depth, "wasm") == count


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "position", "depth", "count"), rows(FAMILY))
def test_family_of_chess(name: str, position: str | None, depth: int, count: int):
    game = play(name, position=position)
    assert perft(game, game.initial(), depth, "wasm") == count


@pytest.mark.parametrize(("written", "depth", "count"), rows(COUNTS))
def test_counts(written: str, depth: int, count: int):
    name, *settings = written.split()
    game = play(name, **dict(s.split("=") for s in settings))
    assert perft(game, game.initial(), depth, "wasm") == count

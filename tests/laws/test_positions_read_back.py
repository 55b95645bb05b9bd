"""Positions of random plays are what they were when their texts are read back; and other programs count the same."""

from __future__ import annotations

import re
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from sampling import one_in
from shipped import loaded, texts

import gdl
from gdl.compiler import wasm
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.searches.perft import Perft
from gdl.game import Terminal
from gdl.interpreter import position
from gdl.states import count
from gdl.states.explore import moves


def has_notation(name: str) -> bool:
    """True if the file of a game, or of the one that it is made from, has a notation; no game is loaded for it."""
    text = texts()[name]
    made_from = re.search(r"^game .* from (\w+)", text, re.MULTILINE)
    return bool(re.search(r"^notation\b", text, re.MULTILINE)) or (bool(made_from) and has_notation(made_from[1]))


WITH_NOTATION = [name for name in gdl.games() if has_notation(name)]
POSITIONS = 50


def names_of(game: Any) -> Any:
    node = game.node(game.initial())
    return node.utilities if isinstance(node, Terminal) else node.actions


def random_positions(game: Any, random: Random, most: int, longest: int = 60) -> Any:
    """States of random plays, one of each play, that are no ends."""
    found = 0
    while found < most:
        state = game.initial()
        for _ in range(random.randrange(1, longest)):
            node = game.node(state)
            if isinstance(node, Terminal):
                break
            state = game.successor(state, random.choice(moves(node)))
        if not isinstance(game.node(state), Terminal):
            found += 1
            yield state


@pytest.mark.thorough
def test_games_with_notation_are_found_by_their_texts():
    assert [n for n in gdl.games() if getattr(loaded(n).model, "notation", None) is not None] == WITH_NOTATION


@pytest.mark.thorough_of("amazons", "othello", "checkers")
@pytest.mark.parametrize("name", one_in(4, WITH_NOTATION))
def test_what_is_written_is_read_back(name: str):
    model: Any = loaded(name).model
    game: Any = loaded(name).game
    warned: list[Any] = []
    deep = name in ("tic_tac_toe", "connect_four", "breakthrough", "checkers", "othello", "minichess")
    for state in random_positions(game, Random(name), POSITIONS if deep else POSITIONS // 5):
        text = position.text_of(model, state)
        again = gdl.play(position.begin_at(model, text, warn=warned.append))
        here = position.Continuation(game, state)
        assert names_of(again) == names_of(here), text
        assert position.text_of(model, again.initial()) == text
        if deep:
            assert count.perft(again, 2) == count.perft(here, 2), text
    assert not warned


def other_positions(board: Any, random: Random, plies: int) -> list[Any]:
    """Positions of a random play by another program, some plies apart."""
    found = []
    for ply in range(plies):
        legal = sorted(board.legal_moves, key=str)
        if not legal or board.is_game_over():
            break
        board.push(random.choice(legal))
        if ply % 4 == 3:
            found.append(deepcopy(board))
    return found


ODD = {  # en passant that is pinned, castling through attacks, promotions, drops, kings that exploded
    "chess": ["8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",
              "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K"],
    "atomic": ["4k3/8/8/8/8/8/3p4/R3K2R w KQ - 0 1", "8/8/8/8/8/p7/4k3/4K3 w - - 0 1",
               "rnbq1b1r/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQ - 0 4"],
    "crazyhouse": ["4k3/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1", "4k3/8/8/3Q~4/8/8/8/4K2r[] w - - 0 1"],
}  # fmt: skip


def perft_of_others(board: Any, depth: int) -> int:
    """The count by python-chess or python-shogi, which counts every legal move once it stands one ply above."""
    if getattr(board, "is_variant_end", bool)():
        return 0
    legal = list(board.legal_moves)
    if depth == 1:
        return len(legal)
    total = 0
    for move in legal:
        board.push(move)
        total += perft_of_others(board, depth - 1)
        board.pop()
    return total


class Counts:
    """Counts of one game from many positions, by code that is compiled once."""

    def __init__(self, name: str, variant: str | None = None):
        self.model: Any = gdl.load(name, variant=variant).model
        self.game, self.start = by_rules(gdl.play(self.model))
        self.search = Perft(self.game, self.start, 3, "wasm" if wasm.available() else "python")

    def at(self, text: str, depth: int) -> int:
        begun: Any = gdl.play(position.begin_at(self.model, text))
        self.search.restart(begun.initial(), depth)
        for _ in self.search:
            pass
        return self.search.count


def compare(counts: Counts, board: Any, text: str, most: int) -> None:
    """Compare the counts to two plies, and to three where the other program need not look at more than `most` positions
    for that."""
    two = perft_of_others(board, 2)
    assert counts.at(text, 2) == two, text
    if two <= most:
        assert counts.at(text, 3) == perft_of_others(board, 3), text


CHESS = [(game, seed) for seed in range(8) for game in ODD]


@pytest.mark.thorough
@pytest.mark.parametrize("case", one_in(24, CHESS), ids=str)
def test_python_chess_counts_the_same(case: tuple[str, int]):
    chess = pytest.importorskip("chess")
    variants = pytest.importorskip("chess.variant")
    name, seed = case
    kind = {"chess": chess.Board, "atomic": variants.AtomicBoard, "crazyhouse": variants.CrazyhouseBoard}[name]
    counts = Counts(name, variant="perft" if name == "chess" else None)
    boards = [kind(text) for text in ODD[name]] if seed == 0 else []
    boards += other_positions(kind(), Random(seed), 50)
    for board in boards:
        wanted = [] if board.is_variant_end() else sorted(move.uci().lower() for move in board.legal_moves)
        begun: Any = gdl.play(position.begin_at(counts.model, board.fen()))
        node: Any = begun.node(begun.initial())
        assert sorted(getattr(node, "actions", ())) == wanted, board.fen()
        compare(counts, board, board.fen(), most=2000)


XIANGQI = {  # the positions of the Chess Programming Wiki's page of counts for engines, and the counts to three plies
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1": (44, 1920, 79666),
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1": (38, 1128, 43929),
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1": (7, 281, 8620),
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1": (25, 424, 9850),
    "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1": (28, 516, 14808),
    "R1N1k1b2/9/3aba3/9/2nr5/2B6/9/4B4/4A4/4KA3 w - - 0 1": (21, 364, 7626),
    "C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w - - 0 1": (28, 222, 6241),
    "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w - - 0 1": (23, 345, 8124),
    "2b1ka3/9/b3N4/4n4/9/9/9/4C4/2p6/2BK5 w - - 0 1": (21, 195, 3883),
    "1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w - - 0 1": (30, 830, 22787),
    "CnN1k1b2/c3a4/4ba3/9/2nr5/9/9/4C4/4A4/4KA3 w - - 0 1": (19, 583, 11714),
}


@pytest.mark.thorough
@pytest.mark.skipif(not wasm.available(), reason="the compiled engine counts them")
def test_xiangqi_counts_what_is_published():
    counts = Counts("xiangqi")
    assert {text: tuple(counts.at(text, depth) for depth in (1, 2, 3)) for text in XIANGQI} == XIANGQI


TSUME = ["4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "7k1/9/6+B2/9/9/9/9/9/9 b 2G2rb2g4s4n4l18p 1",
         "4k4/9/4+P4/9/9/9/9/9/4K4 b - 1", "4k4/2P6/9/4+r4/9/9/9/6n2/4K4 b G 1"]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("seed", one_in(9, range(9)))
def test_python_shogi_counts_the_same(seed: int):
    shogi = pytest.importorskip("shogi")
    counts = Counts("shogi")
    boards = [shogi.Board(text) for text in TSUME] if seed == 0 else other_positions(shogi.Board(), Random(seed), 80)
    for board in boards:
        text = board.sfen()
        assert counts.at(text, 1) == len(list(board.legal_moves)), text
        if len(list(board.legal_moves)) <= (60 if seed % 4 == 0 else 30):
            compare(counts, board, text, most=400)


CHECKED = """\
ln2k1sn1/P+Lr2g1bl/1Gpg2p2/3ppp1pp/5PP2/1SP1P4/BP1+n1S1PP/3K1R2L/+p1SG3N1 b Pp 69
ln2k2n1/r3gs1bl/pspp1p1gp/6Pp1/4p4/4P1pP1/PpPP1PKGP/LBG2S2R/1N1S3NL b P 41
l3r2nb/4gk+P1l/psn5p/3ps2pg/1Pp1PpK2/3P3P1/PGP2Pp1P/LB1S2G1R/1N2S2NL w Pp 72
6kn1/l1grg1s1l/p1nppp2p/3sP1p2/PPp3SpP/2P5R/LG1P1PP2/5+bG1L/BNS2K1N1 b Pp 75
6Bn1/l1grgks1l/p1nppp2p/3sP1p2/PPp3SpP/2P5R/LG1P1PP2/5G2L/BNS2K1N1 w Pp 78
1n5nl/2L1Pslb1/p2p1kppp/2pggp1P1/nps1S1P1P/3+rG4/1P3P2N/1BK1+r2GL/3P1S3 b P2p 129
1nsg2s1b/l5r1l/pp2pgp1n/P1pP1pkpp/6S2/6PP1/BPP1PP2P/L2G2R2/1NSG1K1NL w P 48
1n4s1b/+N2s4l/Lp2prpsn/3Pgp1pp/2p2k3/1BP1LPgP1/1P2P3P/3pGK3/PS2G1RNL w Pp 90
5kRn1/p3gs2r/n1S4pn/5bg1l/lp1p1+Bplp/P2PP2P1/L1P1G1S1P/4GP3/1NSK2+p2 w 3Pp 126
1n2k1s1l/lrsg1g3/ppppppnp1/6p1p/3P5/6P2/PPP1bP1PP/1BRK1G3/LNS1G1SNL b p 23
1n4k+B1/1p3r2G/lP1s1SP1s/1Lp2p1pp/pn1pg2P1/Pg1PpPl2/L1P4+bP/2RS5/1N1KG+n3 w Pp 134
ln1s1g1nl/5ksb1/rpp1pGppp/7g1/p4p1P1/P2pPP2P/GPPP2N2/L2S2SR1/BN3K2L w p 50
1n1s1gkn1/2r1b1s2/lpp1p1p2/p2p4l/3P2Ppp/2P1P1g1P/PP1G3PG/LB1SK1RS1/1N2+p2NL b p 89
""".splitlines()


@pytest.mark.thorough
def test_python_shogi_counts_the_same_to_three_plies_where_a_king_is_in_check():
    shogi = pytest.importorskip("shogi")
    counts = Counts("shogi")
    for text in CHECKED:
        assert counts.at(text, 3) == perft_of_others(shogi.Board(text), 3), text

"""Positions of random plays are what they were when their texts are read back; and other programs count the same."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest
from sampling import one_in
from shipped import loaded

import gdl
from gdl.compiler import wasm
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.searches.perft import Perft
from gdl.game import Terminal
from gdl.interpreter import position
from gdl.states import count
from gdl.states.explore import moves

WITH_NOTATION = [n for n in gdl.games() if getattr(loaded(n).model, "notation", None) is not None]
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


@pytest.mark.parametrize("name", one_in(4, WITH_NOTATION))
def test_what_is_written_is_read_back(name: str):
    model: Any = loaded(name).model
    game: Any = loaded(name).game
    warned: list[Any] = []
    deep = name in ("tic_tac_toe", "connect_four", "breakthrough", "checkers", "othello", "minichess")
    for state in random_positions(game, Random(name), POSITIONS if deep else POSITIONS // 5):
        text = position.text_of(model, state)
        again = gdl.play(position.at(model, text, warn=warned.append))
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
        begun: Any = gdl.play(position.at(self.model, text))
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
        begun: Any = gdl.play(position.at(counts.model, board.fen()))
        node: Any = begun.node(begun.initial())
        assert sorted(getattr(node, "actions", ())) == wanted, board.fen()
        compare(counts, board, board.fen(), most=2000)


TSUME = ["4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "7k1/9/6+B2/9/9/9/9/9/9 b 2G2rb2g4s4n4l18p 1",
         "4k4/9/4+P4/9/9/9/9/9/4K4 b - 1", "4k4/2P6/9/4+r4/9/9/9/6n2/4K4 b G 1"]  # fmt: skip


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

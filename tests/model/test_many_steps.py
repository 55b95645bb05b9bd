"""step(s, d, n) beside a walk of n single steps, which uses coordinates alone."""

from itertools import product

import pytest
from together import together

from gdl.model import board_tables
from gdl.model.board import SHAPES, WRAPPED, Board, board_of_shape

SIZES = [
    (shape, sizes)
    for shape, counts in SHAPES.items()
    for length in counts or (2, 3)
    for sizes in product((1, 2, 3, 4), repeat=length)
    if len(sizes) < 3 or max(sizes) < 3
]


def walk(board: Board, square: int, way: int, count: int) -> int | None:
    """The square that so many single steps lead to; None off the board."""
    vector, at = board.vectors[way], board.coordinates[square]
    for _ in range(count):
        at = tuple(a + b for a, b in zip(at, vector, strict=True))
        if board.shape in WRAPPED:
            at = tuple((a - 1) % size + 1 for a, size in zip(at, board.sizes, strict=True))
        if at not in board.square_at:
            return None
    return board.square_at[at]


@together(SIZES)
def test_n_steps_are_one_step_n_times(shape: str, sizes: tuple[int, ...]) -> None:
    board = board_of_shape(shape, *sizes)
    everywhere = list(product(range(len(board.squares)), range(len(board.directions))))
    for count in (0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13):
        table, up_to = board_tables.nth_step(board, count), board_tables.steps_up_to(board, count)
        for square, way in everywhere:
            right = walk(board, square, way, count)
            assert table[square][way] == right
            assert up_to[square][way][count % board.round if board.round else count :][:1] in ((), (right,))


@pytest.mark.parametrize("shape", sorted(WRAPPED))
def test_huge_numbers_of_steps_come_round(shape: str) -> None:
    board = board_of_shape(shape, *(3, 4)[: 1 if shape == "ring" else 2])
    huge = 12 * 10**15 + 5
    for square, way in product(range(len(board.squares)), range(len(board.directions))):
        assert board.walk(square, way, huge) == walk(board, square, way, 5)

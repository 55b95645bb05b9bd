"""python-chess at work (pip install chess): `python_chess.py perft DEPTH` counts move sequences from the start."""

import json
import sys
from time import process_time

import chess


def perft(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


if __name__ == "__main__":
    began = process_time()
    count = perft(chess.Board(), int(sys.argv[2]))
    print(json.dumps({"seconds": process_time() - began, "count": count}))

"""easyAI at work (pip install easyAI): `easyai.py COLUMNS ROWS` finds the value of connect four by its Negamax
(alpha-beta) with its table of positions. The game is written as its manual shows, with the two things that make it
fast there: moves that can be taken back, and a short key for the table."""

import json
import sys
from time import process_time

from easyAI import AI_Player, Negamax, TranspositionTable, TwoPlayerGame

COLUMNS, ROWS = int(sys.argv[1]), int(sys.argv[2])
WIN = 100


def lines():
    """Every four in a row, as a set of bits, by the square that it holds."""
    found = {}
    for x in range(COLUMNS):
        for y in range(ROWS):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                squares = [(x + i * dx, y + i * dy) for i in range(4)]
                if all(0 <= a < COLUMNS and 0 <= b < ROWS for a, b in squares):
                    bits = sum(1 << (a * ROWS + b) for a, b in squares)
                    for a, b in squares:
                        found.setdefault(a * ROWS + b, []).append(bits)
    return found


LINES = lines()


class ConnectFour(TwoPlayerGame):
    def __init__(self, players):
        self.players = players
        self.current_player = 1
        self.heights = [0] * COLUMNS
        self.discs = [0, 0, 0]  # of the players 1 and 2
        self.last = []

    def possible_moves(self):
        return [column for column in range(COLUMNS) if self.heights[column] < ROWS]

    def make_move(self, column):
        square = column * ROWS + self.heights[column]
        self.heights[column] += 1
        self.discs[self.current_player] |= 1 << square
        self.last.append(square)

    def unmake_move(self, column):
        self.heights[column] -= 1
        self.discs[self.current_player] ^= 1 << self.last.pop()

    def lose(self):
        if not self.last:
            return False
        discs = self.discs[self.opponent_index]
        return any(discs & line == line for line in LINES.get(self.last[-1], ()))

    def is_over(self):
        return self.lose() or len(self.last) == COLUMNS * ROWS

    def scoring(self):
        return -WIN if self.lose() else 0

    def ttentry(self):
        return (self.discs[1], self.discs[2])


if __name__ == "__main__":
    search = Negamax(COLUMNS * ROWS, win_score=WIN, tt=TranspositionTable())
    game = ConnectFour([AI_Player(search), AI_Player(search)])
    began = process_time()
    search(game)
    value = (search.alpha > 0) - (search.alpha < 0)
    print(json.dumps({"seconds": process_time() - began, "value": value}))

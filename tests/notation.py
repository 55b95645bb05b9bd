"""Positions of shipped games from the notations of their players, as a variant that is added to the game's file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gdl import loads, read
from gdl.game import Game

ROOKS = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}
MATE_AND_STALEMATE = """terminal
        no actions and not safe(king_of(mover)) -> lose mover
        no actions -> draw"""


def play(name: str, variant: str | None = None, more: str = "", **settings: object) -> Game[Any]:
    """A shipped game with these settings; `more` are sections added to its file."""
    text, shown = read(name)
    return loads(f"{text}\n{more}", shown, settings={k: str(v) for k, v in settings.items()}, variant=variant).game


def chess(fen: str, ending: str = "") -> Game[Any]:
    """Chess from a position in Forsyth-Edwards notation; `ending` is another `terminal` section."""
    men, turn, castling, passed, quiet, _ = fen.split()
    rows = [" ".join(re.sub(r"\d", lambda digit: "." * int(digit[0]), row)) for row in men.split("/")]
    rights = ", ".join(ROOKS[letter] for letter in castling if letter != "-")
    return play("chess", "position", f"""
variant position
    setup side, kind
        {_lines(rows)}
    state
        rights: set of Square = {{{rights}}}
        passed: Square? = {"none" if passed == "-" else passed}
        quiet: 0..100 = {quiet}
    start {"White" if turn == "w" else "Black"}
    {ending}
""")  # fmt: skip


def draughts(name: str, fen: str, n: int, men: int) -> Game[Any]:
    """Checkers or draughts from `W:WK3,23,31:B1,4`: the squares are numbered row by row from Black's side."""
    turn, *sides = fen.split(":")
    board = [["."] * n for _ in range(n)]
    for side in sides:
        for man in side[1:].split(","):
            row, place = divmod(int(man.lstrip("K")) - 1, n // 2)
            letter = side[0].upper() if man[0] == "K" else side[0].lower()
            board[row][2 * place + (row + 1) % 2] = letter
    return play(name, "position", f"""
variant position
    setup side, king
        {_lines(" ".join(row) for row in board)}
    start {"White" if turn == "W" else "Black"}
""", n=n, men=men)  # fmt: skip


def backgammon(position: Mapping[str, Any]) -> Game[Any]:
    """Backgammon with the men where the facts say: White moves up, and the dice have been rolled."""
    rows = []
    for side in ("up", "down"):
        men = [0] * 26
        for point, count in position[f"{side}_player"].items():
            men[int(point) if side == "up" else 25 - int(point)] = count
        men[0] = position.get("bar", {}).get(side, 0)
        men[25] = position.get("off", {}).get(side, 0)
        rows.append(" ".join(map(str, men)))
    first, second = sorted(int(die) for die in position["roll"].split("-"))
    dice = [0 if n not in (first, second) else 4 if first == second else 1 for n in range(1, 7)]
    return play("backgammon", "position", f"""
variant position
    setup men
        {_lines(rows)}
    setup dice
        {" ".join(map(str, dice))}
    start {"White" if position["to_move"] == "up" else "Black"}
""")  # fmt: skip


def _lines(rows: Any) -> str:
    return "\n        ".join(rows)

"""Bridge in plain Python, by the rules of bridge.game."""

from __future__ import annotations

State = tuple[dict[str, int], int]  # the stones (0 Red, 1 Blue) by cells, and the mover

CELLS = [c + r for r in "12345" for c in "abcde"]
WAYS = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]


def find_neighbours(cell: str) -> list[str]:
    """Return the cells beside this one."""
    near = (chr(ord(cell[0]) + x) + chr(ord(cell[1]) + y) for x, y in WAYS)
    return [n for n in near if n in CELLS]


NEIGHBOURS = {c: find_neighbours(c) for c in CELLS}


def start() -> State:
    """Return the first state."""
    return {}, 0


def has_bridge(stones: dict[str, int], player: int) -> bool:
    """Return whether the player's stones join the two sides: columns for Red, rows for Blue."""
    first, last = "ae" if player == 0 else "15"
    todo = [c for c, p in stones.items() if p == player and c[player] == first]
    seen = set(todo)
    while todo:
        cell = todo.pop()
        if cell[player] == last:
            return True
        for n in NEIGHBOURS[cell]:
            if n not in seen and stones.get(n) == player:
                seen.add(n)
                todo.append(n)
    return False


def moves(state: State) -> list[str]:
    """Return the names of the legal moves; none where play is over."""
    stones, _ = state
    if has_bridge(stones, 0) or has_bridge(stones, 1):
        return []
    return [c for c in CELLS if c not in stones]


def play(state: State, name: str) -> State:
    """Return the state after the move."""
    stones, mover = state
    return {**stones, name: mover}, 1 - mover


def result(state: State) -> tuple[int, int]:
    """Return the utilities of Red and Blue at the end."""
    return (1, -1) if has_bridge(state[0], 0) else (-1, 1)

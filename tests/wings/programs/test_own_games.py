"""Games of one's own, and those of numbers, are stepped as all others are."""

from __future__ import annotations

from typing import Any

import gdl
from gdl.game import Decision, Node, Terminal


class Nim(gdl.OwnGame):
    """Whoever takes the last one wins."""

    players = ("Ann", "Bob")

    def initial(self) -> Any:
        return (3, 5), 0

    def node(self, state: Any) -> Node:
        heaps, mover = state
        if not any(heaps):
            return Terminal((-1, 1) if mover == 0 else (1, -1))
        return Decision(mover, tuple(f"{k}-{n}" for k, heap in enumerate(heaps) for n in range(1, heap + 1)))

    def successor(self, state: Any, action: Any) -> Any:
        heaps, mover = state
        k, n = map(int, action.split("-"))
        return (*heaps[:k], heaps[k] - n, *heaps[k + 1 :]), 1 - mover


def test_a_name_is_stepped_as_it_is_solved() -> None:
    env = gdl.environment("kuhn")
    env.reset(seed=2)
    assert env.players == ("P1", "P2") and gdl.environment(gdl.loads("players A\ntree A(1, 2)")).actions == 2


def test_a_game_of_ones_own_is_stepped() -> None:
    env = Nim().environment()
    env.step(env.numbers["1-2"])
    assert env.actions == 8 and env.player == 1


def test_a_matrix_is_stepped() -> None:
    names = ["heads", "tails"]
    assert gdl.matrix([[1, -1], [-1, 1]], rows=names, columns=names).environment().actions == 2

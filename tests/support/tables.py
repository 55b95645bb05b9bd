"""Tables drawn at random: few plans, small whole payoffs, so that ties are common."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from games_by_hand import matrix

from gdl.interpreter.explicit_game import MatrixGame

Cell = tuple[int, ...]
Payoffs = dict[Cell, tuple[int, ...]]
NAMES = ("Ann", "Bob", "Cid", "Dan")


def random_table(seed: int, *sizes: int, most: int = 5) -> tuple[MatrixGame, Payoffs]:
    """A random table with these numbers of plans: a mapping from the players' plan numbers to payoffs."""
    dice = random.Random(seed)
    cells = {cell: tuple(dice.randint(0, most) for _ in sizes) for cell in product(*map(range, sizes))}
    return game_of(cells, sizes, f"table {seed}"), cells


def game_of(cells: Payoffs, sizes: tuple[int, ...], name: str = "table") -> MatrixGame:
    actions = [[f"{NAMES[p][0].lower()}{k}" for k in range(size)] for p, size in enumerate(sizes)]
    named = {tuple(actions[p][k] for p, k in enumerate(cell)): vector for cell, vector in cells.items()}
    return matrix(name, NAMES[: len(sizes)], actions, named)


def cells_of(sizes: tuple[int, ...]) -> Iterator[Cell]:
    return product(*map(range, sizes))


def expected(cells: Payoffs, mixes: list[list[Fraction]], player: int) -> Fraction:
    """The expected payoff of a player if all play these mixtures independently."""
    total = Fraction(0)
    for cell, vector in cells.items():
        weight = Fraction(1)
        for mix, k in zip(mixes, cell, strict=True):
            weight *= mix[k]
        total += weight * vector[player]
    return total

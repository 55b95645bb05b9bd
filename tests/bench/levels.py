"""How much stronger each level of the computer is than the one below.

    python tests/bench/levels.py connect_four --levels 1 2 3 --games 20

Work is counted, so that the same command plays the same games: two levels play each seed twice, with the sides
exchanged. The highest level may do as much as a machine of today does in a part of a second. A game that has not ended
after MOST plies is drawn.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import gdl
from gdl.commands.engines import offer
from gdl.game import Chance, Terminal
from gdl.states.sequential import Sequential
from gdl.states.tally import interval
from gdl.wings.arena import computer as full
from gdl.wings.arena.computer import Computer

MOST = 200


def play_game(games: list[Any], levels: tuple[int, int], seed: int, first: int) -> float:
    """Play once, at the second of the levels in the seat `first`: the points of that level. Each seat has a game of its
    own, as the engine of a game keeps what it has searched."""
    turns = Sequential(games[0])
    seats = [Computer(games[seat], "auto", seed, None, level=levels[1 if seat == first else 0]) for seat in range(2)]
    chance = random.Random(seed)
    state = turns.initial()
    for _ in range(MOST):
        node = turns.node(state)
        if isinstance(node, Terminal):
            own, other = node.utilities[first], node.utilities[1 - first]
            return 0.5 + ((own > other) - (own < other)) / 2
        if isinstance(node, Chance):
            names, shares = zip(*node.outcomes, strict=True)
            action = chance.choices(names, [float(share) for share in shares])[0]
        else:
            action = seats[node.player].move(state, node.player)
        state = turns.successor(state, action)
    return 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--levels", nargs="+", type=int, default=[*range(1, 9)], help="each plays the one before it")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1.0, help="of a pair; no game is begun later")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="of the highest level")
    parser.add_argument("--simulations", type=int, default=20_000, help="of the highest level")
    asked = parser.parse_args()
    full.ESTIMATES = {**full.ESTIMATES, True: {"nodes": asked.nodes, "time": 60}}
    full.SIMULATIONS = {**full.SIMULATIONS, True: {"simulations": asked.simulations}}
    settings = dict(each.split("=") for each in asked.set)
    text = gdl.read(asked.game)
    games = [offer(gdl.loads(*text, settings=settings).game, "auto") for _ in range(2)]
    for pair in pairwise(asked.levels):
        points, began = list[float](), time.monotonic()
        end = began + 60 * asked.minutes
        for number in range(asked.games):
            if time.monotonic() < end:
                points.append(play_game(games, pair, asked.seed + number // 2, number % 2))
        if points:
            low, high = interval(sum(points), len(points), 1.959964)
            share = sum(points) / len(points)
            each = (time.monotonic() - began) / len(points)
            score = [points.count(value) for value in (1.0, 0.5, 0.0)]
            print(f"| {asked.game} | {pair[1]} : {pair[0]} | {len(points)} | {score[0]} {score[1]} {score[2]} "
                  f"| {share:.2f} | {low:.2f} to {high:.2f} | {each:.1f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()

"""How fast programs walk through games: random play and trees, by `gdl.load`, with packed states, in an environment, in
1,024 plays at once, by PettingZoo's interface, and by OpenSpiel and python-chess where these are installed. All in one
process, in processor time.

    python tests/bench/own_walks.py [GAME …] [--seconds S]
"""

import argparse
import random
from collections.abc import Callable
from contextlib import suppress
from time import process_time
from typing import Any

import gdl
from gdl.game import Terminal

DEPTHS = {"connect_four": 6, "breakthrough": 3, "othello": 6, "chess": 3}  # of the trees
AT_ONCE = 50  # steps between two looks at the clock


def rate(step: Callable[[], int], seconds: float) -> float:
    """Things a second, of which each call of `step` does some."""
    done, begun = 0, process_time()
    while process_time() < begun + seconds:
        done += step()
    return done / (process_time() - begun)


def play_game(game: Any) -> Callable[[], int]:
    """Steps of random play by `node` and `successor`."""
    draw = random.Random(1).random
    at = [game.initial()]

    def step() -> int:
        state = at[0]
        for _ in range(AT_ONCE):
            here = game.node(state)
            if type(here) is Terminal:
                state = game.initial()
                continue
            names = here.actions
            state = game.successor(state, names[int(draw() * len(names))])
        at[0] = state
        return AT_ONCE

    return step


def play_environment(env: Any) -> Callable[[], int]:
    draw = random.Random(1).random

    def step() -> int:
        for _ in range(AT_ONCE):
            if env.over:
                env.reset()
                continue
            env.step(env.legal[int(draw() * len(env.legal))])
        return AT_ONCE

    return step


def play_batch(plays: Any, seen: bool) -> Callable[[], int]:
    """Steps of many plays at once, drawn by numpy; `seen`: with observations and masks."""
    import numpy

    rows, draw = numpy.arange(plays.size), numpy.random.default_rng(1).random

    def step() -> int:
        plays.step(plays.legal[rows, (draw(plays.size) * plays.count).astype(int)])
        if seen:
            _ = plays.observations(plays.player), plays.mask
        return plays.size

    return step


def play_pettingzoo(board: Any) -> Callable[[], int]:
    draw = random.Random(1).random
    board.reset(seed=1)

    def step() -> int:
        for _ in range(AT_ONCE):
            observation, _, over, *_ = board.last()
            if over:
                board.reset()
                continue
            (legal,) = observation["action_mask"].nonzero()
            board.step(int(legal[int(draw() * len(legal))]))
        return AT_ONCE

    return step


def play_chess() -> Callable[[], int]:
    import chess

    board, draw = chess.Board(), random.Random(1).random

    def step() -> int:
        for _ in range(AT_ONCE):
            if board.is_game_over(claim_draw=False):
                board.reset()
            legal = list(board.legal_moves)
            board.push(legal[int(draw() * len(legal))])
        return AT_ONCE

    return step


def play_openspiel(game: Any) -> Callable[[], int]:
    draw = random.Random(1).random
    at = [game.new_initial_state()]

    def step() -> int:
        state = at[0]
        for _ in range(AT_ONCE):
            if state.is_terminal():
                state = game.new_initial_state()
                continue
            numbers = state.legal_actions()
            state.apply_action(numbers[int(draw() * len(numbers))])
        at[0] = state
        return AT_ONCE

    return step


def walk(game: Any, state: Any, depth: int) -> int:
    """The nodes of the tree below a state, each asked for what can be done there."""
    here = game.node(state)
    if depth == 0 or type(here) is Terminal:
        return 1
    return 1 + sum([walk(game, game.successor(state, action), depth - 1) for action in here.actions])


def walk_openspiel(state: Any, depth: int) -> int:
    if state.is_terminal():
        return 1
    numbers = state.legal_actions()
    if depth == 0:
        return 1
    return 1 + sum([walk_openspiel(state.child(number), depth - 1) for number in numbers])


def measure(name: str, seconds: float) -> list[tuple[str, float, float]]:
    """Rows of a name, steps and nodes a second: the last is OpenSpiel's, if it is there."""
    plain, depth = gdl.load(name), DEPTHS.get(name, 3)
    packed = gdl.load(name, packed=True)
    play_packed = play_game(packed)
    rate(play_packed, 4 * seconds)  # code is compiled, and names are made
    walk(packed, packed.initial(), depth)

    def fresh() -> int:
        packed.node.__self__._forget()
        return walk(packed, packed.initial(), depth)

    rows = [
        ("`gdl.load(…)`", rate(play_game(plain), seconds), 0.0),
        ("`gdl.load(…, packed=True)`", rate(play_packed, seconds), rate(fresh, seconds)),
        ("`gdl.environment(…)`", rate(play_environment(gdl.environment(plain)), seconds), 0.0),
        ("`environments(1024)`", rate(play_batch(plain.environments(1024), False), seconds), 0.0),
        ("with `observations`, `mask`", rate(play_batch(plain.environments(1024), True), seconds), 0.0),
    ]
    with suppress(ModuleNotFoundError):
        from gdl.adapters.pettingzoo import env

        rows.append(("PettingZoo's interface", rate(play_pettingzoo(env(name)), seconds), 0.0))
    if name == "connect_four":
        with suppress(ModuleNotFoundError):  # it draws with pygame
            from pettingzoo.classic import connect_four_v3

            rows.append(("PettingZoo's own game", rate(play_pettingzoo(connect_four_v3.env()), seconds), 0.0))
    if name == "chess":
        with suppress(ModuleNotFoundError):
            rows.append(("python-chess", rate(play_chess(), seconds), 0.0))
    try:
        import pyspiel

        other = pyspiel.load_game(name)
        theirs = rate(play_openspiel(other), seconds)
        rows.append(("pyspiel", theirs, rate(lambda: walk_openspiel(other.new_initial_state(), depth), seconds)))
    except ModuleNotFoundError:
        pass
    return rows


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("games", nargs="*", default=list(DEPTHS))
    asked.add_argument("--seconds", type=float, default=1.0)
    given = asked.parse_args()
    print("| game | by | steps/s | of pyspiel | nodes/s | of pyspiel |\n|---|---|---|---|---|---|")
    for name in given.games:
        rows = measure(name, given.seconds)
        *_, (_, steps, nodes) = rows
        for who, played, walked in rows:
            beside = f"{walked:,.0f} | {walked / nodes:.2f}" if walked else "– | –"
            print(f"| {name} | {who} | {played:,.0f} | {played / steps:.2f} | {beside} |", flush=True)


if __name__ == "__main__":
    main()

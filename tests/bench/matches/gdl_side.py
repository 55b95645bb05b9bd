"""gdl as one of the programs of a match: reads plays as JSON, and prints an action for each.

It asks for nothing but what every version of gdl has, so that a former one can play against this one. With
`clock=processor` a second is one of its processor's time, however busy the machine is.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

if "clock=processor" in sys.argv[3]:
    time.monotonic = time.process_time  # before anybody takes it from there

import gdl
from gdl.commands.engines import offer
from gdl.errors import LimitReached
from gdl.interpreter.position import Continuation
from gdl.solvers import solve
from gdl.states.sequential import Sequential


def main() -> None:
    name, settings, text = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
    solver, _, rest = text.partition(":")
    options = {key: number(value) for key, _, value in (word.partition("=") for word in rest.split(",") if word)}
    options.pop("clock", None)
    weights = options.pop("weights", None)
    played = gdl.load(name, settings=settings) if weights is None else weighed(name, settings, str(weights))
    game: Any = offer(played, str(options.pop("engine", "auto")))
    computer = None
    if solver == "gdl":
        from gdl.wings.arena.computer import Computer

        lower: dict[str, Any] = {"level": int(options["level"])} if "level" in options else {}
        computer = Computer(game, "auto", 0, float(options.get("seconds", 1)), **lower)
        computer.get_ready()
    known, state = list[str](), game.initial()
    for line in sys.stdin:
        play, actions = json.loads(line)
        if play[: len(known)] != known:
            known, state = [], game.initial()
        for action in play[len(known) :]:
            state = game.successor(state, action)
        known = play
        if computer is not None:
            turns = Sequential(game)
            turn = turns.initial()._replace(state=state)
            print(computer.move(turn, game.node(state).player), flush=True)
            continue
        seed = {"seed": len(play)} if solver == "mcts" else {}
        try:
            found: Any = solve(Continuation(game, state), solver, **seed, **options)
        except LimitReached as stop:
            found = stop.partial
        print(found.best[0] if found.best else actions[0], flush=True)


def weighed(name: str, settings: dict[str, str], weights: str) -> Any:
    """The game with the weights of a file."""
    from gdl.commands.game_argument import load
    from gdl.playing.loading import apply_weights

    return apply_weights(load(name, settings, None), weights).game


def number(text: str) -> Any:
    """A number where the text is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


if __name__ == "__main__":
    main()

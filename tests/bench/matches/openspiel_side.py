"""OpenSpiel's tree search as one of the programs of a match: one random play a simulation, proofs on.

It counts simulations. With `seconds=S` short searches, whose time counts too, tell how many it can make in what is left
of so many seconds of its processor's time.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import pyspiel

UCT = 2.0  # on utilities from -1 to 1
MOST = 1 << 24  # simulations of a move


def main() -> None:
    name, settings, rest = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
    options = dict(word.split("=", 1) for word in rest.split(",") if word)
    text, number = GAMES[name](settings)
    game = pyspiel.load_game(text)
    for line in sys.stdin:
        play, actions = json.loads(line)
        state = game.new_initial_state()
        for action in play:
            state.apply_action(number(action, state))
        theirs = {number(action, state): action for action in actions}
        assert set(theirs) == set(state.legal_actions()), "the games differ"
        print(theirs[found(game, state, len(play), options)], flush=True)


def found(game: pyspiel.Game, state: pyspiel.State, seed: int, options: dict[str, str]) -> int:
    """The action that it finds."""

    def search(simulations: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, float(options.get("c", UCT)), simulations, 1000, True, seed, False)
        return int(bot.step(state))

    if "seconds" not in options:
        return search(int(options["simulations"]))
    limit, simulations, took, spent, action = float(options["seconds"]), 500, 0.0, 0.0, 0
    while took < 0.03 * limit and simulations < MOST:  # more where it has found a proof
        simulations *= 2
        since = time.process_time()
        action = search(simulations)
        took = time.process_time() - since
        spent += took
    more = min(MOST, int(simulations * (limit - spent) / took))
    return search(more) if more > simulations else action


Numbering = Callable[[str, "pyspiel.State"], int]


def connect_four(settings: dict[str, str]) -> tuple[str, Numbering]:
    return "connect_four", lambda action, state: int(action[5:-1]) - 1


def hexagons(settings: dict[str, str]) -> tuple[str, Numbering]:
    n = int(settings.get("n", 3))
    return f"hex(board_size={n})", lambda action, state: (int(action[1:]) - 1) * n + ord(action[0]) - ord("a")


def breakthrough(settings: dict[str, str]) -> tuple[str, Numbering]:
    rows, columns = settings.get("rows", "8"), settings.get("columns", "8")

    def number(action: str, state: pyspiel.State) -> int:
        for one in state.legal_actions():
            if state.action_to_string(state.current_player(), one).rstrip("*") == action:
                return int(one)
        raise AssertionError(f"{action} is none of theirs")

    return f"breakthrough(rows={rows},columns={columns})", number


GAMES = {"connect_four": connect_four, "hex": hexagons, "breakthrough": breakthrough}

if __name__ == "__main__":
    main()

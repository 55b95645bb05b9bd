"""OpenSpiel's tree search as one of the programs of a match: one random play a simulation, proofs on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pyspiel

UCT = 2.0  # on utilities from -1 to 1


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
        evaluator = pyspiel.RandomRolloutEvaluator(1, len(play))
        c = float(options.get("c", UCT))
        bot = pyspiel.MCTSBot(game, evaluator, c, int(options["simulations"]), 1000, True, len(play), False)
        print(theirs[bot.step(state)], flush=True)


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

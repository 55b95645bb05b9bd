"""OpenSpiel's AlphaZero in Python at work (pip install open_spiel jax flax optax chex orbax-checkpoint), in one process:
`alpha_zero.py GAME GAMES SIMULATIONS` plays so many games of self-play as its actors do, and learns nothing from them.
"""

import json
import sys
import tempfile
from time import process_time

import pyspiel

try:
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.algorithms.alpha_zero import alpha_zero, evaluator
    from open_spiel.python.algorithms.alpha_zero.utils import api_selector
except ImportError as why:
    print(json.dumps({"missing": f"no AlphaZero here: {why}"}))
    sys.exit()

UNITS, LAYERS = 64, 2  # of the net


class Silence:
    """A logger."""

    def print(self, *_):
        pass

    opt_print = print


def self_play(game, games, simulations):
    with tempfile.TemporaryDirectory() as folder:
        model = api_selector("linen").Model.build_model(
            "mlp", game.observation_tensor_shape(), game.num_distinct_actions(), UNITS, LAYERS, 1e-4, 1e-3, folder
        )
        judge = evaluator.AlphaZeroEvaluator(game, model)
        bot = mcts.MCTSBot(
            game, 2.0, simulations, judge, solve=False, dirichlet_noise=(0.25, 1.0),
            child_selection_fn=mcts.SearchNode.puct_value, dont_return_chance_node=True,
        )  # fmt: skip
        bot.mcts_search(game.new_initial_state())  # its machine code is made
        began = process_time()
        for number in range(games):
            alpha_zero._play_game(Silence(), number, game, (bot, bot), 1.0, 12)
        return process_time() - began


if __name__ == "__main__":
    name, games, simulations = sys.argv[1:]
    spent = self_play(pyspiel.load_game(name), int(games), int(simulations))
    print(json.dumps({"units": int(games), "seconds": spent}))

"""OpenSpiel at work (pip install open_spiel): `openspiel.py WORK GAME …` prints what it did as one line of JSON.

playouts GAME COUNT SEED    its own C++ rollouts: its search bot with one simulation, judged by so many rollouts
mcts GAME SIMULATIONS SEED  the same bot, one rollout a simulation
report GAME PLAYS SEED SIMULATIONS    plays of that bot against itself
solve GAME                  its MinimaxSolver: the value of every state
cfr GAME ITERATIONS         its CFRPlusSolver
until GAME GAP              the same until its NashConv is no more than the gap, which is looked at after ever twice as many
mccfr GAME ITERATIONS SEED  its ExternalSamplingMCCFRSolver
steps GAME COUNT SEED       random plays from Python, an action at a time
cold GAME WORK …            such a work, the whole process counted
"""

import json
import random
import sys
from time import process_time

import pyspiel

UCT = 2.0  # the bot's constant
SAMPLE = 1.0  # seconds for the mean length of play, which its rollouts do not tell


def bot(game, rollouts, simulations, seed):
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    return pyspiel.MCTSBot(game, evaluator, UCT, simulations, 1000, False, seed, False)


def timed(work):
    began = process_time()
    return work(), process_time() - began


def after_chance(game):
    """The first state in which somebody chooses."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def playouts(game, count, seed):
    search = bot(game, int(count), 1, int(seed))
    root, seconds = timed(lambda: search.mcts_search(after_chance(game)))
    value = root.total_reward / root.explore_count  # for who begins
    length = mean_length(game, int(seed))
    return {"units": int(count), "seconds": seconds, "length": length, "value": [value, int(count)]}


def mean_length(game, seed):
    """The mean number of actions and outcomes of random plays made by hand, and of how many."""
    chooser, began, plies, plays = random.Random(seed), process_time(), 0, 0
    while process_time() - began < SAMPLE:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(drawn(state, chooser))
            plies += 1
        plays += 1
    return [plies / plays, plays]


def drawn(state, chooser):
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        return chooser.choices(outcomes, chances)[0]
    return chooser.choice(state.legal_actions())


def mcts(game, simulations, seed):
    search = bot(game, 1, int(simulations), int(seed))
    _, seconds = timed(lambda: search.mcts_search(after_chance(game)))
    return {"units": int(simulations), "seconds": seconds}


def report(game, plays, seed, simulations):
    bots = [bot(game, 1, int(simulations), int(seed) + player) for player in range(2)]

    def play():
        for number in range(int(plays)):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, int(seed) + number)

    _, seconds = timed(play)
    return {"units": int(plays), "seconds": seconds}


def solve(game):
    from open_spiel.python.algorithms import minimax_solver

    sys.setrecursionlimit(10_000)
    table, seconds = timed(minimax_solver.MinimaxSolver(str(game)).solve)
    return {"seconds": seconds, "value": float(table[str(game.new_initial_state())].value), "decisions": len(table)}


def cfr(game, iterations):
    """Iterations of its CFR+ in C++ alone."""
    solver = pyspiel.CFRPlusSolver(game)
    _, seconds = timed(lambda: [solver.evaluate_and_update_policy() for _ in range(int(iterations))])
    return {
        "units": int(iterations),
        "seconds": seconds,
        "infosets": len(solver.tabular_average_policy().policy_table()),
    }


def until(game, gap):
    """Iterations of its CFR+ in C++ alone; its NashConv, in C++ as well, is not counted."""
    solver, done, count, seconds = pyspiel.CFRPlusSolver(game), 0, 8, 0.0
    while True:
        _, spent = timed(lambda: [solver.evaluate_and_update_policy() for _ in range(count - done)])  # noqa: B023
        seconds, done = seconds + spent, count
        found = pyspiel.nash_conv(game, solver.tabular_average_policy())
        if found <= fraction(gap):
            return {"seconds": seconds, "iterations": done, "gap": found}
        count *= 2


def fraction(text):
    upper, _, lower = text.partition("/")
    return float(upper) / float(lower or 1)


def mccfr(game, iterations, seed):
    """Iterations of its external-sampling MCCFR in C++ alone."""
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, int(seed))
    _, seconds = timed(lambda: [solver.run_iteration() for _ in range(int(iterations))])
    return {"units": int(iterations), "seconds": seconds}


def steps(game, count, seed):
    """Random plays stepped from Python; chance is not counted."""
    chooser, began, done, plays = random.Random(int(seed)), process_time(), 0, 0
    while done < int(count):
        state = game.new_initial_state()
        plays += 1
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(drawn(state, chooser))
            else:
                state.apply_action(chooser.choice(state.legal_actions()))
                done += 1
    return {"units": done, "seconds": process_time() - began, "length": [done / plays, plays]}


def cold(game, *rest):
    found = globals()[rest[0]](game, *rest[1:])
    del found["seconds"]
    return found


if __name__ == "__main__":
    work, name, *rest = sys.argv[1:]
    if name.startswith("python_"):
        from open_spiel.python import games  # noqa: F401  (makes the games that are written in Python known)
    print(json.dumps(globals()[work](pyspiel.load_game(name), *rest)))

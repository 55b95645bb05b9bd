"""The worth of search at every turn where something is hidden: `turns.py GAME [NAME=VALUE…] --simulations N… [--few]`.

    python tests/bench/turns.py leduc --simulations 10000 100000             NashConv
    python tests/bench/turns.py liars_dice dice=2 sides=3 --first --few      what the first player expects

NashConv is what all players together could gain by deviating from the mixtures that are advised at all their turns.
With `--first` only the turns after the deal are searched: what simulations pay there is told, as they go, and as it is
for the most visited action. `--few`: as if common knowledge were too large to be followed.
"""

from __future__ import annotations

import argparse
from functools import partial
from math import inf
from typing import Any

import gdl
import gdl.wings.hidden.information_set_mcts as search
from gdl.commands.engines import game_with_engine
from gdl.game import Chance, Decision, actions
from gdl.solvers.equilibria.regret import regret
from gdl.states.possible import Possible
from gdl.states.sequential import Sequential, Turn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("settings", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--simulations", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--few", action="store_true")
    asked = parser.parse_args()
    if asked.few:
        search.find_common_knowledge = partial(search.find_common_knowledge, most=0)
    loaded = gdl.load(asked.game, settings=dict(word.split("=", 1) for word in asked.settings))
    turns = Sequential(game_with_engine(loaded.model))
    for simulations in asked.simulations:
        found = expected(turns, simulations) if asked.first else f"NashConv {nash_conv(turns, simulations):.3f}"
        print(f"{asked.game}, {simulations:,} simulations: {found}")


def advised(turns: Sequential, state: Turn, player: int, simulations: int) -> search.Advice:
    found = search.InformationSetMcts(Possible(turns, state, player), 1)
    found.find_starts(inf)
    advice = found.advise_compiled(inf, simulations)
    assert advice is not None
    return advice


def nash_conv(turns: Sequential, simulations: int) -> float:
    profile: dict[str, Any] = {player: {} for player in turns.players}
    todo = [turns.initial()]
    while todo:
        state = todo.pop()
        node = turns.node(state)
        todo += [turns.successor(state, action) for action in actions(node)]
        if isinstance(node, Decision):
            player, known = turns.players[node.player], turns.describe(state, node.player)
            if known not in profile[player]:
                weights = advised(turns, state, node.player, simulations).mixture()
                profile[player][known] = {action: w / sum(weights.values()) for action, w in weights.items()}
    return float(regret(turns.game, profile).nash_conv)


def expected(turns: Sequential, simulations: int) -> str:
    dealt, hands, todo = dict[Any, float](), dict[Any, tuple[Turn, int]](), [(turns.initial(), 1.0)]
    while todo:
        state, weight = todo.pop()
        node = turns.node(state)
        if isinstance(node, Chance):
            todo += [(turns.successor(state, action), weight * float(chance)) for action, chance in node.outcomes]
        elif isinstance(node, Decision):
            known = turns.information_set(state, node.player)
            dealt[known] = dealt.get(known, 0.0) + weight
            hands.setdefault(known, (state, node.player))
    paid = most = 0.0
    for known, weight in dealt.items():
        advice = advised(turns, *hands[known], simulations)
        paid += weight * sum(v * m for v, m in zip(advice.visits, advice.means, strict=True)) / sum(advice.visits)
        most += weight * advice.means[advice.visits.index(max(advice.visits))]
    return f"{paid:.3f} on average, {most:.3f} by the most visited action"


if __name__ == "__main__":
    main()

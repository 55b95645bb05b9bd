"""How often a search keeps the value of a position: `choices.py GAME SOLVER:OPTIONS… [--set NAME=VALUE…] [--judge]`.

    python tests/bench/choices.py connect_four mcts:simulations=1000 mcts:simulations=10000
    python tests/bench/choices.py kalah mcts:simulations=1000 --set houses=4 seeds=3
    python tests/bench/choices.py connect_four depth-limited:depth=6 --weights c4.safetensors

1. Positions are met in games of short tree search, two moves in three at random (by seed, so always the same ones). Kept
   are those that are hard: at most half of the actions keep what the position is worth.
2. Values are exact: of connect four on the full board by bitbully (`pip install bitbully`), where it is here, of all
   other games by gdl's own proof, which must end within --patience nodes.
3. Two thirds are to tune by; --judge asks the third that is left, and nobody tunes by that.

Printed: the share of positions in which the action that the search names keeps the value, with Wilson's interval for 95
of 100 cases, and the seconds of processor time a position took. `--file` keeps the positions for the next run.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import gdl
from gdl.commands.engines import offer
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.searches import mcts_driver
from gdl.errors import LimitReached
from gdl.game import Decision, Terminal
from gdl.interpreter.position import Continuation
from gdl.playing import loading
from gdl.solvers import solve
from gdl.solvers.certificate import UNTIED
from gdl.wings.arena.contestants import Score
from gdl.wings.learning import learned_files

SHORT = 100  # simulations of the search that plays the games
PLIES = [2, 25]  # after which positions are looked at, from the first to the second


@cache
def oracle() -> Any:
    """The program that knows connect four, with its book."""
    from bitbully import BitBully

    return BitBully()


def connect_four_values(plays: list[str], actions: list[str]) -> dict[str, int] | None:
    """The value of each action of the full board for who moves, by bitbully; None where it is not here."""
    try:
        from bitbully import Board
    except ImportError:
        return None
    board = Board([int(play[5]) - 1 for play in plays])
    scores = oracle().score_all_moves(board)
    return {action: (score > 0) - (score < 0) for action in actions for score in [scores[int(action[5]) - 1]]}


def proven_best(game: Any, state: Any, nodes: int) -> list[str]:
    """All actions that keep the value, by gdl's proof; none where that takes too many nodes. Where positions can come
    again, every position that can follow counts as a node."""
    prover = "alpha-beta" if game.traits.cyclic is False else "retrograde"
    try:
        found = solve(Continuation(game, state), prover, nodes=nodes)
    except LimitReached:
        return []
    return list(found.best) if found.exact and UNTIED not in found.notes else []


def positions(
    game: Any, full: bool, seed: int, patience: int, plies: Sequence[int]
) -> Iterator[tuple[list[str], list[str]]]:
    """Plays of so many plies, from the first to the second of `plies`, that lead to hard positions, and the actions that
    keep the value there."""
    random = Random(seed)
    while True:
        state, plays, stop = game.initial(), list[str](), random.randint(*plies)
        while len(plays) < stop and isinstance(node := game.node(state), Decision):
            action = random.choice(node.actions)
            if random.random() < 1 / 3:
                action = solve(Continuation(game, state), "mcts", simulations=SHORT, seed=random.getrandbits(20)).best[
                    0
                ]
            plays.append(action)
            state = game.successor(state, action)
        node = game.node(state)
        if isinstance(node, Terminal) or not isinstance(node, Decision):
            continue
        actions = list(node.actions)
        values = connect_four_values(plays, actions) if full else None
        if values:
            keeping = [action for action in actions if values[action] == max(values.values())]
        else:
            keeping = proven_best(game, state, patience)
        if keeping and 2 * len(keeping) <= len(actions):
            yield plays, keeping


def share(game: Any, asked: list[tuple[list[str], list[str]]], text: str) -> str:
    """A row of the table: the search, how often it keeps the value, and the time that it takes."""
    solver, _, rest = text.partition(":")
    options = {
        key: float(value) if "." in value else int(value)
        for key, _, value in (w.partition("=") for w in rest.split(",") if w)
    }
    kept, began = 0, time.process_time()
    for number, (plays, keeping) in enumerate(asked):
        state = game.initial()
        for action in plays:
            state = game.successor(state, action)
        seed = {"seed": number} if solver == "mcts" else {}
        try:
            found = solve(Continuation(game, state), solver, **seed, **options)
        except LimitReached as stop:
            found = stop.partial
        kept += bool(found.best) and found.best[0] in keeping
    low, high = Score(kept, 0, len(asked) - kept).interval()
    seconds = (time.process_time() - began) / len(asked)
    return f"| {text} | {kept} of {len(asked)} | {kept / len(asked):.2f} | {low:.2f} to {high:.2f} | {seconds:.3f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("searches", nargs="+")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--count", type=int, default=150, help="positions in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--patience", type=int, default=1_000_000, help="nodes of a proof")
    parser.add_argument("--plies", type=int, nargs=2, default=PLIES, help="before a position, at least and at most")
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--safe", type=int, help="test random moves for safety among so many actions; 0: never")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--weights", help="what gdl learn has written, for the searches that are asked")
    given = parser.parse_args()
    settings = dict(word.split("=", 1) for word in given.set)
    game: Any = offer(gdl.load(given.game, settings=settings), "auto")
    known = json.loads(given.file.read_text()) if given.file and given.file.exists() else []
    if len(known) < given.count:
        met = positions(game, given.game == "connect_four" and not settings, given.seed, given.patience, given.plies)
        known = [next(met) for _ in range(given.count)]
        if given.file:
            given.file.write_text(json.dumps(known))
    asked = [each for number, each in enumerate(known[: given.count]) if (number % 3 == 2) == given.judge]
    if given.weights:
        model = by_rules(gdl.load(given.game, settings=settings))[0].model
        learned = learned_files.attach_evaluation(model, Path(given.weights).read_bytes(), given.weights)
        game = offer(loading.play(learned), "auto")
    if given.safe is not None:
        mcts_driver.SAFE_ACTIONS = given.safe
    print("| search | keeps the value | share | 95 % | seconds |\n|---|---|---|---|---|")
    for text in given.searches:
        print(share(game, asked, text), flush=True)


if __name__ == "__main__":
    main()

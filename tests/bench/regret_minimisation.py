"""Time to an equilibrium by regret minimisation, beside OpenSpiel and LiteEFG: `regret_minimisation.py [--write FILE]`.

    PYTHONPATH=. python tests/bench/regret_minimisation.py --write tests/bench/results/regret_minimisation.md

Leduc, liar's dice with a die of six sides each, goofspiel with five cards, prizes falling and bids hidden. Every method
of a program runs in a process of its own. After 16, 32, 64, ... iterations its average strategies are judged by its own
judge, until NashConv, the sum of what the players could gain, is at most 0.001. Told are the processor seconds until
then, with loading the game and judging; those of iterations alone; and their number. Every program has some iterations
of Kuhn poker first, so that its imports do not count.
OpenSpiel has CFR+ in C++ (`CFRPlusSolver`); of LiteEFG (`pip install LiteEFG`) its CFR+, discounted
and predictive CFR, averaged with weights t, as it knows no others.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import multiprocessing
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIMIT = 600  # processor seconds for one method
ENOUGH = 1e-3  # of NashConv
FIRST = "kuhn"
GAMES = {  # ours, its settings, theirs
    FIRST: ("kuhn", {}, "kuhn_poker"),
    "leduc": ("leduc", {}, "leduc_poker(suit_isomorphism=true)"),
    "liar's dice": ("liars_dice", {}, "liars_dice"),
    "goofspiel 5": (
        "goofspiel", {"n": "5", "prizes": "descending", "bids": "hidden"},
        "turn_based_simultaneous_game(game=goofspiel(num_cards=5,points_order=descending,imp_info=true))",
    ),
}  # fmt: skip

Steps = tuple[Callable[[int], None], Callable[[], float]]  # make so many iterations; NashConv of the average


def gdl_steps(method: str, game: str) -> Callable[[], Steps]:
    import gdl
    from gdl.commands.cli import COLLECTED
    from gdl.compiler.compiled_engine import offer
    from gdl.solvers.equilibria.cfr import Averaging
    from gdl.solvers.equilibria.positions import explore
    from gdl.solvers.equilibria.sequences import sequences

    name, settings, _ = GAMES[game]
    gc.set_threshold(*COLLECTED)  # as the command does

    def load() -> Steps:
        loaded = gdl.load(name, settings=settings)
        positions = explore(offer(getattr(loaded, "game", loaded), "auto"))
        search = Averaging(sequences(positions), method)  # type: ignore[arg-type]
        return search.iterate, lambda: float(sum(search._judge().regret))

    return load


def openspiel_steps(method: str, game: str) -> Callable[[], Steps]:
    import pyspiel

    def load() -> Steps:
        played = pyspiel.load_game(GAMES[game][2])
        solver = {"plus": pyspiel.CFRPlusSolver, "plain": pyspiel.CFRSolver}[method](played)

        def iterate(count: int) -> None:
            for _ in range(count):
                solver.evaluate_and_update_policy()

        return iterate, lambda: pyspiel.nash_conv(played, solver.average_policy())

    return load


def liteefg_steps(method: str, game: str) -> Callable[[], Steps]:
    import LiteEFG
    import pyspiel
    from LiteEFG.baselines import DCFR, PCFR, CFRplus

    def load() -> Steps:
        with contextlib.redirect_stdout(io.StringIO()):
            graph = {"plus": CFRplus, "discounted": DCFR, "predictive": PCFR}[method].graph()
        env = LiteEFG.OpenSpielEnv(pyspiel.load_game(GAMES[game][2]), traverse_type="Enumerate", regenerate=False)
        env.set_graph(graph)

        def iterate(count: int) -> None:
            for _ in range(count):
                graph.update_graph(env)
                env.update_strategy(graph.current_strategy(), update_best=False)

        return iterate, lambda: sum(env.exploitability(graph.current_strategy(), "linear-avg-iterate"))

    return load


PROGRAMS = {
    "gdl": (gdl_steps, ("plus", "discounted", "predictive")),
    "OpenSpiel": (openspiel_steps, ("plus",)),
    "LiteEFG": (liteefg_steps, ("plus", "discounted", "predictive")),
}


def work(program: str, method: str, game: str, send: Any) -> None:
    """Send, after every judgement, how many iterations were made, seconds in all and of iterations, and NashConv."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    warm, load = (PROGRAMS[program][0](method, name) for name in (FIRST, game))
    iterate, judged = warm()
    iterate(16)
    judged()
    begun, spent, done = time.process_time(), 0.0, 0
    iterate, judged = load()
    while True:
        before, count = time.process_time(), max(16, done)
        iterate(count)
        done += count
        spent += time.process_time() - before
        conv = judged()
        send.send((done, time.process_time() - begun, spent, conv))
        if conv <= ENOUGH:
            return


def row(program: str, method: str, game: str) -> tuple[int, float, float, float]:
    """The last judgement of a method: the first that is good enough, if there is one in time."""
    receive, send = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=work, args=(program, method, game, send))
    process.start()
    send.close()
    last = (0, 0.0, 0.0, float("inf"))
    with contextlib.suppress(EOFError):
        while True:
            last = receive.recv()
    process.join()
    return last


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--write", type=Path)
    options.add_argument("--games", default=",".join(name for name in GAMES if name != FIRST))
    asked = options.parse_args()
    lines = [
        "# Time to NashConv 0.001 by regret minimisation", "",
        "Processor seconds, each method in a process of its own (`tests/bench/regret_minimisation.py`): `all` from loading",
        "the game to the judgement that is good enough, `iterations` those of the iterations alone.", "",
        "| game | program | method | all | iterations | how many | NashConv |", "|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for game in asked.games.split(","):
        for program, (_, methods) in PROGRAMS.items():
            for method in methods:
                done, whole, spent, conv = row(program, method, game)
                late = "" if conv <= ENOUGH else f" (not done in {LIMIT} s)"
                lines.append(
                    f"| {game} | {program} | {method} | {whole:.2f}{late} | {spent:.2f} | {done:,} | {conv:.2e} |"
                )
                print(lines[-1], flush=True)
    if asked.write:
        asked.write.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()

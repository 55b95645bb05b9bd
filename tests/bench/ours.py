"""gdl at work, as a contestant: `ours.py ENGINE WORK GAME[,NAME=VALUE…] …` prints what it did as one line of JSON.

    playouts GAME COUNT SEED    perft GAME DEPTH    solve GAME SOLVER [OPTION=VALUE …]    cfr GAME ITERATIONS
    mccfr GAME ITERATIONS SEED  until GAME GAP
    steps GAME COUNT SEED       batch GAME COUNT SEED
    report GAME PLAYS SEED SIMULATIONS

Loading the game, lowering it and making machine code is not part of the work: that is counted as start.
"""

from __future__ import annotations

import gc
import json
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from time import process_time
from typing import Any

import gdl
from gdl.__main__ import COLLECTED
from gdl.commands import engines
from gdl.errors import Refusal
from gdl.game import Game

with suppress(ModuleNotFoundError):  # what it takes to import it is no work
    import numpy

BATCH = 1024  # plays at once


class Stopwatch:
    """Processor time since it was made, without the calls that it was told to leave out."""

    def __init__(self) -> None:
        self._started = process_time()
        self._within = False

    def leave_out(self, module: Any, name: str) -> None:
        """From now on the module's function takes no time."""
        function: Callable[..., Any] = getattr(module, name)

        def untimed(*arguments: Any, **options: Any) -> Any:
            if self._within:
                return function(*arguments, **options)
            began, self._within = process_time(), True
            try:
                return function(*arguments, **options)
            finally:
                self._started += process_time() - began
                self._within = False

        setattr(module, name, untimed)

    def seconds(self) -> float:
        return process_time() - self._started


def playouts(game: Game[Any], engine: str, count: str, seed: str) -> dict[str, Any]:
    found = engines.playouts(game, int(count), int(seed), engine, None, counts=True)
    first = game.players[0]
    spread = found.error[first] * found.playouts**0.5
    length = found.plies / found.playouts
    value = found.value[first]
    return {
        "units": found.playouts,
        "length": [length, found.playouts],
        "value": [value, found.playouts],
        "spread": spread,
    }


def perft(game: Game[Any], engine: str, depth: str) -> dict[str, Any]:
    return {"count": engines.perft(game, int(depth), engine, None)}


def solve(game: Game[Any], engine: str, solver: str, *options: str) -> dict[str, Any]:
    from gdl.solvers import solve as solved

    given = {name: number(value) for name, value in (option.split("=") for option in options)}
    solution = solved(engines.offer(game, engine), solver, **given)
    value = None if solution.value is None else float(Fraction(solution.value[0]))
    return {"units": given.get("simulations", 1), "value": value, "nodes": solution.nodes}


def cfr(game: Game[Any], engine: str, iterations: str) -> dict[str, Any]:
    """Iterations of CFR+ alone: the positions, the sequences and the tables are made before."""
    from gdl.solvers.equilibria.cfr import Averaging
    from gdl.solvers.equilibria.positions import explore
    from gdl.solvers.equilibria.sequences import sequences

    positions = explore(engines.offer(game, engine))
    search = Averaging(sequences(positions), "plus")
    began = process_time()
    search.iterate(int(iterations))
    return {
        "units": int(iterations), "seconds": process_time() - began, "infosets": len(positions.information_sets),
    }  # fmt: skip


def until(game: Game[Any], engine: str, gap: str) -> dict[str, Any]:
    """Iterations of CFR+ alone until all players together could gain no more than the gap, which is looked at after
    ever twice as many."""
    from gdl.solvers.budget import Budget
    from gdl.solvers.equilibria.cfr import Averaging
    from gdl.solvers.equilibria.positions import explore
    from gdl.solvers.equilibria.sequences import sequences

    search = Averaging(sequences(explore(engines.offer(game, engine))), "plus")
    done, count, seconds = 0, 8, 0.0
    while True:
        began = process_time()
        search.iterate(count - done)
        seconds += process_time() - began
        done = count
        search.improve(done, 0, Budget())
        assert search.best is not None
        if sum(search.best.regret, Fraction(0)) <= Fraction(gap):
            return {"seconds": seconds, "iterations": done, "gap": float(sum(search.best.regret, Fraction(0)))}
        count *= 2


def mccfr(game: Game[Any], engine: str, iterations: str, seed: str) -> dict[str, Any]:
    """Iterations of regret minimisation by samples alone."""
    from gdl.wings.hidden.search_kinds import MCCFR

    search: Any = engines.offer(game, engine).engine.search(MCCFR, seed=int(seed))
    search.learn(int(iterations))
    began = process_time()
    for _ in search:
        pass
    return {"units": search.iterations, "seconds": process_time() - began}


def report(game: Game[Any], engine: str, plays: str, seed: str, simulations: str) -> dict[str, Any]:
    """Plays of tree search against itself, as gdl report lets them play and looks at them."""
    from gdl.playing.loading import Asked, Asking
    from gdl.wings.report.report_command import ReportRequest, ReportSession

    asked: Any = Asked(game, game, Asking("", ""))  # (weights alone need the file as it was loaded)
    table = ReportSession(
        asked, ReportRequest((f"mcts:{simulations}",), int(plays), int(seed), 0, "none", engine), sized=False
    )
    table.play(0)  # the machine code is made
    began, traces = process_time(), [table.play(number) for number in range(int(plays))]
    spent = process_time() - began
    return {"units": len(traces), "seconds": spent}


def number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def steps(game: Game[Any], engine: str, count: str, seed: str) -> dict[str, Any]:
    """Random plays stepped from Python: what is legal, what is done, whether play is over. Chance is not counted."""
    env = game.environment(engine=engine, seed=int(seed))
    choice, done, plays, began = random.Random(int(seed)).choice, 0, 0, process_time()
    while done < int(count):
        env.reset()
        plays += 1
        while not env.over:
            env.step(choice(env.legal))
            done += 1
    return {"units": done, "seconds": process_time() - began, "length": [done / plays, plays]}


def batch(game: Game[Any], engine: str, count: str, seed: str) -> dict[str, Any]:
    """The speed of 1,024 plays made side by side."""
    plays = game.environments(BATCH, seed=int(seed), engine=engine)
    numbers, every, done = numpy.random.default_rng(int(seed)), numpy.arange(BATCH), 0
    began = process_time()
    while done < int(count):
        plays.step(plays.legal[every, (numbers.random(BATCH) * plays.count).astype(numpy.int64)])
        done += BATCH
    return {"units": done, "seconds": process_time() - began}


WORK = {
    "report": report,
    "playouts": playouts,
    "perft": perft,
    "solve": solve,
    "cfr": cfr,
    "mccfr": mccfr,
    "until": until,
    "steps": steps,
    "batch": batch,
}


def main(engine: str, work: str, asked: str, *words: str) -> None:
    gc.set_threshold(*COLLECTED)  # as the program gdl does
    name, *settings = asked.split(",")
    game = gdl.loads(*gdl.read(name), settings=dict(setting.split("=") for setting in settings)).game
    from gdl.compiler import python, wasm
    from gdl.compiler.searches import slices

    watch = Stopwatch()
    watch.leave_out(slices, "lower")
    watch.leave_out(wasm, "load")
    watch.leave_out(python, "load")
    try:
        found = WORK[work](game, engine, *words)
    except Refusal as refusal:
        print(json.dumps({"missing": str(refusal)}))
        return
    print(json.dumps({"seconds": watch.seconds()} | found))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""How fast the engines are beside each other: the interpreter, kernel Python under CPython, and WebAssembly.

    python tests/bench/engines.py [ROUNDS]

For each game, sequences that perft counts and plies of random playouts, a second, as multiples of the interpreter's,
from medians of interleaved runs, in processor time. Every engine walks each sequence here, the slow ones at depth 3.
Loading a game is not counted; what it takes to lower and compile it is printed on its own.
"""

import gc
import platform
import sys
from collections.abc import Callable
from importlib.metadata import version
from statistics import median
from time import process_time

import gdl
from gdl.compiler.searches.perft import Perft
from gdl.compiler.searches.playouts_driver import Playing
from gdl.interpreter.rules_game import RulesGame
from gdl.states import playouts

COUNTED = {"tic_tac_toe": 9, "connect_four": 8, "breakthrough": 4, "othello": 6, "pig": 12}  # game -> plies
PLAYED = {
    "tic_tac_toe": 200,
    "connect_four": 20,
    "breakthrough": 3,
    "othello": 1,
    "pig": 20,
}  # plays of the interpreter
FASTER = {"interpreter": 1, "python": 3, "wasm": 300}  # how many times as many plays each engine gets


def loaded(name: str) -> RulesGame:
    game = gdl.loads(*gdl.read(name)).game
    assert isinstance(game, RulesGame)
    return game


def timed(work: Callable[[], float]) -> float:
    """Seconds for one of the units that the work says it has done."""
    started = process_time()
    units = work()
    return (process_time() - started) / units


def counting(game: RulesGame, plies: int, engine: str) -> Callable[[], float]:
    """Counts; a unit is a sequence. The interpreter walks every sequence too, at a depth that it can."""
    if engine == "interpreter":
        return lambda: walked(game, 3)
    search = Perft(game, game.initial(), plies if engine == "wasm" else 3, engine)

    def count() -> float:
        for _ in search:
            pass
        return search.count

    return count


def walked(game: RulesGame, plies: int) -> int:
    """Sequences of a length, each walked, the last action not entered."""
    total, work = 0, [(game.initial(), plies)]
    while work:
        state, left = work.pop()
        node = game.node(state)
        actions = [a for a, _ in node.outcomes] if hasattr(node, "outcomes") else getattr(node, "actions", ())
        if left == 1:
            total += len(actions)
        else:
            work += [(game.successor(state, action), left - 1) for action in actions]
    return total


def playing(game: RulesGame, number: int, engine: str) -> Callable[[], float]:
    """Plays at random; a unit is a ply."""
    number *= FASTER[engine]
    if engine == "interpreter":
        return lambda: playouts.playouts(game, number, 1).plies
    search = Playing(game, game.initial(), number, 1, engine)
    return lambda: search.result().plies


def starting(game: RulesGame) -> float:
    """Seconds to lower a game and compile it with a kernel. Garbage of what ran before is collected first: that can
    take longer than all this."""
    gc.collect()
    started = process_time()
    Perft(game, game.initial(), 3, "wasm")
    return process_time() - started


def row(name: str, make: Callable[[RulesGame, int, str], Callable[[], float]], size: int, rounds: int) -> str:
    """A line of the table."""
    times: dict[str, list[float]] = {engine: [] for engine in FASTER}
    for _ in range(rounds):
        for engine in FASTER:
            times[engine].append(timed(make(loaded(name), size, engine)))
    seconds = {engine: median(found) for engine, found in times.items()}
    base = seconds["interpreter"]
    return f"{base / seconds['python']:9.1f} {base / seconds['wasm']:9.0f} {1 / seconds['wasm'] / 1e6:12.2f}"


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print(f"Python {platform.python_version()}, wasmtime {version('wasmtime')}, {platform.machine()}; {rounds} rounds")
    print(f"{'':26}   Python      wasm  wasm in M/s  (interpreter = 1)")
    for name, plies in COUNTED.items():
        print(f"perft    {name:15} {plies:2}{row(name, counting, plies, rounds)}", flush=True)
    for name, number in PLAYED.items():
        print(f"playouts {name:15}   {row(name, playing, number, rounds)}", flush=True)
    for name in COUNTED:
        print(f"start    {name:15}   {1000 * median(starting(loaded(name)) for _ in range(rounds)):6.0f} ms")

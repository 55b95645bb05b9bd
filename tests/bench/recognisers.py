"""The worth of each pass and each recogniser of the compiled engine: games are played, counted and searched with it
and without.

    PYTHONPATH=tests/support python tests/bench/recognisers.py [--rounds N] [--games a,b,c] [--all] [NAME ...]

`tests/support/switching.py` has what is put in the place of each, so that the general way is taken; a pass over rules
is left out. Of the shipped games those are measured whose module changes, or some of them if they are more
than GAMES_OF_A_CASE and `--all` is not said. A number is the speed without the recogniser divided by that with it, from
the least processor times of N runs by turns: of random plays, of sequences counted, of a search for a number of nodes,
and of lowering and emitting the game. What is nowhere below 0.97, and lets no game be taken that is refused without it,
pays nowhere.
"""

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from time import process_time
from typing import Any

from switching import all_names, without

import gdl
from gdl.compiler.emit import emit
from gdl.compiler.lower import lower
from gdl.compiler.searches.perft import Perft
from gdl.compiler.searches.playouts_driver import Playing
from gdl.compiler.searches.principal_variation import PrincipalVariation
from gdl.compiler.searches.star_driver import Star
from gdl.errors import Refusal

GAMES_OF_A_CASE = 6
SECONDS = 0.1  # of one run, about
DEEPEST = 40


@cache
def _loaded(name: str) -> Any:
    return gdl.loads(*gdl.read(name)).game


def game_of(name: str) -> Any:
    """A shipped game, of which nothing is lowered yet."""
    game = _loaded(name)
    vars(game).pop("lowered", None)
    return game


def module_text(name: str) -> str:
    """The module of a game, as text; or why there is none."""
    try:
        game = game_of(name)
        return str(lower(game.model, game).source)
    except Exception as refused:
        return type(refused).__name__


def time_of(work: Callable[[], object]) -> float:
    """Seconds of the processor."""
    started = process_time()
    work()
    return process_time() - started


class Runs:
    """A game with the kernels that measure it: each takes a number of nodes, and does the same work each time."""

    def __init__(self, name: str):
        game = game_of(name)
        self.compile = time_of(lambda: emit([lower(game.model, game).module]))
        start = game.initial()
        self.works: dict[str, Callable[[int], object]] = {}
        plays = Playing(game, start, 1 << 30, 1, "wasm")
        fresh = {key: bytes(plays.module[key]) for key in ("played", "playing", "s")}

        def play(nodes: int) -> None:
            for key, content in fresh.items():
                plays.module[key][:] = memoryview(content).cast(plays.module[key].format)
            plays.run(nodes)

        self.works["plays"] = play
        perft = Perft(game, start, DEEPEST, "wasm")

        def count(nodes: int) -> None:
            perft.load_start_state()
            perft.module["frames"][0] = perft.module["perft_count"][0] = perft.module["refused"][0] = 0
            perft.module["perft_enter"](DEEPEST)
            perft.run(nodes)

        self.works["sequences"] = count
        with suppress(Refusal):
            self.works["search"] = _search(game, start)

    def nodes(self, kind: str) -> int:
        """So many that a run takes about SECONDS."""
        nodes, spent = 1000, 0.0
        while spent < SECONDS / 2 and nodes < 1 << 28:
            nodes, spent = nodes * 2, time_of(partial(self.works[kind], nodes * 2))
        return nodes


def _search(game: Any, start: Any) -> Callable[[int], object]:
    """A search for a number of nodes."""
    model = game.model
    if model.chances:
        star = Star(game, start, "wasm", depth=3 if model.evaluates else None)

        def run_star(nodes: int) -> None:
            star.load_start_state()
            star.module["top"][0] = star.module["nodes"][0] = star.module["refused"][0] = 0
            star.begun = False
            for _ in star.go_on(nodes):
                pass

        return run_star
    quiet = model.evaluates and model.quiet is not None
    search = PrincipalVariation(game, start, "wasm", quiescent=quiet, memory=1 << 24)

    def run(nodes: int) -> None:
        search.most = nodes
        search.restart(start)
        search.module["table_clear"]()
        for _ in search.deepen(None) if model.evaluates else search.solve(lambda: False):
            pass

    return run


def measure(case: str, game: str, rounds: int) -> dict[str, float]:
    """The speed without a recogniser by that with it."""
    own = Runs(game)
    with without(case):
        other = Runs(game)
    found = {}
    compiled = [own.compile], [other.compile]
    for _ in range(rounds - 1):
        compiled[0].append(_ready(game))
        with without(case):
            compiled[1].append(_ready(game))
    for kind in own.works.keys() & other.works.keys():
        with suppress(Refusal):  # plays that are longer than a search goes down
            nodes = own.nodes(kind)
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(rounds):
                for runs, spent in zip((own, other), times, strict=True):
                    spent.append(time_of(partial(runs.works[kind], nodes)))
            found[kind] = min(times[0]) / min(times[1])
    return {kind: found[kind] for kind in own.works if kind in found} | {"compile": min(compiled[0]) / min(compiled[1])}


def _ready(name: str) -> float:
    """Seconds to lower and emit a game."""
    game = game_of(name)
    return time_of(lambda: emit([lower(game.model, game).module]))


def main(options: argparse.Namespace) -> None:
    names = options.games.split(",") if options.games else sorted(gdl.shipped())
    known = {name: module_text(name) for name in names}
    for case in options.names or all_names():
        with without(case):
            changed = [name for name in names if module_text(name) != known[name]]
        print(f"{case}: {len(changed)} games", flush=True)
        step = 1 if options.all else max(1, len(changed) // GAMES_OF_A_CASE)
        for game in changed[::step]:
            try:
                found = measure(case, game, options.rounds)
                print(f"    {game:22}" + "".join(f" {kind} {value:.2f}" for kind, value in found.items()), flush=True)
            except Exception as refused:
                print(f"    {game:22} {type(refused).__name__}: {str(refused)[:80]}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", default="")
    parser.add_argument("--all", action="store_true")
    sys.exit(main(parser.parse_args()))

"""The worth of each pass and each recogniser of the compiled engine: games are played, counted and searched with it
and without, and the instructions that this takes are counted.

    PYTHONPATH=tests/support python tests/bench/recognisers.py [--rounds N] [--games a,b,c] [--all] [NAME ...]

`tests/support/switching.py` has what is put in the place of each, so that the general way is taken; a pass is
left out. Of the shipped games those are measured whose module changes, or some of them if they are more
than GAMES_OF_A_CASE and `--all` is not said. A number is the work with the recogniser divided by that without it, so
that below 1 it pays: for random plays of the same seeds, for sequences counted and a search to the same number of
nodes, the instructions of WebAssembly that are executed (wasmtime counts them as fuel: the same at every run, however
busy the machine is); for the game to be ready, the least processor times of N runs by turns of lowering and emitting.
`size` is the bytes of a module in the same way. What is nowhere below 0.97, and lets no game be taken that is refused
without it, pays nowhere.

An instruction is not a time: one that reads memory far away, or divides, counts as one that adds. With `--time` the
same runs are timed (least of N) in place of counted.
"""

import argparse
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from time import process_time
from typing import Any
from unittest.mock import patch

import wasmtime
from switching import all_names, without

import gdl
from gdl.compiler import epochs, wasm
from gdl.compiler.emit import emit
from gdl.compiler.lower import lower, text_after_stage
from gdl.compiler.passes import STAGES
from gdl.compiler.searches.perft import Perft
from gdl.compiler.searches.playouts_driver import Playing
from gdl.compiler.searches.principal_variation import PrincipalVariation
from gdl.compiler.searches.star_driver import Star
from gdl.errors import Refusal

GAMES_OF_A_CASE = 5
FUEL = 1 << 62  # more than is ever burnt
BURNT = 30_000_000  # instructions of one run, about
SLICE = 1000  # nodes that a run visits at first
MOST_NODES = 1 << 24
DEEPEST = 40
KINDS = ("plays", "sequences", "search")


# -- instructions ---------------------------------------------------------------------------------------------------


class CountingStore(wasmtime.Store):
    """A store whose instructions are counted."""

    last: "CountingStore"  # the one made last

    def __init__(self, engine: Any):
        super().__init__(engine)
        self.set_fuel(FUEL)
        CountingStore.last = self

    @property
    def burnt(self) -> int:
        """Instructions executed so far."""
        return FUEL - self.get_fuel()


def counting_configuration() -> Any:
    config = epochs.configuration()
    config.consume_fuel = True
    return config


@contextmanager
def counting() -> Iterator[None]:
    """Within the block, modules are loaded so that their instructions are counted."""
    with patch.object(wasmtime, "Store", CountingStore), patch.object(wasm, "configuration", counting_configuration):
        yield


def seconds_of(work: Callable[[], object]) -> float:
    """Seconds of the processor."""
    gc.collect()
    started = process_time()
    work()
    return process_time() - started


# -- games ----------------------------------------------------------------------------------------------------------


@cache
def _loaded(name: str) -> Any:
    return gdl.loads(*gdl.read(name)).game


def game_of(name: str) -> Any:
    """A shipped game, of which nothing is lowered yet."""
    game = _loaded(name)
    vars(game).pop("lowered", None)
    return game


def module_text(name: str) -> str:
    """The module of a game after all passes, as text; or why there is none."""
    try:
        game = game_of(name)
        return text_after_stage(game.model, game, STAGES[-1])
    except Exception as refused:
        return type(refused).__name__


def ready(name: str) -> tuple[float, int]:
    """Seconds to lower and emit a game, and the size of its module."""
    game, size = game_of(name), 0

    def work() -> None:
        nonlocal size
        size = len(emit([lower(game.model, game).module]).binary)

    return seconds_of(work), size


def work_of(game: Any, kind: str) -> Callable[[int], object]:
    """A function that visits a number of nodes of a kind, always from the start, always the same."""
    start = game.initial()
    if kind == "plays":
        plays = Playing(game, start, 1 << 30, 1, "wasm")
        fresh = {key: bytes(plays.module[key]) for key in ("played", "playing", "s")}

        def play(nodes: int) -> None:
            for key, content in fresh.items():
                plays.module[key][:] = memoryview(content).cast(plays.module[key].format)
            plays.run(nodes)

        return play
    if kind == "sequences":
        perft = Perft(game, start, DEEPEST, "wasm")

        def count(nodes: int) -> None:
            perft.load_start_state()
            perft.module["frames"][0] = perft.module["perft_count"][0] = perft.module["refused"][0] = 0
            perft.module["perft_enter"](DEEPEST)
            perft.run(nodes)

        return count
    return _search(game, start)


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


# -- measures -------------------------------------------------------------------------------------------------------


def burnt(name: str, kind: str, nodes: int = 0) -> tuple[int, int]:
    """The instructions executed for a number of nodes; and the number, which is found if it is not given: so many that
    about BURNT instructions are executed."""
    with counting():
        work = work_of(game_of(name), kind)
        store, tried = CountingStore.last, nodes or SLICE
        while True:
            before = store.burnt
            work(tried)
            spent = store.burnt - before
            if nodes or spent > BURNT / 4 or tried >= MOST_NODES:
                return spent, tried
            tried = min(MOST_NODES, max(2 * tried, int(tried * min(64, BURNT / max(1, spent)))))


def least_times(case: str, name: str, kind: str, nodes: int, rounds: int) -> list[float]:
    """The least seconds of the runs with a recogniser, and of those without it, by turns."""
    works = [work_of(game_of(name), kind)]
    with without(case):
        works.append(work_of(game_of(name), kind))
    times: list[list[float]] = [[], []]
    for _ in range(rounds):
        for work, found in zip(works, times, strict=True):
            found.append(seconds_of(lambda work=work: work(nodes)))  # type: ignore[misc]
    return [min(found) for found in times]


@cache
def own_work(name: str, kind: str) -> tuple[int, int] | None:
    """The instructions of a game as it is, and the number of nodes; None where a kind of run refuses it."""
    try:
        return burnt(name, kind)
    except Refusal:  # no such search, or plays that are longer than a search goes down
        return None


def measure(case: str, name: str, rounds: int, timed: bool) -> dict[str, float]:
    """The work of a game with a recogniser, divided by that without it."""
    found = {}
    for kind in KINDS:
        own = own_work(name, kind)
        if own is not None and timed:
            mine, other = least_times(case, name, kind, own[1], rounds)
            found[kind] = mine / other
        elif own is not None:
            with without(case):
                found[kind] = own[0] / burnt(name, kind, own[1])[0]
    times: list[list[float]] = [[], []]
    for _ in range(rounds):
        seconds, size = ready(name)
        times[0].append(seconds)
        with without(case):
            seconds, other_size = ready(name)
        times[1].append(seconds)
    return found | {"size": size / other_size, "ready": min(times[0]) / min(times[1])}


def main(options: argparse.Namespace) -> None:
    names = options.games.split(",") if options.games else sorted(gdl.shipped())
    known = {name: module_text(name) for name in names}
    for case in options.names or all_names():
        with without(case):
            texts = {name: module_text(name) for name in names}
        changed = [name for name in names if texts[name] != known[name]]
        print(f"{case}: {len(changed)} games", flush=True)
        # Those whose text changes most are measured.
        changed.sort(key=lambda name: -abs(len(texts[name]) / len(known[name]) - 1))
        for name in changed if options.all else changed[:GAMES_OF_A_CASE]:
            try:
                found = measure(case, name, options.rounds, options.time)
                print(f"    {name:22}" + "".join(f" {kind} {value:.3f}" for kind, value in found.items()), flush=True)
            except Exception as refused:
                print(f"    {name:22} {type(refused).__name__}: {str(refused)[:80]}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--time", action="store_true")
    sys.exit(main(parser.parse_args()))

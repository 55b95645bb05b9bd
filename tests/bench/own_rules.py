"""Fifteen games as newcomers write them, beside plain Python programs of the same rules: `own_rules.py [GAME …]`.

A game is a pair in `tests/bench/own_rules`: NAME.game, written from the manual without a look at what is fast (or one of
`games/newcomers`), and NAME.py, the same rules as a student writes them, with `start() -> state`, `moves(state) -> names`
(none where play is over), `play(state, name) -> state` and `result(state) -> utilities`.

For each the two must give the same moves along a play, the same utilities at its end, and the same perft numbers; then
both count sequences (perft; the last moves are counted without being made, by both) and play at random. Runs alternate,
the best of each counts, in units a second of processor time, and making machine code is no part of it. The numbers after
a name are the depths of perft, Python's and gdl's. The exit status is 1 if anything differs. The program in Python names
its moves by texts, as a player would type them.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

import gdl
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.searches.perft import Perft
from gdl.compiler.searches.playouts_driver import K, Playing
from gdl.game import Decision, Game, Terminal, require_number

BENCH = Path(__file__).parent
PROGRAMS = BENCH / "own_rules"
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.py"))
COLLECTED = (1_000_000, 50, 100)  # objects between two looks for garbage, as the command line has it
RUNS, SECONDS, SEED = 3, 0.1, 1  # a run takes so many seconds at least
DEEPEST = 20  # plies of perft
SLICE = 4096  # plies that gdl plays at a time


def game_file(name: str) -> Path:
    """The game's rules: its own, or those of a newcomer that are there for other benches."""
    own = PROGRAMS / f"{name}.game"
    return own if own.is_file() else BENCH / "games" / "newcomers" / f"{name}.game"


def load_pair(name: str) -> tuple[Game[Any], Any]:
    """The game by its rules, and the module of its program in Python."""
    found = importlib.util.spec_from_file_location(f"own_rules_{name}", PROGRAMS / f"{name}.py")
    assert found is not None and found.loader is not None
    program = sys.modules[found.name] = importlib.util.module_from_spec(found)
    found.loader.exec_module(program)
    return gdl.load(str(game_file(name))), program


def count_sequences(program: Any, state: Any, depth: int) -> int:
    """The program's perft number."""
    if depth == 0:
        return 1
    names = program.moves(state)
    if depth == 1:
        return len(names)
    return sum(count_sequences(program, program.play(state, name), depth - 1) for name in names)


def play_at_random(program: Any, random: Random) -> int:
    """The plies of a random play of the program."""
    state, plies = program.start(), 0
    while names := program.moves(state):
        state = program.play(state, random.choice(names))
        plies += 1
    program.result(state)
    return plies


def first_difference(game: Game[Any], program: Any, seed: int, most: int = 1000) -> str:
    """Where the two first differ in a random play, in their moves or their utilities; empty if nowhere."""
    mine, theirs, played = game.initial(), program.start(), list[str]()
    choice = Random(seed).choice
    while len(played) < most:
        node, names = game.node(mine), program.moves(theirs)
        if isinstance(node, Terminal):
            utilities = tuple(map(require_number, node.utilities))
            same = not names and utilities == program.result(theirs)
            return "" if same else f"{utilities} after {' '.join(played)}"
        assert isinstance(node, Decision)
        if [str(action) for action in node.actions] != names:
            return f"{[*map(str, node.actions)]}, {names} after {', '.join(played)}"
        played.append(choice(names))
        mine, theirs = game.successor(mine, node.actions[names.index(played[-1])]), program.play(theirs, played[-1])
    return ""


def measure_speed(work: Callable[[], int], seconds: float) -> float:
    """Do the work again and again until it has taken so long; the units that it gave a second."""
    given, begun = 0, process_time()
    while (spent := process_time() - begun) < seconds or not given:
        given += work()
    return given / spent


def measure_both(mine: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float]:
    """The speeds of both, the best of runs in turn."""
    speeds = [(measure_speed(mine, SECONDS), measure_speed(theirs, SECONDS)) for _ in range(RUNS)]
    return max(speed for speed, _ in speeds), max(speed for _, speed in speeds)


def find_depth(work: Callable[[int], int], depths: Iterable[int]) -> int:
    """The first depth that takes a fourth of a run, or the last before the number grows smaller: play is over."""
    before = found = 0
    for depth in depths:
        begun = process_time()
        count = work(depth)
        if count < before:
            break
        before, found = count, depth
        if process_time() - begun >= SECONDS / 4:
            break
    return found


def compare(name: str) -> tuple[list[str], list[float]]:
    """A row of the table and its two ratios; ValueError where game and program differ."""
    game, program = load_pair(name)
    if told := first_difference(game, program, SEED):
        raise ValueError(f"{name}: {told}")
    rules, start = by_rules(game)
    search, random = Perft(rules, start, DEEPEST, "wasm"), Random(SEED)
    playing = Playing(rules, start, 1 << 30, SEED, "wasm", lowered=search.lowered)
    played = playing.module["played"]

    def perft(depth: int) -> int:
        search.restart(start, depth)
        for _ in search:
            pass
        return search.count

    def perft_in_python(depth: int) -> int:
        return count_sequences(program, program.start(), depth)

    def checked_perft(depth: int) -> int:
        count = perft_in_python(depth)
        if count != perft(depth):
            raise ValueError(f"{name}: perft({depth}) is {perft(depth)} and {count}")
        return count

    def plies() -> int:
        before = played[K.PLAYED_PLIES]
        playing.run(SLICE)
        return int(played[K.PLAYED_PLIES] - before)

    few = find_depth(checked_perft, range(1, DEEPEST))
    many = find_depth(perft, range(few, DEEPEST))
    speeds = (
        measure_both(lambda: perft(many), lambda: perft_in_python(few)),
        measure_both(plies, lambda: play_at_random(program, random)),
    )
    row = [f"{own:,.0f} | {other:,.0f} | {own / other:.1f}" for own, other in speeds]
    return [f"{name} ({few}, {many})", *row], [own / other for own, other in speeds]


def main(*names: str) -> int:
    """Print the table, row by row; the exit status is 1 where a game and its program differ."""
    gc.set_threshold(*COLLECTED)  # as the program gdl does
    heads = ["game", "perft gdl/s", "Python/s", "ratio", "plies gdl/s", "Python/s", "ratio"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    status, every = 0, list[list[float]]()
    for name in names or NAMES:
        try:
            row, ratios = compare(name)
        except ValueError as difference:
            print(f"| {difference} |", flush=True)
            status = 1
            continue
        every.append(ratios)
        print(f"| {' | '.join(row)} |", flush=True)
    for what, ratios in zip(("perft", "playouts"), zip(*every, strict=True), strict=False):
        print(f"\n{what}: median ratio {median(ratios):.1f}, least {min(ratios):.1f}")
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

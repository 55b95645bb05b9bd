"""Environments of one game work side by side in any thread, and as they do alone."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import gdl
from gdl.errors import LimitReached, Refusal
from gdl.formats import answer
from gdl.wings.programs import compiled

THREADS, PLIES, ROUNDS = 8, 10, 100


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def play(game: Any, seed: int, plies: int = PLIES) -> Any:
    """The observations of an environment in a random play."""
    env, picks, told = game.environment(seed=seed), random.Random(seed), []
    while not env.over and len(told) < plies:
        told.append((env.player, env.legal, env.names))
        env.step(picks.choice(env.legal))
        if picks.random() < 0.2:
            told.append((env.information(0), env.played, None))
            env.undo()
            env.step(picks.choice(env.legal))
    return told, env.state, env.utilities


def solve(game: Any, seed: int) -> Any:
    try:
        return answer.write(gdl.solve(game, nodes=300))
    except (LimitReached, Refusal) as none:
        return str(none)


def hold_in_threads(name: str, work: Callable[[Any, int], Any], rounds: int = 1) -> None:
    """Check that eight threads at work on one game find the same as one alone."""
    alone = gdl.load(name)
    expected = [work(alone, seed) for seed in range(THREADS)]
    for _ in range(rounds):
        game = gdl.load(name)
        with ThreadPoolExecutor(THREADS) as pool:
            assert list(pool.map(partial(work, game), range(THREADS))) == expected


@pytest.mark.thorough_of("draughts", "blind_tic_tac_toe", "xiangqi")
@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", gdl.shipped())
def test_environments_in_threads(name: str, restless: None) -> None:
    hold_in_threads(name, play)


@pytest.mark.thorough_of("tic_tac_toe")
@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn", "prisoners", "monty_hall"])
def test_answers_in_threads(name: str, restless: None) -> None:
    hold_in_threads(name, solve)


@pytest.mark.slow
@pytest.mark.parametrize("name", gdl.shipped())
def test_a_hundred_rounds_in_threads(name: str, restless: None) -> None:
    hold_in_threads(name, play, ROUNDS)
    hold_in_threads(name, solve, ROUNDS // 10)


@pytest.mark.thorough_of("wasm-leduc", "python-go")
@pytest.mark.parametrize("name", ["connect_four", "kayles", "leduc", "go"])
@pytest.mark.parametrize("engine", ["wasm", "python"])
def test_more_plays_than_instances(name: str, engine: str, restless: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays that were stepped longest ago make room, in the middle of others' steps too."""
    monkeypatch.setattr(compiled, "FEWEST", 3)
    monkeypatch.setattr(compiled, "MOST", 3)
    game, seeds = gdl.load(name), range(10 if engine == "wasm" else 5)

    def together(first: int) -> Any:
        envs = [game.environment(engine=engine, seed=seed) for seed in seeds]
        picks = [random.Random(first + seed) for seed in seeds]
        for _ in range(PLIES):
            for env, pick in zip(envs, picks, strict=True):
                if not env.over:
                    env.step(pick.choice(env.legal))
        return [(env.played, env.state, env.utilities) for env in envs]

    expected = [together(first) for first in range(2)]
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(together, [0, 1] * 4)) == expected * 4


def test_eight_plays_in_turn_stay_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """So each of them is nearly as fast as one alone."""
    monkeypatch.setattr(compiled.CompiledEnvironment, "gives_way", lambda env: pytest.fail("a play had to leave"))
    game = gdl.load("tic_tac_toe")
    envs = [game.environment() for _ in range(THREADS)]
    for _ in range(5):
        for env in envs:
            env.step(env.legal[0])
    assert len({env.played for env in envs}) == 1


@pytest.mark.thorough_of("chess")
@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="Linux tells what memory a process wrote to")
@pytest.mark.parametrize("name", ["backgammon", "chess"])
def test_a_further_environment_takes_little_memory(name: str) -> None:
    """A tenth of what its tables would take, of which few are ever written to."""
    game = gdl.load(name)
    kept = [game.environment()]
    before = memory_written()
    kept += [game.environment(seed=seed) for seed in range(THREADS)]
    assert memory_written() - before < THREADS << 20


def memory_written() -> int:
    """Bytes of memory that this process has for itself."""
    text = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    return 1024 * sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_Dirty"))

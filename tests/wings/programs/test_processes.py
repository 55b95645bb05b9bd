"""A program that has used gdl starts other processes, however Python starts them, and gdl works there as well."""

from __future__ import annotations

import importlib.util
import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import multiprocessing
import sys

import gdl

method, way = sys.argv[1:]


def play(seed, env=None):
    env = env or gdl.load("kuhn").environment()
    env.reset(seed)
    while not env.over:
        env.step(env.legal[seed % 2])
    return env.played, env.utilities, gdl.solve("nim", "alpha-beta").value


def single():
    from gdl.wings.programs.gymnasium import env

    return env("tic_tac_toe", player="X", opponent="random")


class Plays:
    def __init__(self):
        self.env = gdl.load("kuhn").environment()  # every worker gets it

    def __len__(self):
        return 4

    def __getitem__(self, seed):
        return len(play(seed, self.env)[0])


if __name__ == "__main__":
    here = [play(seed) for seed in range(4)]  # the module of this process is compiled
    if way == "concurrent.futures":
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
            assert list(pool.map(play, range(4))) == here
    elif way == "gymnasium":
        from gymnasium.vector import AsyncVectorEnv

        both = AsyncVectorEnv([single, single], context=method)
        assert both.reset(seed=1)[0]["action_mask"].sum() == 18
        both.close()
    else:
        from torch.utils.data import DataLoader

        loaded = DataLoader(Plays(), 2, num_workers=2, multiprocessing_context=method)
        assert [int(plies) for pair in loaded for plies in pair] == [len(played) for played, *_ in here]
    print("done")
"""


@pytest.mark.thorough_of("spawn-gymnasium", "fork-concurrent.futures")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("way", ["concurrent.futures", "gymnasium", "torch"])
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_program_starts_processes(method: str, way: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(way.partition(".")[0]) is None:
        pytest.skip(f"{way} is missing")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    ran = subprocess.run([sys.executable, str(program), method, way], capture_output=True, text=True, timeout=100)
    assert ran.stdout == "done\n", ran.stderr

"""A reply takes a second, of every shipped game; in seconds of processor time, for other programs may be busy."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from time import process_time

import pytest

import gdl
from gdl.commands.engines import offer
from gdl.game import Chance, Decision, Terminal
from gdl.states.sequential import Sequential
from gdl.wings.arena.computer import Computer

pytest.importorskip("wasmtime")

TIME = 1.2  # seconds: the limit of one, and the last slice of work


@pytest.mark.slow
@pytest.mark.parametrize("name", gdl.shipped())
def test_a_reply_takes_a_second(name: str) -> None:
    """Three of them, a random ply between two."""
    game = offer(gdl.load(name), "auto")
    if game.traits.rewards:
        pytest.skip("gdl play refuses rewards on the way")
    computer, turns, random, took = Computer(game, "auto", 1, 1.0), Sequential(game), Random(1), list[float]()
    computer.get_ready()
    state = turns.initial()
    for ply in range(40):
        node = turns.node(state)
        if isinstance(node, Terminal) or len(took) == 3:
            break
        actions = [action for action, _ in node.outcomes] if isinstance(node, Chance) else list(node.actions)
        action = random.choice(actions)
        if isinstance(node, Decision) and ply % 2 == 0:
            before = process_time()
            action = computer.move(state, node.player)
            took.append(process_time() - before)
            assert action in node.actions
        state = turns.successor(state, action)
    assert not took or sorted(took)[len(took) // 2] < TIME


@pytest.mark.slow
@pytest.mark.parametrize("name", gdl.shipped())
def test_hidden_games_are_played(name: str) -> None:
    """The computer replies, or the play is over before it must."""
    if gdl.load(name).traits.perfect_information:
        pytest.skip("nothing is hidden")
    command = [sys.executable, "-c", "from gdl.commands.cli import main; main()", "play", name]
    words = [*command, "--time", "1", "--seed", "3"]
    done = subprocess.run(words, input="1\n1\n1\nquit\n", capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "> 1\n" in done.stdout or done.stdout.strip()
    assert "stopped" not in done.stderr

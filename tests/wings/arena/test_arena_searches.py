"""The searches behind moves: one move alone, by evaluations that gdl makes, and where the compiled engine fails."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from broken_engine import WARNING, translation
from click.testing import CliRunner
from kernel_games import written
from shipped import shipped

from gdl.commands import cli
from gdl.compiler.compiled_engine import offer
from gdl.game import Decision, actions
from gdl.interpreter.position import Continuation
from gdl.playing.loading import Asked
from gdl.solution import Solution
from gdl.solvers.mcts.mcts import mcts
from gdl.states.sequential import Sequential
from gdl.wings.arena.computer import ComputerSettings, Searcher
from gdl.wings.arena.contest import estimate_start, move
from gdl.wings.arena.protocol import ThinkingLimits
from gdl.wings.arena.stoppable_search import Thinking

pytest.importorskip("wasmtime")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "hex"])
def test_a_move_alone_is_the_first_of_the_best(name: str) -> None:
    for game, seed in ((offer(shipped(name), engine), seed) for engine in ("interpreter", "python") for seed in (1, 2)):
        for state in played(game.initial(), game, 3, Random(seed)):
            position = Continuation(game, state)
            assert [move(position, 30, seed)[0]] == [*mcts(position, simulations=30, seed=seed).best[:1]], name
            assert estimate_start(position, 30, seed) == mcts(position, simulations=30, seed=seed).value


def played(state: Any, game: Any, plies: int, random: Random) -> list[Any]:
    """A state, and those that follow in a play at random, as far as somebody decides."""
    states = []
    for _ in range(plies):
        while (node := game.node(state)) and not isinstance(node, Decision) and actions(node):
            state = game.successor(state, random.choice(actions(node)))
        if not isinstance(node, Decision):
            break
        states.append(state)
        state = game.successor(state, random.choice(node.actions))
    return states


@pytest.mark.thorough
def test_the_computer_plays_by_it() -> None:
    game = minichess()
    found = Searcher(game, ComputerSettings(game, "auto", 0, None)).find_move(game.initial())
    assert found is not None and found.solver == "depth-limited" and found.best


@pytest.mark.thorough
def test_an_engine_that_is_asked_whether_it_is_ready_finds_it_out() -> None:
    nobody: Any = None
    game = Sequential(minichess())
    thinking = Thinking(Asked(nobody, game.game, nobody), "auto", nobody)
    said = list[Any]()
    remarks = [thinking.get_ready(game, game.initial()) for _ in range(2)]
    assert remarks[0].startswith("estimated by material and mobility") and remarks[1] == ""
    thinking.move(game, game.initial(), ThinkingLimits(nodes=2000), said.append)
    assert said[-1].depth


def minichess() -> Any:
    """A game whose pieces can be counted, without the evaluation of its file."""
    return offer(written("minichess", "\n"), "auto")


def test_a_game_is_played_where_the_engine_fails(monkeypatch: pytest.MonkeyPatch):
    def play(*more: str) -> Any:
        words = ["play", "tic_tac_toe", "--seed", "1", *more]
        return CliRunner().invoke(cli.commands, words, input="take(a1)\ntake(a3)\nquit\n")

    wanted = play("--engine", "interpreter")
    translation(monkeypatch)
    found = play()
    assert (found.stdout, found.exit_code) == (wanted.stdout, wanted.exit_code)
    assert found.stderr.count(WARNING) == found.stderr.count("\n") == 1


@pytest.mark.thorough
def test_play_in_time_tells_its_judgement() -> None:
    words = ["play", "tic_tac_toe", "--after", "take(a1)", "--as", "O", "--time", "60"]
    told = CliRunner().invoke(cli.commands, words, input="take(c3)\nquit\n").stdout
    assert "take(c1): X 1, O -1, by take(c1) take(b1) take(a3)" in told


def test_what_makes_the_first_position_ready_is_part_of_its_time(monkeypatch: pytest.MonkeyPatch):
    """To find by which scale moves are judged takes half a second."""
    given = []

    def answer(game, *, time):
        given.append(time)
        return Solution(game.name, "mcts", game.players, exact=False, value=(0.5, -0.5), best=("take(b2)",))

    monkeypatch.setattr("gdl.solvers.solve", answer)
    told = CliRunner().invoke(cli.commands, ["analyse", "tic_tac_toe", "--after", "take(a1)", "--time", "7"])
    assert told.exit_code == 0 and len(given) == 3
    assert hasattr(given[0], "end") and given == [7, 7, 7] and not hasattr(given[1], "end")

"""Plays of tree search that the compiled engine makes at once are those that agents make move by move."""

from typing import Any

import pytest
from shipped import shipped

import gdl
from gdl.commands.engines import offer
from gdl.errors import GameError
from gdl.game import Decision
from gdl.interpreter.position import Continuation
from gdl.playing.loading import Asked, Asking
from gdl.wings.arena.contest import TreeSearchAgent, contest, estimate_start, move
from gdl.wings.report.report_command import ReportRequest, ReportSession

pytest.importorskip("wasmtime")

FAULTY = """
players Ann, Bob
state
    left: 0..9 = 9
    bonus: 0..3 = 0
action take(n: 1..2) when n <= left
    left := left - n
action dare when left > 2 and left < 7
    left := left - 2
    bonus := bonus + 2
terminal
    left = 0 -> lose mover
"""


def table(game: Any, agents: str, lead: str, opening: int) -> ReportSession:
    wanted = ReportRequest(tuple(agents.split()), 4, 5, opening, lead, "wasm")
    return ReportSession(Asked(game, game, Asking("", "")), wanted, sized=False)


def played(game: Any, agents: str, lead: str = "none", opening: int = 0, plays: int = 2, ahead: bool = True) -> Any:
    found = table(game, agents, lead, opening)
    if ahead:
        assert found.search_moves is not None
    else:
        found.kernel_contest = None
    try:
        return [found.play(number) for number in range(plays)]
    except GameError as fault:
        return str(fault)


@pytest.mark.thorough
@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("name", "settings", "agents", "lead", "opening"),
    [
        ("tic_tac_toe", {}, "mcts:60 random", "exact", 1),  # somebody else moves in between
        ("nim", {}, "mcts:100,c=1 mcts:30", "search", 0),
        ("breakthrough", {"columns": 3, "rows": 4}, "mcts:30", "evaluate", 0),  # names made by templates
        ("hex", {"n": 7}, "mcts:40", "none", 0),  # counts what cells bring
        ("pig", {"goal": 20}, "mcts:30", "search", 0),  # chance
        pytest.param("connect_four", {}, "mcts:200 mcts:100", "search", 2, marks=pytest.mark.slow),
        pytest.param("breakthrough", {"columns": 6, "rows": 6}, "mcts:100", "auto", 0, marks=pytest.mark.slow),
        pytest.param("kalah", {}, "mcts:100", "auto", 0, marks=pytest.mark.slow),  # who moved may move again
        pytest.param("othello", {"n": 6}, "mcts:60", "auto", 0, marks=pytest.mark.slow),
        pytest.param("2048", {}, "mcts:3", "none", 0, marks=pytest.mark.slow),  # one player, and weights of chance
    ],
)
def test_plays_are_those_of_the_agents(name: str, settings: Any, agents: str, lead: str, opening: int) -> None:
    game = shipped(name, settings)
    assert played(game, agents, lead, opening) == played(game, agents, lead, opening, ahead=False)


@pytest.mark.thorough
def test_a_fault_is_told_with_the_play_that_led_there() -> None:
    game = gdl.loads(FAULTY, "faulty").game
    fault = played(game, "mcts:50", plays=9)
    assert "bonus" in fault and fault == played(game, "mcts:50", plays=9, ahead=False)


@pytest.mark.parametrize("engine", ["python", "wasm"])
def test_each_move_is_that_of_the_search_alone(engine: str) -> None:
    """From a position on, of so many moves at most; and judged as the search judges it."""
    game = gdl.load("tic_tac_toe")
    made = contest(offer(game, engine), TreeSearchAgent(60), TreeSearchAgent(20), 7, watched=True)
    assert made is not None
    made.begin([TreeSearchAgent(60), None], 3)
    assert not made.moves_for(1)
    made.begin([TreeSearchAgent(60), TreeSearchAgent(40, 2.0)], 3)
    start = game.successor(game.initial(), "take(b2)")
    moves, state = made.moves(start, 4)
    assert len(moves) == 4 and made.moves(state, 0) == ([], state)
    for one in moves:
        position = Continuation(game, one.before)
        node = game.node(one.before)
        assert isinstance(node, Decision) and (one.player, one.ways) == (node.player, len(node.actions))
        agent = (60, None) if one.player == 0 else (40, 2.0)
        assert one.action == move(position, agent[0], 3, agent[1])[0]
        assert one.worth == estimate_start(position, 20, 7) and one.offered == {"take"} == {one.rule}
    for one in moves:
        start = game.successor(start, one.action)
    assert start == state


@pytest.mark.thorough
def test_what_remembers_earlier_positions_is_played_move_by_move() -> None:
    game = gdl.load("chess")
    assert contest(offer(game, "wasm"), TreeSearchAgent(60), None, 0, watched=False) is None

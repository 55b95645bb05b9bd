"""star2 with a transposition table: the values and best actions of plain expectiminimax, depth by depth."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from kernel_games import PIG, RACE, ROLLS, at_random, on, written
from places import missing_wings

import gdl
from gdl.compiler.better_evaluation import with_evaluation
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.searches.star_driver import Star
from gdl.compiler.searches.vectors_driver import Vectors
from gdl.errors import LimitReached
from gdl.game import Decision, Terminal
from gdl.solvers.budget import SearchLimits
from gdl.solvers.minimax.cut_off import depth_limited

pytest.importorskip("wasmtime")

# Both move before the dice are thrown, which are weighted; what a throw brings depends on who was bold.
BOLD = """
game "Bold"
players Ann, Bob

state
    place[Player]: 0..12
    bold[Player]: 0..2
    round: 0..6
action dare(n: 0..2)
    bold[mover] := n
    if mover = Ann
        next Bob
    else
        next throw
chance throw(n: 1..4, p: Player) weight n
    place[p] := min(12, place[p] + n * bold[p])
    place[other(p)] := max(0, place[other(p)] - bold[p])
    round := round + 1
    next if place[p] mod 2 = 0 then Ann else Bob
terminal
    round = 5 or exists p in Player: place[p] = 12 -> place[Ann] - place[Bob]
evaluate
    1/3 * (place[Ann] - place[Bob]) + 1/7 * (bold[Ann] - bold[Bob])
"""
GAMES: dict[str, Callable[[], Any]] = {
    "pig": lambda: written("pig", PIG, goal="12"),
    "backgammon": lambda: written("backgammon"),
    "bold": lambda: gdl.loads(BOLD).game,
    "race": lambda: gdl.loads(RACE).game,
    "rolls": lambda: gdl.loads(ROLLS + "\nevaluate\n    each p: if p = Ann then lead / 3 else 3 - lead / 3\n").game,
}
DEEP = {"backgammon": 3, "pig": 9, "rolls": 8}


def plain(search: Vectors, game: Any, state: Any, depth: int) -> tuple[Any, list[Any]]:
    """The first player's value by plain expectiminimax, and all best actions of whoever moves."""
    for _ in search.search(depth):
        pass
    node, (value, *_) = game.node(state), search.value(state, depth)
    if not isinstance(node, Decision):
        return value, []
    after = {action: search.value(game.successor(state, action), depth - 1)[0] for action in node.actions}
    return value, [action for action in node.actions if after[action] == value]


@pytest.mark.thorough_of("backgammon-python-4194304-True", "backgammon-python-1-False", "backgammon-wasm-1-True")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("room", [1, 1 << 22])
@pytest.mark.parametrize("engine", ["wasm", "python"])
@pytest.mark.parametrize("name", GAMES)
def test_values_and_best_actions_are_those_of_plain_expectiminimax(
    name: str, engine: str, room: int, bounded: bool
) -> None:
    """From the start and other positions, with one table for all; a table of 1,024 entries forgets most of them."""
    rng, game = random.Random(name), GAMES[name]()
    deep = min(DEEP.get(name, 7), 3 if name == "backgammon" and engine == "python" else 5 if engine == "python" else 99)
    bounds = ({"backgammon": -3, "pig": -1}.get(name, -90), {"backgammon": 3, "pig": 1}.get(name, 90))
    probing = rng.random() < 0.7
    fast = Star(
        game, game.initial(), engine, probing=probing, depth=1, apart=False, room=room,
        bounds=bounds if bounded else (None, None),
    )  # fmt: skip
    slow = Vectors(game, game.initial(), "wasm")
    for state in [game.initial(), *(at_random(game, rng) for _ in range(3 if engine == "wasm" else 1))]:
        if isinstance(game.node(state), Terminal):
            continue
        fast.restart(state)
        slow.restart(state)
        for depth in range(1, deep + 1):
            for _ in fast.search(depth, None):
                pass
            value, best = plain(slow, game, state, depth)
            assert fast.done
            assert (fast.value, list(fast.best)) == (value, best)
            assert fast.is_estimate or not slow.cut_off or plain(slow, game, state, depth + 6)[0] == value
            assert not fast.line or fast.line[0] in best


@pytest.mark.thorough
def test_a_long_search_with_chance_goes_on_by_star2() -> None:
    """Value and best actions are those of the reference implementation, also where nothing is cut off any more."""
    game = GAMES["bold"]()
    for depth in (8, 40):
        twin, answer = depth_limited(game, depth=depth), depth_limited(on("wasm", game), depth=depth)
        assert "star2" in answer.notes[0]
        assert (answer.value, answer.best, answer.line[0]) == (twin.value, twin.best, twin.line[0])
        assert answer.exact == twin.exact == (depth == 40)


@pytest.mark.thorough
def test_far_fewer_positions_of_backgammon_are_looked_at() -> None:
    game = GAMES["backgammon"]()
    answer, search = depth_limited(on("wasm", game), depth=4), Vectors(game, game.initial(), "wasm")
    for _ in search.search(4):
        pass
    assert answer.value == search.value(game.initial(), 4)
    assert 0 < answer.nodes < search.visited_count / 5


@pytest.mark.thorough
def test_a_limit_of_time_brings_the_deepest_finished_search() -> None:
    game = GAMES["backgammon"]()
    with pytest.raises(LimitReached) as stopped:
        depth_limited(on("wasm", game), SearchLimits(time=1.0))
    partial: Any = stopped.value.partial
    valued = with_evaluation(game) or game  # by which a search without a depth estimates
    assert valued is not game or missing_wings()
    search = Vectors(by_rules(valued)[0], game.initial(), "wasm")
    for _ in search.search(min(4, partial.depth)):
        pass
    assert 1 <= partial.depth <= 5
    assert partial.depth == 5 or partial.value == search.value(game.initial(), partial.depth)


def test_an_evaluation_beyond_the_utilities_is_searched_without_windows() -> None:
    """Bounds of utilities do not bound it, so nothing may be skipped by them; the answer is that of max^n."""
    game = gdl.loads(BOLD.replace("1/3 *", "50 *") + "utility in -12..12\n").game
    assert depth_limited(on("wasm", game), depth=8) == depth_limited(game, depth=8)

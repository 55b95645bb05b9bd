"""The computer at the other side: its moves are legal and timely, and rest on what its player may know."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count, pairwise
from random import Random
from time import process_time
from typing import Any

import pytest
from click.testing import CliRunner
from late_clock import all_clocks_replaced
from sampling import one_in
from shipped import loaded

import gdl
from gdl.commands.cli import commands
from gdl.commands.engines import offer
from gdl.compiler import wasm
from gdl.game import Chance, Decision, Terminal, actions
from gdl.states.possible import Possible
from gdl.states.sequential import Sequential, Turn
from gdl.wings.arena.computer import Computer
from gdl.wings.arena.levels import BEST_LEVEL, LEVELS, Level, choose_by_level, join_depths, lowest_best_level

HIDING = [
    "kuhn",
    "liars_dice",
    "cheat",
    "stratego",
    "goofspiel",
    "battleships",
    "blind_tic_tac_toe",
    "prisoners",
    "seltens_horse",
]


def offered(name: str) -> Any:
    return offer(loaded(name).game, "auto")


@pytest.mark.thorough_of("battleships")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", HIDING)
def test_what_is_hidden_from_its_player_makes_no_difference(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdl.wings.arena.computer.FROM_POSITIONS", 60)
    game, random = offered(name), Random(name)
    turns, computer = Sequential(game), Computer(game, "auto", 5, None)
    state = turns.initial()
    while not isinstance(node := turns.node(state), Terminal):
        if isinstance(node, Chance):
            state = turns.successor(state, random.choice(node.outcomes)[0])
            continue
        assert isinstance(node, Decision)
        action, hint = computer.move(state, node.player), computer.hint(state, node.player)
        assert action in node.actions
        belief = Possible(turns, state, node.player).all()
        assert belief is not None
        for other in [*belief.weights][-3:]:
            assert computer.move(other, node.player) == action
            assert computer.hint(other, node.player) == hint
        state = turns.successor(state, random.choice(node.actions))


@pytest.mark.thorough
@pytest.mark.skipif(not wasm.available(), reason="wasmtime is not there")
def test_where_work_is_counted_the_engine_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Coup the interpreter took 40 seconds for it."""
    search = pytest.importorskip("gdl.wings.hidden.information_set_mcts")
    monkeypatch.delattr(search.InformationSetMcts, "_simulate")
    turns, state, player = first_choice("for_sale")
    hints = [Computer(turns.game, "auto", 1, None).hint(state, player) for _ in range(2)]
    assert hints[0] == hints[1] and "by 2,000 simulations" in hints[0]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "pong_hau_ki", "figure_5_2", "pig", "connect_four", "liars_dice", "kuhn", "yahtzee"]
)
def test_a_hint_says_what_it_is_worth(name: str) -> None:
    turns, state, player = first_choice(name)
    hint = Computer(turns.game, "auto", 1, None).hint(state, player)
    assert hint.startswith(tuple(actions(turns.node(state))))
    assert re.search(r"(: .* |worth )-?\d", hint), hint


def first_choice(name: str) -> tuple[Sequential, Turn, int]:
    """The first position at which somebody has a choice."""
    turns = Sequential(offered(name))
    state, random = turns.initial(), Random(2)
    while not isinstance(node := turns.node(state), Decision) or len(node.actions) == 1:
        state = turns.successor(state, random.choice(actions(node)))
    return turns, state, node.player


@pytest.mark.thorough
def test_a_small_game_is_proved_before_its_evaluation_is_asked() -> None:
    """By the only move that wins, which the estimate does not see."""
    text, file = gdl.read("connect_four")
    game = offer(gdl.loads(f"{text}\nevaluate\n    0\n", file, settings={"columns": "6", "rows": "5"}).game, "auto")
    turns, computer = Sequential(game), Computer(game, "auto", 1, None)
    state = turns.initial()
    for column in (3, 6, 2, 3, 3, 4, 3, 5, 2, 6):
        state = turns.successor(state, f"drop({column})")
    assert computer.move(state, 0) == "drop(2)"


@pytest.mark.thorough
@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "name", one_in(2, ["backgammon", "chess", "go", "liars_dice", "kriegspiel", "2048", "chinese_checkers"])
)
def test_the_time_for_a_move_is_kept(name: str, no_collection: None) -> None:
    """A phase that does not look at the clock, such as a walk over positions, takes seconds."""
    turns, state, player = first_choice(name)
    computer = Computer(turns.game, "auto", 1, 0.4)
    computer.get_ready()
    slowness = max(1.0, seconds_of(lambda: sum(map(str.__len__, map(str, range(500_000))))) / 0.1)

    def move() -> None:
        assert computer.move(state, player) in actions(turns.node(state))

    assert seconds_of(move) < 1.0 * slowness


def seconds_of(work: Callable[[], object]) -> float:
    """The processor time of some work, on a machine that does other things as well."""
    started = process_time()
    work()
    return process_time() - started


def test_getting_ready_ends_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that is not compiled by then is compiled at the first move, within that move's time; compiling all of
    shogi's took two thirds of a second more."""
    clock, tried = count(), list[int]()

    def way(position: Any, seconds: float | None) -> None:
        tried.append(next(clock))

    computer = Computer(offered("tic_tac_toe"), "auto", 1, 4.0)
    monkeypatch.setattr(computer.searcher, "ways_to_move", lambda position: [(way, 1.0)] * 100)
    with all_clocks_replaced(clock.__next__):
        computer.get_ready()
    assert 1 < len(tried) < 6
    left = list[float | None]()
    monkeypatch.setattr(
        computer.searcher, "ways_to_move", lambda position: [(lambda _, seconds: left.append(seconds), 1.0)]
    )
    with all_clocks_replaced(clock.__next__):
        for _ in range(2):
            computer.searcher.find_move(computer.game.initial())
    assert left == [1.0, 3.0]  # a second passes until each is asked, and two were taken before


@pytest.mark.thorough
def test_small_positions_are_played_perfectly() -> None:
    game = offered("tic_tac_toe")
    turns, computer = Sequential(game), Computer(game, "auto", 1, 0.5)
    for seed in range(4):
        random, state = Random(seed), turns.initial()
        while isinstance(node := turns.node(state), Decision):
            action = computer.move(state, node.player) if node.player else random.choice(node.actions)
            state = turns.successor(state, action)
        assert isinstance(node, Terminal)
        assert node.utilities[1] >= 0  # type: ignore[operator]


def test_what_no_search_suits_is_played_all_the_same() -> None:
    """Play that may never end, and is worth nothing then."""
    game = gdl.loads(
        "players A, B, C\nstate\n    at: 1..3\naction go(n: 1..3) when n != at\n    at := n\nterminal\n    at = 0 -> (1, 0, 0)\n"
    ).game
    state = Turn(game.initial(), ())
    computer = Computer(game, "auto", 1, 0.1)
    assert computer.move(state, 0) in ("go(2)", "go(3)")
    assert "no search suits this game" in computer.hint(state, 0)
    assert "in time" in computer.hint(state, 0)


def test_numbers_left_open_are_no_obstacle() -> None:
    game = gdl.loads("players A, B\ntree A(x: B(?u, 2), y: 3)\n").game
    assert Computer(game, "auto", 1, None).move(Turn(0, ()), 0) in ("x", "y")


@pytest.mark.thorough
@pytest.mark.thorough_of("connect_four")
@pytest.mark.parametrize("name", ["othello", "connect_four", pytest.param("kriegspiel", marks=pytest.mark.slow)])
def test_the_same_seed_plays_the_same(name: str) -> None:
    found = set()
    for _ in range(2):
        turns, state, player = first_choice(name)
        found.add(Computer(turns.game, "auto", 3, None).hint(state, player))
    assert len(found) == 1


def test_a_forced_move_is_told_before_anything_is_thought(monkeypatch: pytest.MonkeyPatch):
    """Getting ready waits for a move that asks for thought, where that is wanted."""
    text = "players A, B\nstate\n    n: 0..9\naction go(k: 1..2) when n > 0 or k = 1\n    n := n + k\n"
    game = gdl.loads(f"{text}terminal\n    n > 5 -> win mover\n").game
    ready = list[Computer]()
    computer = Computer(game, "auto", 0, 0.1)
    monkeypatch.setattr(computer.searcher, "get_ready", lambda: ready.append(computer))
    computer.get_ready(later=True)
    turns = Sequential(game)
    start = turns.initial()
    assert computer.hint(start, 0) == "go(1), as there is nothing else" and not ready
    computer.hint(turns.successor(start, "go(1)"), 1)
    computer.hint(turns.successor(start, "go(1)"), 1)
    assert ready == [computer]


def test_a_level_sees_less_and_errs_alike_each_time():
    """The error belongs to a seed, a position and an action; a hint is as good at every level."""
    game = offered("connect_four")
    start = Sequential(game).initial()
    first = [Computer(game, "auto", seed, None, level=1).move(start, 0) for seed in range(12)]
    assert first == [Computer(game, "auto", seed, None, level=1).move(start, 0) for seed in range(12)]
    assert len(set(first)) > 3
    whole = Computer(game, "auto", 1, None)
    assert Computer(game, "auto", 1, None, level=BEST_LEVEL).move(start, 0) == whole.move(start, 0)
    assert Computer(game, "auto", 1, None, level=2).hint(start, 0) == whole.hint(start, 0)


def test_levels_see_less_far_and_misjudge_more_from_the_last_to_the_first():
    assert len(LEVELS) == BEST_LEVEL - 1 == 7
    for lower, higher in pairwise(LEVELS):
        assert (
            lower.nodes < higher.nodes
            and lower.simulations < higher.simulations
            and lower.error > higher.error
            and lower.doubt > higher.doubt
        )
    best = choose_by_level({"a": 0.0, "b": -0.1, "c": -2.0}, LEVELS[-1].error, "1")
    assert best == "a"
    chosen = {choose_by_level({"a": 0.0, "b": -0.1, "c": -2.5}, LEVELS[0].error, str(place)) for place in range(40)}
    assert chosen == {"a", "b"}  # two errors make up for twice what is at stake at most


def test_what_was_not_looked_at_so_deep_is_thought_to_change_as_the_rest_does():
    found = {"a": (10, True), "b": (5, True), "c": (1, False)}
    assert join_depths(found, {}) == found and join_depths({}, found) == found
    assert join_depths(found, {"a": (4, True)}) == {"a": (4, True), "b": (-1, True), "c": (1, False)}
    assert join_depths(found, {"a": (-900, False)}) == {"a": (-900, False), "b": (5, True), "c": (1, False)}
    assert join_depths(found | {"c": (1, True)}, {"a": (4, True), "b": (9, False)})["c"] == (-5, True)


def test_a_level_looks_deeper_at_what_seems_best_first():
    """Of some 220 moves at gomoku no depth is whole within 500 nodes: replies to a few are looked at."""
    searcher = Computer(offered("gomoku"), "auto", 1, None).searcher
    state = searcher.game.initial()
    for action in ("h8", "h9", "g8", "a1", "f8", "e8"):
        state = searcher.game.successor(state, action)
    quick, longer = (searcher.compare_actions(state, 0, Level(nodes, 1, 0, 0)) for nodes in (1, 500))
    changes = {round(longer[action] - quick[action], 3) for action in quick}
    assert len(quick) == 219 and len(changes) > 1


def test_games_whose_levels_were_measured_are_as_they_were():
    """If not, measure them anew: python tests/bench/levels.py tic_tac_toe --levels 3 8 --games 60"""
    lowest = {name: lowest_best_level(gdl.load(name).model) for name in ("tic_tac_toe", "nim", "kayles", "chess")}
    assert lowest == {"tic_tac_toe": 3, "nim": 5, "kayles": 6, "chess": BEST_LEVEL}
    assert lowest_best_level(gdl.load("nim", settings={"heaps": "9,9"}).model) == BEST_LEVEL


@pytest.mark.thorough_of("checkers")
@pytest.mark.parametrize("name", ["checkers", "leduc", "goofspiel", "pig", "figure_5_2"])
def test_every_level_plays_every_kind_of_game(name: str):
    """By alpha-beta, by simulations of what may be, by max^n with chance, and a tree."""
    if name in ("leduc", "goofspiel"):
        pytest.importorskip("gdl.wings.hidden")
    game = offered(name)
    turns = Sequential(game)
    state = turns.initial()
    while isinstance(node := turns.node(state), Chance):
        state = turns.successor(state, node.outcomes[0][0])
    for level in (1, 3):
        assert Computer(game, "auto", 1, None, level=level).move(state, node.player) in node.actions


def test_a_level_of_chess_sees_mate():
    """One compiled search compares all actions; where each had one of its own, a move took up to a minute."""
    game = offer(gdl.load("chess", position="6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"), "auto")
    turns = Sequential(game)
    for level in (4, 7):
        assert Computer(game, "auto", 1, None, level=level).move(turns.initial(), 0) == "a1a8"


@pytest.mark.thorough_of("backgammon")
@pytest.mark.parametrize("name", ["othello", "backgammon"])
def test_a_level_misjudges_where_only_the_interpreter_plays(name: str):
    """Without an engine it looks at the position after each move; it played like the highest level there."""
    game = loaded(name).game
    turns = Sequential(game)
    state = turns.initial()
    while isinstance(node := turns.node(state), Chance):
        state = turns.successor(state, node.outcomes[0][0])
    chosen = {Computer(game, "auto", seed, None, level=1).move(state, node.player) for seed in range(6)}
    assert len(chosen) > 1 and chosen <= set(node.actions)


@pytest.mark.parametrize("more", ["--solver mcts", "--table t"])
def test_a_level_has_searches_of_its_own(more: str):
    done = CliRunner().invoke(commands, ["play", "nim", "--level", "3", *more.split()], input="quit\n")
    assert done.exit_code == 2 and f"--level and {more.split()[0]} do not go together" in done.stderr


@pytest.mark.thorough
def test_a_higher_level_wins_in_connect_four():
    game, points = offered("connect_four"), 0.0
    turns = Sequential(game)
    for seed in range(4):
        for seat in range(2):
            players = [Computer(game, "auto", seed, None, level=4 if at == seat else 1) for at in range(2)]
            state = turns.initial()
            while isinstance(node := turns.node(state), Decision):
                state = turns.successor(state, players[node.player].move(state, node.player))
            points += node.utilities[seat]
    assert points >= 4

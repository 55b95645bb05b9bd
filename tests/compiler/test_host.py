"""The host: kernels run on any Game, and find what the reference implementations find there."""

import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from handmade import Circle, Goofspiel, Kuhn, Pitfall, TicTacToe
from kernel_host import Host
from small_games import Countdown
from trees import random_tree, tree, unknown

import gdl
from gdl.compiler.joining import constants, kernel, kernel_constants
from gdl.compiler.searches.star_driver import alpha_beta_search
from gdl.compiler.searches.state_table import positions
from gdl.errors import GameError, Refusal
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.states import count
from gdl.states.playouts import playouts
from gdl.states.random_numbers import STREAM, as_signed_word

FAR, UNLIMITED = 1 << 30, 1 << 62
K = kernel_constants("generator", "random_step")
HALF = constants("playouts")["HALF"]


def by_rules() -> Game[Any]:
    return gdl.load("nim", settings={"heaps": "1,2,3"})


def random_game(seed: int, **options: Any) -> Game[Any]:
    return tree(random_tree(random.Random(seed), 4, **options))


GAMES = {
    "a class": TicTacToe, "chance": Kuhn, "at once": lambda: Goofspiel(4), "cycles": Circle, "rules": by_rules,
    "a tree": lambda: random_game(1), "chance in a tree": lambda: random_game(2, chances=0.4),
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("depth", range(1, 6))
def test_sequences_are_counted(name: str, depth: int) -> None:
    host = Host(GAMES[name]())
    module = host.load(kernel("perft", DEPTH=depth, AT_ONCE=1))
    module["perft_enter"](depth)
    while module["perft_run"](100):
        pass
    assert module["perft_count"][0] == count.perft(GAMES[name](), depth)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [name for name in GAMES if name != "cycles"])
def test_random_plays_are_the_same(name: str) -> None:
    """One seed gives the same plays, even more of them than one stream of random numbers holds."""
    host, plays = Host(GAMES[name]()), STREAM + 20
    module = host.load(kernel("playouts", WEIGHED=1, AT_ONCE=1, COUNTS=0, STREAM=STREAM, BRIEF=1))
    module["playout_start"][:] = host.s
    module["played"][K.PLAYED_LEFT], module["played"][K.PLAYED_SEED] = plays, as_signed_word(7)
    while module["playouts_run"](100):
        pass
    expected = playouts(GAMES[name](), plays, 7)
    assert module["played"][K.PLAYED_PLIES] == expected.plies
    sums = list(module["played_sum"])
    means = [((upper << HALF) + lower) / plays for upper, lower in zip(sums[::2], sums[1::2], strict=True)]
    assert means == list(expected.value.values())


@pytest.mark.thorough_of("a class")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [name for name in GAMES if name != "at once"])
def test_states_are_counted(name: str) -> None:
    host = Host(GAMES[name]())
    module = host.load(kernel("enumerate", MOST_STATES=8192, MAX_SLOTS=1 << 20, DIRECT=1))
    module["enumerate_start"]()
    while module["enumerate_run"](100):
        pass
    K = kernel_constants("enumerate")
    found = [module["enumerated"][at] for at in (K.STATES, K.ENDS, K.EDGES)]
    expected = count.states(GAMES[name]())
    assert found == [expected.states, expected.terminal, expected.edges]
    assert len(host.states) == expected.states


def searched(host: Host, *names: str, **settings: int) -> dict[str, Any]:
    """The module of a search for values."""
    module = host.load(kernel(*names, "utilities", EVALUATION=0, **settings))
    module["least"][0], module["greatest"][0], module["most"][0] = -FAR, FAR, UNLIMITED
    return module


def searched_left_to_right(host: Host, **settings: int) -> dict[str, Any]:
    """The module of the textbook's alpha-beta, which has run."""
    module = host.load(kernel("star", APART=0, PLY=0, **settings))
    module["most"][0] = UNLIMITED
    module["star_begin"](FAR)
    while module["star_run"](100):
        pass
    return module


SEARCHED = (
    {"a class": lambda: Countdown(9)}
    | {name: GAMES[name] for name in ("rules", "a tree")}
    | {f"tree {seed}": lambda seed=seed: random_game(seed) for seed in range(3, 9)}
    | {"a larger class": GAMES["a class"]}
)
EACH = [pytest.param(name, marks=pytest.mark.slow if name == "a larger class" else ()) for name in SEARCHED]


@cache
def searched_by_textbook(name: str) -> Solution:
    return solve(SEARCHED[name](), "alpha-beta")


@pytest.mark.parametrize("name", EACH)
def test_the_textbook_search_visits_the_same_nodes(name: str) -> None:
    module = searched_left_to_right(Host(SEARCHED[name]()))
    answer = searched_by_textbook(name)
    assert (module["r_n"][0], module["nodes"][0], module["leaves"][0]) == (answer.value[0], answer.nodes, answer.leaves)


@pytest.mark.parametrize("name", EACH)
def test_the_search_with_a_table_finds_the_value(name: str) -> None:
    host = Host(SEARCHED[name]())
    module = searched(host, "principal_variation", **positions(1, 1 << 20))
    module["table_clear"]()
    module["begin"](module["WHOLE"], -FAR + 1, FAR - 1)
    while module["search_run"](100):
        pass
    assert module["refused"][0] == 0
    assert module["found"][0] == searched_by_textbook(name).value[0]


@pytest.mark.parametrize("name", EACH)
def test_proofs_find_the_value(name: str) -> None:
    host = Host(SEARCHED[name]())
    module = searched(host, "proof_number", **positions(1, 1 << 20))
    value = searched_by_textbook(name).value[0]
    for goal in (value, value + 1):
        host.start()
        module["table_clear"]()
        module["goal"][0] = goal
        module["begin"]()
        while module["search_run"](100):
            pass
        assert (module["numbers"][0] == 0) == (goal == value)


def test_a_kernel_visits_the_same_nodes_on_the_host_and_on_the_lowered_game() -> None:
    """So a difference between the two is one of lowering."""
    game = by_rules()
    lowered = alpha_beta_search(game, game.initial(), "python", strictly=True)
    for _ in lowered.go_on(UNLIMITED):
        pass
    module = searched_left_to_right(Host(game), STRICTLY=1)
    assert (module["nodes"][0], module["leaves"][0]) == (lowered.nodes, lowered.leaves)


def test_numbers_are_whole_over_a_denominator() -> None:
    halves = tree(random_tree(random.Random(3), 3, leaves=[Fraction(1, 2), Fraction(3, 2)]))
    module = searched_left_to_right(Host(halves, denominator=2))
    assert Fraction(module["r_n"][0], 2) == solve(halves, "alpha-beta").value[0]
    with pytest.raises(Refusal, match="no whole number of 62 bits"):
        searched_left_to_right(Host(halves))


def test_what_a_game_has_not() -> None:
    with pytest.raises(Refusal, match="tic-tac-toe has a state with 9 actions: more than 8"):
        Host(TicTacToe(), rows=8)
    with pytest.raises(Refusal, match="tic-tac-toe has no evaluation"):
        Host(TicTacToe()).module["evaluate"]()
    with pytest.raises(GameError, match=r"depends on the unknown utility \?x"):
        Host(tree(unknown("x"))).module["status"]()


def test_a_fault_of_the_rules_is_told() -> None:
    host = Host(Pitfall(), rows=2)
    module = host.load(kernel("perft", DEPTH=3))
    module["perft_enter"](3)
    with pytest.raises(GameError, match="the game is not over, but Ann has no action"):
        while module["perft_run"](100):
            pass

"""depth-limited: minimax cut off at a depth, deeper and deeper."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from handmade import TicTacToe
from shipped import loaded
from small_games import Countdown, EstimatedCountdown, Pig
from together import together
from trees import MAX, MIN, Inner, chance, node, random_tree, tree

import gdl
from gdl.commands.engines import offer
from gdl.errors import GameError, Interrupted, LimitReached, Refusal
from gdl.game import Chance, Decision, Number, Terminal
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.budget import SearchLimits
from gdl.solvers.horizon import Horizon
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import expectiminimax, maxn, minimax
from gdl.solvers.minimax.cut_off import NODES, depth_limited


class Estimated(TicTacToe):
    """Tic-tac-toe with an evaluation: lines still open to X less those open to O, as Nilsson taught it."""

    def evaluate(self, state: str) -> tuple[Number, ...]:
        lines = [[state[cell] for cell in line] for line in LINES]
        hope = sum(("O" not in line) - ("X" not in line) for line in lines)
        return Fraction(hope, 9), Fraction(-hope, 9)


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class EstimatedPig(Pig):
    def evaluate(self, state: Any) -> tuple[Number, ...]:
        mine, yours, turn, mover, _ = state
        hope = Fraction(1, 2) + Fraction(mine + turn - yours, 2 * self.goal)
        return (hope, 1 - hope) if mover == 0 else (1 - hope, hope)


def estimate_everything(item: Any, rng: random.Random) -> Any:
    """The tree with a random evaluation at every inner node."""
    if not isinstance(item, Inner):
        return item
    children = [estimate_everything(child, rng) for child in item.children]
    return replace(item, children=children, evaluation=rng.randint(-5, 5))


def h_minimax(game: Any, state: Any, depth: int) -> Any:
    """H-MINIMAX as the textbook defines it, from the first player's side."""
    item = game.node(state)
    if isinstance(item, Terminal):
        return item.utilities[0]
    if depth == 0:
        return game.evaluate(state)[0]
    if isinstance(item, Chance):
        return sum(p * h_minimax(game, game.successor(state, a), depth - 1) for a, p in item.outcomes)
    values = [h_minimax(game, game.successor(state, a), depth - 1) for a in item.actions]
    return max(values) if item.player == 0 else min(values)


def test_nilssons_opening() -> None:
    """Two plies deep with open lines as evaluation, the centre is the move."""
    answer = depth_limited(Estimated(), depth=2)
    assert answer.best == ("4",)
    assert answer.value == (Fraction(1, 9), Fraction(-1, 9))
    assert not answer.exact
    assert answer.limit == "cut off at depth 2: 72 positions were only estimated, by the evaluation"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(100))
def test_against_the_textbooks_definition(seed: int) -> None:
    rng = random.Random(seed)
    game = tree(estimate_everything(random_tree(rng, 5, chances=0.2), rng))
    for depth in range(1, 7):
        answer = depth_limited(game, depth=depth)
        value = h_minimax(game, 0, depth)
        assert answer.value == (value, -value)
        item = game.node(0)
        if isinstance(item, Decision):
            sign = 1 if item.player == 0 else -1
            worth = [sign * h_minimax(game, game.successor(0, a), depth - 1) for a in item.actions]
            assert answer.best == tuple(a for a, w in zip(item.actions, worth, strict=True) if w == max(worth))
        assert answer.exact == (answer.limit is None)
    assert answer.exact
    assert answer.value == expectiminimax(game).value


@together(range(60))
def test_alpha_beta_with_a_depth_agrees(seed: int) -> None:
    rng = random.Random(seed)
    game = tree(estimate_everything(random_tree(rng, 5), rng))
    for depth in range(1, 6):
        plain, pruning = depth_limited(game, depth=depth), alpha_beta(game, depth=depth)
        assert plain.value == pruning.value
        assert set(plain.best) == set(pruning.best)


@pytest.mark.thorough
def test_it_is_exact_when_nothing_is_cut_off() -> None:
    answer = depth_limited(Estimated(), depth=20)
    assert (answer.exact, answer.limit, answer.value) == (True, None, (0, 0))
    by_ply = [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]  # published counts of positions
    total = sum(sum(by_ply[: depth + 1]) for depth in range(1, 10))
    assert answer.notes == (f"searched to depth 9; {total:,} nodes in all, shallower searches included",)
    assert answer.nodes == minimax(TicTacToe()).nodes == 5478


def test_chance_counts_as_a_ply() -> None:
    half = Fraction(1, 2)
    game = tree(MAX(chance((half, MIN(4, 6, eval=9)), (half, 2), eval=100)))
    assert depth_limited(game, depth=1).value == (100, -100)
    assert depth_limited(game, depth=2).value == (Fraction(11, 2), Fraction(-11, 2))
    assert depth_limited(game, depth=3).value == (3, -3)


def test_a_constant_sum_that_is_not_zero() -> None:
    answer = depth_limited(EstimatedPig(8), depth=5)
    assert answer.value is not None
    assert sum(answer.value) == 1
    assert answer.best == ("roll",)


def test_three_players() -> None:
    A, B, C = node("A"), node("B"), node("C")
    game = tree(
        A(B(C((1, 2, 6), (4, 2, 3), eval=(0, 9, 0)), (6, 1, 2), eval=(0, 0, 0)), (2, 0, 0)), players=("A", "B", "C")
    )
    assert depth_limited(game, depth=2).value == (2, 0, 0)
    assert depth_limited(game, depth=3).value == (2, 0, 0)
    assert depth_limited(game, depth=1).best == ("2",)


def test_only_the_depth_asked_for_needs_evaluations() -> None:
    game = tree(MAX(MIN(MAX(1, 9, eval=5), 7), MIN(MAX(4, eval=4), MAX(8, eval=8))))
    assert depth_limited(game, depth=2).value == (5, -5)
    with pytest.raises(GameError, match="the node after 1 is 1 ply deep"):
        depth_limited(game, depth=1)
    assert depth_limited(game).value == (7, -7)


def test_endless_games_can_be_searched() -> None:
    class Pass(EstimatedCountdown):
        def __init__(self) -> None:
            super().__init__(6, least=0)

    answer = depth_limited(Pass(), depth=4)
    assert not answer.exact
    assert answer.value == (h_minimax(Pass(), (6, 0), 4), -h_minimax(Pass(), (6, 0), 4))


@pytest.mark.thorough
def test_limits_bring_the_deepest_finished_search() -> None:
    with pytest.raises(LimitReached) as stopped:
        depth_limited(Estimated(), SearchLimits(nodes=1000))
    partial = stopped.value.partial
    assert isinstance(partial, Solution)
    finished = depth_limited(Estimated(), depth=3)
    assert partial.limit == f"{finished.limit}; stopped after 1,000 nodes, the limit set for this search"
    assert replace(partial, limit=finished.limit) == finished
    with pytest.raises(LimitReached, match=r"0\.01 seconds"):
        depth_limited(EstimatedCountdown(2000), SearchLimits(time=0.01))


@pytest.mark.thorough
def test_without_any_limit_it_stops_by_itself() -> None:
    answer = depth_limited(EstimatedCountdown(10_000))
    assert not answer.exact
    assert answer.limit is not None
    assert answer.limit.endswith(f"; stopped after {NODES:,} nodes, the limit set for this search")
    assert answer.value is not None


@pytest.mark.thorough
def test_ctrl_c_brings_the_deepest_finished_search() -> None:
    def press_ctrl_c(visited: int) -> None:
        if visited == 2000:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        depth_limited(Estimated(), SearchLimits(progress=press_ctrl_c))
    assert stopped.value.partial.value is not None  # type: ignore[attr-defined]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("game", [TicTacToe(), gdl.load("tic_tac_toe")], ids=["by hand", "shipped"])
def test_a_depth_that_reaches_every_end_needs_no_evaluation(game: Any) -> None:
    for depth in (9,) if isinstance(game, TicTacToe) else (9, 10):
        answer = depth_limited(game, depth=depth)
        assert (answer.exact, answer.value, len(answer.best)) == (True, (0, 0), 9)
    with pytest.raises(GameError, match="8 plies deep, where search is cut off"):
        depth_limited(game, depth=8)


def test_a_file_without_evaluation_is_told_so() -> None:
    with pytest.raises(GameError, match="gives it no evaluation"):
        depth_limited(Countdown(200), depth=3)
    with pytest.raises(GameError, match="gives it no evaluation"):
        depth_limited(Countdown(200), SearchLimits(nodes=500))


def test_refusals() -> None:
    with pytest.raises(Refusal, match="least depth is 1"):
        depth_limited(Estimated(), depth=0)


def test_the_horizon_is_a_game_itself() -> None:
    horizon = Horizon(Estimated(), 2)
    start = horizon.initial()
    later = horizon.successor(horizon.successor(start, "4"), "0")
    assert horizon.is_cut_off(later)
    assert not horizon.is_cut_off(start)
    assert horizon.node(later) == Terminal((Fraction(1, 9), Fraction(-1, 9)))
    assert horizon.traits.cyclic is False
    assert horizon.show(later) == Estimated().show("O...X....")


# ---- The textbook's names, cut off ---------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(60))
def test_minimax_to_a_depth_is_h_minimax(seed: int) -> None:
    rng = random.Random(seed)
    chances = 0.2 * (seed % 2)
    game = tree(estimate_everything(random_tree(rng, 5, chances=chances), rng))
    search = expectiminimax if game.traits.chance else minimax
    for depth in range(1, 7):
        answer, deepening = search(game, depth=depth), depth_limited(game, depth=depth)
        value = h_minimax(game, 0, depth)
        assert answer.value == (value, -value)
        assert (answer.best, answer.exact, answer.limit) == (deepening.best, deepening.exact, deepening.limit)
        assert maxn(game, depth=depth).value == answer.value
        whole = search(game)
        assert (answer.value == whole.value) or not answer.exact


@pytest.mark.thorough_of("othello-minimax-2")
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "solver", "depth"),
    [
        ("othello", "minimax", 2),
        ("breakthrough", "minimax", 2),
        ("backgammon", "expectiminimax", 2),
        ("chinese_checkers", "maxn", 4),
        ("pig", "maxn", 6),
    ],
)
def test_the_compiled_engine_cuts_off_alike(name: str, solver: str, depth: int) -> None:
    pytest.importorskip("wasmtime")
    found = []
    for engine in ("interpreter", "wasm"):
        game = offer(loaded(name).game, engine)
        found.append(solve(game, solver, depth=depth))
    assert found[0] == found[1]
    assert not found[0].exact
    assert found[0].nodes is not None
    assert found[0].nodes > 15


def test_what_is_cut_off_needs_an_evaluation_and_a_depth() -> None:
    with pytest.raises(GameError, match="2 plies deep, where search is cut off, and the file gives it no evaluation"):
        minimax(TicTacToe(), depth=2)
    with pytest.raises(Refusal, match="the least depth is 1"):
        minimax(TicTacToe(), depth=0)
    with pytest.raises(LimitReached, match="20 nodes"):
        minimax(Estimated(), SearchLimits(nodes=20), depth=4)


def test_the_values_above_the_depth_are_listed() -> None:
    game = gdl.loads("players MAX, MIN\ntree MAX(MIN A eval 4 (3, 12), MIN B eval 7 (2, 4))").game
    answer = minimax(game, depth=1, values=True)
    assert answer.values == {(): (7, -7), (0,): (4, -4), (1,): (7, -7)}


def test_a_depth_alone_is_for_the_searches_that_prune() -> None:
    game = gdl.loads("players MAX, MIN\ntree MAX(MIN A eval 4 (3, 12), MIN B eval 7 (2, 4))").game
    assert solve(game, depth=1).solver == "alpha-beta"
    assert solve(game, depth=1, values=True).solver == "minimax"


HEAP = """
game "One heap" (stones = 9)
players Ann, Bob

state
    left: 0..stones = stones

action take(n: 1..3) when n <= left
    left := left - n

evaluate
    left mod 4

terminal
    left = 0 -> lose mover
"""


@pytest.mark.parametrize("stones", [*(pytest.param(n, marks=pytest.mark.thorough) for n in ("9", "13")), "21"])
def test_the_line_of_an_exact_answer_goes_on_to_the_end(stones: str) -> None:
    """Also where the search remembered less of it."""
    game: Any = gdl.loads(HEAP, "heap.game", settings={"stones": stones}).game
    game = offer(game, "python")
    answer = depth_limited(game)
    assert answer.exact
    state = game.initial()
    for action in answer.line:
        state = game.successor(state, action)
    assert isinstance(game.node(state), Terminal)

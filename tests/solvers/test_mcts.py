"""mcts: the arithmetic of UCT, and that it finds what there is to find."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

import pytest
from handmade import TicTacToe
from hypothesis import given
from hypothesis import strategies as st
from late_clock import clock_replaced
from small_games import UNDECIDED, Countdown, Network, Pig
from trees import MAX, MIN, chance, node, tree, unknown

import gdl
from gdl.commands.engines import game_with_engine
from gdl.errors import GameError, Interrupted, LimitReached, Refusal
from gdl.game import Decision, Promises, Terminal
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.budget import Budget, SearchLimits
from gdl.solvers.mcts.mcts import mcts
from gdl.solvers.mcts.uct_nodes import Haste, Results, ln, ucb1
from gdl.states.game_wrapper import GameWrapper


class After(TicTacToe):
    """Tic-tac-toe some moves later."""

    traits = UNDECIDED

    def __init__(self, board: str):
        self.board = board

    def initial(self) -> str:
        return self.board


def test_upper_confidence_bounds() -> None:
    """Published: a unit test of a UCT program, two children of a node visited e^8 times; and a course's three arms."""
    assert ucb1(1 / 2, 2, 8, 1) == pytest.approx(2.5, abs=1e-9)
    assert [round(ucb1(w / n, n, ln(10), 1.5), 6) for w, n in [(1, 2), (3, 8)]] == [2.109475, 1.179737]
    assert [round(ucb1(w, 1, ln(4), math.sqrt(2)), 6) for w in (0.1, 0.5, 0.2)] == [1.765109, 2.165109, 1.865109]


@given(st.integers(1, 1 << 40))
def test_the_logarithm(number: int) -> None:
    assert ln(number) == pytest.approx(math.log(number), rel=1e-15, abs=1e-16)


def test_results_of_win_draw_and_lose_have_the_whole_spread() -> None:
    met = Results(2)
    for utility in (1, 1, 1, 0, -1, 1, 1):
        met.meet((utility, -utility))
        met.differ((utility, -utility))
        assert met.share == [1.0, 1.0]


def test_points_that_differ_less_have_a_share_of_it() -> None:
    """Twice the mean difference from one to the next of five, 50 + 48 + 2 + 4, is 41.6 of 50."""
    met = Results(1)
    for points in (0, 50, 2, 4, 8):
        met.meet((points,))
        met.differ((points,))
    assert met.share == [0.832]
    for points in (7, 8, 7, 8, 9):
        met.differ((points,))
    assert met.share == [0.436]  # of 109 in sum, ten results
    for points in (0, 50) * 20:
        met.differ((points,))
    assert met.share == [1.0]


def coin(low: int, high: int) -> Any:
    """An arm that pays one or the other: no value of it is ever proven."""
    return chance((Fraction(1, 2), low), (Fraction(1, 2), high))


def visits(answer: Solution) -> list[int]:
    return [int(note.split(": ")[1].split(" visit")[0]) for note in answer.notes]


def test_every_child_is_tried_once_in_file_order() -> None:
    game = tree(MAX(1, 2, 3, 4))
    assert mcts(game, simulations=3).notes == (
        "1: 1 visit, 1 for MAX, proven",
        "2: 1 visit, 2 for MAX, proven",
        "3: 1 visit, 3 for MAX, proven",
        "4: never tried",
    )
    assert mcts(game, simulations=3).best == ("3",)
    assert mcts(game, simulations=3).value == (2, -2)
    even = tree(MAX(*[coin(1, 3)] * 4))
    assert visits(mcts(even, simulations=4)) == [1, 1, 1, 1]
    assert mcts(even, simulations=4).best == ("1",)  # the first of equally many visits


def test_the_fourth_simulation_follows_the_bound() -> None:
    """After one try each, scaled to 0..1, the bounds are mean + c sqrt(ln 3): the best mean is next, not the first."""
    game = tree(MAX(coin(10, 11), coin(30, 31), coin(20, 21)))
    assert visits(mcts(game, simulations=4)) == [1, 2, 1]


def test_exploration_is_the_readers_choice() -> None:
    game = tree(MAX(coin(0, 1), coin(4, 5), coin(8, 9)))
    assert visits(mcts(game, simulations=100, c=0)) == [1, 1, 98]
    assert min(visits(mcts(game, simulations=100, c=10))) > 20
    with pytest.raises(Refusal, match="c from 0 on, not -1"):
        mcts(game, c=-1)


def test_proven_values() -> None:
    """All children proven; one that nothing exceeds; and a chance node whose outcomes are alike."""
    answer = mcts(tree(MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2))))
    assert (answer.exact, answer.value, answer.best, answer.limit) == (True, (3, -3), ("1",), None)
    assert answer.line == ("1", "1")
    assert answer.leaves is not None
    assert answer.leaves < 100
    assert mcts(tree(MAX(coin(1, 1), 0))).exact
    assert not mcts(tree(MAX(coin(1, 2), 0))).exact
    assert mcts(tree(MAX(1, 2, 2))).best == ("2", "3")
    won = mcts(After("XX..O.O.."), simulations=100)
    assert (won.best, won.exact) == (("2",), False)  # nothing says yet that no end is worth more
    promising = After("XX..O.O..")
    promising.promises = Promises(proved=lambda: ((-1, 1), (-1, 1)))
    promising.traits = replace(UNDECIDED, zero_sum=True, constant_sum=0)
    won = mcts(promising, simulations=100)
    assert (won.best, won.value, won.exact, won.leaves) == (("2",), (1, -1), True, 1)


def test_a_child_that_is_proven_to_be_worse_is_left_alone() -> None:
    answer = mcts(tree(MAX(1, 2, coin(0, 4))), simulations=100)
    assert visits(answer)[0] == 1


def test_trees_beside_each_other_are_added_up() -> None:
    game = tree(MAX(coin(0, 4), coin(1, 2)))
    alone = mcts(game, simulations=50, seed=3)
    both = mcts(game, simulations=101, seed=3, threads=2)
    assert both == mcts(game, simulations=101, seed=3, threads=2)
    assert (both.leaves, sum(visits(both))) == (101, 101)
    assert both.notes != mcts(game, simulations=101, seed=3).notes
    assert visits(both)[0] > visits(alone)[0]
    with pytest.raises(LimitReached, match="stopped after 101 nodes"):
        mcts(TicTacToe(), SearchLimits(nodes=101), threads=2)
    with pytest.raises(Refusal, match="1 to 64 trees"):
        mcts(game, threads=0)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("board", "good"),
    [
        pytest.param("XX..O....", "2", id="block"),
        pytest.param("X........", "4", id="answer a corner in the centre"),
        pytest.param("X...O...X", "1357", id="opposite corners"),
        pytest.param(".O..X....", "023568", id="fork"),
    ],
)
def test_the_only_good_moves_of_tic_tac_toe(board: str, good: str) -> None:
    for seed in range(3):
        answer = mcts(After(board), simulations=3000, seed=seed)
        assert set(answer.best) <= set(good), seed


@pytest.mark.thorough
def test_the_value_tends_to_the_minimax_value() -> None:
    game = tree(MAX(MIN(coin(2, 4), 12, 8), MIN(coin(1, 3), 4, 6), MIN(14, 5, coin(1, 3))))
    answer = mcts(game, simulations=20_000)
    assert answer.best == ("1",)
    assert answer.line == ("1", "1")
    assert answer.value == pytest.approx((3, -3), abs=0.15)


@pytest.mark.thorough
def test_chance_is_drawn_with_its_probabilities() -> None:
    game = tree(chance((Fraction(1, 6), 60), (Fraction(1, 3), 0), (Fraction(1, 2), -20)))
    assert mcts(game, simulations=20_000).value == pytest.approx((0, 0), abs=0.8)
    assert mcts(game, simulations=20_000).line == ()


@pytest.mark.thorough
def test_pig() -> None:
    answer = mcts(Pig(10), simulations=3000)
    assert answer.best == ("roll",)
    assert answer.value is not None
    assert answer.value[0] == pytest.approx(0.7094, abs=0.08)
    assert sum(answer.value) == pytest.approx(1)


def test_three_players_each_want_their_own() -> None:
    A, B, C = node("A"), node("B"), node("C")
    game = tree(
        A(
            B(C((1, 2, 6), (4, 2, 3)), C((6, 1, 2), (7, 4, -1))),
            B(C((5, -1, -1), (-1, 5, 2)), C((7, 7, -1), (5, 4, 5))),
        ),
        players=("A", "B", "C"),
    )
    answer = mcts(game, simulations=20_000)
    assert answer.line == ("1", "1", "1")
    assert answer.value == pytest.approx((1, 2, 6), abs=0.5)


@pytest.mark.thorough
def test_the_seed_decides_everything() -> None:
    assert mcts(TicTacToe(), simulations=50, seed=7) == mcts(TicTacToe(), simulations=50, seed=7)
    assert mcts(TicTacToe(), simulations=50, seed=7) != mcts(TicTacToe(), simulations=50, seed=8)


def test_a_game_that_is_over() -> None:
    answer = mcts(tree(5), simulations=10)
    assert (answer.value, answer.best, answer.line) == ((5, -5), (), ())


def test_endless_simulations_need_a_price() -> None:
    game = Network([Decision(0, ("0",)), Decision(1, ("0",))], [[1], [0]])
    with pytest.raises(Refusal, match="one of network went on for 10,000 plies"):
        mcts(game, simulations=1)
    game.promises = Promises(forever=(2, -2))
    assert mcts(game, simulations=2).value == (2, -2)


MARCH = """
players A, B
state
    steps: 0..9000
    runs: 0..9000
action walk
    steps := steps + 1
action run
    steps, runs := steps + 1, runs + 1
terminal
    steps = 9000 and runs > 4500 -> win A
    steps = 9000 -> win B
"""


def test_simulations_too_long_for_the_time_are_cut_off() -> None:
    game = gdl.loads(MARCH).game
    ticks = count(0, 0.01)
    with clock_replaced(lambda: next(ticks)), pytest.raises(LimitReached) as stop:
        mcts(game, SearchLimits(time=10))
    answer = stop.value.partial
    assert isinstance(answer, Solution)
    assert answer.best[0] in ("walk", "run") and answer.value is None and answer.leaves > 2
    assert (
        f"estimated from {answer.leaves:,} random simulations, {answer.leaves:,} of them cut off after" in answer.limit
    )


def test_a_machine_that_stood_still_is_no_long_simulation() -> None:
    now = 0.0
    with clock_replaced(lambda: now):
        haste = Haste(gdl.loads(MARCH).game, Budget(time=10))
        now = 5.0
        assert not haste.begins_now(40, 7)  # of which some ended since
        now = 5.6
        assert not haste.begins_now(40, 90)
        now = 5.7
        assert haste.begins_now(40, 100) and haste.plies == 100  # which has taken a sixteenth of ten seconds
        assert not haste.begins_now(40, 110)


def test_no_simulation_that_ended_is_told() -> None:
    long = Network([*[Decision(0, ("0",))] * 9000, Terminal((1, -1))], [*([k + 1] for k in range(9000)), []])
    ticks = count(0, 0.01)
    with clock_replaced(lambda: next(ticks)), pytest.raises(LimitReached) as stop:
        mcts(long, SearchLimits(time=5))
    assert stop.value.partial.best == () and stop.value.partial.notes == ("Not one random simulation came to its end.",)


def test_refusals_and_faults() -> None:
    hidden = tree(MIN(MAX(1, 2, infoset="x"), MAX(2, 1, infoset="x")))
    hidden.traits = UNDECIDED
    with pytest.raises(Refusal, match="mcts needs perfect information"):
        mcts(hidden)
    with pytest.raises(Refusal, match="least number is 1"):
        mcts(TicTacToe(), simulations=0)
    with pytest.raises(GameError, match=r"\?x[\s\S]*after: 2 1"):
        mcts(tree(MAX(MIN(1), MIN(unknown("x")))))


@pytest.mark.thorough
def test_limits_bring_what_was_learned() -> None:
    with pytest.raises(LimitReached) as stopped:
        mcts(TicTacToe(), SearchLimits(nodes=200))
    partial = stopped.value.partial
    assert isinstance(partial, Solution)
    assert partial.best
    assert partial.limit == (
        f"estimated from {partial.leaves} random simulations; stopped after 200 nodes, the limit set for this search"
    )
    with pytest.raises(LimitReached, match="seconds"):
        mcts(Countdown(50), SearchLimits(time=0.05), simulations=10**9)

    def press_ctrl_c(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as pressed:
        mcts(TicTacToe(), SearchLimits(progress=press_ctrl_c))
    assert pressed.value.partial.best  # type: ignore[attr-defined]
    value: Any = pressed.value.partial.value  # type: ignore[attr-defined]
    assert value[0] == -value[1]


def test_ctrl_c_does_not_wait_for_the_refutation_of_moves() -> None:
    """Five hundred positions were played by the rules: seconds in chess, which asks for earlier positions."""
    pressed: list[int] = []

    def press_ctrl_c(_: int) -> None:
        pressed.append(0)
        raise KeyboardInterrupt

    class Watched(GameWrapper):
        def node(self, state: Any) -> Any:
            if pressed:
                pressed.append(state)
            return self.game.node(state)

    small = MAX(*(MIN(*(MAX(-1, -1, -1, -1, MIN(1, 1)) for _ in range(10))) for _ in range(10)))
    game = Watched(tree(small, utility=(-1, 1)))
    game.promises = game.game.promises
    looks = count()
    with clock_replaced(lambda: 1e3 * next(looks)), pytest.raises(Interrupted) as stopped:
        mcts(game, SearchLimits(progress=press_ctrl_c), simulations=10_000)
    assert stopped.value.partial.best  # type: ignore[attr-defined]
    assert len(pressed) < 20


def test_chance_of_which_no_machine_word_holds_the_denominator() -> None:
    """A hundred outcomes of 1/2^100, and the others of about the same size: each is drawn as often as it is probable."""
    small = Fraction(1, 2**100)
    game = tree(MAX(chance((small, 1), (Fraction(1, 3) - small, 3), (Fraction(2, 3), 0))))
    answer = mcts(game, simulations=3000)
    assert answer.value is not None
    assert answer.value[0] == pytest.approx(1, abs=0.1)


def test_what_is_proven_to_be_lost_is_not_visited_again() -> None:
    """The least that the rules allow is enough to know, while other actions are not proven yet."""
    game = tree(MAX(MIN(-1, 1), MIN(coin(-1, 1), coin(-1, 1)), MIN(coin(-1, 1), coin(-1, 1))), utility=(-1, 1))
    answer = mcts(game, simulations=500)
    lost, *others = visits(answer)
    assert "-1 for MAX, proven" in answer.notes[0]
    assert lost <= 3 and min(others) > 100


def test_an_end_is_not_expanded() -> None:
    assert mcts(Network([Decision(0, ("0",)), Terminal((1, -1))], [[1]]), simulations=5).nodes == 2


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_many_simulations_find_the_winning_first_move_of_connect_four(seed):
    """With the constant that suits few, so many of them stayed with a losing one."""
    pytest.importorskip("wasmtime")
    game = game_with_engine(gdl.load("connect_four").model)
    assert solve(game, "mcts", simulations=300_000, seed=seed).best == ("drop(4)",)


def test_few_simulations_of_slow_rules_are_compiled() -> None:
    """Five of backgammon took ten seconds by the interpreter, which here looks at the first position alone."""
    pytest.importorskip("wasmtime")
    game = gdl.load("backgammon")
    gdl.solve(game, "mcts", simulations=5)
    assert game.work < 1_000_000


def test_the_clock_is_looked_at_where_no_node_is_new() -> None:
    """All positions are in the tree soon, and chance keeps the value from being proved."""
    clock = count()
    game = tree(chance((Fraction(1, 2), MAX(1, 2)), (Fraction(1, 2), MAX(3, 4))))
    with pytest.raises(LimitReached) as stop, clock_replaced(lambda: next(clock) / 1000):
        mcts(game, SearchLimits(time=1.0), simulations=1 << 60)
    assert stop.value.partial.nodes < 20


def test_an_estimate_lies_within_what_is_proven_beside_it() -> None:
    """Some of the plays begin with the worse action, and so their mean is less than what the better one secures."""
    clock = count()
    with clock_replaced(lambda: next(clock) / 1000):
        found = gdl.solve(gdl.load("coin_flip"), "mcts", time=1.0)
    assert not found.exact and found.interval == ((3, 3), (-3, -3)) and found.value == (3, -3)

"""Without a solver's name a game is solved exactly where that takes seconds, and only else estimated."""

import random
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from late_clock import clock_replaced
from verification import verify

import gdl
from gdl.commands.engines import game_with_engine
from gdl.compiler import wasm
from gdl.errors import Refusal
from gdl.errors.deadline import Deadline
from gdl.errors.shares import MORE_TRIED_POSITIONS, TRIED_POSITIONS
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.auto import TRIAL_POSITIONS, Pick, pick
from gdl.solvers.budget import SearchLimits
from gdl.solvers.certificate import strategies
from gdl.solvers.cyclic import cyclic, numbering
from gdl.solvers.plan_run import trial_positions


def connect_four(columns, rows):
    return game_with_engine(gdl.load("connect_four", settings={"columns": str(columns), "rows": str(rows)}).model)


@pytest.mark.parametrize(
    ("columns", "rows", "positions"),
    [(6, 5, MORE_TRIED_POSITIONS), (7, 4, MORE_TRIED_POSITIONS), (7, 6, TRIED_POSITIONS)],
)
def test_boards_within_reach_are_tried_longer(columns, rows, positions):
    assert trial_positions(connect_four(columns, rows)) == positions


@pytest.mark.thorough
@pytest.mark.skipif(not wasm.available(), reason="the trial is for the compiled engine")
def test_positions_are_not_numbered_beyond_the_limit_of_nodes():
    """Fox and hounds has 895,280 positions, which can be numbered where nobody forbids it."""
    answer = gdl.solve("fox_and_hounds", nodes=100)
    assert not answer.exact and answer.nodes <= 100


@pytest.mark.slow
@pytest.mark.skipif(not wasm.available(), reason="the trial is for the compiled engine")
@pytest.mark.parametrize(("columns", "rows", "best"), [(6, 5, 6), (5, 6, 5), (7, 4, 1)])
def test_connect_four_on_small_boards_is_solved(columns, rows, best):
    answer = solve(connect_four(columns, rows))
    assert answer.exact
    assert answer.value == (0, 0)
    assert len(answer.best) == best


@pytest.mark.thorough
@pytest.mark.skipif(not wasm.available(), reason="the engine that is asked for")
def test_an_engine_that_was_chosen_refuses_no_trial():
    """Chess asks for earlier positions, which numbering cannot keep; the search that is picked takes it all the same."""
    chess = game_with_engine(gdl.load("chess").model, "wasm")
    assert pick(chess, SearchLimits(time=Deadline.starting_now(0.05))).solver == "depth-limited"


@pytest.mark.thorough
@pytest.mark.skipif(not wasm.available(), reason="the engine that numbers the positions")
def test_the_choice_does_not_wait_for_the_engine(monkeypatch):
    """The engine may take long to be ready; the choice depends on how soon it numbers the positions from then on."""
    now, made = [0.0], numbering.compiled_search

    def tick():
        now[0] += 1 / 1000
        return now[0]

    def slowly(*given, **options):
        now[0] += 6
        return made(*given, **options)

    monkeypatch.setattr(numbering, "compiled_search", slowly)
    yahtzee = game_with_engine(gdl.load("yahtzee").model)
    with clock_replaced(tick):
        assert pick(yahtzee, SearchLimits(time=Deadline.starting_now(20))).solver == "retrograde"


def test_the_value_is_told_where_there_is_no_time_to_list_strategies(monkeypatch):
    now = [0.0]

    def listed(game, choices):
        now[0] = 100
        return strategies(game, choices)

    monkeypatch.setattr(cyclic, "strategies", listed)
    with clock_replaced(lambda: now[0]):
        found = solve(game_with_engine(gdl.load("pong_hau_ki").model), "retrograde", time=60)
    assert found.exact and found.value is not None and found.strategy is None
    assert cyclic.UNLISTED in found.notes


@pytest.mark.thorough
def test_a_sum_that_is_constant_at_every_end_needs_no_table():
    """The analysis cannot tell that somebody always wins the pot, and not all of 16 cards' positions are looked at."""
    kuhn = gdl.load("kuhn", settings={"cards": "16"})
    assert kuhn.traits.zero_sum is None
    answer = solve(kuhn)
    assert answer.solver == "sequence-form"
    assert answer.traits.zero_sum
    assert answer.value == (Fraction(-29, 480), Fraction(29, 480))


@pytest.mark.slow
def test_a_sum_that_varies_at_a_late_end_is_found_to():
    bonus = gdl.load(Path(__file__).with_name("late_bonus.game"), settings={"cards": "60"})
    assert bonus.traits.zero_sum is None
    answer = solve(bonus)
    assert answer.solver == "nash"
    assert not any(answer.regret)


STOCHASTIC = Path(__file__).parent / "stochastic"


def test_bargaining_without_end_is_solved_though_positions_come_again():
    """Two coins of three for whoever is less afraid of the end; mcts only guesses."""
    pytest.importorskip("gdl.wings.theory")
    game = gdl.load(STOCHASTIC / "breakdown.game")
    for limits in ({}, {"time": 600}):
        found = solve(game, **limits)
        assert (found.solver, found.exact, found.payoffs) == ("markov-perfect", True, ((2, 1), (2, 1), (1, 2)))
    assert solve(game, concept="nash").solver == "markov-perfect"
    with pytest.raises(Refusal, match=r"solvers that accept it: markov-perfect, mcts$"):
        solve(game, "nash")


@pytest.mark.thorough
def test_positions_that_were_not_all_looked_at_in_time_are_still_tried(monkeypatch):
    """Some seconds' work, of which a tenth is spent on looking."""
    game = gdl.load(Path(__file__).parents[1] / "model" / "language" / "counted_elements.game")
    picked = Pick("mcts", "more than 5,000 positions", attempt="maxn")
    monkeypatch.setattr("gdl.solvers.auto.pick", lambda *_: picked)
    found = solve(game, time=600)
    assert found.exact and found.value == (10, 2) and found.reason.endswith("all positions could be looked at")


def random_table(size):
    rng = random.Random(size)
    rows = [[rng.randint(-100, 100) for _ in range(size)] for _ in range(size)]
    return gdl.matrix([[(number, -number) for number in row] for row in rows])


@pytest.mark.parametrize(("size", "solver"), [(20, "nash"), (21, "sequence-form")])
def test_a_large_table_of_two_opponents_is_a_linear_program(size, solver):
    attempts = [attempt.solver for attempt in gdl.solvers.plan(random_table(size)) if attempt.means == "solver"]
    assert attempts[0] == solver


@pytest.mark.thorough
def test_the_linear_program_of_a_large_table_finds_the_value():
    found = solve(random_table(30))
    assert found.exact and found.regret == (0, 0) and found.value == solve(random_table(30), "nash").value


def test_several_players_with_hidden_cards_are_traced_before_they_are_sampled():
    attempts = gdl.solvers.plan(gdl.load("kuhn", settings={"seats": "3", "cards": "4"}))
    assert [attempt.solver for attempt in attempts][:3] == ["nash", "logit", "cfr"]


@pytest.mark.slow
def test_three_players_with_hidden_cards_get_an_exact_equilibrium():
    found = gdl.solve("kuhn", settings={"seats": "3", "cards": "4"})
    assert (found.solver, found.exact) == ("logit", True) and not any(found.regret)


def test_where_no_equilibrium_is_found_the_estimate_stays():
    """Play need not end: no single deviation tells whether a longer one gains."""
    pytest.importorskip("gdl.wings.theory")
    text = (STOCHASTIC / "breakdown.game").read_text()
    text = text.replace("next fate", "next other(mover)").replace("else pie - offered", "else 2 * (pie - offered)")
    found = solve(gdl.loads(text, "endless.game").game)
    assert (found.solver, found.exact, found.value is None) == ("mcts", False, False)
    assert found.reason.endswith("markov-perfect came to no answer")


COINS = """
players Ann, Bob
state
    left: 0..3 = 3
action take when left > 0
    reward 1 to mover, -1 to other(mover)
    left := left - 1
action wait
terminal
    left = 9 -> draw
    forever -> draw
"""


@pytest.mark.parametrize("gain", [1, 0])
def test_rewards_without_a_discount_are_summed(gain: int):
    """Who takes the first of three coins gets the third too; if nothing is gained, nothing is lost by waiting."""
    game = gdl.loads(COINS.replace("reward 1 to mover, -1", f"reward {gain} to mover, -{gain}"), "coins.game").game
    found = solve(game)
    assert (found.solver, found.exact, found.value) == ("policy-iteration", True, (gain, -gain))


MATCHES = """
players Row, Column
state
    round: 0..2
    total: 0..12
    chosen[Player]: 1..3?
start everyone
action choose(c: 1..3) as "{c}" public
    chosen[mover] := c
resolve
    total := total + (if chosen[Row] = chosen[Column] then chosen[Row] + 2 * round else 0)
    round := round + 1
    for p in Player
        chosen[p] := none
terminal
    round = 2 -> (total * total, 100 - total * total)
"""


def test_matrices_from_the_last_back_give_the_value_of_all_histories():
    pytest.importorskip("gdl.wings.theory")
    game = gdl.loads(MATCHES, "matches.game").game
    by_positions, by_histories = solve(game, "shapley"), solve(game, "sequence-form")
    assert by_positions.exact and by_positions.value == by_histories.value
    assert verify(game, to_object(by_positions)).headline == "The answer holds."


HEAPS = """
players Ann, Bob
state
    heap[1..6]: 0..14
    moves: 0..14
define divided(by: 2..3) = count k in 1..6: heap[k] mod by = 0
action add(k: 1..6)
    heap[k], moves := heap[k] + 1, moves + 1
    next luck
chance luck(k: 1..6)
    heap[k], moves := heap[k] + 1, moves + 1
    next other(mover)
terminal
    moves = 14 -> (divided(3), divided(2))
"""


@pytest.mark.thorough
@pytest.mark.skipif(not wasm.available(), reason="the trial is for the compiled engine")
def test_a_game_of_several_aims_and_chance_is_solved_and_not_estimated():
    @cache
    def value(heap, moves):
        if moves == 14:
            return tuple(Fraction(sum(k % by == 0 for k in heap)) for by in (3, 2))
        after = [value((*heap[:k], heap[k] + 1, *heap[k + 1 :]), moves + 1) for k in range(6)]
        if moves % 2:
            return tuple(sum(each[p] for each in after) / 6 for p in range(2))
        return max(after, key=lambda each: each[moves // 2 % 2])

    answer = solve(game_with_engine(gdl.loads(HEAPS, "heaps").model))
    assert (answer.exact, answer.solver, answer.value) == (True, "maxn", value((0,) * 6, 0))
    assert answer.nodes > TRIAL_POSITIONS


COMMON_INTEREST = """players Ann, Bob
state
    steps: 0..5000
    secret: 0..1 visible to none
start hide
chance hide(k: 0..1)
    secret := k
action go
    steps := steps + 1
action hop when steps < 4990
    steps := steps + 2
terminal
    steps = 5000 -> each p: secret
"""


def test_two_players_whose_ends_were_not_met_are_not_called_opponents():
    assert pick(gdl.play(gdl.loads(COMMON_INTEREST).model)).reason == "two players, zero-sum or not, hidden information"

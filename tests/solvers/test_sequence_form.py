"""The sequence form: known values, certificates from both sides, and what it refuses."""

import random
from fractions import Fraction as F

import pytest
from games_by_hand import Branch as B
from games_by_hand import (
    Leduc,
    LiarsDice,
    TicTacToe,
    dealt,
    imperfect_recall,
    inspection,
    kuhn,
    matching_pennies,
    minority,
    prisoners,
    stoc94,
    tree,
    two_roads,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from installed import without_module
from late_clock import partial_answers

import gdl
from gdl import wings
from gdl.errors import LimitReached, Refusal
from gdl.errors.deadline import Deadline
from gdl.solution import Solution
from gdl.solvers.budget import Budget, SearchLimits
from gdl.solvers.equilibria import exploration, highs, sequence_form
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.regret import completed_and_judged, regret
from gdl.solvers.equilibria.sequence_form import SEQUENCE_FORM, optimal_behaviour, program_of
from gdl.solvers.equilibria.sequences import prune_sequences, sequences
from gdl.solvers.equilibria.simplex import maximise, minimax
from gdl.solvers.equilibria.strategic_form import strategic_form

solve = SEQUENCE_FORM.run

VALUES = {
    "kuhn": (kuhn(), F(-1, 18)),
    "pennies": (matching_pennies(), 0),
    "stoc94": (stoc94(), 13),
    "inspection 2, 1": (inspection(2, 1), F(1, 3)),
    "inspection 3, 1": (inspection(3, 1), F(1, 2)),
    "leduc with two ranks": (Leduc(2), 0),
}


@pytest.mark.parametrize("game, value", VALUES.values(), ids=VALUES)
def test_values(game, value):
    solution = solve(game)
    assert solution.exact
    assert solution.value == (value, -value)
    assert solution.regret == (0, 0)
    assert regret(game, solution.strategy).value == solution.value
    assert f"secures {value} whatever" in solution.notes[0]


def test_kuhn_strategy_is_of_the_known_family():
    """Bob's is unique; Ann's bluffs with a J as often as she likes, up to a third, and the rest follows."""
    strategy = solve(kuhn()).strategy
    ann, bob = ({name: mixture["bet"] for name, mixture in sets.items()} for sets in strategy.values())
    bluff = ann["J"]
    assert 0 <= bluff <= F(1, 3)
    assert [ann["J pass bet"], ann["Q"], ann["Q pass bet"], ann["K"]] == [0, 0, bluff + F(1, 3), 3 * bluff]
    assert ann["K pass bet"] == 1  # also where her own bets with a K never lead
    expected = {"J pass": F(1, 3), "J bet": 0, "Q pass": 0, "Q bet": F(1, 3), "K pass": 1, "K bet": 1}
    assert bob == expected


def test_stoc94_strategies():
    strategy = solve(stoc94()).strategy
    assert strategy == {
        "1": {"0": {"l": 0, "r": 1}, "010": {"L": F(2, 3), "R": F(1, 3)}, "1": {"c": F(1, 3), "d": F(2, 3)}},
        "2": {"01": {"p": F(5, 6), "q": F(1, 6)}, "20": {"s": F(5, 9), "t": F(4, 9)}},
    }


def test_constant_sum():
    """Two players share ten; each gets more the better they guess."""

    def guess(right):
        return B("B", {x: (7, 3) if x == right else (1, 9) for x in "lr"}, "guess")

    game = tree("ten", "AB", B("A", {"l": guess("l"), "r": guess("r")}))
    solution = solve(game)
    assert solution.value == (4, 6)
    assert solution.regret == (0, 0)


def test_the_first_move_is_told_if_it_is_not_mixed():
    assert solve(inspection(1, 1)).best == ("wait",)
    assert solve(matching_pennies()).best == ()
    assert solve(kuhn()).best == ()


def test_size_is_that_of_the_tree():
    form = sequences(explore(kuhn()))
    program = program_of(form)
    assert program.variables == 12 + 6  # Ann's sequences but the empty one, Bob's sets
    assert len(program.rows) == 6 + 12


@pytest.mark.parametrize(
    "game, reason",
    [
        (prisoners(), "zero-sum game"),
        (minority(), "two players"),
        (two_roads(), "two players"),
        (imperfect_recall(), "perfect recall: 1 can come to 1b"),
        (TicTacToe(), "minimax"),
    ],
)
def test_refusals(game, reason):
    with pytest.raises(Refusal, match=reason):
        solve(game)


def test_limits():
    with pytest.raises(LimitReached):
        solve(kuhn(), SearchLimits(nodes=20))
    with pytest.raises(LimitReached):
        solve(kuhn(), SearchLimits(time=-1))


def test_leduc_with_the_basis_of_highs():
    pytest.importorskip("highspy")
    solution = solve(Leduc(3))
    assert solution.exact
    assert solution.regret == (0, 0)
    assert float(solution.value[0]) == pytest.approx(-0.0856064241, abs=1e-9)


@pytest.fixture
def by_highs(monkeypatch):
    """No linear program is small enough for the exact simplex."""
    pytest.importorskip("highspy")
    monkeypatch.setattr(sequence_form, "SIMPLEX_ROWS", 0)


@pytest.fixture
def first_by_cfr(monkeypatch):
    """No linear program is solved so soon that cfr need not find strategies before, where time is limited."""
    monkeypatch.setattr(sequence_form, "SOON_SOLVED", 0)


@pytest.fixture
def too_many_rows(monkeypatch):
    """HiGHS is not installed, and a program of any rows is too large without it."""
    monkeypatch.setattr(sequence_form, "SIMPLEX_ROWS", 0)
    monkeypatch.setattr(sequence_form, "MAX_SIMPLEX_ROWS", 0)
    with without_module("highspy"):
        yield


def test_highs_and_the_exact_simplex_agree(by_highs):
    for game, value in VALUES.values():
        assert solve(game).value == (value, -value)


@pytest.fixture
def begun_by_others():
    """HiGHS, begun in this process with two threads."""
    highspy = pytest.importorskip("highspy")
    highspy.Highs.resetGlobalScheduler(True)
    other = highspy.Highs()
    for option, chosen in (("output_flag", False), ("threads", 2)):
        other.setOptionValue(option, chosen)
    other.addVariable(0, 1)
    other.run()
    yield
    highspy.Highs.resetGlobalScheduler(True)


def test_highs_is_asked_with_the_threads_that_it_has(by_highs, begun_by_others):
    """Where a program had begun HiGHS before it called gdl, every answer was that of an empty basis."""
    assert solve(kuhn()).value == (F(-1, 18), F(1, 18))


def test_bounds_where_the_basis_is_not_optimal(by_highs, monkeypatch):
    """Rounded strategies still prove a value from both sides, up to what is told."""
    monkeypatch.setattr(highs, "_from_basis", lambda *_: None)
    solution = solve(kuhn())
    assert not solution.exact
    low, high = solution.value[0] - solution.regret[1], solution.value[0] + solution.regret[0]
    assert low <= F(-1, 18) <= high
    assert high - low < F(1, 10**6)
    assert "the value lies in between" in solution.notes[0]


def test_without_the_extra_large_games_are_refused():
    with without_module("highspy"):
        with pytest.raises(Refusal, match=r"pip install 'gdl\[lp\]'"):
            solve(LiarsDice(4))
        assert solve(LiarsDice(3)).value == (F(1, 9), F(-1, 9))


@pytest.mark.thorough
def test_within_a_time_large_games_have_bounds_without_the_extra(too_many_rows, first_by_cfr):
    with pytest.raises(LimitReached, match=r"pip install 'gdl\[lp\]'") as stop:
        solve(kuhn(), SearchLimits(time=Deadline.starting_now(0.5)))
    low, high = stop.value.partial.interval[0]
    assert low <= F(-1, 18) <= high < low + F(1, 100)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "sides, value", [(2, F(1, 2)), pytest.param(6, F(-7, 258), marks=pytest.mark.slow)], ids=["2", "6"]
)
def test_liars_dice(sides, value):
    """With six sides there are 36,864 sequences besides the empty ones, and the answer is exact all the same."""
    pytest.importorskip("highspy")
    solution = solve(LiarsDice(sides))
    assert solution.exact
    assert solution.value == (value, -value)
    assert solution.regret == (0, 0)


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_the_value_is_that_of_the_strategic_form(seed):
    """Of random games of cards."""
    game = dealt(random.Random(seed), zero_sum=True)
    form = strategic_form(explore(game))
    table = [[form.payoffs[i, j][0] for j in range(len(form.plans[1]))] for i in range(len(form.plans[0]))]
    solution = solve(game)
    assert solution.value[0] == minimax(table).value
    assert solution.regret == (0, 0)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_what_is_sure_need_not_be_asked(seed):
    """The program without it has the value of the whole one, and its strategies are optimal in the whole game."""
    pytest.importorskip("highspy")
    form = sequences(explore(dealt(random.Random(seed), zero_sum=True, most=1)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequence_form, "SIMPLEX_ROWS", 0)
        _, judgement = completed_and_judged(form.positions, optimal_behaviour(form.positions), form)
    assert judgement.regret == (0, 0)
    assert maximise(program_of(form, prune_sequences(form))).value == maximise(program_of(form)).value


def test_what_is_sure_makes_the_program_of_liars_dice_smaller():
    form = sequences(explore(LiarsDice(2)))
    whole, small = program_of(form), program_of(form, prune_sequences(form))
    assert (len(whole.rows), whole.variables) == (46, 46)
    assert (len(small.rows), small.variables) == (9, 8)
    assert maximise(small).value == maximise(whole).value


def test_a_limit_that_nobody_set_is_not_told_as_one(monkeypatch):
    """With --time alone the answer said 'stopped after 1,000,000 nodes, the limit set for this search'."""
    monkeypatch.setattr(exploration, "MOST_POSITIONS", 5)
    monkeypatch.setattr(wings, "call_hook", lambda name, game, budget, begun: begun)
    game = gdl.load("kuhn")
    begun = Solution("Kuhn poker", "sequence-form", game.players, game.traits, exact=False)
    with pytest.raises(LimitReached) as stop:
        exploration.explore_or_sample(game, Budget(5, 60), begun)
    said = "more than 5 positions are not listed, but sampled; stopped after 60 seconds, the limit set for this search"
    assert str(stop.value) == said == stop.value.partial.limit
    with pytest.raises(LimitReached, match="stopped after 4 nodes, the limit set"):
        exploration.explore_or_sample(game, Budget(4, 60), begun)


def test_what_is_proved_on_the_way_is_not_stopped(first_by_cfr):
    """Where a limit then stopped the linear program, an exact answer was told as one that was stopped, with status 4."""
    left = list(partial_answers(lambda: solve(matching_pennies(), SearchLimits(time=600))))
    assert not any(one.exact for one in left)
    solution = solve(matching_pennies(), SearchLimits(time=600))
    assert solution.exact and solution.limit is None and solution.regret == (0, 0)


def test_random_play_that_happens_to_be_optimal_is_not_told_as_the_solution():
    left = list(partial_answers(lambda: solve(matching_pennies(), SearchLimits(time=600))))
    assert any(one.regret == (0, 0) for one in left) and not any(one.exact for one in left)

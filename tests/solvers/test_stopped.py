"""A limit of time holds for all that a search is made of, and whatever it stops leaves what is proven of the value."""

import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from late_clock import clock_replaced, late_after, partial_answers
from places import ROOT, TESTS
from verification import verify

import gdl
from gdl.commands.engines import game_with_engine
from gdl.errors import LimitReached
from gdl.errors.deadline import MOST_GRACE, Deadline, check_deadline
from gdl.formats.answer import to_object
from gdl.render.text import solution_text
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.budget import Budget, enclosing_bounds
from gdl.solvers.one_ply import look_one_ply

SLACK = 1.5  # seconds of processor time beyond the limit: the engine starts, the last slice ends


def stopped(name, solver="auto", **options):
    """The partial answer that a solver leaves when a limit stops it."""
    with pytest.raises(LimitReached) as stop:
        solve(game_with_engine(gdl.load(name).model), solver, **options)
    return stop.value.partial


def test_a_clock_goes_on_from_budget_to_budget():
    clock = Deadline.starting_now(100)
    time.sleep(0.02)
    assert Budget(time=clock).seconds_left < 99.99
    assert Budget(time=clock).part(None, 0.5).seconds_left < 50
    assert float(clock) == 100  # the limit, as it is told


def test_a_clock_that_has_run_out_leaves_a_share():
    clock = Deadline.starting_now(0.0).leaving(0.5)
    assert Budget(time=clock).seconds_left <= 0
    late = Deadline.starting_now(10)
    late.end -= 10
    assert 0.5 < Budget(time=late.leaving(0.1)).seconds_left <= 1


@pytest.mark.parametrize("name", ["amazons", "go"])
def test_a_search_without_any_time_still_says_what_to_play(name):
    """One of a second said nothing on a slow machine: its engine was not made in time."""
    answer = stopped(name, "depth-limited", time=1e-6)
    assert answer.best and answer.best[0] in solution_text(answer).splitlines()[0]


def test_a_short_look_names_the_best_of_what_it_came_to():
    game = gdl.load("breakthrough")
    answer = look_one_ply(game, Solution(game.name, "depth-limited", game.players, exact=False, limit="stopped"))
    (note,) = answer.notes
    assert answer.best and note.endswith(" of 22 actions were looked at, one ply ahead: there was no time for more")
    assert (answer.value is None) is not note.startswith("22 ")
    assert "best so far" in solution_text(replace(answer, value=None))


def test_an_action_is_not_best_because_the_others_have_no_estimate():
    rules = "players A, B\nstate\n    n: 0..100\naction lose\n    n := 100\naction go when n < 99\n    n := n + 1"
    game = gdl.loads(f"{rules}\nterminal\n    n = 100 -> win mover\n").game
    assert look_one_ply(game, Solution(game.name, "mcts", game.players)).best == ()


ALONE = """
import sys, time
from test_stopped import stopped
begun = time.process_time()
answer = stopped(sys.argv[1], time=1.0)
print(time.process_time() - begun, bool(answer.best), answer.exact)
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    ["connect_four", *(pytest.param(n, marks=pytest.mark.slow) for n in ("othello", "gomoku", "breakthrough"))],
)
def test_looking_trying_and_estimating_share_the_time(name):
    """Each of the three once had the time anew, and a look for symmetries knew no limit. In a process of its own: what
    other tests have left behind takes time as well."""
    said = subprocess.run(
        [sys.executable, "-c", ALONE, name], capture_output=True, text=True, check=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, TESTS / "support", TESTS / "solvers")))},
    )  # fmt: skip
    seconds, has_best, exact = said.stdout.split()
    assert float(seconds) < 1.0 + SLACK
    assert (has_best, exact) == ("True", "False")


@pytest.mark.thorough
def test_hidden_information_that_was_not_looked_through_leaves_what_the_file_promises():
    answer = stopped("liars_dice", nodes=1_000)
    assert answer.interval == ((-1, 1), (-1, 1))
    assert to_object(answer)["interval"] == {"Ann": [-1, 1], "Bob": [-1, 1]}
    assert "\nproven    Ann -1 to 1, Bob -1 to 1\n" in solution_text(answer)


def test_hidden_information_that_was_looked_through_leaves_strategies_with_their_regret():
    *_, answer = partial_answers(lambda: solve(gdl.load("kuhn"), "sequence-form", time=60), 5)
    assert answer.value == (gdl.numbers.read_number("1/8"), gdl.numbers.read_number("-1/8"))
    assert answer.strategy and answer.regret == tuple(map(gdl.numbers.read_number, ("3/8", "13/24")))
    (low, high), _ = answer.interval
    assert low < gdl.numbers.read_number("-1/18") < high


def test_alpha_beta_leaves_what_the_actions_searched_so_far_secure():
    answer = stopped("tic_tac_toe", "alpha-beta", nodes=5000)
    assert answer.interval == ((0, 1), (-1, 0))


@pytest.mark.parametrize("solver", ["minimax", "proof-number", "alpha-beta"])
def test_no_solver_leaves_nothing(solver):
    assert stopped("tic_tac_toe", solver, nodes=10).interval == ((-1, 1), (-1, 1))


@pytest.mark.thorough
def test_endless_play_counts_with_its_price():
    assert stopped("chess", "depth-limited", nodes=200).interval == ((-1, 1), (-1, 1))
    assert enclosing_bounds(gdl.loads(DEAR).game, Solution("Dear", "auto", ("A", "B"), None, False)) == (
        (-5, 1),
        (-1, 5),
    )


DEAR = """
game "Dear"
players A, B
state
    at: 0..2
action go
    at := (at + 1) mod 2
action stop
    at := 2
terminal
    at = 2 -> win mover
    forever -> (-5, 5)
"""


@pytest.mark.slow
def test_what_is_stopped_before_it_looked_at_anything_names_no_action():
    answer = stopped("shogi", nodes=1)
    assert answer.best == () and not answer.exact and answer.interval == ((-1, 1), (-1, 1))


@pytest.mark.thorough_of("auto")
@pytest.mark.parametrize("solver", ["auto", "depth-limited", "mcts", "minimax"])
def test_no_search_that_saw_nothing_names_an_action(solver, monkeypatch):
    """Where a command's own limit comes before the search has begun, the first legal action was called best."""

    def ring(*asked, **given):
        raise LimitReached("stopped after 0.1 s, the limit set")

    monkeypatch.setattr("gdl.solvers.run_solver", ring)
    monkeypatch.setattr("gdl.solvers.plan_run.run_solver", ring)
    answer = stopped("breakthrough", solver)
    assert answer.best == () and not answer.exact
    assert "was stopped before it settled Breakthrough." in solution_text(answer)


def test_a_clock_that_a_command_started_leaves_the_search_a_part():
    begun = Deadline.starting_now(2.0)
    begun.end -= 1.9
    assert 0.9 < Budget(time=Deadline.from_limit(begun)).seconds_left <= 1
    assert 1.9 < Budget(time=Deadline.from_limit(2.0)).seconds_left <= 2
    now = 0.0
    with clock_replaced(lambda: now):
        spent = Budget(time=Deadline.starting_now(2.0))
        now = 12.0
        assert spent.seconds_left == -10
        spent.begins_now()
        assert spent.seconds_left == pytest.approx(0.2)


def test_a_deadline_within_another_puts_it_not_off():
    now = 0.0
    with (
        clock_replaced(lambda: now),
        Deadline.starting_now(1.0).enforce(),
        Deadline.starting_now(1.1).enforce(grace=0.0),
    ):
        now = 1.05 + MOST_GRACE
        with pytest.raises(LimitReached):
            check_deadline()


@pytest.mark.parametrize("solver", ["subgame-perfect", "nash"])
def test_where_no_equilibrium_was_found_in_time_the_ends_bound_the_values(solver):
    """Nothing was said."""
    game = gdl.load("prisoners")
    with pytest.raises(LimitReached) as stop, late_after(1):
        solve(game, solver, time=60)
    assert stop.value.partial.interval == ((-3, 0), (-3, 0)) and not stop.value.partial.exact
    told = to_object(stop.value.partial)
    assert verify(game, told).status("interval")
    assert verify(game, {**told, "interval": {"A": [1, 2], "B": [1, 2]}}).status("interval") is False

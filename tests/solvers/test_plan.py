"""The plan of `auto`: the attempts in order, their shares, and that the answer comes from one of them."""

import pytest
from shipped import loaded

import gdl
from gdl.commands.engines import game_with_engine
from gdl.compiler import wasm
from gdl.errors import Refusal
from gdl.solvers import plan, solve

GAMES = "prisoners figure_5_2 nim kuhn centipede entry coin_flip dice_roll monty_hall pong_hau_ki three_players".split()


def solvers(game, **options):
    return [attempt.solver for attempt in plan(game, **options)]


@pytest.mark.thorough_of("nim")
@pytest.mark.parametrize("name", GAMES)
def test_the_answer_comes_from_the_plan(name):
    game = loaded(name).game
    found = solve(game)
    assert found.solver in solvers(game)
    assert found.reason in {attempt.why for attempt in plan(game)}


@pytest.mark.thorough
@pytest.mark.skipif(not wasm.available(), reason="the search with a table is the compiled engine's")
def test_an_attempt_behind_which_another_stands_gets_a_share_of_the_time():
    attempts = plan(game_with_engine(loaded("connect_four").model), time=60)
    assert [(one.solver, one.share) for one in attempts if one.solver != "maxn"] == [("alpha-beta", 0.4), ("mcts", 1)]


@pytest.mark.thorough
def test_what_nobody_could_finish_is_not_tried_in_a_moment():
    assert solvers(loaded("chess").game, time=2) == ["depth-limited"]


def test_an_option_leads_to_the_solvers_that_have_it():
    assert solvers(loaded("nim").game, cut="gt") == ["alpha-beta"]
    with pytest.raises(Refusal, match="the option cut is for"):
        plan(loaded("kuhn").game, cut="gt")


def test_a_concept_is_tried_by_each_of_its_solvers_that_takes_the_game():
    assert solvers(loaded("prisoners").game, concept="nash")[0] == "nash"
    assert solvers(loaded("centipede").game, concept="subgame-perfect") == ["subgame-perfect"]


def test_who_names_a_solver_has_planned():
    game = loaded("nim").game
    assert [(one.solver, one.why) for one in plan(game, "alpha-beta")] == [("alpha-beta", "it was asked for")]
    assert [one.solver for one in plan(game, lambda asked: 0)] == ["<lambda>"]
    with pytest.raises(Refusal, match="no solver is called 'alpha', did you mean"):
        plan(game, "alpha")


def test_a_plan_solves_nothing(monkeypatch):
    monkeypatch.setattr("gdl.solvers.plan_run.run_solver", pytest.fail)
    monkeypatch.setattr("gdl.solvers.run_solver", pytest.fail)
    assert plan(gdl.load("prisoners"))

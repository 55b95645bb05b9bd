"""`--concept`: what counts as an answer, whoever finds it."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from verification import verify

import gdl
from gdl import wings
from gdl.commands.cli import commands
from gdl.errors import LimitReached, Refusal
from gdl.formats.answer import to_object
from gdl.render.text import solution_text
from gdl.solution import RecordedSearch, Solution
from gdl.solvers import CONCEPTS, SOLVERS, solve
from gdl.solvers.budget import partial_answer


def test_the_concepts_that_are_promised_by_name() -> None:
    """Scripts ask for these names; others may join them."""
    promised = """
        nash subgame-perfect perfect-bayesian sequential perfect proper intuitive correlated coarse-correlated
        commitment quantal evolutionary symmetric team coalition welfare grundy
    """
    assert set(promised.split()) == {"nash", "subgame-perfect", *wings.WORDS["theory"].concepts}


def test_every_concept_is_found_by_solvers_of_the_table() -> None:
    for concept in CONCEPTS.values():
        assert concept.solvers and set(concept.solvers) <= set(SOLVERS), concept.name


def test_the_first_solver_that_takes_the_game_answers() -> None:
    found = solve(gdl.load("prisoners"), concept="nash")
    assert (found.concept, found.solver, len(found.equilibria)) == ("nash", "nash", 1)


@pytest.mark.thorough
def test_a_solver_too_small_for_the_game_is_followed_by_the_next() -> None:
    three = gdl.load("kuhn", settings={"seats": "3", "cards": "4"})
    found = solve(three, concept="nash")
    assert found.solver == "logit" and found.exact and not any(found.regret or (1,))


def test_a_game_whose_positions_join_again_has_its_equilibrium_from_backward_induction() -> None:
    """No player need remember how a position was reached where everything is seen."""
    found = solve(gdl.load("nim"), concept="nash")
    assert (found.solver, found.concept, found.value) == ("subgame-perfect", "nash", (-1, 1))
    assert found.equilibria and not any(found.regret or (1,))


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit stops the search for every concept."""

    def stopped(*of_anything: object, **of_that: object) -> None:
        raise LimitReached("stopped after 1 second")

    monkeypatch.setattr("gdl.solvers.solve_for_concept", stopped)


@pytest.mark.parametrize("name", [name for name in CONCEPTS if CONCEPTS[name].pays_value])
def test_what_stops_a_concept_leaves_the_value_of_a_zero_sum_game(name: str, no_time: None) -> None:
    """Whatever was asked for, every answer pays it: so it is told where there is time for nothing else."""
    game = gdl.load("kuhn")
    with pytest.raises(LimitReached) as stop:
        solve(game, concept=name)
    found = stop.value.partial
    assert isinstance(found, Solution) and (found.concept, found.exact) == (None, False)
    assert found.value == (Fraction(-1, 18), Fraction(1, 18)) and found.is_value_proven
    assert f"no answer to --concept {name}; but" in found.notes[0]
    verdict = verify(game, to_object(found))
    assert verdict.ok and verdict.status("interval") is True
    assert "P2 wins 1/18 on average with best play." in solution_text(found)


@pytest.mark.thorough
def test_what_stops_a_concept_that_need_not_pay_the_value_leaves_what_is_proven(no_time: None) -> None:
    """With the middle of that in --json, where a value is always found."""
    pytest.importorskip("gdl.wings.theory")
    game = gdl.load("leduc")
    with pytest.raises(LimitReached) as stop:
        solve(game, concept="quantal")
    told = to_object(stop.value.partial)  # type: ignore[arg-type]
    assert (told["concept"], told["exact"], set(told["value"].values())) == ("quantal", False, {0.0})
    assert verify(game, told).ok


@pytest.mark.thorough_of("kuhn-settings0")
@pytest.mark.parametrize(("name", "settings"), [("kuhn", {"seats": "3", "cards": "4"}), ("beer_quiche", {})])
def test_what_stops_a_concept_leaves_a_profile_with_its_regret(
    name: str, settings: dict[str, str], no_time: None
) -> None:
    """Where players are more than two, or want no opposite things, there is no value that every answer pays."""
    pytest.importorskip("gdl.wings.theory")
    game = gdl.load(name, settings=settings)
    with pytest.raises(LimitReached) as stop:
        solve(game, concept="sequential", time=0.5)
    found = stop.value.partial
    assert isinstance(found, Solution) and found.strategy and not found.exact and found.concept is None
    assert found.regret is not None and max(found.regret) < 1 and "no answer to --concept sequential" in found.notes[0]
    assert verify(game, to_object(found)).ok


def test_what_stops_a_concept_of_a_lone_player_leaves_what_they_can_get(no_time: None) -> None:
    pytest.importorskip("gdl.wings.theory")
    game = gdl.load("bandit")
    with pytest.raises(LimitReached) as stop:
        solve(game, concept="sequential")
    found = stop.value.partial
    assert isinstance(found, Solution) and (found.value, found.exact) == ((Fraction(14, 9),), False)
    assert "but in a game of one player every such answer pays the value" in found.notes[0]
    assert verify(game, to_object(found)).ok


def test_a_stopped_answer_that_says_nothing_is_not_exact() -> None:
    game = gdl.load("ultimatum")
    empty = Solution(game.name, "perfect", game.players, game.traits, limit="stopped")
    found = partial_answer(game, "perfect", empty, "stopped")
    assert not found.exact and found.interval == ((0, 10), (0, 10))


def test_the_solver_may_be_named_if_it_finds_the_concept() -> None:
    assert solve(gdl.load("kuhn"), "sequence-form", concept="nash").solver == "sequence-form"
    with pytest.raises(
        Refusal, match="minimax finds no nash answer; --concept nash is answered by nash, sequence-form"
    ):
        solve(gdl.load("kuhn"), "minimax", concept="nash")


def test_where_positions_come_again_the_value_is_that_of_an_equilibrium() -> None:
    """Zero-sum with chance by retrograde analysis, with moves at once by Shapley's iteration; divisions by whole coins
    are equilibria, too."""
    pytest.importorskip("gdl.wings.theory")
    pig = gdl.load("pig", settings={"goal": "2"})
    found = solve(pig, concept="nash")
    assert (found.solver, found.value, found.exact) == ("retrograde", (Fraction(5, 7), Fraction(-5, 7)), True)
    assert found.strategy and verify(pig, to_object(found)).ok
    stochastic = Path(__file__).parent / "stochastic"
    assert solve(gdl.load(stochastic / "big_match.game"), concept="nash").value == (Fraction(1, 2), Fraction(-1, 2))
    assert len(solve(gdl.load(stochastic / "alternating_offers.game"), concept="nash").equilibria) > 1


def test_a_refusal_names_solvers_of_the_concept_alone() -> None:
    pytest.importorskip("gdl.wings.theory")
    with pytest.raises(Refusal) as refused:
        solve(gdl.load("pig"), concept="sequential")
    assert str(refused.value).endswith("; no other solver answers --concept sequential for it")
    with pytest.raises(Refusal) as refused:
        solve(gdl.load("kuhn", settings={"seats": "3", "cards": "4"}), "sequence-form", concept="nash")
    assert str(refused.value).endswith(
        "; nash, global-newton, logit, cfr or subgame-perfect answers --concept nash for it"
    )


def test_a_concept_that_is_none_is_refused_with_the_nearest() -> None:
    with pytest.raises(Refusal, match="no concept is called 'nsh', did you mean nash"):
        solve(gdl.load("prisoners"), concept="nsh")


def test_a_solver_given_as_a_concept_is_told() -> None:
    done = CliRunner().invoke(commands, ["solve", "prisoners", "--concept", "dominance"])
    assert done.exit_code == 2
    assert "no concept is called 'dominance'. It is a solver: --solver dominance" in done.output


@pytest.mark.parametrize("name", CONCEPTS)
def test_the_command_line_defines_each_concept(name: str) -> None:
    told = CliRunner().invoke(commands, ["solvers", name]).output
    assert told.startswith(f"{name}: ")


def test_the_command_line_takes_a_concept() -> None:
    done = CliRunner().invoke(commands, ["solve", "battle_of_the_sexes", "--concept", "subgame-perfect", "--json"])
    answer = json.loads(done.output)
    assert (answer["concept"], answer["solver"], len(answer["equilibria"])) == ("subgame-perfect", "subgame-perfect", 3)
    wrong = CliRunner().invoke(commands, ["solve", "prisoners", "--concept", "nahs"])
    assert wrong.exit_code == 2 and "did you mean nash" in wrong.output
    wrong = CliRunner().invoke(commands, ["solve", "prisoners", "--concept", "nash", "--trace"])
    assert wrong.exit_code == 2 and "leave it out" in wrong.output


def test_a_part_of_an_answer_is_copied_pickled_and_replaced_with_it() -> None:
    answer = solve(gdl.load("figure_5_2"), "alpha-beta")
    assert pickle.loads(pickle.dumps(answer)) == answer == replace(answer)
    assert answer.cuts == answer.part.cuts and answer.distribution == ()  # type: ignore[attr-defined]
    assert answer.with_part(RecordedSearch, cuts=()).visits == answer.visits
    assert "part=RecordedSearch(rule=Rule(" in repr(answer)
    with pytest.raises(AttributeError):
        answer.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_keys_of_a_part_are_left_out_of_answers_that_do_not_have_it() -> None:
    told = to_object(solve(gdl.load("prisoners")))
    assert not {"distribution", "coalitions", "outcome", "fit", "residual", "beliefs", "conditions"} & told.keys()

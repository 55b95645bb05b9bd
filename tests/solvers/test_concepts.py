"""`--concept`: what counts as an answer, whoever finds it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import gdl
from gdl.cli import commands
from gdl.errors import Refusal
from solvers import CONCEPTS, SOLVERS, solve


def test_the_concepts_that_are_promised_by_name() -> None:
    """Scripts ask for these names; others may join them."""
    promised = """
        nash subgame-perfect perfect-bayesian sequential perfect proper intuitive correlated coarse-correlated
        commitment quantal evolutionary team coalition welfare grundy
    """
    assert set(promised.split()) <= set(CONCEPTS)


def test_every_concept_is_found_by_solvers_of_the_table() -> None:
    for concept in CONCEPTS.values():
        assert concept.solvers and set(concept.solvers) <= set(SOLVERS), concept.name


def test_the_first_solver_that_takes_the_game_answers() -> None:
    found = solve(gdl.load("prisoners"), concept="nash")
    assert (found.concept, found.solver, len(found.equilibria)) == ("nash", "nash", 1)


def test_a_solver_too_small_for_the_game_is_followed_by_the_next() -> None:
    three = gdl.load("kuhn", settings={"seats": "3", "cards": "4"})
    found = solve(three, concept="nash")
    assert found.solver == "cfr" and found.strategy is not None


def test_the_solver_may_be_named_if_it_finds_the_concept() -> None:
    assert solve(gdl.load("kuhn"), "sequence-form", concept="nash").solver == "sequence-form"
    with pytest.raises(
        Refusal, match="minimax finds no nash answer; --concept nash is answered by nash, sequence-form"
    ):
        solve(gdl.load("kuhn"), "minimax", concept="nash")


def test_a_refusal_names_solvers_of_the_concept_alone() -> None:
    with pytest.raises(Refusal) as refused:
        solve(gdl.load("pig"), concept="sequential")
    assert str(refused.value).endswith("; no other solver answers --concept sequential for it")
    with pytest.raises(Refusal) as refused:
        solve(gdl.load("kuhn", settings={"seats": "3", "cards": "4"}), "sequence-form", concept="nash")
    assert str(refused.value).endswith("; nash or cfr answers --concept nash for it")


def test_a_concept_that_is_none_is_refused_with_the_nearest() -> None:
    with pytest.raises(Refusal, match="no concept is called 'nsh', did you mean nash"):
        solve(gdl.load("prisoners"), concept="nsh")


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

"""Answers whose solver or concept has a wing that is not installed: that is not checked, and not wrong."""

from __future__ import annotations

from typing import Any

import pytest

import gdl
from gdl import wings
from gdl.commands.saved_answer import takes
from gdl.formats import answer
from gdl.solvers import solve
from gdl.wings import Words
from gdl.wings.verify.verifier import VerifierVerdict, verify


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wing that is not installed, with a solver and a concept."""
    monkeypatch.setitem(wings.WORDS, "nowhere", Words(solvers=("glide",), concepts=("flock",)))  # type: ignore[arg-type]


def verdict(**changed: Any) -> VerifierVerdict:
    """The verdict on an equilibrium of a game, with some fields of the answer changed."""
    game = gdl.load("battle_of_the_sexes")
    told = answer.to_object(solve(game, solver="nash"))
    concept = changed.get("concept")
    return verify(game, {**told, **changed}, takes=takes(game, concept))


def test_a_solver_whose_wing_is_not_installed_is_not_checked(nowhere: None) -> None:
    found = verdict(solver="glide")
    assert found.ok and found.status("equilibria") and found.limit is None
    assert "not checked: the solver glide comes with the wing nowhere, which is not installed here" in found.lines


def test_an_answer_by_a_concept_without_checks_is_not_checked(nowhere: None) -> None:
    """The equilibria are not held against the conditions of another concept."""
    none = [{"He": {"fight": 1}, "She": {"ballet": 1}}]
    found = verdict(solver="glide", concept="flock", equilibria=none, payoffs=[{"He": 0, "She": 0}])
    assert found.ok and found.status("equilibria") is None and found.status("concept") is None
    assert "not checked: an answer by the concept flock, of which the verifier has no checks" in found.lines


def test_a_name_that_no_wing_has_is_wrong(nowhere: None) -> None:
    assert not verdict(solver="gliding").ok
    assert not verdict(concept="flocks").ok

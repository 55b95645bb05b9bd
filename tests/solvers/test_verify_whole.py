"""Whole, true answers in which nothing stays open: of kinds that need a program of their own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from altered_answers import solved, verdict_on
from click.testing import CliRunner
from places import ROOT

import gdl
from gdl.commands.cli import commands
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.verify import verify
from gdl.solvers.verify.sturm import is_somewhere_positive

FIVE = "players A, B\nmatrix\n        l        r\n    u  (?a, 1)  (0, ?b)\n    d  (1, ?c)  (?d, ?e)\n"
LANGUAGE = ROOT / "tests" / "model" / "language"


@pytest.mark.parametrize(("game", "words"), [
    ("take", ("--concept", "correlated")),  # equal positions are one, so that several own actions lead to them
    ("take", ("--concept", "coalition")),
    ("faults_not_met", ("--concept", "coalition")),
    ("draws_in_loops", ("--solver", "nash")),  # more ways through the game than there are plans
    ("hands", ("--concept", "evolutionary")),  # mutants in a tree
    ("directions", ()),  # a lone player comes back to positions
    ("directions", ("--concept", "nash")),
    ("poker", ("--concept", "sequential")),  # no other equilibrium, and all is reached
    ("repeated_prisoners", ("--concept", "subgame-perfect")),  # stage by stage
    ("repeated_prisoners", ("--concept", "sequential")),
    ("driver", ()),  # who forgets
    ("two_roads", ("--concept", "quantal")),  # a road that is hardly taken
    ("arrays", ("--solver", "shapley")),  # no ties were proved, by the answer's own account
], ids=str)  # fmt: skip
def test_nothing_stays_open(game: str, words: tuple[str, ...]) -> None:
    path = LANGUAGE / f"{game}.game"
    name = str(path) if path.exists() else game
    answer = solved(name, *words)
    verdict = verdict_on(name, answer or {})
    assert verdict is not None and verdict.ok and verdict.limit is None, verdict


def test_five_open_numbers_are_looked_at_everywhere(tmp_path: Any) -> None:
    answer = CliRunner().invoke(commands, ["solve", "-", "--json"], input=FIVE).stdout
    (tmp_path / "a.json").write_text(answer)
    (tmp_path / "b.json").write_text(answer.replace("b <= 1", "b <= 2"))
    good, bad = (
        CliRunner().invoke(commands, ["verify", "-", str(tmp_path / name)], input=FIVE) for name in ("a.json", "b.json")
    )
    assert (good.exit_code, bad.exit_code) == (0, 1)
    assert "holds: conditions: true of every a, b, c, d, e" in good.stdout


@pytest.mark.parametrize(("field", "put", "said"), [
    ("value", {"Driver": 1}, "pays Driver 4/3"),
    ("strategy", {"Driver": {"crossing": {"exit": "1/4", "on": "3/4"}}}, "by deviating could gain"),
])  # fmt: skip
def test_another_plan_of_a_player_who_forgets_is_refused(field: str, put: Any, said: str) -> None:
    answer = solved("driver")
    assert answer is not None
    verdict = verdict_on("driver", {**answer, field: put})
    assert verdict is not None and not verdict.ok and said in str(verdict.lines)


def test_an_answer_that_was_stopped_before_its_solver_looked_at_the_game() -> None:
    answer = {
        "game": "Two-armed bandit",
        "solver": "minimax",
        "exact": False,
        "interval": {"Gambler": [0, 3]},
        "limit": "?",
    }
    verdict = verdict_on("bandit", answer)
    assert verdict is not None and verdict.ok
    for wrong in ({"solver": "minimaxi"}, {"exact": True, "value": {"Gambler": "3/2"}}, {"line": ["left"]}):
        verdict = verdict_on("bandit", {**answer, **wrong})
        assert verdict is not None and not verdict.ok, wrong


def test_the_middle_of_an_interval_is_an_estimate() -> None:
    """Though no end of this game pays Bob and Cyd anything."""
    name, ends = str(LANGUAGE / "learning.game"), {"Ann": [0, 3], "Bob": [0, 3], "Cyd": [0, 3]}
    answer = {"game": "learning", "exact": False, "interval": ends, "limit": "?"}
    for middle, ok in ((1.5, True), (1.25, False)):
        verdict = verdict_on(name, {**answer, "value": dict.fromkeys(ends, middle)})
        assert verdict is not None and verdict.ok is ok, verdict


def test_a_player_without_bounds_is_left_out_of_an_interval() -> None:
    """A utility that the rules do not bound can be any number."""
    name = str(LANGUAGE / "counted_elements.game")
    answer = {"game": "counted_elements", "exact": False, "interval": {"Ann": [0, 20]}, "limit": "?"}
    verdict = verdict_on(name, answer)
    assert verdict is not None and verdict.ok
    verdict = verdict_on(name, {**answer, "interval": {"Bob": [0, 20]}})
    assert verdict is not None and "interval: nothing is said of Ann" in str(verdict.lines)


@pytest.mark.parametrize(("roots", "sign", "positive"), [
    ((), -1, False), ((), 1, True), ((), "1/2", True), ((0, 1), -1, True), ((0, 1), 1, False), (("1/2", "1/2"), -1, False),
    (("1/2", "1/2"), 1, True), (("1/2",), 1, True), (("1/2", "1/2", "1/2"), -1, True), (("1/3", "1/3", "2/3", "2/3"), -1, False),
    ((0, 0, "1/2", "1/2", 1), 1, False), ((2, 3), 1, True), ((2,), 1, False), (("1/3", "1/3", "1/2"), 1, True),
], ids=str)  # fmt: skip
def test_where_a_polynomial_is_positive(roots: tuple[Any, ...], sign: Any, positive: bool) -> None:
    """The product of x less each root, with a sign: a tie at an end, or a root of even multiplicity, is none."""
    form = [Fraction(sign)]
    for root in map(Fraction, roots):
        form = [a - root * b for a, b in zip([Fraction(0), *form], [*form, Fraction(0)], strict=True)]
    assert is_somewhere_positive(form) is positive
    assert is_somewhere_positive([*form, Fraction(0)]) is positive


AGAIN = """players A, B
tree A in first
    out: B in reply
        l: (5, 1)
        r: (5, 0)
    enter: A in again
        x: (1, 3)
        y: (0, 1)
"""


def test_equilibria_that_differ_only_where_own_moves_do_not_lead_are_several() -> None:
    game = gdl.loads(AGAIN).game
    listed = to_object(solve(game, "nash"))
    assert len(listed["equilibria"]) == 2 and listed["complete"] is False and verify(game, listed).ok
    one = {field: listed[field] for field in ("game", "solver", "exact")} | {"equilibria": listed["equilibria"][:1]}
    verdict = verify(game, {**one, "complete": True})
    assert not verdict.ok and "no move of its own player leads to again" in str(verdict.lines)
    silent = [{"A": {"first": {"out": 1}}, "B": {"reply": {"l": 1}}}]
    assert verify(game, {**one, "equilibria": silent, "complete": True}).ok


def test_subgame_perfect_equilibria_are_not_compared_with_all_where_no_solver_is_named() -> None:
    game = gdl.loads(AGAIN.replace("l: (5, 1)", "l: (0, 1)")).game
    listed = to_object(solve(game, "subgame-perfect"))
    assert listed["complete"] is True and len(to_object(solve(game, "nash"))["equilibria"]) > 1
    del listed["solver"]
    listed["concept"] = "subgame-perfect"
    assert verify(game, listed).ok and verify(game, listed).status("complete")
    assert not verify(game, {**listed, "complete": False}).ok
    assert verify(game, {**listed, "solver": "subgame-perfect"}).ok


HARBOUR = """players X, Y, Z
matrix
    n, a, u: (3, 1, 2)
    n, b, u: (0, 2, 1)
    n, c, u: (1, 0, 4)
    s, a, u: (2, 2, 0)
    s, b, u: (4, 1, 3)
    s, c, u: (0, 3, 1)
    n, a, v: (1, 4, 1)
    n, b, v: (2, 0, 2)
    n, c, v: (3, 2, 0)
    s, a, v: (0, 1, 3)
    s, b, v: (1, 3, 1)
    s, c, v: (2, 2, 2)
"""


def test_no_decimal_goes_without_its_root_and_an_estimate_of_a_concept_is_checked_by_its_regret() -> None:
    game = gdl.loads(HARBOUR).game
    answer = {**to_object(solve(game, "nash")), "concept": "nash"}
    (k, roots), *_ = [(k, roots) for k, roots in enumerate(answer["algebraic"]) if roots]
    assert set(roots) == {"X", "Y", "Z"}
    verdict = verify(game, answer)
    assert verdict.ok and verdict.limit is None and verdict.status("concept"), verdict
    for player in roots:
        fewer = {other: own for other, own in roots.items() if other != player}
        listed = [*answer["algebraic"][:k], fewer, *answer["algebraic"][k + 1 :]]
        assert not verify(game, {**answer, "algebraic": listed}).ok


@pytest.mark.parametrize(("solver", "concept", "ok"), [
    ("logit", "nash", True), ("logit", "sequential", False), ("cfr", "correlated", False), ("cfr", "nash", True),
])  # fmt: skip
def test_a_concept_is_one_that_the_solver_answers(solver: str, concept: str, ok: bool) -> None:
    stopped = {"game": "Entry deterrence", "solver": solver, "concept": concept, "exact": False, "limit": "?"}
    verdict = verdict_on("entry", stopped)
    assert verdict is not None and verdict.ok is ok

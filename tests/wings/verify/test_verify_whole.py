"""Whole, true answers in which nothing stays open: of kinds that need a program of their own."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from altered_answers import solved, verdict_on
from click.testing import CliRunner
from places import ROOT

import gdl
from gdl.commands.cli import commands
from gdl.errors import LimitReached
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.wings.verify.sturm import changes, is_somewhere_positive, sturm_chain
from gdl.wings.verify.verifier import VerifierVerdict, verify

FIVE = "players A, B\nmatrix\n        l        r\n    u  (?a, 1)  (0, ?b)\n    d  (1, ?c)  (?d, ?e)\n"
LANGUAGE = ROOT / "tests" / "model" / "language"


@pytest.mark.thorough_of("draws_in_loops-('--solver', 'nash')", "faults_not_met-('--concept', 'coalition')")
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


@pytest.mark.thorough
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


@pytest.mark.parametrize(("form", "roots"), [
    ((-1, 1, -1, 1), (1,)),
    ((-6, -1, 1), (-2, 3)),
    ((0, 2, -3, 1), (0, 1, 2)),
    ((-36, 0, 49, 0, -14, 0, 1), (-3, -2, -1, 1, 2, 3)),
    ((0, 1, 0, 0, 1), (-1, 0)),  # of these the remainders lack powers
    ((14, -15, 0, 0, 1), (1, 2)),
])  # fmt: skip
@pytest.mark.parametrize("scale", [1, -1, 3, -3])
def test_roots_are_counted_by_changes_of_sign(form: tuple[int, ...], roots: tuple[int, ...], scale: int) -> None:
    chain = sturm_chain([scale * c for c in form])
    for low, high in combinations(map(Fraction, ("-7/2", "-3/2", "1/2", "5/2", "9/2")), 2):
        assert changes(chain, low) - changes(chain, high) == sum(low < root < high for root in roots)


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


@pytest.mark.parametrize(("regret", "ok"), [(0, True), ("1/1000000", False)])
def test_a_regret_of_zero_beside_rounded_probabilities(regret: object, ok: bool) -> None:
    """In the third equilibrium C gains nothing, but something below 1 in 10^16 by the decimals that are listed."""
    game = gdl.loads(
        "players A, B, C\ntree A in a\n"
        "    l: B in b (l: C in c (l: (1,1,1), r: (0,2,0)), r: C in c (l: (3,0,0), r: (1,0,2)))\n"
        "    r: B in b (l: C in c (l: (0,1,3), r: (2,0,1)), r: C in c (l: (0,3,0), r: (0,1,1)))\n"
    ).game
    answer = to_object(solve(game, "nash"))
    assert answer["regret"]["C"] == 0 and any(answer["algebraic"])
    assert verify(game, {**answer, "regret": {**answer["regret"], "C": regret}}).ok is ok


@pytest.mark.parametrize(("solver", "concept", "ok"), [
    ("logit", "nash", True), ("logit", "sequential", False), ("cfr", "correlated", False), ("cfr", "nash", True),
])  # fmt: skip
def test_a_concept_is_one_that_the_solver_answers(solver: str, concept: str, ok: bool) -> None:
    pytest.importorskip("gdl.wings.theory")
    stopped = {"game": "Entry deterrence", "solver": solver, "concept": concept, "exact": False, "limit": "?"}
    verdict = verdict_on("entry", stopped)
    assert verdict is not None and verdict.ok is ok


# ---- Numbers one more that would otherwise pass -----------------------------------------------------------------------


def checked(text: str, **fields: Any) -> VerifierVerdict:
    game = gdl.loads(text).game
    return verify(game, {"game": game.name, **fields})


def test_a_set_with_one_action_is_no_choice() -> None:
    only = AGAIN.replace("        y: (0, 1)\n", "")
    listed = [{"A": {"first": {"out": 1}, "again": {"x": 1}}, "B": {"reply": {"l": 1}}}]
    assert checked(only, exact=True, complete=True, equilibria=listed).status("complete")


def test_an_interval_of_a_lone_player() -> None:
    assert checked("players W\ntree W(a: 3, b: 5)", exact=False, interval={"W": [5, 5]}).status("interval")
    assert not checked("players W\ntree W(a: 3, b: 5)", exact=False, interval={"W": [3, 4]}).ok


WAITING = """players A, B
state
    n: 0..3
action wait
    n := n
action take when mover = A
    next toss
action gift when mover = B
    n := 3
chance toss(r: Boolean)
    n := if r then 2 else 1
terminal
    n = 1 -> (1/4, -1/4)
    n = 2 -> (3/4, -3/4)
    n = 3 -> (1, -1)
"""


@pytest.mark.parametrize(("low", "ok"), [("1/2", True), ("3/4", None)])
def test_an_interval_may_hang_on_what_endless_play_pays(low: str, ok: bool | None) -> None:
    ends = {"A": [low, 1], "B": [-1, f"-{low}"]}
    assert checked(WAITING, exact=False, interval=ends).status("interval") is ok


@pytest.mark.parametrize(("does", "secures"), [("wait", 0), ("take", "1/2")])
def test_who_waits_secures_no_more_than_the_least_that_endless_play_may_pay(does: str, secures: Any) -> None:
    plans = {"A": {"start": {does: 1}}, "B": {"start": {"gift": 1}}}
    told = checked(WAITING, exact=True, value={"A": 1, "B": -1}, strategy=plans)
    assert f"the strategy of A secures {secures} whatever" in str(told.lines) or f"A secures {secures}, and" in str(
        told.lines
    )


def test_a_lone_player_whose_play_comes_back_has_an_equilibrium() -> None:
    text = "players A\nstate\n    n: 0..3 = 1\naction up\n    n := n + 1\naction down\n    n := n - 1\n"
    text += "terminal\n    n = 0 -> 1\n    n = 3 -> 2\n    forever -> 0\n"
    plan = {"A": {"start": {"up": 1}, "n=2": {"up": 1}}}
    told = checked(text, exact=True, concept="nash", value={"A": 2}, strategy=plan)
    assert told.ok and told.status("concept"), told


def test_each_of_two_opponents_plays_against_the_other_where_play_comes_back() -> None:
    verdict = verdict_on("pong_hau_ki", solved("pong_hau_ki") or {})
    assert verdict is not None and verdict.ok and verdict.status("value")


def test_an_assessment_that_stands_first_and_last() -> None:
    answer = solved("beer_quiche", "--solver", "perfect-bayesian")
    assert answer is not None
    again = {name: [*answer[name][:2], answer[name][0]] for name in ("equilibria", "beliefs", "payoffs")}
    verdict = verdict_on("beer_quiche", {**answer, **again})
    assert verdict is not None and "equilibrium 3 is equilibrium 1 once more" in str(verdict.lines)


def test_a_profile_says_what_is_done_where_only_two_together_lead() -> None:
    text = (
        "players A, B, C\ntree A in a (out: C in z (p: (1, 1, 1), q: (1, 1, 0)), "
        "on: B in b (out: (0, 1, 1), on: C in c (x: (0, 0, 0), y: (0, 0, 1))))"
    )
    profile: dict[str, Any] = {"A": {"a": {"out": 1}}, "B": {"b": {"out": 1}}, "C": {"z": {"p": 1}}}
    assert not checked(text, exact=True, equilibria=[profile]).ok
    assert checked(text, exact=True, equilibria=[{**profile, "C": {"z": {"p": 1}, "c": {"y": 1}}}]).ok


def test_old_answers_may_be_of_any_order_of_children() -> None:
    answer = solved("race", "--solver", "alpha-beta", "--order", "reverse")
    assert answer is not None
    for name in ("fingerprint", "options"):
        del answer[name]
    verdict = verdict_on("race", {**answer, "game": "race"})
    assert verdict is not None and verdict.ok and verdict.status("nodes"), verdict


def test_a_root_of_a_polynomial_that_lacks_a_power() -> None:
    """Some other factor takes the square away, and has its root elsewhere."""
    game = gdl.loads(HARBOUR).game
    answer = to_object(solve(game, "nash"))
    root = next(roots["X"]["n"] for roots in answer["algebraic"] if roots)
    c, b, a = root["polynomial"]
    root["polynomial"] = [-b * c, -b * b + a * c, 0, a * a]
    verdict = verify(game, answer)
    assert verdict.ok and verdict.status("algebraic"), verdict


def test_two_who_forget_are_no_lone_player() -> None:
    profile = {"A": {"start": {"l": 1}, "again": {"x": 1}}, "B": {"reply": {"y": 1}}}
    verdict = verdict_on("two forget", {"game": "two forget", "exact": True, "equilibria": [profile]})
    assert verdict is not None and verdict.ok and verdict.status("equilibria"), verdict


def test_the_interval_of_a_table_that_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proved by what its rounded strategies secure; a narrower one is refused."""

    def stop(*_: object) -> None:
        raise LimitReached("the time was over")

    monkeypatch.setattr("gdl.solvers.equilibria.zero_sum.prove_basis", stop)
    game = gdl.loads("players A, B\nmatrix\n        l  m  r\n    u   3  -5  2\n    c  -4  7  1\n    d   1  -2  0\n")
    answer: dict[str, Any] = dict(to_object(gdl.solve(game, solver="sequence-form")))
    low, high = answer["interval"]["A"]
    assert low != high and verify(game.game, answer).status("interval")
    assert not verify(game.game, {**answer, "interval": {**answer["interval"], "A": [high, high]}}).ok

"""Answers that are wrong in several fields at once, each in itself consistent: the whole answer to a neighbouring game,
and what was made by hand to look right."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import pytest
from altered_answers import WRITTEN, asked, solved, verdict_on

import gdl
from gdl.errors import Refusal
from gdl.solvers import solve
from gdl.wings.verify import trembling
from gdl.wings.verify.plans import VerifierPlans
from gdl.wings.verify.position_graph import collect
from gdl.wings.verify.verdict import Unchecked

# A game, the words of a line, and what stands in the neighbouring game in place of what.
NEIGHBOURS = [
    ("hawks", "nash", "(-1, -1)", "(-2, -2)"),
    ("hawks", "evolutionary", "(-1, -1)", "(-2, -2)"),
    ("hawks", "quantal", "(-1, -1)", "(-2, -2)"),
    ("hawks", "correlated", "(-1, -1)", "(-2, -2)"),
    ("hawks", "coarse-correlated", "(-1, -1)", "(-2, -2)"),
    ("hawks", "perfect", "(-1, -1)", "(-2, -2)"),
    ("hawks", "proper", "(-1, -1)", "(-2, -2)"),
    ("hawks", "commitment", "(2, 2)", "(5, 5)"),
    ("hawks", "coalition", "(2, 2)", "(3, 3)"),
    ("hawks", "welfare", "(2, 2)", "(3, 3)"),
    ("poker", "sequence-form", "fold: (1, -1)), check", "fold: (2, -2)), check"),
    ("poker", "sequential", "(-2, 2)", "(-3, 3)"),
    ("poker", "perfect-bayesian", "(-2, 2)", "(-3, 3)"),
    ("minority", "correlated", "(0,0,1)", "(0,0,2)"),
    ("minority", "coalition", "(0,0,1)", "(0,0,2)"),
    ("team", "team", "(3, 3)", "(4, 4)"),
    ("team", "nash", "(3, 3)", "(1, 1)"),
    ("tie", "alpha-beta --trace", "b: 2", "b: 0"),
    ("draws", "star1 --trace", "p: 2", "p: 1"),
    ("draws", "star2 --trace", "p: 2", "p: 1"),
    ("draws", "expectiminimax --values", "p: 2", "p: 1"),
    ("shares", "shallow --trace", "(5, 3, 2)", "(4, 3, 3)"),
    ("shares", "maxn --values", "(5, 3, 2)", "(4, 3, 3)"),
    ("shares", "paranoid", "(5, 3, 2)", "(2, 3, 5)"),
    ("umbrella", "unknowns", "dry: 5", "dry: 4"),
    ("two_open", "unknowns", "b: 3", "b: 4"),
    ("stationary", "stationary", "p[A] * 2", "p[A] * 3"),
    ("patience", "policy-iteration", "reward 3", "reward 4"),
    ("ruin", "shapley", "n = 3 -> win A", "n = 3 -> draw"),
    ("ruin", "retrograde", "n = 3 -> win A", "n = 3 -> draw"),
    ("ruin", "markov-perfect", "n = 3 -> win A", "n = 3 -> draw"),
    ("take", "grundy", "n: 1..3", "n: 1..2"),
    ("driver", "forgetful", "exit: 4", "exit: 5"),
    ("two forget", "pure-plans", "(2, 2)", "(3, 3)"),
]
OWN = ("game", "fingerprint", "traits")  # what an answer says of its game


@pytest.mark.parametrize("game, words, old, new", NEIGHBOURS, ids=lambda part: str(part).replace(" ", ""))
def test_the_answer_to_a_neighbouring_game_is_refused(
    game: str, words: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, (solver, *more) = WRITTEN[game], words.split()
    assert old in own
    monkeypatch.setitem(WRITTEN, "neighbour", own.replace(old, new, 1))
    here, there = (solved(name, "--solver", solver, *more) for name in (game, "neighbour"))
    assert here is not None and there is not None
    assert here.keys() == there.keys()
    verdict = verdict_on(game, {**there, **{name: here[name] for name in OWN}})
    assert verdict is not None and not verdict.ok, verdict


def changed(answer: dict[str, Any] | None, **fields: Any) -> dict[str, Any]:
    assert answer is not None
    return {**copy.deepcopy(answer), **fields}


def refused(game: str, answer: dict[str, Any], why: str) -> bool:
    verdict = verdict_on(game, answer)
    return verdict is not None and any(line.startswith("FAILS") and why in line for line in verdict.lines)


def test_a_correlated_plan_is_no_equilibrium_of_nash() -> None:
    answer = changed(solved("battle_of_the_sexes", "--solver", "nash"))
    answer["equilibria"].append({"distribution": [{"profile": {"He": "fight", "She": "ballet"}, "probability": 1}]})
    answer["payoffs"].append({"He": 7, "She": 7})
    assert refused("battle_of_the_sexes", answer, "correlated plans stand among the equilibria")


@pytest.mark.parametrize("concept", ["perfect", "proper"])
def test_nobody_errs_beside_a_lone_player(concept: str) -> None:
    verdict = verdict_on(
        "two_roads", changed(solved("two_roads", "--solver", "subgame-perfect"), concept=concept, solver=None)
    )
    assert verdict is not None and verdict.status("concept")


@pytest.mark.parametrize("concept", ["correlated", "coarse-correlated"])
def test_a_distribution_without_its_value_is_no_best_one(concept: str) -> None:
    """That A plays hawk and B dove nobody leaves, but B gets 4 by other draws, and nothing by this one."""
    drawn = [{"profile": {"A": "hawk", "B": "dove"}, "probability": 1}]
    answer = changed(solved("hawks", "--solver", concept, "--for", "B"), distribution=drawn)
    answer["equilibria"] = [{"distribution": drawn}]
    for key in ("value", "payoffs"):
        answer.pop(key, None)
    assert verdict_on("hawks", {**answer, "exact": False}).ok  # type: ignore[union-attr]
    assert refused("hawks", answer, "pays B more than 4")


@pytest.mark.parametrize(("game", "words"), [("shares", "paranoid"), ("driver", "forgetful"), ("monty_hall", "plan")])
def test_only_one_of_two_commits_to_a_strategy(game: str, words: str) -> None:
    assert refused(
        game, changed(solved(game, "--solver", words), concept="commitment", solver=None), "one of two players"
    )


@pytest.mark.parametrize(
    "field, near", [("payoffs", [{"A": -2.00000000001, "B": -2}]), ("regret", {"A": 1e-11, "B": 0})]
)
def test_numbers_near_the_true_ones_are_none_in_an_exact_answer(field: str, near: Any) -> None:
    assert refused("prisoners", changed(solved("prisoners", "--solver", "nash"), **{field: near}), "")


@pytest.mark.parametrize(("game", "side", "end"), [("entry", 1, "4999999999/10000000000"), ("beer_quiche", 0, "4/7")])
def test_a_free_chance_ends_at_its_corner(game: str, side: int, end: str) -> None:
    answer = changed(solved(game, "--solver", "nash"))
    free = next(one for group in answer["groups"] for one in group.get("free", ()))
    free["interval"][side] = end
    assert refused(game, answer, f"does not end at {end}")
    free |= {"set": "nowhere"}
    assert refused(game, answer, "of nobody's action")


def test_what_never_holds_has_no_condition() -> None:
    answer = changed(solved("two_open", "--solver", "unknowns"))
    answer["conditions"].append({"what": "pruned", "of": [0, 0], "when": [["x < 3", "x > 5"]], "status": "sometimes"})
    assert refused("two_open", answer, "is never pruned")


def test_a_receiver_who_cannot_tell_two_messages_of_a_type_apart_hears_no_signals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("gdl.wings.theory")
    reply = "B in heard (x: (2, 1), y: (0, 0))"
    ways = f"(m: {reply}, n: {reply}, o: (1, 0))"
    text = f"players A, B\ntree\n    chance\n        s 1/2: A in s {ways}\n        w 1/2: A in w {ways}\n"
    monkeypatch.setitem(WRITTEN, "merged", text)
    with pytest.raises(Refusal, match="does not tell two messages of a type apart"):
        solve(asked("merged").game, "intuitive")
    answer = changed(solved("merged", "--solver", "perfect-bayesian"), solver="intuitive", concept="intuitive")
    verdict = verdict_on("merged", answer)
    assert verdict is not None and any("two messages of a type apart" in line for line in verdict.lines)


def test_orders_of_plans_that_tie_are_not_listed_all() -> None:
    """Eleven plans can be ranked in more than a billion ways."""
    pays = [[k, -k] for k in range(12)]
    found = trembling.possible_rankings(pays, [1] + [0] * 11, [Fraction(1, 2)] * 2)
    assert next(found) == ((0,), (1,), (2,), (3,), (4,), (5,), (6,), (7,), (8,), (9,), (10,), (11,))


def test_too_many_rankings_of_one_side_alone_are_not_tried() -> None:
    """By any mistake b pays more than a, which is played; but the rankings of b, c, d and five more are too many."""
    text = "players A, B\nmatrix\n      l       r\n  a (0, 1)  (0, 0)\n  b (0, 1)  (1, 0)\n"
    text += "  c (0, 1)  (2, 0)\n  d (0, 1)  (-1, 0)\n"
    more = "".join(f"  {row} (0, 1)  ({number}, 0)\n" for number, row in enumerate("efghi", 3))
    few, many = gdl.loads(text).game, gdl.loads(text + more).game
    assert not trembling.is_proper(VerifierPlans(collect(few, 100).positions), ([1, 0, 0, 0], [1, 0]))
    with pytest.raises(Unchecked, match="too many plans tie"):
        trembling.is_proper(VerifierPlans(collect(many, 100).positions), ([1] + [0] * 8, [1, 0]))


def test_roots_of_polynomials_with_long_numbers_are_not_counted() -> None:
    long = {"polynomial": [(-1) ** k * (10**3000 + k**3) for k in range(60)], "interval": [0, 1]}
    answer = changed(solved("hawks", "--solver", "nash"), algebraic=[{"A": {"hawk": long}}, {}, {}])
    verdict = verdict_on("hawks", answer)
    assert verdict is not None and verdict.status("algebraic") is None


@pytest.mark.parametrize("fields", [
    {"conditions": [{"what": "value", "of": "min(" * 3000 + "x" + ")" * 3000, "when": [[]]}]}, {"options": {"assume": 3}},
])  # fmt: skip
def test_conditions_out_of_form_are_refused(fields: dict[str, Any]) -> None:
    assert verdict_on("two_open", changed(solved("two_open", "--solver", "unknowns"), **fields)) is None


def test_a_quantal_answer_has_no_negative_rate() -> None:
    verdict = verdict_on("hawks", changed(solved("hawks", "--solver", "quantal"), options={"lambda_": -1e308}))
    assert verdict is not None and verdict.status("equilibria") is None


@pytest.mark.parametrize("solver", ["maxn", "shallow"])
def test_an_empty_list_of_equilibria_is_refused_unless_there_are_none(solver: str) -> None:
    answer = solved("entry", "--solver", solver)
    assert answer is not None and answer["equilibria"]
    assert verdict_on("entry", {**answer, "equilibria": []}) is None


def test_ends_that_nothing_proves_are_refused() -> None:
    """Where it has found nothing, the solver knows what ends pay, and nothing else could narrow that."""
    found = solved("circle", "--solver", "markov-perfect")
    assert found is not None
    kept = {key: found[key] for key in ("schema", "game", "solver", "traits", "fingerprint")}
    answer = {**kept, "exact": False, "value": None, "interval": {"A": [0, 3], "B": [0, 2]}}  # as if it was stopped
    whole = verdict_on("circle", answer)
    narrow = verdict_on("circle", {**answer, "interval": {"A": [1, 3], "B": [0, 2]}})
    assert whole is not None and whole.status("interval") and narrow is not None and not narrow.ok


@pytest.mark.parametrize(("game", "first"), [("stochastic", "A"), ("ring", "Cat")])
def test_ends_that_a_look_ahead_proves_hold(game: str, first: str) -> None:
    """They were refused: a look ahead told what the first player secures, and no strategy showed it."""
    found = solved(game, "--solver", "markov-perfect", "--nodes", "100")
    assert found is not None and found["interval"][first][0] != -1 and "strategy" not in found
    _, other = found["interval"]
    whole = verdict_on(game, found)
    narrow = verdict_on(game, {**found, "interval": {first: ["9/10", 1], other: [-1, "-9/10"]}})
    assert whole is not None and whole.ok and whole.status("interval") and narrow is not None and not narrow.ok


@pytest.mark.parametrize("game", ["prisoners", "minority"])
def test_a_line_goes_on_where_the_answers_own_equilibrium_does(game: str) -> None:
    answer = solved(game, "--solver", "subgame-perfect", "--concept", "nash")
    assert answer is not None and len(answer["line"]) > 1
    verdict = verdict_on(game, {**answer, "line": answer["line"][:1]})
    assert verdict is not None and "the line stops before the end, where B moves" in verdict.lines[0]


def test_no_symmetry_ends_a_line_early_where_nothing_comes_again() -> None:
    """Such a line was left open where nothing of the game is compiled."""
    answer = solved("race", "--solver", "retrograde", "--symmetry")
    assert answer is not None and len(answer["line"]) > 2
    verdict = verdict_on("race", {**answer, "line": answer["line"][:2]})
    assert verdict is not None and verdict.status("line") is False


def test_a_record_names_an_order_that_there_is() -> None:
    """Another word left all that the record says unchecked, and nothing refused."""
    answer = solved("tie", "--solver", "alpha-beta", "--trace")
    assert answer is not None
    verdict = verdict_on("tie", {**answer, "rule": {"cut": "ge", "order": "givenx"}})
    assert verdict is not None and verdict.status("rule") is False


def test_a_plan_says_what_is_done_wherever_it_leads() -> None:
    answer = solved("shares", "--solver", "team")
    assert answer is not None
    verdict = verdict_on("shares", {**answer, "strategy": {**answer["strategy"], "C": {}}})
    assert verdict is not None and verdict.status("strategy") is False

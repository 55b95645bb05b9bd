"""The verifier at each of its numbers: answers that hold, and claims that do not, where one more would be another
matter."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import log
from pathlib import Path
from typing import Any

import pytest
from altered_answers import solved, verdict_on
from games_by_hand import TicTacToe

import gdl
from gdl.formats.answer import to_object
from gdl.game import Decision, Terminal
from gdl.numbers import to_json
from gdl.solvers import solve
from gdl.wings.verify.identity import TRAITS
from gdl.wings.verify.position_graph import collect
from gdl.wings.verify.trembling import does_bear_out
from gdl.wings.verify.verdict import Unchecked
from gdl.wings.verify.verifier import VerifierVerdict, verify

COUNTING = "players A, B\nstate\n    left: 0..3 = 3\n    a: 0..3\n    b: 0..6\naction take(n: 1..2) when n <= left\n"
COUNTING += "    left := left - n\n    if mover = A\n        a := a + n\n    else\n        b := b + n\nterminal\n    left = 0 -> (a, b)\n"
DOUBT = "players A, B, C\ntree A(no: (1, 1, 1), go: B in go (no: (0, 0, 1), go: C(x: (0, 0, 0), y: (0, 0, 2))))\n"
TOLD = "players A, B\ntree chance\n    one 1/2: A in one\n        l: B in b (x: (2, 0), y: (2, 0))\n        r: B in b (x: (1, 0), y: (1, 0))\n"
TOLD += "    two 1/2: A in two\n        l: B in b (x: (1, 0), y: (1, 0))\n        r: B in b (x: (2, 0), y: (2, 0))\n"
LOOP = "players A, B\nstate\n    n: 0..2 = 1\naction up\n    n := n + 1\naction down\n    n := n - 1\nterminal\n"
ALONE = LOOP.replace("players A, B", "players A")
STAY = "players A\nstate\n    n: 0..2 = 1\naction up\n    n := n + 1\naction stay\n    n := n\nterminal\n    n = 2 -> 1\n    forever -> 2\n"
ROUND = (
    "players A\nstate\n    n: 0..1\naction stay\n    reward 2 to A\naction leave when n = 0\n    n := 1\ndiscount 1/2\n"
)
PILES = """players L, R
state
    a: 0..4 = {}
    b: 0..4 = {}
    c: 0..3 = {}
action one(n: 1..2) when mover = L and n <= a
    a := a - n
action two when mover = R and b > 0
    b := b - 1
action both(n: 1..3) when n <= c
    c := c - n
terminal
    no actions -> lose mover
"""

ENDLESS = "action stop when n = 1\n    n := 1\nterminal\n    n = 1 -> 0\n    forever -> 0\n"


def held(text: str, limit: int = 5_000, **claims: Any) -> VerifierVerdict:
    """The verdict on an answer with these fields to the game that the text describes."""
    game = gdl.loads(text).game
    return verify(game, {"game": game.name, "exact": True, **claims}, limit=limit)


def test_what_the_other_gets_bounds_a_value_before_any_position_is_looked_at() -> None:
    """All that is counted is three, and A gets none below nothing."""
    verdict = held(COUNTING, 1, value={"A": 0, "B": 5})
    assert "B gets at least 0 and at most 3 at every end, not 5" in str(verdict.lines)


def test_a_profile_says_what_is_done_where_two_others_would_have_to_deviate() -> None:
    silent: Any = {"A": {"start": {"no": 1}}, "B": {"go": {"no": 1}}, "C": {}}
    verdict = held(DOUBT, solver="nash", equilibria=[silent])
    assert verdict.status("equilibria") is False
    assert "it does not say what is done" in str(verdict.lines)


def test_of_two_outcomes_each_has_best_actions() -> None:
    plan = {"A": {"one": {"l": 1}, "two": {"r": 1}}, "B": {"b": {"x": 1}}}
    verdict = held(TOLD, best=["l"], equilibria=[plan], solver="nash")
    assert verdict.status("best") is None
    assert "who moves first knows what it brought" in str(verdict.lines)


@pytest.mark.parametrize(("value", "ends", "ok"), [
    ("1/2", (2, 5), None), ("1/2", (-2, -5), False), ("-1/2", (2, 5), False), ("-1/2", (-2, -5), None),
])  # fmt: skip
def test_an_estimate_lies_between_the_ends_and_nothing(value: str, ends: tuple[int, int], ok: bool | None) -> None:
    verdict = held(f"players A\ntree A (l: {ends[0]}, r: {ends[1]})\n", exact=False, value={"A": value})
    assert verdict.status("value") is ok, verdict.lines


def test_an_estimated_line_goes_as_deep_as_the_search() -> None:
    answer = solved("race", "--solver", "alpha-beta", "--depth", "3")
    assert answer is not None and len(answer["line"]) == 3
    for length, status in ((3, True), (2, None)):
        verdict = verdict_on("race", {**answer, "line": answer["line"][:length]})
        assert verdict is not None and verdict.status("line") is status, verdict.lines


def test_an_evaluation_leaves_the_other_the_rest_of_the_sum() -> None:
    text = "players A, B\nstate\n    n: 0..7\naction one\n    n := n + 1\naction two\n    n := n + 2\nterminal\n"
    text += "    n >= 6 -> (if mover = A then 0 else 3, if mover = A then 3 else 0)\nevaluate\n    if mover = A then 1 else 2\n"
    game = gdl.loads(text).game
    answer = to_object(solve(game, "alpha-beta", depth=2))
    assert answer["value"] == {"A": 1, "B": 2}
    assert verify(game, answer).status("value") is True


def test_whoever_stays_plays_on_for_ever() -> None:
    """The line ends where it began, after one move."""
    assert held(STAY, value={"A": 2}, best=["stay"], line=["stay"]).status("line") is True
    assert held(STAY, value={"A": 2}, best=["up"], line=["up"]).status("line") is False


@pytest.mark.parametrize(("piles", "outcome", "grundy", "classes"), [
    ((1, 0, 0), "L", None, {"L": 1, "P": 1}),
    ((0, 1, 0), "R", None, {"P": 1, "R": 1}),
    ((0, 0, 2), "N", 2, {"N": 2, "P": 1}),
    ((1, 1, 1), "N", 1, {"L": 2, "N": 2, "P": 2, "R": 2}),
    ((1, 2, 3), "R", None, {"L": 4, "N": 6, "P": 2, "R": 12}),
    ((0, 0, 0), "P", 0, {"P": 1}),
])  # fmt: skip
def test_piles_of_either_and_of_both(
    piles: tuple[int, int, int], outcome: str, grundy: int | None, classes: dict[str, int]
) -> None:
    text = PILES.format(*piles)
    assert held(text, solver="grundy", outcome=outcome, classes=classes).ok
    assert held(text, outcome=outcome, classes={**classes, "P": 3}).status("classes") is False
    assert [held(text, outcome=told).ok for told in "LNPR"] == [told == outcome for told in "LNPR"]
    assert [held(text, outcome=outcome, grundy=told).ok for told in range(4)] == [told == grundy for told in range(4)]


def test_a_partizan_game_that_is_won_by_who_cannot_move() -> None:
    text = PILES.format(1, 0, 2).replace("lose mover", "win mover")
    assert held(text, outcome="R", classes={"N": 3, "P": 1, "R": 2}).ok


def test_the_fault_of_a_value_is_told_by_whose_it_is() -> None:
    tree = "players A, B\ntree A(l: (3, -3), r: (1, -1))\n"
    assert "backward induction gives A 3, and the answer says 2" in str(held(tree, value={"A": 2, "B": -3}).lines)
    assert "does not sum to 0" in str(held(tree, value={"A": 3, "B": 2}).lines)


def test_an_end_and_a_subgame_of_the_same_value_are_both_best() -> None:
    """In the subgame they match pennies; the strategy never goes there."""
    half = {"x": "1/2", "y": "1/2"}
    pennies = "A in again (x: B in b (x: 1, y: -1), y: B in b (x: -1, y: 1))"
    strategy: Any = {"A": {"start": {"l": 1}, "again": half}, "B": {"b": half}}
    for best, status in ((["l", "r"], True), (["r"], False)):
        told = {"value": {"A": 0, "B": 0}, "best": best, "strategy": strategy}
        assert held(f"players A, B\ntree A(l: 0, r: {pennies})\n", **told).status("best") is status


# ---- Where a position can come again ------------------------------------------------------------------------------


@pytest.mark.parametrize(("end", "status"), [(1, None), (0, True)])
def test_play_without_end_and_without_price(end: int, status: bool | None) -> None:
    """Such play may be worth anything from nothing to what an end pays."""
    text = STAY.replace("    forever -> 2\n", "").replace("-> 1", f"-> {end}")
    plan: Any = {"A": {"start": {"stay": 1}}}
    verdict = held(text, solver="markov-perfect", equilibria=[plan])
    assert verdict.status("equilibria") is status, verdict.lines


@pytest.mark.parametrize(("line", "ok"), [(["stay"], True), (["leave"], False)])
def test_a_line_stays_where_the_strategy_stays(line: list[str], ok: bool) -> None:
    plan: Any = {"A": {"start": {"stay": 1}, "n=1": {"stay": 1}}}
    told = {"solver": "policy-iteration", "value": {"A": 4}, "best": ["stay"], "strategy": plan, "line": line}
    assert held(ROUND, **told).ok is ok


def test_a_reward_of_the_chance_that_opens_a_game_counts_in_full() -> None:
    """Three halves by the toss, and then 2 for ever, each time half as much: 4 in the first position."""
    text = ROUND.replace(
        "\naction stay",
        "\nstart\n    next toss\nchance toss(h: Boolean)\n    reward (if h then 3 else 0) to A\naction stay",
        1,
    )
    for value, ok in (("11/2", True), (4, False), (5, False), ("7/2", False)):
        plan: Any = {"A": {"start": {"stay": 1}}}
        verdict = held(text, solver="policy-iteration", value={"A": value}, strategy=plan)
        assert verdict.status("value") is ok, verdict.lines


def test_rewards_that_count_for_ever_in_full_are_not_summed() -> None:
    verdict = held(
        ROUND.replace("discount 1/2\n", ENDLESS), solver="stationary", equilibria=[{"A": {"start": {"stay": 1}}}]
    )
    assert "what is gained on the way might have no sum" in str(verdict.lines)


def test_two_ends_with_two_sums_oppose_nobody() -> None:
    text = LOOP + "    n = 0 -> (3, 1)\n    n = 2 -> (2, 2)\n    forever -> (0, 0)\n"
    verdict = held(text, solver="shapley", value={"A": 2, "B": 2}, strategy={"A": {"start": {"up": 1}}, "B": {}})
    assert "the players are not opposed" in str(verdict.lines)


OPPOSED = """players A, B
state
    n: 0..1
action stay
    reward 1 to A, -1 to B
    n := n
action move
    reward n to mover, -n to other(mover)
    n := 1 - n
discount 1/2
"""
TOGETHER = """players A, B
state
    p[Player]: 0..2
start everyone
action go(k: 1..2)
    p[mover] := k
resolve
    reward (if p[A] = p[B] then p[A] else 0) to A, (if p[A] = p[B] then p[A] else 0) to B
    p[A] := 0
    p[B] := 0
discount 1/2
"""


def without_zeros(profile: dict[str, Any]) -> dict[str, Any]:
    """The profile without actions of probability 0."""
    left = {name: without_zeros(own) if isinstance(own, dict) else own for name, own in profile.items()}
    return {name: own for name, own in left.items() if own}


def test_two_who_are_opposed_by_what_they_gain_on_the_way() -> None:
    game = gdl.loads(OPPOSED).game
    answer = to_object(solve(game))
    assert answer["value"] == {"A": "4/3", "B": "-4/3"}
    for strategy in (answer["strategy"], without_zeros(answer["strategy"])):
        verdict = verify(game, {**answer, "strategy": strategy})
        assert verdict.ok and verdict.limit is None and verdict.status("value"), verdict.lines


def test_a_first_action_that_is_as_good_as_the_played_one() -> None:
    """Either leads to a position of B's own, from which B goes back."""
    game = gdl.loads(
        "players A, B\nstate\n    n: 0..2\naction go(k: 1..2) when n = 0\n    n := k\n"
        "action back when n > 0\n    reward 1 to A, -1 to B\n    n := 0\ndiscount 1/2\n"
    ).game
    answer = to_object(solve(game))
    assert (answer["best"], answer["value"]["A"]) == (["go(1)", "go(2)"], "2/3")
    assert verify(game, answer).status("best") is True


def test_of_three_nobody_is_opposed() -> None:
    text = (
        LOOP.replace("A, B", "A, B, C") + "    n = 0 -> (0, 1, 2)\n    n = 2 -> (1, 2, 0)\n    forever -> (1, 1, 1)\n"
    )
    plans: Any = {"A": {"start": {"up": 1}}, "B": {}, "C": {}}
    verdict = held(text, solver="shapley", value={"A": 1, "B": 2, "C": 0}, strategy=plans)
    assert "the players are not opposed" in str(verdict.lines)


def test_each_equilibrium_has_payoffs_of_its_own() -> None:
    pytest.importorskip("gdl.wings.theory")
    game = gdl.loads(TOGETHER).game
    answer = to_object(solve(game, "stationary"))
    assert answer["payoffs"] == [{"A": 4, "B": 4}, {"A": 2, "B": 2}]
    assert verify(game, {**answer, "equilibria": [*map(without_zeros, answer["equilibria"])]}).status("payoffs")
    assert verify(game, {**answer, "payoffs": answer["payoffs"][::-1]}).status("payoffs") is False


@pytest.mark.parametrize("tree", [
    "A(l: B(x: (3, 1, 0), y: (2, 5, 0)), r: (1, 0, 9))",
    "B(l: C(x: (3, 1, 0), y: (2, 5, 0)), r: A(p: (1, 0, 9), q: (0, 2, 2)))",
    "chance(h 1/2: B utility in 0..9 (l: C(x: (3, 1, 0), y: (2, 5, 0)), r: (1, 0, 9)), "
    "t 1/2: A(p: (4, 0, 0), q: C(x: (0, 0, 1), y: (7, 1, 1))))",
])  # fmt: skip
def test_what_each_secures_alone(tree: str) -> None:
    game = gdl.loads(f"players A, B, C\ntree {tree}\n").game
    answer = to_object(solve(game, "paranoid"))
    verdict = verify(game, answer)
    assert verdict.ok and verdict.limit is None, verdict.lines
    assert all(verdict.status(field) for field in ("value", "secured", "nodes", "leaves")), verdict.lines


def test_a_line_that_ends_by_chance_need_not_end_in_the_value() -> None:
    text = "players A\ntree A(l: chance(h 1/2: 4, t 1/2: 0), r: 1)\n"
    assert held(text, value={"A": 2}, best=["l"], line=["l", "h"]).status("line") is True


# ---- What the traits left open ------------------------------------------------------------------------------------


class Undecided(TicTacToe):
    """The end of a game whose zero sum is not known beforehand."""

    traits = replace(TicTacToe.traits, zero_sum=None, constant_sum=None)

    def __init__(self, more: int):
        self.more = more

    def initial(self) -> str:
        return "XOXXOO   "

    def node(self, state: str) -> Any:
        node = super().node(state)
        return Terminal(tuple(x + self.more for x in node.utilities)) if isinstance(node, Terminal) else node


@pytest.mark.parametrize(("more", "status"), [(0, True), (Fraction(1, 2), None)])
def test_a_sum_that_only_positions_show(more: Any, status: bool | None) -> None:
    game: Any = Undecided(more)
    traits = {name: getattr(TicTacToe.traits, name) for name in TRAITS}
    told = {
        "game": game.name,
        "exact": True,
        "value": {"X": to_json(1 + more), "O": to_json(more - 1)},
        "traits": traits,
    }
    assert verify(game, told).status("traits") is status


def test_a_sum_that_only_positions_show_where_both_choose_and_come_back() -> None:
    pytest.importorskip("gdl.wings.theory")
    game = gdl.loads(
        "players Ann, Bob\nstate\n    show[Player]: 0..1?\n    won: -1..1?\nstart everyone\n"
        'action go(k: 0..1) as "{k}" public\n    show[mover] := k\n'
        "resolve\n    if show[Ann] = show[Bob]\n        won := 2 * show[Ann] - 1\n    show[Ann] := none\n"
        "    show[Bob] := none\nterminal\n    won != none -> (won, -won)\n    forever -> draw\n"
    ).game
    verdict = verify(game, to_object(solve(game)))
    assert game.traits.zero_sum is None and verdict.limit is None and verdict.status("traits")


class Maze(TicTacToe):
    """A dark place of two positions from which play can come back."""

    traits = replace(TicTacToe.traits, perfect_information=None, perfect_recall=None, cyclic=None)

    def initial(self) -> str:
        return "start"

    def node(self, state: str) -> Any:
        if state == "end":
            return Terminal((1, -1))
        return Decision(0, ("left", "right")) if state == "start" else Decision(1, ("start", "end"))

    def successor(self, state: str, action: Any) -> str:
        return str(action)

    def information_set(self, state: str, player: int) -> str:
        return "dark" if state in ("left", "right") else state


def test_hidden_positions_that_come_again_are_not_looked_at() -> None:
    game: Any = Maze()
    with pytest.raises(Unchecked, match="something is hidden"):
        collect(game, 10)


# ---- Counts of play -----------------------------------------------------------------------------------------------

THREE_ROWS = "players R, C\nmatrix\n        x      y\n    a (2, 1) (0, 0)\n    b (0, 0) (1, 2)\n    c (1, 0) (0, 1)\n"


@pytest.mark.thorough
def test_an_action_without_a_count_was_never_taken(tmp_path: Path) -> None:
    pytest.importorskip("gdl.wings.theory")
    table = tmp_path / "plays.csv"
    table.write_text("player,action,count\nR,a,5\nR,b,3\nC,x,4\nC,y,4\n")
    game = gdl.loads(THREE_ROWS).game
    answer = to_object(solve(game, concept="quantal", counts=str(table)))
    counts = answer["fit"]["counts"]
    assert counts["R"].pop("c") == 0
    for taken, ok in ((5, True), (6, False)):
        counts["R"]["a"] = taken
        assert verify(game, answer).ok is ok


@pytest.mark.thorough
@pytest.mark.parametrize("factor", [0.98, 1.0, 1.02])
def test_the_standard_error_of_a_fit_is_worked_out_anew(factor: float, tmp_path: Path) -> None:
    pytest.importorskip("gdl.wings.theory")
    table = tmp_path / "plays.csv"
    table.write_text("player,action,count\nRow,up,67\nRow,down,61\nColumn,left,47\nColumn,right,81\n")
    game = gdl.loads("players Row, Column\nmatrix\n    left right\nup (4, 0) (0, 4)\ndown (0, 4) (1, 0)\n").game
    answer = to_object(solve(game, concept="quantal", counts=str(table)))
    answer["fit"]["standard_error"] *= factor
    assert verify(game, answer).ok is (factor == 1)


def test_counts_that_are_likelier_the_greater_lambda_is_stay_open() -> None:
    """At lambda 1 with a slope between 0 and 1, and no standard error."""
    pytest.importorskip("gdl.wings.theory")
    game = gdl.load("prisoners")
    answer = to_object(solve(game, concept="quantal", lambda_=1))
    betray = answer["equilibria"][0]["A"]["betray"]
    fit = {"lambda": 1.0, "log_likelihood": log(betray), "standard_error": None, "counts": {"A": {"betray": 1}}}
    verdict = verify(game, {**answer, "fit": fit})
    assert verdict.ok and "likelier the greater lambda is" in str(verdict.lines)


# ---- Whole answers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["sequence-form", "cfr"])
@pytest.mark.parametrize(("tree", "status"), [("l: 1, r: MIN(a: 1, b: 2)", None), ("l: 1, r: MIN(a: 0, b: 1)", True)])
def test_an_equilibrium_is_not_told_to_begin_with_the_only_best_action(
    solver: str, tree: str, status: bool | None
) -> None:
    game = gdl.loads(f"players MAX, MIN\ntree MAX({tree})\n").game
    verdict = verify(game, to_object(solve(game, solver)))
    assert verdict.ok and verdict.limit is None and verdict.status("best") is status, verdict.lines


@pytest.mark.thorough
def test_unknowns_in_another_order_than_that_of_their_names() -> None:
    game = gdl.loads("players MAX, MIN\ntree MAX(l: MIN(a: ?x, b: ?y), r: MIN(a: 2, b: chance(u ?p: 4, w: 0)))\n").game
    answer = to_object(solve(game, "unknowns"))
    assert [*answer["unknowns"]] == ["x", "y", "p"] and answer["unknowns"]["x"][0]["depends"] == ["y", "p"]
    assert verify(game, answer).ok
    answer["unknowns"]["x"][0]["depends"].reverse()
    assert not verify(game, answer).ok


@pytest.mark.parametrize("ends", [("1/2", "1/2"), ("1/3", "1/2"), ("1/2", "2/3")])
def test_a_chance_that_must_be_one_number_is_not_free(ends: tuple[str, str]) -> None:
    """B's reply keeps A from both ways only at one half."""
    ways = "left: B in reply (x: (1, 0), y: (-1, 0)), right: B in reply (x: (-1, 0), y: (1, 0))"
    profile: Any = {"A": {"start": {"out": 1, "left": 0, "right": 0}}, "B": {"reply": {"x": "1/2", "y": "1/2"}}}
    free = {"player": "B", "set": "reply", "action": "x", "interval": ends}
    for more, status in (({}, True), ({"free": [free]}, False)):
        group = {"members": [0], "outcome": {"out": 1}, "payoffs": {"A": 0, "B": 2}, **more}
        verdict = held(f"players A, B\ntree A(out: (0, 2), {ways})\n", equilibria=[profile], groups=[group])
        assert verdict.status("groups") is status, verdict.lines


@pytest.mark.parametrize("proper", [False, True])
def test_a_copy_of_what_is_played_is_no_tie(proper: bool) -> None:
    table: Any = {
        (a, b, c): (int(a != 1), 1 - b, 1 - c) for a, b, c in product(range(3), range(2), range(2))
    }  # fmt: skip
    assert does_bear_out(table, [(1, 0, 0), (1, 0), (1, 0)], proper)

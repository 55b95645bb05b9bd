"""Equilibria in which players who are alike all do the same."""

from __future__ import annotations

import time
from fractions import Fraction as F
from typing import Any

import pytest

import gdl
from gdl import loads
from gdl.errors import GameError, LimitReached, Refusal
from gdl.formats.answer import to_object
from gdl.game import Simultaneous, Terminal
from gdl.solvers import solve
from gdl.solvers.equilibria.polynomials import polynomial, roots_between
from gdl.wings.verify.verifier import verify

CHOICE = """
players P[n]
type Way = {ways}
state
    way[Player]: Way?
start everyone
action take(w: Way)
    way[mover] := w
define some(w: Way) = count q in Player: way[q] = w
terminal
    way[P1] != none -> each p: {pays}
"""
HELP = "(if some(help) > 0 then 2 else 0) - (if way[p] = help then 1 else 0)"
ROADS = "-(if way[p] = wide then 1 + some(wide) else 2 * (1 + some(narrow)))"


def choice(n: int, ways: str, pays: str) -> Any:
    """Everybody takes one of the ways at once."""
    return loads(f'game "Choice" (n = {n})' + CHOICE.format(ways=ways, pays=pays), "choice.game").game


def matrix(*rows: str) -> Any:
    return loads("players A, B\nmatrix\n" + "\n".join(f"    {row}" for row in rows) + "\n", "matrix.game").game


def mixtures(found: Any) -> list[dict[str, Any]]:
    """The first player's mixture in each equilibrium, after a look that the others do the same."""
    every = [[row for sets in profile.values() for row in sets.values()] for profile in found.equilibria]
    assert all(row == rows[0] for rows in every for row in rows)
    return [rows[0] for rows in every]


class Volunteers(gdl.OwnGame):
    """The volunteer's dilemma for any number of players; a state is the number of those who help, or -1."""

    def __init__(self, n: int):
        self.players = tuple(f"P{k}" for k in range(n))

    def initial(self) -> Any:
        return None

    def node(self, state: Any) -> Any:
        if state is None:
            return Simultaneous((("help", "wait"),) * len(self.players))
        return Terminal(tuple((2 if "help" in state else 0) - (one == "help") for one in state))

    def successor(self, state: Any, action: Any) -> Any:
        return action


@pytest.mark.parametrize("n", [3, 4, 10, pytest.param(14, marks=pytest.mark.thorough)])
def test_volunteers_wait_as_the_closed_form_says(n: int) -> None:
    found = solve(choice(n, "help, wait", HELP), concept="symmetric")
    (mix,) = mixtures(found)
    assert abs(float(mix["take(wait)"]) - 0.5 ** (1 / (n - 1))) < 1e-15 and sum(mix.values()) == 1
    assert found.complete and found.rounded and found.regret is not None and not any(found.regret)
    root = found.roots[0]["P1"]["take(wait)"]
    assert root.low <= mix["take(wait)"] <= root.high and root.high - root.low < F(1, 10**39)


@pytest.mark.thorough_of("300")
@pytest.mark.parametrize("n", [64, 100, 300])
def test_many_volunteers_take_no_long_time_and_are_not_called_proved(n: int) -> None:
    began = time.process_time()
    found = solve(Volunteers(n), concept="symmetric")
    (mix,) = mixtures(found)
    assert abs(float(mix["wait"]) - 0.5 ** (1 / (n - 1))) < 1e-15
    assert not found.exact and found.complete is None and "no proof" in found.notes[0]
    assert time.process_time() - began < 20


def test_two_roads() -> None:
    """The wide one takes as many minutes as drivers and one, the narrow one twice that: 57 x = 40 for 20 drivers."""
    found = solve(choice(20, "wide, narrow", ROADS), concept="symmetric")
    assert mixtures(found) == [{"take(wide)": F(40, 57), "take(narrow)": F(17, 57)}]
    assert found.payoffs[0][0] == F(-46, 3) and found.value is None


def test_three_roads_of_many_drivers() -> None:
    pays = "-(if way[p] = a then 1 + some(a) else if way[p] = b then 2 * (1 + some(b)) else 3 * (1 + some(c)))"
    found = solve(choice(20, "a, b, c", pays), concept="symmetric")
    assert mixtures(found) == [{"take(a)": F(128, 209), "take(b)": F(53, 209), "take(c)": F(28, 209)}]
    assert found.complete is None and max(found.regret or (1,)) == 0


def test_coordination_has_three_of_which_no_one_is_left_out() -> None:
    found = solve(matrix("        stag   hare", "stag  (2, 2)  (0, 1)", "hare  (1, 0)  (1, 1)"), concept="symmetric")
    assert mixtures(found) == [{"stag": 1, "hare": 0}, {"stag": 0, "hare": 1}, {"stag": F(1, 2), "hare": F(1, 2)}]
    assert found.exact and found.complete and [vector[0] for vector in found.payoffs] == [2, 1, 1]


def test_rock_paper_scissors() -> None:
    """Of two players by a linear system; of three the winners share what the losers lose."""
    rows = (
        "    r       p       s",
        "r  (0, 0)  (-1, 1)  (1, -1)",
        "p  (1, -1)  (0, 0)  (-1, 1)",
        "s  (-1, 1)  (1, -1)  (0, 0)",
    )
    found = solve(matrix(*rows), concept="symmetric")
    assert mixtures(found) == [{"r": F(1, 3), "p": F(1, 3), "s": F(1, 3)}] and found.exact
    ways = ("rsk", "krs", "skr")  # each beats the second, and loses to the third
    beats = " + ".join(f"(if way[p] = {a} then some({b}) - some({c}) else 0)" for a, b, c in ways)
    found = solve(choice(3, "r, s, k", beats), concept="symmetric")
    assert {"take(r)": F(1, 3), "take(s)": F(1, 3), "take(k)": F(1, 3)} in mixtures(found) and found.exact


def test_where_all_mixtures_are_equilibria_that_is_said() -> None:
    found = solve(matrix("    a       b", "a  (1, 1)  (1, 1)", "b  (1, 1)  (1, 1)"), concept="symmetric")
    assert len(found.equilibria) == 2 and not found.complete
    assert "If all play a or b, these pay the same: mixtures of them are not listed." in found.notes


def test_actions_in_another_order_are_the_same_actions() -> None:
    found = solve(matrix("        hare   stag", "stag  (0, 1)  (2, 2)", "hare  (1, 1)  (1, 0)"), concept="symmetric")
    assert len(mixtures(found)) == 3


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (matrix("   o      f", "o  (2, 1)  (0, 0)", "f  (0, 0)  (1, 2)"), "by o A gets 2, and B 1, where the others play o"),
        (matrix("   x      y", "o  (2, 2)  (0, 0)", "f  (0, 0)  (1, 1)"), "A can play o and f, and B x and y"),
        (choice(3, "a, b", "if way[P1] = way[P2] then 1 else 0"), "symmetric needs players who are alike"),
        (gdl.load("kuhn"), "symmetric needs simultaneous moves"),
        (gdl.load("nim"), "symmetric needs simultaneous moves"),
        (gdl.load("goofspiel"), "symmetric needs a game of one move by all players"),
        (loads("players A\nmatrix\n    a: 1\n    b: 2\n", "one.game").game, "symmetric needs"),
    ],
)  # fmt: skip
def test_other_games_are_refused(game: Any, said: str) -> None:
    with pytest.raises(Refusal) as refused:
        solve(game, concept="symmetric")
    assert said in str(refused.value)


def test_a_limit_of_time_is_kept() -> None:
    with pytest.raises(LimitReached):
        solve(choice(64, "a, b, c", "some(a) - some(b)"), concept="symmetric", time=0.2)


def test_the_verifier_takes_true_answers_and_no_others() -> None:
    games = [choice(4, "help, wait", HELP), choice(5, "wide, narrow", ROADS),
             matrix("        stag   hare", "stag  (2, 2)  (0, 1)", "hare  (1, 0)  (1, 1)")]  # fmt: skip
    for game in games:
        answer = to_object(solve(game, concept="symmetric"))
        assert verify(game, answer).ok
        fewer = {**answer, "equilibria": answer["equilibria"][1:], "payoffs": answer["payoffs"][1:]}
        assert not verify(game, fewer).ok
    nash = to_object(solve(games[2], concept="nash"))
    assert verify(games[2], {**nash, "concept": "symmetric", "solver": "symmetric"}).ok
    chicken = matrix("   a      b", "a  (0, 0)  (7, 2)", "b  (2, 7)  (6, 6)")
    nash = to_object(solve(chicken, concept="nash"))
    assert not verify(chicken, {**nash, "concept": "symmetric", "solver": "symmetric"}).ok


def test_roots_of_polynomials_are_found_where_they_are_repeated_and_where_they_are_many() -> None:
    """x (3x - 1)^2 (2x - 1)^2 (2x^2 - 1) (x - 1): ends do not count, repeated roots count once."""
    form = polynomial([1])
    for factor in ((0, 1), (-1, 3), (-1, 3), (-1, 2), (-1, 2), (-1, 0, 2), (-1, 1)):
        form = polynomial([sum(a * form[k - j] for j, a in enumerate(factor) if 0 <= k - j < len(form))
                           for k in range(len(form) + len(factor) - 1)])  # fmt: skip
    found = list(roots_between(form))
    assert [at for at, root in found if root is None] == [F(1, 3), F(1, 2)]
    assert [float(at) for at, root in found if root is not None] == [pytest.approx(0.5**0.5, abs=1e-15)]
    many = polynomial([1])
    for k in range(1, 21):
        many = polynomial([21 * a - k * b for a, b in zip((0, *many), (*many, 0), strict=True)])
    assert [at for at, _ in roots_between(many)] == [F(k, 21) for k in range(1, 21)]


HUNDRED = "#COUNTS\nplayers 100\nhelp [1]\nwait by help [0 2 ...]\n"


def test_a_hundred_who_are_alike_are_judged_by_counts() -> None:
    """Diekmann 1985: each waits with chance (1/2)^(1/99), as here, and gets what helping pays, 1."""
    game = loads(HUNDRED, "hundred.counts").game
    told = dict(to_object(solve(game, "symmetric")))
    verdict = verify(game, told)
    assert verdict.ok and all(verdict.status(name) for name in ("equilibria", "payoffs", "value", "regret"))
    assert not verify(game, {**told, "payoffs": [dict.fromkeys(game.players, 2)]}).ok
    (profile,) = told["equilibria"]
    half = {"help": "1/2", "wait": "1/2"}
    wrong = {player: dict.fromkeys(sets, half) if len(sets) == 1 else half for player, sets in profile.items()}
    assert not verify(game, {**told, "equilibria": [wrong]}).ok


def test_a_file_of_payoffs_by_counts_without_its_first_line_is_told_what_it_lacks() -> None:
    with pytest.raises(GameError, match="its first line is not #COUNTS"):
        loads(HUNDRED.removeprefix("#COUNTS\n"), "hundred.counts")


def test_messages_name_the_file_by_its_own_ending() -> None:
    assert loads(HUNDRED, "hundred.counts").model.ending == ".counts"


def test_an_irrational_mixture_pays_what_its_actions_pay() -> None:
    """El Farol (Arthur 1994): to stay pays 0, and so does the mixture; it was -1.7e-41, with a regret as small."""
    game = choice(10, "go, stay", "if way[p] = stay then 0 else if some(go) <= 6 then 1 else -1")
    found = solve(game, concept="symmetric")
    assert found.value == (0,) * 10 == found.regret
    verdict = verify(game, to_object(found))
    assert verdict.ok and verdict.status("regret") is verdict.status("payoffs") is True

"""Subgame-perfect equilibria by their payoffs: textbook results, and all equilibria listed one by one."""

from __future__ import annotations

import random
from typing import Any

import pytest

import gdl
from gdl.errors import Refusal
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.positions import explore
from gdl.wings.theory.subgames.payoff_sets import payoff_sets
from gdl.wings.verify.verifier import verify

REPEATED = """players {players}
type Act = {acts}
define pays = {pays}
state
    did[Player]: Act?
    sum_of[Player]: -99..99
    round: 0..2 = 0
start everyone
action act(c: Act) as "{{c}}"
    did[mover] := c
resolve
    for p in Player
        sum_of[p] := sum_of[p] + pays[number(p){places}]
    round := round + 1
terminal
    round = 2 -> each p: sum_of[p]
"""
GIBBONS = [[[1, 5, 0], [0, 4, 0], [0, 0, 3]], [[1, 0, 0], [5, 4, 0], [0, 0, 3]]]


def repeated(pays: Any, players: str = "A, B", acts: str = "L, M, R") -> Any:
    """The game of these payoffs (by player, then the actions in the order of the players), played twice."""
    places = "".join(f", number(did[{name.strip()}])" for name in players.split(","))
    text = REPEATED.format(players=players, acts=acts, pays=pays, places=places)
    return gdl.loads(text, "repeated.game").game


def found_payoffs(game: Any) -> set[Any]:
    sets = payoff_sets(explore(game), Budget())
    assert sets is not None
    return {one.payoffs for one in sets[0]}


def test_what_threats_carry_of_a_game_played_twice() -> None:
    """Gibbons 1992, section 2.3.A: (M, M) first, then (R, R), pays 7 each, though M is no equilibrium of the stage."""
    game = repeated(GIBBONS)
    answer = solve(game, concept="subgame-perfect")
    assert answer.payoffs[:4] == ((7, 7), (6, 6), (8, 3), (3, 8)) and len(answer.payoffs) == 8
    assert answer.line == ("M", "M", "R", "R")
    told: dict[str, Any] = dict(to_object(answer))
    assert verify(game, told).ok
    wrong = [{**told["payoffs"][0], "A": 8}, *told["payoffs"][1:]]
    assert not verify(game, {**told, "payoffs": wrong}).ok


def test_one_payoff_is_played_as_asked() -> None:
    game = repeated(GIBBONS)
    answer = solve(game, concept="subgame-perfect", payoff="(7, 7)")
    (profile,) = answer.equilibria
    assert profile["A"]["start"] == {"L": 0, "M": 1, "R": 0} and answer.payoffs == ((7, 7),)
    with pytest.raises(Refusal, match=r"no equilibrium was found that pays '\(7, 8\)'"):
        solve(game, concept="subgame-perfect", payoff="(7, 8)")


@pytest.mark.parametrize("typed", ["seven", "", "7", "7, 7, 7", "1e999999999, 2", "1/0, 2", "9" * 5_000 + ", 2"])
def test_a_payoff_is_one_number_for_each_player(typed: str) -> None:
    with pytest.raises(Refusal, match=r"--payoff needs 2 numbers, one for each player, as in \(7, 7\)") as told:
        solve(gdl.load("prisoners"), concept="subgame-perfect", payoff=typed)
    assert len(str(told.value)) < 300


@pytest.mark.parametrize("seed", range(3))
def test_payoffs_are_those_of_the_equilibria_that_are_listed(seed: int) -> None:
    dice = random.Random(seed)
    game = repeated([[[dice.randint(0, 3) for _ in "LR"] for _ in "LR"] for _ in "AB"], acts="L, R")
    listed = solve(game, "subgame-perfect", most=10_000)
    assert len(listed.equilibria) < 10_000
    pure = {
        paid
        for profile, paid in zip(listed.equilibria, listed.payoffs, strict=True)
        if all(share in (0, 1) for own in profile.values() for row in own.values() for share in row.values())
    }
    assert pure <= found_payoffs(game) <= set(listed.payoffs)


def test_three_players_and_trees_with_ties() -> None:
    dice = random.Random(7)
    pays = [[[[dice.randint(0, 2) for _ in "LR"] for _ in "LR"] for _ in "LR"] for _ in "ABC"]
    game = repeated(pays, "A, B, C", "L, R")
    assert found_payoffs(game) >= set(solve(game, "subgame-perfect", most=64).payoffs[:1])
    tied = gdl.loads(
        "players A, B\ntree\n    A\n        l: B\n            x: (1, 0)\n            y: (3, 0)\n        r: (2, 5)\n",
        "t.game",
    ).game
    assert found_payoffs(tied) == {(3, 0), (2, 5)}

"""Bounds of utilities and evaluations that the rules prove: by hand, and held against play."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from places import ROOT
from random_rules import written
from sampling import one_in

import gdl
from gdl.analysis.bounds import unproved_bounds
from gdl.errors import GameError
from gdl.game import Terminal, Unknown, surely_at
from gdl.interpreter.rules_game import RulesGame
from gdl.solvers import solve
from gdl.solvers.horizon import Horizon
from gdl.states.explore import moves

GAMES = sorted(file.stem for file in (ROOT / "games").glob("*.game"))

FARE = """
players Ann, Bob

define double = 2 * purse[Ann]
define again(n: 0..9): 0..9 = if n = 9 then 0 else again(n + 1)

state
    purse[Player]: 1..3 = 1
    debt: -2..5 = 0

action stop
    debt := 1

terminal
    debt = 1 -> ({ann}, {bob})
"""


@pytest.mark.parametrize(
    ("written", "bounds"),
    [
        ("7", (7, 7)),
        ("-debt", (-5, 2)),
        ("debt * purse[Ann] - 1", (-7, 14)),
        ("debt / purse[Bob]", (-2, 5)),
        ("1 / debt", (None, None)),
        ("debt div purse[Bob]", (-2, 5)),
        ("7 div debt", (None, None)),
        ("max(debt, 1) / 2", (Fraction(1, 2), Fraction(5, 2))),
        ("if debt > 0 then double else -1", (-1, 6)),
        ("debt mod 2", (0, 2)),
        ("debt mod purse[Ann] mod debt", (None, None)),
        ("again(1)", (None, None)),
        ("max(-1, min(1, again(1)))", (-1, 1)),  # whatever lies inside
        ("min(2, again(1))", (None, 2)),
        ("max(2, again(1)) - 1", (1, None)),
        ("(count p in Player: purse[p] > 1) - debt", (-5, 4)),
        ("sum p in Player: purse[p] - 3", (-4, 0)),
        ("sum p in Player where purse[p] > 1: purse[p] - 3", (-4, 0)),
        ("sum p in Player where purse[p] > 1: 7 - purse[p]", (0, 12)),
        ("sum k in 2..4: k * debt", (-24, 60)),
        ("max p in Player: 2 * purse[p]", (2, 6)),
        ("size(those p in Player: purse[p] = 2) / 2", (0, 1)),
        ("sum n in {1, 3}: n", (None, None)),
    ],
)
def test_by_hand(written: str, bounds: tuple[Any, Any]) -> None:
    game = gdl.loads(FARE.format(ann=written, bob="debt")).game
    assert surely_at(game, game.initial()) == (bounds, (-2, 5))


RECORDS = """
players Ann, Bob
type Deal = record(by: Player, tall: -1..1)
state
    turns: 0..9
    numbers: sequence of 1..5 up to 3 = [2]
    deal: Deal = Deal(Ann, -1)
action go
    turns := turns + 1
terminal
    turns = 9 -> pay {ann} to Ann
"""


@pytest.mark.parametrize(
    ("written", "most"), [("deal.tall", 1), ("last(numbers)", 5), ("first(numbers)", 5), ("number(deal.by)", 2)]
)
def test_fields_of_records_and_elements_of_sequences(written: str, most: int) -> None:
    assert gdl.loads(RECORDS.format(ann=written)).game.promises.proved() == ((-most, most), (-most, most))


@pytest.mark.thorough_of("shogi")
@pytest.mark.one_in(7)
@pytest.mark.parametrize("name", one_in(3, GAMES))
def test_play_keeps_to_what_is_proved(name: str) -> None:
    game: Any = gdl.load(name)
    if not isinstance(game, RulesGame):
        return
    rng = random.Random(name)
    for _ in range(2):
        state = game.initial()
        for _ in range(60):
            node = game.node(state)
            if isinstance(node, Terminal):
                within(node.utilities, game.promises.proved())
                break
            if (estimate := game.evaluate(state)) is not None:
                within(estimate, game.promises.proved_of_estimates())
                within(estimate, game.promises.proved())  # never more than a win
            state = game.successor(state, rng.choice(list(moves(node))))


@pytest.mark.thorough
def test_play_of_rules_made_at_random_keeps_to_what_is_proved() -> None:
    games = [playable(seed) for seed in range(40)]
    proved = [
        game for game in games if game and any(end is not None for pair in game.promises.proved() for end in pair)
    ]
    assert len(proved) > 20
    for game in proved:
        at_random(game)


def playable(seed: int) -> Any:
    """The game of that number; None where its rules are wrong, which may be met only as play begins."""
    try:
        game = gdl.loads(written(seed, plain=seed % 2 == 0)).game
        game.promises.proved()
    except GameError:
        return None
    return game


def at_random(game: Any) -> None:
    bounds, rng = game.promises.proved(), random.Random(1)
    for _ in range(10):
        state = game.initial()
        with suppress(GameError):
            for _ in range(20):
                node = game.node(state)
                if isinstance(node, Terminal):
                    within(node.utilities, bounds)
                    break
                state = game.successor(state, rng.choice(list(moves(node))))


def within(numbers: Any, bounds: Any) -> None:
    for number, (low, high) in zip(numbers, bounds, strict=True):
        assert not isinstance(number, Unknown)
        assert (low is None or low <= number) and (high is None or number <= high)


def test_an_evaluation_may_lie_beyond_the_utilities() -> None:
    """So where search is cut off, both bound the numbers."""
    text = FARE.format(ann="1", bob="-1") + "\nevaluate\n    1/2 * debt\n    2 * purse[Bob]\n"
    game = gdl.loads(text).game
    assert game.promises.proved() == ((1, 1), (-1, -1))
    assert surely_at(Horizon(game, 3), Horizon(game, 3).initial())[0] == (1, Fraction(17, 2))


@pytest.mark.parametrize(
    ("promise", "bounds"),
    [
        ("utility in -3..3", ((-3, 3), (-2, 3))),
        ("utility <= 4", ((None, 4), (-2, 4))),
        ("utility >= -7/2\nclaim zero-sum", ((Fraction(-7, 2), None), (-2, Fraction(7, 2)))),
    ],
)
def test_a_promise_is_known_where_the_rules_prove_less(promise: str, bounds: Any) -> None:
    """Play is stopped where it is broken."""
    game = gdl.loads(f"{promise}\n{FARE.format(ann='again(1)', bob='debt')}").game
    assert game.promises.proved() == surely_at(game, game.initial()) == bounds


def test_what_play_must_check_is_what_the_rules_do_not_prove() -> None:
    model = gdl.loads("utility in -3..3\n" + FARE.format(ann="again(debt)", bob="debt")).model
    assert unproved_bounds(model) == (((-3, 3), (None, 3)),)


def test_a_promise_says_nothing_of_evaluations() -> None:
    text = "utility in -3..3\n" + FARE.format(ann="again(debt)", bob="debt") + "\nevaluate\n    4 * purse[Bob]\n"
    game = gdl.loads(text).game
    assert surely_at(Horizon(game, 3), Horizon(game, 3).initial()) == ((-3, 12), (-12, 3))


def test_star1_skips_by_what_is_known() -> None:
    """Nothing beats 3, so after the first throw below 6 the others need not be seen."""
    text = """
players Ann, Bob

state
    thrown: 0..6

action stop
    thrown := 6

action throw
    next die

chance die(n: 1..6)
    thrown := n

terminal
    thrown > 0 -> zero_sum
"""
    plain = "thrown > 0 -> (same(thrown) - 3, 3 - same(thrown))"
    text = text.replace("state\n", "define same(n: 0..6): 0..6 = if n > 6 then same(n - 1) else n\n\nstate\n", 1)
    games = [
        gdl.loads(text.replace("thrown > 0 -> zero_sum", pay)).game
        for pay in (plain, plain.replace("same(thrown)", "thrown"))
    ]
    games.append(gdl.loads("utility in -3..3\n" + text.replace("thrown > 0 -> zero_sum", plain)).game)
    assert [solve(game, "star1").value for game in games] == [(3, -3)] * 3
    assert [solve(game, "star1").nodes for game in games] == [9, 4, 4]

"""The average of rewards in the long run, held to textbooks, to discounts near 1, and to the verifier."""

from fractions import Fraction
from random import Random
from textwrap import dedent

import pytest
from verification import verify

import gdl
from gdl.errors import Refusal
from gdl.formats import answer
from gdl.game import Game
from gdl.solvers import solve

LOOPS = (
    "players A, B\nstate\n    n[Player]: 0..2\nstart everyone\naction go(k: 1..2)\n    n[mover] := k\n"
    "resolve\n    reward 1 to A, -1 to B\nutility is average\n"
)


def written(seed: int, players: str) -> str:
    """The text of a random game: at each position a few actions of one player, each with a gain and two positions of
    equal chance after it."""
    draw = Random(seed)
    size = draw.choice([2, 3, 4, 5])
    movers = ["A", *(draw.choice(players) for _ in range(1, size))]
    lines = [f"players {', '.join(players)}", "state", f"    n: 0..{size - 1}"]
    for n in range(size):
        for k in range(draw.choice([1, 2, 3])):
            gain = draw.randint(-3, 3)
            given = f"{gain} to A, {-gain} to B" if players == "AB" else f"{gain} to A"
            lines += [f"action a{n}{k} when n = {n}", f"    reward {given}", f"    next c{n}{k}"]
            lines += [f"chance c{n}{k}(h: 0..1)"]
            for h in range(2):
                after = draw.randrange(size)
                lines += [
                    "    if h = 0" if h == 0 else "    else",
                    f"        n := {after}",
                    f"        next {movers[after]}",
                ]
    return "\n".join([*lines, ""])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(0, 60, 4))
@pytest.mark.parametrize("players", ["A", "AB"])
def test_averages_are_what_discounts_near_1_come_near_to(seed: int, players: str):
    text = written(seed, players)
    game = gdl.loads(text + "utility is average\n").game
    found = solve(game)
    near = solve(gdl.loads(text + "discount 99999/100000\n").game)
    assert found.exact and found.value is not None and near.value is not None
    assert float(found.value[0]) == pytest.approx(float(near.value[0]) / 100_000, abs=1e-3)
    assert near.best[0] in found.best
    right = answer.to_object(found)
    assert verify(game, right).ok
    assert verify(game, right).status("value") is True
    assert verify(game, right).status("best") is True
    wrong = {**right, "value": dict.fromkeys(found.players, 17)}
    assert verify(game, wrong).status("value") is False


@pytest.mark.parametrize("seed", range(0, 40, 8))
@pytest.mark.parametrize("players", ["A", "AB"])
def test_bounds_hold_the_average(seed: int, players: str):
    from gdl.solvers.budget import Budget
    from gdl.wings.theory.stochastic.average import AverageProcess

    game: Game[object] = gdl.loads(written(seed, players) + "utility is average\n").game
    rewards, found = game.promises.rewards, solve(game)
    assert rewards is not None and found.value is not None
    bounds = AverageProcess(game, rewards, Budget(None, None)).bounds()
    assert bounds is not None
    assert bounds[0] <= found.value[0] <= bounds[1]


def test_what_averages_are_not_found_for_is_refused():
    with pytest.raises(Refusal, match="policy-iteration does, for one player, or two opponents who move in turn"):
        solve(gdl.loads(LOOPS).game)
    three = "players A, B, C\nstate\n    n: 0..2\naction go\n    reward 1 to mover\nutility is average\n"
    with pytest.raises(Refusal, match="policy-iteration does"):
        solve(gdl.loads(three).game)
    alone = gdl.loads("players A\nstate\n    n: 0..1\naction go\n    reward 1 to A\nutility is average\n")
    with pytest.raises(Refusal, match="minimax needs a game whose ends pay everything"):
        solve(alone.game, "minimax")


def test_two_classes_have_averages_of_their_own():
    text = (
        "players A\nstate\n    n: 0..2\naction left when n = 0\n    n := 1\naction right when n = 0\n    n := 2\n"
        "action on when n > 0\n    reward n to A\nutility is average\n"
    )
    found = solve(gdl.loads(text).game)
    assert (found.value, found.best) == ((2,), ("right",))


def test_what_begins_better_is_best_of_equal_averages():
    text = (
        "players A\nstate\n    n: 0..1\naction poor when n = 0\n    n := 1\naction rich when n = 0\n    n := 1\n"
        "    reward 5 to A\naction on when n = 1\n    reward 1/3 to A\nutility is average\n"
    )
    found = solve(gdl.loads(text).game)
    assert (found.value, found.best) == ((Fraction(1, 3),), ("rich",))


def test_a_variant_takes_the_place_of_what_its_game_says_of_late_gains():
    """By the line said again, or by a discount."""
    text = """
        players R
        state
            at: 0..1
        action stay
            reward (if at = 0 then 1 else 2) to R
        action swap
            at := 1 - at
        utility is average
        utility is cost
        variant again
            utility is average
            utility is cost
        variant late
            discount 1/2
    """
    games = [gdl.loads(dedent(text), variant=variant).game for variant in (None, "again", "late")]
    assert [game.promises.rewards.average for game in games] == [True, True, False]
    assert [solve(game).value for game in games] == [(0,)] * 3

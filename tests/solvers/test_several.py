"""Mixed equilibria of three players and more: published ones, exact roots, and a judge that knows nothing of supports."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from games_by_hand import matrix
from tables import random_table
from verification import verify

import gdl
from gdl.formats.answer import to_object
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria import mixed_of_several
from gdl.solvers.equilibria.mixed_of_several import path_mixtures
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.strategic_form import strategic_form

HALF = Fraction(1, 2)


def pennies() -> Any:
    """Jordan 1993: Ann wants to match Bob, Bob to match Cid, and Cid to differ from Ann."""
    cells = {
        joint: tuple(1 if wins else -1 for wins in (joint[0] == joint[1], joint[1] == joint[2], joint[2] != joint[0]))
        for joint in product("ht", repeat=3)
    }
    return matrix("pennies", ("Ann", "Bob", "Cid"), ("ht",) * 3, cells)


def volunteers(*costs: Any) -> Any:
    """Each has 4 if somebody volunteers, and nothing otherwise; who does pays for it."""
    cells = {
        joint: tuple(4 - cost * (act == "do") if "do" in joint else 0 for act, cost in zip(joint, costs, strict=True))
        for joint in product(("do", "wait"), repeat=len(costs))
    }
    names = ("Ann", "Bob", "Cid", "Dan")[: len(costs)]
    return matrix("volunteers", names, (("do", "wait"),) * len(costs), cells)


def mixtures(found: Solution) -> list[list[list[Any]]]:
    return [[list(one[player]["start"].values()) for player in found.players] for one in found.equilibria]


def test_pennies_for_three() -> None:
    found = solve(pennies(), concept="nash")
    assert found.exact and mixtures(found) == [[[HALF, HALF]] * 3]
    assert found.payoffs == ((0, 0, 0),) and found.regret == (0, 0, 0)
    assert verify(pennies(), to_object(found)).ok


def test_three_volunteers() -> None:
    """Diekmann 1985: each waits with the chance (c / b) ^ (1 / (n - 1)), here the root of a quarter."""
    found = solve(volunteers(1, 1, 1))
    assert [[HALF, HALF]] * 3 in mixtures(found)
    assert len(found.equilibria) == 7 and found.exact  # three pure, three in which one waits, one in which all mix


def test_four_volunteers_with_a_number_that_is_no_fraction() -> None:
    found = solve(volunteers(1, 1, 1, 1))
    wanted = (1 / 4) ** (1 / 3)
    assert any(all(abs(float(own[1]) - wanted) < 1e-15 for own in one) for one in mixtures(found))
    assert not found.exact and max(found.regret or ()) < Fraction(1, 10**12)


def test_irrational_roots_are_told_exactly() -> None:
    game = volunteers(Fraction(3, 2), 1, 1)
    found = solve(game)
    assert not found.exact and found.rounded
    (told,) = [roots for roots in found.roots if roots]
    assert set(told) == {"Ann", "Bob", "Cid"}
    by_player = dict(zip(found.players, mixtures(found)[-1], strict=True))
    for player, own in told.items():
        for place, root in enumerate(own.values()):
            value = by_player[player][place]
            assert root.low <= value <= root.high and root.high - root.low < Fraction(1, 10**12)
            at = [sum(c * x**k for k, c in enumerate(root.polynomial)) for x in (root.low, root.high)]
            assert at[0] * at[1] < 0  # it changes its sign between the ends
    answer = to_object(found)
    assert [bool(roots) for roots in answer["algebraic"]] == [bool(roots) for roots in found.roots]
    floats = [
        chance
        for one in answer["equilibria"]
        for own in one.values()
        for chance in own.values()
        if isinstance(chance, float)
    ]
    assert len(floats) == 6 and all(0 < chance < 1 for chance in floats)
    assert verify(game, answer).ok


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sizes", [(2, 2, 2), (2, 3, 2), (2, 2, 2, 2)])
def test_random_tables_have_an_equilibrium_that_is_one(sizes: tuple[int, ...]) -> None:
    without = 0
    for seed in range(12):
        game, cells = random_table(seed, *sizes, most=9)
        found = solve(game, "nash")
        for one in mixtures(found):
            assert all(sum(own) == 1 and min(own) >= 0 for own in one)
            for p, size in enumerate(sizes):
                pays = [Fraction(0)] * size
                for cell, vector in cells.items():
                    weight = Fraction(1)
                    for q, k in enumerate(cell):
                        weight *= 1 if q == p else one[q][k]
                    pays[cell[p]] += weight * vector[p]
                got = sum(share * payoff for share, payoff in zip(one[p], pays, strict=True))
                assert max(pays) - got <= (0 if found.exact else Fraction(1, 10**12))
        without += not found.equilibria
        assert verify(game, to_object(found)).ok
    assert not without


def test_where_supports_are_too_many_paths_lead_on() -> None:
    form = strategic_form(explore(pennies()))
    assert next(path_mixtures(form, 1, Budget())).mixes == ((HALF, HALF),) * 3


def _random_nfg(sizes: tuple[int, ...], seed: int) -> Any:
    dice = random.Random(seed * 97 + len(sizes) + sizes[0])
    payoffs = " ".join(str(dice.randint(0, 40)) for _ in range(prod(sizes) * len(sizes)))
    players = " ".join(f'"P{k}"' for k in range(len(sizes)))
    return gdl.loads(f'NFG 1 R "r" {{ {players} }} {{ {" ".join(map(str, sizes))} }}\n{payoffs}\n', "r.nfg").game


@pytest.mark.thorough_of("sizes0-1-5")
@pytest.mark.parametrize(
    "sizes, seed, least",
    [  # as many as gnm and enumpoly of Gambit (pygambit 17) find together, or more
        ((3, 3, 3), 1, 5),
        ((3, 3, 3), 2, 3),
        pytest.param((3, 3, 3, 3), 1, 11, marks=pytest.mark.thorough),
        pytest.param((4, 4, 4), 1, 12, marks=pytest.mark.thorough),
        pytest.param((4, 4, 4), 2, 4, marks=pytest.mark.thorough),
    ],
)
def test_no_fewer_equilibria_than_gambit_finds(sizes: tuple[int, ...], seed: int, least: int) -> None:
    game = _random_nfg(sizes, seed)
    found = solve(game, "nash")
    assert len(found.equilibria) >= least and not found.complete
    assert verify(game, to_object(found)).ok


@pytest.mark.thorough
def test_of_many_supports_the_small_ones_are_looked_at() -> None:
    every = (tuple(range(5)),) * 3
    looked = list(mixed_of_several.small_supports(every))
    assert len(looked) == len(set(looked)) == mixed_of_several.MOST_SUPPORTS
    totals = [sum(map(len, support)) for support in looked]
    assert totals == sorted(totals) and totals[-1] == 6
    note = next(note for note in solve(_random_nfg((5, 5, 5), 1), "nash").notes if note.startswith("Mixed"))
    assert "looked for in 4,000 of 29,791 supports" in note


@pytest.mark.thorough
def test_an_even_number_of_equilibria_is_looked_into():
    """A table without ties has an odd number of equilibria: further rays are followed, and what is missing is told."""
    for seed in (1, 3):
        found = solve(_random_nfg((3, 3, 3), seed), "nash")
        told = any("one at least is missing" in note for note in found.notes)
        assert told == (len(found.equilibria) % 2 == 0)

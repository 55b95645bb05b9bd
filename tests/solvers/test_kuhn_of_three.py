"""Kuhn's game for three: the published family of equilibria, and whether what is found lies in it.

A card of j is played in one of four situations: nobody has bet; the one before has; another has, and one folded; another
has, and one called. `b21` is how often the second player bets, or calls, with the card 2 in situation 1.

Source: Szafron, Gibson and Sturtevant, A parameterized family of equilibrium profiles for three-player Kuhn poker, 2013.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

import gdl
from gdl.solution import Profile
from gdl.solvers import solve
from gdl.solvers.equilibria.behaviour import read_profile
from gdl.solvers.equilibria.cfr import CFR
from gdl.solvers.equilibria.positions import PositionGraph, explore
from gdl.solvers.equilibria.regret import judge

Number = Any  # a fraction, or a float where it was found
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
FREE = ("c11", "b11", "b21", "b23", "b32", "c33", "c34")  # all others follow
ALWAYS = {f"{who}4{situation}" for who in "abc" for situation in (2, 3, 4)} | {"c41"}  # the highest card


@cache
def positions() -> PositionGraph:
    return explore(gdl.load("kuhn", settings={"seats": "3", "cards": "4"}))


def following(free: Mapping[str, Number]) -> dict[str, Number]:
    """The probabilities of all 48 situations that go with the free ones."""
    b11, b21 = free["b11"], free["b21"]
    every: dict[str, Number] = {
        f"{who}{card}{situation}": Fraction(0) for who, card, situation in product("abc", range(1, 5), range(1, 5))
    }
    every |= dict.fromkeys(ALWAYS, Fraction(1))
    every |= {"a33": HALF, "b41": 2 * (b11 + b21), "c21": HALF - free["c11"]}
    every["b33"] = HALF + (b11 + b21 + max(b11, b21)) / 2 - free["b23"] * (1 - b21)
    return every | dict(free)


def excesses(free: Mapping[str, Number]) -> Iterator[Number]:
    """By how much the free ones break their bounds; none is above zero of a member of the family."""
    c11, b11, b21 = free["c11"], free["b11"], free["b21"]
    most = HALF + (3 * (b11 + b21) + max(b11, b21)) / 4
    yield from (-amount for amount in free.values())
    yield from (free["b32"] - most, HALF - free["b32"] - free["c33"], free["c33"] + free["b32"] - most)
    yield from (c11 - HALF, free["b23"] - max(0, (b11 - b21) / (2 * (1 - b21))), free["c34"] - 1)
    never = [b21 - QUARTER, b11 - b21, c11]
    seldom = [b11 - QUARTER, abs(b11 - b21), c11 - (2 - b11) / (3 + 4 * b11) if b11 > Fraction(1, 6) else 0]
    often = [b11 - QUARTER, b21 - b11, b21 - (HALF - 2 * b11), HALF - c11]
    yield min(map(max, (never, seldom, often)))


def member(dice: random.Random, kind: int) -> dict[str, Number]:
    """One of the family, of each of its three parts."""

    def up_to(most: Fraction) -> Fraction:
        return most * dice.randint(0, 12) / 12

    high, c11 = up_to(QUARTER), (Fraction(0), QUARTER, HALF)[kind]
    b11, b21 = ((up_to(high), high), (high, high), (high, up_to(min(high, HALF - 2 * high))))[kind]
    most = HALF + (3 * (b11 + b21) + max(b11, b21)) / 4
    b32 = up_to(min(most, Fraction(1)))
    c33 = max(Fraction(0), HALF - b32) + up_to(min(most - b32, most - HALF))
    b23 = up_to(max(Fraction(0), (b11 - b21) / (2 * (1 - b21))))
    return {"c11": c11, "b11": b11, "b21": b21, "b23": b23, "b32": b32, "c33": c33, "c34": up_to(Fraction(1))}


def place(player: int, name: str) -> str:
    """`b21` of an information set."""
    found = re.match(r"card\[P\d\]=(\d)", name)
    assert found is not None
    last = name.rpartition(", ")[2]
    situation = 1 if "bettor" not in name else 3 if last == "…" else 2 if "bettor" in last else 4
    return f"{'abc'[player]}{found[1]}{situation}"


def profile_of(every: Mapping[str, Number]) -> Profile:
    found: dict[str, dict[str, Any]] = {player: {} for player in positions().players}
    for one in positions().information_sets:
        share = every[place(one.player, one.name)]
        bold = "bet" if "bet" in one.actions else "call"
        found[positions().players[one.player]][one.name] = {
            action: share if action == bold else 1 - share for action in one.actions
        }
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", [0, 1, 2])
def test_nobody_gains_by_leaving_a_member_of_the_family(kind: int) -> None:
    """And what they pay depends on how often the second player bluffs alone: what the first loses the third gains."""
    for seed in range(12):
        free = member(random.Random(seed), kind)
        assert max(excesses(free)) <= 0, free
        judgement = judge(positions(), read_profile(positions(), profile_of(following(free))))
        assert not any(judgement.regret), free
        bluffs = max(free["b11"], free["b21"])
        assert judgement.value == (-(HALF + bluffs) / 24, Fraction(-1, 48), (1 + bluffs) / 24), free


@pytest.mark.thorough
def test_what_regret_minimisation_finds_lies_in_the_family() -> None:
    """But for a thousandth, as is fit where somebody could still gain some hundred-thousandths."""
    solution = CFR.run(gdl.load("kuhn", settings={"seats": "3", "cards": "4"}), regret=Fraction(1, 100_000))
    assert solution.strategy is not None and solution.regret is not None and max(solution.regret) < Fraction(1, 1000)
    found: dict[str, Number] = {}
    for one in positions().information_sets:
        mixture = solution.strategy[positions().players[one.player]][one.name]
        found[place(one.player, one.name)] = float(mixture["bet"] if "bet" in mixture else mixture["call"])
    assert len(found) == 48
    free = {name: found[name] for name in FREE}
    assert max(excesses(free)) < 0.002, free
    apart = {name: abs(found[name] - share) for name, share in following(free).items()}
    assert max(apart.values()) < 0.005, max(apart, key=lambda name: apart[name])


@pytest.mark.thorough
def test_logit_equilibria_lead_to_a_member_of_the_family() -> None:
    game = gdl.load("kuhn", settings={"seats": "3", "cards": "4"})
    found = solve(game, concept="nash")
    assert found.solver == "logit" and found.exact and not any(found.regret or (1,))
    behaviour = read_profile(positions(), found.equilibria[0])
    shares: dict[str, Number] = {}
    for one, row in zip(positions().information_sets, behaviour, strict=True):
        assert row is not None
        shares[place(one.player, one.name)] = row[one.actions.index("bet" if "bet" in one.actions else "call")]
    free = {name: shares[name] for name in FREE}
    assert max(excesses(free)) <= 0, free
    assert shares == following(free)

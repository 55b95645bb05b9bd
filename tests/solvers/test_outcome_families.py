"""Equilibria in families: by their outcomes, with what may vary where play does not lead."""

from __future__ import annotations

import random
from fractions import Fraction as F
from typing import Any

import pytest
from games_by_hand import dealt
from trees import node, tree
from verification import verify

import gdl
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.equilibria.regret import regret

A, B, C = node("A"), node("B"), node("C")
ENTRY = tree(A(out=(2, 2), enter=B(fight=(0, 0), share=(3, 1))), ("A", "B"), "entry")


def altered(answer: dict[str, Any], **changes: Any) -> dict[str, Any]:
    first, *others = answer["groups"]
    return {**answer, "groups": [{**first, **changes}, *others]}


def test_the_threat_of_an_entry_game_may_be_softer() -> None:
    """Selten 1978: entry is deterred as long as a fight is likely enough, here by 1/3 or more."""
    found = solve(ENTRY, "nash")
    (stays, enters) = found.families
    assert stays.outcome == (("out", 1),) and stays.payoffs == (2, 2) and len(stays.members) == 2
    assert [(one.action, one.low, one.high) for one in stays.free] == [("fight", F(1, 3), 1)]
    assert enters.members == (1,) and not enters.free
    assert "    free: B, fight at enter in [1/3, 1]" in str(found).splitlines()
    answer = to_object(found)
    assert verify(ENTRY, answer).ok
    free = answer["groups"][0]["free"][0]
    for wrong in (
        altered(answer, members=[0]),
        altered(answer, members=[1, 2]),
        altered(answer, outcome={"enter > share": 1}),
        altered(answer, payoffs={"A": 2, "B": 1}),
        altered(answer, free=[{**free, "interval": ["1/4", 1]}]),
        altered(answer, free=[{**free, "interval": ["1/3", "1/2"]}]),
    ):
        assert not verify(ENTRY, wrong).ok


def test_both_ends_of_what_is_free_among_three_actions_are_found_and_checked() -> None:
    """A stays out as long as B plays l and m with 1/3 or more each, also where l would do with less than it has."""
    replies = {"l": (1, -2), "m": (-2, 1), "z": (1, 1)}
    enter = B(**{action: A(x=(x, 0), y=(y, 0), infoset="s") for action, (x, y) in replies.items()})
    game = tree(A(out=(0, 1), enter=enter), ("A", "B"), "three")
    found = solve(game, "nash")
    (deterred,) = (family for family in found.families if family.payoffs == (0, 1))
    ranges = [(one.action, one.low, one.high) for one in deterred.free]
    assert ranges[:2] == [("l", F(1, 3), F(2, 3)), ("m", F(1, 3), F(2, 3))]
    answer = to_object(found)
    assert verify(game, answer).ok
    for group in answer["groups"]:
        for free in group.get("free", ()):
            free["interval"][0] = str(F(free["interval"][0]) + F(1, 1000))
            assert not verify(game, answer).ok
            free["interval"][0] = str(F(free["interval"][0]) - F(1, 1000))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(40))
def test_what_is_free_in_random_games_is_so_by_the_judge(seed: int) -> None:
    game = dealt(random.Random(seed))
    found = solve(game, "nash")
    assert sorted(k for one in found.families for k in one.members) in ([], list(range(len(found.equilibria))))
    assert verify(game, to_object(found)).ok
    for family in found.families:
        profile = found.equilibria[family.members[0]]
        for free in family.free:
            row = profile[free.player][free.set]
            assert free.low <= row[free.action] <= free.high
            for k in range(5):
                chance = free.low + F(k, 4) * (free.high - free.low)
                rest = 1 - F(row[free.action])
                new = {
                    action: chance if action == free.action else (1 - chance) * (p / rest if rest else 1)
                    for action, p in row.items()
                }
                sets = {**profile[free.player], free.set: new}
                assert regret(game, {**profile, free.player: sets}).value == family.payoffs
                assert not any(regret(game, {**profile, free.player: sets}).regret)


def test_signals_are_told_by_what_comes_of_them() -> None:
    """Spence 1973, with two grades: fifteen and more equilibria that differ in beliefs have few outcomes."""
    pytest.importorskip("gdl.wings.theory")
    lines = ["players Worker, Firm", "tree", "    chance"]
    for name, cost, able in (("low", F(1), 1), ("high", F(1, 2), 2)):
        lines.append(f"        {name} 1/2: Worker {name}")
        for grade in (0, 1, 2):
            pays = ", ".join(f"w{w.numerator}{w.denominator}: ({w - grade * cost}, {-(w - able) ** 2})" for w in
                             (F(1), F(3, 2), F(2)))  # fmt: skip
            lines.append(f"            e{grade}: Firm in after{grade} ({pays})")
    game = gdl.loads("\n".join(lines) + "\n").game
    found = solve(game, concept="perfect-bayesian")
    assert len(found.families) < len(found.equilibria) / 2
    assert len({family.outcome for family in found.families}) == len(found.families)
    answer = to_object(found)
    assert verify(game, answer).ok
    one, two = answer["groups"][0]["members"], answer["groups"][1]["members"]
    swapped = [{**answer["groups"][0], "members": two}, {**answer["groups"][1], "members": one}, *answer["groups"][2:]]
    assert not verify(game, {**answer, "groups": swapped}).ok


FOUR_LEGS = """players A, B
tree
    A
        take: (1, 0)
        pass: B
            take: (0, 2)
            pass: A
                take: (3, 1)
                pass: B (take: (2, 4), pass: (5, 3))
"""


def test_ranges_that_hold_one_at_a_time_are_said_to():
    """At 2/3 for B's first move A may not pass later, nor B last: 5/3 > 1."""
    said = str(solve(gdl.loads(FOUR_LEGS).game, "nash"))
    assert said.count("    free, one at a time: ") == 3 and "    free: " not in said

"""The sequences that kernel code finds are those of the definition, and so is what a large profile is worth."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction as F
from typing import Any

import pytest
from random_hidden import written

import gdl
from gdl.commands import engines
from gdl.compiler import wasm
from gdl.errors import GameError, LimitReached
from gdl.solvers.equilibria import regret as judging
from gdl.solvers.equilibria import sequences as finding
from gdl.solvers.equilibria.behaviour import uniform_behaviour
from gdl.solvers.equilibria.positions import FlatPositions, explore
from gdl.solvers.equilibria.regret import complete_behaviour, judge
from gdl.solvers.equilibria.sequences import Sequences, by_definition, sequences
from gdl.wings.hidden.sequence_table import end_table
from gdl.wings.hidden.unfolding import Unfolding

ENGINES = ["python", *(["wasm"] if wasm.available() else [])]


def unfolded(game: Any, limit: int | None = None) -> FlatPositions:
    search = Unfolding(game, game.initial(), "python", limit=limit)
    for _ in search:
        pass
    return FlatPositions(search.flat())


def told(form: Sequences) -> tuple[Any, ...]:
    """All of it, what ends pay and how likely they are as fractions."""
    amounts = ([F(amount, form.under) for amount in part] for part in (form.paid, form.likely))
    return form.first, form.before, list(form.led), *amounts


@pytest.mark.thorough_of("leduc-python", "one_card_poker-python")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel", "one_card_poker", "bridge_ending", "dark_hex"])
def test_shipped_games(name: str, engine: str):
    positions = unfolded(gdl.load(name))
    found = end_table(positions.flat, engine)
    assert found is not None
    assert told(Sequences(positions, *found)) == told(by_definition(positions))


def led_differently(positions: FlatPositions) -> bool:
    """True if different own moves of a player lead to one position or to one set. (A player who has forgotten these
    moves but need not act any more has perfect recall by the definition.)"""
    ways: dict[int, tuple[tuple[int, ...], ...]] = {0: ((),) * len(positions.players)}
    before: dict[int, tuple[int, ...]] = {}
    for position, after in enumerate(positions.successors):
        for k, other in enumerate(after):
            led, h = list(ways[position]), positions.sets[position]
            if h is not None:
                player = positions.information_sets[h].player
                if before.setdefault(h, led[player]) != led[player]:
                    return True
                led[player] = (*led[player], h, k)
            if ways.setdefault(other, tuple(led)) != tuple(led):
                return True
    return False


def check(seed: int) -> bool:
    """The random game of that seed has the same; kernel code gives up just where own moves are lost."""
    with suppress(GameError, LimitReached):
        positions = unfolded(gdl.loads(written(seed), f"random {seed}").game, 2_000)
        found = end_table(positions.flat, ENGINES[seed % len(ENGINES)])
        assert (found is None) == led_differently(positions)
        assert found is None or told(Sequences(positions, *found)) == told(by_definition(positions))
        return True
    return False


@pytest.mark.thorough
def test_random_games():
    assert sum(map(check, range(8))) > 4


@pytest.mark.slow
@pytest.mark.parametrize("tens", range(20, 40))
def test_many_random_games(tens: int):
    for seed in range(10 * tens, 10 * tens + 10):
        check(seed)


LARGE = """
players Ann, Bob
state
    n: 0..4
    coin[1..4]: 0..1 visible to none
    over: 0..2
start toss
chance toss(c: 0..1) weight 1 + 1999993 * c
    n := n + 1
    coin[n] := c
    if n < 4
        next toss
    else
        next Ann
action guess(g: 1..2) unseen
    over := g
terminal
    over > 0 -> if coin[1] + coin[2] + coin[3] + coin[4] = over then 1 else 0
"""


def test_numbers_that_are_too_large():
    """A game whose numbers need more than 64 bits is solved by the definition."""
    game = gdl.loads(LARGE, "large.game").game
    positions = unfolded(game)
    assert end_table(positions.flat, "python") is None
    assert sequences(positions).under > 1 << 62


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["leduc", "goofspiel", "dark_hex", "bridge_ending"])
def test_profiles_are_judged_alike(monkeypatch: pytest.MonkeyPatch, name: str):
    """By plans, and by walking the positions."""
    positions = unfolded(gdl.load(name))
    lot = random.Random(name)
    for _ in range(3):
        behaviour = tuple(
            tuple(F(part, sum(parts)) for part in parts)
            for found in positions.information_sets
            for parts in [[lot.randrange(4) for _ in found.actions[1:]] + [1]]
        )
        monkeypatch.setattr(judging, "LARGE", 1 << 60)
        slow = judge(positions, behaviour)
        monkeypatch.setattr(judging, "LARGE", 0)
        monkeypatch.setattr(finding, "FLAT_POSITIONS", 0)
        assert judge(positions, behaviour) == slow
    assert judge(positions, uniform_behaviour(positions)).nash_conv > 0


def test_large_games_are_judged_by_plans_as_by_positions(monkeypatch: pytest.MonkeyPatch):
    """And strategies that are silent where their own moves exclude it are completed alike."""
    rng = random.Random(7)
    positions = explore(engines.offer(gdl.load("liars_dice", settings={"sides": "2"}), "wasm"))
    assert positions.flat is not None
    form, silent = sequences(positions), 0
    for _ in range(6):
        weights = [[rng.choice([0, 0, 0, 1, 2]) for _ in range(form.count(player))] for player in (0, 1)]
        behaviour = form.behaviour([[1, *plan[1:]] for plan in weights])
        silent += None in behaviour
        found = []
        for large in (0, positions.count):
            monkeypatch.setattr(judging, "LARGE", large)
            whole = complete_behaviour(positions, behaviour)
            found.append((whole, judge(positions, whole)))
        assert found[0] == found[1]
    assert silent > 2

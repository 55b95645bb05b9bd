"""The flat game of the compiled engine is the interpreter's: position by position, set by set, name by name."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from compiled_soon import slices_of
from random_hidden import written
from shipped import loaded, shipped

import gdl
from gdl.commands.engines import game_with_engine
from gdl.compiler import wasm
from gdl.errors import GameError, LimitReached, Refusal
from gdl.interpreter.position import Continuation
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.positions import FlatPositions, explore
from gdl.states import count
from gdl.states.flat import CHANCE, DECISION, UNOPENED
from gdl.wings.hidden.unfolding import Unfolding

ENGINES = ["python", *(["wasm"] if wasm.available() else [])]
FAST = "kuhn leduc goofspiel bridge_ending monty_hall one_card_poker repeated_prisoners cheat dark_hex".split()
SMALLER = {"for_sale": {"rounds": "1"}, "kriegspiel": {"plies": "2"}}  # of more positions than the core lists
HIDDEN = [name for name in sorted(gdl.shipped()) if name not in (*FAST, "scrabble")]  # that has too many in any size
MOST = 3_000  # positions of a random game


def flat(game: Any, engine: str, **limits: Any) -> FlatPositions:
    search = Unfolding(game, game.initial(), engine, **limits)
    for _ in search:
        pass
    return FlatPositions(search.flat())


def test_information_sets_are_compared_within_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of scrabble that took as long as the search."""

    def stop() -> None:
        raise LimitReached("the time is over")

    game = shipped("kuhn")
    search = Unfolding(game, game.initial(), ENGINES[-1])
    for _ in search:
        pass
    monkeypatch.setattr(Unfolding, "fixed_actions", False)
    with pytest.raises(LimitReached):
        search.flat(stop)


def hides(game: Any) -> bool:
    return getattr(getattr(game, "initial", lambda: None)(), "memories", None) is not None


@pytest.mark.thorough_of("cheat-wasm", "bridge_ending-python")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", FAST)
def test_shipped_games(name: str, engine: str):
    game = shipped(name)
    assert flat(game, engine) == explore(game)


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDDEN)
def test_all_shipped_games_with_something_hidden(name: str):
    game = loaded(name).game
    if not hides(game):
        pytest.skip("nothing is hidden")
    game = shipped(name, SMALLER.get(name))
    assert flat(game, ENGINES[-1]) == explore(game)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name, settings",
    [
        ("goofspiel", {"prizes": "descending", "bids": "hidden"}),
        ("kuhn", {"seats": 3, "cards": 4}),
        ("liars_dice", {"sides": 2}),
        ("liars_dice", {"dice": 2, "sides": 1}),
    ],
)
def test_with_settings(name: str, settings: dict[str, Any]):
    game = shipped(name, {k: str(v) for k, v in settings.items()})
    assert flat(game, ENGINES[-1]) == explore(game)


def same_on(engine: str, seed: int) -> None:
    """The random game of that seed has the same positions, or the same fault."""
    with suppress(GameError, Refusal):
        game = gdl.loads(written(seed), f"random {seed}").game
        assert told(lambda: flat(game, engine, limit=MOST)) == told(lambda: explore(game, Budget(MOST)))


def told(work: Any) -> Any:
    try:
        return work()
    except LimitReached:
        return "more than that"
    except GameError as fault:
        return str(fault)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("seed", range(6))
def test_random_games(seed: int):
    same_on("python", seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6, 150))
def test_many_random_games(seed: int):
    same_on(ENGINES[seed % len(ENGINES)], seed)


# Ann knows the coin where it shows heads, and only then; so do those who come to the position from elsewhere.
AFTER = """
players Ann, Bob
state
    coin: 1..2 visible to p when p = Ann and coin = 1
    told: Boolean
    over: 0..2
start flip
chance flip(c: 1..2)
    coin := c
    next Ann
action tell(c: 1..2) when not told seen by p when coin = 2 and p = Bob
    told := true
    next Bob
action guess(c: 1..2) when told unseen
    say c to Ann
    over := c
terminal
    over > 0 -> if over = coin then 1 else 0
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("after", ([], ["flip(2)"], ["flip(1)", "tell(2)"]))
def test_from_a_later_position_on(engine: str, after: list[str]):
    """Memories begin with what was learnt before."""
    game = gdl.loads(AFTER, "coin.game").game
    state = game.initial()
    for action in after:
        state = game.successor(state, action)
    search = Unfolding(game, state, engine)
    for _ in search:
        pass
    assert FlatPositions(search.flat()) == explore(Continuation(game, state))


UNLIKE = """
players Ann, Bob
state
    coin: 1..2 visible to p when p = Ann and not dark
    dark: Boolean
    over: Boolean
start flip
chance flip(c: 1..2)
    coin := c
    next Ann
action sleep when not dark unseen
    dark := true
    forget
    next mover
action stay when dark unseen
    over := true
action leave when dark and coin = 1 unseen
    over := true
terminal
    over -> 0
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_other_actions_in_one_information_set(engine: str):
    game = gdl.loads(UNLIKE, "unlike.game").game
    with pytest.raises(GameError, match=r"Ann cannot tell two positions of .* apart") as found:
        flat(game, engine)
    with pytest.raises(GameError) as known:
        explore(game)
    assert str(found.value) == str(known.value)


FAULTY = """
players Ann, Bob
state
    n: 0..3 visible to none
    plays: 0..9
action go(a: 1..2) unseen
    n := n + a
    plays := plays + 1
terminal
    plays = 9 -> 0
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_fault_is_told_with_its_play(engine: str):
    game = gdl.loads(FAULTY, "faulty.game").game
    with pytest.raises(GameError) as found:
        flat(game, engine)
    with pytest.raises(GameError) as known:
        explore(game)
    assert str(found.value) == str(known.value)
    assert "go(2)" in str(found.value)


def test_limits():
    game = shipped("liars_dice")
    with pytest.raises(LimitReached, match="more than 500 positions"):
        flat(game, ENGINES[-1], limit=500)
    with pytest.raises(LimitReached, match="fit in 1 MiB"):
        flat(game, ENGINES[-1], memory=1 << 20)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", ["kuhn", "goofspiel", "tic_tac_toe", "bridge_ending"])
def test_histories_are_counted_alike(name: str):
    game = shipped(name)
    assert Unfolding(game, game.initial(), ENGINES[-1]).histories() == count.histories(game)


def test_histories_so_far():
    game = shipped("liars_dice")
    with pytest.raises(LimitReached) as stop:
        Unfolding(game, game.initial(), ENGINES[-1], limit=2_000).histories()
    partial = stop.value.partial
    assert 2_000 < partial.histories < 3_000
    assert partial.chance == 7


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("engine", ENGINES)
def test_it_can_be_looked_at_before_it_is_done(engine: str):
    """Every position that was opened has all that follows it; then it goes on as if nobody had looked."""
    game = shipped("leduc")
    looks = 0
    with slices_of(7):
        search = Unfolding(game, game.initial(), engine)
        for _ in search:
            begun = search.flat_so_far()
            opened = [end > start for start, end in pairwise(begun.starts)]
            assert opened == [kind in (DECISION, CHANCE) for kind in begun.kinds]
            looks += UNOPENED in begun.kinds
    assert looks >= 2
    assert FlatPositions(search.flat()) == explore(game)


@pytest.mark.thorough
@pytest.mark.skipif(len(ENGINES) < 2, reason="wasmtime is not there")
def test_solvers_go_over_to_it(monkeypatch: pytest.MonkeyPatch):
    """A long walk is made by the engine; where the engine refuses, by the interpreter to the end."""
    game = game_with_engine(gdl.load("leduc").model)
    found = explore(game)
    assert isinstance(found, FlatPositions)
    assert found.count == 1939
    budget = Budget(1_000)
    with pytest.raises(LimitReached, match="stopped after 1,000 nodes"):
        explore(game, budget)

    def refused(*_: Any, **__: Any) -> Any:
        raise Refusal("the compiled engine does not take this")

    monkeypatch.setattr("gdl.wings.hidden.unfolding.Unfolding.__init__", refused)
    other = explore(game)
    assert not isinstance(other, FlatPositions)
    assert other == found


def test_earlier_positions_are_refused():
    game = gdl.load("awari")
    with pytest.raises(Refusal, match="asks for earlier positions"):
        flat(game, "python", limit=10)

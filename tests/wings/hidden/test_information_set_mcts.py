"""Search from positions that may be the case: what is known of small games, and that nobody knows more than they may."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from time import process_time

import pytest
from shipped import loaded

import gdl
import gdl.wings.hidden.information_set_mcts as search
from gdl.commands.engines import game_with_engine
from gdl.compiler import wasm
from gdl.compiler.compiled_engine import CompiledEngine
from gdl.errors import LimitReached
from gdl.game import Chance, Decision, Terminal, actions
from gdl.solution import Mixture
from gdl.solvers import solve
from gdl.solvers.equilibria.regret import regret
from gdl.states.game_wrapper import GameWithEngine
from gdl.states.possible import Possible
from gdl.states.sequential import Sequential, Turn
from gdl.wings.hidden import sampled_estimate
from gdl.wings.hidden.common_knowledge import MOST_ACTIONS_FOLLOWED, find_common_knowledge
from gdl.wings.hidden.drawn_plays import PlayDrawer
from gdl.wings.hidden.information_set_mcts import Advice, InformationSetMcts

ENGINES = ["python", *(["wasm"] if wasm.available() else [])]


def at(name: str, *played: str, **settings: str) -> tuple[Sequential, Turn, int]:
    """The game, the position after these plies, and whose turn it is."""
    text, shown = gdl.read(name)
    turns = Sequential(gdl.loads(text, shown, settings=settings).game)
    state = turns.initial()
    for action in played:
        state = turns.successor(state, action)
    node = turns.node(state)
    assert isinstance(node, Decision)
    return turns, state, node.player


def advised(name: str, *played: str, simulations: int = 2000, **settings: str) -> Advice:
    found = InformationSetMcts(Possible(*at(name, *played, **settings)), 1).advise(simulations)
    assert found is not None
    assert found.simulations == simulations >= sum(found.visits) >= simulations // 2
    return found


@pytest.mark.parametrize(
    ("name", "played", "action"),
    [
        ("kuhn", ("deal(1)", "deal(2)", "check", "bet"), "fold"),
        ("kuhn", ("deal(3)", "deal(2)", "check", "bet"), "call"),
        ("liars_dice", ("roll 2", "roll 5", "bid(2, 4)"), "liar"),
        ("two_roads", ("jewels_left",), "A"),  # who averages over clairvoyants takes B
        ("two_roads", ("jewels_right",), "A"),
        ("beer_quiche", ("strong",), "beer"),
        ("monty_hall", ("hide(left)", "middle", "show(right)"), "switch"),
        ("prisoners", (), "betray"),
        ("prisoners", ("silent",), "betray"),
    ],
)
def test_what_is_best_is_played(name: str, played: Sequence[str], action: str) -> None:
    found = advised(name, *played)
    assert found.actions[found.best] == action
    assert list(found.mixture()) == [action]


@pytest.mark.thorough
def test_where_one_must_not_be_foreseen_one_is_not() -> None:
    found = advised("rock_paper_scissors", simulations=6000)
    assert set(found.mixture()) == {"rock", "paper", "scissors"}
    assert min(found.visits) > 1000


BLUFF = """players Ann, Bob
type Hand = low, high
type Answer = fold, call
state
    hand: Hand? visible to p when p = Ann
    bet: Boolean
    answer: Answer?
    checked: Boolean
start deal
chance deal(h: Hand)
    hand := h
    next Ann
action raises when not bet
    bet := true
    next Bob
action checks when not bet
    checked := true
action answers(a: Answer) as "{a}" when bet
    answer := a
terminal
    checked -> (if hand = high then 1 else -1, if hand = high then -1 else 1)
    answer = fold -> win Ann
    answer = call -> (if hand = high then 2 else -2, if hand = high then -2 else 2)
"""  # with a high hand Ann raises, with a low one every third time, and Bob calls two times in three: worth 1/3 to Ann


def bluffing(hand: str, simulations: int = 20_000, seed: int = 1) -> tuple[InformationSetMcts, Advice]:
    """Ann's recommended action with a hand, and the visits of all actions."""
    turns = Sequential(gdl.loads(BLUFF).game)
    state = turns.successor(turns.initial(), f"deal({hand})")
    found = InformationSetMcts(Possible(turns, state, 0), seed)
    advice = found.advise(simulations)
    assert advice is not None
    return found, advice


@pytest.mark.thorough
def test_others_do_not_come_to_know_the_hand_of_the_player() -> None:
    """Bob expects the same after a raise whatever Ann has; if he knew her hand, he would always answer right."""
    worths = []
    for hand in ("low", "high"):
        found, _ = bluffing(hand)
        (after_raise,) = (tried for (player, _), tried in found.tried.items() if player == 1)
        assert min(after_raise.visits) > sum(after_raise.visits) / 10  # neither answer is always right
        worths.append(sum(after_raise.totals) / sum(after_raise.visits))
    assert worths == pytest.approx([-1.0, -1.0], abs=0.2)


@pytest.mark.thorough
def test_who_can_bluff_does() -> None:
    """Ann gets 1 with a high hand that nobody believes, and loses all with a low one that is seen through."""
    _, low = bluffing("low")
    _, high = bluffing("high")
    assert 0.15 < low.visits[0] / sum(low.visits) < 0.6
    assert list(high.mixture()) == ["raises"]
    value = sum(sum(v * m for v, m in zip(a.visits, a.means, strict=True)) / sum(a.visits) for a in (low, high)) / 2
    assert value == pytest.approx(1 / 3, abs=0.1)


def test_the_same_seed_finds_the_same() -> None:
    assert bluffing("low", 500)[1] == bluffing("low", 500)[1] != bluffing("low", 500, seed=2)[1]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["kuhn", "cheat", "blind_tic_tac_toe", "battleships", "stratego", "goofspiel"])
def test_what_is_hidden_makes_no_difference(name: str) -> None:
    """In all positions that the player cannot tell apart they are advised the same."""
    random = Random(name)
    turns, state = Sequential(loaded(name).game), Sequential(loaded(name).game).initial()
    while not isinstance(node := turns.node(state), Terminal):
        if isinstance(node, Chance):
            state = turns.successor(state, random.choice(node.outcomes)[0])
            continue
        assert isinstance(node, Decision)
        belief = Possible(turns, state, node.player).all()
        assert belief is not None
        found = InformationSetMcts(Possible(turns, state, node.player), 3).advise(100)
        assert found is not None
        assert found.actions == node.actions
        assert found.complete
        assert found.positions == len({turn.state for turn in belief.weights})
        for other in list(belief.weights)[-3:]:
            assert InformationSetMcts(Possible(turns, other, node.player), 3).advise(100) == found
        state = turns.successor(state, random.choice(node.actions))


def on_engine(turns: Sequential, state: Turn, player: int, engine: str, simulations: int = 3_000) -> Advice:
    """The result of simulations on an engine."""
    game = GameWithEngine(turns.game, CompiledEngine(turns.game, turns.game.initial(), engine))  # type: ignore[arg-type]
    found = InformationSetMcts(Possible(Sequential(game), state, player), 3)
    found.find_starts(inf)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CompiledEngine, "fast", True)
        advice = found.advise_compiled(inf, simulations)
    assert advice is not None
    assert advice.simulations == simulations >= sum(advice.visits) >= simulations // 2
    return advice


@pytest.mark.thorough_of(
    "liars_dice-played2-liar-python",
    "monty_hall-played3-switch-python",
    "kuhn-played1-call-python",
    "kuhn-played0-fold-python",
    "liars_dice-played2-liar-wasm",
    "repeated_prisoners-played4-betray-python",
)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "played", "action"),
    [
        ("kuhn", ("deal(1)", "deal(2)", "check", "bet"), "fold"),
        ("kuhn", ("deal(3)", "deal(2)", "check", "bet"), "call"),
        ("liars_dice", ("roll 2", "roll 5", "bid(2, 4)"), "liar"),
        ("monty_hall", ("hide(left)", "middle", "show(right)"), "switch"),
        ("repeated_prisoners", (), "betray"),
    ],
)
def test_the_engine_finds_what_is_best(name: str, played: Sequence[str], action: str, engine: str) -> None:
    found = on_engine(*at(name, *played), engine)
    assert found.actions[found.best] == action


@pytest.mark.thorough_of("4000-python", "4000-wasm")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("most", [MOST_ACTIONS_FOLLOWED, 0])
def test_nobody_comes_to_know_the_hand_on_an_engine(engine: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Bob knew it a low hand would lose 2 by raising, and a high one win 1. Nor does he where common knowledge is too
    much to be looked at."""
    monkeypatch.setattr(search, "find_common_knowledge", lambda *given: find_common_knowledge(*given[:3], most))
    turns = Sequential(gdl.loads(BLUFF).game)
    for hand, worth in (("low", -1.0), ("high", 5 / 3)):
        state = turns.successor(turns.initial(), f"deal({hand})")
        assert on_engine(turns, state, 0, engine).means[0] == pytest.approx(worth, abs=0.4)


@pytest.mark.thorough
@pytest.mark.skipif(len(ENGINES) < 2, reason="wasmtime is not there")
def test_more_plays_come_nearer_to_an_equilibrium() -> None:
    """All players together gain 0.022 at most by deviating from what is advised in the turns of Kuhn poker."""
    game = game_with_engine(gdl.load("kuhn").model)
    turns, profile = Sequential(game), {player: dict[str, Mixture]() for player in game.players}
    todo = [turns.initial()]
    while todo:
        state = todo.pop()
        node = turns.node(state)
        todo += [turns.successor(state, action) for action in actions(node)]
        if isinstance(node, Decision):
            found = InformationSetMcts(Possible(turns, state, node.player), 1)
            found.find_starts(inf)
            advice = found.advise_compiled(inf, 10_000)
            assert advice is not None
            weights = advice.mixture()
            shares = {action: weight / sum(weights.values()) for action, weight in weights.items()}
            profile[game.players[node.player]][turns.describe(state, node.player)] = shares
    assert regret(game, profile).nash_conv < 0.05  # by visits alone it was 0.2


@pytest.mark.one_in(5)
@pytest.mark.skipif(len(ENGINES) < 2, reason="wasmtime is not there")
@pytest.mark.parametrize("name", ["kuhn", "goofspiel", "bridge_ending", "dark_hex", "kriegspiel"])
def test_every_engine_simulates_the_same(name: str) -> None:
    turns = Sequential(loaded(name).game)
    state = turns.initial()
    while isinstance(node := turns.node(state), Chance):
        state = turns.successor(state, node.outcomes[-1][0])
    assert isinstance(node, Decision)
    one, other = (on_engine(turns, state, node.player, engine, 300) for engine in ENGINES)
    assert one == other


@pytest.mark.thorough
@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", ["kuhn", "cheat", "blind_tic_tac_toe", "stratego", "kriegspiel"])
def test_the_engine_sees_nothing_hidden(name: str) -> None:
    """In all positions that the player cannot tell apart they are advised the same."""
    random = Random(name)
    turns, state = Sequential(loaded(name).game), Sequential(loaded(name).game).initial()
    for _ in range(6):
        node = turns.node(state)
        if isinstance(node, Terminal):
            break
        if isinstance(node, Chance):
            state = turns.successor(state, random.choice(node.outcomes)[0])
            continue
        assert isinstance(node, Decision)
        belief = Possible(turns, state, node.player).all()
        assert belief is not None
        found = on_engine(turns, state, node.player, ENGINES[-1], 200)
        assert found.actions == node.actions
        for other in list(belief.weights)[-3:]:
            assert on_engine(turns, other, node.player, ENGINES[-1], 200) == found
        state = turns.successor(state, random.choice(node.actions))


@pytest.mark.thorough
def test_of_very_many_positions_some_are_drawn() -> None:
    found = advised("liars_dice", "roll 1 2 3 4", "roll 1 2 3 4", simulations=200, dice="4")
    assert not found.complete
    assert 20 <= found.positions <= search.SAMPLE


def test_where_no_position_is_found_nothing_is_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "find_common_knowledge", lambda *given: None)
    monkeypatch.setattr(PlayDrawer, "draw", lambda self, random: None)
    monkeypatch.setattr(PlayDrawer, "walk", lambda self, random, most: iter(()))

    class Unknown(Possible):
        def all(self) -> None:
            return None

    assert InformationSetMcts(Unknown(*at("kuhn", "deal(1)", "deal(2)")), 1).advise(10) is None


def test_the_time_is_kept(no_collection: None) -> None:
    search = InformationSetMcts(Possible(*at("liars_dice", "roll 2", "roll 5")), 1)
    started = process_time()
    found = search.advise(time=0.3)
    assert found is not None
    assert found.simulations > 50
    assert process_time() - started < 1


def test_endless_simulations_end() -> None:
    text = """players A, B
state
    secret: Boolean visible to none
chance deal(b: Boolean)
    secret := b
    next A
start deal
action wait
action leave(b: Boolean) when true
    secret := b
    next stop
chance stop
terminal
    forever -> draw
"""
    game = gdl.loads(text.replace("chance stop\n", 'chance stop as "on"\n')).game
    turns = Sequential(game)
    state = turns.successor(turns.initial(), turns.node(turns.initial()).outcomes[0][0])  # type: ignore[union-attr]
    found = InformationSetMcts(Possible(turns, state, 0), 1).advise(3)
    assert found is not None
    assert set(found.means) == {0.0}


def test_simulations_by_the_interpreter_end_with_their_plies() -> None:
    search = InformationSetMcts(Possible(*at("liars_dice", "roll 2", "roll 5")), 1)
    found = search.advise(2_000, most=50)
    assert found is not None and 50 <= search.plies < 100 and found.simulations < 50


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.skipif(len(ENGINES) < 2, reason="wasmtime is not there")
@pytest.mark.parametrize("solver", ["sequence-form", "cfr"])
def test_where_positions_are_too_many_there_is_an_estimate(monkeypatch: pytest.MonkeyPatch, solver: str) -> None:
    monkeypatch.setattr(
        sampled_estimate, "_by_strategies", lambda game, budget, begun: None
    )  # as where somebody forgets
    with pytest.raises(LimitReached, match="stopped after 300 nodes") as stop:
        solve(game_with_engine(gdl.load("battleships").model), solver, nodes=300)
    answer = stop.value.partial
    assert not answer.exact
    assert -1 <= answer.value[0] <= 1
    assert answer.value[0] == -answer.value[1]
    assert len(answer.best) == 1
    (estimate,) = [note for note in answer.notes if "by 31 simulations" in note]  # as many as so few nodes allow
    assert "standard error of 0." in estimate


THREE = """
players A, B, C
state
    hand[Player]: 0..9 = 0 visible to owner
    said[Player]: 0..9 = 0
    round: 0..2 = 0
start deal
chance deal
    for p in Player
        choose n: 0..9
        hand[p] := n
    next everyone
action play(n: 0..9) unseen
    said[mover] := n
resolve
    round := round + 1
    next everyone
terminal
    round = 2 -> each p: said[p] - hand[p]
"""


@pytest.mark.parametrize("simulations", [1, 50])
@pytest.mark.parametrize("player", [0, 1, 2])
def test_the_first_simulation_meets_the_player(player: int, simulations: int) -> None:
    """The simulation ended where another, who learns nothing from it, acts at the same time: there was no advice."""
    turns = Sequential(gdl.loads(THREE, "three.game").game)
    state = turns.initial()
    node = turns.node(state)
    while not isinstance(node, Decision) or node.player != player:
        action = node.actions[0] if isinstance(node, Decision) else node.outcomes[0][0]
        state = turns.successor(state, action)
        node = turns.node(state)
    found = InformationSetMcts(Possible(turns, state, player), 1).advise(simulations)
    assert found is not None and found.simulations == simulations and sum(found.visits) > 0


def test_a_player_is_met_whose_opponent_acts_at_the_same_time() -> None:
    played = ["reveal(1)", "play(1)", "play(1)", "reveal(2)", "play(2)"]
    found = InformationSetMcts(Possible(*at("goofspiel", *played, n="3")), 1).advise(1)
    assert found is not None and sum(found.visits) > 0

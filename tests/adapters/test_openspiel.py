"""Games in OpenSpiel: its own random plays, and its algorithms."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from playable import games
from test_fitting import FIT

import gdl
from gdl.errors import GameError, Refusal
from gdl.game import Chance, Decision, Terminal, require_number
from gdl.solvers import solve
from gdl.states.sequential import Sequential

pyspiel = pytest.importorskip("pyspiel")
cfr, exploitability, external_sampling_mccfr, mcts = (
    pytest.importorskip(f"open_spiel.python.algorithms.{name}")
    for name in ("cfr", "exploitability", "external_sampling_mccfr", "mcts")
)
openspiel = pytest.importorskip("gdl.adapters.openspiel")
FEW = ["connect_four", "goofspiel", "kuhn", "pig", "seltens_horse", "subtraction"]
PAYS_ON_THE_WAY = "players Ann\nstate\n    at: 0..1\naction stay\n    reward 1 to Ann\naction leave\n    at := 1\nterminal\n    at = 1 -> 0\ndiscount 1/2\n"


@pytest.mark.parametrize("name", FEW)
def test_a_game_is_played_at_random(name: str):
    pyspiel.random_sim_test(openspiel.game_of(games(name)[0]), num_sims=2, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["kuhn", "seltens_horse", "subtraction"])
def test_states_of_a_game_by_name_are_written_on_the_way(name: str):
    pyspiel.random_sim_test(pyspiel.load_game(f"gdl(game={name})"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", FIT)
def test_every_game_that_fits_is_played_at_random(name: str):
    pyspiel.random_sim_test(openspiel.game_of(games(name)[0]), num_sims=1, serialize=False, verbose=False)


def test_a_game_is_loaded_by_name():
    game = pyspiel.load_game("gdl(game=connect_four,settings=columns:4;rows:4)")
    assert game.num_distinct_actions() == 4 and game.get_type().information.name == "PERFECT_INFORMATION"
    state = game.new_initial_state()
    state.apply_action(2)
    assert state.current_player() == 1 and state.action_to_string(1, 0) == "drop(1)"
    assert state.observation_tensor(0) and "Y" in str(state)


def test_a_state_is_written_and_read():
    state = pyspiel.load_game("gdl(game=leduc,settings=,variant=)").new_initial_state()
    for number in (0, 2, 1):
        state.apply_action(number)
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state) and again.history() == [0, 2, 1]
    again.apply_action(again.legal_actions()[0])
    _, other = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert other.information_state_string(0) == state.information_state_string(0)
    with pytest.raises(Refusal, match="load the game by name"):
        pickle.dumps(openspiel.game_of(gdl.load("kuhn")).new_initial_state())


def test_a_game_is_named():
    with pytest.raises(GameError, match="no game is named"):
        pyspiel.load_game("gdl()")
    with pytest.raises(GameError, match="'columns' is no setting"):
        pyspiel.load_game("gdl(game=connect_four,settings=columns)")


def test_cfr_finds_the_value_of_kuhns_poker():
    game = pyspiel.load_game("gdl(game=kuhn)")
    search = cfr.CFRPlusSolver(game)
    for _ in range(60):
        search.evaluate_and_update_policy()
    policy = search.average_policy()
    assert exploitability.nash_conv(game, policy) < 0.02
    assert len(policy.state_lookup) == 12


@pytest.mark.slow
def test_external_sampling_learns_leduc():
    numpy = pytest.importorskip("numpy")
    numpy.random.seed(1)  # the solver draws from it
    game = pyspiel.load_game("gdl(game=leduc)")
    search = external_sampling_mccfr.ExternalSamplingSolver(game)
    before = exploitability.nash_conv(game, search.average_policy())
    for _ in range(300):
        search.iteration()
    assert exploitability.nash_conv(game, search.average_policy()) < before


def test_tree_search_wins_a_game_written_here():
    text = "players Ann, Bob\nstate\n    left: 0..21 = 10\naction take(n: 1..3) when n <= left\n    left := left - n\nterminal\n    left = 0 -> lose mover\n"
    game = gdl.loads(text).game
    spiel = openspiel.game_of(game)
    bot = mcts.MCTSBot(spiel, 2.0, 300, mcts.RandomRolloutEvaluator(1), random_state=_numbers(1))
    state = spiel.new_initial_state()
    assert state.action_to_string(0, bot.step(state)) in solve(game).best


def _numbers(seed: int) -> Any:
    import numpy

    return numpy.random.RandomState(seed)


def mean(state: Any) -> list[float]:
    """What random play is worth, reckoned by OpenSpiel's states."""
    if state.is_terminal():
        return list(state.returns())
    ways = state.chance_outcomes() if state.is_chance_node() else [(action, None) for action in state.legal_actions()]
    return summed([(chance or 1 / len(ways), mean(state.child(action))) for action, chance in ways])


def ours(game: Any, state: Any) -> list[float]:
    """The same by gdl's own."""
    match game.node(state):
        case Terminal(utilities):
            return [float(require_number(utility)) for utility in utilities]
        case Chance(outcomes):
            return summed([(float(chance), ours(game, game.successor(state, name))) for name, chance in outcomes])
        case Decision(_, actions):
            return summed([(1 / len(actions), ours(game, game.successor(state, name))) for name in actions])
    raise AssertionError


def summed(parts: list[tuple[float, list[float]]]) -> list[float]:
    return [sum(chance * part[player] for chance, part in parts) for player in range(len(parts[0][1]))]


@pytest.mark.parametrize("name", ["kuhn", "goofspiel", "seltens_horse", "matching_pennies"])
def test_all_plays_pay_what_the_rules_say(name: str):
    game = games(name)[0]
    turns = Sequential(game)
    expected = ours(turns, turns.initial())
    assert mean(openspiel.game_of(game).new_initial_state()) == pytest.approx(expected)


def test_what_pays_on_the_way_is_refused():
    with pytest.raises(Refusal, match="pays on the way"):
        openspiel.game_of(gdl.loads(PAYS_ON_THE_WAY).game)


@pytest.mark.parametrize("name", ["backgammon", "kuhn"])
def test_a_game_is_played_step_by_step(name: str):
    game = pyspiel.load_game(f"gdl(game={name},steps=true)")
    assert game.num_distinct_actions() < 40
    pyspiel.random_sim_test(game, num_sims=1, serialize=name == "kuhn", verbose=False)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    mover, known = state.current_player(), state.information_state_string(state.current_player())
    seen = state.observation_tensor(mover)
    state.apply_action(state.legal_actions()[0])
    if name == "backgammon":
        assert state.current_player() == mover and state.information_state_string(mover) != known
        assert state.observation_tensor(mover) != seen and "play: " in state.action_to_string(state.legal_actions()[0])


def test_values_are_alike_step_by_step():
    whole, steps = (pyspiel.load_game(f"gdl(game=kuhn{more})") for more in ("", ",steps=true"))
    uniform = pytest.importorskip("open_spiel.python.policy").UniformRandomPolicy
    assert exploitability.nash_conv(steps, uniform(steps)) == pytest.approx(
        exploitability.nash_conv(whole, uniform(whole))
    )

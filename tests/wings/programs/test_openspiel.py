"""Games in OpenSpiel: its own random plays, and its algorithms."""

from __future__ import annotations

import pickle
import random
import unittest
from typing import Any

import pytest
from playable import games
from test_fitting import FIT, UNFIT

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
openspiel = pytest.importorskip("gdl.wings.programs.openspiel")
numpy = pytest.importorskip("numpy")
api_test = pytest.importorskip("open_spiel.integration_tests.api_test")
games_sim_test = pytest.importorskip("open_spiel.python.tests.games_sim_test")
FEW = ["connect_four", "goofspiel", "kuhn", "pig", "seltens_horse", "subtraction"]
PAYS_ON_THE_WAY = "players Ann\nstate\n    at: 0..1\naction stay\n    reward 1 to Ann\naction leave\n    at := 1\nterminal\n    at = 1 -> 0\ndiscount 1/2\n"


@pytest.mark.parametrize("name", FEW)
def test_a_game_is_played_at_random(name: str):
    pyspiel.random_sim_test(openspiel.game_of(games(name)[0]), num_sims=2, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["kuhn", "seltens_horse", "subtraction"])
def test_states_of_a_game_by_name_are_written_on_the_way(name: str):
    pyspiel.random_sim_test(pyspiel.load_game(f"gdl(game={name})"), num_sims=1, serialize=True, verbose=False)


def pass_their_tests(base: Any, name: str, known_as: str = "") -> None:
    """Run a class of OpenSpiel's own tests on the game of that name; `known_as` is a game of theirs of the same size."""
    case = type("Case", (base,), {"game": pyspiel.load_game(name), "game_name": known_as})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    wrong = [text for _, text in result.errors + result.failures]
    if not known_as:  # two tests ask for the sizes of games that OpenSpiel knows
        wrong = [text for text in wrong if "KeyError: ''" not in text]
    assert result.testsRun and not wrong, "\n".join(wrong)


@pytest.mark.thorough_of("pig", "tic_tac_toe")
@pytest.mark.parametrize("name", ["goofspiel", "pig", "prisoners", "tic_tac_toe"])
def test_a_game_passes_openspiels_tests_of_games(name: str):
    random.seed(1)  # which plays are tried
    numpy.random.seed(1)
    pass_their_tests(api_test.EnforceAPIOnPartialTreeBase, f"gdl(game={name})")
    games_sim_test.GamesSimTest("test_pig").sim_game(pyspiel.load_game(f"gdl(game={name})"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name.replace("2048", "2048.game") for name in FIT] + [f"{n},steps=true" for n in UNFIT]
)
def test_every_game_passes_openspiels_tests_of_games(name: str):
    test_a_game_passes_openspiels_tests_of_games(name)


@pytest.mark.thorough_of("gdl(game=one_card_poker)-", "gdl(game=kuhn)-kuhn_poker")
@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("gdl(game=kuhn)", "kuhn_poker"),
        ("gdl(game=seltens_horse)", ""),
        ("gdl(game=one_card_poker)", ""),
        ("gdl(game=goofspiel,steps=true)", ""),
        ("turn_based_simultaneous_game(game=gdl(game=goofspiel))", ""),
        ("turn_based_simultaneous_game(game=gdl(game=prisoners))", ""),
    ],
)
def test_the_whole_tree_passes_openspiels_tests(name: str, known_as: str):
    pass_their_tests(api_test.EnforceAPIOnFullTreeBase, name, known_as)


@pytest.mark.thorough
def test_views_are_recalled_where_they_cannot_be_listed():
    state = pyspiel.load_game("gdl(game=liars_dice)").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    seen = numpy.array(state.observation_tensor(0))
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    recalled = numpy.array(state.information_state_tensor(0)).reshape(8, -1)
    assert recalled[0].tolist() == state.observation_tensor(0)
    views = [view.tolist() for view in recalled if view.any()]
    assert seen.tolist() in views[1:] and len(views) > 2


def test_a_game_is_loaded_by_name():
    game = pyspiel.load_game("gdl(game=connect_four,settings=columns:4;rows:4)")
    assert game.num_distinct_actions() == 4 and game.get_type().information.name == "PERFECT_INFORMATION"
    state = game.new_initial_state()
    state.apply_action(2)
    assert state.current_player() == 1 and state.action_to_string(1, 0) == "drop(1)"
    assert state.observation_tensor(0) and "Y" in str(state)


@pytest.mark.thorough
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


@pytest.mark.thorough
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
    """The expected returns of uniformly random play, computed with OpenSpiel's states."""
    if state.is_terminal():
        return list(state.returns())
    ways = state.chance_outcomes() if state.is_chance_node() else [(action, None) for action in state.legal_actions()]
    return summed([(chance or 1 / len(ways), mean(state.child(action))) for action, chance in ways])


def ours(game: Any, state: Any) -> list[float]:
    """The expected utilities of uniformly random play, computed with gdl's states."""
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
    spiel = openspiel.game_of(game)
    at_once = spiel.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    assert at_once is (game.traits.simultaneous is not False)
    turns = pyspiel.convert_to_turn_based(spiel) if at_once else spiel
    assert mean(turns.new_initial_state()) == pytest.approx(expected)


def test_what_pays_on_the_way_is_refused():
    with pytest.raises(Refusal, match="pays on the way"):
        openspiel.game_of(gdl.loads(PAYS_ON_THE_WAY).game)


@pytest.mark.thorough_of("backgammon")
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


def test_a_game_of_moves_at_once_becomes_a_table_by_turns():
    """OpenSpiel's C++ takes moves at once only from games in C++."""
    turns = pyspiel.convert_to_turn_based(pyspiel.load_game("gdl(game=prisoners)"))
    table = pyspiel.extensive_to_tensor_game(turns)
    paid = [tuple(table.player_utility(player, (a, b)) for player in (0, 1)) for a in (0, 1) for b in (0, 1)]
    assert paid == [(-1, -1), (-3, 0), (0, -3), (-2, -2)]

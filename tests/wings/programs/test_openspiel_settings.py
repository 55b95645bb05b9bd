"""Settings that are lists, and copies of a game, in OpenSpiel."""

import pickle

import pytest

pyspiel = pytest.importorskip("pyspiel")
import gdl  # noqa: E402
from gdl.errors import GameError, Refusal  # noqa: E402
from gdl.wings.programs import openspiel  # noqa: E402  # registers the games


@pytest.mark.parametrize("text", ["heaps:1,1", "heaps:1|1"])
def test_a_list_of_a_dictionary_is_loaded_again_from_its_text(text: str) -> None:
    game = pyspiel.load_game("gdl", {"game": "nim", "settings": text})
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert again.new_initial_state().legal_actions() == game.new_initial_state().legal_actions()
    assert len(game.new_initial_state().legal_actions()) == 2  # a heap of 1 each


@pytest.mark.parametrize("name", ["kuhn", "tic_tac_toe"])
def test_a_game_is_pickled(name: str) -> None:
    game = pyspiel.load_game(f"gdl(game={name})")
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    assert str(again.new_initial_state()) == str(game.new_initial_state())


def test_a_game_that_is_there_already_is_pickled() -> None:
    """Not its states, which OpenSpiel restores by the name of the game."""
    game = openspiel.game_of(gdl.load("nim", settings={"heaps": "1,1"}))
    assert pickle.loads(pickle.dumps(game)).new_initial_state().legal_actions() == [0, 1]
    with pytest.raises(Refusal, match="load the game by name"):
        pickle.dumps(game.new_initial_state())


@pytest.mark.parametrize("text", ["heaps:1,1", "heaps:1/1", "heaps:1"])
def test_a_list_that_openspiel_may_have_cut_off_is_refused(text: str) -> None:
    """A single letter after a comma is dropped before gdl sees it."""
    with pytest.raises(GameError, match=r"drops what follows a comma\n.*heaps:1\|2"):
        pyspiel.load_game(f"gdl(game=nim,settings={text})")


@pytest.mark.parametrize("text", ["heaps:[1]", "heaps:[1|2]", "heaps:1|2"])
def test_a_list_is_written_without_commas(text: str) -> None:
    game = pyspiel.load_game(f"gdl(game=nim,settings={text})")
    assert game.new_initial_state().num_distinct_actions() > 0 and str(pyspiel.load_game(str(game))) == str(game)


def test_an_answer_is_a_policy() -> None:
    from open_spiel.python.algorithms import exploitability

    game = pyspiel.load_game("gdl(game=kuhn)")
    policy = openspiel.policy_of(game, gdl.solve("kuhn"))
    assert exploitability.nash_conv(game, policy) == pytest.approx(0)
    with pytest.raises(Refusal, match="without steps"):
        openspiel.policy_of(pyspiel.load_game("gdl(game=kuhn,steps=true)"), gdl.solve("kuhn"))

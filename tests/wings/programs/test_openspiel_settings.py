"""Settings that are lists, and copies of a game, in OpenSpiel."""

import pickle

import pytest

pyspiel = pytest.importorskip("pyspiel")
import gdl.wings.programs.openspiel  # noqa: E402, F401  # registers the games


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

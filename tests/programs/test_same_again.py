"""Games and answers that are pickled or copied are the same again; so is what is loaded twice."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import gdl
from gdl.errors import GameError
from gdl.game import Decision, Node, Terminal


class Subtraction(gdl.OwnGame):
    """Take one or two; whoever takes the last one wins."""

    players = ("Ann", "Bob")

    def initial(self) -> Any:
        return 7, 0

    def node(self, state: Any) -> Node:
        left, mover = state
        if not left:
            return Terminal((-1, 1) if mover == 0 else (1, -1))
        return Decision(mover, tuple(f"take {n}" for n in (1, 2) if n <= left))

    def successor(self, state: Any, action: Any) -> Any:
        return state[0] - int(action[-1]), 1 - state[1]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return 0


def twice(thing: Any) -> list[Any]:
    return [pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing), copy.copy(thing)]


def game_of(name: str) -> Any:
    return Subtraction() if name == "own" else gdl.load(name)


@pytest.mark.thorough_of("2048", "draughts", "chinese_checkers", "blind_tic_tac_toe", "xiangqi")
@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", gdl.shipped())
def test_a_game_is_the_same_again(name: str) -> None:
    game = gdl.load(name)
    for again in (*twice(game), gdl.load(name)):
        assert again == game and hash(again) == hash(game) and again.traits == game.traits
    assert game != gdl.load("nim" if name != "nim" else "kuhn") and game.name in repr(game)


def test_what_loads_returns_is_the_same_again_and_is_shown_in_a_line() -> None:
    loaded = gdl.loads(*gdl.read("kuhn"))
    for again in (*twice(loaded), gdl.loads(*gdl.read("kuhn"))):
        assert again == loaded and hash(again) == hash(loaded) and again.model.players == loaded.model.players
    assert loaded != gdl.loads(*gdl.read("nim")) and repr(loaded) == "Loaded(game=<Kuhn poker>, warnings=())"


@pytest.mark.parametrize("name", ["own", "nim", "kuhn", "prisoners", "beer_quiche", "tic_tac_toe"])
def test_an_answer_is_the_same_again(name: str) -> None:
    answer = gdl.solve(game_of(name))
    for again in twice(answer):
        assert again == answer and again.of == answer.of and str(again) == str(answer)
        assert again.value is None or again.value[answer.players[0]] == answer.value[0]


def test_other_settings_are_another_game() -> None:
    assert gdl.load("nim") != gdl.load("nim", settings={"heaps": "1,2"})
    assert gdl.tree(("MAX", {"a": 1})) == gdl.tree(("MAX", {"a": 1})) != gdl.tree(("MAX", {"a": 2}))
    text = "players A, B\ntree A(1, 2)\n"
    assert gdl.loads(text).game == gdl.loads(f"# other places, the same rules\n{text}").game


@pytest.mark.thorough_of("chess-after1", "chess-e2e4 e7e5")
@pytest.mark.parametrize(
    ("name", "after"),
    [("chess", "e2e4 e7e5"), ("chess", ("e2e4", "e7e5")), ("repeated_prisoners", "silent"), ("prisoners", "silent")],
)
def test_a_game_is_loaded_after_some_actions(name: str, after: Any) -> None:
    game = gdl.load(name, after=after)
    for again in (*twice(game), gdl.load(name, after=after)):
        assert again == game != gdl.load(name)
    assert gdl.solve(game, nodes=50).players == game.players


def test_what_cannot_be_played_is_told() -> None:
    with pytest.raises(GameError, match="'e2e5' is not legal at the start"):
        gdl.load("chess", after="e2e5")


def test_the_shipped_games_are_listed() -> None:
    assert gdl.games() == list(gdl.shipped()) and "chess" in gdl.games()


def test_the_values_of_an_answer_can_be_pickled() -> None:
    game = gdl.load("figure_5_2")
    values = pickle.loads(pickle.dumps(gdl.solve(game).values))
    assert values[game.initial()] == (3, -3)

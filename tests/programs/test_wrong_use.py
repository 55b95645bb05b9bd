"""A wrong call gets a message of one line that says what would be right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gdl
from gdl.errors import GameError, Refusal
from gdl.graph import state_graph

LOADED: dict[str, Any] = {}


def game(name: str) -> Any:
    return LOADED.setdefault(name, gdl.load(name))


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: gdl.solve("nim", time=-1), "time=-1: time is a number from 0 up"),
        (lambda: gdl.solve("nim", "mcts", simulations=1.5), "simulations=1.5: simulations is a whole number from 0 up"),
        (lambda: gdl.solve("nim", "mcts", simulations="many"), "simulations='many': simulations is a whole number"),
        (lambda: gdl.solve("nim", nodes="a"), "nodes='a': nodes is a whole number"),
        (lambda: gdl.solve("nim", "alpha-beta", seed=1), "alpha-beta has no option seed; its options are cut, depth"),
        (lambda: gdl.load(""), "'' is a folder, and no game"),
        (lambda: gdl.load("/etc"), "'/etc' is a folder, and no game"),
        (lambda: gdl.load(None), "None is no name of a game"),
        (lambda: gdl.loads(None), "the text of a game is a str, and this is NoneType"),
        (lambda: gdl.loads(b"players A"), "the text of a game is a str, and this is bytes"),
        (lambda: gdl.load("nim", settings="heaps=1,2"), "'heaps=1,2' are no settings"),
        (lambda: gdl.load("nim", settings={3: 4}), "{3: 4} are no settings"),
        (lambda: gdl.load("nim", variant=3), "3 is no variant"),
        (lambda: gdl.load("nim", heaps=[1, 2]), 'a parameter is set by settings={"heaps": …}'),
        (lambda: gdl.load("nim", set={"heaps": [1]}), "a parameter is set by settings={'heaps': [1]}"),
        (lambda: gdl.solve("nim", set={"heaps": [1]}), "its own are solver=, settings= and the limits"),
        (lambda: game("kuhn").information_set(game("kuhn").initial(), 5), "no player has the index 5"),
        (lambda: game("kuhn").information_set(game("kuhn").initial(), -1), "they run from 0 to 1"),
        (lambda: gdl.loads("players A, B", heaps=[1, 2]), 'a parameter is set by settings={"heaps": …}'),
        (lambda: gdl.load("nim", after=3), "3 is no list of actions"),
        (lambda: gdl.load("nim", after=[1]), "[1] is no list of actions"),
        (lambda: game("nim").node("abc"), "'abc' is no state of Nim"),
        (lambda: game("nim").successor(None, "take(1, 1)"), "None is no state of Nim"),
        (lambda: game("nim").successor(game("chess").initial(), "take(1, 1)"), "is no state of Nim"),
        (lambda: state_graph("nim"), "'nim' is no game, but a name"),
        (lambda: gdl.solve("figure_5_2").explain("foo"), "no solver is called 'foo'"),
        (lambda: gdl.matrix([1, 2]), "[1, 2] is no matrix"),
        (lambda: gdl.matrix(None), "None is no matrix"),
        (lambda: gdl.matrix([[1]], 2), "2 is no matrix"),
        (lambda: gdl.matrix([[1, 2]], [[1]]), "the two tables are not of one shape"),
    ],
)
def test_a_wrong_call_is_told(call: Callable[[], Any], told: str) -> None:
    with pytest.raises((GameError, Refusal)) as wrong:
        call()
    assert told in str(wrong.value)


def test_a_name_without_its_ending_is_that_of_the_file_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nimv.game").write_text("players A, B\ntree A(1, 2)\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GameError, match=r"write 'nimv\.game'"):
        gdl.load("nimv")


def test_a_tuple_is_a_list_of_settings() -> None:
    assert gdl.load("nim", settings={"heaps": (1, 2)}) == gdl.load("nim", settings={"heaps": "1,2"})

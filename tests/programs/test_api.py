"""The names that `import gdl` offers to programs."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
from broken_engine import translation
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.errors import GameError, Refusal
from gdl.game import Chance, Decision, Node, Terminal
from gdl.solvers import solve

TREE = "players MAX, MIN\ntree MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2))"


class Nim(gdl.OwnGame):
    """Whoever takes the last one wins."""

    players = ("Ann", "Bob")

    def initial(self) -> Any:
        return (3, 5), 0

    def node(self, state: Any) -> Node:
        heaps, mover = state
        if not any(heaps):
            return Terminal((-1, 1) if mover == 0 else (1, -1))
        return Decision(mover, tuple(f"{k}-{n}" for k, heap in enumerate(heaps) for n in range(1, heap + 1)))

    def successor(self, state: Any, action: Any) -> Any:
        heaps, mover = state
        k, n = map(int, action.split("-"))
        return (*heaps[:k], heaps[k] - n, *heaps[k + 1 :]), 1 - mover


def test_all_that_is_offered_is_there():
    for name in gdl.__all__:
        offered = getattr(gdl, name)
        assert offered.__doc__ and name in dir(gdl)
    assert gdl.solvers.solve is solve
    with pytest.raises(AttributeError, match="no attribute 'solved'"):
        _ = gdl.solved


@pytest.mark.parametrize("place", ["errors.GameError", "solution.Solution", "graph.state_graph", "game.Decision"])
def test_what_is_inside_a_module_is_told_with_its_module(place: str) -> None:
    with pytest.raises(AttributeError, match=f"write gdl.{place}$"):
        getattr(gdl, place.split(".")[1])


@pytest.mark.thorough
def test_an_answer_is_told_as_the_command_tells_it():
    printed = CliRunner().invoke(commands, ["solve", "tic_tac_toe"]).output
    answer = gdl.solve("tic_tac_toe")
    assert str(answer) + "\n" == printed or str(answer) == printed
    assert answer.value["X"] == answer.value[0] == 0 and answer.regret["O"] == 0
    with pytest.raises(KeyError, match="no player is called 'Z': there are X, O"):
        _ = answer.value["Z"]
    assert "value     X 0, O 0" in str(solve(gdl.load("tic_tac_toe")))


def test_what_is_loaded_from_a_text_is_solved():
    loaded = gdl.loads(TREE)
    assert solve(loaded).value == gdl.solve(loaded).value == (3, -3)


@pytest.mark.thorough
def test_a_limit_gives_the_answer_so_far():
    answer = gdl.solve("othello", nodes=2000)
    assert answer.limit and answer.best and not answer.exact


@pytest.mark.thorough
def test_the_compiled_engine_does_the_work_where_that_pays(monkeypatch: pytest.MonkeyPatch):
    connect_four = gdl.load("connect_four", settings={"columns": "4", "rows": "4"})
    fast = gdl.solve(connect_four, "retrograde")
    plain = gdl.solve(connect_four, "retrograde", engine="interpreter", nodes=2000)
    assert fast.exact and fast.value["Yellow"] == 0 and plain.limit
    with pytest.raises(Refusal, match="there is no engine 'fast': take one of auto, interpreter, python, wasm"):
        gdl.solve("nim", engine="fast")
    with pytest.raises(Refusal, match="the compiled engine takes games by rules, not Prisoner's dilemma"):
        gdl.solve("prisoners", engine="wasm")

    translation(monkeypatch)
    with pytest.warns(UserWarning, match=r"narrowing is written i32\(e\)\); the interpreter does the work"):
        assert gdl.solve("tic_tac_toe", "retrograde").value["X"] == 0


def test_an_answer_draws_and_explains():
    answer = gdl.solve(gdl.loads(TREE))
    assert "<svg" in str(answer.draw()) and "MAX = 3" in str(answer.draw("txt"))
    assert "is looked at with the window (-inf, inf)" in answer.explain()
    with pytest.raises(Refusal, match="no format 'bmp'"):
        answer.draw("bmp")


def test_a_tree_from_python_is_that_of_the_file():
    leaves = {"a1": (3, 12, 8), "a2": (2, 4, 6), "a3": (14, 5, 2)}
    root = ("MAX", {a: ("MIN", {f"b{k}": n for k, n in enumerate(row)}) for a, row in leaves.items()})
    answer = gdl.solve(gdl.tree(root), "alpha-beta")
    assert answer.value["MAX"] == 3 and len(answer.pruned) == 2


def test_a_tree_has_chance_and_hidden_moves():
    coin = {"heads": (Fraction(1, 2), ("A", "unseen", {"bet": 3, "pass": 0})), "tails": (Fraction(1, 2), ("A", "unseen", {"bet": -1, "pass": 0}))}  # fmt: skip
    answer = gdl.solve(gdl.tree(("chance", coin), players=("A",)))
    assert answer.value["A"] == 1
    three = gdl.tree(("A", {"l": ("B", {"x": (1, 2, 3), "y": (0, 5, 0)}), "r": (2, 0, 0)}), players=("A", "B", "C"))
    assert gdl.solve(three).value == (2, 0, 0)


@pytest.mark.parametrize(
    ("root", "told"),
    [
        (("MAX", {"a": 0.5}), "float 0.5"),
        (("MAC", {"a": 1}), "no player is called 'MAC'"),
        (("chance", {"a": 1, "b": 2}), "no probabilities"),
        (("chance", {"a": (Fraction(1, 2), 1)}), "sum to 1/2"),
        (("MAX", {}), "no actions"),
    ],
)
def test_what_is_no_tree_is_told(root: Any, told: str):
    with pytest.raises(GameError, match=told):
        gdl.tree(root)


def test_matrices():
    pennies = gdl.matrix([[1, -1], [-1, 1]], rows=["heads", "tails"], columns=["heads", "tails"])
    assert gdl.solve(pennies).value == (0, 0)
    dilemma = gdl.matrix([[(-1, -1), (-3, 0)], [(0, -3), (-2, -2)]])
    assert gdl.solve(dilemma).payoffs == ((-2, -2),)
    assert gdl.matrix([[-1, -3], [0, -2]], [[-1, 0], [-3, -2]]).model.utilities == dilemma.model.utilities
    numpy = pytest.importorskip("numpy")
    assert gdl.solve(gdl.matrix(numpy.array([[3, 1], [0, 2]]))).value == (Fraction(3, 2), Fraction(-3, 2))
    assert gdl.matrix(numpy.eye(2, dtype=int), numpy.eye(2, dtype=int)).model.utilities["r1", "c1"] == (1, 1)
    assert gdl.solve(gdl.tree(("MAX", {"a": numpy.int64(3), "b": numpy.array([1, -1])}))).value == (3, -3)
    table = {(a, b, c): (len({a, b, c}), 0, 0) for a in "xy" for b in "xy" for c in "xy"}
    assert gdl.matrix(table, players=("A", "B", "C")).node(()).actions == (("x", "y"),) * 3
    for wrong, told in (([[1, 2], [3]], "not of one length"), ([[1.5]], "float 1.5")):
        with pytest.raises(GameError, match=told):
            gdl.matrix(wrong)
    with pytest.raises(GameError, match="not as many names"):
        gdl.matrix([[1]], rows=["a", "b"])


def test_a_game_of_ones_own_needs_three_methods():
    assert gdl.check_game(Nim()) == ()
    answer = gdl.solve(Nim())
    assert answer.value["Ann"] == 1 and answer.best == ("1-2",) and answer.game == "Nim"


def test_what_is_wrong_with_ones_own_game_is_told():
    class Biased(Nim):
        def node(self, state: Any) -> Node:
            return Chance((("a", Fraction(1, 3)), ("b", Fraction(1, 3))))

    class Unlike(Nim):
        def information_set(self, state: Any, player: int) -> Any:
            return ()

    class Forgetful(Nim):
        asked = 0

        def node(self, state: Any) -> Node:
            self.asked += 1
            return Terminal((self.asked, -self.asked))

    assert "sum to 2/3" in gdl.check_game(Biased())[0].message
    assert "in the state" in gdl.check_game(Unlike())[0].message
    assert gdl.check_game(Forgetful()) != ()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("kuhn", "'kuhn' is no game, but a name"),
        (gdl.OwnGame, "OwnGame is a class, and no game"),
        (7, "int is no game: it has no name, players"),
    ],
)
def test_what_is_no_game_is_told_and_what_to_write(given: object, message: str) -> None:
    """Each was an AttributeError of something inside."""
    with pytest.raises(GameError) as caught:
        solve(given)  # type: ignore[arg-type]
    assert message in str(caught.value) and caught.value.problems[0].help


@pytest.mark.parametrize("children", [[3, 4], (3, 4), 3])
def test_children_that_are_no_dict_are_told(children: object) -> None:
    with pytest.raises(GameError, match="what 'MAX' can do is no dict"):
        gdl.tree(("MAX", children))


@pytest.mark.thorough
def test_a_solver_that_keeps_no_record_is_refused_as_the_manual_says():
    answer = gdl.solve("tic_tac_toe")
    with pytest.raises(gdl.errors.Refusal, match="mcts keeps no record of steps; alpha-beta"):
        answer.explain("mcts")
    with pytest.raises(gdl.errors.Refusal, match="alpha-beta has no option depths"):
        answer.explain("alpha-beta", depths=3)


def test_an_answer_names_itself_in_a_line():
    assert repr(gdl.solve("kuhn")) == "<Kuhn poker by sequence-form: -1/18, 1/18 (exact)>"
    assert repr(gdl.solve("nim", "mcts", simulations=3, seed=1)).startswith("<Nim by mcts: ")


@pytest.mark.parametrize("name", ["errors", "game", "graph", "solution", "solvers"])
def test_the_modules_that_the_manual_names_come_with_the_package(name):
    words = [sys.executable, "-c", f"import gdl; print(gdl.{name}.__name__)"]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == f"gdl.{name}\n"


@pytest.mark.parametrize("solver", ["auto", "cfr"])
def test_a_value_that_an_option_cannot_have_is_refused(solver: str) -> None:
    with pytest.raises(gdl.errors.Refusal, match="method is one of 'plus', 'discounted', 'predictive'"):
        gdl.solve("kuhn", solver, method="alpha-beta")

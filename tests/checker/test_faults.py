"""A fault of the rules that is met deep in a search is told with the play that leads there, the same on every engine."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from deep_fault import DEEP, leads_there

import gdl
from gdl.commands import cli
from gdl.compiler import wasm
from gdl.compiler.lower import lower
from gdl.compiler.searches.perft import divide
from gdl.compiler.searches.principal_variation import PrincipalVariation
from gdl.errors import GameError

ENGINES = ["python", pytest.param("wasm", marks=pytest.mark.skipif(not wasm.available(), reason="needs wasmtime"))]

PROMISE = """players Ann, Bob
utility in -5..13/2

state
    n: 0..9
    x: 0..40

action go(k: 1..3)
    n := n + 1
    x := x + k

terminal
    n = 6 -> x mod 17 / 2
    n > 6 -> 6
"""


COMMANDS = [
    "states",
    "playouts --count 2000",
    "solve --solver retrograde",
    "solve --solver alpha-beta",
    "solve --solver mcts --simulations 2000",
]


def told(game, command, engine, file):
    """The output of a command that meets a fault on an engine, which is the same as on the interpreter."""
    file.write_text(game)
    words = [*command.split(), str(file), "--engine"]
    wanted, found = (CliRunner().invoke(cli.commands, [*words, by], prog_name="gdl") for by in ("interpreter", engine))
    assert wanted.exit_code == found.exit_code == 3
    assert found.stderr == wanted.stderr
    return found.stderr


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_utility_that_breaks_the_promise_of_the_file(command, engine, tmp_path):
    found = told(PROMISE, command, engine, tmp_path / "promise.game")
    assert "promise.game:13:5: error: the utility" in found
    assert "breaks its bound: at least -5 and at most 13/2" in found and "It happens after: go(" in found


def test_a_promise_that_the_rules_prove_costs_nothing():
    def ends(text):
        return lower(gdl.loads(text).model, gdl.loads(text).game).source.split("def list_actions")[0]

    def status(text):
        return ends(text).split("def status()")[1].split("\ndef ")[0]

    kept = PROMISE.replace("x mod 17 / 2", "x / 8 - 1")
    assert status(PROMISE).count("trap") == 2  # one for either player
    assert ends(kept) == ends(kept.replace("utility in -5..13/2\n", ""))


@pytest.mark.thorough_of("solve --solver retrograde-wasm")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_message_is_that_of_the_interpreter(command, engine, tmp_path):
    found = told(DEEP, command, engine, tmp_path / "deep.game")
    assert "division by zero" in found and "It happens after: go(" in found


@pytest.mark.one_in(2)
@pytest.mark.parametrize("engine", ENGINES)
def test_in_a_search_with_a_table(engine):
    game = gdl.loads(DEEP, "deep.game").game
    search = PrincipalVariation(game, game.initial(), engine)
    with pytest.raises(GameError) as fault:
        list(search.deepen(15))
    assert leads_there(game, fault.value)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("engine", ENGINES)
def test_in_a_count_divided_by_the_first_action(engine):
    game = gdl.loads(DEEP, "deep.game").game
    with pytest.raises(GameError) as fault:
        divide(game, game.initial(), 16, engine)
    assert leads_there(game, fault.value)

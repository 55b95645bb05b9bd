"""The objects that lower a game: small objects, and a place in their tables for every form of the language."""

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from shipped import shipped

import gdl
from gdl.compiler.ir import nodes as ir
from gdl.compiler.lower import lower
from gdl.compiler.lower.constant_tables import Fixed
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.lowering import Lowering
from gdl.compiler.lower.state_layout import layout
from gdl.compiler.lower.writer import GameModule
from gdl.compiler.searches.perft import Perft
from gdl.compiler.searches.playouts_driver import Playing
from gdl.model import core

FILES = sorted((Path(gdl.__file__).parent / "compiler" / "lower").glob("**/*.py"))
MOST_METHODS = 40  # of a class
OF_PYTHON = {"NamedTuple", "Protocol", "Exception", "list[ir.Stmt]"}
COMMON = {"Part"}  # has no methods: it holds what all parts are given alike
SHARED = {"context"}  # an object that is there to be changed by all
CIRCLES = "lowering"  # the file that closes circles between objects, by setting what each was made without
OF_NAMED_TUPLES = {"_replace"}
DOMAINS = {core.Interval, core.Until}  # only what is gone through, by Loops.domain
ELSEWHERE = DOMAINS | {core.Local, core.Whole}  # a name has its value already; all elements are a part of a key


def _made() -> Lowering:
    game: Any = gdl.load(Path(__file__).parents[2] / "games" / "nim.game")
    module = GameModule()
    return Lowering(Context(game.model, layout(game.model), module, Fixed(game.model, module)))


def test_every_form_of_expression_is_lowered() -> None:
    forms = _made().expressions.forms
    assert {form for form in forms if isinstance(form, type)} == set(get_args(core.Expression)) - ELSEWHERE


def test_whoever_lowers_the_plain_way_knows_no_recogniser() -> None:
    plain = [file for file in FILES if file.parent.name == "lower" and file.stem != CIRCLES]
    assert not [file for file in plain if "lower.recognise" in file.read_text(encoding="utf-8")]


def test_every_form_of_statement_is_lowered() -> None:
    assert set(_made().bodies.statements) == set(get_args(core.Statement))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_classes_are_small_and_inherit_nothing_of_ours(file: Path) -> None:
    """An object is given all the others that it needs; nothing is found along a chain of classes."""
    classes = [node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)]
    for made in classes:
        methods = [node.name for node in made.body if isinstance(node, ast.FunctionDef)]
        assert len(methods) <= MOST_METHODS, made.name
        assert {ast.unparse(base) for base in made.bases} <= OF_PYTHON | COMMON, made.name
        if made.name in COMMON:
            assert methods == ["__init__"] and not made.bases


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_file_knows_the_insides_of_another(file: Path) -> None:
    """Names with an underscore are those of the file itself, and nobody writes what another part holds."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    own = {node.attr for node in names if ast.unparse(node.value) == "self"}
    own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    private = {node.attr for node in names if node.attr.startswith("_")} - own - OF_NAMED_TUPLES
    assert not {name for name in private if not name.startswith("__")}
    taken = [one.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for one in node.names]
    assert not [name for name in taken if name.startswith("_") and not name.startswith("__")]
    if file.stem != CIRCLES:
        written = [node for node in names if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Attribute)]
        of_others = {ast.unparse(node) for node in written if ast.unparse(node.value).startswith("self.")}
        assert not {name for name in of_others if name.split(".")[1] not in SHARED | {"lines"}}


NAMES_BEGIN_ALIKE = """
players Ann
board Square = grid(3, 3)
state
    mark[Square]: 0..9
action go(s: Square)
    let steps = 0
    let at = s
    at := step(at, east)
    require at != none
    steps := 1 + steps mod 9
    mark[at] := steps
terminal
    exists s in Square: mark[s] > 8 -> 0
"""


def test_what_is_known_of_a_name_is_kept_while_another_changes() -> None:
    """`at` is not none, which is asked once: what holds `steps`, which changes after that, is only called alike."""
    game: Any = gdl.loads(NAMES_BEGIN_ALIKE).game
    lowered = lower(game.model, game)
    assert "    var_2 = " in lowered.source and "    var = " in lowered.source
    assert lowered.source.count("== NONE:\n        return 0") == 1
    assert not [fault for fault in lowered.faults if "off its board" in fault.message]


def test_what_is_known_of_a_name_is_forgotten_when_it_changes() -> None:
    game: Any = gdl.loads(NAMES_BEGIN_ALIKE.replace("steps := 1", "at := step(at, east)\n    steps := 1")).game
    faults = [fault.message for fault in lower(game.model, game).faults]
    assert "mark is written off its board" in faults


@pytest.mark.parametrize("search", [lambda game, start: Perft(game, start, 1, "python"),
                                    lambda game, start: Playing(game, start, 1, 0, "python")])  # fmt: skip
def test_the_evaluation_is_lowered_for_those_who_ask_for_it(search: Any) -> None:
    """Of chess it takes as long as all other rules."""
    game: Any = gdl.load("minichess")
    assert "evaluate" not in search(game, game.initial()).lowered.module.functions
    whole = lower(game.model, game)
    assert "evaluate" in whole.module.functions
    assert search(game, game.initial()).lowered is whole


@pytest.mark.thorough
def test_whether_nobody_can_act_is_asked_once() -> None:
    """Two lines of chess begin with it."""
    game: Any = gdl.load("chess")
    status = lower(game.model, game).source.split("def status() ")[1].split("\ndef ")[0]
    assert status.count("no_actions()") == 1


@pytest.mark.thorough
def test_a_sum_goes_through_the_values_that_fit_alone() -> None:
    """The squares of a player's men of a kind are known as a set, and so are those that they cover."""
    game: Any = gdl.load("chess")
    functions = lower(game.model, game).source.split("\ndef ")
    estimate = "".join(f for f in functions if f.startswith(("d_sees", "d_worth", "d_early", "d_late", "d_lead")))
    assert estimate.count("while left") > 8
    assert "range(" not in estimate
    assert "d_covers" not in estimate


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "array", "words", "planes"),
    [("draughts", "king", False, True), ("chess", "kind", True, True), ("yahtzee", "dice", True, False)],
)
def test_how_an_array_is_held_follows_from_its_declaration(name: str, array: str, words: bool, planes: bool) -> None:
    game = shipped(name)
    held = replace(lower(game.model, game).layout, keys=None)
    assert held == layout(game.model)
    place = next(place for place in held.places if place.variable.name == array)
    assert (place.offset is not None, place.plane is not None) == (words, planes)


def _depth(block: ir.Block) -> int:
    """How deep statements lie in each other; an `else` lies in its `if`."""
    return max((1 + max(_depth(getattr(s, name)) for name in s.BLOCKS) for s in block if s.BLOCKS), default=0)


def test_a_rule_is_found_by_halves() -> None:
    count = 100
    actions = "".join(f"action a{k}\n    n := {k}\n" for k in range(count))
    game: Any = gdl.loads(f"players Ann, Bob\nstate\n    n: 0..99\n{actions}terminal\n    n > 90 -> draw\n").game
    functions = lower(game.model, game).module.functions
    most = count.bit_length()
    assert most >= _depth(functions["perform"].body) > 1
    assert most >= _depth(functions["take"].body) > 1

"""Every form of the core in every interpretation: the meaning, the lowering, the checks. A form that one of them lacks
fails with the names of both.

What an interpretation knows is read from its own table, or it is called with the least instance of the form, or with
the games of tests/model/language, where every construct of the language has a file of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from both_engines import told_alike
from parsed_files import all_nodes
from places import ROOT

import gdl
from gdl.checker.lints import secrets_read
from gdl.errors import Refusal, Source, Span
from gdl.interpreter.bodies import BodyClosures
from gdl.interpreter.evaluator import Evaluator
from gdl.interpreter.quantifiers import QUANTIFIERS
from gdl.model import core
from gdl.model.domains import TRUTH
from gdl.model.games import RulesModel
from gdl.model.walk import READS, bound_slots, everything, inside, parts
from gdl.record import Record

EXPRESSIONS, STATEMENTS = get_args(core.Expression), get_args(core.Statement)
PLIES = 12

# ---- The least instance of a form ---------------------------------------------------------------------------------

INNER = core.Mover()
SLOT = 7
LEAST: dict[str, Any] = {  # by the annotation of a field
    "Any": 0,
    "bool": False,
    "int": SLOT,
    "int | None": None,
    "str": "",
    "Type": TRUTH,
    "Turn": core.Turn("player", INNER),
    "Template | None": core.Template(("to ", (INNER, TRUTH))),
    "Span": Span(Source("x.game", "x"), 0, 1),
    "Span | None": None,
    "Expression": INNER,
    "Expression | None": INNER,
    "tuple[int, ...]": (0,),
    "tuple[tuple[int, ...], ...]": ((0,),),
    "tuple[Expression, ...]": (INNER,),
    "tuple[Statement, ...]": (core.Require(INNER),),
    "tuple[Let | Require, ...]": (),
    "tuple[Parameter, ...]": (core.Parameter(0, TRUTH, INNER, ()),),
    "tuple[tuple[int, Expression], ...]": ((SLOT, INNER),),
}


def fields(form: type) -> dict[str, str]:
    """The fields of a form and their annotations."""
    return {name: kind.replace("core.", "") for name, kind in form.__annotations__.items()}


def least(form: type, **given: Any) -> Any:
    """An instance of the form with as little in it as can be, and INNER wherever a form may stand."""
    return form(**{name: given.get(name, LEAST[kind]) for name, kind in fields(form).items()})


# ---- Interpretations ----------------------------------------------------------------------------------------------


def is_walked(form: type) -> bool:
    """True if the walk over core forms reaches everything inside the form."""
    holds = [
        name for name, kind in fields(form).items() if any(c in kind for c in ("Expr", "Stat", "Par", "Turn", "Temp"))
    ]
    found = list(inside(tuple(parts(least(form)))))
    return len([part for part in found if part == INNER]) >= len(holds)


def is_bound(form: type) -> bool:
    """True if it is known which local names the form binds for its parts: those that it has a slot for."""
    binds = ("slot" in fields(form) or "lets" in fields(form)) and form not in (core.Local, core.Let)
    return bool(bound_slots(least(form))) == binds


def is_secret(form: type) -> bool:
    """True if a form that reads a variable of the state is noticed where it would give a hidden one away."""
    if not {"variable", "place"} & set(fields(form)):
        return True
    at = {"variable": 0} if "variable" in fields(form) else {"place": HIDDEN.variables[0].place}
    return list(secrets_read(HIDDEN, [least(form, **at)])) == ["secret"]


HIDDEN: Any = gdl.loads(
    """
players Ann, Bob
state
    secret[Player]: 0..2 = 0 visible to none
action wait
    next other(mover)
terminal
    no actions -> draw
"""
).model


def model_of(file: Path) -> Any:
    """The model of a game; None if the interpreter has no row for one of its forms, which `missing` names."""
    try:
        return gdl.loads(file.read_text(encoding="utf-8"), file.name).model
    except KeyError as unknown:
        if unknown.args[0] not in (*EXPRESSIONS, *STATEMENTS):
            raise
        return None


LANGUAGE = (ROOT / "tests" / "model" / "language").glob("*.game")
FILES = {file.name: file for file in sorted(LANGUAGE, key=lambda file: (file.stat().st_size, file))}


@cache
def language(name: str) -> RulesModel | None:
    """One of the games of the language's tests, if it is one by rules; it is loaded when somebody asks for it."""
    model = model_of(FILES[name])
    return model if isinstance(model, RulesModel) else None


@cache
def forms_in(name: str) -> frozenset[type]:
    """The forms that stand in one of these games."""
    model = language(name)
    return frozenset() if model is None else frozenset(type(form) for form in everything(model))


@cache
def plays_alike(name: str) -> bool:
    """True if one of these games is lowered; it must then play as the interpreter does."""
    try:
        told_alike(gdl.play(language(name)), [0], PLIES)
    except Refusal:
        return False
    return True


def is_lowered(form: type) -> bool:
    """True if some game with the form is lowered, and then plays as the interpreter does."""
    return any(plays_alike(name) for name in FILES if form in forms_in(name))


Interpretations = dict[str, Callable[[type], bool]]
OF_EXPRESSIONS: Interpretations = {
    "the evaluator (gdl/interpreter/evaluator.py)": lambda form: form in Evaluator.FORMS,
    "what is read (gdl/model/walk.py)": lambda form: form in READS,
    "the check for leaks (gdl/checker/lints.py)": is_secret,
}
OF_STATEMENTS: Interpretations = {
    "the interpreter's bodies (gdl/interpreter/bodies.py)": lambda form: form in BodyClosures.FORMS,
}
OF_BOTH: Interpretations = {
    "the walk": is_walked,
    "names that are bound": is_bound,
    "lowering (gdl/compiler/lower/lowering.py), or no game of tests/model/language has it": is_lowered,
}


def missing(form: type, interpretations: Interpretations) -> list[str]:
    """The interpretations that do not know the form."""
    return [f"{form.__name__} is missing in {name}" for name, knows in interpretations.items() if not knows(form)]


@pytest.mark.parametrize("form", EXPRESSIONS, ids=lambda form: form.__name__)
def test_expressions(form: type):
    lacks = missing(form, OF_EXPRESSIONS | OF_BOTH)
    assert lacks == [], "; ".join(lacks)


@pytest.mark.parametrize("form", STATEMENTS, ids=lambda form: form.__name__)
def test_statements(form: type):
    lacks = missing(form, OF_STATEMENTS | OF_BOTH)
    assert lacks == [], "; ".join(lacks)


@pytest.mark.parametrize("kind", QUANTIFIERS)
def test_kinds_of_quantifiers(kind: str):
    """A kind that the interpreter knows stands in a game that is lowered, and then plays as the interpreter does."""
    assert any(plays_alike(name) for name in FILES if kind in kinds_in(name))


@cache
def kinds_in(name: str) -> frozenset[str]:
    """The kinds of the quantifiers in the rules of one of these games."""
    model = language(name)
    return (
        frozenset(form.kind for form in everything(model) if isinstance(form, core.Quantifier))
        if model
        else frozenset()
    )


def test_no_table_knows_what_is_no_form():
    for table in (Evaluator.FORMS, READS):
        assert set(table) == set(EXPRESSIONS)
    assert set(BodyClosures.FORMS) == set(STATEMENTS)


def test_no_method_is_found_by_a_name_made_from_that_of_a_class():
    """Such a call is found by nobody who looks for the uses of the method."""
    for file in sorted(ROOT.glob("gdl/**/*.py")):
        text = file.read_text(encoding="utf-8")
        if file.parent.name != "lower" and "getattr" in text:  # in lower forms are found so, for now
            calls = [node for node in all_nodes(file) if isinstance(node, ast.Call)]
            asking = [ast.unparse(call) for call in calls if ast.unparse(call.func) == "getattr"]
            assert not any("__name__" in call for call in asking), file


# ---- The test notices ---------------------------------------------------------------------------------------------


class Opposite(Record):
    """A form that nobody knows: it reads a variable, holds another form, and binds a name."""

    slot: int
    variable: int
    operand: core.Expression


def test_a_form_that_nobody_knows_is_missing_everywhere():
    interpretations = OF_EXPRESSIONS | OF_STATEMENTS | OF_BOTH
    by_fields = ("the walk", "names that are bound")  # which are found by the fields of any form
    everywhere = [f"Opposite is missing in {name}" for name in interpretations if name not in by_fields]
    assert missing(Opposite, interpretations) == everywhere


class Hiding(Record):
    """A form with others in a place where the walk does not look."""

    branches: dict[str, core.Expression]


def test_forms_in_a_place_where_nobody_looks_are_missed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(LEAST, "dict[str, Expression]", {"left": INNER})
    assert not is_walked(Hiding)


@pytest.mark.parametrize(("owner", "table"), [(Evaluator, "FORMS"), (BodyClosures, "FORMS")])
def test_a_row_that_is_taken_out_is_missed(owner: Any, table: str, monkeypatch: pytest.MonkeyPatch):
    rows = getattr(owner, table)
    form = next(iter(rows))
    monkeypatch.delitem(rows, form)
    assert len(missing(form, OF_EXPRESSIONS if form in EXPRESSIONS else OF_STATEMENTS)) == 1

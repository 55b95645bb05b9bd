"""What lowers a game: every form of the language has a place in the tables."""

from pathlib import Path
from typing import Any, get_args

import gdl
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.fixed import Fixed
from gdl.compiler.lower.layout import layout
from gdl.compiler.lower.lowering import Lowering
from gdl.compiler.lower.writer import Module
from gdl.model import core

DOMAINS = {core.Interval, core.Until}  # only what is gone through, by Loops.domain
ELSEWHERE = DOMAINS | {core.Local, core.Whole}  # a name has its value already; all elements are a part of a key


def _made() -> Lowering:
    game: Any = gdl.load(Path(__file__).parents[2] / "games" / "nim.game")
    module = Module()
    return Lowering(Context(game.model, layout(game.model), module, Fixed(game.model, module)))


def test_every_form_of_expression_is_lowered() -> None:
    forms = _made().expressions.forms
    assert set(forms) == set(get_args(core.Expression)) - ELSEWHERE


def test_every_form_of_statement_is_lowered() -> None:
    assert set(_made().bodies.statements) == set(get_args(core.Statement))

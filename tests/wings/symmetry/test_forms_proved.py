"""Every form of the core has its term in the proofs of symmetries, or none that is taken for another."""

from typing import get_args

import pytest
from places import LANGUAGE

import gdl
from gdl.errors import Source, Span
from gdl.model import core
from gdl.wings.symmetry.rule_paths import RulePathWalker
from gdl.wings.symmetry.symbolic_expressions import SymbolicExpressions
from gdl.wings.symmetry.symbolic_values import NotWritten, SymbolicValues

SLOT = 7


def test_no_form_is_missing():
    assert set(SymbolicExpressions.FORMS) == set(get_args(core.Expression))
    assert set(RulePathWalker.STATEMENTS) == set(get_args(core.Statement))


def test_a_kind_of_quantifier_without_a_term_is_not_taken_for_another():
    """A new kind was once the greatest value to the proofs of symmetries, and nothing noticed it."""
    file = min(LANGUAGE.glob("*.game"))
    model = gdl.loads(file.read_text(encoding="utf-8"), file.name).model
    terms = SymbolicExpressions(model, SymbolicValues(1000, 1000), {})
    place = Span(Source("x.game", "x"), 0, 1)
    new = core.Quantifier("median", SLOT, core.Const((1, 2)), None, core.Local(SLOT), place)
    with pytest.raises(NotWritten, match="median"):
        terms.value(new, {})


def test_a_set_of_all_values_of_a_list_that_only_play_tells():
    text = """
players Ann, Bob
board Point = graph(p-q)
state
    at: Point
    seen: set of Point
    turns: 0..2
action go(v: Point)
    turns := turns + 1
    seen := (those y in [v, at]: true)
    at := v
terminal
    turns = 2 -> draw
"""
    assert gdl.solve(gdl.loads(text).game, "retrograde", symmetry=True).value == (0, 0)

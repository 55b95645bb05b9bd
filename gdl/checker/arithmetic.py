"""+ - * / mod div: of numbers, and of sets: syntax -> core."""

from __future__ import annotations

from typing import Any

from gdl import syntax
from gdl.checker import types
from gdl.checker.checks import Checks
from gdl.checker.scope import NOTHING_RIGHT, Typed
from gdl.checker.types import base_type, numeric, union_type
from gdl.interpreter.evaluator import Evaluator
from gdl.model import core
from gdl.model.domains import TRUTH, Named, Sequence, SetType, Type, describe_type


def check_binary(check: Checks, e: syntax.Binary) -> Typed:
    """Two numbers, or two sets of one kind; what is known before play is calculated at once."""
    operator = e.operator.text
    left = check.check(e.left)
    if isinstance(left.type, SetType) and operator in "+-*":
        return _set_operation(check, e, left)
    right = check.check(e.right)
    for typed, written in ((left, e.left), (right, e.right)):
        if not numeric(base_type(typed.type)):
            message = f"'{operator}' takes numbers, and this is {describe_type(typed.type)}"
            return check.scope.wrong(message, written.span, help=as_number(typed.type))
    constant = isinstance(left.core, core.Const) and isinstance(right.core, core.Const)
    if constant and NOTHING_RIGHT not in (left, right):
        return _fold_constants(check, e, left.core, right.core)
    type = types.arithmetic_type(operator, base_type(left.type), base_type(right.type))
    return Typed(core.Arithmetic(operator, left.core, right.core, e.span), type)


def _fold_constants(check: Checks, e: syntax.Binary, left: Any, right: Any) -> Typed:
    if right.value == 0 and e.operator.text in ("/", "mod", "div"):
        return check.scope.wrong("division by zero", e.span, help="write another divisor")
    value = Evaluator((), ()).value(core.Arithmetic(e.operator.text, left, right, e.span))([], [])
    return Typed(core.Const(value), types.constant_type(value))


def _set_operation(check: Checks, e: syntax.Binary, left: Typed) -> Typed:
    right = check.check(e.right)
    assert isinstance(left.type, SetType)
    if not isinstance(right.type, SetType):
        message = f"a set is due here, and this is {describe_type(right.type)}"
        return check.scope.wrong(message, e.right.span, help="put a single member in braces: {x}")
    item = union_type(left.type.item, right.type.item)
    if item is None:
        message = f"{describe_type(left.type)} and {describe_type(right.type)} have no members in common"
        return check.scope.wrong(message, e.span, help="join sets of one kind")
    return Typed(core.SetOperation(e.operator.text, left.core, right.core), SetType(item))


def as_number(type: Type) -> str:
    """How a value of a type can serve as a number."""
    inner = base_type(type)
    if isinstance(inner, Named):
        return "use row(s) or column(s)" if inner.board else "use number(x) for its position in its list"
    if isinstance(inner, SetType | Sequence):
        return "use size(x) for how many there are"
    return "count where it holds: if x then 1 else 0" if inner == TRUTH else "write a number"

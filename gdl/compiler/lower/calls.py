"""Calls of definitions: a function's call where the definition is large, else its value in place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from gdl.compiler.ir import nodes as ir
from gdl.compiler.lower.code_values import LaneVector, Listed, Mask, Number, Value, WordCode, locate_refusals
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Frame
from gdl.compiler.lower.recursion import Recursion
from gdl.compiler.lower.repetitions import Times
from gdl.errors import clean
from gdl.model import core

CALLED_FROM = 40  # forms of a definition from which on it is a function of its own
IN_PLACE = 24  # lines of a definition that folds with constants and is written in place
LONG_CALL_FORMS = 160  # forms of one that does not fold so far


class Function(NamedTuple):
    """A definition that is a function of the module: its name, bounds of its value, and whether it may be a fault."""

    name: str
    result: Number | Mask
    may_trap: bool


class Calls:
    """Calls of definitions that do not call themselves."""

    def __init__(self, context: Context, expressions: ExpressionLowering, past: Times, recursion: Recursion):
        self.context = context
        self.model, self.module = context.model, context.module
        self.dependence, self.out = context.dependence, context.out
        self.expressions = expressions
        self.past = past
        self.recursion = recursion
        self._functions: dict[Any, list[tuple[Frame, Function]]] = {}  # and the arguments that each takes
        self._long: set[tuple[int | None, ...]] = set()  # definitions and constants with which they are not short

    def call(self, e: core.CallDefinition, frame: Frame) -> Value:
        """The value of a definition that does not call itself."""
        definition = self.model.definitions[e.definition]
        arguments = [self.expressions.value(argument, frame) for argument in e.arguments]
        with locate_refusals(definition.span):
            value, size = None, self.dependence.definition(e.definition).size
            if size >= CALLED_FROM and not self.recursion.is_open:  # it counts calls through what is written in place
                value = self._short(e.definition, arguments)
                value = self._call(e.definition, arguments) if value is None else value
            return self._in_place(e.definition, arguments) if value is None else value

    def _in_place(self, index: int, arguments: list[Value]) -> Value:
        """The value, worked out where it is asked for."""
        result = self.model.definitions[index].result
        assert result is not None
        return self.expressions.value(result, {slot: self.context.bound(a, "a") for slot, a in enumerate(arguments)})

    def _short(self, index: int, arguments: list[Value]) -> Value | None:
        """The value in place, where that is short since some of the arguments are constants; None where it is not."""
        constants = (index, *(a.constant if isinstance(a, Number) else None for a in arguments))
        if constants in self._long or all(a is None for a in constants[1:]):
            return None
        if self.dependence.definition(index).size >= LONG_CALL_FORMS:
            return None
        with self.out.capture_lines() as lines:
            value = self._in_place(index, arguments)
        if lines.total > IN_PLACE:
            self._long.add(constants)
            return None
        self.out.append(lines)
        return value

    def _call(self, index: int, arguments: list[Value]) -> Value | None:
        """A call of the definition as a function of the module; None where its value or arguments do not allow it."""
        parameters: Frame = {}
        passed: list[ir.Expr] = []
        declared: dict[str, str] = {}
        for slot, argument in enumerate(arguments):
            if isinstance(argument, Number) and argument.constant is None and not argument.is_none:
                parameters[slot] = argument.with_name(f"a{slot}")
                passed.append(argument.code)
                declared[f"a{slot}"] = argument.type
            elif isinstance(argument, Mask) and argument.bits is None and len(argument.words) == 1:
                parameters[slot] = Mask((WordCode(ir.Local(f"a{slot}", ir.I64)),), argument.size)
                passed.append(argument.words[0].code)
                declared[f"a{slot}"] = ir.I64
            elif isinstance(argument, Listed | LaneVector):
                return None
            else:
                parameters[slot] = argument
        key = (index, self.context.mover, self.past.counts_itself, self.context.mode_of(index))
        known = self._functions.setdefault(key, [])
        made = next((made for held, made in known if _takes(held, parameters)), None)
        if made is None:
            made = self._function(index, parameters, declared)
            if made is None:
                return None
            known.append((parameters, made))
        self.out.lines.calls = True
        self.out.lines.calls_may_trap |= made.may_trap
        result = made.result
        if isinstance(result, Mask):
            return Mask((WordCode(ir.Call(made.name, tuple(passed), ir.I64)),), result.size)
        code = ir.Call(made.name, tuple(passed), result.type)
        return Number(code, result.low, result.high, result.none, result.scale)

    def _function(self, index: int, parameters: Frame, declared: dict[str, str]) -> Function | None:
        definition = self.model.definitions[index]
        assert definition.result is not None
        with self.context.in_other_function():
            result = self.expressions.value(definition.result, parameters)
            if not isinstance(result, Number | Mask) or (isinstance(result, Mask) and len(result.words) > 1):
                return None
            code, type = (result.code, result.type) if isinstance(result, Number) else (result.words[0].code, "i64")
            self.out.returns(code)
            name = self.module.free_name(definition.name)
            doc = f"The definition {clean(definition.name)}."
            self.context.function(name, doc, type, **declared)
            lines = self.out.lines
            return Function(name, result, lines.may_trap or lines.calls_may_trap)


def _takes(held: Frame, given: Frame) -> bool:
    """Whether a function with these parameters takes such arguments, and is hardly slower than one of their own."""
    return all(_fits(parameter, given[slot]) for slot, parameter in held.items())


def _fits(parameter: Value, argument: Value) -> bool:
    """The same, or a number that is never none where it might be."""
    if not isinstance(parameter, Number) or not isinstance(argument, Number) or argument.none:
        return parameter == argument
    return replace(parameter, none=False) == argument

"""Calls of definitions: a function's call where the definition is large, else its value in place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, compare
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import (
    NOTHING,
    LaneVector,
    Listed,
    Mask,
    Number,
    Sequence,
    UnsupportedConstruct,
    Value,
    WordCode,
    limits_of,
    literal,
    locate_refusals,
    words_for,
)
from gdl.compiler.lower.context import grown_bounds
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.repetitions import Times
from gdl.compiler.lower.state_layout import set_size
from gdl.errors import Span, clean, limits
from gdl.model import core
from gdl.model.domains import Sequence as ListType
from gdl.model.domains import SetType, Type, bounds

CALLED_FROM = 40  # forms of a definition from which on it is a function of its own
IN_PLACE = 24  # lines of a definition that folds with constants and is written in place
LONG_CALL_FORMS = 160  # forms of one that does not fold so far


class Function(NamedTuple):
    """A definition that has become a function of the module: its name, its value (for the bounds), and whether a call
    may end in a fault."""

    name: str
    result: Number | Mask
    may_trap: bool


class Calls(Part):
    """Lowering of calls of definitions that do not call themselves."""

    def __init__(self, past: Times, recursion: Recursion):
        super().__init__(past.expressions)
        self.past, self.recursion = past, recursion
        self._functions: dict[Any, list[tuple[Frame, Function]]] = {}  # each with the parameters that it takes
        self._long: set[tuple[int | None, ...]] = set()  # definitions and constants with which they are not short

    def call(self, e: core.CallDefinition, frame: Frame) -> Value | None:
        """The value of a definition with these arguments."""
        definition = self.model.definitions[e.definition]
        if definition.recursive:
            return self.recursion.call(e, frame)
        arguments = [self.expressions.value(argument, frame) for argument in e.arguments]
        with locate_refusals(definition.span):
            found: Value | None = self.expressions.first_of("call", e.definition, arguments)
            return found

    def in_place(self, index: int, arguments: list[Value]) -> Value:
        """The value of the definition with these arguments, computed where the call stands."""
        result = self.model.definitions[index].result
        assert result is not None
        return self.expressions.value(result, {slot: self.context.bound(a, "a") for slot, a in enumerate(arguments)})

    def short_value(self, index: int, arguments: list[Value]) -> Value | None:
        """The value in place, if the constants among the arguments make its code short; else None."""
        # A known argument may decide most of a definition, as the kind of a piece does: then it is short, and in place
        # its code can be shared with what surrounds it.
        constants = (index, *(a.constant if isinstance(a, Number) else None for a in arguments))
        if constants in self._long or all(a is None for a in constants[1:]) or not self._is_large(index):
            return None
        if self.dependence.definition(index).size >= LONG_CALL_FORMS:
            return None
        with self.out.capture_lines() as lines:
            value = self.in_place(index, arguments)
        if lines.total > IN_PLACE:
            self._long.add(constants)
            return None
        self.out.append(lines)
        return value

    def as_function(self, index: int, arguments: list[Value]) -> Value | None:
        """A call of the definition as a function of the module; None if the type of its value or of an argument does
        not allow one."""
        if not self._is_large(index):
            return None
        parameters: Frame = {}
        passed: list[ir.Expr] = []
        declared: dict[str, str] = {}
        for slot, argument in enumerate(arguments):
            if isinstance(argument, Listed | LaneVector):
                return None
            parameters[slot] = argument
            if not _is_constant(argument):
                parameters[slot], names = _parameter(slot, argument)
                passed += on.codes_of(argument)
                declared |= names
        # All that the body means besides its arguments: two calls with the same key are one function.
        key = (index, self.context.mover, self.past.counts_itself, self.context.mode_of(index))
        known = self._functions.setdefault(key, [])
        made = next((made for held, made in known if held == parameters), None)
        if made is None:
            made = self._function(index, parameters, declared)
            if made is None:
                return None
            known.append((parameters, made))
        if made.may_trap:
            self.out.note_trap()
        result = made.result
        if isinstance(result, Mask):
            return Mask((WordCode(ir.Call(made.name, tuple(passed), ir.I64)),), result.size)
        code = ir.Call(made.name, tuple(passed), result.type)
        return replace(result, code=code, if_true=(), if_false=())

    def _is_large(self, index: int) -> bool:
        """True if a definition may become a function. None does where calls that are open are counted."""
        return self.dependence.definition(index).size >= CALLED_FROM and not self.recursion.is_open

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
            return Function(name, result, self.out.lines.may_trap)


def _is_constant(value: Number | Mask | Sequence) -> bool:
    """True if the value is known before play."""
    match value:
        case Number():
            return value.constant is not None or value.is_none
        case Mask():
            return value.bits is not None
    return value.values is not None


# Definitions that call themselves and read the state: functions of the module that call themselves.
#
# The bounds of parameters and value are what all calls and all ends of the function give: it is written again until
# they hold. The number of open calls is passed on as a parameter too, since the interpreter limits their depth.


@dataclass
class Recursive:
    """A function that calls itself: while it is being written its bounds may still grow."""

    name: str
    parameters: list[Value]
    result: Value
    growths: int = 0
    grows: bool = False

    @property
    def result_array(self) -> str:
        """The name of the array in which a set of several words is returned."""
        return f"given_by_{self.name}"


class Recursion(Part):
    """Lowering of calls of definitions that call themselves."""

    def __init__(self, past: Times):
        super().__init__(past.expressions)
        self.past = past
        self._made: dict[Any, Recursive] = {}  # the functions, by what they are called with
        self._recursing: dict[int, Recursive] = {}  # the functions being written, by number of the definition
        self._around = 0  # open calls around the present line, besides those counted in the function's parameter `open`

    @property
    def is_open(self) -> bool:
        """True if a function that calls itself is being written."""
        return bool(self._recursing)

    def call(self, e: core.CallDefinition, frame: Frame) -> Value:
        """The value of a call of a definition that calls itself."""
        definition = self.model.definitions[e.definition]
        with locate_refusals(definition.span):
            self._around += 1
            arguments = [self.context.bound(self.expressions.value(argument, frame), "a") for argument in e.arguments]
            made = self._recursive_function(e.definition, arguments, e.span)
            value = self._call_function(made, arguments)
            self._around -= 1
        return value

    # -- calls ----------------------------------------------------------------------------------------------

    def _recursive_function(self, index: int, arguments: list[Value], span: Span) -> Recursive:
        """The function for a call with these arguments. While the function is still being written, its parameters are
        widened to hold them."""
        made = self._recursing.get(index)
        if made is not None:
            self._take_arguments(made, arguments, self.model.definitions[index].types)
            return made
        key = (
            index,
            self.context.mover,
            self.past.counts_itself,
            self.context.mode_of(index),
            tuple(grown_bounds(a, a, 0) for a in arguments),
        )
        if key not in self._made:
            self._made[key] = self._settled_function(index, arguments, span)
        return self._made[key]

    @staticmethod
    def _take_arguments(made: Recursive, arguments: list[Value], types: tuple[Type, ...]) -> None:
        """Widen the parameters of `made` that do not hold these arguments, at once to the whole of their types."""
        for slot, argument in enumerate(arguments):
            joined = grown_bounds(made.parameters[slot], argument, made.growths)
            if joined != made.parameters[slot]:
                # At once as wide as the type, so that most functions are written twice and not step by step.
                joined = grown_bounds(joined, _first_bounds(types[slot]), 0)
                made.grows = made.grows or joined != made.parameters[slot]
            made.parameters[slot] = joined

    def _call_function(self, made: Recursive, arguments: list[Value]) -> Value:
        """The value of a call of the function, held in new variables."""
        passed = [
            code for a, held in zip(arguments, made.parameters, strict=True) for code in self._argument_codes(a, held)
        ]  # fmt: skip
        around = ir.Const(self._around)
        opened = ir.Local("open") + around if self._recursing else around
        self.out.note_trap()
        call = ir.Call(made.name, (*passed, opened), ir.I32)
        match made.result:
            case Number():
                return made.result.with_name(self.out.let("again", call, made.result.wide))
            case Mask() if len(made.result.words) == 1:
                return Mask((WordCode(ir.Local(self.out.let("again", call, wide=True), ir.I64)),), made.result.size)
            case Mask():
                self.out.calls(call.name, *call.arguments)
                words = [
                    self.out.let("again", array(made.result_array)[k], wide=True) for k in range(len(made.result.words))
                ]  # fmt: skip
                return Mask(tuple(WordCode(ir.Local(word, ir.I64)) for word in words), made.result.size)
        raise UnsupportedConstruct("a definition that calls itself and gives a list")

    def _argument_codes(self, argument: Value, held: Value) -> list[ir.Expr]:
        match held:
            case Mask():
                return [word.code for word in sets.pad_words(on.as_mask(argument), len(held.words))]
            case Sequence():
                assert isinstance(argument, Sequence)
                return [self.fixed.as_row(argument).row.code]
        return [on.as_number(self.context.limit_value(argument, held)).code]

    # -- functions ------------------------------------------------------------------------------------------

    def _settled_function(self, index: int, arguments: list[Value], span: Span) -> Recursive:
        """Write the function until its parameters and its value hold all that is passed and returned. Versions with
        narrower bounds are dropped."""
        definition = self.model.definitions[index]
        if any(isinstance(argument, Listed | LaneVector) for argument in arguments):
            raise UnsupportedConstruct("a definition that calls itself with a list")
        if definition.type is None:
            raise UnsupportedConstruct("a definition that calls itself and does not say what it gives")
        made = Recursive(self.module.free_name(definition.name), [grown_bounds(a, a, 0) for a in arguments], literal(0))
        # The value inside the function's own body is what the type promises; the end of the function checks it.
        made.result = _first_bounds(definition.type)
        self._recursing[index] = made
        opened, self._around = self._around, 0
        try:
            while True:
                # What is written with bounds that do not hold is dropped, with all functions that it has called for.
                called, functions = dict(self._made), set(self.module.functions)
                made.grows = False
                with self.context.in_other_function():
                    self._write_function(index, made, span)
                if not made.grows:
                    if isinstance(made.result, Mask) and len(made.result.words) > 1:
                        self.module.array(made.result_array, "i64", len(made.result.words))
                    return made
                made.growths += 1
                self._made = called
                self.module.keep_functions(functions)
        finally:
            del self._recursing[index]
            self._around = opened

    def _write_function(self, index: int, made: Recursive, span: Span) -> None:
        definition = self.model.definitions[index]
        assert definition.result is not None
        frame: Frame = {}
        declared: dict[str, str] = {}
        for slot, held in enumerate(made.parameters):
            frame[slot], names = _parameter(slot, held)
            declared |= names
        code = self.module.trap(f"{clean(definition.name)} calls itself more than {limits.CALLS} deep", span)
        with self.out.when(compare("open", ">", limits.CALLS)):
            self.out.trap(code)
        result = self.expressions.value(definition.result, frame)
        joined = grown_bounds(made.result, result, made.growths)
        made.grows = made.grows or joined != made.result
        made.result = joined
        type = self._give(made, result)
        doc = f"The definition {clean(definition.name)}, which calls itself."
        self.context.function(made.name, doc, type, **declared, open=ir.I32)

    def _give(self, made: Recursive, result: Value) -> str:
        """Write the return of the function's value; gives the type of the returned word."""
        match made.result:
            case Number():
                self.out.returns(on.as_number(self.context.limit_value(result, made.result)).code)
                return made.result.type
            case Mask():
                words = sets.pad_words(on.as_mask(result), len(made.result.words))
                if len(words) == 1:
                    self.out.returns(words[0].code)
                    return "i64"
                for k, word in enumerate(self.out.bound_mask(replace(made.result, words=words)).words):
                    self.out.store(made.result_array, k, word.code)
                self.out.returns(0)
                return "i32"
        raise UnsupportedConstruct("a definition that calls itself and gives a list")


def _first_bounds(type: Type) -> Value:
    """The widest value of a type: the first assumption about what a function that calls itself takes or gives."""
    if isinstance(type, ListType):
        raise UnsupportedConstruct("a definition that calls itself with a list")
    if isinstance(type, SetType):
        size = set_size(type)
        return Mask((sets.EMPTY,) * words_for(size), size)
    low, high, none = bounds(type)
    return limits_of(low, high, none)


def _parameter(slot: int, held: Value) -> tuple[Value, dict[str, str]]:
    """The value of a parameter inside the function, and the names and types of the words by which it is declared."""
    name = f"a{slot}"
    match held:
        case Mask():
            names = [name] if len(held.words) == 1 else [f"{name}_{k}" for k in range(len(held.words))]
            words = tuple(WordCode(ir.Local(word, ir.I64)) for word in names)
            return Mask(words, held.size), dict.fromkeys(names, ir.I64)
        case Sequence():
            return Sequence(held.row.with_name(name), held.shape), {name: ir.I32}
        case Number():
            known: Value = held.with_name(name)
            if held.is_none or held.constant is not None:
                known = NOTHING if held.is_none else replace(literal(held.low), scale=held.scale)
            return known, {name: held.type}
    raise UnsupportedConstruct("a definition that calls itself with a list")

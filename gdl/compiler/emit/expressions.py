"""Expressions of kernel Python -> typed WebAssembly code."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from gdl.compiler.emit import encoding as wasm
from gdl.compiler.emit.source import SIZE, TRAP_CODE, Function, Source


class Code(NamedTuple):
    """Code that leaves one number on the stack."""

    code: bytes
    type: str
    known: int | None = None  # the number, where it is a constant
    natural: bool = False  # whether it is certainly not negative


@dataclass
class Scope:
    """The names of one function, or of one that is written into another in place of its call."""

    result: str | None
    leave: int | None = None  # the block that `return` leaves; None: the function itself
    name: str = ""  # of the function, and the file in which it stands
    file: str = ""
    names: dict[str, int] = field(default_factory=dict)
    naturals: set[str] = field(default_factory=set)  # names of numbers that are certainly not negative
    known: dict[str, Code] = field(default_factory=dict)  # names that are constants where code is being written
    loops: list[tuple[int, int]] = field(default_factory=list)  # of each loop: where `break` and `continue` go


ARITHMETIC: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "shl", ast.RShift: "shr_s",
}  # fmt: skip
COMPARISON: dict[type[ast.AST], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt_s", ast.LtE: "le_s", ast.Gt: "gt_s", ast.GtE: "ge_s",
}  # fmt: skip
KEEPS_NATURAL = (ast.Add, ast.Mult, ast.BitOr, ast.BitXor, ast.RShift)
COUNTS = {"popcount": "popcnt", "ctz": "ctz", "clz": "clz"}
I32 = 1 << 31


def literal(number: int | float, type: str | None = None) -> Code:
    """A constant; an integer that fits is an i32."""
    if isinstance(number, float):
        return Code(wasm.constant(number, "f64"), "f64")
    type = type or ("i32" if -I32 <= number < I32 else "i64")
    return Code(wasm.constant(number, type), type, number, number >= 0)


class Expressions(ABC):
    """The part of a function's writer that turns expressions into code."""

    def __init__(self, module: Source, numbers: dict[str, int], inlined: frozenset[str]):
        self.module = module
        self.numbers = numbers  # of the functions, in the binary
        self.inlined = inlined  # functions that are written in place of their calls
        self.locals: list[str] = []  # their types
        self.depth = 0  # blocks that are open
        self.scope = Scope(None)

    # -- names and blocks ------------------------------------------------------------------------------------

    def fresh(self, type: str) -> int:
        """The number of a new local."""
        self.locals.append(type)
        return len(self.locals) - 1

    @contextmanager
    def opened(self) -> Iterator[int]:
        """A block is open while its inside is written; gives its label."""
        self.depth += 1
        try:
            yield self.depth
        finally:
            self.depth -= 1

    def jump(self, label: int, instruction: bytes = wasm.BRANCH) -> bytes:
        return instruction + wasm.unsigned(self.depth - label)

    # -- expressions -----------------------------------------------------------------------------------------

    def expression(self, node: ast.expr) -> Code:
        match node:
            case ast.Constant(value=bool(value)):
                return literal(int(value))
            case ast.Constant(value=int() | float() as value):
                return literal(value)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                place = self.module.places[name]
                address, offset = self.address(name, index)
                kind = {"u8": "i32", "i16": "i32"}.get(place.type, place.type)
                code = address + wasm.access(wasm.LOAD[place.type], offset, place.vast)
                return Code(code, kind, natural=place.type == "u8")
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(op, self.expression(left), self.expression(right))
            case ast.UnaryOp(op=op, operand=operand):
                return self._unary(op, self.expression(operand))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                one, two = self.met(self.expression(left), self.expression(right))
                return Code(one.code + two.code + wasm.OPERATION[one.type, COMPARISON[type(op)]], "i32", natural=True)
            case ast.BoolOp(op=op, values=values):
                return self._both(isinstance(op, ast.And), values)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._either(test, body, orelse)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(name, arguments)
        raise ValueError(f"no expression of kernel Python: {ast.unparse(node)}")

    def _name(self, name: str) -> Code:
        if name in self.scope.known:
            return self.scope.known[name]
        if name in self.scope.names:
            local = self.scope.names[name]
            natural = name in self.scope.naturals
            return Code(wasm.GET + wasm.unsigned(local), self.locals[local], natural=natural)
        return literal(self.module.constants[name])

    def truth(self, node: ast.expr) -> bytes:
        """Code for a number that is 0 where the expression is false."""
        found = self.expression(node)
        return found.code if found.type == "i32" else found.code + literal(0, found.type).code + b"\x52"

    def _both(self, all: bool, values: list[ast.expr]) -> Code:
        """`and`, `or`: the rest is looked at only where the first does not decide."""
        first, rest = values[0], values[1:]
        test = self.truth(first)
        if not rest:
            return Code(test, "i32", natural=True)
        with self.opened():
            further = self._both(all, rest).code
        sides = (further, literal(0).code) if all else (literal(1).code, further)
        code = test + wasm.IF + wasm.VALUE["i32"] + sides[0] + wasm.ELSE + sides[1] + wasm.END
        return Code(code, "i32", natural=True)

    def _either(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Code:
        """`a if c else b`; two numbers at hand are selected without a branch."""
        chosen = self.truth(test)
        with self.opened():
            one, two = self.met(self.expression(body), self.expression(orelse))
        natural = one.natural and two.natural
        if _at_hand(body) and _at_hand(orelse):
            return Code(one.code + two.code + chosen + wasm.SELECT, one.type, natural=natural)
        code = chosen + wasm.IF + wasm.VALUE[one.type] + one.code + wasm.ELSE + two.code + wasm.END
        return Code(code, one.type, natural=natural)

    # -- arithmetic ------------------------------------------------------------------------------------------

    def converted(self, value: Code, type: str) -> Code:
        """The value as one of another type."""
        if value.type == type:
            return value
        if value.known is not None:
            return literal(float(value.known) if type == "f64" else value.known, None if type == "f64" else type)
        natural = value.natural and type != "i32"
        return Code(value.code + wasm.CONVERSION[value.type, type], type, natural=natural)

    def widened(self, value: Code, type: str) -> Code:
        """The value where one of this type is wanted."""
        if (value.type, type) == ("i64", "i32") and value.known is None:
            raise ValueError("narrowing is written i32(e)")
        if value.type == "f64" != type:
            raise ValueError(f"rounding is written {type}(e)")
        return self.converted(value, type)

    def met(self, one: Code, two: Code) -> tuple[Code, Code]:
        """Both as values of the wider type."""
        type = max(one.type, two.type)  # "f64" < "i32" < "i64"
        if "f64" in (one.type, two.type):
            type = "f64"
        return self.converted(one, type), self.converted(two, type)

    def binary(self, op: ast.operator, one: Code, two: Code) -> Code:
        if isinstance(op, ast.LShift | ast.RShift):
            if one.type == "i32" and one.known is not None and two.known is None:
                if isinstance(op, ast.LShift):
                    raise ValueError("how many bits a literal has is not said: i64(n) << k, or bit(k)")
                one = self.converted(one, "i64")  # as far right as a word has bits
            two = self.converted(two, one.type)
        else:
            one, two = self.met(one, two)
        if isinstance(op, ast.Div):
            return Code(self._float(one) + self._float(two) + wasm.OPERATION["f64", "div_s"], "f64")
        if isinstance(op, ast.FloorDiv | ast.Mod):
            return self._divided(one, two, isinstance(op, ast.Mod))
        name = ARITHMETIC[type(op)]
        if one.known is not None and two.known is not None and name in ("add", "sub", "mul"):
            x, y = one.known, two.known
            number = x + y if name == "add" else x - y if name == "sub" else x * y
            if literal(number).type == one.type or (one.type == "i64" and abs(number) < 1 << 63):
                return literal(number, one.type)
        natural = one.natural and two.natural and isinstance(op, KEEPS_NATURAL)
        natural = natural or (isinstance(op, ast.BitAnd) and (one.natural or two.natural))
        return Code(one.code + two.code + wasm.OPERATION[one.type, name], one.type, natural=natural)

    def _float(self, value: Code) -> bytes:
        return self.converted(value, "f64").code

    def _divided(self, one: Code, two: Code, rest: bool) -> Code:
        """Floor division, or its remainder, which has the sign of the divisor.

        The machine rounds towards zero. Where a remainder is not 0 and has not the divisor's sign, the quotient is one
        less and the remainder so much more as the divisor.
        """
        type = one.type

        def done(code: bytes, name: str) -> bytes:
            return code + wasm.OPERATION[type, name]

        if type == "f64":
            quotient = done(done(one.code + two.code, "div_s"), "floor")
            return Code(done(one.code + done(quotient + two.code, "mul"), "sub") if rest else quotient, type)
        if two.known is not None and two.known > 0 and two.known & two.known - 1 == 0:
            operand = two.known - 1 if rest else two.known.bit_length() - 1
            code = done(one.code + literal(operand, type).code, "and" if rest else "shr_s")
            return Code(code, type, natural=rest or one.natural)
        if one.natural and two.natural:
            return Code(done(one.code + two.code, "rem_u" if rest else "div_u"), type, natural=True)
        a, b, r = (wasm.unsigned(self.fresh(type)) for _ in range(3))
        code = one.code + wasm.SET + a + two.code + wasm.SET + b
        code += done(wasm.GET + a + wasm.GET + b, "rem_s") + wasm.SET + r
        zero = literal(0, type).code
        signs = done(done(wasm.GET + r + wasm.GET + b, "xor") + zero, "lt_s")
        wrong = done(wasm.GET + r + zero, "ne") + signs + wasm.OPERATION["i32", "and"]
        if rest:
            code += done(wasm.GET + r + wasm.GET + b, "add") + wasm.GET + r + wrong + wasm.SELECT
            return Code(code, type, natural=two.natural)
        less = wrong if type == "i32" else wrong + wasm.CONVERSION["i32", "i64"]
        return Code(done(code + done(wasm.GET + a + wasm.GET + b, "div_s") + less, "sub"), type)

    def _unary(self, op: ast.unaryop, value: Code) -> Code:
        match op:
            case ast.USub() if value.known is not None:
                return literal(-value.known)
            case ast.USub() if value.type == "f64":
                return Code(value.code + wasm.OPERATION["f64", "neg"], "f64")
            case ast.USub():
                return self.binary(ast.Sub(), literal(0, value.type), value)
            case ast.Invert():
                return self.binary(ast.BitXor(), value, literal(-1, value.type))
            case ast.Not():
                return Code(value.code + wasm.OPERATION[value.type, "eqz"], "i32", natural=True)
        return value

    # -- memory ----------------------------------------------------------------------------------------------

    def address(self, name: str, index: ast.expr) -> tuple[bytes, int]:
        """Where an element lies: code for a number, and what is to be added to it without cost."""
        place = self.module.places[name]
        size, type = SIZE[place.type], "i64" if place.vast else "i32"
        added = 0
        match index:
            case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int(more))):
                if self.expression(left).natural:  # the sum is made with more bits than 32, so only then
                    index, added = left, more
        found = self.widened(self.expression(index), type)
        if found.known is not None:
            if not 0 <= found.known + added < place.count:
                raise ValueError(f"{name} has {place.count} elements, and this is the one at {found.known + added}")
            return literal(0, type).code, place.offset + (found.known + added) * size
        code = found.code
        if size > 1:
            code += literal(size.bit_length() - 1, type).code + wasm.OPERATION[type, "shl"]
        return code, place.offset + added * size

    # -- calls -----------------------------------------------------------------------------------------------

    def _call(self, name: str, arguments: list[ast.expr]) -> Code:
        """A call that gives a number."""
        if name in self.module.functions:
            code, result = self.called(name, arguments)
            if result is None:
                raise ValueError(f"{name} gives nothing")
            return Code(code, result)
        if name in ("equal", "above"):
            return self.stretch(name, arguments)
        value = self.expression(arguments[0])
        if name in COUNTS:
            code = self.converted(value, "i64").code + wasm.OPERATION["i64", COUNTS[name]]
            return Code(code + wasm.CONVERSION["i64", "i32"], "i32", natural=True)
        if name == "bit":
            return Code(literal(1, "i64").code + self.converted(value, "i64").code + b"\x86", "i64")
        if name == "wrap64":
            return self.converted(value, "i64")
        if name in ("i32", "i64", "f64"):
            return self.converted(value, name)
        if name == "sqrt":
            return Code(self._float(value) + wasm.OPERATION["f64", "sqrt"], "f64")
        raise ValueError(f"kernel Python knows no function {name}")

    @abstractmethod
    def stretch(self, name: str, arguments: list[ast.expr]) -> Code:
        """What a function that compares two stretches of memory gives, `equal` or `above`."""

    def trap(self, code: int) -> bytes:
        stored = literal(0).code + literal(code).code + wasm.access(wasm.STORE["i32"], TRAP_CODE)
        return stored + wasm.UNREACHABLE

    def called(self, name: str, arguments: list[ast.expr]) -> tuple[bytes, str | None]:
        """The code of a call of the module's own function, and the type of what it gives."""
        function = self.module.functions[name]
        given = [
            self.widened(self.expression(argument), type).code
            for argument, (_, type) in zip(arguments, function.parameters, strict=True)
        ]
        if name in self.inlined:
            return b"".join(given) + self.inline(function), function.result
        return b"".join(given) + wasm.CALL + wasm.unsigned(self.numbers[name]), function.result

    @abstractmethod
    def inline(self, function: Function) -> bytes:
        """A function's body in the place of its call; its arguments lie on the stack."""


def _at_hand(node: ast.expr) -> bool:
    """Whether it costs nothing, and can do no harm, to evaluate it needlessly."""
    cheap = (ast.Name, ast.Constant, ast.Load, ast.UnaryOp, ast.USub, ast.BinOp, ast.Add, ast.Sub)
    return all(isinstance(part, cheap) for part in ast.walk(node))

"""Expressions of kernel code -> typed WebAssembly code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from gdl.compiler.emit import encoding as wasm
from gdl.compiler.emit.memory import TRAP_CODE, Memory
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.nodes import SIZE
from gdl.compiler.ir.reader import Read


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
    known: dict[str, Code] = field(default_factory=dict)  # names that are constants where code is being written
    loops: list[tuple[int, int]] = field(default_factory=list)  # of each loop: where `break` and `continue` go


ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "shr_s"}
COMPARISON = {"==": "eq", "!=": "ne", "<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s"}
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

    def __init__(self, module: Read, memory: Memory, numbers: dict[str, int], inlined: frozenset[str]):
        self.module = module
        self.memory = memory
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

    def expression(self, e: ir.Expr) -> Code:
        match e:
            case ir.Local():
                return self._local(e)
            case ir.Const():
                return literal(e.value, None if e.name else e.type)
            case ir.Load():
                place = self.memory.places[e.array.name]
                address, offset = self.address(e.array, e.index)
                return Code(address + wasm.access(wasm.LOAD[place.type], offset, place.vast), e.type, natural=e.natural)
            case ir.Binary():
                return self.binary(e.op, self.expression(e.a), self.expression(e.b), e.natural)
            case ir.Unary():
                return self._unary(e.op, self.expression(e.a))
            case ir.Compare():
                one, two = self.met(self.expression(e.a), self.expression(e.b))
                return Code(one.code + two.code + wasm.OPERATION[one.type, COMPARISON[e.op]], "i32", natural=True)
            case ir.Logic():
                return self._both(e.every, e.parts)
            case ir.Select():
                return self._either(e)
            case ir.Convert():
                return self.converted(self.expression(e.a), e.type)
            case ir.Call():
                return self._call(e)
        raise ValueError(f"no expression: {e!r}")

    def _local(self, e: ir.Local) -> Code:
        known = self.scope.known.get(e.name)
        if known is not None:
            return known
        local = self.scope.names[e.name]
        return Code(wasm.GET + wasm.unsigned(local), self.locals[local], natural=e.natural)

    def truth(self, e: ir.Expr) -> bytes:
        """Code for a number that is 0 where the expression is false."""
        found = self.expression(e)
        return found.code if found.type == "i32" else found.code + literal(0, found.type).code + b"\x52"

    def _both(self, every: bool, parts: tuple[ir.Expr, ...]) -> Code:
        """`and`, `or`: the rest is looked at only where the first does not decide."""
        test = self.truth(parts[0])
        if len(parts) == 1:
            return Code(test, "i32", natural=True)
        with self.opened():
            further = self._both(every, parts[1:]).code
        sides = (further, literal(0).code) if every else (literal(1).code, further)
        code = test + wasm.IF + wasm.VALUE["i32"] + sides[0] + wasm.ELSE + sides[1] + wasm.END
        return Code(code, "i32", natural=True)

    def _either(self, e: ir.Select) -> Code:
        """`a if c else b`; two numbers at hand are selected without a branch."""
        chosen = self.truth(e.test)
        with self.opened():
            one, two = self.met(self.expression(e.a), self.expression(e.b))
        natural = one.natural and two.natural
        if _at_hand(e.a) and _at_hand(e.b):
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

    def binary(self, op: str, one: Code, two: Code, natural: bool = False) -> Code:
        """An operation of two numbers; `natural`: the result is known not to be negative."""
        if op in ("<<", ">>"):
            if one.type == "i32" and one.known is not None and two.known is None:
                if op == "<<":
                    raise ValueError("how many bits a literal has is not said: i64(n) << k, or bit(k)")
                one = self.converted(one, "i64")  # as far right as a word has bits
            two = self.converted(two, one.type)
        else:
            one, two = self.met(one, two)
        if op == "/":
            return Code(self._float(one) + self._float(two) + wasm.OPERATION["f64", "div_s"], "f64")
        if op in ("//", "%"):
            return self._divided(one, two, op == "%")
        if one.known is not None and two.known is not None and op in ("+", "-", "*"):
            x, y = one.known, two.known
            number = x + y if op == "+" else x - y if op == "-" else x * y
            if literal(number).type == one.type or (one.type == "i64" and abs(number) < 1 << 63):
                return literal(number, one.type)
        return Code(one.code + two.code + wasm.OPERATION[one.type, ARITHMETIC[op]], one.type, natural=natural)

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

    def _unary(self, op: str, value: Code) -> Code:
        if op == "not":
            return Code(value.code + wasm.OPERATION[value.type, "eqz"], "i32", natural=True)
        if op == "~":
            return self.binary("^", value, literal(-1, value.type))
        if value.known is not None:
            return literal(-value.known)
        if value.type == "f64":
            return Code(value.code + wasm.OPERATION["f64", "neg"], "f64")
        return self.binary("-", literal(0, value.type), value)

    # -- memory ----------------------------------------------------------------------------------------------

    def address(self, array: ir.Array, index: ir.Expr) -> tuple[bytes, int]:
        """Where an element lies: code for a number, and what is to be added to it without cost."""
        place = self.memory.places[array.name]
        size, type = SIZE[place.type], "i64" if place.vast else "i32"
        added = 0
        match index:
            case ir.Binary(op="+", a=left, b=ir.Const(name="", value=int(more))) if self.expression(left).natural:
                index, added = left, more  # the sum is made with more bits than 32, so only then
        found = self.widened(self.expression(index), type)
        if found.known is not None:
            if not 0 <= found.known + added < place.count:
                at = found.known + added
                raise ValueError(f"{array.name} has {place.count} elements, and this is the one at {at}")
            return literal(0, type).code, place.offset + (found.known + added) * size
        code = found.code
        if size > 1:
            code += literal(size.bit_length() - 1, type).code + wasm.OPERATION[type, "shl"]
        return code, place.offset + added * size

    # -- calls -----------------------------------------------------------------------------------------------

    def _call(self, e: ir.Call) -> Code:
        """A call that gives a number."""
        if e.arrays:
            return self.stretch(e)
        if e.name in self.module.functions:
            return Code(self.called(e), e.type, natural=e.natural)
        value = self.expression(e.arguments[0])
        if e.name in COUNTS:
            code = self.converted(value, "i64").code + wasm.OPERATION["i64", COUNTS[e.name]]
            return Code(code + wasm.CONVERSION["i64", "i32"], "i32", natural=True)
        if e.name == "bit":
            return Code(literal(1, "i64").code + self.converted(value, "i64").code + b"\x86", "i64")
        return Code(self._float(value) + wasm.OPERATION["f64", "sqrt"], "f64")

    @abstractmethod
    def stretch(self, e: ir.Call) -> Code:
        """What a function that compares two stretches of memory gives, `equal` or `above`."""

    def trap(self, code: int) -> bytes:
        stored = literal(0).code + literal(code).code + wasm.access(wasm.STORE["i32"], TRAP_CODE)
        return stored + wasm.UNREACHABLE

    def called(self, e: ir.Call) -> bytes:
        """The code of a call of the module's own function."""
        function = self.module.functions[e.name]
        given = [
            self.widened(self.expression(argument), type).code
            for argument, (_, type) in zip(e.arguments, function.parameters, strict=True)
        ]
        if e.name in self.inlined:
            return b"".join(given) + self.inline(self.module.function(e.name))
        return b"".join(given) + wasm.CALL + wasm.unsigned(self.numbers[e.name])

    @abstractmethod
    def inline(self, function: ir.Function) -> bytes:
        """A function's body in the place of its call; its arguments lie on the stack."""


def _at_hand(e: ir.Expr) -> bool:
    """Whether it costs nothing, and can do no harm, to evaluate it needlessly."""
    match e:
        case ir.Local() | ir.Const():
            return True
        case ir.Unary(op="-"):
            return _at_hand(e.a)
        case ir.Binary(op="+" | "-"):
            return _at_hand(e.a) and _at_hand(e.b)
    return False

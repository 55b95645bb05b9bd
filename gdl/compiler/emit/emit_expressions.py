"""Expressions of kernel code -> typed WebAssembly code; numbers of two types meet in the wider one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from gdl.compiler.emit import encoding as wasm
from gdl.compiler.emit.memory_layout import TRAP_CODE, Memory
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.nodes import SIZE
from gdl.compiler.ir.reader import Read

I32 = 1 << 31


class Code(NamedTuple):
    """WebAssembly code that leaves one number of this type on the stack."""

    code: bytes
    type: str
    known: int | None = None  # the number, where it is a constant


@dataclass
class EmitScope:
    """The names of a function while its code is written, also where it is written into another in place of a call."""

    result: str | None
    leave: int | None = None  # the block that `return` leaves; None: the function itself
    name: str = ""  # of the function; `file` is the kernel file it comes from
    file: str = ""
    names: dict[str, int] = field(default_factory=dict)
    loops: list[tuple[int, int]] = field(default_factory=list)  # for each open loop the labels of `break`, `continue`


def literal(number: int | float, type: str | None = None) -> Code:
    """The code of a constant; without a type, a whole number is an i32 if it fits, else an i64."""
    if isinstance(number, float):
        return Code(wasm.constant(number, "f64"), "f64")
    type = type or ("i32" if -I32 <= number < I32 else "i64")
    return Code(wasm.constant(number, type), type, number)


class Body:
    """The locals and open blocks of the function that is being written."""

    def __init__(self) -> None:
        self.locals: list[str] = []  # their types
        self.depth = 0  # the number of open blocks
        self.scope = EmitScope(None)

    def fresh(self, type: str) -> int:
        """The number of a new local."""
        self.locals.append(type)
        return len(self.locals) - 1

    @contextmanager
    def open_block(self) -> Iterator[int]:
        """Within the block, a block of WebAssembly is open; yields its label."""
        self.depth += 1
        try:
            yield self.depth
        finally:
            self.depth -= 1

    def jump(self, label: int, instruction: bytes = wasm.BRANCH) -> bytes:
        return instruction + wasm.leb128_unsigned(self.depth - label)


ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "shr_s"}


def convert_code(value: Code, type: str) -> Code:
    """The value converted to another type."""
    if value.type == type:
        return value
    if value.known is not None:
        return literal(float(value.known) if type == "f64" else value.known, None if type == "f64" else type)
    return Code(value.code + wasm.CONVERSION[value.type, type], type)


def widen_code(value: Code, type: str) -> Code:
    """The value converted for a place of this type. Raises ValueError where that could lose something: from 64 bits to
    32, or from f64 to a whole number."""
    if (value.type, type) == ("i64", "i32") and value.known is None:
        raise ValueError("narrowing is written i32(e)")
    if value.type == "f64" != type:
        raise ValueError(f"rounding is written {type}(e)")
    return convert_code(value, type)


def widen_both(one: Code, two: Code) -> tuple[Code, Code]:
    """Both values converted to the wider of their types."""
    type = max(one.type, two.type)  # "f64" < "i32" < "i64"
    if "f64" in (one.type, two.type):
        type = "f64"
    return convert_code(one, type), convert_code(two, type)


def binary(body: Body, op: str, one: Code, two: Code) -> Code:
    """The code of the operation `one op two`."""
    if op in ("<<", ">>"):
        if one.type == "i32" and one.known is not None and two.known is None:
            if op == "<<":
                raise ValueError("how many bits a literal has is not said: i64(n) << k, or bit(k)")
            one = convert_code(one, "i64")  # the number of bits may be any below 64
        two = convert_code(two, one.type)
    else:
        one, two = widen_both(one, two)
    if op == "/":
        return Code(as_float(one) + as_float(two) + wasm.OPERATION["f64", "div_s"], "f64")
    if op in ("//", "%"):
        return _divide_code(body, one, two, op == "%")
    return Code(one.code + two.code + wasm.OPERATION[one.type, ARITHMETIC[op]], one.type)


def as_float(value: Code) -> bytes:
    return convert_code(value, "f64").code


def _divide_code(body: Body, one: Code, two: Code, rest: bool) -> Code:
    """Floor division, or its remainder, which has the sign of the divisor.

    WebAssembly's division rounds towards zero. Where its remainder is not 0 and has another sign than the divisor, the
    quotient has to be one less, and the remainder greater by the divisor.
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
        return Code(code, type)
    a, b, r = (wasm.leb128_unsigned(body.fresh(type)) for _ in range(3))
    code = one.code + wasm.SET + a + two.code + wasm.SET + b
    code += done(wasm.GET + a + wasm.GET + b, "rem_s") + wasm.SET + r
    zero = literal(0, type).code
    signs = done(done(wasm.GET + r + wasm.GET + b, "xor") + zero, "lt_s")
    wrong = done(wasm.GET + r + zero, "ne") + signs + wasm.OPERATION["i32", "and"]
    if rest:
        code += done(wasm.GET + r + wasm.GET + b, "add") + wasm.GET + r + wrong + wasm.SELECT
        return Code(code, type)
    less = wrong if type == "i32" else wrong + wasm.CONVERSION["i32", "i64"]
    return Code(done(code + done(wasm.GET + a + wasm.GET + b, "div_s") + less, "sub"), type)


def unary(body: Body, op: str, value: Code) -> Code:
    if op == "not":
        return Code(value.code + wasm.OPERATION[value.type, "eqz"], "i32")
    if op == "~":
        return binary(body, "^", value, literal(-1, value.type))
    if value.known is not None:
        return literal(-value.known)
    if value.type == "f64":
        return Code(value.code + wasm.OPERATION["f64", "neg"], "f64")
    return binary(body, "-", literal(0, value.type), value)


COMPARISON = {"==": "eq", "!=": "ne", "<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s"}
COUNTS = {"popcount": "popcnt", "ctz": "ctz", "clz": "clz"}


class EmitContext(NamedTuple):
    """The facts about a module that the writer of a function needs."""

    read: Read
    memory: Memory
    numbers: dict[str, int]  # by a function's name, its index in the binary
    inlined: frozenset[str]  # functions that are written in place of their calls


class ExpressionEmitter:
    """Turns the expressions of a function into code."""

    def __init__(
        self,
        module: EmitContext,
        body: Body,
        stretch: Callable[[ir.Call], Code],
        inline: Callable[[ir.Function], bytes],
    ):
        """`stretch` writes a call of a word of STRETCHES; `inline` writes the body of a function in place of a call
        whose arguments are on the stack."""
        self.module, self.memory, self.body = module, module.memory, body
        self.stretch, self.inline = stretch, inline

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
                return Code(address + wasm.access(wasm.LOAD[place.type], offset, place.vast), e.type)
            case ir.Binary():
                one, two = self.expression(e.a), self.expression(e.b)
                is_known = one.known is not None and two.known is not None and e.low == e.high
                return literal(e.low, e.type) if is_known else binary(self.body, e.op, one, two)
            case ir.Unary():
                return unary(self.body, e.op, self.expression(e.a))
            case ir.Compare():
                one, two = widen_both(self.expression(e.a), self.expression(e.b))
                return Code(one.code + two.code + wasm.OPERATION[one.type, COMPARISON[e.op]], "i32")
            case ir.Logic():
                return self._join_truths(e.every, e.parts)
            case ir.Select():
                return self._choose_value(e)
            case ir.Convert():
                return convert_code(self.expression(e.a), e.type)
            case ir.Call():
                return self._call(e)
        raise ValueError(f"no expression: {e!r}")

    def _local(self, e: ir.Local) -> Code:
        local = self.body.scope.names[e.name]
        return Code(wasm.GET + wasm.leb128_unsigned(local), self.body.locals[local])

    def truth(self, e: ir.Expr) -> bytes:
        """Code of a truth as an i32, which is 0 just where the expression is false."""
        found = self.expression(e)
        return found.code if found.type == "i32" else found.code + literal(0, found.type).code + b"\x52"

    def _join_truths(self, every: bool, parts: tuple[ir.Expr, ...]) -> Code:
        """The code of `and` (`every`) or `or`: later parts are evaluated only if the earlier ones do not decide."""
        test = self.truth(parts[0])
        if len(parts) == 1:
            return Code(test, "i32")
        with self.body.open_block():
            further = self._join_truths(every, parts[1:]).code
        sides = (further, literal(0).code) if every else (literal(1).code, further)
        code = test + wasm.IF + wasm.VALUE["i32"] + sides[0] + wasm.ELSE + sides[1] + wasm.END
        return Code(code, "i32")

    def _choose_value(self, e: ir.Select) -> Code:
        """The code of `a if test else b`; if both values are at hand, without a branch."""
        chosen = self.truth(e.test)
        with self.body.open_block():
            one, two = widen_both(self.expression(e.a), self.expression(e.b))
        if _at_hand(e.a) and _at_hand(e.b):
            return Code(one.code + two.code + chosen + wasm.SELECT, one.type)
        code = chosen + wasm.IF + wasm.VALUE[one.type] + one.code + wasm.ELSE + two.code + wasm.END
        return Code(code, one.type)

    # -- memory ----------------------------------------------------------------------------------------------

    def address(self, array: ir.Array, index: ir.Expr) -> tuple[bytes, int]:
        """The address of an element: code for a number of bytes, and a constant offset for the load or store to add."""
        place = self.memory.places[array.name]
        size, type = SIZE[place.type], "i64" if place.vast else "i32"
        added = 0
        match index:
            case ir.Binary(op="+", a=left, b=ir.Const(name="", value=int(more))) if left.natural:
                index, added = left, more  # the sum is made with more bits than 32, so only then
        found = widen_code(self.expression(index), type)
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
        """The code of a call that has a value."""
        if e.arrays:
            return self.stretch(e)
        if e.name in self.module.read.functions:
            return Code(self.call_code(e), e.type)
        value = self.expression(e.arguments[0])
        if e.name in COUNTS:
            code = convert_code(value, "i64").code + wasm.OPERATION["i64", COUNTS[e.name]]
            return Code(code + wasm.CONVERSION["i64", "i32"], "i32")
        if e.name == "bit":
            return Code(literal(1, "i64").code + convert_code(value, "i64").code + b"\x86", "i64")
        return Code(as_float(value) + wasm.OPERATION["f64", "sqrt"], "f64")

    def trap(self, code: int) -> bytes:
        stored = literal(0).code + literal(code).code + wasm.access(wasm.STORE["i32"], TRAP_CODE)
        return stored + wasm.UNREACHABLE

    def call_code(self, e: ir.Call) -> bytes:
        """The code of a call of a function of the module."""
        function = self.module.read.functions[e.name]
        given = [
            widen_code(self.expression(argument), type).code
            for argument, (_, type) in zip(e.arguments, function.parameters, strict=True)
        ]
        if e.name in self.module.inlined:
            return b"".join(given) + self.inline(self.module.read.function(e.name))
        return b"".join(given) + wasm.CALL + wasm.leb128_unsigned(self.module.numbers[e.name])


def _at_hand(e: ir.Expr) -> bool:
    """True if evaluating the expression where it is not needed costs next to nothing and can do no harm."""
    match e:
        case ir.Local() | ir.Const():
            return True
        case ir.Unary(op="-"):
            return _at_hand(e.a)
        case ir.Binary(op="+" | "-"):
            return _at_hand(e.a) and _at_hand(e.b)
    return False

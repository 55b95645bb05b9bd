"""Arithmetic of kernel code -> WebAssembly code; numbers of two types meet in the wider one."""

from __future__ import annotations

from gdl.compiler.emit import encoding as wasm
from gdl.compiler.emit.body import Body, Code, literal

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

"""Numbers and truths: operations on kernel code that fold what the bounds decide."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from math import lcm

from gdl.compiler.ir import nodes as ir
from gdl.compiler.lower.code_values import (
    FALSE,
    NOTHING,
    TRUE,
    Fact,
    Mask,
    Number,
    Sequence,
    UnsupportedConstruct,
    Value,
    WordCode,
    check_digits,
    limits_of,
    literal,
    mask_constant,
    rescale,
    same_missing,
    truth,
    wide_code,
)
from gdl.model.intervals import combine_intervals

MOST_SHARES = 8  # by which play divides: a prize that so many share


# Fractions are whole numbers over a scale that is known when the game is lowered: nothing is rounded, and play divides
# no number but such a scale. What cannot be held so is refused.
def same_scale(a: Number, b: Number) -> tuple[Number, Number]:
    """Both numbers expressed over the least common multiple of their scales."""
    if a.scale == b.scale:
        return a, b
    scale = lcm(a.scale, b.scale)
    return rescale(a, scale), rescale(b, scale)


def _operation(symbol: str, a: Number, b: Number, scale: int) -> Number:
    """The code of `a symbol b`, a number over `scale`, with its bounds. The left side is widened to 64 bits if the
    result needs them and neither side has them."""
    result = check_digits(limits_of(*combine_intervals(symbol, a.bounds, b.bounds), scale=scale))
    # An operation has 64 bits if one side has; only where neither side has them must one be widened, before the result
    # could overflow.
    left = wide_code(a) if result.wide and not b.wide else a.code
    return _as_wide_as(result, ir.Binary(symbol, left, b.code), a, b)


def _as_wide_as(result: Number, code: ir.Expr, a: Number, b: Number) -> Number:
    """The result with its code, an operation on `a` and `b`; the code is converted to 32 bits where an operand has 64
    and the bounds of the result need only 32."""
    narrows = (a.wide or b.wide) and not result.wide
    return replace(result, code=ir.Convert(ir.I32, code) if narrows else code)


def add(a: Number, b: Number) -> Number:
    a, b = same_scale(a, b)
    if a.constant is not None and b.constant is not None:
        return replace(literal(a.constant + b.constant), scale=a.scale)
    if a.constant == 0:
        return b
    # `a + -3` is written `a - 3`: code is compared by its form, and this is the one form of it.
    if b.constant is not None and b.constant < 0:
        return subtract(a, replace(literal(-b.constant), scale=b.scale)) if b.constant else a
    if b.constant == 0:
        return a
    return _operation("+", a, b, a.scale)


def subtract(a: Number, b: Number) -> Number:
    a, b = same_scale(a, b)
    if a.constant is not None and b.constant is not None:
        return replace(literal(a.constant - b.constant), scale=a.scale)
    if b.constant == 0:
        return a
    return _operation("-", a, b, a.scale)


def multiply(a: Number, b: Number) -> Number:
    scale = a.scale * b.scale
    low, high = combine_intervals("*", a.bounds, b.bounds)
    if low == high:
        return replace(literal(low), scale=scale)
    if a.constant == 1:
        return replace(b, scale=scale)
    if b.constant == 1:
        return replace(a, scale=scale)
    return _operation("*", a, b, scale)


def divide_exactly(a: Number, b: Number) -> Number:
    """`a / b` as a fraction. The divisor must be a constant other than 0, or a number of at most MOST_SHARES, which
    play has found not to be 0; else raises UnsupportedConstruct."""
    if b.constant is None and b.scale == 1 and b.low >= 0 and b.high <= MOST_SHARES:
        whole = lcm(*range(1, b.high + 1))
        return multiply(a, replace(divide(literal(whole), b), scale=whole))
    if b.constant is None:
        raise UnsupportedConstruct("'/' by what is only known in play", "compare products, or round with 'div'")
    value = b.constant
    times = replace(literal(b.scale if value > 0 else -b.scale), scale=abs(value))
    return multiply(a, times)


def divide(a: Number, b: Number) -> Number:
    """`a div b`, rounded down; b is not zero (or play traps first)."""
    if a.constant is not None and b.constant:
        return literal(a.constant // b.constant)
    return _operation("//", a, b, 1)


def modulo(a: Number, b: Number) -> Number:
    """`a mod b`, with the sign of b; b is not zero."""
    if a.constant is not None and b.constant:
        return literal(a.constant % b.constant)
    if b.low > 0 and a.low >= 0 and a.high < b.low:
        return a
    return _operation("%", a, b, 1)


def extreme(word: str, a: Number, b: Number) -> Number:
    """The smaller (`min`) or greater (`max`) of two numbers whose code is atomic, since it is repeated."""
    if a.high <= b.low or b.high <= a.low:  # the bounds decide
        return a if (a.high <= b.low) == (word == "min") else b
    result = limits_of(*combine_intervals(word, a.bounds, b.bounds), scale=a.scale)
    first = ir.Compare("<=" if word == "min" else ">=", a.code, b.code)
    return _as_wide_as(result, ir.Select(first, a.code, b.code), a, b)


# ---- Truths -----------------------------------------------------------------------------------------------------


def equal(a: Number, b: Number) -> Number:
    """The truth that two values are equal, each a number or none."""
    if a.is_none or b.is_none:
        if a.is_none and b.is_none:
            return TRUE
        if not (a.none and b.none):
            return FALSE
        return compare_with_facts("==", *same_missing(a, b)[:2])
    a, b = same_scale(a, b)
    if a.none and b.none:
        a, b, _ = same_missing(a, b)
    # Only where it is atomic: between two reads of the state something may be written.
    if a.code == b.code and a.atomic:
        return TRUE
    # Where the other side can be, as a number, what stands for none, being none is tested apart.
    for maybe, other in ((a, b), (b, a)):
        if maybe.none and other.low <= maybe.missing <= other.high:
            return conjunction(negation(equal(maybe, NOTHING)), compare_with_facts("==", maybe, other))
    may_meet = a.low <= b.high and b.low <= a.high and a.low <= a.high and b.low <= b.high
    if not may_meet and not (a.none and b.none):
        return FALSE
    if a.constant is not None and a.constant == b.constant:
        return TRUE
    # A truth compared with 0 or 1 is that truth, or its negation, and keeps the facts that it knows.
    if b.constant is not None and (a.low, a.high, a.none) == (0, 1, False):
        return a if b.constant else negation(a)
    return compare_with_facts("==", a, b)


def compare(relation: str, a: Number, b: Number) -> Number:
    """The truth of `a relation b`, where the relation is an order (`<`, `<=`, `>` or `>=`) and neither number is
    none."""
    a, b = same_scale(a, b)
    # Bounds that do not overlap decide; nothing is written then.
    lower, upper = (a, b) if relation in ("<", ">=") else (b, a)
    if lower.high < upper.low or lower.low >= upper.high:
        return TRUE if (lower.high < upper.low) == (relation in ("<", ">")) else FALSE
    return compare_with_facts(relation, a, b)


def compare_with_facts(symbol: str, a: Number, b: Number) -> Number:
    """The code of a comparison, with the facts that follow where the comparison holds and where it does not."""
    made = truth(ir.Compare(symbol, a.code, b.code))
    return replace(made, if_true=_facts(symbol, a, b), if_false=_facts(ir.OPPOSITE[symbol], a, b))


def outside(a: Number, low: int, high: int, none: bool) -> Number:
    """The truth that a number lies outside of the bounds. None counts as outside unless `none` allows it."""
    there = replace(a, none=False)
    beyond = disjunction(compare("<", there, literal(low)), compare(">", there, literal(high)))
    missing = equal(a, NOTHING)
    return conjunction(negation(missing), beyond) if none and a.none else disjunction(missing, beyond)


_TURNED = {"==": "==", "!=": "!=", "<=": ">=", ">=": "<=", "<": ">", ">": "<"}


def _facts(symbol: str, a: Number, b: Number) -> tuple[Fact, ...]:
    """The facts about `a` and about `b` that follow where the comparison `a symbol b` holds."""
    found = (_fact(symbol, a, b), _fact(_TURNED[symbol], b, a))
    return tuple(fact for fact in found if fact is not None)


def _fact(symbol: str, a: Number, b: Number) -> Fact | None:
    if a.constant is not None or a.is_none:
        return None
    low, high, none = a.low, a.high, a.none
    if symbol == "==":
        none = none and b.none
        if not b.is_none and not none:
            low, high = max(low, b.low), min(high, b.high)
    elif symbol == "!=":
        none = none and not b.is_none
        # Only at the ends of a range does inequality say something about bounds.
        low += b.constant is not None and b.constant == low
        high -= b.constant is not None and b.constant == high
    elif symbol in ("<", "<="):
        high = min(high, b.high - (symbol == "<"))
    else:
        low = max(low, b.low + (symbol == ">"))
    known = Fact(a.code, low, high, none)
    # An empty range: the comparison cannot hold, and this code is never reached. No news is no fact.
    return None if low > high or known == Fact(a.code, a.low, a.high, a.none) else known


def negation(a: Number) -> Number:
    if a.constant is not None:
        return FALSE if a.constant else TRUE
    return replace(truth(_opposite_code(a.code)), if_true=a.if_false, if_false=a.if_true)


def _opposite_code(code: ir.Expr) -> ir.Expr:
    """Code that is 1 where the given code is 0, and the other way round."""
    if isinstance(code, ir.Compare):
        return ir.Compare(ir.OPPOSITE[code.op], code.a, code.b)
    return ir.Unary("not", code)


def conjunction(a: Number, b: Number) -> Number:
    if a.constant is not None:
        return b if a.constant else FALSE
    if b.constant == 1:
        return a
    # Both hold where the conjunction does; where it does not, it is not known which of the two fails.
    return replace(truth(_join_logic(True, a.code, b.code)), if_true=a.if_true + b.if_true)


def disjunction(a: Number, b: Number) -> Number:
    if a.constant is not None:
        return TRUE if a.constant else b
    if b.constant == 0:
        return a
    return replace(truth(_join_logic(False, a.code, b.code)), if_false=a.if_false + b.if_false)


def _join_logic(every: bool, *codes: ir.Expr) -> ir.Expr:
    """The codes joined by `and` (`every`) or by `or`; parts that are already joined in the same way are taken apart, so
    that no join stands directly inside another of its kind."""
    parts = [code.parts if isinstance(code, ir.Logic) and code.every == every else (code,) for code in codes]
    return ir.Logic(every, tuple(chain.from_iterable(parts)))


def choice(condition: Number, a: Number, b: Number) -> Number:
    """`a` where the condition holds, else `b`."""
    if condition.constant is not None:
        return a if condition.constant else b
    a, b = same_scale(a, b)
    if (a.code, a.low, a.high, a.none, a.missing) == (b.code, b.low, b.high, b.none, b.missing):
        return a
    if (a.constant, b.constant) == (1, 0):
        return condition
    if (a.constant, b.constant) == (0, 1):
        return negation(condition)
    a, b, held = same_missing(a, b)
    result = replace(held, scale=a.scale)
    then = wide_code(a) if result.wide and not b.wide else a.code
    return replace(result, code=ir.Select(condition.code, then, b.code))


# ---- Sets -------------------------------------------------------------------------------------------------------


def as_mask(value: Value) -> Mask:
    """The value as a set. A number without none and never negative is read as a set held in its bits."""
    if isinstance(value, Mask):
        return value
    if not isinstance(value, Number) or value.none or value.low < 0 or value.scale != 1:
        raise UnsupportedConstruct("a set where the engine sees none")
    if value.constant is not None:
        return mask_constant(value.constant)
    # A constant may be a set or a number until it is seen where it stands: bit k is the member k.
    size = value.high.bit_length()
    return Mask((WordCode(wide_code(value)),), size)


def as_number(value: Value) -> Number:
    """The value as a number. A constant set is read as a number: a large constant is not known to be the one or the
    other until it is used."""
    if isinstance(value, Number):
        return value
    if isinstance(value, Mask) and value.bits is not None:
        return check_digits(literal(value.bits))
    raise UnsupportedConstruct("a set or a list where a number is due")


def codes_of(value: Value) -> list[ir.Expr]:
    """The expressions that hold a value: one for a number, one for each word of a set, the row's number for a
    sequence."""
    if isinstance(value, Mask):
        return [word.code for word in value.words]
    return [value.row.code if isinstance(value, Sequence) else as_number(value).code]

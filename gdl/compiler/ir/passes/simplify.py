"""Expressions that say the same with less: constants of sums are added up, what changes nothing is left out.

    a + 1 - 1  →  a          a - -3  →  a + 3          not a < b  →  a >= b          i64(w)  →  w, a word already

The type of an expression stays, and with it the widths of everything around it; named constants keep their names.
"""

from __future__ import annotations

from dataclasses import replace

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks


def simplify_function(function: ir.Function) -> ir.Function:
    """The function with all its expressions simplified."""
    return replace(function, body=walks.map_expressions(function.body, simple))


def simple(e: ir.Expr) -> ir.Expr:
    """An expression of equal value, as simple as these rules make it."""
    e = walks.rebuilt(e, simple)
    match e:
        case ir.Binary(op="+" | "-"):
            made = _sum(e)
        case ir.Binary(op="*"):
            made = e.b if _number(e.a) == 1 else e.a if _number(e.b) == 1 else e
        case ir.Binary(op="//"):
            made = e.a if _number(e.b) == 1 else e
        case ir.Binary(op="<<" | ">>"):
            made = e.a if _number(e.b) == 0 else e
        case ir.Unary(op="not"):
            made = _opposite(e)
        case ir.Convert(word="i32" | "i64"):
            made = e.a
        case _:
            made = e
    return made if made.type == e.type else e


def _sum(e: ir.Binary) -> ir.Expr:
    """A sum of whole numbers with one constant at its end, or none."""
    if e.type == ir.F64:
        return e
    if e.op == "+" and _number(e.a) == 0:
        return e.b
    base, more = _split_constant(e)
    while base.type == e.type and isinstance(base, ir.Binary) and (inner := _split_constant(base))[0] is not base:
        base, more = inner[0], more + inner[1]
    known = _number(base)
    if known is not None:
        return ir.Const(known + more)
    if base is e or not more:
        return base
    return ir.Binary("+", base, ir.Const(more)) if more > 0 else ir.Binary("-", base, ir.Const(-more))


def _split_constant(e: ir.Binary) -> tuple[ir.Expr, int]:
    """The part before a constant that is added or subtracted, and the number that it adds; the whole where there is
    none."""
    number = _number(e.b)
    if number is None or e.op not in ("+", "-"):
        return e, 0
    return e.a, number if e.op == "+" else -number


def _number(e: ir.Expr) -> int | None:
    """A whole number that is written down without a name."""
    return e.constant if isinstance(e, ir.Const) and not e.name else None


def _opposite(e: ir.Unary) -> ir.Expr:
    """`not` of a comparison or of a truth."""
    match e.a:
        case ir.Compare():
            return ir.Compare(ir.OPPOSITE[e.a.op], e.a.a, e.a.b)
        case ir.Unary(op="not") if _is_truth(e.a.a):
            return e.a.a
    return e


def _is_truth(e: ir.Expr) -> bool:
    """True if its value is 1 or 0; where CPython runs the code, `and` and `or` give the value of one of their parts."""
    match e:
        case ir.Compare() | ir.Unary(op="not"):
            return True
        case ir.Logic():
            return all(map(_is_truth, e.parts))
    return False

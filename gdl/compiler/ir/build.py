"""Short functions that build nodes of kernel code. Names get their types later (settling.py).

array("odometer")[0]                       odometer[0]
compare("k", "<", array("way_end")[3])     k < way_end[3]
call("popcount", word)                     popcount(word)
choice(test, "NONE", wrap64(a + b))        NONE if test else wrap64(a + b)
"""

from __future__ import annotations

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.nodes import Code, expr

_RESULTS = {  # by the word of kernel Python: the type of its value, and the least and greatest one (None: of the type)
    "popcount": (ir.I32, 0, 64), "ctz": (ir.I32, 0, 64), "clz": (ir.I32, 0, 64), "bit": (ir.I64, None, None),
    "sqrt": (ir.F64, None, None),
}  # fmt: skip


def array(name: str) -> ir.Array:
    """The array of the module with this name, written as one of i32 until names get their types."""
    return ir.Array(name, ir.I32)


def plus(code: Code, k: int) -> ir.Expr:
    """The sum of an expression and a constant `k`: the expression itself if `k` is 0, a difference if it is
    negative."""
    return expr(code) + k if k > 0 else expr(code) - -k if k else expr(code)


def compare(a: Code, op: str, b: Code) -> ir.Expr:
    """The comparison `a op b`, 1 or 0."""
    return ir.Compare(op, expr(a), expr(b))


def choice(test: Code, a: Code, b: Code) -> ir.Expr:
    """The expression `a if test else b`."""
    return ir.Select(expr(test), expr(a), expr(b))


def conjunction(*tests: ir.Expr) -> ir.Expr:
    """The test that all of these tests hold; at least one must be given."""
    return ir.Logic(True, tests) if len(tests) > 1 else tests[0]


def some(*tests: ir.Expr) -> ir.Expr:
    """The test that at least one of these tests holds; at least one must be given."""
    return ir.Logic(False, tests) if len(tests) > 1 else tests[0]


def call(name: str, *arguments: Code) -> ir.Call:
    """A call of a function of the module, or of a word of kernel Python that takes numbers."""
    return ir.Call(name, tuple(map(expr, arguments)), *_RESULTS.get(name, (ir.I32, None, None)))


def copy(target: ir.Array, at: Code, source: ir.Array, start: Code, count: Code) -> ir.Do:
    """The statement `copy(target, at, source, start, count)`: `count` elements of `source` from `start` on are copied
    to `target` from `at` on."""
    return ir.Do(ir.Call("copy", (expr(at), expr(start), expr(count)), ir.I32, 0, 0, (target, source)))


def i32(a: Code) -> ir.Expr:
    return ir.Convert(ir.I32, expr(a))


def i64(a: Code) -> ir.Expr:
    return ir.Convert(ir.I64, expr(a))


def wrap64(a: Code) -> ir.Expr:
    """A sum or product of 64 bits that may wrap around."""
    return ir.Convert("wrap64", expr(a))

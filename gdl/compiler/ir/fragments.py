"""Pieces of kernel Python, as lowering writes them by hand: lines, headers and expressions -> nodes without types."""

from __future__ import annotations

import ast
from functools import lru_cache

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import reader

_KEPT = 4096  # pieces that are not read again


@lru_cache(maxsize=_KEPT)
def statement(line: str) -> ir.Stmt:
    """A line; nobody changes the statement, which may stand in many places."""
    made = reader.statement(_parsed(line))
    if made is None:
        raise ValueError(f"a line that does nothing: {line}")
    return made


@lru_cache(maxsize=_KEPT)
def expression(text: str) -> ir.Expr:
    """A value."""
    node = _parsed(text)
    if not isinstance(node, ast.Expr):
        raise ValueError(f"no expression of kernel Python: {text}")
    return reader.expression(node.value)


def block(text: str) -> ir.Block:
    """Lines, some of them inside others."""
    return reader.written(ir.Function("", (), None, []), ast.parse(text).body, {})


def header(line: str) -> ir.If | ir.While | ir.For:
    """`if …`, `while …` or `for …`, with nothing inside."""
    (made,) = block(f"{line}: pass")
    if not isinstance(made, ir.If | ir.While | ir.For):
        raise ValueError(f"no header of kernel Python: {line}")
    return made


def _parsed(line: str) -> ast.stmt:
    (node,) = ast.parse(line).body
    return node

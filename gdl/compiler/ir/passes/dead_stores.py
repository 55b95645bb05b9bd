"""Variables that nobody reads are not made.

A statement that only sets one goes, and so does an `if` that has nothing left to do, as long as working out the value
or the test has no effect. What goes may have been all that read another variable; so it is asked again.
"""

from __future__ import annotations

from dataclasses import replace

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks


def without_dead_stores(function: ir.Function) -> ir.Function:
    """The function without what sets variables that are never read."""
    body, left = function.body, -1
    while left != (left := sum(1 for _ in walks.statements(body))):
        read = {e.name for e in walks.expressions(body) if isinstance(e, ir.Local)}
        body = _block(body, read)
    return replace(function, body=body)


def _block(block: ir.Block, read: set[str]) -> ir.Block:
    return [made for made in (_statement(s, read) for s in block) if made is not None]


def _statement(s: ir.Stmt, read: set[str]) -> ir.Stmt | None:
    """The statement without what is dead inside; None where nothing of it is left."""
    match s:
        case ir.Set():
            return s if s.name in read or not walks.is_harmless(s.value) else None
        case ir.If():
            body, orelse = _block(s.body, read), _block(s.orelse, read)
            return replace(s, body=body, orelse=orelse) if body or orelse or not walks.is_harmless(s.test) else None
        case ir.While() | ir.For():
            return replace(s, body=_block(s.body, read))
    return s

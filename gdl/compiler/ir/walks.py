"""Walks over kernel code: the parts of an expression or a block, and copies with something changed, also with other
names for what a module declares, wherever it is declared, read, written or called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks
from gdl.compiler.ir.nodes import Block, Expr, Stmt


def parts(e: Expr) -> Iterator[Expr]:
    """An expression and every expression inside it, at any depth."""
    work = [e]
    while work:
        e = work.pop()
        yield e
        work += e.inner


def put(e: Expr, hole: Expr, value: Expr) -> Expr:
    """The expression with `value` in place of every part that equals `hole`."""
    return value if e == hole else rebuild(e, lambda part: put(part, hole, value))


def rebuild(e: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The expression with `change` applied to each expression directly inside; the same object if nothing changes."""
    before = e.inner
    after = tuple(map(change, before))
    if all(a is b for a, b in zip(after, before, strict=True)):
        return e
    match e:
        case ir.Load():
            return ir.Load(e.array, *after)
        case ir.Unary() | ir.Binary() | ir.Compare():
            return type(e)(e.op, *after)
        case ir.Logic():
            return ir.Logic(e.every, after)
        case ir.Select():
            return ir.Select(*after)
        case ir.Convert():
            return ir.Convert(e.word, *after)
        case ir.Call():
            return ir.Call(e.name, after, e.type, e.low, e.high, e.arrays)
    raise TypeError(f"no expression with others inside: {e!r}")


def statements(block: Block) -> Iterator[Stmt]:
    """Every statement in a block and the blocks inside, in order. (Blocks may lie a thousand deep: each `if` in the
    other branch of the one before.)"""
    work = block[::-1]
    while work:
        statement = work.pop()
        yield statement
        for name in reversed(statement.BLOCKS):
            work += getattr(statement, name)[::-1]


def expressions(block: Block) -> Iterator[Expr]:
    """Every expression in a block and the blocks inside."""
    for statement in statements(block):
        work = [getattr(statement, name) for name in statement.EXPRS]
        while work:
            expr = work.pop()
            if expr is not None:
                yield expr
                work += expr.inner


def names_read(block: Block) -> Iterator[str]:
    """The names of the arrays and named constants that a block reads."""
    for e in expressions(block):
        match e:
            case ir.Load(array=array):
                yield array.name
            case ir.Const(name=name) if name:
                yield name
            case ir.Call(arrays=arrays):
                yield from (array.name for array in arrays)


def calls(block: Block) -> list[str]:
    """The names of the functions and words that a block calls, one for each call."""
    return [e.name for e in expressions(block) if isinstance(e, ir.Call)]


def size(block: Block) -> int:
    """The size of a block: the number of its statements and expressions."""
    counted = (
        s for s in statements(block) if not isinstance(s, ir.Comment) and not (isinstance(s, ir.Do) and s.call.arrays)
    )
    return sum(1 for _ in counted) + sum(1 for _ in expressions(block))


def map_expressions(block: Block, change: Callable[[Expr], Expr]) -> Block:
    """A copy of a block, and of the blocks inside, with `change` applied to each statement's expressions."""
    return [rebuilt_statement(s, change, lambda inner: map_expressions(inner, change)) for s in block]


def rebuilt_statement(s: Stmt, change: Callable[[Expr], Expr], change_block: Callable[[Block], Block]) -> Stmt:
    """A copy of a statement, with its expressions and the blocks inside changed; the statement itself if it has
    neither."""
    made: dict[str, Any] = {name: change(e) for name in s.EXPRS if (e := getattr(s, name)) is not None}
    made |= {name: change_block(getattr(s, name)) for name in s.BLOCKS}
    return replace(s, **made) if made else s


def function_renamed(function: ir.Function, names: Mapping[str, str]) -> ir.Function:
    """A copy of a function with new names (old -> new) wherever they occur."""
    return _Renaming(names).function(function)


class _Renaming:
    def __init__(self, names: Mapping[str, str]):
        self.names = names

    def _name(self, name: str) -> str:
        return self.names.get(name, name)

    def _array(self, array: ir.Array) -> ir.Array:
        return ir.Array(self._name(array.name), array.type, array.count, array.vast)

    def function(self, function: ir.Function) -> ir.Function:
        body = walks.map_expressions(function.body, self._expression)
        for statement in walks.statements(body):  # those that have expressions are new
            if isinstance(statement, ir.Store):
                statement.array = self._array(statement.array)
        return replace(function, name=self._name(function.name), body=body)

    def _expression(self, e: ir.Expr) -> ir.Expr:
        match e:
            case ir.Const(value=value, type=type, name=name) if name in self.names:
                return ir.Const(value, type, self.names[name])
            case ir.Load():
                e = ir.Load(self._array(e.array), e.index)
            case ir.Call():
                arrays = tuple(map(self._array, e.arrays))
                e = ir.Call(self._name(e.name), e.arguments, e.type, e.low, e.high, arrays)
        return walks.rebuild(e, self._expression)

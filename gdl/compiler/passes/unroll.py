"""Unrolling: a short loop over known numbers is written out turn by turn, and in each turn its variable is a constant.

    for k in range(2): m[k] = T[3 * k]  →  k = 0; m[0] = T[3 * 0]; k = 1; m[1] = T[3 * 1]

A loop that may be left by `break` becomes one of a single turn. A loop stays where its body is long, has a loop, a
`continue` or the call of a function inside, or sets the variable.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks

MOST_TURNS = 8  # a loop of at most so many turns is written out,
MOST_NODES = 200  # if all turns together have no more nodes than this


def unroll_loops(function: ir.Function) -> ir.Function:
    """The function with its short loops written out."""
    short = {id(s): s for s in walks.statements(function.body) if isinstance(s, ir.For) and _is_short(s)}
    return replace(function, body=_unroll_block(function.body, short)) if short else function


def _unroll_block(block: ir.Block, short: dict[int, ir.For]) -> ir.Block:
    made: ir.Block = []
    for s in block:
        if id(s) in short:
            made += _write_out(short[id(s)])
        else:
            made.append(walks.rebuilt_statement(s, lambda e: e, lambda inner: _unroll_block(inner, short)))
    return made


def _write_out(s: ir.For) -> ir.Block:
    """The turns of a loop."""
    made: ir.Block = []
    for turn in _turns(s):
        number = ir.Const(turn, s.stop.type if s.first is None else ir.wider_type(s.first.type, s.stop.type))
        made.append(ir.Set(s.name, number, line=s.line))
        made += walks.map_expressions(s.body, partial(walks.put, hole=ir.Local(s.name), value=number))
    leaves = any(isinstance(inner, ir.Break) for inner in walks.statements(s.body))
    return [ir.While(ir.Const(1), [*made, ir.Break()], line=s.line)] if leaves else made


def _turns(s: ir.For) -> range:
    """The numbers of a loop whose bounds are known."""
    return range(0 if s.first is None else s.first.low, s.stop.low, s.step or 1)


def _is_short(s: ir.For) -> bool:
    """True if a loop is written out."""
    is_known = s.stop.low == s.stop.high and (s.first is None or s.first.low == s.first.high)
    if not is_known or len(_turns(s)) > MOST_TURNS or len(_turns(s)) * walks.size(s.body) > MOST_NODES:
        return False
    for inner in walks.statements(s.body):
        match inner:
            case ir.For() | ir.While() | ir.Continue():
                return False
            case ir.Set(name=name) | ir.Update(target=ir.Local(name=name)) if name == s.name:
                return False
    return all(name in ir.WORDS for name in walks.calls(s.body))

"""Names get their types: the step from code as it is written to code that the passes and the emitter take.

Whoever writes code says `t` and `s[2]`, and needs not know what `t` holds or how wide the words of `s` are. Here each
name becomes what it stands for: a variable has the type of its first value, unless the first statement that sets it
says another; a name that is no variable is a constant of the module; arrays and functions are those that the module
declares. The counter of a loop that begins at 0 or above and counts up is never negative, as long as only the loop
changes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks
from gdl.compiler.ir.module import Module
from gdl.compiler.joining import WRONG, locate_error
from gdl.errors.deadline import check_deadline


def settle_names(function: ir.Function, module: Module) -> ir.Function:
    """The function with the meaning and type of each name settled. Raises KernelError where a name stands for
    nothing."""
    return replace(function, body=_Settling(function, module).block(function.body))


class _Settling:
    """Settles the names of one function."""

    def __init__(self, function: ir.Function, module: Module):
        self.function, self.module = function, module
        self.types = dict(function.parameters)  # the types of local variables, by name
        self.naturals: set[str] = set()  # counters of the loops around the present line that are never negative
        self._known: dict[ir.Expr, ir.Expr] = {}  # expressions already settled; emptied when `naturals` changes

    # -- statements ------------------------------------------------------------------------------------------

    def block(self, block: ir.Block) -> ir.Block:
        made: ir.Block = []
        for s in block:
            check_deadline()
            try:
                made.append(self._statement(s))
            except WRONG as wrong:
                raise locate_error(wrong, self.function.file, s.line, self.function.name) from wrong
        return made

    def _statement(self, s: ir.Stmt) -> ir.Stmt:
        match s:
            case ir.Set():
                value = self.expression(s.value)
                self.types.setdefault(s.name, s.type or value.type)
                return ir.Set(s.name, value, s.type, line=s.line)
            case ir.For():
                return self._for(s)
            case ir.Do():
                call = self.expression(s.call) if s.call.name in ir.WORDS else self._settle_call(s.call)
                assert isinstance(call, ir.Call)
                return ir.Do(call, line=s.line)
        made = walks.rebuilt_statement(s, self.expression, self.block)
        if isinstance(made, ir.Store):
            made.array = self._array(made.array)
        return made

    def _for(self, s: ir.For) -> ir.For:
        first, stop = None if s.first is None else self.expression(s.first), self.expression(s.stop)
        self.types.setdefault(s.name, stop.type if first is None else ir.wider_type(first.type, stop.type))
        upwards = (first is None or first.natural) and (s.step is None or s.step > 0)
        natural = upwards and s.name not in self.naturals and s.name not in _targets(s.body)
        if natural:
            self.naturals.add(s.name)
            self._known = {}
        made = ir.For(s.name, first, stop, s.step, self.block(s.body), line=s.line)
        if natural:
            self.naturals.remove(s.name)
            self._known = {}
        return made

    # -- expressions -----------------------------------------------------------------------------------------

    def expression(self, e: ir.Expr) -> ir.Expr:
        match e:
            case ir.Local():
                return self._name(e)
            case ir.Const():
                return self._name(e) if e.name else e
        made = self._known.get(e)
        if made is None:
            made = self._known[e] = self._settle_inside(e)
        return made

    def _settle_inside(self, e: ir.Expr) -> ir.Expr:
        """The settled form of an expression that has others inside."""
        match e:
            case ir.Load():
                array, index = self._array(e.array), self.expression(e.index)
                return e if index is e.index and array.type == e.array.type else ir.Load(array, index)
            case ir.Call(name=name) if name not in ir.WORDS:
                call = self._settle_call(e)
                if self.module.functions[name].result is None:
                    raise ValueError(f"{name} gives nothing")
                return call
        return walks.rebuild(e, self.expression)

    def _name(self, e: ir.Local | ir.Const) -> ir.Expr:
        """The settled form of a name: a local variable, or a constant of the module."""
        type = self.types.get(e.name)
        if type is None:
            value = self.module.constants[e.name]
            return e if isinstance(e, ir.Const) and e.value == value else ir.Const(value, name=e.name)
        low, high = ir.RANGE[type]
        low = 0 if e.name in self.naturals else low
        same = isinstance(e, ir.Local) and e.type == type and (e.low, e.high) == (low, high)
        return e if same else ir.Local(e.name, type, low)

    def _array(self, array: ir.Array) -> ir.Array:
        return self.module.arrays[array.name]

    def _settle_call(self, call: ir.Call) -> ir.Call:
        """The settled form of a call of a function of the module."""
        function = self.module.functions.get(call.name)
        if function is None:
            raise ValueError(f"kernel Python knows no function {call.name}")
        arguments = tuple(map(self.expression, call.arguments))
        if len(arguments) != len(function.parameters):
            raise ValueError(f"{call.name} takes {len(function.parameters)} arguments")
        return ir.Call(call.name, arguments, function.result or ir.I32)


def _targets(block: ir.Block) -> Iterator[str]:
    """The names of the variables that a block assigns."""
    for s in walks.statements(block):
        match s:
            case ir.Set() | ir.For():
                yield s.name
            case ir.Update(target=ir.Local(name=name)):
                yield name

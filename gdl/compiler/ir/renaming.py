"""Other names for what a module declares, wherever it is declared, read, written or called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks
from gdl.compiler.ir.module import Module


def rename_in_module(module: Module, names: Mapping[str, str]) -> Module:
    """The module with new names (old -> new) for some of its constants, arrays and functions, and for names that it
    uses but does not declare."""
    return _Renaming(names).module(module)


def function_renamed(function: ir.Function, names: Mapping[str, str]) -> ir.Function:
    """A copy of a function with new names (old -> new) wherever they occur."""
    return _Renaming(names).function(function)


class _Renaming:
    def __init__(self, names: Mapping[str, str]):
        self.names = names

    def module(self, module: Module) -> Module:
        return Module(
            {self._name(name): value for name, value in module.constants.items()},
            {self._name(name): self._array(array) for name, array in module.arrays.items()},
            {self._name(name): values for name, values in module.tables.items()},
            {self._name(name): self._name(seen) for name, seen in module.views.items()},
            {self._name(name): self.function(function) for name, function in module.functions.items()},
            module.settled,
        )

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
        return walks.rebuilt(e, self._expression)

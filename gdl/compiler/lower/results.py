"""What looks for equal results and equal names among the rows of a listing: functions of `kernels/duplicates.py`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gdl.compiler import joining
from gdl.compiler.ir import reader
from gdl.compiler.lower.writer import Module


def write(module: Module, names: Sequence[str], events: bool) -> None:
    """Add functions of that file, each behind those that it calls; `events`: whether results have events."""
    if not names:
        return
    code = module.trap("two actions with different results have one name", None)
    functions = joining.functions("duplicates", TELLS=events, TWO_RESULTS=code)
    for name in names:
        _add(module, functions, name)


def _add(module: Module, functions: Mapping[str, ast.FunctionDef], name: str) -> None:
    if name in module.functions:
        return
    function = functions[name]
    for other in joining.called(function):
        if other in functions:
            _add(module, functions, other)
    made = reader.declared(function)
    module.add(replace(made, body=reader.written(made, function.body, {})))

"""What looks for equal results and equal names among the rows of a listing: functions of `kernels/duplicates.py`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from gdl.compiler import joining
from gdl.compiler.lower.writer import Module, Writer


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
    out = Writer()
    for statement in function.body[1:]:  # behind the docstring
        for line in ast.unparse(statement).splitlines():
            out.emit(line)
    assert function.returns is not None
    header = f"def {name}({ast.unparse(function.args)}) -> {ast.unparse(function.returns)}"
    module.function(header, ast.get_docstring(function) or "", out)

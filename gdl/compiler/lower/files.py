"""Functions of a game's module that stand in kernel files, since they are the same for all games that need them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from gdl.compiler import joining
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import reader
from gdl.compiler.ir.renaming import function_renamed
from gdl.compiler.lower.past import BUCKETS, FACTOR, ROUND, Noted
from gdl.compiler.lower.writer import GameModule

_OF_ONE_QUESTION = (
    "past_key", "past_hash", "past_link", "past_head", "kept_key", "kept_hash", "asked", "push", "keep", "recall",
    "holds",
)  # fmt: skip


def add_duplicates(module: GameModule, names: Sequence[str], events: bool, keeps: bool) -> None:
    """Add the functions of `kernels/duplicates.py` with these names to the module, and those that they call. `events`:
    results include events. `keeps`: the results of tried rows may be kept."""
    if not names:
        return
    code = module.trap("two actions with different results have one name", None)
    functions = joining.functions("duplicates", TELLS=events, KEEPS=keeps, TWO_RESULTS=code)
    for name in names:
        _add(module, functions, name)


def _add(module: GameModule, functions: Mapping[str, ast.FunctionDef], name: str) -> None:
    if name in module.functions:
        return
    function = functions[name]
    for other in joining.called_functions(function):
        if other in functions:
            _add(module, functions, other)
    module.add(reader.function(function))


def question(number: int, noted: Noted, past: int, *names: str) -> Iterator[ir.Function]:
    """Copies of functions of `kernels/earlier.py` for question `number`, with names of their own. `past`: the word of a
    state that holds the number of earlier positions."""
    kinds = joining.constants("earlier")
    functions = joining.functions(
        "earlier", KIND=kinds[noted.kind.upper()], KEYS=noted.key, NOTED=noted.words, PAST=past, BUCKET=BUCKETS - 1,
        FACTOR=FACTOR, ROUND=ROUND,
    )  # fmt: skip
    # Kernel functions reach memory by its name, not by an argument, so each question has copies of them of its own.
    own = {name: f"{name}_{number}" for name in _OF_ONE_QUESTION}
    own |= {"write_key": f"key_{number}", "answer": f"{noted.kind}_{number}"}
    for name in names:
        yield function_renamed(reader.function(functions[name]), own)

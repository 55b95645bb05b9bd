"""Functions of a game's module that stand in kernel files, since they are the same for all games that need them; and
the earlier positions that searches keep, by the kernel `stored_pasts`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from gdl.compiler import joining
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import reader
from gdl.compiler.ir.build import call
from gdl.compiler.ir.module import Module
from gdl.compiler.ir.walks import function_renamed
from gdl.compiler.joining import Pieces, kernel
from gdl.compiler.lower.past import BUCKETS, FACTOR, MOST_PAST, ROUND, Noted, PastKeys
from gdl.compiler.lower.writer import GameModule

_OF_ONE_QUESTION = (
    "past_key", "past_hash", "past_link", "past_head", "kept_key", "kept_hash", "asked", "push", "keep", "recall",
    "holds",
)  # fmt: skip


def add_duplicates(module: GameModule, names: Sequence[str], events: bool, keeps: bool, outcomes: bool) -> None:
    """Add the functions of `kernels/duplicates.py` with these names to the module, and those that they call. `events`:
    results include events; `keeps`: those of tried rows may be kept; `outcomes`: rows may be outcomes of chance."""
    if not names:
        return
    code = module.trap("two actions with different results have one name", None)
    functions = joining.functions("duplicates", TELLS=events, KEEPS=keeps, OUTCOMES=outcomes, TWO_RESULTS=code)
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


MOST_KEPT = 1 << 17  # positions
_PARAMETERS = (("n", ir.I32), ("i", ir.I32))


def keeping(keys: PastKeys | None) -> Pieces:
    """Kernel code with which a search keeps the keys of earlier positions beside its states. `keys`: the questions of
    the rules; None if the rules ask none."""
    made = Module(settled=False)
    if keys is None:
        kept: ir.Block = [ir.Return(ir.Const(1))]
        made.functions["keep_past"] = ir.Function("keep_past", (), ir.I32, kept, "The rules ask for no such positions.")
        return (made,)
    for site, noted in enumerate(keys.sites):
        for name, count in (("kept_key", noted.words * MOST_KEPT), ("kept_hash", MOST_KEPT)):
            made.arrays[f"{name}_{site}"] = ir.Array(f"{name}_{site}", ir.I64, count)
        for function in question(site, noted, keys.at, "keep", "recall"):
            made.functions[function.name] = function
    for name in ("keep", "recall"):
        calls: ir.Block = [ir.Do(call(f"{name}_{site}", "n", "i")) for site in range(len(keys.sites))]
        made.functions[f"{name}_position"] = ir.Function(f"{name}_position", _PARAMETERS, None, calls)
    made.functions["lost_past"] = ir.Function("lost_past", (), None, [ir.Trap(keys.lost)])
    kernels = kernel(
        "stored_pasts", MOST_KEPT=MOST_KEPT, KEPT_SLOTS=2 * MOST_KEPT, MOST_PAST=MOST_PAST, PAST=keys.at,
        PAST_DIGEST=keys.at // 2 + 1,
    )  # fmt: skip
    return *kernels.parts, made

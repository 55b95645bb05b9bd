"""Earlier positions kept by searches: the kernel `stored_pasts`, and the functions that each question needs."""

from __future__ import annotations

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import call
from gdl.compiler.ir.module import Module
from gdl.compiler.joining import Pieces, kernel
from gdl.compiler.lower.files import question
from gdl.compiler.lower.past import MOST_PAST, PastKeys

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

"""Passes over the IR of a game's functions, in the order in which they are run: each is one file, from a function to a
function that does the same. (`gdl core FILE --after PASS` prints what one leaves.)"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.passes.dead_stores import without_dead_stores
from gdl.compiler.ir.passes.simplify import simplify_function

PASSES: Mapping[str, Callable[[ir.Function], ir.Function]] = {
    "simplify": simplify_function,
    "dead-stores": without_dead_stores,
}

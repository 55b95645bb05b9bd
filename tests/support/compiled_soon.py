"""The compiled engine takes over a short search, as it otherwise takes over a long one, and works in short slices."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import gdl.solvers.auto
import gdl.solvers.cyclic.spaces
import gdl.solvers.minimax.alpha_beta
import gdl.solvers.minimax.backward_induction
import gdl.solvers.minimax.cut_off
import gdl.solvers.minimax.proof_number
from gdl.commands import engines
from gdl.compiler.searches import slices
from gdl.solvers import record


@contextmanager
def compiled_after(nodes: int) -> Iterator[None]:
    """Within the block, a search is the interpreter's for so many nodes (of commands: for no time), and then the
    compiled engine is asked."""
    minimax = gdl.solvers.minimax
    with ExitStack() as places:
        places.enter_context(patch.object(engines, "INTERPRETER_SECONDS", 0.0))
        for module, most in (
            (gdl.solvers.auto, "WARM_UP_POSITIONS"),
            (gdl.solvers.cyclic.spaces, "WARM_UP_POSITIONS"),
            (minimax.backward_induction, "WARM_UP_STATES"),
            (minimax.alpha_beta, "BEGUN"),
            (minimax.cut_off, "BEGUN"),
            (minimax.proof_number, "BEGUN"),
        ):
            places.enter_context(patch.object(module, most, nodes))
        yield


@contextmanager
def recorded_up_to(nodes: int) -> Iterator[None]:
    """Within the block, a run of more nodes has no record, and may be the compiled engine's alone."""
    with patch.object(record, "RECORDED", nodes), patch.object(record, "IF_COUNTED", nodes):
        yield


@contextmanager
def slices_of(nodes: int, seconds: float = slices.SLICE) -> Iterator[None]:
    """Within the block, Python takes over from kernel code after so many nodes at first, and then after these seconds:
    where they are 0, after each node."""
    with (
        patch.object(slices, "_FIRST_SLICE_NODES", nodes),
        patch.object(slices, "SLICE", seconds),
        patch.object(slices, "SHORT", min(seconds, slices.SHORT)),
    ):
        yield

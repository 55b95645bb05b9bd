"""Evaluations by learned nets on the compiled engine: the constants of their kernels, and the nets in memory."""

from __future__ import annotations

import array as arrays
from collections.abc import Mapping
from typing import Any

from gdl.compiler.joining import Pieces, kernel
from gdl.compiler.lower.state_layout import Layout
from gdl.wings.learning.compiled_tables import cells
from gdl.wings.learning.learned import Scale
from gdl.wings.learning.network import Net


def sizes(net: Net, copies: int = 1) -> dict[str, int]:
    """The values of the constants of the kernel `network`."""
    return {
        "NET_UNITS": net.units, "NET_CELLS": len(net.cell_sizes), "NET_CLASSES": sum(net.sizes),
        "NET_INPUTS": net.inputs, "NET_OUTPUTS": net.outputs, "NET_SLOTS": net.slots, "NET_TOTAL": net.total,
        "NET_VIEWS": len(net.views.part) // net.players, "NET_BOUNDED": net.scale.bounded, "NET_COPIES": copies,
        "NET_RUNS": len(net.runs), "NET_RUN": _longest_run(net), "NET_KINDS": len(net.kinds),
        "NET_GROUP": next(group for group in (32, 16, 8) if net.units % group == 0),
    }  # fmt: skip


def evaluation_pieces(net: Net, layout: Layout) -> Pieces:
    """The pieces that give a game's module its `evaluate()` by a net."""
    made = kernel("network_estimating", NET_OVER=net.denominator, NET_WHOLE=net.scale.constant_sum, **sizes(net))
    return (cells(layout, net.reads), *made.parts)


def fill(net: Net, module: Mapping[str, Any]) -> None:
    """Write the arrays, weights and scale of a net into a module's memory."""
    views = net.views
    for name, held in (("row", views.row), ("slot", views.slot), ("part", views.part), ("view", views.of)):
        module[f"net_{name}"][: len(held)] = memoryview(held)
    module["net_offset"][: len(net.offsets)] = memoryview(arrays.array("i", net.offsets))
    for number, run in enumerate(net.runs):
        step, at = 1, number * _longest_run(net)
        for k, cell in reversed([*enumerate(run.cells, at)]):
            module["net_member"][k], module["net_step"][k] = cell, step
            step *= net.cell_sizes[cell]
    for number, kind in enumerate(net.kinds):
        module["net_kind"][3 * number : 3 * number + 3] = memoryview(arrays.array("i", kind))
    weigh(net.weight, module)
    scale(net.scale, module)


def _longest_run(net: Net) -> int:
    """The number of cells of the longest run."""
    return max((len(run.cells) for run in net.runs), default=0)


def weigh(weight: Any, module: Mapping[str, Any], copy: int = 0) -> None:
    """Write a net's weights into a module's memory, at place `copy` of the nets that it holds."""
    module["net_weight"][copy * len(weight) : (copy + 1) * len(weight)] = memoryview(weight)
    # The rounded numbers that the kernel keeps were made of the old ones; 0 has it make them again.
    module["net_known"][copy] = 0


def scale(of: Scale, module: Mapping[str, Any]) -> None:
    """Write the scale that turns a net's outputs into payoffs into a module's memory."""
    module["net_scale"][:3] = memoryview(arrays.array("d", (of.middle, of.half, of.bound)))

"""Values by a learned net on the compiled engine: the constants of its kernel, and the net in memory."""

from __future__ import annotations

import array as arrays
from collections.abc import Mapping
from typing import Any

from gdl.compiler.joining import Pieces, kernel
from gdl.compiler.lower.state_layout import Layout
from gdl.wings.learning.compiled_tables import cells
from gdl.wings.learning.value_net import ValueNet


def _width(net: ValueNet) -> int:
    """How many numbers of the second layer are computed at once."""
    return next(width for width in (32, 16, 8) if net.units % width == 0)


def evaluation_pieces(net: ValueNet, layout: Layout) -> Pieces:
    """The pieces that give a game's module its `evaluate()` by a net."""
    powers = net.powers
    made = kernel(
        "value_net", NET_UNITS=net.units, NET_CELLS=len(net.sizes), NET_CLASSES=sum(net.sizes), NET_INPUTS=net.inputs,
        NET_OUTPUTS=net.outputs, NET_BOUNDED=net.scale.bounded, NET_GROUP=_width(net), NET_OVER=net.denominator,
        NET_WHOLE=net.scale.constant_sum, NET_SHIFT=powers.first + powers.second - powers.layer,
        NET_ONE=int(2.0**powers.first), NET_ONE_2=int(2.0**powers.layer),
    )  # fmt: skip
    return (cells(layout, net.reads), *made.parts)


def fill(net: ValueNet, module: Mapping[str, Any]) -> None:
    """Write the rows and the scale of a net into a module's memory."""
    words = [number for row in net.first_words for number in row]
    words += _second_layer_words(net)
    words += [number for row in net.value_words for number in row]
    for name, held in (("row", net.row), ("part", net.part), ("words", arrays.array("h", words))):
        module[f"net_{name}"][: len(held)] = memoryview(held)
    module["net_offset"][: len(net.offsets)] = memoryview(arrays.array("i", net.offsets))
    scale = net.scale
    module["net_scale"][:4] = memoryview(
        arrays.array("d", (scale.middle, scale.half, scale.bound, net.unit_of_products))
    )


def _second_layer_words(net: ValueNet) -> list[int]:
    """The weights of the second layer in the order that `dense` reads: for some columns at a time, two rows side by
    side."""
    width, columns = _width(net), net.columns
    return [
        columns[j][i + k]
        for first in range(0, net.units, width)
        for i in range(0, net.units, 2)
        for j in range(first, first + width)
        for k in range(2)
    ]

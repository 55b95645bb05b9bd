"""Evaluations by learned tables on the compiled engine: code that reads a state's cells, and the tables in memory."""

from __future__ import annotations

import array as arrays
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any

from gdl.compiler.ir import module as nodes
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, i32, plus
from gdl.compiler.joining import Pieces, kernel
from gdl.compiler.lower.arrays import STATE, WORDS
from gdl.compiler.lower.state_layout import Layout, VariablePlace
from gdl.compiler.lower.writer import Writer
from gdl.wings.learning.learned import Inputs, Read, Scale, Tables

WORD = 64
CELL = ir.Array("estimate_cell", ir.I32)  # the class of each cell
_ARRAYS = ("start", "member", "base", "sign", "where", "step")


def cells(layout: Layout, reads: Sequence[Read]) -> nodes.Module:
    """A module with `estimate_cells()`, which reads the classes of all cells from a state held in this layout into
    `estimate_cell`."""
    count = sum(read.cells for read in reads)
    made = nodes.Module({}, {CELL.name: ir.Array(CELL.name, ir.I32, max(1, count))}, settled=False)
    out, first = Writer(), 0
    for place, read in zip(layout.places, reads, strict=True):
        if place.is_set:
            _read_set(out, place, read, first)
        elif place.offset is not None:
            _read_words(out, made, place, read, first)
        else:
            _read_planes(out, place, read, first)
        first += read.cells
    doc = "Read the classes of all cells of the state."
    made.functions["estimate_cells"] = ir.Function("estimate_cells", (), None, out.lines, doc)
    return made


def _read_set(out: Writer, place: VariablePlace, read: Read, first: int) -> None:
    for i in range(read.count):
        for low in range(0, read.members, WORD):
            word = WORDS[place.long + i * (place.each // 2) + low // WORD]
            with out.counting("i", None, min(WORD, read.members - low)):
                out.store(CELL.name, plus("i", first + i * read.members + low), i32(word >> "i" & 1))


def _read_words(out: Writer, made: nodes.Module, place: VariablePlace, read: Read, first: int) -> None:
    assert place.offset is not None
    number: ir.Expr = STATE[plus("i", place.offset)]
    number = number - read.first if read.first else number
    # Mostly the number of a value is its class; only where values share a class is a table needed.
    if read.classes != tuple(range(len(read.classes))):
        name = next((name for name, known in made.tables.items() if known == read.classes), "")
        if not name:
            name = f"ESTIMATE_CLASSES_{len(made.tables)}"
            made.table(name, "i16", read.classes)
        number = array(name)[number]
    with out.counting("i", None, read.count):
        out.store(CELL.name, plus("i", first), number)


def _read_planes(out: Writer, place: VariablePlace, read: Read, first: int) -> None:
    for low in range(0, read.count, WORD):
        with out.counting("i", None, min(WORD, read.count - low)):
            # The background has no plane and class 0. An element is in one plane at most, so the sum is its class.
            planes = [
                i32(WORDS[place.plane_of(value) + low // WORD] >> "i" & 1) * number
                for number, value in enumerate(place.values, 1)
            ]
            out.store(CELL.name, plus("i", first + low), reduce(add, planes))


def sizes(inputs: Inputs, scale: Scale) -> dict[str, int]:
    """The values of the constants in the kernels for estimates."""
    return {
        "ESTIMATE_PATTERNS": inputs.patterns, "ESTIMATE_MEMBERS": len(inputs.member),
        "ESTIMATE_STEPS": len(inputs.step), "ESTIMATE_ENTRIES": inputs.entries, "ESTIMATE_SIDES": inputs.sides,
        "ESTIMATE_OUTPUTS": inputs.outputs, "ESTIMATE_BOUNDED": scale.bounded, "ESTIMATE_OVER": scale.denominator,
    }  # fmt: skip


def evaluation_pieces(tables: Tables, layout: Layout) -> Pieces:
    """The pieces that give a game's module its `evaluate()` by tables."""
    made = kernel("estimating", ESTIMATE_WHOLE=tables.scale.constant_sum, **sizes(tables.inputs, tables.scale))
    return (cells(layout, tables.inputs.reads), *made.parts)


def fill(tables: Tables, module: Mapping[str, Any]) -> None:
    """Write the numbers of the tables into a module's memory."""
    fill_inputs(tables.inputs, tables.scale, module)
    module["estimate_table"][:] = memoryview(tables.table)


def fill_inputs(inputs: Inputs, scale: Scale, module: Mapping[str, Any]) -> None:
    """Write into a module's memory what an evaluation reads beside its weights: the arrays that describe the inputs,
    and the scale."""
    for name in _ARRAYS:
        held = getattr(inputs, name)
        module[f"estimate_{name}"][: len(held)] = memoryview(held)
    module["estimate_scale"][:3] = memoryview(arrays.array("d", (scale.middle, scale.half, scale.bound)))

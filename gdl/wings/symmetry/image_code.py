"""Kernel code that makes a state the least of its images under a game's symmetries.

Each symmetry becomes a function that writes the image of a state: sets and planes by moving their bits, those that go
equally far at once (or, where that is many ways, eight by eight through tables), numbers one by one. The least image
is the one with the least packed key, so equal classes have equal keys. Where symmetries exchange players, only images
with the first mover among them are tried: as many as if players kept their parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, choice, compare, i32, wrap64
from gdl.compiler.ir.module import Module
from gdl.compiler.joining import Pieces, kernel
from gdl.compiler.lower.arrays import STATE
from gdl.compiler.lower.code_values import WORD, as_signed
from gdl.compiler.lower.state_layout import MOVER, TURN, Layout, VariablePlace
from gdl.compiler.lower.writer import Writer
from gdl.interpreter.closures import FIRST_CELL
from gdl.wings.symmetry.group import Symmetry

FEW_SHIFTS = 12  # different distances by which bits of one word move; with more, tables are used
Spot = tuple[int, int]  # a long word of the state and a bit in it
UNFOLDED, WIDE = array("unfolded"), array("wide")  # the state before it is folded, and its words of 64 bits


def image_code(layout: Layout, symmetries: Sequence[Symmetry]) -> Pieces | None:
    """Kernel code of `fold()`, which follows `pack()`; None if the symmetries cannot be applied to the layout of the
    states."""
    made = Module(settled=False)
    if layout.has_long_words:
        made.views["wide"], made.arrays["wide"] = "unfolded", ir.Array("wide", ir.I64, layout.words // 2)
    for n, symmetry in enumerate(symmetries):
        out = Writer()
        if not _write_image(out, layout, symmetry, made):
            return None
        if exchanges(symmetries):
            _write_players(out, symmetry)
        doc = "Make it the image of the state that is unfolded."
        made.functions[f"image_{n}"] = ir.Function(f"image_{n}", (), None, out.lines, doc)
    out = Writer()
    out.set("moved", 0)
    _write_tries(out, symmetries)
    out.returns("moved")
    doc = "Try the images of the state that is unfolded; whether one is less than it."
    made.functions["try_images"] = ir.Function("try_images", (), ir.I32, out.lines, doc)
    return *kernel("folded").parts, made


def exchanges(symmetries: Sequence[Symmetry]) -> bool:
    """True if players change parts under one of the symmetries."""
    return any(symmetry.players != tuple(sorted(symmetry.players)) for symmetry in symmetries)


def _write_tries(out: Writer, symmetries: Sequence[Symmetry]) -> None:
    """Write the body of the function that tries the images. If players change parts, only those images are tried in
    which the first mover among them moves."""
    if not exchanges(symmetries):
        for n in range(len(symmetries)):
            _write_try(out, n)
        return
    out.set("mover", choice(compare(STATE[TURN], ">=", 0), STATE[TURN], STATE[MOVER]))
    for mover in range(len(symmetries[0].players)):
        first = min(mover, *(symmetry.players[mover] for symmetry in symmetries))
        numbers = [n for n, symmetry in enumerate(symmetries) if symmetry.players[mover] == first]
        with out.when(compare("mover", "==", mover)):
            if first != mover:
                _write_taken(out, numbers.pop(0))
            elif not numbers:
                out.set("moved", 0)
            for n in numbers:
                _write_try(out, n)


def _write_try(out: Writer, n: int) -> None:
    """Write the call that tries the n-th image: it is kept if its key is less than the least so far."""
    out.calls(f"image_{n}")
    out.calls("pack")
    out.set("moved", ir.Local("moved") | call("keep_if_less"))


def _write_taken(out: Writer, n: int) -> None:
    """Write the code that takes the n-th image of a state as the least so far."""
    out.calls(f"image_{n}")
    out.calls("pack")
    out.copies("folded_key", 0, "key", 0, "KEY")
    out.set("moved", 1)
    out.store("exchanged", 0, 1)


def _write_players(out: Writer, symmetry: Symmetry) -> None:
    """Write whose turn it is in the image, and who its mover is."""
    for word in (TURN, MOVER):
        old = UNFOLDED[word]
        new: ir.Expr = old
        for player, image in enumerate(symmetry.players):
            if image != player:
                new = choice(compare(old, "==", player), image, new)
        out.store("s", word, new)


def _write_image(out: Writer, layout: Layout, symmetry: Symmetry, made: Module) -> bool:
    """Write the code that makes the image of a state under one symmetry, in every word that enters the key. Returns
    False if that cannot be done."""
    bits: dict[Spot, Spot] = {}
    numbers: list[tuple[int, ir.Expr]] = []
    homes = {place.variable.place + i: (place, i) for place in layout.places for i in range(place.count)}
    for cell, (place, i) in homes.items():
        to, j = homes[symmetry.cells[cell - FIRST_CELL]]
        names = symmetry.names[cell - FIRST_CELL][1]
        if place.is_set:
            for member in range(place.members):
                bits[_member(place, i, member)] = _member(to, j, names.get(member, member))
        elif place.plane is not None:
            if to.plane is None or to.values != place.values or place.background in names:
                return False
            for value in place.values:
                bits[_on_plane(place, value, i)] = _on_plane(to, names.get(value, value), j)
        else:
            if to.plane is not None or to.offset is None or place.offset is None:
                return False
            numbers.append((to.offset + j, _map_value(UNFOLDED[place.offset + i], names, made)))
    _write_moved(out, bits, made)
    for at, code in numbers:
        out.store("s", at, code)
    return True


def _member(place: VariablePlace, i: int, member: int) -> Spot:
    return place.long + i * (place.each // 2) + member // WORD, member % WORD


def _on_plane(place: VariablePlace, value: int, i: int) -> Spot:
    return place.plane_of(value) + i // WORD, i % WORD


def _map_value(code: ir.Expr, names: Mapping[int, int], made: Module) -> ir.Expr:
    """The code of a value under its new name; none, -1, keeps its own."""
    if not names:
        return code
    most, table = max(names), f"NAMES_{len(made.tables)}"
    made.table(table, "i16", [names.get(value, value) for value in range(-1, most + 1)])
    return choice(compare(code, "<=", most), array(table)[code + 1], code)


def _write_moved(out: Writer, bits: Mapping[Spot, Spot], made: Module) -> None:
    """Write the code that sets every long word of the image from the bits that go there."""
    words: dict[int, dict[int, dict[int, int]]] = {}  # target -> source -> bit -> bit
    for (source, a), (target, b) in bits.items():
        words.setdefault(target, {}).setdefault(source, {})[a] = b
    for target, sources in sorted(words.items()):
        parts = [part for source, moves in sorted(sources.items()) for part in _parts(WIDE[source], moves, made)]
        out.store("w", target, reduce(or_, parts))


def _parts(code: ir.Expr, moves: Mapping[int, int], made: Module) -> list[ir.Expr]:
    """The code of the bits of one word, moved to their new places."""
    distances: dict[int, int] = {}
    for a, b in moves.items():
        distances[b - a] = distances.get(b - a, 0) | 1 << (a if b > a else b)
    if len(distances) <= FEW_SHIFTS:
        return [_mask_and_shift(code, distance, mask) for distance, mask in sorted(distances.items())]
    parts: list[ir.Expr] = []
    for low in range(0, max(moves) + 1, 8):
        table = f"BITS_{len(made.tables)}"
        made.table(table, ir.I64, [
            as_signed(sum(1 << b for a, b in moves.items() if low <= a < low + 8 and byte >> (a - low) & 1))
            for byte in range(256)
        ])  # fmt: skip
        parts.append(array(table)[i32((code >> low if low else code) & 255)])
    return parts


def _mask_and_shift(code: ir.Expr, distance: int, mask: int) -> ir.Expr:
    if distance <= 0:
        return (code >> -distance if distance else code) & as_signed(mask)
    moved = (code & as_signed(mask)) << distance
    return wrap64(moved) if mask.bit_length() + distance >= WORD else moved

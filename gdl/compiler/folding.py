"""Folding: kernel code that makes a state the least of its images under a game's symmetries.

Each symmetry becomes a function that writes the image of a state: sets and planes by moving their bits, those that go
equally far at once (or, where that is many ways, eight by eight through tables), numbers one by one. The least image
is the one with the least packed key, so equal classes have equal keys. Where symmetries exchange players, only images
with the first mover among them are tried: as many as if players kept their parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gdl.compiler.lower.layout import Layout, Place
from gdl.compiler.lower.values import WORD
from gdl.compiler.lower.writer import INDENT
from gdl.interpreter.closures import FIRST_CELL
from gdl.symmetry import Symmetry

FEW_SHIFTS = 12  # distances that bits of one word go; more of them are moved through tables
Spot = tuple[int, int]  # a long word of the state and a bit in it

_FOLD = '''

unfolded = array(i32, STATE)
{view}folded_key = array(i64, KEY)
exchanged = array(i32, 1)  # whether players have changed parts in what was folded last
{tables}
{images}

def keep_if_less() -> i32:
    """Whether the key is less than the least one so far, whose place it then takes."""
    for k in range(KEY):
        if key[k] != folded_key[k]:
            if key[k] > folded_key[k]:
                return 0
            copy(folded_key, 0, key, 0, KEY)
            return 1
    return 0


def fold() -> None:
    """Make the state the least of its images, and write its key."""
    pack()
    copy(unfolded, 0, s, 0, STATE)
    copy(folded_key, 0, key, 0, KEY)
    moved = 0
    exchanged[0] = 0
{tries}
    copy(key, 0, folded_key, 0, KEY)
    if moved:
        unpack()
    else:
        copy(s, 0, unfolded, 0, STATE)
'''
_TRY = """image_{n}()
pack()
moved = moved | keep_if_less()"""
_TAKE = """image_{n}()
pack()
copy(folded_key, 0, key, 0, KEY)
moved = 1
exchanged[0] = 1"""


def folding(layout: Layout, symmetries: Sequence[Symmetry]) -> str | None:
    """Kernel code of `fold()`, to be put behind `pack()`; None where the way that states are held does not fit."""
    tables: list[str] = []
    images = []
    for n, symmetry in enumerate(symmetries):
        lines = _image(layout, symmetry, tables)
        if lines is None:
            return None
        if exchanges(symmetries):
            lines += _players(symmetry)
        body = "\n".join(INDENT + line for line in lines)
        images.append(
            f'\ndef image_{n}() -> None:\n    """Make it the image of the state that is unfolded."""\n{body}\n'
        )
    return _FOLD.format(
        view="wide = view(i64, unfolded)\n" if layout.viewed else "",
        tables="\n".join(tables),
        images="\n".join(images),
        tries="\n".join(INDENT + line for line in _tries(symmetries)),
    )


def exchanges(symmetries: Sequence[Symmetry]) -> bool:
    """Whether players do not keep their parts under one of them."""
    return any(symmetry.players != tuple(sorted(symmetry.players)) for symmetry in symmetries)


def _tries(symmetries: Sequence[Symmetry]) -> Iterator[str]:
    """What tries the images, by whose move it is: those in which the first of the players moves that it can become."""
    if not exchanges(symmetries):
        yield from (line for n in range(len(symmetries)) for line in _TRY.format(n=n).splitlines())
        return
    yield "mover = s[0] if s[0] >= 0 else s[1]"
    for mover in range(len(symmetries[0].players)):
        yield f"if mover == {mover}:"
        first = min(mover, *(symmetry.players[mover] for symmetry in symmetries))
        numbers = [n for n, symmetry in enumerate(symmetries) if symmetry.players[mover] == first]
        tried = [_TRY.format(n=n) for n in numbers] or ["moved = 0"]
        if first != mover:
            tried[0] = _TAKE.format(n=numbers[0])
        yield from (INDENT + line for part in tried for line in part.splitlines())


def _players(symmetry: Symmetry) -> Iterator[str]:
    """Whose turn it is in the image, and who moves."""
    for word in ("s[0]", "s[1]"):
        old = f"unfolded{word[1:]}"
        new = old
        for player, image in enumerate(symmetry.players):
            if image != player:
                new = f"{image} if {old} == {player} else {new}"
        yield f"{word} = {new}"


def _image(layout: Layout, symmetry: Symmetry, tables: list[str]) -> list[str] | None:
    """What writes the image under one symmetry: every word that a key is made of."""
    bits: dict[Spot, Spot] = {}
    lines: list[str] = []
    homes = {place.variable.place + i: (place, i) for place in layout.places for i in range(place.count)}
    for cell, (place, i) in homes.items():
        to, j = homes[symmetry.cells[cell - FIRST_CELL]]
        names = symmetry.names[cell - FIRST_CELL][1]
        if place.is_set:
            for member in range(place.members):
                bits[_member(place, i, member)] = _member(to, j, names.get(member, member))
        elif place.plane is not None:
            if to.plane is None or to.values != place.values or place.background in names:
                return None
            for value in place.values:
                bits[_on_plane(place, value, i)] = _on_plane(to, names.get(value, value), j)
        else:
            if to.plane is not None or to.offset is None or place.offset is None:
                return None
            lines.append(f"s[{to.offset + j}] = {_renamed(f'unfolded[{place.offset + i}]', names, tables)}")
    return [*_moved(bits, tables), *lines]


def _member(place: Place, i: int, member: int) -> Spot:
    return place.long + i * (place.each // 2) + member // WORD, member % WORD


def _on_plane(place: Place, value: int, i: int) -> Spot:
    return place.plane_of(value) + i // WORD, i % WORD


def _renamed(code: str, names: Mapping[int, int], tables: list[str]) -> str:
    """A value under its new name; none, -1, keeps its own."""
    if not names:
        return code
    table = f"NAMES_{len(tables)}"
    tables.append(f"{table} = table(i16, ({', '.join(str(names.get(v, v)) for v in range(-1, max(names) + 1))},))")
    return f"{table}[{code} + 1] if {code} <= {max(names)} else {code}"


def _moved(bits: Mapping[Spot, Spot], tables: list[str]) -> Iterator[str]:
    """Lines that write every long word from the bits that go there."""
    words: dict[int, dict[int, dict[int, int]]] = {}  # target -> source -> bit -> bit
    for (source, a), (target, b) in bits.items():
        words.setdefault(target, {}).setdefault(source, {})[a] = b
    for target, sources in sorted(words.items()):
        parts = [part for source, moves in sorted(sources.items()) for part in _parts(f"wide[{source}]", moves, tables)]
        yield f"w[{target}] = {' | '.join(parts)}"


def _parts(code: str, moves: Mapping[int, int], tables: list[str]) -> list[str]:
    """What the bits of one word come to, each at its new place."""
    distances: dict[int, int] = {}
    for a, b in moves.items():
        distances[b - a] = distances.get(b - a, 0) | 1 << (a if b > a else b)
    if len(distances) <= FEW_SHIFTS:
        return [_shifted(code, distance, mask) for distance, mask in sorted(distances.items())]
    parts = []
    for low in range(0, max(moves) + 1, 8):
        entries = [
            _signed(sum(1 << b for a, b in moves.items() if low <= a < low + 8 and byte >> (a - low) & 1))
            for byte in range(256)
        ]
        name = f"BITS_{len(tables)}"
        tables.append(f"{name} = table(i64, ({', '.join(map(str, entries))}))")
        parts.append(f"{name}[i32({code} >> {low} & 255)]" if low else f"{name}[i32({code} & 255)]")
    return parts


def _shifted(code: str, distance: int, mask: int) -> str:
    if distance <= 0:
        return f"{code} >> {-distance} & {_signed(mask)}" if distance else f"{code} & {_signed(mask)}"
    moved = f"(({code} & {_signed(mask)}) << {distance})"
    return f"wrap64{moved}" if mask.bit_length() + distance >= WORD else moved


def _signed(mask: int) -> int:
    return mask - (1 << WORD) if mask >> (WORD - 1) else mask

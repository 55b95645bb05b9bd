"""Cards, dice, heaps and counters as rows of small shapes (those of pieces.json), for what lies beside the boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gdl.interpreter.things import MOST_STONES, Thing, ThingRow
from gdl.render.boards_data import colours
from gdl.render.svg.elements import text
from gdl.render.svg.measure import text_width
from gdl.render.svg.pieces import shape

ROW, GAP = 34.0, 6.0  # height of a row, and the room between its shapes
CARD, DIE, STONE = 22.0, 24.0, 10.0  # width of a card, side of a die, diameter of a stone of a heap
ABREAST = 8  # stones of a heap in a row
PIPS = ("4", "26", "246", "0268", "02468", "023568")  # of the nine places of a die's face, row by row
SIZE = 12.0  # of letters

Placed = tuple[str, float]  # a shape whose left end is at x = 0 and whose middle is at y = 0, and its width


def table_rows(rows: Sequence[ThingRow], players: Sequence[str], glyphs: Mapping[str, Any]) -> list[list[Placed]]:
    """The shapes of the things, in rows: those of nobody, then those of each player behind the player's name. Men that
    are counted are drawn by their signs among `glyphs`."""
    owners = [None, *range(len(players))]
    owned = {owner: [row for row in rows if row.owner == owner] for owner in owners}
    named: dict[int | None, list[Placed]] = {None: []}
    named |= {p: [_disc(fill), _words(players[p], "bold")] for p, fill in enumerate(colours(players))}
    shapes = {owner: [shape for row in owned[owner] for shape in _shapes(row, glyphs)] for owner in owners}
    return [[*named[owner], *shapes[owner]] for owner in owners if owned[owner]]


def _shapes(row: ThingRow, glyphs: Mapping[str, Any]) -> list[Placed]:
    """The name of a row and its things; a counter and a heap bear the names themselves."""
    name = row.name.replace("_", " ")
    if row.things and row.things[0].look == "counter":
        kinds = row.owner is not None and row.things[0].name.strip("0123456789")  # men and goods say enough
        names = [str(glyphs.get(each.name, each.name)) if kinds else f"{name} {each.name}" for each in row.things]
        return [_counter(each.strip(), thing.value) for each, thing in zip(names, row.things, strict=True)]
    if row.things and row.things[0].look == "heap":
        return [_heap(thing.name or name, thing.value) for thing in row.things]
    return [_words(name), *(map(_upright, row.things) if row.things else [_words("–")])]


def _words(written: str, weight: str | None = None, at: float = 0) -> Placed:
    width = text_width(written, SIZE) * (1.1 if weight else 1)
    return text(at, 0, written, size=SIZE, font_weight=weight), width


def _disc(fill: str) -> Placed:
    return shape("disc", (8, 0), 16, fill=fill, radius=0.45), 16.0


def _counter(name: str, value: str) -> Placed:
    """A name and a number with a line around them; the name alone if the value is empty."""
    words, width = _words(name, at=8)
    number, more = _words(value, "bold", width + 14) if value else ("", -6.0)
    width += more + 22
    return shape("counter", (0, 0), 1, width=f"{width:.1f}") + words + number, width


def _upright(thing: Thing) -> Placed:
    """A card, its back, or a die."""
    if thing.look == "back":
        number, width = _words(thing.value, at=CARD + 4) if thing.value else ("", 0.0)
        return shape("back", (CARD / 2, 0), 1) + number, CARD + 4 + width
    if thing.look == "die":
        places = ((DIE / 2 + 6.5 * (int(at) % 3 - 1), 6.5 * (int(at) // 3 - 1)) for at in PIPS[int(thing.name) - 1])
        return shape("die", (DIE / 2, 0), 1) + "".join(shape("pip", at, 1) for at in places), DIE
    width, words = max(CARD, _words(thing.name, "bold")[1] + 8), thing.name
    look = {"text_anchor": "middle", "font_weight": "bold", "fill": "#b3261e" if set(words) & set("♥♦") else "#222"}
    return shape("card", (0, 0), 1, width=f"{width:.1f}") + text(width / 2, 0, words, size=SIZE, **look), width


def _heap(name: str, value: str) -> Placed:
    """Stones in rows of eight behind their name and number."""
    words, left = _words(f"{name}: {value}")
    left += GAP
    count = min(int(value), MOST_STONES) if value.isdecimal() else 0
    high = -(-count // ABREAST)
    places = ((left + STONE * (k % ABREAST + 0.5), STONE * (k // ABREAST - (high - 1) / 2)) for k in range(count))
    return words + "".join(shape("stone", at, 1) for at in places), left + STONE * min(count, ABREAST) + GAP

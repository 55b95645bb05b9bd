"""Words that stand outside the bodies of random games, written twice: pictures of first values, sequences of which some
see some places, and games that are variants of others, made from others, or use a library.

Nothing here is gdl's.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from meanings import Board, Type, text_of

Names = dict[str, Any]

# -- pictures -------------------------------------------------------------------------------------------------------


def rows_of(board: Board) -> list[list[str]]:
    """The squares row by row, the highest row first."""
    rows = [[square for square, cell in board.at.items() if cell[1:] == (row,)] for row in board.columns(1)]
    return rows[::-1]


def slanted(board: Board) -> list[list[str]]:
    """The hexagons of a board whose columns rise to the left and whose rows rise to the right, the highest first."""
    heights = sorted({sum(cell) for cell in board.named}, reverse=True)
    lines = [[cell for cell in board.named if sum(cell) == height] for height in heights]
    return [[board.named[cell] for cell in sorted(line, key=lambda cell: cell[1] - cell[0])] for line in lines]


def lines_of(dice: random.Random, of: Type) -> list[tuple[int, list[Any]]] | None:
    """The lines of a picture of an array over the type: how far each is indented, and the squares; None if there are no
    pictures of it."""
    board = of.board
    if board is None:
        return [(0, of.values)] if "n" in of.has else None
    if len(board.sizes) == 1:
        return [(0, board.squares)]
    if len(board.sizes) != 2:
        return None
    rows = rows_of(board)
    if not board.shape.startswith("hex"):
        return [(0, row) for row in rows]
    drawn = slanted(board)
    if len(drawn) > 1 and dice.random() < 0.5:
        left = min(row - column for column, row in board.named)
        return [(at[1] - at[0] - left, line) for line in drawn for at in [board.at[line[0]]]]
    slants = board.shape != "hexagon" and dice.random() < 0.5
    return [(number if slants else 0, row) for number, row in enumerate(rows)]


def picture(dice: random.Random, of: Type, used: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """A `setup` of the arrays a and b, or of one of them, and their first values; nothing if there are no pictures."""
    arrays = [name for name in "ab" if name in used]
    lines = lines_of(dice, of) if arrays else None
    if lines is None:
        return [], {}
    if len(arrays) > 1 and dice.random() < 0.6:
        arrays = [dice.choice(arrays)]
    values = {"a": [0, 1, 2], "b": [False, True]}
    symbols: dict[str, tuple[Any, ...]] = {}  # of the legend
    for letter in "KLMN" if arrays != ["a"] or dice.random() < 0.3 else "":
        symbols[letter] = tuple(dice.choice(values[name]) for name in arrays)
    legend = [", ".join(f"{letter} = {' '.join(map(text_of, held))}" for letter, held in symbols.items())]
    if arrays == ["a"]:
        symbols |= {text_of(value): (value,) for value in values[arrays[0]]}
    symbols |= dict.fromkeys(".-_", tuple(values[name][0] for name in arrays))
    drawn = [(by, [(square, dice.choice(list(symbols))) for square in line]) for by, line in lines]
    first = {name: {s: symbols[one][k] for _, line in drawn for s, one in line} for k, name in enumerate(arrays)}
    found = [f"    {' ' * by}{' '.join(one for _, one in line)}" for by, line in drawn]
    told = {name: {square: first[name][square] for square in of.values} for name in arrays}
    return [f"setup {', '.join(arrays)}", *(f"    {line}" for line in legend if line), *found], told


# -- positions as text ----------------------------------------------------------------------------------------------


class Written(NamedTuple):
    """A `notation` of some variables, and the text of a position."""

    line: str
    fields: tuple[str, ...]
    of: Type

    def text(self, names: Names) -> str:
        return " ".join(self._field(name, names[name]) for name in self.fields)

    def _field(self, name: str, value: Any) -> str:
        if name != "a":
            return "-" if value is None else text_of(value)
        board = self.of.board
        rows = rows_of(board) if board is not None and len(board.sizes) == 2 else [list(value)]
        return "/".join(",".join(str(value[square]) for square in row) for row in rows)


def notation(dice: random.Random, of: Type, used: Sequence[str]) -> Written | None:
    """A notation that says all of a position; None where this bench cannot write one."""
    squares = of.board is None or (of.board.shape in ("grid", "torus", "track", "ring") and len(of.board.sizes) < 3)
    if set(used) - set("nxoa") or "r" in of.has or ("a" in used and not (squares and lines_of(dice, of))):
        return None
    fields = dice.sample(["turns", *used, "mover"], len(used) + 2)
    return Written(f'notation "{" ".join(f"{{{name}}}" for name in fields)}"', tuple(fields), of)


# -- places ---------------------------------------------------------------------------------------------------------

PLACES: list[tuple[str, Callable[[str, str, int, Names], bool]]] = [
    # what follows `visible to`, and who sees a place: a player, the one named, the place, the variables
    ("p when p = {} and place = 1", lambda p, one, place, names: p == one and place == 1),
    ("p when place = 2 or p = {}", lambda p, one, place, names: place == 2 or p == one),
    ("p when p = {} and place > size(q) - 1", lambda p, one, place, names: p == one and place > len(names["q"]) - 1),
    ("p when place <= n or p = {}", lambda p, one, place, names: place <= names["n"] or p == one),
    ("none", lambda p, one, place, names: False),
]


class Places(NamedTuple):
    """Who sees which elements of the sequence q."""

    words: str
    sees: Callable[[str, str, int, Names], bool]
    one: str

    def sight(self, player: str, names: Names) -> str:
        q = names["q"]
        seen = [text_of(v) if self.sees(player, self.one, k, names) else "?" for k, v in enumerate(q, 1)]
        return repr(seen)


def places(dice: random.Random, players: Sequence[str]) -> Places:
    (words, sees), one = dice.choice(PLACES), dice.choice(players)
    return Places(f" visible to {words.format(one)}", sees, one)


# -- games made from others -----------------------------------------------------------------------------------------


class Made(NamedTuple):
    """A game file that says only what is different, with the files beside it."""

    text: str
    variant: str | None
    files: dict[str, str]
    words: tuple[str, ...]  # that it uses

    def write(self, folder: Path) -> None:
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")


SECTION = re.compile(
    r"(players|type|board|state|setup|phase|start|discount|utility|define|action|chance|resolve|terminal)\b"
)


def sections(text: str) -> list[list[str]]:
    """The sections of a file, line by line."""
    found: list[list[str]] = []
    for line in text.splitlines():
        if SECTION.match(line) or not found:
            found.append([])
        found[-1].append(line)
    return found


def made_from(dice: random.Random, text: str) -> Made:
    """A game of this text, written as what changes another one."""
    base, more, words = [], [], []
    head, library = 'game "Base"', []
    for section in sections(text):
        kind, changes = section[0].split()[0], dice.random() < 0.5
        name = (re.match(r"\w+ (\w+)", section[0]) or [""])[0]
        if kind in ("type", "board") and changes and "Player" not in section[0]:
            library += section
        elif kind == "terminal" and changes:
            base += [section[0], "    turns = 1 -> draw" if dice.random() < 0.5 else "    no actions -> draw"]
            more += section
            words.append("terminal")
        elif kind == "terminal" and dice.random() < 0.5:
            number = re.match(r"    turns = (\d+)", section[1])
            assert number is not None
            head, more = f"{head} (most = 1)", [f"parameters most = {number[1]}", *more]
            base += [section[0], section[1].replace(f"turns = {number[1]}", "turns = most"), *section[2:]]
            words.append("parameters")
        elif kind == "action" and changes and section[1:2] == ["    turns := turns + 1"] and len(section) > 2:
            base += [section[0], *section[2:]]
            more += [f"before {name.split()[1]}", section[1]]
            words.append("before")
        elif kind == "action" and section[1:] and re.match(r"    (n|x|o|a\[.*\]) := ", section[-1]) and (
            "let " not in "".join(section) and dice.random() < 0.5
        ):  # fmt: skip
            base += section[:-1] if len(section) > 2 else [section[0]]
            more += [f"after {name.split()[1]}", section[-1]]
            words.append("after")
        elif kind == "action" and dice.random() < 0.4:
            base += [*re.findall(r"^action \w+", section[0]), "    turns := turns + 1"]
            more += section
            words.append("action")
        elif kind == "discount" and changes:
            base.append("discount 1/3")
            more += section
            words.append("discount")
        else:
            base += section
    return _put_together(dice, head, base, more, library, words)


def _put_together(
    dice: random.Random, head: str, base: list[str], more: list[str], library: list[str], words: list[str]
) -> Made:
    files = {}
    if library:
        files["library.game"], base = "\n".join([*library, ""]), ['use "library.game"', *base]
        words.append("use")
    if not more:
        return Made("\n".join([head, *base, ""]), None, files, tuple(words))
    if dice.random() < 0.5:
        block = [f"    {line}" for line in more]
        return Made("\n".join([head, *base, 'variant other "Other"', *block, ""]), "other", files, (*words, "variant"))
    files["base.game"] = "\n".join([head, *base, ""])
    given = re.findall(r"parameters (.*)", more[0])
    own = [f'game "Other" from "base.game"{f" ({given[0]})" if given else ""}', *more[len(given) :], ""]
    return Made("\n".join(own), None, files, (*words, "game from"))

"""The expressions of the language, each written twice: as a `.game` file has it, and as Python that follows the manual.

Nothing here comes from gdl, so that what both say can be held against what gdl says. A row is `gdl => Python`. In its
first half `<V>` stands for any expression of that kind, and `<+V>` is a new name, which the expressions behind `~` may
use; `$1`, `$2` in the second half are the same in their order. The kinds: a truth B, a number N, a value V of the type T
that a program is about, a value or none O, a set of values S, a domain D (what can be run through), a number that is
surely an index of T, I, a direction W.

In Python a value is a number, a text (names), a Boolean, None, or a tuple whose first member is the name of a record; a
set is a list without repetitions in the order of its type, and `E` holds the variables.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

Expression = tuple[str, str]  # in the language, and in Python


class Fault(Exception):
    """The rules do what the manual calls a fault."""


# -- types ----------------------------------------------------------------------------------------------------------

GRID = {
    "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
    "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1),
}  # fmt: skip
HEX = {"north": (0, 1), "northeast": (1, 0), "east": (1, -1), "south": (0, -1), "southwest": (-1, 0), "west": (-1, 1)}
TRACK = {"forward": (1,), "backward": (-1,)}
WAYS = {"grid": GRID, "torus": GRID, "hex": HEX, "hextorus": HEX, "hexagon": HEX, "track": TRACK, "ring": TRACK}
LAYERS = {str(way): way for way in product((-1, 0, 1), repeat=3) if any(way)}  # directions without a name
CLOSED = ("torus", "hextorus", "ring")  # the far ends of each axis are joined


class Board:
    """The words for squares of one board, as tables."""

    def __init__(self, shape: str, *sizes: int, edges: Sequence[tuple[str, str]] = ()):
        self.shape, self.sizes, self.ways = shape, sizes, WAYS.get(shape, {}) if len(sizes) < 3 else LAYERS
        if shape == "hexagon":  # of a rhombus, without its two acute corners
            self.sizes = (2 * sizes[0] - 1,) * 2
        cells = [cell[::-1] for cell in product(*(range(1, size + 1) for size in self.sizes[::-1])) if cell]
        if shape == "hexagon":
            cells = [cell for cell in cells if sizes[0] < sum(cell) < 3 * sizes[0]]
        self.at = {_square_name(cell): cell for cell in cells}
        self.named = {cell: name for name, cell in self.at.items()}
        self.squares = list(self.at) or sorted({point for edge in edges for point in edge})
        self.edges = edges

    def offset(self, square: str | None, way: Sequence[int]) -> str | None:
        """The square that many columns and rows away."""
        if square is None:
            return None
        cell = [a + b for a, b in zip(self.at[square], way, strict=True)]
        if self.shape in CLOSED:
            cell = [(a - 1) % size + 1 for a, size in zip(cell, self.sizes, strict=True)]
        return self.named.get(tuple(cell))

    def step(self, square: str | None, way: str, times: int = 1) -> str | None:
        for _ in range(times):
            square = self.offset(square, self.ways[way])
        return square

    def ray(self, square: str, way: str) -> list[str]:
        """The squares from one on, to the edge or up to the first repetition."""
        found, here = [square], self.step(square, way)
        while here is not None and here not in found:
            found.append(here)
            here = self.step(here, way)
        return found[1:]

    def neighbours(self, square: str, ways: Iterable[str] | None = None) -> list[str]:
        """The adjacent squares: on a grid those that share a side."""
        if self.edges:
            met = {b for edge in self.edges for a, b in (edge, edge[::-1]) if a == square}
        else:
            square_sides = self.ways in (GRID, LAYERS)
            straight = [way for way, by in self.ways.items() if not square_sides or sum(map(abs, by)) == 1]
            met = {self.step(square, way) for way in (straight if ways is None else ways)}
        return [other for other in self.squares if other in met]

    def reach(self, start: Iterable[str], edge: Callable[[str], Iterable[str]]) -> list[str]:
        """The squares that can be reached from some by edges."""
        found = list(start)
        for square in found:
            found += [other for other in edge(square) if other not in found]
        return [square for square in self.squares if square in found]

    def columns(self, axis: int) -> range:
        return range(1, self.sizes[axis] + 1)

    def direction(self, a: str, b: str) -> str | None:
        """The first direction in which a line leads from one square to another."""
        return next((way for way in self.ways if b in self.ray(a, way)), None)

    def between(self, a: str, b: str) -> list[str]:
        way = self.direction(a, b)
        line = [] if way is None else self.ray(a, way)
        return line[: line.index(b)] if b in line else []

    def lines(self, length: int) -> set[frozenset[str]]:
        """All lines of so many squares, as sets."""
        rows = ([square, *self.ray(square, way)][:length] for square in self.squares for way in self.ways)
        return {frozenset(row) for row in rows if len(row) == length}

    def opposite(self, way: str) -> str:
        return next(other for other in self.ways if self.ways[other] == tuple(-by for by in self.ways[way]))

    def turned(self, way: str, by: int) -> str:
        """The direction so many places on, clockwise."""
        ways = list(self.ways)
        return ways[(ways.index(way) + by) % len(ways)]

    def flip(self, square: str | None) -> str | None:
        """The square in the opposite row."""
        if square is None:
            return None
        column, row = self.at[square]
        return self.named[column, self.sizes[1] + 1 - row]

    def seen(self, player: str, square: str, way: str) -> str | None:
        """A step as a player sees it, where Ann alone sees the board upside down."""
        return self.flip(self.step(self.flip(square), way)) if player == "Ann" else self.step(square, way)

    def edge(self, a: str, b: str) -> tuple[str, str] | None:
        return next((pair for pair in self.edges if set(pair) == {a, b}), None)

    def distance(self, a: str, b: str, ways: Iterable[str] | None = None) -> int | None:
        """The least number of steps between neighbours."""
        found, steps = {a}, 0
        while b not in found:
            wider = found.union(*(self.neighbours(square, ways) for square in found))
            if wider == found:
                return None
            found, steps = wider, steps + 1
        return steps


def _square_name(cell: tuple[int, ...]) -> str:
    return str(cell[0]) if len(cell) == 1 else "_".join([f"{'abcdefgh'[cell[0] - 1]}{cell[1]}", *map(str, cell[2:])])


@dataclass(frozen=True)
class Type:
    """A type of the language, with its values in order."""

    lines: str  # the declarations that it needs
    values: list[Any]
    first: Any  # what a variable of it begins as
    text: str = "T"  # how it is written
    has: str = ""  # letters of rows that it can use: `n`umbers, `e`numeration, `<` ordered, `b`oard with steps, …
    players: int = 2
    board: Board | None = None
    fields: tuple[str, ...] = ()  # of a record
    whole: tuple[str, ...] = ()  # of a part of an enumeration: all its members
    written: dict[Any, str] = field(default_factory=dict)  # values that are not written as they are shown

    def literal(self, value: Any) -> str:
        """The value as a file has it."""
        return self.written.get(value, text_of(value)) if isinstance(value, str) else text_of(value)


def text_of(value: Any) -> str:
    """A value as names of actions have it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"{{{', '.join(map(text_of, value))}}}"
    if isinstance(value, tuple):
        return f"{value[0]}({', '.join(map(text_of, value[1:]))})"
    return str(value)


@cache
def small_types() -> dict[str, Type]:
    """Types of one, two and three values, by what they are called in a report."""
    found: dict[str, Type] = {}
    for low, high in ((1, 1), (1, 2), (1, 3), (0, 0), (0, 1), (0, 2), (5, 5), (-1, -1), (-1, 0), (-1, 1)):
        has = "ns<" if low >= 0 else "n<"
        zero = 0 if low <= 0 <= high else low
        found[f"{low}..{high}"] = Type(f"type T = {low}..{high}", list(range(low, high + 1)), zero, has=has)
    cards = ["J", "Q", "K"]
    for most in (2, 3):
        found[f"{most} names"] = Type(f"type T = {', '.join(cards[:most])}", cards[:most], "J", has="ems")
        found[f"{most} in order"] = Type(f"type T = {' < '.join(cards[:most])}", cards[:most], "J", has="ems<")
    for a, b in ((1, 1), (0, 1), (2, 2)):
        lines = f"type U = J < Q < K\ntype T = {cards[a]}..{cards[b]}"
        found[f"{cards[a]}..{cards[b]}"] = Type(lines, cards[a : b + 1], cards[a], has="s<", whole=tuple(cards))
    names = ["Ann", "Bob", "Cyd"]
    for count in (1, 2, 3):
        found[f"{count} players"] = Type("", names[:count], "Ann", "Player", has="emsp", players=count)
    found["Boolean"] = Type("", [False, True], False, "Boolean", has="t")
    for shape, *sizes in (
        ("grid", 1, 1), ("grid", 2, 1), ("grid", 1, 3), ("grid", 2, 2), ("torus", 1, 1), ("torus", 2, 1), ("torus", 1, 3),
        ("torus", 2, 2), ("hex", 1, 1), ("hex", 2, 1), ("hex", 2, 2), ("hextorus", 1, 1), ("hextorus", 2, 1),
        ("hextorus", 2, 2), ("track", 1), ("track", 2), ("track", 3), ("ring", 1), ("ring", 2), ("ring", 3),
    ):  # fmt: skip
        board, called = Board(shape, *sizes), f"{shape}({', '.join(map(str, sizes))})"
        found[called] = Type(
            f"board T = {called}", board.squares, board.squares[0], has="sebd" + ("c" if len(sizes) == 2 else "m")
            + "o" * (shape in ("grid", "torus")), board=board,
            written={square: f"T({square})" for square in board.squares if len(sizes) == 1},
        )  # fmt: skip
    for side in (1, 2):
        board = Board("hexagon", side)
        found[f"hexagon({side})"] = Type(
            f"board T = hexagon({side})", board.squares, board.squares[0], has="sebdc", board=board
        )
    for layered in ((1, 1, 1), (1, 1, 2), (2, 1, 2), (1, 1, 3)):
        board, called = Board("grid", *layered), f"grid({', '.join(map(str, layered))})"
        found[called] = Type(f"board T = {called}", board.squares, board.squares[0], has="sebl", board=board)
    for sizes in ((1, 2), (2, 2)):
        board, called = Board("grid", *sizes), f"grid({sizes[0]}, {sizes[1]}) flipped for Ann"
        found[called] = Type(f"board T = {called}", board.squares, board.squares[0], has="sebdcof", board=board)
    for edges in ([("p", "q")], [("p", "q"), ("q", "r")], [("p", "p")]):
        points = Board("graph", edges=edges)
        lines = f"board T = graph({', '.join('-'.join(edge) for edge in edges)})"
        found[lines[10:]] = Type(lines, points.squares, "p", has="sebg", board=points)
    found["T(1..1)"] = Type("type T = record(k: 1..1)", [("T", 1)], ("T", 1), has="sr", fields=("k",))
    found["T(Player)"] = Type(
        "type T = record(k: Player)", [("T", "Ann")], ("T", "Ann"), has="sr", players=1, fields=("k",)
    )
    found["T(1..1, Boolean)"] = Type(
        "type T = record(k: 1..1, l: Boolean)", [("T", 1, False), ("T", 1, True)], ("T", 1, False), has="sr",
        fields=("k", "l"),
    )  # fmt: skip
    found["T((5..5)?)"] = Type(
        "type T = record(k: (5..5)?)", [("T", None), ("T", 5)], ("T", None), has="sr", fields=("k",)
    )
    inner = ("T", ("R", 1))
    found["T(R(1..1))"] = Type(
        "type R = record(m: 1..1)\ntype T = record(k: R)", [inner], inner, has="sr", fields=("k",)
    )
    return found


# -- rows -----------------------------------------------------------------------------------------------------------

# `[letters]` before a row: only for types that have all of them. Rows without holes are the leaves.
ROWS = {
    "B": """
        true => True
        x = o => E["x"] == E["o"]
        n = 1 => E["n"] == 1
        [s] x in s => E["x"] in E["s"]
        [t] x => E["x"]
        <V> = <O> => $1 == $2
        <O> != none => $1 != None
        <O> in {none, <V>} => $1 in (None, $2)
        <V> in <D> => $1 in $2
        <O> not in <D> => $1 not in $2
        not <V> = <O> => $1 != $2
        (<B> and <B>) => ($1 and $2)
        (<B> or <B>) => ($1 or $2)
        (if <B> then <B> else <B>) => ($2 if $1 else $3)
        <N> = <N> => $1 == $2
        <N> <= <N> => $1 <= $2
        <N> in <N>..<N> => $1 in range($2, $3 + 1)
        (exists <+V> in <D>:~ <B>) => any($3 for $1 in $2)
        (forall <+V> in <D>:~ <B>) => all($3 for $1 in $2)
        (exists <+V> in <D> where~ <B>: <B>) => any($4 for $1 in $2 if $3)
        (forall <+V> in <D> until~ <B>: <B>) => all($4 for $1 in until($2, lambda $1: $3))
        (exists <+V> in <D>,~ <+V> in <D>:~ <B>) => any($5 for $1 in $2 for $3 in $4)
        (forall <+N> in 1..2,~ <+N> in 1..<N>:~ <B>) => all($4 for $1 in (1, 2) for $2 in range(1, $3 + 1))
        q = [<V>] => E["q"] == [$1]
        q != [] => E["q"] != []
        [<] <V> < <V> => place($1) < place($2)
        [<] <V> >= <V> => place($1) >= place($2)
        [s] <S> = <S> => $1 == $2
        [s] <S> != {} => $1 != []
        [r] <O>.k = <O>.k => part($1) == part($2)
        [b] distance(<V>, <V>) = <N> => squares.distance($1, $2) == $3
        [d] distance(<V>, <V>, directions) = <N> => squares.distance($1, $2, list(squares.ways)) == $3
        [d] direction(<V>, <V>) in {none, <W>} => squares.direction($1, $2) in (None, $3)
        [d] <W> = <W> => $1 == $2
        [d] (exists <+W> in Direction:~ <B>) => any($2 for $1 in squares.ways)
        [l] distance(<V>, <V>, directions) = <N> => squares.distance($1, $2, list(squares.ways)) == $3
        [l] (exists <+Y> in Direction:~ step(<V>, $1) = <O>) => any(squares.step($2, $1) == $3 for $1 in squares.ways)
        [l] (forall <+Y> in Direction:~ step(<V>, $1, 2) = none) => all(squares.step($2, $1, 2) is None for $1 in squares.ways)
        [o] <W> in diagonals => 0 not in squares.ways[$1]
        [g] edge(<V>, <V>) != none => squares.edge($1, $2) is not None
        [g] (exists <+E> in Edge:~ <V> in ends($1)) => any($2 in $1 for $1 in squares.edges)
        b[<V>] => E["b"][$1]
        b[<O>] = true => ($1 in E["b"] and E["b"][$1])
    """,
    "N": """
        1 => 1
        n => E["n"]
        [n] x => E["x"]
        <N> + <N> => $1 + $2
        <N> - <N> => $1 - $2
        <N> * <N> => $1 * $2
        <N> div 2 => $1 // 2
        <N> mod 3 => $1 % 3
        (<N>) div (<N>) => quotient($1, $2)
        (<N>) mod (<N>) => remainder($1, $2)
        min(<N>, <N>) => min($1, $2)
        max(<N>, <N>, 1) => max($1, $2, 1)
        abs(-<N>) => abs(-$1)
        (if <B> then <N> else <N>) => ($2 if $1 else $3)
        (count <+V> in <D>:~ <B>) => sum(1 for $1 in $2 if $3)
        (count <+V> in <D> where~ <B>: <B>) => sum(1 for $1 in $2 if $3 and $4)
        (count <+V> in <D> until~ <B>: <B>) => sum(1 for $1 in until($2, lambda $1: $3) if $4)
        (sum <+V> in <D>:~ <N>) => sum($3 for $1 in $2)
        (sum <+N> in <N>..<N>:~ <N>) => sum($4 for $1 in range($2, $3 + 1))
        (count <+N> in 1..2,~ <+V> in <D>:~ <B>) => sum(1 for $1 in (1, 2) for $2 in $3 if $4)
        (sum <+N> in 0..2:~ count <+N> in 1..<N>:~ <B>) => sum(1 for $1 in (0, 1, 2) for $2 in range(1, $3 + 1) if $4)
        (min <+V> in <D>:~ <N>) => least($3 for $1 in $2)
        (max <+V> in <D>:~ <N>) => greatest($3 for $1 in $2)
        (max <+V> in <D> where~ <B>: <N>) => greatest($4 for $1 in $2 if $3)
        size(q) => len(E["q"])
        [s] size(<S>) => len($1)
        [e] number(<V>) => place($1)
        [n] <V> + 1 => $1 + 1
        [n] (max <+V> in <D>:~ <V>) => greatest($3 for $1 in $2)
        a[<V>] => E["a"][$1]
        [c] column(<V>) => squares.at[$1][0]
        [c] row(<V>) => squares.at[$1][1]
        [c] (sum <+N> in Column, <+N> in Row:~ <N>) => sum($3 for $1 in squares.columns(0) for $2 in squares.columns(1))
        [d] size(lines(T, 2)) => len(squares.lines(2))
        [d] (count <+L> in lines(T, 2):~ <V> in $1) => sum(1 for $1 in squares.lines(2) if $2 in $1)
        [l] layer(<V>) => squares.at[$1][2]
        [l] column(<V>) + 2 * row(<V>) => squares.at[$1][0] + 2 * squares.at[$2][1]
        [l] (sum <+N> in Layer:~ <N>) => sum($2 for $1 in squares.columns(2))
        [l] size(lines(T, 2)) => len(squares.lines(2))
        [l] (count <+L> in lines(T, 2):~ <V> in $1) => sum(1 for $1 in squares.lines(2) if $2 in $1)
        [l] (count <+Y> in Direction:~ <V> in ray(<V>, $1)) => sum(1 for $1 in squares.ways if $2 in squares.ray($3, $1))
        [g] size(edges(<V>)) => sum(1 for z in squares.edges if $1 in z)
        [f] (row(<V>) for Ann) => squares.at[squares.flip($1)][1]
    """,
    "V": """
        x => E["x"]
        LAST => LASTPY
        (if <B> then <V> else <V>) => ($2 if $1 else $3)
        [p] mover => E["mover"]
        [p] after(<V>) => cycled($1, 1)
        [p] before(<V>) => cycled($1, -1)
        [n] (min <+V> in T:~ max(<V>, <V>)) => least(max($2, $3) for $1 in T)
        [f] flip(<V>) => squares.flip($1)
    """,
    "O": """
        o => E["o"]
        none => None
        <V> => $1
        (if <B> then <O> else <O>) => ($2 if $1 else $3)
        (first <+V> in <D>:~ <B>) => next(($1 for $1 in $2 if $3), None)
        (first <+V> in <D> where~ <B>: <B>) => next(($1 for $1 in $2 if $3 and $4), None)
        first(q) => (E["q"] or [None])[0]
        last(q) => (E["q"] or [None])[-1]
        q[<I>] => element(E["q"], $1)
        [m] T(<N>) => (T[$1 - 1] if 1 <= $1 <= len(T) else None)
        [d] step(<O>, <W>) => squares.step($1, $2)
        [f] (step(<V>, <W>) for mover) => squares.seen(E["mover"], $1, $2)
        [d] step(<O>, WAY, <I>) => squares.step($1, WAYPY, $2)
        [d] step(step(<V>, WAY), BACK) => squares.step(squares.step($1, WAYPY), BACKPY)
        [c] offset(<O>, 1, -1) => squares.offset($1, (1, -1))
        [l] offset(<O>, 1, 0, -1) => squares.offset($1, (1, 0, -1))
        [l] offset(<O>, 0, 0, 1) => squares.offset($1, (0, 0, 1))
        [l] T(<I>, 1, <I>) => squares.named.get(($1, 1, $2))
        [c] T(<I>, <I>) => squares.named.get(($1, $2))
        [b] (first <+V> in neighbours(<V>):~ <B>) => next(($1 for $1 in squares.neighbours($2) if $3), None)
    """,
    "I": "1 => 1 | 2 => 2 | (if <B> then 1 else 2) => (1 if $1 else 2)",
    "S": """
        s => E["s"]
        {} => []
        {<V>} => [$1]
        {<V>, <V>} => ordered([$1, $2])
        {<+V> in <D>} => ordered($2)
        (those <+V> in <D>:~ <B>) => ordered($1 for $1 in $2 if $3)
        (<S> + <S>) => ordered([*$1, *$2])
        (<S> - <S>) => [v for v in $1 if v not in $2]
        (<S> * <S>) => [v for v in $1 if v in $2]
        (if <B> then <S> else <S>) => ($2 if $1 else $3)
        (sum <+V> in <D>:~ <S>) => ordered(v for $1 in $2 for v in $3)
        [b] neighbours(<V>) => squares.neighbours($1)
        [d] neighbours(<V>, directions) => squares.neighbours($1, list(squares.ways))
        [l] neighbours(<V>, directions) => squares.neighbours($1, list(squares.ways))
        [l] (reach <+V> from <S> along directions where~ <B>) => squares.reach($2, lambda z: [$1 for $1 in squares.neighbours(z, list(squares.ways)) if $3])
        [o] neighbours(<V>, diagonals) => squares.neighbours($1, [z for z in squares.ways if 0 not in squares.ways[z]])
        [g] (sum <+E> in edges(<V>): ends($1)) => ordered(z for $1 in squares.edges if $2 in $1 for z in $1)
        [d] (reach <+V> from <S> along directions where~ <B>) => squares.reach($2, lambda z: [$1 for $1 in squares.neighbours(z, list(squares.ways)) if $3])
        [bd] neighbours(<V>, {WAY}) => squares.neighbours($1, [WAYPY])
        [b] (reach <+V> from <S> along neighbours where~ <B>) => squares.reach($2, lambda z: [$1 for $1 in squares.neighbours(z) if $3])
        [s] (reach <+V> from <S> along <+V> -> $1 where~ <B>) => reach($2, lambda $3: [$1 for $1 in WHOLE if $4])
    """,
    "D": """
        T => T
        q => E["q"]
        [<V>, <V>] => [$1, $2]
        [s] s => E["s"]
        [s] <S> => $1
        [n] <N>..<N> => range($1, $2 + 1)
        [n] 1..0 => []
        [d] ray(<V>, <W>) => squares.ray($1, $2)
        [d] between(<V>, <V>) => squares.between($1, $2)
    """,
    "W": """
        [d] WAY => WAYPY
        [d] BACK => BACKPY
        [d] opposite(<W>) => squares.opposite($1)
        [c] clockwise(<W>) => squares.turned($1, 1)
        [c] clockwise(<W>, -2) => squares.turned($1, -2)
        [d] (if <B> then <W> else <W>) => ($2 if $1 else $3)
    """,
}
HOLE = re.compile(r"<\+?[A-Z]>")
MARKS = re.compile(r"(<\+?[A-Z]>|~)")


@dataclass(frozen=True)
class Row:
    """One construct, in both languages."""

    needs: str
    text: str
    python: str

    @property
    def leaf(self) -> bool:
        return not HOLE.search(self.text)


def _rows(text: str) -> list[Row]:
    lines = [line.strip() for part in text.strip().splitlines() for line in re.split(r" \| ", part)]
    found = [re.fullmatch(r"(?:\[(\S+)\] )?(.+?) => (.+)", line) for line in lines]
    return [Row(row[1] or "", row[2], row[3]) for row in found if row]


ALL_ROWS = {kind: _rows(text) for kind, text in ROWS.items()}


class Writer:
    """Fills the holes of rows at random."""

    def __init__(self, dice: random.Random, of: Type, more: dict[str, list[Row]] | None = None):
        self.dice, self.of, self.names = dice, of, 0
        self.scope: list[tuple[str, str, str]] = []  # kind, name, Python
        self.rows = {
            kind: [row for row in rows if set(row.needs) <= set(of.has)] + (more or {}).get(kind, [])
            for kind, rows in ALL_ROWS.items()
        }

    def expression(self, kind: str, depth: int) -> Expression:
        """A random expression of a kind."""
        known = [own for own in self.scope if own[0] == kind]
        if known and self.dice.random() < 0.6:
            return self.dice.choice(known)[1:]
        rows = self.rows[kind]
        if depth <= 0:
            rows = [row for row in rows if row.leaf]
        return self.fill(self.dice.choice(rows), depth)

    def fill(self, row: Row, depth: int) -> Expression:
        """A construct whose holes are filled by expressions of less depth."""
        pieces, made, fillings, before = [], [], [], len(self.scope)
        for piece in MARKS.split(self._words(row.text)):
            if piece == "~":
                self.scope += made
                made = []
            elif not HOLE.fullmatch(piece):
                pieces.append(piece)
            else:
                if piece[1] == "+":
                    self.names += 1
                    name = f"{piece[2].lower()}{self.names}"
                    made.append((piece[2], name, name))
                    filled = (name, name)
                else:
                    filled = self.expression(piece[1], depth - 1)
                pieces.append(filled[0])
                fillings.append(filled)
        del self.scope[before:]
        text = re.sub(r"\$(\d)", lambda m: fillings[int(m[1]) - 1][0], "".join(pieces))
        return text, re.sub(r"\$(\d)", lambda m: fillings[int(m[1]) - 1][1], self._words(row.python))

    def _words(self, text: str) -> str:
        """The words of the type in the place of those that stand for them."""
        of, last = self.of, self.of.values[-1]
        ways = list(of.board.ways) if of.board else []
        for word, text_here, python in (
            ("LAST", of.literal(last), last),
            *([("WAY", ways[1], ways[1]), ("BACK", ways[-1], ways[-1])] if ways else []),
        ):
            text = text.replace(word + "PY", repr(python)).replace(word, text_here)
        return re.sub(r"\bT\b", of.text, text) if of.text != "T" else text


# -- the words that Python lacks ------------------------------------------------------------------------------------


def words_of(of: Type) -> dict[str, Any]:
    """The names that the Python of a row may use, for a type."""
    values = of.whole or of.values

    def ordered(some: Iterable[Any]) -> list[Any]:
        kept = list(some)
        if None in kept:
            raise Fault("none in a set")
        if all(isinstance(value, int) for value in kept):
            return sorted(set(kept))
        return [value for value in values if value in kept]

    def place(value: Any) -> int:
        return value if isinstance(value, int) and not isinstance(value, bool) else values.index(value) + 1

    def reach(start: Iterable[Any], edge: Callable[[Any], Iterable[Any]]) -> list[Any]:
        found = list(start)
        for one in found:
            found += [other for other in edge(one) if other not in found]
        return ordered(found)

    return {
        "T": of.values, of.text: of.values, "WHOLE": values, "squares": of.board, "ordered": ordered, "place": place, "reach": reach,
        "cycled": lambda value, by: values[(values.index(value) + by) % len(values)],
        "until": until, "least": least, "greatest": greatest, "element": element, "part": part, "quotient": quotient,
        "remainder": remainder,
    }  # fmt: skip


def until(some: Iterable[Any], ends: Callable[[Any], bool]) -> Iterator[Any]:
    """The values up to the first that ends them, which is included."""
    for value in some:
        yield value
        if ends(value):
            return


def least(some: Iterable[Any]) -> Any:
    return _extreme(min, list(some))


def greatest(some: Iterable[Any]) -> Any:
    return _extreme(max, list(some))


def _extreme(which: Callable[[list[Any]], Any], values: list[Any]) -> Any:
    if not values:
        raise Fault("the least of nothing")
    return which(values)


def element(some: list[Any], place: int) -> Any:
    """The element at a place of a sequence up to 2."""
    if place not in (1, 2):
        raise Fault("no such place")
    return some[place - 1] if place <= len(some) else None


def part(record: tuple[Any, ...] | None) -> Any:
    """The first field of a record."""
    return None if record is None else record[1]


def quotient(a: int, b: int) -> int:
    if b == 0:
        raise Fault("division by zero")
    return a // b


def remainder(a: int, b: int) -> int:
    if b == 0:
        raise Fault("division by zero")
    return a % b

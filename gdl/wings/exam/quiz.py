"""Exam trees made at random, with the properties that are wanted: made, tried, and made again until one fits.

The tree is written as a text of the language, with names for all nodes and actions (node B has the actions b1, b2, …),
so that it can be printed, drawn and solved like any other file. The same seed and number make the same tree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, count, product
from math import inf
from random import Random
from string import ascii_uppercase
from typing import Any, NamedTuple

import gdl
from gdl.errors import LimitReached
from gdl.explain.key import Key, key
from gdl.game import Game
from gdl.solution import Path, Solution
from gdl.solvers import solve
from gdl.wings.exam.wishes import SAME, ExamTreeShape, ExamTrial, ExamWish, choices_of

TRIES, QUICK = 3_000, 20  # trees that are made before giving up, and how many times more where no file need be written
SHAPES = 50  # among which the first tree of equal worth has its own


@dataclass(frozen=True)
class Quiz:
    """A tree that was made: the text of its game file, the game, its solution, and its key."""

    text: str
    game: Game[Any]
    solution: Solution
    shape: int = 0  # the number of its shape among those of its seed

    @cached_property
    def key(self) -> Key:
        return key(self.game, self.solution)

    @property
    def worth(self) -> tuple[int | None, ...]:
        """The numbers that agree for trees of equal points: inner nodes to fill in, leaves looked at, subtrees
        skipped."""
        return len(self.key.nodes), self.solution.leaves, len(self.key.skipped)


def quiz(
    shape: ExamTreeShape, wanted: ExamWish, seed: int | str, number: int,
    tried: Callable[[], None] = lambda: None, first: Quiz | None = None,
) -> Quiz:  # fmt: skip
    """The tree of that number with the wanted properties. Raises LimitReached if none was found; `tried` is called
    before each attempt. If trees of the same points are wanted, all have the shape, points, cuts and leaves of the
    `first` tree of the seed."""
    is_same = SAME in wanted.phrases
    if not is_same or number == 1:
        first = None
    elif first is None:
        first = quiz(shape, wanted, seed, 1, tried)
    is_quick = wanted.players == 2 and not wanted.chance
    for attempt in range(TRIES * (QUICK if is_quick else 1)):
        tried()
        fixed = Random(f"{seed}/shape/{attempt % SHAPES if first is None else first.shape}") if is_same else None
        root, shaping = draw_tree(shape, wanted, Random(f"{seed}/{number}/{attempt}"), fixed)
        trial = try_quickly(root, shape.cut) if is_quick else None
        if trial and not (wanted.holds(trial) and (first is None or trial.solution.worth == first.worth)):
            continue
        text = write_tree(root, shape, wanted, shaping, f"Quiz {number}")
        game = gdl.loads(text).game
        solver, induction = _solvers(wanted)
        prunes = solver not in _KEEP_VALUES
        solution = solve(game, solver, **({"cut": shape.cut} if prunes else {"values": True}))
        if trial is None:
            other = partial(solve, game, solver, cut=_OTHER[shape.cut]) if prunes else partial(replace, solution)
            values = solution.values or solve(game, induction, values=True).values
            trial = ExamTrial(solution, other, list(choices_of(game, values)))
        found = Quiz(text, game, solution, attempt % SHAPES)
        if wanted.holds(trial) and (first is None or found.worth == first.worth):
            return found
    raise LimitReached(f"none of {TRIES:,} trees had all that is wanted; ask for less, or for larger trees")


_OTHER: Mapping[str, Any] = {"ge": "gt", "gt": "ge"}
_KEEP_VALUES = ("expectiminimax", "maxn")


def _solvers(wanted: ExamWish) -> tuple[str, str]:
    """The names of the search whose steps make the key, and of the induction that gives the values of all nodes."""
    if wanted.players == 3:
        return ("shallow" if wanted.pruning else "maxn"), "maxn"
    if wanted.chance:
        return ("star1" if wanted.pruning else "expectiminimax"), "expectiminimax"
    return "alpha-beta", "minimax"


# ---- Trees of two players, searched before they are written ---------------------------------------------------------


class _Cut(NamedTuple):
    node: Path
    value: float
    alpha: float
    beta: float
    skipped: bool


class _Place(NamedTuple):
    path: Path
    alpha: float = 0
    beta: float = 0


class QuickSearch:
    """The search of a tree by alpha-beta, as a Solution tells it."""

    def __init__(self, root: _Node, values: Mapping[Path, int], strictly: bool):
        self.visits, self.cuts, self.pruned, self.leaves = list[_Place](), list[_Cut](), list[_Place](), 0
        self.strictly = strictly
        self.best = tuple(f"a{at + 1}" for at, _ in enumerate(root.children) if values[at,] == values[()])
        self._visit(root, (), -inf, inf)

    @property
    def worth(self) -> tuple[int, ...]:
        return len(self.visits) - self.leaves, self.leaves, len(self.pruned)

    def _visit(self, node: _Node, path: Path, alpha: float, beta: float) -> float:
        self.visits.append(_Place(path, alpha, beta))
        if not node.children:
            self.leaves += 1
            return int(node.value)
        pick, ends = (max, [alpha, beta]) if node.mover == "MAX" else (min, [alpha, beta])
        best = -inf if pick is max else inf
        for at, child in enumerate(node.children):
            best = pick(best, self._visit(child, (*path, at), *ends))
            ends[pick is min] = pick(ends[pick is min], best)
            if ends[0] > ends[1] or (ends[0] == ends[1] and not self.strictly):
                skipped = [_Place((*path, later)) for later in range(at + 1, len(node.children))]
                self.pruned += skipped
                self.cuts.append(_Cut(path, best, alpha, beta, bool(skipped)))
                break
        return best


def try_quickly(root: _Node, cut: str) -> Any:
    """The trial of a tree of two players, without chance, that no file holds yet."""
    values, choices = dict[Path, int](), list[tuple[int, list[tuple[int]]]]()

    def value_of(node: _Node, path: Path) -> int:
        below = [value_of(child, (*path, at)) for at, child in enumerate(node.children)]
        choices.extend([(0, [(value if node.mover == "MAX" else -value,) for value in below])] * bool(below))
        values[path] = (max if node.mover == "MAX" else min)(below) if below else int(node.value)
        return values[path]

    value_of(root, ())
    return ExamTrial(QuickSearch(root, values, cut == "gt"), partial(QuickSearch, root, values, cut == "ge"), choices)


# ---- The text -----------------------------------------------------------------------------------------------------


@dataclass
class _Node:
    """A node of the tree to be written; a leaf has no name and no mover ("")."""

    name: str
    mover: str
    children: list[_Node] = field(default_factory=list)
    value: str = ""


def draw_tree(
    shape: ExamTreeShape, wanted: ExamWish, random: Random, fixed: Random | None = None
) -> tuple[_Node, Random]:
    """A random tree, and the random numbers for its chances. With `fixed`, its shape comes from these instead, and only
    the values from `random`."""
    shaping = random if fixed is None else fixed
    movers = _movers(shape, wanted)
    low, high = shape.values
    apart = "no ties" in wanted.phrases and high - low >= shape.branching[1] and movers[-1] != "chance"
    root = _Node("A", movers[0])
    names = ("".join(letters) for size in count(1) for letters in product(ascii_uppercase, repeat=size))  # A, …, Z, AA
    level, _ = [root], next(names)
    for ply in range(shape.depth):
        last = ply == shape.depth - 1
        for node in level:
            for _ in range(shaping.randint(*shape.branching)):
                value = _value(shape, wanted, random) if last else ""
                while last and apart and value in (other.value for other in node.children):
                    value = _value(shape, wanted, random)
                name, mover = ("", "") if last else (next(names), movers[ply + 1])
                node.children.append(_Node(name, mover, value=value))
        level = [child for node in level for child in node.children]
    return root, shaping


def write_tree(root: _Node, shape: ExamTreeShape, wanted: ExamWish, shaping: Random, title: str) -> str:
    """The tree as the text of a game file."""
    players = "Ann, Bob, Cal" if wanted.players == 3 else "MAX, MIN"
    head = [f'game "{title}"', f"players {players}", *_bounds(shape, wanted), "", "tree"]
    return "\n".join([*head, *_lines(root, "", 1, shaping)]) + "\n"


def _movers(shape: ExamTreeShape, wanted: ExamWish) -> list[str]:
    """The mover at each level: the players in turn, with chance after every move if it is wanted."""
    turns = ["Ann", "Bob", "Cal"] if wanted.players == 3 else ["MAX", "MIN"] if shape.first == "MAX" else ["MIN", "MAX"]
    if wanted.chance:
        turns = [name for turn in turns for name in (turn, "chance")]
    return [turns[ply % len(turns)] for ply in range(shape.depth)]


def _value(shape: ExamTreeShape, wanted: ExamWish, random: Random) -> str:
    low, high = shape.values
    if wanted.players != 3:
        return str(random.randint(low, high))
    if not wanted.pruning:
        return f"({', '.join(str(random.randint(low, high)) for _ in range(3))})"
    cuts = sorted(random.randint(0, high - low) for _ in range(2))  # shares of a known sum
    shares = (cuts[0], cuts[1] - cuts[0], high - low - cuts[1])
    return f"({', '.join(str(low + share) for share in shares)})"


def _bounds(shape: ExamTreeShape, wanted: ExamWish) -> list[str]:
    """The line with the bounds of utilities, which a search must know to prune with chance or three players; empty if
    not needed."""
    are_needed = wanted.pruning and (wanted.chance or wanted.players == 3)
    return [f"utility in {shape.values[0]}..{shape.values[1]}"] * are_needed


def _lines(node: _Node, label: str, depth: int, random: Random) -> list[str]:
    """The lines of the game file for the node and all below it, indented."""
    margin = "    " * depth
    if not node.children:
        return [f"{margin}{label}{node.value}"]
    labels = [f"{node.name.lower()}{number}" for number in range(1, len(node.children) + 1)]
    if node.mover == "chance":
        weights = _weights(len(node.children), random)
        labels = [f"{name} {weight}" for name, weight in zip(labels, weights, strict=True)]
    head = f"{margin}{label}{node.mover} {node.name}"
    if not any(child.children for child in node.children):
        inner = ", ".join(f"{name}: {child.value}" for name, child in zip(labels, node.children, strict=True))
        return [f"{head} ({inner})"]
    below = [_lines(child, f"{name}: ", depth + 1, random) for name, child in zip(labels, node.children, strict=True)]
    return [head, *chain.from_iterable(below)]


def _weights(count: int, random: Random) -> list[str]:
    """Probabilities with a small denominator: no thirds, which are hard to reckon with where there are fifths."""
    whole = random.choice([d for d in (2, 4, 5, 10) if d >= count] or [count])
    marks = sorted(random.sample(range(1, whole), count - 1))
    return [str(Fraction(b - a, whole)) for a, b in zip([0, *marks], [*marks, whole], strict=True)]

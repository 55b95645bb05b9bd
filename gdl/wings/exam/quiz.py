"""Exam trees made at random, with the properties that are wanted: drawn, tried, and mended until one fits.

The tree is written as a text of the language, with names for all nodes and actions (node B has the actions b1, b2, …),
so that it can be printed, drawn and solved like any other file. The same seed and number make the same tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, count, product
from math import inf
from operator import ge, gt, itemgetter, sub
from random import Random
from string import ascii_uppercase
from types import SimpleNamespace
from typing import Any

import gdl
from gdl.errors import LimitReached
from gdl.explain.key import Key, key
from gdl.game import Game
from gdl.solution import Path, Solution
from gdl.solvers import solve
from gdl.solvers.minimax.backward_induction import average
from gdl.solvers.minimax.vectors import Vector
from gdl.wings.exam.wishes import SAME, ExamTreeShape, ExamTrial, ExamWish

TRIES, LEAVES = 20_000, 2_000_000  # trees that are tried before giving up, and about how many leaves of them
STEPS = 100  # trees that are tried from one beginning
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
    `first` tree of the seed.

    1. Draw a tree, and see by a quick search how far it is from the wish.
    2. Draw what is below one of its nodes anew; take that back if the tree is further from the wish then.
    3. Repeat that until the wish holds by the real search; now and then begin with another tree."""
    is_same = SAME in wanted.phrases
    if not is_same or number == 1:
        first = None
    elif first is None:
        first = quiz(shape, wanted, seed, 1, tried)
    random, reached, rules = Random(f"{seed}/{number}"), inf, pruning_rules(shape, wanted)
    for attempt in range(tries := min(TRIES, LEAVES // shape.branching[1] ** shape.depth)):
        tried()
        if attempt % STEPS == 0:
            model = first.shape if first else attempt // STEPS % SHAPES
            like = draw_tree(shape, wanted, Random(f"{seed}/shape/{model}")) if is_same else None
            root = tree = draw_tree(shape, wanted, random, like=like)
            reached = inf
        else:
            tree = redraw_tree(root, shape, wanted, random, random.randint(1, max(1, shape.depth - 1)))
        trial = try_quickly(tree, shape, wanted)
        off = wanted.count_misses(trial, reached)
        if first:
            off += sum(map(abs, map(sub, trial.solution.worth, first.worth)))
        if off <= reached:
            root, reached = tree, off
        if not off:
            text = write_tree(tree, shape, wanted, f"Quiz {number}")
            game = gdl.loads(text).game
            found = Quiz(text, game, search_tree(game, wanted, rules[0]), model)
            real = trial._replace(solution=found.solution, other=partial(search_tree, game, wanted, rules[1]))
            is_right = found.solution.value == tree.value and not wanted.count_misses(real)
            if is_right and (first is None or found.worth == first.worth):
                return found
    raise LimitReached(f"none of {tries:,} trees had all that is wanted; ask for less, or for larger trees")


def pruning_rules(shape: ExamTreeShape, wanted: ExamWish) -> tuple[str | None, str | None]:
    """The pruning rule for the key, and the other one; None if nothing is to be pruned."""
    prunes = wanted.pruning or (wanted.players == 2 and not wanted.chance)
    return (shape.cut, "gt" if shape.cut == "ge" else "ge") if prunes else (None, None)


def search_tree(game: Game[Any], wanted: ExamWish, cut: Any) -> Solution:
    """The search of which the key tells: by that rule, or without pruning."""
    if cut is None:
        return solve(game, "maxn" if wanted.players == 3 else "expectiminimax", values=True)
    return solve(game, "shallow" if wanted.players == 3 else "star1" if wanted.chance else "alpha-beta", cut=cut)


# ---- Trees searched before they are written -------------------------------------------------------------------------

_PLAYERS = {"MAX": 0, "MIN": 1, "Ann": 0, "Bob": 1, "Cal": 2}


class QuickSearch:
    """The search of a tree by alpha-beta, star1, or max^n with shallow pruning, as a Solution tells it. Without a rule
    of pruning (`cut`) all is looked at.

    Values are vectors, of two players (v, -v). A node is left as soon as a player whose it is has `enough`, more than
    which would not matter: MAX beta, MIN -alpha. Chance's node is left as soon as either has, by the least that they
    can get there. Among three players only the parent's mover limits this (as in gdl/solvers/minimax/shallow.py)."""

    def __init__(self, root: _Node, shape: ExamTreeShape, cut: str | None):
        self.visits, self.cuts, self.pruned, self.leaves = list[Any](), list[Any](), list[Any](), 0
        low, high = shape.values
        player = _PLAYERS[root.mover]
        self.best = tuple(
            f"a{at}" for at, one in enumerate(root.children, 1) if one.value[player] == root.value[player]
        )
        self.is_enough = {"ge": ge, "gt": gt, None: lambda *_: False}[cut]
        self.are_two = len(root.value) == 2
        self.least: Vector = (low, -high) if self.are_two else (low,) * 3
        self.most: Vector = (high, -low) if self.are_two else (high,) * 3
        self.shared = 0 if self.are_two else low + high  # by the movers of a node and its parent, at most
        self._visit(root, (), (inf, inf) if self.are_two else self.most)

    @property
    def worth(self) -> tuple[int, ...]:
        return len(self.visits), self.leaves, len(self.pruned)

    def _visit(self, node: _Node, path: Path, enough: Sequence[Any]) -> tuple[Any, ...]:
        player = _PLAYERS.get(node.mover)
        own = 0 if self.are_two or player is None else player
        alpha, beta = -enough[1] if self.are_two else -inf, enough[own]
        self.visits.append(SimpleNamespace(path=path, alpha=alpha, beta=beta))
        found: tuple[Any, ...] = self.least if player is None else (-inf,) * len(enough)
        for at, child in enumerate(node.children):
            if child.children:
                value = self._visit(child, (*path, at), self._limits(node, at, found, enough))
            else:
                value = child.value
                self.leaves += 1
            if player is not None:
                found = value if value[player] > found[player] else found
                ends = [(found[player], enough[player])]
            else:
                weight = node.weights[at]
                found = tuple(x + weight * (v - least) for x, v, least in zip(found, value, self.least, strict=True))
                ends = list(zip(found, enough, strict=True)) if self.are_two else []
            if any(self.is_enough(x, end) for x, end in ends):
                if player is None:  # only this bound of its value is known
                    bound = found[0] if self.is_enough(*ends[0]) else -found[1]
                    found = bound, -bound
                skipped = [SimpleNamespace(path=(*path, later)) for later in range(at + 1, len(node.children))]
                self.pruned += skipped
                cut = SimpleNamespace(node=path, value=found[own], alpha=alpha, beta=beta, skipped=skipped)
                self.cuts.append(cut)
                break
        return found

    def _limits(self, node: _Node, at: int, found: Vector, enough: Sequence[Any]) -> Sequence[Any]:
        """The numbers that are enough for the players below that child."""
        player = _PLAYERS.get(node.mover)
        most = enough if self.are_two else self.most
        if player is not None:
            return [end if who == player else min(end, self.shared - found[player]) for who, end in enumerate(most)]
        if not self.are_two:
            return most
        rows = zip(enough, found, self.least, self.most, strict=True)
        return [min((end - x) / node.weights[at] + least, most) for end, x, least, most in rows]


def try_quickly(root: _Node, shape: ExamTreeShape, wanted: ExamWish) -> ExamTrial:
    """The trial of a tree that no file holds yet."""
    choices = list[tuple[int, list[Vector]]]()

    def value_of(node: _Node) -> Vector:
        if node.children:
            below = [value_of(child) for child in node.children]
            if (player := _PLAYERS.get(node.mover)) is None:
                node.value = average(node.weights, below)
            else:
                choices.append((player, below))
                node.value = max(below, key=itemgetter(player))
        return node.value

    value_of(root)
    search, other = (partial(QuickSearch, root, shape, cut) for cut in pruning_rules(shape, wanted))
    return ExamTrial(search(), other, choices)


# ---- The text -----------------------------------------------------------------------------------------------------


@dataclass
class _Node:
    """A node of the tree to be written; a leaf has no mover (""), and names come with the text."""

    mover: str
    children: list[_Node] = field(default_factory=list)
    weights: list[Fraction] = field(default_factory=list)  # of the children, below chance
    value: Vector = ()
    name: str = ""


def draw_tree(
    shape: ExamTreeShape, wanted: ExamWish, random: Random, ply: int = 0, like: _Node | None = None
) -> _Node:  # fmt: skip
    """A random tree, from that ply on; with the number of children and the chances of that one which it is to be
    `like`."""
    if ply == shape.depth:
        return _Node("", value=_value(shape, wanted, random))
    node = _Node(_movers(shape, wanted)[ply])
    many = len(like.children) if like else random.randint(*shape.branching)
    if node.mover == "chance":
        node.weights = like.weights if like else _weights(many, random)
    low, high = shape.values
    apart = "no ties" in wanted.phrases and high - low >= shape.branching[1] and node.mover != "chance"
    while len(node.children) < many:
        child = draw_tree(shape, wanted, random, ply + 1, like.children[len(node.children)] if like else None)
        if child.children or not apart or child not in node.children:
            node.children.append(child)
    return node


def redraw_tree(node: _Node, shape: ExamTreeShape, wanted: ExamWish, random: Random, plies: int, ply: int = 1) -> _Node:
    """The tree with another subtree at some node so many plies below its root; of the same shape, if points are to be
    the same."""
    at = random.randrange(len(node.children))
    below = node.children[at]
    if ply < plies:
        below = redraw_tree(below, shape, wanted, random, plies, ply + 1)
    else:
        below = draw_tree(shape, wanted, random, ply, below if SAME in wanted.phrases else None)
    return replace(node, children=[*node.children[:at], below, *node.children[at + 1 :]])


def write_tree(root: _Node, shape: ExamTreeShape, wanted: ExamWish, title: str) -> str:
    """The tree as the text of a game file."""
    names = ("".join(letters) for size in count(1) for letters in product(ascii_uppercase, repeat=size))  # A, …, Z, AA
    level = [root]
    while level[0].children:
        for node in level:
            node.name = next(names)
        level = [child for node in level for child in node.children]
    players = "Ann, Bob, Cal" if wanted.players == 3 else "MAX, MIN"
    low, high = shape.values
    are_needed = wanted.pruning and (wanted.chance or wanted.players == 3)  # without bounds nothing is skipped then
    head = [f'game "{title}"', f"players {players}", *[f"utility in {low}..{high}"] * are_needed, "", "tree"]
    return "\n".join([*head, *_lines(root, "", 1)]) + "\n"


def _movers(shape: ExamTreeShape, wanted: ExamWish) -> list[str]:
    """The mover at each level: the players in turn, with chance after every move if it is wanted."""
    turns = ["Ann", "Bob", "Cal"] if wanted.players == 3 else ["MAX", "MIN"] if shape.first == "MAX" else ["MIN", "MAX"]
    if wanted.chance:
        turns = [name for turn in turns for name in (turn, "chance")]
    return [turns[ply % len(turns)] for ply in range(shape.depth)]


def _value(shape: ExamTreeShape, wanted: ExamWish, random: Random) -> Vector:
    low, high = shape.values
    if wanted.players != 3:
        value = random.randint(low, high)
        return value, -value
    if not wanted.pruning:
        return tuple(random.randint(low, high) for _ in range(3))
    cuts = sorted(random.randint(0, high - low) for _ in range(2))  # shares of a known sum
    return low + cuts[0], low + cuts[1] - cuts[0], high - cuts[1]


def _lines(node: _Node, label: str, depth: int) -> list[str]:
    """The lines of the game file for an inner node and all below it, indented."""
    labels = [f"{node.name.lower()}{number}" for number in range(1, len(node.children) + 1)]
    if node.mover == "chance":
        labels = [f"{name} {weight}" for name, weight in zip(labels, node.weights, strict=True)]
    head = f"{'    ' * depth}{label}{node.mover} {node.name}"
    below = zip(labels, node.children, strict=True)
    if not node.children[0].children:
        return [f"{head} ({', '.join(f'{name}: {_amount(child.value)}' for name, child in below)})"]
    return [head, *chain.from_iterable(_lines(child, f"{name}: ", depth + 1) for name, child in below)]


def _amount(value: Vector) -> str:
    return str(value[0]) if len(value) == 2 else f"({', '.join(map(str, value))})"


def _weights(count: int, random: Random) -> list[Fraction]:
    """Probabilities with a small denominator: no thirds, which are hard to reckon with where there are fifths."""
    whole = random.choice([d for d in (2, 4, 5, 10) if d >= count] or [count])
    marks = sorted(random.sample(range(1, whole), count - 1))
    return [Fraction(b - a, whole) for a, b in zip([0, *marks], [*marks, whole], strict=True)]

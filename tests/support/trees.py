"""Explicit trees written as nested lists, for tests of solvers.

    tree(MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2)))

A leaf is a number (the utility of MAX, or of the first player), a vector, or `unknown("x")`. Children are given in
file order; `{"a1": …, "a2": …}` names the actions, without it they are called 1, 2, 3…
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gdl.game import Number, Unknown
from gdl.interpreter.explicit_game import TreeGame
from gdl.model.games import TreeModel, TreeNode


@dataclass
class Inner:
    """A node with children; `player` is a name, or `chance` with `weights`."""

    player: str
    actions: list[str]
    children: list[Any]
    weights: list[Number] = field(default_factory=list)
    label: str | None = None
    evaluation: Number | Sequence[Number] | None = None
    information_set: str | None = None


@dataclass
class Leaf:
    """An end with a name of its own."""

    utility: Any
    label: str


def node(player: str) -> Callable[..., Inner]:
    """A function that makes the player's nodes."""

    def make(
        *children: Any,
        label: str | None = None,
        eval: Number | Sequence[Number] | None = None,
        infoset: str | None = None,
        **named: Any,
    ) -> Inner:
        if named:
            return Inner(player, list(named), list(named.values()), [], label, eval, infoset)
        return Inner(player, [str(k + 1) for k in range(len(children))], list(children), [], label, eval, infoset)

    return make


MAX = node("MAX")
MIN = node("MIN")


def chance(*outcomes: tuple[Number, Any], label: str | None = None, eval: Number | None = None) -> Inner:
    """A chance node; its children are pairs of a probability and a child."""
    actions = [str(k + 1) for k in range(len(outcomes))]
    return Inner("chance", actions, [child for _, child in outcomes], [p for p, _ in outcomes], label, eval)


def unknown(name: str) -> Unknown:
    return Unknown(name)


def tree(
    root: Any, players: Sequence[str] = ("MAX", "MIN"), name: str = "tree", utility: tuple[Any, Any] | None = None
) -> TreeGame:
    """The tree as a game. `utility`: bounds of MAX's utilities, or of everyone's with three or more players."""
    nodes: list[TreeNode | None] = []
    zero_sum = len(players) <= 2

    bounds = None if utility is None else bounds_of(utility, players)

    def add(item: Any) -> int:
        index = len(nodes)
        nodes.append(None)
        if isinstance(item, Inner):
            children = tuple(add(child) for child in item.children)
            nature = item.player == "chance"
            nodes[index] = TreeNode(
                kind="chance" if nature else "decision",
                player=None if nature else list(players).index(item.player),
                label=item.label,
                information_set=item.information_set,
                evaluation=None if item.evaluation is None else vector(item.evaluation),
                actions=tuple(item.actions),
                probabilities=tuple(item.weights),
                children=children,
                bounds=bounds,
            )
        else:
            label, utility = (item.label, item.utility) if isinstance(item, Leaf) else (None, item)
            nodes[index] = TreeNode(kind="terminal", label=label, utilities=vector(utility), bounds=bounds)
        return index

    def vector(utility: Any) -> tuple[Any, ...]:
        if isinstance(utility, tuple | list):
            return tuple(utility)
        if not zero_sum:
            return tuple(Unknown(utility.name, player=p) for p in range(len(players)))
        if len(players) == 1:
            return (utility,)
        negative = Unknown(utility.name, True) if isinstance(utility, Unknown) else -utility
        return (utility, negative) if max_player(players) == 0 else (negative, utility)

    add(root)
    return TreeGame(TreeModel(name, tuple(players), tuple(n for n in nodes if n is not None)))


def bounds_of(utility: tuple[Any, Any], players: Sequence[str]) -> tuple[tuple[Any, Any], ...]:
    low, high = utility
    if len(players) != 2:
        return (utility,) * len(players)
    other = None if high is None else -high, None if low is None else -low
    return (utility, other) if max_player(players) == 0 else (other, utility)


def max_player(players: Sequence[str]) -> int:
    return list(players).index("MAX") if "MAX" in players else 0


def random_tree(
    rng: random.Random,
    depth: int,
    *,
    players: Sequence[str] = ("MAX", "MIN"),
    leaves: Sequence[Any] = range(-5, 6),
    chances: float = 0.0,
    width: int = 3,
) -> Any:
    """A random tree of unequal depth in which any player may move after any other; leaves from a small range make many
    ties."""
    if depth == 0 or rng.random() < 0.12:
        return rng.choice(leaves)
    children = [
        random_tree(rng, depth - 1, players=players, leaves=leaves, chances=chances, width=width)
        for _ in range(rng.randint(1, width))
    ]
    if rng.random() < chances:
        weights = [rng.randint(1, 4) for _ in children]
        return chance(*((Fraction(w, sum(weights)), c) for w, c in zip(weights, children, strict=True)))
    return node(rng.choice(players))(*children)

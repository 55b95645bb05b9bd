"""The answer of the trees of a Monte-Carlo tree search together: the action to play, the line, the value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol

from gdl.errors import InternalError
from gdl.game import Action, Decision, Game, Number, Terminal, exact, require_number
from gdl.numbers import brief, to_text
from gdl.solution import Solution
from gdl.solvers.certificate import UNTIED


class VisitTree(Protocol):
    """A node of a search tree, and all below it."""

    @property
    def N(self) -> int: ...

    @property
    def W(self) -> Sequence[Number]: ...

    @property
    def proven(self) -> tuple[Number, ...] | None: ...

    @property
    def children(self) -> Sequence[VisitTree | None]:
        """The children, one place for each action, None where it was not tried; empty if the node was never
        expanded."""


class TreeTotals:
    """One node in several trees: their visits and utilities together, and a value that any of them has proven."""

    def __init__(self, trees: Sequence[VisitTree]):
        self.trees = trees
        self.N = sum(tree.N for tree in trees)
        self.W: list[Number] = [sum(parts) for parts in zip(*(tree.W for tree in trees), strict=True)]
        self.proven = next((tree.proven for tree in trees if tree.proven), None)
        if self.proven:
            self.W = [self.N * utility for utility in self.proven]

    @property
    def children(self) -> list[VisitTree | None]:
        rows = zip(*(tree.children for tree in self.trees if tree.children), strict=True)
        return [TreeTotals(there) if (there := [child for child in row if child]) else None for row in rows]


def join_trees(trees: Sequence[VisitTree]) -> VisitTree:
    """The root of several trees."""
    return trees[0] if len(trees) == 1 else TreeTotals(trees)


def answer_of(
    answer: Solution, game: Game[Any], trees: Sequence[VisitTree], nodes: int, simulations: int,
    refuted: Callable[[Sequence[Action]], Sequence[Action]], kind: str,
) -> Solution:  # fmt: skip
    """The answer of the simulations so far, whose `kind` is named in it. It is exact where the root's value is proven,
    and a single number says it (one player, or two with constant sum). `refuted` gets actions, the most visited first,
    and gives those of them that lose and are not to be played."""
    root = join_trees(trees)
    if not root.N:
        return replace(answer, nodes=nodes, notes=("Not one random simulation came to its end.",))
    start = game.node(game.initial())
    certain = root.proven is not None and game.traits.has_scalar_value
    line = tuple(_line(game, root))
    notes = _visits(game, start, root)
    if line and not certain and isinstance(start, Decision):
        kept = _first_unrefuted(start, root, line[0], refuted)
        if kept != line[0]:
            notes.insert(0, f"{line[0]} was tried most, but loses by force, as a short exact search shows")
            line = (kept,)
    if certain and not all(child and child.proven for child in root.children or [None]):
        notes.append(UNTIED)
    return replace(
        answer,
        exact=certain,
        value=worth(root),
        best=tuple(_equally_good(start, root, line)) if certain else line[:1],
        line=line,
        nodes=nodes,
        leaves=simulations,
        notes=tuple(notes),
        limit=None if certain else f"estimated from {simulations:,} {kind}",
    )


def kind_of(simulations: str, kept: int, full: int) -> str:
    """A note on the simulations of an answer: how many were kept from an earlier search, and at how many positions the
    tree was full (0: it was not)."""
    before = f", {kept:,} of them from the search before" if kept else ""
    return f"{simulations}{before}{f', in a tree that was full at {full:,} positions' if full else ''}"


def move_of(
    game: Game[Any], trees: Sequence[VisitTree], refuted: Callable[[Sequence[Action]], Sequence[Action]]
) -> Action | None:  # fmt: skip
    """The first of the best actions of `answer_of`, without the rest of the answer; None where there is none."""
    root, state = join_trees(trees), game.initial()
    start = game.node(state)
    if not root.N or not isinstance(start, Decision):
        return None
    number = _choose_number(start.player, root)
    first = start.actions[number] if number is not None else next(iter(_win(game, state, start, root)), None)
    certain = root.proven is not None and game.traits.has_scalar_value
    return first if certain or first is None else _first_unrefuted(start, root, first, refuted)


def _first_unrefuted(
    start: Decision, root: VisitTree, first: Action, refuted: Callable[[Sequence[Action]], Sequence[Action]]
) -> Action:  # fmt: skip
    """The first action; if it is refuted, the most visited one that is not; if all are, still the first."""
    ranked = [first, *(action for action in _by_visits(start, root) if action != first)]
    lost = refuted(ranked)
    return ranked[len(lost)] if lost and len(lost) < len(ranked) else first


def worth(root: VisitTree) -> tuple[Number | float, ...] | None:
    """The value of the root for each player: the proven one, else the average; None if the root was never visited."""
    if not root.N:
        return None
    return root.proven or tuple(float(Fraction(total) / root.N) for total in root.W)


def _choose_number(player: int, node: VisitTree) -> int | None:
    """The number of the action to play: the most visited unproven one, unless a proven one is worth at least as much to
    the player; None if none was tried."""
    tried = [(number, child) for number, child in enumerate(node.children) if child and child.N]
    estimated = max((item for item in tried if not item[1].proven), key=lambda item: item[1].N, default=None)
    certain = max((item for item in tried if item[1].proven), key=lambda item: _mean(item[1], player), default=None)
    if estimated is None or certain is None:
        one = estimated or certain
        return one[0] if one else None
    return certain[0] if _mean(certain[1], player) >= _mean(estimated[1], player) else estimated[0]


def _by_visits(start: Decision, root: VisitTree) -> list[Action]:
    """The actions that were tried, the most visited first."""
    tried = zip(start.actions, root.children or [None] * len(start.actions), strict=True)
    visits = {action: child.N for action, child in tried if child}
    return sorted(visits, key=lambda action: -visits[action])


def _mean(node: VisitTree, player: int) -> Number:
    return exact(Fraction(node.W[player]) / node.N)


def _line(game: Game[Any], node: VisitTree) -> list[Action]:
    """The line of chosen actions from the root, as far as decisions were tried."""
    line: list[Action] = []
    state = game.initial()
    while isinstance(here := game.node(state), Decision):
        number = _choose_number(here.player, node)
        if number is None:
            line += _win(game, state, here, node)
            break
        line.append(here.actions[number])
        state = game.successor(state, here.actions[number])
        child = node.children[number]
        if not child:
            raise InternalError("a line of play leaves the tree of the search")
        node = child
    return line


def _win(game: Game[Any], state: Any, here: Decision, node: VisitTree) -> list[Action]:
    """The action, as a list of one, that ends play at once with the proven value of the node; [] if there is none. For
    a node proven by such an action before any child was tried."""
    for action in here.actions if node.proven else ():
        after = game.node(game.successor(state, action))
        if isinstance(after, Terminal) and tuple(map(require_number, after.utilities)) == node.proven:
            return [action]
    return []


def _equally_good(start: Any, root: VisitTree, line: Sequence[Action]) -> list[Action]:
    """The actions that are proven to keep the value, the chosen one first."""
    if not isinstance(start, Decision):
        return []
    children = zip(start.actions, root.children or [None] * len(start.actions), strict=True)
    good = [action for action, child in children if child and child.proven == root.proven]
    return [*line[:1], *(action for action in good if action not in line[:1])]


def _visits(game: Game[Any], start: Any, root: VisitTree) -> list[str]:
    """For each root action, how often it was tried, and its mean for the mover."""
    if not isinstance(start, Decision):
        return []
    children = root.children or [None] * len(start.actions)
    player = game.players[start.player]
    return [
        _visits_of(action, child, start.player, player) for action, child in zip(start.actions, children, strict=True)
    ]


def _visits_of(action: Action, child: VisitTree | None, player: int, name: str) -> str:
    if child is None or not child.N:
        return f"{action}: never tried"
    visits = "1 visit" if child.N == 1 else f"{child.N:,} visits"
    if child.proven:
        return f"{action}: {visits}, {to_text(child.proven[player])} for {name}, proven"
    return f"{action}: {visits}, {brief(float(_mean(child, player)))} for {name} on average"

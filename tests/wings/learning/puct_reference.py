"""PUCT as `gdl.wings.learning.puct` tells it, node by node over any Game with an adviser: the reference to which the
kernels `mcts`, where a net leads, and `halving` are held. It gives the tree that they grow, in place of the one of the compiled engine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gdl.errors import GameError, with_play
from gdl.game import (
    Action,
    Adviser,
    Chance,
    Decision,
    Game,
    Node,
    Number,
    Terminal,
    actions,
    greatest_at,
    require_number,
)
from gdl.solvers.budget import Budget
from gdl.solvers.mcts.uct_nodes import action_at, ln, prove_value
from gdl.states.random_numbers import Generator, draw_outcome, stream
from gdl.states.safe_play import find_immediate_win
from gdl.wings.learning import puct
from gdl.wings.learning.puct import FEW_ACTIONS, LESS, LONGEST

# Sequential halving: which action of the root a simulation goes to, where there are but few simulations.
#
# 1. Those actions are considered to which the net gives the greatest shares P: eight, or half as many as there are
#    simulations.
# 2. They are tried equally often; then the better half of them, again and again, down to two. Better is what has the
#    greater ln P + (50 + n) Q / 5: n are the most visits of an action, Q is its mean worth, from -1 to 1.
# 3. The best of these is the answer.
#
# Source: Danihelka, Guez, Schrittwieser and Silver, Policy improvement by planning with Gumbel, ICLR 2022 (without its
# noise, which is for learning); Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits, ICML 2013.

CONSIDERED = 8  # actions, at most
SURE, SCALE = 50.0, 0.2  # how a value is weighed against the logarithm of a share
_ONE = 1 << 30  # a share of 1 as a whole number, whose logarithm every engine finds alike


class Halving:
    """Sequential halving of the actions at a root whose children have a net's shares."""

    def __init__(self, children: Sequence[Any], player: int, simulations: int):
        self._children, self._player, self._simulations = children, player, simulations
        self._base = [ln(float(int(child.prior * _ONE) + 1)) for child in children]
        ranked = sorted(range(len(children)), key=lambda way: -self._base[way])
        self._ways = ranked[: min(CONSIDERED, max(1, simulations // 2))]
        self._times = max(1, (len(self._ways) - 1).bit_length())
        self._turn, self._each = 0, self._share()

    def _share(self) -> int:
        """The number of simulations that each remaining candidate gets before the candidates are halved again."""
        return max(1, self._simulations // (self._times * len(self._ways)))

    def next(self) -> int | None:
        """The number of the next action to simulate; None if all remaining candidates are proven."""
        while not all(self._children[way].proven for way in self._ways):
            if self._turn < len(self._ways):
                way = self._ways[self._turn]
                self._turn += 1
                if not self._children[way].proven:
                    return way
                continue
            self._turn = 0
            self._each -= 1
            if self._each == 0:
                self._sort()
                if len(self._ways) > 2:
                    del self._ways[len(self._ways) // 2 :]
                self._each = self._share()
        return None

    def best(self) -> int | None:
        """The number of the best action; None if it was never tried or is proven to be inferior, so that another rule
        must choose."""
        self._sort()
        child = self._children[self._ways[0]]
        return self._ways[0] if child.N and not child.inferior else None

    def _sort(self) -> None:
        sigma = (SURE + float(max(child.N for child in self._children))) * SCALE

        def score(way: int) -> float:
            child = self._children[way]
            return self._base[way] + (sigma * (child.total[self._player] / float(child.N)) if child.N else 0.0)

        self._ways.sort(key=score, reverse=True)


class ReferencePuctNode:
    """A node of the search tree: N visits, total utilities on the scale of the net, and the children in the order of
    their actions."""

    __slots__ = ("N", "children", "inferior", "node", "prior", "proven", "state", "total")

    def __init__(self, prior: float, players: int):
        self.prior = prior
        self.N = 0
        self.total = [0.0] * players
        self.children: list[ReferencePuctNode] = []
        self.proven: tuple[Number, ...] | None = None  # the value, where it is certain
        self.inferior = False  # whether a brother is proven to be better
        self.state: Any = None
        self.node: Node | None = None  # None: nobody was there yet

    def visit(self, gain: tuple[float, ...]) -> None:
        self.N += 1
        self.total = [total + worth for total, worth in zip(self.total, gain, strict=True)]


class ReferencePuct:
    """The search tree, grown node by node in Python."""

    def __init__(
        self, game: Game[Any], adviser: Adviser, seed: int, c: float, budget: Budget, halved: int | None = None
    ):
        """`halved`: the number of simulations to be spent by sequential halving at the root (None: none)."""
        self.game, self.adviser, self.c, self.budget = game, adviser, c, budget
        self.random = Generator(seed)
        self.greatest = greatest_at(game, game.initial())
        self.room = puct.ROOM - 1
        self.full = 0  # its positions, when there was no room for more
        self.plays: list[Action] = []  # of the simulation now running
        self.simulations = 0
        self.root = ReferencePuctNode(1.0, len(game.players))
        self.halving: Halving | None = None
        self.told: int | None = None  # the action of the root that the simulation goes to, if not the best
        start = self._reach(self.root, game.initial())
        if isinstance(start, Decision):
            self.root.visit(self._look(self.root))
            if halved is not None and self.root.children:
                self.halving = Halving(self.root.children, start.player, halved)

    @property
    def nodes(self) -> int:
        return self.budget.spent

    def run(self, simulations: int | None) -> None:
        """Run so many simulations, or if `simulations` is None, go on until a limit raises. Stops early once the root's
        value is proven."""
        while self.simulations != simulations and not (self.root.proven and self.root.N):
            self.plays.clear()
            try:
                self._simulate()
            except GameError as fault:
                raise with_play(fault, tuple(self.plays)) from None
            self.simulations += 1

    @property
    def best(self) -> int | None:
        """The number of the best action by sequential halving; None without halving, or if the root's value is
        proven."""
        return None if self.halving is None or self.root.proven else self.halving.best()

    def _simulate(self) -> None:
        self.told = self.halving.next() if self.halving else None
        path = [self.root]
        gain = self._select(path)
        for node in path:
            node.visit(gain)
        for above, node in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
            if not node.proven:
                break
            self._settle(above)

    def _select(self, path: list[ReferencePuctNode]) -> tuple[float, ...]:
        """Extend the path from the root to a node that is new, proven, or without room for children. Returns the value
        to back up."""
        node = self.root
        while not node.proven:
            if not node.children and not self._open_chance(node):
                break
            if len(path) >= LONGEST:
                break
            number = self._choose(node)
            child = node.children[number]
            assert node.node is not None
            self.plays.append(action_at(node.node, number))
            if child.node is None:
                reached = self._reach(child, self.game.successor(node.state, self.plays[-1]))
                if isinstance(reached, Decision):
                    if len(reached.actions) <= FEW_ACTIONS:
                        child.proven = find_immediate_win(self.game, child.state, reached, self.greatest, self.plays)
                    if child.proven and self._is_avoided(reached, node):
                        child.visit(self._gain(child))
                        self.plays.pop()
                        continue
                    if not child.proven:
                        path.append(child)
                        return self._look(child)
            path.append(child)
            node = child
        return self._gain(node)

    def _reach(self, child: ReferencePuctNode, state: Any) -> Node:
        """Note the state and the node of a child that the search visits for the first time."""
        self.budget.visit()
        child.state, child.node = state, self.game.node(state)
        if isinstance(child.node, Terminal):
            child.proven = tuple(map(require_number, child.node.utilities))
        return child.node

    def _look(self, node: ReferencePuctNode) -> tuple[float, ...]:
        """The net's values of a decision, by player; its children get the net's shares, if there is room for them."""
        worth, shares = self.adviser(node.state)
        self._open(node, shares)
        return worth

    def _random(self, node: Node) -> int:
        """The number of a random action, or of an outcome drawn by its probability."""
        return (
            draw_outcome(node, self.random) if isinstance(node, Chance) else self.random.draw_below(len(actions(node)))
        )

    def _open_chance(self, node: ReferencePuctNode) -> bool:
        """Give a chance node its children, if there is room. Returns True if the node has children."""
        if isinstance(node.node, Chance):
            self._open(node, (1.0,) * len(node.node.outcomes))
        return bool(node.children)

    def _open(self, node: ReferencePuctNode, shares: tuple[float, ...]) -> None:
        if len(shares) > self.room:
            self.full = puct.ROOM - self.room
            return
        node.children = [ReferencePuctNode(share, len(self.game.players)) for share in shares]
        self.room -= len(shares)

    def _choose(self, node: ReferencePuctNode) -> int:
        if isinstance(node.node, Chance):
            return self._random(node.node)
        if node is self.root and self.told is not None:
            return self.told
        assert isinstance(node.node, Decision)
        player = node.node.player
        curious = self.c * math.sqrt(float(node.N))
        untried = node.total[player] / float(node.N) - LESS
        bounds = [_mean(child, player) if child.N else untried for child in node.children]
        parts = [0.0 if child.proven else child.prior / (1.0 + child.N) for child in node.children]
        bounds = [mean + curious * part for mean, part in zip(bounds, parts, strict=True)]
        return bounds.index(max(bounds))

    def _gain(self, node: ReferencePuctNode) -> tuple[float, ...]:
        """The value of a node at which a simulation ends: the proven one, or its average so far if there was no room
        for children."""
        if node.proven:
            return self._scale_utilities(node.proven)
        return tuple(total / float(node.N) for total in node.total) if node.N else (0.0,) * len(node.total)

    def _scale_utilities(self, utilities: tuple[Number, ...]) -> tuple[float, ...]:
        """Utilities brought to the scale of the net."""
        return tuple((float(paid) - self.adviser.middle) / self.adviser.half for paid in utilities)

    def _is_avoided(self, node: Decision, parent: ReferencePuctNode) -> bool:
        """True if a new node in which its mover wins at once can be passed by, since the parent's mover, another
        player, has untried actions left."""
        others = isinstance(parent.node, Decision) and parent.node.player != node.player
        return others and any(child.node is None for child in parent.children)

    def _settle(self, parent: ReferencePuctNode) -> None:
        """Set the value of the parent if its children's values prove it."""
        best = prove_value(parent, self.greatest)
        if best is not None:
            parent.proven = best
            parent.total = [float(parent.N) * worth for worth in self._scale_utilities(best)]


def _mean(child: ReferencePuctNode, player: int) -> float:
    """The average value of a child to a player. A proven child ranks lower, since another visit would teach nothing."""
    mean = -1.0e300 if child.inferior else child.total[player] / float(child.N)
    return mean - 2.0 * LESS if child.proven and not child.inferior else mean


@dataclass(frozen=True)
class PuctNodeView:
    """A node as answers show it, with total utilities in the game's own units."""

    tree: ReferencePuctNode
    adviser: Adviser

    @property
    def N(self) -> int:
        return self.tree.N

    @property
    def W(self) -> list[Number]:
        if self.proven:
            return [self.N * utility for utility in self.proven]
        return [Fraction(self.adviser.middle * self.N + self.adviser.half * total) for total in self.tree.total]

    @property
    def proven(self) -> tuple[Number, ...] | None:
        return self.tree.proven

    @property
    def children(self) -> list[PuctNodeView | None]:
        return [PuctNodeView(child, self.adviser) if child.N else None for child in self.tree.children]


class ReferenceTree:
    """A ReferencePuct behind the interface of the compiled tree."""

    def __init__(self, kernel: ReferencePuct):
        self._kernel = kernel
        self.trees = [self]

    @property
    def root(self) -> PuctNodeView:
        return PuctNodeView(self._kernel.root, self._kernel.adviser)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def grow(self, wanted: Sequence[int | None]) -> None:
        self._kernel.run(wanted[0])


def grow_reference(
    game: Game[Any], simulations: int | None, seed: int, c: float, budget: Budget, halves: bool
) -> ReferenceTree:
    """Grow the reference tree; a replacement for `gdl.wings.learning.puct._grow_tree`."""
    adviser = game.promises.adviser
    assert adviser is not None
    return ReferenceTree(ReferencePuct(game, adviser, stream(seed, 0), c, budget, simulations if halves else None))

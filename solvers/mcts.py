"""UCT: Monte-Carlo tree search that treats every choice as a bandit problem. The plain twin of a fast one.

Every simulation:

1. Selection: from the root down, the mover takes the child with the greatest upper confidence bound, chance draws an
   outcome with its exact probability. A child never tried comes first, in file order.
2. Expansion: the first new child joins the tree.
3. Simulation: from there everyone moves uniformly at random until the game ends.
4. Backup: every node on the way counts one more visit N and adds the utilities to its totals W, one per player.

The answer is the root action with the most visits, the first of equals. Utilities may be of any size: for the bounds
they are scaled to 0..1 by the least and greatest that each player has met so far.

Sources: Kocsis and Szepesvári, Bandit based Monte-Carlo planning, ECML 2006; UCB1: Auer, Cesa-Bianchi and Fischer,
Finite-time analysis of the multiarmed bandit problem, Machine Learning 47, 2002; Browne et al., A survey of Monte
Carlo tree search methods, 2012 (section 3.3; several players: section 4.5).
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from math import lcm
from typing import Any

from gdl.errors import GameError, Refusal, with_play
from gdl.game import Action, Chance, Decision, Game, Node, Terminal, known
from gdl.solution import Solution
from solvers.budget import Budget, answering
from solvers.needs import Watch
from solvers.solver import Progress, Solver

LONGEST = 10_000  # plies of one simulation


def ucb1(total: float, visits: int, all_visits: float, c: float) -> float:
    """The upper confidence bound W/N + c sqrt(ln(all N) / N); infinite for what was never tried."""
    if not visits:
        return math.inf
    return total / visits + c * math.sqrt(math.log(all_visits) / visits)


class _TreeNode:
    """A node of the search tree: visits N, total utilities W, and the children tried so far."""

    __slots__ = ("N", "W", "children", "node", "state")

    def __init__(self, state: Any, node: Node, players: int):
        self.state = state
        self.node = node
        self.N = 0
        self.W = [0.0] * players
        self.children: dict[Action, _TreeNode] = {}


class _TooLong(Exception):
    """A simulation exceeded LONGEST plies."""


class _Search:
    """The tree, and what the simulations have met."""

    def __init__(self, game: Game[Any], seed: int, c: float, budget: Budget):
        self.game = game
        self.random = random.Random(seed)
        self.c = c
        self.budget = budget
        self.watch = Watch(MCTS.name, MCTS.needs, game)
        self.plays: list[Action] = []  # of the simulation now running
        self.least = [math.inf] * len(game.players)
        self.greatest = [-math.inf] * len(game.players)
        self.simulations = 0
        self.root = _TreeNode(game.initial(), self._look(game.initial()), len(game.players))

    def simulate(self) -> None:
        """One simulation."""
        self.plays.clear()
        path = [self.root]
        try:
            self._select(path)
            utilities = self._play_out(path[-1])
        except _TooLong:
            utilities = self._price()
        except GameError as fault:
            raise with_play(fault, tuple(self.plays)) from None
        self._back_up(path, utilities)
        self.simulations += 1

    def _select(self, path: list[_TreeNode]) -> None:
        """Extend the path from the root to a node that is new, or an end."""
        parent = self.root
        while not isinstance(parent.node, Terminal):
            action = self._choose(parent)
            new = action not in parent.children
            if new:
                state = self._step(parent.state, action)
                parent.children[action] = _TreeNode(state, self._look(state), len(self.game.players))
            else:
                self._count(action)
            parent = parent.children[action]
            path.append(parent)
            if new:
                return

    def _choose(self, parent: _TreeNode) -> Action:
        node = parent.node
        if isinstance(node, Chance):
            return self._draw(node)
        assert isinstance(node, Decision)
        untried = next((action for action in node.actions if action not in parent.children), None)
        return untried or max(node.actions, key=lambda action: self._bound(parent, parent.children[action]))

    def _bound(self, parent: _TreeNode, child: _TreeNode) -> float:
        """The mover's upper confidence bound, on the scale 0..1."""
        assert isinstance(parent.node, Decision)
        player = parent.node.player
        least, spread = self.least[player], self.greatest[player] - self.least[player]
        total = (child.W[player] - least * child.N) / spread if spread else 0.0
        return ucb1(total, child.N, parent.N, self.c)

    def _play_out(self, leaf: _TreeNode) -> list[float]:
        """Random play to the end, and the utilities there."""
        state, node = leaf.state, leaf.node
        while not isinstance(node, Terminal):
            state = self._step(state, self._draw(node) if isinstance(node, Chance) else self._any(node))
            node = self._look(state)
        return [float(known(utility)) for utility in node.utilities]

    def _any(self, node: Node) -> Action:
        assert isinstance(node, Decision)
        return node.actions[self.random.randrange(len(node.actions))]

    def _draw(self, node: Chance) -> Action:
        """An outcome, with its exact probability."""
        scale = lcm(*(probability.denominator for _, probability in node.outcomes))
        ticket = self.random.randrange(scale)
        for action, probability in node.outcomes:
            ticket -= probability.numerator * (scale // probability.denominator)
            if ticket < 0:
                return action
        raise AssertionError("probabilities sum to one")

    def _look(self, state: Any) -> Node:
        self.budget.visit()
        node = self.game.node(state)
        self.watch.see(state, node)
        return node

    def _step(self, state: Any, action: Action) -> Any:
        self._count(action)
        return self.game.successor(state, action)

    def _count(self, action: Action) -> None:
        self.plays.append(action)
        if len(self.plays) > LONGEST:
            raise _TooLong

    def _price(self) -> list[float]:
        """What a play without end is worth, by the file's word."""
        price = getattr(self.game, "forever", None)
        if price is None:
            raise Refusal(
                f"{MCTS.name} needs simulations that end; one of {self.game.name} went on for {LONGEST:,} plies, and "
                "the file does not say what endless play is worth (`forever -> …`)"
            )
        return [float(utility) for utility in price]

    def _back_up(self, path: list[_TreeNode], utilities: list[float]) -> None:
        self.least = list(map(min, self.least, utilities))
        self.greatest = list(map(max, self.greatest, utilities))
        for node in path:
            node.N += 1
            node.W = [total + utility for total, utility in zip(node.W, utilities, strict=True)]


def mcts(
    game: Game[Any],
    *,
    simulations: int = 1000,
    seed: int = 0,
    c: float = math.sqrt(2),
    nodes: int | None = None,
    time: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The most visited action after a number of simulations, with the average utilities they had. Never exact."""
    if simulations < 1:
        raise Refusal(f"{MCTS.name} learns nothing from {simulations} simulations; the least number is 1")
    answer = Solution(game.name, MCTS.name, game.players, game.traits, exact=False)
    search = _Search(game, seed, c, Budget(nodes, time, progress))
    with answering(lambda: _answer(answer, search)):
        while search.simulations < simulations:
            search.simulate()
    return _answer(answer, search)


def _answer(answer: Solution, search: _Search) -> Solution:
    """What the simulations so far say."""
    root = search.root
    if not root.N:
        return answer
    line = _most_visited_line(root)
    return replace(
        answer,
        value=tuple(total / root.N for total in root.W),
        best=line[:1],
        line=line,
        nodes=search.budget.spent,
        leaves=search.simulations,
        notes=tuple(_visits(search, action) for action in getattr(root.node, "actions", ())),
        limit=f"estimated from {search.simulations:,} random simulations",
    )


def _most_visited_line(node: _TreeNode) -> tuple[Action, ...]:
    line: list[Action] = []
    while isinstance(node.node, Decision) and node.children:
        tried = [action for action in node.node.actions if action in node.children]
        line.append(max(tried, key=lambda action: node.children[action].N))
        node = node.children[line[-1]]
    return tuple(line)


def _visits(search: _Search, action: Action) -> str:
    """How often a root action was tried, and what its mover got from it."""
    assert isinstance(search.root.node, Decision)
    child = search.root.children.get(action)
    if child is None or not child.N:
        return f"{action}: never tried"
    player = search.root.node.player
    visits = "1 visit" if child.N == 1 else f"{child.N:,} visits"
    return f"{action}: {visits}, {child.W[player] / child.N:.4g} for {search.game.players[player]} on average"


MCTS = Solver(
    name="mcts",
    run=mcts,
    needs={"simultaneous": False, "perfect_information": True},
    summary="Monte-Carlo tree search (UCT): an estimate from random simulations, for games too large to search",
)

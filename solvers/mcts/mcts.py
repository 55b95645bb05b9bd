"""UCT: Monte-Carlo tree search that treats every choice as a bandit problem. The plain twin of a fast one.

Every simulation:

1. Selection: from the root down, the mover takes the child with the greatest upper confidence bound, chance draws an
   outcome with its exact probability. A child never tried comes first, in file order.
2. Expansion: the first new child joins the tree. If the one who moves there can end play at once with the most that
   they can get, that is its value for certain, and the next new child beside it joins as well, if there is one.
3. Simulation: from there everyone moves uniformly at random until the game ends, but passes by actions after which
   another can end play at once with the most that they can get (`gdl.states.safe_play`: where actions are few, and such
   wins not rare).
4. Backup: every node on the way counts one more visit N and adds the utilities to its totals W, one per player.
5. Proof: an end has its value for certain, and so has a decision among such nodes, or with one that nothing can exceed.
   A node whose value is proven stands for it, without further simulations; a child proven to be worse than another, or
   worth the least that there is, is never selected again; once the root's value is proven, the search is over.

The answer is the root action with the most visits, the first of equals, unless another is proven to be as good.
Utilities may be of any size: for the bounds they are scaled to 0..1 by the least and greatest that each player has met
so far; where more differ than win, draw and lose, c is scaled by how much random plays differ (`Results.differ`).
Where a file gives endless play a price, long simulations get it: see `PlayoutPlyLimit`. Simulations that take too long
for the time are cut off: see `Haste`. For --stop see `stopping`.

Where every action takes a cell of a large board for good (stones that are placed, as in hex), what taking it brings
hardly depends on when that happens. There step 1 also counts all simulations through the parent in which its mover came
to have the child's cell, whenever that was (AMAF, all moves as first): their average weighs as much as AMAF visits for
each child of the parent, and a new child is chosen by it, too.

Sources: Kocsis and Szepesvári, Bandit based Monte-Carlo planning, ECML 2006; UCB1: Auer, Cesa-Bianchi and Fischer,
Finite-time analysis of the multiarmed bandit problem, Machine Learning 47, 2002; Browne et al., A survey of Monte
Carlo tree search methods, 2012 (section 3.3; several players: section 4.5; many trees: section 6.3). Proof: Winands,
Björnsson and Saito, Monte-Carlo tree search solver, CG 2008. AMAF: Gelly and Silver, Monte-Carlo tree search and rapid
action value estimation in computer Go, Artificial Intelligence 175, 2011.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.compiler import search_kinds
from gdl.errors import GameError, LimitReached, Refusal, with_play
from gdl.errors.shares import PLAYED_ACTIONS, PLAYED_ACTIONS_FAST, PLAYED_NODES, PLAYED_NODES_FAST
from gdl.game import (
    Action,
    Chance,
    Decision,
    Game,
    Node,
    Number,
    Terminal,
    Traits,
    actions,
    bounds_at,
    require_number,
)
from gdl.solution import RecordedSearch, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.engine_stages import MOST_THREADS, compiled_search, memory_limit
from gdl.solvers.mcts.refutation import PLIES, SECONDS, refutation_seconds, refuted_actions
from gdl.solvers.mcts.stopping import Enough, Stop, Stopping, shares_of
from gdl.solvers.mcts.uct_answer import answer_of, kind_of
from gdl.solvers.mcts.uct_nodes import (
    LONGEST,
    Haste,
    PlayoutPlyLimit,
    ReferenceUctNode,
    Results,
    SimulationRecord,
    action_at,
    is_lost,
    ln,
    prove_value,
    ucb1,
)
from gdl.solvers.needs import ALL_SEEN, Watch
from gdl.solvers.solver import Solver
from gdl.states.random_numbers import Generator, draw_outcome, stream
from gdl.states.safe_play import SafePlay, find_immediate_win

if TYPE_CHECKING:
    from gdl.compiler.searches.mcts_driver import KernelForest

ROOM = 1 << 24  # children that the nodes of all trees may have together; then they grow no more
# Default c of the bound, at first and after FEW_VISITS of a node for each child: UCB1 proves its
# regret for sqrt(2). A few simulations play better with less; many then stay with what random plays flatter. Where
# cells are learned from as well (AMAF), that is far later: hex 7x7 plays worse with more.
EXPLORATION = (0.6, math.sqrt(2))
FEW_VISITS, FEW_WITH_CELLS = 2_000, 14_000
AMAF = 3.0  # default weight of AMAF values, if actions take cells of a board of MANY_CELLS
MANY_CELLS = 40  # or more: on small boards AMAF gains nothing
SIMULATIONS = 1000  # where neither their number nor a time is given
FEW_ACTIONS = 256  # a new node with more actions is not searched for one that wins at once: it would take too long
WORTH = 10_000  # simulations, of all searches of a game, times squares of the cells of a state: then it pays to compile
FEWEST_CELLS = 10  # that a state is taken to have; a simulation has about as many plies, each with as many actions
_ASKED: Counter[str] = Counter()  # the simulations that have been asked for, by the title of the game


class _TooLong(Exception):
    """A simulation has come to the greatest number of plies allowed."""


class ReferenceMcts:
    """A search tree in Python, with the records of its simulations."""

    def __init__(self, game: Game[Any], seed: int, c: tuple[float, float], budget: Budget, amaf: float, room: int):
        self.game = game
        self.random = Generator(seed)
        self.c = c
        self.amaf = amaf
        self.budget = budget
        self.watch = Watch(MCTS.name, MCTS.needs, game)
        self.least, self.greatest = zip(*bounds_at(game, game.initial()), strict=True)
        self.safe = None if amaf else SafePlay(game, self.greatest, FEW_ACTIONS)
        self.price = game.promises.forever
        self.patience, self.haste = PlayoutPlyLimit(self.price is not None), Haste(game, budget)
        self.room = room  # for children, in number
        self.taken = 0  # of the room
        self.full = 0  # how many positions the tree had when no more had room; 0: there was always room
        self.plays: list[Action] = []  # actions of the simulation now running
        self.played: dict[Action, int] = {}  # with AMAF, the player who took each action in this simulation
        self.met = Results(len(game.players))
        self.simulations = self.cuts = 0
        self.record = SimulationRecord()
        self.root = ReferenceUctNode(game.initial(), self._look(game.initial()), len(game.players))

    def run(self, simulations: int | None) -> None:
        """Make simulations until there are this many; None: until a limit stops them. Stops early if the value is
        proven."""
        while self.simulations != simulations and not (self.root.proven and self.root.N):
            self.budget.check_time()  # where all positions are in the tree, no node is new
            self.simulate()

    def simulate(self) -> None:
        """Make one simulation."""
        self.plays.clear()
        self.played.clear()
        self.record.begin()
        path = [self.root]
        try:
            self._select(path)
            at_random = not path[-1].proven
            utilities = self._play_out(path[-1])
            self.patience.record_length(len(self.plays))
        except _TooLong:
            if self.price is None:
                raise endless(self.game) from None
            utilities, at_random = self.price, False
            self.patience.cut_off()
            self.cuts += 1
        except GameError as fault:
            raise with_play(fault, tuple(self.plays)) from None
        if self.amaf:
            self._learn_cells(path, utilities)
        self._back_up(path, utilities)
        if at_random:
            self.met.differ(utilities)
        open_before = [at for at, node in enumerate(path) if not node.proven]
        self._prove_upward(path)
        self.record.end(path, self.plays, utilities, open_before)
        self.simulations += 1

    # -- selection and expansion ----------------------------------------------------------------------------

    def _select(self, path: list[ReferenceUctNode]) -> None:
        """Extend the path from the root to a node that is new or proven, or for whose children no room is left."""
        parent = self.root
        while not parent.proven and self._open_node(parent):
            self._be_patient()
            number = self._choose(parent)
            action = action_at(parent.node, number)
            self._plays(parent.node, action)
            child = parent.children[number]
            new = child is None
            if child is None:
                state = self.game.successor(parent.state, action)
                child = parent.children[number] = ReferenceUctNode(state, self._look(state), len(self.game.players))
                if isinstance(child.node, Decision) and len(child.node.actions) <= FEW_ACTIONS:
                    child.proven = find_immediate_win(self.game, state, child.node, self.greatest, self.plays)
                    if child.proven and self._is_avoided(child.node, parent):
                        self._pass_by(child, child.proven, parent.node)
                        continue
            path.append(child)
            if new:
                return
            parent = child

    def _open_node(self, node: ReferenceUctNode) -> bool:
        """Make the places of the node's children, if it has none and there is room. Returns True if the node has
        them."""
        if not node.children and len(actions(node.node)) > self.room - self.taken:
            self.full = 1 + self.taken
        elif not node.children:
            node.children = [None] * len(actions(node.node))
            node.later = [(0, 0)] * len(node.children) if self.amaf else []
            self.taken += len(node.children)
        return bool(node.children)

    def _choose(self, parent: ReferenceUctNode) -> int:
        if isinstance(parent.node, Chance):
            return self.record.step(draw_outcome(parent.node, self.random))
        assert isinstance(parent.node, Decision)
        if self.amaf:
            bounds = [self._amaf_bound(parent, k) for k in range(len(parent.children))]
            return self.record.step(bounds.index(max(bounds)), bounds if None not in parent.children else ())
        if None in parent.children:
            return self.record.step(parent.children.index(None))
        player, log = parent.node.player, ln(parent.N)
        bounds = [self._bound(parent, child, player, log) for child in parent.children if child]
        return self.record.step(bounds.index(max(bounds)), bounds)

    def _bound(self, parent: ReferenceUctNode, child: ReferenceUctNode, player: int, log: float) -> float:
        """The mover's upper confidence bound, on the scale 0..1."""
        if child.inferior:
            return -math.inf
        low, spread = self.met.low[player], self.met.high[player] - self.met.low[player]
        mean = float((child.W[player] - low * child.N) / (spread * child.N)) if spread else 0.0
        return ucb1(mean, child.N, log, self._exploration(parent, player))

    def _exploration(self, parent: ReferenceUctNode, player: int) -> float:
        return self.c[len(parent.children) * few_visits(self.amaf) < parent.N] * self.met.share[player]

    def _amaf_bound(self, parent: ReferenceUctNode, number: int) -> float:
        """The upper confidence bound of a child when AMAF values count too; the child may have no visits yet."""
        assert isinstance(parent.node, Decision)
        player, child = parent.node.player, parent.children[number]
        if child and child.inferior:
            return -math.inf
        low = self.met.low[player] if self.met.low else 0
        spread, visits = self.met.high[player] - low if self.met.low else 0, child.N if child else 0
        brought = child.W[player] - low * visits if child else 0
        unsure = ucb1(0.0, max(visits, 1), ln(parent.N or 1), self._exploration(parent, player))
        if child and child.proven:
            return (float(brought / (spread * visits)) if spread else 0.0) + unsure
        held, total = parent.later[number]
        if not held or not spread:
            return 1.0 + unsure
        trust = self.amaf * len(parent.children)
        hoped = float(brought) * held + trust * float(total - low * held)
        return hoped / (float(spread) * held * (visits + trust)) + unsure

    # -- simulation -----------------------------------------------------------------------------------------

    def _play_out(self, leaf: ReferenceUctNode) -> tuple[Number, ...]:
        """Play at random from the leaf to the end. Returns the utilities there; the leaf's own value if it is
        proven."""
        if leaf.proven:
            return leaf.proven
        state, node, draws = leaf.state, leaf.node, self.random
        while not isinstance(node, Terminal):
            self._be_patient()
            if self.safe and isinstance(node, Decision) and self.safe.moves_safely(node):
                self.budget.visit()
                state, node = self.safe.play(state, node, self.random, self.plays, self._checked_node)
                continue
            number = draw_outcome(node, draws) if isinstance(node, Chance) else draws.draw_below(len(actions(node)))
            action = action_at(node, number)
            self._plays(node, action)
            state = self.game.successor(state, action)
            node = self._look(state)
        return tuple(map(require_number, node.utilities))

    def _plays(self, node: Node, action: Action) -> None:
        """Add an action to the plays of the simulation; for AMAF, note who took it."""
        self.plays.append(action)
        if self.amaf:
            assert isinstance(node, Decision)
            self.played[action] = node.player

    def _look(self, state: Any) -> Node:
        self.budget.visit()
        return self._checked_node(state)

    def _checked_node(self, state: Any) -> Node:
        node = self.game.node(state)
        self.watch.check_node(state, node)
        return node

    def _be_patient(self) -> None:
        if self.haste.begins_now(self.simulations, len(self.plays)):
            self.price, self.patience.MOST = self.haste.price, self.haste.plies
            self.patience.plies = self.patience.least = self.haste.plies
        if len(self.plays) >= self.patience.plies:
            raise _TooLong

    def _is_avoided(self, node: Decision, parent: ReferenceUctNode) -> bool:
        """True if the parent's mover may do without a new node in which another player wins at once."""
        others = isinstance(parent.node, Decision) and parent.node.player != node.player
        return others and None in parent.children

    def _pass_by(self, child: ReferenceUctNode, utilities: tuple[Number, ...], parent: Node) -> None:
        """Pass by a new node in which another player, who moves there, wins at once. The parent's mover would rather do
        something else, so the result counts at the child alone, and not at the nodes above it."""
        self.record.pass_by(utilities)
        self.played.pop(self.plays.pop(), None)
        self.met.meet(utilities)
        child.N, child.W = 1, list(utilities)
        assert isinstance(parent, Decision)
        child.inferior = is_lost(utilities[parent.player], self.least[parent.player])

    # -- backup and proof -----------------------------------------------------------------------------------

    def _back_up(self, path: list[ReferenceUctNode], utilities: tuple[Number, ...]) -> None:
        self.met.meet(utilities)
        for node in path:
            node.N += 1
            node.W = [total + utility for total, utility in zip(node.W, utilities, strict=True)]

    def _learn_cells(self, path: Sequence[ReferenceUctNode], utilities: tuple[Number, ...]) -> None:
        """For every node of the path, credit the children whose cells the node's mover took in this simulation."""
        for parent in path:
            if parent.children:
                assert isinstance(parent.node, Decision)
                player = parent.node.player
                for number, action in enumerate(parent.node.actions):
                    if self.played.get(action) == player:
                        held, total = parent.later[number]
                        parent.later[number] = held + 1, total + utilities[player]

    def _prove_upward(self, path: list[ReferenceUctNode]) -> None:
        """If the last node of the path has a proven value, see how far up the path other values follow from it."""
        for above, node in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
            if node.proven:
                self._settle(above)

    def _settle(self, parent: ReferenceUctNode) -> None:
        """Set the parent's proven value, if the proven values of its children imply one."""
        if parent.proven:
            return
        best = prove_value(parent, self.greatest, self.least)
        if best is not None:
            parent.proven = best
            parent.W = [parent.N * utility for utility in best]


class TreeSettings(NamedTuple):
    """The settings by which one of the trees grows: limits on its simulations and nodes (None: no limit), the seed of
    its random numbers, and c of the upper confidence bound, early and late."""

    simulations: int | None
    nodes: int | None
    seed: int
    c: tuple[float, float]


class ReferenceForest:
    """Trees of one game in Python, which grow one after the other. They share the budget and the room for children."""

    def __init__(self, game: Game[Any], shares: Sequence[TreeSettings], budget: Budget, amaf: float):
        self.budget = budget
        self.trees = [
            ReferenceMcts(
                game, share.seed, share.c, budget.part(share.nodes, number / len(shares)), amaf, ROOM // len(shares)
            )
            for number, share in enumerate(shares, 1)
        ]
        self.haste = self.trees[0].haste

    @property
    def nodes(self) -> int:
        return sum(tree.budget.spent for tree in self.trees)

    def grow(self, wanted: Sequence[int | None]) -> None:
        """Grow each tree up to its number of simulations. Raises LimitReached when all trees have come to a limit."""
        stopped = None
        for tree, simulations in zip(self.trees, wanted, strict=True):
            try:
                tree.run(simulations)
            except LimitReached as stop:
                stopped = stop
        if stopped:
            raise self.budget.out_of_nodes() if any(tree.budget.is_spent for tree in self.trees) else stopped


class CompiledForest:
    """Trees on the compiled engine, which grow at the same time."""

    def __init__(self, game: Game[Any], budget: Budget, kernel: KernelForest):
        self.game = game
        self.budget, self.haste = budget, Haste(game, budget)
        self.kernel = kernel
        self.trees = kernel.trees
        self.between: Callable[[], None] = lambda: None  # is called between two slices

    @property
    def nodes(self) -> int:
        return sum(tree.nodes for tree in self.trees)

    def grow(self, wanted: Sequence[int | None]) -> None:
        """Grow each tree up to its number of simulations; LimitReached when a limit stops them."""
        for tree, simulations in zip(self.trees, wanted, strict=True):
            tree.set_simulation_target(simulations)
        if self.kernel.grow(self._pause):
            raise endless(self.game)
        if any(tree.spent for tree in self.trees):
            raise self.budget.out_of_nodes()

    def _pause(self) -> None:
        """Check the limits and report progress between two slices of the work."""
        self.budget.spent = self.nodes
        self.budget.check_time()
        if self.haste.begins_now(sum(tree.simulations for tree in self.trees), max(tree.plies for tree in self.trees)):
            with suppress(Refusal):  # utilities have no such denominator
                for tree in self.trees:
                    tree.cut_off(self.haste.plies, self.haste.price)
        if self.budget.progress:
            self.budget.progress(self.nodes)
        self.between()


def forest_of(
    game: Game[Any], shares: Sequence[TreeSettings], budget: Budget, amaf: float
) -> CompiledForest | ReferenceForest:
    """The trees to grow: on the compiled engine if it takes the game and the work is worth compiling, else in
    Python."""
    return _try_compiled_forest(game, shares, budget, amaf) or ReferenceForest(game, shares, budget, amaf)


def usual_amaf(game: Game[Any]) -> float:
    """The default weight of AMAF values: 0 unless actions take cells for good, and there are many cells."""
    return AMAF if game.promises.taken() >= MANY_CELLS else 0.0


def _try_compiled_forest(
    game: Game[Any], shares: Sequence[TreeSettings], budget: Budget, amaf: float
) -> CompiledForest | None:
    """The trees on the compiled engine; None if it has no such search, or the work is too short to be worth
    compiling."""
    simulations = [share.simulations for share in shares]
    _ASKED[game.name] += sum(number or 0 for number in simulations)
    cells = max(FEWEST_CELLS, len(getattr(game.initial(), "cells", ())))
    pays = None in simulations or _ASKED[game.name] * cells**2 >= WORTH
    if any(share.nodes == 0 for share in shares):
        return None
    # With a number of simulations the tree must not depend on the memory of the machine.
    bytes = memory_limit(game) if None in simulations else None
    memory = None if bytes is None else bytes // len(shares)
    manner = {**engine_settings(game, amaf), "room": ROOM // len(shares), "memory": memory}
    found = compiled_search(game, search_kinds.MCTS, pays, shares=shares, **manner)
    if found is None:
        return None
    budget.begins_now()
    return CompiledForest(game, budget, found)


def engine_settings(game: Game[Any], amaf: float) -> dict[str, Any]:
    """The settings of the compiled engine for the growth of every tree."""
    least, greatest = zip(*bounds_at(game, game.initial()), strict=True)
    return {
        "price": game.promises.forever, "greatest": greatest, "least": least, "room": ROOM, "longest": LONGEST,
        "patience": (PlayoutPlyLimit.MOST, PlayoutPlyLimit.LEAST, PlayoutPlyLimit.FACTOR),
        "few_visits": few_visits(amaf), "few": FEW_ACTIONS, "refuting": PLIES, "amaf": amaf,
    }  # fmt: skip


def few_visits(amaf: float) -> int:
    """The number of visits of a node, for each of its children, from which on the search explores with the second
    constant c."""
    return FEW_WITH_CELLS if amaf else FEW_VISITS


def mcts(
    game: Game[Any],
    limits: SearchLimits = NO_LIMITS,
    *,
    simulations: int | None = None,
    seed: int = 0,
    c: float | None = None,
    amaf: float | None = None,
    threads: int = 1,
    stop: Stop | None = None,
) -> Solution:
    """The most visited action after a number of simulations, with the mean utilities of these. With several threads
    each grows a tree of its own, from its share of simulations and nodes and with its own random numbers, and the trees
    are added up. Raises Refusal if simulations do not end or a number makes no sense; LimitReached with the answer so
    far."""
    if simulations is None and limits.time is None:
        simulations = SIMULATIONS
    if simulations is not None and simulations < 1:
        raise Refusal(f"{MCTS.name} learns nothing from {simulations} simulations; the least number is 1")
    if not 1 <= threads <= MOST_THREADS:
        raise Refusal(f"{MCTS.name} grows 1 to {MOST_THREADS} trees beside each other, not {threads}")
    answer = MCTS.answer(game, exact=False)
    if c is not None and not 0 <= c < math.inf:
        raise Refusal(f"{MCTS.name} explores by a number c from 0 on, not {c}")
    if amaf is not None and not 0 <= amaf < math.inf:
        raise Refusal(f"{MCTS.name} weighs what actions brought later by a number from 0 on, not {amaf}")
    if amaf and not game.promises.taken():
        raise Refusal(f"{MCTS.name} counts what actions brought later only where each takes a cell for good")
    shares = [
        TreeSettings(*numbers, stream(seed, number), EXPLORATION if c is None else (c, c))
        for number, numbers in enumerate(
            zip(shares_of(simulations, threads), shares_of(limits.nodes, threads), strict=True)
        )
    ]
    looking_back = None if limits.time is None else refutation_seconds(limits.time)
    budget = limits.budget().sparing(looking_back or 0.0)
    forest = forest_of(game, shares, budget, usual_amaf(game) if amaf is None else amaf)
    kept = sum(tree.simulations for tree in forest.trees)

    def answer_so_far() -> Solution:
        simulated, cuts = sum(tree.simulations for tree in forest.trees), sum(tree.cuts for tree in forest.trees)
        roots = [tree.root for tree in forest.trees]
        # Whoever has pressed Ctrl-C waits for the answer.
        seconds = SECONDS if isinstance(sys.exception(), KeyboardInterrupt) else looking_back
        helping = forest.trees[0] if isinstance(forest, CompiledForest) else None
        made = answer_of(
            answer, game, roots, forest.nodes, simulated,
            lambda ranked: refuted_actions(game, ranked, seconds, helping),
            kind_of("random simulations", kept, sum(tree.full for tree in forest.trees)) + forest.haste.cuts_text(cuts),
        )  # fmt: skip
        made = replace(made, value=None) if cuts == simulated and forest.haste.plies and not made.exact else made
        alone = forest.trees[0] if isinstance(forest, ReferenceForest) and threads == 1 else None
        return made if alone is None else made.with_part(RecordedSearch, simulations=tuple(alone.record.simulations))

    return grow_in_parts(forest, Stopping(game, stop, simulations, limits.time, kept), answer_so_far)


def grow_in_parts(
    forest: CompiledForest | ReferenceForest, stopping: Stopping, answer_so_far: Callable[[], Solution]
) -> Solution:
    """Grow the trees until they are done, or further work is not worth its cost, and return the answer; LimitReached
    carries the answer so far."""
    if stopping.simulations is None and stopping.rule and isinstance(forest, CompiledForest):
        forest.between = lambda: stopping.look(forest.trees)
    with answering(answer_so_far), suppress(Enough):
        for part in stopping.parts():
            forest.grow(shares_of(part, len(forest.trees)))
            stopping.look(forest.trees)
    return answer_so_far()


def endless(game: Game[Any]) -> Refusal:
    """The refusal to raise where a simulation does not end, and the file puts no price on endless play."""
    return Refusal(
        f"{MCTS.name} needs simulations that end; one of {game.name} went on for {LONGEST:,} plies, and the file does "
        "not say what endless play is worth (`forever -> …`)"
    )


def simulation_nodes(game: Game[Any], traits: Traits) -> int:
    """The number of nodes for the simulations of a game that nobody set a limit for: fewer where the start has many
    actions, since each node then takes long."""
    nodes, looks = PLAYED_NODES, PLAYED_ACTIONS
    if game.engine.fast:
        nodes, looks = PLAYED_NODES_FAST, PLAYED_ACTIONS_FAST
    return max(1, min(nodes, looks // max(1, len(actions(game.node(game.initial()))))))


MCTS = Solver(
    name="mcts",
    run=mcts,
    needs=ALL_SEEN,
    summary="Monte-Carlo tree search (UCT): an estimate from random simulations, for games too large to search",
    picked_nodes=simulation_nodes,
)

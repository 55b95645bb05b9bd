"""Tree search led by a net on the compiled engine: a tree that grows in kernel memory, and its nodes to read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from gdl.compiler.joining import kernel, kernel_constants
from gdl.compiler.lower import Lowered, lower, networks
from gdl.compiler.lower.estimates import cells
from gdl.compiler.searches.action_numbers import ActionNumbers
from gdl.compiler.searches.slices import KernelSearch
from gdl.compiler.searches.tree_growth import Growth, Linked, TreeReuse, fill_greatest
from gdl.errors import Refusal
from gdl.game import Number, exact
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.network import Net

K = kernel_constants("tree", "puct")  # what stands where in the kernel's memory
STATES = 1 << 28  # bytes for the states of nodes


class PuctTreeOptions(NamedTuple):
    """How a tree is to be grown; the names are those of `gdl.solvers.mcts.puct`."""

    simulations: int | None
    nodes: int | None
    seed: int
    c: float
    less: float
    greatest: tuple[Number | None, ...]
    room: int
    longest: int
    few: int
    halves: bool = False


def lower_for_net(game: RulesGame, net: Net) -> tuple[Lowered, ActionNumbers]:
    """The game with what reads the cells for a net, and the numbers of its actions."""
    if game.traits.simultaneous is not False or game.traits.perfect_information is not True:
        raise Refusal("a net is learned and used where nothing is hidden and one player moves at a time")
    lowered = lower(game.model, game)
    if lowered.wide:
        raise Refusal("the compiled engine grows no trees for utilities so large")
    found = replace(lowered, further=(cells(lowered.layout, net.reads),), fill=None)
    return found, ActionNumbers(game.model, lowered, net.digits)


class KernelPuctTree(Growth, KernelSearch):
    """One tree."""

    visits = "puct_visits"

    def __init__(self, game: RulesGame, start: State, engine: str, **manner: Any):
        net = game.model.learned
        lowered, numbers = lower_for_net(game, net)
        super().__init__(game, start, engine, lowered=lowered)
        self._state = start
        self.share = self.manner = PuctTreeOptions(**manner)
        asked = self.manner
        self._kept = TreeReuse(asked.simulations is None and asked.nodes is None and lowered.keys is None)
        made = kernel(
            "halving" if asked.halves else "puct", *self._kept.kernels, CHANCES=bool(game.model.chances),
            WEIGHED=lowered.weighs, FEW_WAYS=asked.few,
            **self._sizes(asked), **numbers.settings, **networks.sizes(net),
        )  # fmt: skip
        entries = ("halved_run", "halved_begin", "halved_choice") if asked.halves else ("puct_run",)
        self.load(made, *entries, "puct_begin", *self._kept.entries)
        numbers.fill(self.module)
        networks.fill(net, self.module)
        fill_greatest(self.module, asked.greatest, lowered.denominator)
        self._count = self.module["tree_count"]
        self._fill()
        self._forget_tree()

    def _sizes(self, manner: PuctTreeOptions) -> dict[str, int]:
        """As much room as the simulations can need, up to the limits."""
        most = max(2, self.lowered.rows)
        nodes, states = max(manner.room, most + 1), manner.room
        if manner.simulations is not None:
            nodes = min(nodes, (manner.simulations + 1) * most + 1)
            states = manner.simulations + 1
        states = max(1, min(states, nodes, STATES // (4 * len(self._start))))
        return {"NODES": nodes, "STATES": states, "DEPTH": manner.longest}

    def _fill(self) -> None:
        """Write the limits and parameters of the search into the kernel's memory."""
        manner = self.manner
        self.set_simulation_target(manner.simulations)
        self._count[K.TREE_MOST] = -1 if manner.nodes is None else manner.nodes
        rule = self.module["puct_rule"]
        rule[K.RULE_C], rule[K.RULE_LESS] = manner.c, manner.less

    def takes(self, **manner: Any) -> bool:
        """True if it can take this request, as that differs from the one before in the seed alone: then it does."""
        asked = PuctTreeOptions(**manner)
        if asked._replace(seed=self.manner.seed) != self.manner:
            return False
        self.share = self.manner = asked
        return True

    def _begin_tree(self) -> None:
        self.module["puct_begin"]()
        if self.manner.halves:
            self.module["halved_begin"](0)

    def grow(self, pause: Callable[[], None]) -> None:
        """Simulate until all is done, or no nodes are left."""
        for _ in self._growth():
            pause()

    @property
    def trees(self) -> list[KernelPuctTree]:
        """The trees that grow: this one alone."""
        return [self]

    @property
    def root(self) -> KernelPuctNode:
        return KernelPuctNode(self, 0)

    @property
    def best(self) -> int | None:
        """The number of the best action, where halving has found it."""
        way = self.module["halved_choice"]() if self.manner.halves and self._begun else -1
        return None if way < 0 else int(way)


class KernelPuctNode(Linked):
    """A node of a tree in kernel memory."""

    def __init__(self, tree: KernelPuctTree, number: int):
        super().__init__(tree, number)
        memory, players = tree.module, len(tree.game.players)
        own = slice(number * players, (number + 1) * players)
        self.N = int(memory["puct_visits"][number])
        self.total = tuple(memory["puct_total"][own])
        self.proven: tuple[Number, ...] | None = None
        if self._link(number)[K.LINK_PROVEN]:
            paid = memory["puct_paid"][own]
            self.proven = tuple(exact(Fraction(utility, tree.lowered.denominator)) for utility in paid)

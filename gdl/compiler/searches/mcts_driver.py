"""Monte-Carlo tree search on the compiled engine: trees that grow in kernel memory, and their nodes to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor
from time import monotonic
from typing import Any, NamedTuple, Protocol

from gdl.analysis.placement_games import holders
from gdl.compiler import python
from gdl.compiler.joining import kernel, kernel_constants
from gdl.compiler.lower.state_layout import Layout
from gdl.compiler.searches.slices import KernelSearch
from gdl.compiler.searches.threads import together
from gdl.compiler.searches.tree_growth import Growth, Linked, TreeReuse, fill_greatest, fill_least
from gdl.compiler.wasm import ADDRESSES
from gdl.errors import EngineFault, Refusal
from gdl.game import Number, exact
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.games import RulesModel
from gdl.states.safe_play import SAFE_ACTIONS

K = kernel_constants("tree", "mcts", "refuting")  # what stands where in the kernel's memory
STATES = 1 << 28  # bytes of a module for the states of nodes,
SPARE = 1 << 28  # and for all that is not of a tree
LEAST_TREE_NODES = 1 << 12  # nodes that there is always room for
SMALL = 1 << 20  # and for which there should be
AT_A_TIME = 50  # positions that are looked back at before the clock is


class TreeGrowthSettings(Protocol):
    """The settings by which one tree grows."""

    simulations: int | None
    nodes: int | None
    seed: int
    c: tuple[float, float]  # at first, and from more than `few_visits` of a node for each of its children on


class MctsTreeOptions(NamedTuple):
    """The options of all trees; the names are those of `gdl.solvers.mcts.mcts`."""

    price: tuple[Number, ...] | None
    greatest: tuple[Number | None, ...]
    least: tuple[Number | None, ...]
    room: int
    longest: int
    patience: tuple[int, int, int]  # at most, at least, factor
    few_visits: int
    few: int  # actions of a node, at most, of which it is looked whether one wins
    refuting: int  # plies after an action, in which it is looked whether it loses
    amaf: float  # how much is made of what the cells brought that actions take; 0: nothing
    memory: int | None = None  # bytes that each tree may have; None: as its room says


def holder_settings(model: RulesModel, layout: Layout) -> dict[str, int]:
    """The constants that say where a state holds who has taken which cell; {} in games that are not about
    taking cells."""
    array = holders(model)
    if array is None:
        return {}
    place = next(place for place in layout.places if place.variable is array)
    begin = place.plane_of(0) if place.offset is None else place.offset
    planes = place.offset is None
    return {"CELLS": place.count, "HELD_BY_PLANE": planes, "HELD_FROM": begin, "HELD_WORDS": max(1, place.words)}


class KernelMctsTree(Growth, KernelSearch):
    """One tree."""

    kernels: tuple[str, ...] = ("mcts", "refuting")
    entries: tuple[str, ...] = ("uct_run", "uct_begin", "refute_begin", "refute_run")
    visits = "uct_sum"

    def __init__(self, game: RulesGame, start: State, engine: str, share: TreeGrowthSettings, manner: MctsTreeOptions):
        super().__init__(game, start, engine)
        if game.traits.simultaneous is not False or game.traits.perfect_information is not True:
            raise Refusal("the compiled engine grows trees where nothing is hidden and one player moves at a time")
        if self.lowered.wide:
            raise Refusal("the compiled engine grows no trees for utilities so large")
        self._state = start
        self.share, self.manner = share, manner
        self._price = self._scale_price(manner.price)
        cells = holder_settings(game.model, self.lowered.layout) if manner.amaf else {}
        self._kept = TreeReuse(share.simulations is None and share.nodes is None and self.lowered.keys is None)
        try:
            self._load(cells, manner.room)
        except EngineFault:  # the machine may have no address space for so many
            if manner.room <= SMALL:
                raise
            self._load(cells, SMALL)
        self._count, self._now = self.module["tree_count"], self.module["uct_now"]
        self._fill()
        self._forget_tree()

    def _load(self, cells: Mapping[str, int], room: int) -> None:
        """Join the kernel, with room for `room` nodes."""
        manner = self.manner
        further = (*(["taking"] if cells else []), *self._kept.kernels)
        made = kernel(
            *self.kernels, *further, CHANCES=bool(self.game.model.chances), WEIGHED=self.lowered.weighs,
            FEW_WAYS=manner.few, REFUTING_PLIES=manner.refuting, **cells,
            SAFE_ACTIONS=0 if cells else SAFE_ACTIONS,
            **self._sizes(self.share.simulations, manner._replace(room=room)), **self.settings(),
        )  # fmt: skip
        self.load(made, *self.entries, *self._kept.entries, memory=ADDRESSES)

    def settings(self) -> dict[str, int]:
        """Values of further constants of the kernel."""
        return {}

    def _scale_price(self, price: tuple[Number, ...] | None) -> list[int] | None:
        """The price of endless play as kernel code has utilities."""
        scaled = [Fraction(utility * self.lowered.denominator) for utility in price or ()]
        if any(utility.denominator != 1 or abs(utility) >= 1 << 31 for utility in scaled):
            raise Refusal("the compiled engine does not take the price of endless play")
        return None if price is None else [int(utility) for utility in scaled]

    def _sizes(self, simulations: int | None, manner: MctsTreeOptions) -> dict[str, int]:
        """The sizes of the arrays: the room that the simulations can need, up to the limits."""
        words, players = len(self._start), len(self.game.players)
        each = 8 * (players + 1) + 4 * K.LINK + 48  # bytes of a node at most, but for its state
        nodes = (ADDRESSES - STATES - SPARE) // each
        if manner.memory is None:
            nodes = min(nodes, manner.room + 1)
        else:
            nodes = max(LEAST_TREE_NODES, min(nodes, manner.memory // (each + 4 * words)))
        states = nodes
        if simulations is not None:
            nodes = min(nodes, simulations * self.lowered.rows + 1)
            states = simulations + 1
        states = max(1, min(states, nodes, STATES // (4 * words)))
        return {"NODES": nodes, "STATES": states, "DEPTH": max(manner.longest, manner.patience[0]) + 2}

    def _fill(self) -> None:
        """Write into memory what was asked for."""
        share, manner = self.share, self.manner
        most, least, factor = manner.patience
        for place in range(len(self._now)):
            self._now[place] = 0
        self.set_simulation_target(share.simulations)
        self._count[K.TREE_MOST] = -1 if share.nodes is None else share.nodes
        self._now[K.NOW_PATIENCE] = manner.longest if manner.price is None else most
        self._now[K.NOW_LEAST] = least
        for place, number in enumerate((int(manner.price is not None), most, factor)):
            self.module["uct_rule"][place] = number
        self.module["uct_c"][0], self.module["uct_c"][1] = share.c
        self.module["uct_few"][0] = manner.few_visits
        if "uct_trust" in self.module:
            self.module["uct_trust"][0] = manner.amaf
        for player, utility in enumerate(self._price or ()):
            self.module["uct_price"][player] = utility
        fill_greatest(self.module, manner.greatest, self.lowered.denominator)
        fill_least(self.module, manner.least, self.lowered.denominator)

    # -- growing --------------------------------------------------------------------------------------------

    def _begin_tree(self) -> None:
        self.module["uct_begin"]()

    def grow(self) -> Iterator[None]:
        """Simulate until all is done, no nodes are left or there is no end; yields after each slice."""
        return self._growth()

    # -- looking back ---------------------------------------------------------------------------------------

    def count_refuted(self, ways: Sequence[int], least: Number, positions: int, seconds: float | None) -> int | None:
        """How many of these actions, from the first on, are shown to lose, as in `gdl.solvers.mcts.refutation`; None if
        this kernel cannot tell."""
        if self.lowered.keys is not None:
            return None
        deadline = None if seconds is None else monotonic() + seconds
        memory = self.module
        memory["refute_state"][: len(self._start)] = memoryview(self._start)
        memory["refute_player"][0] = self._start[0]
        memory["refute_least"][0] = floor(least * self.lowered.denominator)
        memory["refute_left"][0] = positions
        try:
            for number, way in enumerate(ways):
                memory["refute_begin"](way)
                while (said := memory["refute_run"](AT_A_TIME)) == K.REFUTED_GOES_ON:
                    if deadline is not None and monotonic() > deadline:
                        return number
                if said != K.REFUTED_YES:
                    return number
        except python.Trap:
            return None
        return len(ways)

    # -- reading --------------------------------------------------------------------------------------------

    @property
    def root(self) -> KernelMctsNode:
        return KernelMctsNode(self, 0)


class KernelMctsNode(Linked):
    """A node of a tree in kernel memory."""

    def __init__(self, tree: KernelMctsTree, number: int):
        super().__init__(tree, number)
        memory, record = tree.module, len(tree.game.players) + 1
        visits, *totals = memory["uct_sum"][number * record : (number + 1) * record]
        self.N = abs(visits)
        self.W = [exact(Fraction(total, tree.lowered.denominator)) for total in totals]
        self.proven: tuple[Number, ...] | None = None
        if self._link(number)[K.LINK_PROVEN] and self.N:
            self.proven = tuple(exact(Fraction(total) / self.N) for total in self.W)


class KernelForest:
    """Trees of one game."""

    def __init__(
        self, game: RulesGame, start: State, engine: str, *, shares: Sequence[TreeGrowthSettings], **manner: Any
    ):
        self.trees = [KernelMctsTree(game, start, engine, share, MctsTreeOptions(**manner)) for share in shares]

    def takes(self, *, shares: Sequence[TreeGrowthSettings], **manner: Any) -> bool:
        """True if it can take this request, as that differs from the one before in seeds alone: then it does."""
        trees = self.trees
        known = [(tree.share.simulations, tree.share.nodes, tree.share.c) for tree in trees]
        asked = MctsTreeOptions(**manner)._replace(
            memory=trees[0].manner.memory
        )  # what is left of it now does not matter
        if [(s.simulations, s.nodes, s.c) for s in shares] != known or asked != trees[0].manner:
            return False
        for tree, share in zip(trees, shares, strict=True):
            tree.share = share
        return True

    def restart(self, start: State) -> None:
        """Begin again from another state."""
        for tree in self.trees:
            tree.restart(start)

    def grow(self, pause: Callable[[], None]) -> bool:
        """Grow them all; whether a simulation of one has no end."""
        together([tree.grow() for tree in self.trees], pause, self.trees[0].engine)
        return any(tree.last_result == K.RUN_ENDLESS for tree in self.trees)

    @property
    def spent(self) -> bool:
        """True if some tree has used up its nodes."""
        return any(tree.spent for tree in self.trees)

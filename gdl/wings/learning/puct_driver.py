"""Tree search led by a net (PUCT, and sequential halving at the root) on the compiled engine: trees that grow in kernel
memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gdl.compiler.joining import kernel_constants
from gdl.compiler.lower import Lowered, lower
from gdl.compiler.searches.mcts_driver import (
    KernelForest,
    KernelMctsNode,
    KernelMctsTree,
    MctsTreeOptions,
    TreeGrowthSettings,
)
from gdl.errors import Refusal
from gdl.interpreter.rules_game import RulesGame, State
from gdl.wings.learning import compiled_nets as networks
from gdl.wings.learning.compiled_tables import cells as estimate_cells
from gdl.wings.learning.network import Net
from gdl.wings.programs.action_numbers import ActionNumbers

K = kernel_constants("tree_values")  # what stands where in the kernel's memory


def lower_for_net(game: RulesGame, net: Net) -> tuple[Lowered, ActionNumbers]:
    """The game lowered with code that reads the cells for a net, and the numbers of its actions."""
    if game.traits.simultaneous is not False or game.traits.perfect_information is not True:
        raise Refusal("a net is learned and used where nothing is hidden and one player moves at a time")
    lowered = lower(game.model, game)
    if lowered.wide:
        raise Refusal("the compiled engine grows no trees for utilities so large")
    found = replace(lowered, further=(estimate_cells(lowered.layout, net.reads),), fill=None)
    return found, ActionNumbers(game.model, lowered, net.digits, net.by_steps)


def fill_exploration(module: Any, c: float, less: float) -> None:
    """Write into the module how a net leads: the constant c of exploration, and how much `less` than its parent an
    untried child is taken to be worth."""
    module["led_rule"][K.RULE_C], module["led_rule"][K.RULE_LESS] = c, less


class KernelPuctTree(KernelMctsTree):
    """A tree in kernel memory that grows as a net says."""

    def __init__(
        self, game: RulesGame, start: State, engine: str, share: TreeGrowthSettings, manner: MctsTreeOptions,
        less: float, halves: bool,
    ):  # fmt: skip
        """`less`: how much less than its parent an untried child is worth; `halves`: whether simulations are spent by
        sequential halving."""
        lowered, self._numbers = lower_for_net(game, game.model.learned)
        self._net: Net = game.model.learned
        self._less, self._halves = less, halves
        self.kernels = (*self.kernels, "network", *(["halving"] if halves else []))
        self.entries = (*(["halved_run", "halved_begin", "halved_choice"] if halves else []), *self.entries)
        super().__init__(game, start, engine, share, manner, lowered)

    def _load(self, cells: Mapping[str, int], room: int) -> None:
        super()._load(cells, room)
        self._numbers.fill(self.module)
        networks.fill(self._net, self.module)

    def settings(self) -> dict[str, int]:
        net = {**self._numbers.settings, **networks.sizes(self._net)}
        return {"LED": 1, "SAFE_ACTIONS": 0, "DEPTH": self.manner.longest, **net}

    def _fill(self) -> None:
        super()._fill()
        fill_exploration(self.module, self.share.c[1], self._less)

    def _begin(self) -> None:
        super()._begin()
        if self._halves:
            self.module["halved_begin"](0)

    def _random_play(self) -> Sequence[int]:
        return ()

    @property
    def root(self) -> KernelPuctNode:
        return KernelPuctNode(self, 0)

    @property
    def best(self) -> int | None:  # type: ignore[override]
        """The number of the best action by sequential halving; None if that did not find one or is not used."""
        way = self.module["halved_choice"]() if self._halves and self._begun else -1
        return None if way < 0 else int(way)


class KernelPuctNode(KernelMctsNode):
    """A node of such a tree: where its utilities are not proven, its totals are what the net said."""

    def __init__(self, tree: KernelMctsTree, number: int):
        super().__init__(tree, number)
        if self.proven:  # the kernel holds the utilities, and no totals of them
            self.proven = tuple(self.W)
            self.W = [self.N * paid for paid in self.proven]
        else:
            self.W = self._scale_totals()

    def _scale_totals(self) -> list[Any]:
        """The totals of all visits as utilities, from the scale of the net that leads."""
        net, players = self._tree.game.model.learned, len(self._tree.game.players)
        totals = self._tree.module["led_total"][self._number * players : (self._number + 1) * players]
        return [Fraction(net.scale.middle * self.N + net.scale.half * total) for total in totals]

    @property
    def children(self) -> list[KernelMctsNode | None]:
        """The child for each action; None for one that was not visited."""
        # A simulation that ran out of nodes may have met some on its way, and said nothing of them.
        return [node if node and node.N else None for node in super().children]


class KernelPuctForest(KernelForest):
    """A tree that is led by a net, as a forest of one."""

    def __init__(
        self, game: RulesGame, start: State, engine: str, /, *, shares: Sequence[TreeGrowthSettings], less: float,
        halves: bool, **manner: Any,
    ):  # fmt: skip
        self._led = less, halves
        super().__init__(game, start, engine, shares=shares, **manner)

    def tree(
        self, game: RulesGame, start: State, engine: str, share: TreeGrowthSettings, manner: MctsTreeOptions
    ) -> KernelPuctTree:
        return KernelPuctTree(game, start, engine, share, manner, *self._led)

    def takes(self, *, shares: Sequence[TreeGrowthSettings], **manner: Any) -> bool:
        led = manner.pop("less"), manner.pop("halves")
        return led == self._led and super().takes(shares=shares, **manner)

"""Lessons of a net in kernel memory: its weights, the window of positions, and Adam's means.

Two nets are held there: the one that learns, and the one that is written down in the end.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, NamedTuple

from gdl.compiler.joining import kernel_constants
from gdl.compiler.searches.slices import KernelNumber
from gdl.errors import Refusal, clean
from gdl.wings.learning import compiled_nets as networks
from gdl.wings.learning.learned import Scale
from gdl.wings.learning.network import Net, Views

K = kernel_constants("lessons")  # what stands where in the kernel's memory
STEPS = 6  # of an action, on average over those of a position that is held, at most
WINDOW_WORDS = 1 << 25  # words of all positions that are held, at most
_WINDOW = ("lesson_held", "lesson_goal")
_FURTHER = ("lesson_mean", "lesson_square", "lesson_rule", *_WINDOW)


@dataclass(frozen=True)
class InitialNet:
    """A net before it has learned anything, and for each player (`ways`) the views in which their turn can be shown."""

    net: Net
    ways: Sequence[Sequence[int]]


class NetTrainingOptions(NamedTuple):
    """How a net learns: how many of the last positions are held, how many make a step, and the rate of learning."""

    window: int
    batch: int
    rate: float


class NetLessons:
    """A net that learns from positions with at most a given number of actions each."""

    def __init__(self, drawn: InitialNet, listed: int, manner: NetTrainingOptions, fewest: int = 1):
        """`drawn`: the net at first; `listed`: actions of a position whose visits are held, at most; `fewest`:
        positions that the window must have room for."""
        self.manner = manner
        self.net, self._ways, self.listed = drawn.net, drawn.ways, listed
        self.first, self._size = drawn.net.weight, len(drawn.net.weight)  # the weights that it began with
        self._room = listed * (STEPS if drawn.net.by_steps else 1)
        self.each = 2 + len(drawn.net.cell_sizes) + self._room + listed  # words of a position
        self.window = max(fewest, min(manner.window, WINDOW_WORDS // self.each))

    @property
    def sizes(self) -> dict[str, int]:
        """The values of the kernels' constants."""
        own = {"WINDOW": self.window, "LISTED": self.listed, "LESSON_ROOM": self._room}
        return own | {"LESSON_BATCH": self.manner.batch} | networks.sizes(self.net, copies=2)

    def fill(self, module: Any) -> None:
        """Write the net and the settings into a module's memory, and work on that module from now on."""
        self.module = module
        networks.fill(self.net, module)
        self.write(self.net.weight)
        at = 0
        for player, own in enumerate(self._ways):
            module["lesson_ways"][player] = at
            for view in own:
                module["lesson_way"][at] = view
                at += 1
        module["lesson_ways"][len(self._ways)] = at
        rule = module["lesson_rule"]
        rule[K.LESSON_RATE], rule[K.LESSON_FIRST], rule[K.LESSON_SECOND], rule[K.LESSON_VALUE] = (
            self.manner.rate,
            0.9,
            0.999,
            1.0,
        )
        rule[K.LESSON_POWER] = rule[K.LESSON_POWER_2] = 1.0

    def begin_with(self, net: Net, name: str) -> None:
        """Begin with this net in place of random weights. Raises Refusal if its form is another one."""
        if (net.units, net.slots, len(net.weight)) != (self.net.units, self.net.slots, self._size):
            raise Refusal(f"the net of --weights is of another form than {clean(name)} is learned by")
        self.rescale(net.scale)
        self.learn_on(net.weight)
        self.write(net.weight)
        self.first = net.weight

    positions_held = KernelNumber("lesson_count", K.LESSON_HELD)  # that were ever held, those overwritten included

    @property
    def training_weights(self) -> array[float]:
        """The weights of the net that learns."""
        return array("d", self.module["net_weight"][: self._size])

    @property
    def saved_weights(self) -> array[float]:
        """The weights of the net that is written down."""
        return array("d", self.module["net_weight"][self._size :])

    def learn_on(self, weight: Any) -> None:
        """Set the weights of the net that learns."""
        networks.weigh(weight, self.module)

    def write(self, weight: Any) -> None:
        """Set the weights of the net that is written down."""
        networks.weigh(weight, self.module, copy=1)

    @property
    def scale(self) -> Scale:
        """The scale of the nets' values."""
        return self.net.scale

    def rescale(self, scale: Scale) -> None:
        """Set the scale of the nets' values."""
        self.net = replace(self.net, scale=scale)
        networks.scale(scale, self.module)

    @property
    def learned_so_far(self) -> Net:
        """The net that is written down, with only one view for each player's turn."""
        net, views, players = self.net, self.net.views, self.net.players
        row, slot, part = array("i"), array("i"), array("i")
        for view in views.of:
            for found, held, size in ((row, views.row, sum(net.sizes)), (slot, views.slot, net.slots),
                                      (part, views.part, players)):  # fmt: skip
                found.extend(held[view * size : (view + 1) * size])
        shown = Views(row, slot, part, array("i", range(players)))
        return replace(net, views=shown, weight=self.saved_weights)

    @property
    def is_as_begun(self) -> bool:
        """True if the net that is written down is the one that this began with, compared in the precision of a file, 32
        bits."""
        return array("f", self.saved_weights) == array("f", self.first)

    @property
    def extra_arrays(self) -> dict[str, array[Any]]:
        """Further arrays, by name, that are saved so that learning can continue later; of the window only the part that
        holds positions."""
        filled = min(self.positions_held, self.window)
        ends = {name: len(self.module[name]) // self.window * filled for name in _WINDOW}
        found = {name: array(self.module[name].format, self.module[name][: ends.get(name)]) for name in _FURTHER}
        return found | {"taught": self.training_weights}

    def go_on(self, learned: Net, further: Mapping[str, Any]) -> None:
        """Continue from a saved net and its further arrays. Raises ValueError if these do not fit."""
        filled, rest = divmod(len(further["lesson_held"]), self.each)
        if rest or filled > self.window:
            raise ValueError("of another net")
        for name in (*_FURTHER, "taught"):
            held = self.module[name] if name in self.module else self.module["net_weight"][: self._size]
            length = len(held) // self.window * filled if name in _WINDOW else len(held)
            if further[name].typecode != held.format or len(further[name]) != length:
                raise ValueError("of another net")
        if not self._is_sound(further["lesson_held"]) or not all(map(isfinite, further["lesson_rule"])):
            raise ValueError("of another game")
        self.rescale(learned.scale)
        for name in _FURTHER:
            self.module[name][: len(further[name])] = memoryview(further[name])
        self.learn_on(further["taught"])
        self.write(learned.weight)

    def _is_sound(self, held: Sequence[int]) -> bool:
        """True if all numbers of a saved window lie within their ranges."""
        sizes, listed = self.net.cell_sizes, self.listed
        each = self.each
        for at in range(0, len(held), each):
            side, rows = held[at : at + 2]
            cells = held[at + 2 : at + 2 + len(sizes)]
            places = held[at + 2 + len(sizes) : at + each - listed]
            visits = held[at + each - listed : at + each]
            if not (0 <= side < self.net.players and 0 <= rows <= listed):
                return False
            if any(not 0 <= held < size for held, size in zip(cells, sizes, strict=True)):
                return False
            if min(places) < 0 or max(places) >= 2 * self.net.slots or min(visits) < 0:
                return False
            if sum(place < self.net.slots for place in places) < rows:  # the last of an action
                return False
        return True

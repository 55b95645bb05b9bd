"""The common part of searches along a path (gdl/compiler/kernels/frames.py).

There are two families. Searches by windows, the first, take games of a constant sum without chance in which one player
moves at a time. Searches in fractions take chance and any sums, but no rules that ask for earlier positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from gdl.compiler import python
from gdl.compiler.folding import NO_FOLDING, Folding
from gdl.compiler.joining import Pieces, constants, kernel
from gdl.compiler.lower import Lowered
from gdl.compiler.searches.slices import KernelNumber, KernelSearch, explain_trap
from gdl.errors import LimitReached, Refusal, clean
from gdl.game import Action, Decision, Number, exact
from gdl.interpreter.rules_game import RulesGame, State
from gdl.wings import installed_hook

UNREACHED = 1 << 30  # beyond every value
UNLIMITED = 1 << 62  # nodes
REASON = constants("reasons")
WHY = {
    REASON["TOO_DEEP"]: "its plays can be longer than this search goes down",
    REASON["TOO_WIDE"]: "a position has too many actions",
    REASON["TOO_GREAT"]: "its numbers become too large",
    REASON["NOT_CONSTANT"]: "its utilities do not always have the same sum",
    REASON["NO_DECISION"]: "it has chance or moves at once, or no evaluation where one is wanted",
    REASON["BEYOND"]: "a number lies outside the bounds that the file promises",
    REASON["COMES_AGAIN"]: "positions come again",
}


def fill_bounds(module: Any, least: Number | None, greatest: Number | None, common: int) -> None:
    """Write into the module the bounds of the first player's utilities, None: not known, times `common`."""
    module["least"][0] = -UNREACHED if least is None else max(-UNREACHED, int(least * common))
    module["greatest"][0] = UNREACHED if greatest is None else min(UNREACHED, int(greatest * common))


class PathSearch(KernelSearch):
    """A depth-first search that can be stopped after any number of nodes and continued. Values are whole numbers, or
    fractions of them, over a common denominator."""

    fractions = False  # whether the search is of the second family
    symmetries = 1  # of the positions that are treated as one, the identity included
    _make: Callable[[Pieces], None]  # makes the module anew, with this kernel code for `fold()`

    def __init__(
        self, game: RulesGame, start: State, engine: str, nodes: int | None = None, lowered: Lowered | None = None
    ):
        """Prepare the search for a game and a start. It stops after `nodes` nodes, if given, and `is_out_of_nodes` is
        then True. Raises Refusal for games with simultaneous moves, or with chance if the search cannot take it."""
        super().__init__(game, start, engine, lowered=lowered)
        if self.at_once or (game.model.chances and not self.fractions):
            chance = "" if self.fractions else ", without chance"
            raise Refusal(f"this search is for games in which one moves at a time{chance}")
        if self.lowered.keys is not None and self.fractions:
            raise Refusal(f"{clean(game.name)} asks for earlier positions, and this search does not tell them apart")
        self.state = start
        self.common = lcm(self.lowered.denominator, self.lowered.evaluation_denominator)
        self.most = nodes

    def join(self, *names: str, entries: tuple[str, ...] = (), keys: Pieces | None = None, **settings: int) -> None:
        """Make the module of a search by windows from kernels of these names, `utilities` among them."""
        evaluation = self.common // self.lowered.evaluation_denominator if self.game.model.evaluates else 0
        worth = {"UTILITY": self.common // self.lowered.denominator, "EVALUATION": evaluation}
        asked = ["search_run", "begin", "status", *(["evaluate"] if evaluation else []), *entries]
        self.load(kernel(*names, **worth, **settings), *asked, keys=keys, shared=bool(settings.get("SHARED")))
        self.stop_after(self.most)
        self.bound(None, None)

    def bound(self, least: Number | None, greatest: Number | None) -> None:
        """Set bounds on the first player's utilities, None: not known. (They are whole numbers over `common`.)"""
        fill_bounds(self.module, least, greatest, self.common)

    def fold(self, exchanging: bool) -> bool:
        """Treat symmetric positions as one from now on; with `exchanging`, also positions that are the same with the
        players exchanged. Returns False, and changes nothing, if no such symmetry is of use."""
        find = installed_hook("folding in a long search")
        folding: Folding = find(self, self.state, exchanging) if find else NO_FOLDING
        code = folding.code(self.lowered.layout)
        if code:
            nodes = self.nodes
            self._make(code)
            self.module["nodes"][0] = nodes
            self.symmetries = folding.images
        return bool(code)

    # -- the work -------------------------------------------------------------------------------------------

    def stop_after(self, nodes: int | None) -> None:
        """Limit the search to `nodes` nodes in all; None: no limit."""
        self.module["most"][0] = UNLIMITED if nodes is None else nodes

    def enter(self) -> None:
        """Make the start the present state."""
        self.module["s"][:] = memoryview(self._start)

    def work(self) -> Iterator[None]:
        """Continue until the search is done or its nodes are spent; yields after each slice.

        Raises LimitReached where the table is full, Refusal where the search does not suit the game, and GameError or
        Refusal where a fault of the rules is met. (A fault that a search in fractions meets may lie where the reference
        implementation does not come, so that implementation is left to report it.)
        """
        try:
            for _ in self.slices():
                if self.spent:
                    return
                yield
        except python.Trap as trap:
            if self.fractions:
                raise self.lowered.refusal(trap.code) from None
            raise explain_trap(self, trap, self.line_of_frames("f_state", "top")) from None
        code = self.module["refused"][0]
        if code == REASON["FULL"]:
            raise LimitReached(f"stopped after {self.nodes:,} nodes, when the table of this search was full")
        if code and (self.fractions or code != REASON["BEYOND"]):  # a search by windows looks after that itself
            raise Refusal(f"the compiled search does not suit {clean(self.game.name)}: {WHY[code]}")

    # -- what it has found ----------------------------------------------------------------------------------

    @property
    def nodes(self) -> int:
        """The nodes of the search so far."""
        return int(self.module["nodes"][0])

    @property
    def spent(self) -> bool:
        """True if the nodes that were given to the present part of the work are spent."""
        return self.nodes >= int(self.module["most"][0])

    @property
    def is_out_of_nodes(self) -> bool:
        """True if all nodes that were given to the search are spent."""
        return self.most is not None and self.nodes >= self.most

    leaves = KernelNumber("leaves")  # ends and cut-off nodes of the last search

    cut_off = KernelNumber("cut_off")  # leaves that were estimated, of a search in fractions

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions at the start."""
        node = self.game.node(self.state)
        assert isinstance(node, Decision)
        return node.actions

    @property
    def total(self) -> Number:
        """The sum of the utilities at the ends that were met; 0 if no end was met."""
        return exact(Fraction(int(self.module["sums"][1]), self.lowered.denominator))

    @property
    def utility(self) -> int:
        """The first player's utility, over `common`, at the end at which `status` was called last."""
        return int(self.module["util"][0]) * (self.common // self.lowered.denominator)

    @property
    def evaluation(self) -> int:
        """The first player's evaluation of the present state, over `common`."""
        self.module["evaluate"]()
        return int(self.module["util"][0]) * (self.common // self.lowered.evaluation_denominator)

    def number(self, value: int) -> Number:
        """A value of the search, which is over `common`, in the game's own numbers."""
        return exact(Fraction(value, self.common))


def replay_line(game: RulesGame, state: State, rows: Sequence[int]) -> tuple[Action, ...]:
    """The actions of a line from a state on, whose rows are given."""
    line = list[Action]()
    for row in rows:
        node = game.node(state)
        assert isinstance(node, Decision)
        line.append(node.actions[row])
        state = game.successor(state, line[-1])
    return tuple(line)

"""A game with a constant sum, joined with a search by windows on the compiled engine: what such searches share."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from gdl.compiler import python
from gdl.compiler.joining import kernel
from gdl.compiler.lower import Lowered
from gdl.compiler.searches.paths import REASON, PathSearch
from gdl.errors import GameError, Refusal
from gdl.game import Action, Decision, Number, exact
from gdl.interpreter.rules import RulesGame, State

FAR = 1 << 30  # beyond every value


class Windows(PathSearch):
    """A search by windows from a state on. Values are whole numbers over a common denominator."""

    def __init__(
        self, game: RulesGame, start: State, engine: str, nodes: int | None = None, lowered: Lowered | None = None
    ):
        """The search stops after so many nodes, where that is given: `exhausted` says so then."""
        super().__init__(game, start, engine, lowered=lowered)
        if self.at_once or game.model.chances:
            raise Refusal("this search is for games in which one moves at a time, without chance")
        self.state = start
        self.common = lcm(self.lowered.denominator, self.lowered.evaluation_denominator)
        self.most = nodes

    def join(self, *names: str, entries: tuple[str, ...] = (), keys: str | None = None, **settings: int) -> None:
        """Make the module with kernels of these names, of which `utilities` is one."""
        evaluation = self.common // self.lowered.evaluation_denominator if self.game.model.features else 0
        worth = {"UTILITY": self.common // self.lowered.denominator, "EVALUATION": evaluation}
        asked = ["search_run", "begin", "status", *(["evaluate"] if evaluation else []), *entries]
        self.load(kernel(*names, **worth, **settings), *asked, keys=keys)
        self.stop_after(self.most)
        self.bound(None, None)

    @property
    def exhausted(self) -> bool:
        """Whether all nodes that were given are spent."""
        return self.most is not None and self.nodes >= self.most

    @property
    def actions(self) -> tuple[Action, ...]:
        """At the start."""
        node = self.game.node(self.state)
        assert isinstance(node, Decision)
        return node.actions

    @property
    def total(self) -> Number:
        """What the utilities sum to at the ends that were met; 0 where none was."""
        return exact(Fraction(int(self.module["sums"][1]), self.lowered.denominator))

    @property
    def utility(self) -> int:
        """The first player's, at the end at which `status` was asked for last."""
        return int(self.module["util"][0]) * (self.common // self.lowered.denominator)

    @property
    def evaluation(self) -> int:
        """The first player's, of the state now."""
        self.module["evaluate"]()
        return int(self.module["util"][0]) * (self.common // self.lowered.evaluation_denominator)

    def number(self, value: int) -> Number:
        """What a value of the search is in the game's own numbers."""
        return exact(Fraction(value, self.common))

    def bound(self, least: Number | None, greatest: Number | None) -> None:
        """What the first player's utilities lie between, None: not known. (They are whole numbers over `common`.)"""
        self.module["least"][0] = -FAR if least is None else max(-FAR, int(least * self.common))
        self.module["greatest"][0] = FAR if greatest is None else min(FAR, int(greatest * self.common))

    def enter(self) -> None:
        """Go to the start."""
        self.module["s"][:] = memoryview(self._start)

    def met(self, trap: python.Trap) -> GameError | Refusal:
        return self.told(trap, self._line())

    def bears(self, code: int) -> bool:
        return code == REASON["BEYOND"]

    def _line(self) -> list[bytes]:
        """The states of the frames: the fault was met at the last, or one move later."""
        size, states = len(self._start), self.module["f_state"]
        frames = [bytes(states[f * size : (f + 1) * size]) for f in range(self.module["top"][0])]
        return frames or [self._start.tobytes()]

"""A game with a constant sum, joined with a search by windows on the compiled engine: what such searches share."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from gdl.compiler import python
from gdl.compiler.kernels import worth
from gdl.compiler.lower import Lowered
from gdl.compiler.searches.slices import Search
from gdl.errors import Refusal, clean
from gdl.game import Action, Decision, Number, exact
from gdl.interpreter import RulesGame, State

FAR = 1 << 30  # beyond every value
UNLIMITED = 1 << 62  # nodes
_WHY = {
    worth.TOO_DEEP: "its plays can be longer than this search goes down",
    worth.TOO_WIDE: "a position has too many actions",
    worth.TOO_GREAT: "its utilities are too large, or have too large denominators",
    worth.NOT_CONSTANT: "its utilities do not always have the same sum",
    worth.NO_DECISION: "it has chance, moves at once, or no evaluation where one is wanted",
}


class Windows(Search):
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

    def join(self, kernel: str, *entries: str, keys: str | None = None) -> None:
        """Make the module with the kernel that `worth` belongs to."""
        evaluation = self.common // self.lowered.evaluation_denominator if self.game.model.features else 0
        text = worth.kernel(self.common // self.lowered.denominator, evaluation) + kernel
        names = ["search_run", "begin", "status", *(["evaluate"] if evaluation else []), *entries]
        self.load(text, *names, keys=keys)
        self.module["most"][0] = UNLIMITED if self.most is None else self.most
        self.bound(None, None)

    @property
    def nodes(self) -> int:
        """The nodes of the search so far."""
        return int(self.module["nodes"][0])

    @property
    def spent(self) -> bool:
        """Whether the nodes that were given to this part of the work are spent."""
        return self.nodes >= int(self.module["most"][0])

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

    def work(self) -> Iterator[None]:
        """Run the search that has begun, until it is done or its nodes are spent; yields after each slice.

        Raises Refusal where it cannot go on, GameError where it meets a fault of the rules.
        """
        try:
            for _ in self.slices():
                if self.spent:
                    return
                yield
        except python.Trap as trap:
            raise self.told(trap, self._line()) from None
        code = self.module["refused"][0]
        if code in _WHY:
            raise Refusal(f"the compiled search does not suit {clean(self.game.name)}: {_WHY[code]}")

    def _line(self) -> list[bytes]:
        """The states of the frames: the fault was met at the last, or one move later."""
        size, states = len(self._start), self.module["f_state"]
        frames = [bytes(states[f * size : (f + 1) * size]) for f in range(self.module["top"][0])]
        return frames or [self._start.tobytes()]


def constant(source: str, name: str) -> int:
    """What a module says of a constant."""
    line = next(line for line in source.splitlines() if line.startswith(f"{name} = const("))
    return int(line[len(f"{name} = const(") : line.index(")")])

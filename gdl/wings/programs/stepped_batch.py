"""Many plays of one game whose players are asked for their actions step by step."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, SupportsIndex

from gdl.wings.programs.action_steps import STEPS_SEEN, ActionSteps, Steps, next_steps, step_shares
from gdl.wings.programs.batch import Environments, ManyPlays, array_view, legal_steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gdl.wings.programs.batch import PlaysInTurn


class SteppedEnvironments(ManyPlays):
    """Many plays, with the interface of `Environments` but with numbers of steps; `whole` are the same plays with whole
    actions. A play in the middle of an action does not change for the other players."""

    def __init__(self, whole: Environments | PlaysInTurn):
        self.whole, self.numbering = whole, ActionSteps(whole.numbering)
        self.game, self.players, self.size, self.actions = whole.game, whole.players, whole.size, self.numbering.total
        self.player, self.over, self.rewards, self.state = whole.player, whole.over, whole.rewards, whole.state
        shape = whole.size, self.actions
        self.count: NDArray[Any] = array_view(memoryview(array("i", bytes(4 * self.size))), shape[:1])
        self.legal: NDArray[Any] = array_view(memoryview(array("q", bytes(8 * self.size * self.actions))), shape)
        self.mask: NDArray[Any] = array_view(memoryview(bytearray(self.size * self.actions)), shape)
        self._next: list[dict[int, dict[Steps, int]]] = [{}] * self.size
        self._taken: list[Steps] = [()] * self.size
        self._begin(range(self.size))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.whole,), (self._next, self._taken)

    def __setstate__(self, saved: tuple[list[dict[int, dict[Steps, int]]], list[Steps]]) -> None:
        for k, (following, taken) in enumerate(zip(*saved, strict=True)):
            self._ask(k, following, taken)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SteppedEnvironments):
            return False
        return self._taken == other._taken and self.whole == other.whole

    def reset(self, seed: int | None = None) -> None:
        """Start all plays again."""
        self.whole.reset(seed)
        self._begin(range(self.size))

    def step(self, actions: Iterable[SupportsIndex], idle: bytes | None = None) -> None:
        """Take a step in every play but those in which `idle` has a byte that is not 0.

        Raises GameError where one of them is not legal; then none is taken.
        """
        given = legal_steps(actions, self._next, idle)
        whole, waits, done = [0] * self.size, bytearray(b"\1" * self.size), []
        for k, step in given.items():
            rest = self._next[k][step]
            if len(rest) == 1:
                (whole[k],), waits[k] = rest.values(), 0
                done.append(k)
            else:
                self._ask(k, next_steps(rest), (*self._taken[k], step))
        self.whole.step(whole, bytes(waits))
        self._begin(done)

    def observations(self, players: Any, final: Any = None) -> NDArray[Any]:
        """An array of what `players[k]` sees of each play k, with planes of the steps that they have taken."""
        import numpy

        seen = self.whole.observations(players, final)
        steps = numpy.zeros((self.size, STEPS_SEEN, *seen.shape[2:]), numpy.float32)
        for k, taken in enumerate(self._taken):
            if taken and players[k] == self.player[k]:
                steps[k].reshape(STEPS_SEEN, -1)[:] = numpy.array(step_shares(taken, self.actions))[:, None]
        found: NDArray[Any] = numpy.concatenate([seen, steps], axis=1)
        return found

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The planes, then the rows and columns of the board if there is one."""
        planes, *cells = self.whole.observation_shape
        return (planes + STEPS_SEEN, *cells)

    def _begin(self, plays: Iterable[int]) -> None:
        """Ask for the first step of an action in some plays."""
        for k in plays:
            legal = self.whole.legal[k][: int(self.whole.count[k])].tolist()
            self._ask(k, next_steps({self.numbering.path(number): number for number in legal}), ())

    def _ask(self, k: int, following: dict[int, dict[Steps, int]], taken: Steps) -> None:
        mask, legal = self.mask[k], self.legal[k]
        for number in self._next[k]:
            mask[number] = 0
        self._next[k], self._taken[k], self.count[k] = following, taken, len(following)
        for place, number in enumerate(following):
            mask[number], legal[place] = 1, number

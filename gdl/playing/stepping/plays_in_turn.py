"""Many plays of one game, stepped one after the other: of games whose plays the engine cannot step together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any, SupportsIndex

from gdl.errors import Refusal, clean
from gdl.game import Game
from gdl.playing.stepping.batch import MOST_LEGAL, MOST_MASKED, ManyPlays, checked_count, legal_steps
from gdl.playing.stepping.batch_planes import BatchPlanes, suits
from gdl.playing.stepping.compiled import CompiledEnvironment
from gdl.playing.stepping.environment import Environment, known_seed
from gdl.playing.stepping.making import environment
from gdl.playing.stepping.planes import RulePlanes
from gdl.states.game_wrapper import innermost
from gdl.states.random_numbers import stream


class PlaysInTurn(ManyPlays):
    """Many plays, with the interface of `Environments`. Needs numpy."""

    def __init__(self, game: Game[Any], count: int, seed: int):
        count = checked_count(count)
        import numpy

        first = environment(game)
        self.game, self.players, self.numbering, self.actions = game, first.players, first.numbering, first.actions
        if self.actions * count > MOST_MASKED:
            raise Refusal(f"a mask of {clean(game.name)} would have too many numbers: use environments of your own")
        self._plays = [first, *(environment(game) for _ in range(count - 1))]
        self.size, self.observation_shape = count, first.observation_shape
        self.player, self.count = numpy.zeros(count, numpy.int32), numpy.zeros(count, numpy.int32)
        self.over, self.rewards = numpy.zeros(count, numpy.uint8), numpy.zeros((count, len(self.players)))
        self.legal = numpy.zeros((count, min(MOST_LEGAL, self.actions)), numpy.int64)
        self.mask = numpy.zeros((count, self.actions), numpy.uint8)
        self._many: BatchPlanes | None = None
        if isinstance(first, CompiledEnvironment) and isinstance(first.planes, RulePlanes) and suits(first.planes):
            self._many = BatchPlanes(first.planes, first.layout)
        self._seen: list[Any] = [None] * count  # by play: its state, as `_state_seen` gives it,
        self._final: list[Any] = [None] * count  # and the last one of the play that ended last
        self.reset(seed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlaysInTurn) and self._plays == other._plays

    def reset(self, seed: int | None = None) -> None:
        """Begin all plays anew, each with a seed of its own."""
        self.over[:], self.rewards[:] = 0, 0
        for k, play in enumerate(self._plays):
            play.reset(None if seed is None else stream(known_seed(seed), k))
            self._show(k, play)

    def step(self, actions: Iterable[SupportsIndex], idle: bytes | None = None) -> None:
        """Do one action in every play but those in which `idle` has a byte that is not 0.

        Raises GameError where one of them is not legal; then none is done.
        """
        given = legal_steps(actions, [play.legal for play in self._plays], idle)
        self.over[:], self.rewards[:] = 0, 0
        for k, number in given.items():
            play = self._plays[k]
            play.step(number)
            self.rewards[k] = [float(gained) for gained in play.rewards]
            if play.over:
                self.over[k], self._final[k] = 1, self._state_seen(play)
                play.reset()
            self._show(k, play)

    def observations(self, players: Any, final: Any = None) -> Any:
        """An array of what `players[k]` sees of each play k; where `final[k]` is true, of the last position of the play
        before."""
        import numpy

        ended = repeat(False, self.size) if final is None else final
        states = [last if over else now for now, last, over in zip(self._seen, self._final, ended, strict=True)]
        if self._many is not None:
            words = numpy.frombuffer(b"".join(states), numpy.int32).reshape(self.size, -1)
            return self._many.observe(words, numpy.asarray(players))
        planes = self._plays[0].planes
        shown = [planes.observe(state, int(player)) for state, player in zip(states, players, strict=True)]
        return numpy.array(shown, numpy.float32)

    def _state_seen(self, play: Environment) -> Any:
        """The present state of a play: its words where all plays are shown together."""
        if self._many is not None and isinstance(play, CompiledEnvironment):
            return play.words
        return innermost(play.game, play.position)[1]

    def state(self, play: int) -> str:
        """Draw the position of a play."""
        return self._plays[play].state

    def _show(self, k: int, play: Environment) -> None:
        """Set the row of play `k` in all arrays. A play that is over before anybody has chosen begins anew."""
        while play.over:
            play.reset()
        legal, self._seen[k] = list(play.legal), self._state_seen(play)
        self.player[k], self.count[k] = play.player or 0, len(legal)
        self.legal[k, : len(legal)] = legal
        self.mask[k] = 0
        self.mask[k, legal] = 1

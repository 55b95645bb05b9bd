"""Many plays of one game, stepped together: their numbers stand in arrays that are the engine's own memory.

With numpy the arrays are numpy's, else memoryviews, one for each play where a play has several numbers; none is a
copy, so each changes with the next step. Plays of a game that the engine cannot step together are stepped one after the
other.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import cached_property
from itertools import repeat
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

from gdl.compiler import python, wasm
from gdl.errors import GameError, Problem, Refusal, clean, count_text, listing
from gdl.game import Game
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.game_wrapper import GameWrapper
from gdl.states.random_numbers import stream
from gdl.wings.programs.batch_driver import POINT, Batch
from gdl.wings.programs.compiled import digits_of
from gdl.wings.programs.environment import Environment, known_player, known_seed
from gdl.wings.programs.making import environment
from gdl.wings.programs.numbering import RuleNumbering, numbering, rules_of
from gdl.wings.programs.planes import RulePlanes

MOST_LEGAL = 4096  # legal actions of a play for which there is room, by default
MOST_PLAYS = 1 << 24
MOST_MASKED = 1 << 27  # bytes of all masks


if TYPE_CHECKING:
    from numpy.typing import NDArray


class ManyPlays:
    """Many plays of one game, of any kind."""

    game: Game[Any]
    size: int

    def __copy__(self) -> Self:
        return deepcopy(self)

    def __repr__(self) -> str:
        return f"<{self.game.name}: {count_text(self.size, 'play')}>"


class Environments(ManyPlays):
    """Many plays of one game, stepped together. `game.environments(count)` makes them.

    A play that ends begins anew in the same step: `over` and `rewards` then tell of the play that has ended, everything
    else of the new one. A play that is over before anybody has chosen is not shown; the next one begins.

    Attributes:
        player: for each play the index of the player who is to act; shape (count,).
        count: for each play how many actions are legal; shape (count,).
        legal: for play k the numbers of the legal actions are `legal[k, :count[k]]`; shape (count, room), where there
            is room for `most` numbers, or for all if there are fewer.
        mask: for each play and each number of an action 1 where it is legal, else 0; shape (count, actions).
        rewards: for each play what each player has gained by the last step; shape (count, players).
        over: for each play True where the last step has ended it; shape (count,).

    The arrays are the engine's own memory: they change with the next step.

    Example:
        >>> import gdl
        >>> plays = gdl.load("tic_tac_toe").environments(3, engine="python")
        >>> plays.step([0, 4, 8])
        >>> plays.player.tolist(), plays.count.tolist()
        ([1, 1, 1], [8, 8, 8])
    """

    def __init__(
        self, game: Game[Any], count: int, seed: int = 0, engine: str = "auto", most: int = MOST_LEGAL
    ):  # fmt: skip
        """Begin `count` plays; there is room for `most` legal actions of each."""
        count = checked_count(count)
        self._made = game, count, 0, engine, most
        engine = engine if engine != "auto" else "wasm" if wasm.available() else "python"
        by_rules = rules_of(game) if isinstance(game, GameWrapper | RulesGame) else None
        if by_rules is None:
            raise Refusal(f"{clean(game.name)} is no game by rules: many plays at once are for those")
        (rules, start), numbered = by_rules, numbering(game)
        if not isinstance(numbered, RuleNumbering):
            raise Refusal(f"{clean(game.name)} has no rules by which actions are numbered on the compiled engine")
        self.game, self.numbering, self._rules = game, numbered, rules
        self.players, self.actions, self.size = game.players, numbered.total, count
        masked = numbered.total if numbered.total * count <= MOST_MASKED else 1
        room = min(most, numbered.total)
        self._batch = Batch(rules, start, engine, digits_of(rules, numbered), count, room, masked)
        memory, players = self._batch.module, len(game.players)
        self._actions = memory["batch_action"]
        self.player: NDArray[Any] = array_view(memory["batch_player"], (count,))
        self.count: NDArray[Any] = array_view(memory["batch_count"], (count,))
        self.legal: NDArray[Any] = array_view(self._batch.legal, (count, room))
        self.over: NDArray[Any] = array_view(memory["batch_over"].cast("?"), (count,))
        self.rewards: NDArray[Any] = array_view(memory["batch_reward"], (count, players))
        self._mask: NDArray[Any] | None = array_view(memory["batch_mask"], (count, masked)) if masked > 1 else None
        self._idle = memory["batch_idle"]
        self._nobody = bytes(count)
        self.reset(seed)

    @cached_property
    def _rule_planes(self) -> RulePlanes:
        return RulePlanes(self._rules)

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The planes, then the rows and columns of the board if there is one."""
        return self._rule_planes.shape

    @property
    def mask(self) -> NDArray[Any]:
        """An array of shape (count, actions): 1 where the number of an action is legal, else 0. Raises Refusal where
        there are too many numbers."""
        if self._mask is None:
            raise Refusal(f"a mask of {clean(self.game.name)} would have too many numbers: use legal and count")
        self._batch.look(0)  # from now on it is kept up with the plays
        return self._mask

    def reset(self, seed: int | None = None) -> None:
        """Begin all plays anew.

        Args:
            seed: the whole number that decides what chance does in all plays; None: chance goes on where it was. Play k
                gets the seed `gdl.states.random_numbers.stream(seed, k)`, as `reset` of an environment takes it.
        """
        if seed is not None:
            given = known_seed(seed)
            self._batch.seed([stream(given, k) for k in range(self.size)])
        self._run_engine(self._batch.begin_all)

    def step(self, actions: Iterable[SupportsIndex], idle: bytes | None = None) -> None:
        """Do one action in every play.

        Args:
            actions: the numbers of the actions, one for each play, all of them legal. An array of 64-bit integers is
                fastest.
            idle: a byte for each play; a play whose byte is not 0 is left as it stands.

        Raises:
            GameError: a number is not legal; then no action is done.
        """
        numbers = _words(actions)
        if len(numbers) != self.size:
            help = f"give {self.size:,} numbers, one for each play"
            raise GameError(Problem(f"there are {len(numbers):,} numbers of actions", help=help))
        self._actions[:] = numbers
        self._idle[:] = self._nobody if idle is None else idle
        self._run_engine(self._batch.run)

    def observations(self, players: Any, final: Any = None) -> NDArray[Any]:
        """Show each play to one player in numbers, all in one array. Needs numpy.

        Args:
            players: the index of a player for each play.
            final: for each play whether to show the last position of the play that the last step ended.

        Returns:
            An array of 32-bit floats, for each play as `observation` gives them. Like the other arrays it is the
            engine's own memory, where that is possible: it changes with the next call.

        Raises:
            GameError: no player has one of the indices, or there are too few.
        """
        import numpy

        memory, seers = self._batch.module, numpy.zeros(self.size, numpy.int32)
        last = self._nobody if final is None else numpy.asarray(final, numpy.uint8).tobytes()
        try:
            seers[:] = players
        except (TypeError, ValueError):
            raise GameError(Problem(f"{players!r} are no players", help="give an index for each play")) from None
        if self._batch.planes is None:
            for player in set(seers.tolist()):
                known_player(self.players, player)
            shown = zip(self._batch.states_of(last), seers.tolist(), strict=True)
            return numpy.array([self._rule_planes.observe(*one) for one in shown], numpy.float32)
        memory["batch_seen_wanted"][:], memory["batch_seen_final"][:] = seers.data, last
        if (wrong := self._batch.observe(0)) < 0:
            known_player(self.players, int(seers[-1 - wrong]))
        return self._observed_planes

    @cached_property
    def _observed_planes(self) -> NDArray[Any]:
        import numpy

        found: NDArray[Any] = numpy.asarray(self._batch.module["batch_seen"]).view(numpy.float32)
        return found.reshape(self.size, *self.observation_shape)

    def observation(self, play: int, player: int) -> memoryview[float]:
        """Show a play to a player in numbers, as `Environment.observation` does.

        Args:
            play: the number of the play, from 0.
            player: the index of the player.

        Returns:
            An array of 32-bit floats from 0 to 1.
        """
        known_player(self.players, player)
        return self._rule_planes.observe(self.position(play), player)

    def state(self, play: int) -> str:
        """Draw the position of a play.

        Args:
            play: the number of the play, from 0.

        Returns:
            The drawing, on one or several lines.
        """
        return self.game.show(self.position(play))

    def position(self, play: int) -> State:
        """The state of the game in a play, as the interpreter holds it.

        Args:
            play: the number of the play, from 0.

        Returns:
            The state, which `gdl.Environment.position` gives of a single play.
        """
        if not 0 <= play < self.size:
            raise GameError(Problem(f"there is no play {play!r}", help=f"plays are 0 to {self.size - 1}"))
        return self._batch.position_of(play)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made, self._batch.save_plays()

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self._batch.load_plays(saved)

    def __eq__(self, other: object) -> bool:
        """True if they are the same plays of the same game, each at the same point, with the same chance to come."""
        if not isinstance(other, Environments) or self.game != other.game:
            return False
        mine, theirs = self._batch.save_plays(), other._batch.save_plays()
        return all(mine[name] == theirs[name] for name in POINT)

    def _run_engine(self, work: Any) -> None:
        """Let the engine do some work, and report what it could not do."""
        try:
            answer = work(0)
        except python.Trap as trap:
            raise self._batch.lowered.refusal(trap.code) from None
        if answer == 0:
            return
        if answer > self._batch.stuck:
            play = -1 - answer
            there = listing(map(str, self._batch.legal_of(play)))
            message = f"{self._actions[play]} is no legal action in play {play}"
            raise GameError(Problem(message, help=f"legal are {there}"))
        play = self._batch.stuck - answer
        raise Refusal(f"play {play} has more legal actions than there is room for (most=…), or one without a number")


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
        self.over, self.rewards = numpy.zeros(count, bool), numpy.zeros((count, len(self.players)))
        self.legal = numpy.zeros((count, min(MOST_LEGAL, self.actions)), numpy.int64)
        self.mask = numpy.zeros((count, self.actions), numpy.uint8)
        self._ended = self._plays.copy()  # by play: the one before it, at its end
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
                self.over[k], self._ended[k] = 1, play.copy()
                play.reset()
            self._show(k, play)

    def observations(self, players: Any, final: Any = None) -> Any:
        """An array of what `players[k]` sees of each play k; where `final[k]` is true, of the last position of the play
        before."""
        import numpy

        over = repeat(False, self.size) if final is None else final
        shown = zip(self._plays, self._ended, over, players, strict=True)
        return numpy.array([(old if ended else play).observation(player) for play, old, ended, player in shown])

    def state(self, play: int) -> str:
        """Draw the position of a play."""
        return self._plays[play].state

    def _show(self, k: int, play: Environment) -> None:
        """Set the row of play `k` in all arrays. A play that is over before anybody has chosen begins anew."""
        while play.over:
            play.reset()
        legal = list(play.legal)
        self.player[k], self.count[k] = play.player or 0, len(legal)
        self.legal[k, : len(legal)] = legal
        self.mask[k] = 0
        self.mask[k, legal] = 1


def legal_steps(
    numbers: Iterable[SupportsIndex], legal: Sequence[Collection[int]], idle: bytes | None
) -> dict[int, int]:
    """The given numbers by play, without those of idle plays. Raises GameError where one is not legal."""
    given = _words(numbers).tolist()
    if len(given) != len(legal):
        raise GameError(Problem(f"there are {len(given):,} numbers of steps", help=f"give {len(legal):,} of them"))
    asked = {k: number for k, number in enumerate(given) if not (idle and idle[k])}
    for k, number in asked.items():
        if number not in legal[k]:
            help = f"legal are {listing(map(str, legal[k]))}"
            raise GameError(Problem(f"{number} is no legal step in play {k}", help=help))
    return asked


def checked_count(count: SupportsIndex) -> int:
    """A number of plays as an int. Raises GameError where it is no whole number, Refusal where there are too few or too
    many."""
    if not isinstance(count, SupportsIndex):
        raise GameError(Problem(f"{count!r} is no number of plays", help="give a whole number: environments(1024)"))
    if not 1 <= index(count) <= MOST_PLAYS:
        raise Refusal(f"there must be a play at least, and {MOST_PLAYS:,} at most, not {index(count)}")
    return index(count)


def _words(numbers: Iterable[SupportsIndex]) -> memoryview[int]:
    """The numbers as an array of 64-bit words: if they are one already it is taken as it stands, else it is made one by
    one."""
    with suppress(TypeError):  # a list, say, is no memory
        held: memoryview[int] = memoryview(numbers)  # type: ignore[arg-type]
        if held.ndim == 1 and held.contiguous and held.format in ("q", "l") and held.itemsize == 8:
            return held.cast("B").cast("q")
    if not isinstance(numbers, Iterable):
        raise GameError(Problem(f"{numbers!r} is no list of actions", help="give one whole number for each play"))
    given = list(getattr(numbers, "tolist", lambda: numbers)())  # of an array the plain numbers, which are faster
    try:
        return memoryview(array("q", map(index, given)))
    except (TypeError, OverflowError):
        wrong = next(one for one in given if not isinstance(one, SupportsIndex) or abs(index(one)) >= 1 << 63)
        help = "give one whole number for each play"
        raise GameError(Problem(f"{wrong!r} is no number of an action", help=help)) from None


def array_view(memory: Any, shape: tuple[int, ...]) -> Any:
    """Memory as an array of this shape: numpy's, if numpy is installed."""
    flat = memory[: prod(shape)]
    try:
        import numpy
    except ModuleNotFoundError:
        return flat if len(shape) == 1 else MemoryviewTable(flat, shape)
    return numpy.asarray(flat).reshape(shape)


class MemoryviewTable(Sequence[Any]):
    """A table where numpy is missing: `rows[k]` is the memoryview of a row, `rows[k, j]` a number, `rows[k, :j]` the
    first numbers of a row, `rows[:, j]` the list of a column. (A memoryview of two dimensions has no rows.)"""

    def __init__(self, flat: Any, shape: tuple[int, ...]):
        self._flat, self.shape = flat, shape

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, tuple):
            row, column = at
            return [own[column] for own in self[row]] if isinstance(row, slice) else self[row][column]
        if isinstance(at, slice):
            return [self[row] for row in range(len(self))[at]]
        first = range(len(self))[at] * self.shape[1]
        return self._flat[first : first + self.shape[1]]

    def tolist(self) -> list[list[Any]]:
        return [row.tolist() for row in self]

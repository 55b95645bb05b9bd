"""A game that is stepped: what every environment has, on whatever engine.

Whoever moves is asked for a number; chance is drawn inside, and moves at once are asked for player by player, each
without knowing the others'. The same seed and the same numbers give the same play, on every engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex

from gdl.errors import GameError, Problem, Refusal, clean, count_text, listing
from gdl.game import Action, Game, Number
from gdl.interpreter.rules_game import RulesGame
from gdl.states.game_wrapper import innermost_game
from gdl.wings.programs.numbering import ActionNumbering
from gdl.wings.programs.planes import Planes, planes_of

MOST_MASKED = 1 << 24  # numbers of actions that a mask shows


class Environment(ABC):
    """One play of a game, step by step. `gdl.environment` makes it.

    Attributes:
        game: the game.
        players: the names of the players.
        player: the index of the player who is to act; None when play is over.
        over: True when play is over.
        legal: the numbers of the player's legal actions, in the order of the file.
        actions: how many numbers of actions there are; they run from 0 to `actions - 1`.

    Example:
        >>> import gdl
        >>> env = gdl.environment("nim", engine="interpreter")
        >>> while not env.over:
        ...     env.step(env.legal[0])
        >>> env.utilities
        (-1, 1)
    """

    over: bool
    player: int | None
    legal: tuple[int, ...]

    def __init__(self, game: Game[Any], numbering: ActionNumbering):
        self.game = game
        self.players = game.players
        self.numbering = numbering
        self.actions = numbering.total

    if not TYPE_CHECKING:  # type checkers know which attributes there are

        def __getattr__(self, name: str) -> Any:
            from gdl.errors.codes import missing_attribute

            raise missing_attribute(self, "play", name)

    # -- play -----------------------------------------------------------------------------------------------

    @abstractmethod
    def reset(self, seed: int | None = None) -> None:
        """Begin another play.

        Args:
            seed: the whole number that decides all that chance will do; None: chance goes on where it was.
        """

    @abstractmethod
    def step(self, number: SupportsIndex) -> None:
        """Do an action of the player who is to act, then whatever needs no decision, such as moves of chance.

        Args:
            number: the number of the action, one of `legal`.

        Raises:
            GameError: no legal action has this number, or the rules are at fault.
        """

    @abstractmethod
    def undo(self) -> None:
        """Take back the last step, with all that chance did after it.

        Raises:
            GameError: there is no step to take back.
        """

    @abstractmethod
    def copy(self) -> Environment:
        """Copy the play.

        Returns:
            A play that goes on independently. After the same actions chance does the same in both, unless you call
            `reseed`.
        """

    @abstractmethod
    def reseed(self, seed: int) -> None:
        """Decide anew what chance will do from now on.

        Args:
            seed: a whole number.
        """

    @property
    @abstractmethod
    def played(self) -> tuple[int, ...]:
        """The numbers of the actions since the play began."""

    # -- what there is to do --------------------------------------------------------------------------------

    @property
    @abstractmethod
    def names(self) -> dict[int, Action]:
        """The name of each legal action, by its number."""

    @property
    @abstractmethod
    def choosers(self) -> tuple[int, ...]:
        """The players who choose here, unseen by one another: the one who is asked alone, or all of a move at once."""

    @property
    def choices(self) -> dict[int, tuple[int, ...]]:
        """The numbers of the legal actions of each player who chooses here and has not chosen yet."""
        found: dict[int, tuple[int, ...]] = {}
        waiting = [] if self.player is None else [p for p in self.choosers if p >= self.player]
        probe = self if len(waiting) < 2 else self.copy()
        for player in waiting:
            found[player] = probe.legal
            if player != waiting[-1]:
                probe.step(probe.legal[0])
        return found

    @property
    def numbers(self) -> dict[Action, int]:
        """The number of each legal action, by its name."""
        return {name: number for number, name in self.names.items()}

    @property
    def mask(self) -> bytearray:
        """A byte for each number of an action: 1 where it is legal, else 0; `actions` bytes in all.

        Raises:
            Refusal: there are too many numbers.
        """
        if self.actions > MOST_MASKED:
            much = f"{self.actions:,}" if self.actions < 10**15 else f"10^{len(str(self.actions)) - 1}"
            raise Refusal(f"a mask of {clean(self.game.name)} would have {much} numbers: use legal")
        found = bytearray(self.actions)
        for number in self.legal:
            found[number] = 1
        return found

    def action_text(self, number: int) -> str:
        """Name the action of a number, whatever the position is.

        Args:
            number: a number from 0 to `actions - 1`.

        Returns:
            The action as the file writes it, such as `take(2, 3)`.

        Raises:
            GameError: the number is out of range.
        """
        if not 0 <= number < self.actions:
            raise GameError(Problem(f"no action has the number {number}", help=f"numbers are 0 to {self.actions - 1}"))
        return self.numbering.text(number)

    # -- what it is worth -----------------------------------------------------------------------------------

    @property
    @abstractmethod
    def utilities(self) -> tuple[Number, ...]:
        """Each player's payoff: at the end the utility, before it the gains on the way (0 in most games)."""

    @property
    @abstractmethod
    def rewards(self) -> tuple[Number, ...]:
        """Each player's gain by the last step: 0 in most games until the end, which pays the utilities."""

    # -- what is seen ---------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def position(self) -> Any:
        """The state of the game where play stands, with what players remember."""

    @property
    def state(self) -> str:
        """The position drawn, with everything that is hidden."""
        return self.game.show(self.position)

    def sight(self, player: int) -> str:
        """Draw the position as a player sees it.

        Args:
            player: the index of the player.

        Returns:
            The drawing, on one or several lines.

        Raises:
            GameError: no player has that index.
        """
        known_player(self.players, player)
        game, state = innermost_game(self.game, self.position)
        if isinstance(game, RulesGame):
            return game.show_to(state, player)
        return self.information(player)

    @abstractmethod
    def information(self, player: int) -> str:
        """Write down all that a player knows, of this position and of the play so far.

        Args:
            player: the index of the player.

        Returns:
            The name of the player's information set.
        """

    @abstractmethod
    def information_set(self, player: int) -> Hashable:
        """A key of what a player knows: equal in exactly those positions that the player cannot tell apart.

        Args:
            player: the index of the player.

        Returns:
            Any hashable object.
        """

    def observation(self, player: int) -> memoryview[float]:
        """Show the position to a player in numbers.

        Args:
            player: the index of the player.

        Returns:
            An array of 32-bit floats from 0 to 1, of the shape `observation_shape`; `legend` says what each plane
            shows. `numpy.asarray` takes it without a copy.

        Raises:
            GameError: no player has that index.
        """
        known_player(self.players, player)
        return self.planes.observe(innermost_game(self.game, self.position)[1], player)

    @cached_property
    def planes(self) -> Planes:
        """The planes of observations, which know how to fill themselves from a state."""
        return planes_of(innermost_game(self.game, self.position)[0])

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of an observation: the planes, then the rows and columns of the board if there is one."""
        return self.planes.shape

    @property
    def legend(self) -> tuple[str, ...]:
        """The meaning of each plane of an observation."""
        return self.planes.legend

    @property
    @abstractmethod
    def chance(self) -> int:
        """The state of the random generator, which decides what chance will do."""

    def __eq__(self, other: object) -> bool:
        """True if it is the same play of the same game, at the same point, with the same chance to come."""
        if self is other or type(self) is not type(other):
            return self is other
        assert isinstance(other, Environment)
        return (self.chance, self.played, self.position, self.game) == (
            other.chance, other.played, other.position, other.game,
        )  # fmt: skip

    def __deepcopy__(self, memo: object = None) -> Environment:
        return self.copy()

    __copy__ = __deepcopy__

    def __repr__(self) -> str:
        if self.over:
            return f"<{self.game.name}: over>"
        assert self.player is not None
        return f"<{self.game.name}: {self.players[self.player]} has {count_text(len(self.legal), 'action')}>"


def known_player(players: Sequence[str], player: object) -> None:
    """Raise GameError unless this is the index of a player."""
    if not isinstance(player, SupportsIndex) or not 0 <= player.__index__() < len(players):
        names = [f"{n} ({clean(name)})" for n, name in enumerate(players)]
        raise GameError(Problem(f"no player has the index {player!r}", help=f"players are {listing(names)}"))


def known_seed(seed: object) -> int:
    """The seed as an `int`, also if it is a whole number of numpy's. Raises GameError where it is no whole number."""
    if isinstance(seed, SupportsIndex):
        return index(seed)
    raise GameError(Problem(f"{seed!r} is no seed", help="give a whole number, as in reset(seed=1)"))


def illegal(env: Environment, number: object) -> GameError:
    """The error for a number that is no legal action's."""
    if env.over:
        return GameError(Problem(f"there is no action {number!r}: play is over", help="reset() begins another play"))
    if isinstance(number, str) and number in env.numbers:
        help = f"step({env.numbers[number]}), or step(env.numbers[{number!r}])"
        return GameError(Problem(f"{number!r} is the name of an action, and its number is due", help=help))
    names = [f"{n} ({clean(name)})" for n, name in env.names.items()]
    assert env.player is not None
    who = clean(env.players[env.player])
    return GameError(Problem(f"{number!r} is no legal action of {who} here", help=f"legal are {listing(names)}"))


def nothing_to_undo() -> GameError:
    help = "undo() takes back what step() did since reset()"
    return GameError(Problem("there is no step to take back", help=help))

"""Trees and matrices that are loaded: games as they stand, which also give environments of themselves."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Protocol, Self

from gdl import wings
from gdl.game import NO_ENGINE, NO_PROMISES, Engine, Game, Node, Number, Promises, Traits
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.states.explore import reachable_traits

if TYPE_CHECKING:
    cached_property = property  # which type checkers take for one of the protocol
else:
    from functools import cached_property


class Steppable:
    """A game that can be stepped."""

    def environment(self: Any, *, engine: str = "auto", seed: int = 0, steps: bool = False) -> Any:
        """Begin a play of the game, to be stepped by the numbers of actions.

        Args:
            engine: as for `gdl.environment`, like all that follow.
            seed: the whole number that decides what chance does.
            steps: True to ask for an action part by part.

        Returns:
            The play at its beginning.
        """
        return wings.hook("Game.environment")(self, engine=engine, seed=seed, steps=steps)

    def environments(
        self: Any, count: int, *, seed: int = 0, engine: str = "auto", most: int = 4096, steps: bool = False
    ) -> Any:
        """Begin many plays of the game, to be stepped together.

        Args:
            count: the number of plays.
            seed: the whole number that decides what chance does in all of them.
            engine: `auto`, `wasm` or `python`.
            most: for how many legal actions of a play there is room.
            steps: ask players for the parts of an action, one after the other.

        Returns:
            The plays at their beginning.

        Raises:
            Refusal: the compiled engine cannot step this game in this way.
            GameError: `count` is not a whole number.
        """
        return wings.hook("Game.environments")(self, count, seed=seed, engine=engine, most=most, steps=steps)

    def __repr__(self: Any) -> str:
        return f"<{self.name}>"

    if not TYPE_CHECKING:  # type checkers know which attributes there are

        def __getattr__(self, name: str) -> Any:
            from gdl.errors.codes import missing_attribute

            raise missing_attribute(self, "game", name)


class SteppableModel(Steppable):
    """A game of a checked model. It is pickled by the model, is equal to a game of the same class, name, rules and
    learned weights, and is its own copy."""

    model: Any
    name: str

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model,)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __eq__(self, other: Any) -> bool:
        if self is other or type(self) is not type(other):
            return self is other
        mine, theirs = ((game.name, getattr(game.model, "learned", None), game._rules) for game in (self, other))
        return bool(mine == theirs)

    @cached_property
    def _rules(self) -> str:
        """The fingerprint of the model."""
        from gdl.model.fingerprint import fingerprint

        return fingerprint(self.model)

    def __hash__(self) -> int:
        return hash((type(self), self.name))


if TYPE_CHECKING:

    class SteppableGame(Game[Any], Protocol):
        """A loaded game, as type checkers see it."""

        @property
        def model(self) -> Any: ...
        def environment(self, *, engine: str = "auto", seed: int = 0, steps: bool = False) -> Any: ...
        def environments(
            self, count: int, *, seed: int = 0, engine: str = "auto", most: int = 4096, steps: bool = False
        ) -> Any: ...


class OwnGame(Steppable):
    """The base of a class of your own that is a game: write the methods `initial`, `node` and `successor`.

    All other methods have defaults here: everybody sees everything, there are no estimates, and the traits are found by
    walking through all states. States must be hashable, and must never change.

    Attributes:
        players: the names of the players.

    Example:
        >>> import gdl
        >>> from gdl.game import Decision, Terminal
        >>> class Coin(gdl.OwnGame):
        ...     players = ("Ann",)
        ...     def initial(self):
        ...         return "start"
        ...     def node(self, state):
        ...         if state == "start":
        ...             return Decision(0, ("take", "leave"))
        ...         return Terminal((1 if state == "take" else 0,))
        ...     def successor(self, state, action):
        ...         return action
        >>> gdl.solve(Coin()).best
        ('take',)
    """

    players: tuple[str, ...] = ("A", "B")
    engine: Engine = NO_ENGINE
    promises: Promises = NO_PROMISES

    @property
    def name(self) -> str:
        """The name of the game: that of its class."""
        return type(self).__name__

    @cached_property
    def traits(self) -> Traits:
        """Properties on which solvers may rely, found by walking through all states."""
        game: Any = self
        return reachable_traits(game)

    def initial(self) -> Any:
        """The state in which play begins; yours to write.

        Returns:
            Any hashable value that never changes.
        """
        raise NotImplementedError

    def node(self, state: Any) -> Node:
        """The kind of a state; yours to write.

        Args:
            state: a state that `initial` or `successor` returned.

        Returns:
            A Terminal, Chance, Decision or Simultaneous of `gdl.game`.
        """
        raise NotImplementedError

    def successor(self, state: Any, action: Any) -> Any:
        """The state to which an action leads; yours to write.

        Args:
            state: a state that is not terminal.
            action: an action or an outcome of its node; where players move at once, a tuple with one action per player.

        Returns:
            The next state.
        """
        raise NotImplementedError

    def information_set(self, state: Any, player: int) -> Hashable:
        """A key of what a player knows in a state. Here: the state itself, for everybody sees everything.

        Args:
            state: a state.
            player: the index of the player.

        Returns:
            Any hashable object, equal in exactly those states that the player cannot tell apart.
        """
        hashable: Hashable = state
        return hashable

    def describe(self, state: Any, player: int) -> str:
        """The name of a player's information set. Here: its key as a text.

        Args:
            state: a state.
            player: the index of the player.

        Returns:
            The name.
        """
        return str(self.information_set(state, player))

    def evaluate(self, state: Any) -> tuple[Number, ...] | None:
        """An estimate of the utilities in a state, for searches that are cut off. Here: none.

        Args:
            state: a state.

        Returns:
            One number per player; None if there is no estimate.
        """
        return None

    def label(self, state: Any) -> str | None:
        """The author's own name of a state. Here: none.

        Args:
            state: a state.

        Returns:
            The name; None if there is none.
        """
        return None

    def show(self, state: Any) -> str:
        """Draw a state for people. Here: `str(state)`.

        Args:
            state: a state.

        Returns:
            The drawing, on one or several lines.
        """
        return str(state)


class SteppableTree(SteppableModel, TreeGame):
    """An explicit tree."""


class SteppableMatrix(SteppableModel, MatrixGame):
    """A matrix."""

"""Trees and matrices that are loaded: games as they stand, which also give environments of themselves."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, overload

from gdl.game import NO_ENGINE, NO_PROMISES, Engine, Game, Node, Number, Promises, Traits
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.states.explore import reachable_traits

if TYPE_CHECKING:
    cached_property = property  # which type checkers take for one of the protocol
    from gdl.playing.stepping.batch import Environments
    from gdl.playing.stepping.environment import Environment
    from gdl.playing.stepping.stepped_batch import SteppedEnvironments
else:
    from functools import cached_property


class Steppable:
    """A game that can be stepped."""

    def environment(self: Any, *, engine: str = "auto", seed: int = 0, steps: bool = False) -> Environment:
        """The game, ready to be stepped, by `engine`; `seed` decides what chance does, `steps` asks step by step."""
        from gdl.playing.stepping.making import environment

        return environment(self, engine=engine, seed=seed, steps=steps)

    def environments(
        self: Any, count: int, *, seed: int = 0, engine: str = "auto", most: int = 4096, steps: bool = False
    ) -> Any:
        """So many plays of the game (`count`), stepped together; `most`: legal actions for which there is room in each.

        Chance follows from `seed`, `engine` is `auto`, `wasm` or `python`. With `steps` players are asked for the parts
        of an action, one after the other. Raises Refusal where the compiled engine
        cannot step the game so.
        """
        from gdl.playing.stepping.batch import environments

        plays = environments(self, count, seed=seed, engine=engine, most=most)
        if not steps:
            return plays
        from gdl.playing.stepping.stepped_batch import SteppedEnvironments

        return SteppedEnvironments(plays)

    def __repr__(self: Any) -> str:
        return f"<{self.name}>"


class SteppableModel(Steppable):
    """One of a checked model: it is pickled by that, equal to another of the same rules and name, and its own copy."""

    model: Any
    name: str

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model,)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __eq__(self, other: object) -> bool:
        if self is other or type(self) is not type(other):
            return self is other
        from gdl.model.fingerprint import fingerprint

        assert isinstance(other, SteppableModel)
        learned = [
            (getattr(game.model, "learned", None), getattr(game.model, "leaning", None)) for game in (self, other)
        ]
        return (
            self.name == other.name and learned[0] == learned[1] and fingerprint(self.model) == fingerprint(other.model)
        )

    def __hash__(self) -> int:
        return hash((type(self), self.name))


if TYPE_CHECKING:

    class SteppableGame(Game[Any], Protocol):
        """A loaded game, as type checkers see it."""

        @property
        def model(self) -> Any: ...
        def environment(self, *, engine: str = "auto", seed: int = 0, steps: bool = False) -> Environment: ...
        @overload
        def environments(
            self, count: int, *, seed: int = 0, engine: str = "auto", most: int = 4096, steps: Literal[False] = False
        ) -> Environments: ...
        @overload
        def environments(
            self, count: int, *, seed: int = 0, engine: str = "auto", most: int = 4096, steps: Literal[True]
        ) -> SteppedEnvironments: ...


class OwnGame(Steppable):
    """A game of one's own, for a class that has the three methods `initial`, `node` and `successor`.

    What is asked beside them has an answer here: everybody sees everything, nothing is estimated, and the traits are
    found by walking through all states. A state must be hashable and is never changed.
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
        """The state in which play begins."""
        raise NotImplementedError

    def node(self, state: Any) -> Node:
        """The kind of a state: Terminal, Chance, Decision or Simultaneous of `gdl.game`."""
        raise NotImplementedError

    def successor(self, state: Any, action: Any) -> Any:
        """The state to which an action leads, an outcome, or of a move at once a tuple with one action per player."""
        raise NotImplementedError

    def information_set(self, state: Any, player: int) -> Hashable:
        """A key of the player's knowledge in a state: equal for exactly those states that the player cannot tell
        apart."""
        hashable: Hashable = state
        return hashable

    def describe(self, state: Any, player: int) -> str:
        """The name of the information set of a player in a state."""
        return str(self.information_set(state, player))

    def evaluate(self, state: Any) -> tuple[Number, ...] | None:
        """An estimate of what the state is worth, where search is cut off."""
        return None

    def label(self, state: Any) -> str | None:
        """The author's name of the state."""
        return None

    def show(self, state: Any) -> str:
        """The state for people."""
        return str(state)


class SteppableTree(SteppableModel, TreeGame):
    """An explicit tree."""


class SteppableMatrix(SteppableModel, MatrixGame):
    """A matrix."""

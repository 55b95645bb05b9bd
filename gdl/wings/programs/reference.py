"""Any game as an environment, by its own `node` and `successor`: what the compiled engine must agree with."""

from __future__ import annotations

from collections.abc import Hashable
from operator import attrgetter, index
from typing import Any, SupportsIndex

from gdl.game import Action, Game
from gdl.states.checked_game import ensure_checked
from gdl.states.explore import choosers
from gdl.states.random_numbers import Generator
from gdl.states.sequential import Turn
from gdl.wings.programs.environment import Environment, illegal, known_player, known_seed, nothing_to_undo
from gdl.wings.programs.numbering import ActionNumbering, numbering
from gdl.wings.programs.play_course import PlayCursor, PlaySnapshot


class ReferenceEnvironment(Environment):
    """A game stepped by its own methods."""

    def __init__(self, game: Game[Any], numbered: ActionNumbering | None = None, seed: int = 0):
        super().__init__(ensure_checked(game), numbered or numbering(game))
        self._course = PlayCursor(self.game, self.numbering, known_seed(seed))
        self._trail: list[tuple[int, PlaySnapshot]] = []  # the numbers played, each with where play stood before
        self._stand()

    def reset(self, seed: int | None = None) -> None:
        if seed is not None:
            self.reseed(seed)
        self._trail = []
        self._course.begin()
        self._stand()

    def step(self, number: SupportsIndex) -> None:
        course = self._course
        name = course.names.get(index(number)) if isinstance(number, SupportsIndex) else None
        if name is None:
            raise illegal(self, number)
        moment = course.moment()
        course.choose(name)
        self._trail.append((index(number), moment))
        self._stand()

    def undo(self) -> None:
        if not self._trail:
            raise nothing_to_undo()
        _, moment = self._trail.pop()
        self._course.restore(moment)
        self._stand()

    def copy(self) -> ReferenceEnvironment:
        other = ReferenceEnvironment.__new__(ReferenceEnvironment)
        other.__dict__.update(self.__dict__)
        other._course, other._trail = self._course.copy(), list(self._trail)
        return other

    def reseed(self, seed: int) -> None:
        self._course.generator = Generator(known_seed(seed))

    @property
    def chance(self) -> int:
        """The state of the random generator, which decides what chance will do."""
        return self._course.generator.state

    @chance.setter
    def chance(self, state: int) -> None:
        self._course.generator.state = state

    utilities, rewards, position = (
        property(attrgetter(f"_course.{name}")) for name in ("utilities", "rewards", "state")
    )

    @property
    def played(self) -> tuple[int, ...]:
        return tuple(number for number, _ in self._trail)

    @property
    def choosers(self) -> tuple[int, ...]:
        return choosers(self._course.node)

    @property
    def turn(self) -> Turn:
        """The point of the play, as a state of the game in which moves at once are turns."""
        return Turn(self.position, self._course.chosen)

    @property
    def names(self) -> dict[int, Action]:
        return dict(self._course.names)

    def information(self, player: int) -> str:
        known_player(self.players, player)
        known = self.game.describe(self.position, player)
        return f"{known}, {self._course.chosen[player]}" if self._course.has_chosen(player) else known

    def information_set(self, player: int) -> Hashable:
        known_player(self.players, player)
        known = self.game.information_set(self.position, player)
        return (known, self._course.chosen[player]) if self._course.has_chosen(player) else known

    def _stand(self) -> None:
        """Set `player`, `legal` and `over` from the point of the play."""
        course = self._course
        self.player, self.legal = course.player, tuple(course.names)
        self.over = course.player is None

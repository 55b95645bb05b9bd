"""Any game as an environment, by its own `node` and `successor`: what the compiled engine must agree with.

Play goes from decision to decision, with chance drawn between.
"""

from __future__ import annotations

from collections.abc import Hashable
from operator import index
from typing import Any, NamedTuple, SupportsIndex

from gdl.errors import GameError, Problem
from gdl.game import Action, Chance, Decision, Game, Joint, Node, Number, Simultaneous, Terminal, require_number
from gdl.playing.stepping.environment import Environment, illegal, known_player, known_seed, nothing_to_undo
from gdl.playing.stepping.numbering import ActionNumbering, numbering
from gdl.states.checked_game import ensure_checked
from gdl.states.explore import choosers
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator
from gdl.states.sequential import Turn

MOST_CHANCES = 1_000_000  # steps of chance without a decision between them


class PlaySnapshot(NamedTuple):
    """A point of a play: the state, the hidden choices made there, the state of the random generator, and the payoffs
    so far."""

    state: Any
    chosen: Joint
    chance: int
    gained: tuple[Number, ...]  # so far
    weight: Number  # discount of what is gained next
    rewards: tuple[Number, ...]  # of the last step


class ReferenceEnvironment(Environment):
    """A game stepped by its own methods."""

    def __init__(self, game: Game[Any], numbered: ActionNumbering | None = None, seed: int = 0):
        super().__init__(ensure_checked(game), numbered or numbering(game))
        self._generator = Generator(known_seed(seed))
        rewards = self.game.promises.rewards
        self._discount: Number = 1 if rewards is None else rewards.discount
        self._nothing: tuple[Number, ...] = (0,) * len(self.players)
        self.reset()

    # -- play -----------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        if seed is not None:
            self.reseed(seed)
        self._trail: list[tuple[int, PlaySnapshot]] = []  # the numbers played, each with where play stood before
        self._chosen: Joint = ()
        self._gained = self._rewards = self._nothing
        self._weight: Number = 1
        self._come_to(self.game.initial())

    def step(self, number: SupportsIndex) -> None:
        name = self._names.get(index(number)) if isinstance(number, SupportsIndex) else None
        if name is None:
            raise illegal(self, number)
        before = PlaySnapshot(self._state, self._chosen, self.chance, self._gained, self._weight, self._rewards)
        self._rewards = self._nothing
        self._choose(name)
        self._trail.append((index(number), before))

    def undo(self) -> None:
        if not self._trail:
            raise nothing_to_undo()
        _, (state, self._chosen, self.chance, self._gained, self._weight, self._rewards) = self._trail.pop()
        self._enter(state, self.game.node(state))

    def copy(self) -> ReferenceEnvironment:
        other = ReferenceEnvironment.__new__(ReferenceEnvironment)
        other.__dict__.update(self.__dict__)
        other._generator, other._trail = Generator(self.chance), list(self._trail)
        return other

    def reseed(self, seed: int) -> None:
        self._generator = Generator(known_seed(seed))

    @property
    def chance(self) -> int:
        """The state of the random generator, which decides what chance will do."""
        return self._generator.state

    @chance.setter
    def chance(self, state: int) -> None:
        self._generator.state = state

    @property
    def played(self) -> tuple[int, ...]:
        return tuple(number for number, _ in self._trail)

    def _choose(self, name: Action) -> None:
        """Do an action of the player who is asked, then whatever needs no decision, such as moves of chance."""
        node = self._node
        if not isinstance(node, Simultaneous):
            self._go(name)
            return
        assert self.player is not None
        self._chosen += ("",) * (self.player - len(self._chosen)) + (name,)
        after = _chooser(node, len(self._chosen))
        if after is None:
            self._go((*self._chosen, *("",) * (len(node.actions) - len(self._chosen))))
        else:
            self._ask(after, node.actions[after])

    def _go(self, move: Action | Joint) -> None:
        """Make a move of one player or a joint one, then everything after it that needs no decision."""
        self._chosen = ()
        self._gain(self._state, move)
        self._weight *= self._discount
        self._come_to(self.game.successor(self._state, move))

    def _come_to(self, state: Any) -> None:
        """Go on from the state to the next decision, or to the end."""
        node, left = self.game.node(state), MOST_CHANCES
        while isinstance(node, Chance) or (isinstance(node, Simultaneous) and not any(node.actions)):
            left -= 1
            if not left:
                raise endless()
            nobody = ("",) * len(self.players)
            move: Action | Joint = random_move(node, self._generator) if isinstance(node, Chance) else nobody
            self._gain(state, move)
            state = self.game.successor(state, move)
            node = self.game.node(state)
        self._enter(state, node)
        if isinstance(node, Terminal) and self._open is None:
            self._add(node.utilities)  # type: ignore[arg-type]  # none is open

    def _enter(self, state: Any, node: Node) -> None:
        """Stand at a state where somebody decides, or play is over."""
        self._state, self._node, self.over = state, node, isinstance(node, Terminal)
        self._open = None
        if isinstance(node, Decision):
            self._ask(node.player, node.actions)
        elif isinstance(node, Simultaneous):
            player = _chooser(node, len(self._chosen))
            assert player is not None
            self._ask(player, node.actions[player])
        else:
            assert isinstance(node, Terminal)
            if not all(isinstance(utility, Number) for utility in node.utilities):
                self._open = node.utilities
            self._ask(None, ())

    def _ask(self, player: int | None, names: tuple[Action, ...]) -> None:
        numbers = [] if player is None else self.numbering.of(self.game, self._state, player, names)
        self.player, self.legal = player, tuple(numbers)
        self._names = dict(zip(numbers, names, strict=True))

    def _gain(self, state: Any, move: Action | Joint) -> None:
        """Add what is gained by a move, where the game pays rewards on the way."""
        rewards = self.game.promises.rewards
        if rewards is not None:
            self._add(rewards.of(state, move))

    def _add(self, gained: tuple[Number, ...]) -> None:
        self._rewards = tuple(have + more for have, more in zip(self._rewards, gained, strict=True))
        self._gained = tuple(have + self._weight * more for have, more in zip(self._gained, gained, strict=True))

    # -- what is known ----------------------------------------------------------------------------------------

    @property
    def utilities(self) -> tuple[Number, ...]:
        """Each player's gains so far. Raises GameError at an end whose utilities are not known."""
        return self._gained if self._open is None else tuple(map(require_number, self._open))

    @property
    def rewards(self) -> tuple[Number, ...]:
        return self._rewards if self._open is None else tuple(map(require_number, self._open))

    @property
    def position(self) -> Any:
        return self._state

    @property
    def choosers(self) -> tuple[int, ...]:
        return choosers(self._node)

    @property
    def turn(self) -> Turn:
        """The point of the play, as a state of the game in which moves at once are turns."""
        return Turn(self._state, self._chosen)

    @property
    def names(self) -> dict[int, Action]:
        return dict(self._names)

    def information(self, player: int) -> str:
        own = self._own_choice(player)
        known = self.game.describe(self._state, player)
        return f"{known}, {own}" if own else known

    def information_set(self, player: int) -> Hashable:
        own = self._own_choice(player)
        known = self.game.information_set(self._state, player)
        return (known, own) if own else known

    def _own_choice(self, player: int) -> Action:
        """The action that the player has chosen here, unseen by the others; "" if there is none."""
        known_player(self.players, player)
        return self._chosen[player] if player < len(self._chosen) else ""


def endless() -> GameError:
    """The error of a play in which chance moves for ever."""
    message = f"chance has done {MOST_CHANCES:,} steps, and nobody has to decide"
    return GameError(Problem(message, help="end the game, or let a player act, after a number of chance steps"))


def _chooser(node: Simultaneous, start: int) -> int | None:
    """The first player from `start` on who has a choice; None if nobody has."""
    return next((p for p in range(start, len(node.actions)) if node.actions[p]), None)

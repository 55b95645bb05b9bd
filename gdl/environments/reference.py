"""Any game as an environment, by its own `node` and `successor`: what the compiled engine must agree with."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any, NamedTuple

from gdl.environments.environment import Environment
from gdl.environments.numbering import Numbering, numbering
from gdl.errors import GameError, Problem
from gdl.game import Action, Chance, Decision, Game, Joint, Node, Number, Simultaneous, Terminal, known
from gdl.interpreter.rules import RulesGame
from gdl.states.checked_game import checked
from gdl.states.explore import choosers
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator
from gdl.states.sequential import Turn

MOST_CHANCES = 1_000_000  # steps of chance without a decision between them


class Moment(NamedTuple):
    """A point of a play: a state, what was chosen there unseen, and what chance will do."""

    state: Any
    chosen: Joint
    chance: int
    gained: tuple[Number, ...]  # so far
    weight: Number  # of what is gained next
    rewards: tuple[Number, ...]  # of the last step


class ReferenceEnvironment(Environment):
    """A game stepped by its own methods."""

    def __init__(self, game: Game[Any], numbered: Numbering | None = None, seed: int = 0):
        super().__init__(checked(game), numbered or numbering(game))
        self._generator = Generator(seed)
        self._named: dict[int, Action] = {}  # the legal actions
        self._nothing: tuple[Number, ...] = (0,) * len(self.players)
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        if seed is not None:
            self._generator = Generator(seed)
        self._trail: list[Moment] = []
        self._played: list[int] = []
        self._chosen: Joint = ()
        self._gained = self._rewards = self._nothing
        self._weight: Number = 1
        self._come_to(self.game.initial())

    def step(self, number: int) -> None:
        name = self._named.get(number)
        if name is None:
            raise self._illegal(number)
        moment = self._moment()
        self._rewards = self._nothing
        node = self._node
        if isinstance(node, Simultaneous):
            assert self.player is not None
            self._chosen += ("",) * (self.player - len(self._chosen)) + (name,)
            after = _chooser(node, len(self._chosen))
            if after is None:
                self._go((*self._chosen, *("",) * (len(self.players) - len(self._chosen))))
            else:
                self._ask(after, node.actions[after])
        else:
            self._go(name)
        self._trail.append(moment)
        self._played.append(number)

    def undo(self) -> None:
        if not self._trail:
            raise self._nothing_to_undo()
        self._played.pop()
        self._restore(self._trail.pop())

    def copy(self) -> ReferenceEnvironment:
        other = ReferenceEnvironment.__new__(ReferenceEnvironment)
        other.__dict__.update(self.__dict__)
        other._generator = Generator(self._generator.state)
        other._trail, other._played = list(self._trail), list(self._played)
        return other

    def reseed(self, seed: int) -> None:
        self._generator = Generator(seed)

    @property
    def chance(self) -> int:
        """The state of the generator: what chance will do."""
        return self._generator.state

    @chance.setter
    def chance(self, state: int) -> None:
        self._generator.state = state

    @property
    def played(self) -> tuple[int, ...]:
        return tuple(self._played)

    @property
    def choosers(self) -> tuple[int, ...]:
        return choosers(self._node)

    @property
    def turn(self) -> Turn:
        """Where play stands, as a state of the game in which moves at once are turns."""
        return Turn(self._at, self._chosen)

    @property
    def names(self) -> dict[int, Action]:
        return dict(self._named)

    @property
    def utilities(self) -> tuple[Number, ...]:
        return self._gained if self._open is None else tuple(map(known, self._open))

    @property
    def rewards(self) -> tuple[Number, ...]:
        return self._rewards if self._open is None else tuple(map(known, self._open))

    @property
    def state(self) -> str:
        return self.game.show(self._at)

    def sight(self, player: int) -> str:
        return self.game.show_to(self._at, player) if isinstance(self.game, RulesGame) else self.information(player)

    def information(self, player: int) -> str:
        known = self.game.describe(self._at, player)
        return f"{known}, {self._chosen[player]}" if self._has_chosen(player) else known

    def information_set(self, player: int) -> Hashable:
        known = self.game.information_set(self._at, player)
        return (known, self._chosen[player]) if self._has_chosen(player) else known

    def observation(self, player: int) -> memoryview[float]:
        return self.planes.seen(self._at, player)

    @property
    def position(self) -> Any:
        """The game's own state."""
        return self._at

    def _has_chosen(self, player: int) -> bool:
        return player < len(self._chosen) and self._chosen[player] != ""

    # -- going on -------------------------------------------------------------------------------------------

    def _go(self, move: Action | Joint) -> None:
        """Do it, and whatever follows without a decision."""
        self._chosen = ()
        self._gain(self._at, move)
        self._weight *= self._discount
        self._come_to(self.game.successor(self._at, move))

    def _come_to(self, state: Any) -> None:
        """Go on from the state to the next decision, or to the end."""
        node, left = self.game.node(state), MOST_CHANCES
        while (pause := _waits(node)) is not True:
            left -= 1
            if not left:
                raise endless(self.game)
            move = random_move(node, self._generator) if pause is None else ("",) * len(self.players)
            self._gain(state, move)
            state = self.game.successor(state, move)
            node = self.game.node(state)
        self._enter(state, node)
        if isinstance(node, Terminal) and self._open is None:
            self._add(node.utilities)  # type: ignore[arg-type]  # none is open

    def _enter(self, state: Any, node: Node) -> None:
        """Be at a state where somebody decides, or play is over."""
        self._at, self._node = state, node
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
            self.over, self.player = True, None
            self._named, self.legal = {}, ()

    def _ask(self, player: int, names: tuple[Action, ...]) -> None:
        self.over, self.player = False, player
        self._named = dict(zip(self.numbering.of(self.game, self._at, player, names), names, strict=True))
        self.legal = tuple(self._named)

    def _gain(self, state: Any, move: Action | Joint) -> None:
        """Note what is gained by a move, where something is."""
        rewards = self.game.promises.rewards
        if rewards is not None:
            self._add(rewards.of(state, move))

    def _add(self, gained: tuple[Number, ...]) -> None:
        self._rewards = tuple(have + more for have, more in zip(self._rewards, gained, strict=True))
        self._gained = tuple(have + self._weight * more for have, more in zip(self._gained, gained, strict=True))

    @cached_property
    def _discount(self) -> Number:
        rewards = self.game.promises.rewards
        return 1 if rewards is None else rewards.discount

    def _moment(self) -> Moment:
        return Moment(self._at, self._chosen, self._generator.state, self._gained, self._weight, self._rewards)

    def _restore(self, moment: Moment) -> None:
        state, self._chosen, chance, self._gained, self._weight, self._rewards = moment
        self._generator.state = chance
        self._enter(state, self.game.node(state))


def endless(game: Game[Any]) -> GameError:
    """What is said where chance goes on for ever."""
    message = f"chance has done {MOST_CHANCES:,} steps, and nobody has to decide"
    return GameError(Problem(message, help="end the game, or let a player act, after a number of chance steps"))


def _waits(node: Node) -> bool | None:
    """Whether a decision, or the end, has been come to; None: chance moves; False: nobody has a choice."""
    if isinstance(node, Chance):
        return None
    return not isinstance(node, Simultaneous) or any(node.actions)


def _chooser(node: Simultaneous, start: int) -> int | None:
    """The first player from there on who has a choice."""
    return next((p for p in range(start, len(node.actions)) if node.actions[p]), None)

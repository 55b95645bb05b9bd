"""The course of a play by a game's own `node` and `successor`: from decision to decision, with chance drawn between."""

from __future__ import annotations

from typing import Any, NamedTuple

from gdl.errors import GameError, Problem
from gdl.game import Action, Decision, Game, Joint, Node, Number, Simultaneous, Terminal, require_number
from gdl.states.explore import choosers
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator
from gdl.wings.programs.numbering import ActionNumbering

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


class PlayCursor:
    """The present point of a play: `state` and its `node`, the `player` who is asked (None at the end) with the `names`
    of the legal actions by number, the hidden choices `chosen` here, and the rewards so far."""

    def __init__(self, game: Game[Any], numbering: ActionNumbering, seed: int):
        self.game, self.numbering = game, numbering
        self.generator = Generator(seed)
        self._nothing: tuple[Number, ...] = (0,) * len(game.players)
        rewards = game.promises.rewards
        self._discount: Number = 1 if rewards is None else rewards.discount
        self.begin()

    def begin(self) -> None:
        """Go to the first decision."""
        self.chosen: Joint = ()
        self._gained = self._rewards = self._nothing
        self._weight: Number = 1
        self._come_to(self.game.initial())

    def choose(self, name: Action) -> None:
        """Do an action of the player who is asked, then whatever needs no decision, such as moves of chance."""
        self._rewards = self._nothing
        node = self.node
        if not isinstance(node, Simultaneous):
            self._go(name)
            return
        assert self.player is not None
        self.chosen += ("",) * (self.player - len(self.chosen)) + (name,)
        after = _chooser(node, len(self.chosen))
        if after is None:
            self._go((*self.chosen, *("",) * (len(node.actions) - len(self.chosen))))
        else:
            self._ask(after, node.actions[after])

    def has_chosen(self, player: int) -> bool:
        """True if the player has chosen here, unseen by the others."""
        return player < len(self.chosen) and self.chosen[player] != ""

    @property
    def utilities(self) -> tuple[Number, ...]:
        """Each player's gains so far. Raises GameError at an end whose utilities are not known."""
        return self._gained if self._open is None else tuple(map(require_number, self._open))

    @property
    def rewards(self) -> tuple[Number, ...]:
        """Each player's gains by the last step alone."""
        return self._rewards if self._open is None else tuple(map(require_number, self._open))

    def moment(self) -> PlaySnapshot:
        return PlaySnapshot(self.state, self.chosen, self.generator.state, self._gained, self._weight, self._rewards)

    def restore(self, moment: PlaySnapshot) -> None:
        """Go back to a point of the play."""
        state, self.chosen, self.generator.state, self._gained, self._weight, self._rewards = moment
        self._enter(state, self.game.node(state))

    def copy(self) -> PlayCursor:
        other = PlayCursor.__new__(PlayCursor)
        other.__dict__.update(self.__dict__)
        other.generator = Generator(self.generator.state)
        return other

    def _go(self, move: Action | Joint) -> None:
        """Make a move of one player or a joint one, then everything after it that needs no decision."""
        self.chosen = ()
        self._gain(self.state, move)
        self._weight *= self._discount
        self._come_to(self.game.successor(self.state, move))

    def _come_to(self, state: Any) -> None:
        """Go on from the state to the next decision, or to the end."""
        node, left = self.game.node(state), MOST_CHANCES
        while not _waits(node):
            left -= 1
            if not left:
                raise endless()
            move = random_move(node, self.generator)
            self._gain(state, move)
            state = self.game.successor(state, move)
            node = self.game.node(state)
        self._enter(state, node)
        if isinstance(node, Terminal) and self._open is None:
            self._add(node.utilities)

    def _enter(self, state: Any, node: Node) -> None:
        """Stand at a state where somebody decides, or play is over."""
        self.state, self.node = state, node
        self._open = None
        if isinstance(node, Decision):
            self._ask(node.player, node.actions)
        elif isinstance(node, Simultaneous):
            player = _chooser(node, len(self.chosen))
            assert player is not None
            self._ask(player, node.actions[player])
        else:
            assert isinstance(node, Terminal)
            if not all(isinstance(utility, Number) for utility in node.utilities):
                self._open = node.utilities
            self.player: int | None = None
            self.names: dict[int, Action] = {}

    def _ask(self, player: int, names: tuple[Action, ...]) -> None:
        self.player = player
        self.names = dict(zip(self.numbering.numbers_of(self.game, self.state, player, names), names, strict=True))

    def _gain(self, state: Any, move: Action | Joint) -> None:
        """Add what is gained by a move, where the game pays rewards on the way."""
        rewards = self.game.promises.rewards
        if rewards is not None:
            self._add(rewards.of(state, move))

    def _add(self, gained: tuple[Number, ...]) -> None:
        self._rewards = tuple(have + more for have, more in zip(self._rewards, gained, strict=True))
        self._gained = tuple(have + self._weight * more for have, more in zip(self._gained, gained, strict=True))


def endless() -> GameError:
    """The error of a play in which chance moves for ever."""
    message = f"chance has done {MOST_CHANCES:,} steps, and nobody has to decide"
    return GameError(Problem(message, help="end the game, or let a player act, after a number of chance steps"))


def _waits(node: Node) -> bool:
    """True if play has come to a decision, or to its end; False if chance moves, or nobody has a choice."""
    return isinstance(node, Terminal) or bool(choosers(node))


def _chooser(node: Simultaneous, start: int) -> int | None:
    """The first player from `start` on who has a choice; None if nobody has."""
    return next((player for player in choosers(node) if player >= start), None)

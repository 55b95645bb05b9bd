"""Playing a game in a terminal: people at some of the seats, a function at the others.

The dialogue is plain lines in and out. A joint move is turns taken unseen; of a game that hides something a person is
shown only what their player knows, and everything when it is over. Chance is drawn by seed, so that the same
chances come after the same choices, also after `undo`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from random import Random
from typing import Any, NamedTuple, Protocol

from gdl.errors import clean, listing
from gdl.game import Action, Chance, Decision, Game, Node, Terminal
from gdl.interpreter.explicit_game import MatrixGame
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.board import AXES, column_letters
from gdl.model.domains import board_of
from gdl.model.games import Rule
from gdl.playing.replies import Replies, most_common
from gdl.render.position_text import matrix_text, turn_text
from gdl.states.possible import Possible
from gdl.states.random_numbers import draw_action
from gdl.states.sequential import Sequential, Turn
from gdl.states.set_names import fact_text

# What a player sees of a position, and what they may write for their actions.


class Sight:
    """How a game looks to a player. Of trees nothing is drawn."""

    def __init__(self, game: Game[Any]):
        whole: Any = game
        while hasattr(whole, "game"):  # a game around a game
            whole = whole.game
        self.rules = whole if isinstance(whole, RulesGame) else None
        self.matrix = whole.model if isinstance(whole, MatrixGame) else None

    def draw_for(self, state: Any, player: int) -> str | None:
        """The position as the player sees it, a matrix as a table; None where there is nothing to draw."""
        if self.rules is not None:
            return self.rules.show_to(_inner(state), player)
        return None if self.matrix is None else matrix_text(self.matrix)

    def sayings_to(self, state: Any, player: int) -> tuple[str, ...]:
        """All that was said to the player since the start, in order."""
        return () if self.rules is None else self.rules.sayings_to(_inner(state), player)

    def replies(self, state: Any, player: int, actions: Sequence[Action], before: Iterable[Action]) -> Replies:
        """The replies that can be written for the player's actions; `before` has actions that were legal at earlier
        turns."""
        if self.rules is None:
            return Replies(actions, before=before)
        here = _inner(state)
        names = {action: option.rule.name for action, option in self.rules.options(here, player).items()}
        return Replies(
            actions, self._squares, self.rules.signs(here, player), self._common(player),
            _with_letters(actions, self.rules.model.actions), names, before,
        )  # fmt: skip

    @cached_property
    def _squares(self) -> tuple[str, ...]:
        """The squares of all boards, by name."""
        assert self.rules is not None
        types = [type for variable in self.rules.model.variables for type in variable.indices]
        types += [parameter.type for rule in self.rules.model.actions for parameter in rule.parameters]
        boards = [board for type in types if (board := board_of(type)) is not None]
        return tuple(dict.fromkeys(square for board in boards for square in board.squares))

    def _common(self, player: int) -> str:
        """The most common sign at the start of the game."""
        assert self.rules is not None
        return most_common(self.rules.signs(self.rules.initial(), player))


def _inner(state: Any) -> State:
    """The state of the rules inside wrapped states."""
    while isinstance(state, Turn):
        state = state.state
    assert isinstance(state, State)
    return state


def _with_letters(actions: Sequence[Action], rules: Sequence[Rule]) -> Mapping[Action, str]:
    """Second names of actions, with letters for the columns that stand in their brackets as numbers."""
    found = {}
    for rule in rules:
        axes = [parameter.axis for parameter in rule.parameters]
        if rule.template is not None or AXES[0] not in axes:
            continue
        for action in actions:
            name, _, inside = action.partition("(")
            words = inside.removesuffix(")").split(", ")
            if name == rule.name and len(words) == len(axes):
                letters = [
                    column_letters(int(word)) if axis == AXES[0] else word
                    for axis, word in zip(axes, words, strict=True)
                ]
                found[action] = f"{name}({', '.join(letters)})"
    return found


WIDTH = 80
_LISTED = 60  # actions that are shown at every turn

BRIEFLY = "Write an action or its number; help tells the rules and what else you can write, quit ends the game."
WRITING = (
    "Write an action, its number, the words in its brackets, or how it begins or ends (e4 for e2e4); before its end "
    "may stand the sign of the piece that moves (Nf3)."
)
WORDS = (
    "Other words: moves lists all actions, hint advises one, undo takes the last one back, help tells the rules, help "
    "NAME the rule of that name, quit ends the game."
)


class Opponent(Protocol):
    """The player of the seats at which no person sits, who also gives hints to persons."""

    def move(self, state: Turn, player: int) -> Action:
        """The player's action at the state."""
        ...

    def hint(self, state: Turn, player: int) -> str:
        """Advice for the player at the state, with its reason."""
        ...


class Console(Protocol):
    """The terminal at which persons sit."""

    def ask(self, prompt: str) -> str | None:
        """Read a line from the person, after a prompt; None at the end of the input."""
        ...

    def line(self, text: str) -> None:
        """Show a line to the person."""
        ...

    def hand_over(self, name: str) -> bool:
        """Let another person, who plays `name`, sit down, and hide from them what the one before has seen. Returns
        False if nobody does."""
        ...


class TellingProgress(NamedTuple):
    """How much of a play with hidden information a player has been told: the number of plies, and of things said."""

    plies: int = 0
    sayings: int = 0


class UndoPoint(NamedTuple):
    """A point of the play to which `undo` can return."""

    state: Turn
    played: tuple[Action, ...]
    told: dict[int, TellingProgress]  # by player


class Quit(Exception):
    """A person at the terminal ends the play."""


class Match:
    """One play of a game. `people` are the seats at which persons sit; `opponent` plays the others. `rules` gives the
    text of the rule of a name, for "" of all rules."""

    def __init__(
        self,
        game: Game[Any],
        people: Sequence[int],
        opponent: Opponent,
        seed: int,
        console: Console,
        rules: Callable[[str], str] = lambda name: "",
        meanwhile: Callable[[Turn], AbstractContextManager[None]] | None = None,
    ):
        """`seed` decides what chance does. `meanwhile` gives a context that is entered while a person thinks at a
        state, where nothing is hidden; None: nothing is done meanwhile."""
        self.game = Sequential(game)
        self.people = people
        self.opponent = opponent
        self.seed = seed
        self.console = console
        self.tell = console.line
        self.rules = rules
        self.meanwhile = meanwhile
        self.open = game.traits.perfect_information is True
        self.sight = Sight(game)
        self.state = self.game.initial()
        self.played: tuple[Action, ...] = ()
        self._moments: list[UndoPoint] = []
        self._before: dict[int, set[Action]] = {}  # by player: actions that were legal at some time
        self._seated: int | None = None  # who sits at the terminal, where something is hidden
        self._told: dict[int, TellingProgress] = {}

    def run(self) -> None:
        """Play to the end, or until a person quits."""
        self.tell(self._introduction())
        try:
            while not isinstance(node := self.game.node(self.state), Terminal):
                self._step(node)
        except Quit:
            self.tell("Good-bye.")
            return
        self._end()

    def _introduction(self) -> str:
        names = self.game.players
        you = listing(names[seat] for seat in self.people)
        others = [name for seat, name in enumerate(names) if seat not in self.people]
        who = f"You play {you}." if not others else f"You play {you}; the computer plays {listing(others)}."
        return _wrap_text(f"{self.game.name}. {who} {BRIEFLY}")

    def _step(self, node: Node) -> None:
        if isinstance(node, Chance):
            self._act(draw_action(dict(node.outcomes), Random(f"{self.seed}/{'/'.join(self.played)}")), "Chance")
            return
        assert isinstance(node, Decision)
        if node.player in self.people:
            self._person(node)
        else:
            self._act(self.opponent.move(self.state, node.player), self.game.players[node.player])

    def _act(self, action: Action, who: str = "") -> None:
        """Make a move. If nothing is hidden it is announced as that of `who`; "": it is not."""
        if who and self.open:
            self.tell(clean(f"{who}: {action}"))
        self.state = self.game.successor(self.state, action)
        self.played = (*self.played, action)

    # -- a person's turn --------------------------------------------------------------------------------------

    def _person(self, node: Decision) -> None:
        """Ask until the person acts, takes back, or quits."""
        before = self._before.setdefault(-1 if self.open else node.player, set())  # nobody learns what others could do
        replies = self.sight.replies(self.state, node.player, node.actions, before)
        before |= set(node.actions)
        self._situation(node)
        self.tell(_menu(replies, _LISTED))
        while True:
            with self.meanwhile(self.state) if self.meanwhile and self.open else nullcontext():
                reply = self.console.ask(f"{clean(self.game.players[node.player])}> ")
            if reply is None:
                raise Quit
            action = self._parse_reply(reply.strip(), node, replies)
            if action is not None:
                self._moments.append(UndoPoint(self.state, self.played, {**self._told}))
                if action != reply.strip():
                    self.tell(clean(f"{self.game.players[node.player]}: {action}"))
                self._told[node.player] = TellingProgress(
                    len(self.played) + 1, len(self.sight.sayings_to(self.state, node.player))
                )
                self._act(action)
                return
            if reply.strip() == "undo" and self._undo():
                return

    def _situation(self, node: Decision) -> None:
        """Show the person the board, or the player's knowledge of it."""
        if self.open:
            self.tell("")
            self._show(self.game.show(self.state))
            return
        changes = len(self.people) > 1 and self._seated != node.player
        if changes and not self.console.hand_over(clean(self.game.players[node.player])):
            raise Quit
        self._seated = node.player
        self.tell("")
        for line in self._news(node.player):
            self.tell(clean(line))
        drawn = self.sight.draw_for(self.state, node.player)
        if drawn is None:
            known = self.game.describe(self.state, node.player)
            self.tell(_wrap_text(f"{self.game.players[node.player]} knows: {known}"))
        else:
            self._show(drawn)

    def _news(self, player: int) -> Iterator[str]:
        """The moves since the player's last turn that they know of, and the events they heard."""
        told, played = self._told.get(player, TellingProgress()), set[str]()
        belief = Possible(self.game, self.state, player, whole=True).all()
        if belief is not None and belief.played is not None:
            for plies in belief.played[told.plies :]:
                whose = {who for who, _ in plies}
                if len(whose) > 1:
                    break  # from here on it is not even known whose plies they were
                ((who, action), *others) = plies
                if who != player:
                    name = "Chance" if who is None else self.game.players[who]
                    played.add(f"{name}: {'unseen' if others else action}")
                    yield f"{name}: {'unseen' if others else action}"
        elif belief is None:  # too many plays are possible to find which plies are known: what was seen is told
            yield from self._seen_since(player, told.plies)
        for saying in self.sight.sayings_to(self.state, player)[told.sayings :]:
            if saying not in played:  # what is public is told as what was played
                yield f'You hear "{saying}".'

    def _seen_since(self, player: int, plies: int) -> Iterator[str]:
        """The changes that a player saw at plies of others, from ply number `plies` on."""
        state = self.game.initial()
        for number, action in enumerate(self.played):
            node, after = self.game.node(state), self.game.successor(state, action)
            who = node.player if isinstance(node, Decision) else None
            old, new = (self.game.information_set(each, player) for each in (state, after))
            if number >= plies and who != player and old != new:
                learnt = self.game.promises.learnt(old, new, player)
                facts = ", ".join(fact_text(one) for one in learnt if one.variable)
                if facts:
                    yield f"By chance: {facts}" if who is None else f"{self.game.players[who]} acts: {facts}"
            state = after

    def _show(self, drawn: str) -> None:
        self.tell("\n".join(map(clean, drawn.splitlines())))

    def _parse_reply(self, reply: str, node: Decision, replies: Replies) -> Action | None:
        """The action that the reply names; any other word is answered, and None returned. An empty line is no word."""
        if reply in node.actions:
            return reply
        word, _, rest = reply.partition(" ")
        if not reply or (word == "undo" and not rest):
            if reply and not self._moments:
                self.tell("There is nothing to take back.")
            return None
        if word == "help":
            self._help(rest.strip())
        elif reply == "moves":
            self.tell(_menu(replies, len(node.actions)))
        elif reply == "hint":
            self.tell(_wrap_text(f"hint: {self.opponent.hint(self.state, node.player)}."))
        elif reply in ("quit", "q"):
            raise Quit
        else:
            try:
                return replies.resolve_reply(reply)
            except ValueError as why:
                self.tell(_wrap_text(str(why)))
        return None

    def _help(self, name: str) -> None:
        """Show the rules and what can be written; or, if a name is given, the rule of that name."""
        self._show(self.rules(name))
        if not name:
            self.tell("\n".join(("", _wrap_text(WRITING), _wrap_text(WORDS))))

    def _undo(self) -> bool:
        """Go back to before the last action of a person. Returns False if there was none."""
        if not self._moments:
            return False
        self.state, self.played, self._told = self._moments.pop()
        return True

    # -- the end ----------------------------------------------------------------------------------------------

    def _end(self) -> None:
        """Show the last position, the result and, where something was hidden, all actions of the play."""
        self.tell("")
        self._show(self.game.show(self.state))
        self.tell(turn_text(self.game, self.state))
        if not self.open:
            self.tell(_wrap_text(f"The play: {', '.join(self.played)}"))


def _wrap_text(text: str) -> str:
    return textwrap.fill(clean(text), WIDTH)


def _menu(replies: Replies, most: int) -> str:
    """The first `most` actions in columns, with their numbers unless actions are themselves named by numbers."""
    actions = replies.actions
    shown = [
        f"{number} {clean(action)}" if replies.are_numbered else clean(action)
        for number, action in enumerate(actions[:most], start=1)
    ]
    width = max(map(len, shown)) + 3
    each = max(1, WIDTH // width)
    lines = ["".join(entry.ljust(width) for entry in row).rstrip() for row in _rows(shown, each)]
    more = len(actions) - len(shown)
    return "\n".join([*lines, *([f"and {more:,} more: moves lists them all"] if more else [])])


def _rows(entries: Sequence[str], each: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(entries), each):
        yield entries[start : start + each]

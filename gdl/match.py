"""Playing a game in a terminal: people at some of the seats, a function at the others.

The dialogue is plain lines in and out. A joint move is turns taken unseen; of a game that hides something a person is
shown only what their player knows, and everything when it is over. Chance is drawn by seed, so that the same seed and
the same choices make the same play, also after `undo`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from gdl.errors import clean, listing, nearest
from gdl.game import Action, Chance, Decision, Game, Node, Number, Terminal
from gdl.render.position import turn_text
from gdl.sequential import Sequential, Turn

WIDTH = 80
_LISTED = 60  # actions that are shown at every turn

Opponent = Callable[[Turn, int], Action]  # what a player does at a state; also gives the hints
Ask = Callable[[str], str | None]  # a line from the person after a prompt; None at the end of the input
Tell = Callable[[str], None]

HELP = (
    "Write an action, its number, how it begins or what stands in its brackets. Other words: moves lists all actions, "
    "hint advises one, undo takes your last one back, quit ends the game."
)


class Moment(NamedTuple):
    """A point of the play to which `undo` can return."""

    state: Turn
    played: tuple[Action, ...]


class Quit(Exception):
    """The person has had enough."""


class Match:
    """One play of a game. `people` are the seats at which persons sit; `opponent` plays the others."""

    def __init__(self, game: Game[Any], people: Sequence[int], opponent: Opponent, seed: int, ask: Ask, tell: Tell):
        self.game = Sequential(game)
        self.people = people
        self.opponent = opponent
        self.seed = seed
        self.ask = ask
        self.tell = tell
        self.open = game.traits.perfect_information is True
        self.state = self.game.initial()
        self.played: tuple[Action, ...] = ()
        self._moments: list[Moment] = []
        self._seen: set[Action] = set()  # actions that were legal at some time
        self._told: dict[int, str] = {}  # what each person was last told of what they know

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
        return textwrap.fill(clean(f"{self.game.name}. {who} {HELP}"), WIDTH)

    def _step(self, node: Node) -> None:
        if isinstance(node, Chance):
            self._act(_drawn(node.outcomes, Random(f"{self.seed}/{'/'.join(self.played)}")), "Chance")
            return
        assert isinstance(node, Decision)
        if node.player in self.people:
            self._person(node)
        else:
            self._act(self.opponent(self.state, node.player), self.game.players[node.player])

    def _act(self, action: Action, who: str = "") -> None:
        """Play on by the action; it is told where nothing is hidden."""
        if who and self.open:
            self.tell(clean(f"{who}: {action}"))
        self.state = self.game.successor(self.state, action)
        self.played = (*self.played, action)

    # -- a person's turn --------------------------------------------------------------------------------------

    def _person(self, node: Decision) -> None:
        """Ask until the person acts, takes back, or quits."""
        self._seen |= set(node.actions)
        self._situation(node)
        self.tell(_menu(node.actions, _LISTED))
        while True:
            reply = self.ask(f"{clean(self.game.players[node.player])}> ")
            if reply is None:
                raise Quit
            action = self._understood(reply.strip(), node)
            if action is not None:
                self._moments.append(Moment(self.state, self.played))
                self._act(action)
                return
            if reply.strip() == "undo" and self._undone():
                return

    def _situation(self, node: Decision) -> None:
        """What the person may see: the board, or what their player knows that is new."""
        self.tell("")
        if self.open:
            self.tell("\n".join(map(clean, self.game.show(self.state).splitlines())))
            return
        name = self.game.players[node.player]
        if len(self.people) > 1:
            self.tell(clean(f"It is for {name} alone to see what follows."))
        known = self.game.describe(self.state, node.player)
        before = self._told.get(node.player, "")
        news = known[len(before) :].lstrip(", ") if before and known.startswith(before) else known
        self._told[node.player] = known
        self.tell(textwrap.fill(clean(f"{name} knows: {news or 'nothing new'}"), WIDTH))

    def _understood(self, reply: str, node: Decision) -> Action | None:
        """The action that the reply names; any other word is answered, and None returned. An empty line is no word."""
        if reply in node.actions:
            return reply
        if not reply:
            return None
        answer = _WORDS.get(reply)
        if answer is not None:
            answer(self, node)
            return None
        try:
            return chosen(reply, node.actions, self._seen)
        except ValueError as why:
            self.tell(textwrap.fill(clean(str(why)), WIDTH))
            return None

    def _moves(self, node: Decision) -> None:
        self.tell(_menu(node.actions, len(node.actions)))

    def _hint(self, node: Decision) -> None:
        self.tell(clean(f"hint: {self.opponent(self.state, node.player)}"))

    def _help(self, node: Decision) -> None:
        self.tell(textwrap.fill(HELP, WIDTH))

    def _quit(self, node: Decision) -> None:
        raise Quit

    def _undo(self, node: Decision) -> None:
        if not self._moments:
            self.tell("There is nothing to take back.")

    def _undone(self) -> bool:
        """Go back to before the last action of a person, if there was one."""
        if not self._moments:
            return False
        self.state, self.played = self._moments.pop()
        self._told.clear()
        return True

    # -- the end ----------------------------------------------------------------------------------------------

    def _end(self) -> None:
        """The last position, the result and, where something was hidden, how it came about."""
        self.tell("")
        self.tell("\n".join(map(clean, self.game.show(self.state).splitlines())))
        self.tell(turn_text(self.game, self.state))
        if not self.open:
            self.tell(textwrap.fill(clean(f"The play: {', '.join(self.played)}"), WIDTH))


_WORDS: dict[str, Callable[[Match, Decision], None]] = {
    "moves": Match._moves,
    "hint": Match._hint,
    "undo": Match._undo,
    "help": Match._help,
    "quit": Match._quit,
    "q": Match._quit,
}


def chosen(reply: str, actions: Sequence[Action], seen: set[Action]) -> Action:
    """The action that a reply names by its number, its words (`take a1`, `e2-e4`), those in its brackets (`a1`), or by
    how it begins.

    Raises ValueError with an answer for the person: nothing is called so, or it is not legal here, or several are.
    """
    if reply.isdecimal() and 1 <= int(reply) <= len(actions):
        return actions[int(reply) - 1]
    if reply in seen:
        raise ValueError(f"{reply} is not legal here. Legal: {listing(actions)}.")
    meant = _named(reply, actions)
    meant = meant or [action for action in actions if reply and action.lower().startswith(reply.lower())]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise ValueError(f"'{reply}' could be {listing(meant, 'or')}.")
    if before := _named(reply, sorted(seen)):
        raise ValueError(f"{before[0]} is not legal here. Legal: {listing(actions)}.")
    near = nearest(reply, actions)
    raise ValueError(f"'{reply}' is not an action here.{f' Did you mean {near}?' if near else ' See moves, or help.'}")


def _named(reply: str, actions: Sequence[Action]) -> list[Action]:
    """The actions whose words, or those in whose brackets, are the words of the reply."""
    words = _words(reply)
    together = [action for action in actions if words and "".join(_words(action)) == "".join(words)]
    return together or [action for action in actions if words and _words(action.partition("(")[2]) == words]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _menu(actions: Sequence[Action], most: int) -> str:
    """The actions with their numbers, in columns."""
    shown = [f"{number} {clean(action)}" for number, action in enumerate(actions[:most], start=1)]
    width = max(map(len, shown)) + 3
    each = max(1, WIDTH // width)
    lines = ["".join(entry.ljust(width) for entry in row).rstrip() for row in _rows(shown, each)]
    more = len(actions) - len(shown)
    return "\n".join([*lines, *([f"and {more:,} more: moves lists them all"] if more else [])])


def _rows(entries: Sequence[str], each: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(entries), each):
        yield entries[start : start + each]


def _drawn(outcomes: Sequence[tuple[Action, Number]], random: Random) -> Action:
    """An outcome, each with its exact probability."""
    return weighted(dict(outcomes), random)


def weighted(mixture: dict[Action, Number], random: Random) -> Action:
    """One of the actions, each with its exact probability; the probabilities sum to one."""
    scale = 1 << 64
    ticket = Fraction(random.randrange(scale), scale)
    for action, probability in mixture.items():
        ticket -= probability
        if ticket < 0:
            return action
    return next(reversed(mixture))

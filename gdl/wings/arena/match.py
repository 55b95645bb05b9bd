"""Playing a game in a terminal: people at some of the seats, a function at the others.

The dialogue is plain lines in and out. A joint move is turns taken unseen; of a game that hides something a person is
shown only what their player knows, and everything when it is over. Chance is drawn by seed, so that the same
chances come after the same choices, also after `undo`.

A person writes an action, its number, or something shorter. A reply is held against the actions of the turn in this
order, and the first rule by which it means one of them decides:

1. the action's name; a number: the action in whose brackets it stands, else that with this number in the list;
2. the sentence by which it is told (`Ann bid 1 × 2`), with or without the player; its words (`take a1`, `e2-e4`), or
   those in its brackets (`a1` for `take(a1)`), upper or lower case; a column may be a letter there, as boards show it
   (`d` for `drop(4)`);
3. the name of its rule, if that has but one action here (`castle`);
4. how it begins, or how it ends (`e4` for `e2e4`). Before the end may stand the name of the rule, or the sign of what
   is on the square where the action begins, that square or a part of it, and x (`Nf3`, `Nbd2`, `exd5`, `e8=Q`). Where
   the end alone is written, it is that of the most common sign if there is one (a pawn's);
5. the same without regard to upper and lower case (`nf3`), and at last how such an end begins (`Nb`).

By whatever rule it means several actions, it is answered with these.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, zip_longest
from random import Random
from typing import Any, NamedTuple, Protocol

from gdl.checker.kept_movers import DUE, LINE
from gdl.errors import clean, listing, nearest
from gdl.game import Action, Chance, Decision, Game, Node, Terminal
from gdl.interpreter.board_pieces import EMPTY, look_of
from gdl.interpreter.drawing import symbols_by_square
from gdl.interpreter.explicit_game import MatrixGame
from gdl.interpreter.memory import HIDDEN
from gdl.interpreter.position import ActionPrefix, longest_match
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.board import AXES, column_letters
from gdl.model.domains import Named, SetType, board_of, is_card, members, text_of, without_none
from gdl.model.games import Rule
from gdl.render.position_text import matrix_text, turn_text
from gdl.states.explore import move_text, moves
from gdl.states.game_wrapper import without_wrappers
from gdl.states.possible import Possible
from gdl.states.sequential import Opponent, Sequential, Turn
from gdl.states.set_names import fact_text
from gdl.wings.arena.draws import draw_action
from gdl.wings.arena.rules_in_words import clause_text

# What a player sees of a position, and what they may write for their actions.


_CALL = re.compile(r"(\w+)\(((?:[^()]|\([^()]*\))+)\)")  # an action or record, with what stands in its brackets


class Sight:
    """How a game looks to a player. Of trees nothing is drawn."""

    def __init__(self, game: Game[Any]):
        whole = without_wrappers(game)
        self.players = whole.players
        self.rules = whole if isinstance(whole, RulesGame) else None
        self.matrix = whole.model if isinstance(whole, MatrixGame) else None

    def draw_for(self, state: Any, player: int) -> str | None:
        """The position as the player sees it, a matrix as a table; None where there is nothing to draw."""
        if self.rules is not None:
            return self.rules.show_to(_inner_state(state), player)
        return None if self.matrix is None else matrix_text(self.matrix)

    def sentence(self, who: str, action: Action) -> str:
        """The words that tell that a player, or chance, did an action."""
        known = self.rules is not None and who in self.rules.players
        told = self.rules.model.appearance.sentence(who, action) if self.rules and known else f"{who}: {action}"
        return self.spoken_text(told)

    def told_forms(self, who: str, action: Action) -> tuple[str, ...]:
        """All words in which it is told that a player, or chance, did an action."""
        told, words = self.sentence(who, action), self.spoken_text(action)
        return told, told.removeprefix(who).lstrip(": "), f"{who}: {words}", words

    def spoken_text(self, text: str) -> str:
        """A text with actions that name cards in the words that pages have: blue 2 for play(Card(blue, 2))."""

        def call_words(found: re.Match[str]) -> str:
            whole, head, inside = found[0], found[1], self.spoken_text(found[2])
            if whole in self._cards or inside == found[2]:
                return self._cards.get(whole, whole)
            return inside if head == "play" else f"{head.replace('_', ' ')} {inside}"

        return _CALL.sub(call_words, text)

    def reason(self, state: Any) -> str:
        """Why play is over, in the words of the remark behind that line of the rules; "" where there is none."""
        ended = self.rules.ending(_inner_state(state)) if self.rules else None
        return clause_text(ended, "") if ended else ""

    def sayings_to(self, state: Any, player: int) -> tuple[str, ...]:
        """All that was said to the player since the start, in order."""
        return () if self.rules is None else self.rules.sayings_to(_inner_state(state), player)

    def replies(self, state: Any, player: int, actions: Sequence[Action], before: Collection[Action]) -> Replies:
        """The replies that can be written for the player's actions; `before` has actions that were legal at earlier
        turns."""
        told = {each: self.told_forms(self.players[player], each) for each in actions}
        if self.rules is None:
            return Replies(actions, before=before, told=told)
        here = _inner_state(state)
        names = {action: option.rule.name for action, option in self.rules.options(here, player).items()}
        spoken = {each: words for each in (*actions, *before) if (words := self.spoken_text(each)) != each}
        return Replies(
            actions, self._squares, board_signs(self.rules, here, player), self._commonest_sign(player),
            _with_letters(actions, self.rules.model.actions) | spoken, names, before, spoken, told,
        )  # fmt: skip

    @cached_property
    def _cards(self) -> dict[str, str]:
        """The cards of the actions by their names: clubs 2 for Card(clubs, 2)."""
        rules = (*self.rules.model.actions, *self.rules.model.chances) if self.rules else ()
        types = {without_none(parameter.type) for rule in rules for parameter in rule.parameters}
        types = {type.item if isinstance(type, SetType) else type for type in types}
        cards = [type for type in types if isinstance(type, Named) and is_card(type)]
        return {text_of(type, each): text_of(type, each, by_field=True) for type in cards for each in members(type)}

    @cached_property
    def _squares(self) -> frozenset[str]:
        """The squares of all boards, by name."""
        assert self.rules is not None
        types = [type for variable in self.rules.model.variables for type in variable.indices]
        types += [parameter.type for rule in self.rules.model.actions for parameter in rule.parameters]
        boards = [board for type in types if (board := board_of(type)) is not None]
        return frozenset(square for board in boards for square in board.squares)

    def _commonest_sign(self, player: int) -> str:
        """The most common sign at the start of the game."""
        assert self.rules is not None
        return most_common(board_signs(self.rules, self.rules.initial(), player))


def told_action(game: Game[Any], state: Any, text: str) -> ActionPrefix | None:
    """The legal action, or outcome of chance, with whose words a text begins, as plays tell it: by the longest words
    that are those of one alone; None if it begins with none."""
    node, sight = game.node(state), Sight(game)
    who = game.players[node.player] if isinstance(node, Decision) else "Chance"
    told = [(words, move) for move in map(move_text, moves(node)) for words in set(sight.told_forms(who, move))]
    many = Counter(words for words, _ in told)
    alone = {words: move for words, move in told if many[words] == 1}
    found = longest_match(text, alone)
    return found and ActionPrefix(alone[found.name], found.length)


def board_signs(rules: RulesGame, state: State, player: int) -> dict[str, str]:
    """The symbols that the player sees on the squares of the first board over which a variable is declared, by the
    names of the squares; empty and hidden squares are left out."""
    model, cells = rules.model, rules.visible_cells(state, player)
    for index, variable in enumerate(model.variables):
        board = board_of(variable.indices[-1]) if len(variable.indices) == 1 else None
        if board is not None:
            drawn = zip(board.squares, symbols_by_square(model, look_of(model, index))(cells), strict=True)
            return {square: symbol for square, symbol in drawn if symbol not in (EMPTY, HIDDEN)}
    return {}


def _inner_state(state: Any) -> State:
    """The state of the rules inside wrapped states."""
    while isinstance(state, Turn):
        state = state.state
    assert isinstance(state, State)
    return state


def _with_letters(actions: Sequence[Action], rules: Sequence[Rule]) -> dict[Action, str]:
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
_AROUND = 5  # lines of a terminal that are neither the board's nor the list's

BRIEFLY = "Write an action or its number; help tells the rules and what else you can write, quit ends the game."
WRITING = (
    "Write an action, its number, the words in its brackets, or how it begins or ends (e4 for e2e4); before its end "
    "may stand the sign of the piece that moves (Nf3)."
)
WORDS = (
    "Other words: moves lists all actions, hint advises one, undo takes the last one back, help tells the rules, help "
    "NAME the rule of that name, quit ends the game."
)


class Console(Protocol):
    """The terminal at which persons sit."""

    def ask(self, prompt: str) -> str | None:
        """Read a line from the person, after a prompt; None at the end of the input."""

    def line(self, text: str) -> None:
        """Show a line to the person."""

    def hand_over(self, name: str) -> bool:
        """Let another person, who plays `name`, sit down, and hide from them what the one before has seen. Returns
        False if nobody does."""


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


@dataclass(eq=False)
class Match:
    """One play of a game. `people` are the seats at which persons sit; `opponent` plays the others. `seed` decides what
    chance does. `rules` gives the text of the rule of a name, for "" of all rules. `height` is the number of lines of a
    terminal with colours, on which the board stays in sight; 0: there is none."""

    whole: Game[Any]
    people: Sequence[int]
    opponent: Opponent
    seed: int
    console: Console
    rules: Callable[[str], str] = lambda name: ""
    height: int = 0

    def __post_init__(self) -> None:
        """Begin the play."""
        self.game = Sequential(self.whole)
        self.tell = self.console.line
        self._left: Turn | None = None  # where a person who sees everything has last acted
        self.open = self.whole.traits.perfect_information is True
        self.sight = Sight(self.whole)
        self.state = self.game.initial()
        self.played: tuple[Action, ...] = ()
        self._moments: list[UndoPoint] = []
        self._before: dict[int, set[Action]] = {}  # by player: actions that were legal at some time
        self._seated: int | None = None  # who sits at the terminal, where something is hidden
        self.told_so_far: dict[int, TellingProgress] = {}

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
            self.make_move(draw_action(dict(node.outcomes), Random(f"{self.seed}/{'/'.join(self.played)}")), "Chance")
            return
        assert isinstance(node, Decision)
        if node.player in self.people:
            self._person(node)
        else:
            self.make_move(self.opponent.move(self.state, node.player), self.game.players[node.player])

    def make_move(self, action: Action, who: str = "") -> None:
        """Make a move. If nothing is hidden it is announced as that of `who`; "": it is not."""
        if who and self.open:
            self.tell(clean(self.sight.sentence(who, action)))
        self.state = self.game.successor(self.state, action)
        self.played = (*self.played, action)

    # -- a person's turn --------------------------------------------------------------------------------------

    def _person(self, node: Decision) -> None:
        """Ask until the person acts, takes back, or quits."""
        before = self._before.setdefault(-1 if self.open else node.player, set())  # nobody learns what others could do
        replies = self.sight.replies(self.state, node.player, node.actions, frozenset(before))
        before |= set(node.actions)
        self.show_situation(node)
        room = self.height and max(1, self.height - len(self.game.show(self.state).splitlines()) - _AROUND)
        self.tell(_menu(replies, _LISTED, room or None))
        while True:
            reply = self.console.ask(f"{clean(self.game.players[node.player])}> ")
            if reply is None:
                raise Quit
            action = self._parse_reply(reply.strip(), node, replies)
            if action is not None:
                self._moments.append(UndoPoint(self.state, self.played, {**self.told_so_far}))
                if action != reply.strip():
                    self.tell(clean(f"{self.game.players[node.player]}: {self.sight.spoken_text(action)}"))
                self.told_so_far[node.player] = TellingProgress(
                    len(self.played) + 1, len(self.sight.sayings_to(self.state, node.player))
                )
                self.make_move(action)
                self._left = self.state
                return
            if reply.strip() == "undo" and self._undo():
                return

    def show_situation(self, node: Decision) -> None:
        """Show the person the board, or the player's knowledge of it."""
        if self.open:
            self.tell("")
            now = self.game.show(self.state)
            before = self.game.show(self._left) if self._left is not None and self.height else now
            self.tell(_mark_changes(now, before))
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
        told, played = self.told_so_far.get(player, TellingProgress()), set[str]()
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
                    yield f"{name}: unseen" if others else self.sight.sentence(name, action)
        elif belief is None:  # too many plays are possible to find which plies are known: what was seen is told
            for _, dealt in groupby(self._seen_since(player, told.plies, played), key=lambda news: news[0]):
                *_, (_, last) = dealt
                yield last
        for saying in self.sight.sayings_to(self.state, player)[told.sayings :]:
            if saying not in played:  # what is public is told as what was played
                yield f'You hear "{saying}".'

    def _seen_since(self, player: int, plies: int, played: set[str]) -> Iterator[tuple[object, str]]:
        """The actions of others that a player heard, which are added to `played`, and the changes seen at their other
        plies, from ply number `plies` on. With each the ply's number, or for chance the sets that it changed: what is
        dealt one by one is told by its last ply."""
        state = self.game.initial()
        for number, action in enumerate(self.played):
            node, after = self.game.node(state), self.game.successor(state, action)
            who = node.player if isinstance(node, Decision) else None
            old, new = (self.game.information_set(each, player) for each in (state, after))
            if number >= plies and who != player and old != new:
                learnt = self.game.promises.learnt(old, new, player)
                changed = [one for one in learnt if one.variable not in ("", DUE, LINE)]
                facts = ", ".join(map(fact_text, changed))
                sets = who is None and all(str(one.value).startswith("{") for one in changed)
                about = [one.variable for one in changed] if sets else number
                name = "Chance" if who is None else self.game.players[who]
                heard = f"{name}: {action}"
                if any(one.value == heard and not one.variable for one in learnt):
                    played.add(heard)
                    yield number, self.sight.sentence(name, action)
                elif facts:
                    yield about, f"By chance: {facts}" if who is None else f"{self.game.players[who]} acts: {facts}"
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
            self.tell(_wrap_text(f"hint: {self.sight.spoken_text(self.opponent.hint(self.state, node.player))}."))
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
        self.state, self.played, self.told_so_far = self._moments.pop()
        return True

    # -- the end ----------------------------------------------------------------------------------------------

    def _end(self) -> None:
        """Show the last position, the result and, where something was hidden, all actions of the play."""
        self.tell("")
        self._show(self.game.show(self.state))
        self.tell(turn_text(self.game, self.state))
        if reason := self.sight.reason(self.state):
            self.tell(_wrap_text(f"Reason: {reason}."))
        if not self.open:
            self.tell(_wrap_text(f"The play: {', '.join(map(self.sight.spoken_text, self.played))}"))


def _wrap_text(text: str) -> str:
    return textwrap.fill(clean(text), WIDTH, break_on_hyphens=False)


def _mark_changes(drawn: str, before: str) -> str:
    """A position as text, with what its lines of signs have at other places than those of the one before in colour."""
    lines = []
    for line, was in zip_longest(map(clean, drawn.splitlines()), map(clean, before.splitlines()), fillvalue=""):
        is_marked = len(line) == len(was) and " = " not in line
        pairs = zip(line, was, strict=True) if is_marked else zip(line, line, strict=True)
        lines.append("".join(sign if sign == old else f"\x1b[1;33m{sign}\x1b[0m" for sign, old in pairs))
    return "\n".join(lines)


def _menu(replies: Replies, most: int, most_rows: int | None = None) -> str:
    """The first `most` actions in columns, with their numbers unless actions are themselves named by numbers."""
    actions = replies.actions
    shown = [
        f"{number} {clean(name)}" if replies.are_numbered else clean(name)
        for number, name in enumerate(map(replies.name_of, actions[:most]), start=1)
    ]
    width = max(map(len, shown)) + 3
    each = max(1, WIDTH // width)
    shown = shown[: each * most_rows] if most_rows else shown
    rows = (shown[start : start + each] for start in range(0, len(shown), each))
    lines = ["".join(entry.ljust(width) for entry in row).rstrip() for row in rows]
    more = len(actions) - len(shown)
    return "\n".join([*lines, *([f"and {more:,} more: moves lists them all"] if more else [])])


# ---- Replies -------------------------------------------------------------------------------------------------------


_ALGEBRAIC = re.compile(r"([a-z]+)(\d+)")


@dataclass
class Replies:
    """The replies that can be written for the actions of a turn. `signs` has the sign on each square, `common` is the
    sign that is most common in the game, `others` has second names of actions, `rules` the names of their rules;
    `before` are actions that were legal at earlier turns, `spoken` has those actions that are shown by other words,
    `told` all words in which each is told."""

    actions: Sequence[Action]
    squares: Collection[str] = ()
    signs: Mapping[str, str] = field(default_factory=dict)
    common: str = ""
    others: Mapping[Action, str] = field(default_factory=dict)
    rules: Mapping[Action, str] = field(default_factory=dict)
    before: Collection[Action] = ()
    spoken: Mapping[Action, str] = field(default_factory=dict)
    told: Mapping[Action, Collection[str]] = field(default_factory=dict)

    def name_of(self, action: Action) -> str:
        """The action as it is shown."""
        return self.spoken.get(action, action)

    @cached_property
    def are_numbered(self) -> bool:
        """True if numbers mean places in the list: not where actions have numbers for names."""
        return not any(_text_in_brackets(action).isdecimal() or action.isdecimal() for action in self.actions)

    def resolve_reply(self, reply: str) -> Action:
        """The action that a reply means. Raises ValueError with an answer for the person: nothing is called so, or it
        is not legal here, or several are."""
        if reply in self.actions:
            return reply
        legal = f"Legal: {listing(map(self.name_of, self.actions))}."
        if reply in self.before:
            raise ValueError(f"{self.name_of(reply)} is not legal here. {legal}")
        for find in (self._by_sentence, self._by_number, self._by_words, self._by_rule, self._by_ends):
            found = find(reply)
            if len(found) == 1:
                return found[0]
            if found:
                raise ValueError(f"'{reply}' could be {listing(map(self.name_of, found), 'or')}.")
        if self.before and (once := self._by_words(reply, sorted(self.before))):
            raise ValueError(f"{self.name_of(once[0])} is not legal here. {legal}")
        near = nearest(reply, list(map(self.name_of, self.actions)))
        hint = f" Did you mean {near}?" if near else " See moves, or help."
        raise ValueError(f"'{reply}' is not an action here.{hint}")

    def _by_sentence(self, reply: str) -> list[Action]:
        key = _single_blanks(reply)
        return [action for action, told in self.told.items() if key in map(_single_blanks, told)]

    def _by_number(self, reply: str) -> list[Action]:
        if not reply.isdecimal():
            return []
        named = [action for action in self.actions if _text_in_brackets(action) == reply]
        if named or not self.are_numbered:
            return named
        return [self.actions[int(reply) - 1]] if 1 <= int(reply) <= len(self.actions) else []

    def _by_words(self, reply: str, among: Sequence[Action] = ()) -> list[Action]:
        """The actions whose words, or the words in whose brackets, are those of the reply; `among` (): all actions of
        the turn."""
        words, actions = _join_words(reply), among or self.actions
        if not words:
            return []
        names = {action: (action, *([self.others[action]] if action in self.others else [])) for action in actions}
        whole = [action for action in actions if words in map(_join_words, names[action])]
        return whole or [
            action for action in actions if words in (_join_words(_text_in_brackets(name)) for name in names[action])
        ]

    def _by_rule(self, reply: str) -> list[Action]:
        return [action for action in self.actions if self.rules.get(action, "").lower() == reply.lower() != ""]

    # -- beginnings and ends ----------------------------------------------------------------------------------

    def _by_ends(self, reply: str) -> list[Action]:
        """The actions that begin or end as the reply says, by rules 4 and 5."""
        written = _join_words(reply.replace("x", ""), lower=False)
        key = written[:1] + written[1:].lower()
        if not key:
            return []
        ways = [(action, way) for action in self.actions for way in self._ways(action)]
        begins = [action for action in self.actions if action.lower().startswith(reply.lower())]
        ends = [action for action, way in ways if way == key]
        if not begins and not ends:
            ends = [action for action, way in ways if way.lower() == key.lower()]
        if not begins and not ends:
            ends = [action for action, way in ways if way.startswith(key)]
        found = list(dict.fromkeys([*begins, *ends]))
        if len(found) > 1 and not begins:
            plain = [action for action in found if self._sign(action).lower() == self.common.lower() != ""]
            return plain if len(plain) == 1 else found
        return found

    def _ways(self, action: Action) -> Iterator[str]:
        """All replies for how an action ends: a sign in upper case, all else in lower case."""
        words = self._words(action)
        first = next((k for k, word in enumerate(words) if word in self.squares), len(words))
        for start in range(1, len(words)):
            end = "".join(words[start:])
            yield end
            if action in self.rules:
                yield self.rules[action].lower() + end
            if start > first:
                sign = self._sign(action)
                for part in _parts(words[first]):
                    yield part + end
                    if sign:
                        yield sign.capitalize() + part + end
                if sign:
                    yield sign.capitalize() + end

    def _sign(self, action: Action) -> str:
        """The sign on the square where the action begins; "" if there is none."""
        first = next((word for word in self._words(action) if word in self.squares), "")
        return self.signs.get(first, "")

    def _words(self, action: Action) -> list[str]:
        """The squares, numbers and other words of the action's name, one after the other, without x."""
        found = [word.lower() for word in self._word.findall(action)]
        return [word for word in found if word != "x"]

    @cached_property
    def _word(self) -> re.Pattern[str]:
        squares = sorted(self.squares, key=len, reverse=True)
        return re.compile("|".join([*map(re.escape, squares), r"\d+", r"[^\W\d_]+"]))


def most_common(signs: Mapping[str, str]) -> str:
    """The sign that stands on most squares, in lower case; "" if two stand on equally many."""
    counts = Counter(sign.lower() for sign in signs.values()).most_common(2)
    return counts[0][0] if counts and counts[0][1] > sum(count for _, count in counts[1:]) else ""


def _parts(square: str) -> Iterator[str]:
    """A square, and its column and row if its name has them."""
    yield square
    if algebraic := _ALGEBRAIC.fullmatch(square):
        yield from algebraic.groups()


def _text_in_brackets(action: Action) -> str:
    """The text in the action's brackets."""
    return action.partition("(")[2].removesuffix(")")


def _single_blanks(text: str) -> str:
    """A text with single blanks, in lower case."""
    return " ".join(text.lower().split())


def _join_words(text: str, lower: bool = True) -> str:
    """The letters, digits and underscores of a text, in lower case if `lower`."""
    words = "".join(re.findall(r"\w+", text))
    return words.lower() if lower else words

"""Information sets named as a person would: `holding K, after check, bet`.

The name of an information set in files tells all that its player saw and did, change by change. This one tells a
history that leads there, as far as its player knows it:

1. Own actions are told as they are called.
2. An outcome of chance is told by what it shows to the player alone (`holding K`), also where that was so before, else
   as others' actions are; one that the player does not know is passed over.
3. An action of another is told as it is called if the player would see the difference had it been another; if only its
   kind is known, as `lay(?)`; else by what changed in the sight of all.

Where two sets of a player would be called alike, what the own actions showed to their player is told, too, then all
that was heard and seen; where that does not tell them apart either, they keep their names in files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from os.path import commonprefix
from typing import Any, NamedTuple

from gdl.errors import LimitReached
from gdl.errors.courtesy import Courtesy
from gdl.game import NO_PROMISES, Action, Decision, Game, Learnt, actions
from gdl.states.explore import Walk, move_text
from gdl.states.sequential import Sequential

WALKED = 2_000  # positions among which the sets are looked for
WALKED_ONWARD = 10_000  # more of them, where each may lead to a set that was not met
BRIEF, OWN, ALL = range(3)  # how much of what was heard and seen is told beside the actions
READABLE = 2  # changes that are told of an action which is not known
SOMETHING = "…"  # stands for more of them
_BEGINNING = re.compile(r"\w+(?=[ (-])")  # the word with which an action begins
OUTCOMES = 64  # of chance that are looked at where the one that was drawn changed nothing
COMPARED = 8  # histories of a set that are compared
HELD = ("card", "cards", "hand", "hands", "tile", "tiles", "rack")  # what one holds, if nobody else sees it

Names = Mapping[str, Mapping[str, str]]  # player -> name in files -> name for people


def set_names(game: Game[Any], wanted: Mapping[str, Iterable[str]] | None = None) -> Names:
    """Readable names for information sets, by player and by the sets' names in files. `wanted`: the names in files of
    the sets to be named, by player; None: all sets, which then get the same names every time. A set that a short walk
    does not meet gets no name, and neither do the sets of a game that hides nothing or names its sets itself."""
    if game.traits.perfect_information is not False or game.promises.learnt is NO_PROMISES.learnt:
        return {}
    left = None if wanted is None else {(player, name) for player, names in wanted.items() for name in names}
    turns = Sequential(game)
    met = _first_histories(turns, Walk(turns, WALKED, courtesy=None if left is None else Courtesy()), left)
    if left is not None and (far := left - {*met}):
        walk = Walk(turns, WALKED_ONWARD, courtesy=Courtesy(), leads_on=_leads_to(turns, far))
        met |= _first_histories(turns, walk, far)
    found: dict[str, dict[str, str]] = {}
    for player in game.players:
        own = {name: histories for (who, name), histories in met.items() if who == player}
        found[player] = _distinct_names(turns, game.players.index(player), own)
    return found


class History(NamedTuple):
    """The states of a play, and the actions between them."""

    states: tuple[Any, ...]
    actions: tuple[Action, ...]


def _leads_to(turns: Sequential, wanted: Collection[tuple[str, str]]) -> Callable[[Any], bool]:
    """A test of states: true where a player remembers the beginning of one of these names in files, or nothing yet."""

    def leads_on(state: Any) -> bool:
        known = {player: turns.describe(state, n) for n, player in enumerate(turns.players)}
        return known == nothing or any(name.startswith(known[player]) for player, name in wanted)

    nothing = {player: turns.describe(turns.initial(), n) for n, player in enumerate(turns.players)}
    return leads_on


def _first_histories(
    turns: Sequential, walk: Walk[Any], left: Collection[tuple[str, str]] | None
) -> dict[tuple[str, str], list[History]]:
    """The first histories to each of the sets, by player and name in files, of those that the walk meets."""
    found: dict[tuple[str, str], list[History]] = {}
    try:
        for number, node, _, _ in walk:
            if isinstance(node, Decision):
                called = turns.players[node.player], turns.describe(walk.states[number], node.player)
                if (left is None or called in left) and len(found.setdefault(called, [])) < COMPARED:
                    way = tuple(map(move_text, walk.way(number)))
                    found[called].append(History(tuple(accumulate(way, turns.successor, initial=turns.initial())), way))
    except LimitReached:
        pass
    return found


def _distinct_names(turns: Sequential, player: int, histories: Mapping[str, Sequence[History]]) -> dict[str, str]:
    """For each information set's name in files, the shortest name for people that no other set has."""
    short = {name: name for name in histories}
    left = list(histories)
    for detail in (BRIEF, OWN, ALL):
        short |= {name: _Telling(turns, player, histories[name], detail).text() for name in left}
        left = _repeated_names(short)
    return short | {name: name for name in left}


def _repeated_names(names: Mapping[str, str]) -> list[str]:
    """The names in files whose new names are not unique: shared with another set, or equal to another set's name in
    files."""
    count = Counter(names.values())
    return [old for old, new in names.items() if count[new] > 1 or (new != old and new in names)]


@dataclass(frozen=True)
class _Telling:
    """Describes the first of several histories as a player knows it; to this player all of them look the same."""

    turns: Sequential
    player: int
    histories: Sequence[History]
    detail: int

    @property
    def history(self) -> History:
        return self.histories[0]

    def text(self) -> str:
        held: list[str] = []
        steps: list[str] = []
        begun = 0  # the first turn of a joint move
        for number, action in enumerate(self.history.actions):
            state, after = self.history.states[number : number + 2]
            if after.chosen:
                continue  # of a joint move others learn when it is complete
            node = self.turns.node(state)
            old, new = self._knows(state), self._knows(after)
            learnt = self.turns.promises.learnt(old, new, self.player) if old != new else ()
            if isinstance(node, Decision):
                steps += self._action_steps(begun, number, learnt, changed=old != new)
            elif shown := [one for one in learnt if one.hidden] or self._unchanged_facts(
                number, new, changed=old != new
            ):
                (steps if steps else held).extend(map(fact_text, shown))
            elif old != new:
                known = self._perceived_action(number, number)
                steps += [action] if known == action else map(fact_text, learnt) if self.detail == ALL else []
            begun = number + 1
        after = f"after {', '.join(steps)}" if steps else ""
        return ", ".join([*held, *([after] if after else [])]) or "start"

    def _unchanged_facts(self, number: int, new: Hashable, *, changed: bool) -> list[Learnt]:
        """Facts that an outcome of chance left as they were, that only the player sees, and that another outcome would
        change."""
        state = self.history.states[number]
        found: dict[tuple[str, str], Learnt] = {}
        for other in actions(self.turns.node(state))[:OUTCOMES] if changed else ():
            if other != self.history.actions[number]:
                instead = self._knows(self.turns.successor(state, other))
                told = self.turns.promises.learnt(instead, new, self.player)
                found |= {(one.variable, one.element): one for one in told if one.hidden}
        return list(found.values())

    def _knows(self, state: Any) -> Hashable:
        return self.turns.information_set(state, self.player)

    def _action_steps(self, begun: int, last: int, learnt: Sequence[Learnt], *, changed: bool) -> list[str]:
        """The texts of an action, or of all actions of a joint move, with the facts that they showed to the player as
        far as `detail` wants them. With `changed`, others' actions are named."""
        told: list[str] = []
        own = False
        for number in range(begun, last + 1):
            node = self.turns.node(self.history.states[number])
            if isinstance(node, Decision) and node.player == self.player:
                told.append(self.history.actions[number])
                own = True
            elif changed:
                told += filter(None, [self._perceived_action(number, last)])
        if own or self.detail == ALL:
            wanted = [one for one in learnt if self.detail == ALL or (self.detail == OWN and one.hidden)]
            return [" ".join([", ".join(told), *map(fact_text, wanted)]).strip()]
        return told or ([fact_text(one) for one in learnt] if len(learnt) <= READABLE else [SOMETHING])

    def _perceived_action(self, number: int, last: int) -> str:
        """The action of another player as this player perceives it: by its name or its kind, once the joint move is
        done; or nothing."""
        state, action = self.history.states[number], self.history.actions[number]
        same = [one.actions[number] for one in self.histories if len(one.actions) == len(self.history.actions)]
        alike = [other for other in same if other != action]
        for other in actions(self.turns.node(state)):
            if other != action:
                end = self.turns.successor(state, other)
                for later in range(number + 1, last + 1):
                    end = self.turns.successor(end, self.history.actions[later])
                if self._knows(end) == self._knows(self.history.states[last + 1]):
                    alike.append(other)
        if not alike:
            return action
        kind = _BEGINNING.match(commonprefix([action, *alike]))  # noqa: RUF071 -- of texts, character by character
        return f"{kind[0]}(?)" if kind else ""


def fact_text(one: Learnt) -> str:
    """A fact as text: `holding K`, `board Q`, `hand[2] 1`, or a quoted word such as `"illegal"`."""
    if not one.variable:
        return f'"{one.value}"'
    if one.hidden and not one.element and one.variable in HELD:
        return f"holding {one.value}"
    return f"{one.variable}[{one.element}] {one.value}" if one.element else f"{one.variable} {one.value}"

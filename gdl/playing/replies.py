"""Replies of a person who writes an action, its number, or something shorter, and the actions that they mean.

A reply is held against the actions of the turn in this order, and the first rule by which it means one of them decides:

1. the action's name; a number: the action in whose brackets it stands, else that with this number in the list;
2. its words (`take a1`, `e2-e4`), or those in its brackets (`a1` for `take(a1)`), upper or lower case; a column may be
   a letter there, as boards show it (`d` for `drop(4)`);
3. the name of its rule, if that has but one action here (`castle`);
4. how it begins, or how it ends (`e4` for `e2e4`). Before the end may stand the name of the rule, or the sign of what
   is on the square where the action begins, that square or a part of it, and x (`Nf3`, `Nbd2`, `exd5`, `e8=Q`). Where
   the end alone is written, it is that of the most common sign if there is one (a pawn's);
5. the same without regard to upper and lower case (`nf3`), and at last how such an end begins (`Nb`).

By whatever rule it means several actions, it is answered with these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from gdl.errors import listing, nearest
from gdl.game import Action

_ALGEBRAIC = re.compile(r"([a-z]+)(\d+)")


class Replies:
    """The replies that can be written for the actions of a turn. `signs` has the sign on each square, `common` is the
    sign that is most common in the game, `others` has second names of actions, `rules` the names of their rules;
    `before` are actions that were legal at earlier turns."""

    def __init__(
        self,
        actions: Sequence[Action],
        squares: Iterable[str] = (),
        signs: Mapping[str, str] | None = None,
        common: str = "",
        others: Mapping[Action, str] | None = None,
        rules: Mapping[Action, str] | None = None,
        before: Iterable[Action] = (),
    ):
        self.actions = actions
        self.squares = frozenset(squares)
        self.signs = signs or {}
        self.common = common
        self.others = others or {}
        self.rules = rules or {}
        self.before = sorted(before)

    @cached_property
    def are_numbered(self) -> bool:
        """True if numbers mean places in the list: not where actions have numbers for names."""
        return not any(_inside(action).isdecimal() or action.isdecimal() for action in self.actions)

    def resolve_reply(self, reply: str) -> Action:
        """The action that a reply means. Raises ValueError with an answer for the person: nothing is called so, or it
        is not legal here, or several are."""
        if reply in self.actions:
            return reply
        if reply in self.before:
            raise ValueError(f"{reply} is not legal here. Legal: {listing(self.actions)}.")
        for find in (self._by_number, self._by_words, self._by_rule, self._by_ends):
            found = find(reply)
            if len(found) == 1:
                return found[0]
            if found:
                raise ValueError(f"'{reply}' could be {listing(found, 'or')}.")
        if self.before and (once := self._by_words(reply, self.before)):
            raise ValueError(f"{once[0]} is not legal here. Legal: {listing(self.actions)}.")
        near = nearest(reply, self.actions)
        hint = f" Did you mean {near}?" if near else " See moves, or help."
        raise ValueError(f"'{reply}' is not an action here.{hint}")

    def _by_number(self, reply: str) -> list[Action]:
        if not reply.isdecimal():
            return []
        named = [action for action in self.actions if _inside(action) == reply]
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
            action for action in actions if words in (_join_words(_inside(name)) for name in names[action])
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


def _inside(action: Action) -> str:
    """The text in the action's brackets."""
    return action.partition("(")[2].removesuffix(")")


def _join_words(text: str, lower: bool = True) -> str:
    """The letters, digits and underscores of a text, in lower case if `lower`."""
    words = "".join(re.findall(r"\w+", text))
    return words.lower() if lower else words

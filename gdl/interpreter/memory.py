"""Memories of the players, and with them the information sets of a game, derived and never typed.

A player's memory is what they saw at the start and, for every ply in which something reached them, their own action,
the events they heard and what they see if that changed. It is perfect unless the rules say `forget` (Kuhn 1953). Who is
to move is seen by all, and so is every chance step that comes, by its name: also one that follows itself.

Two memories never have the same text: actions and events that could be misread are quoted, and in games in which all
else does not tell memories apart the text says whose turn it is where another turn is usual.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Hashable
from functools import cached_property, lru_cache
from typing import Any

from gdl.analysis.traits import forgets
from gdl.errors import limits
from gdl.game import Learnt
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP, NOBODY
from gdl.interpreter.closures import FIRST_CELL, PAST, Cells, Value
from gdl.interpreter.evaluator import Evaluator
from gdl.model import core
from gdl.model.domains import members, text_of
from gdl.model.games import Rule, RulesModel, Variable
from gdl.model.walk import READS, inside_with_calls
from gdl.numbers import vector_text

View = tuple[Any, ...]
Entry = tuple[str | None, tuple[str, ...], View | None]  # own action, events, the view if it changed
Memory = tuple[View, tuple[Entry, ...]]  # the first view and the entries since
Events = list[tuple[int | None, str]]  # hearer (None: all) and what is said
Memories = tuple[Memory, ...]
Told = tuple[str, View, int]  # the text of a memory, its latest view, and the player whose turn was seen last
ONLY_CHANCE: Entry = (None, (), None)  # a chance step came that is the one before it again
NOTHING = "start"  # the text of an empty memory
HIDDEN = "?"  # stands for what a player does not see; no value is a text
_PLAIN = re.compile(
    r"(?!start$|…)(?:(?!, |  | \S*=| …)[^\"\[\](){}]|\([^\"()]*\)|\{[^\"{}]*\}|\[[^\"\[\]]*\])+"
)  # of actions


class Memorist:
    """Computes what each player sees, and extends the players' memories."""

    def __init__(self, model: RulesModel, evaluator: Evaluator):
        self.model = model
        self.players = range(len(model.players))
        self._conditions: dict[str, Value] = {
            v.name: evaluator.value(v.visibility.condition)
            for v in model.variables
            if v.visibility.condition is not None
        }
        # What of a variable is seen is kept by its values, if it depends on them alone.
        self._alone = [_reads_itself(model, n, v.visibility.condition) for n, v in enumerate(model.variables)]
        self._kept_visibility = lru_cache(limits.REMEMBERED)(self._visibility)
        self._forgets = forgets(model)
        self._steps = [n if step.drawn is None else step.drawn for n, step in enumerate(model.chances)]
        self._follows = [_usual_after(step) for step in model.chances]
        self._change = lru_cache(limits.REMEMBERED)(self._change_text)

    def view(self, player: int, turn: int, cells: Cells) -> View:
        """The view of a player: whose turn it is and the values of all variables in order, HIDDEN in place of those
        that the player does not see."""
        seen: list[Any] = [turn if turn > FIRST_STEP else FIRST_STEP - self._steps[FIRST_STEP - turn]]
        for number, variable in enumerate(self.model.variables):
            values = cells[variable.place : variable.place + len(variable.initial)]
            kind = variable.visibility.kind
            if kind == "all":
                seen += values
            elif kind == "none":
                seen += [HIDDEN] * len(values)
            elif kind == "owner":
                each = len(values) // len(self.players)
                seen += [value if at // each == player else HIDDEN for at, value in enumerate(values)]
            else:
                if self._alone[number]:
                    shown = self._kept_visibility(number, player, (*(None,) * variable.place, *values))
                else:
                    shown = self._visibility(number, player, cells)
                seen += [v if sees else HIDDEN for v, sees in zip(values, shown, strict=True)]
        return tuple(seen)

    def _visibility(self, number: int, player: int, cells: Any) -> list[bool]:
        """For each element of a variable that is visible on a condition, True if the player sees it."""
        variable = self.model.variables[number]
        visibility, condition = variable.visibility, self._conditions[variable.name]
        frame: list[Any] = [None] * visibility.frame
        frame[visibility.slot] = player
        shown = []
        for positions in itertools.product(*(members(index) for index in variable.indices)):
            frame[: len(positions)] = positions
            shown.append(bool(condition(cells, frame)))
        return shown

    def begin(self, turn: int, cells: Cells) -> Memories:
        return tuple((self.view(p, turn, cells), ()) for p in self.players)

    def extend_memories(
        self, memories: Memories, acted: dict[int, str], events: Events, turn: int, cells: Cells, forgotten: bool
    ) -> Memories:
        """The memories after a ply that led to these cells. `acted` has the names of the actions taken, by player;
        `forgotten`: all memories begin anew."""
        if forgotten:
            return self.begin(turn, cells)
        made = []
        for player, (first, entries) in enumerate(memories):
            heard = tuple(event for hearer, event in events if hearer in (None, player))
            view = self.view(player, turn, cells)
            changed = view if view != _last_view(first, entries) else None
            if player in acted or heard or changed is not None or turn <= FIRST_STEP:
                entries = (*entries, (acted.get(player), heard, changed))
            made.append((first, entries))
        return tuple(made)

    def text(self, memory: Memory, start: Memory, turns: bool) -> str:
        """A memory as text for people: what the player did, heard and saw change, ply by ply. After `forget` it begins,
        in brackets, with what the player sees differently from the start. With `turns` it tells unusual turns."""
        return self.text_and_view(memory, start, turns)[0] or NOTHING

    def text_and_view(self, memory: Memory, start: Memory, turns: bool) -> Told:
        """The text of a whole memory, the player's latest view, and the player whose turn was seen last."""
        view, entries = memory
        otherwise = self.changes(start[0][1:], view[1:])
        otherwise += self._turn_change(start[0][0], view[0]) if turns else []
        told = f"[{' '.join(otherwise)}]" if otherwise else "", view, max(view[0], 0)
        for entry in entries:
            told = self.extend_text(told, entry, turns)
        return told

    def extend_text(self, before: Told, entry: Entry, turns: bool) -> Told:
        """The text of a memory after the entry has been appended."""
        (told, seen, mover), (action, events, view) = before, entry
        if entry == ONLY_CHANCE and not turns:
            return before
        plain = action is None or _PLAIN.fullmatch(action)
        pieces = [] if action is None else [action if plain else json.dumps(action, ensure_ascii=False)]
        pieces += [json.dumps(event, ensure_ascii=False) for event in events]
        view = seen if view is None else view
        pieces += self.changes(seen[1:], view[1:])
        pieces += self._turn_change(self._usual_turn(seen[0], mover), view[0]) if turns else []
        text = " ".join(pieces) or "…"
        return f"{told}, {text}" if told else text, view, view[0] if view[0] >= 0 else mover

    def _usual_turn(self, before: int, mover: int) -> int:
        """The turn that usually comes after a turn: the next player's; where all have chosen, again everybody's; after
        a chance step the player's whom it always names, else that of the player who was the mover."""
        if before >= 0:
            return (before + 1) % len(self.players)
        follows = self._follows[FIRST_STEP - before] if before <= FIRST_STEP else before
        return mover if follows is None else follows

    def _turn_change(self, usual: int, turn: int) -> list[str]:
        """A text such as `next=Bob` if the turn is not the usual one, else nothing."""
        if turn == usual:
            return []
        if turn <= FIRST_STEP:
            return [f"next={self.model.chances[FIRST_STEP - turn].name}()"]
        named = {EVERYONE: "everyone()", NOBODY: "nobody()"}
        return [f"next={named[turn] if turn < 0 else self.model.players[turn]}"]

    def changes(self, before: View, after: View) -> list[str]:
        """A text such as `bet[Bob]=2` for every value of the state that changed."""
        pairs = enumerate(zip(before, after, strict=True))
        return [self._change(at, new) for at, (old, new) in pairs if old != new]

    def acts_until(self, memories: Memories | None, player: int, later: Hashable) -> tuple[str, ...] | None:
        """The player's actions between the memories and a `later` one of the player's, as `gdl.game.Promises` defines
        them; None if `later` does not follow, and () if the game forgets or everyone sees everything."""
        if memories is None or self._forgets:
            return ()
        return acts_between(memories[player], later)  # type: ignore[arg-type]

    def learnt(self, before: Any, after: Any, player: int) -> tuple[Learnt, ...]:
        """The events that a player heard, and the changes that the player saw, between two memories, of which `after`
        continues `before`."""
        if not (isinstance(before, tuple) and isinstance(after, tuple)):  # those of a game in which all is seen
            return ()
        pairs = enumerate(zip(_last_view(*before)[1:], _last_view(*after)[1:], strict=True))
        seen = (self._learnt_element(at, new, player) for at, (old, new) in pairs if old != new)
        events = [event for _, told, _ in after[1][len(before[1]) :] for event in told]
        return (*(Learnt("", "", event, False) for event in events), *seen)

    def _learnt_element(self, at: int, value: Any, player: int) -> Learnt:
        """The new value of an element of the state, in the words in which the player would put it."""
        variable, positions = self._elements[at]
        hidden = variable.visibility.kind != "all"
        inside = [text_of(t, v, by_field=True) for t, v in zip(variable.indices, positions, strict=True)]
        if variable.visibility.kind == "owner":
            del inside[0]
        text = value if value == HIDDEN else text_of(variable.type, value, by_field=True)
        return Learnt(variable.name, ",".join(inside), text, hidden)

    @cached_property
    def _elements(self) -> list[tuple[Variable, tuple[Any, ...]]]:
        """The variable and the indices of every element of the state, in order."""
        return [
            (variable, positions)
            for variable in self.model.variables
            for positions in itertools.product(*(members(index) for index in variable.indices))
        ]

    def _change_text(self, at: int, value: Any) -> str:
        """A text for the new value of an element of the state."""
        return f"{self.names[at]}={value if value == HIDDEN else text_of(self.types[at], value)}"

    @cached_property
    def names(self) -> list[str]:
        """The name of every element of the state, in order."""
        found = []
        for variable, positions in self._elements:
            inside = ",".join(text_of(t, v) for t, v in zip(variable.indices, positions, strict=True))
            found.append(f"{variable.name}[{inside}]" if inside else variable.name)
        return found

    @cached_property
    def types(self) -> list[Any]:
        return [variable.type for variable in self.model.variables for _ in variable.initial]


def _usual_after(step: Rule) -> int | None:
    """The player who always moves after a chance step, if its body says so outright; else None."""
    match step.body[-1:]:
        case (core.Next(turn=core.Turn(kind="player", player=core.Const(value=player))),):
            return int(player)
    return None


def _reads_itself(model: RulesModel, number: int, condition: core.Expression | None) -> bool:
    """True if a condition reads of the state nothing but elements of the variable of this number."""
    reading = [form for form in inside_with_calls(model, condition) if READS.get(type(form)) in ("state", "mover")]
    return all(isinstance(form, core.Element) and form.variable == number for form in reading)


def sayings_in(memory: Memory) -> tuple[str, ...]:
    """The texts said to a player that the memory holds, in order."""
    return tuple(event for _, events, _ in memory[1] for event in events)


def goes_on(now: Memory, later: Memory) -> bool:
    """True if the memory `later` equals `now` or continues it."""
    return now[0] == later[0] and later[1][: len(now[1])] == now[1]


def remember_more(before: Memories, after: Memories) -> bool:
    """True if every player's memory in `after` equals or continues that in `before`, and somebody's has grown."""
    return before != after and all(goes_on(now, later) for now, later in zip(before, after, strict=True))


def without_turns(memory: Memory) -> Hashable:
    """All of a memory that its text tells where turns are not told."""
    (_, *seen), entries = memory
    told: list[Any] = [tuple(seen)]
    for action, events, view in entries:
        after = seen if view is None else view[1:]
        if (action, events, view) != ONLY_CHANCE:
            told.append((action, events, tuple((at, new) for at, new in enumerate(after) if new != seen[at])))
        seen = list(after)
    return tuple(told)


def acts_between(now: Memory, later: Memory) -> tuple[str, ...] | None:
    """The player's actions in the memory `later` that `now` does not have yet; None where `later` does not continue
    `now`. Only for games in which nothing is forgotten."""
    if not goes_on(now, later):
        return None
    return tuple(action for action, _, _ in later[1][len(now[1]) :] if action is not None)


def likeness(now: Any, later: Any) -> tuple[float, float]:
    """How alike two memories are, as a key of which the greatest is the closest: the number of entries they share from
    the start, and minus the number of values, events and members of sets in which the next entries differ."""
    seen, due = [(None, (), now[0]), *now[1]], [(None, (), later[0]), *later[1]]
    shared = next((n for n, (one, other) in enumerate(zip(seen, due, strict=False)) if one != other), None)
    if shared is None:
        return float(min(len(seen), len(due))), 0.0
    (act, events, view), (other_act, other_events, other_view) = seen[shared], due[shared]
    apart = (act != other_act) + len(set(events) ^ set(other_events))
    views = zip(view or (), other_view or (), strict=False)
    return float(shared), -float(
        apart + sum(_distance(one, other) for one, other in views) + (not view or not other_view)
    )


def _distance(one: Any, other: Any) -> int:
    """The distance of two values: for numbers from 0 up and sets, held as bits, the number of bits that differ; else 0
    if they are equal and 1 if not."""
    both = isinstance(one, int) and isinstance(other, int) and one >= 0 and other >= 0
    return (one ^ other).bit_count() if both else int(one != other)


def _last_view(first: View, entries: tuple[Entry, ...]) -> View:
    """The player's latest view in a memory that begins with the view `first`."""
    return next((view for _, _, view in reversed(entries) if view is not None), first)


def difference(memorist: Memorist, players: tuple[str, ...], first: Any, state: Any, player: int) -> str:
    """For a game of perfect information, a text that tells a state from others: how it differs from the first state,
    and whose turn it is if it is not the player's."""
    parts = list(memorist.changes(first.cells[FIRST_CELL:], state.cells[FIRST_CELL:]))
    acts = state.turn in (player, EVERYONE)
    mover = "" if acts else players[state.turn] if state.turn >= 0 else "chance"
    if state.earned != first.earned and state.earned is not None:
        parts.append(f"gained {vector_text(state.earned.totals)}, from here on {state.earned.weight}")
    past = "".join(f"#{len(seen)}.{_digest(seen)}" for seen in state.cells[PAST])
    return f"{mover}{': ' if mover else ''}{', '.join(parts) or 'start'}{past}"


def _digest(seen: frozenset[Any] | tuple[Any, ...]) -> str:
    """A short checksum of the memory of earlier positions, equal in every run of the program."""
    import zlib

    told = list(map(repr, seen))
    return format(zlib.crc32(repr(sorted(told) if isinstance(seen, frozenset) else told).encode()), "08x")

"""Variables that no board shows, as things on the table: cards, dice, heaps, counters; found from declarations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple

from gdl.interpreter.memory import HIDDEN
from gdl.model.domains import (
    TRUTH,
    Named,
    Optional,
    Part,
    Range,
    SetType,
    Type,
    elements,
    members,
    size,
    text_of,
    without_none,
)
from gdl.model.games import RulesModel, Variable

LEAST_HEAP = 3  # things that a heap holds at the start, at least
MOST_STONES = 24  # stones of a heap that are drawn
MOST_BACKS = 5  # hidden cards that are drawn one by one
MOST_PLACES, MOST_HANDS = 40, 8  # elements of an array of numbers, and of one of names, that are drawn
_DICE = re.compile(r"\b(dice|die)(\b|_)", re.IGNORECASE)  # in the name of an array that counts faces, or of its game

Look = Literal["board", "kept", "cards", "dice", "heaps", "flags", "counters", "words"]


class Kind(NamedTuple):
    """The picture of a variable: its look, and True if each player's elements are drawn beside the player's name."""

    look: Look
    own: bool = False


class Thing(NamedTuple):
    """A small picture: a card, the back of one, a die, a heap or a counter. `name` is written on it or before it,
    `value` behind the name (of a heap: the number of its stones)."""

    look: Literal["card", "back", "die", "heap", "counter"]
    name: str = ""
    value: str = ""


class ThingRow(NamedTuple):
    """Things that lie side by side, their name, and the player who owns them (None: nobody)."""

    owner: int | None
    name: str
    things: list[Thing]


def kinds(model: RulesModel, on_boards: Collection[int], placed: Collection[int] = ()) -> list[Kind]:
    """The kind of picture of each variable. Boards show the variables whose numbers are in `on_boards`, and the men
    whose squares are held by those in `placed`."""
    held = [v.type.item if isinstance(v.type, SetType) else v.type for v in model.variables if _is_secret(v)]
    cards = {type for each in held if (type := named_type(each)) and type.members != model.players}
    looks = dict.fromkeys(placed, Kind("words")) | dict.fromkeys(on_boards, Kind("board"))
    return [
        looks.get(number) or _kind(model, variable, cards, bool(looks))
        for number, variable in enumerate(model.variables)
    ]


def _kind(model: RulesModel, variable: Variable, cards: Collection[Named], boards: bool) -> Kind:
    indices = table_indices(variable)
    own = bool(indices) and isinstance(indices[0], Named) and indices[0].members == model.players
    if "." in variable.name:  # no name of an author's: what a draw keeps
        return Kind("kept")
    if len(indices) > 1 + own or (len(indices) == 1 + own and size(indices[-1]) > MOST_PLACES):
        return Kind("words")
    if own:
        return Kind(_own_look(model, variable, len(indices)), own=True)
    if indices:
        return Kind("cards" if variable.places and not boards else _array_look(model, variable, boards))
    is_card = isinstance(variable.type, SetType) or _is_secret(variable) or named_type(variable.type) in cards
    if variable.places or boards:
        return Kind("cards" if variable.places else "words")
    if variable.type == TRUTH or is_card:
        return Kind("cards" if is_card else "flags")
    return Kind("heaps" if _counts(variable.type) and variable.initial[0] >= LEAST_HEAP else "counters")


def _own_look(model: RulesModel, variable: Variable, indices: int) -> Look:
    """The look of an array whose first index is the players."""
    if indices == 2 and not variable.places:
        if not _counts(without_none(variable.type)):
            return "words"
        return "dice" if _are_faces(model, variable) else "cards" if _is_secret(variable) else "counters"
    if variable.places or isinstance(variable.type, SetType) or _is_secret(variable):
        return "cards"
    return "flags" if variable.type == TRUTH else "counters"


def _array_look(model: RulesModel, variable: Variable, boards: bool) -> Look:
    """The look of an array over anything but the players."""
    if variable.type == TRUTH:
        return "flags"
    if not _counts(variable.type):
        few = isinstance(variable.type, SetType) or (named_type(variable.type) and len(variable.initial) <= MOST_HANDS)
        return "cards" if few and not boards else "words"
    records = isinstance(variable.indices[0], Named) and variable.indices[0].parts
    held = any(variable.initial) and 0 in members(variable.type) and not records  # a heap may be empty
    return "dice" if _are_faces(model, variable) else "heaps" if held else "counters"


def table_indices(variable: Variable) -> tuple[Type, ...]:
    """The types of a variable's indices; for sequences, without the index into the sequence."""
    return variable.indices[:-1] if variable.places else variable.indices


def _is_secret(variable: Variable) -> bool:
    return variable.visibility.kind != "all" or variable.visibility.hides != ""


def named_type(type: Type) -> Named | None:
    """The enumeration whose members are the values of a type, perhaps some of them only, perhaps beside none."""
    inner = without_none(type)
    whole = inner.whole if isinstance(inner, Part) else inner
    return whole if isinstance(whole, Named) else None


def _counts(type: Type) -> bool:
    return isinstance(type, Range) and not isinstance(type, Part) and type.low >= 0


def _are_faces(model: RulesModel, variable: Variable) -> bool:
    """True if the array counts how many dice show each face: there may be none, so numbers from 1 up are no counts."""
    faces = variable.indices[-1]
    named = _DICE.search(f"{variable.name} {model.name}")
    return named is not None and 0 in members(variable.type) and faces in [Range(1, sides) for sides in range(2, 7)]


def thing_rows(model: RulesModel, variable: Variable, kind: Kind, values: Sequence[Any]) -> Iterator[ThingRow]:
    """The things that a variable shows in a state, in which its elements have these values; none for words."""
    if kind.look in ("board", "kept", "words"):
        return
    indices = table_indices(variable)
    by_value = kind.look == "cards" and (variable.places > 0 or not (kind.own and len(indices) == 2))
    along = indices if by_value else indices[: kind.own]
    rows = list(product(*(_value_names(each) for each in along)))
    each = len(values) // len(rows)
    heads = _value_names(indices[-1]) if len(indices) > kind.own else [""]
    for number, named in enumerate(rows):
        part = values[number * each : (number + 1) * each]
        things = _cards(variable, part) if by_value else _things_by_count(variable, kind, heads, part)
        owner = number * size(indices[0]) // len(rows) if kind.own else None
        row = ThingRow(owner, " ".join([variable.name, *named[kind.own :]]), list(things))
        if row.things or kind.look != "flags":
            yield row


def _value_names(type: Type) -> list[str]:
    return [text_of(type, value, by_field=True) for value in members(type)]


def _cards(variable: Variable, values: Sequence[Any]) -> Iterator[Thing]:
    """A card for each value, and for each member of a set. Many hidden ones, as of a deck, are one with a number."""
    hidden = list(values).count(HIDDEN)
    backs = [Thing("back")] * hidden if hidden <= MOST_BACKS else [Thing("back", value=f"×{hidden}")]
    for value in values:
        if isinstance(variable.type, SetType) and value != HIDDEN:
            yield from (Thing("card", text_of(variable.type.item, each, by_field=True)) for each in elements(value))
        elif value not in (None, HIDDEN):
            yield Thing("card", text_of(variable.type, value, by_field=True))
    yield from backs


def _things_by_count(variable: Variable, kind: Kind, heads: Sequence[str], values: Sequence[Any]) -> Iterator[Thing]:
    """Numbers of things under their names: as many cards or dice, a heap, or a counter; nothing for 0 of a player's,
    unless there may be none."""
    look = kind.look
    for head, value in zip(heads, values, strict=True):
        if look in ("cards", "dice"):
            if value == HIDDEN:
                yield Thing("back")
                if set(values) == {HIDDEN}:
                    return
            else:
                yield from [Thing("die" if look == "dice" else "card", head)] * (value or 0)
        elif look == "heaps":
            yield Thing("heap", head, str(value))
        elif look == "flags":
            yield from [Thing("counter", head)] * (value is True)
        elif not head or not kind.own or value or isinstance(variable.type, Optional):
            told = "–" if value is None else value if value == HIDDEN else text_of(variable.type, value, by_field=True)
            yield Thing("counter", head, told)

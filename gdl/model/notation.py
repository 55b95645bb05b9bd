"""The text of a position, in the notation that the game's file declares: read into first values, and written.

A notation is a row of fields with text between them (gdl.model.games.Notation). A field's text ends where the text
after it begins. What a position leaves out at its end, where the notation allows that, stays as it is at the start of
the game.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from gdl.errors import GameError, Problem, Span, clean, count_text, listing
from gdl.model.domains import elements
from gdl.model.games import Field, Notation, Variable

_NUMBER = re.compile(r"\d+")
_NONE = "-"  # an empty set
_HANDS = {"counted": "2{0}{1}", "repeated": "{0}{0}{1}"}  # fields of hands by their kinds: how one is written
EMPTY = ".-_"  # an empty square, where the signs are none of the game's own


@dataclass
class Placement:
    """The content of a position's text: the values of variables by their numbers, and the player to move (None: the
    text does not say); and where each variable, and each member of a set, stands in the text."""

    values: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    mover: int | None = None
    places: dict[tuple[int, int | None], Span] = field(default_factory=dict)


def read(notation: Notation, text: Span) -> Placement:
    """Read the text of a position.

    1. Each field takes what stands before the text that follows it in the notation (blanks: any number of them).
    2. Its part is read by the rule of its kind, symbol by symbol; the longest symbol that fits is meant.
    Raises GameError with a place in the text, and what would be right there.
    """
    notation = _without_brackets(notation, text.text)
    source, at = text.source, text.end - len(text.text.lstrip())
    end = at + len(text.text.strip())
    placement = Placement()
    for number, part in enumerate(notation.parts):
        if at == end and number in notation.ends:
            return placement
        if isinstance(part, str):
            at = _past(notation, number, Span(source, at, end))
        else:
            following = next((p for p in notation.parts[number + 1 :] if isinstance(p, str)), "")
            behind = re.compile(_pattern(following)).search(source.text, at, end) if following else None
            close = behind.start() if behind else end
            here = Span(source, at, close)
            placement.places |= {(index, None): here for index in part.variables}
            _KINDS[part.kind][0](part, here, placement)
            at = close
    if at < end:
        _refuse_notation(
            Span(source, at, end), "nothing more is due here", f"a position is written {notation.template}"
        )
    return placement


def _without_brackets(notation: Notation, text: str) -> Notation:
    """The notation without hands that stand in brackets, if the text has no bracket: they are as at the start."""
    parts = notation.parts
    for number in range(1, len(parts) - 1) if "[" not in text else ():
        part = parts[number]
        if isinstance(part, Field) and part.kind in _HANDS and (parts[number - 1], parts[number + 1]) == ("[", "]"):
            ends = frozenset(end if end < number else end - 3 for end in notation.ends)
            return notation.copy_with(parts=parts[: number - 1] + parts[number + 2 :], ends=ends)
    return notation


def write(notation: Notation, variables: Sequence[Variable], cells: Sequence[Any], mover: int) -> str:
    """The text of a position, given its cells; `read` reads it back."""
    parts = []
    for part in notation.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        arrays = [variables[index] for index in part.variables]
        values = [list(cells[v.place : v.place + len(v.initial)]) for v in arrays]
        parts.append(_KINDS[part.kind][1](part, [[mover]] if part.kind == "mover" else values))
    return "".join(parts)


def _refuse_notation(where: Span, message: str, note: str = "", help: str = "") -> NoReturn:
    raise GameError(Problem(message, where, note=note and f"{note}.", help=help))


def _past(notation: Notation, number: int, rest: Span) -> int:
    """The place in the text after a part of the notation that is fixed text."""
    part = str(notation.parts[number])
    found = re.compile(_pattern(part)).match(rest.source.text, rest.start, rest.end)
    if found is None:
        following = next((p.name for p in notation.parts[number:] if isinstance(p, Field)), "")
        due = f"'{part.strip()}'" if part.strip() else f"a blank, and {following} after it,"
        _refuse_notation(_visible_span(rest), f"{due} is due here", f"a position is written {notation.template}")
    return found.end()


def _pattern(part: str) -> str:
    return r"\s+".join(map(re.escape, re.split(r"\s+", part)))


# ---- Single values ----------------------------------------------------------------------------------------------


def _read_value(part: Field, text: Span, placement: Placement) -> None:
    if part.kind == "mover":
        (placement.mover,) = _value(part, text)
    else:
        placement.values[part.variables[0]] = _value(part, text)


def _read_any(part: Field, text: Span, placement: Placement) -> None:
    if not text.text:
        _refuse_notation(_visible_span(text), f"something like {part.name} is due here")


def _value(part: Field, text: Span) -> tuple[Any, ...]:
    word = text.text
    found = part.symbols.get(word)
    if found is None and part.numbers and _NUMBER.fullmatch(word) and part.numbers[0] <= int(word) <= part.numbers[1]:
        found = (int(word),)
    if found is None:
        _refuse_notation(
            _visible_span(text), f"this is no value of {part.name}", f"{part.name} is written {_choices(part)}"
        )
    return found


def _write_value(part: Field, values: list[list[Any]]) -> str:
    return _symbol_for(part, tuple(value[0] for value in values))


# ---- Sets -------------------------------------------------------------------------------------------------------


def _read_set(part: Field, text: Span, placement: Placement) -> None:
    members = 0
    if text.text != _NONE:
        for symbol, place in _symbols(part, text):
            member = 1 << part.symbols[symbol][0]
            if members & member:
                _refuse_notation(place, f"'{clean(symbol)}' stands here twice")
            members |= member
            placement.places[part.variables[0], part.symbols[symbol][0]] = place
    placement.values[part.variables[0]] = (members,)


def _write_set(part: Field, values: list[list[Any]]) -> str:
    ((members,),) = values
    wanted = set(elements(members))
    return "".join(symbol for symbol, (member,) in part.symbols.items() if member in wanted) or _NONE


# ---- Hands ------------------------------------------------------------------------------------------------------


def _read_hand(part: Field, text: Span, placement: Placement) -> None:
    """Read a hand such as `RGgs5p` or `PPp`: a number before a symbol is a count; `-` or nothing is an empty hand."""
    counts = [0] * part.size
    at = text.start if text.text != _NONE else text.end
    while at < text.end:
        run = _NUMBER.match(text.source.text, at, text.end)
        sign = run.end() if run else at
        symbol = _longest_symbol(part, text.source.text, sign, text.end)
        if symbol is None:
            example = _HANDS[part.kind].format(*itertools.islice(itertools.cycle(part.symbols), 2))
            more = f", a number before one for so many, as SFEN writes hands: {example}, or {_NONE} for none"
            _no_symbol(part, Span(text.source, at, max(sign, at + 1)), more)
        counts[part.symbols[symbol][0]] += int(run[0]) if run else 1
        if part.numbers and counts[part.symbols[symbol][0]] > part.numbers[1]:
            here = Span(text.source, at, sign + len(symbol))
            _refuse_notation(here, f"more than {part.numbers[1]} of '{clean(symbol)}' are in {part.name}")
        at = sign + len(symbol)
    placement.values[part.variables[0]] = tuple(counts)


def _write_counted(part: Field, values: list[list[Any]]) -> str:
    held = [(symbol, values[0][place]) for symbol, (place,) in part.symbols.items()]
    return "".join(f"{count if count > 1 else ''}{symbol}" for symbol, count in held if count) or _NONE


def _write_repeated(part: Field, values: list[list[Any]]) -> str:
    return "".join(symbol * values[0][place] for symbol, (place,) in part.symbols.items())


# ---- Arrays -----------------------------------------------------------------------------------------------------


def _read_picture(part: Field, text: Span, placement: Placement) -> None:
    """Read the rows of a picture, separated by `/`. A number is a count of empty squares, unless the squares hold
    numbers."""
    rows = list(text.find_all(r"[^/\s]+"))
    shown = [list(_row(part, row)) for row in rows]
    if len(rows) == 1 and len(shown[0]) == part.size:
        wanted = [[index for row in part.rows for index in row]]
    else:
        wanted = [list(row) for row in part.rows]
        for row, found, due in zip(rows, shown, wanted, strict=False):
            if len(found) != len(due):
                _refuse_notation(row, f"this row shows {count_text(len(found), 'square')}, and it has {len(due)}")
        if len(rows) != len(wanted):
            shows = f"{'is' if len(rows) == 1 else 'are'} {count_text(len(rows), 'row')}"
            _refuse_notation(_visible_span(text), f"{part.name} has {len(wanted)} rows, and here {shows}")
    indices, values = itertools.chain(*wanted), itertools.chain(*shown)
    _set_arrays(part, dict(zip(indices, values, strict=True)), placement)


def _row(part: Field, row: Span) -> Iterator[tuple[Any, ...]]:
    """The values of each square in a row of a picture."""
    if part.numbers is not None:
        yield from (_value(part, number) for number in row.find_all(r"[^,]+"))
        return
    at = row.start
    while at < row.end:
        symbol = _longest_symbol(part, row.source.text, at, row.end)
        run = _NUMBER.match(row.source.text, at, row.end)
        if symbol is not None:
            marked = bool(part.mark) and row.source.text.startswith(part.mark, at + len(symbol), row.end)
            yield (*part.symbols[symbol][:-1], True) if marked else part.symbols[symbol]
            at += len(part.mark) if marked else 0
        elif row.source.text[at] in EMPTY:
            yield part.empty
        elif run and int(run[0]) <= part.size:
            yield from [part.empty] * int(run[0])
        else:
            _no_symbol(part, Span(row.source, at, at + 1), " and a number for so many empty squares")
        at += len(symbol) if symbol is not None else len(run[0]) if run else 1


def _write_picture(part: Field, values: list[list[Any]]) -> str:
    """The text of a picture. Empty squares are written as counts, unless they have a symbol."""
    if part.mark:
        ((members,),) = values[-1:]
        values = [*values[:-1], [bool(members >> index & 1) for index in range(part.size)]]
    squares = list(zip(*values, strict=True))
    return "/".join(_written_row(part, [squares[index] for index in row]) for row in part.rows)


def _written_row(part: Field, squares: list[tuple[Any, ...]]) -> str:
    if part.numbers is not None:
        return ",".join(_symbol_for(part, square) for square in squares)
    out, empty = "", 0
    counts = part.empty not in part.symbols.values()
    for square in squares:
        if counts and square == part.empty:
            empty += 1
            continue
        out += (str(empty) if empty else "") + _symbol_for(part, square)
        empty = 0
    return out + (str(empty) if empty else "")


def _read_places(part: Field, text: Span, placement: Placement) -> None:
    """Read groups of squares, `W21,22,K30:B1-3`, where the sign at the beginning of a group holds for all its
    squares."""
    known = {symbol + name: (v, place) for symbol, v in part.symbols.items() for name, place in part.places.items()}
    signs = {symbol[0] for symbol in part.symbols}
    squares: dict[int, tuple[Any, ...]] = {}
    for group in text.find_all(r"[^:\s]+"):
        if group.text in signs:
            continue  # nobody of this kind is left
        for here in group.find_all(r"[^,]+"):
            found = _stretch(part, known, here.text if here.start == group.start else group.text[0] + here.text)
            if not found:
                places, written = list(part.places), listing(part.symbols, "or")
                note = f"what stands there is written {written}, the square {places[0]} to {places[-1]}"
                _refuse_notation(here, "this is no square, with what stands on it", note)
            if not squares.keys().isdisjoint(found):
                _refuse_notation(here, "this square stands here twice")
            squares |= found
    _set_arrays(part, squares, placement)


def _stretch(part: Field, known: Mapping[str, tuple[Any, int]], item: str) -> dict[int, tuple[Any, ...]]:
    """The contents of the squares of an item such as `K30`, or a range such as `1-3`; {} if it is neither."""
    first, dash, last = item.partition("-")
    if first not in known or (dash and last not in part.places):
        return {}
    values, start = known[first]
    order = list(part.places.values())
    end = part.places[last] if dash else start
    return dict.fromkeys(order[order.index(start) : order.index(end) + 1], values)


def _write_places(part: Field, values: list[list[Any]]) -> str:
    groups: dict[str, list[str]] = {symbol[0]: [] for symbol in part.symbols}
    squares = list(zip(*values, strict=True))
    for name, place in part.places.items():
        if squares[place] != part.empty:
            symbol = _symbol_for(part, squares[place])
            groups[symbol[0]].append(symbol[1:] + name)
    return ":".join(sign + ",".join(names) for sign, names in groups.items())


def _set_arrays(part: Field, squares: dict[int, tuple[Any, ...]], placement: Placement) -> None:
    """Set all elements of the field's arrays: those of the squares given, and empty squares elsewhere."""
    columns = list(zip(*(squares.get(index, part.empty) for index in range(part.size)), strict=True))
    if part.mark:
        columns[-1] = (sum(1 << index for index, marked in enumerate(columns[-1]) if marked),)
    placement.values |= dict(zip(part.variables, columns, strict=True))


# ---- Symbols ----------------------------------------------------------------------------------------------------


def _symbols(part: Field, text: Span) -> Iterator[tuple[str, Span]]:
    """The symbols written one after the other in a text, with or without commas, each with its place."""
    at = text.start
    while at < text.end:
        symbol = _longest_symbol(part, text.source.text, at, text.end)
        if symbol is not None:
            yield symbol, Span(text.source, at, at + len(symbol))
        elif text.source.text[at] != ",":
            _no_symbol(part, Span(text.source, at, at + 1), f", and {_NONE} if there is none")
        at += len(symbol) if symbol is not None else 1


def _longest_symbol(part: Field, text: str, at: int, end: int) -> str | None:
    fitting = [symbol for symbol in part.symbols if text.startswith(symbol, at, end)]
    return max(fitting, key=len, default=None)


def _no_symbol(part: Field, where: Span, more: str) -> NoReturn:
    _refuse_notation(where, f"'{clean(where.text)}' stands for nothing in {part.name}",
           f"the signs are {listing(part.symbols, most=20)}{more}")  # fmt: skip


def _symbol_for(part: Field, values: tuple[Any, ...]) -> str:
    """The first symbol that stands for these values, with its mark where the last of them says so."""
    if part.mark and values[-1]:
        return _symbol_for(part, (*values[:-1], False)) + part.mark
    found = next((symbol for symbol, stands_for in part.symbols.items() if stands_for == values), None)
    return str(values[0]) if found is None else found


def _choices(part: Field) -> str:
    """A text on how a value of the field may be written."""
    numbers = f"a number from {part.numbers[0]} to {part.numbers[1]}" if part.numbers else ""
    return listing([*part.symbols, *([numbers] if numbers else [])], "or")


def _visible_span(text: Span) -> Span:
    """A stretch of text, widened to one character where it is empty."""
    return text.part(0, max(len(text.text), 1))


Read = Callable[[Field, Span, Placement], None]
Write = Callable[[Field, list[list[Any]]], str]
_KINDS: dict[str, tuple[Read, Write]] = {  # how a field of each kind is read and written
    "mover": (_read_value, _write_value),
    "value": (_read_value, _write_value),
    "set": (_read_set, _write_set),
    "counted": (_read_hand, _write_counted),
    "repeated": (_read_hand, _write_repeated),
    "picture": (_read_picture, _write_picture),
    "places": (_read_places, _write_places),
    "any": (_read_any, lambda part, values: part.name),
}

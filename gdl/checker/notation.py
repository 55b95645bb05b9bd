"""`notation`: how a position is written as a single text; and the positions of the file, written in that way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from gdl import syntax
from gdl.checker.constants import constant_value
from gdl.checker.scope import Scope
from gdl.checker.setup import legend_of, reading_order
from gdl.checker.types import base_type
from gdl.errors import GameError, Span, line_of, listing
from gdl.interpreter.legal_positions import begin_with, keep_legal
from gdl.model import core
from gdl.model.domains import Named, Range, SetType, Type, default_value, describe_type, members, text_of
from gdl.model.games import Field, Notation, RulesModel, Variable, Written
from gdl.model.notation import read

_PART = re.compile(r"\{([^{}]*)\}|(?P<bracket>\[\[|\]\])|([\[\]])|[^{}\[\]]+|[{}]")
_LINE = re.compile(
    r"([^:=]+?)\s*(?:\b(at|from)\s+(\w+)\s*|\b(?P<manner>repeated|marked)\s*)?:\s*(?P<legend>.*)", re.DOTALL
)
_WORDS = re.compile(r"=\s*\w+\s+\w+\s*(?:,|$)")  # the first sign of a hand: P = White pawn
_NO_NOTATION = 'say how positions are written: notation "{…}"'
_NOTHING = "-"  # stands for `none`, where nothing else does


def check_notation(scope: Scope, written: syntax.Notation | None) -> Notation | None:
    """The fields of the template, each with the symbols of its values.

    1. `{name}` or `{name, name}` in the template is a field, a number in braces one that the state does not hold; what
       stands from a `[` on may be left out; `[[` and `]]` are brackets of the text.
    2. A line `name: symbol = value, …` says how the values of a field are written; `names at word: …` that it lists
       the squares that have something on them, each called by what the definition `word` gives for it;
       `name from a1: …` that its picture begins with that corner; `name marked: ~` that a sign behind what stands on a
       square says that it is one of a set, which is the last in the braces of a picture. A line that ends in a comma
       goes on in the next.
    """
    if written is None:
        return None
    before = len(scope.problems)
    lines = dict(_lines(scope, written))
    parts: list[str | Field] = []
    ends: set[int] = set()
    start, inside = written.template.span.start + 1, False  # whether brackets of the text itself are open
    for found in _PART.finditer(written.template.text[1:-1]):
        here = Span(written.span.source, start + found.start(), start + found.end())
        if found[1] is not None:
            if parts and isinstance(parts[-1], Field):
                scope.problem("nothing stands between two fields", here, help="put a blank between them, or a sign")
            parts += _field(scope, found[1], here, lines)
        elif found["bracket"] == "[[" or (found["bracket"] and inside):
            inside = found["bracket"] == "[["
            parts.append(found["bracket"][0])
        elif found[3] == "[":
            ends.add(len(parts))
        elif found[0] in "{}":
            scope.problem(f"this '{found[0]}' has no partner", here, help="a field is written {name}")
        elif found[3] is None and not found["bracket"]:
            parts.append(found[0])
    for line, _ in lines.values():
        message = "the notation has no such field"
        scope.problem(message, line, help="name fields of the text above, with their commas, before the colon")
    if len(scope.problems) > before:
        return None
    parts = [_mover(scope, parts) if isinstance(p, Field) and p.kind == "mover" and not p.symbols else p for p in parts]
    return Notation(written.template.name, tuple(parts), frozenset(ends))


Line = tuple[Span, "re.Match[str]"]  # the place of a line of the notation, and its match


def _lines(scope: Scope, written: syntax.Notation) -> Iterator[tuple[tuple[str, ...], Line]]:
    open: Span | None = None  # a line that goes on
    for line in written.lines:
        span = line.span if open is None else Span(line.span.source, open.start, line.span.end)
        open = span if line.text.endswith(",") else None
        found = _LINE.fullmatch(span.text)
        if open is None and found is None:
            scope.problem("this line of the notation has another form", span, help="write: mover: w = White, …")
        elif open is None and found is not None:
            yield _names(found[1]), (span, found)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _field(scope: Scope, text: str, here: Span, lines: dict[tuple[str, ...], Line]) -> Iterator[Field]:
    """The field that the text in a template's braces stands for; nothing after a mistake. The line that describes it is
    taken out of `lines`."""
    names = _names(text)
    line = lines.pop(names, None)
    if text.isdigit():
        yield Field("any", text)
        return
    if names == ("mover",):
        symbols = _symbols(scope, {"mover": scope.players}, line) if line else {}
        yield Field("mover", text, symbols=symbols)
        return
    unknown = next((name for name in names if name not in scope.variables), None)
    if unknown is not None:
        scope.unknown(unknown, here, "variable", ["mover", *scope.variables])
        return
    marked = lines.pop(names[-1:], None) if len(names) > 1 and (names[-1:] in lines) else None
    if marked and marked[1]["manner"] == "marked":
        yield from _picture_with_marks(scope, names, here, lines, marked)
        return
    variables = [scope.variables[name] for name in names]
    places = {name: place for place, name in enumerate(scope.variables)}
    indices = tuple(places[name] for name in names)
    if len({str(v.indices) for v in variables}) > 1 or (len(names) > 1 and not variables[0].indices):
        scope.problem("the variables of a field are arrays over the same squares", here, help="give each its own field")
    elif line and len(names) == 1 and _is_hand(variables[0], line):
        yield _hand(scope, text, variables[0], line).copy_with(variables=indices)
    elif variables[0].indices:
        yield _arrays(scope, text, variables, line).copy_with(variables=indices)
    else:
        yield _single_field(scope, text, variables[0].type, line).copy_with(variables=indices)


def _picture_with_marks(
    scope: Scope, names: tuple[str, ...], here: Span, lines: dict[tuple[str, ...], Line], marked: Line
) -> Iterator[Field]:
    """The field of a picture in which a sign marks the squares of a set, which is the last of the names."""
    found = marked[1]
    of_squares = scope.variables[names[-1]]
    for field in _field(scope, ", ".join(names[:-1]), here, lines):
        squares = scope.variables[names[0]].indices
        if field.kind != "picture" or not isinstance(of_squares.type, SetType) or (of_squares.type.item,) != squares:
            scope.problem(f"{names[-1]} is no set of the squares of this picture", here, help="give it its own field")
            return
        symbols = {symbol: (*values, False) for symbol, values in field.symbols.items()}
        index = list(scope.variables).index(names[-1])
        variables, empty = (*field.variables, index), (*field.empty, False)
        yield field.copy_with(symbols=symbols, empty=empty, variables=variables, mark=found["legend"].strip())


def _mover(scope: Scope, parts: list[str | Field]) -> Field:
    """The field for the player to move. Its signs are those of the players' men, where a picture shows whose man is on
    a square; the names of the players can always be read too."""
    men = [part for part in parts if isinstance(part, Field) and part.kind == "picture" and len(part.variables) == 1]
    types = list(scope.variables.values())
    signs = next((part.symbols for part in men if base_type(types[part.variables[0]].type) == scope.players), {})
    owned = {sign: values for sign, values in signs.items() if values != (None,)}
    names = {name: (player,) for player, name in enumerate(scope.players.members) if name not in owned}
    return Field("mover", "mover", symbols=owned | names)


def _single_field(scope: Scope, name: str, type: Type, line: Line | None) -> Field:
    """A field for the value of a single variable, which may be a set."""
    item = type.item if isinstance(type, SetType) else type
    inner = base_type(item)
    symbols = _symbols(scope, {name: item}, line) if line else {}
    numbers = (inner.low, inner.high) if isinstance(inner, Range) and not symbols else None
    if not symbols and numbers is None:
        symbols = {text_of(inner, value): (value,) for value in members(inner)}
    if item != inner and (None,) not in symbols.values():
        symbols.setdefault(_NOTHING, (None,))
    if isinstance(type, SetType):
        numbers, symbols = None, symbols or {text_of(inner, value): (value,) for value in members(inner)}
        return Field("set", name, symbols=symbols)
    return Field("value", name, symbols=symbols, numbers=numbers)


def _symbols(scope: Scope, types: dict[str, Type], line: Line) -> dict[str, tuple[Any, ...]]:
    """The values that the signs of a line of the notation stand for."""
    span, found = line
    legend = Span(span.source, span.start + found.start("legend"), span.end)
    return dict(legend_of(scope, types, legend))


# ---- Hands ------------------------------------------------------------------------------------------------------


def _is_hand(variable: Variable, line: Line) -> bool:
    """True if the line gives signs for the elements of an array of counts (`P = White pawn`), not for values."""
    _, found = line
    counts = isinstance(variable.type, Range) and variable.type.low == 0 and len(variable.indices) == 2
    return counts and _WORDS.search(found["legend"]) is not None


def _hand(scope: Scope, name: str, variable: Variable, line: Line) -> Field:
    """A field of counts: each sign stands for an element of the array, written once per piece or with a number."""
    owner, thing = variable.indices
    symbols = _symbols(scope, {"the owner": owner, "the kind": thing}, line)
    each = variable.extents[1]
    base = thing.low if isinstance(thing, Range) else 0
    places = {symbol: (who * each + what - base,) for symbol, (who, what) in symbols.items() if None not in (who, what)}
    assert isinstance(variable.type, Range)
    kind: Literal["counted", "repeated"] = "repeated" if line[1]["manner"] else "counted"
    numbers = (variable.type.low, variable.type.high)
    return Field(kind, name, symbols=places, numbers=numbers, size=len(variable.initial))


# ---- Arrays -----------------------------------------------------------------------------------------------------


def _arrays(scope: Scope, name: str, variables: list[Variable], line: Line | None) -> Field:
    """A field for arrays over the same squares, written as a picture or as lists of squares."""
    first = variables[0]
    types = {variable.name: variable.type for variable in variables}
    empty = tuple(default_value(type) for type in types.values())
    shown = (look for arrays, look in scope.looks if arrays == tuple(types))  # by the legend of a setup
    symbols = _symbols(scope, types, line) if line else {sign: v for look in shown for v, sign in look.items()}
    inner = base_type(first.type)
    numbers = (inner.low, inner.high) if len(types) == 1 and isinstance(inner, Range) and not symbols else None
    if not symbols and len(types) == 1 and isinstance(inner, Named):
        symbols = _letters(inner)
    if not symbols and numbers is None:
        help = f"say it in a line below: {name}: X = …, or in the legend of a setup"
        scope.problem(f"nothing says how the values of {name} are written", first.span, help=help)
    if line and len(types) > 1 and not any(arrays == tuple(types) for arrays, _ in scope.looks):
        scope.looks.append((tuple(types), {values: symbol for symbol, values in reversed(symbols.items())}))
    common = Field("picture", name, symbols=symbols, numbers=numbers, empty=empty, size=len(first.initial))
    if line and line[1][2] == "at":
        return common.copy_with(kind="places", places=_places(scope, first, line))
    rows = list(_rows(first))
    return common.copy_with(rows=tuple(_turn_rows(scope, first, rows, line) if line and line[1][3] else rows))


def _letters(type: Named) -> dict[str, tuple[Any, ...]]:
    """The members of a type by their first letters, if all of these differ, else by their names."""
    letters = {name[0]: (value,) for value, name in enumerate(type.members)}
    if len(letters) == len(type.members):
        return letters
    return {name: (value,) for value, name in enumerate(type.members)}


def _rows(variable: Variable) -> Iterator[tuple[int, ...]]:
    """The elements of each row, the highest row of a board first; with several indices the last one varies along the
    row."""
    index = variable.indices[-1]
    board = index.board if isinstance(index, Named) else None
    if len(variable.indices) == 1 and board is not None:
        rows: dict[tuple[int, ...], list[int]] = {}
        for square in reading_order(board):
            rows.setdefault(board.coordinates[square][1:], []).append(square)
        yield from map(tuple, rows.values())
        return
    each = variable.extents[-1]
    for start in range(0, len(variable.initial), each):
        yield tuple(range(start, start + each))


def _turn_rows(scope: Scope, variable: Variable, rows: list[tuple[int, ...]], line: Line) -> list[tuple[int, ...]]:
    """The rows in the order in which a picture that begins with another corner than the upper left one shows them."""
    corner, here = _word(line)
    index = variable.indices[0]
    names = index.members if isinstance(index, Named) else ()
    square = names.index(corner) if corner in names else None
    if square not in (rows[0][0], rows[0][-1], rows[-1][0], rows[-1][-1]):
        scope.problem(f"'{corner}' is no corner of the board", here, help="name the square that is written first")
        return rows
    if square in rows[-1]:
        rows = rows[::-1]
    return rows if square == rows[0][0] else [row[::-1] for row in rows]


def _word(line: Line) -> tuple[str, Span]:
    """The word after `at` or `from` in a line of the notation, and its place in the text."""
    span, found = line
    return found[3], Span(span.source, span.start + found.start(3), span.start + found.end(3))


def _places(scope: Scope, variable: Variable, line: Line) -> dict[str, int]:
    """The numbers of the squares by the names that a definition gives them; squares for which it gives none are left
    out."""
    word, here = _word(line)
    declared = scope.definitions.get(word)
    if declared is None:
        scope.unknown(word, here, "definition", list(scope.definitions))
        return {}
    scope.used.add(word)
    index = variable.indices[0]
    if declared.checked is None or declared.parameters != (index,) or len(variable.indices) > 1:
        scope.problem(f"{word} does not call {describe_type(index)} by a name", here, help="give it that one parameter")
        return {}
    names: dict[str, int] = {}
    order: dict[str, Any] = {}
    for element, value in enumerate(members(index)):
        call = core.CallDefinition(declared.index, (core.Const(value),), here)
        known, name = constant_value(call, scope)
        if not known:
            message = f"the name that {word} gives must not change during play"
            return scope.instead(message, here, "compute it of the square", {})
        if name is None:
            continue
        text = text_of(declared.result or index, name)
        if names.setdefault(text, element) != element:
            both = listing(text_of(index, members(index)[e]) for e in (names[text], element))
            help = "let it give none for squares that nothing ever stands on"
            return scope.instead(f"{word} calls two squares {text}: {both}", here, help, {})
        order[text] = name
    return {text: names[text] for text in sorted(names, key=lambda text: order[text])}


# ---- Positions --------------------------------------------------------------------------------------------------


def begin_at(scope: Scope, notation: Notation | None, text: Span, pictures: list[syntax.Setup]) -> core.Turn:
    """Take the first values of the variables from a position's text, as in `start "rnbak… w"`; the turn is that of the
    player to move in the text."""
    first = core.Turn("player", core.Const(0))
    if notation is None:
        if not scope.problems:
            scope.problem(f"{scope.game} declares no notation for positions", text, help=_NO_NOTATION)
        return first
    try:
        placement = read(notation, text)
    except GameError as wrong:
        scope.problems += wrong.problems
        return first
    variables = list(scope.variables.values())
    for index, values in placement.values.items():
        name = variables[index].name
        scope.variables[name] = variables[index].copy_with(initial=values)
        for word in (word for picture in pictures if picture.rows for word in picture.names if word.name == name):
            message = f"{name} begins as the picture of {line_of(word.span, text)} shows it, and as this text says"
            scope.problem(message, text, help="keep one of them")
    return first if placement.mover is None else core.Turn("player", core.Const(placement.mover), span=text)


def _former(scope: Scope, written: syntax.Notation) -> Notation | None:
    """The notation that a variant has replaced, checked again for the positions that are written in it; None where it
    uses names that the variant does not have."""
    before = len(scope.problems)
    found = check_notation(scope, written)
    del scope.problems[before:]
    return found


def check_positions(scope: Scope, model: RulesModel, written: list[syntax.Position]) -> dict[str, Written]:
    """The positions of the file by their names, each as its text with the notation in which it is written. A text that
    cannot be read, or is no position of the game, is a problem, unless parameters are changed: it may fit only the
    values of the file."""
    found, notation = {}, model.notation
    former: dict[int, Notation | None] = {}
    for position in written:
        scope.declare(position.name, "position")
        text = Span(position.text.span.source, position.text.span.start + 1, position.text.span.end - 1)
        found[position.name.name] = Written(text, notation)
        if position.notation is not None:
            key = id(position.notation)
            if key not in former:
                former[key] = _former(scope, position.notation)
            found[position.name.name] = Written(text, former[key])
        elif notation is None:
            if not scope.problems:
                scope.problem(f"{scope.game} declares no notation for positions", position.span, help=_NO_NOTATION)
        elif not scope.changed:
            try:
                placement = read(notation, text)
                if not any(not problem.warning for problem in scope.problems):
                    scope.problems += keep_legal(begin_with(model, placement), placement, text)[1]
            except GameError as wrong:
                scope.problems += wrong.problems
    return found

"""`look`: how things appear, of which no rule asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl import syntax
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.scope import LocalFrame, Scope
from gdl.errors import clean, listing
from gdl.model.appearance import COLOURS, LONGEST_SIGN, SIGNS
from gdl.model.domains import SetType, board_of, elements, without_none
from gdl.model.games import Appearance, MarkedSquares
from gdl.model.symbols import symbol_names

LONGEST_NAME = 200  # letters


def check_looks(scope: Scope, sections: Sequence[syntax.Look]) -> Appearance:
    """The appearance that the sections describe; of lines on the same thing the last counts."""
    hidden: dict[str, None] = {}
    marks: list[MarkedSquares] = []
    told: dict[str, dict[str, str]] = {"names": {}, "points": {}, "signs": {}, "colours": {}}
    for line in (line for section in sections for line in section.lines):
        if isinstance(line, syntax.Hide):
            names = (word.name for word in line.names if _is_variable(scope, word))
            hidden |= dict.fromkeys(names)
        elif isinstance(line, syntax.MarkAs):
            marks += _marks(scope, line)
        elif (field := _field(scope, line)) is not None and _fits(scope, field, line.text):
            told[field][line.name.name] = line.text.name
    return Appearance(tuple(hidden), marks=tuple(marks), **told)  # type: ignore[arg-type]  # each is a mapping


def _is_variable(scope: Scope, word: syntax.Word) -> bool:
    """True if the word is a variable's name; else a problem is noted."""
    if word.name not in scope.variables:
        scope.unknown(word.name, word.span, "variable", list(scope.variables))
    return word.name in scope.variables


def _field(scope: Scope, line: syntax.ShowAs | syntax.DrawAs | syntax.ColourAs) -> str | None:
    """The field of the appearance that a line fills; None, with a problem, where it is about something that has no such
    appearance."""
    name = line.name.name
    variable = scope.variables.get(name)
    square = scope.square(name) if name not in scope.constants else None
    constant = scope.constants.get(name) or square
    kind = "variable" if variable is not None else "" if constant is None else constant.kind
    if not kind:
        known = [*scope.variables, *(n for n, c in scope.constants.items() if c.kind in ("member", "player"))]
        scope.unknown(name, line.name.span, "thing", known)
        return None
    match line:
        case syntax.ShowAs() if kind in ("variable", "member", "square"):
            return "points" if kind == "square" else "names"
        case syntax.DrawAs() if kind == "member" or (variable is not None and board_of(without_none(variable.type))):
            return "signs"
        case syntax.ColourAs() if kind == "player":
            return "colours"
    due = {"show": "a variable, a member of a type or a square", "draw": "a member of a type, or a variable that holds "
           "a square", "colour": "a player"}[word := line.span.text.split()[0]]  # fmt: skip
    scope.problem(f"'{word}' is for {due}, and {clean(name)} is a {kind}", line.name.span, help="take this line out")
    return None


def _fits(scope: Scope, field: str, word: syntax.Word) -> bool:
    """True if the text of a line can be shown; else a problem is noted."""
    text = word.name.strip()
    if not text or len(text) > LONGEST_NAME:
        message = "this shows nothing" if not text else f"a name in a picture has at most {LONGEST_NAME} letters"
        return scope.instead(message, word.span, "write what players are to read", False)
    if field == "colours" and text not in COLOURS:
        return scope.instead(f"no colour is called '{text}'", word.span, f"write one of {listing(COLOURS)}", False)
    symbols = symbol_names() if field == "signs" else list(SIGNS) if field == "marks" else []
    if symbols and len(text) > LONGEST_SIGN and text not in symbols:
        help = f"write one or two letters, or one of {listing(symbols)}"
        return scope.instead(f"no symbol is called '{text}'", word.span, help, False)
    return True


def _marks(scope: Scope, line: syntax.MarkAs) -> list[MarkedSquares]:
    """The mark that a line puts on squares; none, with a problem, where they are not known before play."""
    check = ExpressionChecker(scope, LocalFrame())
    before = len(scope.problems)
    typed = check.check(line.squares)
    item = typed.type.item if isinstance(typed.type, SetType) else typed.type
    if len(scope.problems) == before and board_of(item) is None:
        help = "write squares: {c3, f3}, or those s in Square: row(s) = 1"
        scope.problem("a mark is for squares of a board", line.squares.span, help=help)
    if len(scope.problems) > before or not _fits(scope, "marks", line.text):
        return []
    value: Any = check.constant_of(typed, line.squares)
    if value is None or len(scope.problems) > before:
        return []
    squares = frozenset(elements(value) if isinstance(typed.type, SetType) else (value,))
    return [MarkedSquares(item, squares, SIGNS.get(line.text.name, line.text.name))]

"""`row(b) for p`: a word about squares, from the side of a player who may see the board mirrored. Syntax -> core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl import syntax
from gdl.checker.scope import NOTHING_RIGHT, Checks, Typed
from gdl.checker.types import base_type
from gdl.checker.vocabulary import is_square
from gdl.model import board_tables, core
from gdl.model.domains import Named, Sequence, SetType, Type


def check_seen_by(check: Checks, e: syntax.SeenBy) -> Typed:
    """Check `row(s) for mover` and the like: a word about squares as a player sees the board.

    1. The squares that the word is asked about are turned to where the other side sees them.
    2. The squares that it answers with are turned back.
    3. The player for whom the board is mirrored gets this answer; all others get the plain one.
    """
    player = check.want(e.player, check.scope.players)
    plainly = check.check(e.operand)
    if plainly is NOTHING_RIGHT:
        return NOTHING_RIGHT
    board = _board_of(check, plainly)
    if board is None or board.board is None or board.name not in check.scope.mirrors:
        help = "declare it: board Square = grid(8, 8) flipped for Black" if board else "ask for row(s)"
        return check.scope.wrong("no player sees this board mirrored", e.span, help=help)
    mirrored = _flip_squares(plainly, board_tables.flips(board.board), _squares_of(check, plainly, board))
    sees = core.Comparison("=", player, core.Const(check.scope.mirrors[board.name]), e.span)
    return Typed(core.If(sees, mirrored, plainly.core), plainly.type)


def _board_of(check: Checks, typed: Typed) -> Named | None:
    """The board that an expression is about: its value is a square of the board, or it is looked up in one of the
    board's tables. None if there is no such board."""
    inner = base_type(typed.type)
    inner = inner.item if isinstance(inner, Sequence | SetType) else inner
    if isinstance(inner, Named) and inner.board is not None:
        return inner
    return next((b for b in check.scope.boards if _squares_of(check, typed, b) is not None), None)


def _squares_of(check: Checks, typed: Typed, board: Named) -> int | None:
    """The number of leading arguments that are squares, if the expression is looked up in one of the board's tables;
    else None."""
    form = typed.core
    if not isinstance(form, core.Lookup):
        return None
    table, squares = check.scope.tables.get((form.word, board.name), (None, 0))
    return squares if table is form.table else None


def _flip_squares(plainly: Typed, flips: tuple[int, ...], squares: int | None) -> core.Expression:
    def flip_square(x: core.Expression) -> core.Expression:
        return core.Lookup("flip", flips, (x,), (0,))

    form = plainly.core
    if isinstance(form, core.Lookup):
        arguments = tuple(flip_square(a) if i < (squares or 0) else a for i, a in enumerate(form.arguments))
        table = _mirror_entries(form.table, len(arguments), _entry_flip(plainly.type, flips))
        form = core.Lookup(form.word, table, arguments, form.bases, form.missing)
    return flip_square(form) if is_square(plainly.type) else form


def _entry_flip(type: Type, flips: tuple[int, ...]) -> Callable[[Any], Any] | None:
    """A function that mirrors a table entry holding several squares (`flips` has the mirror image of each square); None
    for entries of other types."""
    if isinstance(type, SetType):
        return lambda squares: sum(1 << flips[s] for s in range(len(flips)) if squares >> s & 1)
    if isinstance(type, Sequence):
        return lambda squares: tuple(flips[s] for s in squares)
    return None


def _mirror_entries(table: Any, levels: int, turned: Callable[[Any], Any] | None) -> Any:
    if turned is None:
        return table
    return turned(table) if levels == 0 else tuple(_mirror_entries(row, levels - 1, turned) for row in table)

"""The words of a board's directions: north, orthogonals, Direction. Syntax -> core.

Each board has directions of its own, a type that no other shares. A word that several boards have is said with its
board (`Point.directions`, `directions(Point)`), unless a direction of one of them is due where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gdl import syntax
from gdl.checker.scope import WAYS, Checks, Constant, Scope, Typed
from gdl.checker.types import base_type
from gdl.errors import Span, listing
from gdl.model import core
from gdl.model.board import Board
from gdl.model.domains import Named, Sequence, SetType, Type

SETS = WAYS - {"neighbours"}  # words that are sets of directions


def declare_directions(scope: Scope, board: Named) -> None:
    """Declare the type of a new board's directions, and as words of the game those of their names that no other board
    has."""
    assert board.board is not None
    words = board.board.directions
    if not words:
        return
    type = Named(f"{board.name}.Direction" if scope.directed_boards > 1 else "Direction", words)
    taken = {word for other in scope.directions.values() for word in other.members}
    scope.directions[board.name] = type
    if scope.directed_boards <= 1:
        scope.types.setdefault("Direction", type)
    for position, word in enumerate(words):
        if word in taken and word in scope.constants and scope.constants[word].kind == "direction":
            del scope.constants[word]  # it means several things
        elif word.isidentifier() and word not in taken and word not in scope.constants:
            scope.constants[word] = Constant(position, type, None, "direction")


def type_called(scope: Scope, name: str) -> Type | None:
    """The type of this name; None if there is none. `Point.Direction` is the type of a board's directions, `Town.Edge`
    that of a graph's edges; `Direction` alone is the type that all boards share, or the one that the place asks for."""
    board, _, word = name.rpartition(".")
    if board:
        if word == "Edge":
            return scope.edge_types.get(board)
        return scope.directions.get(board) if word == "Direction" else None
    if name == "Direction" and name not in scope.types:
        return scope.due
    return scope.types.get(name)


def word_of_direction(scope: Scope, name: str, span: Span) -> Typed | None:
    """The direction or set of directions that a word means (`north`, `orthogonals`, `Point.directions`); None if no
    board has the word."""
    board, _, word = name.rpartition(".")
    if board:
        named = scope.types.get(board)
        found = _of_board(scope, named, word) if isinstance(named, Named) else None
        return found or (_no_such_word(scope, board, word, span) if named or scope.boards else None)
    meant = [(b, typed) for b in scope.boards if (typed := _of_board(scope, b, word))]
    if len(meant) > 1 and scope.due is not None:
        meant = [(b, typed) for b, typed in meant if kind_of(scope, typed.type) is scope.due]
    if len(meant) > 1:
        boards = [b.name for b, _ in meant]
        message = f"'{name}' is a word of the boards {listing(boards)}, and which is meant is not said"
        return scope.wrong(message, span, help=f"write {boards[0]}.{name} or {boards[1]}.{name}")
    return meant[0][1] if meant else None


def needs_board(check: Checks, written: syntax.Expression) -> bool:
    """True if the expression is a direction's word that several boards have, or a set with such a word, so that the
    place where it stands must say which board is meant."""
    if isinstance(written, syntax.Set):
        return any(needs_board(check, item) for item in written.items or ())
    if not isinstance(written, syntax.Name) or len(check.scope.directions) < 2:
        return False
    name, own = written.word.text, {*check.scope.constants, *check.scope.declared}
    shared = name in SETS or sum(name in type.members for type in check.scope.directions.values()) > 1
    return shared and name not in own and check.frame.find(name) is None


def ambiguous_type(scope: Scope, name: str, span: Span) -> bool:
    """True, with a problem, if the name is `Direction` or `Edge` and several types have that name."""
    types, owners = (scope.edge_types, "graphs") if name == "Edge" else (scope.directions, "boards")
    if name not in ("Edge", "Direction") or len(types) < 2:
        return False
    message = f"each of the {owners} {listing(types)} has {name.lower()}s of its own"
    return scope.instead(message, span, f"write {listing(map(str, types.values()), 'or')}", True)


def _no_such_word(scope: Scope, board: str, word: str, span: Span) -> Typed:
    named = scope.types.get(board)
    if not isinstance(named, Named) or named.board is None:
        return scope.wrong(f"no board is called '{board}'", span, help="write the name of a board before the point")
    words = named.board.directions
    note = f"Its directions are {listing(words)}." if words else "A graph has no directions."
    return scope.wrong(f"'{word}' is no direction of the board {board}", span, "write one of its words", note)


def _of_board(scope: Scope, board: Named, word: str) -> Typed | None:
    """The meaning of a word among the directions of one board; None if it has none there."""
    shape, type = board.board, scope.directions.get(board.name)
    if shape is None or type is None:
        return None
    if word in SETS:
        return Typed(core.Const(ways(shape, word)), SetType(type))
    return Typed(core.Const(type.members.index(word)), type) if word in type.members else None


def ways(shape: Board, word: str) -> int:
    """The directions that `orthogonals`, `diagonals` or `directions` means on a board, as the bits of a number."""
    chosen = {"orthogonals": shape.orthogonals, "diagonals": shape.diagonals}.get(word, range(len(shape.directions)))
    return sum(1 << d for d in chosen)


def kind_of(scope: Scope, type: Type | None) -> Named | None:
    """The type of a board's directions, if values of the given type are such directions or hold them; else None."""
    inner = base_type(type) if type is not None else None
    while isinstance(inner, SetType | Sequence):
        inner = base_type(inner.item)
    return inner if isinstance(inner, Named) and any(inner is known for known in scope.directions.values()) else None


@contextmanager
def directions_due(scope: Scope, type: Type | None) -> Iterator[None]:
    """Inside the block, a word that several boards have means the direction of the board whose directions the type asks
    for."""
    before = scope.due
    scope.due = kind_of(scope, type) if scope.directed_boards > 1 else None
    try:
        yield
    finally:
        scope.due = before

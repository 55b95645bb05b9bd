"""The language's own words that are called like definitions: other(p), neighbours(s), lines(Square, 3), times(…).

Each is a function of the checker and the call; most become a constant table (a Lookup), computed once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gdl import core, syntax
from gdl.board import Board
from gdl.checker.elements import square_at
from gdl.checker.scope import NOTHING_RIGHT, Typed
from gdl.checker.types import arithmetic_type, described, numeric, plain
from gdl.domains import ANYTHING, Named, Optional, Range, Sequence, SetType, Type, size

if TYPE_CHECKING:
    from gdl.checker.expressions import Expressions

Word = Callable[["Expressions", syntax.Call], Typed]
Arguments = tuple[syntax.Expression, ...]


def constructed(check: Expressions, e: syntax.Call, type: Type) -> Typed:
    """`Square(c, r)` from coordinates, `Card(2)` from the position in its list; none where there is none."""
    if not isinstance(type, Named):
        return check.scope.wrong(f"{type} makes no values", e.span)
    if type.board is not None and len(e.arguments) == len(type.board.sizes) > 1:
        return square_at(check, type, e.arguments, e.span)
    if not _count(check, e, 1):
        return NOTHING_RIGHT
    number = check.want(e.arguments[0], Range(1, len(type.members)))
    return Typed(core.Lookup(type.name, tuple(range(len(type.members))), (number,), (1,)), Optional(type))


# ---- Players, numbers, sets -------------------------------------------------------------------------------------


def _other(check: Expressions, e: syntax.Call) -> Typed:
    players = check.scope.players
    if len(players.members) != 2:
        return check.scope.wrong(
            f"'other' needs two players, and {check.scope.game} has {len(players.members)}", e.span,
            help="use after(p) for the next player in the list",
        )  # fmt: skip
    return _player_table(check, e, (1, 0))


def _after(check: Expressions, e: syntax.Call) -> Typed:
    count = len(check.scope.players.members)
    return _player_table(check, e, tuple((p + 1) % count for p in range(count)))


def _before(check: Expressions, e: syntax.Call) -> Typed:
    count = len(check.scope.players.members)
    return _player_table(check, e, tuple((p - 1) % count for p in range(count)))


def _player_table(check: Expressions, e: syntax.Call, table: tuple[int, ...]) -> Typed:
    if not _count(check, e, 1):
        return NOTHING_RIGHT
    players = check.scope.players
    return Typed(core.Lookup(e.word.text, table, (check.want(e.arguments[0], players),), (0,)), players)


def _size(check: Expressions, e: syntax.Call) -> Typed:
    if not _count(check, e, 1):
        return NOTHING_RIGHT
    typed = check.check(e.arguments[0])
    if isinstance(typed.type, SetType):
        item = typed.type.item
        return Typed(core.Size(typed.core, True), Range(0, size(item) if isinstance(item, Range | Named) else 10**6))
    if isinstance(typed.type, Sequence):
        known = len(typed.core.value) if isinstance(typed.core, core.Const) else None
        return Typed(core.Size(typed.core, False), Range(known or 0, 10**6 if known is None else known))
    if typed.type == ANYTHING:
        return NOTHING_RIGHT
    return check.scope.wrong(
        f"only a set or a list has a size, and this is {described(typed.type)}", e.arguments[0].span
    )


def _extreme(check: Expressions, e: syntax.Call) -> Typed:
    """min(a, b, …) and max(a, b, …)."""
    found = [check.check(argument) for argument in e.arguments]
    if len(found) < 2:
        return check.scope.wrong(
            f"'{e.word.text}' compares two numbers or more", e.span, help=f"write {e.word.text}(a, b)"
        )
    for typed, argument in zip(found, e.arguments, strict=True):
        if not numeric(plain(typed.type)):
            return check.scope.wrong(f"a number is due here, and this is {described(typed.type)}", argument.span)
    result = found[0]
    for typed in found[1:]:
        type = arithmetic_type(e.word.text, plain(result.type), plain(typed.type))
        result = Typed(core.Arithmetic(e.word.text, result.core, typed.core, e.span), type)
    return result


def _abs(check: Expressions, e: syntax.Call) -> Typed:
    if not _count(check, e, 1):
        return NOTHING_RIGHT
    typed = check.check(e.arguments[0])
    if not numeric(plain(typed.type)):
        return check.scope.wrong(f"a number is due here, and this is {described(typed.type)}", e.arguments[0].span)
    minus = core.Arithmetic("-", core.Const(0), typed.core, e.span)
    type = arithmetic_type("max", plain(typed.type), arithmetic_type("-", Range(0, 0), plain(typed.type)))
    if isinstance(type, Range):
        type = Range(max(0, type.low), type.high)
    return Typed(core.Arithmetic("max", typed.core, minus, e.span), type)


def _number(check: Expressions, e: syntax.Call) -> Typed:
    """number(x): the position of a name in its list, from 1."""
    if not _count(check, e, 1):
        return NOTHING_RIGHT
    typed = check.check(e.arguments[0])
    type = plain(typed.type)
    if type == ANYTHING:
        return NOTHING_RIGHT
    if not isinstance(type, Named):
        return check.scope.wrong(f"only a name has a number, and this is {described(typed.type)}", e.arguments[0].span)
    count = len(type.members)
    return Typed(core.Lookup("number", tuple(range(1, count + 1)), (typed.core,), (0,)), Range(1, count))


def _times(check: Expressions, e: syntax.Call) -> Typed:
    """times(key, …): a site of memory; whole arrays may be keys."""
    if not e.arguments:
        return check.scope.wrong(
            "'times' needs a key", e.span, help="name the variables that make two positions the same"
        )
    apart = check.apart()
    keys = tuple(apart.check(argument).core for argument in e.arguments)
    site = (keys, apart.frame.size)
    if site not in check.scope.times:
        check.scope.times.append(site)
    return Typed(core.Times(check.scope.times.index(site)), Range(0, 10**6))


# ---- Boards -----------------------------------------------------------------------------------------------------


def _lines(check: Expressions, e: syntax.Call) -> Typed:
    if not _count(check, e, 2):
        return NOTHING_RIGHT
    board = _board(check, e.arguments[0], e)
    run = check.constant(e.arguments[1])
    if board is None or not isinstance(run, int):
        return NOTHING_RIGHT
    if run < 1:
        return check.scope.wrong("a line has at least one square", e.arguments[1].span)
    assert board.board is not None
    if board.board.shape == "graph":
        return check.scope.wrong("a graph has no straight lines", e.span, help="list the lines: [[a, b, c], [c, d, e]]")
    return Typed(core.Const(board.board.lines(run)), Sequence(Sequence(board)))


def _board(check: Expressions, written: syntax.Expression, e: syntax.Call) -> Named | None:
    """The board that an argument names."""
    if isinstance(written, syntax.Name):
        check.scope.used.add(written.word.text)
        found = check.scope.types.get(written.word.text)
        if isinstance(found, Named) and found.board is not None:
            return found
    boards = [b.name for b in check.scope.boards]
    check.scope.problem(
        f"'{e.word.text}' needs the name of a board",
        written.span,
        help=f"write {boards[0]}" if boards else "declare one",
    )
    return None


def _on_squares(word: str, squares: int, others: tuple[str, ...], table: Callable[[Board], Any], result: str) -> Word:
    """A word whose first arguments are squares of one board, then directions or numbers, as a table over them."""

    def checked(check: Expressions, e: syntax.Call) -> Typed:
        if not _count(check, e, squares + len(others)):
            return NOTHING_RIGHT
        found = [check.check(argument) for argument in e.arguments[:squares]]
        board = next((plain(t.type) for t in found if _is_square(t.type)), None)
        if not isinstance(board, Named) or board.board is None:
            boards = [b for b in check.scope.boards if b.board]
            if not boards or any(t.type == ANYTHING for t in found):
                return NOTHING_RIGHT if boards else check.scope.wrong(f"'{word}' needs a board", e.span)
            board = boards[0]
        assert board.board is not None
        arguments = [check.want(argument, Optional(board), "a square") for argument in e.arguments[:squares]]
        for argument, other in zip(e.arguments[squares:], others, strict=True):
            wanted: Type = _direction(check, board) if other == "direction" else Range(-99, 99)
            arguments.append(check.want(argument, wanted))
        try:
            made = _tables(check, word, board, table)
        except LookupError as error:
            return check.scope.wrong(str(error), e.span)
        bases = (0,) * len(arguments)
        type = _result(check, board, result)
        if isinstance(plain(found[0].type), Named) and isinstance(found[0].type, Optional) and result == "number":
            type = Optional(type)
        return Typed(core.Lookup(word, made, tuple(arguments), bases), type)

    return checked


def _is_square(type: Type) -> bool:
    inner = plain(type)
    return isinstance(inner, Named) and inner.board is not None


def _tables(check: Expressions, word: str, board: Named, table: Callable[[Board], Any]) -> Any:
    """The table of a word over a board, made once a game."""
    made = check.scope.tables
    key = (word, board.name)
    if key not in made:
        assert board.board is not None
        made[key] = table(board.board)
    return made[key]


def _result(check: Expressions, board: Named, result: str) -> Type:
    direction = _direction(check, board)
    largest = max(board.board.sizes, default=1) if board.board else 1
    types: dict[str, Type] = {
        "square": Optional(board), "own square": board, "squares": Sequence(board), "set": SetType(board),
        "number": Range(1, largest), "distance": Range(0, len(board.members)), "direction": Optional(direction),
    }  # fmt: skip
    return types[result]


def _direction(check: Expressions, board: Named) -> Type:
    """The type of a board's directions."""
    assert board.board is not None
    return check.scope.directions.get(board.board.directions, ANYTHING)


def _axis(axis: int) -> Callable[[Board], Any]:
    def table(board: Board) -> Any:
        if len(board.sizes) <= axis:
            raise LookupError(f"this board has no {('column', 'row', 'layer')[axis]}s")
        return tuple(coordinates[axis] for coordinates in board.coordinates)

    return table


def _over_pairs(function: Callable[[Board, int, int], Any]) -> Callable[[Board], Any]:
    def table(board: Board) -> Any:
        squares = range(len(board.squares))
        return tuple(tuple(function(board, a, b) for b in squares) for a in squares)

    return table


def _steps(board: Board) -> Any:
    if not board.directions:
        raise LookupError("a graph has no directions; use neighbours(s)")
    return board.steps


def _rays(board: Board) -> Any:
    _steps(board)
    return tuple(tuple(board.ray(s, d) for d in range(len(board.directions))) for s in range(len(board.squares)))


def _distances(board: Board) -> Any:
    """Steps between neighbours from each square to each; None where there is no way."""
    rows = []
    for start in range(len(board.squares)):
        distance: list[int | None] = [None] * len(board.squares)
        distance[start], work = 0, [start]
        for square in work:
            for near in board.adjacent[square]:
                if distance[near] is None:
                    distance[near] = (distance[square] or 0) + 1
                    work.append(near)
        rows.append(tuple(distance))
    return tuple(rows)


def _neighbours(check: Expressions, e: syntax.Call) -> Typed:
    """neighbours(s), or neighbours(s, diagonals) for other directions."""
    if len(e.arguments) == 2:
        mask = check.constant(e.arguments[1])
        if not isinstance(mask, int):
            return NOTHING_RIGHT
        single = syntax.Call(e.span, e.word, e.arguments[:1])
        return _on_squares(f"neighbours {mask}", 1, (), lambda b: _masks(b, mask), "set")(check, single)
    return _on_squares("neighbours", 1, (), lambda b: tuple(sum(1 << s for s in near) for near in b.adjacent), "set")(
        check, e
    )


def _masks(board: Board, directions: int) -> Any:
    rows = [[s for d, s in enumerate(row) if s is not None and directions >> d & 1] for row in board.steps]
    return tuple(sum(1 << s for s in set(row)) for row in rows)


def _offset(check: Expressions, e: syntax.Call) -> Typed:
    """offset(s, 1, 2): so many columns and rows away, numbers known before play."""
    vector = [check.constant(argument) for argument in e.arguments[1:]]
    if not e.arguments or None in vector:
        return NOTHING_RIGHT
    single = syntax.Call(e.span, e.word, e.arguments[:1])

    def table(board: Board) -> Any:
        if len(vector) != len(board.sizes):
            raise LookupError(f"an offset on this board has {len(board.sizes)} numbers")
        return tuple(board.offset(s, tuple(vector)) for s in range(len(board.squares)))

    return _on_squares(f"offset {vector}", 1, (), table, "square")(check, single)


def _step(check: Expressions, e: syntax.Call) -> Typed:
    """step(s, d), or step(s, d, n) for n steps in one direction (n known before play)."""
    if len(e.arguments) != 3:
        return _on_squares("step", 1, ("direction",), _steps, "square")(check, e)
    count = check.constant(e.arguments[2])
    if not isinstance(count, int) or count < 0:
        return NOTHING_RIGHT
    twice = syntax.Call(e.span, e.word, e.arguments[:2])

    def table(board: Board) -> Any:
        rays = _rays(board)
        return tuple(
            tuple(s if count == 0 else ray[count - 1] if len(ray) >= count else None for ray in row)
            for s, row in enumerate(rays)
        )

    return _on_squares(f"step {count}", 1, ("direction",), table, "square")(check, twice)


def seen_by(check: Expressions, e: syntax.SeenBy) -> Typed:
    """`row(b) for p`: the same word with the squares as p sees them, where the board is mirrored for p."""
    player = check.want(e.player, check.scope.players)
    plainly = check.check(e.operand)
    if plainly is NOTHING_RIGHT:
        return NOTHING_RIGHT
    form = plainly.core
    board = _board_of(check, e.operand, plainly)
    if board is None or board.name not in check.scope.mirrors:
        return check.scope.wrong(
            "nobody sees this board mirrored", e.span,
            help="declare it: board Square = grid(8, 8) flipped for Black" if board else "ask for row(s)",
        )  # fmt: skip
    assert board.board is not None
    flips = tuple(board.board.mirrored(s) for s in range(len(board.members)))

    def flipped(x: core.Expression) -> core.Expression:
        return core.Lookup("flip", flips, (x,), (0,))

    mirrored: core.Expression
    if isinstance(form, core.Lookup) and isinstance(e.operand, syntax.Call):
        squares = [_is_square(check.check(a).type) for a in e.operand.arguments]
        squares += [False] * (len(form.arguments) - len(squares))
        arguments = tuple(flipped(a) if s else a for a, s in zip(form.arguments, squares, strict=False))
        mirrored = core.Lookup(form.word, form.table, arguments, form.bases)
        if _is_square(plainly.type):
            mirrored = flipped(mirrored)
        elif isinstance(plainly.type, Sequence | SetType):
            return _mirrored_squares(check, e, plainly, mirrored, flips, player)
    elif _is_square(plainly.type):
        mirrored = flipped(form)
    else:
        return check.scope.wrong("'for' follows a square or a word about squares", e.span, help="write row(s) for p")
    sees = core.Comparison("=", player, core.Const(check.scope.mirrors[board.name]), e.span)
    return Typed(core.If(sees, mirrored, form), plainly.type)


def _mirrored_squares(
    check: Expressions, e: syntax.SeenBy, plainly: Typed, mirrored: core.Lookup, flips: tuple[int, ...], player: Any
) -> Typed:
    """Rays and neighbours seen by the other side: every entry of the table mirrored."""

    def through(entry: Any) -> Any:
        if isinstance(plainly.type, SetType):
            return sum(1 << flips[s] for s in range(len(flips)) if entry >> s & 1)
        return tuple(flips[s] for s in entry)

    def deep(table: Any, levels: int) -> Any:
        return through(table) if levels == 0 else tuple(deep(row, levels - 1) for row in table)

    table = deep(mirrored.table, len(mirrored.arguments))
    board = plainly.type.item if isinstance(plainly.type, Sequence | SetType) else ANYTHING
    sees = core.Comparison("=", player, core.Const(check.scope.mirrors[str(board)]), e.span)
    other = core.Lookup(mirrored.word, table, mirrored.arguments, mirrored.bases)
    return Typed(core.If(sees, other, plainly.core), plainly.type)


def _board_of(check: Expressions, written: syntax.Expression, typed: Typed) -> Named | None:
    """The board that an expression speaks of."""
    candidates = [typed.type]
    if isinstance(written, syntax.Call):
        candidates += [check.check(argument).type for argument in written.arguments]
    for candidate in candidates:
        inner = plain(candidate)
        if isinstance(inner, Sequence | SetType):
            inner = inner.item
        if isinstance(inner, Named) and inner.board is not None:
            return inner
    return None


def _count(check: Expressions, e: syntax.Call, due: int) -> bool:
    if len(e.arguments) == due:
        return True
    said = {1: "one argument"}.get(due, f"{due} arguments")
    check.scope.problem(f"{e.word.text} takes {said}, not {len(e.arguments)}", e.span)
    return False


WORDS: dict[str, Word] = {
    "other": _other,
    "after": _after,
    "before": _before,
    "size": _size,
    "min": _extreme,
    "max": _extreme,
    "abs": _abs,
    "number": _number,
    "times": _times,
    "lines": _lines,
    "neighbours": _neighbours,
    "step": _step,
    "offset": _offset,
    "column": _on_squares("column", 1, (), _axis(0), "number"),
    "row": _on_squares("row", 1, (), _axis(1), "number"),
    "layer": _on_squares("layer", 1, (), _axis(2), "number"),
    "ray": _on_squares("ray", 1, ("direction",), _rays, "squares"),
    "between": _on_squares("between", 2, (), _over_pairs(Board.between), "squares"),
    "direction": _on_squares("direction", 2, (), _over_pairs(Board.direction), "direction"),
    "distance": _on_squares("distance", 2, (), _distances, "distance"),
    "flip": _on_squares("flip", 1, (), lambda b: tuple(map(b.mirrored, range(len(b.squares)))), "own square"),
}

"""The language's own words that are called like definitions: other(p), neighbours(s), lines(Square, 3), times(…).

Each is a function of the checker and the call; most become a constant table (a Lookup), computed once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple

from gdl import syntax
from gdl.checker.array_elements import square_at
from gdl.checker.constants import constant_value
from gdl.checker.directions import kind_of, ways
from gdl.checker.edges import check_edges, check_ends
from gdl.checker.records import check_record
from gdl.checker.scope import NOTHING_RIGHT, Checks, Typed
from gdl.checker.sequences import check_end, sequence_named
from gdl.checker.types import arithmetic_type, base_type, numeric
from gdl.model import board_tables, core
from gdl.model.domains import ANYTHING, TRUTH, Named, Optional, Range, Sequence, SetType, Type, describe_type, size
from gdl.model.games import Site

MOST_PLIES = 10**6  # the most plies of a play, for the ranges of types
Word = Callable[[Checks, syntax.Call], Typed]


def check_constructor(check: Checks, e: syntax.Call, type: Type) -> Typed:
    """Check a type used as a function: `Square(c, r)` from coordinates, `Card(2)` from the position in its list, from
    1; `none` if there is no such value."""
    if not isinstance(type, Named):
        return check.scope.wrong(f"'{e.word.text}' makes no values", e.span, help="write the value itself")
    if type.board is not None and len(e.arguments) == len(type.board.sizes) > 1:
        return square_at(check, type, e.arguments, e.span)
    if not _count(check, e, len(type.parts) or 1):
        return NOTHING_RIGHT
    if type.parts:
        return check_record(check, type, e)
    count, typed = len(type.members), check.check(e.arguments[0])
    if type == check.scope.teams and base_type(typed.type) == check.scope.players:
        wanted = type if typed.type == check.scope.players else Optional(type)
        return Typed(check.convert_or_report(typed, e.arguments[0], wanted), wanted)
    known = base_type(typed.type)
    beyond = isinstance(known, Range) and not 1 <= known.low <= known.high <= count
    number = typed.core if beyond else check.convert_or_report(typed, e.arguments[0], Range(1, count))
    there = isinstance(typed.type, Range) and not beyond
    return Typed(core.Lookup(type.name, tuple(range(count)), (number,), (1,)), type if there else Optional(type))


# ---- Players, numbers, sets -------------------------------------------------------------------------------------


def _other_player(check: Checks, e: syntax.Call) -> Typed:
    players = check.scope.players
    two = players if len(players.members) == 2 else check.scope.sides
    if len(two.members) != 2:
        message = f"'other' needs two players, and {check.scope.game} has {len(players.members)}"
        return check.scope.wrong(message, e.span, help="use after(p) for the next player in the list")
    return _player_table(check, e, (1, 0), two)


def _next_to(check: Checks, e: syntax.Call) -> Typed:
    """after(p) and before(p)."""
    count, by = len(check.scope.players.members), 1 if e.word.text == "after" else -1
    return _player_table(check, e, tuple((p + by) % count for p in range(count)), check.scope.players)


def _player_table(check: Checks, e: syntax.Call, table: tuple[int, ...], players: Named) -> Typed:
    if not _count(check, e, 1):
        return NOTHING_RIGHT
    return Typed(core.Lookup(e.word.text, table, (check.want(e.arguments[0], players),), (0,)), players)


def _only_argument(check: Checks, e: syntax.Call) -> Typed:
    """The argument of a word that takes one; NOTHING_RIGHT after a mistake."""
    return check.check(e.arguments[0]) if _count(check, e, 1) else NOTHING_RIGHT


def _size(check: Checks, e: syntax.Call) -> Typed:
    if len(e.arguments) == 1 and (stored := sequence_named(check, e.arguments[0])) is not None:
        return Typed(stored.size(check), Range(0, stored.variable.places))
    typed = _only_argument(check, e)
    if isinstance(typed.type, SetType):
        item = typed.type.item
        most = size(item) if isinstance(item, Range | Named) else 10**6
        return Typed(core.Size(typed.core, True, e.span), Range(0, most))
    if isinstance(typed.type, Sequence):
        known = len(typed.core.value) if isinstance(typed.core, core.Const) else None
        return Typed(core.Size(typed.core, False, e.span), Range(known or 0, 10**6 if known is None else known))
    if typed.type == ANYTHING:
        return NOTHING_RIGHT
    what = describe_type(typed.type)
    help = "write what to add up, as in: sum c in Card: deck[c]" if what.startswith("the array") else "give it a set"
    told = f"only a set, a list or a sequence has a size, and this is {what}"
    return check.scope.wrong(told, e.arguments[0].span, help=help)


def _extreme(check: Checks, e: syntax.Call) -> Typed:
    """min(a, b, …) and max(a, b, …)."""
    found = [check.check(argument) for argument in e.arguments]
    if len(found) < 2:
        return check.scope.wrong(f"'{e.word.text}' compares two numbers or more", e.span, f"write {e.word.text}(a, b)")
    for typed, argument in zip(found, e.arguments, strict=True):
        if check.as_number(typed, argument, f"'{e.word.text}' takes numbers", "give it numbers") is NOTHING_RIGHT:
            return NOTHING_RIGHT
    type = base_type(found[0].type)
    for typed in found[1:]:
        type = arithmetic_type(e.word.text, type, base_type(typed.type))
    return Typed(core.join_operands(e.word.text, [typed.core for typed in found], e.span), type)


def _abs(check: Checks, e: syntax.Call) -> Typed:
    if not _count(check, e, 1):
        return NOTHING_RIGHT
    typed = check.as_number(check.check(e.arguments[0]), e.arguments[0], "'abs' takes a number", "give it a number")
    if typed is NOTHING_RIGHT:
        return NOTHING_RIGHT
    minus = core.Arithmetic("-", core.Const(0), typed.core, e.span)
    type, below = base_type(typed.type), arithmetic_type("-", Range(0, 0), base_type(typed.type))
    type = arithmetic_type("max", Range(0, 0), arithmetic_type("max", type, below))
    return Typed(core.Arithmetic("max", typed.core, minus, e.span), type)


def _number(check: Checks, e: syntax.Call) -> Typed:
    """number(x): the position of a named value in its list, from 1."""
    typed = _only_argument(check, e)
    type = base_type(typed.type)
    if type == ANYTHING:
        return NOTHING_RIGHT
    if not isinstance(type, Named):
        message = f"only a name has a number, and this is {describe_type(typed.type)}"
        return check.scope.wrong(message, e.arguments[0].span, help="give it a name of a type or a square")
    count = len(type.members)
    return Typed(core.Lookup("number", tuple(range(1, count + 1)), (typed.core,), (0,)), Range(1, count))


def _times(check: Checks, e: syntax.Call) -> Typed:
    """times(key, …): how many earlier positions have the key; whole arrays may be keys."""
    return Typed(core.Times(_site(check, e, "times")), Range(0, MOST_PLIES))


def _since(check: Checks, e: syntax.Call) -> Typed:
    """since(key, …): the number of plies since the last earlier position with the key; `none` if there was none."""
    return Typed(core.Since(_site(check, e, "since")), Optional(Range(1, MOST_PLIES)))


def _always(check: Checks, e: syntax.Call) -> Typed:
    """always(condition, key, …): true if the condition has held in all positions since the first one with the key."""
    if len(e.arguments) < 2:
        message = "'always' takes a condition, and then what is the same in both positions"
        return check.scope.wrong(message, e.span, help="write always(in_check(mover), piece, mover)")
    return Typed(core.Always(_site(check, e, "always")), TRUTH)


def _site(check: Checks, e: syntax.Call, kind: Literal["times", "since", "always"]) -> int:
    """The number of a question about earlier positions among those of the game; equal questions share one. Key and
    condition are expressions that read a single position."""
    apart = check.with_new_frame()
    condition = apart.truth(e.arguments[0]) if kind == "always" else None
    key = tuple(apart.check(argument).core for argument in e.arguments[kind == "always" :])
    known = check.scope.times
    for number, site in enumerate(known):
        if (site.kind, site.key, site.condition) == (kind, key, condition):
            return number
    known.append(Site(kind, key, condition, apart.frame.size, e.span))
    return len(known) - 1


# ---- Boards -----------------------------------------------------------------------------------------------------


def _lines(check: Checks, e: syntax.Call) -> Typed:
    if not _count(check, e, 2):
        return NOTHING_RIGHT
    board = _board(check, e.arguments[0], e)
    run = check.constant(e.arguments[1])
    if board is None or not isinstance(run, int):
        return NOTHING_RIGHT
    if run < 1:
        return check.scope.wrong("a line has at least one square", e.arguments[1].span, help="write a number from 1 up")
    made = _table(check, e, f"lines {run}", board, partial(board_tables.lines, run=run))
    return NOTHING_RIGHT if made is None else Typed(core.Const(made), Sequence(Sequence(board)))


def _board(check: Checks, written: syntax.Expression, e: syntax.Call) -> Named | None:
    """The board that an argument names; None, with a problem, if it names none."""
    if isinstance(written, syntax.Name):
        found = check.scope.types.get(written.word.text)
        if isinstance(found, Named) and found.board is not None:
            return found
        if found == ANYTHING:
            return None
    boards = [b.name for b in check.scope.boards]
    message = f"'{e.word.text}' needs the name of a board"
    return check.scope.instead(message, written.span, f"write {boards[0]}" if boards else "declare one", None)


class _Asked(NamedTuple):
    """The squares given as arguments to a word of a board: their board, the type of the first of them as written, and
    the squares."""

    board: Named
    first: Type
    squares: list[core.Expression]


def _square_arguments(check: Checks, e: syntax.Call, count: int) -> _Asked | None:
    """The first `count` arguments of a call, which are squares of one board; None after a mistake."""
    found = [check.check(argument) for argument in e.arguments[:count]]
    board = next((base_type(t.type) for t in found if is_square(t.type)), None)
    if not isinstance(board, Named) or board.board is None:
        if NOTHING_RIGHT in found or check.scope.lost:
            return None
        if not check.scope.boards:
            check.scope.problem(f"'{e.word.text}' needs a board", e.span, "declare one: board Square = grid(3, 3)")
            return None
        board = check.scope.boards[0]
    squares = [
        check.convert_or_report(typed, written, Optional(board), "a square")
        for typed, written in zip(found, e.arguments, strict=False)
    ]
    return _Asked(board, found[0].type, squares)


def _typed_lookup(
    check: Checks, e: syntax.Call, asked: _Asked, word: str, table: board_tables.Table, result: str,
    *others: tuple[core.Expression, int],
) -> Typed:  # fmt: skip
    """The value of a word as a lookup in a table over squares and the other arguments, each of which comes with the
    least value that it can have. `result` names the kind of value, such as "square", "set" or "number"."""
    made = _table(check, e, word, asked.board, table, len(asked.squares))
    if made is None:
        return NOTHING_RIGHT
    arguments = (*asked.squares, *(argument for argument, _ in others))
    bases = (0,) * len(asked.squares) + tuple(base for _, base in others)
    type = _result(check, asked.board, result)
    if isinstance(base_type(asked.first), Named) and isinstance(asked.first, Optional) and result == "number":
        type = Optional(type)
    missing = {"set": 0, "squares": ()}.get(result)
    return Typed(core.Lookup(word, made, arguments, bases, missing), type)


def word_of_squares(word: str, squares: int, others: tuple[str, ...], table: board_tables.Table, result: str) -> Word:
    """The check of a word whose first arguments are `squares` squares of one board, perhaps followed by a direction."""

    def check_call(check: Checks, e: syntax.Call) -> Typed:
        asked = _square_arguments(check, e, squares) if _count(check, e, squares + len(others)) else None
        if asked is None:
            return NOTHING_RIGHT
        rest = [(check.want(argument, _direction(check, asked.board)), 0) for argument in e.arguments[squares:]]
        return _typed_lookup(check, e, asked, word, table, result, *rest)

    return check_call


def is_square(type: Type) -> bool:
    inner = base_type(type)
    return isinstance(inner, Named) and inner.board is not None


def _table(
    check: Checks, e: syntax.Call, word: str, board: Named, table: board_tables.Table, squares: int = 0
) -> Any:  # fmt: skip
    """The table of a word over a board, made once for each game; the first `squares` arguments are squares. None, with
    a problem, if the word has no meaning there."""
    made = check.scope.tables
    key = (word, board.name)
    if key not in made:
        assert board.board is not None
        try:
            made[key] = table(board.board), squares
        except board_tables.NoTable as error:
            return check.scope.instead(f"'{e.word.text}' {error}", e.span, error.help, None)
    return made[key][0]


def _result(check: Checks, board: Named, result: str) -> Type:
    assert board.board is not None
    direction, largest = _direction(check, board), max(board.board.sizes, default=1)
    types: dict[str, Type] = {
        "square": Optional(board), "own square": board, "squares": Sequence(board), "set": SetType(board),
        "number": Range(1, largest), "distance": Range(0, len(board.members)), "direction": Optional(direction),
    }  # fmt: skip
    return types[result]


def _direction(check: Checks, board: Named) -> Type:
    """The type of a board's directions."""
    return check.scope.directions.get(board.name, ANYTHING)


def _directions_along(check: Checks, e: syntax.Call, asked: _Asked, written: syntax.Expression) -> int | None:
    """The directions of the board that an argument names, as the bits of a number; None, with a problem, if they are
    not known before play or there are none."""
    before = len(check.scope.problems)
    direction = _direction(check, asked.board)
    if direction == ANYTHING:
        check.scope.problem(f"'{e.word.text}' asks for directions, and a graph has none", e.span, "leave them out")
        return None
    wanted = SetType(direction)
    chosen = check.want(written, wanted, f"a set of directions of the board {asked.board.name}")
    value = check.constant_of(Typed(chosen, wanted), written) if len(check.scope.problems) == before else None
    return value if isinstance(value, int) else None


def _along_directions(
    word: str, squares: int, usual: board_tables.Table, along: Callable[..., Any], result: str
) -> Word:
    """The check of a word about squares whose last argument may be a set of directions: neighbours(s) and neighbours(s,
    diagonals), distance(a, b) from neighbour to neighbour and distance(a, b, directions) by steps in these
    directions."""

    def check_call(check: Checks, e: syntax.Call) -> Typed:
        if len(e.arguments) != squares + 1:
            return word_of_squares(word, squares, (), usual, result)(check, e)
        asked = _square_arguments(check, e, squares)
        mask = None if asked is None else _directions_along(check, e, asked, e.arguments[squares])
        if asked is None or mask is None:
            return NOTHING_RIGHT
        return _typed_lookup(check, e, asked, f"{word} {mask}", partial(along, directions=mask), result)

    return check_call


class _Number(NamedTuple):
    """A number given as an argument: its core form, and the least and the greatest value that it can have, equal if it
    is known before play."""

    core: core.Expression
    low: int
    high: int


def _bounded_number(check: Checks, e: syntax.Call, written: syntax.Expression) -> _Number | None:
    """A whole number whose bounds are known before play; None after a mistake."""
    before = len(check.scope.problems)
    typed = check.check(written)
    known, value = constant_value(typed.core, check.scope)
    type = base_type(typed.type)
    if len(check.scope.problems) > before or type == ANYTHING:
        return None
    if known and isinstance(value, int) and numeric(type):
        return _Number(core.Const(value), value, value)
    if isinstance(type, Range) and not known:
        return _Number(typed.core, type.low, type.high)
    what = "none" if known and value is None else describe_type(typed.type)
    message = f"'{e.word.text}' takes whole numbers whose range is known before play, and this is {what}"
    return check.scope.instead(message, written.span, "give it a number of a range, such as n: 1..3", None)


def _opposite_direction(check: Checks, e: syntax.Call) -> Typed:
    """opposite(d)."""
    return _of_direction(check, e, _only_argument(check, e), "opposite", board_tables.opposites)


def _clockwise(check: Checks, e: syntax.Call) -> Typed:
    """`clockwise(d)`, the next direction clockwise, or `clockwise(d, n)`, the n-th; anticlockwise below 0."""
    turns = check.whole_number(e.arguments[1]) if len(e.arguments) == 2 else 1
    typed = check.check(e.arguments[0]) if len(e.arguments) == 2 else _only_argument(check, e)
    if turns is None:
        return NOTHING_RIGHT
    return _of_direction(check, e, typed, f"clockwise {turns}", partial(board_tables.clockwise, turns=turns))


def _of_direction(check: Checks, e: syntax.Call, typed: Typed, word: str, table: board_tables.Table) -> Typed:
    """Check a word whose argument is a direction, such as `opposite(d)`, as a lookup in a table."""
    kind = kind_of(check.scope, base_type(typed.type))
    board = next((b for b in check.scope.boards if kind and check.scope.directions.get(b.name) is kind), None)
    if typed.type == ANYTHING:
        return NOTHING_RIGHT
    if kind is None or board is None or base_type(typed.type) != kind:
        message = f"'{e.word.text}' is asked of a direction, and this is {describe_type(typed.type)}"
        return check.scope.wrong(message, e.arguments[0].span, help="give it one, such as north or d of d: Direction")
    made = _table(check, e, word, board, table)
    return NOTHING_RIGHT if made is None else Typed(core.Lookup(word, made, (typed.core,), (0,)), typed.type)


def _offset(check: Checks, e: syntax.Call) -> Typed:
    """`offset(s, 1, 2)`: the square 1 column and 2 rows away."""
    asked = _square_arguments(check, e, 1) if e.arguments else None
    vector = [_bounded_number(check, e, argument) for argument in e.arguments[1:]]
    numbers = [number for number in vector if number is not None]
    if asked is None or len(numbers) < len(vector):
        return NOTHING_RIGHT
    lows, highs = tuple(n.low for n in numbers), tuple(n.high for n in numbers)
    if lows == highs:
        return _typed_lookup(
            check, e, asked, f"offset {list(lows)}", partial(board_tables.offset, vector=lows), "square"
        )
    word, others = f"offset {list(lows)}..{list(highs)}", [(number.core, number.low) for number in numbers]
    return _typed_lookup(
        check, e, asked, word, partial(board_tables.offsets, lows=lows, highs=highs), "square", *others
    )


def _step(check: Checks, e: syntax.Call) -> Typed:
    """step(s, d), or step(s, d, n) for n steps in one direction."""
    if len(e.arguments) != 3:
        return word_of_squares("step", 1, ("direction",), board_tables.steps, "square")(check, e)
    asked = _square_arguments(check, e, 1)
    if asked is None:
        return NOTHING_RIGHT
    way = check.want(e.arguments[1], _direction(check, asked.board))
    count = _bounded_number(check, e, e.arguments[2])
    if count is None:
        return NOTHING_RIGHT
    if count.low < 0:
        message = f"'step' goes a number of steps from 0 up, and this may be {count.low}"
        return check.scope.wrong(message, e.arguments[2].span, help="go the other way, or give it a range from 0 up")
    if count.low == count.high:
        word, table = f"step {count.low}", partial(board_tables.nth_step, count=count.low)
        return _typed_lookup(check, e, asked, word, table, "square", (way, 0))
    most, by = count.high, count.core
    if asked.board is not None and asked.board.board is not None and 0 < asked.board.board.round <= most:
        most = asked.board.board.round - 1
        by = core.Arithmetic("mod", by, core.Const(most + 1), e.span)
    word, table = f"step 0..{most}", partial(board_tables.steps_up_to, most=most)
    return _typed_lookup(check, e, asked, word, table, "square", (way, 0), (by, 0))


def _ways(check: Checks, e: syntax.Call) -> Typed:
    """directions(Square), orthogonals(Square) or diagonals(Square): a set of directions of a board."""
    board = _board(check, e.arguments[0], e) if _count(check, e, 1) else None
    if board is None or board.board is None:
        return NOTHING_RIGHT
    if not board.board.directions:
        return check.scope.wrong(f"'{e.word.text}' asks for directions, and a graph has none", e.span, "leave them out")
    return Typed(core.Const(ways(board.board, e.word.text)), SetType(_direction(check, board)))


def _count(check: Checks, e: syntax.Call, due: int) -> bool:
    help = "take the others out" if len(e.arguments) > due else "give it the rest"
    return check.scope.takes(f"'{e.word.text}'", due, len(e.arguments), e.span, help)


WORDS: dict[str, Word] = {
    "other": _other_player,
    "after": _next_to,
    "before": _next_to,
    "size": _size,
    "first": check_end,
    "last": check_end,
    "min": _extreme,
    "max": _extreme,
    "abs": _abs,
    "number": _number,
    "times": _times,
    "since": _since,
    "always": _always,
    "lines": _lines,
    "neighbours": _along_directions("neighbours", 1, board_tables.neighbours, board_tables.neighbours_along, "set"),
    "ends": check_ends,
    "edge": check_edges,
    "edges": check_edges,
    "directions": _ways,
    "orthogonals": _ways,
    "diagonals": _ways,
    "step": _step,
    "offset": _offset,
    "column": word_of_squares("column", 1, (), partial(board_tables.axis, number=0), "number"),
    "row": word_of_squares("row", 1, (), partial(board_tables.axis, number=1), "number"),
    "layer": word_of_squares("layer", 1, (), partial(board_tables.axis, number=2), "number"),
    "ray": word_of_squares("ray", 1, ("direction",), board_tables.rays, "squares"),
    "between": word_of_squares("between", 2, (), board_tables.squares_between, "squares"),
    "direction": word_of_squares("direction", 2, (), board_tables.directions, "direction"),
    "distance": _along_directions("distance", 2, board_tables.distances, board_tables.distances_along, "distance"),
    "opposite": _opposite_direction,
    "clockwise": _clockwise,
    "flip": word_of_squares("flip", 1, (), board_tables.flips, "own square"),
}

"""The core of the language: the handful of forms to which every rule is lowered. Checks, engines and proofs see these.

An expression gives a value, a domain (values in order) or a truth; a statement changes the state, chooses or fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Literal

from gdl.errors import Span
from gdl.model.domains import Type
from gdl.record import Record

# ---- Rules: expressions -----------------------------------------------------------------------------------------


class Const(Record):
    value: Any


class Local(Record):
    """A parameter, a `let`, a quantifier's name: a slot of the frame."""

    slot: int


class Mover(Record):
    """The player whose move it is; in a chance step, who moved last."""


class Cell(Record):
    """A state variable without indices."""

    place: int


class Element(Record):
    """One element of an indexed variable; `none` where an index is `none`. Each index, less the least value of its
    type, must lie within the extent of that index."""

    variable: int  # index into the model's variables
    indices: tuple[Expression, ...]
    off_board: bool  # whether an index is a square, which may be none; kept for the fingerprint
    span: Span


class Whole(Record):
    """All elements of a variable at once, as a key."""

    variable: int


class Arithmetic(Record):
    """+ - * / mod div, min, max on numbers."""

    operator: str
    left: Expression
    right: Expression
    span: Span


class SetOperation(Record):
    """+ (union), - (difference), * (intersection) on sets."""

    operator: str
    left: Expression
    right: Expression


class Comparison(Record):
    """= != < <= > >= on values; an order of none is a fault."""

    relation: str
    left: Expression
    right: Expression
    span: Span


class Contains(Record):
    """Membership of the item in a set (bits) or among the values of a domain."""

    item: Expression
    container: Expression
    bits: bool


class Not(Record):
    operand: Expression


class All(Record):
    parts: tuple[Expression, ...]


class Some(Record):
    parts: tuple[Expression, ...]


class If(Record):
    condition: Expression
    then: Expression
    otherwise: Expression


class Interval(Record):
    """The whole numbers from low to high, as a domain."""

    low: Expression
    high: Expression
    span: Span | None = None


class Members(Record):
    """The members of a set (held as bits), as a domain."""

    set: Expression


class Until(Record):
    """The values of a domain up to and including the first for which the condition holds."""

    slot: int
    domain: Expression
    condition: Expression
    span: Span | None = None


class Items(Record):
    """Values in an order, as a sequence."""

    items: tuple[Expression, ...]


class SetOf(Record):
    """A set of the given members."""

    items: tuple[Expression, ...]
    span: Span


class Size(Record):
    """The number of members of a set (bits) or of a sequence."""

    operand: Expression
    bits: bool
    span: Span | None = None


class Quantifier(Record):
    """exists, forall, count, sum, min, max, first and those (a set), over one name; inner ones nest.

    `body` is a truth for exists, forall, count, first and those, else a number (or, for sum, a set: their union)."""

    kind: str
    slot: int
    domain: Expression
    where: Expression | None
    body: Expression
    span: Span


class Reach(Record):
    """The least set that holds `start` and, for each square in it, those of its neighbours for which `where` holds.
    There the neighbour is the local name in `slot`; with `source`, that slot holds the square from which the edge
    comes."""

    slot: int
    start: Expression
    neighbours: tuple[tuple[int, ...], ...]
    where: Expression | None
    source: int | None = None


class Lookup(Record):
    """An entry of a constant table at the given indices, each less its base; `missing` if an index is `none` or outside
    of the table."""

    word: str
    table: Any  # nested tuples, one level per argument
    arguments: tuple[Expression, ...]
    bases: tuple[int, ...]
    missing: Any = None


class CallDefinition(Record):
    definition: int
    arguments: tuple[Expression, ...]
    span: Span


class Scope(Record):
    """Local names, then a value that may use them."""

    lets: tuple[tuple[int, Expression], ...]
    result: Expression


class NoActions(Record):
    """The condition that nobody whose turn it is has a legal action."""


class Able(Record):
    """The condition that a player could do one of these actions now, were it their move: each is tried, and its effects
    are taken back."""

    player: Expression
    actions: tuple[int, ...]  # indices of the model's actions
    span: Span


class Times(Record):
    """The number of earlier positions (after whole plies) that had the key of this one."""

    site: int


class Since(Record):
    """The number of plies since the last earlier position with the key that this one has; `none` if there is none."""

    site: int


class Always(Record):
    """The condition that some earlier position had the key that this one has, and that the question's condition has
    held in all positions since the first of them, this one included."""

    site: int


Expression = (
    Const | Local | Mover | Cell | Element | Whole | Arithmetic | SetOperation | Comparison | Contains | Not | All
    | Some | If | Interval | Members | Until | Items | SetOf | Size | Quantifier | Reach | Lookup | CallDefinition
    | Scope | NoActions | Able | Times | Since | Always
)  # fmt: skip


COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def join_operands(operator: str, parts: Sequence[Expression], span: Span) -> Expression:
    """The parts joined by an operator of arithmetic, halved again and again, so that even many are not nested
    deeply."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return Arithmetic(
        operator, join_operands(operator, parts[:half], span), join_operands(operator, parts[half:], span), span
    )


# ---- Rules: statements ------------------------------------------------------------------------------------------


class Let(Record):
    slot: int
    value: Expression
    span: Span | None = None


class Assign(Record):
    variable: int
    indices: tuple[Expression, ...]
    value: Expression
    span: Span


class Require(Record):
    condition: Expression
    span: Span | None = None


class Rank(Record):
    value: Expression
    span: Span | None = None


class Stop(Record):
    """Leave the innermost `repeat`."""

    span: Span | None = None


class Forget(Record):
    """Everyone forgets what they saw and did."""

    span: Span | None = None


class Reward(Record):
    """Rewards on the way: each amount goes to the player at the same place in `players`."""

    amounts: tuple[Expression, ...]
    players: tuple[Expression, ...]
    whole: bool = False  # whether all amounts are whole numbers, by their types
    span: Span | None = None


class Turn(Record):
    """Whose turn comes next. kind: player (`player` says who), everyone, chance (`step` is the number of the step; the
    mover is then `player`, or who moved last), or the first player after or before `player`, in cyclic order, for whom
    `where` holds, with the candidate in `slot`."""

    kind: Literal["player", "everyone", "chance", "after", "before"]
    player: Expression | None = None
    step: int = 0
    slot: int = 0
    where: Expression | None = None
    span: Span | None = None


class Next(Record):
    turn: Turn
    span: Span | None = None


class Say(Record):
    """An event that a player, or everyone (None), hears and remembers."""

    event: Expression
    type: Type
    hearer: Expression | None
    span: Span | None = None


class Template(Record):
    """The text of a name: words and, between them, values."""

    parts: tuple[str | tuple[Expression, Type], ...]
    span: Span | None = None


class Parameter(Record):
    """A name to be chosen from a domain; for a draw, sets of `count` of its members. `guards` are the conditions that
    can be tried as soon as this parameter has its value; `axis` is the word of a board for the domain, as Column."""

    slot: int
    type: Type
    domain: Expression
    guards: tuple[Expression, ...]
    count: Expression | None = None
    span: Span | None = None
    axis: str = ""


class Choose(Record):
    guards: tuple[Expression, ...]  # that need no parameter, asked before the domains
    parameters: tuple[Parameter, ...]
    template: Template | None
    span: Span | None = None
    before: tuple[Let | Require, ...] = ()  # after the guards, once for all parameters: passes of the compiler put it


class Repeat(Record):
    body: tuple[Statement, ...]
    span: Span


class For(Record):
    slot: int
    domain: Expression
    where: Expression | None
    body: tuple[Statement, ...]
    span: Span | None = None


class Attempt(Record):
    body: tuple[Statement, ...]
    refused: tuple[Statement, ...]
    span: Span | None = None


class Try(Record):
    """Effects that are taken back; a `require` that fails among them fails the action."""

    body: tuple[Statement, ...]
    span: Span | None = None


class Conditional(Record):
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    span: Span | None = None


class CallProcedure(Record):
    procedure: int
    arguments: tuple[Expression, ...]
    span: Span


Statement = (
    Let | Assign | Require | Rank | Stop | Forget | Reward | Next | Say | Choose | Repeat | For | Attempt | Try
    | Conditional | CallProcedure
)  # fmt: skip

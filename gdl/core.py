"""The core of the language: the handful of forms to which every rule is lowered. Checks, engines and proofs see these.

An expression gives a value, a domain (values in order) or a truth; a statement changes the state, chooses or fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from gdl.domains import Type
from gdl.errors import Span

# ---- Rules: expressions -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    value: Any


@dataclass(frozen=True, slots=True)
class Local:
    """A parameter, a `let`, a quantifier's name: a slot of the frame."""

    slot: int


@dataclass(frozen=True, slots=True)
class Mover:
    """The player whose move it is; in a chance step, who moved last."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A state variable without indices."""

    place: int


@dataclass(frozen=True, slots=True)
class Element:
    """One element of an indexed variable. Each index is taken less its base and must lie within its extent."""

    variable: int  # index into the model's variables
    indices: tuple[Expression, ...]
    off_board: bool  # reading beyond the edge is none; otherwise a fault
    span: Span


@dataclass(frozen=True, slots=True)
class Whole:
    """All elements of a variable at once, as a key."""

    variable: int


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """+ - * / mod div, min, max on numbers."""

    operator: str
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class SetOperation:
    """+ (union), - (difference), * (intersection) on sets."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison:
    """= != < <= > >= on values; an order of none is a fault."""

    relation: str
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Contains:
    """Whether the item is in the set (bits) or among the values of a domain."""

    item: Expression
    container: Expression
    bits: bool


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expression


@dataclass(frozen=True, slots=True)
class All:
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Some:
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Interval:
    """The whole numbers from low to high, as a domain."""

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a set (held as bits), as a domain."""

    set: Expression


@dataclass(frozen=True, slots=True)
class Items:
    """Values in an order, as a sequence."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set of the given members."""

    items: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Size:
    """How many members a set (bits) or sequence has."""

    operand: Expression
    bits: bool


@dataclass(frozen=True, slots=True)
class Quantifier:
    """exists, forall, count, sum, min, max, first and those (a set), over one name; inner ones nest.

    `body` is a truth for exists, forall, count, first and those, else a number (or, for sum, a set: their union)."""

    kind: str
    slot: int
    domain: Expression
    where: Expression | None
    body: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Reach:
    """The least set that holds `start` and, with each square, those of its neighbours where `where` holds."""

    slot: int
    start: Expression
    neighbours: tuple[tuple[int, ...], ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Lookup:
    """A constant table read at the given indices (each less its base); none off its edges and for none."""

    word: str
    table: Any  # nested tuples, one level per argument
    arguments: tuple[Expression, ...]
    bases: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CallDefinition:
    definition: int
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Scope:
    """Local names, then a value that may use them."""

    lets: tuple[tuple[int, Expression], ...]
    result: Expression


@dataclass(frozen=True, slots=True)
class NoActions:
    """Whether nobody whose turn it is can do anything."""


@dataclass(frozen=True, slots=True)
class Times:
    """How many earlier positions (after whole plies) had the key that this one has."""

    site: int


Expression = (
    Const | Local | Mover | Cell | Element | Whole | Arithmetic | SetOperation | Comparison | Contains | Not | All | Some
    | If | Interval | Members | Items | SetOf | Size | Quantifier | Reach | Lookup | CallDefinition | Scope | NoActions
    | Times
)  # fmt: skip


# ---- Rules: statements ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Let:
    slot: int
    value: Expression


@dataclass(frozen=True, slots=True)
class Assign:
    variable: int
    indices: tuple[Expression, ...]
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Require:
    condition: Expression


@dataclass(frozen=True, slots=True)
class Rank:
    value: Expression


@dataclass(frozen=True, slots=True)
class Stop:
    """Leave the innermost `repeat`."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Everyone forgets what they saw and did."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Who or what comes next: a player, everyone, a chance step, or the first player in a cyclic order that fits.

    kind: player (`player` says who), everyone, chance (`step` is its index), after or before (`slot` names the
    candidate, `player` the start of the search)."""

    kind: Literal["player", "everyone", "chance", "after", "before"]
    player: Expression | None = None
    step: int = 0
    slot: int = 0
    where: Expression | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Next:
    turn: Turn


@dataclass(frozen=True, slots=True)
class Say:
    """An event that its hearers remember: all (None) or one player."""

    event: Expression
    type: Type
    hearer: Expression | None


@dataclass(frozen=True, slots=True)
class Template:
    """The text of a name: words and, between them, values."""

    parts: tuple[str | tuple[Expression, Type], ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name to be chosen from a domain; for a draw, sets of `count` of its members. `guards` are the conditions that
    can be tried as soon as this parameter has its value."""

    slot: int
    type: Type
    domain: Expression
    guards: tuple[Expression, ...]
    count: Expression | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    parameters: tuple[Parameter, ...]
    template: Template | None


@dataclass(frozen=True, slots=True)
class Repeat:
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class For:
    slot: int
    domain: Expression
    where: Expression | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    body: tuple[Statement, ...]
    refused: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class CallProcedure:
    procedure: int
    arguments: tuple[Expression, ...]
    span: Span


Statement = (
    Let | Assign | Require | Rank | Stop | Forget | Next | Say | Choose | Repeat | For | Attempt | Conditional
    | CallProcedure
)  # fmt: skip

"""The checked game: names resolved, domains finite, sugar gone. Engines see this and never the syntax."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gdl.board import Board
from gdl.errors import Span
from gdl.game import Joint, Number, Utility

Bounds = tuple[tuple[Number | None, Number | None], ...]  # lowest and highest utility, one pair per player


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One node of an explicit tree; `children` are indices into the tree's nodes, `utilities` belong to an end."""

    kind: Literal["decision", "chance", "terminal"]
    player: int | None = None
    label: str | None = None
    information_set: str | None = None
    evaluation: tuple[Number, ...] | None = None
    bounds: Bounds | None = None
    actions: tuple[str, ...] = ()
    probabilities: tuple[Number, ...] = ()
    children: tuple[int, ...] = ()
    utilities: tuple[Utility, ...] = ()
    span: Span | None = None


@dataclass(frozen=True)
class TreeModel:
    """An explicit tree; `nodes[0]` is the root and every node stands before its children."""

    name: str
    players: tuple[str, ...]
    nodes: tuple[TreeNode, ...]
    bounds: Bounds | None = None  # that every leaf keeps


@dataclass(frozen=True)
class MatrixModel:
    """A game in strategic form: one utility vector for every joint action."""

    name: str
    players: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    utilities: Mapping[Joint, tuple[Utility, ...]]


# ---- Rules: types -----------------------------------------------------------------------------------------------
# How each type's values are held: a range's as int, a named type's as the index of the member, a truth as bool, a
# set as an int whose bit i is the member with ordinal i, `none` as None, a sequence as a tuple.


@dataclass(frozen=True, slots=True)
class Range:
    """Whole numbers from low to high."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """An enumeration, the players, the directions or a board's squares; its values are told apart by position."""

    name: str
    members: tuple[str, ...]
    ordered: bool = False
    board: Board | None = None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Simple:
    """Truths, other numbers, texts, the type of `none`, and what is unknown after a mistake."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Optional:
    """A value or none."""

    item: Type

    def __str__(self) -> str:
        return f"{self.item}?"


@dataclass(frozen=True, slots=True)
class SetType:
    """A set of values."""

    item: Type

    def __str__(self) -> str:
        return f"set of {self.item}"


@dataclass(frozen=True, slots=True)
class Sequence:
    """Values in an order, such as the squares of a line; never held in the state."""

    item: Type

    def __str__(self) -> str:
        return f"list of {self.item}"


@dataclass(frozen=True, slots=True)
class Array:
    """A whole variable with its indices, as `times` takes it; never held in the state."""

    name: str

    def __str__(self) -> str:
        return f"the array {self.name}"


Type = Range | Named | Simple | Optional | SetType | Sequence | Array

TRUTH = Simple("true or false")
NUMBER = Simple("number")
TEXT = Simple("text")
NOTHING = Simple("none")
ANYTHING = Simple("anything")


def members(type: Type) -> range | tuple[Any, ...]:
    """All values of a storable type, in order (for a set: of its members' type)."""
    match type:
        case Range(low, high):
            return range(low, high + 1)
        case Named():
            return range(len(type.members))
        case Optional(item):
            return (None, *members(item))
        case SetType(item):
            return range(1 << size(item))
    return (False, True)


def size(type: Type) -> int:
    """How many values the type has."""
    match type:
        case Range(low, high):
            return max(0, high - low + 1)
        case Named():
            return len(type.members)
        case Optional(item):
            return 1 + size(item)
        case SetType(item):
            return 1 << size(item)
    return 2


def bits(type: Type) -> int:
    """The bits that hold one value."""
    return size(type.item) if isinstance(type, SetType) else max(1, (size(type) - 1).bit_length())


def ordinal_base(type: Type) -> int:
    """What to take off a value of an index or a set's item to count it from 0 (sets of numbers count the number)."""
    return type.low if isinstance(type, Range) else 0


def text_of(type: Type, value: Any) -> str:
    """A value as its author would write it."""
    if value is None:
        return "none"
    match type:
        case Optional(item):
            return text_of(item, value)
        case Named():
            return type.members[value]
        case SetType(item) | Sequence(item):
            inside = ", ".join(text_of(item, v) for v in elements(value))
            return f"{{{inside}}}" if isinstance(type, SetType) else f"[{inside}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def elements(value: int | tuple[Any, ...]) -> tuple[Any, ...]:
    """The members of a set (held as bits) or a sequence, in order."""
    if isinstance(value, tuple):
        return value
    found = []
    while value:
        low = value & -value
        found.append(low.bit_length() - 1)
        value ^= low
    return tuple(found)


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


# ---- Rules: the whole -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who sees an element: all, none, its owner (the first index), or each player p for whom `condition` holds."""

    kind: Literal["all", "none", "owner", "when"] = "all"
    slot: int = 0
    condition: Expression | None = None


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable; its elements lie side by side from `place` on, the last index running fastest."""

    name: str
    indices: tuple[Type, ...]
    type: Type
    place: int
    initial: tuple[Any, ...]
    visibility: Visibility
    span: Span

    @property
    def extents(self) -> tuple[int, ...]:
        return tuple(size(index) for index in self.indices)


@dataclass(frozen=True, slots=True)
class Callable:
    """A definition or a procedure of the game's own."""

    name: str
    parameters: int
    frame: int  # slots of its frame, the parameters first
    result: Expression | None
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Rule:
    """An action or a chance step. `template` None: named by its head and its choices."""

    name: str
    parameters: tuple[Parameter, ...]
    guards: tuple[Expression, ...]  # that need no parameter
    weight: Expression | None
    template: Template | None
    merge: bool
    body: tuple[Statement, ...]
    frame: int
    simple: bool  # the body cannot fail or choose, so the head alone decides
    span: Span


@dataclass(frozen=True, slots=True)
class Clause:
    """A terminal clause: the test and one utility per player."""

    condition: Expression
    utilities: tuple[Expression, ...]
    sum: Number | None  # what the utilities are known to sum to
    winner: int | None  # the player who wins outright by it, where that is a constant
    frame: int
    span: Span


@dataclass(frozen=True, slots=True)
class Feature:
    """A term of EVAL(s) for each player: its weight and its value."""

    weight: Number
    values: tuple[Expression, ...]
    frame: int
    text: str


@dataclass(frozen=True)
class RulesModel:
    """A game given by its rules."""

    name: str
    players: tuple[str, ...]
    parameters: Mapping[str, Any]
    variables: tuple[Variable, ...]
    definitions: tuple[Callable, ...]
    procedures: tuple[Callable, ...]
    actions: tuple[Rule, ...]
    chances: tuple[Rule, ...]
    resolve: Rule | None
    start: Turn
    clauses: tuple[Clause, ...]
    forever: tuple[Number, ...] | None  # the price of infinite play
    features: tuple[Feature, ...]
    times: tuple[tuple[Expression, ...], ...]  # the keys of each `times`
    bounds: Bounds | None = None


Model = TreeModel | MatrixModel | RulesModel

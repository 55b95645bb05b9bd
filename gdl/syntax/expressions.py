"""Expressions as written: values, conditions, types, domains."""

from __future__ import annotations

from gdl.syntax.words import Syntax, Word


class Number(Syntax):
    value: Word


class Text(Syntax):
    value: Word


class None_(Syntax):
    value: Word


class True_(Syntax):
    value: Word


class False_(Syntax):
    value: Word


class NoActions(Syntax):
    value: Word


class Name(Syntax):
    word: Word


class Call(Syntax):
    word: Word
    arguments: tuple[Expression, ...]


class Element(Syntax):
    word: Word
    arguments: tuple[Expression, ...]


class Tuple(Syntax, rest=True):
    items: tuple[Expression, ...]


class List(Syntax):
    items: tuple[Expression, ...] | None


class Set(Syntax):
    items: tuple[Expression, ...] | None


class Negative(Syntax):
    sign: Word
    operand: Expression


class Binary(Syntax):
    left: Expression
    operator: Word
    right: Expression


class Interval(Syntax):
    low: Expression
    high: Expression


class Compare(Syntax):
    left: Expression
    relation: str  # = != < <= > >= in, not in
    right: Expression


class Has(Syntax):
    player: Expression
    actions: tuple[Word, ...]


class Not(Syntax):
    operand: Expression


class And(Syntax):
    left: Expression
    right: Expression


class Or(Syntax):
    left: Expression
    right: Expression


class Binder(Syntax):
    name: Word
    domain: Expression
    until: Expression | None
    where: Expression | None


class Quantified(Syntax):
    quantifier: Word
    binders: tuple[Binder, ...]
    body: Expression


class ChoiceOf(Syntax):
    condition: Expression
    then: Expression
    otherwise: Expression


class Reach(Syntax):
    name: Word
    start: Expression
    along: Expression
    where: Expression | None


class ReachEdges(Syntax):
    name: Word
    start: Expression
    source: Word
    target: Word
    where: Expression


class SeenBy(Syntax):
    operand: Expression
    player: Expression


class AtTurnStart(Syntax):
    """`side[s] at turn start`."""

    operand: Expression


class Maybe(Syntax):
    type: Expression


class SetOf(Syntax):
    type: Expression


class SequenceOf(Syntax):
    """`sequence of Card up to 52` in `state`, `sequence of Card` as the type of a definition's parameter."""

    type: Expression
    most: Expression | None = None


class FieldOf(Syntax):
    """`offer.given`: a field of a record."""

    operand: Expression
    field: Word


class RecordWith(Syntax):
    """A record with another value in one field; the assignment `offer.given := wood` stands for it."""

    whole: Expression
    field: Word
    value: Expression


class Let(Syntax):
    name: Word
    value: Expression


class Scope(Syntax):
    lets: tuple[Let, ...]
    result: Expression


Expression = (
    Number | Text | None_ | True_ | False_ | NoActions | Name | Call | Element | Tuple | List | Set | Negative | Binary
    | Interval | Compare | Has | Not | And | Or | Quantified | ChoiceOf | Reach | ReachEdges | SeenBy | AtTurnStart
    | Maybe | SetOf | SequenceOf | FieldOf | RecordWith | Scope
)  # fmt: skip

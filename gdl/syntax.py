"""What the author wrote: one frozen dataclass per rule of grammar.lark, each with its place in the text.

A class marked `rest` gathers all remaining parts of its rule in its last field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gdl.errors import Span


@dataclass(frozen=True, slots=True)
class Syntax:
    """Any part of a file."""

    span: Span
    rest: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Word(Syntax):
    """A name, number, text or sign as it stands; `kind` is NAME, INT, NUMBER, STRING, UNKNOWN…"""

    kind: str
    text: str

    @property
    def name(self) -> str:
        """The name meant: the text itself, without the quotes and escapes of a quoted one."""
        if self.kind != "STRING":
            return self.text
        return self.text[1:-1].replace('\\"', '"').replace("\\\\", "\\")


# ---- Expressions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Syntax):
    value: Word


@dataclass(frozen=True, slots=True)
class Text(Syntax):
    value: Word


@dataclass(frozen=True, slots=True)
class None_(Syntax):
    value: Word


@dataclass(frozen=True, slots=True)
class True_(Syntax):
    value: Word


@dataclass(frozen=True, slots=True)
class False_(Syntax):
    value: Word


@dataclass(frozen=True, slots=True)
class NoActions(Syntax):
    value: Word


@dataclass(frozen=True, slots=True)
class Name(Syntax):
    word: Word


@dataclass(frozen=True, slots=True)
class Call(Syntax):
    word: Word
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Element(Syntax):
    word: Word
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Tuple(Syntax):
    items: tuple[Expression, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class List(Syntax):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Set(Syntax):
    items: tuple[Expression, ...] | None


@dataclass(frozen=True, slots=True)
class Negative(Syntax):
    sign: Word
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Syntax):
    left: Expression
    operator: Word
    right: Expression


@dataclass(frozen=True, slots=True)
class Interval(Syntax):
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Compare(Syntax):
    left: Expression
    relation: str  # = != < <= > >= in, not in
    right: Expression


@dataclass(frozen=True, slots=True)
class Not(Syntax):
    operand: Expression


@dataclass(frozen=True, slots=True)
class And(Syntax):
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Or(Syntax):
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Binder(Syntax):
    name: Word
    domain: Expression
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Quantified(Syntax):
    quantifier: Word
    binders: tuple[Binder, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class ChoiceOf(Syntax):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Reach(Syntax):
    name: Word
    start: Expression
    along: Expression
    where: Expression | None


@dataclass(frozen=True, slots=True)
class SeenBy(Syntax):
    operand: Expression
    player: Expression


@dataclass(frozen=True, slots=True)
class Maybe(Syntax):
    type: Expression


@dataclass(frozen=True, slots=True)
class SetOf(Syntax):
    type: Expression


@dataclass(frozen=True, slots=True)
class Scope(Syntax):
    lets: tuple[Let, ...]
    result: Expression


Expression = (
    Number | Text | None_ | True_ | False_ | NoActions | Name | Call | Element | Tuple | List | Set | Negative | Binary
    | Interval | Compare | Not | And | Or | Quantified | ChoiceOf | Reach | SeenBy | Maybe | SetOf | Scope
)  # fmt: skip


# ---- Statements -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Let(Syntax):
    name: Word
    value: Expression


@dataclass(frozen=True, slots=True)
class Target(Syntax):
    name: Word
    arguments: tuple[Expression, ...] | None


@dataclass(frozen=True, slots=True)
class Assign(Syntax):
    target: Target
    value: Expression


@dataclass(frozen=True, slots=True)
class CallProcedure(Syntax):
    name: Word
    arguments: tuple[Expression, ...] | None


@dataclass(frozen=True, slots=True)
class Require(Syntax):
    condition: Expression


@dataclass(frozen=True, slots=True)
class Rank(Syntax):
    value: Expression


@dataclass(frozen=True, slots=True)
class Stop(Syntax):
    pass


@dataclass(frozen=True, slots=True)
class Forget(Syntax):
    pass


@dataclass(frozen=True, slots=True)
class Next(Syntax):
    turn: Turn


@dataclass(frozen=True, slots=True)
class Audience(Syntax):
    who: Word


@dataclass(frozen=True, slots=True)
class Say(Syntax):
    event: Expression
    audience: Audience | None


@dataclass(frozen=True, slots=True)
class Choice(Syntax):
    """A parameter to be chosen by the mover, or by chance."""

    name: Word
    type: Expression


@dataclass(frozen=True, slots=True)
class Draw(Syntax):
    """Several things drawn at once, `w: 3 from unseen`."""

    name: Word
    count: Expression
    source: Expression


@dataclass(frozen=True, slots=True)
class Guard(Syntax):
    condition: Expression


@dataclass(frozen=True, slots=True)
class Weight(Syntax):
    value: Expression


@dataclass(frozen=True, slots=True)
class Template(Syntax):
    text: Word


@dataclass(frozen=True, slots=True)
class Merge(Syntax):
    pass


Modifier = Guard | Weight | Template | Merge


@dataclass(frozen=True, slots=True)
class Choose(Syntax):
    choices: tuple[Choice | Draw, ...]
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True)
class Repeat(Syntax):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class ForEach(Syntax):
    binders: tuple[Binder, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Attempt(Syntax):
    body: tuple[Statement, ...]
    refused: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Conditional(Syntax):
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: Conditional | tuple[Statement, ...] | None


Statement = (
    Let | Assign | CallProcedure | Require | Rank | Stop | Forget | Next | Say | Choose | Repeat | ForEach | Attempt
    | Conditional
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Everyone(Syntax):
    value: Word


@dataclass(frozen=True, slots=True)
class TurnOf(Syntax):
    who: Expression


@dataclass(frozen=True, slots=True)
class FirstAfter(Syntax):
    name: Word
    sign: Word
    start: Expression
    where: Expression | None


@dataclass(frozen=True, slots=True)
class FirstBefore(FirstAfter):
    pass


Turn = Everyone | TurnOf | FirstAfter | FirstBefore


# ---- Sections of rules ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter(Syntax):
    name: Word
    type: Expression | None
    value: Expression


@dataclass(frozen=True, slots=True)
class Game(Syntax):
    title: Word
    parameters: tuple[Parameter, ...] | None


@dataclass(frozen=True, slots=True)
class Binding(Syntax):
    name: Word
    value: Expression


@dataclass(frozen=True, slots=True)
class Setting(Syntax):
    settings: tuple[Binding, ...]


@dataclass(frozen=True, slots=True)
class Players(Syntax):
    names: tuple[Word, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Seats(Syntax):
    name: Word
    count: Expression


@dataclass(frozen=True, slots=True)
class Bound(Syntax):
    """`in 0..10` (two amounts) or `<= 10` (a sign and an amount)."""

    parts: tuple[Word, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Utility(Syntax):
    bound: Bound


@dataclass(frozen=True, slots=True)
class Claim(Syntax):
    words: tuple[Word, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Ordered(Syntax):
    """Names and the `<` between them."""

    parts: tuple[Word, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Unordered(Syntax):
    parts: tuple[Word, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class TypeDefinition(Syntax):
    name: Word
    definition: Ordered | Unordered | Expression


@dataclass(frozen=True, slots=True)
class Board(Syntax):
    name: Word
    shape: Word
    arguments: tuple[Expression, ...]
    mirror: Word | None
    player: Word | None


@dataclass(frozen=True, slots=True)
class Index(Syntax):
    name: Word | None
    type: Expression


@dataclass(frozen=True, slots=True)
class Visibility(Syntax):
    audience: Audience
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Variable(Syntax):
    name: Word
    indices: tuple[Index, ...] | None
    type: Expression
    initial: Expression | None
    visibility: Visibility | None


@dataclass(frozen=True, slots=True)
class State(Syntax):
    variables: tuple[Variable, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Setup(Syntax):
    name: Word
    lines: tuple[Word, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Start(Syntax):
    turn: Turn


@dataclass(frozen=True, slots=True)
class Typed(Syntax):
    name: Word
    type: Expression


@dataclass(frozen=True, slots=True)
class Definition(Syntax):
    name: Word
    parameters: tuple[Typed, ...] | None
    type: Expression | None
    result: Expression


@dataclass(frozen=True, slots=True)
class Procedure(Syntax):
    name: Word
    parameters: tuple[Typed, ...] | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Action(Syntax):
    name: Word
    choices: tuple[Choice | Draw, ...] | None
    modifiers: tuple[Modifier, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Chance(Action):
    pass


@dataclass(frozen=True, slots=True)
class Resolve(Syntax):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Win(Syntax):
    sign: Word
    player: Expression


@dataclass(frozen=True, slots=True)
class Lose(Syntax):
    sign: Word
    player: Expression


@dataclass(frozen=True, slots=True)
class DrawnGame(Syntax):
    sign: Word


@dataclass(frozen=True, slots=True)
class Payment(Syntax):
    amount: Expression
    player: Expression


@dataclass(frozen=True, slots=True)
class Pay(Syntax):
    payments: tuple[Payment, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Each(Syntax):
    name: Word
    value: Expression


@dataclass(frozen=True, slots=True)
class Vector(Syntax):
    value: Expression


Outcome = Win | Lose | DrawnGame | Pay | Each | Vector


@dataclass(frozen=True, slots=True)
class Clause(Syntax):
    condition: Expression | Word  # a Word is `forever`
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class TerminalTest(Syntax):
    clauses: tuple[Clause, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Feature(Syntax):
    value: Expression


@dataclass(frozen=True, slots=True)
class FeatureEach(Syntax):
    name: Word
    value: Expression


@dataclass(frozen=True, slots=True)
class Evaluation(Syntax):
    features: tuple[Feature | FeatureEach, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Variant(Syntax):
    name: Word | None
    title: Word | None
    sections: tuple[Section, ...]
    rest: ClassVar[bool] = True


# ---- Trees and matrices -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Label(Syntax):
    """Words before the colon: an action, a probability, or both."""

    parts: tuple[Word, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Leaf(Syntax):
    name: Word | None
    utilities: Word | tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Inner(Syntax):
    player: Word  # of kind CHANCE for nature
    name: Word | None
    information_set: Word | None
    evaluation: Word | tuple[Word, ...] | None
    bound: Bound | None


@dataclass(frozen=True, slots=True)
class LeafNode(Syntax):
    label: Label | None
    leaf: Leaf


@dataclass(frozen=True, slots=True)
class InnerNode(Syntax):
    label: Label | None
    head: Inner
    children: tuple[LeafNode | InnerNode, ...]


@dataclass(frozen=True, slots=True)
class Tree(Syntax):
    root: LeafNode | InnerNode


@dataclass(frozen=True, slots=True)
class Row(Syntax):
    name: Word
    cells: tuple[Word | tuple[Word, ...], ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Matrix(Syntax):
    header: tuple[Word, ...]
    rows: tuple[Row, ...]
    rest: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class MatrixProfile(Syntax):
    actions: tuple[Word, ...]
    utilities: Word | tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class MatrixOfProfiles(Syntax):
    profiles: tuple[MatrixProfile, ...]
    rest: ClassVar[bool] = True


# ---- Known answers ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step(Syntax):
    """An action's name; with arguments for `drop(4)`."""

    name: Word
    arguments: tuple[Step, ...]
    rest: ClassVar[bool] = True

    @property
    def text(self) -> str:
        inner = ", ".join(argument.text for argument in self.arguments)
        return f"{self.name.name}({inner})" if self.arguments else self.name.name


@dataclass(frozen=True, slots=True)
class Path(Syntax):
    """Steps and the `>` between them."""

    parts: tuple[Step | Word, ...]
    rest: ClassVar[bool] = True

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(part for part in self.parts if isinstance(part, Step))


@dataclass(frozen=True, slots=True)
class AnswerVector(Syntax):
    items: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class AnswerSet(Syntax):
    items: tuple[Path, ...] | None


@dataclass(frozen=True, slots=True)
class At(Syntax):
    """Under a variant, or from a named position."""

    name: Word


@dataclass(frozen=True, slots=True)
class After(Syntax):
    actions: Word


@dataclass(frozen=True, slots=True)
class With(Syntax):
    settings: tuple[Binding, ...]


@dataclass(frozen=True, slots=True)
class Expectation(Syntax):
    quantity: Word
    depth: Word | None
    answer: Path | AnswerVector | AnswerSet
    conditions: tuple[At | After | With, ...]


Section = (
    Game | Players | Seats | Setting | TypeDefinition | Board | State | Definition | Procedure | Action | Chance
    | Resolve | Start | Setup | TerminalTest | Evaluation | Utility | Claim | Variant | Tree | Matrix | MatrixOfProfiles
    | Expectation
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Description(Syntax):
    """A whole file, section by section in its order."""

    name: str  # the file's own name, for want of a title
    sections: tuple[Section, ...]

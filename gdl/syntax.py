"""What the author wrote: one frozen class per rule of grammar.lark, each with its place in the text.

A class marked `rest` gathers all remaining parts of its rule in its last field.
"""

from __future__ import annotations

from typing import ClassVar

from gdl.errors import Span
from gdl.record import Record


class Syntax(Record):
    """Any part of a file."""

    span: Span
    rest: ClassVar[bool] = False


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


class Tuple(Syntax):
    items: tuple[Expression, ...]
    rest: ClassVar[bool] = True


class List(Syntax):
    items: tuple[Expression, ...]


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


class SeenBy(Syntax):
    operand: Expression
    player: Expression


class Maybe(Syntax):
    type: Expression


class SetOf(Syntax):
    type: Expression


class Scope(Syntax):
    lets: tuple[Let, ...]
    result: Expression


Expression = (
    Number | Text | None_ | True_ | False_ | NoActions | Name | Call | Element | Tuple | List | Set | Negative | Binary
    | Interval | Compare | Not | And | Or | Quantified | ChoiceOf | Reach | SeenBy | Maybe | SetOf | Scope
)  # fmt: skip


# ---- Statements -------------------------------------------------------------------------------------------------


class Let(Syntax):
    name: Word
    value: Expression


class Target(Syntax):
    name: Word
    arguments: tuple[Expression, ...] | None


class Assign(Syntax):
    target: Target
    value: Expression


class CallProcedure(Syntax):
    name: Word
    arguments: tuple[Expression, ...] | None


class Require(Syntax):
    condition: Expression


class Rank(Syntax):
    value: Expression


class Stop(Syntax):
    pass


class Forget(Syntax):
    pass


class Next(Syntax):
    turn: Turn


class Audience(Syntax):
    who: Word


class Say(Syntax):
    event: Expression
    audience: Audience | None


class Choice(Syntax):
    """A parameter to be chosen by the mover, or by chance."""

    name: Word
    type: Expression


class Draw(Syntax):
    """Several things drawn at once, `w: 3 from unseen`."""

    name: Word
    count: Expression
    source: Expression


class Guard(Syntax):
    condition: Expression


class Weight(Syntax):
    value: Expression


class Template(Syntax):
    text: Word


class Merge(Syntax):
    pass


Modifier = Guard | Weight | Template | Merge


class Choose(Syntax):
    choices: tuple[Choice | Draw, ...]
    modifiers: tuple[Modifier, ...]


class Repeat(Syntax):
    body: tuple[Statement, ...]


class ForEach(Syntax):
    binders: tuple[Binder, ...]
    body: tuple[Statement, ...]


class Attempt(Syntax):
    body: tuple[Statement, ...]
    refused: tuple[Statement, ...]


class Conditional(Syntax):
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: Conditional | tuple[Statement, ...] | None


Statement = (
    Let | Assign | CallProcedure | Require | Rank | Stop | Forget | Next | Say | Choose | Repeat | ForEach | Attempt
    | Conditional
)  # fmt: skip


class Everyone(Syntax):
    value: Word


class TurnOf(Syntax):
    who: Expression


class FirstAfter(Syntax):
    name: Word
    sign: Word
    start: Expression
    where: Expression | None


class FirstBefore(FirstAfter):
    pass


Turn = Everyone | TurnOf | FirstAfter | FirstBefore


# ---- Sections of rules ------------------------------------------------------------------------------------------


class Parameter(Syntax):
    name: Word
    type: Expression | None
    value: Expression


class Game(Syntax):
    title: Word
    parameters: tuple[Parameter, ...] | None


class Binding(Syntax):
    name: Word
    value: Expression


class Setting(Syntax):
    settings: tuple[Binding, ...]


class Players(Syntax):
    names: tuple[Word, ...]
    rest: ClassVar[bool] = True


class Seats(Syntax):
    name: Word
    count: Expression


class Bound(Syntax):
    """`in 0..10` (two amounts) or `<= 10` (a sign and an amount)."""

    parts: tuple[Word, ...]
    rest: ClassVar[bool] = True


class Utility(Syntax):
    bound: Bound


class Claim(Syntax):
    words: tuple[Word, ...]
    rest: ClassVar[bool] = True


class Ordered(Syntax):
    """Names and the `<` between them."""

    parts: tuple[Word, ...]
    rest: ClassVar[bool] = True


class Unordered(Syntax):
    parts: tuple[Word, ...]
    rest: ClassVar[bool] = True


class TypeDefinition(Syntax):
    name: Word
    definition: Ordered | Unordered | Expression


class Board(Syntax):
    name: Word
    shape: Word
    arguments: tuple[Expression, ...]
    mirror: Word | None
    player: Word | None


class Index(Syntax):
    name: Word | None
    type: Expression


class Visibility(Syntax):
    audience: Audience
    condition: Expression | None


class Variable(Syntax):
    name: Word
    indices: tuple[Index, ...] | None
    type: Expression
    initial: Expression | None
    visibility: Visibility | None


class State(Syntax):
    variables: tuple[Variable, ...]
    rest: ClassVar[bool] = True


class Setup(Syntax):
    name: Word
    lines: tuple[Word, ...]
    rest: ClassVar[bool] = True


class Start(Syntax):
    turn: Turn


class Typed(Syntax):
    name: Word
    type: Expression


class Definition(Syntax):
    name: Word
    parameters: tuple[Typed, ...] | None
    type: Expression | None
    result: Expression


class Procedure(Syntax):
    name: Word
    parameters: tuple[Typed, ...] | None
    body: tuple[Statement, ...]


class Action(Syntax):
    name: Word
    choices: tuple[Choice | Draw, ...] | None
    modifiers: tuple[Modifier, ...]
    body: tuple[Statement, ...]


class Chance(Action):
    pass


class Resolve(Syntax):
    body: tuple[Statement, ...]


class Win(Syntax):
    sign: Word
    player: Expression


class Lose(Syntax):
    sign: Word
    player: Expression


class DrawnGame(Syntax):
    sign: Word


class Payment(Syntax):
    amount: Expression
    player: Expression


class Pay(Syntax):
    payments: tuple[Payment, ...]
    rest: ClassVar[bool] = True


class Each(Syntax):
    name: Word
    value: Expression


class Vector(Syntax):
    value: Expression


Outcome = Win | Lose | DrawnGame | Pay | Each | Vector


class Clause(Syntax):
    condition: Expression | Word  # a Word is `forever`
    outcome: Outcome


class TerminalTest(Syntax):
    clauses: tuple[Clause, ...]
    rest: ClassVar[bool] = True


class Feature(Syntax):
    value: Expression


class FeatureEach(Syntax):
    name: Word
    value: Expression


class Evaluation(Syntax):
    features: tuple[Feature | FeatureEach, ...]
    rest: ClassVar[bool] = True


class Variant(Syntax):
    name: Word | None
    title: Word | None
    sections: tuple[Section, ...]
    rest: ClassVar[bool] = True


# ---- Trees and matrices -----------------------------------------------------------------------------------------


class Label(Syntax):
    """Words before the colon: an action, a probability, or both."""

    parts: tuple[Word, ...]
    rest: ClassVar[bool] = True


class Leaf(Syntax):
    name: Word | None
    utilities: Word | tuple[Word, ...]


class Inner(Syntax):
    player: Word  # of kind CHANCE for nature
    name: Word | None
    information_set: Word | None
    evaluation: Word | tuple[Word, ...] | None
    bound: Bound | None


class LeafNode(Syntax):
    label: Label | None
    leaf: Leaf


class InnerNode(Syntax):
    label: Label | None
    head: Inner
    children: tuple[LeafNode | InnerNode, ...]


class Tree(Syntax):
    root: LeafNode | InnerNode


class Row(Syntax):
    name: Word
    cells: tuple[Word | tuple[Word, ...], ...]
    rest: ClassVar[bool] = True


class Matrix(Syntax):
    header: tuple[Word, ...]
    rows: tuple[Row, ...]
    rest: ClassVar[bool] = True


class MatrixProfile(Syntax):
    actions: tuple[Word, ...]
    utilities: Word | tuple[Word, ...]


class MatrixOfProfiles(Syntax):
    profiles: tuple[MatrixProfile, ...]
    rest: ClassVar[bool] = True


# ---- Known answers ----------------------------------------------------------------------------------------------


class Step(Syntax):
    """An action's name; with arguments for `drop(4)`."""

    name: Word
    arguments: tuple[Step, ...]
    rest: ClassVar[bool] = True

    @property
    def text(self) -> str:
        inner = ", ".join(argument.text for argument in self.arguments)
        return f"{self.name.name}({inner})" if self.arguments else self.name.name


class Path(Syntax):
    """Steps and the `>` between them."""

    parts: tuple[Step | Word, ...]
    rest: ClassVar[bool] = True

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(part for part in self.parts if isinstance(part, Step))


class AnswerVector(Syntax):
    items: tuple[Path, ...]


class AnswerSet(Syntax):
    items: tuple[Path, ...] | None


class At(Syntax):
    """Under a variant, or from a named position."""

    name: Word


class After(Syntax):
    actions: Word


class With(Syntax):
    settings: tuple[Binding, ...]


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


class Description(Syntax):
    """A whole file, section by section in its order."""

    name: str  # the file's own name, for want of a title
    sections: tuple[Section, ...]

"""The sections of a game given by rules, as written."""

from __future__ import annotations

from itertools import zip_longest

from gdl.errors import Span
from gdl.syntax.expressions import Expression, Text
from gdl.syntax.statements import Audience, Choice, Draw, Modifier, Payment, Statement, Turn, TurnOf
from gdl.syntax.words import Syntax, Word


class Parameter(Syntax):
    name: Word
    type: Expression | None
    value: Expression


class Game(Syntax):
    title: Word
    base: Word | None  # the game that it begins from
    parameters: tuple[Parameter, ...] | None


class Binding(Syntax):
    name: Word
    value: Expression


class Setting(Syntax):
    settings: tuple[Binding, ...]


class Team(Syntax, rest=True):
    """Players who win and lose together."""

    names: tuple[Word, ...]


class Players(Syntax, rest=True):
    sides: tuple[Word | Team, ...]

    @property
    def by_side(self) -> tuple[tuple[Word, ...], ...]:
        """The players of each side."""
        return tuple(side.names if isinstance(side, Team) else (side,) for side in self.sides)

    @property
    def names(self) -> tuple[Word, ...]:
        """The players in the order of their turns: the first of each side, then the second of each, and so on."""
        return tuple(name for turn in zip_longest(*self.by_side) for name in turn if name is not None)


class Seats(Syntax):
    name: Word
    count: Expression


class Bound(Syntax, rest=True):
    """`in 0..10` (two amounts) or `<= 10` (a sign and an amount)."""

    parts: tuple[Word, ...]


class Utility(Syntax):
    bound: Bound


class Measure(Syntax):
    """`utility is cost`: the numbers of the file are costs. `utility is average`: rewards count by their average."""

    verb: Word
    kind: Word


class Discount(Syntax):
    value: Expression


class Claim(Syntax, rest=True):
    words: tuple[Word, ...]


class Ordered(Syntax, rest=True):
    """Names and the `<` between them."""

    parts: tuple[Word, ...]


class Unordered(Syntax, rest=True):
    parts: tuple[Word, ...]


class Typed(Syntax):
    name: Word
    type: Expression


class RecordOf(Syntax, rest=True):
    """The fields of a record, each with its type."""

    typed: tuple[Typed, ...]


class TypeDefinition(Syntax):
    name: Word
    definition: Ordered | Unordered | RecordOf | Expression


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


class State(Syntax, rest=True):
    variables: tuple[Variable, ...]


class Setup(Syntax, rest=True):
    """A picture of arrays over one board; its lines are rows of the board or, with a '=', a legend."""

    names: tuple[Word, ...]
    lines: tuple[Word, ...]

    @property
    def legend(self) -> tuple[Word, ...]:
        return tuple(line for line in self.lines if "=" in line.text)

    @property
    def rows(self) -> tuple[Word, ...]:
        return tuple(line for line in self.lines if "=" not in line.text)


class Hide(Syntax):
    """`hide`: variables that no picture shows."""

    names: tuple[Word, ...]


class ShowAs(Syntax):
    """`show`: what a variable, a member of a type or a point is called in pictures."""

    name: Word
    text: Word


class DrawAs(Syntax):
    """`draw`: the symbol or the sign of a piece."""

    name: Word
    text: Word


class MarkAs(Syntax):
    """`mark`: the sign on squares where nothing stands."""

    squares: Expression
    text: Word


class ColourAs(Syntax):
    """`colour`: the colour of a player's pieces."""

    name: Word
    text: Word


class Look(Syntax, rest=True):
    """How things appear: names, signs, marks and colours in pictures, of which no rule asks."""

    lines: tuple[Hide | ShowAs | DrawAs | MarkAs | ColourAs, ...]


class Notation(Syntax, rest=True):
    """A notation for positions: a text with fields, and a line for each field whose values have signs of their own."""

    template: Word
    lines: tuple[Word, ...]


class Position(Syntax):
    """A position with a name, in the game's notation."""

    name: Word
    text: Word
    notation: Notation | None = None  # the notation of its text; None: that of the game


class NotationForgets(Syntax):
    """`notation forgets a, b`: variables that a position's text leaves out on purpose."""

    names: tuple[Word, ...]


class PositionRequires(Syntax):
    """A condition that a position read from text must hold, and what to say where it does not."""

    condition: Expression
    words: Word


class PositionKeeps(Syntax):
    """The condition under which a position read from text keeps the value of a variable or, where `member` has a name,
    each member of a set; and what to say where it does not."""

    member: Word | None
    name: Word
    condition: Expression
    words: Word


class Start(Syntax):
    """`start`: who or what comes first, or a text that sets the first position."""

    turn: Turn

    @property
    def text(self) -> Span | None:
        """The place of the text between the quotes, if the first position is given as a text; else None."""
        who = self.turn.who if isinstance(self.turn, TurnOf) else None
        return Span(who.span.source, who.span.start + 1, who.span.end - 1) if isinstance(who, Text) else None


class Opening(Syntax):
    """Statements done once before play begins, which change the first values."""

    body: tuple[Statement, ...]


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
    phase: Word | None = None  # the only phase in which it is legal; None: all


class Chance(Action):
    pass


class Follow(Syntax):
    """`no actions -> next phase NAME`: the phase that follows when the player to move has no action of this phase
    left."""

    sign: Word
    phase: Word


class Phase(Syntax, rest=True):
    """A phase of play. Once parsed, its actions are sections of their own that know its name."""

    name: Word
    parts: tuple[Action | Follow, ...]


class Resolve(Syntax):
    body: tuple[Statement, ...]


class Use(Syntax):
    """`use`: a library of definitions."""

    library: Word


class Prologue(Syntax):
    """`before`: lines put into a body of the game that this one changes, at the point where the names in parentheses
    are known."""

    name: Word
    names: tuple[Word, ...] | None
    body: tuple[Statement, ...]


class Epilogue(Prologue):
    """`after`: lines put at the end of a body of the game that this one changes."""


class Win(Syntax):
    sign: Word
    player: Expression


class Lose(Syntax):
    sign: Word
    player: Expression


class DrawnGame(Syntax):
    sign: Word


class Pay(Syntax, rest=True):
    payments: tuple[Payment, ...]


class Each(Syntax):
    name: Word
    value: Expression


class Vector(Syntax):
    value: Expression


Outcome = Win | Lose | DrawnGame | Pay | Each | Vector


class Clause(Syntax):
    condition: Expression | Word  # a Word is `forever`
    outcome: Outcome


class TerminalTest(Syntax, rest=True):
    after_actions: Word | None  # the word `after` where the end is not looked at while an action still draws
    clauses: tuple[Clause, ...]


class Feature(Syntax):
    value: Expression


class FeatureEach(Syntax):
    name: Word
    value: Expression


class Quiet(Syntax):
    value: Expression


class Unit(Syntax):
    name: Word
    size: Expression | None


class Evaluation(Syntax, rest=True):
    unit: Unit | None
    lines: tuple[Feature | FeatureEach | Quiet, ...]

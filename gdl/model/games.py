"""The checked game: names resolved, domains finite, sugar gone. Engines see this and never the syntax."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from gdl.errors import Span
from gdl.game import Bounds, Joint, Number, Probability, Utility
from gdl.model.core import Arithmetic, Const, Expression, Let, Parameter, Require, Statement, Template, Turn
from gdl.model.domains import Place, Type, size
from gdl.record import Record


class TreeNode(Record):
    """One node of an explicit tree; `children` are indices into the tree's nodes, `utilities` belong to an end."""

    kind: Literal["decision", "chance", "terminal"]
    player: int | None = None
    label: str | None = None
    information_set: str | None = None
    evaluation: tuple[Number, ...] | None = None
    bounds: Bounds | None = None  # of all leaves below; at a leaf, the bounds stated above it
    actions: tuple[str, ...] = ()
    probabilities: tuple[Probability, ...] = ()
    children: tuple[int, ...] = ()
    utilities: tuple[Utility, ...] = ()
    span: Span | None = None


class TreeModel(Record):
    """An explicit tree; `nodes[0]` is the root and every node stands before its children."""

    name: str
    players: tuple[str, ...]
    nodes: tuple[TreeNode, ...]
    bounds: Bounds | None = None  # of the utilities at all leaves
    numbers_of: int | None = None  # whose utility single numbers are, where the file has any
    decimals: bool = False  # whether its numbers that are not whole are all written as decimals
    cost: bool = False  # whether the file states what players pay, which are utilities with the other sign


class MatrixModel(Record):
    """A game in strategic form: one utility vector for every joint action."""

    name: str
    players: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    utilities: Mapping[Joint, tuple[Utility, ...]]
    numbers_of: int | None = None  # whose utility single numbers are, where the file has any
    decimals: bool = False  # as in a tree
    cost: bool = False


# ---- Rules ------------------------------------------------------------------------------------------------------


class Visibility(Record):
    """The players who see an element of a variable: all, none, its owner (the first index), or each player for whom
    `condition` holds. In its frame the element's indices come first, and `slot` holds the player."""

    kind: Literal["all", "none", "owner", "when"] = "all"
    slot: int = 0
    condition: Expression | None = None
    frame: int = 0
    hides: Literal["", "none", "owner"] = ""  # the kind stated for a sequence, whose length all see anyway


class Variable(Record):
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

    @property
    def places(self) -> int:
        """The greatest length of a sequence; 0 for a variable that is no sequence."""
        return self.indices[-1].high if self.indices and isinstance(self.indices[-1], Place) else 0


class Callable(Record):
    """A definition or a procedure of the game's own."""

    name: str
    parameters: int
    frame: int  # slots of its frame, the parameters first
    result: Expression | None
    body: tuple[Statement, ...]
    span: Span
    fixed: bool = False  # its value depends on its arguments alone
    recursive: bool = False  # it may call itself
    type: Type | None = None  # of a definition's value, where that is declared or found
    types: tuple[Type, ...] = ()  # of a definition's parameters


class Hearers(Record):
    """The players who hear of an action, beside the one who acts: those for whom `condition` holds before the action,
    with the player in `slot` of the rule's frame; all if there is no condition."""

    slot: int = 0
    condition: Expression | None = None


class Rule(Record):
    """An action, a chance step, or effects that nobody chooses. Without a `template` its name is made of its head and
    its choices."""

    name: str
    parameters: tuple[Parameter, ...]
    guards: tuple[Expression, ...]  # that need no parameter
    weight: Expression | None
    template: Template | None
    merge: bool
    body: tuple[Statement, ...]
    frame: int
    simple: bool  # the body cannot fail after its opening conditions, nor choose, so these and the head decide
    span: Span
    hearers: Hearers | None = None  # None: nobody is told
    settled: bool = False  # whether the file says who learns of the action
    drawn: int | None = None  # the number of the step that players see come when this one does; None: this step
    before: tuple[Let | Require, ...] = ()  # after the guards, once for all parameters: passes of the compiler put it
    shares: tuple[int, ...] | None = None  # for the compiler: rules whose rows may have its rows' names; None: all


class Clause(Record):
    """A terminal clause: its condition and the utility of each player."""

    condition: Expression
    utilities: tuple[Expression, ...]
    sum: Number | None  # what the utilities are known to sum to
    winner: int | None  # the player who wins outright by it, where that is a constant
    frame: int
    span: Span
    after: tuple[Expression | None, ...] = ()  # for the compiler: what is left of it by who acted last; None: nothing


class Feature(Record):
    """A term of EVAL(s) for each player: its weight and its value."""

    weight: Number
    values: tuple[Expression, ...]
    frame: int
    text: str
    span: Span | None = None

    @property
    def is_mirrored(self) -> bool:
        """True if it is written for one player, and the other gets its negative."""
        match self.values:
            case (one, Arithmetic(operator="-", left=Const(value=0), right=negated)) if one == negated:
                return True
            case (Arithmetic(operator="-", left=Const(value=0), right=negated), other):
                return other == negated
        return len(self.values) == 1


class Unit(Record):
    """A unit for showing evaluations, and how much utility it stands for: `in pawns of 0.005`."""

    name: str
    size: Number


class Quiet(Record):
    """A number that stays the same in quiet play, such as the material. Where a search is cut off, actions that change
    it are followed further; where it is `none`, all actions are."""

    value: Expression
    frame: int
    span: Span


class Site(Record):
    """A question about earlier positions: the key by which they are compared and, for `always`, the condition that must
    have held."""

    kind: Literal["times", "since", "always"]
    key: tuple[Expression, ...]
    condition: Expression | None
    frame: int  # slots that its parts need
    span: Span


class Look(Record):
    """The symbols for the values of arrays over one board that are drawn in one picture."""

    variables: tuple[int, ...]  # indices into the model's variables
    symbols: Mapping[tuple[Any, ...], str]


class MarkedSquares(Record):
    """Squares that bear a sign in pictures where nothing stands on them."""

    type: Type  # of the squares
    squares: frozenset[int]
    sign: str


class Sentence(Record):
    """The words that tell players of an action: texts, and numbers of groups of the `pattern`, a regular expression
    that fits the action's name; 0 is the player who acts."""

    pattern: str
    parts: tuple[str | int, ...]


class Appearance(Record):
    """How a game appears, of which no rule asks. Variables, members of types, squares and players are known by their
    names."""

    hidden: tuple[str, ...] = ()  # variables that no picture shows
    names: Mapping[str, str] = {}  # of variables and members: what they are called in pictures,
    points: Mapping[str, str] = {}  # and squares
    signs: Mapping[str, str] = {}  # of pieces: a drawn symbol's name, or one or two letters
    marks: tuple[MarkedSquares, ...] = ()
    colours: Mapping[str, str] = {}  # of players
    sentences: tuple[Sentence, ...] = ()

    def sentence(self, player: str, action: str) -> str:
        """The words that tell that a player did an action, known by its name; without the file's, the name behind the
        player's."""
        for told in self.sentences:
            if found := re.search(told.pattern, action):
                words = "".join(
                    part if isinstance(part, str) else found[part] if part else player for part in told.parts
                )
                return words if 0 in told.parts else f"{player}: {words}"
        return f"{player}: {action}"


class Field(Record):
    """A part of a position's text that stands for a part of the state.

    kind: mover; value (a single variable); set (its members side by side);
    counted, repeated (how many each player has of each kind, `5p` or `ppppp`); picture (arrays over one board, row by
    row); places (the same arrays, as lists of their squares); any (nothing that the state holds: it is written `name`).
    """

    kind: Literal["mover", "value", "set", "counted", "repeated", "picture", "places", "any"]
    name: str  # as the template has it
    variables: tuple[int, ...] = ()  # indices into the model's variables
    symbols: Mapping[str, tuple[Any, ...]] = {}  # symbol -> the values that it stands for
    numbers: tuple[int, int] | None = None  # least and greatest number that may be written as such
    empty: tuple[Any, ...] = ()  # the values of an empty square
    rows: tuple[tuple[int, ...], ...] = ()  # of a picture: the elements of each row
    places: Mapping[str, int] = {}  # the element that each name of a square means
    size: int = 0  # how many elements each array has
    mark: str = ""  # of a picture whose last variable is a set: the sign behind what stands on its squares


class Notation(Record):
    """A notation for positions: fields, and the text between them."""

    template: str
    parts: tuple[str | Field, ...]
    ends: frozenset[int]  # the parts before which a position's text may end


class Written(Record):
    """A position of the file as text, and its notation; None if the notation makes no sense in this variant."""

    text: Span
    notation: Notation | None


class PositionRule(Record):
    """A condition on positions that are read from texts. Without a variable the position is refused where it does not
    hold; else the variable loses its value there, or a set those of its members, each in slot 0, for which it does not
    hold."""

    condition: Expression
    words: str
    frame: int
    variable: int | None = None
    each: bool = False  # whether the condition is about a member of the variable's set


class RulesModel(Record):
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
    opening: Rule | None
    clauses: tuple[Clause, ...]
    forever: tuple[Number, ...] | None  # the price of infinite play
    features: tuple[Feature, ...]
    quiet: Quiet | None
    times: tuple[Site, ...]
    looks: tuple[Look, ...] = ()
    bounds: Bounds | None = None
    notation: Notation | None = None
    positions: Mapping[str, Written] = {}  # by their names
    legality: tuple[PositionRule, ...] = ()  # of positions that are read from texts; play never asks
    cost: bool = False  # as in a tree
    numbers_of: int | None = None  # whose utility single numbers are, where the file has any
    rewards: bool = False  # whether something is gained on the way
    forever_span: Span | None = None  # where the file says it
    follow_up: Rule | None = None  # what is done after a ply, and at the start, when a player is to move
    discount: Number = 1  # the factor by which each action makes later utilities count less
    discount_span: Span | None = None
    average: bool = False  # whether rewards count by their average in the long run
    unit: Unit | None = None  # in which evaluations are shown
    appearance: Appearance = Appearance()
    seats: tuple[str, ...] = ()  # who sit at the table, where the players are teams of them
    learned: Any = None  # a gdl.model.evaluation.OtherEvaluation in place of the features

    @property
    def effects(self) -> tuple[Rule, ...]:
        """The rules that nobody chooses: before play, after a joint move, and when a player is to move."""
        return tuple(rule for rule in (self.opening, self.resolve, self.follow_up) if rule is not None)

    @property
    def evaluates(self) -> bool:
        """True if there is an evaluation of positions."""
        return bool(self.features) or self.learned is not None

    @property
    def has_mirrored_evaluation(self) -> bool:
        """True if an evaluation for one player is its negative for the other, by the way it is written."""
        if self.learned is not None:
            return bool(self.learned.is_zero_sum)
        return all(feature.is_mirrored for feature in self.features)


class OtherModel(Record):
    """A game in a language that a wing brings. `playable`, named as "module:name", makes a game of it."""

    playable: ClassVar[str] = ""
    language: ClassVar[str] = ""  # what its rules are written in, as messages call it
    ending: ClassVar[str] = ""  # of its files
    comment: ClassVar[str] = "#"  # how the lines of its comments begin

    name: str
    players: tuple[str, ...]


Model = TreeModel | MatrixModel | RulesModel | OtherModel

"""Numbers of actions that do not depend on the position: from the rule and its values, or from a list of all names.

Of a game by rules, an action is a rule, the values in its head and those that its body chooses. Actions are numbered
in this order:

1. those whose bodies choose fewer values come first;
2. then the rules in the order of the file;
3. then their values, as the digits of a number: the head's first value counts most, the last choice least.

What a value can be is read from its type, or from its domain where that is constant: so a number may belong to an
action that is never legal, but none ever belongs to two. A body that repeats its choices may make any number of them,
up to `MOST_CHOICES`; so there can be vastly many numbers, of which only the first are ever met.

The actions of a tree, a matrix, a graph or a game written in Python are its names, in the order in which they are met.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import comb, prod
from typing import Any, NamedTuple, Protocol

from gdl.errors import LimitReached, Refusal, clean, count_text
from gdl.game import Action, Decision, Game, Simultaneous
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.interpreter.position import Continuation
from gdl.interpreter.rulebook import Option
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model import core
from gdl.model.domains import (
    TRUTH,
    Named,
    Optional,
    Range,
    SetType,
    Type,
    bounds,
    elements,
    ordinal_base,
    size,
    text_of,
)
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import inside
from gdl.record import Record
from gdl.states.explore import Walk
from gdl.states.game_wrapper import GameWithEngine, innermost_game

# Where a value of a rule's head, or of a choice in its body, can lie: the digits that make an action's number.

NONE = -1  # the number of the value none


class ParameterField(Record):
    """The values of a parameter, as `size` numbers from `low` on. Sets of a fixed number of members are numbered in the
    order of combinations, other sets by their bits, and values that are no whole numbers by their place among
    `items`."""

    type: Type
    low: int
    size: int
    count: int | None = None  # members of each set, where that is fixed; None: no sets, or sets of any size
    items: tuple[Any, ...] = ()

    @property
    def plain(self) -> bool:
        """True if a value is its own number, as kernel code holds it."""
        return not self.items and not isinstance(self.type, SetType)

    def number(self, value: Any) -> int:
        """The number of a value."""
        if self.items:
            return self.items.index(value)
        if self.count is not None:
            return sum(comb(member, k) for k, member in enumerate(elements(value), start=1))
        return NONE if value is None else int(value)

    def value(self, number: int) -> Any:
        """The value that has a number."""
        if self.items:
            return self.items[number]
        if self.count is not None:
            return _combination(number, self.count)
        inner = self.type.item if isinstance(self.type, Optional) else self.type
        if isinstance(self.type, Optional) and number == NONE:
            return None
        return bool(number) if inner == TRUTH else number

    def text(self, number: int) -> str:
        """The value that has a number, as its author would write it."""
        return text_of(self.type, self.value(number))


def field_of(parameter: core.Parameter, rule: str) -> ParameterField:
    """The field of a parameter's values. Raises Refusal where neither the parameter's type nor a constant domain bounds
    them."""
    type = parameter.type
    if isinstance(type, SetType):
        things = size(type.item) + ordinal_base(type.item)
        if isinstance(parameter.count, core.Const) and isinstance(parameter.count.value, int):
            drawn = parameter.count.value
            return ParameterField(type, 0, max(1, comb(things, drawn)), count=drawn)
        return ParameterField(type, 0, 1 << things)
    constant = _constant(parameter.domain)
    if constant is not None and not _is_numbered(type):
        return ParameterField(type, 0, max(1, len(constant)), items=tuple(constant))
    if not _is_numbered(type):
        raise Refusal(f"the actions of {clean(rule)} have no numbers: nothing bounds the values of a {type}")
    low, high, may_be_none = bounds(type)
    low = min(low, NONE) if may_be_none else low
    if constant:
        numbers = [NONE if value is None else int(value) for value in constant]
        low, high = max(low, min(numbers)), min(high, max(numbers))
    return ParameterField(type, low, max(1, high - low + 1))


def _is_numbered(type: Type) -> bool:
    """True if the type's values are whole numbers in a row, with or without none."""
    inner = type.item if isinstance(type, Optional) else type
    return isinstance(inner, Range | Named) or inner == TRUTH


def _constant(domain: core.Expression) -> Sequence[Any] | None:
    """The values of a domain that depends on nothing; None where it may depend on something."""
    match domain:
        case core.Const(value) if isinstance(value, tuple | range):
            return value
        case core.Interval(core.Const(low), core.Const(high)):
            return range(low, high + 1)
        case core.Members(core.Const(int(bits))):
            return elements(bits)
        case core.Members(core.SetOf(items)) | core.Items(items) if all(isinstance(item, core.Const) for item in items):
            return [item.value for item in items if isinstance(item, core.Const)]
    return None


def _combination(number: int, count: int) -> int:
    """The set of `count` members with this number, as bits."""
    bits = 0
    for k in range(count, 0, -1):
        member = k - 1
        while comb(member + 1, k) <= number:
            member += 1
        bits |= 1 << member
        number -= comb(member, k)
    return bits


MOST_CHOICES = 255  # values that a body chooses: what the compiled engine remembers of a run
MOST_LISTED = 100_000  # states of a game without rules whose actions are listed

Shape = dict[int, tuple[ParameterField, ...]]  # number of values that a body may choose -> the field of each


class ActionNumbering(Protocol):
    """The numbers of a game's actions."""

    @property
    def total(self) -> int:
        """The number of numbers: they are 0, 1, …, total - 1."""

    def numbers_of(self, game: Game[Any], state: Any, player: int, names: Sequence[Action]) -> list[int]:
        """The numbers of a player's actions in a state, in the order of their names."""

    def text(self, number: int) -> str:
        """The text of the action with a number, in whatever position."""


class Block(NamedTuple):
    """The actions of one rule whose bodies choose a given number of values."""

    first: int  # the least number
    rule: int  # its place among the rules
    fields: tuple[ParameterField, ...]  # of the head, then of the choices

    @property
    def strides(self) -> tuple[int, ...]:
        """The factor of each value's number in the number of an action."""
        return tuple(prod(field.size for field in self.fields[k + 1 :]) for k in range(len(self.fields)))


class RuleNumbering:
    """The numbers of the actions of a game by rules."""

    def __init__(self, model: RulesModel):
        self._model, self.rules = model, model.actions
        self._number = {id(rule): k for k, rule in enumerate(model.actions)}
        shapes = _Shapes(model)
        made = []
        for k, rule in enumerate(model.actions):
            head = tuple(field_of(parameter, rule.name) for parameter in rule.parameters)
            made += [(length, k, head + chosen) for length, chosen in shapes.shape_of(rule).items()]
        self._by_length: dict[tuple[int, int], Block] = {}  # by rule and number of choices
        total = 0
        for length, k, fields in sorted(made, key=lambda one: one[:2]):
            self._by_length[k, length] = Block(total, k, fields)
            total += prod(field.size for field in fields)
        self.total, self.blocks = total, [*self._by_length.values()]

    def __reduce__(self) -> tuple[Any, ...]:  # rules are known by identity, which pickling would lose
        return type(self), (self._model,)

    def number(self, rule: int, values: Sequence[Any], chosen: int) -> int:
        """The number of an action of a rule, from the values of its head and the `chosen` values of its body."""
        block = self._by_length.get((rule, chosen))
        if block is None:
            raise Refusal(
                f"an action of {clean(self.rules[rule].name)} chooses {count_text(chosen, 'value')}, and numbers are "
                f"made for {count_text(MOST_CHOICES, 'value')} at most"
            )
        number = 0
        for field, value in zip(block.fields, values, strict=True):
            number = number * field.size + field.number(value) - field.low
        return block.first + number

    def numbers_of(self, game: Game[Any], state: Any, player: int, names: Sequence[Action]) -> list[int]:
        game, state = innermost_game(game, state)
        assert isinstance(game, RulesGame)
        options = game.options(state, player)
        return [self.of_option(options[name]) for name in names]

    def of_option(self, option: Option) -> int:
        """The number of an action, from the interpreter's option."""
        rule = self._number[id(option.rule)]
        if option.rule.simple:
            return self.number(rule, option.arguments, 0)
        run = option.run()
        taken = [menu[at] for menu, at in zip(run.menus, run.path, strict=True) if menu]
        chosen = [value for values in taken for value in values]
        return self.number(rule, (*option.arguments, *chosen), len(chosen))

    def values(self, number: int) -> tuple[Rule, tuple[int, ...], Block]:
        """The rule of a number, the numbers of the values in its head and body, and the block where it lies."""
        block = self.blocks[bisect_right(self.blocks, number, key=lambda block: block.first) - 1]
        left, found = number - block.first, []
        for field in reversed(block.fields):
            left, digit = divmod(left, field.size)
            found.append(digit + field.low)
        return self.rules[block.rule], tuple(reversed(found)), block

    def text(self, number: int) -> str:
        rule, digits, block = self.values(number)
        words = [field.text(digit) for field, digit in zip(block.fields, digits, strict=True)]
        head = words[: len(rule.parameters)]
        return " ".join([f"{rule.name}({', '.join(head)})" if head else rule.name, *words[len(head) :]])


class ListedNumbering:
    """The numbers of actions that are listed by name."""

    def __init__(self, names: Sequence[Action]):
        self.names = tuple(names)
        self._numbers = {name: k for k, name in enumerate(self.names)}
        self.total = len(self.names)

    def numbers_of(self, game: Game[Any], state: Any, player: int, names: Sequence[Action]) -> list[int]:
        try:
            return [self._numbers[name] for name in names]
        except KeyError as missing:
            raise Refusal(f"{clean(game.name)} has an action without a number: {clean(missing.args[0])}") from None

    def text(self, number: int) -> str:
        return self.names[number]


def numbering(game: Game[Any]) -> ActionNumbering:
    """The numbers of a game's actions. A game of one's own can list their names itself, as `actions`.

    Raises Refusal where the actions cannot be numbered, with the reason.
    """
    game, _ = innermost_game(game, game.initial()) if isinstance(game, Continuation | GameWithEngine) else (game, None)
    if isinstance(game, RulesGame):
        try:
            return RuleNumbering(game.model)
        except Refusal as refusal:
            return ListedNumbering(_collect_actions(game, str(refusal)))
    if isinstance(game, TreeGame):
        nodes = (node.actions for node in game.model.nodes if node.kind == "decision")
        return ListedNumbering(list(dict.fromkeys(name for names in nodes for name in names)))
    if isinstance(game, MatrixGame):
        return ListedNumbering(list(dict.fromkeys(name for names in game.model.actions for name in names)))
    declared = getattr(game, "actions", None)
    return ListedNumbering(_collect_actions(game) if declared is None else tuple(declared))


def rules_of(game: Game[Any]) -> tuple[RulesGame, State] | None:
    """The rules by which a game is played, and their state in which it begins; None where it has no rules, or begins
    amid a joint move."""
    inner, start = game, game.initial()
    while isinstance(inner, Continuation | GameWithEngine):
        inner = inner.game
    return (inner, start) if isinstance(inner, RulesGame) and isinstance(start, State) else None


def _collect_actions(game: Game[Any], why: str = "") -> list[Action]:
    """The names of all actions, in the order in which a walk through all states meets them. Raises Refusal where there
    are too many states; `why` says there why the names have to be listed."""
    names: dict[Action, None] = {}
    try:
        for expansion in Walk(game, MOST_LISTED):
            match expansion.node:
                case Decision(_, offered):
                    names.update(dict.fromkeys(offered))
                case Simultaneous(choices):
                    names.update(dict.fromkeys(name for own in choices for name in own))
    except LimitReached:
        what = f"{clean(game.name)} has more than {MOST_LISTED:,} states, too many to list its actions"
        help = why or "give its class a tuple of their names, called actions"
        raise Refusal(f"{what}: {help}") from None
    return list(names)


class _Shapes:
    """The shapes of bodies: how many values each may choose, and where these stand in an action's number."""

    def __init__(self, model: RulesModel):
        self._procedures = model.procedures
        self._open: list[int] = []  # the procedures whose bodies are looked at
        self._rule = ""

    def shape_of(self, rule: Rule) -> Shape:
        self._rule = rule.name
        return self._block(rule.body)

    def _block(self, statements: Sequence[core.Statement]) -> Shape:
        shape: Shape = {0: ()}
        for statement in statements:
            shape = _chain_shapes(shape, self._statement(statement))
        return shape

    def _statement(self, statement: core.Statement) -> Shape:
        match statement:
            case core.Choose():
                fields = tuple(field_of(parameter, self._rule) for parameter in statement.parameters)
                return {len(fields): fields}
            case core.Conditional():
                return _join_shapes(self._block(statement.then), self._block(statement.otherwise))
            case core.Repeat():
                return _repeat_shape(self._block(statement.body), MOST_CHOICES)
            case core.For():
                return _repeat_shape(self._block(statement.body), _most_turns(statement.domain))
            case core.Attempt():
                tried = self._block(statement.body)
                return _join_shapes(tried, _chain_shapes(_shape_prefixes(tried), self._block(statement.refused)))
            case core.Try():
                return self._block(statement.body)
            case core.CallProcedure():
                return self._procedure(statement.procedure)
        return {0: ()}

    def _procedure(self, number: int) -> Shape:
        if number in self._open:
            if any(isinstance(form, core.Choose) for form in inside(self._procedures[number].body)):
                what = f"the actions of {clean(self._rule)} have no numbers"
                raise Refusal(f"{what}: a procedure that chooses calls itself")
            return {0: ()}
        self._open.append(number)
        shape = self._block(self._procedures[number].body)
        self._open.pop()
        return shape


def _chain_shapes(first: Shape, second: Shape) -> Shape:
    """The shape of two bodies, one after the other."""
    shape: Shape = {}
    for length, fields in first.items():
        for further, more in second.items():
            if length + further <= MOST_CHOICES:
                shape = _join_shapes(shape, {length + further: fields + more})
    return shape


def _join_shapes(one: Shape, other: Shape) -> Shape:
    """The shape of a body that takes one branch or the other: a value may lie wherever it lies in either."""
    joined = dict(one)
    for length, fields in other.items():
        known = joined.get(length)
        joined[length] = fields if known is None else tuple(map(_hull, known, fields))
    return dict(sorted(joined.items()))


def _shape_prefixes(shape: Shape) -> Shape:
    """The shape of a body that may stop after any of its choices."""
    begun: Shape = {0: ()}
    for fields in shape.values():
        for length in range(1, len(fields) + 1):
            begun = _join_shapes(begun, {length: fields[:length]})
    return begun


def _repeat_shape(body: Shape, most: int) -> Shape:
    """The shape of a body that runs any number of times, up to `most`."""
    shape = turn = Shape({0: ()})
    for _ in range(min(most, MOST_CHOICES)):
        turn = _chain_shapes(turn, body)
        joined = _join_shapes(shape, turn)
        if joined == shape:
            break
        shape = joined
    return shape


def _hull(one: ParameterField, other: ParameterField) -> ParameterField:
    """The field of the values of both. Raises Refusal where they are of different kinds."""
    if one == other:
        return one
    if one.plain and other.plain:
        low = min(one.low, other.low)
        return ParameterField(one.type, low, max(one.low + one.size, other.low + other.size) - low)
    raise Refusal("values of different kinds stand at one place of a body's choices")


def _most_turns(domain: core.Expression) -> int:
    """The number of turns of a loop over a domain, at most."""
    constant = _constant(domain)
    if constant is not None:
        return len(constant)
    return len(domain.items) if isinstance(domain, core.Items) else MOST_CHOICES

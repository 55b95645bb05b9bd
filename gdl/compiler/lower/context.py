"""The common context of the objects that lower one game: the game, its module, and where code is being written."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Series
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from gdl.analysis.traits import all_at_once
from gdl.analysis.trials import asks, questions, rings
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import (
    NOTHING,
    TRUE,
    Fact,
    Listed,
    Mask,
    Number,
    Sequence,
    UnsupportedConstruct,
    Value,
    hull,
    joined_shape,
    limits_of,
    literal,
    with_missing,
    words_for,
)
from gdl.compiler.lower.constant_tables import Fixed
from gdl.compiler.lower.state_layout import Layout
from gdl.compiler.lower.writer import TOO_LARGE, GameModule, Writer
from gdl.errors import Span
from gdl.model import core
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import inside, inside_with_calls


class RuleFacts:
    """The rules of one game, the actions before the steps of chance, and facts about them."""

    def __init__(self, model: RulesModel):
        self.model = model
        self.all: tuple[Rule, ...] = (*model.actions, *model.chances)
        self._paths: dict[int, bool] = {}
        self.everyone = all_at_once(model)  # whether all players may move at once
        self.ranked = any(self.decides(rule.body, core.Rank) for rule in model.actions)
        self.chooses = any(self.has_path(rule) for rule in self.all)
        self.tries = any(not rule.simple for rule in self.all)
        self.hears = any(rule.hearers for rule in self.all)  # whether players are told of some actions of others
        self.merges = any(rule.merge for rule in self.all)

    @cached_property
    def keeps(self) -> bool:
        """True if the states that tried actions leave can be kept while actions are listed: there are no events, and no
        row replaces another."""
        return any(not rule.simple for rule in self.model.actions) and not (self.ranked or self.tells or self.everyone)

    @cached_property
    def tells(self) -> bool:
        """True if the game has events: something is said, everything is forgotten, or an attempt that others would hear
        of may be refused."""
        rules = (*self.all, *filter(None, (self.model.resolve,)))
        bodies = [rule.body for rule in rules] + [procedure.body for procedure in self.model.procedures]
        told = core.Say | core.Forget | core.Attempt if self.hears else core.Say | core.Forget
        return any(isinstance(form, told) for body in bodies for form in inside(body))

    def decides(self, body: tuple[core.Statement, ...], *forms: type) -> bool:
        """True if a body, or a procedure that it calls, has a statement of one of these types."""
        return any(isinstance(form, forms) for form in inside_with_calls(self.model, body))

    def has_path(self, rule: Rule) -> bool:
        """True if the rule's body, or a procedure that it calls, has a `choose`, so that a run follows a path of
        choices."""
        if id(rule) not in self._paths:
            self._paths[id(rule)] = self.decides(rule.body, core.Choose)
        return self._paths[id(rule)]


@contextmanager
def set_within(owner: object, **values: Any) -> Iterator[None]:
    """Within the block, attributes of an object have these values; behind it those that they had before."""
    before = {name: getattr(owner, name) for name in values}
    vars(owner).update(values)
    try:
        yield
    finally:
        vars(owner).update(before)


class Mode(NamedTuple):
    """The situation in which a rule asks what players could do, as far as the code of the answer depends on it."""

    granted: bool = False  # the action judged belongs to a ring that is already asking: its questions are answered yes
    open: frozenset[int] = frozenset()  # the rings of the actions being judged, here and further out
    within: bool = False  # the question stands inside a body


class Context:
    """The common state of one game's lowering: its model, its module, the function that is being written, and the facts
    known where the next line will stand."""

    def __init__(self, model: RulesModel, layout: Layout, module: GameModule, fixed: Fixed):
        self.model, self.layout, self.module, self.fixed = model, layout, module, fixed
        self.dependence = fixed.dependence
        self.out = Writer(module.places)
        self.mover = limits_of(0, len(model.players) - 1).with_name("mover")
        self.asks = asks(model)  # whether it is asked anywhere what players could do
        self.rings = rings(model)
        self.rules = RuleFacts(model)
        parts = enumerate(model.definitions) if self.asks else ()
        self.asking = frozenset(number for number, part in parts if any(questions(model, part.result)))  # definitions
        self.mode = Mode()
        self.in_head = False  # whether the conditions of a head are being written, before which nothing changes
        self.within_body = False  # whether a body is being written: the position in which it began is an earlier one
        self.unless = TRUE  # the truth under which a fault that a table reports counts
        self.known: dict[ir.Expr, Fact] = {}  # the facts known here, by the code that they are about

    # -- functions ------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin another function, of whose values nothing is known yet."""
        self.out.begin()
        self.known = {}

    def function(self, name: str, doc: str, result: str | None = None, **parameters: str) -> None:
        """Add the function just written to the module: its name, its doc, the type of its result (None: no result) and
        the types of its parameters."""
        self.module.function(self.out, name, doc, result, **parameters)

    @contextmanager
    def in_other_function(self) -> Iterator[None]:
        """Within the block, another function is written, which knows nothing of the places that call it."""
        with set_within(self, known={}, unless=TRUE, in_head=False), self.out.in_other_function():
            yield

    def trap_if(self, test: Number, message: str, span: Span | None, tabled: bool = False) -> None:
        """Write a fault of the rules where the test holds. `tabled`: the test was read from a table of faults."""
        if test.constant == 0:
            return
        code = self.module.trap(message, span)
        if test.constant:
            self.out.trap(code, tabled)
        else:
            with self.out.when(test.code):
                self.out.trap(code, tabled)

    def existing(self, number: Number, message: str, span: Span | None) -> Number:
        """The number, never none: a fault with this message is written where it would be."""
        if not number.none:
            return number
        number = self.out.bound(number)
        self.trap_if(on.equal(number, NOTHING), message, span)
        return replace(number, none=False)

    # -- trials ---------------------------------------------------------------------------------------------

    def judging(self, action: int, within: bool = False) -> AbstractContextManager[None]:
        """Within the block, code decides whether an action (or, with a number beyond the actions, an outcome) is
        possible. `within`: the code is that of the action's body."""
        kept, ring = self.mode, self.rings[action] if action < len(self.rings) else frozenset[int]()
        return set_within(self, mode=Mode(action in kept.open, kept.open | ring, within or kept.within))

    def in_body(self, within: bool = True) -> AbstractContextManager[None]:
        """A context for writing code of a body; with `within` False, for code that belongs to no body."""
        return set_within(self, within_body=within)

    def mode_of(self, definition: int) -> Mode | None:
        """The Mode that the code of a definition depends on besides its arguments; None if it asks nothing of
        players."""
        return self.mode if definition in self.asking else None

    # -- what is known --------------------------------------------------------------------------------------

    def as_known(self, value: Value) -> Value:
        """The value with its bounds narrowed by the facts known here."""
        if not isinstance(value, Number) or value.code not in self.known:
            return value
        _, low, high, none = self.known[value.code]
        low, high = max(low, value.low), min(high, value.high)
        if low > high:
            return value
        known = replace(value, none=none and value.none).clip(low, high)
        # Narrower bounds can make the code narrower, and of that code more may be known.
        return known if known.code == value.code else self.as_known(known)

    @contextmanager
    def knowing(self, facts: Series[Fact]) -> Iterator[None]:
        """Within the block, code runs where these facts hold. An older fact that is lost inside, since a name or the
        state has been written, is forgotten outside as well."""
        outer = self.known
        # A copy: facts that are learnt inside end with the block.
        self.known = dict(outer)
        for fact in facts:
            known = self.known.get(fact.code, fact)
            low, high = max(known.low, fact.low), min(known.high, fact.high)
            # Facts that contradict each other: this code is never reached, and anything may be said of it.
            if low <= high:
                self.known[fact.code] = Fact(fact.code, low, high, known.none and fact.none)
        try:
            yield
        finally:
            # What was true outside stays true, unless something inside has written what it reads.
            self.known = {code: fact for code, fact in outer.items() if code in self.known}

    def learn(self, facts: Series[Fact]) -> None:
        """Take in facts that hold from here to the end of the block."""
        for fact in facts:
            self.known[fact.code] = fact

    def forget(self, name: ir.Expr | None = None) -> None:
        """Forget the facts about a name that changes; without a name, those that read the state."""
        self.out.forget_shared()
        self.known = {
            code: fact
            for code, fact in self.known.items()
            # A write to the state changes no local variable.
            if (isinstance(code, ir.Local) if name is None else name not in walks.parts(code))
        }

    def forget_all(self) -> None:
        """Forget all facts."""
        self.out.forget_shared()
        self.known = {}

    # -- variables ------------------------------------------------------------------------------------------

    def bound(self, value: Value, name: str = "t") -> Value:
        """The value held in new variables, safe from what is written later."""
        match value:
            case Number():
                return self.out.bound(value, name)
            case Mask():
                return self.out.bound_mask(value, name)
            case Sequence() if value.values is None:
                return Sequence(self.out.bound(value.row, name), value.shape)
            case Listed():
                return Listed(tuple(self.bound(item, name) for item in value.items))
        return value

    def variable(self, like: Value, name: str) -> Value:
        """A local variable that can hold values within the bounds of `like`; it is yet to be stored to."""
        match like:
            case Number():
                made = self.out.fresh(name)
                # A variable has the type of its first value, so a wide one is declared before a narrow value is stored.
                if like.wide:
                    self.out.set(made, 0, ir.I64)
                return like.with_name(made)
            case Mask():
                return Mask(tuple(self.out.word(name) for _ in like.words), like.size)
            case Sequence():
                return Sequence(like.row.with_name(self.out.fresh(name)), like.shape)
        raise UnsupportedConstruct("a list that changes")

    def store(self, target: Value, value: Value) -> None:
        """Assign a value to a variable made by `variable`."""
        if isinstance(target, Number):
            source = with_missing(on.same_scale(on.as_number(value), target)[0], target.missing)
            self.out.set(target.code, source.code)
        elif isinstance(target, Mask):
            for held, word in zip(target.words, sets.pad_words(on.as_mask(value), len(target.words)), strict=True):
                self.out.set(held.code, word.code)
        elif isinstance(target, Sequence) and isinstance(value, Sequence):
            self.out.set(target.row.code, self.fixed.as_row(value).row.code)
        else:
            raise UnsupportedConstruct("a list that changes")

    def limit_value(self, value: Value, held: Value) -> Value:
        """The value. If its bounds exceed those of `held`, code is added that ends in a fault where the value lies
        beyond LARGEST on either side."""
        if not isinstance(held, Number) or not isinstance(value, Number):
            return value
        if value.low < held.low or value.high > held.high:
            value = self.out.bound(value)
            # Bounds that grew without an end were set to LARGEST: what lies beyond was never looked at.
            most, least = (replace(literal(end), scale=value.scale) for end in (LARGEST, -LARGEST))
            beyond = on.disjunction(on.compare(">", value, most), on.compare("<", value, least))
            with self.out.when(beyond.code):
                self.out.trap(TOO_LARGE)
            return value.clip(-LARGEST, LARGEST)
        return value

    def select_value(self, condition: Number, a: Value, b: Value) -> Value:
        """`a` where the condition holds, else `b`; both may be numbers, sets or sequences."""
        if isinstance(a, Sequence) and isinstance(b, Sequence):
            a, b = self.fixed.as_row(a), self.fixed.as_row(b)
            return Sequence(on.choice(condition, a.row, b.row), joined_shape(a.shape, b.shape))
        if isinstance(a, Mask) or isinstance(b, Mask):
            return sets.select_set(self.out.bound(condition), on.as_mask(a), on.as_mask(b))
        return on.choice(condition, on.as_number(a), on.as_number(b))

    def new_set(self, size: int, name: str) -> Mask:
        """An empty set in variables."""
        return Mask(tuple(self.out.word(name) for _ in range(words_for(size))), size)

    def put(self, target: Mask, more: Mask) -> None:
        """Add members to a set in variables."""
        for held, word in zip(target.words, sets.pad_words(more, len(target.words)), strict=True):
            if word != sets.EMPTY:
                self.out.set(held.code, sets.union(Mask((held,), 64), Mask((word,), 64)).words[0].code)


LARGEST = 10**9  # the bound put on a number that grows without an end in sight
GROWTHS = 3  # how often bounds may grow before they are taken to have no end


def grown_bounds(known: Value, value: Value, growths: int) -> Value:
    """A value without code whose bounds hold both values. `growths`: how often the bounds of `known` have grown; after
    GROWTHS times a bound that still grows is set to LARGEST."""
    joined = joined_bounds(known, value)
    if not isinstance(joined, Number):
        return joined
    low, high = joined.low, joined.high
    # Bounds that have grown so often are taken to have no end in that direction.
    if growths >= GROWTHS and isinstance(known, Number):
        # As in abstract interpretation (widening): a counter in a loop would otherwise grow by one at each attempt.
        low = -LARGEST if low < known.low else low
        high = LARGEST if high > known.high else high
    return replace(joined, low=max(low, -LARGEST), high=min(high, LARGEST))


def joined_bounds(known: Value, value: Value) -> Value:
    """A value without code whose bounds, size or shape hold both values."""
    if isinstance(known, Sequence) and isinstance(value, Sequence):
        low, high, _ = hull(known.row, value.row)
        return Sequence(limits_of(low, high), joined_shape(known.shape, value.shape))
    if isinstance(known, Mask) or isinstance(value, Mask):
        size = max(on.as_mask(known).size, on.as_mask(value).size)
        return Mask((sets.EMPTY,) * words_for(size), size)
    a, b = on.as_number(known), on.as_number(value)
    if a.scale != b.scale:
        raise UnsupportedConstruct("fractions in a name that changes")
    return limits_of(*hull(a, b), scale=a.scale)

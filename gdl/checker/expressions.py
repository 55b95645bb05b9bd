"""Expressions: syntax -> core, with the type of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Self

from gdl import syntax
from gdl.checker import types, vocabulary
from gdl.checker.array_elements import check_element, keep_list
from gdl.checker.callables import Called, check_listed, for_sequences, signature
from gdl.checker.comparisons import check_compare
from gdl.checker.constants import constant_value
from gdl.checker.directions import ambiguous_type, directions_due, type_called, word_of_direction
from gdl.checker.mirrors import check_seen_by
from gdl.checker.narrowing import exclude_none, narrow_value
from gdl.checker.quantifiers import check_quantifier, check_reach, check_reach_edges
from gdl.checker.ranges import check_interval, constant_range
from gdl.checker.records import check_field, check_record_with
from gdl.checker.scope import NOTHING_RIGHT, Checks, LocalFrame, Scope, Typed
from gdl.checker.sequences import sequence_named
from gdl.checker.sets import check_list, check_set
from gdl.checker.teams import team_of
from gdl.checker.texts import join_as_texts
from gdl.checker.turn_start import check_at_turn_start
from gdl.checker.types import base_type, domain_of, fits, numeric, union_type
from gdl.errors import Span, clean, limits, line_of, listing
from gdl.errors.deadline import check_deadline
from gdl.game import Number, exact
from gdl.interpreter.evaluator import Evaluator
from gdl.model import core
from gdl.model.domains import (
    ANYTHING,
    NOTHING,
    TEXT,
    TRUTH,
    Array,
    Named,
    Optional,
    Part,
    Range,
    Sequence,
    SetType,
    Type,
    contains,
    describe_type,
    size,
    without_none,
)
from gdl.model.games import Variable

_AS_SET = "make a set of the list: those x in LIST: true"

# + - * / mod div: of numbers, and of sets: syntax -> core.


def check_binary(check: Checks, e: syntax.Binary) -> Typed:
    """Check an operation on two numbers or two sets of one kind; constants are folded."""
    operator = e.operator.text
    left = check.check(e.left)
    if isinstance(left.type, SetType) and operator in "+-*":
        return _set_operation(check, e, left)
    right = check.check(e.right)
    for typed, written in ((left, e.left), (right, e.right)):
        if check.as_number(typed, written, f"'{operator}' takes numbers") is NOTHING_RIGHT:
            return NOTHING_RIGHT
    if isinstance(left.core, core.Const) and isinstance(right.core, core.Const):
        return _fold_constants(check, e, left.core, right.core)
    type = types.arithmetic_type(operator, base_type(left.type), base_type(right.type))
    return Typed(core.Arithmetic(operator, left.core, right.core, e.span), type)


def _fold_constants(check: Checks, e: syntax.Binary, left: Any, right: Any) -> Typed:
    if right.value == 0 and e.operator.text in ("/", "mod", "div"):
        return check.scope.wrong("division by zero", e.span, help="write another divisor")
    value = Evaluator((), ()).value(core.Arithmetic(e.operator.text, left, right, e.span))([], [])
    return Typed(core.Const(value), types.constant_type(value))


def _set_operation(check: Checks, e: syntax.Binary, left: Typed) -> Typed:
    right = check.check(e.right)
    assert isinstance(left.type, SetType)
    if not isinstance(right.type, SetType):
        message = f"a set is due here, and this is {describe_type(right.type)}"
        single = "put a single member in braces: {x}"
        return check.scope.wrong(message, e.right.span, help=_AS_SET if isinstance(right.type, Sequence) else single)
    item = union_type(left.type.item, right.type.item)
    if item is None:
        message = f"{describe_type(left.type)} and {describe_type(right.type)} have no members in common"
        return check.scope.wrong(message, e.span, help="join sets of one kind")
    return Typed(core.SetOperation(e.operator.text, left.core, right.core), SetType(item))


def as_number(type: Type) -> str:
    """A hint on how to get a number from a value of the type, for a message that a number is due."""
    inner = base_type(type)
    if isinstance(inner, Named):
        if inner.board and inner.board.shape in ("track", "ring"):
            return "step(s, forward, n) is n squares on; column(s) is the number of a square"
        return "use row(s) or column(s)" if inner.board else "use number(x) for its position in its list"
    if isinstance(inner, Sequence):
        return f"use size(x) for how many there are, or {_AS_SET}"
    if isinstance(inner, SetType):
        return "use size(x) for how many there are"
    if isinstance(inner, Array) and inner.kind == "sequence":
        return f"push({inner.name}, x) puts one at its end, and size({inner.name}) says how many there are"
    return "count where it holds: if x then 1 else 0" if inner == TRUTH else "write a number"


# What a player could do: `P has move, pass`.


def check_has(check: Checks, e: syntax.Has) -> Typed:
    """Check `P has actions` (any action), or `P has` and the names of some actions."""
    player, known = check.want(e.player, check.scope.players, "a player"), check.scope.actions
    first, *more = e.actions
    if first.name == "actions" and first.name not in known:
        asked = list(known.values())
    elif first.name in known:
        asked = [known[first.name]]
    else:
        return check.scope.unknown(first.name, first.span, "action", [*known, "actions"])
    for word in more:
        if word.name not in known:
            message = f"no action is called '{clean(word.name)}', and the actions asked for go on to here"
            help = f"name an action, or put brackets around the question: (… has {first.name})"
            return check.scope.wrong(message, word.span, help)
        asked.append(known[word.name])
    return Typed(core.Able(player, tuple(dict.fromkeys(asked)), e.span), TRUTH)


def _number(_: ExpressionChecker, e: syntax.Number) -> Typed:
    value: Number = exact(Fraction(e.value.text))
    return Typed(core.Const(value), types.constant_type(value))


def _text(check: ExpressionChecker, e: syntax.Text) -> Typed:
    if check.texts is not None:
        return Typed(core.Const(check.texts.members.index(e.value.name)), check.texts)
    return Typed(core.Const(e.value.name), TEXT)


def _truth(_: ExpressionChecker, e: syntax.True_ | syntax.False_) -> Typed:
    return Typed(core.Const(isinstance(e, syntax.True_)), TRUTH)


class ExpressionChecker:
    """Checks the expressions of one frame of local names. `ends` allows the condition `no actions`, which only the end
    of a game may use."""

    has_mover = True  # whether the word `mover` has a meaning: not in `resolve`
    texts: Named | None = None  # the texts inside the hole of a name that is being checked
    index_help = ""  # how to name, as {}, an index of the declaration that is being checked, if one has no name

    def __init__(self, scope: Scope, frame: LocalFrame, ends: bool = False):
        self.scope = scope
        self.frame = frame
        self.ends = ends

    def with_new_frame(self) -> Self:
        """A checker for another part of the same game, with a frame of its own."""
        return type(self)(self.scope, LocalFrame())

    # -- entry points ---------------------------------------------------------------------------------------

    def check(self, written: syntax.Expression) -> Typed:
        """The core form and the type of an expression. Problems are noted, and NOTHING_RIGHT takes the place of a
        faulty expression."""
        check_deadline()
        method = self.FORMS[type(written)]
        if self.scope.depth >= limits.DEPTH:
            return self.scope.too_deep(written.span)
        self.scope.depth += 1
        typed = method(self, written)
        self.scope.depth -= 1
        return typed

    def want(self, written: syntax.Expression, wanted: Type, what: str = "") -> core.Expression:
        """The core form of an expression where a value of the type `wanted` is due; a problem is noted where it does
        not fit."""
        return self.convert_or_report(self.checked_as(written, wanted), written, wanted, what)

    def checked_as(self, written: syntax.Expression, wanted: Type | None) -> Typed:
        """Check an expression where a value of the type `wanted` is due (None: any type). The type decides which board
        is meant by a direction's word that several boards have."""
        with directions_due(self.scope, wanted):
            return self.check(written)

    def convert_or_report(
        self, typed: Typed, written: syntax.Expression, wanted: Type, what: str = ""
    ) -> core.Expression:
        """The expression `typed`, checked already, converted to the type `wanted`; a problem is noted where it does not
        fit. `what` is the description of what is due in the message."""
        converted = self.convert(typed, wanted)
        if converted is not None:
            return converted
        due, target = what or describe_type(wanted), base_type(wanted)
        note = f"{target} is one of {listing(target.members, 'or', 8)}." if isinstance(target, Named) else ""
        message = f"{due} is due here, and this is {types.describe_expression(typed, wanted)}"
        counts = numeric(target) and not numeric(base_type(typed.type))
        help = as_number(typed.type) if counts else "write a value of that kind"
        if isinstance(target, SetType) and isinstance(typed.type, Sequence):
            help = _AS_SET
        return self.scope.instead(message, written.span, help, NOTHING_RIGHT.core, note)

    def truth(self, written: syntax.Expression) -> core.Expression:
        typed = narrow_value(self, self.check(written), written.span)
        if typed.type not in (TRUTH, ANYTHING):
            compared = "'= true'" if typed.type == Optional(TRUTH) else "something, such as '!= none' or '> 0'"
            message = f"a condition is due here, and this is {describe_type(typed.type)}"
            self.scope.problem(message, written.span, help=f"compare it with {compared}")
        return typed.core

    def domain(self, written: syntax.Expression) -> Typed:
        """The values over which a name runs, written as a type, a set, a range or a list: as a domain, with the type of
        a single value."""
        if (stored := sequence_named(self, written)) is not None:
            return stored.values(self)
        typed = self.as_type(written)
        if typed is not None:
            return self._check_domain_size(typed, written, size(typed.type))
        checked = self.check(written)
        if isinstance(listed := base_type(checked.type), Sequence):  # one that there is not is a fault
            checked = checked._replace(type=listed)
        found = domain_of(checked)
        if found is not None and isinstance(found.core, core.Interval):
            return self._check_domain_size(found, written, _length(found.core))
        if found is None and checked.type != ANYTHING:
            message = f"a set of values is due here, and this is {describe_type(checked.type)}"
            self.scope.problem(message, written.span, help="name a type, a set, a range such as 1..6, or a list")
        return found or Typed(core.Const(()), ANYTHING)

    def _check_domain_size(self, domain: Typed, written: syntax.Expression, values: int) -> Typed:
        """The domain as it is; a problem is noted if it is plain before play that it has too many values to run
        through."""
        if values > limits.WORK:
            message = f"more than {limits.WORK:,} values are gone through here"
            self.scope.problem(message, written.span, help="take a smaller range")
        return domain

    def convert(self, typed: Typed, wanted: Type) -> core.Expression | None:
        """The expression as a value of the type `wanted`; None if it never fits. A number becomes a square of a track
        or a point of a graph, and a square's name means the square of the board that is wanted."""
        target, given = base_type(wanted), base_type(typed.type)
        inner = without_none(wanted)
        if isinstance(inner, Part) and isinstance(typed.core, core.Const) and typed.core.value is not None:
            return typed.core if fits(given, target) and contains(inner, typed.core.value) else None
        if target == self.scope.teams and given == self.scope.players:
            return team_of(self.scope, typed.core)
        if isinstance(target, Named) and target.board:
            if isinstance(given, Range) and target.board.shape in ("ring", "track"):
                return core.Lookup(target.name, tuple(range(len(target.members))), (typed.core,), (1,))
            if isinstance(given, Range) and target.board.shape == "graph":
                return self._numbered_point(typed, target)
            if isinstance(given, Named) and given.board and given != target and isinstance(typed.core, core.Const):
                return self._namesake(given.members[typed.core.value], target)
        return typed.core if fits(typed.type, wanted) else None

    def _numbered_point(self, typed: Typed, target: Named) -> core.Expression | None:
        """The point of a graph whose name is a number, from that number; one known only during play is looked up in a
        table."""
        if isinstance(typed.core, core.Const):
            return self._namesake(str(typed.core.value), target)
        points = {int(name): i for i, name in enumerate(target.members) if name.isdigit()}
        if not points or max(points) - min(points) > limits.SQUARES:
            return None
        table = tuple(points.get(number) for number in range(min(points), max(points) + 1))
        return core.Lookup(target.name, table, (typed.core,), (min(points),))

    @staticmethod
    def _namesake(name: str, target: Named) -> core.Expression | None:
        return core.Const(target.members.index(name)) if name in target.members else None

    # -- types as domains -----------------------------------------------------------------------------------

    def as_type(self, written: syntax.Expression) -> Typed | None:
        """A type's name (or `set of T`, or `T?`) as the domain of its values; None if the expression is no type: it may
        still be a value."""
        if isinstance(written, syntax.Name):
            name = written.word.text
            type = type_called(self.scope, name) if self.frame.find(name) is None else None
            if type is not None:
                self.scope.used.add(name)
                return types.all_of(type)._replace(type=types.read_as(type))
        if isinstance(written, syntax.Maybe):
            inner = self.type_of(written.type)
            return types.all_of(Optional(inner))._replace(type=types.read_as(Optional(inner)))
        if isinstance(written, syntax.SetOf):
            made = self.type_of(written)
            return types.all_of(made)._replace(type=made)
        return None

    def type_of(self, written: syntax.Expression) -> Type:
        """The type that an expression in a type's place names; bounds of ranges are constants."""
        match written:
            case syntax.Maybe():
                return Optional(self.type_of(written.type))
            case syntax.SetOf():
                item = types.read_as(self.type_of(written.type))
                if not types.small_enough(item):
                    self.scope.problem(
                        f"a set cannot hold {describe_type(item)}", written.span,
                        help=f"sets hold names, squares, or numbers from 0 to {limits.IN_SET - 1:,}",
                    )  # fmt: skip
                    return ANYTHING
                return SetType(item)
            case syntax.Name(word=word) if (named := type_called(self.scope, word.text)) is not None:
                self.scope.used.add(word.text)
                return named
            case syntax.Interval():
                return constant_range(self, written)
            case syntax.SequenceOf():
                told = "a sequence stands in 'state', as the type of a variable or of the elements of an array"
                self.scope.problem(told, written.span, help="give its place: which player's, or of which square")
                return ANYTHING
        names = list(self.scope.types)
        if isinstance(written, syntax.Name):
            if not ambiguous_type(self.scope, written.word.text, written.span):
                self.scope.unknown(written.word.text, written.span, "type", names)
        else:
            help = "name a type, or write a range such as 1..6; words are named elsewhere: type Suit = clubs, hearts"
            self.scope.problem("a type is due here", written.span, help=help)
        return ANYTHING

    def whole_number(self, written: syntax.Expression) -> int | None:
        """The value of an expression that must be a whole number known before play; None (and a problem) otherwise."""
        before = len(self.scope.problems)
        typed = self.check(written)
        value = self.constant_of(typed, written) if len(self.scope.problems) == before else None
        if isinstance(value, int) and numeric(typed.type):
            return value
        if typed.type != ANYTHING and len(self.scope.problems) == before:
            self.scope.problem("a whole number is due here", written.span, help="write one, such as 6, or a parameter")
        return None

    def constant(self, written: syntax.Expression) -> Any:
        """The value of an expression that does not depend on the state; None (and a problem) if it does."""
        before = len(self.scope.problems)
        typed = self.check(written)
        return None if len(self.scope.problems) > before else self.constant_of(typed, written)

    def constant_of(self, typed: Typed, written: syntax.Expression) -> Any:
        """The value of an expression that has been checked; None (and a problem) if it depends on play."""
        before = len(self.scope.problems)
        found, value = (False, None) if typed is NOTHING_RIGHT else constant_value(typed.core, self.scope)
        if not found and typed is not NOTHING_RIGHT and len(self.scope.problems) == before:
            message = "this must not depend on the state of play"
            self.scope.problem(message, written.span, help="use numbers and parameters of the game")
        return value

    # -- atoms ----------------------------------------------------------------------------------------------

    def _noactions(self, e: syntax.NoActions) -> Typed:
        if not self.ends:
            message = "'no actions' can only be asked where the game ends: elsewhere it would ask about itself"
            return self.scope.wrong(message, e.span, "ask for actions by their names, such as: not (mover has move)")
        return Typed(core.NoActions(), TRUTH)

    def _name(self, e: syntax.Name) -> Typed:
        name, scope = e.word.text, self.scope
        if (local := self.frame.find(name)) is not None:
            slot = local[0]
            if slot in self.frame.sequences:
                told, of = f"{name} stands for a sequence, and one is no value by itself", clean(name)
                return scope.wrong(told, e.span, help=f"ask for size({of}), last({of}), x in {of} or one at a place")
            if slot in self.frame.elements:
                return Typed(self.frame.elements[slot].read, local[1])
            return Typed(self.frame.lists.get(slot, core.Local(slot)), local[1])
        if name == "mover":
            if not self.has_mover:
                return scope.wrong("nobody is the mover here: all have moved", e.span, "name the player: x[Ann], x[p]")
            return Typed(core.Mover(), scope.players)
        scope.used.add(name)
        if name in scope.faulty:
            return NOTHING_RIGHT
        if name in scope.variables:
            return self._variable(scope.variables[name], e.span)
        if name in scope.constants and not self._hides_word(name):
            value, kind = scope.constants[name][:2]
            return Typed(core.Const(value), kind)
        if name in scope.definitions:
            return self._definition(e.word, (), e.span)
        if (type := type_called(scope, name)) is not None:
            return types.all_of(type)
        if ambiguous_type(scope, name, e.span):
            return NOTHING_RIGHT
        if (square := scope.square(name)) is not None:
            return Typed(core.Const(square.value), square.type)
        direction = word_of_direction(scope, name, e.span)
        return direction or scope.unknown(name, e.span, "name", self.names(), otherwise=self.index_help.format(name))

    def _hides_word(self, name: str) -> bool:
        """True if a definition of the game hides a word of the language. One with parameters does not: the word without
        arguments keeps its meaning, so that `define north(s: Square) = step(s, north)` can be written."""
        own = self.scope.definitions.get(name)
        return own is not None and not own.written.parameters and self.scope.constants[name].kind == "direction"

    def names(self) -> list[str]:
        """Every name that may be used in an expression here."""
        scope = self.scope
        return [
            *self.frame.names(), *scope.variables, *scope.constants, *scope.definitions, *scope.types, "mover",
        ]  # fmt: skip

    def _variable(self, variable: Variable, span: Span) -> Typed:
        if not variable.indices:
            return Typed(core.Cell(variable.place), types.read_as(variable.type))
        index = list(self.scope.variables).index(variable.name)
        one = variable.places and len(variable.indices) == 1
        return Typed(core.Whole(index), Array(variable.name, "sequence" if one else "array"))

    def _tuple(self, e: syntax.Tuple) -> Typed:
        return self.scope.wrong("a list of values in parentheses has no meaning here", e.span, help="write one value")

    # -- operators ------------------------------------------------------------------------------------------

    def _negative(self, e: syntax.Negative) -> Typed:
        operand = self.as_number(self.check(e.operand), e.operand)
        if isinstance(operand.core, core.Const) and operand is not NOTHING_RIGHT:
            return Typed(core.Const(-operand.core.value), types.constant_type(-operand.core.value))
        zero = Typed(core.Const(0), Range(0, 0))
        type = types.arithmetic_type("-", zero.type, base_type(operand.type))
        return Typed(core.Arithmetic("-", zero.core, operand.core, e.span), type)

    def as_number(self, typed: Typed, written: syntax.Expression, rule: str = "", help: str = "") -> Typed:
        """The expression `typed`, checked already, if it is a number; else NOTHING_RIGHT, with a problem that states
        the `rule`."""
        if numeric(base_type(typed.type)):
            return typed
        message = f"{rule or 'a number is due here'}, and this is {describe_type(typed.type)}"
        return self.scope.wrong(message, written.span, help=help or as_number(typed.type))

    def _not(self, e: syntax.Not) -> Typed:
        return Typed(core.Not(self.truth(e.operand)), TRUTH)

    def _join_conditions(self, e: syntax.And | syntax.Or) -> Typed:
        """Check the conditions that `and` or `or` joins. A word at the beginning of a line joins the whole line before
        it; where that ends a quantifier too early, problems that follow from it say so."""
        before = len(self.scope.problems)
        truths: tuple[core.Expression, ...] = ()
        with self.frame.inner_block():  # each is asked where those before it hold, or do not
            for part in _chain(e, type(e)):
                truths += (self.truth(part),)
                exclude_none(self, truths[-1], isinstance(e, syntax.And))
        between = e.span.source.text[e.left.span.end : e.right.span.start]
        if "\n" in between and isinstance(e.left, syntax.Quantified):
            word = between.split()[0]
            note = f"The '{word}' of the next line joins the whole line before, which ends the quantifier there."
            ended = {f"no name is called '{clean(binder.name.name)}'" for binder in e.left.binders}
            told = self.scope.problems[before:]
            follow = [p for p in told if p.message in ended or p.span == e.left.span]
            if follow:  # from one slip
                help = f"write '{word}' at the end of the line before: then the quantifier goes on"
                told[told.index(follow[0])] = replace(follow[0], note=f"{note}\n{follow[0].note}".strip(), help=help)
                self.scope.problems[before:] = [p for p in told if p not in follow]
        return Typed(core.All(truths) if isinstance(e, syntax.And) else core.Some(truths), TRUTH)

    def _choiceof(self, e: syntax.ChoiceOf) -> Typed:
        condition = self.truth(e.condition)
        then, otherwise = self.check(e.then), self.check(e.otherwise)
        type = union_type(then.type, otherwise.type)
        if type is None and self.texts is not None and (joined := join_as_texts(self.texts, (then, otherwise))):
            type, (then, otherwise) = joined
            self.texts = type
        if type is None:
            message = f"'then' gives {describe_type(then.type)} and 'else' {describe_type(otherwise.type)}"
            return self.scope.wrong(message, e.span, help="let both give the same kind of value")
        return Typed(core.If(condition, then.core, otherwise.core), type)

    def _scope(self, e: syntax.Scope) -> Typed:
        with self.frame.inner_block():
            lets = []
            for let in e.lets:
                value = narrow_value(self, self.check(let.value), let.span)
                lets.append((self.bind(let.name, value.type), value.core))
                keep_list(self, lets[-1][0], value)
            result = self.check(e.result)
        return Typed(core.Scope(tuple(lets), result.core), result.type)

    def bind(self, word: syntax.Word, type: Type, hides: bool = False) -> int:
        """A slot for a new local name. A name that the game has already is a problem, except in a file that the game is
        made from, where it may hide a name declared in the game above, and, with `hides`, except for definitions and
        procedures."""
        place = self.scope.declared.get(word.name)
        if hides and word.name in (*self.scope.definitions, *self.scope.procedures):
            return self.frame.bind(word.name, types.read_as(type))
        unknown = place is not None and word.span.source not in (place.source, self.scope.home.source)
        if "." in word.name:
            self.scope.report_dotted_name(word)
        elif (word.name in self.scope.declared and not unknown) or word.name == "mover":
            where = f": {line_of(place, word.span)} declares it" if place else ""
            self.scope.problem(f"the name '{clean(word.name)}' is taken{where}", word.span, help="choose another name")
        return self.frame.bind(word.name, types.read_as(type))

    # -- calls ----------------------------------------------------------------------------------------------

    def _call(self, e: syntax.Call) -> Typed:
        name = e.word.text
        if name in self.scope.definitions:
            self.scope.used.add(name)
            return self._definition(e.word, e.arguments, e.span)
        word = vocabulary.WORDS.get(name)
        board = self.scope.types.get(name)
        if word is not None and not (isinstance(board, Named) and name in self.scope.declared):
            return word(self, e)
        if board is not None:
            self.scope.used.add(name)
            return vocabulary.check_constructor(self, e, board)
        candidates = [*self.scope.definitions, *vocabulary.WORDS]
        if name in self.scope.variables:
            message = f"{name} is a variable, not a definition"
            return self.scope.wrong(message, e.span, help=f"write {name}[…] for an element of it")
        return self.scope.unknown(name, e.word.span, "definition", candidates)

    def _definition(self, word: syntax.Word, written: tuple[syntax.Expression, ...], span: Span) -> Typed:
        call = for_sequences(self, self.scope.definitions, word.text, written, span)
        declared = None if call is None else signature(self, call.name)
        arguments = None if call is None or declared is None else self.arguments(call, declared.parameters, span)
        if declared is None or arguments is None:
            return NOTHING_RIGHT
        check_listed(self, declared, arguments, span)
        return Typed(core.CallDefinition(declared.index, arguments, span), declared.result or ANYTHING)

    def arguments(self, call: Called, wanted: tuple[Type, ...], span: Span) -> tuple[core.Expression, ...] | None:
        """The arguments of a call, one for each parameter; None, with a problem, if there are too few or too many."""
        name, written, wanted = call.word, call.written, wanted[len(call.places) :]
        help = f"write {name}({', '.join(map(str, wanted))})" if wanted else f"write {name} alone"
        if not self.scope.takes(name, len(wanted), len(written), span, help):
            return None
        return *call.places, *(self.want(argument, type) for argument, type in zip(written, wanted, strict=True))

    FORMS: ClassVar[dict[type, Callable[[Any, Any], Typed]]] = {
        syntax.Number: _number,
        syntax.Text: _text,
        syntax.None_: lambda check, e: Typed(core.Const(None), NOTHING),
        syntax.True_: _truth,
        syntax.False_: _truth,
        syntax.NoActions: _noactions,
        syntax.Has: check_has,
        syntax.Name: _name,
        syntax.Element: check_element,
        syntax.Tuple: _tuple,
        syntax.List: check_list,
        syntax.Set: check_set,
        syntax.Negative: _negative,
        syntax.Binary: check_binary,
        syntax.Interval: check_interval,
        syntax.Compare: check_compare,
        syntax.Not: _not,
        syntax.And: _join_conditions,
        syntax.Or: _join_conditions,
        syntax.ChoiceOf: _choiceof,
        syntax.Scope: _scope,
        syntax.Quantified: check_quantifier,
        syntax.Reach: check_reach,
        syntax.ReachEdges: check_reach_edges,
        syntax.Call: _call,
        syntax.SeenBy: check_seen_by,
        syntax.AtTurnStart: check_at_turn_start,
        syntax.FieldOf: check_field,
        syntax.RecordWith: check_record_with,
    }


def _length(interval: core.Interval) -> int:
    """How many numbers a range has, if its bounds are known before play; else 0."""
    low, high = (bound.value if isinstance(bound, core.Const) else None for bound in (interval.low, interval.high))
    return high - low + 1 if isinstance(low, int) and isinstance(high, int) else 0


def _chain(e: Any, cls: type) -> list[syntax.Expression]:
    """The parts of a left-leaning chain of one operator, in order."""
    parts = []
    while isinstance(e, cls):
        parts.append(e.right)  # type: ignore[attr-defined]
        e = e.left  # type: ignore[attr-defined]
    return [e, *reversed(parts)]

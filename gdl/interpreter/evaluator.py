"""Core expressions -> Python functions of a state's cells and a frame of local values.

Each expression becomes one closure, built once; playing only calls closures. The first cells are not the author's:
MOVER holds the player whose move it is, PAST the memory of earlier positions, NO_ACTIONS a function that answers
`no actions`.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable as Function
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, ClassVar

from gdl.errors import GameError, Span, clean, fault, limits
from gdl.errors.deadline import check_deadline
from gdl.game import exact
from gdl.interpreter.closures import FIRST_CELL, MOVER, NO_ACTIONS, Cells, Frame, Value, Watch
from gdl.interpreter.earlier import EarlierPositions
from gdl.interpreter.line_tests import CHEAP_DOMAIN, held_throughout
from gdl.interpreter.lookup import as_set, at_local, from_zero, keep_value, no_element, one_index, read, read_pair
from gdl.interpreter.quantifiers import QUANTIFIERS, bit, filter_domain, reach_along, up_to
from gdl.model import core
from gdl.model.domains import elements, ordinal_base
from gdl.model.games import Callable, Variable
from gdl.model.walk import bound_slots, inside

WORK, NUMBER = limits.WORK, limits.NUMBER
NO_WORK = (0, 20_000)  # the work on a position not begun yet, and the values after which the clock is looked at
CALL = 10  # what a recursive call costs, in values looked at
sys.setrecursionlimit(max(sys.getrecursionlimit(), 8 * limits.DEPTH))  # an operation inside another is a few calls


class Evaluator:
    """Compiles the expressions of one game. `definitions` may call each other, so they are compiled on first use."""

    def __init__(
        self,
        variables: Sequence[Variable],
        definitions: Sequence[Callable],
        times: Sequence[Any] = (),
        watch: Watch | None = None,
    ):
        self.variables = variables
        self.definitions = definitions
        self.earlier = EarlierPositions(self.values, times)
        self.watch = watch
        self._results: dict[int, Function[[Cells, list[Any]], Any]] = {}
        self._tables: dict[int, Function[..., Any]] = {}
        self._depth = 0
        self.kept: dict[int, tuple[int, tuple[int, ...]]] = {}  # id of a form -> its memory's slot, the slots it reads
        self.kept_inside = set[int]()  # ids of forms in definitions, which depend on the position alone
        # The cells of the rule that is listed, as guards and as bodies see them (to these the position is among the
        # earlier ones), and the values kept of them. Nothing writes to these cells: bodies write to copies.
        self.listing: tuple[Cells, Cells, dict[Any, Any]] = [], [], {}
        self.tries: Function[[tuple[int, ...], int, Cells], bool] | None = None  # answers `P has …`; set by a rulebook
        self.work = [*NO_WORK]  # how many values were looked at since the position was taken up, and the next mark

    def count(self, values: int, span: Span | None) -> None:
        """Count values that are about to be run through as work. Too much work for one state is a fault."""
        self.work[0] += values
        if self.work[0] > self.work[1]:
            self._pass_mark(span)

    def _pass_mark(self, span: Span | None) -> None:
        """Look at the clock, or end the work, where it has come so far."""
        if self.work[0] > WORK:
            raise _endless_loop(span)
        check_deadline()
        self.work[1] = min(WORK, self.work[0] + NO_WORK[1])

    def domain(self, expression: core.Expression, span: Span | None) -> Value:
        """The closure that gives the values of a domain, and counts them as work."""
        values = as_set(self.value(expression), expression, span)
        if isinstance(expression, core.Until) or (
            isinstance(expression, core.Const) and len(expression.value) <= CHEAP_DOMAIN
        ):
            return values  # an Until counts for itself
        work = self.work

        def count_values(c: Cells, f: Frame) -> Any:
            found = values(c, f)
            work[0] += len(found)
            if work[0] > work[1]:
                self._pass_mark(span)
            return found

        return count_values

    def value(self, expression: core.Expression) -> Value:
        """The closure of an expression."""
        check_deadline()
        made = self.FORMS[type(expression)](self, expression)
        if id(expression) in self.kept:
            made = keep_value(made, *self.kept[id(expression)])
        elif id(expression) in self.kept_inside:
            made = self._keep_in_listing(made)
        return made if self.watch is None else self.watch(expression, made)

    def _keep_in_listing(self, value: Value) -> Value:
        """The closure `value`, computed once while the actions of a rule are listed."""

        def once(c: Cells, f: Frame) -> Any:
            cells, before, found = self.listing
            if c is not cells and c is not before:
                return value(c, f)
            key = value, c is before  # where the position is among the earlier ones
            if key not in found:
                found[key] = value(c, f)
            return found[key]

        return once

    def values(self, expressions: Sequence[core.Expression]) -> tuple[Value, ...]:
        return tuple(self.value(e) for e in expressions)

    def every(self, conditions: Sequence[core.Expression]) -> Value:
        """A closure that is True if all the conditions hold."""
        return self.value(conditions[0] if len(conditions) == 1 else core.All(tuple(conditions)))

    # -- atoms ----------------------------------------------------------------------------------------------

    def _const(self, e: core.Const) -> Value:
        value = e.value
        return lambda c, f: value

    def _local(self, e: core.Local) -> Value:
        slot = e.slot
        return lambda c, f: f[slot]

    def _mover(self, e: core.Mover) -> Value:
        return lambda c, f: c[MOVER]

    def _cell(self, e: core.Cell) -> Value:
        place = e.place
        return lambda c, f: c[place]

    def _whole(self, e: core.Whole) -> Value:
        variable = self.variables[e.variable]
        start, end = variable.place, variable.place + len(variable.initial)
        return lambda c, f: tuple(c[start:end])

    def _element(self, e: core.Element) -> Value:
        variable = self.variables[e.variable]
        find = self.position(variable, e.indices, e.span)

        def read(c: Cells, f: Frame) -> Any:
            at = find(c, f)
            try:
                return None if at is None else c[at]
            except TypeError:
                raise fault(
                    "an index is a whole number, and this is a fraction", e.span, "round it with 'div'"
                ) from None

        if len(e.indices) == 1 and isinstance(e.indices[0], core.Local):
            base = ordinal_base(variable.indices[0])
            return at_local(e.indices[0].slot, variable.place - base, base, variable.extents[0], read)
        return read

    def position(
        self, variable: Variable, indices: Sequence[core.Expression], span: Span
    ) -> Function[[Cells, Frame], int | None]:
        """A function to the index, in the cells of a state, of an array's element. None where one of the element's
        indices is `none`."""
        place, extents = variable.place, variable.extents
        bases = [ordinal_base(index) for index in variable.indices]
        functions, outside = self.values(indices), partial(no_element, variable, span)
        if len(functions) == 1:
            return one_index(functions[0], place - bases[0], bases[0], extents[0], partial(outside, 0))

        def find(c: Cells, f: Frame) -> int | None:
            at = 0
            for function, base, extent in zip(functions, bases, extents, strict=True):
                i = function(c, f)
                if i is None:
                    return None
                if not base <= i < base + extent:
                    if any(other(c, f) is None for other in functions):
                        return None
                    raise outside(functions.index(function), i)
                at = at * extent + i - base
            return place + at

        return find

    # -- numbers, sets, truths ------------------------------------------------------------------------------

    def _arithmetic(self, e: core.Arithmetic) -> Value:
        left, right, span = self.value(e.left), self.value(e.right), e.span
        operate, divides = OPERATIONS[e.operator], e.operator in ("/", "mod", "div")

        def calculate(c: Cells, f: Frame) -> Any:
            a, b = left(c, f), right(c, f)
            if a is None or b is None:
                raise fault(f"'{e.operator}' needs two numbers, and one side is none", span, "ask for '!= none' first")
            if divides and not b:
                raise fault("division by zero", span, "make sure that the divisor is not zero")
            result = operate(a, b)
            if type(result) is Fraction:
                result = exact(result)
                if result.denominator > NUMBER:
                    raise _too_fine(span)
            if not -NUMBER <= result <= NUMBER:
                raise fault("a number gets more than 18 digits here", span, "keep it in bounds with min or max")
            return result

        return calculate

    def _set(self, e: core.Expression, around: Span | None = None) -> Value:
        """The closure of a set or list that other operations use; `none` there is a fault."""
        return as_set(self.value(e), e, around)

    def _setoperation(self, e: core.SetOperation) -> Value:
        left, right = self._set(e.left), self._set(e.right)
        if e.operator == "+":
            return lambda c, f: left(c, f) | right(c, f)
        if e.operator == "*":
            return lambda c, f: left(c, f) & right(c, f)
        return lambda c, f: left(c, f) & ~right(c, f)

    def _comparison(self, e: core.Comparison) -> Value:
        left, right, span = self.value(e.left), self.value(e.right), e.span
        if e.relation == "=":
            if isinstance(e.right, core.Const):
                value = e.right.value
                return lambda c, f: left(c, f) == value
            if isinstance(e.right, core.Local):
                slot = e.right.slot
                return lambda c, f: left(c, f) == f[slot]
            return lambda c, f: left(c, f) == right(c, f)
        if e.relation == "!=":
            return lambda c, f: left(c, f) != right(c, f)
        compare = ORDERS[e.relation]

        def compare_in_order(c: Cells, f: Frame) -> bool:
            a, b = left(c, f), right(c, f)
            try:
                return compare(a, b)
            except TypeError:
                raise fault(
                    f"'{e.relation}' compares with none, which has no order", span, "ask for '!= none' first"
                ) from None

        return compare_in_order

    def _contains(self, e: core.Contains) -> Value:
        item, container = self.value(e.item), self._set(e.container)
        if e.bits:

            def in_bits(c: Cells, f: Frame) -> bool:
                i = item(c, f)
                return isinstance(i, int) and i >= 0 and bool(container(c, f) >> i & 1)

            return in_bits
        return lambda c, f: item(c, f) in container(c, f)

    def _not(self, e: core.Not) -> Value:
        operand = self.value(e.operand)
        return lambda c, f: not operand(c, f)

    def _all(self, e: core.All) -> Value:
        parts = self.values(e.parts)
        if len(parts) == 2:
            first, second = parts
            return lambda c, f: first(c, f) and second(c, f)

        def every(c: Cells, f: Frame) -> bool:
            for part in parts:
                if not part(c, f):
                    return False
            return True

        return every

    def _some(self, e: core.Some) -> Value:
        parts = self.values(e.parts)

        def some(c: Cells, f: Frame) -> bool:
            for part in parts:
                if part(c, f):
                    return True
            return False

        return some

    def _if(self, e: core.If) -> Value:
        condition, then, otherwise = self.value(e.condition), self.value(e.then), self.value(e.otherwise)
        return lambda c, f: then(c, f) if condition(c, f) else otherwise(c, f)

    # -- domains --------------------------------------------------------------------------------------------

    def _interval(self, e: core.Interval) -> Value:
        low, high, span = self.value(e.low), self.value(e.high), e.span

        def interval(c: Cells, f: Frame) -> range:
            a, b = low(c, f), high(c, f)
            if not (isinstance(a, int) and isinstance(b, int)):
                told = "none" if None in (a, b) else a if isinstance(b, int) else b
                message = f"a range runs between whole numbers, and one of its bounds is {told}"
                raise fault(message, span, "round it with 'div'")
            return range(a, b + 1)

        return interval

    def _members(self, e: core.Members) -> Value:
        bits = self._set(e.set)
        return lambda c, f: elements(bits(c, f))

    def _items(self, e: core.Items) -> Value:
        items = self.values(e.items)
        return lambda c, f: tuple([item(c, f) for item in items])

    def _setof(self, e: core.SetOf) -> Value:
        items, span = self.values(e.items), e.span

        def collect(c: Cells, f: Frame) -> int:
            bits = 0
            for item in items:
                bits |= bit(item(c, f), span)
            return bits

        return collect

    def _size(self, e: core.Size) -> Value:
        operand = self._set(e.operand, e.span)
        if e.bits:
            return lambda c, f: operand(c, f).bit_count()
        return lambda c, f: len(operand(c, f))

    def _reach(self, e: core.Reach) -> Value:
        source, joined = e.slot if e.source is None else e.source, self.every(() if e.where is None else (e.where,))
        return reach_along(self._set(e.start), e.neighbours, e.slot, source, joined)

    # -- quantifiers ----------------------------------------------------------------------------------------

    def _quantifier(self, e: core.Quantifier) -> Value:
        if self.watch is None and (held := held_throughout(e, self.variables, self.value, self.count)):
            return held
        domain, body, slot = self.domain(e.domain, e.span), self.value(e.body), e.slot
        if e.where is not None:
            domain = filter_domain(domain, self.value(e.where), slot)
        return QUANTIFIERS[e.kind](domain, body, slot, e.span)

    def _until(self, e: core.Until) -> Value:
        return up_to(self.domain(e.domain, e.span), self.value(e.condition), e.slot)

    # -- calls ----------------------------------------------------------------------------------------------

    def _lookup(self, e: core.Lookup) -> Value:
        counted = any(base < 0 for base in e.bases)  # whether an index may be below 0
        bases, table = (e.bases, e.table) if counted else ((0,) * len(e.bases), from_zero(e.table, e.bases))
        arguments, missing = self.values(e.arguments), e.missing
        if len(arguments) == 1 and not counted:
            return read(table, arguments[0], missing)
        if len(arguments) == 2 and not counted:
            return read_pair(table, *arguments, missing)

        def read_deep(c: Cells, f: Frame) -> Any:
            at = table
            for argument, base in zip(arguments, bases, strict=True):
                i = argument(c, f)
                if at is None or not isinstance(i, int) or not 0 <= i - base < len(at):
                    return missing
                at = at[i - base]
            return missing if at is None else at

        return read_deep

    def _calldefinition(self, e: core.CallDefinition) -> Value:
        definition, arguments = self.definitions[e.definition], self.values(e.arguments)
        if definition.recursive:
            return self._recursive_call(e, arguments)
        if definition.fixed:
            remembered = self._cached_definition(e.definition)
            return lambda c, f: remembered(*[a(c, f) for a in arguments])
        result = self._result(e.definition)
        return lambda c, f: result(c, [a(c, f) for a in arguments])

    def _recursive_call(self, e: core.CallDefinition, arguments: tuple[Value, ...]) -> Value:
        """A call of a recursive definition. The body is compiled when it is first called; a call nested too deep, or
        too much work, is a fault."""
        name, index = self.definitions[e.definition].name, e.definition

        def too_deep() -> GameError:
            message = f"{clean(name)} calls itself more than {self._depth} deep"
            return fault(message, e.span, "make sure that the recursion ends")

        def call(c: Cells, f: Frame) -> Any:
            if self._depth >= limits.CALLS:
                raise too_deep()
            self.count(CALL, e.span)
            self._depth += 1
            try:
                return self._result(index)(c, [a(c, f) for a in arguments])
            except RecursionError:  # few calls, but each through many operations
                raise too_deep() from None
            finally:
                self._depth -= 1

        return call

    def _result(self, index: int) -> Function[[Cells, list[Any]], Any]:
        """A function to the value of a definition, from the cells and the arguments."""
        if index not in self._results:
            definition = self.definitions[index]
            assert definition.result is not None
            result, more = self.value(definition.result), [None] * (definition.frame - definition.parameters)
            self._results[index] = lambda c, arguments: result(c, arguments + more)
        return self._results[index]

    def _cached_definition(self, index: int) -> Function[..., Any]:
        """A function to the value of a definition that depends on its arguments alone, computed once for each."""
        if index not in self._tables:
            result = self._result(index)
            self._tables[index] = lru_cache(limits.REMEMBERED)(lambda *arguments: result([], list(arguments)))
        return self._tables[index]

    def _scope(self, e: core.Scope) -> Value:
        lets = [(slot, self.value(value)) for slot, value in e.lets]
        result = self.value(e.result)

        def scope(c: Cells, f: Frame) -> Any:
            for slot, value in lets:
                f[slot] = value(c, f)
            return result(c, f)

        return scope

    def _noactions(self, e: core.NoActions) -> Value:
        return lambda c, f: c[NO_ACTIONS]()

    def _able(self, e: core.Able) -> Value:
        player, actions = self.value(e.player), e.actions

        def able(c: Cells, f: Frame) -> bool:
            who = player(c, f)
            if who is None:
                raise fault("'has' asks about a player, and this is none", e.span, "ask for '!= none' first")
            assert self.tries is not None
            return self.tries(actions, who, c)

        return able

    def _past(self, e: core.Times | core.Since | core.Always) -> Value:
        return self.earlier.compile_question(e)

    FORMS: ClassVar[dict[type, Function[[Any, Any], Value]]] = {
        core.Const: _const,
        core.Local: _local,
        core.Mover: _mover,
        core.Cell: _cell,
        core.Element: _element,
        core.Whole: _whole,
        core.Arithmetic: _arithmetic,
        core.SetOperation: _setoperation,
        core.Comparison: _comparison,
        core.Contains: _contains,
        core.Not: _not,
        core.All: _all,
        core.Some: _some,
        core.If: _if,
        core.Interval: _interval,
        core.Members: _members,
        core.Until: _until,
        core.Items: _items,
        core.SetOf: _setof,
        core.Size: _size,
        core.Quantifier: _quantifier,
        core.Reach: _reach,
        core.Lookup: _lookup,
        core.CallDefinition: _calldefinition,
        core.Scope: _scope,
        core.NoActions: _noactions,
        core.Able: _able,
        core.Times: _past,
        core.Since: _past,
        core.Always: _past,
    }


def function_before_play(
    evaluator: Evaluator, e: core.Expression, named: Sequence[int], mover: bool
) -> Function[..., Any]:
    """The value of an expression that does not read the state, as a function of the values in the slots `named` and, if
    `mover` is true, of the mover, who comes last."""
    own = [slot for form in inside(e) for slot in bound_slots(form)]
    compute, names = evaluator.value(e), [None] * (1 + max([*named, *own], default=-1))
    cells: list[Any] = [0] + [None] * FIRST_CELL

    def value(*given: Any) -> Any:
        evaluator.work[:] = NO_WORK  # no position of play is looked at
        local: list[Any] = names.copy()
        for slot, known in zip(named, given):  # noqa: B905  (the mover comes after them)
            local[slot] = known
        return compute([given[-1], *cells[1:]] if mover else cells, local)

    return value


def _too_fine(span: Span) -> GameError:
    """The error for a fraction whose denominator has become too long. Powers of a fraction lead there, and no bounds
    can exclude it."""
    help = "round it: (1000 * x) div 1 / 1000 keeps three decimals"
    return fault("a fraction gets a denominator of more than 18 digits here", span, help)


def _endless_loop(span: Span | None) -> GameError:
    message = f"more than {WORK:,} values are gone through in one position"
    return fault(message, span, "take smaller ranges, or nest fewer of them")


def _divide(a: Any, b: Any) -> Any:
    return exact(Fraction(a, b) if type(a) is type(b) is int else Fraction(a) / b)


OPERATIONS: dict[str, Function[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "mod": operator.mod,
    "div": operator.floordiv,
    "min": min,
    "max": max,
}
ORDERS = {sign: core.COMPARED[sign] for sign in ("<", "<=", ">", ">=")}

"""Core expressions -> Python functions of a state's cells and a frame of local values.

Each expression becomes one closure, built once; playing only calls closures. The first cells are not the author's:
MOVER holds the player whose move it is, PAST what `times` remembers, NO_ACTIONS a function that answers `no actions`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable as Function
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from gdl import core
from gdl.domains import elements, ordinal_base
from gdl.errors import Span, clean, fault
from gdl.game import exact
from gdl.model import Callable, Variable
from gdl.quantifiers import QUANTIFIERS, filtered, up_to

MOVER, PAST, NO_ACTIONS, FIRST_CELL = 0, 1, 2, 3
DEEPEST_CALL = 200
sys.setrecursionlimit(max(sys.getrecursionlimit(), 40 * DEEPEST_CALL))  # closures nest about 20 deep per call

Cells = list[Any]
Frame = list[Any]
Value = Function[[Cells, Frame], Any]


class Evaluator:
    """Compiles the expressions of one game. `definitions` may call each other, so they are compiled on first use."""

    def __init__(self, variables: Sequence[Variable], definitions: Sequence[Callable], times: Sequence[Any] = ()):
        self.variables = variables
        self.definitions = definitions
        self.times = times
        self._called: dict[int, Function[[Cells, list[Any]], Any]] = {}
        self._keys: dict[int, Function[[Cells], tuple[Any, ...]]] = {}
        self._depth = 0

    def value(self, expression: core.Expression) -> Value:
        """The closure of an expression."""
        method: Function[[Any], Value] = getattr(self, f"_{type(expression).__name__.lower()}")
        return method(expression)

    def values(self, expressions: Sequence[core.Expression]) -> tuple[Value, ...]:
        return tuple(self.value(e) for e in expressions)

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
        place, span, off_board = variable.place, e.span, e.off_board
        if len(e.indices) == 1:
            index, base, extent = self.value(e.indices[0]), ordinal_base(variable.indices[0]), variable.extents[0]

            def read(c: Cells, f: Frame) -> Any:
                i = index(c, f)
                if i is None:
                    return None
                i -= base
                if 0 <= i < extent:
                    return c[place + i]
                if off_board:
                    return None
                raise fault(f"{clean(variable.name)} has no element {i + base}", span, "keep the index in its range")

            return read
        find = self.position(variable, e.indices, span, off_board)

        def read_many(c: Cells, f: Frame) -> Any:
            at = find(c, f)
            return None if at is None else c[at]

        return read_many

    def position(
        self, variable: Variable, indices: Sequence[core.Expression], span: Span, off_board: bool
    ) -> Function[[Cells, Frame], int | None]:
        """The cell of an element; None where an index is none or, if allowed, out of its range."""
        functions = self.values(indices)
        bases = [ordinal_base(index) for index in variable.indices]
        extents = variable.extents

        def find(c: Cells, f: Frame) -> int | None:
            at = 0
            for function, base, extent in zip(functions, bases, extents, strict=True):
                i = function(c, f)
                if i is None:
                    return None
                i -= base
                if not 0 <= i < extent:
                    if off_board:
                        return None
                    raise fault(
                        f"{clean(variable.name)} has no element {i + base}", span, "keep the index in its range"
                    )
                at = at * extent + i
            return variable.place + at

        return find

    # -- numbers, sets, truths ------------------------------------------------------------------------------

    def _arithmetic(self, e: core.Arithmetic) -> Value:
        left, right, span = self.value(e.left), self.value(e.right), e.span
        operate = _ARITHMETIC[e.operator]

        def calculate(c: Cells, f: Frame) -> Any:
            a, b = left(c, f), right(c, f)
            if a is None or b is None:
                raise fault(f"'{e.operator}' needs two numbers, and one side is none", span, "ask for '!= none' first")
            if not b and e.operator in ("/", "mod", "div"):
                raise fault("division by zero", span, "make sure that the divisor is not zero")
            return operate(a, b)

        return calculate

    def _setoperation(self, e: core.SetOperation) -> Value:
        left, right = self.value(e.left), self.value(e.right)
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
            return lambda c, f: left(c, f) == right(c, f)
        if e.relation == "!=":
            return lambda c, f: left(c, f) != right(c, f)
        compare = _ORDER[e.relation]

        def ordered(c: Cells, f: Frame) -> bool:
            a, b = left(c, f), right(c, f)
            if a is None or b is None:
                raise fault(f"'{e.relation}' compares with none, which has no order", span, "ask for '!= none' first")
            return compare(a, b)

        return ordered

    def _contains(self, e: core.Contains) -> Value:
        item, container = self.value(e.item), self.value(e.container)
        if e.bits:

            def in_bits(c: Cells, f: Frame) -> bool:
                i = item(c, f)
                return i is not None and i >= 0 and bool(container(c, f) >> i & 1)

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
        low, high = self.value(e.low), self.value(e.high)
        return lambda c, f: range(low(c, f), high(c, f) + 1)

    def _members(self, e: core.Members) -> Value:
        bits = self.value(e.set)
        return lambda c, f: elements(bits(c, f))

    def _items(self, e: core.Items) -> Value:
        items = self.values(e.items)
        return lambda c, f: tuple([item(c, f) for item in items])

    def _setof(self, e: core.SetOf) -> Value:
        items, span = self.values(e.items), e.span

        def collect(c: Cells, f: Frame) -> int:
            bits = 0
            for item in items:
                i = item(c, f)
                if i is None or i < 0:
                    raise fault("a set holds values, not none", span, "ask for '!= none' first")
                bits |= 1 << i
            return bits

        return collect

    def _size(self, e: core.Size) -> Value:
        operand = self.value(e.operand)
        if e.bits:
            return lambda c, f: operand(c, f).bit_count()
        return lambda c, f: len(operand(c, f))

    def _reach(self, e: core.Reach) -> Value:
        start, neighbours, slot = self.value(e.start), e.neighbours, e.slot
        where = None if e.where is None else self.value(e.where)

        def reach(c: Cells, f: Frame) -> int:
            found = start(c, f)
            work = list(elements(found))
            while work:
                for square in neighbours[work.pop()]:
                    if not found >> square & 1:
                        f[slot] = square
                        if where is None or where(c, f):
                            found |= 1 << square
                            work.append(square)
            return int(found)

        return reach

    # -- quantifiers ----------------------------------------------------------------------------------------

    def _quantifier(self, e: core.Quantifier) -> Value:
        domain, body, slot = self.value(e.domain), self.value(e.body), e.slot
        if e.where is not None:
            domain = filtered(domain, self.value(e.where), slot)
        make = QUANTIFIERS[e.kind]
        return make(domain, body, slot, e.span)

    def _until(self, e: core.Until) -> Value:
        return up_to(self.value(e.domain), self.value(e.condition), e.slot)

    # -- calls ----------------------------------------------------------------------------------------------

    def _lookup(self, e: core.Lookup) -> Value:
        table, bases = e.table, e.bases
        arguments = self.values(e.arguments)
        if len(arguments) == 1:
            argument, base, extent = arguments[0], bases[0], len(table)

            def read(c: Cells, f: Frame) -> Any:
                i = argument(c, f)
                if i is None:
                    return None
                i -= base
                return table[i] if 0 <= i < extent else None

            return read

        def read_deep(c: Cells, f: Frame) -> Any:
            at = table
            for argument, base in zip(arguments, bases, strict=True):
                i = argument(c, f)
                if i is None or not 0 <= i - base < len(at):
                    return None
                at = at[i - base]
            return at

        return read_deep

    def _calldefinition(self, e: core.CallDefinition) -> Value:
        arguments, index, span = self.values(e.arguments), e.definition, e.span
        name = self.definitions[index].name

        def call(c: Cells, f: Frame) -> Any:
            if self._depth >= DEEPEST_CALL:
                raise fault(f"{name} calls itself more than {DEEPEST_CALL} deep", span, "give the recursion an end")
            self._depth += 1
            try:
                return (self._called.get(index) or self._compiled(index))(c, [a(c, f) for a in arguments])
            finally:
                self._depth -= 1

        return call

    def _compiled(self, index: int) -> Function[[Cells, list[Any]], Any]:
        definition = self.definitions[index]
        assert definition.result is not None
        result, more = self.value(definition.result), [None] * (definition.frame - definition.parameters)
        self._called[index] = lambda c, arguments: result(c, arguments + more)
        return self._called[index]

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

    def _times(self, e: core.Times) -> Value:
        site = e.site
        key = self.key(site)

        def times(c: Cells, f: Frame) -> int:
            return occurrences(c[PAST][site], key(c))

        return times

    def key(self, site: int) -> Function[[Cells], tuple[Any, ...]]:
        """What one `times` remembers of a position."""
        if site not in self._keys:
            expressions, frame = self.times[site]
            parts = self.values(expressions)
            self._keys[site] = lambda c: tuple([part(c, [None] * frame) for part in parts])
        return self._keys[site]


def occurrences(past: frozenset[tuple[Any, int]], key: tuple[Any, ...]) -> int:
    """How often the key stands in a past that holds (key, 1), (key, 2), … for its first, second, … occurrence."""
    count = 0
    while (key, count + 1) in past:
        count += 1
    return count


def _divide(a: Any, b: Any) -> Any:
    return exact(Fraction(a) / b)


_ARITHMETIC: dict[str, Function[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "mod": lambda a, b: a % b,
    "div": lambda a, b: a // b,
    "min": min,
    "max": max,
}
_ORDER: dict[str, Function[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}

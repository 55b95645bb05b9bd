"""Core expressions -> kernel code. Reads beside gdl/interpreter/evaluator.py: the same forms in the same
order, but giving code with bounds in place of a value.

Code that needs statements first (a loop, a check) writes them where the writer stands; so operands that may not be
worked out at all, as those after `and`, are captured and put under an `if` where they wrote any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Sequence as Series
from contextlib import ExitStack, contextmanager
from typing import Any

from gdl.compiler.ir import nodes as ir
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import (
    FALSE,
    NOTHING,
    TRUE,
    Mask,
    Number,
    UnsupportedConstruct,
    Value,
    literal,
    plain,
    truth,
)
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.writer import StatementLines
from gdl.errors import Span
from gdl.errors.deadline import check_deadline
from gdl.model import core

Frame = dict[int, Value]
Form = Callable[..., Any]  # lowers what the key of its row says; None: it does not take this one
Key = type | str | tuple[str, type | str]  # a type of expression, a kind of quantifier, or another thing to be lowered


class ExpressionLowering:
    """Lowering of expressions of all types. The function for each type takes the expression and the frame (the values
    of names), and writes what has to be done before the value can be read. Most types are left to other objects."""

    def __init__(self, context: Context):
        self.context = context
        self.fixed, self.out = context.fixed, context.out
        self.kept: Form = lambda e, frame: None  # the value of an expression that is kept (ways.py); None of others
        self.set_element: Callable[[core.Element, Frame], Mask | None] = lambda e, frame: None  # (elements.py)
        self.forms: Mapping[Key, Series[Form]] = {}  # functions tried in order: recognisers, then the plain way

    # -- entry points ---------------------------------------------------------------------------------------

    def value(self, e: core.Expression, frame: Frame) -> Value:
        """The value of an expression, with bounds narrowed by what is known here. Raises UnsupportedConstruct where the
        engine does not take the expression."""
        if isinstance(e, core.Local):
            return self.context.as_known(frame[e.slot])
        check_deadline()
        if not isinstance(e, core.Const | core.Scope):
            # Tables before all else: what does not read the state is worked out by the interpreter, once.
            known = self.fixed.value(e, frame, self.context.mover)
            if known is not None:
                value, fault = known
                self.context.trap_if(
                    on.conjunction(fault, self.context.unless), "a fault of the rules", None, tabled=True
                )
                return value
        if self.out.places is not None:
            self.out.enter(getattr(e, "span", None))
        if (found := self.kept(e, frame)) is not None:
            return self.context.as_known(found)
        try:
            if (made := self.first_of(type(e), e, frame)) is not None:
                return self.context.as_known(made)
            raise UnsupportedConstruct(f"'{type(e).__name__}' as a value")
        except UnsupportedConstruct as refused:
            refused.span = refused.span or getattr(e, "span", None)
            raise

    def first_of(self, key: Key, *given: Any) -> Any:
        """The result of the first function under a key that takes what is given; None if none does."""
        for lower in self.forms.get(key, ()):
            if (made := lower(*given)) is not None:
                return made
        return None

    def first_set(self, key: Key, *given: Any) -> Mask | None:
        """The result of `first_of` under a key whose functions all give sets."""
        made: Mask | None = self.first_of(key, *given)
        return made

    def number(self, e: core.Expression, frame: Frame) -> Number:
        """The value of an expression as a number, in which NONE stands for none. Raises UnsupportedConstruct where it
        is something else."""
        return plain(self.number_or_none(e, frame))

    def number_or_none(self, e: core.Expression, frame: Frame) -> Number:
        """The value of an expression as a number. Raises UnsupportedConstruct where it is a set or a list."""
        return on.as_number(self.value(e, frame))

    def truth(self, e: core.Expression, frame: Frame) -> Number:
        """The value of a condition: a number, 0 or 1, with the facts that follow from it."""
        return self.number(e, frame)

    def mask(self, e: core.Expression, frame: Frame) -> Mask:
        """The value of an expression as a set; none is a fault. Raises UnsupportedConstruct where it is no set."""
        if isinstance(e, core.Element) and (found := self.set_element(e, frame)) is not None:
            return found
        return on.as_mask(self.value(e, frame))

    @contextmanager
    def when(self, conditions: Series[core.Expression], frame: Frame) -> Iterator[bool]:
        """Within the block, code runs where all conditions hold. Yields False if one of them surely fails, so that
        nothing need be written."""
        with ExitStack() as stack:
            possible = True
            for condition in self.conjuncts(conditions):
                test = self.truth(condition, frame)
                if test.constant == 0:
                    possible = False
                    break
                if test.constant is None:
                    stack.enter_context(self.out.when(test.code))
                    stack.enter_context(self.context.knowing(test.if_true))
            yield possible

    def conjuncts(self, conditions: Series[core.Expression]) -> Iterator[core.Expression]:
        """The conditions, with each `and` replaced by its parts."""
        for condition in conditions:
            if isinstance(condition, core.All):
                yield from self.conjuncts(condition.parts)
            else:
                yield condition

    # -- atoms ----------------------------------------------------------------------------------------------

    def const(self, e: core.Const, frame: Frame) -> Value:
        return self.fixed.constant(e.value)

    def mover(self, e: core.Mover, frame: Frame) -> Value:
        return self.context.mover

    def no_actions(self, e: core.NoActions, frame: Frame) -> Value:
        return truth(ir.Local(self.out.shared_code(ir.Call("no_actions", (), ir.I32, 0, 1), "stuck")))

    # -- numbers, sets, truths ------------------------------------------------------------------------------

    def arithmetic(self, e: core.Arithmetic, frame: Frame) -> Value:
        a, b = self.number_or_none(e.left, frame), self.number_or_none(e.right, frame)
        a, b = self._both_there(a, b, f"'{e.operator}' needs two numbers, and one side is none", e.span)
        if a.is_none or b.is_none:
            return literal(0)
        if e.operator in ("mod", "div", "/"):
            return self._divide(e, a, b)
        if e.operator in ("min", "max"):
            # Named, as each of them stands twice in the code of a least or a greatest.
            return on.extreme(e.operator, *on.same_scale(self.out.bound(a), self.out.bound(b)))
        return {"+": on.add, "-": on.subtract, "*": on.multiply}[e.operator](a, b)

    def _divide(self, e: core.Arithmetic, a: Number, b: Number) -> Value:
        # By its bounds a divisor is rarely 0: most divisions need no check.
        if b.low <= 0 <= b.high:
            b = self.out.bound(b)
            self.context.trap_if(on.equal(b, literal(0)), "division by zero", e.span)
            if b.constant == 0:
                return literal(0)
        if e.operator == "/":
            return on.divide_exactly(a, b)
        if a.scale != 1 or b.scale != 1:
            raise UnsupportedConstruct(
                f"'{e.operator}' of fractions", "count in smaller units, so that numbers are whole"
            )
        return on.divide(a, b) if e.operator == "div" else on.modulo(a, b)

    def comparison(self, e: core.Comparison, frame: Frame) -> Value:
        left, right = self.value(e.left, frame), self.value(e.right, frame)
        if e.relation in ("=", "!=") and (isinstance(left, Mask) or isinstance(right, Mask)):
            same = sets.same_members(on.as_mask(left), on.as_mask(right))
            return same if e.relation == "=" else on.negation(same)
        a, b = on.as_number(left), on.as_number(right)
        if e.relation in ("=", "!="):
            # Both are read twice then, so they are named first.
            if (a.none and b.low < 0) or (b.none and a.low < 0):
                a, b = self.out.bound(a), self.out.bound(b)
            same = on.equal(a, b)
            return same if e.relation == "=" else on.negation(same)
        a, b = self._both_there(a, b, f"'{e.relation}' compares with none, which has no order", e.span)
        return FALSE if a.is_none or b.is_none else on.compare(e.relation, a, b)

    def _both_there(self, a: Number, b: Number, message: str, span: Span | None) -> tuple[Number, Number]:
        """The numbers; a fault is written where one of them may be none. One that is always none stays so."""
        if a.none or b.none:
            a, b = self.out.bound(a), self.out.bound(b)
            missing = on.disjunction(on.equal(a, NOTHING), on.equal(b, NOTHING))
            self.context.trap_if(missing, message, span)
            # Where one has been found not to be none, no number stands for none any more.
            a, b = (n if n.is_none else Number(n.code, n.low, n.high, scale=n.scale) for n in (a, b))
        return a, b

    def negation(self, e: core.Not, frame: Frame) -> Value:
        return on.negation(self.truth(e.operand, frame))

    def every(self, e: core.All, frame: Frame) -> Value:
        return self.join_truths([lambda part=part: self.truth(part, frame) for part in e.parts], every=True)  # type: ignore[misc]

    def some(self, e: core.Some, frame: Frame) -> Value:
        return self.join_truths([lambda part=part: self.truth(part, frame) for part in e.parts], every=False)  # type: ignore[misc]

    def join_truths(self, parts: Series[Callable[[], Number]], every: bool) -> Number:
        """The truths joined by `and` (`every`) or `or`. A part's code runs only where the parts before it do not
        decide."""
        result = TRUE if every else FALSE
        join = on.conjunction if every else on.disjunction
        with ExitStack() as stack:
            for part in parts:
                if result.constant is not None and bool(result.constant) != every:
                    break
                with self.out.capture_lines() as lines:
                    test = part()
                # Only where the part writes no statements can it stand in one expression with those before it.
                if not lines:
                    self.out.append(lines)
                    result = join(result, test)
                elif result.constant is not None:
                    self.out.append(lines)
                    result = test
                else:
                    result = self._joined_by_statement(result, lines, test, every)
                stack.enter_context(self.context.knowing(test.if_true if every else test.if_false))
        return result

    def _joined_by_statement(self, first: Number, lines: StatementLines, test: Number, every: bool) -> Number:
        """Join two truths where the second writes statements before its value: they run only where the first does not
        decide."""
        name = self.out.let("so", first.code)
        with self.out.when(name if every else ir.Unary("not", ir.Local(name))):
            self.out.append(lines, inside=True)
            self.out.set(name, test.code)
        return truth(ir.Local(name))

    def conditional(self, e: core.If, frame: Frame) -> Value:
        condition = self.truth(e.condition, frame)
        if condition.constant is not None:
            return self.value(e.then if condition.constant else e.otherwise, frame)
        with self.out.capture_lines() as before_then, self.context.knowing(condition.if_true):
            then = self.value(e.then, frame)
        with self.out.capture_lines() as before_otherwise, self.context.knowing(condition.if_false):
            otherwise = self.value(e.otherwise, frame)
        # Neither branch has written a statement: an expression that chooses does it, without a jump.
        if not before_then and not before_otherwise:
            self.out.append(before_then)
            self.out.append(before_otherwise)
            return self.context.select_value(condition, then, otherwise)
        target = self.context.variable(self.context.select_value(condition, then, otherwise), "t")
        with self.out.when(condition.code):
            self.out.append(before_then, inside=True)
            self.context.store(target, then)
        with self.out.otherwise():
            self.out.append(before_otherwise, inside=True)
            self.context.store(target, otherwise)
        return target

    # -- variables ------------------------------------------------------------------------------------------

    def lookup(self, e: core.Lookup, frame: Frame) -> Value:
        made = self.fixed.lookup(e, [self.number_or_none(argument, frame) for argument in e.arguments], self.out.bound)
        if made is None:
            raise UnsupportedConstruct(f"'{e.word}' of values with too wide a range")
        return made

    def scope(self, e: core.Scope, frame: Frame) -> Value:
        inner = dict(frame)
        for slot, value in e.lets:
            inner[slot] = self.context.bound(self.value(value, inner), "let")
        return self.value(e.result, inner)


class Part:
    """A part of a game's lowering that meets expressions; it writes code where the context says."""

    def __init__(self, expressions: ExpressionLowering):
        self.expressions = expressions
        self.context = context = expressions.context
        self.model, self.rules, self.dependence = context.model, context.rules, context.dependence
        self.layout, self.module, self.fixed, self.out = context.layout, context.module, context.fixed, context.out

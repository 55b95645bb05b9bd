"""Values in any position: plain ones, terms, one of several by cases, and sets by their members.

`pick` joins values by cases, `cases` takes them apart again. Numbers add up to sums of terms with factors; a truth
counts 1 or 0 in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from gdl.model.domains import NUMBER, TRUTH, Optional, Range, SetType, Simple, Type, members, size
from gdl.wings.symmetry.terms import Term, Terms, TermsTooLarge, Truth

MOST_CASES = 2000  # values of one term that are told apart


class NotWritten(Exception):
    """Raised for rules with something that cannot be written as terms; the message names it."""


class Cases:
    """A value that depends on the position: each value (plain or a term) with the condition under which it is this
    one."""

    __slots__ = ("pairs",)

    def __init__(self, pairs: tuple[tuple[Any, Truth], ...]):
        self.pairs = pairs


class Bits:
    """A set whose members depend on the position: for each ordinal, the condition that its value is a member."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Truth, ...]):
        self.parts = parts


FAULT = ("fault",)  # the value of an expression that is a fault in play


def are_constant(*values: Any) -> bool:
    """True if none of the values depends on the position."""
    return not any(isinstance(value, Term | Cases | Bits) for value in values)


class SymbolicValues(Terms):
    """Operations on values that may depend on the position."""

    # -- cases ----------------------------------------------------------------------------------------------

    def cases(self, value: Any) -> Sequence[tuple[Any, Truth]]:
        """Every plain value that a value may have, with its condition."""
        if isinstance(value, Cases):
            return [(v, self.all_of((c, also))) for w, c in value.pairs for v, also in self.cases(w)]
        if isinstance(value, Term):
            if value.type is TRUTH:
                return [(True, value), (False, self.negation(value))]
            return [(v, self.equal(value, v)) for v in _possible_values(value.type)]
        if isinstance(value, Bits):
            raise NotWritten("a set taken as one value")
        return [(value, True)]

    def pick(self, pairs: Iterable[tuple[Any, Truth]]) -> Any:
        """The value whose condition holds, given that exactly one does."""
        possible: list[tuple[Any, Truth]] = [(value, condition) for value, condition in pairs if condition is not False]
        if not possible:
            return FAULT
        self.spend(len(possible))
        if len(possible) == 1 or all(value is possible[0][0] for value, _ in possible):
            return possible[0][0]
        if any(isinstance(value, Bits) for value, _ in possible):
            return self._pick_sets(possible)
        if all(isinstance(value, bool) or (isinstance(value, Term) and value.type is TRUTH) for value, _ in possible):
            return self.any_of(self.all_of((value, condition)) for value, condition in possible)
        return self._merge_cases(possible)

    def _merge_cases(self, pairs: Sequence[tuple[Any, Truth]]) -> Any:
        """The cases of several values joined, each value once."""
        merged: dict[Any, tuple[Any, list[Truth]]] = {}
        for value, condition in pairs:
            inner = value.pairs if isinstance(value, Cases) else ((value, True),)
            for v, also in inner:
                merged.setdefault((type(v), v), (v, []))[1].append(self.all_of((condition, also)))
        joined = [(value, self.any_of(conditions)) for value, conditions in merged.values()]
        joined = [(value, condition) for value, condition in joined if condition is not False]
        return joined[0][0] if len(joined) == 1 else Cases(tuple(joined))

    def _pick_sets(self, pairs: list[tuple[Any, Truth]]) -> Bits:
        sets = [(self.bits(value).parts, condition) for value, condition in pairs if value is not FAULT]
        width = max(len(parts) for parts, _ in sets)
        columns = ([(i < len(parts) and parts[i], condition) for parts, condition in sets] for i in range(width))
        return Bits(tuple(map(self.pick, columns)))

    def choose(self, condition: Truth, then: Any, otherwise: Any) -> Any:
        if isinstance(condition, bool):
            return then if condition else otherwise
        if isinstance(then, Term) and then.type is TRUTH and isinstance(otherwise, bool | Term):
            return self.conditional(condition, then, otherwise)
        return self.pick(((then, condition), (otherwise, self.negation(condition))))

    def apply(self, function: Callable[..., Any], *values: Any) -> Any:
        """The result of a function of plain values, applied to values that may depend on the position: in every
        combination of their cases."""
        if are_constant(*values):
            return function(*values)
        ways = [self.cases(value) for value in values]
        if (combinations := prod(map(len, ways))) > MOST_CASES:
            raise TermsTooLarge
        self.spend(combinations)
        found = []
        for combination in product(*ways):
            condition = self.all_of(c for _, c in combination)
            if condition is not False:
                found.append((function(*[v for v, _ in combination]), condition))
        return self.pick(found)

    # -- sets -----------------------------------------------------------------------------------------------

    def bits(self, value: Any) -> Bits:
        """A set by the conditions of its members."""
        if isinstance(value, Bits):
            return value
        if isinstance(value, Cases):
            return self._pick_sets(list(value.pairs))
        if isinstance(value, int):
            return Bits(tuple([bool(value >> i & 1) for i in range(value.bit_length())]))
        raise NotWritten("a set that is no set")

    def pointwise(self, function: Callable[[Truth, Truth], Truth], a: Any, b: Any) -> Any:
        """The result of an operation on two sets, done member by member; a whole number if no member depends on the
        position."""
        left, right = self.bits(a).parts, self.bits(b).parts
        width = max(len(left), len(right))
        left, right = left + (False,) * (width - len(left)), right + (False,) * (width - len(right))
        parts = tuple([function(x, y) for x, y in zip(left, right, strict=True)])
        if all(isinstance(part, bool) for part in parts):
            return sum(1 << i for i, part in enumerate(parts) if part)
        return Bits(parts)

    # -- comparisons ----------------------------------------------------------------------------------------

    def equal(self, a: Any, b: Any) -> Truth:
        if a is b:
            return True
        if isinstance(a, Bits) or isinstance(b, Bits):
            same = self.pointwise(self._same_truth, a, b)
            parts = self.bits(same).parts
            width = max(len(self.bits(x).parts) for x in (a, b))
            return len(parts) == width and self.all_of(parts)
        if isinstance(a, Cases):
            return self.any_of(self.all_of((c, self.equal(v, b))) for v, c in a.pairs)
        if isinstance(b, Cases):
            return self.equal(b, a)
        if not isinstance(a, Term) and not isinstance(b, Term):
            return bool(a == b)
        if not isinstance(a, Term):
            a, b = b, a
        if isinstance(b, bool) or (isinstance(b, Term) and TRUTH is a.type is b.type):
            return self._same_truth(a, b)
        if not isinstance(b, Term):
            return self._equals_value(a, b)
        return self.make("=", None, ((0, a.id), (0, b.id)))

    def _same_truth(self, a: Truth, b: Truth) -> Truth:
        if isinstance(a, bool) or isinstance(b, bool):
            a, b = (a, b) if isinstance(a, bool) else (b, a)
            return b if a else self.negation(b)
        return True if a is b else self.make("=", None, ((0, a.id), (0, b.id)))

    def _equals_value(self, term: Term, value: Any) -> Truth:
        """The condition that a term has this value."""
        inner = term.type.item if isinstance(term.type, Optional) else term.type
        if value is None:
            if not isinstance(term.type, Optional):
                return False
        elif isinstance(inner, Range):
            if not isinstance(value, int | Fraction) or not inner.low <= value <= inner.high:
                return False
            operator, shift, parts = self.keys[term.id]
            if operator == "sum" and shift:  # of sums only the parts that vary
                term, value = self.total((f, self.term_at(i)) for f, i in parts), value - shift
                if not isinstance(term, Term):
                    return self.equal(term, value)
        return self.make("=", None, ((0, term.id), (0, self.constant(inner, value).id)))

    def at_most(self, a: Any, b: Any) -> Truth:
        """The condition a <= b, of numbers or of the values of an ordered type."""
        if are_constant(a, b):
            return False if a is None or b is None or FAULT in (a, b) else bool(a <= b)
        if not _is_numeric(a) or not _is_numeric(b):
            found = self.apply(lambda x, y: self.at_most(x, y), a, b)
            return found if isinstance(found, Term) else bool(found)
        for one, other, turn in ((a, b, False), (b, a, True)):
            if isinstance(one, Cases) and (are_constant(other) or all(are_constant(v) for v, _ in one.pairs)):
                ways = [(self.at_most(other, v) if turn else self.at_most(v, other), c) for v, c in one.pairs]
                return self.any_of(self.all_of(way) for way in ways)
        difference = self.add(a, b, -1)
        if not isinstance(difference, Term):
            return self.at_most(difference, 0)
        if isinstance(difference.type, Range):
            if difference.type.high <= 0:
                return True
            if difference.type.low > 0:
                return False
        return self.make("<=0", None, ((0, difference.id),))

    # -- numbers --------------------------------------------------------------------------------------------

    def add(self, a: Any, b: Any, factor: Any = 1) -> Any:
        """The sum a + factor * b."""
        if are_constant(a, b):
            return FAULT if None in (a, b) or FAULT in (a, b) else a + factor * b
        return self.total([(1, a), (factor, b)])

    def total(self, parts: Iterable[tuple[Any, Any]]) -> Any:
        """The sum of the products of a factor and a value."""
        constant: Any = 0
        factors: dict[int, Any] = {}
        for factor, value in parts:
            if isinstance(value, Cases):
                inner = [(factor * v, c) for v, c in value.pairs if are_constant(v) and isinstance(v, int | Fraction)]
                inner += [(factor, self._guard_number(v, c)) for v, c in value.pairs if isinstance(v, Term)]
            else:
                inner = [(factor, value)]
            for f, v in inner:
                if isinstance(v, Term):
                    constant += self._collect(f, v, factors)
                elif isinstance(v, int | Fraction):
                    constant += f * v
        found = [(f, id) for id, f in factors.items() if f]
        if not found:
            return constant
        if not constant and len(found) == 1 and found[0][0] == 1 and self.term_at(found[0][1]).type is not TRUTH:
            return self.term_at(found[0][1])
        return self.make("sum", constant, found, _bounds(constant, ((f, self.term_at(id)) for f, id in found)))

    def _collect(self, factor: Any, term: Term, factors: dict[int, Any]) -> Any:
        """Add a term, times a factor, to the factors of a sum; the parts of a sum are added one by one. Returns what is
        added to the constant."""
        operator, label, parts = self.keys[term.id]
        if operator != "sum":
            factors[term.id] = factors.get(term.id, 0) + factor
            return 0
        for f, id in parts:
            factors[id] = factors.get(id, 0) + factor * f
        return factor * label

    def _guard_number(self, term: Term, condition: Truth) -> Term:
        """A number that is this one where the condition holds, else 0."""
        if isinstance(condition, bool):
            return term
        low, high = _range(term) or (None, None)
        type: Type = NUMBER if low is None or high is None else Range(min(0, low), max(0, high))
        return self.make("guarded", None, ((0, term.id), (1, condition.id)), type)

    def extreme(self, word: str, pairs: list[tuple[Any, Truth]]) -> Any:
        """The least (`min`) or greatest (`max`) of the values whose conditions hold."""
        if all(are_constant(value) and condition is True for value, condition in pairs):
            values = [value for value, _ in pairs if value is not None]
            return (min if word == "min" else max)(values) if values else FAULT
        parts = [(0, self.case(value, condition, NUMBER).id) for value, condition in pairs]
        ends = interval(Cases(tuple(pairs)))
        return self.make(word, None, parts, NUMBER if ends is None else Range(*ends))

    # -- as terms -------------------------------------------------------------------------------------------

    def term(self, value: Any, type: Type) -> Term:
        """The value as a term. The type is needed for plain values, which do not carry one."""
        if isinstance(value, Term):
            return value
        if isinstance(value, Cases):
            return self.make("cases", None, [(0, self.case(v, c, type).id) for v, c in value.pairs], type)
        if isinstance(value, Bits):
            item = type.item if isinstance(type, SetType) else NUMBER
            present = [(part, self.constant(item, i)) for i, part in enumerate(value.parts) if part is not False]
            return self.make("cases", None, [(0, self.case(v, c, item).id) for c, v in present], type)
        if isinstance(type, SetType) and isinstance(value, int):
            return self.term(Bits(self.bits(value).parts), type)
        return self.constant(type, value)

    def case(self, value: Any, condition: Truth, type: Type) -> Term:
        """A term for a value and its condition."""
        return self.make("case", None, ((0, self.term(value, type).id), (1, self.term(condition, TRUTH).id)))


def _possible_values(type: Type) -> Sequence[Any]:
    if isinstance(type, Simple) and type is not TRUTH:
        raise NotWritten("a number without bounds")
    if size(type) > MOST_CASES:
        raise TermsTooLarge
    return tuple(members(type))


def _is_numeric(value: Any) -> bool:
    if isinstance(value, Cases):
        return all(_is_numeric(v) for v, _ in value.pairs)
    if isinstance(value, Term):
        return isinstance(value.type, Range) or value.type in (NUMBER, TRUTH)
    return isinstance(value, int | Fraction)


def _range(term: Term) -> tuple[Any, Any] | None:
    if term.type is TRUTH:
        return 0, 1
    inner = term.type.item if isinstance(term.type, Optional) else term.type
    return (inner.low, inner.high) if isinstance(inner, Range) else None


def _bounds(constant: Any, parts: Iterable[tuple[Any, Term]]) -> Type:
    """The type of a sum, a range if the ranges of all parts are known."""
    low = high = constant
    for factor, term in parts:
        found = _range(term)
        if found is None:
            return NUMBER
        ends = sorted((factor * found[0], factor * found[1]))
        low, high = low + ends[0], high + ends[1]
    return Range(low, high) if isinstance(low, int) and isinstance(high, int) else NUMBER


def interval(value: Any) -> tuple[Any, Any] | None:
    """The least and the greatest value of a number; None if they are not known."""
    if isinstance(value, Term):
        return _range(value)
    if isinstance(value, Cases):
        found = [interval(v) for v, _ in value.pairs]
        known = [f for f in found if f is not None]
        return (min(f[0] for f in known), max(f[1] for f in known)) if len(known) == len(found) else None
    return (value, value) if isinstance(value, int) else None

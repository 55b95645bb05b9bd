"""Conditions on the weights of a cell, and how they are solved: sums of products, exactly.

A condition is a sum of products of variables that is zero, or at least zero. Where every product is one variable, or a
product that may have any value, this is a linear program. Elsewhere the program of all products is a necessary
condition; it often settles a weight, or has no solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from itertools import chain
from math import prod

from gdl.game import Number, exact
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram, maximise
from gdl.wings.theory.row_echelon_form import eliminate_columns

Monomial = tuple[int, ...]  # a product of variables; () is 1
Sum = dict[Monomial, Number]


class NotLinear(Exception):
    """The conditions of a cell contain products of variables that cannot be treated as variables of their own."""


class ImpossibleCondition(Exception):
    """A condition of a cell can never hold."""


@dataclass
class Conditions:
    """Conditions on variables that are not negative: sums in `zero` are zero, sums in `least` are at least zero, and
    variables in `positive` are positive. `free` are variables that no sum binds."""

    count: int = 0
    zero: list[Sum] = field(default_factory=list)
    least: list[Sum] = field(default_factory=list)
    positive: list[int] = field(default_factory=list)
    free: set[int] = field(default_factory=set)
    shares: list[Sum] = field(default_factory=list)  # those of `zero` by which weights share out another weight
    told: list[Monomial] = field(default_factory=list)  # further products whose values are wanted

    def variable(self) -> int:
        self.count += 1
        return self.count - 1

    def is_zero(self, one: Sum) -> None:
        one = self._simplify_sum(one)
        if set(one) == {()}:
            raise ImpossibleCondition
        if one:
            self.zero.append(one)

    def is_least(self, one: Sum) -> None:
        one = self._simplify_sum(one)
        if len(one) == 1 and min(one.values()) < 0 and set(*one) <= set(self.positive):
            raise ImpossibleCondition
        if min(one.values(), default=0) < 0:  # else it holds, for no product is negative
            self.least.append(one)

    def with_value(self, variable: int, value: Number) -> Conditions:
        """The conditions with a known value put in for a variable. Raises ImpossibleCondition if one of them fails."""
        other = Conditions(self.count, positive=self.positive, free=self.free)
        if variable in self.positive and value <= 0:
            raise ImpossibleCondition
        for one in self.zero:
            other.is_zero(_put_in(one, variable, value))
        for one in self.least:
            other.is_least(_put_in(one, variable, value))
        other.shares = [_put_in(one, variable, value) for one in self.shares]
        other.told = [tuple(j for j in monomial if j != variable) for monomial in self.told]
        return other

    def _simplify_sum(self, one: Sum) -> Sum:
        """The sum without zeros, and divided by the positive variables that all its products share."""
        one = {monomial: share for monomial, share in one.items() if share}
        for variable in next(iter(one), ()):
            if variable in self.positive and all(variable in monomial for monomial in one):
                one = {replace_factors(monomial, (variable,), ()): share for monomial, share in one.items()}
        return one


def solve_conditions(conditions: Conditions, budget: Budget) -> dict[Monomial, Number] | None:
    """The values of all products at a solution in which the least positive product is as great as can be; None if there
    is no solution.

    Where products do not stand for themselves, the linear program of all products, which knows how they add up, may
    have no solution, or one that is theirs, or settle a weight, which is then put in its place. Otherwise NotLinear.
    """
    settled: dict[Monomial, Number] = {(): 1}
    try:
        while True:
            apart = not _stand_alone(conditions)
            program = _program(_extend_conditions(conditions) if apart else conditions)
            found = program.widest_solution(budget)
            if found is None:
                return None
            values = {**found, **settled}
            if not apart or all(value_of((1, m), values, apart=True) == values[m] for m in program.index):
                return values
            variable, value = _settled_weight(conditions, program, budget)
            settled[(variable,)] = value
            conditions = conditions.with_value(variable, value)
    except ImpossibleCondition:
        return None


def is_settled(conditions: Conditions, monomials: Sequence[Monomial], budget: Budget) -> bool:
    """True if each of these products has the same value in all solutions; False also if that is not known."""
    program = _program(conditions if _stand_alone(conditions) else _extend_conditions(conditions))
    wanted = [{monomial: sign} for monomial in monomials if monomial in program.index for sign in (1, -1)]
    ends = [program.maximize(goal, budget) for goal in wanted]
    return all(high == -low for high, low in zip(ends[::2], ends[1::2], strict=True))


def _settled_weight(conditions: Conditions, program: _Linear, budget: Budget) -> tuple[int, Number]:
    """A variable that occurs in products and has the same value in all solutions, with that value. Raises NotLinear if
    there is none."""
    factors = dict.fromkeys(j for m in program.index if len(m) > 1 for j in m)
    for variable in factors:
        if variable not in conditions.free:  # a weight that no sum binds can be scaled
            low, high = (program.maximize({(variable,): sign}, budget) * sign for sign in (-1, 1))
            if low == high:
                return variable, exact(low)
    raise NotLinear


@dataclass(frozen=True)
class _Linear:
    """A linear program whose variables are products of weights."""

    index: Mapping[Monomial, int]
    rows: list[dict[int, Number]]
    bounds: list[Number]
    equal: frozenset[int]
    positive: Sequence[int]  # the variables that must be positive

    def widest_solution(self, budget: Budget) -> dict[Monomial, Number] | None:
        """The solution whose least positive product is greatest, at most 1; None if no solution makes all of them
        positive."""
        margin = len(self.index)
        rows: list[Mapping[int, Number]] = [*self.rows]
        rows += [{margin: 1, j: -1} for j in self.positive]
        rows.append({margin: 1})
        bounds = [*self.bounds, *(0 for _ in self.positive), 1]
        try:
            found = maximise(LinearProgram(margin + 1, {margin: 1}, rows, bounds, self.equal), budget)
        except Infeasible:
            return None
        return {m: found.primal[j] for m, j in self.index.items()} if found.value > 0 else None

    def maximize(self, goal: Mapping[Monomial, Number], budget: Budget) -> Number:
        """The greatest value of a sum of products."""
        objective = {self.index[m]: share for m, share in goal.items()}
        return maximise(LinearProgram(len(self.index), objective, self.rows, self.bounds, self.equal), budget).value


def _program(conditions: Conditions) -> _Linear:
    index = {monomial: j for j, monomial in enumerate(_products(conditions))}
    signed = [*((one, 1) for one in conditions.zero), *((one, -1) for one in conditions.least)]
    rows: list[dict[int, Number]] = [{index[m]: sign * share for m, share in one.items() if m} for one, sign in signed]
    bounds = [-sign * one.get((), 0) for one, sign in signed]
    equal = frozenset(range(len(conditions.zero)))
    must = set(conditions.positive)
    positive = [j for monomial, j in index.items() if set(monomial) <= must]
    rows += [{j: 1} for j in positive]
    bounds += [1] * len(positive)
    return _Linear(index, rows, bounds, equal, positive)


def _used_monomials(conditions: Conditions) -> dict[Monomial, None]:
    return dict.fromkeys(m for one in chain(conditions.zero, conditions.least, [conditions.told]) for m in one if m)


def _stand_alone(conditions: Conditions) -> bool:
    """True if each product of several weights may have any positive value, for any values of the others."""
    used = _used_monomials(conditions)
    longer = [monomial for monomial in used if len(monomial) > 1]
    if any(set(monomial) - conditions.free for monomial in longer):
        return False
    free = [monomial for monomial in used if set(monomial) <= conditions.free]
    powers = [[m.count(j) for j in range(conditions.count)] for m in free]
    return not longer or eliminate_columns(powers, conditions.count).rank == len(free)


def _extend_conditions(conditions: Conditions) -> Conditions:
    """The conditions together with their consequences for products: wherever a sum shares out one factor of a product,
    that sum times the other factors."""
    more = copy_conditions(conditions)
    products = [monomial for monomial in _used_monomials(conditions) if len(monomial) > 1]
    for shared in conditions.shares:
        factors = dict.fromkeys(replace_factors(m, (j,), ()) for m in products for j in m if (j,) in shared)
        more.zero += [{tuple(sorted(m + others)): share for m, share in shared.items()} for others in factors]
    return more


def _products(conditions: Conditions) -> list[Monomial]:
    """The monomials that are variables of a linear program."""
    used = _used_monomials(conditions)
    longer = [monomial for monomial in used if len(monomial) > 1]
    hidden = {j for monomial in longer for j in monomial}
    apart = not _stand_alone(conditions)
    single = [(j,) for j in range(conditions.count) if (j,) in used or apart or j not in hidden]
    return [*single, *longer]


def sum_terms(terms: Iterable[tuple[Number, Monomial]]) -> Sum:
    total: Sum = {}
    for share, monomial in terms:
        total[monomial] = exact(total.get(monomial, 0) + share)
    return total


def add(one: Mapping[Monomial, Number], other: Mapping[Monomial, Number], factor: Number) -> Sum:
    total = dict(one)
    for monomial, share in other.items():
        total[monomial] = exact(total.get(monomial, 0) + factor * share)
    return total


def replace_factors(monomial: Monomial, before: Monomial, after: Monomial) -> Monomial:
    """The monomial with the factors `before` replaced by `after`; without any to replace, multiplied by them. Raises
    NotLinear if it lacks one of them."""
    left = list(monomial)
    if all(variable in left for variable in before):
        for variable in before:
            left.remove(variable)
        return tuple(sorted([*left, *after]))
    raise NotLinear


def _put_in(one: Sum, variable: int, value: Number) -> Sum:
    """The sum with a value put in for a variable."""
    parts = ((share, m, tuple(j for j in m if j != variable)) for m, share in one.items())
    return sum_terms((share * value ** (len(m) - len(rest)), rest) for share, m, rest in parts)


def value_of(weight: tuple[Number, Monomial], values: Mapping[Monomial, Number], *, apart: bool = False) -> Number:
    """The value of a weight: its number times the value of its product in `values`; if the product is not there, or
    `apart`, times the values of its variables."""
    share, monomial = weight
    if monomial in values and not apart:
        return exact(share * values[monomial])
    return exact(prod((values[variable,] for variable in monomial), start=share))


def copy_conditions(conditions: Conditions) -> Conditions:
    return Conditions(**{part.name: copy(getattr(conditions, part.name)) for part in fields(conditions)})

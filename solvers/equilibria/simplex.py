"""Linear programs over the rationals, solved exactly.

    maximise  c·x   subject to   A x ≤ b (or = b in chosen rows),   x ≥ 0

The two-phase simplex method on a sparse tableau of whole numbers (Dantzig, Linear Programming and Extensions, 1963;
exact pivoting after Edmonds and Bareiss):

1. Every row becomes a row of integers. One that does not start with its own slack variable gets an artificial one.
2. Phase one maximises minus the sum of the artificial variables: below zero, the program is infeasible.
3. Phase two maximises the objective; artificial variables stay out.
4. The entering variable has the most negative reduced cost (Dantzig's rule); the leaving one the least ratio, ties
   broken lexicographically over the basis with which the phase began (Dantzig, Orden and Wolfe 1955), so it never
   cycles. A row is replaced by a positive combination of whole rows and divided by its greatest common divisor.
5. The dual solution stands in the objective row, below the variables with which the rows began.

The minimax theorem for matrices: the value and a maximin strategy for each side, proved by linear programming.

1. Add a constant to the payoffs so that all are positive; then so is the value v.
2. The column player's y / v is the largest z ≥ 0 (by sum) with A z ≤ 1, and the dual solution is x / v.

Sources: von Neumann 1928; Dantzig, A proof of the equivalence of the programming problem and the game problem, 1951.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import NamedTuple

from gdl.game import Number, exact
from gdl.solvers.budget import Budget

Row = dict[int, int]  # column -> coefficient, without zeros
_BOUND = -1  # the column of right-hand sides
_GOAL = -2  # the column of the objective's own value


class Infeasible(Exception):
    """No x satisfies the constraints."""


class Unbounded(Exception):
    """The objective can grow without bound."""


@dataclass(frozen=True)
class LinearProgram:
    """A linear program; rows and objective are sparse: variable -> coefficient."""

    variables: int
    objective: Mapping[int, Number]
    rows: Sequence[Mapping[int, Number]]
    bounds: Sequence[Number]
    equalities: frozenset[int] = frozenset()  # rows that hold with equality


@dataclass(frozen=True)
class Optimum:
    """An optimal solution and its proof: by duality no solution is better than the dual's value, which is the same."""

    value: Number
    primal: tuple[Number, ...]
    dual: tuple[Number, ...]
    pivots: int = field(default=0, compare=False)


def maximise(program: LinearProgram, budget: Budget | None = None) -> Optimum:
    """The optimum of the program. Raises Infeasible, Unbounded, or LimitReached when the budget's time is over."""
    tableau = _Tableau(program, budget or Budget())
    if tableau.artificial:
        tableau.start(dict.fromkeys(tableau.artificial, -1))
        tableau.run()
        if tableau.goal.get(_BOUND, 0) < 0:
            raise Infeasible
        tableau.expel_artificial()
    tableau.start(program.objective)
    tableau.run()
    return tableau.optimum(program)


def proves(program: LinearProgram, primal: Sequence[Number], dual: Sequence[Number]) -> bool:
    """True if the dual solution proves the primal one optimal: both feasible, both of the same value."""
    x, parts = _in_parts(primal)
    y, shares = _in_parts(dual)
    columns: list[Number] = [-program.objective.get(j, 0) * shares for j in range(program.variables)]
    for i, row in enumerate(program.rows):
        left, right = sum(a * x[j] for j, a in row.items() if x[j]), program.bounds[i] * parts
        if left > right or (i in program.equalities and left != right):
            return False
        if y[i]:
            for j, a in row.items():
                columns[j] += y[i] * a
    return (
        min(x, default=0) >= 0
        and all(weight >= 0 for i, weight in enumerate(y) if i not in program.equalities)
        and min(columns, default=0) >= 0
        and _product(program.objective, x) * shares == _product(dict(enumerate(program.bounds)), y) * parts
    )


def _in_parts(numbers: Sequence[Number]) -> tuple[list[int], int]:
    """Numbers as whole multiples of one fraction, and the denominator of that fraction."""
    parts = lcm(*(number.denominator for number in numbers))
    return [int(number * parts) if number else 0 for number in numbers], parts


def _product(row: Mapping[int, Number], column: Sequence[Number]) -> Number:
    return sum(a * column[j] for j, a in row.items() if column[j])


class _Tableau:
    """The simplex tableau: rows of integers, each with a positive coefficient in the column of its own basic
    variable."""

    def __init__(self, program: LinearProgram, budget: Budget):
        self.budget = budget
        self.rows: list[Row] = []
        self.basis: list[int] = []
        self.artificial: set[int] = set()
        self.goal: Row = {}
        self.pivots = 0
        self._own: list[tuple[int, int]] = []  # each row's first basic column, and -1 if the row was negated
        self._scale: list[int] = []
        fresh = program.variables
        for i, (coefficients, bound) in enumerate(zip(program.rows, program.bounds, strict=True)):
            sign = -1 if bound < 0 else 1
            row, scale = _clear_denominators({**coefficients, _BOUND: bound}, sign)
            if i not in program.equalities:
                row[fresh] = sign
                fresh += 1
            if sign < 0 or i in program.equalities:
                row[fresh] = 1
                self.artificial.add(fresh)
                fresh += 1
            self.rows.append(row)
            self.basis.append(fresh - 1)
            self._own.append((fresh - 1, sign))
            self._scale.append(scale)

    def start(self, objective: Mapping[int, Number]) -> None:
        """Begin a phase: write the objective in terms of the nonbasic variables."""
        self.goal, scale = _clear_denominators({column: -c for column, c in objective.items()})
        self.goal[_GOAL] = scale
        for row, column in zip(self.rows, self.basis, strict=True):
            if column in self.goal:
                self.goal = _combine(self.goal, row, column)
        self._order = [_BOUND, *self.basis]

    def run(self) -> None:
        """Pivot until no variable's entry would raise the objective."""
        while True:
            entering = self._entering()
            if entering is None:
                return
            self._pivot(self._leaving_row(entering), entering)

    def _entering(self) -> int | None:
        best, column = 0, None
        for j, cost in self.goal.items():
            if (cost < best or (cost == best < 0 and column is not None and j < column)) and j >= 0:
                if j in self.artificial:
                    continue
                best, column = cost, j
        return column

    def _leaving_row(self, entering: int) -> int:
        tied = [(r, row, row[entering]) for r, row in enumerate(self.rows) if row.get(entering, 0) > 0]
        if not tied:
            raise Unbounded
        for column in self._order:
            if len(tied) == 1:
                break
            entries = [row.get(column, 0) for _, row, _ in tied]
            if any(entries):  # a ratio is compared by products: fractions would be slow
                pairs = zip(entries, (below for *_, below in tied), strict=True)
                least, under = reduce(lambda one, two: two if two[0] * one[1] < one[0] * two[1] else one, pairs)
                tied = [one for one, a in zip(tied, entries, strict=True) if a * under == least * one[2]]
        return tied[0][0]

    def _pivot(self, leaving: int, entering: int) -> None:
        self.budget.check_time()
        self.pivots += 1
        pivot = self.rows[leaving]
        if pivot[entering] < 0:
            pivot = self.rows[leaving] = {column: -a for column, a in pivot.items()}
        for r, row in enumerate(self.rows):
            if r != leaving and entering in row:
                self.rows[r] = _combine(row, pivot, entering)
        if entering in self.goal:
            self.goal = _combine(self.goal, pivot, entering)
        self.basis[leaving] = entering

    def expel_artificial(self) -> None:
        """Take the artificial variables, which are now zero, out of the basis. A row that has only these is redundant,
        and is deleted."""
        for r in reversed(range(len(self.rows))):
            if self.basis[r] in self.artificial:
                others = [j for j in self.rows[r] if j >= 0 and j not in self.artificial]
                if others:
                    self._pivot(r, min(others))
                else:
                    del self.rows[r], self.basis[r]

    def optimum(self, program: LinearProgram) -> Optimum:
        solved = {
            column: exact(Fraction(row.get(_BOUND, 0), row[column]))
            for row, column in zip(self.rows, self.basis, strict=True)
        }
        primal = tuple(solved.get(j, 0) for j in range(program.variables))
        whole = self.goal[_GOAL]
        dual = tuple(
            exact(Fraction(self.goal.get(column, 0) * sign * scale, whole))
            for (column, sign), scale in zip(self._own, self._scale, strict=True)
        )
        return Optimum(exact(Fraction(self.goal.get(_BOUND, 0), whole)), primal, dual, self.pivots)


def _clear_denominators(coefficients: Mapping[int, Number], sign: int = 1) -> tuple[Row, int]:
    """The coefficients times `sign` and the least positive number that makes them whole; and that number."""
    scale = lcm(*(Fraction(a).denominator for a in coefficients.values()))
    return {column: int(a * scale * sign) for column, a in coefficients.items() if a}, scale


def _combine(row: Row, pivot: Row, column: int) -> Row:
    """The positive multiple of `row` plus a multiple of `pivot` that has no `column`, in lowest terms."""
    p, q = pivot[column], row[column]
    common = gcd(p, q)
    p, q = p // common, q // common
    result = {j: a * p for j, a in row.items()} if p != 1 else dict(row)
    for j, a in pivot.items():
        total = result.get(j, 0) - a * q
        if total:
            result[j] = total
        else:
            del result[j]
    divisor = gcd(*result.values())
    return {j: a // divisor for j, a in result.items()} if divisor > 1 else result


Matrix = Sequence[Sequence[Number]]


class Minimax(NamedTuple):
    """The value of a matrix to the row player, a `row` mixture that secures it against every column, and a `column`
    mixture that concedes no more."""

    value: Number
    row: tuple[Number, ...]
    column: tuple[Number, ...]


def minimax(payoffs: Matrix, solved: Callable[[LinearProgram], Optimum] = maximise) -> Minimax:
    """The value and optimal strategies of the zero-sum game in which the row player gets `payoffs`. `solved` solves the
    linear program."""
    shift = 1 - min(min(row) for row in payoffs)
    width = len(payoffs[0])
    rows = [{j: payoff + shift for j, payoff in enumerate(row)} for row in payoffs]
    optimum = solved(LinearProgram(width, dict.fromkeys(range(width), 1), rows, [1] * len(rows)))
    scale = Fraction(optimum.value)
    return Minimax(
        value=exact(1 / scale - shift),
        row=tuple(exact(x / scale) for x in optimum.dual),
        column=tuple(exact(y / scale) for y in optimum.primal),
    )

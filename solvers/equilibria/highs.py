"""Large linear programs: HiGHS finds the optimal basis in floating point, exact arithmetic decides whether it is one.

1. HiGHS solves the program with its simplex method and names the basis: which variables may be positive, and which
   rows hold with equality (Huangfu and Hall, Parallelizing the dual revised simplex method, 2018).
2. Both solutions that belong to this basis are computed exactly, by elimination over the rationals.
3. They are returned only if they prove each other optimal; what floating point said is then forgotten
   (Koch, The final NETLIB-LP results, 2004).
"""

from __future__ import annotations

import heapq
import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gdl.game import exact
from solvers.budget import Budget
from solvers.equilibria.simplex import Optimum, Program, proves

Equation = tuple[dict[int, Fraction], Fraction]  # coefficients by unknown, right-hand side


@dataclass(frozen=True)
class Approximation:
    """Floating-point solutions close to an optimum, for want of an exact one."""

    primal: tuple[float, ...]
    dual: tuple[float, ...]


def installed() -> bool:
    return importlib.util.find_spec("highspy") is not None


def maximise_large(program: Program, budget: Budget | None = None) -> Optimum | Approximation:
    """The exact optimum, or an approximation where the basis found is not exactly optimal. Raises LimitReached when the
    budget's time is over."""
    solver, budget = _loaded(program), budget or Budget()
    if budget.left is not None:
        solver.setOptionValue("time_limit", max(0.0, budget.left))
    solver.run()
    budget.check_time()
    basis, solution = solver.getBasis(), solver.getSolution()
    basic = type(basis.col_status[0]).kBasic
    columns = [j for j, status in enumerate(basis.col_status) if status == basic]
    tight = [i for i, status in enumerate(basis.row_status) if status != basic]
    optimum = _from_basis(program, columns, tight)
    if optimum is not None:
        return optimum
    return Approximation(tuple(solution.col_value), tuple(-y for y in solution.row_dual))


def _loaded(program: Program) -> Any:
    """A HiGHS model that minimises minus the objective."""
    highspy: Any = importlib.import_module("highspy")
    numpy: Any = importlib.import_module("numpy")  # comes with highspy
    solver = highspy.Highs()
    for option, value in (("output_flag", False), ("solver", "simplex"), ("threads", 1), ("random_seed", 0)):
        solver.setOptionValue(option, value)
    for j in range(program.variables):
        solver.addVar(0, highspy.kHighsInf)
        solver.changeColCost(j, -float(program.objective.get(j, 0)))
    for i, row in enumerate(program.rows):
        upper = float(program.bounds[i])
        lower = upper if i in program.equalities else -highspy.kHighsInf
        columns = numpy.array(list(row), dtype="int32")
        solver.addRow(lower, upper, len(row), columns, numpy.array([float(a) for a in row.values()]))
    return solver


def _from_basis(program: Program, columns: Sequence[int], tight: Sequence[int]) -> Optimum | None:
    """The basic solutions, if they exist and prove each other optimal."""
    chosen = frozenset(columns)
    rows: list[Equation] = []
    transposed: dict[int, dict[int, Fraction]] = {j: {} for j in columns}
    for i in tight:
        coefficients = {j: Fraction(a) for j, a in program.rows[i].items() if a and j in chosen}
        rows.append((coefficients, Fraction(program.bounds[i])))
        for j, a in coefficients.items():
            transposed[j][i] = a
    x = solve_equations(rows)
    y = solve_equations([(transposed[j], Fraction(program.objective.get(j, 0))) for j in columns])
    if x is None or y is None:
        return None
    primal = tuple(exact(x.get(j, Fraction(0))) for j in range(program.variables))
    dual = tuple(exact(y.get(i, Fraction(0))) for i in range(len(program.rows)))
    if not proves(program, primal, dual):
        return None
    value = sum((c * primal[j] for j, c in program.objective.items()), Fraction(0))
    return Optimum(exact(value), primal, dual)


def solve_equations(equations: Sequence[Equation]) -> Mapping[int, Fraction] | None:
    """The solution of a square sparse system, or None if there is no single one.

    Gauss's elimination; the next pivot lies in a shortest row, in the column that occurs in fewest rows, which keeps
    sparse systems sparse (Markowitz 1957).
    """
    rows = [(dict(coefficients), right) for coefficients, right in equations]
    columns: dict[int, set[int]] = {}
    for r, (coefficients, _) in enumerate(rows):
        for j in coefficients:
            columns.setdefault(j, set()).add(r)
    order: list[tuple[int, int]] = []
    used: set[int] = set()
    queue = [(len(coefficients), r) for r, (coefficients, _) in enumerate(rows)]
    heapq.heapify(queue)
    while queue:
        length, r = heapq.heappop(queue)
        if r in used or length != len(rows[r][0]):
            continue  # an entry from before the row changed
        if not length:
            return None
        column = min(rows[r][0], key=lambda j: (len(columns[j]), j))
        used.add(r)
        order.append((r, column))
        for changed in _eliminate(rows, columns, r, column):
            heapq.heappush(queue, (len(rows[changed][0]), changed))
    return _substitute(rows, order)


def _eliminate(rows: list[Equation], columns: dict[int, set[int]], r: int, column: int) -> list[int]:
    """Take `column` out of every other row that is still to be used; returns these rows."""
    pivot, right = rows[r]
    for j in pivot:
        columns[j].discard(r)
    others = sorted(columns.pop(column))
    for other in others:
        coefficients, value = rows[other]
        factor = coefficients.pop(column) / pivot[column]
        for j, a in pivot.items():
            if j == column:
                continue
            total = coefficients.get(j, Fraction(0)) - factor * a
            if total:
                coefficients[j] = total
                columns[j].add(other)
            else:
                del coefficients[j]
                columns[j].discard(other)
        rows[other] = (coefficients, value - factor * right)
    return others


def _substitute(rows: list[Equation], order: list[tuple[int, int]]) -> Mapping[int, Fraction]:
    solution: dict[int, Fraction] = {}
    for r, column in reversed(order):
        coefficients, right = rows[r]
        rest = sum((a * solution[j] for j, a in coefficients.items() if j != column), Fraction(0))
        solution[column] = (right - rest) / coefficients[column]
    return solution

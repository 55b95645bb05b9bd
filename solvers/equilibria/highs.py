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
from itertools import accumulate, chain
from math import gcd, lcm
from typing import Any

from gdl.game import Number, exact
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.simplex import LinearProgram, Optimum, proves

LEAST_SECONDS = 0.1  # of HiGHS, though the time be over: most programs of 200 rows are solved in it

Equation = tuple[Mapping[int, Number], Number]  # coefficients by unknown, right-hand side
_Row = tuple[dict[int, int], int]  # the same in whole numbers, without zeros


@dataclass(frozen=True)
class Approximation:
    """Solutions close to an optimum, from floating point, where no exact optimum was found."""

    primal: tuple[Fraction, ...]
    dual: tuple[Fraction, ...]


def is_installed() -> bool:
    return importlib.util.find_spec("highspy") is not None


@dataclass(frozen=True)
class FloatOptimum:
    """An optimum in floating point, and its basis: the variables that may be positive, and the rows that hold with
    equality."""

    columns: Sequence[int]
    tight: Sequence[int]
    primal: Sequence[float]
    dual: Sequence[float]


def maximise_large(program: LinearProgram, budget: Budget | None = None) -> Optimum | Approximation:
    """The exact optimum, or an approximation where the basis found is not exactly optimal. Raises LimitReached when the
    budget's time is over."""
    found = maximise_in_floats(program, budget or Budget())
    if budget is not None:
        budget.check_time()
    optimum = _from_basis(program, found.columns, found.tight)
    return optimum or Approximation(tuple(map(Fraction, found.primal)), tuple(map(Fraction, found.dual)))


def maximise_in_floats(
    program: LinearProgram, budget: Budget, tolerance: float = 1e-7, presolve: str = "choose"
) -> FloatOptimum:
    """The optimum that HiGHS finds. Raises LimitReached when the budget's time is over."""
    solver = load_into_highs(program)
    for option, value in (("solver", "simplex"), ("presolve", presolve), ("random_seed", 0)):
        solver.setOptionValue(option, value)
    for side in ("primal", "dual"):
        solver.setOptionValue(f"{side}_feasibility_tolerance", tolerance)
    if budget.seconds_left is not None:
        solver.setOptionValue("time_limit", max(LEAST_SECONDS, budget.seconds_left))
    status = solver.run()
    if status == type(status).kError:  # another part of this program has begun HiGHS with more threads: one of those
        solver.setOptionValue("threads", 0)
        solver.run()
    if (reached := solver.getModelStatus()) == type(reached).kTimeLimit:
        raise budget.out_of_time()
    basis, solution = solver.getBasis(), solver.getSolution()
    basic = type(basis.col_status[0]).kBasic
    return FloatOptimum(
        [j for j, status in enumerate(basis.col_status) if status == basic],
        [i for i, status in enumerate(basis.row_status) if status != basic],
        solution.col_value,
        [-y for y in solution.row_dual],
    )


def solve_basis(system: Sequence[Sequence[int]], found: FloatOptimum) -> tuple[Sequence[float], Sequence[float]]:
    """The weights of rows and columns at the basis of a table, at which its rows and columns pay the same, to the last
    digits of floating point; those that were found, if that basis is singular."""
    numpy: Any = importlib.import_module("numpy")
    dual, primal = numpy.zeros(len(system)), numpy.zeros(len(system[0]))
    basis = numpy.array(system, "float64")[numpy.ix_(found.tight, found.columns)]
    try:
        dual[found.tight] = numpy.linalg.solve(basis.T, numpy.ones(len(basis)))
        primal[found.columns] = numpy.linalg.solve(basis, numpy.ones(len(basis)))
    except (ValueError, numpy.linalg.LinAlgError):
        return found.dual, found.primal
    return dual.tolist(), primal.tolist()


def load_into_highs(program: LinearProgram) -> Any:
    """A HiGHS model that minimises minus the objective, on one thread and silently; HiGHS chooses the method."""
    highspy: Any = importlib.import_module("highspy")
    numpy: Any = importlib.import_module("numpy")  # comes with highspy
    infinity, rows = highspy.kHighsInf, program.rows
    count, entries = len(rows), sum(map(len, rows))
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = program.variables, count
    cost, lower = numpy.zeros(program.variables), numpy.full(count, -infinity)
    for j, c in program.objective.items():
        cost[j] = -float(c)
    upper = numpy.fromiter(map(float, program.bounds), "float64", count)
    for i in sorted(program.equalities):
        lower[i] = upper[i]
    model.col_cost_, model.row_lower_, model.row_upper_ = cost, lower, upper
    model.col_lower_, model.col_upper_ = numpy.zeros(program.variables), numpy.full(program.variables, infinity)
    matrix = model.a_matrix_
    matrix.format_, matrix.num_col_, matrix.num_row_ = highspy.MatrixFormat.kRowwise, program.variables, count
    matrix.start_ = numpy.fromiter(accumulate(map(len, rows), initial=0), "int32", count + 1)
    matrix.index_ = numpy.fromiter(chain.from_iterable(rows), "int32", entries)
    matrix.value_ = numpy.fromiter(map(float, chain.from_iterable(row.values() for row in rows)), "float64", entries)
    solver = highspy.Highs.__base__()  # Highs itself prints a banner (version 1.16)
    for option, value in (("output_flag", False), ("threads", 1), ("parallel", "off")):
        solver.setOptionValue(option, value)
    solver.passModel(model)
    return solver


def _from_basis(program: LinearProgram, columns: Sequence[int], tight: Sequence[int]) -> Optimum | None:
    """The exact solutions at a basis, if they exist and prove each other optimal; else None. `columns` are the basic
    variables, `tight` the rows that hold with equality."""
    chosen = frozenset(columns)
    rows: list[Equation] = []
    transposed: dict[int, dict[int, Number]] = {j: {} for j in columns}
    for i in tight:
        coefficients = {j: a for j, a in program.rows[i].items() if j in chosen}
        rows.append((coefficients, program.bounds[i]))
        for j, a in coefficients.items():
            transposed[j][i] = a
    x = solve_equations(rows)
    y = solve_equations([(transposed[j], program.objective.get(j, 0)) for j in columns])
    if x is None or y is None:
        return None
    primal = tuple(x.get(j, 0) for j in range(program.variables))
    dual = tuple(y.get(i, 0) for i in range(len(program.rows)))
    if not proves(program, primal, dual):
        return None
    value = sum((c * primal[j] for j, c in program.objective.items()), Fraction(0))
    return Optimum(exact(value), primal, dual)


def solve_equations(equations: Sequence[Equation]) -> Mapping[int, Number] | None:
    """The solution of a square sparse system, or None if there is no single one.

    Gauss's elimination in whole numbers. An unknown that occurs in one row only is found last, from that row, and needs
    no elimination. Of what is left the next pivot lies in a shortest row, in the column that occurs in fewest rows,
    which keeps sparse systems sparse (Markowitz 1957).
    """
    rows = [_clear_denominators(coefficients, right) for coefficients, right in equations]
    columns: dict[int, set[int]] = {}
    for r, (coefficients, _) in enumerate(rows):
        for j in coefficients:
            columns.setdefault(j, set()).add(r)
    order = _lone_pairs(rows, columns)
    used = {r for r, _ in order}
    queue = [(len(coefficients), r) for r, (coefficients, _) in enumerate(rows) if r not in used]
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
    return _substitute_back(rows, order)


def _clear_denominators(coefficients: Mapping[int, Number], right: Number) -> _Row:
    """An equation multiplied by the least number that makes its coefficients whole."""
    if isinstance(right, int) and all(isinstance(a, int) for a in coefficients.values()):
        return {j: int(a) for j, a in coefficients.items() if a}, right
    scale = lcm(right.denominator, *(a.denominator for a in coefficients.values()))
    return {j: int(a * scale) for j, a in coefficients.items() if a}, int(right * scale)


def _lone_pairs(rows: Sequence[_Row], columns: dict[int, set[int]]) -> list[tuple[int, int]]:
    """Pairs of a row and an unknown that occurs in no other remaining row, in the order in which they were taken; their
    rows are removed from `columns`."""
    order: list[tuple[int, int]] = []
    queue = [j for j, where in columns.items() if len(where) == 1]
    for column in queue:  # grows while it is walked
        if not columns[column]:
            continue
        (r,) = columns[column]
        order.append((r, column))
        for j in rows[r][0]:
            columns[j].discard(r)
            if len(columns[j]) == 1:
                queue.append(j)
    return order


def _eliminate(rows: list[_Row], columns: dict[int, set[int]], r: int, column: int) -> list[int]:
    """Take `column` out of every other row that is still to be used; returns these rows."""
    pivot, right = rows[r]
    for j in pivot:
        columns[j].discard(r)
    others = sorted(columns.pop(column))
    for other in others:
        row, value = rows[other]
        common = gcd(pivot[column], row[column])
        p, q = pivot[column] // common, row.pop(column) // common
        if p != 1:
            row = {j: a * p for j, a in row.items()}
        for j, a in pivot.items():
            if j == column:
                continue
            total = row.get(j, 0) - a * q
            if total:
                row[j] = total
                columns[j].add(other)
            else:
                del row[j]
                columns[j].discard(other)
        value = value * p - right * q
        divisor = gcd(value, *row.values()) if abs(p) != 1 else 1
        rows[other] = ({j: a // divisor for j, a in row.items()}, value // divisor) if divisor > 1 else (row, value)
    return others


def _substitute_back(rows: Sequence[_Row], order: Sequence[tuple[int, int]]) -> Mapping[int, Number]:
    solution: dict[int, Number] = {}
    for r, column in reversed(order):
        coefficients, right = rows[r]
        rest = right - sum(a * solution[j] for j, a in coefficients.items() if j != column and solution[j])
        solution[column] = exact(Fraction(rest) / coefficients[column]) if rest else 0
    return solution

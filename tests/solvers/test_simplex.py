"""Exact linear programming: every answer is proved by duality, and so is every refusal."""

import random
import subprocess
import sys
from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdl.errors import LimitReached
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria import highs
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram, Optimum, Unbounded, maximise, minimax, proves

PROGRAMS = {
    "two dishes": (LinearProgram(2, {0: 3, 1: 5}, [{0: 1}, {1: 2}, {0: 3, 1: 2}], [4, 12, 18]), 36, (2, 6)),
    "an equation": (
        LinearProgram(2, {0: 1, 1: 1}, [{0: 1, 1: 2}, {0: 1}], [4, 3], frozenset([0])),
        F(7, 2),
        (3, F(1, 2)),
    ),
    "a lower bound": (LinearProgram(1, {0: -1}, [{0: -1}], [-5]), -5, (5,)),
    "fractions": (LinearProgram(1, {0: F(2, 3)}, [{0: F(1, 7)}], [F(3, 5)]), F(14, 5), (F(21, 5),)),
    "nothing to gain": (LinearProgram(2, {}, [{0: 1, 1: 1}], [1]), 0, (0, 0)),
    "no rows": (LinearProgram(1, {0: -1}, [], []), 0, (0,)),
    "an equation twice": (LinearProgram(1, {0: 1}, [{0: 2}, {0: 2}], [6, 6], frozenset([0, 1])), 3, (3,)),
}


@pytest.mark.parametrize("program, value, primal", PROGRAMS.values(), ids=PROGRAMS)
def test_optima(program, value, primal):
    optimum = maximise(program)
    assert (optimum.value, optimum.primal) == (value, primal)
    assert proves(program, optimum.primal, optimum.dual)


def test_beale_does_not_cycle():
    """The example on which Dantzig's rule alone goes round for ever (Beale 1955)."""
    rows = [{0: F(1, 4), 1: -60, 2: F(-1, 25), 3: 9}, {0: F(1, 2), 1: -90, 2: F(-1, 50), 3: 3}, {2: 1}]
    program = LinearProgram(4, {0: F(3, 4), 1: -150, 2: F(1, 50), 3: -6}, rows, [0, 0, 1])
    assert maximise(program).value == F(1, 20)


def test_no_solution_and_no_end():
    with pytest.raises(Infeasible):
        maximise(LinearProgram(1, {0: 1}, [{0: 1}, {0: -1}], [1, -2]))
    with pytest.raises(Infeasible):
        maximise(LinearProgram(1, {0: 1}, [{}], [1], frozenset([0])))
    with pytest.raises(Unbounded):
        maximise(LinearProgram(2, {0: 1}, [{0: 1, 1: -1}], [1]))


def test_time_limit():
    with pytest.raises(LimitReached):
        maximise(PROGRAMS["two dishes"][0], Budget(time=-1))


def test_a_proof_can_fail():
    program = PROGRAMS["two dishes"][0]
    assert proves(program, (2, 6), (0, F(3, 2), 1))
    assert not proves(program, (2, 5), (0, F(3, 2), 1))  # worth less than the bound
    assert not proves(program, (4, 6), (0, F(3, 2), 1))  # outside the last row
    assert not proves(program, (2, 6), (9, 0, 0))  # no bound at all
    assert not proves(program, (-1, 6), (0, F(3, 2), 1))
    assert not proves(PROGRAMS["an equation"][0], (3, 0), (F(1, 2), F(1, 2)))


def programs(seed: int) -> LinearProgram:
    dice = random.Random(seed)
    variables, height = dice.randint(1, 5), dice.randint(1, 5)
    objective = {j: F(dice.randint(-4, 4), dice.randint(1, 3)) for j in range(variables)}
    rows = [
        {j: F(dice.randint(-3, 3), dice.randint(1, 2)) for j in range(variables) if dice.random() < 0.7}
        for _ in range(height)
    ]
    bounds = [dice.randint(-3, 5) for _ in rows]
    return LinearProgram(
        variables, objective, rows, bounds, frozenset(i for i in range(height) if dice.random() < 0.25)
    )


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 10**9).map(programs))
def test_every_outcome_has_its_proof(program):
    try:
        optimum = maximise(program)
    except Infeasible:
        maximise(farkas(program))  # raises if there is no such combination of rows
    except Unbounded:
        maximise(ray(program))
        maximise(LinearProgram(program.variables, {}, program.rows, program.bounds, program.equalities))
    else:
        assert proves(program, optimum.primal, optimum.dual)
        assert optimum.value == sum(c * optimum.primal[j] for j, c in program.objective.items())


def farkas(program: LinearProgram) -> LinearProgram:
    """A combination of the rows with no positive coefficient and a negative bound: 0 >= negative, so none fits all
    of them. A multiplier of an equality may be negative, so it has two variables."""
    height = len(program.rows)
    signs = [(i, 1) for i in range(height)] + [(i, -1) for i in sorted(program.equalities)]
    rows = [
        {k: -sign * program.rows[i].get(j, 0) for k, (i, sign) in enumerate(signs)} for j in range(program.variables)
    ]
    total = {k: sign * program.bounds[i] for k, (i, sign) in enumerate(signs)}
    return LinearProgram(len(signs), {}, [*rows, total], [0] * len(rows) + [-1], frozenset([len(rows)]))


def ray(program: LinearProgram) -> LinearProgram:
    """A direction that leaves no row and gains one."""
    rows = [*program.rows, dict(program.objective)]
    return LinearProgram(
        program.variables, {}, rows, [0] * len(program.rows) + [1], program.equalities | {len(program.rows)}
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=1, max_size=5))
def test_minimax_secures_the_value_from_both_sides(payoffs):
    value, row, column = minimax(payoffs)
    assert sum(row) == sum(column) == 1
    assert min(row) >= 0 <= min(column)
    assert min(sum(x * r[j] for x, r in zip(row, payoffs, strict=True)) for j in range(3)) == value
    assert max(sum(y * a for y, a in zip(column, r, strict=True)) for r in payoffs) == value


def test_square_systems():
    assert highs.solve_equations([({0: F(2), 1: F(1)}, F(5)), ({1: F(3)}, F(3))]) == {0: 2, 1: 1}
    assert highs.solve_equations([({0: F(1)}, F(5)), ({0: F(1)}, F(3))]) is None


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9))
def test_random_square_systems(seed):
    dice = random.Random(seed)
    size = dice.randint(1, 6)
    solution = [F(dice.randint(-5, 5), dice.randint(1, 4)) for _ in range(size)]
    rows = [{j: F(dice.choice([-2, -1, 1, 3])) for j in range(size) if dice.random() < 0.6} for _ in range(size)]
    found = highs.solve_equations([(dict(row), sum((a * solution[j] for j, a in row.items()), F(0))) for row in rows])
    if found is not None:
        assert [found[j] for j in range(size)] == solution


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9).map(programs))
def test_highs_finds_the_same_optimum(program):
    pytest.importorskip("highspy")
    try:
        optimum = maximise(program)
    except (Infeasible, Unbounded):
        return
    found = highs.maximise_large(program)
    assert isinstance(found, Optimum)
    assert found.value == optimum.value
    assert proves(program, found.primal, found.dual)


def test_a_program_that_highs_solves_is_solved_silently():
    """Nothing but the answer is printed: HiGHS writes past Python's own output."""
    pytest.importorskip("highspy")
    text = (
        "from gdl.solvers.equilibria.highs import maximise_large\n"
        "from gdl.solvers.equilibria.simplex import LinearProgram\n"
        "print(maximise_large(LinearProgram(1, {0: 1}, [{0: 1}], [5])).value)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "5\n"

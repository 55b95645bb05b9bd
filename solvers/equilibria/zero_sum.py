"""The value of a table of two players of constant sum: floating point finds a basis, exact arithmetic proves it.

1. Payoffs are made positive. The simplex method in floating point looks for the weights y, not yet scaled to sum to
   one, of the largest sum at which no row pays more than one; the weights x of the rows are the dual ones.
2. Whatever weights it has when it ends, or when time is over, scaled and in fractions, are mixtures. What each secures,
   exactly, encloses the value.
3. Of the basis only the rows and columns in it are kept. Both sides' weights there are computed in whole numbers, and
   count if they secure the same: then nothing depends on floating point.

Sources: Dantzig, A proof of the equivalence of the programming problem and the game problem, 1951; Koch, The final
NETLIB-LP results, 2004 (exact solutions from a basis).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple

from gdl.errors import LimitReached
from gdl.game import Game, Number, Simultaneous, Terminal, exact, require_number
from gdl.numbers import brief
from gdl.solution import Solution
from gdl.solvers.budget import Budget
from gdl.solvers.certificate import UNTIED
from gdl.solvers.equilibria import highs
from gdl.solvers.equilibria.simplex import LinearProgram, Matrix
from gdl.solvers.equilibria.tableau import FloatTableau, LostPath, Tableau, Whole, positive
from gdl.states.explore import moves

LARGE = 80  # plans of each, from which on HiGHS looks for the basis, where it is installed
LONGEST_SEARCH = 20  # pivots for each row and column, at most
GAINED = 1e-9  # what a variable that enters must gain at least
PARTS = 10**15  # of one, in which weights from floating point are rounded

Weights = list[int]  # of a mixture, in whole numbers


class OpponentsTable(NamedTuple):
    """The payoffs of the first of two players for each pair of plans, and what both get together."""

    payoffs: Matrix
    total: Number


class SecuredMixtures(NamedTuple):
    """A mixture of the rows, and the least that a column leaves it; a mixture of the columns, and the most that a row
    takes from it. They are optimal if both are the same. `value` is what they pay against each other, `replies` the
    number of rows that take the most."""

    row: tuple[Number, ...]
    low: Number
    column: tuple[Number, ...]
    high: Number
    value: Number
    replies: int


def table_of_opponents(game: Game[Any], budget: Budget) -> OpponentsTable | None:
    """The table of two players of constant sum who choose at once, whereupon play is over; else None. Raises
    LimitReached where the cells are too many to be listed, or for the time."""
    start = game.initial()
    node = game.node(start)
    if not isinstance(node, Simultaneous) or len(node.actions) != 2 or min(map(len, node.actions)) < 2:
        return None
    listed = game.promises.listed()
    paid = []
    for joint in moves(node):
        budget.check_time()
        vector = listed.get(joint)
        if vector is None:
            end = game.node(game.successor(start, joint))
            if not isinstance(end, Terminal):
                return None
            vector = end.utilities
        paid.append(tuple(map(require_number, vector)))
    width, totals = len(node.actions[1]), {exact(Fraction(sum(both))) for both in paid}
    rows = [[first for first, _ in paid[k : k + width]] for k in range(0, len(paid), width)]
    return OpponentsTable(rows, totals.pop()) if len(totals) == 1 else None


def solve_table(game: Game[Any], table: OpponentsTable, begun: Solution, budget: Budget) -> Solution | None:
    """The answer of a table of opponents, completed from `begun`: exact, or rounded where time is over before that is
    proved. None if floating point finds no basis that proves it."""
    close: list[SecuredMixtures] = []
    try:
        found = optimal_mixtures(table.payoffs, budget, close.append)
    except LimitReached as stop:
        best = min(close, key=lambda one: one.high - one.low, default=None)
        answer = begun if best is None else replace(_write_answer(game, table, best, begun), limit=str(stop))
        raise LimitReached(str(stop), answer) from None
    return None if found is None else _write_answer(game, table, found, begun)


def _write_answer(game: Game[Any], table: OpponentsTable, found: SecuredMixtures, begun: Solution) -> Solution:
    """The answer with these mixtures, what they pay, and what each player could gain by another plan."""
    start = game.initial()
    node = game.node(start)
    assert isinstance(node, Simultaneous)
    optimal = found.low == found.high
    value = found.value
    values, regret = (value, exact(table.total - value)), (exact(found.high - value), exact(value - found.low))
    best = (node.actions[0][found.row.index(1)],) if optimal and 1 in found.row else ()
    others = (UNTIED,) if best and found.replies > 1 else ()  # another row is as good against this column
    return replace(
        begun,
        exact=optimal,
        value=values,
        nodes=1 + (len(node.actions[1]) + 1) * len(node.actions[0]),
        traits=replace(game.traits, zero_sum=table.total == 0, constant_sum=table.total),
        best=best,
        strategy={
            player: {game.describe(start, p): dict(zip(node.actions[p], mix, strict=True))}
            for p, (player, mix) in enumerate(zip(game.players, (found.row, found.column), strict=True))
        },
        regret=regret,
        notes=(security_sentence(game.players, values, regret), *others),
    )


def security_sentence(players: Sequence[str], value: Sequence[Number], regret: Sequence[Number]) -> str:
    """A sentence on what the first of two players secures, and the second lets the first have."""
    first, second = players
    low, high = (brief(exact(end), "about ") for end in (value[0] - regret[1], value[0] + regret[0]))
    if not any(regret):
        return f"{first} secures {low} whatever {second} does, and {second} lets {first} have no more."
    return f"{first} secures {low}, and {second} lets {first} have no more than {high}: the value lies in between."


def optimal_mixtures(
    payoffs: Matrix, budget: Budget, tell: Callable[[SecuredMixtures], None] = lambda _: None
) -> SecuredMixtures | None:
    """The optimal mixtures of a table; None if floating point finds no basis that proves them. `tell` receives what
    floating point found. Raises LimitReached when time is over, after that."""
    system = positive(payoffs)
    if min(len(system), len(system[0])) >= LARGE and highs.is_installed():
        found = _by_highs(system, budget)
        for x, y in ((found.dual, found.primal), highs.solve_basis(system, found)):
            tell(_secured_by_weights(payoffs, system, _round(x), _round(y)))
        return prove_basis(payoffs, system, found.tight, found.columns, budget)
    tableau = FloatTableau(system)
    tableau.rows.append([-1.0] * tableau.size + [0.0])  # the gain of each variable that enters
    try:
        _maximise(tableau, budget)
    except LostPath:
        return None
    finally:
        x, y = _float_weights(tableau)
        if any(x) and any(y):
            tell(_secured_by_weights(payoffs, system, x, y))
    columns = sorted(variable for variable in tableau.under if variable < tableau.size)
    rows = sorted(variable - tableau.size for variable in tableau.over if variable >= tableau.size)
    return prove_basis(payoffs, system, rows, columns, budget)


def _by_highs(system: Whole, budget: Budget) -> highs.FloatOptimum:
    """The optimum that HiGHS finds of the program in which a row may pay as much as the greatest payoff."""
    size, most = len(system[0]), max(map(max, system))
    rows = [dict(enumerate(row)) for row in system]
    program = LinearProgram(size, dict.fromkeys(range(size), 1), rows, [most] * len(rows))
    return highs.maximise_in_floats(program, budget, tolerance=1e-10, presolve="off")


def _maximise(tableau: FloatTableau, budget: Budget) -> None:
    """Pivot until no variable that enters gains anything. Raises LostPath after too many pivots."""
    for _ in range(LONGEST_SEARCH * (tableau.size + len(tableau.under))):
        budget.check_time()
        *gains, _ = tableau.rows[-1]
        if min(gains) > -GAINED:
            return
        tableau.enter(tableau.over[gains.index(min(gains))])
    raise LostPath


def _float_weights(tableau: FloatTableau) -> tuple[Weights, Weights]:
    """The weights of the rows and of the columns at the tableau."""
    x, y = [0.0] * len(tableau.under), [0.0] * tableau.size
    for variable, gain in zip(tableau.over, tableau.rows[-1], strict=False):
        if variable >= tableau.size:
            x[variable - tableau.size] = gain
    for variable, row in zip(tableau.under, tableau.rows, strict=False):
        if variable < tableau.size:
            y[variable] = row[-1]
    return _round(x), _round(y)


def _round(weights: Sequence[float]) -> Weights:
    """The weights in whole numbers of the same proportions, nearly; what is negative counts as zero."""
    parts = PARTS / (max(weights) or 1.0)
    return [max(0, round(weight * parts)) for weight in weights]


def _secured_by_weights(payoffs: Matrix, system: Whole, x: Weights, y: Weights) -> SecuredMixtures:
    """The mixtures of these weights, with what they secure, computed in the whole numbers of the system."""
    pays = [sum(map(mul, y, row)) for row in system]
    low, high = min(sum(map(mul, x, column)) for column in zip(*system, strict=True)), max(pays)
    rows, columns = sum(x), sum(y)
    shift = min(map(min, payoffs)) - 1
    scale = system[0][0] / Fraction(payoffs[0][0] - shift)  # see `positive`
    return SecuredMixtures(
        tuple(exact(Fraction(w, rows)) for w in x),
        exact(low / (rows * scale) + shift),
        tuple(exact(Fraction(w, columns)) for w in y),
        exact(high / (columns * scale) + shift),
        exact(sum(map(mul, x, pays)) / (rows * columns * scale) + shift),
        pays.count(high),
    )


def prove_basis(
    payoffs: Matrix, system: Whole, rows: Sequence[int], columns: Sequence[int], budget: Budget
) -> SecuredMixtures | None:
    """The exact mixtures at a basis, if they are optimal; else None. Against them these rows and columns all pay one
    there."""
    if len(rows) != len(columns) or not rows:
        return None
    inner = Tableau.from_system([[system[i][j] for j in columns] for i in rows])
    for leaving in range(inner.size):
        budget.check_time()
        free = [c for c, variable in enumerate(inner.over) if variable < inner.size and inner.rows[leaving][c]]
        if not free:
            return None
        inner.pivot(leaving, free[0])
    sign = 1 if inner.det > 0 else -1
    x, y = [0] * len(payoffs), [0] * len(payoffs[0])
    for k, weight in enumerate(inner.weights()):
        y[columns[k]] = weight * sign
    for c, variable in enumerate(inner.over):
        x[rows[variable - inner.size]] = sum(row[c] for row in inner.rows) * sign
    found = _secured_by_weights(payoffs, system, x, y) if min(*x, *y) >= 0 else None
    return found if found is not None and found.low == found.high else None

"""Strategies that answer to errors and to mutants: quantal response and evolutionary stability, checked anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations
from math import exp
from operator import mul

from gdl.errors import DamagedData
from gdl.game import Terminal, require_number
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.correlated import plans_of
from gdl.solvers.verify.linear import Equation, solve
from gdl.solvers.verify.replies import Behaviour, chances, weigh_positions
from gdl.solvers.verify.verdict import Finding, Unchecked

CLOSE = 1e-9  # how near a probability is to what the equations say
MOST_PLANS = 12

Matrix = list[list[Fraction]]


def check_quantal(case: VerifierCase) -> Iterator[Finding]:
    """Every action is played in proportion to exp(lambda times what it pays)."""
    rate = case.claim.options.get("lambda_", 1.0)
    if isinstance(rate, bool) or not isinstance(rate, int | float) or rate < 0 or case.claim.residual is None:
        raise Unchecked("the answer does not say for which lambda it is, or how near it came")
    for profile in case.claim.equilibria:
        try:
            behaviour = case.behaviour(profile)
        except DamagedData as fault:
            yield Finding(False, ("equilibria",), f"the equilibrium: {fault}")
            return
        off = _residual(case, behaviour, float(rate))
        said = f"played in proportion to exp({rate:g} times what the actions pay), to {off:.1g}"
        yield Finding(off <= CLOSE, ("equilibria", "concept", "options"), said)
        told = case.claim.residual
        yield Finding(told >= 0 and abs(told - off) <= CLOSE, ("residual",), f"the residual is {off:.1g}")
    yield Finding(case.claim.exact is False, ("exact",), "it is in floating point by its own account")


def _residual(case: VerifierCase, behaviour: Behaviour, rate: float) -> float:
    """By how much the probabilities miss the equations at most."""
    positions = case.graph.positions
    rows = [[float(p) for p in chances(positions, behaviour, k)] for k in range(len(positions.nodes))]
    worth: list[list[float]] = [[] for _ in rows]
    for k in reversed(range(len(rows))):
        node = positions.nodes[k]
        if isinstance(node, Terminal):
            worth[k] = [float(require_number(u)) for u in node.utilities]
            continue
        ways = list(zip(rows[k], positions.successors[k], strict=True))
        worth[k] = [sum(p * worth[after][i] for p, after in ways) for i in range(len(case.game.players))]
    most = 0.0
    for player in range(len(case.game.players)):
        own = positions.sets_of(player)  # which the own actions before them make no more likely here than there
        certain = tuple((1,) * len(row or ()) if h in own else row for h, row in enumerate(behaviour))
        met = dict(weigh_positions(positions, certain))
        for found in (positions.information_sets[h] for h in own):
            reach = [float(met.get(m, 0)) for m in found.members]
            if not any(reach):
                raise Unchecked("an information set is reached too seldom to be weighed")
            after = [positions.successors[m] for m in found.members]
            columns = zip(*([worth[position][player] for position in some] for some in after), strict=True)
            pays = [sum(map(mul, reach, column)) / sum(reach) for column in columns]
            heights = [exp(rate * (payoff - max(pays))) for payoff in pays]
            played = rows[found.members[0]]
            most = max(most, *(abs(p - h / sum(heights)) for p, h in zip(played, heights, strict=True)))
    return most


# -- mutants -----------------------------------------------------------------------------------------------------------


def check_stable(case: VerifierCase) -> Iterator[Finding]:
    """Each strategy of the list resists every mutant, and no other does."""
    matrix = _symmetric(case)
    claimed = [_mixture(case, number) for number in range(len(case.claim.equilibria))]
    for mixture in claimed:
        if mixture is None or not _is_stable(matrix, mixture):
            yield Finding(False, ("equilibria", "concept"), "a strategy of the list is not evolutionarily stable")
            return
    yield Finding(True, ("equilibria", "concept"), "each of them resists every mutant")
    if case.claim.complete is not None:
        every = list(_candidates(matrix))
        missing = [one for one in every if _is_stable(matrix, one) and one not in claimed]
        ok = not missing if case.claim.complete else bool(missing)
        said = f"{len(missing)} stable ones are not listed" if missing else "there are no more"
        yield Finding(ok, ("complete",), said)


def _symmetric(case: VerifierCase) -> Matrix:
    table, sizes = plans_of(case).table, [len(own) for own in plans_of(case).of]
    if len(sizes) != 2 or sizes[0] != sizes[1] or any(v[0] != table[j, i][1] for (i, j), v in table.items()):
        raise DamagedData("the game is not symmetric")
    if sizes[0] > MOST_PLANS:
        raise Unchecked(f"mutants of more than {MOST_PLANS} plans are not tried")
    return [[Fraction(table[i, j][0]) for j in range(sizes[0])] for i in range(sizes[0])]


def _mixture(case: VerifierCase, number: int) -> list[Fraction] | None:
    """The mixture of plans that both play; None where they differ."""
    first, second = plans_of(case).mixes(case.behaviour(case.claim.equilibria[number]))
    return list(map(Fraction, first)) if first == second else None


def _candidates(matrix: Matrix) -> Iterator[list[Fraction]]:
    """For each set of plans the mixture that levels their payoffs; a stable one is alone in its set."""
    count = len(matrix)
    for size in range(1, count + 1):
        for support in combinations(range(count), size):
            level = _level([[matrix[i][j] for j in support] for i in support])
            if level is not None and min(level[:size]) > 0:
                weights = dict(zip(support, level, strict=False))
                yield [weights.get(i, Fraction(0)) for i in range(count)]


def _level(form: Matrix) -> list[Fraction] | None:
    """The only weights that sum to one for which all rows of the form are worth the same, and how much; None where
    there are none, or many."""
    size = len(form)
    level: list[Equation] = [(dict(enumerate([*row, Fraction(-1)])), 0) for row in form]
    found = solve([*level, (dict.fromkeys(range(size), 1), 1)])
    return None if found is None else [found[k] for k in range(size + 1)]


def _is_stable(matrix: Matrix, x: Sequence[Fraction]) -> bool:
    """Nothing pays more against x, and against each of its other best replies y, x pays more than y does. The worst y
    is a mixture that levels the loss on its support: on every set of best replies the loss has a lowest point, which is
    looked for where its slopes are all the same."""
    count = len(matrix)
    against = [sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0)) for row in matrix]
    most = max(against)
    if sum((a * b for a, b in zip(x, against, strict=True)), Fraction(0)) != most:
        return False
    replies = [i for i in range(count) if against[i] == most]
    inner = [i for i in replies if x[i]]
    for outer in chain.from_iterable(
        combinations([i for i in replies if not x[i]], k) for k in range(len(replies) - len(inner) + 1)
    ):
        if not _resists(matrix, inner, outer):
            return False
    return True


def _resists(matrix: Matrix, inner: Sequence[int], outer: Sequence[int]) -> bool:
    """True if -z A z > 0 for all z that sum to zero, are free in `inner` and all positive in `outer`, given that this
    holds with fewer of the outer ones: the form, the inner weights put where they make it least, is not at its lowest
    zero or below among positive weights of the outer ones."""
    base, *free = inner
    form = _loss(matrix, base, [*free, *outer])
    for _ in free:
        if form[0][0] <= 0:
            return False
        form = [[b - row[0] * a / form[0][0] for a, b in zip(form[0][1:], row[1:], strict=True)] for row in form[1:]]
    if not outer:
        return True
    size = len(outer)
    if size == 1:
        return form[0][0] > 0
    level = _level(form)  # at a lowest point among weights that sum to one, all slopes are equal
    if level is None:
        return True  # some direction changes nothing, and leads to where fewer are positive
    return min(level[:size]) <= 0 or level[size] > 0


def _loss(matrix: Matrix, base: int, others: Sequence[int]) -> Matrix:
    """The symmetric matrix of -z A z where the base makes up for the others."""
    a = matrix

    def entry(i: int, j: int) -> Fraction:
        return a[i][j] - a[i][base] - a[base][j] + a[base][base]

    return [[-(entry(i, j) + entry(j, i)) / 2 for j in others] for i in others]

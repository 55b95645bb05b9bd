"""Strategies that answer to errors and to mutants: quantal response and evolutionary stability, checked anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations
from math import exp, log
from operator import mul
from typing import Any

from gdl.errors import DamagedData
from gdl.game import Terminal, require_number
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.claim import read_amount
from gdl.wings.verify.linear import Equation, solve, weighted_sum
from gdl.wings.verify.plans import plans_of
from gdl.wings.verify.position_graph import Behaviour, InformationSet, fold
from gdl.wings.verify.replies import chances, weigh_positions
from gdl.wings.verify.verdict import Finding, Unchecked

MOST_TRIED = 60  # points of the curve at which the counts might be likelier
CORRECTIONS = 8  # steps of Newton's method for one of them
CLOSE = 1e-9  # how near a probability is to what the equations say
LEVEL = 1e-5  # of a fit: the greatest slope of the log-likelihood, times lambda, per count
NEARBY = 1e-3  # how far from it, as a share of lambda, its standard error is found, and to what share it is right
STEP = Fraction(1, 10**5)  # half the distance of differences that stand for derivatives
MOST_DERIVATIVES = 60  # the most probabilities whose derivatives are found
MOST_PLANS = 12

Matrix = list[list[Fraction]]


def check_quantal(case: VerifierCase) -> Iterator[Finding]:
    """The equilibrium is a quantal response equilibrium: every action is played in proportion to exp(lambda times its
    payoff)."""
    rate = _rate(case)
    if case.claim.residual is None:
        raise Unchecked("the answer does not say how near it came")
    for profile in case.claim.equilibria:
        behaviour = case.behaviour(profile)
        pairs = _unknowns(behaviour, _responses(case, behaviour, rate))
        off = max((abs(float(p) - right) for p, right in pairs), default=0.0)
        said = f"played in proportion to exp({rate:g} times what the actions pay), to {off:.1g}"
        yield Finding(off <= CLOSE, ("equilibria", "concept", "options"), said)
        told = case.claim.residual
        yield Finding(told >= 0 and abs(told - off) <= CLOSE, ("residual",), f"the residual is {off:.1g}")
    yield Finding(case.claim.exact is False, ("exact",), "it is in floating point by its own account")


def _rate(case: VerifierCase) -> float:
    rate = case.claim.data.get("fit", {}).get("lambda", case.claim.option("lambda", 1.0))
    if isinstance(rate, bool) or not isinstance(rate, int | float) or rate < 0:
        raise Unchecked("the answer does not say for which lambda it is")
    return float(rate)


def _unknowns(behaviour: Behaviour, others: Sequence[Sequence[Any]]) -> list[tuple[Any, Any]]:
    """Pairs of each probability of a behaviour and the number at its place in `others`, which has a row for each
    information set."""
    return [pair for row, own in zip(behaviour, others, strict=True) for pair in zip(row or (), own, strict=True)]


def _responses(case: VerifierCase, behaviour: Behaviour, rate: float) -> list[list[float]]:
    """For each information set the probabilities in proportion to exp(rate times what the actions pay against the
    behaviour)."""
    positions = case.graph.positions

    def worth_of(position: int, after: list[list[float]]) -> list[float]:
        node = positions.nodes[position]
        if isinstance(node, Terminal):
            return [float(require_number(u)) for u in node.utilities]
        row = [float(p) for p in chances(positions, behaviour, position)]
        return [sum(map(mul, row, column)) for column in zip(*after, strict=True)]

    worth = fold(positions, worth_of)
    answers: list[list[float]] = [[] for _ in behaviour]
    for player in range(len(case.game.players)):
        own = positions.sets_of(player)  # weighed without the own actions: these are remembered, so they do not matter
        certain = tuple((1,) * len(row or ()) if h in own else row for h, row in enumerate(behaviour))
        met = dict(weigh_positions(positions, certain))
        for h in own:
            members = positions.information_sets[h].members
            reach = [float(met.get(m, 0)) for m in members]
            if not any(reach):
                raise Unchecked("an information set is reached too seldom to be weighed")
            columns = zip(*([worth[after][player] for after in positions.successors[m]] for m in members), strict=True)
            pays = [sum(map(mul, reach, column)) / sum(reach) for column in columns]
            heights = [exp(rate * (payoff - max(pays))) for payoff in pays]
            answers[h] = [height / sum(heights) for height in heights]
    return answers


def check_fit(case: VerifierCase) -> Iterator[Finding]:
    """The stated likelihood of the counts of play is right, and along the curve they grow no likelier there: the
    derivatives of the probabilities by lambda solve linear equations."""
    told = case.claim.data.get("fit")
    if told is None:
        return
    positions, behaviour, rate = case.graph.positions, case.behaviour(case.claim.equilibria[0]), _rate(case)
    counted = [list(_count_row(found, told["counts"].get(positions.players[found.player], {})))
               for found in positions.information_sets]  # fmt: skip
    pairs = [(float(p), n) for p, n in _unknowns(behaviour, counted)]
    if any(n and not p for p, n in pairs):
        raise Unchecked("an action that was taken has no probability in floating point")
    likely = sum(n * log(p) for p, n in pairs if n)
    at_random = sum(n * -log(len(row)) for row in counted for n in row)
    fits = abs(likely - told["log_likelihood"]) <= CLOSE * max(1.0, abs(likely)) and likely >= at_random - CLOSE
    yield Finding(fits, ("fit",), f"the logarithm of the likelihood of the counts is {likely:.7g}")
    if len(pairs) > MOST_DERIVATIVES:
        raise Unchecked("there are too many probabilities to look for likelier ones nearby")
    counts, error = [n for _, n in pairs], told["standard_error"]
    curve = _Tangent(case, behaviour, rate)
    slope = curve.slope(counts)
    level = abs(slope) * rate <= LEVEL * sum(counts) if rate else slope <= LEVEL
    if slope > 0 and not level and error is None:
        raise Unchecked("the counts are likelier the greater lambda is")
    yield Finding(level, ("fit",), f"along the curve the counts grow no likelier at lambda {rate:.7g}")
    if rate:
        by = NEARBY * rate
        before, behind = (_Tangent(case, curve.neighbour(step), rate + step).slope(counts) for step in (-by, by))
        right = ((before - behind) / (2 * by)) ** -0.5 if before > behind else None
        same = error == right if error is None or right is None else abs(error - right) <= NEARBY * right
        yield Finding(same, ("fit",), f"the slopes beside it make the standard error {right and format(right, '.3g')}")
    yield from _check_elsewhere(case, counted, told["log_likelihood"], rate)


def _check_elsewhere(
    case: VerifierCase, counted: Sequence[Sequence[float]], told: float, rate: float
) -> Iterator[Finding]:
    """The counts are likelier at no point tried on the curve: from random play on by steps of lambda, along the tangent
    and then by Newton's method, as long as that leads to equilibria."""
    behaviour: Behaviour = tuple(tuple(Fraction(1, len(row)) for _ in row) for row in counted)
    at, tried = 0.0, 0
    with suppress(Unchecked):
        while tried < MOST_TRIED:
            step = max((rate or 1.0) / 20, at / 10)
            behaviour, at = _Tangent(case, behaviour, at).neighbour(step), at + step
            for _ in range(CORRECTIONS):
                behaviour = _Tangent(case, behaviour, at).neighbour(0.0)
                pairs = _unknowns(behaviour, _responses(case, behaviour, at))
                if found := all(p > 0 and abs(float(p) - right) <= CLOSE for p, right in pairs):
                    break
            if not found:
                break
            tried += 1
            likely = sum(n * log(p) for p, n in _unknowns(behaviour, counted) if n)
            if likely > told + LEVEL * max(1.0, abs(told)):
                yield Finding(False, ("fit",), f"on the curve at lambda {at:.4g} the counts are likelier")
                return
    if tried:
        said = f"the counts are likelier at none of {tried} points of the curve, from random play to lambda {at:.3g}"
        yield Finding(True, ("fit",), said)
    yield Finding(None, ("fit",), "that no lambda beyond or between these does is not checked")


def _count_row(found: InformationSet, sets: Mapping[str, Any]) -> Iterator[float]:
    """The number of times that each action of a set was taken. In a matrix the counts have no level of information
    sets."""
    row = sets.get(found.name, sets)
    return (float(read_amount(row.get(action, 0), "fit")) for action in found.actions)


class _Tangent:
    """The curve of quantal equilibria near one of them, by the derivatives of the equations."""

    def __init__(self, case: VerifierCase, behaviour: Behaviour, rate: float):
        self.case, self.behaviour, self.rate = case, behaviour, rate
        flat = [(h, k) for h, row in enumerate(behaviour) for k in range(len(row or ()))]
        columns = []
        for h, k in flat:
            moved = [tuple(p + sign * STEP * (j == k) for j, p in enumerate(behaviour[h] or ())) for sign in (1, -1)]
            columns.append(self._differences([((*behaviour[:h], row, *behaviour[h + 1 :]), rate) for row in moved]))
        size = range(len(flat))
        self.rows = [{j: Fraction(i == j) - columns[j][i] for j in size} for i in size]
        by_rate = self._differences([(behaviour, rate + float(STEP) * sign) for sign in (1, -1)])
        self.turns = self._solve(by_rate)  # the derivatives of the probabilities by lambda

    def slope(self, counts: Sequence[float]) -> float:
        """The derivative by lambda of the logarithm of the likelihood."""
        found = [float(p) for row in self.behaviour for p in row or ()]
        return sum(n / p * float(turn) for n, p, turn in zip(counts, found, self.turns, strict=True) if n)

    def neighbour(self, step: float) -> Behaviour:
        """The equilibrium at a slightly different lambda: along the tangent, then one step of Newton's method."""
        there = self._add_steps(self.behaviour, [turn * Fraction(step) for turn in self.turns])
        lacks = [a - p for row, at in zip(_responses(self.case, there, self.rate + step), there, strict=True)
                 for a, p in zip(map(Fraction, row), at or (), strict=True)]  # fmt: skip
        return self._add_steps(there, self._solve(lacks))

    def _add_steps(self, behaviour: Behaviour, steps: Sequence[Fraction]) -> Behaviour:
        """The behaviour after these steps, with probabilities of twelve digits."""
        left = iter(steps)
        return tuple(
            row and tuple(Fraction(round((p + next(left)) * 10**12), 10**12) for p in row) for row in behaviour
        )

    def _differences(self, ends: Sequence[tuple[Behaviour, float]]) -> list[Fraction]:
        """The derivatives of the responses between two points, 2 STEP apart."""
        high, low = ([p for row in _responses(self.case, *end) for p in row] for end in ends)
        return [Fraction(round((b - a) / (2 * float(STEP)) * 10**12), 10**12) for a, b in zip(low, high, strict=True)]

    def _solve(self, right: Sequence[Fraction]) -> list[Fraction]:
        equations: list[Equation] = list(zip(self.rows, right, strict=True))
        solution = solve(equations)
        if solution is None:
            raise Unchecked("the curve turns back at this lambda")
        return [Fraction(solution[i]) for i in range(len(right))]


# -- mutants -----------------------------------------------------------------------------------------------------------


def check_stable(case: VerifierCase) -> Iterator[Finding]:
    """Each strategy in the list is evolutionarily stable, and the list is complete just if it says so."""
    matrix = _symmetric_payoffs(case)
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


def _symmetric_payoffs(case: VerifierCase) -> Matrix:
    plans = plans_of(case)
    if len(plans.of) != 2 or plans.pays(0) != plans.pays(1):
        raise DamagedData("the game is not symmetric")
    if len(plans.of[0]) > MOST_PLANS:
        raise Unchecked(f"mutants of more than {MOST_PLANS} plans are not tried")
    return [list(map(Fraction, row)) for row in plans.pays(0)]


def _mixture(case: VerifierCase, number: int) -> list[Fraction] | None:
    """The mixture of plans that both players have in equilibrium `number`; None if they differ."""
    first, second = plans_of(case).mixes(case.behaviour(case.claim.equilibria[number]))
    return list(map(Fraction, first)) if first == second else None


def _candidates(matrix: Matrix) -> Iterator[list[Fraction]]:
    """For each set of plans the only mixture of all of them that makes their payoffs equal, if there is one. No other
    mixture of a set can be stable."""
    count = len(matrix)
    for size in range(1, count + 1):
        for support in combinations(range(count), size):
            level = _level([[matrix[i][j] for j in support] for i in support])
            if level is not None and min(level[:size]) > 0:
                weights = dict(zip(support, level, strict=False))
                yield [weights.get(i, Fraction(0)) for i in range(count)]


def _level(form: Matrix) -> list[Fraction] | None:
    """The only weights, summing to one, that give all rows of the form the same value, and then that value; None if
    there are none, or more than one."""
    size = len(form)
    level: list[Equation] = [(dict(enumerate([*row, Fraction(-1)])), 0) for row in form]
    found = solve([*level, (dict.fromkeys(range(size), 1), 1)])
    return None if found is None else [found[k] for k in range(size + 1)]


def _is_stable(matrix: Matrix, x: Sequence[Fraction]) -> bool:
    """True if the mixture x is evolutionarily stable: nothing pays more against x, and x pays more against each other
    best reply y than y does. It is enough to look, on every set of best replies, at the point where the loss by y is
    least, which makes all slopes the same."""
    count = len(matrix)
    against = [weighted_sum(row, x) for row in matrix]
    most = max(against)
    if weighted_sum(x, against) != most:
        return False
    replies = [i for i in range(count) if against[i] == most]
    inner, unused = [i for i in replies if x[i]], [i for i in replies if not x[i]]
    return all(_resists(matrix, inner, outer) for k in range(len(unused) + 1) for outer in combinations(unused, k))


def _resists(matrix: Matrix, inner: Sequence[int], outer: Sequence[int]) -> bool:
    """True if -z A z > 0 for all z other than 0 that sum to zero, with any numbers in `inner` and only positive ones in
    `outer`, if this holds already with fewer in `outer`. The inner numbers are eliminated where they make the form
    least; the rest must be above 0 at its lowest point among positive numbers of `outer`."""
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
    """The symmetric matrix of -z A z in the numbers of `others`; the number of `base` is the negative of their sum."""
    a = matrix

    def entry(i: int, j: int) -> Fraction:
        return a[i][j] - a[i][base] - a[base][j] + a[base][base]

    return [[-(entry(i, j) + entry(j, i)) / 2 for j in others] for i in others]

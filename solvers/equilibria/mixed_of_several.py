"""Mixed equilibria of three players or more, in strategic form.

1. For each choice of a support per player (small ones first; none so large that the others could not make its player
   indifferent), leaving out those with a plan that is worse than another of its player's against all of them: whoever
   mixes must be paid the same by each plan of their support: a system of polynomial equations.
2. Two who mix: the equations are linear, and solved exactly.
3. Three who mix two plans each: two of the unknowns are quotients of linear terms in the third, which solves a
   quadratic equation. Its roots are exact: fractions, or the roots of a whole polynomial in an interval.
4. Others: Newton's method from some points of the support. A solution is replaced by fractions of few digits if these
   solve the equations exactly; otherwise it is refined in long fractions, and labelled.
5. Where there are many supports, the small ones are looked at, and the global Newton method is followed along some rays
   (`newton_paths`): what it meets gives a support and a point for 4.
6. Every candidate is judged, exactly: no regret, or where numbers are refined less than one in 10^12.

Sources: Dickhaut and Kaplan 1991 (supports); McKelvey and McLennan, Computation of equilibria in finite games, Handbook
of Computational Economics 1, 1996; Porter, Nudelman and Shoham 2008 (what can be left out).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, islice, product
from math import prod
from operator import mul
from typing import Any

from gdl.game import Number, exact
from gdl.solution import Root
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.dominance import unbeaten_plans
from gdl.solvers.equilibria.elimination import levelling, only_solution
from gdl.solvers.equilibria.logit import linear
from gdl.solvers.equilibria.newton_paths import follow_rays, partials
from gdl.solvers.equilibria.polynomials import complementary_root, polynomial, roots_between
from gdl.solvers.equilibria.strategic_form import Mix, Some, StrategicForm

MOST_SUPPORTS = 4_000  # combinations of supports that are looked at, small ones first
MOST_PRODUCT = 300  # cells of the supports, for Newton's method
SAME = 1e-7  # profiles whose probabilities all differ by less count as one
STARTS = 3  # points of a support from which Newton's method begins
ROUNDS = 12  # of Newton's method, which converges soon or not at all
DIGITS = 30  # of refined solutions
NEAR, WIDE = Fraction(1, 10**DIGITS), 10**15  # how far below a root its interval begins; its width is 2 / WIDE
SMALL_DENOMINATOR = 1_000  # the greatest denominator of fractions that are tried

Weights = list[dict[int, Fraction]]  # for each player, plan -> probability


@dataclass(frozen=True)
class MixtureProfile:
    """A mixture for each player. Unless `is_exact`, irrational probabilities are only approximated; `roots` says what
    they are exactly, where that is known: player -> plan -> root."""

    mixes: tuple[Mix, ...]
    is_exact: bool = True
    roots: Mapping[int, Mapping[int, Root]] = field(default_factory=dict)

    @property
    def is_pure(self) -> bool:
        return not any(0 < weight < 1 for mix in self.mixes for weight in mix)


def count_supports(alive: Some) -> int:
    """The number of combinations of supports."""
    return prod((1 << len(plans)) - 1 for plans in alive)


def small_supports(alive: Some) -> Iterator[Some]:
    """The combinations of supports to try, small ones first, MOST_SUPPORTS at most."""
    every = (
        support
        for total in range(len(alive), sum(map(len, alive)) + 1)
        for sizes in product(*(range(1, min(len(plans), total - len(alive) + 1) + 1) for plans in alive))
        if sum(sizes) == total
        for support in product(*(combinations(p, size) for p, size in zip(alive, sizes, strict=True)))
    )
    return islice(every, MOST_SUPPORTS)


def candidates(form: StrategicForm, alive: Some, budget: Budget) -> Iterator[MixtureProfile]:
    """Mixtures that make everybody indifferent within their support, for supports in which at least two players mix.
    They may still be no equilibria."""
    for support in small_supports(alive):
        budget.check_time()
        mixing = [p for p, own in enumerate(support) if len(own) > 1]
        free = sum(len(own) - 1 for own in support)
        if len(mixing) < 2 or any(len(support[p]) - 1 > free - (len(support[p]) - 1) for p in mixing):
            continue
        if any(unbeaten_plans(form, support, p) != support[p] for p in form.players):
            continue
        yield from _solve_support(form, support, mixing)


def _solve_support(form: StrategicForm, support: Some, mixing: Sequence[int]) -> Iterator[MixtureProfile]:
    if len(mixing) == 2:
        found = _of_two(form, support, mixing)
        if found is not None:
            yield MixtureProfile(_mixes(form, found))
        return
    if len(mixing) == 3 and all(len(support[p]) == 2 for p in mixing):
        exactly = list(_of_three(form, support, mixing))
        yield from exactly
        if exactly:
            return
    if prod(map(len, support)) <= MOST_PRODUCT:
        yield from _by_newton(form, support, mixing)


def _mixes(form: StrategicForm, weights: Weights) -> tuple[Mix, ...]:
    return tuple(
        tuple(exact(own.get(k, Fraction(0))) for k in range(len(plans)))
        for own, plans in zip(weights, form.plans, strict=True)
    )


def _pure_weights(support: Some) -> Weights:
    return [{own[0]: Fraction(1)} if len(own) == 1 else {} for own in support]


# -- two who mix -------------------------------------------------------------------------------------------------------


def _of_two(form: StrategicForm, support: Some, mixing: Sequence[int]) -> Weights | None:
    """The weights by which each of two mixing players makes the other indifferent, everyone else playing one plan; None
    if there are no such positive weights, or many."""
    first, second = mixing
    if len(support[first]) != len(support[second]):
        return None
    weights = _pure_weights(support)
    for player, other in ((first, second), (second, first)):
        replies = support[other]
        pays = [
            [_payoff_of(form, support, {player: k, other: reply}, player) for reply in replies] for k in support[player]
        ]
        found = levelling(pays)
        if found is None or min(found) <= 0:
            return None
        weights[other] = dict(zip(replies, found, strict=True))
    return weights


def _payoff_of(form: StrategicForm, support: Some, chosen: Mapping[int, int], player: int) -> Number:
    return form.payoffs[tuple(chosen.get(p, own[0]) for p, own in enumerate(support))][player]


# -- three who mix two plans each --------------------------------------------------------------------------------------


_Point = tuple[Fraction, Root | None]  # a fraction; or one close to a root, and that root


def _of_three(form: StrategicForm, support: Some, mixing: Sequence[int]) -> Iterator[MixtureProfile]:
    """The profiles that make three players indifferent who mix two plans each. Each player's chance of the second plan
    solves a quadratic equation; all triples of roots are tried."""
    terms = [_indifference(form, support, mixing, k) for k in range(3)]
    points = []
    for k in range(3):
        one, two, three = (terms[(k + step) % 3] for step in range(3))
        # one: (1, y, z, yz) = 0 of the player themself; two: in (z, x); three: in (x, y)
        r = ((two[0], two[2]), (two[1], two[3]))  # z = -(r00 + r01 x) / (r10 + r11 x)
        q = ((three[0], three[1]), (three[2], three[3]))  # y = -(q00 + q01 x) / (q10 + q11 x)
        quadratic = [Fraction(0)] * 3
        for factor, a, b in ((one[0], r[1], q[1]), (-one[1], q[0], r[1]), (-one[2], r[0], q[1]), (one[3], q[0], r[0])):
            for i in range(2):
                for j in range(2):
                    quadratic[i + j] += factor * a[i] * b[j]
        points.append(_roots(quadratic))
    for triple in product(*points):
        close = any(root is not None for _, root in triple)
        if all(_is_zero(terms[k], triple[(k + 1) % 3][0], triple[(k + 2) % 3][0], close) for k in range(3)):
            weights = _pure_weights(support)
            roots: dict[int, dict[int, Root]] = {}
            for p, (at, root) in zip(mixing, triple, strict=True):
                weights[p] = {support[p][0]: 1 - at, support[p][1]: at}
                if root is not None:
                    roots[p] = {support[p][0]: complementary_root(root), support[p][1]: root}
            yield MixtureProfile(_mixes(form, weights), not close, roots)


def _indifference(form: StrategicForm, support: Some, mixing: Sequence[int], k: int) -> tuple[Fraction, ...]:
    """The payoff of the second plan of the k-th mixing player less that of the first, as c0 + c1 y + c2 z + c3 y z,
    where y and z are the chances of the second plans of the next two mixing players."""
    player, after, last = (mixing[(k + step) % 3] for step in range(3))

    def payoff_gain(y: int, z: int) -> Fraction:
        others = {after: support[after][y], last: support[last][z]}
        pays = [_payoff_of(form, support, {**others, player: plan}, player) for plan in support[player]]
        return Fraction(pays[1] - pays[0])

    c0, c1, c2 = payoff_gain(0, 0), payoff_gain(1, 0) - payoff_gain(0, 0), payoff_gain(0, 1) - payoff_gain(0, 0)
    return c0, c1, c2, payoff_gain(1, 1) - c0 - c1 - c2


def _is_zero(c: Sequence[Fraction], y: Fraction, z: Fraction, close: bool) -> bool:
    found = c[0] + c[1] * y + c[2] * z + c[3] * y * z
    return abs(found) * 10**15 < 1 if close else not found


def _roots(quadratic: Sequence[Fraction]) -> list[_Point]:
    """The roots of c0 + c1 x + c2 x^2 between zero and one, both excluded, that with the minus sign in the formula
    first; none if all coefficients are zero."""
    found: list[_Point] = []
    for at, root in roots_between(polynomial(quadratic)):
        if root is not None:
            middle = Fraction(root.low + root.high) / 2
            at, low = Fraction(round(middle * 10**DIGITS), 10**DIGITS), Fraction(int((middle - NEAR) * WIDE), WIDE)
            root = Root(root.polynomial, low, low + Fraction(2, WIDE))
        found.append((at, root))
    return found[:: -1 if quadratic[2] < 0 else 1]


# -- along paths -------------------------------------------------------------------------------------------------------


def path_mixtures(form: StrategicForm, rays: int, budget: Budget) -> Iterator[MixtureProfile]:
    """The equilibria that the paths of this number of rays meet, each once, refined like those of supports."""
    met: list[dict[tuple[int, int], float]] = []
    for found in follow_rays(form, rays, budget):
        pairs = ((p, own, found.weights[p]) for p, own in enumerate(found.support))
        weights = {(p, plan): w for p, own, row in pairs for plan, w in zip(own, row, strict=True) if w > SAME}
        if any(all(abs(weights.get(at, 0.0) - one.get(at, 0.0)) < SAME for at in weights | one) for one in met):
            continue
        met.append(weights)
        support = tuple(tuple(plan for plan in own if (p, plan) in weights) for p, own in enumerate(found.support))
        yield from _refine(form, support, weights)


def _refine(form: StrategicForm, support: Some, weights: Mapping[tuple[int, int], float]) -> Iterator[MixtureProfile]:
    """The equilibria on a support near a point of it. Where the equations have many solutions, as on the edges of a
    degenerate game, the point itself is taken, in small fractions."""
    mixing = [p for p, own in enumerate(support) if len(own) > 1]
    if not mixing:
        yield MixtureProfile(_mixes(form, _pure_weights(support)))
        return
    exactly = len(mixing) == 2 or (len(mixing) == 3 and all(len(support[p]) == 2 for p in mixing))
    solved = list(_solve_support(form, support, mixing)) if exactly else []
    if not solved:
        system = _System(form, support, mixing)
        point = [weights[p, plan] for p in mixing for plan in support[p][1:]]
        refined = system.newton(point) if len(mixing) > 1 else None
        mixed = None if refined is None else system.fractions(refined)
        solved = [mixed or system.mixture_profile(_small_fractions(point), True)]
    yield from solved


# -- others ------------------------------------------------------------------------------------------------------------


def _by_newton(form: StrategicForm, support: Some, mixing: Sequence[int]) -> Iterator[MixtureProfile]:
    """The profiles that Newton's method finds from the middle of the support, and from some points at random."""
    system = _System(form, support, mixing)
    dice = random.Random(0)
    met: list[list[float]] = []
    for start in range(STARTS):
        point = system.start(None if start == 0 else dice)
        found = system.newton(point)
        if found is None or any(max(abs(a - b) for a, b in zip(found, one, strict=True)) < 1e-7 for one in met):
            continue
        met.append(found)
        mixed = system.fractions(found)
        if mixed is not None:
            yield mixed


class _System:
    """The equations of a support: each further plan pays its player as much as the first. A point is the weights of
    the further plans of all mixing players."""

    def __init__(self, form: StrategicForm, support: Some, mixing: Sequence[int]):
        self.form, self.support, self.mixing = form, support, mixing
        self.more: list[tuple[int, list[Number]]] = []  # the player, and what a plan pays more, by the others' plans
        for p in mixing:
            others = [q for q in mixing if q != p]
            cells = [dict(zip(others, cell, strict=True)) for cell in product(*(support[q] for q in others))]
            first, *further = ([_payoff_of(form, support, {**cell, p: k}, p) for cell in cells] for k in support[p])
            self.more += [(p, [a - b for a, b in zip(pays, first, strict=True)]) for pays in further]
        self.close = [(p, list(map(float, pays))) for p, pays in self.more]

    def start(self, dice: random.Random | None) -> list[float]:
        point: list[float] = []
        for p in self.mixing:
            weights = [1.0 if dice is None else dice.random() + 0.05 for _ in self.support[p]]
            point += [w / sum(weights) for w in weights[1:]]
        return point

    def weights(self, point: Sequence[Any]) -> dict[int, list[Any]]:
        """The weights of all plans at a point, by mixing player."""
        left = iter(point)
        found = {p: [next(left) for _ in self.support[p][1:]] for p in self.mixing}
        return {p: [1 - sum(further), *further] for p, further in found.items()}

    def equations(self, point: Sequence[Any], more: Sequence[tuple[int, Sequence[Any]]]) -> list[list[Any]]:
        """The derivatives of each equation, and last what it lacks, which is zero in an equilibrium."""
        weights = self.weights(point)
        rows = []
        for p, pays in more:
            others = [q for q in self.mixing if q != p]
            parts = dict(zip(others, partials(pays, [weights[q] for q in others]), strict=True))
            by = [part - parts[q][0] if q in parts else 0 for q in self.mixing for part in parts.get(q, weights[q])[1:]]
            rows.append([*by, -sum(map(mul, parts[others[0]], weights[others[0]]))])
        return rows

    def newton(self, point: list[float]) -> list[float] | None:
        """The solution with positive weights that Newton's method finds from a point; None if it finds none."""
        for _ in range(ROUNDS):
            step = linear(self.equations(point, self.close))
            if step is None or not all(abs(x) < 1e9 for x in step):
                return None
            point = [a + b for a, b in zip(point, step, strict=True)]
            if max(map(abs, step)) < 1e-12:
                break
        else:
            return None
        return point if min(map(min, self.weights(point).values())) > 1e-9 else None

    def fractions(self, point: Sequence[float]) -> MixtureProfile | None:
        """The profile of a point in fractions: exact if small fractions solve the equations, else refined to DIGITS
        digits; None if refining fails."""
        simple = _small_fractions(point)
        if not any(row[-1] for row in self.equations(simple, self.more)):
            return self.mixture_profile(simple, True)
        close = [Fraction(x) for x in point]
        for _ in range(3):
            step = only_solution(self.equations(close, self.more))
            if step is None:
                return None
            close = [Fraction(round((a + b) * 10**DIGITS), 10**DIGITS) for a, b in zip(close, step, strict=True)]
        return self.mixture_profile(close, False)

    def mixture_profile(self, point: Sequence[Fraction], is_exact: bool) -> MixtureProfile:
        weights = _pure_weights(self.support)
        for p, own in self.weights(point).items():
            weights[p] = dict(zip(self.support[p], own, strict=True))
        return MixtureProfile(_mixes(self.form, weights), is_exact)


def _small_fractions(point: Sequence[float]) -> list[Fraction]:
    return [Fraction(x).limit_denominator(SMALL_DENOMINATOR) for x in point]

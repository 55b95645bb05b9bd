"""Exact expectations in a Markov chain: the linear equations x = constant + sum of weights times other unknowns.

State by state, an unknown is expressed by the others and put into their equations (Gaussian elimination; for Markov
chains also called state reduction). The next unknown is the one whose removal makes fewest new entries (Markowitz
1957), which keeps sparse equations sparse.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heappush

from gdl.game import Number


class Equation:
    """The equation x = constant + sum of weights[y] * y. Weights are not negative; the weights of a transient state sum
    to one at most."""

    __slots__ = ("constant", "weights")

    def __init__(self, constant: Number, weights: dict[int, Number]):
        self.constant = Fraction(constant)
        self.weights = weights


def solve(equations: dict[int, Equation]) -> dict[int, Fraction]:
    """The unknowns, exactly. The equations are used up. Raises ZeroDivisionError where they have no single solution."""
    users: dict[int, dict[int, None]] = {unknown: {} for unknown in equations}
    for unknown, equation in equations.items():
        for other in equation.weights:
            users[other][unknown] = None
    place = {unknown: k for k, unknown in enumerate(equations)}  # decides ties

    def entry(unknown: int) -> tuple[int, int, int]:
        return len(equations[unknown].weights) * len(users[unknown]), place[unknown], unknown

    waiting = [*map(entry, equations)]
    heapify(waiting)
    order = []
    while waiting:
        first = heappop(waiting)
        unknown = first[-1]
        if unknown in users and first == entry(unknown):  # else it is done, or stands elsewhere in the heap by now
            order.append(unknown)
            for other in _eliminate(unknown, equations, users):
                heappush(waiting, entry(other))
    values: dict[int, Fraction] = {}
    for unknown in reversed(order):
        equation = equations[unknown]
        values[unknown] = equation.constant + sum((w * values[o] for o, w in equation.weights.items()), Fraction(0))
    return values


def _eliminate(unknown: int, equations: dict[int, Equation], users: dict[int, dict[int, None]]) -> set[int]:
    """Solve the unknown's equation for it, and put it into the equations that use it. Returns the unknowns whose number
    of entries may have changed."""
    equation = equations[unknown]
    own = equation.weights.pop(unknown, 0)
    if own:
        scale = 1 / Fraction(1 - own)
        equation.constant *= scale
        equation.weights = {other: weight * scale for other, weight in equation.weights.items()}
    for other in equation.weights:
        users[other].pop(unknown, None)
    using_it = users.pop(unknown).keys() - {unknown}
    for user in using_it:
        using = equations[user]
        share = using.weights.pop(unknown)
        using.constant += share * equation.constant
        for other, weight in equation.weights.items():
            using.weights[other] = using.weights.get(other, 0) + share * weight
            users[other][user] = None
    return using_it | equation.weights.keys()

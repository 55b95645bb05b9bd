"""Gain and bias, held to the definition: the best of all choices of actions where later gains count a little less."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random

from together import together

from gdl.solvers.cyclic.gain_and_bias import GainAndBias, Way
from gdl.states.linear import Equation, solve

S = Fraction(1, 2**40)  # what a gain loses of its weight with every move


def processes(seed: int) -> tuple[dict[int, list[Way]], dict[int, bool], set[int], int]:
    """Random ways, movers, chances and a price. The last position is an end; chance never leads to chance."""
    draw = Random(seed)
    size = draw.choice([3, 4, 5])
    chances = {n for n in range(1, size - 1) if draw.random() < 0.3}
    ways: dict[int, list[Way]] = {size - 1: [(draw.randint(-2, 2), [])]}
    for n in range(size - 1):
        others = [m for m in range(size) if m not in chances] if n in chances else list(range(size))
        gains = draw.choice([[0], [-1, 0], [-1, 0, 1]])
        if n in chances:
            one, other = draw.choice(others), draw.choice(others)
            ways[n] = [(0, [(Fraction(1, 2), one), (Fraction(1, 2), other)] if one != other else [(1, one)])]
        else:
            ways[n] = [(draw.choice(gains), [(1, draw.choice(others))]) for _ in range(draw.choice([1, 2, 2]))]
    acting = {n: draw.random() < 0.6 for n in range(size - 1) if n not in chances}
    return ways, acting, chances, draw.randint(-2, 2)


def paid(taken: dict[int, Way], chances: set[int], price: int) -> Fraction:
    """The payment of play from position 0, if a move makes what follows count less by S, and S of the price is paid."""
    equations = {}
    for n, (gain, leads) in taken.items():
        constant, weights = Fraction(gain), dict[int, Fraction]()
        for w, m in leads:
            weights[m] = weights.get(m, Fraction(0)) + w * (1 if m in chances else 1 - S)
            constant += 0 if m in chances else w * S * price
        equations[n] = Equation(constant, weights)  # type: ignore[arg-type]
    return solve(equations)[0]


def by_the_definition(ways: dict[int, list[Way]], acting: dict[int, bool], chances: set[int], price: int) -> Fraction:
    """The best that MAX can do against every answer of MIN, by trying all choices."""

    def choices(side: bool) -> Sequence[dict[int, int]]:
        own = [n for n in acting if acting[n] is side]
        return [dict(zip(own, picked, strict=True)) for picked in product(*(range(len(ways[n])) for n in own))]

    def play(one: dict[int, int]) -> Fraction:
        return paid({n: own[one.get(n, 0)] for n, own in ways.items()}, chances, price)

    return max(min(play({**mine, **yours}) for yours in choices(False)) for mine in choices(True))


@together(range(60))
def test_gain_and_bias_are_those_of_gains_that_count_a_little_less(seed: int):
    ways, acting, chances, price = processes(seed)
    found = GainAndBias(ways, acting, {n: int(n not in chances) for n in ways}, 0, lambda: None)
    found.improve(price)
    gain, bias = found.values[0][:2]
    assert abs(by_the_definition(ways, acting, chances, price) - gain / S - bias) < Fraction(1, 10**6)

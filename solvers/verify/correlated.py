"""Correlated plans: does everyone follow what is drawn, and does no other such draw pay more?

That nobody gains by leaving the plans is added up from the table. That no other distribution is better is proved by the
dual of the linear program: prices of the deviations, at which no combination of plans is worth more than the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from gdl.game import Number, exact
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.linear import greatest_mean
from gdl.solvers.verify.numbers import amounts, same_all
from gdl.solvers.verify.plans import VerifierPlans
from gdl.solvers.verify.verdict import Finding, Misfit, Unchecked

COARSE = "coarse-correlated"
LARGEST_PROGRAM = 40_000  # the most coefficients of a linear program

Cell = tuple[int, ...]
Drawn = dict[Cell, Fraction]
Deviation = tuple[int, int | None, int]  # a player, the plan that is recommended (None: any), and the one played


def plans_of(case: VerifierCase) -> VerifierPlans:
    """The plans of all players, found once. Raises Unchecked if positions can come again."""
    if case.graph.cyclic:
        raise Unchecked("positions can come again, so plans are not listed")
    return case.once("plans", lambda: VerifierPlans(case.graph.positions))


def drawn_by(case: VerifierCase) -> Drawn:
    """The answer's distribution over combinations of plans, by their numbers. Raises Misfit if it is none of this
    game."""
    names = plans_of(case).by_name
    drawn: Drawn = {}
    for profile, probability in case.claim.distribution:
        if set(profile) != set(case.game.players):
            raise Misfit("a combination of plans does not name every player once")
        try:
            cell = tuple(names[p][profile[player]] for p, player in enumerate(case.game.players))
        except KeyError as unknown:
            raise Misfit(f"no plan is called {unknown}") from None
        if cell in drawn:
            raise Misfit("a combination of plans is listed twice")
        drawn[cell] = Fraction(probability)
    if any(chance < 0 for chance in drawn.values()) or sum(drawn.values()) != 1:
        raise Misfit("the probabilities do not sum to one")
    return drawn


def check_distribution(case: VerifierCase) -> Iterator[Finding]:
    """The distribution sums to one, nobody gains by not following it, and it pays the value."""
    if not case.claim.distribution:
        return
    drawn = drawn_by(case)
    for deviation, gain in gains(case, drawn):
        if gain > 0:
            yield Finding(
                False, ("distribution",), f"the distribution: {_deviation_text(case, deviation)} gains {exact(gain)}"
            )
            return
    pays = _pays(case, drawn)
    told = f"the distribution pays {amounts(case.game.players, pays)}, and nobody gains by doing otherwise"
    yield Finding(True, ("distribution", "concept"), told)
    if case.claim.value is not None:
        ok = same_all(case.in_order(case.claim.value), pays)
        yield Finding(ok, ("value",), f"the distribution pays {amounts(case.game.players, pays)}")


def _pays(case: VerifierCase, drawn: Drawn) -> list[Number]:
    """The average payoff of each player by a distribution."""
    table = plans_of(case).table
    columns = zip(*([chance * paid for paid in table[cell]] for cell, chance in drawn.items()), strict=True)
    return [exact(sum(column, Fraction(0))) for column in columns]


def _deviations(case: VerifierCase) -> list[Deviation]:
    coarse = case.claim.concept == COARSE
    found: list[Deviation] = []
    for p, own in enumerate(plans_of(case).of):
        for recommended in [None] if coarse else range(len(own)):
            found += [(p, recommended, other) for other in range(len(own)) if other != recommended]
    return found


def _gain(case: VerifierCase, deviation: Deviation, cell: Cell) -> Number:
    """The gain of a deviation where this combination of plans is drawn; 0 if another plan is recommended."""
    p, recommended, other = deviation
    if recommended not in (None, cell[p]):
        return 0
    table = plans_of(case).table
    return table[(*cell[:p], other, *cell[p + 1 :])][p] - table[cell][p]


def gains(case: VerifierCase, drawn: Drawn) -> Iterator[tuple[Deviation, Fraction]]:
    """Each possible deviation, and its average gain."""
    for deviation in _deviations(case):
        yield deviation, sum((c * _gain(case, deviation, cell) for cell, c in drawn.items()), Fraction(0))


def _deviation_text(case: VerifierCase, deviation: Deviation) -> str:
    p, recommended, other = deviation
    names = {k: name for name, k in plans_of(case).by_name[p].items()}
    where = "" if recommended is None else f" where {names[recommended]} is recommended"
    return f"{case.game.players[p]} plays {names[other]}{where} and"


def check_equilibria(case: VerifierCase) -> Iterator[Finding]:
    """The list of equilibria has just the distribution, and its payoffs are the value."""
    data = case.claim.data
    if "equilibria" in data:
        ok = data["equilibria"] == [{"distribution": data.get("distribution")}]
        yield Finding(ok, ("equilibria",), "the one equilibrium of the list is the distribution")
    if "payoffs" in data:
        yield Finding(data["payoffs"] == [data.get("value")], ("payoffs",), "it pays the value")


def check_welfare(case: VerifierCase) -> Iterator[Finding]:
    """No other distribution that everyone follows is worth more by the answer's objective."""
    if not case.claim.exact or not case.claim.distribution:
        return
    worth, favoured = worth_of(case), case.claim.options.get("for_")
    worths = [Fraction(worth(vector)) for vector in plans_of(case).table.values()]
    mine = worth(_pays(case, drawn_by(case)))
    most = mine if mine == max(worths) else _most(case, worths)
    whose = "in sum" if favoured is None else f"{favoured}"
    yield Finding(most == mine, ("exact", "options"), f"no distribution that all follow pays {whose} more than {most}")


def worth_of(case: VerifierCase) -> Callable[[Sequence[Number]], Number]:
    """The answer's objective as a function of payoffs: their sum, or the payoff of the player whom the answer
    favours."""
    favoured = case.claim.options.get("for_")
    if favoured is None:
        return sum
    if favoured not in case.game.players:
        raise Unchecked("the answer is for the good of a stranger")
    player = case.game.players.index(str(favoured))
    return lambda vector: vector[player]


def _most(case: VerifierCase, worth: Sequence[Fraction]) -> Number:
    """The greatest worth of a distribution by which no deviation gains: proved by prices of the deviations, at which no
    combination of plans is worth more."""
    cells, deviations = list(plans_of(case).table), _deviations(case)
    if len(cells) * len(deviations) > LARGEST_PROGRAM:
        raise Unchecked("that no other distribution pays more: the table is too large for it")
    found = greatest_mean(worth, [[_gain(case, deviation, cell) for cell in cells] for deviation in deviations])
    assert found is not None  # every game has an equilibrium
    return found


def check_interval(case: VerifierCase) -> Iterator[Finding]:
    """The stated interval of each player holds all payoffs in the table of plans."""
    claimed = case.claim.interval or {}
    for p, player in enumerate(case.game.players):
        column = [vector[p] for vector in plans_of(case).table.values()]
        if player in claimed:
            low, high = claimed[player]
            ok = low <= min(column) and max(column) <= high
            yield Finding(ok, ("interval",), f"{player} gets from {min(column)} to {max(column)} in the table")

"""Perfect and proper equilibria of three players or more, checked anew: do independent mistakes lead there?

To decide this of mixtures is at least as hard as to compare sums of square roots, of pure plans NP-hard (Hansen,
Miltersen and Sørensen, The computational complexity of trembling hand perfection and other equilibrium refinements,
2010), so two questions are put that linear programs answer:

1. All mistakes are as small as each other, in some proportions. To first order everything is linear. If what is played
   goes on paying alike by equations that have an inverse, mixtures follow the mistakes (the implicit function theorem);
   then it is enough that every plan that ties with what is played loses by them. Where none ties but copies of what is
   played, the equilibrium is regular without them, so it is proper too (van Damme 1991, chapter 2). If no proportions
   keep such plans from gaining it is not perfect. Where nobody has two mistakes, what is perfect is proper.
2. Where everyone plays one plan: the probability of each mistake is a power of one small number. What a plan pays less
   than another is a sum of products of mistakes, and its sign is that of the product with the least power. If some
   powers give all the signs that are wanted, that is the proof. If none give them even with other products beside,
   there are no mistakes that do, since any would do so along a curve (Milnor 1968).

What neither decides stays open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod

from gdl.game import Number
from gdl.solvers.verify.linear import has_positive_weights, maximise, solve
from gdl.solvers.verify.plans import Table
from gdl.solvers.verify.verdict import Unchecked

MOST_PROGRAMS = 300  # the most linear programs for powers of mistakes

Mistake = tuple[int, int]  # a player, and a plan
Product = frozenset[Mistake]  # a product of the probabilities of mistakes
Powers = tuple[dict[Mistake, int], int]  # a sum of powers, and 1 where it must be above 0, else 0


def does_bear_out(table: Table, mixes: Sequence[Sequence[Number]], proper: bool) -> bool:
    """True if independent mistakes lead to the equilibrium, False if none do. Raises Unchecked where it stays open."""
    one = _Trembling(table, mixes)
    found = one.by_proportions(proper)
    if found is None and all(len(own) == 1 for own in one.played):
        found = one.by_powers(proper)
    if found is None:
        raise Unchecked("independent mistakes that lead to an equilibrium were neither found nor ruled out")
    return found


class _Trembling:
    """An equilibrium that is held against mistakes: the plans that are played, those that are not, and those of the
    latter that tie with the former."""

    def __init__(self, table: Table, mixes: Sequence[Sequence[Number]]):
        self.table, self.mixes = table, mixes
        self.players = range(len(mixes))
        self.played = [[k for k, share in enumerate(mix) if share] for mix in mixes]
        self.mistakes = [(p, k) for p, mix in enumerate(mixes) for k, share in enumerate(mix) if not share]
        self.worth = {(p, k): self._pays(p, k) for p, mix in enumerate(mixes) for k in range(len(mix))}
        self.tied = [
            (p, k)
            for p, k in self.mistakes
            if self.worth[p, k] == self.worth[p, self.played[p][0]] and self._losses(p, self.played[p][0], k)
        ]

    def _pays(self, player: int, plan: int, change: Mistake | None = None) -> Number:
        """The payoff of a plan to its player against the equilibrium; with `change`, one other player has that plan for
        certain."""
        fixed = dict([(player, plan), *([change] if change else [])])
        sides = [[fixed[p]] if p in fixed else self.played[p] for p in self.players]
        return sum(
            (
                prod((self.mixes[p][k] for p, k in enumerate(cell) if p not in fixed), start=Fraction(1))
                * self.table[cell][player]
                for cell in product(*sides)
            ),
            Fraction(0),
        )

    # -- proportions --------------------------------------------------------------------------------------------

    def by_proportions(self, proper: bool) -> bool | None:
        """True if mistakes in some proportions bear the equilibrium out, False if none do; None where this does not
        decide."""
        more = [(p, k) for p, own in enumerate(self.played) for k in own[1:]]
        only = solve(({j: x for j, x in enumerate(self._gains(p, k, more)) if x}, 0) for p, k in more)
        if only is None or len(only) < len(more):
            return None
        if not self.tied:
            return True
        changes = [*self.mistakes, *more, *more]  # a share of what is played may also become less
        signs = [1] * (len(self.mistakes) + len(more)) + [-1] * len(more)
        gains = [[sign * x for sign, x in zip(signs, self._gains(p, k, changes), strict=True)] for p, k in self.tied]
        level = [[sign * x for sign, x in zip(signs, self._gains(p, k, changes), strict=True)] for p, k in more]
        rows = [*gains, *level, *([-x for x in row] for row in level)]
        if has_positive_weights(rows, len(gains)):
            return None if proper and len(dict(self.mistakes)) < len(self.mistakes) else True
        goal = [1] * len(self.mistakes) + [0] * 2 * len(more)
        least = maximise(goal, [*rows, goal], [*(0 for _ in rows), 1])
        return None if least is None or least.value else False

    def _gains(self, player: int, plan: int, changes: Sequence[Mistake]) -> list[Number]:
        """For each change, how much more the plan gains by it than the plan that is played, if another player has that
        plan for certain."""
        own = self.played[player][0]
        return [
            0 if one[0] == player else self._pays(player, plan, one) - self._pays(player, own, one) for one in changes
        ]

    # -- powers -------------------------------------------------------------------------------------------------

    def _losses(self, player: int, one: int, other: int) -> Mapping[Product, Number]:
        """The loss by playing plan `other` instead of plan `one`, as coefficients of products of mistakes; products
        that a smaller product divides are left out."""
        sides = [range(len(mix)) if p != player else (one,) for p, mix in enumerate(self.mixes)]
        found: dict[Product, Number] = {}
        for cell in product(*sides):
            less = self.table[cell][player] - self.table[*cell[:player], other, *cell[player + 1 :]][player]
            if less:
                found[frozenset((p, k) for p, k in enumerate(cell) if p != player and k not in self.played[p])] = less
        return {key: less for key, less in found.items() if not any(part < key for part in found)}

    def by_powers(self, proper: bool) -> bool | None:
        """True if mistakes that are powers of one small number bear the equilibrium out, False if none do; None where
        this does not decide."""
        try:
            if self._has_powers(list(self._list_conditions(proper, 1))):
                return True
            return None if self._has_powers(list(self._list_conditions(proper, 0))) else False
        except Unchecked:
            return None

    def _list_conditions(self, proper: bool, apart: int) -> Iterator[list[list[Powers]]]:
        """Conditions on the powers: for each the ways to meet it, of which one must hold. `apart` 1: products may not
        tie."""
        for player, plan in self.tied:
            ahead, behind = _by_sign(self._losses(player, self.played[player][0], plan))
            yield [_first(key, behind, apart) for key in ahead]
        for one, other in combinations(self.mistakes, 2) if proper else ():
            ahead, behind = _by_sign(self._losses(one[0], one[1], other[1]) if one[0] == other[0] else {})
            if not ahead and not behind:
                continue
            ways = [[*_first(key, behind, apart), _rarer(other, one)] for key in ahead]
            ways += [[*_first(key, ahead, apart), _rarer(one, other)] for key in behind]
            ties = [] if apart else product(ahead, behind)
            yield [*ways, *([*_first(key, behind, 0), *_first(equal, ahead, 0)] for key, equal in ties)]

    def _has_powers(self, wanted: list[list[list[Powers]]]) -> bool:
        """True if there are powers that meet each condition in one of its ways."""
        wanted.sort(key=len)
        at = {mistake: k for k, mistake in enumerate(self.mistakes)}
        stack: list[tuple[int, list[Powers]]] = [(0, [])]
        for _ in range(MOST_PROGRAMS):
            if not stack:
                return False
            number, kept = stack.pop()
            rows = [[-terms.get(mistake, 0) for mistake in at] for terms, _ in sorted(kept, key=lambda one: -one[1])]
            if has_positive_weights(rows, sum(apart for _, apart in kept)):
                if number == len(wanted):
                    return True
                stack += [(number + 1, [*kept, *way]) for way in wanted[number]]
        raise Unchecked("too many ways")


def _by_sign(losses: Mapping[Product, Number]) -> tuple[list[Product], list[Product]]:
    return [key for key, less in losses.items() if less > 0], [key for key, less in losses.items() if less < 0]


def _first(one: Product, others: Sequence[Product], apart: int) -> list[Powers]:
    """The conditions that the sum of powers of a product is less than those of the others (`apart` 1), or at most the
    same (0)."""
    return [({m: (m in other) - (m in one) for m in one ^ other}, apart) for other in others]


def _rarer(rare: Mistake, often: Mistake) -> Powers:
    return {rare: 1, often: -1}, 1

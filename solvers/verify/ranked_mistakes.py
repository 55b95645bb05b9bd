"""Proper equilibria of two players, checked anew: is one the limit of play in which of two mistakes the costlier is
made far less often (Myerson 1978)?

Rank the plans of both by what they pay: those that pay alike together, what is played in the first rank. By continuity
what pays less against the equilibrium ranks behind, so only plans that tie there are tried in every order. For each
pair of rankings the play of one side is looked for alone, as a solution of linear rows with a large number n: what
ranks behind is played n times as seldom, and the other side's plans pay as they are ranked. The equilibrium keeps these
rows too, so its mixtures with a solution are solutions as near to it as may be. It is proper just if, for some
rankings, there is such play of both for every n, however large.

One n is enough. Rows and bounds are polynomials in n with whole coefficients, and there is a solution just if some
minors of them have the right signs (Cramer's rule). What the coefficients of a minor are in sum is at most the product
of the sums of its rows, and beyond twice that no minor has a root (Cauchy's bound), so no sign changes any more.

At first rankings are guessed, mistakes by ranks, ranks by what pays against them, again and again: where too many
plans tie to try all, there is nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, islice, pairwise, product
from math import lcm, prod

from gdl.game import Number
from gdl.solvers.verify.linear import has_positive_weights
from gdl.solvers.verify.plans import VerifierPlans
from gdl.solvers.verify.verdict import Unchecked

MOST_RANKINGS = 2_000  # the most pairs of rankings that are tried
GUESSES = 6  # rounds of guessing
SMALL = Fraction(1, 1 << 64)  # how much seldomer a mistake is than one of the rank before, in a guess

Ranks = tuple[tuple[int, ...], ...]  # a player's plans, the best first
Row = list[int]


def is_proper(plans: VerifierPlans, mixes: Sequence[Sequence[Number]]) -> bool:
    """True if an equilibrium of two players is proper. Raises Unchecked if too many plans tie to decide that."""
    pays = [_whole(plans.pays(player)) for player in (0, 1)]

    @cache
    def bears_out(player: int, own: Ranks, other: Ranks) -> bool:
        """True if the other side's play, ranked like that, lets the player's plans pay as they are ranked."""

        def rows(n: int) -> list[Row]:
            return list(_rows(pays[player], own, other, n))

        return has_positive_weights(rows(2 * prod(3 * sum(map(abs, row)) for row in rows(3) if any(row))))

    sides = [(own, mix, other) for own, mix, other in zip(pays, mixes, reversed(mixes), strict=True)]
    rankings = [list(islice(_rankings(*side), MOST_RANKINGS + 1)) for side in sides]
    few = len(rankings[0]) * len(rankings[1]) <= MOST_RANKINGS
    tried = chain(_guess(pays, mixes), product(*rankings) if few else ())
    if any(bears_out(0, own, other) and bears_out(1, other, own) for own, other in tried):
        return True
    if few:
        return False
    raise Unchecked("too many plans tie to try all the orders in which mistakes may be ranked")


def _whole(rows: Sequence[Sequence[Number]]) -> list[Row]:
    """The payoffs scaled to whole numbers."""
    scale = lcm(*(Fraction(payoff).denominator for row in rows for payoff in row))
    return [[int(payoff * scale) for payoff in row] for row in rows]


def _rankings(pays: Sequence[Row], mix: Sequence[Number], other: Sequence[Number]) -> Iterator[Ranks]:
    """Every possible ranking of a player's plans by their payoffs near the equilibrium. Plans with equal rows of
    payoffs stay together, and those that are played are in the first rank."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for plan, row in enumerate(pays):
        alike.setdefault(tuple(row), []).append(plan)
    groups: dict[Number, list[tuple[int, ...]]] = {}
    played = tuple(plan for plan, share in enumerate(mix) if share)
    for payoffs, same in alike.items():
        worth = sum(payoff * share for payoff, share in zip(payoffs, other, strict=True))
        groups.setdefault(worth, []).append(tuple(same))
    best, *worse = [groups[worth] for worth in sorted(groups, reverse=True)]
    first = (*played, *(plan for one in best if {*one} & {*played} for plan in one if plan not in played))
    rest = [one for one in best if not {*one} & {*played}]
    for size in range(len(rest) + 1):
        for more in combinations(rest, size):
            orders = [_weak_orders([one for one in rest if one not in more]), *map(_weak_orders, worse)]
            for ranks in product(*(list(islice(own, MOST_RANKINGS + 1)) for own in orders)):  # more need not be known
                yield ((*first, *chain(*more)), *chain(*ranks))


def _guess(pays: Sequence[Sequence[Row]], mixes: Sequence[Sequence[Number]]) -> Iterator[tuple[Ranks, Ranks]]:
    """Pairs of rankings that come from mistakes by ranks and ranks by payoffs, in turn."""
    ranks: list[Ranks] = [(tuple(range(len(mix))),) for mix in mixes]
    for _ in range(GUESSES):
        play = [
            [
                share + SMALL ** (1 + next(r for r, rank in enumerate(own) if plan in rank))
                for plan, share in enumerate(mix)
            ]
            for own, mix in zip(ranks, mixes, strict=True)
        ]
        for player in (0, 1):
            groups: dict[tuple[Number, ...], list[int]] = {}  # by what they pay, at first without mistakes
            for plan, row in enumerate(pays[player]):
                worth = tuple(
                    sum(payoff * share for payoff, share in zip(row, shares, strict=True))
                    for shares in (mixes[1 - player], play[1 - player])
                )
                groups.setdefault(worth, []).append(plan)
            mix = mixes[player]
            ranks[player] = tuple(
                tuple(sorted(groups[worth], key=lambda plan: not mix[plan])) for worth in sorted(groups, reverse=True)
            )
        if all(
            plan in own[0] for own, mix in zip(ranks, mixes, strict=True) for plan, share in enumerate(mix) if share
        ):
            yield ranks[0], ranks[1]


def _weak_orders(groups: Sequence[tuple[int, ...]]) -> Iterator[Ranks]:
    """Every order of the groups in which some may share a rank."""
    if not groups:
        yield ()
    for size in range(1, len(groups) + 1):
        for foremost in combinations(groups, size):
            for after in _weak_orders([own for own in groups if own not in foremost]):
                yield (tuple(chain(*foremost)), *after)


def _rows(pays: Sequence[Row], own: Ranks, other: Ranks, n: int) -> Iterator[Row]:
    """Rows of a linear program in the weights of the other side's plans, none of which may exceed 0: the other side
    makes mistakes by the ranks `other`, and the player's own plans pay by the ranks `own`."""
    for ahead, behind in pairwise(other):
        for oftener, rarer in product(ahead, behind):
            yield [n if plan == rarer else -int(plan == oftener) for plan in range(len(pays[0]))]
    for rank in own:
        for plan in rank[1:]:
            yield from (_less(pays[plan], pays[rank[0]]), _less(pays[rank[0]], pays[plan]))
    yield from (_less(pays[behind[0]], pays[ahead[0]]) for ahead, behind in pairwise(own))


def _less(one: Row, other: Row) -> Row:
    return [a - b for a, b in zip(one, other, strict=True)]

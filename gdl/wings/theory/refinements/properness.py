"""Properness of an equilibrium of two players, decided exactly.

A proper equilibrium is a limit of play in which everybody makes every mistake now and then, and of two mistakes the
costlier far less often: as seldom, beside the other, as one likes (Myerson). The probabilities may be taken as power
series of one small number, so that only their orders matter:

1. Rank the plans of both: first what the equilibrium plays, then the mistakes; what is of one rank is made infinitely
   more often than what is of the next. What pays less must rank behind. Against the equilibrium itself most plans pay
   differently, so only those that tie there are tried in every order.
2. Play is the equilibrium, corrected again and again: at each rank its plans come in, with weights above zero, and what
   ranks before may be changed at will. A linear program finds a correction after which plans of one rank still pay the
   other player alike, none pays more than one that ranks before it, and as many as possible pay less; such pairs of
   ranks are settled, and free in all corrections that follow.
3. The equilibrium is proper exactly if some ranks of both have all their corrections.

Sources: Myerson, Refinements of the Nash equilibrium concept, 1978; Blume, Brandenburger and Dekel, Lexicographic
probabilities and equilibrium refinements, 1991 (ranks as beliefs of higher order).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, pairwise, product
from math import prod
from typing import NamedTuple

from gdl.game import Number
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.bimatrix import Mix
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram
from gdl.wings.theory.tables import optimum, weighted_sum

MOST_RANKINGS = 5_000  # pairs of rankings that are tried
MOST_BLAMED = 500  # pairs of rankings that are tried to name the plan to blame

Ranks = tuple[tuple[int, ...], ...]  # a player's plans by rank, the played ones first
Table = Sequence[Sequence[Number]]


class Properness(NamedTuple):
    """The verdict whether an equilibrium is proper (None: too many rankings to try them all). If it is not: the player
    whose plans no ranking bears out, and a plan that the player would rather play; None where neither can be named."""

    holds: bool | None
    player: int | None = None
    plan: int | None = None


def properness(tables: tuple[Table, Table], pair: tuple[Mix, Mix], budget: Budget, *, blame: bool = True) -> Properness:
    """Decide if the equilibrium `pair` is proper; if it is not, and with `blame`, also find a player and a plan to
    blame. The tables hold each player's payoffs, by rows of the first player."""
    pays = (tables[0], [list(column) for column in zip(*tables[1], strict=True)])  # a row for each own plan
    worths = [[weighted_sum(pair[1 - player], row) for row in pays[player]] for player in (0, 1)]
    tied = [_payoff_groups(worth, mix) for worth, mix in zip(worths, pair, strict=True)]
    if prod(_orders(len(group)) for groups in tied for group in groups[1:]) > MOST_RANKINGS:
        return Properness(None)
    rankings = [list(_rankings(groups)) for groups in tied]

    @cache
    def is_borne(player: int, own: Ranks, other: Ranks) -> bool:
        return _is_borne_out(pays[player], own, other, pair[1 - player], budget)

    if any(is_borne(0, own, other) and is_borne(1, other, own) for own, other in product(*rankings)):
        return Properness(True)
    for player in (0, 1):
        if not any(is_borne(player, own, other) for own, other in product(rankings[player], rankings[1 - player])):
            return Properness(
                False, player, _spoiling_plan(pays[player], rankings, player, pair, budget) if blame else None
            )
    return Properness(False)


def _payoff_groups(worth: Sequence[Fraction], mix: Mix) -> list[list[int]]:
    """The player's plans in groups: first those that are played; then the others, best first, those with equal payoffs
    against the equilibrium together."""
    rest = [plan for plan, share in enumerate(mix) if not share]
    groups = [[plan for plan in rest if worth[plan] == pays] for pays in sorted({worth[p] for p in rest}, reverse=True)]
    return [[plan for plan, share in enumerate(mix) if share], *groups]


def _orders(count: int) -> int:
    """The number of rankings of `count` plans, ties allowed (Fubini numbers)."""
    return sum(1 for _ in _weak_orders(tuple(range(count)))) if count <= 6 else MOST_RANKINGS + 1


def _weak_orders(plans: tuple[int, ...]) -> Iterator[Ranks]:
    """Every ranking of the plans, ties allowed."""
    if not plans:
        yield ()
    for size in range(1, len(plans) + 1):
        for foremost in combinations(plans, size):
            for rest in _weak_orders(tuple(plan for plan in plans if plan not in foremost)):
                yield (foremost, *rest)


def _rankings(groups: list[list[int]]) -> Iterator[Ranks]:
    played, *others = groups
    for ranks in product(*(list(_weak_orders(tuple(group))) for group in others)):
        yield (tuple(played), *chain.from_iterable(ranks))


def _is_borne_out(pays: Table, own: Ranks, other: Ranks, mix: Mix, budget: Budget) -> bool:
    """True if the other player, playing by the ranks `other`, can make the ranks `own` right: plans of one rank pay
    alike, and none pays more than one of an earlier rank."""
    budget.check_time()
    alike = [(rank[0], plan) for rank in own for plan in rank[1:]]
    open_pairs = [(here[0], behind[0]) for here, behind in pairwise(own)]
    against = [weighted_sum(mix, row) for row in pays]
    open_pairs = [(ahead, behind) for ahead, behind in open_pairs if against[ahead] == against[behind]]
    for number in range(1, len(other)):
        while True:  # changes of what ranks before alone, while they settle anything
            settled = _correction(pays, alike, open_pairs, other[:number], (), budget)
            if not settled:
                break
            open_pairs = [pair for pair in open_pairs if pair not in settled]
        try:
            settled = _correction(pays, alike, open_pairs, other[:number], other[number], budget)
        except Infeasible:
            return False
        open_pairs = [pair for pair in open_pairs if pair not in settled]
    return True


def _correction(
    pays: Table,
    alike: Sequence[tuple[int, int]],
    open_pairs: Sequence[tuple[int, int]],
    before: Ranks,
    fresh: Sequence[int],
    budget: Budget,
) -> set[tuple[int, int]]:
    """Of the pairs of plans in `open_pairs`, which pay alike so far, those that pay differently after the best
    correction of the other player's play. A correction moves weight between the plans in `before`, and gives each in
    `fresh` at least weight one; plans paired in `alike` still pay alike after it. Raises Infeasible if there is
    none."""
    free = [plan for rank in before for plan in rank]
    # Variables: how far each pair is settled, one at most; weights of fresh plans above one; what is added to each free
    # plan, and what is taken away.
    count = len(open_pairs)

    def differ(ahead: int, behind: int) -> tuple[dict[int, Number], Number]:
        """The payoff of one plan less that of another, and how the least weights of fresh plans change this
        difference."""
        gains = [a - b for a, b in zip(pays[ahead], pays[behind], strict=True)]
        moved = [*(gains[plan] for plan in fresh), *(sign * gains[plan] for plan in free for sign in (1, -1))]
        return {count + k: amount for k, amount in enumerate(moved) if amount}, sum(gains[plan] for plan in fresh)

    level = [differ(*pair) for pair in alike]
    rows = [terms for terms, _ in level]
    bounds = [-least for _, least in level]
    for k, (terms, least) in enumerate(differ(*pair) for pair in open_pairs):
        rows += [{k: 1, **{at: -amount for at, amount in terms.items()}}, {k: 1}]
        bounds += [least, 1]
    size, equal = count + len(fresh) + 2 * len(free), frozenset(range(len(level)))
    program = LinearProgram(size, dict.fromkeys(range(count), 1), rows, bounds, equal)
    found = optimum(program, budget)
    return {pair for pair, amount in zip(open_pairs, found.primal, strict=False) if amount}


def _spoiling_plan(
    pays: Table, rankings: Sequence[Sequence[Ranks]], player: int, pair: tuple[Mix, Mix], budget: Budget
) -> int | None:
    """The plan of the player without which some ranks would be borne out; None if there is none, or too many rankings
    would have to be tried."""
    tried = 0
    for plan in (plan for rank in rankings[player][0][1:] for plan in rank):
        for own, other in product(rankings[player], rankings[1 - player]):
            tried += 1
            if tried > MOST_BLAMED:
                return None
            left = tuple(rank for rank in (tuple(p for p in rank if p != plan) for rank in own) if rank)
            if _is_borne_out(pays, left, other, pair[1 - player], budget):
                return plan
    return None

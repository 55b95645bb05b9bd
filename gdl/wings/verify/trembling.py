"""Perfect and proper equilibria, checked anew, in the table of plans.

Each side must be a best reply to some draw in which the others play everything, which says the same as that it is not
weakly dominated, and is found by another program. Of two players no more is asked (van Damme 1991, theorem 3.2.2), of a
proper one some ranking of the mistakes (below). With three or more the others must err independently
(below).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, islice, pairwise, product
from math import lcm, prod

from gdl.game import Number
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.linear import has_positive_weights, maximise, solve, weighted_sum
from gdl.wings.verify.plans import Table, VerifierPlans, plans_of
from gdl.wings.verify.verdict import Finding, Unchecked

PERFECT, PROPER = "perfect", "proper"  # concepts
FIELDS = ("equilibria", "concept")


def check_perfect(case: VerifierCase) -> Iterator[Finding]:
    """Each listed equilibrium is perfect or proper, whichever the concept is."""
    plans, concept = plans_of(case), case.claim.concept
    for number, profile in enumerate(case.claim.equilibria, start=1):
        mixes = plans.mixes(case.behaviour(profile))
        for player, mix in zip(case.game.players, mixes, strict=True):
            if sum(mix) != 1:
                raise Unchecked(f"equilibrium {number} does not say all that {player} does")
        worse = find_dominated(plans, mixes)
        said = f"what {case.game.players[worse]} plays is weakly dominated" if worse is not None else ""
        if not said and not is_limit(plans, mixes, concept == PROPER):
            said = f"no mistakes lead there, so it is not {concept}"
        if said:
            ok, fields = (False, FIELDS) if case.claim.exact else (None, FIELDS[1:])
            yield Finding(ok, fields, f"equilibrium {number}: {said}")
            return
    yield Finding(True, FIELDS, "mistakes lead to each equilibrium, and nobody plays what is weakly dominated")


def is_limit(plans: VerifierPlans, mixes: Sequence[Sequence[Number]], proper: bool) -> bool:
    """True if an equilibrium in which nothing is weakly dominated is also perfect, or with `proper`, proper."""
    if len(plans.of) > 2:
        return does_bear_out(plans.table, mixes, proper)
    return not proper or len(plans.of) == 1 or is_proper(plans, mixes)  # of one player no others err


def find_dominated(plans: VerifierPlans, mixes: Sequence[Sequence[Number]]) -> int | None:
    """The first player whose mixture is weakly dominated: it is no best reply to any mixture in which the others play
    all combinations of plans. None if no player's is."""
    for player, mix in enumerate(mixes):
        pays = plans.pays(player)
        mine = [weighted_sum(mix, column) for column in zip(*pays, strict=True)]
        if not has_positive_weights([[x - y for x, y in zip(row, mine, strict=True)] for row in pays]):
            return player
    return None


# Perfect and proper equilibria of three players or more, checked anew: do independent mistakes lead there?
#
# To decide this of mixtures is at least as hard as to compare sums of square roots, of pure plans NP-hard (Hansen,
# Miltersen and Sørensen, The computational complexity of trembling hand perfection and other equilibrium refinements,
# 2010), so two questions are put that linear programs answer:
#
# 1. All mistakes are as small as each other, in some proportions. To first order everything is linear. If what is
#    played goes on paying alike by equations that have an inverse, mixtures follow the mistakes (the implicit function
#    theorem); then it is enough that every plan that ties with what is played loses by them. Where none ties but copies
#    of what is played, the equilibrium is regular without them, so it is proper too (van Damme 1991, chapter 2). If no
#    proportions keep such plans from gaining it is not perfect. Where nobody has two mistakes, what is perfect is
#    proper.
# 2. Where everyone plays one plan: the probability of each mistake is a power of one small number. What a plan pays
#    less than another is a sum of products of mistakes, and its sign is that of the product with the least power. If
#    some powers give all the signs that are wanted, that is the proof. If none give them even with other products
#    beside, there are no mistakes that do, since any would do so along a curve (Milnor 1968).
#
# What neither decides stays open.

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
        self.worth = {(p, k): self._payoff_of_plan(p, k) for p, mix in enumerate(mixes) for k in range(len(mix))}
        self.tied = [
            (p, k)
            for p, k in self.mistakes
            if self.worth[p, k] == self.worth[p, self.played[p][0]] and self._losses(p, self.played[p][0], k)
        ]

    def _payoff_of_plan(self, player: int, plan: int, change: Mistake | None = None) -> Number:
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
            0 if one[0] == player else self._payoff_of_plan(player, plan, one) - self._payoff_of_plan(player, own, one)
            for one in changes
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
            yield [_first_conditions(key, behind, apart) for key in ahead]
        for one, other in combinations(self.mistakes, 2) if proper else ():
            ahead, behind = _by_sign(self._losses(one[0], one[1], other[1]) if one[0] == other[0] else {})
            if not ahead and not behind:
                continue
            ways = [[*_first_conditions(key, behind, apart), _rarer_powers(other, one)] for key in ahead]
            ways += [[*_first_conditions(key, ahead, apart), _rarer_powers(one, other)] for key in behind]
            ties = [] if apart else product(ahead, behind)
            yield [
                *ways,
                *([*_first_conditions(key, behind, 0), *_first_conditions(equal, ahead, 0)] for key, equal in ties),
            ]

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


def _first_conditions(one: Product, others: Sequence[Product], apart: int) -> list[Powers]:
    """The conditions that the sum of powers of a product is less than those of the others (`apart` 1), or at most the
    same (0)."""
    return [({m: (m in other) - (m in one) for m in one ^ other}, apart) for other in others]


def _rarer_powers(rare: Mistake, often: Mistake) -> Powers:
    return {rare: 1, often: -1}, 1


# Proper equilibria of two players, checked anew: is one the limit of play in which of two mistakes the costlier is
# made far less often (Myerson 1978)?
#
# Rank the plans of both by what they pay: those that pay alike together, what is played in the first rank. By
# continuity what pays less against the equilibrium ranks behind, so only plans that tie there are tried in every order.
# For each pair of rankings the play of one side is looked for alone, as a solution of linear rows with a large number
# n: what ranks behind is played n times as seldom, and the other side's plans pay as they are ranked. The equilibrium
# keeps these rows too, so its mixtures with a solution are solutions as near to it as may be. It is proper just if, for
# some rankings, there is such play of both for every n, however large.
#
# One n is enough. Rows and bounds are polynomials in n with whole coefficients, and there is a solution just if some
# minors of them have the right signs (Cramer's rule). What the coefficients of a minor are in sum is at most the
# product of the sums of its rows, and beyond twice that no minor has a root (Cauchy's bound), so no sign changes any
# more.
#
# At first rankings are guessed, mistakes by ranks, ranks by what pays against them, again and again: where too many
# plans tie to try all, there is nothing else.

MOST_RANKINGS = 2_000  # the most pairs of rankings that are tried
GUESSES = 6  # rounds of guessing
SMALL = Fraction(1, 1 << 64)  # how much seldomer a mistake is than one of the rank before, in a guess

Ranks = tuple[tuple[int, ...], ...]  # a player's plans, the best first
Row = list[int]


def is_proper(plans: VerifierPlans, mixes: Sequence[Sequence[Number]]) -> bool:
    """True if an equilibrium of two players is proper. Raises Unchecked if too many plans tie to decide that."""
    pays = [_in_whole_numbers(plans.pays(player)) for player in (0, 1)]

    @cache
    def bears_out(player: int, own: Ranks, other: Ranks) -> bool:
        """True if the other side's play, ranked like that, lets the player's plans pay as they are ranked."""

        def rows(n: int) -> list[Row]:
            return list(_rows(pays[player], own, other, n))

        return has_positive_weights(rows(2 * prod(3 * sum(map(abs, row)) for row in rows(3) if any(row))))

    sides = [(own, mix, other) for own, mix, other in zip(pays, mixes, reversed(mixes), strict=True)]
    rankings = [list(islice(possible_rankings(*side), MOST_RANKINGS + 1)) for side in sides]
    few = len(rankings[0]) * len(rankings[1]) <= MOST_RANKINGS
    tried = chain(_guess(pays, mixes), product(*rankings) if few else ())
    if any(bears_out(0, own, other) and bears_out(1, other, own) for own, other in tried):
        return True
    if few:
        return False
    raise Unchecked("too many plans tie to try all the orders in which mistakes may be ranked")


def _in_whole_numbers(rows: Sequence[Sequence[Number]]) -> list[Row]:
    """The payoffs scaled to whole numbers."""
    scale = lcm(*(Fraction(payoff).denominator for row in rows for payoff in row))
    return [[int(payoff * scale) for payoff in row] for row in rows]


def possible_rankings(pays: Sequence[Row], mix: Sequence[Number], other: Sequence[Number]) -> Iterator[Ranks]:
    """Every possible ranking of a player's plans by their payoffs near the equilibrium. Plans with equal rows of
    payoffs stay together, and those that are played are in the first rank."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for plan, row in enumerate(pays):
        alike.setdefault(tuple(row), []).append(plan)
    groups: dict[Number, list[tuple[int, ...]]] = {}
    played = tuple(plan for plan, share in enumerate(mix) if share)
    for payoffs, same in alike.items():
        groups.setdefault(weighted_sum(payoffs, other), []).append(tuple(same))
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
        play = []
        for own, mix in zip(ranks, mixes, strict=True):
            at = {plan: number for number, rank in enumerate(own, start=1) for plan in rank}
            play.append([share + SMALL ** at[plan] for plan, share in enumerate(mix)])
        for player, mix in enumerate(mixes):
            groups: dict[tuple[Number, ...], list[int]] = {}  # by what they pay, at first without mistakes
            for plan in sorted(range(len(mix)), key=lambda plan, mix=mix: not mix[plan]):  # type: ignore[misc]
                others = mixes[1 - player], play[1 - player]
                worth = tuple(weighted_sum(pays[player][plan], shares) for shares in others)
                groups.setdefault(worth, []).append(plan)
            ranks[player] = tuple(tuple(groups[worth]) for worth in sorted(groups, reverse=True))
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
            yield from (_difference(pays[plan], pays[rank[0]]), _difference(pays[rank[0]], pays[plan]))
    yield from (_difference(pays[behind[0]], pays[ahead[0]]) for ahead, behind in pairwise(own))


def _difference(one: Row, other: Row) -> Row:
    return [a - b for a, b in zip(one, other, strict=True)]

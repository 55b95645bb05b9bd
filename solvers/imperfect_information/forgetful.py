"""A lone player who forgets: the best plan, which may have to mix where the player cannot tell how often they have been
there (the absent-minded driver: Piccione and Rubinstein 1997).

1. What a plan is worth is a polynomial in its probabilities. In those of a set that play passes once at most it is
   linear, so there some pure move is best whatever the rest: only sets that can be passed twice need mixing (Isbell,
   Finitary games, 1957). Every pure choice at the others is tried.
2. With one set to mix, of two actions, the polynomial has one variable, and its greatest value is found exactly
   (`equilibria/polynomials.py`); where the best probability is irrational, the polynomial and an interval tell it.
3. Otherwise each set in turn takes the best mixture of two of its actions, as long as that improves the plan, from
   every pure plan on: the best that is found, but perhaps not the best there is.

What the player would choose on the way, given a belief about where they are, is another question, which the paper
discusses; here the plan is made beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from gdl.errors import Refusal
from gdl.game import Chance, Game, Number, Terminal, exact, require_number
from gdl.solution import EquilibriumRecord, Root, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.behaviour import Row, pure_row, write_profile
from gdl.solvers.equilibria.polynomials import complementary_root, greatest_place, polynomial
from gdl.solvers.equilibria.position_paths import sets_behind
from gdl.solvers.equilibria.positions import PositionGraph, explore_within
from gdl.solvers.solver import Solver

PLANS = 20_000  # pure plans that are tried
STARTS = 200  # pure plans from which mixtures are improved
FOLLOWED = 5_000  # positions of a game in which sets that are passed twice are looked for
ROUNDS = 20  # of improvements of every set
DIGITS = 10**12  # of the denominators of mixtures that are improved

Rows = tuple[Row, ...]


@dataclass
class BestForgetfulPlan:
    """The best plan so far: its rows, bounds on its value, and in `root` one of its probabilities exactly, if it is
    irrational."""

    rows: Rows
    low: Number
    high: Number
    root: tuple[int, Root] | None = None  # an information set, and the probability of its first action


def forgetful(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """The best plan of a lone player who forgets, in behaviour strategies where these are needed."""
    positions, budget = explore_within(game, limits)
    if len(positions.nodes) > FOLLOWED:
        raise Refusal(f"{game.name} has {len(positions.nodes):,} positions; forgetful looks at {FOLLOWED:,} at most")
    search = _Search(positions, passed_twice(positions), budget)
    with answering(lambda: _answer(game, positions, search.best, proved=False)):
        proved = search.run()
    return _answer(game, positions, search.best, proved=proved)


def _answer(game: Game[Any], positions: PositionGraph, best: BestForgetfulPlan, *, proved: bool) -> Solution:
    sharp = best.low == best.high
    notes = []
    if not proved:
        notes.append("The best plan that was found; that there is none better is not proved.")
    elif any(1 not in row for row in best.rows):
        notes.append("No pure plan is as good: the player cannot tell how often they have been there.")
    profile = write_profile(positions, best.rows)
    roots: dict[str, Root] = {}
    if best.root is not None:
        found = positions.information_sets[best.root[0]]
        one, other = (action for action, share in zip(found.actions, best.rows[best.root[0]], strict=True) if share)
        roots = {one: best.root[1], other: complementary_root(best.root[1])}
        notes.append(f"At {found.name} the best probabilities are irrational; --json has their polynomials.")
    return replace(
        FORGETFUL.answer(game),
        exact=proved and sharp,
        value=(best.low if sharp else float(best.low),),
        interval=((best.low, best.high),) if proved and not sharp else None,
        best=_first_move(positions, best.rows),
        strategy=profile,
        regret=(0,) if proved and sharp else None,
        nodes=len(positions.nodes),
        notes=tuple(notes),
        part=EquilibriumRecord(roots=({game.players[0]: roots},) if roots else (), rounded=not sharp),
    )


def _first_move(positions: PositionGraph, rows: Rows) -> tuple[str, ...]:
    """The first move, in a tuple, if one is made for certain; else ()."""
    h = positions.sets[0]
    row = () if h is None else rows[h]
    return (positions.information_sets[h].actions[row.index(1)],) if h is not None and 1 in row else ()


def best_forgetful_plan(positions: PositionGraph, budget: Budget) -> tuple[BestForgetfulPlan, bool]:
    """The best plan found for the lone player, and True if it is proved to be the best."""
    search = _Search(positions, passed_twice(positions) if len(positions.nodes) <= FOLLOWED else (), budget)
    proved = len(positions.nodes) <= FOLLOWED and search.run()
    return search.best, proved


def passed_twice(positions: PositionGraph) -> list[int]:
    """The information sets that one play can pass more than once."""
    behind = sets_behind(positions)
    sets = enumerate(positions.information_sets)
    return [h for h, found in sets if any(behind[member] >> h & 1 for member in found.members)]


class _Search:
    """The search for the best plan of a lone player."""

    def __init__(self, positions: PositionGraph, twice: Sequence[int], budget: Budget):
        self.positions, self.twice, self.budget = positions, twice, budget
        sets = positions.information_sets
        self.sizes = [len(found.actions) for found in sets]
        rows = tuple(pure_row(size, 0) for size in self.sizes)
        there = worth(positions, rows)
        self.best = BestForgetfulPlan(rows, there, there)

    def run(self) -> bool:
        """Try the plans. Returns True if the best one found is proved to be the best there is."""
        one = len(self.twice) == 1 and self.sizes[self.twice[0]] == 2
        free = [h for h in range(len(self.sizes)) if not (one and h == self.twice[0])]
        count = prod(self.sizes[h] for h in free)
        for number, choice in enumerate(product(*(range(self.sizes[h]) for h in free))):
            if number >= PLANS:
                break
            self.budget.check_time()
            rows = [pure_row(size, 0) for size in self.sizes]
            for h, k in zip(free, choice, strict=True):
                rows[h] = pure_row(self.sizes[h], k)
            if one:
                self._mix_at_set(tuple(rows), self.twice[0], (0, 1))
            else:
                self._note_profile(tuple(rows))
                if self.twice and number < STARTS:
                    self._improve(tuple(rows))
        if count > PLANS:
            self._improve(self.best.rows)
        return count <= PLANS and (one or not self.twice)

    def _note_profile(self, rows: Rows) -> None:
        there = worth(self.positions, rows)
        if there > self.best.high:
            self.best = BestForgetfulPlan(rows, there, there)

    def _mix_at_set(self, rows: Rows, h: int, pair: tuple[int, int]) -> None:
        """Take the best mixture of two actions at a set, if it is better than the best plan so far."""
        peak = greatest_place(polynomial(value_polynomial(self.positions, rows, h, pair)))
        if peak.low > self.best.high:
            root = None if peak.root is None else (h, peak.root)
            self.best = BestForgetfulPlan(mix_actions(rows, h, pair, peak.at), peak.low, peak.high, root)

    def _improve(self, rows: Rows) -> None:
        """Improve a plan by mixing two actions at a time at each set, as long as that helps."""
        now = worth(self.positions, rows)
        for _ in range(ROUNDS):
            before = now
            for h, pair in self._pairs():
                self.budget.check_time()
                peak = greatest_place(polynomial(value_polynomial(self.positions, rows, h, pair)))
                other = mix_actions(rows, h, pair, Fraction(peak.at).limit_denominator(DIGITS))
                there = worth(self.positions, other)
                if there > now:
                    rows, now = other, there
            if now == before:
                break
        if now > self.best.high:
            self.best = BestForgetfulPlan(rows, now, now)

    def _pairs(self) -> Iterator[tuple[int, tuple[int, int]]]:
        for h, size in enumerate(self.sizes):
            yield from ((h, pair) for pair in combinations(range(size), 2))


def mix_actions(rows: Rows, h: int, pair: tuple[int, int], share: Number) -> Rows:
    """The plan that at set `h` plays only the two actions of `pair`, the first with probability `share`."""
    other: list[Number] = [0] * len(rows[h])
    other[pair[0]], other[pair[1]] = share, exact(1 - Fraction(share))
    return (*rows[:h], tuple(other), *rows[h + 1 :])


def worth(positions: PositionGraph, rows: Rows) -> Number:
    """The value of a plan to the player."""
    return exact(sum(value_polynomial(positions, rows), Fraction(0)))


def value_polynomial(
    positions: PositionGraph, rows: Rows, h: int | None = None, pair: tuple[int, int] = (0, 0)
) -> list[Fraction]:
    """The value of the plan; with `h`, if it mixes the two actions of `pair` at that set, as a polynomial in the
    probability of the first; coefficients, the constant first."""
    values: list[list[Fraction]] = [[]] * len(positions.nodes)
    for position in reversed(range(len(positions.nodes))):
        node, own = positions.nodes[position], positions.sets[position]
        after = [values[successor] for successor in positions.successors[position]]
        if isinstance(node, Terminal):
            values[position] = [Fraction(require_number(node.utilities[0]))]
        elif isinstance(node, Chance):
            values[position] = _weighted_sum([share for _, share in node.outcomes], after)
        elif own is not None and own == h:
            first, second = after[pair[0]], after[pair[1]]
            rising = _weighted_sum([1, -1], [first, second])
            values[position] = _weighted_sum([1, 1], [second, [Fraction(0), *rising]])
        elif own is not None:
            values[position] = _weighted_sum(rows[own], after)
    return values[0]


def _weighted_sum(shares: Sequence[Number], polynomials: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    total = [Fraction(0)] * max(map(len, polynomials))
    for share, one in zip(shares, polynomials, strict=True):
        if share:
            for k, c in enumerate(one):
                total[k] += share * c
    return total


FORGETFUL = Solver(
    name="forgetful",
    run=forgetful,
    needs={"players": 1, "simultaneous": False, "perfect_recall": False, "cyclic": False},
    summary="the best plan of a lone player who forgets, mixed where that is needed",
)

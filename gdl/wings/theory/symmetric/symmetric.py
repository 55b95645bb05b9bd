"""Symmetric Nash equilibria: mixtures that are a best reply where all others play the same.

The players move once, at the same time, and are alike, so that one payoff for each own action and each way to count
those of the others is enough (`payoffs_by_counts`). For each set of actions, small ones first:

1. One action is an equilibrium if no other pays more where all others take it.
2. Two pay the same where a polynomial in the chance of the second is zero; all its roots are found.
3. Of three or more the mixture solves polynomial equations, against one other player linear ones: Newton's method is
   tried from some points.
4. What is found is judged exactly: no other action pays more than the mixture does, or where probabilities are rounded
   less than one in 10^12 of the range of payoffs.

A finite game of players who are alike has such an equilibrium, and perhaps others in which they differ.

Sources: Nash 1951; Diekmann, Volunteer's dilemma, 1985; Cheng, Reeves, Vorobeychik and Wellman 2004.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from typing import Any, NamedTuple

from gdl.game import Game, Number, exact
from gdl.numbers import as_stated, brief
from gdl.solution import EquilibriumRecord, Root, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.elimination import only_solution
from gdl.solvers.equilibria.logit_limit import CLOSE
from gdl.solvers.equilibria.polynomials import complementary_root, polynomial, roots_between
from gdl.solvers.needs import AtLeast
from gdl.solvers.solver import Solver
from gdl.wings.theory.symmetric.payoffs_by_counts import AlikeGame, alike_game

STARTS = 6  # points of a set of actions from which Newton's method begins
ROUNDS = 16  # of Newton's method
STEP = Fraction(1, 10**20)  # over which a difference stands for a derivative
SMALL_DENOMINATOR = 1_000  # the greatest denominator of fractions that are tried
PRECISION = 10**30  # the denominator of other solutions


class Mixture(NamedTuple):
    """A mixture of some actions, by their numbers. Unless `is_exact`, it is only close to one at which they pay the
    same; `roots` says what its probabilities are exactly, where that is known."""

    weights: dict[int, Fraction]
    is_exact: bool = True
    roots: Sequence[Root] = ()


class SymmetricRecord(EquilibriumRecord):
    """The record of equilibria in which all do the same."""

    def lines(self, answer: Solution) -> list[str]:
        """A line for each equilibrium, which stands for everyone's strategies."""
        told = []
        for profile, payoffs in zip(answer.equilibria, answer.payoffs, strict=True):
            (mix,) = profile[answer.players[0]].values()
            words = ", ".join(f"{action} {brief(x)}" for action, x in mix.items() if x)
            told.append(
                f"everyone plays {words}, and {'pays' if answer.cost else 'gets'} {brief(as_stated(payoffs[0]))}"
            )
        return [*told, ""] if told else []


Found = tuple[list[Number], Mixture, Number, Number]  # a mixture by action, its payoff, and what could be gained


def symmetric_equilibria(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """The equilibria of players who are alike in which all do the same."""
    budget = limits.budget()
    folded = alike_game(game, budget)
    paid = [payoff for row in folded.table.values() for payoff in row.values()]
    found: list[Found] = []
    notes: list[str] = []
    with answering(lambda: _build_solution(game, folded, found, ["The search was stopped: these need not be all."])):
        for mixture in _candidates(folded, notes, budget):
            mix = [exact(mixture.weights.get(action, Fraction(0))) for action in range(len(folded.actions))]
            pays = folded.expected_payoffs(mix)
            own = sum((x * payoff for x, payoff in zip(mix, pays, strict=True)), Fraction(0))
            gain = max(pays) - own
            if not gain or (not mixture.is_exact and gain * CLOSE < max(paid) - min(paid)):
                if mixture.roots:  # at these themselves all actions of the mixture pay the same
                    own, gain = min((pays[a] for a in mixture.weights), key=lambda x: x.denominator), Fraction(0)
                found.append((mix, mixture, exact(own), exact(gain)))
    return _build_solution(game, folded, found, notes, len(folded.actions) <= 2 and folded.is_proved and not notes)


def _candidates(folded: AlikeGame, notes: list[str], budget: Budget) -> Iterator[Mixture]:
    """Mixtures of each set of actions at which these pay the same."""
    for size in range(1, len(folded.actions) + 1):
        for support in combinations(range(len(folded.actions)), size):
            budget.check_time()
            if size == 1:
                yield Mixture({support[0]: Fraction(1)})
            elif size == 2:
                yield from _of_two(folded, support, notes)
            else:
                yield from _by_newton(folded, support, budget)


def _of_two(folded: AlikeGame, support: Sequence[int], notes: list[str]) -> Iterator[Mixture]:
    """The mixtures of two actions: the difference of their payoffs is a sum of C(d, j) b[j] x^j (1 - x)^(d - j), whose
    coefficients by powers of x are C(d, k) times the k-th differences of b."""
    first, second = support
    degree, form = len(folded.players) - 1, []
    rows = [folded.table[tuple({first: degree - times, second: times}.get(k, 0) for k in range(len(folded.actions)))]
            for times in range(degree + 1)]  # fmt: skip
    more = [row[second] - row[first] for row in rows]
    for k in range(degree + 1):
        form.append(comb(degree, k) * more[0])
        more = [b - a for a, b in pairwise(more)]
    if not any(form):
        names = folded.actions[first], folded.actions[second]
        notes.append(f"If all play {names[0]} or {names[1]}, these pay the same: mixtures of them are not listed.")
    for at, root in roots_between(polynomial(form)):
        roots = () if root is None else (complementary_root(root), root)
        yield Mixture({first: 1 - at, second: at}, root is None, roots)


def _by_newton(folded: AlikeGame, support: Sequence[int], budget: Budget) -> Iterator[Mixture]:
    """Mixtures to which Newton's method leads from the middle of the support, and from points at random. Where the
    equations are linear its first step solves them; else fractions of few digits are taken if they do."""
    dice, met = random.Random(0), set()
    for start in range(STARTS):
        point = [Fraction(1 if start == 0 else dice.randint(1, 99)) for _ in support]
        point = [x / sum(point) for x in point]
        for _ in range(ROUNDS):
            budget.check_time()
            lacks = _lacks(folded, support, point)
            beside = [_lacks(folded, support, [x + STEP * (k == by) for k, x in enumerate(point)])
                      for by in range(len(support))]  # fmt: skip
            rows = [[*((one[k] - lack) / STEP for one in beside), -lack] for k, lack in enumerate(lacks)]
            ahead = [x + by for x, by in zip(point, only_solution(rows) or (), strict=False)]
            if not any(lacks) or not ahead or min(ahead) < -1:
                break
            small = [x.limit_denominator(SMALL_DENOMINATOR) for x in ahead]
            near = [Fraction(round(x * PRECISION), PRECISION) for x in ahead]
            point = next((one for one in (small, ahead) if not any(_lacks(folded, support, one))), near)
        mark = tuple(round(float(x), 7) for x in point)
        if min(mark) > 0 and mark not in met:
            met.add(mark)
            point = [Fraction(1 - sum(point[1:])), *point[1:]]
            yield Mixture(dict(zip(support, point, strict=True)), not any(_lacks(folded, support, point)))


def _lacks(folded: AlikeGame, support: Sequence[int], point: Sequence[Fraction]) -> list[Fraction]:
    """The payoff of each further action of the support less that of the first, and the sum of the weights less one."""
    weights = dict(zip(support, point, strict=True))
    pays = folded.expected_payoffs([weights.get(action, Fraction(0)) for action in range(len(folded.actions))])
    return [*(pays[action] - pays[support[0]] for action in support[1:]), Fraction(sum(point) - 1)]


def _build_solution(
    game: Game[Any], folded: AlikeGame, found: Sequence[Found], notes: Sequence[str], is_all: bool = False
) -> Solution:
    count, mixed = len(folded.players), [dict(zip(folded.actions, mix, strict=True)) for mix, *_ in found]
    payoffs = tuple((payoff,) * count for _, _, payoff, _ in found)
    named = [{folded.actions[a]: root for a, root in zip(one.weights, one.roots, strict=False)} for _, one, *_ in found]
    rounded = not all(one.is_exact for _, one, *_ in found)
    tried = f"{folded.tried:,} combinations of actions"
    return replace(
        SYMMETRIC.answer(game, folded.is_proved and not rounded),
        value=payoffs[0] if folded.is_proved and len(set(payoffs)) == 1 else None,
        equilibria=tuple({p: {h: mix} for p, h in zip(folded.players, folded.sets, strict=True)} for mix in mixed),
        payoffs=payoffs,
        complete=is_all or None,
        regret=(max(gain for *_, gain in found),) * count if found else None,
        notes=(
            f"The players are alike: {f'all {tried} show it' if folded.tried else 'the file pays them by counts'}."
            if folded.is_proved
            else f"The players are taken to be alike: it is so in {tried} of {len(folded.actions)}^{count}, no proof.",
            "Other symmetric equilibria may exist." if not is_all else "There is no other symmetric equilibrium.",
            *notes,
        ),
        part=SymmetricRecord(
            roots=tuple(dict.fromkeys(folded.players, own) if own else {} for own in named) if any(named) else (),
            rounded=rounded,
        ),
    )


SYMMETRIC = Solver(
    name="symmetric",
    run=symmetric_equilibria,
    needs={"players": AtLeast(2), "simultaneous": True, "cyclic": False},
    summary="equilibria in which all do the same, of players who are alike and move once, all at the same time",
    concept="symmetric",
)

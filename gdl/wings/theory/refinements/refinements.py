"""Equilibria that survive trembles: perfect and proper ones, in the strategic form.

Perfect (Selten 1975): a limit of play in which everybody makes every mistake now and then, and whatever is not a best
reply is only a mistake. For two players these are the equilibria in which neither mixture is weakly dominated (van
Damme): a linear program for each extreme equilibrium looks for a mixture that never pays less and sometimes more.

Proper (Myerson 1978): a limit of play in which of two mistakes the costlier is made far less often. Of each extreme
equilibrium it is decided exactly whether it is proper (`properness.py`). Where none of them is, or they are too many,
limits are looked for. For a small number e let each player mix over the orders of their plans: an order plays its first
plan in proportion to 1, its second to e, its third to e^2. An equilibrium of that game plays what pays less at least e
times as seldom (Kohlberg and Mertens 1986), so its limit is proper; at least one proper equilibrium is found so.

1. The orders are too many to be written down: an equilibrium between a few is found, with e = 2^-64, and whoever has a
   better order (their plans sorted by what they pay) gets it, until nobody has one (double oracle).
2. The limit is the fraction of the smallest denominator close by, and must be an equilibrium itself. Whether it is
   proper is decided as before; where ties leave too many ranks to try, the answer says so and is not exact.

Of three players or more each equilibrium that `nash` finds is held against trembles (`trembles.py`): it is proved to be
a limit of some, or proved to be of none, or told as undecided.

A tree is looked at by its strategic form, where a plan trembles as a whole: what is perfect there need not be perfect
in the tree (there: `--concept sequential`, or `subgame-perfect`).

Sources: Selten 1975; Myerson, Refinements of the Nash equilibrium concept, 1978; van Damme, Stability and Perfection of
Nash Equilibria, 1991, theorem 3.2.2; Kohlberg and Mertens, On the strategic stability of equilibria, 1986; McMahan,
Gordon and Blum, Planning in the presence of cost functions controlled by an adversary, 2003 (the double oracle).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Any

from gdl.errors import LimitReached, Refusal
from gdl.game import Game, exact
from gdl.solution import EquilibriumRecord, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.behaviour import Behaviour
from gdl.solvers.equilibria.bimatrix import TooManyVertices, extreme_equilibria
from gdl.solvers.equilibria.lemke_howson import path
from gdl.solvers.equilibria.mixed_of_several import SMALL_DENOMINATOR, MixtureProfile, candidates, count_supports
from gdl.solvers.equilibria.nash import Equilibria, equilibria, pure_equilibria
from gdl.solvers.equilibria.regret import complete_behaviour, judge, with_equilibria
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, Mix, StrategicForm, table_of
from gdl.solvers.equilibria.tableau import positive
from gdl.solvers.needs import AtLeast
from gdl.solvers.solver import Solver
from gdl.wings.theory.refinements.properness import properness
from gdl.wings.theory.refinements.trembles import LinearProgramBudget, judge_trembles
from gdl.wings.theory.tables import dominating

# Perfect and proper equilibria of three players or more: each equilibrium that `nash` finds is held against trembles.
#
# 1. The pure equilibria are all found, mixed ones support by support; of each it is decided whether trembles lead to it
#    (`trembles.py`).
# 2. Where they lead to none: everybody is made to err a little, all mistakes as often (Selten's perturbed game). What
#    the equilibria of that game come close to is decided in the same way.
# 3. What is decided neither way is told, and listed only where nothing is proved. Where there are many equilibria, or
#    large tables, each is given up after its share of the work, unless a time is set.

ERRING = Fraction(1, 1 << 20)  # how often each mistake is made in the game in which everybody errs
PATIENCE = 200_000  # numbers in the linear programs for all equilibria: some ten seconds
MOST_SUPPORTS = 3_000  # most supports of the game in which everybody errs


def of_several(begun: Solution, form: StrategicForm, budget: Budget) -> Solution:
    """The answer `begun`, completed by those equilibria found that trembles lead to. If there are none, raises
    LimitReached, with those that were not decided."""
    concept = begun.solver
    found, left_over = Equilibria([]), Equilibria([])
    looked = _TrembleCandidates(form, concept, budget)

    def partial_solution() -> Solution:
        proved = looked.those(True)
        left = looked.those(None) or [complete_behaviour(form.positions, one) for one in left_over.behaviours]
        answer = _solution_of_several(begun, form, proved or left, found, False)
        if proved or not left:
            return answer
        return replace(
            answer, notes=(f"Whether these are {concept} was not decided: they are equilibria.", *answer.notes)
        )

    with answering(partial_solution):
        found = equilibria(form.positions, len(form.payoffs), budget, several=True, begun=left_over)
        looked.decide(found)
    proved, undecided = looked.those(True), looked.those(None)
    lost, every = len(looked.those(False)), len(looked.verdicts)
    notes = [f"Not {concept}: {lost} of {every} equilibria that were found."] if lost else []
    longer = "; --time looks for longer" if looked.given_up and budget.time is None else ""
    if not proved:
        answer = _solution_of_several(begun, form, undecided, found, False)
        limit = f"the {concept} equilibria of {begun.game} are among those that were not found: there is one at least"
        if undecided:
            limit = f"trembles that lead to an equilibrium were neither found nor ruled out, in {begun.game}{longer}"
            unknown = f"Whether these are {concept} is not known: they are equilibria, and nothing rules them out."
            notes += [unknown, *answer.notes]
        raise LimitReached(limit, replace(answer, limit=limit, notes=tuple(notes)))
    if undecided:
        notes.append(
            f"Of {len(undecided)} it was not decided: trembles that lead there were neither found nor ruled out"
            f"{longer}."
        )
    answer = _solution_of_several(begun, form, proved, found, True)
    return replace(answer, complete=None if undecided else found.complete, notes=(*notes, *answer.notes))


class _TrembleCandidates:
    """Equilibria, each with the verdict whether trembles lead to it (None: not decided)."""

    def __init__(self, form: StrategicForm, concept: str, budget: Budget):
        self.form, self.concept, self.budget = form, concept, budget
        self.verdicts: dict[Behaviour, bool | None] = {}
        self.given_up: list[Behaviour] = []  # equilibria not decided within their share of the patience

    def those(self, verdict: bool | None) -> list[Behaviour]:
        return [behaviour for behaviour, holds in self.verdicts.items() if holds is verdict]

    def decide(self, found: Equilibria) -> None:
        """Decide on all equilibria, each with a share of the patience; then, if a time was set, again on those for
        which it was not enough."""
        seen: dict[tuple[Mix, ...], None] = {}
        left = PATIENCE
        for number, behaviour in enumerate(chain(found.behaviours, _near_those_of_trembling(self))):
            mixes = tuple(self.form.mix(player, behaviour) for player in self.form.players)
            if mixes in seen:  # another full plan that does the same
                continue
            seen[mixes] = None
            share = left // max(1, len(found.behaviours) - number)
            patience = LinearProgramBudget(share)
            self._look(behaviour, mixes, found, patience)
            left -= min(share, share - patience.left)
            if patience.left < 0 and self.verdicts[behaviour] is None:
                self.given_up.append(behaviour)
        for behaviour in self.given_up if self.budget.time is not None else ():
            self._look(behaviour, [self.form.mix(player, behaviour) for player in self.form.players], found, None)

    def _look(
        self, behaviour: Behaviour, mixes: Sequence[Mix], found: Equilibria, patience: LinearProgramBudget | None
    ) -> None:
        close = behaviour in found.close
        verdict = judge_trembles(self.form, self.concept, mixes, self.budget, close=close, patience=patience)
        self.verdicts[behaviour] = verdict.holds


def _near_those_of_trembling(looked: _TrembleCandidates) -> Iterator[Behaviour]:
    """Equilibria near those of the game in which everybody errs a little; none once an equilibrium is proved, or if
    there are too many supports."""
    form = looked.form
    every = form.all_plans
    if looked.those(True) or count_supports(every) > MOST_SUPPORTS:
        return
    trembling = _perturb_form(form)
    pure = (
        MixtureProfile(tuple(tuple(int(k == own) for k in every[p]) for p, own in enumerate(cell)))
        for cell in pure_equilibria(trembling)
    )
    for mixed in chain(pure, candidates(trembling, every, looked.budget)):
        if looked.those(True):
            return
        near = [[Fraction(x).limit_denominator(SMALL_DENOMINATOR) for x in mix] for mix in mixed.mixes]
        if all(sum(mix) == 1 for mix in near):
            behaviour = complete_behaviour(form.positions, form.behaviour([tuple(map(exact, mix)) for mix in near]))
            if not any(judge(form.positions, behaviour).regret):
                yield behaviour


def _perturb_form(form: StrategicForm) -> StrategicForm:
    """The strategic form in which each plan is also played by mistake, with probability ERRING."""
    payoffs = form.payoffs
    for player, plans in enumerate(form.plans):
        meant = 1 - len(plans) * ERRING
        payoffs = {
            cell: tuple(
                meant * amount
                + ERRING
                * sum((payoffs[(*cell[:player], k, *cell[player + 1 :])][p] for k in range(len(plans))), Fraction(0))
                for p, amount in enumerate(vector)
            )
            for cell, vector in payoffs.items()
        }
    return StrategicForm(form.positions, form.plans, payoffs)


def _solution_of_several(
    begun: Solution, form: StrategicForm, chosen: Sequence[Behaviour], found: Equilibria, sure: bool
) -> Solution:
    judgements = [judge(form.positions, behaviour) for behaviour in chosen]
    close = any(behaviour in found.close for behaviour in chosen)
    roots = tuple(found.close.get(behaviour, {}) for behaviour in chosen)
    return replace(
        with_equilibria(begun, form.positions, chosen, judgements, found.one_value),
        exact=sure and not close,
        part=EquilibriumRecord(rounded=close, roots=roots if any(roots) else ()),
        notes=(*(as_a_whole(begun, form) if sure else ()), *found.notes),
    )


def as_a_whole(begun: Solution, form: StrategicForm) -> list[str]:
    """A note, in a list, that in a tree a plan trembles as a whole; [] for a matrix."""
    tree = any(len(form.positions.sets_of(p)) > 1 for p in form.players)
    return [f"It is {begun.solver} in the strategic form, where a plan trembles as a whole."] if tree else []


MOST_ORDERED = 20  # plans of a player for which orders are looked for
SMALL = 64  # the exponent: trembles are powers of 2^-SMALL
LABELS = 6  # of Lemke and Howson's paths, and beginnings of the double oracle

Pair = tuple[Mix, Mix]
Orders = Sequence[tuple[int, ...]]  # some orders of a player's plans


def perfect(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """The extreme equilibria in which nobody plays what is weakly dominated; of several players, those that trembles
    lead to."""
    return _solve_refined(PERFECT, game, limits, cells)


def proper(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """Proper equilibria, one at least: the extreme ones that are proper, else limits of equilibria between orders of
    the plans."""
    return _solve_refined(PROPER, game, limits, cells)


def _solve_refined(row: Solver, game: Game[Any], limits: SearchLimits, cells: int) -> Solution:
    begun, (form, budget) = row.answer(game), table_of(game, cells, limits)
    if len(form.plans) > 2:
        return of_several(begun, form, budget)
    is_refined = _is_perfect if row is PERFECT else _is_proper
    found: list[Pair] = []
    with suppress(TooManyVertices), answering(lambda: _build_solution(begun, form, found, None, [])):
        extreme, verdicts = extreme_equilibria(*form.tables(), budget).equilibria, list[bool | None]()
        for pair in extreme:
            verdicts.append(is_refined(form, pair, budget))
            found += [pair] if verdicts[-1] else []
        if found:
            finite = min(len({pair[player] for pair in extreme}) for player in (0, 1)) == len(extreme)
            lost, open_ones = verdicts.count(False), verdicts.count(None)
            what = "Weakly dominated plans: in" if row is PERFECT else "Not proper:"
            notes = [f"{what} {lost} of {len(verdicts)} extreme equilibria."] if lost else []
            if open_ones:
                notes.append(f"Of {open_ones} it was not decided: there are too many orders of mistakes.")
            return _build_solution(begun, form, found, None if open_ones else finite, notes)
    return _by_paths(begun, form, budget) if row is PERFECT else limits_of_equilibria(begun, form, budget)


def _by_paths(begun: Solution, form: StrategicForm, budget: Budget) -> Solution:
    """The answer if there are too many equilibria to list: those on some paths of Lemke and Howson."""
    with answering(lambda: _build_solution(begun, form, [], None, [])):
        rows, columns = form.tables()
        pairs = dict.fromkeys(path(rows, columns, label, budget) for label in range(min(LABELS, len(rows))))
        found = [pair for pair in pairs if _is_perfect(form, pair, budget)]
    notes = ["There are too many equilibria to look at all; these were found by paths of Lemke and Howson."]
    return _build_solution(begun, form, found, None, notes)


def _is_perfect(form: StrategicForm, pair: Pair, budget: Budget) -> bool:
    return all(dominating(form, player, mix, budget) is None for player, mix in enumerate(pair))


def _is_proper(form: StrategicForm, pair: Pair, budget: Budget) -> bool | None:
    """True if the pair is proper, False if not, None if that was not decided. One that is not even perfect is found out
    soon."""
    return _is_perfect(form, pair, budget) and properness(form.tables(), pair, budget, blame=False).holds


def limits_of_equilibria(begun: Solution, form: StrategicForm, budget: Budget) -> Solution:
    """Look for proper equilibria as limits of equilibria between orders, where none of the extreme ones is known to be
    proper."""
    most = max(map(len, form.plans))
    if most > MOST_ORDERED:
        raise Refusal(
            f"proper looks for orders of the plans, of {MOST_ORDERED} plans at most; in {begun.game} somebody has "
            f"{most}; --concept perfect takes more"
        )
    found: list[Pair] = []
    with answering(lambda: _build_solution(begun, form, found, None, [])):
        for pair in _limits(form, budget):
            if pair not in found:
                found.append(pair)
        verdicts = [_is_proper(form, pair, budget) for pair in found]
    found[:] = [pair for pair, holds in zip(found, verdicts, strict=True) if holds is not False]
    notes = ["Others may be proper too, as limits of other trembles."]
    if None in verdicts:
        notes.append(f"The trembles are powers of 2^-{SMALL}: whether smaller ones lead to the same is not proved.")
    return _build_solution(begun, form, found, None, notes, None not in verdicts)


def _limits(form: StrategicForm, budget: Budget) -> Iterator[Pair]:
    """The limits of some equilibria between orders of plans as trembles vanish, one for each order to begin with, where
    they are equilibria themselves."""
    rows, columns = form.tables()
    pays = positive(rows), positive(columns)
    for begin in range(LABELS):
        orders = [[(*range(at := begin % len(own), len(own)), *range(at))] for own in form.plans]
        while True:
            budget.check_time()
            mine, yours = (_between_orders(table, orders) for table in pays)
            pair = path(mine, yours, 0, budget)
            own = [_trembling(mix, some) for mix, some in zip(pair, orders, strict=True)]
            worth = [[sum(x * y for x, y in zip(row, own[1], strict=True)) for row in pays[0]],
                     [sum(x * y for x, y in zip(column, own[0], strict=True)) for column in zip(*pays[1], strict=True)],
                     ]  # fmt: skip
            better = [_better_order(*sides) for sides in zip(own, worth, strict=True)]
            for some, order in zip(orders, better, strict=True):
                some += [] if order is None else [order]
            if better == [None, None]:
                break
        limit = _limit(pair[0], orders[0]), _limit(pair[1], orders[1])
        if not any(judge(form.positions, complete_behaviour(form.positions, form.behaviour(limit))).regret):
            yield limit


def _trembling(mix: Mix, orders: Orders) -> list[Fraction]:
    """The probability of each plan under a mixture of orders, up to a factor."""
    found = [Fraction(0)] * len(orders[0])
    for weight, order in zip(mix, orders, strict=True):
        for k, plan in enumerate(order):
            found[plan] += weight * Fraction(1, 1 << (SMALL * k))
    return found


def _better_order(own: Sequence[Fraction], worth: Sequence[Fraction]) -> tuple[int, ...] | None:
    """The order of the plans by their worth, best first, if it pays more than the mixture `own`; else None."""
    order = tuple(sorted(range(len(worth)), key=lambda plan: -worth[plan]))
    best = sum(worth[plan] * Fraction(1, 1 << (SMALL * k)) for k, plan in enumerate(order))
    return order if best > sum(x * y for x, y in zip(own, worth, strict=True)) else None


def _between_orders(table: Sequence[Sequence[int]], orders: Sequence[Orders]) -> list[list[int]]:
    """The payoffs of each order of plans against each order of the other player, scaled to whole numbers."""
    deepest = len(table) + len(table[0]) - 2
    weights = [1 << (SMALL * (deepest - k)) for k in range(deepest + 1)]

    def pays(own: tuple[int, ...], other: tuple[int, ...]) -> int:
        return sum(table[i][j] * weights[k + n] for k, i in enumerate(own) for n, j in enumerate(other))

    return [[pays(own, other) for other in orders[1]] for own in orders[0]]


def _limit(mix: Mix, orders: Orders) -> Mix:
    """The mixture as trembles vanish: each order of plans becomes its first plan, and probabilities become simple
    fractions."""
    weights = [Fraction(0)] * len(orders[0])
    for weight, order in zip(mix, orders, strict=True):
        weights[order[0]] += weight
    near = [weight.limit_denominator(1 << (SMALL // 3)) for weight in weights]
    total = sum(near, Fraction(0))
    return tuple(exact(weight / total) for weight in near)


def _build_solution(
    begun: Solution,
    form: StrategicForm,
    found: Sequence[Pair],
    complete: bool | None,
    notes: Sequence[str],
    certified: bool = True,
) -> Solution:
    # Where moves of a player's own never lead, nothing is said: anything would do there.
    behaviours = list(dict.fromkeys(form.behaviour(pair) for pair in found))
    judgements = [judge(form.positions, complete_behaviour(form.positions, one)) for one in behaviours]
    answer = with_equilibria(begun, form.positions, behaviours, judgements)
    return replace(answer, exact=certified, complete=complete, notes=(*notes, *as_a_whole(begun, form)))


_NEEDS = {"players": AtLeast(2), "perfect_recall": True, "cyclic": False}

PERFECT = Solver(
    name="perfect",
    run=perfect,
    needs=_NEEDS,
    summary="perfect equilibria of a matrix: limits of play with mistakes; of two players, nothing dominated is played",
    concept="perfect",
)
PROPER = Solver(
    name="proper",
    run=proper,
    needs=_NEEDS,
    summary="proper equilibria of a small matrix: of two mistakes the costlier is made far less often",
    concept="proper",
)

"""Nash equilibria of a matrix, or of a small game through its strategic form.

1. Pure equilibria: every combination of plans from which nobody gains by another plan. In a tree, full plans count
   one by one where the table allows, since books list them so, each next to those with the same reduced plans;
   otherwise reduced ones count.
2. Two players: strictly dominated plans go, then vertex enumeration finds all extreme equilibria (`bimatrix`). Where
   there are too many vertices, Lemke and Howson's paths find some (`lemke_howson`), or linear programming one if the
   sum is constant (`zero_sum`). Where the table is too large, one comes from the sequence form (`sequence_form` if the
   sum is constant, `sequence_lcp` for others). A lone player's best plan comes from the judge if there are too many.
3. More than two players: mixed equilibria support by support (`mixed_of_several`), of many the small ones, and what
   paths of the global Newton method meet; where none is met, the one to which logit equilibria lead. Numbers that are
   no fractions are told as close to them as need be, and what they are exactly where that is known.
4. Every equilibrium is judged: its regret is zero, exactly, or below one in 10^12 where a number is not a fraction.

Sources: Nash 1951; von Stengel, Handbook of Game Theory 3, 2002; Kuhn 1953 (mixtures of plans as behaviour).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import prod
from typing import Any

from gdl.errors import LimitReached, count_text, listing
from gdl.errors.deadline import CLOCK
from gdl.errors.shares import JUDGING_SHARE, MEETING_SHARE, ONE_EQUILIBRIUM_SHARE
from gdl.game import Game, Number, Traits, exact
from gdl.solution import EquilibriumRecord, Root, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, TableTooLarge, answering
from gdl.solvers.equilibria import sequence_lcp
from gdl.solvers.equilibria.behaviour import Behaviour, only_players, pure_behaviour, write_profile
from gdl.solvers.equilibria.bimatrix import ExtremeSoFar, TooManyVertices, extreme_equilibria, maximal_components
from gdl.solvers.equilibria.dominance import dominant_notes, eliminate, undominated_plans
from gdl.solvers.equilibria.families import families
from gdl.solvers.equilibria.lemke_howson import labels_to_try, path
from gdl.solvers.equilibria.logit_limit import CLOSE, logit_limit
from gdl.solvers.equilibria.mixed_of_several import (
    MOST_SUPPORTS,
    MixtureProfile,
    candidates,
    count_supports,
    path_mixtures,
)
from gdl.solvers.equilibria.positions import MOST_POSITIONS, PositionGraph, explore, without_idle
from gdl.solvers.equilibria.regret import (
    Judgement,
    best_response,
    between_ends,
    complete_behaviour,
    judge,
    with_equilibria,
)
from gdl.solvers.equilibria.sequence_form import optimal_behaviour
from gdl.solvers.equilibria.simplex import minimax
from gdl.solvers.equilibria.strategic_form import (
    MOST_CELLS,
    Cell,
    Mix,
    Some,
    StrategicForm,
    reduced_plans,
    refuse_large,
    strategic_form,
)
from gdl.solvers.equilibria.zero_sum import optimal_mixtures
from gdl.solvers.solver import Solver

COMPONENTS_OF = 100  # extreme equilibria, beyond which components are not listed
FEW_SUPPORTS = 100  # combinations of supports, beyond which paths are followed, too
RAYS = 4  # of the global Newton method that are then followed
MORE_RAYS = 8  # where an even number of equilibria was found on those
GLANCING_SHARE = 0.5  # of the time, for a glance that may show that the table is too large
SMALL_TREE = 20_000  # most positions of a game of general sum for the sequence form, if its table is too large
AT_ONCE = 100  # cells of a table up to which all equilibria are found at once
SMALL_TABLE = 1_000  # cells of a table up to which plans dominated by mixtures are eliminated first
MAX_LISTED_EQUILIBRIA = 500  # pure equilibria in full plans that are listed at most


def nash(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """All pure equilibria and, for two players, all extreme mixed ones, on a table of at most that many cells."""
    budget = limits.budget(MOST_POSITIONS)
    positions = _positions(game, cells, budget)
    begun = Equilibria([])
    with answering(lambda: partial_solution(game, positions, begun, budget)):
        _find_one_soon(without_idle(positions), begun, budget)
        found = equilibria(positions, cells, budget, several=True, begun=begun)
        if not found.behaviours and len(game.players) > 2:
            add_traced(positions, found, budget)
        begun.behaviours, begun.close = found.behaviours, found.close
        return build_solution(game, positions, found, budget)


def partial_solution(
    game: Game[Any], positions: PositionGraph, begun: Equilibria, budget: Budget, solver: Solver | None = None
) -> Solution:
    """The answer at a limit: of the equilibria that were found until then, those that are judged or can be in a
    moment, one at least."""
    end = CLOCK.now() + JUDGING_SHARE * max(1, budget.time or 0)
    behaviours: list[Behaviour] = []
    for behaviour in begun.behaviours:
        if behaviours and CLOCK.now() > end and behaviour not in begun.judged:
            continue
        behaviours.append(complete_behaviour(positions, behaviour))
        begun.judged[behaviours[-1]] = begun.judged.get(behaviours[-1]) or judge(positions, behaviours[-1])
    if not behaviours:
        return between_ends((solver or NASH).answer(game), positions)
    left = len(begun.behaviours) - len(behaviours)
    notes = ["The search was stopped: these equilibria need not be all."]
    notes += [f"{count_text(left, 'further one')} had been found, and not judged yet."] if left else []
    begun = replace(begun, behaviours=behaviours, complete=None, one_value=False, notes=notes)
    return build_solution(game, positions, begun, None, solver)


def build_solution(
    game: Game[Any], positions: PositionGraph, found: Equilibria, budget: Budget | None, solver: Solver | None = None
) -> Solution:
    """The answer with every equilibrium judged. After a limit, without a budget, nothing is said of what may vary off
    the path of play."""
    judgements = _judge_equilibria(positions, found, budget)
    return replace(
        with_equilibria((solver or NASH).answer(game), positions, found.behaviours, judgements, found.one_value),
        exact=not found.close,
        complete=found.complete,
        notes=tuple(found.notes),
        part=_record_equilibria(positions, found, judgements, budget is not None),
    )


def _record_equilibria(
    positions: PositionGraph, found: Equilibria, judgements: Sequence[Judgement], with_free: bool
) -> EquilibriumRecord:
    return EquilibriumRecord(
        groups=tuple((size, write_profile(positions, behaviour)) for size, behaviour in found.groups),
        families=() if found.close else families(positions, found.behaviours, judgements, with_free=with_free),
        roots=found.roots(),
        rounded=bool(found.close),
    )


def _positions(game: Game[Any], cells: int, budget: Budget) -> PositionGraph:
    """The positions of the game, where a method can use them: its table is not too large, or it can do without one, or
    it is a small tree in which two players move, for the sequence form. Raises TableTooLarge."""
    if not _needs_no_table(game.traits):
        glance = budget.part(None, GLANCING_SHARE)
        try:
            refuse_large(game, cells, lambda met: glance.check_time())
        except TableTooLarge:
            if game.traits.perfect_information:
                raise
            with suppress(LimitReached):
                found = explore(game, budget.part(SMALL_TREE, 1))
                if len(set(found.owners)) == 2:
                    return found
            budget.check_time()
            raise
    part = budget.part(budget.nodes, MEETING_SHARE) if budget.seconds_left is not None else budget
    found = explore(game, part)
    budget.spent = max(budget.spent, found.count)
    return found


def _needs_no_table(traits: Traits) -> bool:
    """True if, as far as its traits say, the game may be one whose equilibria can be found without a table (see
    `equilibria`)."""
    general_sum = traits.zero_sum is False and traits.constant_sum is None
    return traits.players == 1 or (traits.players == 2 and not traits.perfect_information and not general_sum)


Roots = Mapping[str, Mapping[str, Root]]  # player -> action -> its irrational probability, exactly


@dataclass
class Equilibria:
    """Equilibria found, pure ones first. `complete` is True if these are all (None: not known). `one_value` is True if
    the method guarantees that all equilibria pay the same whenever these do. `groups` is filled where pure equilibria
    are listed in full plans: each pure equilibrium in reduced plans, with the number of listed ones in a row that agree
    with it."""

    behaviours: list[Behaviour]
    complete: bool | None = None
    one_value: bool = False
    notes: list[str] = field(default_factory=list)
    groups: list[tuple[int, Behaviour]] = field(default_factory=list)
    components: list[list[int]] = field(default_factory=list)  # each the places of its equilibria in reduced plans
    close: dict[Behaviour, Roots] = field(default_factory=dict)  # approximate equilibria, with their exact roots
    judged: dict[Behaviour, Judgement] = field(default_factory=dict)

    def roots(self) -> tuple[Roots, ...]:
        """The irrational probabilities of each equilibrium; () if none are known."""
        every = tuple(self.close.get(behaviour, {}) for behaviour in self.behaviours)
        return every if any(every) else ()


def equilibria(
    positions: PositionGraph,
    cells: int = MOST_CELLS,
    budget: Budget | None = None,
    *,
    several: bool = False,
    begun: Equilibria | None = None,
) -> Equilibria:
    """The Nash equilibria of a game whose positions are at hand, as far as they can be found; with `several`, also
    mixed ones of more than two players. `begun` receives the equilibria found before a limit stops the search."""
    budget, begun = budget or Budget(), begun or Equilibria([])
    if (left := without_idle(positions)) is not positions:
        return _among_movers(left, cells, budget, several, begun)
    try:
        form = strategic_form(positions, limit=cells, budget=budget)
    except LimitReached:
        budget.check_time()
        if len(positions.players) == 1:
            return _by_best_response(positions)
        if len(positions.players) == 2 and positions.constant_sum() is not None and not positions.open_to_all():
            return _by_sequence_form(positions, budget)
        if len(positions.players) == 2 and not positions.open_to_all():
            behaviour = sequence_lcp.equilibrium(positions, budget)
            if behaviour is not None:
                return Equilibria([behaviour], notes=[_BY_LEMKE])
        raise
    pure = [form.pure(cell) for cell in pure_equilibria(form)]
    found = Equilibria(list(pure), notes=dominant_notes(form) if len(form.plans) > 1 else [])
    found.judged = begun.judged
    if pure or len(form.plans) > 2:
        begun.behaviours, begun.close = found.behaviours, found.close
    if len(form.plans) == 1:
        found.complete, found.one_value = len(pure) == 1, True
    elif len(form.plans) == 2:
        _add_mixed(form, found, budget, begun)
    elif eliminate(form).solution is not None:
        found.complete = found.one_value = True
    elif several:
        _add_several(form, found, budget)
    else:
        found.notes.append("Mixed equilibria of more than two players were not searched.")
    if found.complete and any(map(partial(_is_silent, positions), found.behaviours)):
        found.complete = False
    _list_full_plans(positions, found, len(pure), cells, budget)
    if found.components:
        found.notes.append(_components_told(found))
    for number, behaviour in enumerate(found.behaviours):
        budget.check_time()
        found.behaviours[number] = complete_behaviour(positions, behaviour)
    return found


def _among_movers(left: PositionGraph, cells: int, budget: Budget, several: bool, begun: Equilibria) -> Equilibria:
    """The equilibria where some players never move, from the positions without these. What they are paid may differ
    where the value of the others does not."""
    inner = Equilibria([])
    try:
        found = equilibria(left, cells, budget, several=several, begun=inner)
    finally:
        begun.behaviours, begun.close = inner.behaviours, inner.close
    return replace(found, judged={}, one_value=found.complete is True and len(found.behaviours) == 1)


def _find_one_soon(positions: PositionGraph, begun: Equilibria, budget: Budget) -> None:
    """Put one equilibrium of a tree of two players into `begun`, without the table of plans, if time is limited and
    that table takes long."""
    counts = reduced_plans(positions) if budget.seconds_left is not None and len(positions.players) == 2 else None
    if counts is None or prod(counts) <= AT_ONCE or len(positions.information_sets) == 2:
        return
    with suppress(LimitReached):
        behaviour = sequence_lcp.equilibrium(positions, budget.part(None, ONE_EQUILIBRIUM_SHARE))
        begun.behaviours = [] if behaviour is None else [behaviour]


_BY_LEMKE = (
    "The strategic form is too large. Found by Lemke's method on the sequence form: there may be more equilibria, and "
    "they may pay otherwise."
)


def _by_best_response(positions: PositionGraph) -> Equilibria:
    """One best plan of a lone player whose table would be too large."""
    silent: Behaviour = (None,) * len(positions.information_sets)
    choices = {h: best[0] for h, best in best_response(positions, silent, 0).choices.items()}
    notes = ["Of the best plans this is one; there may be others."]
    return Equilibria([pure_behaviour(positions, choices)], one_value=True, notes=notes)


def _by_sequence_form(positions: PositionGraph, budget: Budget) -> Equilibria:
    """One equilibrium of a game of constant sum whose table would be too large."""
    behaviour = complete_behaviour(positions, optimal_behaviour(positions, budget))
    notes = ["The strategic form is too large. Found by the sequence form: there may be more equilibria, of one value."]
    return Equilibria([behaviour], one_value=True, notes=notes)


def pure_equilibria(form: StrategicForm) -> Iterator[Cell]:
    """The combinations of plans from which nobody gains by another plan, in the order of the plans."""
    most: list[dict[Cell, Number]] = [{} for _ in form.players]  # what a player can get against the others' plans
    for cell, payoffs in form.payoffs.items():
        for p, payoff in enumerate(payoffs):
            others = (*cell[:p], *cell[p + 1 :])
            known = most[p].get(others)
            if known is None or payoff > known:
                most[p][others] = payoff
    for cell, payoffs in form.payoffs.items():
        if all(payoff == most[p][*cell[:p], *cell[p + 1 :]] for p, payoff in enumerate(payoffs)):
            yield cell


def _list_full_plans(positions: PositionGraph, found: Equilibria, pure: int, cells: int, budget: Budget) -> None:
    """Replace each of the first `pure` equilibria by all equilibria in full plans that agree with it, where the full
    table is small enough."""
    try:
        form = strategic_form(positions, limit=cells, full=True, budget=budget)
    except LimitReached:
        budget.check_time()
        return
    full = [form.pure(cell) for cell in pure_equilibria(form)]
    if pure < len(full) <= MAX_LISTED_EQUILIBRIA:
        groups = [[whole for whole in full if _agrees(whole, reduced)] for reduced in found.behaviours[:pure]]
        sizes = [*map(len, groups), *[1] * (len(found.behaviours) - pure)]
        found.groups = list(zip(sizes, found.behaviours, strict=True))
        found.behaviours[:pure] = [whole for group in groups for whole in group]
        found.notes.append(_IN_FULL)


def _is_silent(positions: PositionGraph, behaviour: Behaviour) -> bool:
    """True if its player's own moves never lead to some choice, so that any other one would do there, too."""
    return any(row is None and width > 1 for row, width in zip(behaviour, positions.widths, strict=True))


def _agrees(whole: Behaviour, reduced: Behaviour) -> bool:
    """True if the behaviour in full plans does what the one in reduced plans says."""
    return all(row is None or row == other for row, other in zip(reduced, whole, strict=True))


_IN_FULL = (
    "Plans count as different even where they differ only after moves they do not make. Such equilibria stand "
    "together, by their reduced plans, which are silent there."
)


def _add_mixed(form: StrategicForm, found: Equilibria, budget: Budget, begun: Equilibria) -> None:
    """Add the mixed equilibria of two players, with notes on whether there are more. In a large table with a limit of
    time, first follow paths, so that there is an answer. At a limit `begun` has those met so far."""
    alive = eliminate(form).alive if len(form.payoffs) <= SMALL_TABLE else undominated_plans(form, budget)
    constant = len({exact(sum(vector, Fraction(0))) for vector in form.payoffs.values()}) == 1
    if budget.seconds_left is not None and len(form.payoffs) > AT_ONCE:
        begun.behaviours = begun.behaviours[:] or [_behaviour(form, alive, path(*form.tables(alive), None, budget))]
        with suppress(LimitReached):
            if not constant:
                _add_by_paths(form, alive, (begun,), budget.part(None, ONE_EQUILIBRIUM_SHARE))
    try:
        _add_extreme(form, alive, found, budget)
        found.one_value = True
    except ExtremeSoFar as stop:
        for mixes in stop.equilibria:
            _add(begun, _behaviour(form, alive, mixes))
        raise
    except TooManyVertices:
        found.one_value = constant
        if constant:
            table = form.tables(alive)[0]
            answer = optimal_mixtures(table, budget) or minimax(table)
            _add(found, _behaviour(form, alive, (answer.row, answer.column)))
            found.notes.append("Found by linear programming: there may be more equilibria, all of the same value.")
            return
        _add_by_paths(form, alive, (found, begun), budget)
        size = " x ".join(str(len(plans)) for plans in alive)
        found.notes.append(
            f"A table of {size} has too many vertices to find all equilibria; mixed ones were found by the paths of "
            "Lemke and Howson, and there may be more."
        )


def _add_by_paths(form: StrategicForm, alive: Some, several: Sequence[Equilibria], budget: Budget) -> None:
    """Add the equilibria to which the labels of Lemke and Howson lead to several lists."""
    rows, columns = form.tables(alive)
    for label in labels_to_try(len(rows) + len(rows[0])):
        behaviour = _behaviour(form, alive, path(rows, columns, label, budget))
        for found in several:
            _add(found, behaviour)


def _add_several(form: StrategicForm, found: Equilibria, budget: Budget) -> None:
    """Add the mixed equilibria of more than two players, as far as their supports can be tried."""
    alive = eliminate(form).alive
    count = count_supports(alive)
    rays = RAYS if count > FEW_SUPPORTS else 0
    ends = path_mixtures(form, rays, budget)  # pure ones are known, and those of reduced plans are not completed yet
    mixed = (one for one in ends if not one.is_pure)
    ways = [candidates(form, alive, budget), mixed]
    # First the way that finds more, should time be short.
    for way in ways if count <= MOST_SUPPORTS else reversed(ways):
        add_judged(form, found, way)
    if rays and len(found.behaviours) % 2 == 0:
        rays = MORE_RAYS
        add_judged(form, found, (one for one in path_mixtures(form, rays, budget) if not one.is_pure))
    how = "support by support"
    if count > MOST_SUPPORTS:
        how = f"in {MOST_SUPPORTS:,} of {count:,} supports, small ones first"
    how += f", and along {rays} rays of the global Newton method" if rays else ""
    found.notes.append(f"Mixed equilibria of more than two players were looked for {how}; there may be others.")
    if rays and len(found.behaviours) % 2 == 0:
        found.notes.append("Their number is even, and that of a game without ties is odd: one at least is missing.")
    if found.close:
        found.notes.append(CLOSE_BY)


CLOSE_BY = "Probabilities with many digits stand for others close by; the regret is below 1 in 10^12."


def add_judged(form: StrategicForm, found: Equilibria, mixtures: Iterable[MixtureProfile]) -> None:
    """Add those mixtures from which nobody gains by deviating, each once."""
    for mixed in mixtures:
        behaviour = complete_behaviour(form.positions, form.behaviour(mixed.mixes))
        judgement = judge(form.positions, behaviour)
        regret = max(judgement.regret)
        if regret * CLOSE > 1 or (regret and mixed.is_exact) or any(_are_near(behaviour, one) for one in found.close):
            continue
        _add(found, behaviour)
        found.judged[behaviour] = judgement
        if not mixed.is_exact:
            found.close[behaviour] = _name_roots(form, mixed)


def add_traced(positions: PositionGraph, found: Equilibria, budget: Budget) -> None:
    """Add the equilibrium to which the curve of logit equilibria leads, if one is found."""
    limit = logit_limit(positions, budget)
    if limit is not None:
        _add(found, limit.behaviour)
        if limit.regret:
            found.close[limit.behaviour] = {}
            found.notes.append(CLOSE_BY)
        found.notes.append(f"Traced from random play along logit equilibria, to lambda {limit.rate:.3g}.")


def _are_near(one: Behaviour, other: Behaviour) -> bool:
    """True if all probabilities are the same but for the last of their digits."""
    pairs = zip(one, other, strict=True)
    return all(
        a is not None and b is not None and all(abs(Fraction(p) - q) * CLOSE < 1 for p, q in zip(a, b, strict=True))
        for a, b in pairs
    )


def _name_roots(form: StrategicForm, mixed: MixtureProfile) -> Roots:
    """The roots by players and actions, in a matrix."""
    if any(len(form.positions.sets_of(p)) != 1 for p in form.players):
        return {}
    return {
        form.positions.players[p]: {form.name(p, plan): root for plan, root in own.items()}
        for p, own in mixed.roots.items()
    }


def _add(found: Equilibria, behaviour: Behaviour) -> None:
    if behaviour not in found.behaviours:
        found.behaviours.append(behaviour)


def _add_extreme(form: StrategicForm, alive: Some, found: Equilibria, budget: Budget) -> None:
    """Add all extreme equilibria that are not pure. Different mixtures of plans may be the same behaviour."""
    extreme = extreme_equilibria(*form.tables(alive), budget)
    everyone = list(dict.fromkeys(_behaviour(form, alive, mixes) for mixes in extreme.equilibria))
    found.behaviours += [behaviour for behaviour in everyone if behaviour not in found.behaviours]
    sides = [{only_players(form.positions, behaviour, [player]) for behaviour in everyone} for player in (0, 1)]
    found.complete = min(map(len, sides)) == len(everyone)
    if extreme.degenerate:
        found.notes.append(_DEGENERATE + (_FINITE if found.complete else _CONTINUUM))
        if not found.complete and len(everyone) <= COMPONENTS_OF:
            found.components = _components(form, found, everyone)


def _components(form: StrategicForm, found: Equilibria, everyone: list[Behaviour]) -> list[list[int]]:
    """The maximal components, by the places of the equilibria in the list."""
    first, second = ([only_players(form.positions, behaviour, [player]) for behaviour in everyone] for player in (0, 1))
    components = maximal_components(list(zip(first, second, strict=True)))
    return sorted(sorted(found.behaviours.index(everyone[k]) for k in members) for members in components)


def _components_told(found: Equilibria) -> str:
    """A sentence on the components, by the numbers of the equilibria as they are listed."""
    sizes = [size for size, _ in found.groups] or [1] * len(found.behaviours)
    ends = list(accumulate(sizes))
    numbers = [str(end) if size == 1 else f"{end - size + 1} to {end}" for size, end in zip(sizes, ends, strict=True)]
    told = "; ".join(listing((numbers[k] for k in one), most=20) for one in found.components)
    return f"Within a component each player may mix the strategies of its equilibria in any shares. Components: {told}."


_DEGENERATE = "The game is degenerate: some mixture has more best replies than plans of its own. "
_FINITE = "Its equilibria are finitely many all the same, and all are listed."
_CONTINUUM = "The extreme equilibria are listed: where some share one side, all mixtures of the other sides are too."


def _behaviour(form: StrategicForm, alive: Some, mixes: tuple[Mix, Mix]) -> Behaviour:
    """The behaviour of two mixtures over the plans in `alive`."""
    whole = []
    for player, (plans, mix) in enumerate(zip(alive, mixes, strict=True)):
        weights = dict(zip(plans, mix, strict=True))
        whole.append(tuple(weights.get(plan, 0) for plan in range(len(form.plans[player]))))
    return form.behaviour(whole)


def _judge_equilibria(positions: PositionGraph, found: Equilibria, budget: Budget | None) -> Sequence[Judgement]:
    """Judge every equilibrium that is not judged yet. One that the judge does not confirm is no equilibrium in
    behaviour strategies, and is dropped."""
    for behaviour in found.behaviours:
        if behaviour not in found.judged:
            if budget is not None:
                budget.check_time()
            found.judged[behaviour] = judge(positions, behaviour)
    judged = found.judged
    confirmed = [one for one in found.behaviours if one in found.close or not any(judged[one].regret)]
    if len(confirmed) < len(found.behaviours):
        found.complete, found.one_value = None, False
        found.groups = []
        found.notes.append("Some mixtures of plans remember more than the information sets do, and are left out.")
    found.behaviours = confirmed
    return [judged[behaviour] for behaviour in confirmed]


NASH = Solver(
    name="nash",
    run=nash,
    needs={"perfect_recall": True, "cyclic": False},
    summary="Nash equilibria of matrices and small games: all pure ones, all mixed ones of two players, others of more",
    advised={"perfect_information": False},
)

"""Two-player zero-sum games with hidden information, by the sequence form.

A player with perfect recall reaches a position by one sequence of own information sets and actions. A strategy is a
weight for every sequence (its realization plan), and the game a linear program no larger than its tree:

1. For each pair of sequences, add up chance times utility over the ends they lead to. Utilities are shifted so that
   none is negative, and both sides' constraints can then be inequalities.
2. The first player chooses weights x; at each information set they share out the weight of the sequence before it.
3. For each information set of the second player a variable q is at most what every action leaves the first player.
   Maximise q before the first move.
4. The weights of the second player are the dual solution. Each action's share of its set's weight is its probability.
5. The judge computes both players' regret, exactly: zero proves the value from both sides.

Source: Koller, Megiddo and von Stengel, Fast algorithms for finding randomized strategies in game trees, STOC 1994;
von Stengel, Efficient computation of behavior strategies, Games and Economic Behavior 14, 1996.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from gdl.errors import LimitReached, Refusal, pip_install
from gdl.errors.shares import APPROACH_SHARE, MEETING_SHARE
from gdl.game import Game, Number, exact
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria import highs
from gdl.solvers.equilibria.behaviour import Behaviour, first_action, uniform_behaviour, write_profile
from gdl.solvers.equilibria.exploration import explore_or_sample
from gdl.solvers.equilibria.positions import MOST_POSITIONS, PositionGraph
from gdl.solvers.equilibria.regret import between_ends, completed_and_judged, judge, untied_note
from gdl.solvers.equilibria.sequences import SequencePruning, Sequences, keep_everything, prune_sequences, sequences
from gdl.solvers.equilibria.simplex import LinearProgram, Optimum, maximise
from gdl.solvers.equilibria.zero_sum import security_sentence, solve_table, table_of_opponents
from gdl.solvers.needs import Unmet
from gdl.solvers.solver import Solver

if TYPE_CHECKING:  # kernel code is loaded where it is used
    from gdl.solvers.equilibria.cfr import Averaging

SOON_SOLVED = 2_000  # combinations of sequences with ends, up to which the program takes a second
JUDGED = 20_000  # positions, up to which random play is judged in a second
SIMPLEX_ROWS = 200  # rows of a program that the exact simplex solves in a second
MOST_PARTS = 10**6  # of payoffs, up to which the program gets payoffs as whole numbers of parts
MAX_SIMPLEX_ROWS = 600  # rows for which it takes a minute


class ProgramTooLarge(Refusal):
    """The linear program is too large for the exact simplex, and the library that finds its basis is missing."""


def sequence_form(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """The value and an optimal strategy for each side, both proved by the judge. At most `nodes` positions.

    Raises Refusal for games the sequence form does not fit, or that need the extra `lp`.
    """
    budget = limits.budget(MOST_POSITIONS)
    begun = SEQUENCE_FORM.answer(game, exact=False)
    table = None
    with suppress(LimitReached):  # then all positions are looked at, or samples
        table = table_of_opponents(game, budget.part(None, MEETING_SHARE)) if limits.nodes is None else None
    if table is not None and (answer := solve_table(game, table, begun, budget)):
        return answer
    positions = explore_or_sample(game, budget, begun)
    total = positions.constant_sum()
    if len(game.players) == 2 and total is None:
        raise Unmet(SEQUENCE_FORM.name, SEQUENCE_FORM.needs, game, "zero_sum")
    begun = replace(begun, nodes=positions.count, traits=replace(game.traits, zero_sum=total == 0, constant_sum=total))
    close: Averaging | None = None
    with answering(lambda: close.answer(begun) if close else _random_play_solution(positions, begun)):
        _check(positions)
        form = sequences(positions)
        close = _approximate_by_cfr(form, budget)
        if close and close.has_equilibrium:
            return close.answer(begun)
        try:
            behaviour, judgement = completed_and_judged(positions, _optimal(form, budget), form)
        except ProgramTooLarge as why:
            if close is None:
                raise
            _improve(close, budget)
            if close.has_equilibrium:
                return close.answer(begun)
            raise LimitReached(str(why)) from None
    proved = not any(judgement.regret)
    notes = [security_sentence(positions.players, judgement.value, judgement.regret)]
    if proved:
        notes += untied_note(positions, behaviour)
    else:
        notes.append("The basis found in floating point is not exactly optimal.")
    return replace(
        begun,
        exact=proved,
        value=judgement.value,
        best=first_action(positions, behaviour) if proved else (),
        strategy=write_profile(positions, behaviour),
        regret=judgement.regret,
        notes=tuple(notes),
    )


def _approximate_by_cfr(form: Sequences, budget: Budget) -> Averaging | None:
    """The strategies that cfr finds in a part of the time, if time is limited and the linear program may take longer;
    so there is an answer at the limit. Else None."""
    if budget.seconds_left is None or form.ends < SOON_SOLVED:
        return None
    from gdl.solvers.equilibria.cfr import Averaging

    search = Averaging(form, "plus")
    _improve(search, budget.part(None, APPROACH_SHARE))
    return search


def _improve(search: Averaging, budget: Budget) -> None:
    """Run cfr until the budget is spent, or nobody can gain."""
    from gdl.solvers.equilibria.cfr import MOST_ITERATIONS

    with suppress(LimitReached):
        search.improve(MOST_ITERATIONS, 0, budget)


def _random_play_solution(positions: PositionGraph, begun: Solution) -> Solution:
    """The answer before anything better is found: the interval of the payoffs at the ends and, in a small game, random
    play and the value that it secures."""
    begun = between_ends(begun, positions)
    if positions.count > JUDGED:
        return begun
    behaviour = uniform_behaviour(positions)
    judgement = judge(positions, behaviour)
    return replace(
        begun,
        value=judgement.value,
        strategy=write_profile(positions, behaviour),
        regret=judgement.regret,
        notes=("The strategies are random play: better ones were not found in time.",),
    )


def optimal_behaviour(positions: PositionGraph, budget: Budget | None = None) -> Behaviour:
    """An optimal strategy of both players, silent where a player's own moves never lead.

    Raises Refusal where the game is not one for two players with perfect recall and a constant sum.
    """
    _check(positions)
    return _optimal(sequences(positions), budget)


def _optimal(form: Sequences, budget: Budget | None) -> Behaviour:
    size = len(form.positions.sets_of(0)) + form.count(1) - 1
    left = prune_sequences(form) if size > SIMPLEX_ROWS else keep_everything(form)
    program = program_of(form, left)
    size = len(program.rows)
    if size <= SIMPLEX_ROWS or (size <= MAX_SIMPLEX_ROWS and not highs.is_installed()):
        found: Optimum | highs.Approximation = maximise(program, budget)
    elif highs.is_installed():
        found = highs.maximise_large(program, budget)
    else:
        raise ProgramTooLarge(
            f"{form.positions.game} gives a linear program of {size} rows, too many for the exact simplex "
            f"alone; the library that finds its basis is installed by: {pip_install('gdl[lp]')}"
        )
    own, other = ([j for j, kept in enumerate(some) if kept] for some in left.kept)
    plans: list[list[Number]] = [[0] * form.count(player) for player in (0, 1)]
    for plan, numbers, weights in zip(
        plans, (own, other), (found.primal, found.dual[size - len(other) + 1 :]), strict=True
    ):
        for sequence, weight in zip(numbers, (1, *weights), strict=False):
            plan[sequence] = weight
    left.complete(form, plans[1])
    return form.behaviour(plans)


def program_of(form: Sequences, left: SequencePruning | None = None) -> LinearProgram:
    """The linear program of the first player. Variables: x for the player's sequences 1, 2, … that are left, then q for
    the other's information sets. Rows: the first player's sets, then the other's sequences 1, 2, … that are left."""
    left = left or keep_everything(form)
    kept = left.kept
    x, y = ({s: k for k, s in enumerate(s for s, is_left in enumerate(some) if is_left and s)} for some in kept)
    own, other = (
        [h for h in form.positions.sets_of(player) if any(kept[player][s] for s in form.sequences_of(h))]
        for player in (0, 1)
    )
    q = {h: k for k, h in enumerate(other, len(x))}
    rows: list[dict[int, Number]] = []
    bounds: list[Number] = []
    for h in own:
        rows.append({x[s]: 1 for s in form.sequences_of(h) if s in x})
        bounds.append(0 if form.before[h] else 1)
        if form.before[h]:
            rows[-1][x[form.before[h]]] = -1
    offset = len(own)
    objective: dict[int, Number] = {}
    for h in other:
        rows += [{q[h]: 1} for _ in form.sequences_of(h)]
        bounds += [0 for _ in form.sequences_of(h)]
    for h in other:
        target = rows[offset + y[form.before[h]]] if form.before[h] else objective
        target[q[h]] = -1 if form.before[h] else 1
    for one, another, payoff in zip(form.led[::2], form.led[1::2], left.above, strict=True):
        if not payoff or not kept[0][one] or not kept[1][another]:
            continue
        if form.under > MOST_PARTS:  # else the program is told in whole parts
            payoff = exact(Fraction(payoff, form.under))
        if one and another:
            rows[offset + y[another]][x[one]] = -payoff
        elif another:
            bounds[offset + y[another]] = payoff
        elif one:
            objective[x[one]] = payoff
    return LinearProgram(len(x) + len(other), objective, rows, bounds)


def _check(positions: PositionGraph) -> None:
    """Raise Refusal unless the game has two players and a constant sum."""
    if len(positions.players) != 2:
        raise Refusal(f"the sequence form is for two players; {positions.game} has {len(positions.players)}")
    if positions.constant_sum() is None:
        raise Refusal(f"the sequence form needs utilities of constant sum; those of {positions.game} vary")


SEQUENCE_FORM = Solver(
    name="sequence-form",
    run=sequence_form,
    needs={"players": 2, "zero_sum": True, "perfect_recall": True, "cyclic": False},
    summary="two-player zero-sum games with hidden information: value and optimal strategies, by linear programming",
    advised={"perfect_information": False},
)

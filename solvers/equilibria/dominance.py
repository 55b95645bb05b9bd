"""Dominance: plans that no rational player follows, eliminated round after round.

1. A plan is strictly dominated if another, or a mixture of others, pays more against everything that is left of the
   others' plans; weakly, if it never pays less and sometimes more.
2. A round eliminates all dominated plans of all players at once; rounds go on until nothing is dominated.
3. A plan that strictly (weakly) dominates all others of its player is dominant.

A single plan is found by comparison, a mixture by a linear program. What strict elimination leaves does not depend on
the order, and every equilibrium is among it; weak elimination may lose equilibria, and another order may leave others.

Sources: Luce and Raiffa, Games and Decisions, 1957; Pearce 1984; Osborne and Rubinstein, A Course in Game Theory,
sections 4.2 and 4.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from gdl.errors import listing
from gdl.game import Game, Number
from gdl.solution import Domination, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, TableTooLarge
from gdl.solvers.equilibria.regret import judge, with_equilibria
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram, maximise
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, Cell, Some, StrategicForm, table_of
from gdl.solvers.solver import Solver
from gdl.wings import call_hook

FEW_CELLS = 1_000  # up to which plans are compared as they stand

Kind = Literal["strict", "weak"]
_ADVERBS: dict[Kind, str] = {"strict": "strictly", "weak": "weakly"}


@dataclass(frozen=True)
class Elimination:
    """The rounds of elimination in their order, and the plans that they leave."""

    rounds: tuple[tuple[Domination, ...], ...]
    alive: Some  # the plans that are left

    @property
    def solution(self) -> Cell | None:
        """The only combination of plans that is left; None if several are."""
        return tuple(plans[0] for plans in self.alive) if all(len(plans) == 1 for plans in self.alive) else None


def dominance(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, kind: Kind = "strict", cells: int = MOST_CELLS
) -> Solution:
    """Dominant plans and iterated elimination of dominated ones, on a strategic form of at most that many cells. Where
    that has many, actions are compared by what their player knows, if the game allows it."""
    try:
        form, _ = table_of(game, min(cells, FEW_CELLS), limits)
    except TableTooLarge:
        by_types: Solution | None = call_hook("dominance by types", DOMINANCE.answer(game), game, kind, limits)
        if by_types is not None:
            return by_types
        form, _ = table_of(game, cells, limits)
    elimination = eliminate(form, kind)
    cell = elimination.solution
    notes = [*dominant_notes(form), *_round_notes(form, elimination, kind), *_outcome_notes(form, elimination, kind)]
    answer = replace(DOMINANCE.answer(game), notes=tuple(notes))
    if cell is None:
        return answer
    behaviour = form.pure(cell)
    answer = with_equilibria(answer, form.positions, [behaviour], [judge(form.positions, behaviour)])
    return replace(answer, complete=True if kind == "strict" else None)


def eliminate(form: StrategicForm, kind: Kind = "strict") -> Elimination:
    """Iterated elimination of dominated plans."""
    alive = form.all_plans
    rounds: list[tuple[Domination, ...]] = []
    while True:
        # All of a round at once: one by one, weak elimination would depend on the order of the players.
        found = tuple(d for player in form.players for d in dominations(form, alive, player, kind))
        if not found:
            return Elimination(tuple(rounds), alive)
        rounds.append(found)
        gone = {(d.player, d.plan) for d in found}
        alive = tuple(tuple(plan for plan in alive[p] if (p, plan) not in gone) for p in form.players)


def undominated_plans(form: StrategicForm, budget: Budget) -> Some:
    """The plans that remain when, round after round, all plans go that another single plan strictly dominates."""
    alive = form.all_plans
    while True:
        budget.check_time()
        left = tuple(unbeaten_plans(form, alive, player) for player in form.players)
        if left == alive:
            return alive
        alive = left


def unbeaten_plans(form: StrategicForm, alive: Some, player: int) -> tuple[int, ...]:
    """The plans of the player among those in `alive` that no other single plan strictly dominates against them."""
    rows = form.by_plan(player, alive)
    return tuple(
        plan
        for plan, own in rows.items()
        if not any(all(a > b for a, b in zip(other, own, strict=True)) for other in rows.values())
    )


def dominations(form: StrategicForm, alive: Some, player: int, kind: Kind) -> Iterator[Domination]:
    """Every dominated plan of the player among those in `alive`, each with the plan or mixture that dominates it."""
    table = form.by_plan(player, alive)
    for plan, payoffs in table.items():
        others = {k: row for k, row in table.items() if k != plan}
        single = next((k for k, row in others.items() if _beats(row, payoffs, kind)), None)
        by = {single: 1} if single is not None else _mixture(others, payoffs, kind)
        if by:
            yield Domination(player, plan, by)


def dominant(form: StrategicForm, player: int, kind: Kind) -> int | None:
    """The plan that dominates each of the player's other plans; None if there is none, or no other plan."""
    table = form.by_plan(player)
    if len(table) < 2:
        return None
    return next(
        (k for k, row in table.items() if all(_beats(row, other, kind) for j, other in table.items() if j != k)), None
    )


def _beats(row: Sequence[Number], other: Sequence[Number], kind: Kind) -> bool:
    if kind == "strict":
        return all(a > b for a, b in zip(row, other, strict=True))
    return row != other and all(a >= b for a, b in zip(row, other, strict=True))


def _mixture(others: Mapping[int, Sequence[Number]], payoffs: Sequence[Number], kind: Kind) -> dict[int, Number]:
    """A mixture of the others that dominates a plan with these payoffs, by a linear program; empty if there is none.

    Variables are the probabilities and, last, the margin by which the mixture pays more against everything (strict)
    or the sum of all margins (weak).
    """
    # Both tests are cheap, and spare most linear programs.
    if len(others) < 2 or _is_best_reply(others, payoffs, kind):
        return {}
    plans, margin = list(others), len(others)
    rows: list[dict[int, Number]] = []
    for c in range(len(payoffs)):
        # In the form of the simplex, sum <= bound: against c the mixture pays at least as much, by the margin more.
        rows.append({k: -others[plan][c] for k, plan in enumerate(plans)} | ({margin: 1} if kind == "strict" else {}))
    bounds = [-payoff for payoff in payoffs]
    if kind == "weak":
        surplus: dict[int, Number] = {k: -sum(others[plan]) for k, plan in enumerate(plans)}
        # Weakly: no less against anything (the rows above), and by the margin more against all together.
        rows.append({**surplus, margin: 1})
        bounds.append(-sum(payoffs))
    rows.append(dict.fromkeys(range(margin), 1))
    bounds.append(1)
    try:
        best = maximise(LinearProgram(margin + 1, {margin: 1}, rows, bounds, frozenset([len(rows) - 1])))
    except Infeasible:
        return {}
    return {plan: best.primal[k] for k, plan in enumerate(plans) if best.primal[k]} if best.value > 0 else {}


def _is_best_reply(others: Mapping[int, Sequence[Number]], payoffs: Sequence[Number], kind: Kind) -> bool:
    """True if against some combination no other plan pays more (strict), or all others pay less (weak): then nothing
    dominates the plan."""
    for c, payoff in enumerate(payoffs):
        most = max(row[c] for row in others.values())
        if payoff > most or (payoff == most and kind == "strict"):
            return True
    return False


def dominant_notes(form: StrategicForm) -> list[str]:
    """Sentences on dominant plans: one for each, with its players, and one if they settle the game."""
    players: dict[tuple[str, str], list[str]] = {}
    for player, name in enumerate(form.positions.players):
        for kind in _ADVERBS:
            plan = dominant(form, player, kind)
            if plan is not None:
                players.setdefault((form.name(player, plan), _ADVERBS[kind]), []).append(name)
                break
    notes = [f"{plan} is {adverb} dominant for {' and for '.join(who)}." for (plan, adverb), who in players.items()]
    strictly = sum(len(who) for (_, adverb), who in players.items() if adverb == _ADVERBS["strict"])
    if strictly == len(form.plans) > 1:
        notes.append("So the equilibrium is in dominant strategies.")
    return notes


def _round_notes(form: StrategicForm, elimination: Elimination, kind: Kind) -> list[str]:
    adverb = _ADVERBS[kind]
    if not elimination.rounds:
        return [f"Nothing is {adverb} dominated."]
    return [
        f"Round {number}: "
        + "; ".join(
            f"{form.name(d.player, d.plan)} of {form.positions.players[d.player]} is {adverb} dominated "
            f"by {_mixture_text(form, d)}"
            for d in found
        )
        + "."
        for number, found in enumerate(elimination.rounds, start=1)
    ]


def _mixture_text(form: StrategicForm, domination: Domination) -> str:
    if len(domination.by) == 1:
        return form.name(domination.player, next(iter(domination.by)))
    return " + ".join(f"{weight} {form.name(domination.player, plan)}" for plan, weight in domination.by.items())


def _outcome_notes(form: StrategicForm, elimination: Elimination, kind: Kind) -> list[str]:
    if elimination.solution is None:
        told = zip(form.positions.players, form.players, elimination.alive, strict=True)
        left = (f"{name}: {listing(form.name(p, plan) for plan in plans)}" for name, p, plans in told)
        return [f"What is left: {'; '.join(left)}."]
    if kind == "weak":
        return [
            "One combination is left, an equilibrium; elimination in another order may leave another, "
            "and equilibria may have been lost."
        ]
    return ["One combination is left, the only equilibrium."]


DOMINANCE = Solver(
    name="dominance",
    run=dominance,
    needs={"perfect_recall": True, "cyclic": False},
    summary="dominant strategies and iterated elimination of dominated ones, strict or weak",
    advised={"perfect_information": False},
)

"""Dominance by types: actions that are dominated where a player knows what they know, not plans for all that they may
learn (interim dominance). For games in whose stages everybody moves at most once, from the last stages back.

1. What an action pays at an information set is a sum over what the others may know, each part weighted by chance.
2. An action is dominated by another, or by a mixture, if the sum of the least differences is positive: the others act
   at each of their information sets as is worst for the comparison. With two players that is exact. The parts that
   belong to other players together are taken apart by all that they know: what goes is dominated, but with three
   players, none of whom knows the type of another, an action may stay although no conjecture of independent play bears
   it (this is interim correlated rationalizability, with types in the place of states).
3. A round takes out what is dominated anywhere, and rounds go on until nothing is. What is left of a stage must pay the
   same in every way for the stages before it to be compared: so votes are settled from the last one back.

Sources: Dekel, Fudenberg and Morris, Interim correlated rationalizability, Theoretical Economics 2, 2007; Carlsson and
van Damme, Global games and equilibrium selection, Econometrica 61, 1993; Farquharson, Theory of Voting, 1969; Moulin,
Dominance solvable voting schemes, Econometrica 47, 1979.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from gdl.errors import LimitReached, listing
from gdl.game import Chance, Game, Number, Terminal, exact, require_number
from gdl.solution import Solution, SolutionPart
from gdl.solvers.budget import Budget, SearchLimits
from gdl.solvers.equilibria.behaviour import pure_row
from gdl.solvers.equilibria.positions import PositionGraph, explore
from gdl.solvers.equilibria.regret import judge, with_equilibria
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram, maximise
from gdl.solvers.equilibria.subgame_perfect import subgame_roots

MOST_POSITIONS = 10_000
MOST_PATHS = 100_000  # through a stage

Vector = tuple[Number, ...]
Alive = dict[int, tuple[int, ...]]  # information set -> the actions that are left
Others = tuple[int, ...]  # information sets of other players that one play goes through
Parts = dict[Others, dict[tuple[int, ...], Number]]  # what an action pays, by the others' information sets and actions
Gains = list[list[Number]]  # what an action pays more than another, by what the others know and then by what they do
Mixture = Mapping[int, Number]  # action -> probability


TypeDomination = tuple[int, int, Mixture]  # an information set, an action there, and what dominates it


class EliminationRounds(SolutionPart):
    """The actions that each round strikes out: player, information set, action, and the mixture that dominates it."""

    rounds: tuple[Mapping[str, Mapping[str, Mapping[str, Mapping[str, Number]]]], ...] = ()

    def json_fields(self, answer: Solution) -> Mapping[str, Any]:
        return {"dominated": self.rounds}


class StagePath(NamedTuple):
    """A way through a stage: its probability by chance, the choices on it, what follows it pays, and where it ends."""

    chance: Number
    choices: tuple[tuple[int, int], ...]
    payoffs: Vector
    end: int


def eliminate_by_types(answer: Solution, game: Game[Any], kind: str, limits: SearchLimits) -> Solution | None:
    """The answer after iterated elimination of dominated actions, type by type; None if the game is not of this kind:
    somebody moves twice in a stage, nobody has two types, all is open, a later stage is not settled, or it is large."""
    if game.traits.perfect_information and not game.traits.simultaneous:
        return None
    budget = Budget(MOST_POSITIONS, limits.time)
    try:
        return _eliminate_in_stages(answer, explore(game, budget), kind, budget)
    except LimitReached:
        budget.check_time()
        return None


def _eliminate_in_stages(answer: Solution, positions: PositionGraph, kind: str, budget: Budget) -> Solution | None:
    if len(positions.information_sets) <= len(positions.players):
        return None
    roots = list(subgame_roots(positions))
    exits, paid, later = frozenset(roots), dict[int, Vector](), dict[int, int]()
    alive, rounds = Alive(), dict[tuple[int, int], list[TypeDomination]]()
    for root in reversed(roots):
        paths = _stage_paths(positions, root, exits, paid, budget)
        if paths is None:
            return None
        left, found = _eliminate_in_stage(positions, paths, kind, budget)
        if root and any(len(own) > 1 for own in left.values()):
            return None
        alive |= left
        later[root] = max((later[one.end] + 1 for one in paths if one.end in later), default=0)
        for number, gone in enumerate(found):
            rounds.setdefault((later[root], number), []).extend(gone)
        kept = [one for one in paths if all(k in left[h] for h, k in one.choices)]
        paid[root] = tuple(exact(sum(one.chance * one.payoffs[p] for one in kept)) for p in range(len(answer.players)))
    played = [rounds[when] for when in sorted(rounds)]
    notes = [*_round_notes(positions, played, kind)]
    answer = replace(answer, part=EliminationRounds(tuple(_write_round(positions, found) for found in played)))
    if len(left) < len(alive):
        notes.append("Stages come from the last one back, each with what is left of those after it.")
    if any(len(own) > 1 for own in alive.values()):
        return replace(answer, notes=(*notes, *_final_notes(positions, alive)))
    behaviour = [pure_row(width, alive[h][0]) for h, width in enumerate(positions.widths)]
    answer = with_equilibria(answer, positions, [behaviour], [judge(positions, behaviour)])
    only = kind == "strict" and len(left) == len(alive)  # elsewhere play that is not reached may be anything
    return replace(answer, complete=True if only else None, notes=tuple(notes))


def _stage_paths(
    positions: PositionGraph, root: int, exits: frozenset[int], paid: Mapping[int, Vector], budget: Budget
) -> list[StagePath] | None:
    """All ways through the stage at the root; None if somebody moves twice on one of them, or they are too many."""
    owners, found = positions.owners, list[StagePath]()
    waiting: list[tuple[int, Number, tuple[tuple[int, int], ...]]] = [(root, 1, ())]
    while waiting:
        position, chance, choices = waiting.pop()
        node, after, h = positions.nodes[position], positions.successors[position], positions.sets[position]
        if isinstance(node, Terminal):
            found.append(StagePath(chance, choices, tuple(map(require_number, node.utilities)), position))
        elif position in exits and position != root:
            found.append(StagePath(chance, choices, paid[position], position))
        elif isinstance(node, Chance):
            waiting += [(s, chance * share, choices) for (_, share), s in zip(node.outcomes, after, strict=True)]
        elif h is None or any(owners[other] == owners[h] for other, _ in choices):
            return None
        else:
            waiting += [(s, chance, (*choices, (h, k))) for k, s in enumerate(after)]
        budget.check_time()
        if len(found) > MOST_PATHS:
            return None
    return found


def _eliminate_in_stage(
    positions: PositionGraph, paths: Sequence[StagePath], kind: str, budget: Budget
) -> tuple[Alive, list[list[TypeDomination]]]:
    """The actions that elimination leaves at each information set of a stage, and its rounds."""
    table: dict[int, list[Parts]] = {}
    for chance, choices, payoffs, _ in paths:
        for h, k in choices:
            own = table.setdefault(h, [defaultdict(dict) for _ in range(positions.widths[h])])
            others, acts = zip(*(one for one in choices if one[0] != h), strict=True) if len(choices) > 1 else ((), ())
            row = own[k][others]
            row[acts] = row.get(acts, 0) + chance * payoffs[positions.owners[h]]
    alive = {h: tuple(range(positions.widths[h])) for h in sorted(table)}
    rounds: list[list[TypeDomination]] = []
    while True:
        budget.check_time()
        found = [one for h in alive for one in _dominations(table[h], h, alive, kind)]
        if not found:
            return alive, rounds
        rounds.append(found)
        gone = {(h, action) for h, action, _ in found}
        alive = {h: tuple(k for k in own if (h, k) not in gone) for h, own in alive.items()}


def _dominations(table: Sequence[Parts], h: int, alive: Alive, kind: str) -> Iterator[TypeDomination]:
    """Every dominated action at an information set among those that are left, with what dominates it."""
    groups = {others: list(product(*(alive[j] for j in others))) for k in alive[h] for others in table[k]}
    pays = {
        k: [[table[k].get(others, {}).get(acts, 0) for acts in every] for others, every in groups.items()]
        for k in alive[h]
    }
    for action, now in pays.items():
        gains = {
            k: [[a - b for a, b in zip(one, two, strict=True)] for one, two in zip(own, now, strict=True)]
            for k, own in pays.items() if k != action
        }  # fmt: skip
        by: Mixture | None = next(({k: 1} for k, own in gains.items() if _is_better(own, kind)), None)
        by = by or (_dominating_mixture(gains, kind) if len(gains) > 1 else None)
        if by:
            yield h, action, by


def _is_better(gains: Gains, kind: str) -> bool:
    least = sum(map(min, gains))
    return least > 0 or (kind == "weak" and least == 0 and sum(map(max, gains)) > 0)


def _dominating_mixture(gains: Mapping[int, Gains], kind: str) -> Mixture | None:
    """A mixture of the actions that dominates the one that they are compared with, by a linear program; None if there
    is none. Variables are the probabilities and, for each that the others may know, the least gain above a bound."""
    actions, first = list(gains), len(gains)
    each = [list(zip(*parts, strict=True)) for parts in zip(*gains.values(), strict=True)]  # the gains of all actions
    low = [min(map(min, columns)) for columns in each]
    rows: list[dict[int, Number]] = [
        {first + g: 1, **{i: low[g] - gain for i, gain in enumerate(column)}}
        for g, columns in enumerate(each) for column in columns
    ]  # fmt: skip
    least: dict[int, Number] = {first + g: 1 for g in range(len(each))}
    bounds: list[Number] = [0] * len(rows)
    goal: dict[int, Number] = least
    beyond = -sum(low)
    if kind == "weak":  # no least sum below 0, and the greatest sum of mean gains
        rows.append(dict.fromkeys(least, -1))
        bounds.append(sum(low))
        goal = {i: sum((Fraction(sum(own), len(own)) for own in gains[k]), Fraction(0)) for i, k in enumerate(actions)}
        beyond = 0
    rows.append(dict.fromkeys(range(first), 1))
    bounds.append(1)
    try:
        best = maximise(LinearProgram(first + len(low), goal, rows, bounds, frozenset([len(rows) - 1])))
    except Infeasible:
        return None
    return {k: best.primal[i] for i, k in enumerate(actions) if best.primal[i]} if best.value > beyond else None


def _round_notes(positions: PositionGraph, rounds: Sequence[Sequence[TypeDomination]], kind: str) -> Iterator[str]:
    yield "Actions are compared where their player knows what they know, and not by whole plans."
    for number, found in enumerate(rounds, start=1):
        where: dict[tuple[int, str, str], list[str]] = {}
        for at, action, by in found:
            seen, own = positions.information_sets[at].name, positions.information_sets[at].actions
            better = own[next(iter(by))] if len(by) == 1 else " + ".join(f"{p} {own[k]}" for k, p in by.items())
            where.setdefault((positions.owners[at], own[action], better), []).append(seen)
        said = (
            f"{action} of {positions.players[p]} at {listing(seen, most=6)} is {kind}ly dominated by {better}"
            for (p, action, better), seen in where.items()
        )
        yield f"Round {number}: {'; '.join(said)}."
    if not rounds:
        yield f"Nothing is {kind}ly dominated."


def _write_round(positions: PositionGraph, found: Sequence[TypeDomination]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for h, action, by in found:
        one = positions.information_sets[h]
        rows = told.setdefault(positions.players[one.player], {}).setdefault(one.name, {})
        rows[one.actions[action]] = {one.actions[k]: share for k, share in by.items()}
    return told


def _final_notes(positions: PositionGraph, alive: Alive) -> Iterator[str]:
    """The actions that are left to each player, and where."""
    for player, name in enumerate(positions.players):
        left: dict[str, list[str]] = {}
        for h in positions.sets_of(player):
            own = positions.information_sets[h]
            left.setdefault(listing((own.actions[k] for k in alive[h]), "or"), []).append(own.name)
        if left:
            yield f"Left to {name}: {'; '.join(f'{acts} at {listing(seen)}' for acts, seen in left.items())}."
    if len(positions.players) > 2:
        yield "Others count by what all of them know, as if they could agree on it: more may be dominated."

"""The strategic form of a game: everyone picks a whole plan beforehand, and a table says what the plans pay.

A plan names an action at each of a player's information sets. A reduced plan leaves out the sets that its own actions
exclude; it stands for all full plans that agree with it and pay the same (Osborne and Rubinstein, A Course in Game
Theory, sections 6.1.1 and 11.3). For a matrix the plans are its rows and columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from gdl.errors import LimitReached
from gdl.errors.limits import LOOK
from gdl.game import Decision, Game, Node, Number, exact
from gdl.solvers.budget import Budget, SearchLimits, TableTooLarge
from gdl.solvers.equilibria.behaviour import Behaviour, pure_row
from gdl.solvers.equilibria.positions import PositionGraph, explore_within
from gdl.solvers.equilibria.regret import expectation
from gdl.states.explore import Progress, Walk
from gdl.states.sequential import Sequential, Turn

MOST_CELLS = 50_000  # of the table, by default
GLANCE = 2_000  # positions that are looked at to see whether a table would be too large
WIDEST = 30  # actions of another player at a decision that a glance follows, at most

Plan = dict[int, int]  # information set -> position of the action
Cell = tuple[int, ...]  # one plan per player, by number
Some = tuple[tuple[int, ...], ...]  # some plans of each player
Mix = tuple[Number, ...]  # a probability for each plan of a player
Table = list[list[Number]]


@dataclass(frozen=True)
class StrategicForm:
    """The plans of each player, and the payoffs of every combination of them."""

    positions: PositionGraph
    plans: tuple[tuple[Plan, ...], ...]
    payoffs: dict[Cell, tuple[Number, ...]]

    @property
    def players(self) -> range:
        return range(len(self.plans))

    @property
    def all_plans(self) -> Some:
        """All plans of all players."""
        return tuple(tuple(range(len(plans))) for plans in self.plans)

    def tables(self, some: Some | None = None) -> tuple[Table, Table]:
        """The payoffs of each of two players, by plans of the first and of the second."""
        rows, columns = some or self.all_plans
        first, second = ([[self.payoffs[i, j][player] for j in columns] for i in rows] for player in (0, 1))
        return first, second

    def by_plan(self, player: int, some: Some | None = None) -> dict[int, list[Number]]:
        """The payoffs of each plan of the player against each combination of the others' plans."""
        some = some or self.all_plans
        before, after = list(product(*some[:player])), list(product(*some[player + 1 :]))
        return {plan: [self.payoffs[(*b, plan, *a)][player] for b in before for a in after] for plan in some[player]}

    def name(self, player: int, plan: int) -> str:
        """The plan in words: its action, or `(set: action, …)` for a player with several information sets."""
        sets = self.positions.information_sets
        chosen = [(sets[h], sets[h].actions[k]) for h, k in sorted(self.plans[player][plan].items())]
        if len(self.positions.sets_of(player)) == 1:
            return chosen[0][1]
        return f"({', '.join(f'{found.name}: {action}' for found, action in chosen)})"

    def pure(self, cell: Cell) -> Behaviour:
        """The behaviour of a combination of plans, silent about the sets that the plans leave out."""
        rows: list[tuple[Number, ...] | None] = [None] * len(self.positions.information_sets)
        for player, plan in enumerate(cell):
            for h, k in self.plans[player][plan].items():
                rows[h] = pure_row(len(self.positions.information_sets[h].actions), k)
        return tuple(rows)

    def mix(self, player: int, behaviour: Behaviour) -> Mix:
        """The mixture of the player's reduced plans that does what the behaviour does: the probability of a plan is the
        product of those of its actions. Where the behaviour is silent, the first action counts."""
        rows = [row or pure_row(len(s.actions), 0) for row, s in
                zip(behaviour, self.positions.information_sets, strict=True)]  # fmt: skip
        return tuple(exact(prod((Fraction(rows[h][k]) for h, k in plan.items()), start=Fraction(1)))
                     for plan in self.plans[player])  # fmt: skip

    def behaviour(self, mixes: Sequence[Mix]) -> Behaviour:
        """The behaviour strategies that do the same as these mixtures of reduced plans, given perfect recall: at each
        set the plans that come to it give their weight to their action (Kuhn 1953). Silent where none comes."""
        rows: list[tuple[Number, ...] | None] = []
        for h, found in enumerate(self.positions.information_sets):
            weights: list[Number] = [0] * len(found.actions)
            for plan, weight in zip(self.plans[found.player], mixes[found.player], strict=True):
                if h in plan:
                    weights[plan[h]] += weight
            total = sum(weights, Fraction(0))
            rows.append(tuple(exact(Fraction(w) / total) for w in weights) if total else None)
        return tuple(rows)


def table_of(game: Game[Any], cells: int, limits: SearchLimits) -> tuple[StrategicForm, Budget]:
    """The reduced strategic form of a game, of at most that many cells, and the budget for the work on it."""
    refuse_large(game, cells)
    positions, budget = explore_within(game, limits)
    return strategic_form(positions, limit=cells, budget=budget), budget


def strategic_form(
    positions: PositionGraph, *, limit: int = MOST_CELLS, full: bool = False, budget: Budget | None = None
) -> StrategicForm:
    """The reduced (or the full) strategic form of a game; LimitReached if its table has more than `limit` cells, or
    the budget's time is over."""
    budget = budget or Budget()
    everyone = range(len(positions.players))
    if not full:
        _refuse_counted(positions, limit)
    plans = tuple(
        _full_plans(positions, p, limit) if full else _reduced_plans(positions, p, limit, budget) for p in everyone
    )
    counts = [len(own) for own in plans]
    if prod(counts) > limit:
        raise _too_large(positions.game, counts, limit, _other_ways(positions))
    form = StrategicForm(positions, plans, {})
    for cell in product(*map(range, counts)):
        budget.check_time()
        form.payoffs[cell] = expectation(positions, form.pure(cell))
    return form


def reduced_plans(positions: PositionGraph) -> list[int] | None:
    """The number of reduced plans of each player; None if somebody forgets their own moves. With perfect recall a
    player comes to an information set by one last own step, and the sets after a choice are decided independently: the
    number of plans from a set on is the sum, over its actions, of the products over the sets that follow."""
    after: defaultdict[tuple[int, int] | None, list[int]] = defaultdict(list)  # last step -> sets that come next
    for h, steps in enumerate(_steps_before(positions)):
        if len(steps) > 1:
            return None
        after[next(iter(steps))].append(h)
    plans = [1] * len(positions.information_sets)
    for h in reversed(range(len(plans))):  # a set stands behind those by which its player comes to it
        actions = range(len(positions.information_sets[h].actions))
        plans[h] = sum(prod(plans[later] for later in after[h, k]) for k in actions)
    counts = [1] * len(positions.players)
    for h in after[None]:
        counts[positions.information_sets[h].player] *= plans[h]
    return counts


def _steps_before(positions: PositionGraph) -> list[set[tuple[int, int] | None]]:
    """For each information set the last own steps (a set and an action; None: no step) by which its player may have
    reached it."""
    none: set[tuple[int, int] | None] = {None}
    last = {0: [none for _ in positions.players]}
    before: list[set[tuple[int, int] | None]] = [set() for _ in positions.information_sets]
    for position, successors in enumerate(positions.successors):
        here, h = last.pop(position), positions.sets[position]
        mover = None if h is None else positions.information_sets[h].player
        if h is not None and mover is not None:
            before[h] |= here[mover]
        for k, successor in enumerate(successors):
            mine: list[set[tuple[int, int] | None]] = [
                {(h, k)} if h is not None and player == mover else steps for player, steps in enumerate(here)
            ]
            there = last.get(successor)
            last[successor] = mine if there is None else [a | b for a, b in zip(there, mine, strict=True)]
    return before


def _refuse_counted(positions: PositionGraph, limit: int) -> None:
    """Raise LimitReached if the number of plans, known before any is made, is too large."""
    counts = reduced_plans(positions) or []
    for player, count in enumerate(counts):
        if count > limit:
            raise _too_many(positions, player, limit)
    if prod(counts) > limit:
        raise _too_large(positions.game, counts, limit, _other_ways(positions))


def refuse_large(game: Game[Any], limit: int = MOST_CELLS, progress: Progress | None = None) -> None:
    """Raise LimitReached if a glance at the game shows that its strategic form has more than `limit` cells, before any
    time goes into positions or plans. `progress` may end the glance."""
    fewest = [fewest_plans(game, player, limit, progress) for player in range(len(game.players))]
    if prod(fewest) > limit:
        traits = game.traits
        seen = bool(traits.perfect_information) and not traits.simultaneous
        otherwise = _what_else(len(fewest), traits.constant_sum is not None, seen, traits.cyclic is not False)
        raise _too_large(game.name, fewest, limit, otherwise, "at least ")


def _what_else(players: int, constant_sum: bool, seen: bool, returns: bool = False) -> str:
    """Advice where the table is too large. `seen`: everybody knows the position; `returns`: positions may come
    again."""
    if seen and returns and (players == 1 or (players == 2 and constant_sum)):
        return "retrograde finds the value without a table, also where positions come again"
    if seen:
        others = "maxn finds an equilibrium without a table, and subgame-perfect all that are subgame-perfect"
    elif players == 2 and constant_sum:
        others = "sequence-form finds an equilibrium without a table"
    else:
        others = "cfr finds strategies, and tells what each player could gain by deviating from them"
    return f"--cells allows more; {others}"


def fewest_plans(game: Game[Any], player: int, enough: int, progress: Progress | None = None) -> int:
    """A lower bound on the number of the player's reduced plans.

    1. Walk the game, ply by ply, as if the player took the first action everywhere, and others one of a few.
    2. The information sets that the player meets first at the same ply are reached whatever the player does at the
       others of them: every combination of their actions is in a plan of its own.
    3. The ply with most combinations counts. More than `enough` end the walk, as do GLANCE positions.
    """
    turns = Sequential(game)
    walk = Walk(_FirstAction(game, player), GLANCE, progress, room=LOOK)
    met: set[Hashable] = set()
    combinations: defaultdict[int, int] = defaultdict(lambda: 1)  # by ply
    with suppress(LimitReached):
        for number, _, _, _ in walk:
            state, ply = walk.states[number], walk.depth[number]
            node = turns.node(state)
            if isinstance(node, Decision) and node.player == player:
                known = turns.information_set(state, player)
                combinations[ply] *= 1 if known in met else len(node.actions)
                met.add(known)
            if combinations[ply] > enough:
                break
    return max(combinations.values(), default=1)


class _FirstAction(Sequential):
    """The game in which one player takes the first action everywhere, and others one of the first WIDEST."""

    def __init__(self, game: Game[Any], player: int):
        super().__init__(game)
        self.player = player

    def node(self, state: Turn) -> Node:
        node = super().node(state)
        if isinstance(node, Decision):
            return Decision(node.player, node.actions[: 1 if node.player == self.player else WIDEST])
        return node


def _too_large(game: str, counts: Sequence[int], limit: int, otherwise: str, about: str = "") -> LimitReached:
    cells = about + " x ".join(f"{count:,}" for count in counts)
    return TableTooLarge(f"the strategic form of {game} has {cells} cells, more than {limit:,}; {otherwise}")


def _other_ways(positions: PositionGraph) -> str:
    return _what_else(len(positions.players), positions.constant_sum() is not None, positions.open_to_all())


def _full_plans(positions: PositionGraph, player: int, limit: int) -> tuple[Plan, ...]:
    sets = positions.sets_of(player)
    sizes = [len(positions.information_sets[h].actions) for h in sets]
    if prod(sizes) > limit:
        raise _too_many(positions, player, limit)
    return tuple(dict(zip(sets, choices, strict=True)) for choices in product(*map(range, sizes)))


def _reduced_plans(positions: PositionGraph, player: int, limit: int, budget: Budget) -> tuple[Plan, ...]:
    """All reduced plans of a player. Walk down the positions; at a set that the choices so far allow to be reached,
    each action starts a plan of its own. Sets of positions are bits of whole numbers."""
    plans: list[Plan] = []
    stack: list[tuple[int, int, Plan]] = [(0, 1, {})]
    while stack:
        position, reached, plan = stack.pop()
        while ahead := reached >> position:
            position += (ahead & -ahead).bit_length() - 1  # the next position that can be reached
            h, after = positions.sets[position], positions.successors[position]
            if h is not None and positions.information_sets[h].player == player:
                if h not in plan:
                    stack += [(position, reached, {**plan, h: k}) for k in reversed(range(len(after)))]
                    break
                after = (after[plan[h]],)
            for successor in after:
                reached |= 1 << successor
            position += 1
        else:
            plans.append(plan)
            budget.check_time()
            if len(plans) > limit:
                raise _too_many(positions, player, limit)
    return tuple(plans)


def _too_many(positions: PositionGraph, player: int, limit: int) -> LimitReached:
    return TableTooLarge(
        f"{positions.players[player]} has more than {limit:,} plans in {positions.game}; "
        f"the limit is {limit:,}; {_other_ways(positions)}"
    )

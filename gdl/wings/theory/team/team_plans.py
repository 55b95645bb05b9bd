"""The best plan of a team: players who see different things, cannot speak, and want the same.

The sum of all utilities (or with `--for PLAYER` what one player gets) is maximised over combinations of plans: one
action for each information set. Mixing does not help those who want the same. Branch and bound:

1. Bound: where nothing is settled yet, let whoever moves see everything, and sweep from the ends to the start.
2. Where all moves before an information set are settled it is known how likely its positions are; so there one action
   must do for all of them. Add up the best single action of each such set, over the relaxed values behind it.
3. If nothing unsettled lies behind any of these sets, the bound is reached: a plan. Else settle the first set with
   something behind it, each action in turn, the most promising first. What cannot beat the best plan so far is left.
4. To begin with, let each set in turn do what is best against the others, until nothing changes.

Sources: Radner, Team decision problems, 1962; Szer, Charpillet and Zilberstein, MAA*: a heuristic search algorithm for
solving decentralized POMDPs, UAI 2005 (the bound).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from gdl.errors import LimitReached, Refusal, listing
from gdl.game import Chance, Decision, Game, Number, Terminal, exact, require_number
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.behaviour import Behaviour, Row, first_action, pure_behaviour, pure_row, write_profile
from gdl.solvers.equilibria.position_paths import sets_behind, spread_weights
from gdl.solvers.equilibria.positions import PositionGraph, explore_within
from gdl.solvers.equilibria.regret import expectation, judge
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, strategic_form
from gdl.solvers.options import player_called
from gdl.solvers.solver import Solver
from gdl.wings.theory.tables import joint, welfare

SWEPT = 20_000  # most positions of a game in which the best plan's regret is computed

Plan = dict[int, int]  # information set -> position of the action


def team(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, for_: str | None = None) -> Solution:
    """The combination of plans of the greatest sum of utilities, by branch and bound over at most `nodes` positions."""
    favoured = None if for_ is None else player_called(game, for_)
    positions, budget = explore_within(game, limits)
    search = TeamPlanSearch(positions, favoured, budget)
    with answering(lambda: team_solution(TEAM, game, search)):
        search.run()
    return team_solution(TEAM, game, search)


@dataclass(frozen=True)
class _Bound:
    """An upper bound `most` on plans that keep to the settled choices. `open` is the set to settle next; None if the
    bound is reached, by the actions in `best`."""

    most: Fraction
    best: Mapping[int, int]
    open: int | None


class TeamPlanSearch:
    """Branch and bound over combinations of plans. `best` is the best so far, with the value `worth`; no plan is worth
    more than `most`. `favoured` is the player whose utility counts (None: the sum of all); `ways` are the branches
    left."""

    def __init__(self, positions: PositionGraph, favoured: int | None, budget: Budget):
        self.positions, self.favoured, self.budget = positions, favoured, budget
        self.paid = [self._payoff_at(node) for node in positions.nodes]
        self.behind = sets_behind(positions)
        self.best = dict.fromkeys(range(len(positions.information_sets)), 0)
        self.worth = self._values(self.best)[0]
        first = self._bound({})
        self.most = first.most
        self.ways: list[tuple[_Bound, Plan]] = [(first, {})]

    def _payoff_at(self, node: object) -> Fraction:
        if not isinstance(node, Terminal):
            return Fraction(0)
        amounts = [Fraction(require_number(utility)) for utility in node.utilities]
        return sum(amounts, Fraction(0)) if self.favoured is None else amounts[self.favoured]

    def run(self) -> None:
        """Search until no branch is left. Raises LimitReached when the time is over; results so far are kept."""
        self._climb()
        while self.ways:
            self.budget.check_time()
            bound, settled = self.ways.pop()
            if bound.most <= self.worth:
                continue
            if bound.open is None:
                self.best, self.worth = {**self.best, **bound.best, **settled}, bound.most
                continue
            count = len(self.positions.information_sets[bound.open].actions)
            further = [{**settled, bound.open: k} for k in range(count)]
            ways = sorted(((self._bound(one), one) for one in further), key=lambda way: way[0].most)
            self.ways += [way for way in ways if way[0].most > self.worth]
        self.most = self.worth

    def upper(self) -> Fraction:
        """A bound that the value of no plan exceeds."""
        return max([self.worth, *(bound.most for bound, _ in self.ways)]) if self.ways else self.most

    def _climb(self) -> None:
        """Let one information set after another take its best action, with all others fixed, until nothing changes."""
        changed = True
        while changed:
            changed = False
            for h, found in enumerate(self.positions.information_sets):
                self.budget.check_time()
                for k in range(len(found.actions)):
                    other = {**self.best, h: k}
                    worth = self._values(other)[0]
                    if worth > self.worth:
                        self.best, self.worth, changed = other, worth, True

    def _values(self, settled: Mapping[int, int]) -> list[Fraction]:
        """The value of each position if movers at sets that are not settled saw everything."""
        positions, values = self.positions, list(self.paid)
        for position in reversed(range(len(positions.nodes))):
            node, after = positions.nodes[position], positions.successors[position]
            if isinstance(node, Chance):
                values[position] = sum(
                    (p * values[a] for (_, p), a in zip(node.outcomes, after, strict=True)), Fraction(0)
                )
            elif after:
                k = settled.get(positions.sets[position] or 0)
                values[position] = max(values[a] for a in after) if k is None else values[after[k]]
        return values

    def _bound(self, settled: Plan) -> _Bound:
        positions, values = self.positions, self._values(settled)
        met = self._reach_of_open_sets(settled)
        most = Fraction(0)
        best: dict[int, int] = {}
        waiting: int | None = None
        unsettled = sum(1 << h for h in range(len(positions.information_sets)) if h not in settled)
        for h, weights in met.items():
            if h < 0:
                most += sum((w * self.paid[position] for position, w in weights.items()), Fraction(0))
                continue
            worths = [
                sum((w * values[positions.successors[position][k]] for position, w in weights.items()), Fraction(0))
                for k in range(len(positions.information_sets[h].actions))
            ]
            best[h] = max(range(len(worths)), key=worths.__getitem__)
            most += worths[best[h]]
            if waiting is None and any(self.behind[position] & unsettled for position in weights):
                waiting = h
        return _Bound(most, best, waiting)

    def _reach_of_open_sets(self, settled: Plan) -> dict[int, dict[int, Number]]:
        """For each set that is not settled, the positions at which play comes to it before any other such set, with
        their probabilities; under -1 the ends that are reached before."""
        positions, sets = self.positions, self.positions.sets

        def shares(position: int) -> Row:
            h = sets[position]
            return () if h is None or h not in settled else pure_row(len(positions.successors[position]), settled[h])

        found: dict[int, dict[int, Number]] = {}
        for position, weight in sorted(spread_weights(positions, shares).items()):
            h = sets[position]
            if isinstance(positions.nodes[position], Terminal):
                found.setdefault(-1, {})[position] = weight
            elif h is not None and h not in settled:
                found.setdefault(h, {})[position] = weight
        return found


def team_solution(row: Solver, game: Game[Any], search: TeamPlanSearch, more: Sequence[str] = ()) -> Solution:
    """The answer with the best plan so far, exact if it is proved to be the best of all. `more` are further notes."""
    positions, behaviour = search.positions, pure_behaviour(search.positions, search.best)
    most = search.upper()
    proved = most == search.worth
    whose = "in sum" if search.favoured is None else f"{game.players[search.favoured]}"
    worth = f"It pays {whose} {exact(search.worth)}"
    note = f"{worth}, the most that any combination of plans pays." if proved else (
        f"{worth}; no combination of plans pays {whose} more than {exact(most)}.")  # fmt: skip
    return replace(
        row.answer(game, proved),
        value=expectation(positions, behaviour),
        best=first_action(positions, behaviour) if proved and isinstance(game.node(game.initial()), Decision) else (),
        nodes=len(positions.nodes),
        strategy=write_profile(positions, behaviour),
        regret=gains(positions, behaviour),
        notes=(note, *more),
    )


def gains(positions: PositionGraph, behaviour: Behaviour) -> tuple[Number, ...] | None:
    """The gain of each player by deviating alone; None if the game is too large to judge, or somebody forgets."""
    if len(positions.nodes) > SWEPT:
        return None
    try:
        return judge(positions, behaviour).regret
    except Refusal:  # somebody forgets
        return None


TEAM = Solver(
    name="team",
    run=team,
    needs={"perfect_recall": True, "cyclic": False},
    summary="the best joint plan of players who want the same and see different things, any number of them",
    concept="team",
)


# The greatest sum of utilities: which combinations of plans reach it, whatever anybody would rather do.
#
# 1. If the table of plans is small enough, every combination is looked at, and all that are best are told.
# 2. Otherwise one of them is found as that of a team is (`gdl solvers team`).
#
# Source: Harsanyi, Cardinal welfare, individualistic ethics, and interpersonal comparisons of utility, 1955.

TOLD = 10  # combinations of plans that are named


def greatest_welfare(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """A combination of plans of the greatest sum of utilities; all of them, on a table of at most that many cells."""
    positions, budget = explore_within(game, limits)
    search = TeamPlanSearch(positions, None, budget)
    with answering(lambda: team_solution(WELFARE, game, search)):
        search.run()
    try:
        form = strategic_form(positions, limit=cells, budget=budget)
    except LimitReached:
        return team_solution(WELFARE, game, search)
    best = [cell for cell in form.payoffs if welfare(form, cell) == search.worth]
    names = [f"({', '.join(joint(form, cell))})" for cell in best]
    some = [f"So do {len(best)} combinations: {listing(names, most=TOLD)}."] if len(best) > 1 else []
    return team_solution(WELFARE, game, search, some)


WELFARE = Solver(
    name="welfare",
    run=greatest_welfare,
    needs={"perfect_recall": True, "cyclic": False},
    summary="the greatest sum of utilities that any combination of plans pays, any number of players",
    concept="welfare",
)

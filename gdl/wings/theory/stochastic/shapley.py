"""SHAPLEY: zero-sum games of two whose positions come again, with moves at once: stochastic games.

1. Collect the positions; what players remember beside them is left out, since everybody knows them.
2. A position is worth the value of a matrix: what each pair of actions gains, and what it leads to is worth, discounted
   (Shapley). Begin with any values, and repeat: solve every matrix; keep one player's mixtures, and find what the other
   has left against them, by policy iteration (Hoffman and Karp). Do so for both sides.
3. Round the mixtures to simple fractions. Where what each secures by them, computed exactly, is the same from both
   sides, it is the value. Else prove bounds: numbers that a player's mixtures never let sink on average are secured.
4. Where no position comes again, none of this is needed: every matrix is solved in fractions, from the last back.
5. Where nothing is discounted, play without end has the price of the file. Then a small chance stops play at that price
   before every move, and the bounds are proved of the game itself: of mixtures for which numbers above the price even
   rise (Everett) at positions that can come again.

Sources: Shapley, Stochastic games, 1953; Everett, Recursive games, 1957; Hoffman and Karp, On nonterminating stochastic
games, 1966.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from math import floor, inf
from typing import Any, NamedTuple

from gdl.errors import Refusal
from gdl.game import Decision, Game, Number, Simultaneous, Terminal, exact, require_number, tightest_bounds
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, SearchLimits, answering, promised_bounds, rest_bounds
from gdl.solvers.certificate import MANY_CHOICES, MOST_CHOICES, UNTIED
from gdl.solvers.equilibria.simplex import minimax
from gdl.solvers.needs import EITHER, Watch
from gdl.solvers.solver import Solver
from gdl.wings.theory.stochastic.stages import Mix, Plan, Stages, reply, round_plan, start_worth, way_worth

SWEEPS = 2  # of value iteration
ROUNDS = 60  # of improving one side
SLOW_ROUNDS = 6_000  # shared by the positions, where nothing is discounted, so that each round gains little
GRAIN = 2**40  # the values in a matrix are multiples of 1 / GRAIN
SIMPLE = (1, 12, 1_000)  # denominators of mixtures that may be exact
FINE = 10**9  # denominators of mixtures that are only close
EXACT = 300  # most positions of a game whose values are computed in fractions
STOPS = [Fraction(1, 100**k) for k in range(1, 6)]  # chances to stop play without a discount
# By how much values are lowered, step by step, until they are proved; relative to the largest value.
SLACKS: tuple[Fraction, ...] = (Fraction(0), *(Fraction(1, 10**k) for k in range(11, 0, -1)))


def shapley(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """The value of a stochastic game of two with zero sum, exactly or within proven bounds, and mixtures that secure
    it. `nodes` limits the positions."""
    answer = SHAPLEY.answer(game, exact=False)
    with answering(lambda: answer):
        stages = Stages(game, SHAPLEY.name, limits.budget())
        ends = sum(isinstance(node, Terminal) for node in stages.nodes)
        answer = replace(answer, nodes=stages.size, states=stages.size, leaves=ends)
        stages.total = _sum(stages)
        answer = replace(answer, traits=replace(game.traits, zero_sum=not stages.total, constant_sum=stages.total))
        sides = _Sides(stages)
        for found in sides.closing_in():
            answer = _complete_answer(answer, sides, found)
            if found.exact:
                break
    return answer


class ShapleySolution(NamedTuple):
    """An answer: the value that each player secures, by number of the player (None: nothing proved), and the plans that
    secure it. The two values are opposite where the answer is exact."""

    secured: tuple[Number | None, Number | None]
    about: float  # the first player's value
    plans: Mapping[int, Plan]

    @property
    def exact(self) -> bool:
        low, other = self.secured
        return low is not None and other is not None and low == -other


class _Sides:
    """Both players' sides of one game. `surely`: discounting, or play that ends whatever is done, makes endless play
    worth nothing; otherwise `price` is what it pays."""

    def __init__(self, stages: Stages):
        self.stages = stages
        self.surely = stages.discount < 1 or stages.ends_surely()
        self.paid = [stages.end_payoffs(player) for player in (0, 1)]
        self.price: tuple[Number, ...] = (0, 0)
        if not self.surely:
            price = stages.game.promises.forever
            if price is None:
                raise Refusal(
                    f"{SHAPLEY.name} needs to know what endless play is worth: {stages.game.name} need not end; say so "
                    "in the file, as in `forever -> draw`, or discount what comes later, as in `discount 9/10`"
                )
            self.price = (require_number(price[0]), require_number(price[1]) - stages.total)

    def closing_in(self) -> Any:
        """Yield ever better answers, as ShapleySolution."""
        order = self.stages.last_first()
        if order is not None:
            yield self._solve_by_induction(order)
            return
        best: list[Number | None] = [None, None]
        plans: dict[int, Plan] = {}
        if self.surely and self.stages.discount < 1:
            for low, other, simple in self._iterate_values():
                best, plans = [low, other], {**simple}
                yield ShapleySolution((low, other), float(low - other) / 2, simple)
        sides: list[tuple[dict[int, float], Plan]] = [({}, {})] * 2
        for stop in (Fraction(0),) if self.surely else STOPS:
            for both in zip_longest(*(self._improve_strategy(player, stop, sides[player][0]) for player in (0, 1))):
                sides = [old if new is None else new for old, new in zip(sides, both, strict=True)]
                if self.surely and self.stages.size > EXACT:
                    yield self._close_to(sides, best, plans)
            mixed = {player: mixes for player, (_, mixes) in enumerate(sides)}
            exactly = self._simple_solution(mixed) if self.surely and self.stages.size <= EXACT else None
            if exactly is not None:
                yield exactly
                return
            yield self._close_to(sides, best, plans)

    def _close_to(
        self, sides: Sequence[tuple[dict[int, float], Plan]], best: list[Number | None], plans: dict[int, Plan]
    ) -> ShapleySolution:
        """The answer by what the mixtures of both sides secure, given their values; `best` and `plans` keep the best so
        far."""
        for player, (values, mixed) in enumerate(sides):
            fine = round_plan(mixed, FINE)
            secured, known = self._prove_bound(player, values, fine), best[player]
            if secured is not None and (known is None or secured > known):
                best[player], plans[player] = secured, fine
            plans.setdefault(player, fine)
        about = [start_worth(self.stages, player, values) for player, (values, _) in enumerate(sides)]
        return ShapleySolution((best[0], best[1]), float(about[0] - about[1]) / 2, {**plans})

    def _table(
        self, player: int, n: int, values: Mapping[int, Any], stop: float = 0, price: float = 0
    ) -> list[list[Any]]:
        """The worth to the player of each pair of actions at a position, a row for each own one. Who has no choice
        there has one row, or column."""
        own, other = (range(max(1, len(self.stages.actions(n, p)))) for p in (player, 1 - player))

        def worth(i: int, j: int) -> Any:
            way = self.stages.shares(n, {}, {player: i, 1 - player: j})
            return way_worth(self.stages, n, player, way, values, stop, price)

        return [[worth(i, j) for j in other] for i in own]

    # -- without repetition ----------------------------------------------------------------------------------------

    def _solve_by_induction(self, order: Sequence[int]) -> ShapleySolution:
        """The value and the mixtures if no position can come again, solved in this order, the last positions first."""
        stages, values = self.stages, dict[int, Number]()
        plans: dict[int, dict[int, Mix]] = {0: {}, 1: {}}
        for n in order:
            stages.budget.check_time()
            paid = self.paid[0][n]
            if paid is not None:
                values[n] = paid
                continue
            solved = minimax([list(map(exact, row)) for row in self._table(0, n, values)])
            values[n] = solved.value
            plans[0] |= {n: solved.row} if stages.actions(n, 0) else {}
            plans[1] |= {n: solved.column} if stages.actions(n, 1) else {}
        value = exact(start_worth(stages, 0, values))
        return ShapleySolution((value, -value), float(value), plans)

    # -- bounds at once ---------------------------------------------------------------------------------------------

    def _iterate_values(self) -> Iterator[tuple[Number, Number, dict[int, Plan]]]:
        """Yield what both players secure, better at every sweep, and how.

        A sweep replaces the values by the best that one action, or all with equal chances, keeps against every reply,
        rounded down. If it lowers none by more than d, its choices secure the new values less the sum of what d loses
        later, discounted (MacQueen). It takes no linear program, so that something is proved soon in large games.
        """
        values = [{n: Fraction(one or 0) for n, one in own.items()} for own in self.paid]
        best: list[Number | None] = [None, None]
        plans: dict[int, Plan] = {}
        for _ in range(SWEEPS):
            for player, old in enumerate(values):
                values[player], plan, falls = self._sweep(player, old)
                later = self.stages.discount * falls / (1 - Fraction(self.stages.discount))
                ends = self.paid[player]
                lowered = {n: value - later if ends[n] is None else value for n, value in values[player].items()}
                secured, known = exact(Fraction(start_worth(self.stages, player, lowered))), best[player]
                if known is None or secured > known:
                    best[player], plans[player] = secured, plan
            assert best[0] is not None and best[1] is not None
            yield best[0], best[1], {**plans}

    def _sweep(self, player: int, old: Mapping[int, Fraction]) -> tuple[dict[int, Fraction], Plan, Fraction]:
        """The player's new values, the mixtures that keep them, and by how much a value falls at most."""
        new, plan, stages = dict(old), dict[int, Mix](), self.stages
        for n in range(stages.size):
            if self.paid[player][n] is not None:
                continue
            stages.budget.check_time()
            own = stages.actions(n, player)
            kept = [list(map(Fraction, row)) for row in self._table(player, n, old)]
            pure, even = max(map(min, kept)), Fraction(min(map(sum, zip(*kept, strict=True)))) / len(kept)
            new[n] = Fraction(floor(max(pure, even) * GRAIN), GRAIN)
            if own:
                best = list(map(min, kept)).index(pure)
                plan[n] = [Fraction(i == best) if pure >= even else Fraction(1, len(own)) for i in range(len(own))]
        return new, plan, max(old[n] - new[n] for n in new)  # at least 0 where there is an end, whose value stays

    # -- improving one side ----------------------------------------------------------------------------------------

    def _improve_strategy(
        self, player: int, stop: Fraction, start: Mapping[int, float]
    ) -> Iterator[tuple[dict[int, float], Plan]]:
        """Yield, better and better, values that the player can secure, by position, and the mixtures that do it; in
        floating point. Play stops before every move with chance `stop`; `start` are values to begin with, if any."""
        price, chance = float(self.price[player]), float(stop)
        values = {n: price if paid is None else float(paid) for n, paid in self.paid[player].items()} | {**start}
        for count in range(max(ROUNDS, SLOW_ROUNDS // self.stages.size) if stop else ROUNDS):
            plan = self._best_mixtures(player, values, chance, price)
            floats = {n: [float(p) for p in mix] for n, mix in plan.items()}
            against = reply(self.stages, 1 - player, {player: floats}, stop=chance, price=-price)  # type: ignore[dict-item]
            fresh = {n: -float(value) for n, value in against.values.items()}
            if count:
                gain = max(fresh[n] - values[n] for n in fresh)
                if gain <= 1e-13 * max(1.0, *map(abs, fresh.values())):
                    return
            values = fresh
            yield fresh, plan

    def _best_mixtures(self, player: int, values: Mapping[int, float], stop: float, price: float) -> dict[int, Mix]:
        """The player's best mixture at every position, given the values of the positions that follow."""
        found: dict[int, Mix] = {}
        for n in range(self.stages.size):
            if self.stages.actions(n, player):
                self.stages.budget.check_time()
                table = self._table(player, n, values, stop, price)
                found[n] = minimax([[Fraction(round(float(x) * GRAIN), GRAIN) for x in row] for row in table]).row
        return found

    # -- proving it ------------------------------------------------------------------------------------------------

    def _simple_solution(self, mixed: Mapping[int, Plan]) -> ShapleySolution | None:
        """The exact value, if mixtures of simple fractions secure it from both sides; else None."""
        for most in SIMPLE:
            plans = {player: round_plan(plan, most) for player, plan in mixed.items()}
            left = [reply(self.stages, 1 - player, {player: plans[player]}).values for player in (0, 1)]
            low, other = (-Fraction(start_worth(self.stages, 1 - player, left[player])) for player in (0, 1))
            if low == -other:
                return ShapleySolution((exact(low), exact(other)), float(low), plans)
        return None

    def _prove_bound(self, player: int, values: Mapping[int, float], plan: Plan) -> Number | None:
        """A number that the plan provably secures to the player, near the value at the start; None if none is found.
        Positions are lowered the more, the earlier they come, so that play on its way gains what its mixtures lack."""
        span, groups = Fraction(max(1.0, *(abs(value) for value in values.values()))), self.stages.components
        for slack in SLACKS:
            step = slack * span / len(groups)
            bound = {
                n: Fraction(round((Fraction(values[n]) - rank * step) * GRAIN), GRAIN)
                for rank, group in enumerate(groups, start=len(groups))
                for n in group
            }
            bound |= {n: Fraction(paid) for n, paid in self.paid[player].items() if paid is not None}
            if all(self._holds(player, n, bound, plan) for n in bound if self.stages.moves[n]):
                return exact(Fraction(start_worth(self.stages, player, bound)))
        return None

    def _holds(self, player: int, n: int, bound: Mapping[int, Fraction], plan: Plan) -> bool:
        """True if at position `n` the bound does not sink on average, whatever the other player does; where endless
        play has a price, it must rise above it at positions that can come again."""
        other = self.stages.actions(n, 1 - player)
        least: Any = inf
        for j in range(max(1, len(other))):
            way = self.stages.shares(n, {player: plan}, {1 - player: j})
            least = min(least, way_worth(self.stages, n, player, way, bound))
        rises = not self.surely and n in self.stages.recurring_positions and bound[n] > self.price[player]
        return bool(least > bound[n] if rises else least >= bound[n])


def _sum(stages: Stages) -> Number:
    """The sum of both players' payoffs at every end; 0 if there are rewards on the way. Raises Unmet if one player's
    gain is not always the other's loss."""
    watch = Watch(SHAPLEY.name, SHAPLEY.needs, stages.game)
    vectors = [node.utilities for node in stages.nodes if isinstance(node, Terminal)]
    gains = [one.gains for own in stages.outcomes for one in own]
    price = stages.game.promises.forever if stages.discount == 1 else None
    sums = {sum(map(require_number, vector)) for vector in (*vectors, *([price] if price else []))}
    total = sums.pop() if sums and stages.rewards is None else 0
    if any(other != total for other in sums) or any(map(sum, (*gains, stages.opening.gains))):
        raise watch.unmet_need("zero_sum")
    return exact(total)


def _complete_answer(answer: Solution, sides: _Sides, found: ShapleySolution) -> Solution:
    stages = sides.stages
    listed = sum(len(plan) for plan in found.plans.values()) <= MOST_CHOICES
    notes = ["everybody knows the position, so that strategies look at it alone"]
    if stages.discount != 1:
        notes.append(f"what each action leads to counts {stages.discount} times as much as what it gains")
    if not listed:
        notes.append(MANY_CHOICES)
    answer = replace(answer, notes=tuple(notes), strategy=stages.profile(found.plans) if listed else None)
    low, other = found.secured
    total = stages.total
    if found.exact:
        assert low is not None
        best, untold = _best_at_start(sides, found)
        return replace(answer, exact=True, value=(low, exact(total - low)), interval=None, regret=(0, 0), limit=None,
                       best=best, notes=(*answer.notes, *untold))  # fmt: skip
    high = None if other is None else -other
    interval = tightest_bounds(((low, high), rest_bounds((low, high), total)), promised_bounds(stages.game))
    if low is None or high is None:
        limit = "stopped at values that could not be proved from both sides"
    else:
        limit = f"closed in on the value to within {float(high - low):.1e}, by strategies of both sides"
    return replace(answer, value=(found.about, float(total) - found.about), interval=interval, limit=limit)


def _best_at_start(sides: _Sides, found: ShapleySolution) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The best actions at the start, where one player acts there, and notes. Actions are best if they keep the secured
    value; if a reply could make play go on for ever, only the action that is played is given, with a note."""
    stages = sides.stages
    ((_, start),) = stages.opening.after if len(stages.opening.after) == 1 else ((1, -1),)
    if start < 0 or not isinstance(node := stages.nodes[start], Decision) or isinstance(node, Simultaneous):
        return (), ()
    mover = node.player
    first = list(found.plans[mover][start]).index(1)
    try:
        values = reply(stages, 1 - mover, {mover: found.plans[mover]}).values
    except ZeroDivisionError:
        return (node.actions[first],), (UNTIED,)
    worth = [
        way_worth(stages, start, mover, [(1, k)], {n: -v for n, v in values.items()}) for k in range(len(node.actions))
    ]
    equal = [action for k, action in enumerate(node.actions) if k != first and worth[k] == worth[first]]
    return (node.actions[first], *equal), ()


SHAPLEY = Solver(
    name="shapley",
    run=shapley,
    needs={"players": 2, "zero_sum": True, "rewards": EITHER},
    summary="stochastic games of two with zero sum: moves at once, and positions that can come again",
    advised={"stochastic": True},
    position=True,
    extent="whole",
    doubt="refuses",
)

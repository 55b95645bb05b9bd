"""RETROGRADE: zero-sum games of perfect information in which a position can come again.

1. Collect the reachable states.
2. Without chance, work back from the ends (attractor.py). With chance, improve strategies component by component
   until nobody can do better, in exact arithmetic (strategy_iteration.py); where the numbers or the components grow
   too large for that, close in on the values from both sides in floating point (value_iteration.py).
3. Play that never ends is worth what the file says (`forever -> …`). Where it says nothing, solve twice: once at the
   least price that could be meant, once at the greatest (from the least utility of an end, or 0, to the greatest, or
   0). If the value is the same, no price between them matters; else the game has no value yet, and is refused.

Sources: see the three files.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, log10
from typing import Any, NamedTuple

from gdl.errors import LimitReached, Refusal
from gdl.game import Action, Bounds, Decision, Game, Number, require_number
from gdl.solution import Profile, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.certificate import MANY_CHOICES, Choice, strategies
from gdl.solvers.cyclic.play import RETURNS, Play, line_of_play
from gdl.solvers.cyclic.spaces import LISTED, Space, collect_positions
from gdl.solvers.minimax.windows import constant_sum_vector, max_player
from gdl.solvers.needs import ALL_SEEN, OPPOSED, Watch
from gdl.solvers.solver import Solver

CLOSE_ENOUGH = 1e-6  # how near floating-point bounds must come for a value, relative to the greatest utility
UNLISTED = "no strategies are listed: the time was over before they were"


def retrograde(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, symmetry: bool = False) -> Solution:
    """The value of a zero-sum game whose positions can come again, with chance or without, and the best actions.
    `nodes` limits the states that are collected; with `symmetry`, symmetric states count as one."""
    answer = RETROGRADE.answer(game, exact=False)
    budget = limits.budget().without_node_limit()
    with answering(lambda: answer):
        watch = Watch(RETROGRADE.name, RETROGRADE.needs, game)
        space = collect_positions(game, max_player(game), watch, limits.nodes, budget, symmetry)
        _check_price(game, space, watch)
        answer = replace(answer, nodes=space.size, leaves=space.ends, states=space.size)
        plays = _plays(game, space, budget)
        return _complete_answer(answer, _Table(game, space, plays, budget))


def _check_price(game: Game[Any], space: Space, watch: Watch) -> None:
    """Raises Refusal where play without end does not pay the same in all as every end, so that one player's loss in it
    is not the other's gain."""
    price, total = game.promises.forever, space.constant_sum
    if (
        price is None
        or total is None
        or len(price) != 2
        or game.traits.cyclic is False
        or sum(map(require_number, price)) == total
    ):
        return
    raise watch.unmet_need(
        "zero_sum", f"play without end pays {sum(map(require_number, price))} in all, every end {total}"
    )


def _plays(game: Game[Any], space: Space, budget: Budget) -> tuple[Play, ...]:
    """The best play for each player to follow. If endless play has no price, the two differ: each player assumes the
    price that is worst for them."""
    maximiser = max_player(game)
    price = game.promises.forever
    if price is not None:
        return (space.best_play(require_number(price[maximiser]), budget.check_time),) * len(game.players)
    ends = space.utilities()
    if not ends:
        raise _no_price(game, "never ends")
    least, greatest = min(0, *ends), max(0, *ends)
    careful = space.best_play(least, budget.check_time)
    if not careful.endless:
        return (careful,) * len(game.players)
    hopeful = space.best_play(greatest, budget.check_time)
    if hopeful.value(0) - careful.value(0) > careful.error(0) + hopeful.error(0):
        raise _no_price(game, "need not end under best play")
    if careful.value(0) == greatest:  # MIN cannot lose more; let MIN delay where MAX hurries
        return (careful,) * len(game.players)
    if hopeful.value(0) == least:
        return (hopeful,) * len(game.players)
    return tuple(careful if player == maximiser else hopeful for player in range(len(game.players)))


def _no_price(game: Game[Any], what: str) -> Refusal:
    return Refusal(
        f"{RETROGRADE.name} needs to know what endless play is worth: {game.name} {what}; "
        "say so in the file, as in `forever -> draw`"
    )


class _Table(NamedTuple):
    """Best play of every player, by state."""

    game: Game[Any]
    space: Space
    plays: tuple[Play, ...]
    budget: Budget

    def choice(self, player: int) -> Choice:
        def choose(state: Any, node: Decision) -> Action:
            self.budget.check_time()
            return node.actions[self.plays[player].choose(self.space.number(state))]

        return choose

    def best(self) -> tuple[Action, ...]:
        """The root action to play, then all others of the same value; only the first where values are not exact."""
        node = self.space.node(0)
        if not isinstance(node, Decision):
            return ()
        play = self.plays[node.player]
        first = play.choose(0)
        equal = [
            action
            for k, (action, child) in enumerate(zip(node.actions, self.space.children(0), strict=True))
            if k != first and play.value(child) == play.value(0)
        ]
        return (node.actions[first], *([] if play.error(0) else equal))

    def strategies(self) -> Profile | None:
        """The strategies of everyone; None where there are too many to list. Raises LimitReached where the time is
        over."""
        if not self.space.listed:
            return None
        return strategies(self.game, tuple(self.choice(player) for player in range(len(self.game.players))))


def _complete_answer(answer: Solution, table: _Table) -> Solution:
    maximiser = max_player(table.game)
    play = table.plays[maximiser]
    value, error = play.value(0), play.error(0)
    if error > CLOSE_ENOUGH * max([1.0, *(abs(float(u)) for u in table.space.utilities())]):
        bounds = _interval(table, maximiser, value, error)
        return replace(answer, best=table.best(), interval=bounds, limit="bounds of the value have not met")
    if error and -error <= value <= error:  # nobody is told to win by what rounding leaves
        value, error = 0.0, 2 * error
    space, plays = table.space, table.plays
    line, returns = line_of_play(space.node, space.children, lambda player, number: plays[player].choose(number))
    notes = list(table.space.notes)
    if error:
        notes.append("too large for exact arithmetic")
    if play.rank(0):
        notes.append(f"with best play the game ends after {play.rank(0)} plies")
    if play.endless and table.game.promises.forever is None:
        notes.append("the file puts no price on endless play; none within the range of its utilities changes the value")
    if returns:
        notes.append(RETURNS)
    profile, is_late = None, False
    try:
        profile = None if error else table.strategies()
    except LimitReached:
        is_late = True
        notes.append(UNLISTED)
    if profile is None and not (error or is_late or table.space.notes):
        many = f"no strategies are listed: more than {LISTED:,} positions"
        notes.append(MANY_CHOICES if table.space.listed else many)
    return replace(
        answer,
        exact=not error,
        value=constant_sum_vector(table.game, maximiser, value, table.space.constant_sum),
        best=table.best(),
        line=line,
        strategy=profile,
        notes=tuple(notes),
        interval=_interval(table, maximiser, value, error) if error else None,
        limit=f"value iteration to within {error:.1e}" if error else None,
    )


def _interval(table: _Table, maximiser: int, value: Number | float, error: float) -> Bounds:
    """The bounds of each player's value, if the maximiser's lies within the error of this one; in decimals, rounded
    outwards."""
    scale = 10 ** (1 - floor(log10(error)))
    low = Fraction(floor((Fraction(value) - Fraction(error)) * scale), scale)
    high = Fraction(ceil((Fraction(value) + Fraction(error)) * scale), scale)
    ends = [constant_sum_vector(table.game, maximiser, end, table.space.constant_sum) for end in (low, high)]
    return tuple((min(pair), max(pair)) for pair in zip(*ends, strict=True))


RETROGRADE = Solver(
    name="retrograde",
    run=retrograde,
    needs={**OPPOSED, **ALL_SEEN},
    summary="the exact value of zero-sum games whose positions can come again, with chance or without",
    extent="whole",
)

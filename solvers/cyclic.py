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
from typing import Any, Protocol

from gdl.errors import Refusal
from gdl.explore import Exploration, explore
from gdl.game import Action, Chance, Decision, Game, Number, Terminal, exact, known
from gdl.solution import Profile, Solution
from solvers.attractor import Forced
from solvers.budget import Budget, answering
from solvers.certificate import LARGEST, Choice, strategies
from solvers.needs import Watch
from solvers.solver import Progress, Solver
from solvers.strategy_iteration import Exact, TooLarge
from solvers.value_iteration import Bounds
from solvers.windows import max_player

STATES = 1_000_000  # that are collected at most, unless told otherwise
CLOSE_ENOUGH = 1e-6  # how near floating-point bounds must come for an answer


class Play(Protocol):
    """Best play of both sides, endless play being worth a given price: what each of the three methods finds."""

    endless: bool  # whether play could go on for ever, so that the price may matter

    def value(self, number: int) -> Number | float:
        """What the state is worth to MAX; a float if it is not exact."""
        ...

    def error(self, number: int) -> float:
        """How far the value can be from the truth."""
        ...

    def choose(self, number: int) -> int:
        """The position of the child to move to."""
        ...


def retrograde(
    game: Game[Any],
    *,
    nodes: int | None = None,
    time: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The value of a zero-sum game whose positions can come again, with chance or without, and the best actions.

    `nodes` limits the states that are collected.
    """
    answer = Solution(game.name, RETROGRADE.name, game.players, game.traits, exact=False)
    budget = Budget(None, time, progress)
    with answering(lambda: answer):
        space = explore(game, STATES if nodes is None else nodes, lambda _: budget.visit())
        watch = Watch(RETROGRADE.name, RETROGRADE.needs, game)
        for state, node in zip(space.states, space.nodes, strict=True):
            watch.see(state, node)
        leaves = sum(isinstance(node, Terminal) for node in space.nodes)
        answer = replace(answer, nodes=len(space.states), leaves=leaves)
        plays = _plays(game, space, budget)
        return _finished(answer, _Table(game, space, plays), watch.total or 0)


def _plays(game: Game[Any], space: Exploration[Any], budget: Budget) -> tuple[Play, ...]:
    """For every player, the best play to follow. Two different ones where endless play has no price: each player
    then supposes the price that is worst for them."""
    maximiser = max_player(game)
    price = getattr(game, "forever", None)
    if price is not None:
        return (_best_play(space, maximiser, known(price[maximiser]), budget),) * len(game.players)
    ends = [known(node.utilities[maximiser]) for node in space.nodes if isinstance(node, Terminal)]
    if not ends:
        raise _no_price(game, "never ends")
    least, greatest = min(0, *ends), max(0, *ends)
    careful = _best_play(space, maximiser, least, budget)
    if not careful.endless:
        return (careful,) * len(game.players)
    hopeful = _best_play(space, maximiser, greatest, budget)
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


def _best_play(space: Exploration[Any], maximiser: int, price: Number, budget: Budget) -> Play:
    """Best play at this price, by the method that suits the game."""
    if not any(isinstance(node, Chance) for node in space.nodes):
        return Forced(space, maximiser, price)
    try:
        return Exact(space, maximiser, price, budget.check_time)
    except TooLarge:
        bounds = Bounds(space, maximiser, price, budget.check_time)
    if bounds.error(0) > CLOSE_ENOUGH * bounds.scale:
        raise Refusal(
            f"{RETROGRADE.name} cannot tell the value: the game is too large for exact arithmetic, and as play could "
            f"go on for ever, bounds only say that it is {bounds.value(0):.6g} ± {bounds.error(0):.2g}"
        )
    return bounds


class _Table:
    """Everyone's best play, asked by state."""

    def __init__(self, game: Game[Any], space: Exploration[Any], plays: tuple[Play, ...]):
        self.game = game
        self.space = space
        self.plays = plays
        self.numbers = {state: number for number, state in enumerate(space.states)}

    def choice(self, player: int) -> Choice:
        def choose(state: Any, node: Decision) -> Action:
            return node.actions[self.plays[player].choose(self.numbers[state])]

        return choose

    def best(self) -> tuple[Action, ...]:
        """The root action to play, then all others of the same value; only the first where values are not exact."""
        node = self.space.nodes[0]
        if not isinstance(node, Decision):
            return ()
        play = self.plays[node.player]
        first = play.choose(0)
        equal = [
            action
            for k, (action, child) in enumerate(zip(node.actions, self.space.children[0], strict=True))
            if k != first and play.value(child) == play.value(0)
        ]
        return (node.actions[first], *([] if play.error(0) else equal))

    def line(self) -> tuple[tuple[Action, ...], bool]:
        """Best play until it ends, chance moves or a position comes again; and whether one did."""
        line: list[Action] = []
        number, met = 0, {0}
        while isinstance(node := self.space.nodes[number], Decision):
            position = self.plays[node.player].choose(number)
            line.append(node.actions[position])
            number = self.space.children[number][position]
            if number in met:
                return tuple(line), True
            met.add(number)
        return tuple(line), False

    def strategies(self) -> Profile | None:
        return strategies(self.game, tuple(self.choice(player) for player in range(len(self.game.players))))


def _finished(answer: Solution, table: _Table, total: Number) -> Solution:
    play = table.plays[max_player(table.game)]
    value, error = play.value(0), play.error(0)
    line, returns = table.line()
    notes = []
    if error:
        notes.append(f"too large for exact arithmetic: the value is within {error:.1e} of the one given")
    if isinstance(play, Forced) and play.ranks[0]:
        notes.append(f"with best play the game ends after {play.ranks[0]} plies")
    if play.endless and getattr(table.game, "forever", None) is None:
        notes.append("the file puts no price on endless play; none within the range of its utilities changes the value")
    if returns:
        notes.append("best play need not end: the line stops where a position comes again")
    profile = None if error else table.strategies()
    if profile is None and not error:
        notes.append(f"no strategies are listed: they have more than {LARGEST:,} choices")
    others = exact(total - value) if not isinstance(value, float) else float(total) - value
    return replace(
        answer,
        exact=not error,
        value=tuple(value if p == max_player(table.game) else others for p in range(len(answer.players))),
        best=table.best(),
        line=line,
        strategy=profile,
        notes=tuple(notes),
        limit=f"value iteration to within {error:.1e}" if error else None,
    )


RETROGRADE = Solver(
    name="retrograde",
    run=retrograde,
    needs={"players": (1, 2), "zero_sum": True, "simultaneous": False, "perfect_information": True},
    summary="the exact value of zero-sum games whose positions can come again, with chance or without",
)

"""The search of star1 and star2: windows that pass chance nodes, in the form of solvers.minimax.windows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from gdl.errors import GameError, Problem
from gdl.game import Chance, Decision, Node, Number, Terminal, exact, surely_at
from gdl.numbers import to_text
from gdl.solution import Path
from solvers.minimax.windows import Frame, Search
from solvers.record import Bound, Found, Place, Window, finite, number


class Step(NamedTuple):
    """What a chance node does next: search an outcome, or only probe it."""

    position: int
    probe: bool


class ChanceFrame(Frame):
    """A chance node: what is known of its outcomes, and of their average."""

    def __init__(
        self,
        place: Place,
        node: Chance,
        window: Window,
        limits: Sequence[Window],
        steps: Sequence[Step],
        unprobed: Mapping[int, list[Path]],
        strictly: bool,
    ):
        """`limits` bound each outcome; `unprobed` are the successors of the outcomes at which a probe does not look."""
        super().__init__(place, [action for action, _ in node.outcomes], [step.position for step in steps], window)
        self.steps = list(steps)
        self.unprobed = unprobed
        self.strictly = strictly
        self.weights = [weight for _, weight in node.outcomes]
        self.lows: list[Bound] = [low for low, _ in limits]
        self.highs: list[Bound] = [high for _, high in limits]

    @property
    def probes(self) -> bool:
        return self.steps[self.done].probe

    @property
    def low(self) -> Bound:
        return _average(self.weights, self.lows)

    @property
    def high(self) -> Bound:
        return _average(self.weights, self.highs)

    @property
    def next_window(self) -> Window:
        """In which the next outcome's own value could still matter."""
        child = self.position
        weight = self.weights[child]
        if not weight:
            return -inf, inf
        others = [0 if position == child else w for position, w in enumerate(self.weights)]
        alpha, beta = self.window
        alpha = max(_share(alpha - _average(others, self.highs), weight), self.lows[child])
        beta = min(_share(beta - _average(others, self.lows), weight), self.highs[child])
        return alpha, beta

    @property
    def after(self) -> Window:
        return self.window

    def take(self, position: int, found: Found) -> None:
        """What the outcome returned, as bounds on its value; one that is known needs no further step. (One that is as
        good as its bound allows is known too, but the strict rule leaves no node for a mere equality.)"""
        if found.bound in ("exact", "lower"):
            self.lows[position] = max(self.lows[position], found.value)
        if found.bound in ("exact", "upper"):
            self.highs[position] = min(self.highs[position], found.value)
        if found.bound == "exact" or (self.lows[position] == self.highs[position] and not self.strictly):
            ahead = self.steps[self.done + 1 :]
            self.steps[self.done + 1 :] = [step for step in ahead if step.position != position]
            self.children = [step.position for step in self.steps]

    def crossed(self, strictly: bool) -> bool:
        alpha, beta = self.window
        if strictly:
            return self.high < alpha or self.low > beta
        return self.high <= alpha or self.low >= beta

    def left_out(self) -> list[Path]:
        """The outcomes not looked at, and of those that were only probed the other successors."""
        seen = {step.position: step.probe for step in self.steps[: self.done]}
        roots: list[Path] = []
        for position in range(len(self.actions)):
            if position not in seen:
                roots.append((*self.place.path, position))
            elif seen[position] and any(step.position == position for step in self.steps[self.done :]):
                roots += self.unprobed[position]
        return roots

    @property
    def so_far(self) -> Found | None:
        low, high = self.low, self.high
        if low == high:
            return Found(number(low), "exact", ())
        if not isinstance(high, float):
            return Found(number(high), "upper", ())
        return None if isinstance(low, float) else Found(number(low), "lower", ())

    @property
    def found(self) -> Found:
        """The average, if it is known; else the bound by which the node was left."""
        low, high = self.low, self.high
        if low == high:
            return Found(number(low), "exact", ())
        return Found(number(high), "upper", ()) if high <= self.window[0] else Found(number(low), "lower", ())

    def known(self) -> dict[str, Any]:
        return {"low": finite(self.low), "high": finite(self.high)}


def _average(weights: Sequence[Number], values: Sequence[Bound]) -> Bound:
    """The weighted sum; infinite if a value of some weight is."""
    total: Bound = Fraction(0)
    for weight, value in zip(weights, values, strict=True):
        if weight:
            total += weight * value
    return total if isinstance(total, float) else exact(total)


def _share(amount: Bound, weight: Number) -> Bound:
    return amount if isinstance(amount, float) else exact(Fraction(amount) / weight)


class StarSearch(Search):
    """A run of star1, or with `probing` of star2."""

    probing = False
    chances = 0  # chance nodes met
    bounded = 0  # and those of them where something was known of the outcomes

    def frame(self, place: Place, node: Node, window: Window) -> Frame:
        if not isinstance(node, Chance):
            return super().frame(place, node, window)
        children = [self.game.successor(place.state, action) for action, _ in node.outcomes]
        limits = [self.limits(child) for child in children]
        self.chances += 1
        self.bounded += any(limit not in (-inf, inf) for pair in limits for limit in pair)
        steps, unprobed = self._plan(place, children)
        return ChanceFrame(place, node, window, limits, steps, unprobed, self.strictly)

    def limits(self, state: Any) -> Window:
        """What the file promises, or its rules prove, of MAX's utility below the state."""
        low, high = surely_at(self.game, state)[self.max_player]
        return -inf if low is None else low, inf if high is None else high

    def _plan(self, place: Place, children: Sequence[Any]) -> tuple[list[Step], dict[int, list[Path]]]:
        """The steps at a chance node. For star2 first a look at every outcome: an end is known by it, of a player's
        node the first action is tried; then what is not known yet."""
        if not self.probing:
            return [Step(position, False) for position in range(len(children))], {}
        looks, full = [], []
        unprobed: dict[int, list[Path]] = {}
        for position, child in enumerate(children):
            node = self.game.node(child)
            if isinstance(node, Decision):
                _, *others = self.order(child, node)
                unprobed[position] = [(*place.path, position, other) for other in sorted(others)]
            if not isinstance(node, Chance):
                looks.append(Step(position, isinstance(node, Decision)))
            if not isinstance(node, Terminal):
                full.append(Step(position, False))
        return [*looks, *full], unprobed

    def utility(self, state: Any, node: Terminal) -> Number:
        """MAX's utility at an end, which must keep what the file promised."""
        value: Number = super().utility(state, node)
        low, high = self.limits(state)
        if not low <= value <= high:
            raise GameError(
                Problem(
                    f"the utility {to_text(value)} lies outside the bounds that the file promises",
                    help="mend the line 'utility', or what is paid",
                )
            )
        return value

"""The search of star1 and star2: windows that pass chance nodes, in the form of gdl.solvers.minimax.windows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from gdl.errors import GameError, Problem
from gdl.game import Chance, Decision, Node, Number, Terminal, exact, surely_at
from gdl.numbers import to_text
from gdl.solution import Path
from gdl.solvers.minimax.windows import WindowFrame, WindowSearch
from gdl.solvers.record import Bound, NodeResult, SearchPlace, Window, finite, number


class StarStep(NamedTuple):
    """A step at a chance node: search an outcome, or only probe it."""

    position: int
    probe: bool


class BoundAverage:
    """The weighted sum of bounds that change one at a time; infinite while a bound with a positive weight is
    infinite."""

    def __init__(self, weights: Sequence[Number], bounds: Sequence[Bound]):
        self.weights = weights
        self.bounds = list(bounds)
        held = [(weight, bound) for weight, bound in zip(weights, bounds, strict=True) if weight]
        self.open = sum(isinstance(bound, float) for _, bound in held)  # how many are infinite, all in one direction
        self.infinite: Bound = next((bound for _, bound in held if isinstance(bound, float)), 0)
        self.total = sum((weight * bound for weight, bound in held if not isinstance(bound, float)), Fraction(0))

    @property
    def value(self) -> Bound:
        return self.infinite if self.open else exact(self.total)

    def others(self, position: int) -> Bound:
        """The weighted sum without the term at this position, whose weight must be positive."""
        bound = self.bounds[position]
        if isinstance(bound, float):
            return self.infinite if self.open > 1 else exact(self.total)
        return self.infinite if self.open else exact(self.total - self.weights[position] * bound)

    def put(self, position: int, bound: Number) -> None:
        """Replace the bound at this position by a finite one."""
        before, self.bounds[position] = self.bounds[position], bound
        weight = self.weights[position]
        if weight:
            # A bound of a known number replaces an infinite one: one less that keeps the sum infinite.
            self.open -= isinstance(before, float)
            self.total += weight * (bound if isinstance(before, float) else bound - before)


class ChanceFrame(WindowFrame):
    """A chance node, with bounds on the value of each outcome and on their average."""

    def __init__(
        self,
        place: SearchPlace,
        node: Chance,
        window: Window,
        limits: Sequence[Window],
        looks: Sequence[StarStep],
        searches: Sequence[StarStep],
        unprobed: Mapping[int, list[Path]],
        strictly: bool,
    ):
        """`limits`: bounds on the value of each outcome. `looks` and `searches`: the steps, at most one of each per
        outcome. `unprobed`: by outcome, the paths of the successors at which a probe does not look. `strictly`: the
        rule `gt`."""
        self.steps = [*looks, *searches]
        self.first_search = len(looks)
        super().__init__(place, [action for action, _ in node.outcomes], [step.position for step in self.steps], window)
        self.unprobed = unprobed
        self.strictly = strictly
        self.weights = [weight for _, weight in node.outcomes]
        self.lows = BoundAverage(self.weights, [low for low, _ in limits])
        self.highs = BoundAverage(self.weights, [high for _, high in limits])

    @property
    def probes(self) -> bool:
        return self.steps[self.done].probe

    @property
    def low(self) -> Bound:
        return self.lows.value

    @property
    def high(self) -> Bound:
        return self.highs.value

    @property
    def next_window(self) -> Window:
        """The window in which the next outcome's own value could still matter."""
        child = self.position
        weight = self.weights[child]
        # An outcome that never happens may be worth anything.
        if not weight:
            return -inf, inf
        alpha, beta = self.window
        # To lift the average above alpha the outcome must make up for all others, even if each of these is as good as
        # it can be.
        alpha = max(_share(alpha - self.highs.others(child), weight), self.lows.bounds[child])
        beta = min(_share(beta - self.lows.others(child), weight), self.highs.bounds[child])
        return alpha, beta

    def take(self, position: int, found: NodeResult) -> None:
        """Take an outcome's result as bounds on its value. If a probe shows the value, the later full search is
        dropped. (Where the lower bound meets the upper the value is known too, but under the strict rule no node is
        left for mere equality.)"""
        low, high = self.lows.bounds[position], self.highs.bounds[position]
        if found.bound in ("exact", "lower") and found.value > low:
            self.lows.put(position, low := found.value)
        if found.bound in ("exact", "upper") and found.value < high:
            self.highs.put(position, high := found.value)
        if self.probes and (found.bound == "exact" or (low == high and not self.strictly)):
            # The searches stand in the order of the outcomes, behind the looks.
            ahead = bisect_left(self.children, position, self.first_search)
            del self.steps[ahead], self.children[ahead]

    def is_outside_window(self, strictly: bool) -> bool:
        alpha, beta = self.window
        if strictly:
            return self.high < alpha or self.low > beta
        return self.high <= alpha or self.low >= beta

    def left_out(self) -> list[Path]:
        """The paths of outcomes not looked at, and of those successors of outcomes only probed at which the probe did
        not look."""
        seen = {step.position: step.probe for step in self.steps[: self.done]}
        ahead = set(self.children[self.done :])
        roots: list[Path] = []
        for position in range(len(self.actions)):
            if position not in seen:
                roots.append((*self.place.path, position))
            elif seen[position] and position in ahead:
                roots += self.unprobed[position]
        return roots

    @property
    def so_far(self) -> NodeResult | None:
        low, high = self.low, self.high
        if low == high:
            return NodeResult(number(low), "exact", ())
        if not isinstance(high, float):
            return NodeResult(number(high), "upper", ())
        return None if isinstance(low, float) else NodeResult(number(low), "lower", ())

    @property
    def result(self) -> NodeResult:
        """The average, if it is known; else the bound by which the node was left."""
        low, high = self.low, self.high
        if low == high:
            return NodeResult(number(low), "exact", ())
        return NodeResult(number(high), "upper", ()) if high <= self.window[0] else NodeResult(number(low), "lower", ())

    def event_details(self) -> dict[str, Any]:
        return {"low": finite(self.low), "high": finite(self.high)}


def _share(amount: Bound, weight: Number) -> Bound:
    return amount if isinstance(amount, float) else exact(Fraction(amount) / weight)


class StarSearch(WindowSearch):
    """A run of star1, or with `probing` of star2."""

    probing = False
    chances = 0  # chance nodes met
    bounded = 0  # chance nodes where an outcome had a known bound

    def frame(self, place: SearchPlace, node: Node, window: Window) -> WindowFrame:
        if not isinstance(node, Chance):
            return super().frame(place, node, window)
        children = [self.game.successor(place.state, action) for action, _ in node.outcomes]
        limits = [self.limits(child) for child in children]
        self.chances += 1
        self.bounded += any(limit not in (-inf, inf) for pair in limits for limit in pair)
        looks, searches, unprobed = self._plan(place, children)
        return ChanceFrame(place, node, window, limits, looks, searches, unprobed, self.strictly)

    def limits(self, state: Any) -> Window:
        """Bounds on MAX's utility below the state, as the file promises them, or its rules prove them."""
        low, high = surely_at(self.game, state)[self.max_player]
        return -inf if low is None else low, inf if high is None else high

    def _plan(
        self, place: SearchPlace, children: Sequence[Any]
    ) -> tuple[list[StarStep], list[StarStep], dict[int, list[Path]]]:
        """The looks and the searches at a chance node, and for each probed outcome the paths that a probe leaves out.
        Star2 first looks at every outcome but chance nodes: an end is known by it, at a decision the first action is
        tried; then it searches all outcomes that are not ends. Star1 only searches."""
        if not self.probing:
            return [], [StarStep(position, False) for position in range(len(children))], {}
        looks, searches = [], []
        unprobed: dict[int, list[Path]] = {}
        for position, child in enumerate(children):
            node = self.game.node(child)
            if isinstance(node, Decision):
                _, *others = self.order(child, node)
                unprobed[position] = [(*place.path, position, other) for other in sorted(others)]
            if not isinstance(node, Chance):
                looks.append(StarStep(position, isinstance(node, Decision)))
            if not isinstance(node, Terminal):
                searches.append(StarStep(position, False))
        return looks, searches, unprobed

    def utility(self, state: Any, node: Terminal) -> Number:
        """MAX's utility at an end. Raises GameError if it lies outside the bounds that the file promises."""
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

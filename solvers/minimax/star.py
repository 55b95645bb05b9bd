"""Star1 and Star2: alpha-beta for trees with chance nodes, where bounds of the utilities are known.

A chance node is worth the average of its outcomes. While some are unseen, bounds stand in for them, which the file
promises (`utility in 0..10`) or its rules prove (constants, and what declared ranges allow). So the value is known to
lie between low and high:

1. If high <= alpha, MAX has better elsewhere; if low >= beta, MIN has: the other outcomes are skipped.
2. Else the next outcome, of probability p, is searched with the window in which its own value could still matter:
   ((alpha - high of the others) / p, (beta - low of the others) / p), and not beyond its bounds.
3. What it returns replaces its bounds: its value, or a bound on it.

Star2 probes first: it looks at the first action alone of every outcome that is a player's, which bounds that outcome
from one side, in the hope of leaving before any is searched in full. What was only probed is searched anew later, and
counted again. Without bounds nothing can be skipped at a chance node: a leaf unseen may be worth anything.

Sources: Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial Intelligence 21, 1983;
Hauk, Buro and Schaeffer, Rediscovering *-minimax search, Computers and Games 2004.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gdl.compiler.search_kinds import STAR
from gdl.errors import GameError, InternalError, LimitReached, Problem
from gdl.game import Chance, Decision, Game, Node, Number, Terminal, exact, surely_at
from gdl.numbers import to_text
from gdl.solution import Cut, Path, RecordedSearch, Rule, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.certificate import MANY_CHOICES, strategies
from gdl.solvers.engine_stages import compiled_search, giving_up, run_slices, run_stages
from gdl.solvers.minimax.backward_induction import backward_induction
from gdl.solvers.minimax.vectors import InductionValues, first_best, with_ties
from gdl.solvers.minimax.windows import (
    WindowFrame,
    WindowSearch,
    begin_search,
    best_so_far,
    complete_answer,
    max_player,
    partial_answer,
    vector_of,
)
from gdl.solvers.needs import ALL_SEEN, OPPOSED
from gdl.solvers.record import Bound, NodeResult, SearchPlace, Window, finite, most_recorded, number
from gdl.solvers.solver import Solver

if TYPE_CHECKING:
    from gdl.compiler.searches.star_driver import Star

BEGUN = 500  # nodes after which the compiled engine is asked whether the run is a long one
ORDERS = ("given", "best", "worst")
PROOF = 100_000  # states that the proof of ties may look at
UNTIED = "whether other actions are as good was too long to prove, or depends on what the file leaves open"
UNOPPOSED = (
    "whether other actions are as good is not told: one player's evaluation is not the loss of the other, and only "
    "that of the player whose numbers these are was looked at"
)
UNBOUNDED = (
    "no bounds of the utilities are known, so nothing could be skipped at a chance node: an outcome unseen may "
    "be worth anything; write, say, `utility in 0..10`"
)


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
    def partial_result(self) -> NodeResult | None:
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


def _without_repeats(cuts: tuple[Cut, ...], seen: set[Path]) -> tuple[Cut, ...]:
    """The cuts without nodes that a probe skipped but a later search looked at; a node skipped twice counts once."""
    last = {skipped.path: number for number, cut in enumerate(cuts) for skipped in cut.skipped}
    return tuple(
        replace(cut, skipped=tuple(s for s in cut.skipped if last[s.path] == number and s.path not in seen))
        for number, cut in enumerate(cuts)
    )


def induction_beside(game: Game[Any], budget: Budget) -> InductionValues | None:
    """The values of all positions by backward induction, which a pruning search has left open; None where the game is
    too large for that, or leaves something open."""
    try:
        return backward_induction(game, budget=budget)
    except (LimitReached, GameError):
        return None


def _complete_by_induction(search: StarSearch, answer: Solution, budget: Budget) -> Solution:
    """The answer with all optimal actions, and the strategies that prove its value, found by backward induction; where
    the game is too large for that, or leaves something open there, the answer says so."""
    found = induction_beside(search.game, budget)
    if found is None:
        return replace(answer, notes=(*answer.notes, UNTIED))
    total = search.watch.total or 0
    if search.cut_off and len(answer.players) == 2 and any(sum(vector) != total for vector in found.of.values()):
        return replace(answer, notes=(*answer.notes, UNOPPOSED))
    if answer.value != found.of[search.game.initial()]:
        raise InternalError(f"{answer.solver} differs from expectiminimax")
    answer = with_ties(answer, search.game, found)
    if search.cut_off:
        return answer
    strategy = strategies(search.game, (first_best(search.game, found.of),) * len(answer.players))
    return replace(answer, strategy=strategy) if strategy else replace(answer, notes=(*answer.notes, MANY_CHOICES))


def run_star_search(
    row: Solver, game: Game[Any], rule: Rule, depth: int | None, budget: Budget, run: StarRun
) -> Solution:
    """The answer of star1, or with `run.probing` of star2, on a game of two opposed sides."""
    proof = budget.part(PROOF, 1.0)
    search, answer = begin_search(StarSearch, row, game, rule, depth, budget, ORDERS)
    search.probing = run.probing
    _run(search, row, answer, depth, run)
    answer = complete_answer(search, answer, depth)
    seen = {event.node for event in answer.events}
    blind = (UNBOUNDED,) if search.chances and not search.bounded else ()
    answer = answer.with_part(RecordedSearch, cuts=_without_repeats(answer.cuts, seen))
    answer = replace(answer, notes=(*answer.notes, *blind))
    with answering(lambda: answer):
        return _complete_by_induction(search, answer, proof)


def _run(search: StarSearch, row: Solver, answer: Solution, depth: int | None, run: StarRun) -> None:
    """Run the search in Python, or on the compiled engine if it turns out to be long."""
    assert answer.rule is not None
    before, given = search.budget.spent, answer.rule.order == "given"

    def run_reference(most: float = inf) -> StarSearch | None:
        with answering(lambda: partial_answer(search, answer)):
            search.run(most)
        return None if search.result is None else search

    run_stages(
        run.game,
        lambda: run_reference(before + BEGUN),
        lambda: on_engine(search, row.name, answer, depth, before, run) if given else None,
        whole=lambda: run_reference() or search,
    )


def star1(
    game: Game[Any],
    limits: SearchLimits = NO_LIMITS,
    *,
    cut: Literal["ge", "gt"] = "ge",
    order: Literal["given", "reverse", "best", "worst"] = "given",
    depth: int | None = None,
) -> Solution:
    """Expectiminimax that skips outcomes of chance which cannot matter, by the bounds of utilities that the file gives.

    Options and record are those of alpha-beta; chance nodes have windows too.
    """
    return run_star_search(STAR1, game, Rule(cut, order), depth, limits.budget(), StarRun(game, max_player(game)))


def star2(
    game: Game[Any],
    limits: SearchLimits = NO_LIMITS,
    *,
    cut: Literal["ge", "gt"] = "ge",
    order: Literal["given", "reverse", "best", "worst"] = "given",
    depth: int | None = None,
) -> Solution:
    """Star1 that probes first: one action of every outcome, before any outcome is searched in full.

    What is probed and then searched again is visited, and counted, twice.
    """
    return run_star_search(STAR2, game, Rule(cut, order), depth, limits.budget(), StarRun(game, max_player(game), True))


STAR1 = Solver(
    name="star1",
    run=star1,
    needs={**OPPOSED, **ALL_SEEN},
    summary="alpha-beta through chance nodes, by bounds of the utilities (`utility in 0..10`)",
    advised={"cyclic": False},
    extent="whole",
    steps="recorded",
)
STAR2 = replace(STAR1, name="star2", run=star2, summary="star1 that first probes one action of every outcome")


# A long run of star1, star2 or paranoid, made on the compiled engine: the same nodes, the same answer
# (gdl/compiler/kernels/star.py).


@dataclass(frozen=True)
class StarRun:
    """The subject of a run: the game, and the player whose utility is maximised. If `recorded`, windows and cuts are
    wanted, and only a run too long to be recorded is left to the compiled engine."""

    game: Game[Any]
    player: int
    probing: bool = False
    recorded: bool = True


def on_engine(
    search: StarSearch, solver: str, answer: Solution, depth: int | None, before: int, run: StarRun
) -> StarSearch | None:
    """The search with the result of a run on the compiled engine, made from its beginning. None if the engine has no
    such kernel, if it does not suit the game, or if the run is short enough to be recorded.

    `before` nodes were spent before the run began. Raises LimitReached with the best so far.
    """
    game, most = run.game, search.budget.nodes
    left = None if most is None else most - before
    if game.traits.perfect_information is not True or (
        left is not None and run.recorded and left <= most_recorded(game)
    ):
        return None
    low, high = map(finite, search.limits(search.game.initial()))
    made = compiled_search(
        game,
        replace(STAR, name=solver),
        True,
        player=run.player,
        probing=run.probing,
        strictly=search.strictly,
        depth=depth,
        bounds=(low, high),
        one_sum=len(game.players) > 1 and search.watch.total is None,
        apart=game.traits.cyclic is not False,
    )
    if made is None:
        return None
    budget, by_twin = search.budget, search.budget.spent
    with giving_up(game), answering(lambda: _partial_answer(made, search, answer, before)):
        if run.recorded:
            run_slices(made, made.go_on(most_recorded(game) + 1), budget)
        if not (made.done and run.recorded):
            try:
                run_slices(made, made.go_on(left), budget)
            finally:
                budget.spent = before + made.nodes
            if not made.done:
                raise budget.out_of_nodes()
            _give(made, search)
            return search
    budget.spent = by_twin
    return None


def _give(made: Star, search: StarSearch) -> None:
    """Hand the results of a compiled run to the search, as if it had found them itself."""
    search.result = NodeResult(made.value, "exact", made.line)
    search.leaves, search.cut_off, search.chances = made.leaves, made.cut_off, made.chances
    search.bounded = made.chances if made.bounded else 0
    search.watch.total = made.total if search.watch.total is None else search.watch.total
    search.record.drop()


def _partial_answer(made: Star, search: StarSearch, answer: Solution, before: int) -> Solution:
    """The best so far, when a limit stopped the run."""
    answer = replace(answer, nodes=before + made.nodes, leaves=made.leaves)
    line = made.line
    if not line or made.value is None:
        return answer
    return best_so_far(answer, made.root_progress, vector_of(search, made.value), line)

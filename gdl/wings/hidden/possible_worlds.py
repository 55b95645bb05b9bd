"""The best plan of a lone player over sets of possible worlds, where positions with their histories are too many.

1. Between two choices the player sees what the last action and chance bring. What is seen depends on the position and
   the action alone, so it is found once for each position, whatever the player remembers.
2. What the player knows is a belief: the positions that are possible, with their chances. Histories that leave the same
   belief are worth the same (Åström 1965). A belief is worth the best of its actions; an action, what it pays at once
   and the beliefs that it leads to.
3. No plan can do better than one that is told the position after the next action. An action whose bound by that is not
   above one that is known is not searched (the bound of the MDP, Hauskrecht 2000).

Source: K. J. Åström, Optimal control of Markov processes with incomplete state information, Journal of Mathematical
Analysis and Applications 10, 1965; M. Hauskrecht, Value-function approximations for partially observable Markov
decision processes, Journal of Artificial Intelligence Research 13, 2000.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import gcd, inf, lcm
from typing import Any, NamedTuple

from gdl.game import Action, Chance, Decision, Game, Number, Terminal, exact
from gdl.interpreter.rules_game import RulesGame, State
from gdl.solution import Mixture, Solution
from gdl.solvers.budget import Budget, answering
from gdl.states.explore import Recursion, run_recursion
from gdl.states.flat import other_actions
from gdl.states.game_wrapper import innermost_game
from gdl.wings.hidden.overwritten import overwritten_variables

LOOKED_AT, RECURRING = 5_000, 4  # new positions, after which at most one in so many met may be new

Belief = tuple[tuple[int, int], ...]  # possible positions, by number, with weights that have no common divisor
Weighed = tuple[Belief, Number]  # a belief, and what its weights are multiplied by


class Step(NamedTuple):
    """The outcome of an action in one position: what ends pay by their chances, and of each next choice what the player
    has seen until then, the position and the chance."""

    paid: Number
    then: tuple[tuple[int, int, Number], ...]


class FewRecur(Exception):
    """Raised where nearly every history leads to a position of its own, so that nothing is won by leaving it out."""


class Worlds:
    """The positions in which a lone player chooses, without what is remembered, found as they are asked for."""

    def __init__(self, game: RulesGame, budget: Budget):
        self.game, self.budget = game, budget
        self._left_out = [game.model.variables[number].place for number in overwritten_variables(game.model)]
        self._numbers: dict[Hashable, int] = {}
        self._states: list[State] = []
        self.actions: list[tuple[Action, ...]] = []
        self._steps: list[list[Step | None]] = []
        self._seen: dict[Hashable, int] = {}
        self._new = self._met = 0  # positions that actions led to: those met first, and all
        self._worths: dict[int, tuple[Number, ...]] = {}

    def choices_after(self, state: State, chance: Number) -> Iterator[tuple[State, Decision | Terminal, Number]]:
        """The next choices and ends that chance leads to from a state, with their chances."""
        waiting = [(state, chance)]
        while waiting:
            state, chance = waiting.pop()
            self.budget.visit()
            node = self.game.node(state)
            if isinstance(node, Chance):
                waiting += [(self.game.successor(state, o), chance * p) for o, p in reversed(node.outcomes)]
            else:
                assert isinstance(node, Decision | Terminal)
                yield state, node, chance

    def number_of(self, state: State, node: Decision) -> int:
        """The number of a position; of those that differ only in what is left out, one stands for all."""
        cells = list(state.cells)
        for place in self._left_out:
            cells[place] = None
        key = state.turn, tuple(cells), state.earned
        number = self._numbers.setdefault(key, len(self._states))
        if number == len(self._states):
            memories = self.game.memorist.begin(state.turn, list(state.cells))
            self._states.append(state._replace(memories=memories))
            self.actions.append(node.actions)
            self._steps.append([None] * len(node.actions))
        return number

    def step(self, world: int, choice: int) -> Step:
        """The outcome of an action in a position."""
        made = self._steps[world][choice]
        if made is None:
            paid: Number = 0
            then, known = [], len(self._states)
            after = self.game.successor(self._states[world], self.actions[world][choice])
            for state, node, chance in self.choices_after(after, 1):
                if isinstance(node, Terminal):
                    paid += chance * node.utilities[0]
                else:
                    seen = self._seen.setdefault(_views_in(state), len(self._seen))
                    then.append((seen, self.number_of(state, node), chance))
            self._new, self._met = self._new + len(self._states) - known, self._met + len(then)
            if self._new > LOOKED_AT and RECURRING * self._new > self._met:
                raise FewRecur
            made = self._steps[world][choice] = Step(paid, tuple(then))
        return made

    def worths(self, world: int) -> tuple[Number, ...]:
        """The worth of each action of a position for one who is told the position from then on."""
        return self._worths.get(world) or run_recursion(self._compute_worths(world))

    def _compute_worths(self, world: int) -> Recursion[tuple[Number, ...]]:
        found = []
        for choice in range(len(self.actions[world])):
            step = self.step(world, choice)
            worth = step.paid
            for _, other, chance in step.then:
                worth += chance * max(self._worths.get(other) or (yield self._compute_worths(other)))
            found.append(worth)
        self._worths[world] = tuple(found)
        return self._worths[world]


def _views_in(state: State) -> Hashable:
    """All that the lone player did, heard and saw since the memory began."""
    assert state.memories is not None
    view, entries = state.memories[0]
    found = []
    for action, events, changed in entries:
        view = view if changed is None else changed
        found.append((action, events, view))
    return tuple(found)


def belief_of(worlds: Iterable[tuple[int, Number]]) -> Weighed:
    """The belief with these weights of positions, and the factor that parts them from its whole numbers."""
    weights: dict[int, Number] = {}
    for world, weight in worlds:
        weights[world] = weights.get(world, 0) + weight
    below = lcm(*(weight.denominator for weight in weights.values()))
    wholes = {world: int(weight * below) for world, weight in weights.items()}
    common = gcd(*wholes.values())
    return tuple(sorted((world, weight // common) for world, weight in wholes.items())), exact(Fraction(common, below))


class BeliefSearch:
    """Finds the worth of beliefs, each times the sum of its weights, and the first best action of each."""

    def __init__(self, worlds: Worlds):
        self.worlds = worlds
        self._bounds: dict[Belief, Number] = {}
        self._known: dict[Belief, Number] = {}
        self.choices: dict[Belief, int] = {}

    def worth(self, belief: Belief) -> Number:
        """The worth of a belief by the best plan."""
        return run_recursion(self._compute_worth(belief))

    def action_bounds(self, belief: Belief) -> list[Number]:
        """The worth of each action at most: to one who is told the position after it."""
        told = self.worlds.worths
        return [sum(column) for column in zip(*([n * worth for worth in told(w)] for w, n in belief), strict=True)]

    def action_worth(self, belief: Belief, choice: int, best: Number | float, ties: bool) -> Recursion[Number | None]:
        """The worth of an action; None once it is proved to be less than the best so far, or no more if no `ties` are
        asked for."""

        def is_beaten() -> bool:
            return known < best or (known == best and not ties)

        paid, weighed = self._parts(belief, choice)
        known = paid + sum(factor * self._bound(part) for part, factor in weighed)
        for part, factor in weighed:
            if is_beaten():
                return None
            exactly = self._known[part] if part in self._known else (yield self._compute_worth(part))
            known += factor * (exactly - self._bound(part))
        return None if is_beaten() else known

    def _compute_worth(self, belief: Belief) -> Recursion[Number]:
        self._check_actions(belief)
        bounds = self.action_bounds(belief)
        best: Number | float = -inf
        for choice, bound in enumerate(bounds):
            if bound > best:
                found = yield self.action_worth(belief, choice, best, ties=False)
                if found is not None:
                    best, self.choices[belief] = found, choice
        assert not isinstance(best, float)
        self._known[belief] = best
        return best

    def _bound(self, belief: Belief) -> Number:
        if belief not in self._bounds:
            for _ in belief:  # each takes time and memory
                self.worlds.budget.visit()
            self._bounds[belief] = max(self.action_bounds(belief))
        return self._bounds[belief]

    def _parts(self, belief: Belief, choice: int) -> tuple[Number, list[Weighed]]:
        """The pay of an action at once, and the beliefs that it leads to."""
        paid: Number = 0
        parts: dict[int, list[tuple[int, Number]]] = {}
        for world, weight in belief:
            step = self.worlds.step(world, choice)
            paid += weight * step.paid
            for seen, other, chance in step.then:
                parts.setdefault(seen, []).append((other, weight * chance))
        return paid, [belief_of(part) for part in parts.values()]

    def _check_actions(self, belief: Belief) -> None:
        """Raise GameError where the player has other actions in one position than in another of the same belief."""
        one, *others = [self.worlds.actions[world] for world, _ in belief]
        for other in others:
            if other != one:
                game = self.worlds.game
                raise other_actions(game.players[0], game.name, one, other)


def find_world_plan(game: Game[Any]) -> Callable[[Budget, Solution], Solution | None] | None:
    """The search for a plan over worlds, which completes an answer; None if the game is not by rules."""
    rules, start = innermost_game(game, game.initial())
    return partial(plan_over_worlds, rules, start) if isinstance(rules, RulesGame) else None


def plan_over_worlds(game: RulesGame, start: State, budget: Budget, begun: Solution) -> Solution | None:
    """The answer `begun` with a best plan and its worth; None if few positions recur. A search that is stopped leaves
    the bounds found so far."""
    try:
        return _complete_answer(game, start, budget, begun)
    except FewRecur:
        return None


def _complete_answer(game: RulesGame, start: State, budget: Budget, begun: Solution) -> Solution:
    worlds = Worlds(game, budget)
    search = BeliefSearch(worlds)
    paid, openings = _next_openings(worlds, [(start, 1)])
    value, best = paid, list[Action]()
    if len(openings) == 1:
        value, best = _plan_first(search, openings[0], paid, begun)
    else:
        for states in openings:
            belief, factor = belief_of((world, chance) for world, _, chance in states)
            value += factor * search.worth(belief)
    strategy = dict(_choices_of_plan(search, openings))
    return replace(
        begun,
        value=(exact(value),),
        best=tuple(best),
        strategy={game.players[0]: strategy},
        regret=(0,),
        nodes=budget.spent,
    )


Opening = list[tuple[int, Any, Number]]  # positions that the player takes for possible: number, state, chance


def _plan_first(search: BeliefSearch, opening: Opening, paid: Number, begun: Solution) -> tuple[Number, list[Action]]:
    """The value of a game whose first choice this is, and all the first actions that reach it."""
    belief, factor = belief_of((world, chance) for world, _, chance in opening)
    actions, found, bounds = search.worlds.actions[belief[0][0]], dict[int, Number](), list[Number]()

    def bounds_so_far() -> Solution:
        if not bounds:
            return begun
        high = paid + factor * max(bounds)
        low = paid + factor * max(found.values()) if found else None
        return replace(begun, exact=False, interval=((low, exact(high)),), nodes=search.worlds.budget.spent)

    with answering(bounds_so_far):
        bounds += search.action_bounds(belief)
        for choice in sorted(range(len(actions)), key=lambda k: -bounds[k]):  # the most promising first
            best = max(found.values(), default=-inf)
            if bounds[choice] >= best:
                known = run_recursion(search.action_worth(belief, choice, best, ties=True))
                found |= {} if known is None else {choice: known}
    worth = max(found.values())
    firsts = sorted(choice for choice, each in found.items() if each == worth)
    search.choices[belief] = firsts[0]
    return paid + factor * worth, [actions[choice] for choice in firsts]


def _next_openings(worlds: Worlds, begun: Iterable[tuple[Any, Number]]) -> tuple[Number, list[Opening]]:
    """The pay before a next choice, and the next choices from states with these chances, by what is known."""
    paid: Number = 0
    sets: dict[Hashable, Opening] = {}
    for start, share in begun:
        for state, node, chance in worlds.choices_after(start, share):
            if isinstance(node, Terminal):
                paid += chance * node.utilities[0]
            else:
                entry = worlds.number_of(state, node), state, chance
                sets.setdefault(worlds.game.information_set(state, 0), []).append(entry)
    return paid, list(sets.values())


def _choices_of_plan(search: BeliefSearch, openings: list[Opening]) -> Iterator[tuple[str, Mixture]]:
    """The choice at each information set that the plan itself can lead to, by names."""
    worlds = search.worlds
    for opening in openings:  # which grows
        belief, _ = belief_of((world, chance) for world, _, chance in opening)
        if belief not in search.choices:
            search.worth(belief)
        choice, actions = search.choices[belief], worlds.actions[belief[0][0]]
        yield worlds.game.describe(opening[0][1], 0), {action: int(k == choice) for k, action in enumerate(actions)}
        begun = [(worlds.game.successor(state, actions[choice]), chance) for _, state, chance in opening]
        openings += _next_openings(worlds, begun)[1]

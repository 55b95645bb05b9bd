"""Every support of a small game in which each information set might be asked to act so.

1. From the last information sets to the first, each set gets every non-empty choice of its actions: pure ones in a
   first round, all others in a second.
2. Where all that follows a set is pure, what its actions are worth at each of its nodes is known. A choice of actions
   is kept only if some belief makes them all best; another is never part of an equilibrium.

Source: Kreps and Wilson, Sequential equilibria, Econometrica 50, 1982, section 5 (one information set after the other).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations

from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.solvers.beliefs.cells import Support
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.position_paths import sets_behind
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram, maximise

Choice = tuple[int, ...]  # of an information set: the positions of the actions with positive probability


class BeliefSupports:
    """The supports of a game that some beliefs might bear out, set by set."""

    def __init__(self, positions: PositionGraph, budget: Budget):
        self.positions = positions
        self.budget = budget
        self._following = _sets_below(positions)
        self._known: dict[tuple[int, Choice, tuple[Choice, ...]], bool] = {}

    def __iter__(self) -> Iterator[Support]:
        yield from self._all(pure=True)
        yield from (support for support in self._all(pure=False) if any(len(own) > 1 for own in support))

    def _all(self, *, pure: bool) -> Iterator[Support]:
        """The supports in which each choice might be best, given those of the sets that follow."""
        order = list(reversed(range(len(self.positions.information_sets))))
        stack: list[dict[int, Choice]] = [{}]
        while stack:
            self.budget.check_time()
            chosen = stack.pop()
            if len(chosen) == len(order):
                yield tuple(chosen[h] for h in range(len(order)))
                continue
            h = order[len(chosen)]
            choices = [choice for choice in self._choices(h, pure) if self._may_be_best(h, choice, chosen)]
            stack.extend({**chosen, h: choice} for choice in reversed(choices))

    def _choices(self, h: int, pure: bool) -> Iterator[Choice]:
        actions = range(len(self.positions.information_sets[h].actions))
        return chain.from_iterable(combinations(actions, size) for size in range(1, 2 if pure else len(actions) + 1))

    def _may_be_best(self, h: int, choice: Choice, chosen: dict[int, Choice]) -> bool:
        below = self._following[h]
        later = tuple(chosen[g] for g in below if g in chosen)
        if len(later) < len(below) or any(len(own) > 1 for own in later):
            return True
        key = h, choice, later
        if key not in self._known:
            worths = self._worths(h, dict(zip(below, later, strict=True)))
            self._known[key] = best_somewhere(worths, choice, self.budget)
        return self._known[key]

    def _worths(self, h: int, later: dict[int, Choice]) -> list[list[Number]]:
        """For each action what it is worth at each node of the set, everyone being pure from there on."""
        found = self.positions.information_sets[h]
        return [
            [_worth(self.positions, self.positions.successors[x][k], found.player, later) for x in found.members]
            for k in range(len(found.actions))
        ]


def best_somewhere(worths: Sequence[Sequence[Number]], choice: Choice, budget: Budget) -> bool:
    """True if some belief makes the chosen actions all best; `worths` have a row for each action."""
    try:
        maximise(beliefs_for(worths, choice, {}), budget)
    except Infeasible:
        return False
    return True


def beliefs_for(worths: Sequence[Sequence[Number]], choice: Sequence[int], goal: Mapping[int, Number]) -> LinearProgram:
    """The linear program whose solutions are the beliefs that make the chosen actions all best."""
    first, nodes = worths[choice[0]], range(len(worths[0]))
    rows: list[dict[int, Number]] = [dict.fromkeys(nodes, 1)]
    equal = {0}
    for k, worth in enumerate(worths):
        if k != choice[0]:
            if k in choice:
                equal.add(len(rows))
            rows.append({j: worth[j] - first[j] for j in nodes if worth[j] != first[j]})
    return LinearProgram(len(nodes), goal, rows, [1] + [0] * (len(rows) - 1), frozenset(equal))


def _worth(positions: PositionGraph, start: int, player: int, choices: dict[int, Choice]) -> Number:
    """The value to a player of play from a position on where each set that follows has one action."""
    total: Number = 0
    stack: list[tuple[int, Number]] = [(start, 1)]
    while stack:
        position, weight = stack.pop()
        node, h, after = positions.nodes[position], positions.sets[position], positions.successors[position]
        if isinstance(node, Terminal):
            total += weight * require_number(node.utilities[player])
        elif isinstance(node, Chance):
            stack += [(s, weight * share) for s, (_, share) in zip(after, node.outcomes, strict=True) if share]
        elif h is not None:
            stack.append((after[choices[h][0]], weight))
    return exact(total)


def _sets_below(positions: PositionGraph) -> list[list[int]]:
    """For each information set the other sets that play can reach from it."""
    behind, sets = sets_behind(positions), positions.information_sets
    return [
        [g for g in range(len(sets)) if g != h and any(behind[member] >> g & 1 for member in found.members)]
        for h, found in enumerate(sets)
    ]

"""Every support of a small game in which each information set might be asked to act so.

1. From the last information sets to the first, each set gets every non-empty choice of its actions: pure ones in a
   first round, all others in a second.
2. Where all that follows a set is pure, what its actions are worth at each of its nodes is known. A choice of actions
   is kept only if some belief makes them all best; another is never part of an equilibrium. Where some of what follows
   is mixed, an action goes that is worth less than another at each node, however they mix.
3. When all is chosen, it is known to which nodes play leads: at a set of which it misses some, a belief that rests on
   the others has to make the actions best.
4. Where the play is given, such as that of a Nash equilibrium, only the other sets have a choice.

Source: Kreps and Wilson, Sequential equilibria, Econometrica 50, 1982, section 5 (one information set after the other).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations

from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.position_paths import sets_behind
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram, maximise
from gdl.wings.theory.beliefs.cells import Play, Support, led_to

Choice = tuple[int, ...]  # of an information set: the positions of the actions with positive probability

Key = tuple[int, Choice, tuple[Choice, ...], tuple[int, ...]]  # a set, what is done there and later, nodes

Ranges = list[list[tuple[Number, Number]]]


class BeliefSupports:
    """The supports of a game that some beliefs might bear out, pure ones first; of those with this `play`, if given,
    those first that are pure elsewhere."""

    def __init__(self, positions: PositionGraph, budget: Budget, play: Play | None = None):
        self.positions = positions
        self.budget = budget
        self.play = play or (None,) * len(positions.information_sets)
        self._following = _sets_below(positions)
        self._good: dict[object, list[Choice]] = {}
        self._known: dict[Key, bool] = {}
        self._worth: dict[object, Ranges] = {}

    def __iter__(self) -> Iterator[Support]:
        yield from self._all_supports(pure=True)
        free = [h for h, own in enumerate(self.play) if own is None]
        yield from (support for support in self._all_supports(pure=False) if any(len(support[h]) > 1 for h in free))

    def _all_supports(self, *, pure: bool) -> Iterator[Support]:
        """The supports in which each choice might be best, given those of the sets that follow."""
        order = list(reversed(range(len(self.positions.information_sets))))
        stack: list[dict[int, Choice]] = [{}]
        while stack:
            self.budget.check_time()
            chosen = stack.pop()
            if len(chosen) == len(order):
                support = tuple(chosen[h] for h in range(len(order)))
                if self._is_borne_out(support):
                    yield support
                continue
            h = order[len(chosen)]
            stack.extend({**chosen, h: choice} for choice in reversed(self._good_choices(h, pure, chosen)))

    def _good_choices(self, h: int, pure: bool, chosen: dict[int, Choice]) -> list[Choice]:
        """The choices at a set that might be best, given those of the sets that follow."""
        if (given := self.play[h]) is not None:
            return [given]
        below = self._following[h]
        later = {g: chosen[g] for g in below if g in chosen}
        key = h, pure, tuple(later.items())
        if key not in self._good:
            found = self.positions.information_sets[h]
            actions = range(len(found.actions))
            sizes = range(1, 2 if pure else len(actions) + 1)
            choices = chain.from_iterable(combinations(actions, size) for size in sizes)
            if len(later) < len(below):
                self._good[key] = list(choices)
            elif any(len(own) > 1 for own in later.values()):
                left = self._within_reach(h, later)
                self._good[key] = [choice for choice in choices if left.issuperset(choice)]
            else:
                self._good[key] = [choice for choice in choices if self._is_best(h, choice, later, found.members)]
        return self._good[key]

    def _is_best(self, h: int, choice: Choice, later: dict[int, Choice], nodes: tuple[int, ...]) -> bool:
        """True if, with pure play afterwards, some belief on these nodes makes all the chosen actions best."""
        key = h, choice, tuple(later.values()), nodes
        if key not in self._known:
            members = self.positions.information_sets[h].members
            worths = [
                [worth for node, (worth, _) in zip(members, row, strict=True) if node in nodes]
                for row in self._ranges(h, later)
            ]
            self._known[key] = best_somewhere(worths, choice, self.budget)
        return self._known[key]

    def _ranges(self, h: int, later: dict[int, Choice]) -> Ranges:
        """For each action and node of the set the least and the greatest worth, over the choices `later`."""
        key = h, tuple(later.values())
        if key not in self._worth:
            found = self.positions.information_sets[h]
            ends = _worth_ranges(self.positions, min(found.members), found.player, later)
            after = [[self.positions.successors[x][k] for x in found.members] for k in range(len(found.actions))]
            self._worth[key] = [[ends[place] for place in row] for row in after]
        return self._worth[key]

    def _within_reach(self, h: int, later: dict[int, Choice]) -> set[int]:
        """The actions that are not worth less than some other action at each node, however players mix afterwards."""
        ranges = self._ranges(h, later)
        return {
            k
            for k, own in enumerate(ranges)
            if all(any(most >= least for (_, most), (least, _) in zip(own, other, strict=True)) for other in ranges)
        }

    def _is_borne_out(self, support: Support) -> bool:
        """False if, at some set that play reaches in part, no belief on the reached nodes makes all chosen actions
        best."""
        reached, _ = led_to(self.positions, support)
        for h, found in enumerate(self.positions.information_sets):
            nodes = tuple(member for member in found.members if member in reached)
            later = {g: support[g] for g in self._following[h]}
            some = 0 < len(nodes) < len(found.members) and all(len(own) == 1 for own in later.values())
            if some and not self._is_best(h, support[h], later, nodes):
                return False
        return True


def best_somewhere(worths: Sequence[Sequence[Number]], choice: Choice, budget: Budget) -> bool:
    """True if some belief makes all the chosen actions best; `worths` has a row for each action and a column for each
    node."""
    try:
        maximise(beliefs_for(worths, choice, {}), budget)
    except Infeasible:
        return False
    return True


def beliefs_for(worths: Sequence[Sequence[Number]], choice: Sequence[int], goal: Mapping[int, Number]) -> LinearProgram:
    """The linear program whose solutions are the beliefs that make all the chosen actions best; `goal` is its
    objective, by node."""
    first, nodes = worths[choice[0]], range(len(worths[0]))
    rows: list[dict[int, Number]] = [dict.fromkeys(nodes, 1)]
    equal = {0}
    for k, worth in enumerate(worths):
        if k != choice[0]:
            if k in choice:
                equal.add(len(rows))
            rows.append({j: worth[j] - first[j] for j in nodes if worth[j] != first[j]})
    return LinearProgram(len(nodes), goal, rows, [1] + [0] * (len(rows) - 1), frozenset(equal))


def _worth_ranges(
    positions: PositionGraph, first: int, player: int, choices: dict[int, Choice]
) -> dict[int, tuple[Number, Number]]:
    """The least and the greatest value to a player at each position from `first` on, over the given choices at the
    information sets below. Positions from which play can reach a set without a choice are left out."""
    found: dict[int, tuple[Number, Number]] = {}
    for position in reversed(range(first, len(positions.nodes))):
        node, h, after = positions.nodes[position], positions.sets[position], positions.successors[position]
        if isinstance(node, Terminal):
            paid = require_number(node.utilities[player])
            found[position] = paid, paid
        elif isinstance(node, Chance) and all(place in found for place in after):
            shares = [(share, found[place]) for (_, share), place in zip(node.outcomes, after, strict=True)]
            low, high = (sum((share * ends[side] for share, ends in shares), Fraction(0)) for side in (0, 1))
            found[position] = exact(low), exact(high)
        elif h in choices and all(after[k] in found for k in choices[h]):
            ranges = [found[after[k]] for k in choices[h]]
            found[position] = min(low for low, _ in ranges), max(high for _, high in ranges)
    return found


def _sets_below(positions: PositionGraph) -> list[list[int]]:
    """For each information set the other sets that play can reach from it."""
    behind, sets = sets_behind(positions), positions.information_sets
    return [
        [g for g in range(len(sets)) if g != h and any(behind[member] >> g & 1 for member in found.members)]
        for h, found in enumerate(sets)
    ]

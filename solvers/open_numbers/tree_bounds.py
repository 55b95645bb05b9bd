"""When each action is best and each subtree is pruned, in a tree in which MAX and MIN choose and numbers are left open.

1. The value of a node is the max or min of its children's values: an expression in the unknowns.
2. Alpha at a node is the max of what the elder siblings on the way there are worth where MAX chose, beta the min of the
   others. (What search returns of a sibling is its value, or a bound that changes neither.)
3. A MIN node's next child is pruned when the min of its elder siblings is <= alpha (< by the strict rule), and the
   other way round, where nothing above was pruned before.

Source: Knuth and Moore 1975 (deep cutoffs; the window is what the path is sure of).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gdl.game import Action, Decision, Game, Number, Terminal, Unknown, exact
from gdl.solution import Condition, Path
from gdl.solvers.budget import Budget
from gdl.solvers.open_numbers.lattice import (
    Comparison,
    Lattice,
    extreme,
    lattice_text,
    simplify,
    simplify_value,
    unknowns_in,
)


@dataclass
class TreeBounds:
    """A tree with unknowns, the player whose numbers count, the rule of cutting, and what is known of the unknowns."""

    game: Game[Any]
    player: int
    strict: bool
    known: Sequence[Comparison]
    budget: Budget
    values: dict[Path, Lattice] = field(default_factory=dict)
    spoken: set[str] = field(default_factory=set)  # the unknowns of which the answer speaks

    def conditions(self) -> tuple[Condition, ...]:
        """When each action at the root is best, what the value is, when each subtree is pruned that may be."""
        start = self.game.initial()
        value = self.value(start, ())
        self.spoken |= unknowns_in(Comparison(value, value))
        node = self.game.node(start)
        best = self._best(node) if isinstance(node, Decision) else []
        return (*best, Condition("value", (lattice_text(value),), ((),)), *self._pruning(start, (), {}, ()))

    def value(self, state: Any, path: Path) -> Lattice:
        """The value of a node; that of each node below is kept."""
        node = self.game.node(state)
        self.budget.check_time()
        if isinstance(node, Terminal):
            utility = node.utilities[self.player]
            found: Lattice = utility.name if isinstance(utility, Unknown) else utility
        else:
            assert isinstance(node, Decision)
            parts = [self.value(self.game.successor(state, a), (*path, k)) for k, a in enumerate(node.actions)]
            found = simplify_value(extreme(self._sign(node), *parts), self.known)
        self.values[path] = found
        return found

    def vector(self, number: Number) -> tuple[Number, ...]:
        """A number of the player's as what everyone gets."""
        total = self.game.traits.constant_sum or 0
        return tuple(number if p == self.player else exact(total - number) for p in range(len(self.game.players)))

    def _sign(self, node: Decision) -> int:
        return 1 if node.player == self.player else -1

    def _best(self, node: Decision) -> Iterator[Condition]:
        """An action is best where its child is worth at least (to MIN: at most) as much as the others."""
        sign = self._sign(node)
        worths = [self.values[place,] for place in range(len(node.actions))]
        for place, action in enumerate(node.actions):
            others = worths[:place] + worths[place + 1 :]
            told = [_reaches(sign, worths[place], extreme(sign, *others))] if others else []
            yield self._condition("best", (action,), told)

    def _pruning(
        self, state: Any, path: Path, window: Mapping[int, Lattice], visited: tuple[Comparison, ...]
    ) -> Iterator[Condition]:
        """The subtrees below a node, which is entered with the window (alpha: 1, beta: -1) where it is `visited`."""
        node = self.game.node(state)
        if not isinstance(node, Decision):
            return
        sign = self._sign(node)
        limit, entry = window.get(-sign), dict(window)
        for place, action in enumerate(node.actions):
            below: tuple[Comparison, ...] | None = visited
            if place:
                seen = extreme(sign, *(self.values[*path, elder] for elder in range(place)))
                entry[sign] = extreme(sign, seen, *([window[sign]] if sign in window else []))
                if limit is not None:
                    cut = _reaches(sign, seen, limit)._replace(strict=self.strict)
                    yield self._condition("pruned", (*path, place), [*visited, cut])
                    below = simplify([*visited, ~cut], self.known)
            if below is not None:
                yield from self._pruning(self.game.successor(state, action), (*path, place), dict(entry), below)

    def _condition(self, what: str, subject: tuple[Action, ...] | Path, told: Sequence[Comparison]) -> Condition:
        found = simplify(told, self.known)
        self.spoken |= unknowns_in(*(found or ()))
        return Condition(what, subject, () if found is None else (tuple(map(str, found)),))


def _reaches(sign: int, value: Lattice, bound: Lattice) -> Comparison:
    """That a value is at least the bound (sign 1), or at most."""
    return Comparison(bound, value) if sign > 0 else Comparison(value, bound)

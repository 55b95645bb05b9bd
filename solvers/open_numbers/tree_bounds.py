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
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from gdl.game import Action, Decision, Game, Number, Terminal, Unknown, exact
from gdl.solution import Condition, Path
from gdl.solvers.budget import Budget
from gdl.solvers.open_numbers.breakpoints import RegionOutcome, StretchAnswer, forms
from gdl.solvers.open_numbers.lattice import (
    Comparison,
    Lattice,
    atoms,
    extreme,
    lattice_text,
    multiply_out,
    simplify,
    simplify_value,
    unknowns_in,
)
from gdl.solvers.open_numbers.regions import UnknownInterval


@dataclass
class TreeBounds:
    """A tree with unknowns, the player whose utility is compared, the pruning rule (`strict`: the rule `gt`), and
    what is known of the unknowns."""

    game: Game[Any]
    player: int
    strict: bool
    known: Sequence[Comparison]
    budget: Budget
    expand: bool = False  # multiply out min and max
    names: Sequence[str] = ()  # all unknowns, in the order of the file
    values: dict[Path, Lattice] = field(default_factory=dict)
    spoken: set[str] = field(default_factory=set)  # unknowns that occur in the answer

    def conditions(self) -> tuple[Condition, ...]:
        """The conditions under which each action at the root is best, the value has each of its forms, and each subtree
        is pruned that may be."""
        start = self.game.initial()
        value = self.value(start, ())
        self.spoken |= unknowns_in(Comparison(value, value))
        node = self.game.node(start)
        best = self._best(node) if isinstance(node, Decision) else []
        pieces = dict.fromkeys(atoms(value)) if self.expand else [value]
        told = [
            self._condition("value", (lattice_text(one),), [Comparison(one, value), Comparison(value, one)])
            for one in pieces
        ]
        found = (*best, *told, *self._pruning(start, (), {}, ()))
        return tuple(one for one in found if one.cases) if self.expand else found

    def value(self, state: Any, path: Path) -> Lattice:
        """The value of a node as an expression; the values of all nodes below are kept in `values`."""
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

    @property
    def numbers(self) -> set[Number]:
        """All numbers in the tree and in the known comparisons: only at these can the order of unknowns and numbers
        change."""
        told = (atom for value in self.values.values() for atom in atoms(value))
        return {n for n in (*told, *(a for c in self.known for a in (c.low, c.high))) if isinstance(n, int | Fraction)}

    def on_stretch(self, cell: UnknownInterval) -> StretchAnswer:
        """The answers on a stretch of one unknown, for all values of the others."""
        ends = [Comparison(cell.low, cell.name, not cell.has_low)] if cell.low is not None else []
        ends += [Comparison(cell.name, cell.high, not cell.has_high)] if cell.high is not None else []
        here = replace(self, known=(*self.known, *ends), values={}, spoken=set(), expand=False)
        found = here.conditions()

        def subjects_everywhere(what: str) -> list[Any] | None:
            own = [one for one in found if one.what == what]
            return None if any(one.status == "sometimes" for one in own) else [one.subject for one in own if one.always]

        value, best, pruned = here.values[()], subjects_everywhere("best"), subjects_everywhere("pruned")
        number = cell.point if value == cell.name and cell.point is not None else value
        told = None
        if isinstance(number, int | Fraction):
            told = forms(self.vector(number))
        elif value == cell.name:
            turns = [1 if player == self.player else -1 for player in range(len(self.game.players))]
            told = tuple((((cell.name, turn),), 0 if turn > 0 else self.vector(0)[1 - self.player]) for turn in turns)
        spoken = tuple(name for name in self.names if name in here.spoken - {cell.name})
        return StretchAnswer(
            cell,
            RegionOutcome(
                told,
                None if best is None else tuple(subject[0] for subject in best),
                None if pruned is None else tuple(pruned),
            ),
            () if told and best is not None and pruned is not None else spoken,
        )

    def vector(self, number: Number) -> tuple[Number, ...]:
        """The values of all players, from that of the player whose utility is compared."""
        total = self.game.traits.constant_sum or 0
        return tuple(number if p == self.player else exact(total - number) for p in range(len(self.game.players)))

    def _sign(self, node: Decision) -> int:
        return 1 if node.player == self.player else -1

    def _best(self, node: Decision) -> Iterator[Condition]:
        """The conditions under which actions are best: the child is worth at least (for MIN: at most) as much as the
        others."""
        sign = self._sign(node)
        worths = [self.values[place,] for place in range(len(node.actions))]
        for place, action in enumerate(node.actions):
            others = worths[:place] + worths[place + 1 :]
            told = [_reaches(sign, worths[place], extreme(sign, *others))] if others else []
            yield self._condition("best", (action,), told)

    def _pruning(
        self, state: Any, path: Path, window: Mapping[int, Lattice], visited: tuple[Comparison, ...]
    ) -> Iterator[Condition]:
        """The conditions under which subtrees below a node are pruned. Search enters the node if the comparisons
        `visited` hold, with the window alpha (key 1) and beta (-1)."""
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
        if self.expand and found and (cases := multiply_out(found, self.known, what == "value")) is not None:
            return Condition(what, subject, tuple(tuple(map(str, case)) for case in cases))
        return Condition(what, subject, () if found is None else (tuple(map(str, found)),))


def _reaches(sign: int, value: Lattice, bound: Lattice) -> Comparison:
    """The comparison that a value is at least (sign 1) or at most (-1) the bound."""
    return Comparison(bound, value) if sign > 0 else Comparison(value, bound)

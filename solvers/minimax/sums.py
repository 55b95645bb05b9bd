"""Sums of games: the nimber of a position that falls into parts, from those of the parts, each found once.

A part is known by all that its moves depend on. Its nimber is the least whole number from 0 that is the nimber of
nothing one move of its own leads to; that may fall into parts again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor
from typing import Any, NamedTuple

from gdl.errors import listing
from gdl.game import Action, Decision, Game, Number, Terminal, require_number
from gdl.solvers.budget import Budget
from gdl.solvers.needs import Watch

LONGEST = 10_000  # plies of a play that is looked at to its end


class GrundyPart(NamedTuple):
    """A part of a state: the atoms that may change in it, its deeds, and all that these depend on."""

    state: Any
    atoms: frozenset[Any]
    deeds: tuple[Any, ...]
    key: frozenset[Any]


class GrundySum:
    """The nimbers of the parts of one game."""

    def __init__(self, game: Game[Any], parts: Any, budget: Budget, watch: Watch):
        self.game, self.parts, self.budget, self.watch = game, parts, budget, watch
        assert game.promises.with_mover is not None
        self.with_mover = game.promises.with_mover
        begin = game.initial()
        self.beginner = next(player for player in (0, 1) if self.with_mover(begin, player) == begin)
        self.start = self._with_first_mover(begin)
        self.stake: Number = 1
        self.known: dict[Any, int] = {}

    @classmethod
    def of(cls, game: Game[Any], budget: Budget, watch: Watch) -> GrundySum | None:
        """The parts of the game, if it falls into some, and who cannot move loses; else None."""
        parts = game.promises.parts()
        if parts is None or game.promises.with_mover is None:
            return None
        found = cls(game, parts, budget, watch)
        return found if found._loses_who_is_stuck() else None

    def _with_first_mover(self, state: Any) -> Any:
        """The position with the first player to move, since both have the same moves."""
        return self.with_mover(state, 0)

    def _loses_who_is_stuck(self) -> bool:
        """Whether play to an end, where the rules know one kind of end alone, is lost by who cannot move."""
        state = self.game.initial()
        for ply in range(LONGEST):
            node, mover = self.game.node(state), (self.beginner + ply) % 2
            if isinstance(node, Terminal):
                lost, won = require_number(node.utilities[mover]), require_number(node.utilities[1 - mover])
                self.stake = won
                return lost == -won and lost < won
            if not isinstance(node, Decision) or node.player != mover:
                return False
            state = self.game.successor(state, node.actions[0])
        return False

    def _split(self, state: Any, among: tuple[Any, ...]) -> list[GrundyPart]:
        """The parts of a position in which only these deeds count."""
        found = self.parts.of(state, among)
        return [GrundyPart(state, atoms, deeds, self.parts.key(state, deeds)) for atoms, deeds in found]

    def nimber(self, state: Any) -> int:
        """The nimber of a position."""
        return self._sum(self._split(state, self.parts.deeds))

    def after(self, state: Any) -> dict[Action, int]:
        """The nimbers of what each move leads to."""
        found = self._split(state, self.parts.deeds)
        total = self._sum(found)
        worth = {}
        for part in found:
            own = self._worth(part)
            for action, left in self._moves(part).items():
                worth[action] = total ^ own ^ self._sum(left)
        node = self.game.node(state)
        return {action: worth[action] for action in node.actions} if isinstance(node, Decision) else {}

    def line(self) -> tuple[Action, ...]:
        """The first winning move each time, or the first move of who has none."""
        line: list[Action] = []
        state = self.start
        while after := self.after(state):
            action = next((action for action, nimber in after.items() if not nimber), next(iter(after)))
            line.append(action)
            state = self._with_first_mover(self.game.successor(state, action))
        return tuple(line)

    def describe_sum(self) -> list[str]:
        """What the sum at the start consists of, where it is one."""
        worths = [self._worth(part) for part in self._split(self.start, self.parts.deeds)]
        if len(worths) < 2:
            return []
        return [f"The position is a sum of {len(worths)} parts, of nimbers {listing(map(str, worths), most=20)}."]

    def _sum(self, parts: Iterable[GrundyPart]) -> int:
        return reduce(xor, map(self._worth, parts), 0)

    def _moves(self, part: GrundyPart) -> dict[Action, list[GrundyPart]]:
        """What can be done in a part, and the parts that it leaves there."""
        node, found = self.game.node(part.state), {}
        self.watch.check_node(part.state, node)
        for action in node.actions if isinstance(node, Decision) else ():
            state = self._with_first_mover(self.game.successor(part.state, action))
            changed = self.parts.changed_atoms(part.state, state)
            if not changed:
                raise self.watch.unmet_need("cyclic")
            if not changed.isdisjoint(part.atoms):
                assert changed <= part.atoms, f"{action} reaches out of a part"
                found[action] = self._split(state, part.deeds)
        return found

    def _worth(self, part: GrundyPart) -> int:
        """The nimber of a part."""
        stack = [part]
        ahead: dict[Any, list[list[GrundyPart]]] = {}
        while stack:
            top = stack[-1]
            if top.key in self.known:
                stack.pop()
                continue
            if top.key not in ahead:
                self.budget.visit()
                ahead[top.key] = list(self._moves(top).values())
            unknown = next((one for left in ahead[top.key] for one in left if one.key not in self.known), None)
            if unknown is None:
                sums = (reduce(xor, (self.known[one.key] for one in left), 0) for left in ahead.pop(top.key))
                self.known[top.key] = mex(sums)
            elif unknown.key in ahead:
                raise self.watch.unmet_need("cyclic")
            else:
                stack.append(unknown)
        return self.known[part.key]


def mex(numbers: Iterable[int]) -> int:
    """The least whole number from 0 that is not among them (the minimal excluded one)."""
    taken, least = set(numbers), 0
    while least in taken:
        least += 1
    return least

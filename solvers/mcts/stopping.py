"""When a tree search stops before its limit: where further simulations are worth less than they cost.

- `decided`: no other action of the root can be visited more often than the most visited one, in all simulations that
  are left. The action to play stays what it is, unless a proof came.
- `value`: a bound of the value of information of one more simulation is below its cost. Let m_a be the mean of the best
  action a, m_b that of the second best, both on a scale from 0 to 1, and n the visits. A simulation of another action i
  could change the choice only if the mean of i rises above m_a; by Hoeffding's inequality it is worth at most
  2 (1 - m_a) / n_i exp(-1.37 (m_a - m_i)^2 n_i), and one of a at most 2 m_b / n_a exp(-1.37 (m_a - m_b)^2 n_a).

The rule is asked after each twentieth of the simulations, so that the same seed gives the same answer; where a time
limits the search, after each slice of it, and the simulations left are those that the time is thought to suffice for.

Sources: Russell and Wefald, Principles of metareasoning, Artificial Intelligence 49, 1991; Hay, Russell, Tolpin and
Shimony, Selecting computations, UAI 2012; Tolpin and Shimony, MCTS based on simple regret, AAAI 2012, which has
this bound; for `decided`: Baudis and Gailly, Pachi, ACG 13, 2011.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, inf
from typing import Any, Literal, Protocol

from gdl.errors import Refusal
from gdl.errors.deadline import CLOCK
from gdl.game import Decision, Game, surely_at
from gdl.solvers.mcts.uct_answer import VisitTree, join_trees

Stop = Literal["decided", "value"]
PARTS = 20  # parts of the simulations, after each of which the rule is asked
COST = 1e-3  # of a simulation, as a share of the whole scale of utilities
FEWEST = 10  # visits of the best action, so that its mean says something


class Enough(Exception):
    """Raised to stop a search when the rest of the work would cost more than it is worth."""


class Grown(Protocol):
    """A tree that grows by simulations."""

    @property
    def root(self) -> VisitTree: ...

    @property
    def simulations(self) -> int: ...


class Stopping:
    """Decides by a stopping rule whether a search of a game has done enough."""

    def __init__(self, game: Game[Any], rule: Stop | None, simulations: int | None, time: float | None, kept: int = 0):
        """`rule` None: never stop early. `kept`: simulations kept from an earlier search, which count as done."""
        self.rule, self.simulations, self.time, self._kept = rule, simulations, time, kept
        self._begun = CLOCK.now()
        start = game.node(game.initial())
        self.player = start.player if isinstance(start, Decision) else None
        if rule == "value" and self.player is not None:
            low, high = surely_at(game, game.initial())[self.player]
            if low is None or high is None:
                raise Refusal("--stop value needs utilities with bounds, and the rules prove none; try decided")
            self.low, self.spread = float(low), float(high - low) or 1.0

    def parts(self) -> Iterator[int | None]:
        """The numbers of simulations, ascending, after each of which the rule is asked; None: as many as there is time
        for."""
        if self.rule is None or self.simulations is None:
            yield self.simulations
            return
        yield from sorted({max(1, self.simulations * part // PARTS) for part in range(1, PARTS + 1)})

    def look(self, trees: Sequence[Grown]) -> None:
        """Raise Enough if by the rule the trees need no more simulations."""
        if self.rule is None or self.player is None:
            return
        if self._is_enough(
            join_trees([tree.root for tree in trees]), self._simulations_left(sum(tree.simulations for tree in trees))
        ):
            raise Enough

    def _simulations_left(self, done: int) -> float:
        """The number of simulations still to come: exact if the number is limited, estimated if the time is; else
        infinite."""
        by_number = inf if self.simulations is None else self.simulations - done
        spent = max(1e-9, CLOCK.now() - self._begun)
        by_time = inf
        if self.time is not None and self.simulations is None:
            by_time = (done - self._kept) * max(0.0, self.time / spent - 1.0)
        return min(by_number, by_time)

    def _is_enough(self, root: VisitTree, left: float) -> bool:
        known = [child for child in root.children if child and child.N and not child.proven]
        if not known or root.proven:
            return False
        known.sort(key=lambda child: -child.N)
        best, others = known[0], known[1:]
        if best.N < FEWEST:
            return False
        if self.rule == "decided":
            return best.N - (others[0].N if others else 0) > left
        mean, second = self._mean(best), max(map(self._mean, others), default=0.0)
        gap = max(0.0, mean - second)
        worth = [2.0 * second / best.N * exp(-1.37 * gap * gap * best.N)]
        for child in others:
            gap = max(0.0, mean - self._mean(child))
            worth.append(2.0 * (1.0 - mean) / child.N * exp(-1.37 * gap * gap * child.N))
        return max(worth) < COST

    def _mean(self, child: VisitTree) -> float:
        """The mean result of a child for the mover, on a scale from 0 to 1."""
        assert self.player is not None
        return min(1.0, max(0.0, (float(child.W[self.player]) / child.N - self.low) / self.spread))


def shares_of(number: int | None, threads: int) -> list[int | None]:
    """The number split into `threads` parts, as equal as can be; None gives None for each."""
    if number is None:
        return [None] * threads
    return [number // threads + (i < number % threads) for i in range(threads)]

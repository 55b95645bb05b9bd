"""Average gains in the long run (`utility is average`): Markov decision processes, and zero-sum games
of two players with perfect information, of one recurrent class or of several.

1. Collect the positions as for totals (policy_iteration.py). An action completes a move, and the chance steps that
   follow it belong to it, as for a discount; at an end all is over, and nothing is gained there in the long run.
2. Howard: with all actions fixed, work out the gain of each position, what a move gains on average in the long run, and
   its bias, what is gained in all beyond that (gain_and_bias.py). Switch to actions that lead to a greater gain, or to
   the same gain and a greater bias, in the order of the file, until nobody can.
3. Where nobody can switch, gain and bias fulfil the optimality equations, so that the gain is the best of all
   strategies, also of those that remember.
4. Stopped by a limit, it gives bounds. If, for any numbers of the positions, one move with best play gains at least x,
   by its rewards and by how the number changes, then x can be gained for ever; and at most y likewise. Numbers nearby
   are found by value iteration that goes half the way in each round, so that no cycle keeps it from settling.

Sources: Howard, Dynamic Programming and Markov Processes, 1960; Blackwell, Discrete dynamic programming, Annals of
Mathematical Statistics 33, 1962; Puterman, Markov Decision Processes, 1994, chapters 8 and 9; bounds: Odoni, On finding
the maximal gain for Markov decision processes, Operations Research 17, 1969; half the way: Schweitzer, Iterative
solution of the functional equations of undiscounted Markov renewal programming, Journal of Mathematical Analysis and
Applications 34, 1971; two players: Gillette, Stochastic games with zero stop probabilities, Contributions to the Theory
of Games III, 1957; Liggett and Lippman, SIAM Review 11, 1969.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gdl.game import Action, Chance, Decision, Number, exact
from gdl.solvers.cyclic.gain_and_bias import GainAndBias
from gdl.solvers.cyclic.policy_iteration import GRAIN, SWEPT, RewardProcess, worth_of_ways
from gdl.states.explore import topological_order

AVERAGE = "the value is what an action gains on average in the long run, with the chance that follows it"
BEST = "best is what leads to the greatest average, and of such actions what gains most beyond it"


class AverageProcess(RewardProcess):
    """The positions and moves of a game in which the average of rewards counts; `values` are gains."""

    found: GainAndBias | None = None

    def improve(self) -> None:
        """Switch to better actions until nobody can."""
        self.notes = (AVERAGE, BEST)
        ways = {n: self.ways(n) for n in range(len(self.nodes))}
        moves = {n: int(not isinstance(node, Chance)) for n, node in enumerate(self.nodes)}
        self.found = GainAndBias(ways, self.maximises, moves, 0, self.budget.check_time)
        self.choices = self.found.choices
        try:
            self.found.improve(0)
        except ZeroDivisionError:
            raise self.endless_chance() from None
        self.values = {n: gain for n, (gain, *_) in self.found.values.items()}

    def best(self) -> tuple[Action, ...]:
        """All actions at the start of the best gain and bias, the one that is played first; () if nobody moves
        there."""
        node = self.nodes[0]
        if not isinstance(node, Decision) or self.found is None:
            return ()
        worth, first = [terms[:2] for terms in self.found.worth(0, self.found.values)], self.choices[0]
        others = [a for k, a in enumerate(node.actions) if k != first and worth[k] == worth[first]]
        return (node.actions[first], *others)

    def bounds(self) -> tuple[Number, Number] | None:
        """Bounds of the gain from the start, proved by one move from nearby numbers; the choices become those that are
        best by them, unless those evaluated last are better. None if chance steps lead back to each other."""
        acting = self.maximises
        fixed = [n for n in range(len(self.nodes)) if n not in acting]
        by_chance = [() if n in acting else tuple(m for m in after if m not in acting)
                     for n, after in enumerate(self.children)]  # fmt: skip
        order = [n for n in reversed(topological_order(by_chance)) if n not in acting]
        if len(order) < len(fixed):
            return None
        ways = {n: self.ways(n) for n in (*order, *acting)}
        rough = {n: [(float(gain), [(float(w), m) for w, m in leads]) for gain, leads in own]
                 for n, own in ways.items()}  # fmt: skip
        known = self.found.values if self.found is not None else {}
        values: dict[int, Any] = {n: float(known[n][1]) if n in known else 0.0 for n in acting}
        for _ in range(max(1, SWEPT // len(ways))):
            for n in order:
                values[n] = worth_of_ways(rough[n], values)[0]
            best = {n: (max if side else min)(worth_of_ways(rough[n], values)) for n, side in acting.items()}
            values |= {n: (values[n] + new) / 2 for n, new in best.items()}
        near: dict[int, Number] = {n: Fraction(round(values[n] * GRAIN), GRAIN) for n in acting}
        for n in order:
            near[n] = worth_of_ways(ways[n], near)[0]
        gains: list[Number] = [0] * bool(self.ends)
        greedy = {}
        for n, side in acting.items():
            worth = worth_of_ways(ways[n], near)
            better = max(worth) if side else min(worth)
            greedy[n] = worth.index(better)
            gains.append(better - near[n])
        secured = known[0][0] if known and len(self.game.players) == 1 else min(gains)
        if secured <= min(gains):
            self.choices |= greedy
        return exact(max(secured, min(gains))), exact(max(gains))

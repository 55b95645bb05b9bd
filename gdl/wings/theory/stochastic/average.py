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

from collections.abc import Sequence
from typing import Any

from gdl.game import Number, exact
from gdl.solvers.cyclic.gain_and_bias import GainAndBias, in_floats, worth_of_ways
from gdl.solvers.cyclic.policy_iteration import SWEPT, RewardProcess

AVERAGE = "the value is what an action gains on average in the long run, with the chance that follows it"
BEST = "best is what leads to the greatest average, and of such actions what gains most beyond it"


class AverageProcess(RewardProcess):
    """The positions and moves of a game in which the average of rewards counts; `values` are gains."""

    found: GainAndBias | None = None

    def improve(self) -> None:
        """Switch to better actions until nobody can."""
        self.notes = (AVERAGE, BEST)
        self.found = self.gain_and_bias(0)
        self.improve_series(self.found, 0)
        self.values = {n: gain for n, (gain, *_) in self.found.values.items()}

    def worth_at_start(self) -> Sequence[Any]:
        assert self.found is not None  # only asked after `improve`
        return [terms[:2] for terms in self.found.worth(0, self.found.values)]

    def bounds(self) -> tuple[Number, Number] | None:
        """Bounds of the gain from the start, proved by one move from nearby numbers; the choices become those that are
        best by them, unless those evaluated last are better. None if chance steps lead back to each other."""
        acting, order = self.maximises, self.chance_order()
        if order is None:
            return None
        ways = {n: self.all_ways[n] for n in (*order, *acting)}
        rough = in_floats(ways)
        known = self.found.values if self.found is not None else {}
        values: dict[int, Any] = {n: float(known[n][1]) if n in known else 0.0 for n in acting}
        for _ in range(max(1, SWEPT // len(ways))):
            for n in order:
                values[n] = worth_of_ways(rough[n], values)[0]
            best = {n: (max if side else min)(worth_of_ways(rough[n], values)) for n, side in acting.items()}
            values |= {n: (values[n] + new) / 2 for n, new in best.items()}
        near = self.round_values(ways, order, values)
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

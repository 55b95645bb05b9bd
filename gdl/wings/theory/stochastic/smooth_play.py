"""Mixed equilibria that look at the position alone, by smoothed play that grows ever more precise.

1. Every action is played the more the better it is, in proportion to exp(rate times what it pays): all mixtures move a
   little towards that, again and again, and the rate doubles now and then.
2. Of the mixtures so found the rarer actions are left out. Those that are left must pay the same wherever somebody
   mixes: Newton's method on these equations, in floating point.
3. What is found is rounded to fractions, and what the best replies to it gain at any position is computed exactly. If
   nothing comes to rest, the smoothed mixtures themselves are judged: no equilibrium, but with a gain that is proved.

Source: Eibelshaeuser and Poensgen, Markov quantal response equilibrium and a homotopy method for computing and
selecting Markov perfect equilibria of dynamic stochastic games, 2019 (there the path is followed exactly).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.logit import in_proportion
from gdl.wings.theory.stochastic.mixed_stages import (
    EXACT,
    FINE,
    NEARLY,
    SIMPLE,
    MixedStationaryProfile,
    Mixtures,
    action_payoffs,
    level_payoffs,
    round_profile,
)
from gdl.wings.theory.stochastic.stages import Stages

DOUBLINGS, ROUNDS = 13, 80  # of the rate, from one over the greatest value on, and moves at each
SHARE = 0.05  # of the way at each move
FIRST_LEVELLED = 5  # doublings before which too much is mixed
THRESHOLDS = (0.2, 0.1, 0.05, 0.02, 0.01)  # probabilities up to which an action is left out


def smooth_profiles(stages: Stages, budget: Budget) -> Iterator[MixedStationaryProfile]:
    """Profiles on the way of smoothed play, up to an equilibrium, exactly or nearly, if one is met. None are given if
    there are more than EXACT positions."""
    if stages.size > EXACT:
        return
    mixes: dict[int, dict[int, Any]] = {p: {} for p in stages.players}
    for n, p in stages.acting_players:
        count = len(stages.actions(n, p))
        mixes[p][n] = [1 / count] * count
    for doubling in range(DOUBLINGS):
        for _ in range(ROUNDS):
            budget.check_time()
            _move_mixtures(stages, mixes, 2.0**doubling)
        yield round_profile(stages, mixes, SIMPLE[2])
        for least in THRESHOLDS if doubling >= FIRST_LEVELLED else ():
            level = level_payoffs(stages, mixes, least)
            if level is None:
                continue
            for most in (*SIMPLE, FINE):
                found = round_profile(stages, level, most)
                yield found
                if found.gain <= (NEARLY if most == FINE else 0):
                    return


def _move_mixtures(stages: Stages, mixes: Mixtures, rate: float) -> None:
    """Move each mixture some way to that in proportion to exp(rate times what each action pays), in units of the
    greatest value."""
    pays, scale = action_payoffs(stages, mixes)
    for (n, p), own in zip(stages.acting_players, pays, strict=True):
        aim = in_proportion(rate / scale, own)
        mixes[p][n] = [q + SHARE * (a - q) for q, a in zip(mixes[p][n], aim, strict=True)]

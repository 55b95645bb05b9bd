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

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.logit import in_proportion, linear
from gdl.wings.theory.stochastic.mixed_stages import (
    EXACT,
    FINE,
    NEARLY,
    SIMPLE,
    MixedStationaryProfile,
    round_profile,
)
from gdl.wings.theory.stochastic.stages import Floats, Stages, way_worth, worth

DOUBLINGS, ROUNDS = 13, 80  # of the rate, from one over the greatest value on, and moves at each
SHARE = 0.05  # of the way at each move
FIRST_LEVELLED = 5  # doublings before which too much is mixed
THRESHOLDS = (0.2, 0.1, 0.05, 0.02, 0.01)  # probabilities up to which an action is left out
NEWTON_ROUNDS = 15
STEP = 1e-7  # for derivatives
SINGULAR = 1e-6  # what is left of an equation that says nothing new, in units of the greatest value
LEVEL = 1e-12  # differences of payoffs that count as none, likewise

Mixtures = Mapping[int, dict[int, Any]]  # by player and position
Acting = Sequence[tuple[int, int]]  # positions, with each player who acts there


def smooth_profiles(stages: Stages, budget: Budget) -> Iterator[MixedStationaryProfile]:
    """Profiles on the way of smoothed play, up to an equilibrium, exactly or nearly, if one is met. None are given if
    there are more than EXACT positions."""
    if stages.size > EXACT:
        return
    acting = [(n, p) for n in range(stages.size) for p in stages.players if stages.actions(n, p)]
    mixes: dict[int, dict[int, Any]] = {p: {} for p in stages.players}
    for n, p in acting:
        count = len(stages.actions(n, p))
        mixes[p][n] = [1 / count] * count
    for doubling in range(DOUBLINGS):
        for _ in range(ROUNDS):
            budget.check_time()
            _move_mixtures(stages, acting, mixes, 2.0**doubling)
        yield round_profile(stages, mixes, SIMPLE[2])
        for least in THRESHOLDS if doubling >= FIRST_LEVELLED else ():
            level = _level_payoffs(stages, acting, mixes, least)
            if level is None:
                continue
            for most in (*SIMPLE, FINE):
                found = round_profile(stages, level, most)
                yield found
                if found.gain <= (NEARLY if most == FINE else 0):
                    return


def _action_payoffs(stages: Stages, acting: Acting, mixes: Mixtures) -> tuple[list[Floats], float]:
    """The payoff of each action where the mixtures are played otherwise, and the greatest value of a position."""
    ways = {n: stages.shares(n, mixes, {}) for n in range(stages.size) if stages.moves[n]}
    values = {p: worth(stages, p, ways) for p in stages.players}
    scale = max(1e-9, *(abs(float(value)) for own in values.values() for value in own.values()))
    pays = []
    for n, p in acting:
        others = (stages.shares(n, mixes, {p: k}) for k in range(len(mixes[p][n])))
        pays.append([float(way_worth(stages, n, p, way, values[p])) for way in others])
    return pays, scale


def _move_mixtures(stages: Stages, acting: Acting, mixes: Mixtures, rate: float) -> None:
    """Move each mixture some way to that in proportion to exp(rate times what each action pays), in units of the
    greatest value."""
    pays, scale = _action_payoffs(stages, acting, mixes)
    for (n, p), own in zip(acting, pays, strict=True):
        aim = in_proportion(rate / scale, own)
        mixes[p][n] = [q + SHARE * (a - q) for q, a in zip(mixes[p][n], aim, strict=True)]


def _level_payoffs(stages: Stages, acting: Acting, mixes: Mixtures, least: float) -> Mixtures | None:
    """The mixtures close by, of the actions with more than the least probability, at which those of each mixture pay
    the same; None if Newton's method finds none."""
    found: dict[int, dict[int, Any]] = {p: {} for p in mixes}
    free: list[tuple[int, int, int, int]] = []  # player, position, first action, another one
    for n, p in acting:
        kept = [share if share > least else 0.0 for share in mixes[p][n]]
        if not any(kept):
            return None
        found[p][n] = [share / sum(kept) for share in kept]
        first, *others = [k for k, share in enumerate(kept) if share]
        free += [(p, n, first, k) for k in others]
    places = {place: i for i, place in enumerate(acting)}

    def payoff_gaps() -> Floats:
        pays, _ = _action_payoffs(stages, acting, found)
        return [pays[places[n, p]][k] - pays[places[n, p]][first] for p, n, first, k in free]

    def shift_share(p: int, n: int, first: int, k: int, by: float) -> None:
        found[p][n][k] += by
        found[p][n][first] -= by

    scale = _action_payoffs(stages, acting, found)[1]
    for _ in range(NEWTON_ROUNDS):
        here, slopes = payoff_gaps(), []
        if max(map(abs, here), default=0.0) <= LEVEL * scale:
            break
        for one in free:
            shift_share(*one, STEP)
            slopes.append([(b - a) / STEP for a, b in zip(here, payoff_gaps(), strict=True)])
            shift_share(*one, -STEP)
        system = [[*row, -gap] for row, gap in zip(zip(*slopes, strict=True), here, strict=True)]
        change = linear(system, SINGULAR * scale)
        if change is None or max(map(abs, change)) > 2:
            return None
        for one, by in zip(free, change, strict=True):
            shift_share(*one, by)
    return None if any(share < -LEVEL for own in found.values() for mix in own.values() for share in mix) else found

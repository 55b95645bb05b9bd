"""Values of plans that look at the position alone, and the best reply to them: a Markov decision process of one player,
solved by policy iteration (Howard 1960), in fractions or in floating point as the plans are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from gdl.game import Number
from gdl.solvers.stochastic.stages import Floats, Leads, Plan, Stages
from gdl.states.linear import Equation, solve

Way = list[tuple[Any, int]]  # moves with their probabilities, by position in `moves`


class Reply(NamedTuple):
    """A best reply: the value of every position to the player, and the number of the action to take where there is a
    choice."""

    values: dict[int, Any]
    choices: dict[int, int]


def reply(
    stages: Stages, player: int, plans: Mapping[int, Plan], *, stop: Number | float = 0, price: Number | float = 0
) -> Reply:
    """A best reply of the player to the others' plans. Play stops before every move with chance `stop`, for the
    `price`; if that is 0, play must be discounted, or end surely."""
    ways = {n: _ways(stages, n, player, plans) for n in range(stages.size) if stages.moves[n]}
    choices = {n: 0 for n, own in ways.items() if len(own) > 1}
    while True:
        stages.budget.check_time()
        values = worth(stages, player, {n: own[choices.get(n, 0)] for n, own in ways.items()}, stop, price)
        better = {}
        for n, now in choices.items():
            found = [way_worth(stages, n, player, way, values, stop, price) for way in ways[n]]
            best = max(found)
            margin = 1e-12 * max(1.0, abs(best)) if isinstance(best, float) else 0
            if best > found[now] + margin:
                better[n] = found.index(best)
        if not better:
            return Reply(values, choices)
        choices |= better


def _ways(stages: Stages, number: int, player: int, plans: Mapping[int, Plan]) -> list[Way]:
    own = stages.actions(number, player)
    if not own:
        return [stages.shares(number, plans, {})]
    return [stages.shares(number, plans, {player: k}) for k in range(len(own))]


def worth(
    stages: Stages, player: int, ways: Mapping[int, Way], stop: Number | float = 0, price: Number | float = 0
) -> dict[int, Any]:
    """The value of every position to the player if moves are made with the probabilities of `ways`, by position; `stop`
    and `price` as in `reply`."""
    equations: dict[int, Equation] = {}
    values: dict[int, Any] = {}
    for n in range(stages.size):
        paid = stages.end_payoff(n, player)
        if paid is not None:
            values[n] = paid
    for n, way in ways.items():
        constant: Any = stop * price
        weights: dict[int, Any] = {}
        for share, k in way:
            outcome = stages.outcomes[n][k]
            constant += (1 - stop) * share * outcome.gains[player]
            for part, after in outcome.after:
                weight = (1 - stop) * share * part * stages.discount
                if after in values:
                    constant += weight * values[after]
                else:
                    weights[after] = weights.get(after, 0) + weight
        equations[n] = Equation(constant, weights)
    return values | solve(equations)


def way_worth(
    stages: Stages, number: int, player: int, way: Way, values: Mapping[int, Any], stop: Any = 0, price: Any = 0
) -> Any:
    """The value to the player of a move, or of a mixture of moves: its gain and the discounted value of the positions
    after it."""
    total: Any = Fraction(0)
    for share, k in way:
        outcome = stages.outcomes[number][k]
        later = sum(part * values[after] for part, after in outcome.after)
        total += share * (outcome.gains[player] + stages.discount * later)
    return (1 - stop) * total + stop * price if stop else total


def led_to(leads: Leads, values: Mapping[int, Floats] | Sequence[Floats]) -> Floats:
    """The gain of each player by a move together with the discounted value of the positions after it, in floating
    point."""
    gains, after = leads
    return [gain + sum(weight * values[n][p] for weight, n in after) for p, gain in enumerate(gains)]


def start_worth(stages: Stages, player: int, values: Mapping[int, Any]) -> Any:
    """The value to the player of play from its start."""
    return stages.opening.gains[player] + sum(part * values[n] for part, n in stages.opening.after)

"""Payoffs of realization plans, and the best replies to them, in whole numbers.

A plan's weights are whole parts of one; so are probabilities of chance times utilities. What plans pay together, and
what the best reply to them pays, is then a sum of products: nothing is rounded.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, partial, reduce
from itertools import accumulate, compress, cycle
from math import lcm, prod
from operator import mul
from typing import NamedTuple

from gdl.game import Number, exact, require_number
from gdl.solvers.equilibria.behaviour import Behaviour
from gdl.solvers.equilibria.regret_minimisation import CfrSequenceTable
from gdl.solvers.equilibria.sequences import Sequences, best_actions

MANY_ENDS = 2_000  # combinations of sequences with ends, from which on kernel code judges plans
WHOLE_BITS = 62  # of a whole number in kernel code
LONGEST_BITS = 4_000  # of the units of all players' plans together
COARSEST, FINEST = 10**6, 10**12  # fewest and most parts of a plan that kernel code judges


class RealizationPlans(NamedTuple):
    """Realization plans in whole numbers: the weight of each sequence of each player, as a multiple of 1 / `units` of
    that player."""

    weights: tuple[tuple[int, ...], ...]
    units: tuple[int, ...]


class _Set(NamedTuple):
    """An information set: its first sequence, its number of actions, and the sequence that leads to it."""

    first: int
    actions: int
    before: int


class _Reply(NamedTuple):
    """The payoffs of each sequence of a player, as whole numbers: `paid` by the ends of the sequence itself, `gain`
    together with the best that can follow."""

    paid: list[int]
    gain: list[int]


class Payoffs:
    """The sequences of all players in one numbering, and the payoffs of their combinations: whole numbers over
    `under`."""

    def __init__(self, form: Sequences, narrow: bool = False):
        """`narrow`: if there are many ends, leave out those where some player has not taken an action that is surely
        best. Plans have no weight there, and their values and best replies stay the same."""
        self.form, self.under = form, form.under
        positions = form.positions
        players = range(len(positions.players))
        of = [positions.sets_of(player) for player in players]
        self.counts = tuple(map(form.count, players))
        self.begin = tuple(accumulate(self.counts, initial=0))  # the empty sequence of each player
        self.led: Sequence[int] = form.led
        self.paid: Sequence[int] = form.paid
        if narrow and form.ends >= MANY_ENDS:
            self.sets = self._restrict_ends([best_actions(form, player) for player in players])
        else:
            self.sets = tuple(
                tuple(_Set(begin + form.first[h], form.widths[h], begin + form.before[h]) for h in sets)
                for sets, begin in zip(of, self.begin, strict=False)
            )
        utilities: list[Number] = [require_number(utility) for row in positions.utilities() for utility in row]
        self.range = max(utilities) - min(utilities)
        self._largest = max(max(utilities), -min(utilities)) or 1
        self._last: tuple[RealizationPlans | None, dict[int, _Reply]] = None, {}

    def _restrict_ends(self, kept: Sequence[bytearray]) -> tuple[tuple[_Set, ...], ...]:
        """Leave out the ends that some player reaches by a sequence that is not `kept`. Returns for each player the
        information sets that are left, with the actions kept there."""
        form, seats = self.form, len(kept)
        met = bytes(reduce(partial(map, mul), (map(k.__getitem__, form.led[p::seats]) for p, k in enumerate(kept))))
        led, paid = array("i", bytes(4 * seats * met.count(1))), [0] * (seats * met.count(1))
        for player in range(seats):
            led[player::seats] = array("i", compress(form.led[player::seats], met))
            paid[player::seats] = compress(form.paid[player::seats], met)
        self.led, self.paid = led, paid
        sets: list[tuple[_Set, ...]] = []
        for player, (begin, left) in enumerate(zip(self.begin, kept, strict=False)):
            own = []
            for h in form.positions.sets_of(player):
                found = left.find(1, form.first[h], form.first[h] + form.widths[h])
                if found >= 0:  # one action, or all of them
                    count = left.count(1, found, form.first[h] + form.widths[h])
                    own.append(_Set(begin + found, count, begin + form.before[h]))
            sets.append(tuple(own))
        return tuple(sets)

    @cached_property
    def _sequences_at_ends(self) -> tuple[Sequence[int], ...]:
        """The sequence of each player at each combination that leads to ends."""
        seats = len(self.counts)
        return tuple(self.led[player::seats] for player in range(seats))

    @cached_property
    def parts(self) -> int | None:
        """The number of equal parts of the plans that kernel code judges; None where its numbers have too few bits for
        that, or the game is too small to make it worthwhile."""
        if self.form.ends < MANY_ENDS:
            return None
        room = int((1 << WHOLE_BITS) // (self._largest * self.under))
        parts = 10 ** ((len(str(whole_root(room, len(self.counts) - 1)))) - 1)
        return min(parts, FINEST) if parts >= COARSEST else None

    def table(self) -> CfrSequenceTable:
        """The payoffs for kernel code. Utilities are scaled: only their proportions matter there."""
        largest = max(map(abs, self.paid), default=0) or 1
        begin = self.begin[:-1]
        led = array("i", map(int.__add__, self.led, cycle(begin)))
        paid = array("d", (amount / largest for amount in self.paid))
        return CfrSequenceTable(self.counts, self.sets, led, paid, array("q", self.paid) if self.parts else None)

    def plans(self, average: Sequence[float], parts: int) -> RealizationPlans:
        """The realization plans of average strategies, with probabilities rounded to multiples of 1 / `parts`; what
        rounding leaves over goes to the likeliest action."""
        weights, units = [], []
        for begin, count, sets in zip(self.begin, self.counts, self.sets, strict=False):
            depth = [0] * count  # own moves of each sequence
            for first, actions, before in sets:
                depth[first - begin : first - begin + actions] = [depth[before - begin] + 1] * actions
            unit = parts ** max(depth)
            weight = [unit] + [0] * (count - 1)
            for first, actions, before in sets:
                led = weight[before - begin] // parts
                shares = _round_to_parts(average[first : first + actions], parts)
                weight[first - begin : first - begin + actions] = [led * share for share in shares]
            weights.append(tuple(weight))
            units.append(unit)
        return RealizationPlans(tuple(weights), tuple(units))

    def value(self, plans: RealizationPlans, player: int) -> Number:
        """A player's payoff if everybody follows the plans."""
        own = sum(map(mul, plans.weights[player], self._reply(plans, player).paid))
        return exact(Fraction(own, self.under * prod(plans.units)))

    def best_reply_payoff(self, plans: RealizationPlans, player: int) -> Number:
        """A player's payoff by a best reply to the plans of the others."""
        others = prod(unit for other, unit in enumerate(plans.units) if other != player)
        return exact(Fraction(self._reply(plans, player).gain[0], self.under * others))

    def replies(self, plans: RealizationPlans, player: int) -> dict[int, int]:
        """A best reply to the plans of the others: the number of the first best action at each of the player's
        information sets that chance and the others let be reached."""
        gain, begin = self._reply(plans, player).gain, self.begin[player]
        met = bytearray(len(gain))  # whether a sequence of the player can be met, with what follows it
        others = self._weights_of_others(plans, player)
        for sequence, likely in compress(zip(self._sequences_at_ends[player], self.form.likely, strict=True), others):
            if likely:
                met[sequence] = 1
        found = {}
        numbered = list(zip(self.form.positions.sets_of(player), self.sets[player], strict=True))
        for h, (first, actions, before) in reversed(numbered):
            own = slice(first - begin, first - begin + actions)
            if any(met[own]):
                met[before - begin] = 1
                found[h] = gain[own].index(max(gain[own]))
        return found

    def _reply(self, plans: RealizationPlans, player: int) -> _Reply:
        """The payoff of each sequence of a player against the plans of the others; the last plans are remembered."""
        if plans is not self._last[0]:
            self._last = (plans, {})
        known = self._last[1]
        if player not in known:
            known[player] = self._compute_reply(plans, player)
        return known[player]

    def _compute_reply(self, plans: RealizationPlans, player: int) -> _Reply:
        """The payoffs of each sequence, from the last information set to the first: a sequence is worth its own ends
        and the sets behind it, a set as much as its best action."""
        paid, begin = [0] * self.counts[player], self.begin[player]
        others = self._weights_of_others(plans, player)
        ends = zip(self._sequences_at_ends[player], self.paid[player :: len(self.counts)], others, strict=True)
        for sequence, amount, weight in compress(ends, others):
            paid[sequence] += amount * weight
        gain = paid.copy()
        for first, actions, before in reversed(self.sets[player]):
            gain[before - begin] += max(gain[first - begin : first - begin + actions])
        return _Reply(paid, gain)

    def _weights_of_others(self, plans: RealizationPlans, player: int) -> Sequence[int]:
        """The product of the weights of all other players, for each combination of sequences that leads to ends."""
        pairs = enumerate(zip(plans.weights, self._sequences_at_ends, strict=True))
        weights = [map(weight.__getitem__, led) for other, (weight, led) in pairs if other != player]
        return list(reduce(partial(map, mul), weights)) if weights else [1] * len(self.led)


def plans_of(form: Sequences, behaviour: Behaviour) -> RealizationPlans | None:
    """The realization plans of a behaviour in whole numbers; None where it is silent about a set that its player's own
    moves allow, or where the numbers would be too long."""
    positions = form.positions
    weights: list[list[Number]] = [[1] for _ in positions.players]
    for row, owner, width, before in zip(behaviour, positions.owners, form.widths, form.before, strict=True):
        plan = weights[owner]
        led = plan[before]
        if row is None and led:
            return None
        if row is None or not led:
            plan += [0] * width
        else:
            plan += [led * share if share else 0 for share in row]
    units = tuple(lcm(*{weight.denominator for weight in plan}) for plan in weights)
    if sum(unit.bit_length() for unit in units) > LONGEST_BITS:
        return None
    return RealizationPlans(
        tuple(
            tuple(int(weight * unit) if weight else 0 for weight in plan)
            for plan, unit in zip(weights, units, strict=True)
        ),
        units,
    )


def whole_root(number: int, degree: int) -> int:
    """The greatest whole number whose power of this degree is no more than the number."""
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high - 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle)
    return low


def _round_to_parts(shares: Sequence[float], parts: int) -> list[int]:
    """The shares rounded to whole numbers of parts that sum to `parts`; equal shares if all are zero."""
    total = sum(shares)
    if not total > 0:
        shares, total = [1.0] * len(shares), float(len(shares))
    rounded = [int(parts * (share / total)) for share in shares]
    rounded[rounded.index(max(rounded))] += parts - sum(rounded)
    return rounded

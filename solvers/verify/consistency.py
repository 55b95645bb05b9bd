"""Are beliefs limits of what follows by Bayes' rule from ever smaller trembles (Kreps and Wilson 1982)?

Where an action is not played, let it be played c · t^n times in a while, c > 0 and n at least one, as t goes to zero.
A position then comes up as often as chance, the probabilities of what is played and the numbers c on the way make it,
times t to the sum of the numbers n on the way. So the beliefs are the limits just if

1. numbers n can be had for which the positions believed in have the least sum of their information set, and no others
   do: inequalities without constants, so that solutions in fractions do, multiplied;
2. numbers c can be had for which the positions of each set come up in proportion to the belief: products of powers of
   them are to be given numbers. One equation is multiplied into the others until each has a c of its own: then what is
   left over says that 1 is 1, or that there are none.

That trembles of this form are enough is lemma A1 of Kreps and Wilson, Sequential equilibria, Econometrica 50, 1982
(proved by Streufert, and by Kohlberg and Reny, J. Econ. Theory 75, 1997).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from gdl.game import Chance, Number
from gdl.solvers.verify.linear import has_positive_weights
from gdl.solvers.verify.position_graph import VerifierPositions
from gdl.solvers.verify.replies import Row
from gdl.solvers.verify.verdict import Unchecked

Step = tuple[int, int]  # an information set, and the number of an action there
Equation = tuple[dict[Step, int], Fraction, list[int]]  # powers of the numbers c, their product, and sets it stems from


class _Arrival(NamedTuple):
    """The frequency of a position: its probability but for trembles, and for each action not played how often it is on
    the way."""

    often: Fraction
    unplayed: Counter[Step]


def inconsistencies(
    positions: VerifierPositions, rows: Sequence[Row], beliefs: Sequence[Mapping[int, Number]]
) -> Iterator[str]:
    """The reason, in words, why no trembles lead to these beliefs; nothing where some do."""
    arrivals = _arrivals(positions, rows)
    for belief, found in zip(beliefs, positions.information_sets, strict=True):
        if any(not arrivals[m].often for m in belief):
            yield f"{found.name} is believed to be where chance never leads"
            return
    if not _are_ordered(positions, arrivals, beliefs):
        yield "no order of trembles leads to the beliefs"
        return
    wrong = _unequal(arrivals, beliefs)
    if wrong:
        names = ", ".join(positions.information_sets[h].name for h in wrong)
        yield f"no trembles lead to the beliefs at {names} together"


def _arrivals(positions: VerifierPositions, rows: Sequence[Row]) -> list[_Arrival]:
    found: list[_Arrival | None] = [_Arrival(Fraction(1), Counter()), *(None for _ in positions.nodes[1:])]
    for position, after in enumerate(positions.successors):
        node, h, here = positions.nodes[position], positions.sets[position], found[position]
        assert here is not None  # each stands before its successors
        for k, successor in enumerate(after):
            share = node.outcomes[k][1] if isinstance(node, Chance) else 1 if h is None else rows[h][k]
            is_tremble = h is not None and not share
            unplayed = here.unplayed + Counter([(h, k)] if is_tremble and h is not None else [])
            often = here.often * (1 if is_tremble else share)
            before = found[successor]
            if before is None:
                found[successor] = _Arrival(often, unplayed)
            elif before.unplayed == unplayed:
                found[successor] = _Arrival(before.often + often, unplayed)
            elif positions.successors[successor]:
                raise Unchecked("ways on which other actions are left meet: their trembles are not weighed")
    return [one for one in found if one is not None]


def _are_ordered(
    positions: VerifierPositions, arrivals: Sequence[_Arrival], beliefs: Sequence[Mapping[int, Number]]
) -> bool:
    """True if there are numbers n above 0, one for each action not played, by which the positions believed in have the
    least sums of their information set, and only they."""
    index = {action: j for j, action in enumerate(dict.fromkeys(a for one in arrivals for a in one.unplayed))}
    rarer: list[list[int]] = []
    alike: list[list[int]] = []

    def compare(often: int, other: int, rows: list[list[int]]) -> None:
        """Add a row that is negative, or 0, if the sum on the way to `often` is less than that to `other`, or the
        same."""
        row = [0] * len(index)
        for action, times in arrivals[often].unplayed.items():
            row[index[action]] += times
        for action, times in arrivals[other].unplayed.items():
            row[index[action]] -= times
        rows.append(row)

    for belief, found in zip(beliefs, positions.information_sets, strict=True):
        first, *others = belief
        for other in others:
            compare(first, other, alike)
            compare(other, first, alike)
        for member in found.members:
            if member not in belief and arrivals[member].often:
                compare(first, member, rarer)
    return has_positive_weights([*rarer, *alike], len(rarer))


def _unequal(arrivals: Sequence[_Arrival], beliefs: Sequence[Mapping[int, Number]]) -> list[int]:
    """The information sets whose beliefs no numbers c bring about together; none if some do."""
    equations: list[Equation] = []
    for h, belief in enumerate(beliefs):
        first, *others = belief
        for other in others:
            powers = {a: arrivals[other].unplayed[a] - arrivals[first].unplayed[a] for a in
                      arrivals[other].unplayed | arrivals[first].unplayed}  # fmt: skip
            ratio = Fraction(belief[other]) / belief[first] * arrivals[first].often / arrivals[other].often
            equations.append(({a: power for a, power in powers.items() if power}, ratio, [h]))
    while equations:
        powers, side, sets = equations.pop()
        if not powers:
            if side != 1:
                return sets
            continue
        equations = [_without(next(iter(powers)), one, (powers, side, sets)) for one in equations]
    return []


def _without(step: Step, one: Equation, other: Equation) -> Equation:
    """The first equation, multiplied by a power of the other one, so that `step` no longer occurs in it."""
    powers, side, sets = one
    if step not in powers:
        return one
    common = gcd(powers[step], other[0][step])
    up, down = other[0][step] // common, powers[step] // common
    left = {a: powers.get(a, 0) * up - other[0].get(a, 0) * down for a in powers | other[0]}
    return {a: power for a, power in left.items() if power}, side**up / other[1] ** down, sorted({*sets, *other[2]})

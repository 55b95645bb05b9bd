"""Equilibria told in families: each belongs to one, those of a family have one outcome and no others have it, and a
chance that is free may be anything between its ends.

What a player could gain is convex in the chance of an action off the path of play, and made of straight pieces. So
nobody gains between two chances at which nobody does. An end is one if it is the corner: a little beyond it somebody
gains, and twice as much twice as far.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from gdl.errors import DamagedData
from gdl.game import Number, Terminal, require_number
from gdl.solution import Profile
from gdl.solvers.verify.beliefs import position_names
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.claim import read_amount, read_amounts
from gdl.solvers.verify.numbers import same_all
from gdl.solvers.verify.replies import weigh_positions
from gdl.solvers.verify.verdict import Finding

BEYOND = Fraction(1, 10**9)  # the share of the way from an end to 0 or 1 at which somebody should gain


def check_families(case: VerifierCase) -> Iterator[Finding]:
    """The answer's groups of equilibria are right: who belongs to each, its outcome and payoffs, and its free
    probabilities."""
    told = case.claim.data.get("groups")
    if told is None:
        return
    numbers = [number for group in told for number in group["members"]]
    ok = sorted(numbers) == list(range(len(case.claim.equilibria))) and all(group["members"] for group in told)
    ok = ok and all(list(group["members"]) == sorted(group["members"]) for group in told)
    ok = ok and [group["members"][0] for group in told] == sorted(group["members"][0] for group in told)
    if ok:
        outcomes = [_outcome(case, profile) for profile in case.claim.equilibria]
        firsts = [outcomes[group["members"][0]] for group in told]
        ok = all(firsts.count(first) == 1 for first in firsts)
        ok = ok and all(
            outcomes[k] == first for group, first in zip(told, firsts, strict=True) for k in group["members"]
        )
        ok = ok and all(_is_told(case, group, first) for group, first in zip(told, firsts, strict=True))
    yield Finding(ok, ("groups",), f"the equilibria have {len(told)} outcomes" if ok else "the groups are others")
    for group in told if ok else ():
        every = group.get("free") or ()
        if any(one in every[:k] for k, one in enumerate(every)):
            yield Finding(False, ("groups",), "a free chance is listed twice")
        for free in every:
            try:
                wrong = _free_fault(case, case.claim.equilibria[group["members"][0]], free)
            except (DamagedData, KeyError):
                wrong = "a chance that is free is of nobody's action"
            said = f"{free['action']} at {free['set']} is free between its ends"
            yield Finding(not wrong, ("groups",), wrong or said)


def _outcome(case: VerifierCase, profile: Profile) -> dict[int, Number]:
    """The probability of each end (by position) that a profile can reach."""
    positions = case.graph.positions
    met = weigh_positions(positions, case.behaviour(profile))
    return {position: weight for position, weight in met if isinstance(positions.nodes[position], Terminal) and weight}


def _is_told(case: VerifierCase, group: Mapping[str, Any], outcome: Mapping[int, Number]) -> bool:
    """True if the group states the outcome and the payoffs that belong to these probabilities of ends."""
    positions = case.graph.positions
    names = case.once("names", lambda: position_names(positions))
    chances = {name: read_amount(share, "groups") for name, share in group["outcome"].items()}
    ends = [(share, positions.nodes[end]) for end, share in outcome.items()]
    vectors = [[Fraction(share) * require_number(u) for u in node.utilities] for share, node in ends
               if isinstance(node, Terminal)]  # fmt: skip
    payoffs = read_amounts(group["payoffs"], "groups")
    claimed = case.in_order(payoffs)
    pays = [sum(column, Fraction(0)) for column in zip(*vectors, strict=True)]
    told = tuple(payoffs) == case.game.players
    return told and chances == {names[end]: share for end, share in outcome.items()} and same_all(claimed, pays)


def _free_fault(case: VerifierCase, profile: Profile, free: Mapping[str, Any]) -> str:
    """The fault of a free probability, in words; empty if there is none."""
    low, high = (Fraction(read_amount(end, "groups")) for end in free["interval"])
    where = f"{free['action']} at {free['set']}"
    if not 0 <= low < high <= 1:
        return f"the ends of {where} are none"
    outcome = _outcome(case, profile)
    for end in (low, high):
        other = _with_chance(profile, free, end)
        if any(case.judge_profile(other).regret) or _outcome(case, other) != outcome:
            return f"{where} cannot be {end}"
    for end, last in ((low, 0), (high, 1)):
        chances = [end + (last - end) * BEYOND * times for times in (1, 2)]
        gain, twice = (sum(case.judge_profile(_with_chance(profile, free, chance)).regret) for chance in chances)
        if end != last and not 0 < 2 * gain == twice:
            return f"{where} does not end at {end}"
    return ""


def _with_chance(profile: Profile, free: Mapping[str, Any], chance: Fraction) -> Profile:
    """The profile with this probability of an action; the other actions of the set share the rest in their old
    proportions."""
    sets = profile[free["player"]]
    row, action = sets[free["set"]], free["action"]
    rest = 1 - Fraction(row[action])
    others = len(row) - 1
    shares = {one: Fraction(p) / rest if rest else Fraction(1, others) for one, p in row.items() if one != action}
    mixed = {one: chance if one == action else (1 - chance) * shares[one] for one in row}
    return {**profile, free["player"]: {**sets, free["set"]: mixed}}

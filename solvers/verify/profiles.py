"""Strategies, equilibria and regrets of an answer: each is judged, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from gdl.game import Number
from gdl.solution import Profile
from gdl.solvers.verify import perfection
from gdl.solvers.verify.algebraic import decimals
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.numbers import amounts, same, same_all
from gdl.solvers.verify.position_graph import reach
from gdl.solvers.verify.verdict import Finding, Misfit, Unchecked

NASH = "nash"  # the concept that every profile satisfies which nobody gains by leaving
NEARLY = Fraction(1, 10**9)  # the most that may be gained by leaving an equilibrium whose numbers are rounded
ONE_SIDED = "belief"  # the solver whose answers have the strategy of only one of two players
EVERYWHERE = ("maxn", "shallow", "subgame-perfect")  # solvers whose equilibria are equilibria of every subgame


def check_strategy(case: VerifierCase) -> Iterator[Finding]:
    """The strategy proves the value: each side's part secures that side's value, in a game of two opposed players or
    where the values are secured ones; in other games it is judged as one profile."""
    strategy = case.claim.strategy
    if strategy is None:
        return
    if case.claim.secured and not case.graph.open:
        raise Unchecked("what is secured against all others needs perfect information")
    alone = len(case.game.players) == 1
    if case.claim.secured or case.is_strictly_competitive or (alone and case.graph.cyclic):
        yield from _of_each_side(case, strategy)
    else:
        yield from _check_profile(case, "the strategy", "strategy", strategy, equilibrium=case.claim.exact)


def _of_each_side(case: VerifierCase, strategy: Profile) -> Iterator[Finding]:
    secure, count = 0, len(case.game.players)
    others = " whatever the other does" if count == 2 else " whatever the others do" if count > 2 else ""
    for player, name in enumerate(case.game.players):
        if not case.speaks_for(strategy, player):
            one_sided = case.claim.solver == ONE_SIDED and case.speaks_for(strategy, 1 - player)
            yield Finding(one_sided, ("strategy",), f"the strategy of {name}: the answer has none")
            continue
        _own_sets(case, strategy, player)
        secured = case.secured_by(strategy, player)
        said = f"the strategy of {name} secures {secured}{others}"
        if case.value is None:
            yield Finding(True, ("strategy",), said)
        elif same(case.value[player], secured):
            yield Finding(True, ("strategy",), said)
            secure += 1
        else:
            said = f"the strategy of {name} secures {secured}, and the answer says {case.value[player]}"
            yield Finding(False, ("strategy", "value"), said)
    if secure == count and case.claim.concept == NASH and (count == 1 or sum(case.value or ()) == case.total):
        yield Finding(True, ("concept",), "nobody gains by leaving: each secures all that others leave")


def check_lists(case: VerifierCase) -> Iterator[Finding]:
    """No equilibrium is listed twice, and there are as many payoffs and beliefs as equilibria."""
    claim = case.claim
    met: dict[frozenset[Any], int] = {}
    for number, profile in enumerate(claim.equilibria, start=1):
        held = claim.beliefs[number - 1] if number <= len(claim.beliefs) else {}
        before = met.setdefault(_profile_support(profile) | _profile_support(held), number)
        if before < number:
            yield Finding(False, ("equilibria",), f"equilibrium {number} is equilibrium {before} once more")
    if claim.equilibria and len(claim.equilibria) < len(claim.data["equilibria"]):
        yield Finding(False, ("equilibria",), "correlated plans stand among the equilibria")
    if "payoffs" in claim.keys and len(claim.payoffs) != len(claim.data.get("equilibria", ())):
        yield Finding(False, ("payoffs",), "there are not as many payoffs as equilibria")
    if claim.beliefs and len(claim.beliefs) != len(claim.equilibria):
        yield Finding(False, ("beliefs",), "there are not as many beliefs as equilibria")
    if claim.regret is not None and not all(number >= 0 for number in case.in_order(claim.regret)):
        yield Finding(False, ("regret",), "a regret is a number from 0 up, one for each player")


def check_equilibria(case: VerifierCase) -> Iterator[Finding]:
    """No equilibrium in the list has a regret, and each pays the value, if there is one."""
    claim = case.claim
    for number, profile in enumerate(claim.equilibria, start=1):
        yield from _check_profile(case, f"equilibrium {number}", "equilibria", profile, equilibrium=True)
        if claim.solver in EVERYWHERE or claim.concept == perfection.CONCEPT:
            yield from perfection.check(case, f"equilibrium {number}", profile)


def _profile_support(profile: Profile) -> frozenset[Any]:
    """All actions of a profile with a probability above 0, as tuples of player, information set, action and
    probability."""
    return frozenset(
        (player, name, action, chance)
        for player, sets in profile.items()
        for name, mixture in sets.items()
        for action, chance in mixture.items()
        if chance
    )


def check_payoffs(case: VerifierCase) -> Iterator[Finding]:
    """Each equilibrium pays what the list of payoffs says."""
    claim = case.claim
    if "payoffs" not in claim.keys:
        return
    if not claim.equilibria:
        yield Finding(not claim.payoffs, ("payoffs",), "there are no equilibria that could pay anything")
    for number, (profile, told) in enumerate(zip(claim.equilibria, claim.payoffs, strict=False), start=1):
        pays = case.judge_profile(profile).value
        yield Finding(
            same_all(case.in_order(told), pays),
            ("payoffs",),
            f"equilibrium {number} pays {amounts(case.game.players, pays)}",
        )


def check_value(case: VerifierCase) -> Iterator[Finding]:
    """Every listed equilibrium pays the value."""
    if case.claim.value is None:
        return
    if not case.claim.equilibria:
        raise Unchecked("the answer has no equilibria")
    for profile in case.claim.equilibria:
        pays = case.judge_profile(profile).value
        if not same_all(case.in_order(case.claim.value), pays):
            told = amounts(case.game.players, pays)
            yield Finding(False, ("value",), f"an equilibrium pays {told}, and the answer says otherwise")
            return
    yield Finding(True, ("value",), "every equilibrium pays the value")


def _check_profile(
    case: VerifierCase, name: str, field: str, profile: Profile, *, equilibrium: bool
) -> Iterator[Finding]:
    """Findings on a profile, called `name` in them: its regret, and what it pays. `equilibrium`: any regret is a
    fault."""
    players = case.game.players
    for player in range(len(players)):
        _own_sets(case, profile, player)
    judgement = case.judge_profile(profile)
    gains = amounts(players, judgement.regret)
    pays = amounts(players, judgement.value)
    if any(judgement.regret) and equilibrium and not case.claim.exact and max(judgement.regret) <= NEARLY:
        yield Finding(True, (field,), f"{name}: nobody gains more than 1 in 10^9 by deviating")
    elif any(judgement.regret) and equilibrium:
        yield Finding(False, (field,), f"{name} is none: by deviating could gain {gains}")
    elif any(judgement.regret):
        yield Finding(True, (field,), f"{name} pays {pays}; by deviating could gain {gains}")
    elif case.claim.exact:
        shown = (field, "concept") if case.claim.concept == NASH else (field,)
        yield Finding(True, shown, f"{name}: nobody gains by deviating; it pays {pays}")
    else:
        yield Finding(True, (field,), f"{name} pays {pays}, and nobody gains by deviating: the answer claims less")
    if case.value is not None and not same_all(case.value, judgement.value):
        yield Finding(False, (field, "value"), f"{name} pays {pays}, which is not the value")


def _own_sets(case: VerifierCase, profile: Profile, player: int) -> list[int]:
    """The information sets of a player that can be reached by the player's own part of the profile, whatever others do.
    Raises Misfit if the profile does not say what the player does at one of them."""
    positions, behaviour = case.graph.positions, case.behaviour(profile)

    def after(position: int) -> Iterable[int]:
        h = positions.sets[position]
        if h is None or positions.information_sets[h].player != player:
            return positions.successors[position]
        if behaviour[h] is None:
            raise Misfit(f"it does not say what is done at {positions.information_sets[h].name}")
        return (s for chance, s in zip(behaviour[h] or (), positions.successors[position], strict=True) if chance)

    met = dict.fromkeys(positions.sets[position] for position in reach([0], after))
    return [h for h in met if h is not None and positions.information_sets[h].player == player]


def check_regret(case: VerifierCase) -> Iterator[Finding]:
    """The stated regret of each player is the greatest that they have in any profile of the answer."""
    if case.claim.regret is None:
        return
    if not case.claim.profiles:
        raise Unchecked("the answer has no strategies that it would be of")
    yield from compare_regret(case, [_regret(case, profile) for profile in case.claim.profiles])


def compare_regret(case: VerifierCase, regrets: Sequence[Sequence[Number]]) -> Iterator[Finding]:
    """Compare the stated regret with the greatest that each player has in these profiles."""
    if case.claim.regret is not None and regrets:
        most = tuple(map(max, zip(*regrets, strict=True)))
        told, data = case.in_order(case.claim.regret), case.claim.data
        if not case.claim.exact and any(map(decimals, [*data.get("equilibria", ()), data.get("strategy") or {}])):
            told = tuple(map(float, told))  # of rounded probabilities even a regret of 0 is rounded
        ok = same_all(told, most)
        said = f"the regret is {amounts(case.game.players, most)}"
        fields = ("regret", "concept") if ok and case.claim.concept == NASH else ("regret",)
        yield Finding(ok, fields, said if ok else f"{said}, and the answer says otherwise")


def _regret(case: VerifierCase, profile: Profile) -> Sequence[Number]:
    if not case.graph.cyclic:
        return case.judge_profile(profile).regret
    secures = [case.secured_by(profile, player) for player in range(len(case.game.players))]
    if case.is_strictly_competitive and sum(secures) == case.total:
        return (0, 0)  # each secures all that the other leaves
    raise Unchecked("where positions can come again it is worked out for strategies that secure the value alone")

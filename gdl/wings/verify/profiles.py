"""Strategies, equilibria and regrets of an answer: each is judged, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from gdl.errors import DamagedData
from gdl.game import Number, Terminal, require_number
from gdl.numbers import brief
from gdl.solution import Profile
from gdl.wings.verify.case import VerifierCase, VerifierCheck
from gdl.wings.verify.claim import amounts, read_amount, read_amounts, same, same_all
from gdl.wings.verify.position_graph import Behaviour, Row, VerifierPositions, reach
from gdl.wings.verify.replies import best_reply, expectation, weigh_positions, worths
from gdl.wings.verify.sturm import Polynomial, changes, sturm_chain, value_at
from gdl.wings.verify.verdict import Finding, Misfit, Unchecked

NASH = "nash"  # the concept that every profile satisfies which nobody gains by leaving
GREATEST = 2**1000  # numbers that are decimals are less
NEARLY = Fraction(1, 10**9)  # the most that may be gained by leaving an equilibrium whose numbers are rounded
ONE_SIDED = "belief"  # the solver whose answers have the strategy of only one of two players
EVERYWHERE = ("maxn", "shallow", "subgame-perfect")  # solvers whose equilibria are equilibria of every subgame


def check_strategy(case: VerifierCase) -> Iterator[Finding]:
    """The strategy proves the value: each side's part secures that side's value, in a game of two opposed players or
    where the values are secured ones; in other games it is judged as one profile."""
    strategy = case.claim.strategy
    if strategy is None or case.is_followed:
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
        require_plan(case, strategy, player)
        secured = case.secured_by(strategy, player)
        said = f"the strategy of {name} secures {brief(secured)}{others}"
        if case.value is None:
            yield Finding(True, ("strategy",), said)
        elif same(case.value[player], secured):
            yield Finding(True, ("strategy",), said)
            secure += 1
        else:
            said = f"the strategy of {name} secures {brief(secured)}, and the answer says {case.value[player]}"
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
        if claim.solver in EVERYWHERE or claim.concept == SUBGAME_PERFECT:
            yield from check_subgames(case, f"equilibrium {number}", profile)


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
        said = f"equilibrium {number} pays {amounts(case.game.players, pays)}"
        yield Finding(same_all(case.in_order(told), pays), ("payoffs",), said)


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
        require_plan(case, profile, player)
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


def require_plan(case: VerifierCase, profile: Profile, player: int) -> None:
    """Raise Misfit if the profile does not say what the player does at an information set that can be reached by the
    player's own part of it, whatever others do."""
    if case.judged_by_counts(profile) is not None:
        return
    positions, behaviour = case.graph.positions, case.behaviour(profile)

    def successors(position: int) -> Iterable[int]:
        h = positions.sets[position]
        if h is None or positions.information_sets[h].player != player:
            return positions.successors[position]
        if behaviour[h] is None:
            raise Misfit(f"it does not say what is done at {positions.information_sets[h].name}")
        return (s for chance, s in zip(behaviour[h] or (), positions.successors[position], strict=True) if chance)

    reach([0], successors)


def check_regret(case: VerifierCase) -> Iterator[Finding]:
    """The stated regret of each player is the greatest that they have in any profile of the answer."""
    if case.claim.regret is None or case.is_followed:
        return
    if not case.claim.profiles:
        raise Unchecked("the answer has no strategies that it would be of")
    yield from compare_regret(case, [_regret(case, profile) for profile in case.claim.profiles])


def compare_regret(case: VerifierCase, regrets: Sequence[Sequence[Number]]) -> Iterator[Finding]:
    """Compare the stated regret with the greatest that each player has in these profiles."""
    if case.claim.regret is not None and regrets:
        most = tuple(map(max, zip(*regrets, strict=True)))
        told, data = case.in_order(case.claim.regret), case.claim.data
        rounded = any(map(decimals, [*data.get("equilibria", ()), data.get("strategy") or {}]))
        walked = decimals(data.get("value") or {})  # by best replies, in decimals
        short = all(-GREATEST < x < GREATEST for x in told)
        as_decimals = short and (rounded or (walked and all(float(x) == x for x in told)))
        if as_decimals and not case.claim.exact:
            told = tuple(map(float, told))  # of rounded numbers even a regret of 0 is rounded
        ok = same_all(told, most)
        said = f"the regret is {amounts(case.game.players, most)}"
        fields = ("regret", "concept") if ok and case.claim.concept == NASH else ("regret",)
        yield Finding(ok, fields, said if ok else f"{said}, and the answer says otherwise")


def _regret(case: VerifierCase, profile: Profile) -> Sequence[Number]:
    if case.judged_by_counts(profile) is not None or not case.graph.cyclic:
        return case.judge_profile(profile).regret
    secures = [case.secured_by(profile, player) for player in range(len(case.game.players))]
    if case.is_strictly_competitive and sum(secures) == case.total:
        return (0, 0)  # each secures all that the other leaves
    raise Unchecked("where positions can come again it is worked out for strategies that secure the value alone")


# Irrational probabilities as an answer writes them: the only root of a polynomial between two ends.
#
# That there is but one is counted by Sturm's theorem; the probability that is listed is to be that root, to as many
# digits as a float has. How near the listed probabilities are to an equilibrium is said by their regret.
#
# Source: Sturm 1829; Basu, Pollack and Roy, Algorithms in Real Algebraic Geometry, theorem 2.62.

CLOSE = Fraction(1, 10**11)  # how near a listed probability is to the root that it stands for
LARGEST = 8_000  # number of coefficients times bits of the longest one, at most


def check_algebraic(case: VerifierCase) -> Iterator[Finding]:
    """Every number listed under `algebraic` is well described: its polynomial has just one root between the ends, and
    that root is the probability in the profile."""
    told = case.claim.data.get("algebraic")
    if told is None:
        return
    profiles: Sequence[Profile] = case.claim.equilibria or [p for p in (case.claim.strategy,) if p is not None]
    if len(told) != len(profiles):
        yield Finding(False, ("algebraic",), "there are not as many lists of irrational probabilities as profiles")
        return
    for own, profile in zip(told, profiles, strict=True):
        for player, roots in own.items():
            for action, root in roots.items():
                wrong = _fault(root, [row[action] for row in profile.get(player, {}).values() if action in row])
                if wrong is not None:
                    yield Finding(False, ("algebraic",), f"{player}, {action}: {wrong}")
                    return
    for own, raw in zip(told, case.claim.data.get("equilibria", ()), strict=False):
        left = [player for player in raw if own and decimals(raw[player]) - own.get(player, {}).keys()]
        if left:
            yield Finding(False, ("algebraic",), f"what stands for a decimal of {left[0]} is not said")
            return
    yield Finding(True, ("algebraic",), "each is the only root between its ends, and the probability that is listed")


def decimals(part: Mapping[str, Any]) -> set[str]:
    """The names under which decimals stand: in mixtures, the actions whose probabilities are written so."""
    inner = (decimals(own) for own in part.values() if isinstance(own, Mapping))
    return {name for name, number in part.items() if isinstance(number, float)}.union(*inner)


def _fault(root: Mapping[str, Any], listed: Sequence[Number]) -> str | None:
    """The fault of a described root, in words; None if there is none."""
    form = [*map(int, root["polynomial"])]
    low, high = (Fraction(read_amount(end, "algebraic")) for end in root["interval"])
    if len(form) < 2 or not form[-1] or low > high:
        return "no polynomial, or no interval"
    if len(form) * max(number.bit_length() for number in form) > LARGEST:
        raise Unchecked("the roots of so large a polynomial are not counted")
    chain = sturm_chain(form)
    count = changes(chain, low) - changes(chain, high) + (not value_at(form, low))
    if count != 1:
        return f"{count} roots between the ends"
    if not any(_is_near(chain, low, high, Fraction(number)) for number in listed):
        return "the root is not the probability that is listed"
    return None


def _is_near(chain: Sequence[Polynomial], low: Fraction, high: Fraction, number: Fraction) -> bool:
    """True if the root between `low` and `high`, known to be the only one, is close to the number."""
    left, right = max(low, number - CLOSE), min(high, number + CLOSE)
    return left <= right and (changes(chain, left) > changes(chain, right) or not value_at(chain[0], left))


# Is an equilibrium one of every subgame as well (Selten 1965)?
#
# With perfect information, every position begins a subgame, and it is enough that no single deviation gains anywhere
# (the one-deviation property: Osborne and Rubinstein, A Course in Game Theory, lemma 98.2). Elsewhere a subgame begins
# at a position that its mover can tell from all others, if no information set reaches out of what follows, and the
# profile is judged in each of them.

SUBGAME_PERFECT = "subgame-perfect"
MOST_POSITIONS = 3_000  # positions among which subgames are looked for where something is hidden
WORK = 300_000  # positions of all of these subgames together


def check_subgames(case: VerifierCase, name: str, profile: Profile) -> Iterator[Finding]:
    """A finding on whether the profile, called `name` in it, is an equilibrium of every subgame."""
    behaviour = case.behaviour(profile)
    if None in behaviour:
        yield Finding(None, ("equilibria",), f"{name}: it is silent somewhere, so not of every subgame")
        return
    positions = case.graph.positions
    if case.graph.open:
        found = improvable(positions, [row for row in behaviour if row is not None])
        worse = next((h for h, _, _ in found), None)
    else:
        worse = next(_unstable_subgames(positions, behaviour), None)
    if worse is not None:
        where = positions.information_sets[worse].name
        yield Finding(False, ("equilibria",), f"{name} is none of the subgame at {where}: somebody would deviate there")
    elif case.claim.concept == SUBGAME_PERFECT:
        yield Finding(True, ("equilibria", "concept"), f"{name} is one of every subgame")


def improvable(positions: VerifierPositions, rows: list[Row]) -> Iterator[tuple[int, int, Number]]:
    """For each position at which the mover would rather act otherwise, all else unchanged: the number of its
    information set, the best action, and the gain. For games of perfect information."""
    values = worths(positions, tuple(rows))
    for position, h in reversed([*enumerate(positions.sets)]):
        if h is not None:
            player = positions.information_sets[h].player
            own = [values[successor][player] for successor in positions.successors[position]]
            if max(own) > values[position][player]:
                yield h, own.index(max(own)), max(own) - values[position][player]


def _unstable_subgames(positions: VerifierPositions, behaviour: Behaviour) -> Iterator[int]:
    """For each proper subgame in which the behaviour is no equilibrium, its first information set. Raises Unchecked if
    the subgames are too large."""
    work = 0
    for root, inside in subgames(positions):
        work += len(inside)
        if work > WORK:
            raise Unchecked("the subgames are too large, so perfection is not looked at")
        pays = enumerate(expectation(positions, behaviour, {root: 1}))
        if any(best_reply(positions, behaviour, player, {root: 1}).value != paid for player, paid in pays):
            yield next(h for h in map(positions.sets.__getitem__, inside) if h is not None)


def subgames(positions: VerifierPositions) -> Iterator[tuple[int, list[int]]]:
    """The root of each proper subgame and all its positions, from the last root to the first. Raises Unchecked if there
    are too many positions."""
    count = len(positions.nodes)
    if count > MOST_POSITIONS:
        raise Unchecked(f"subgames are looked for among {MOST_POSITIONS:,} positions at most")
    sets = [sum(1 << member for member in found.members) for found in positions.information_sets]
    below = [0] * count  # the position and all that follow, as bits
    for position in reversed(range(count)):
        below[position] = 1 << position
        for successor in positions.successors[position]:
            below[position] |= below[successor]
        if position == 0 or isinstance(positions.nodes[position], Terminal):
            continue
        if all(members & below[position] in (0, members) for members in sets):
            h = positions.sets[position]
            if h is None or len(positions.information_sets[h].members) == 1:
                yield position, [p for p in range(position, count) if below[position] >> p & 1]


# Equilibria told in families: each belongs to one, those of a family have one outcome and no others have it, and a
# chance that is free may be anything between its ends.
#
# What a player could gain is convex in the chance of an action off the path of play, and made of straight pieces. So
# nobody gains between two chances at which nobody does. An end is one if it is the corner: a little beyond it somebody
# gains, and twice as much twice as far.

BEYOND = Fraction(1, 10**9)  # the share of the way from an end to 0 or 1 at which somebody should gain


def check_families(case: VerifierCase) -> Iterator[Finding]:
    """The answer's groups of equilibria are right: who belongs to each, its outcome and payoffs, and its free
    probabilities."""
    told = case.claim.data.get("groups")
    if told is None:
        return
    members = [list(group["members"]) for group in told]
    numbers = sorted(k for own in members for k in own)
    ok = numbers == list(range(len(case.claim.equilibria))) and [] not in members
    ok = ok and members == sorted(map(sorted, members))
    if ok:
        outcomes = [_outcome(case, profile) for profile in case.claim.equilibria]
        firsts = [outcomes[own[0]] for own in members]
        ok = all(firsts.count(first) == 1 for first in firsts)
        ok = ok and all(outcomes[k] == first for own, first in zip(members, firsts, strict=True) for k in own)
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
    names = positions.names
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


PAID = (  # the checks of what strategies pay, which answers for several concepts state
    VerifierCheck(check_payoffs, ("payoffs",)),
    VerifierCheck(check_regret, ("regret",)),
    VerifierCheck(check_value, ("value",)),
)

"""Equilibria with beliefs, held against their definitions. An assessment is a profile, and for each information set how
likely its positions are held to be.

1. Sequential rationality (Kreps and Wilson 1982): from each information set on, nobody gets more by another strategy
   than by the profile, given the belief there. Where everyone sees everything one deviation at a time is enough.
2. Perfect Bayesian: in every subgame, where its play comes, beliefs follow by Bayes' rule (Mas-Colell, Whinston and
   Green, Microeconomic Theory, 1995, section 9.C, in each subgame).
3. Sequential: the beliefs are limits of what follows from trembles (below).
4. Intuitive: no type could make itself known by a message that is not sent (below).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from gdl.game import Chance, Decision, Number, Terminal, require_number
from gdl.solution import Profile
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.linear import has_positive_weights, matrix_game
from gdl.wings.verify.position_graph import Row, VerifierPositions
from gdl.wings.verify.profiles import improvable, subgames
from gdl.wings.verify.replies import best_reply, expectation, follows
from gdl.wings.verify.verdict import Finding, Misfit, Unchecked

KIND = {"sequential": "sequential", "perfect-bayesian": "perfect Bayesian", "intuitive": "perfect Bayesian"}

Beliefs = Sequence[Mapping[int, Number]]  # for each information set: position -> its probability, if above 0


def check_beliefs(case: VerifierCase) -> Iterator[Finding]:
    """Each equilibrium with its beliefs meets the conditions of the answer's concept."""
    claim, positions, kind = case.claim, case.graph.positions, KIND[case.claim.concept or ""]
    if len(claim.beliefs) != len(claim.equilibria):
        yield Finding(False, ("beliefs",), "there are not as many beliefs as equilibria")
        return
    for number, (profile, beliefs) in enumerate(zip(claim.equilibria, claim.beliefs, strict=True), start=1):
        behaviour = case.behaviour(profile)
        if None in behaviour:
            silent = positions.information_sets[behaviour.index(None)].name
            raise Misfit(f"it does not say what is done at {silent}")
        rows = [row for row in behaviour if row is not None]
        wrong = next(_failures(case, rows, read_beliefs(positions, beliefs)), None)
        said = f"equilibrium {number}: with its beliefs it is {kind}"
        if wrong is not None:
            said = f"equilibrium {number} is not {kind}: {wrong}"
        yield Finding(wrong is None, ("beliefs", "equilibria", "concept"), said)


def read_beliefs(positions: VerifierPositions, beliefs: Profile) -> Beliefs:
    """The beliefs of an answer by number of information set and position. Raises Misfit where they are not of this
    game, or not complete."""
    called = positions.names
    known = {player: dict(own) for player, own in beliefs.items()}
    read: list[Mapping[int, Number]] = []
    for found in positions.information_sets:
        told = known.get(positions.players[found.player], {}).pop(found.name, None)
        if told is None:
            raise Misfit(f"no belief is told of {found.name}")
        nodes = {called[member]: member for member in found.members}
        if strange := [node for node in told if node not in nodes]:
            raise Misfit(f"no node at {found.name} is called {strange[0]!r}")
        if any(share < 0 for share in told.values()) or sum(told.values(), Fraction(0)) != 1:
            raise Misfit(f"the belief at {found.name} does not sum to one")
        read.append({nodes[node]: share for node, share in told.items() if share})
    for player, left in known.items():
        for name in left:
            raise Misfit(f"no information set of {player} is called {name!r}")
    return read


def _failures(case: VerifierCase, rows: list[Row], beliefs: Beliefs) -> Iterator[str]:
    """The conditions of the concept that an equilibrium with these beliefs does not meet, in words."""
    positions, concept = case.graph.positions, case.claim.concept
    yield from _irrational_sets(positions, rows, beliefs, case.graph.open)
    if concept == "intuitive":
        yield from intuitive_failures(positions, rows)
    if case.graph.open:  # whoever knows the position believes it
        return
    if concept == "sequential":
        yield from inconsistencies(positions, rows, beliefs)
        return
    for root in (0, *(root for root, _ in subgames(positions))):
        for h, belief in follows(positions, tuple(rows), root).items():
            if beliefs[h] != belief:
                yield f"the belief at {positions.information_sets[h].name} is not what follows from the play"


def _irrational_sets(positions: VerifierPositions, rows: list[Row], beliefs: Beliefs, is_open: bool) -> Iterator[str]:
    """The information sets at which the player who moves could do better from there on, in words."""
    better = improvable(positions, rows) if is_open else _improvable_by_beliefs(positions, tuple(rows), beliefs)
    for h, best, gain in better:
        found = positions.information_sets[h]
        who = positions.players[found.player]
        yield f"{who} would rather play {found.actions[best]} at {found.name}, which gains {gain}"


def _improvable_by_beliefs(
    positions: VerifierPositions, rows: tuple[Row, ...], beliefs: Beliefs
) -> Iterator[tuple[int, int, Number]]:
    """For each such information set its number, the best action, and the gain."""
    for h, found in enumerate(positions.information_sets):
        reply = best_reply(positions, rows, found.player, beliefs[h])
        gain = reply.value - expectation(positions, rows, beliefs[h])[found.player]
        if gain:
            yield h, reply.choices[h][0], gain


# The intuitive criterion, word by word (Cho and Kreps, Signaling games and stable equilibria, Quarterly Journal of
# Economics 102, 1987, section IV).
#
# Chance draws a type, the sender, who knows it, sends a message, and the receiver replies. Let u*(t) be what type t
# gets in the equilibrium. For each message m that no type sends in it, T the types that can send it:
#
# 1. J are the types of T for which u*(t) is more than the most that they can get by m, whatever reply the receiver
#    gives that is best for some belief about T.
# 2. The equilibrium fails if some type t of T without J has u*(t) less than the least that it gets by m, whatever reply
#    the receiver gives that is best for some belief about T without J.
#
# A reply is best for some belief about a set of types just if no mixture of replies is better against every type of it
# (Pearce, Econometrica 52, 1984, lemma 3), so a game of zero sum shows which are.

Messages = dict[int, dict[int, tuple[int, int]]]  # the receiver's set -> type -> the action, and where it leads


def intuitive_failures(positions: VerifierPositions, rows: Sequence[Row]) -> Iterator[str]:
    """The types that would gain by a message that is not sent and that would make them known, in words."""
    types, messages = _read_signals(positions)
    owner = {h: positions.information_sets[h].player for h in types}
    gets = {h: expectation(positions, tuple(rows), {at: 1})[owner[h]] for h, at in types.items()}
    for heard, sent in messages.items():
        if any(rows[h][k] for h, (k, _) in sent.items()):
            continue
        pays = {
            h: [_end(positions, after, reply) for reply in range(len(positions.information_sets[heard].actions))]
            for h, (_, after) in sent.items()
        }
        receiver = positions.information_sets[heard].player
        own = {h: [vector[1 - receiver] for vector in vectors] for h, vectors in pays.items()}
        replies = _best_for_some([[vector[receiver] for vector in vectors] for vectors in pays.values()])
        left = [h for h in sent if gets[h] <= max(own[h][reply] for reply in replies)]
        if not left:
            continue
        replies = _best_for_some([[vector[receiver] for vector in pays[h]] for h in left])
        for h in left:
            gain = min(own[h][reply] for reply in replies) - gets[h]
            if gain > 0:
                found = positions.information_sets[h]
                never = " and ".join(positions.information_sets[g].name for g in sent if g not in left) or "no type"
                yield (
                    f"{found.actions[sent[h][0]]}, which is not sent, would never pay {never}; "
                    f"{positions.players[found.player]} at {found.name} would gain {gain} at least by it"
                )


def _read_signals(positions: VerifierPositions) -> tuple[Mapping[int, int], Messages]:
    """The types (information set -> position), and the messages that the receiver hears. Raises Unchecked if the game
    is no signalling game."""
    start = positions.nodes[0]
    types = {positions.sets[at]: at for at in positions.successors[0] if isinstance(start, Chance)}
    sets = positions.information_sets
    if not types or None in types or any(sets[h].members != [at] for h, at in types.items() if h is not None):
        raise Unchecked("chance does not draw a type that the sender knows")
    if len(positions.players) != 2 or len({sets[h].player for h in types if h is not None}) > 1:
        raise Unchecked("there is not one sender and one receiver")
    messages: Messages = {}
    for h, at in types.items():
        assert h is not None
        for k, after in enumerate(positions.successors[at]):
            heard, node = positions.sets[after], positions.nodes[after]
            if heard is not None and h in messages.get(heard, {}):
                raise Unchecked("the receiver does not tell two messages of a type apart")
            if heard is not None and isinstance(node, Decision) and node.player != sets[h].player:
                messages.setdefault(heard, {})[h] = k, after
            elif not isinstance(node, Terminal):
                raise Unchecked("after a message the receiver does not always reply")
    return {h: at for h, at in types.items() if h is not None}, messages


def _end(positions: VerifierPositions, after: int, reply: int) -> tuple[Number, ...]:
    """The payoffs of both players after a reply to a message. Raises Unchecked if play goes on."""
    node = positions.nodes[positions.successors[after][reply]]
    if not isinstance(node, Terminal):
        raise Unchecked("play goes on after the receiver's reply")
    return tuple(map(require_number, node.utilities))


def _best_for_some(pays: Sequence[Sequence[Number]]) -> list[int]:
    """The replies, by number, that are best for some belief about types; `pays` has a row for each type, with the
    receiver's payoff for each reply."""
    replies = range(len(pays[0]))
    return [reply for reply in replies if matrix_game([[own[k] - own[reply] for own in pays] for k in replies])[0] <= 0]


# Are beliefs limits of what follows by Bayes' rule from ever smaller trembles (Kreps and Wilson 1982)?
#
# Where an action is not played, let it be played c · t^n times in a while, c > 0 and n at least one, as t goes to
# zero. A position then comes up as often as chance, the probabilities of what is played and the numbers c on the way
# make it, times t to the sum of the numbers n on the way. So the beliefs are the limits just if
#
# 1. numbers n can be had for which the positions believed in have the least sum of their information set, and no others
#    do: inequalities without constants, so that solutions in fractions do, multiplied;
# 2. numbers c can be had for which the positions of each set come up in proportion to the belief: products of powers
#    of them are to be given numbers. One equation is multiplied into the others until each has a c of its own: then
#    what is left over says that 1 is 1, or that there are none.
#
# That trembles of this form are enough is lemma A1 of Kreps and Wilson, Sequential equilibria, Econometrica 50, 1982
# (proved by Streufert, and by Kohlberg and Reny, J. Econ. Theory 75, 1997).

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
    wrong = _unequal_beliefs(arrivals, beliefs)
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
    actions = list(dict.fromkeys(action for one in arrivals for action in one.unplayed))
    rarer: list[list[int]] = []
    alike: list[list[int]] = []

    def compare(often: int, other: int, rows: list[list[int]]) -> None:
        """Add a row that is negative, or 0, if the sum on the way to `often` is less than that to `other`, or the
        same."""
        ahead, behind = arrivals[often].unplayed, arrivals[other].unplayed
        rows.append([ahead[action] - behind[action] for action in actions])

    for belief, found in zip(beliefs, positions.information_sets, strict=True):
        first, *others = belief
        for other in others:
            compare(first, other, alike)
            compare(other, first, alike)
        for member in found.members:
            if member not in belief and arrivals[member].often:
                compare(first, member, rarer)
    return has_positive_weights([*rarer, *alike], len(rarer))


def _unequal_beliefs(arrivals: Sequence[_Arrival], beliefs: Sequence[Mapping[int, Number]]) -> list[int]:
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
        equations = [eliminate_step(next(iter(powers)), one, (powers, side, sets)) for one in equations]
    return []


def eliminate_step(step: Step, one: Equation, other: Equation) -> Equation:
    """The first equation, multiplied by a power of the other one, so that `step` no longer occurs in it."""
    powers, side, sets = one
    if step not in powers:
        return one
    common = gcd(powers[step], other[0][step])
    up, down = other[0][step] // common, powers[step] // common
    left = {a: powers.get(a, 0) * up - other[0].get(a, 0) * down for a in powers | other[0]}
    return {a: power for a, power in left.items() if power}, side**up / other[1] ** down, sorted({*sets, *other[2]})

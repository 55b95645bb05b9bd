"""A profile held against a concept of the table of plans: which condition fails, for whom, by which deviation.

The best commitment, the mutant that invades, the coalition that would leave and what it would do, the plan that
dominates, the combination of a greater sum: each is found as the solver of the concept finds it. What a player plays in
a tree is taken as the mixture of plans that does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import log

from gdl.errors import LimitReached, Refusal, listing
from gdl.game import Number, exact
from gdl.numbers import brief
from gdl.solution import Profile
from gdl.solvers.equilibria.behaviour import pure_behaviour, write_profile
from gdl.solvers.equilibria.bimatrix import Mix
from gdl.solvers.equilibria.logit import LogitCurve, in_proportion
from gdl.solvers.equilibria.regret import complete_behaviour, expectation
from gdl.solvers.equilibria.strategic_form import StrategicForm, strategic_form
from gdl.solvers.equilibria.verdicts import ConceptCondition, ConceptVerdict, ProfileCase, best_replies, better_reply
from gdl.solvers.strategic.coalitions import MOST_PLAYERS, CoalitionValue, coalition_value
from gdl.solvers.strategic.commitment import CommitmentSearch
from gdl.solvers.strategic.evolutionary import against, invading, symmetric_matrix
from gdl.solvers.strategic.properness import properness
from gdl.solvers.strategic.tables import dominating
from gdl.solvers.strategic.team import TeamPlanSearch
from gdl.solvers.strategic.trembles import judge_trembles

TOLD = 6  # joint plans of a mixture that are listed
NEAR = 1e-9  # error of a probability in floating point that counts as none


def _form(case: ProfileCase, concept: str) -> StrategicForm:
    """The table of plans. Raises Refusal if it is too large; `concept` is named there."""
    try:
        return strategic_form(case.positions, budget=case.budget)
    except LimitReached as large:
        case.budget.check_time()
        why = str(large).partition(";")[0]
        raise Refusal(f"{concept} is judged by the table of plans, which is too large: {why}") from None


def _two(case: ProfileCase, concept: str) -> None:
    if len(case.positions.players) != 2:
        raise Refusal(
            f"{concept} is a concept of games of two; {case.positions.game} has {len(case.positions.players)}"
        )


def _text(form: StrategicForm, player: int, mix: Sequence[Number]) -> str | None:
    """`bet 1/3 and check 2/3`, or the name of the one plan; None in a tree, where names of plans are long."""
    if len(form.positions.sets_of(player)) > 1:
        return None
    played = [(form.name(player, plan), weight) for plan, weight in enumerate(mix) if weight]
    if len(played) == 1:
        return played[0][0]
    return listing((f"{name} {brief(exact(weight))}" for name, weight in played), most=len(played))


def _strategy(form: StrategicForm, mixes: Mapping[int, Sequence[Number]]) -> Profile:
    """The strategies of some players from their mixtures of plans, silent where their own play never leads."""
    nothing = [mixes.get(player, (0,) * len(form.plans[player])) for player in form.players]
    profile = write_profile(form.positions, form.behaviour([tuple(mix) for mix in nothing]))
    return {player: sets for player, sets in profile.items() if sets}


def _pure(form: StrategicForm, player: int, plan: int) -> Mix:
    return tuple(int(k == plan) for k in range(len(form.plans[player])))


# -- commitment -------------------------------------------------------------------------------------------------------


def _commitment(case: ProfileCase) -> ConceptVerdict:
    """Judge a commitment: the follower replies best, ties go to the leader, and no other mixture is worth more to
    announce."""
    _two(case, "commitment")
    positions, leader = case.positions, case.leader
    follower = 1 - leader
    leads, follows = positions.players[leader], positions.players[follower]
    behaviour = complete_behaviour(positions, case.behaviour)
    value, form = expectation(positions, behaviour), _form(case, "commitment")
    better = better_reply(case._replace(behaviour=behaviour), follower, value[follower], 0, "best reply")
    conditions = [better or ConceptCondition("best reply", True, words=f"{follows} gains by no other reply")]
    if better is None:
        conditions.append(_tie(form, form.mix(leader, behaviour), leader, value))
    search = CommitmentSearch(form, leader)
    search.search(case.budget)
    assert search.worth is not None
    more = exact(search.worth - value[leader])
    if more > 0:
        mixture = _text(form, leader, search.mixture)
        strategy = _strategy(form, {leader: search.mixture, follower: _pure(form, follower, search.reply)})
        words = f"{leads} would rather announce another mixture, and {follows} reply to it"
        conditions.append(ConceptCondition("best commitment", False, leads, None, mixture, more, words, strategy))
    elif more == 0:
        words = f"nothing that {leads} could announce is worth more"
        conditions.append(ConceptCondition("best commitment", True, words=words))
    return ConceptVerdict("commitment", tuple(conditions))


def _tie(form: StrategicForm, mix: Mix, leader: int, value: Sequence[Number]) -> ConceptCondition:
    """The condition that none of the follower's best replies is better for the leader than the one that is played."""
    follower = 1 - leader
    leads, follows = form.positions.players[leader], form.positions.players[follower]
    pays = [[_average(form, mix, leader, reply, player) for player in (leader, follower)]
            for reply in range(len(form.plans[follower]))]  # fmt: skip
    most = max(own for _, own in pays)
    reply = max((k for k, (_, own) in enumerate(pays) if own == most), key=lambda k: pays[k][0])
    gain = exact(pays[reply][0] - value[leader])
    if gain <= 0:
        return ConceptCondition("ties", True, words=f"no other best reply of {follows} is better for {leads}")
    mixed = _pure(form, follower, reply)
    words = f"another reply is as good for {follows}, and better for {leads}"
    strategy = _strategy(form, {follower: mixed})
    return ConceptCondition("ties", False, follows, None, _text(form, follower, mixed), gain, words, strategy)


def _average(form: StrategicForm, mix: Mix, leader: int, reply: int, player: int) -> Number:
    """A player's average payoff if the leader draws a plan from `mix` and the follower plays `reply`."""
    cells = ((lead, reply) if leader == 0 else (reply, lead) for lead in range(len(mix)))
    return sum((weight * form.payoffs[cell][player] for weight, cell in zip(mix, cells, strict=True)), Fraction(0))


# -- evolutionary -----------------------------------------------------------------------------------------------------


def _evolutionary(case: ProfileCase) -> ConceptVerdict:
    """Judge evolutionary stability: both play the same strategy, it is a best reply to itself, and no other best reply
    does as well against itself."""
    _two(case, "evolutionary")
    form = _form(case, "evolutionary")
    matrix = symmetric_matrix(form)
    behaviour = complete_behaviour(case.positions, case.behaviour)
    first, second = (form.mix(player, behaviour) for player in (0, 1))
    one, other = case.positions.players
    if first != second:
        words = f"{one} and {other} do not play the same"
        return ConceptVerdict("evolutionary", (ConceptCondition("the same strategy", False, other, words=words),))
    mine = tuple(map(Fraction, first))
    conditions = [ConceptCondition("the same strategy", True, words="both play the same")]
    replies = list(best_replies(case._replace(behaviour=behaviour), 0, "best reply"))
    conditions += replies
    if all(reply.holds for reply in replies):
        conditions.append(_resisting(form, matrix, mine))
    return ConceptVerdict("evolutionary", tuple(conditions))


def _resisting(form: StrategicForm, matrix: list[list[Fraction]], mine: tuple[Fraction, ...]) -> ConceptCondition:
    """The condition that every mutant fares worse than the mixture."""
    pays = [sum((a * x for a, x in zip(row, mine, strict=True)), Fraction(0)) for row in matrix]
    replies = [i for i, payoff in enumerate(pays) if payoff == max(pays)]
    change = invading(matrix, [i for i, x in enumerate(mine) if x], replies)
    if change is None:
        return ConceptCondition(
            "stability", True, words="every mutant does worse than it, once there are a few of them"
        )
    step = min((mine[i] / -z for i, z in change.items() if z < 0), default=Fraction(1))
    mixed = tuple(x + step * change.get(i, 0) for i, x in enumerate(mine))
    pure = [tuple(Fraction(int(k == i)) for k in range(len(mine))) for i in replies]
    mutants = [y for y in (*pure, mixed) if y != mine and against(matrix, y, y) >= against(matrix, mine, y)]
    own, met = against(matrix, mutants[0], mutants[0]), against(matrix, mine, mutants[0])
    words = f"some mutants get {brief(own)} against each other, and it gets {brief(met)} against them"
    name, strategy = _text(form, 0, mutants[0]), _strategy(form, {0: mutants[0]})
    return ConceptCondition("stability", False, None, None, name, exact(own - met), words, strategy)


# -- coalition --------------------------------------------------------------------------------------------------------


def _coalition(case: ProfileCase) -> ConceptVerdict:
    """Judge if the payoffs lie in the core: no coalition secures more than its members get together."""
    return division(case, expectation(case.positions, complete_behaviour(case.positions, case.behaviour)))


def division(case: ProfileCase, shares: Sequence[Number]) -> ConceptVerdict:
    """Judge whether a division of payoffs, one share per player, lies in the core."""
    count = len(case.positions.players)
    if count > MOST_PLAYERS:
        raise Refusal(f"coalition looks at every set of players, of {MOST_PLAYERS} at most; there are {count}")
    return ConceptVerdict("coalition", tuple(_leaving(_form(case, "coalition"), shares, case)))


def _leaving(form: StrategicForm, value: Sequence[Number], case: ProfileCase) -> Iterator[ConceptCondition]:
    failed = False
    for size in range(1, len(value) + 1):
        for members in combinations(form.players, size):
            found = coalition_value(form, members, case.budget)
            gets = exact(sum((value[p] for p in members), Fraction(0)))
            if found.worth > gets:
                failed = True
                yield _worse_off(form, members, gets, found)
    if not failed:
        yield ConceptCondition("core", True, words="no coalition secures more than its members get together")


def _worse_off(form: StrategicForm, members: tuple[int, ...], gets: Number, found: CoalitionValue) -> ConceptCondition:
    """The failed condition of a coalition that gets less than it secures, with the joint plan that secures it (in a
    matrix, the mixture of plans)."""
    names = listing(form.positions.players[p] for p in members)
    verb, secures = ("gets", "secures") if len(members) == 1 else ("get", "secure together")
    if len(members) == len(form.positions.players):
        secures = "could get"
    words = f"{names} {verb} {brief(gets)}, and {secures} {brief(found.worth)}"
    texts = {row: [_text(form, p, _pure(form, p, k)) for p, k in zip(members, row, strict=True)] for row in found.plans}
    short = {row: ", ".join(text or "" for text in told) for row, told in texts.items() if None not in told}
    deviation = listing(
        (short[row] if weight == 1 else f"({short[row]}) {brief(weight)}" for row, weight in found.plans.items()
         if row in short), most=TOLD,
    ) if short else None  # fmt: skip
    strategy = None
    if len(members) == 1 or len(found.plans) == 1:
        mixes = {p: [exact(sum((w for row, w in found.plans.items() if row[at] == k), Fraction(0)))
                     for k in range(len(form.plans[p]))] for at, p in enumerate(members)}  # fmt: skip
        strategy = _strategy(form, mixes)
    elif deviation:
        words += f" by drawing {deviation}"
    return ConceptCondition("core", False, names, None, deviation, exact(found.worth - gets), words, strategy)


# -- the greatest sum -------------------------------------------------------------------------------------------------


def _greatest_sum(case: ProfileCase, concept: str) -> ConceptVerdict:
    """Judge if no combination of plans pays more in sum."""
    positions = case.positions
    behaviour = complete_behaviour(positions, case.behaviour)
    paid = sum(expectation(positions, behaviour), Fraction(0))
    search = TeamPlanSearch(positions, None, case.budget)
    search.run()
    gain = exact(search.worth - paid)
    if not gain:
        return ConceptVerdict(concept, (ConceptCondition("greatest sum", True, words="no plans pay more in sum"),))
    best = pure_behaviour(positions, search.best)
    h = next(h for h, (row, other) in enumerate(zip(behaviour, best, strict=True)) if row != other)
    found = positions.information_sets[h]
    who, action = positions.players[found.player], found.actions[search.best[h]]
    words = f"all together get {brief(exact(paid))}, and could get {brief(exact(search.worth))}"
    strategy = write_profile(positions, best)
    return ConceptVerdict(
        concept, (ConceptCondition("greatest sum", False, who, found.name, action, gain, words, strategy),)
    )


# -- perfect ----------------------------------------------------------------------------------------------------------


def _perfect(case: ProfileCase) -> ConceptVerdict:
    """Judge perfection. With two players: an equilibrium in which nobody plays what is weakly dominated."""
    if len(case.positions.players) > 2:
        return _of_several(case, "perfect")
    form, behaviour = _form(case, "perfect"), complete_behaviour(case.positions, case.behaviour)
    conditions = list(best_replies(case._replace(behaviour=behaviour), 0, "best reply"))
    for player in form.players:
        better = dominating(form, player, form.mix(player, behaviour), case.budget)
        if better is not None:
            conditions.append(_domination_condition(form, player, better))
    if all(one.condition != "no dominated plan" for one in conditions):
        conditions.append(ConceptCondition("no dominated plan", True, words="nobody plays what is weakly dominated"))
    return ConceptVerdict("perfect", tuple(conditions))


def _domination_condition(form: StrategicForm, player: int, better: Mix) -> ConceptCondition:
    who = form.positions.players[player]
    words = f"another strategy never pays {who} less than this one, and sometimes more"
    name, strategy = _text(form, player, better), _strategy(form, {player: better})
    return ConceptCondition("no dominated plan", False, who, None, name, None, words, strategy)


def _of_several(case: ProfileCase, concept: str) -> ConceptVerdict:
    """Judge, with three players or more, if an equilibrium is perfect or proper: a limit of play with mistakes."""
    form, behaviour = _form(case, concept), complete_behaviour(case.positions, case.behaviour)
    conditions = list(best_replies(case._replace(behaviour=behaviour), 0, "best reply"))
    if not all(one.holds for one in conditions):
        return ConceptVerdict(concept, tuple(conditions))
    found = judge_trembles(form, concept, [form.mix(player, behaviour) for player in form.players], case.budget)
    if found.player is not None and found.dominating is not None:
        return ConceptVerdict(concept, (*conditions, _domination_condition(form, found.player, found.dominating)))
    rare = ", the costlier as the rarer," if concept == "proper" else ""
    who = plan = strategy = None
    if found.holds:
        words = f"somebody may err now and then{rare} so that nobody gains by playing otherwise"
    elif found.holds is None:
        words = f"mistakes{rare} that support it were neither found nor ruled out"
    elif found.player is None or found.plan is None:
        words = f"however they err now and then{rare or ','} somebody would rather play otherwise"
    else:
        who, better = case.positions.players[found.player], _pure(form, found.player, found.plan)
        words = f"however the others err now and then{rare or ','} {who} would rather play otherwise"
        plan, strategy = _text(form, found.player, better), _strategy(form, {found.player: better})
    return ConceptVerdict(
        concept, (*conditions, ConceptCondition("trembles", found.holds, who, None, plan, None, words, strategy))
    )


def _proper(case: ProfileCase) -> ConceptVerdict:
    """Judge properness. With two players: a perfect equilibrium for which mistakes can be ranked, costlier ones as
    rarer ones."""
    if len(case.positions.players) > 2:
        return _of_several(case, "proper")
    perfect = _perfect(case)
    if perfect.holds is False:
        return replace(perfect, concept="proper")
    form, behaviour = _form(case, "proper"), complete_behaviour(case.positions, case.behaviour)
    first, second = (form.mix(player, behaviour) for player in form.players)
    found = properness(form.tables(), (first, second), case.budget)
    name = "rarer mistakes"
    who, other = (
        (None, None) if found.player is None else (case.positions.players[p] for p in (found.player, 1 - found.player))
    )
    if found.holds:
        words = "mistakes can be ranked so that of two the costlier is far rarer, and nobody gains by that"
    elif found.holds is None:
        words = "mistakes can be ranked in too many ways to try them all"
    elif found.player is None:
        words = "however mistakes are ranked, the costlier ones as the rarer, somebody would rather play otherwise"
    else:
        words = f"however {other}'s mistakes are ranked, the costlier as the rarer, {who} would rather play otherwise"
    plan = strategy = None
    if found.player is not None and found.plan is not None:
        better = _pure(form, found.player, found.plan)
        plan, strategy = _text(form, found.player, better), _strategy(form, {found.player: better})
    failing = ConceptCondition(name, found.holds, who, None, plan, None, words, strategy)
    return ConceptVerdict("proper", (*perfect.conditions, failing))


# -- quantal ----------------------------------------------------------------------------------------------------------


def _quantal(case: ProfileCase) -> ConceptVerdict:
    """Judge the logit equilibrium: each action is played in proportion to exp(lambda times its payoff), at one lambda
    for all: the given one, or the one that the clearest choice shows."""
    positions = case.positions
    curve = LogitCurve(positions, case.budget)
    rows = [[float(share) for share in row or ()] for row in complete_behaviour(positions, case.behaviour)]
    pays = curve.pays(rows)
    rate = _implied_lambda(rows, pays) if case.rate is None else case.rate
    misses = []
    for h, (row, own) in enumerate(zip(rows, pays, strict=True)):
        meant = in_proportion(rate, own)
        misses += [
            (abs(share - right), -h, -k, share, right) for k, (share, right) in enumerate(zip(row, meant, strict=True))
        ]
    most, h, k, share, right = max(misses)
    told = f"{rate:.6g}"
    if most <= NEAR:
        words = f"every action is played in proportion to exp({told} times what it pays), to {most:.1g}"
        return ConceptVerdict("quantal", (ConceptCondition("logit response", True, words=words),))
    found = positions.information_sets[-h]
    who, action = positions.players[found.player], found.actions[-k]
    words = (
        f"with lambda {told} {who} would play {action} at {found.name} with probability {right:.6g}, not {share:.6g}"
    )
    return ConceptVerdict("quantal", (ConceptCondition("logit response", False, who, found.name, action, None, words),))


def _implied_lambda(rows: Sequence[Sequence[float]], pays: Sequence[Sequence[float]]) -> float:
    """The lambda that follows from the two played actions of one information set whose payoffs differ most; 0 if all
    are alike."""
    pairs = [
        (own[a] - own[b], row[a] / row[b])
        for row, own in zip(rows, pays, strict=True)
        for a in range(len(row))
        for b in range(len(row))
        if row[a] > 0 < row[b] and own[a] > own[b]
    ]
    if not pairs:
        return 0.0
    gain, ratio = max(pairs)
    return max(0.0, log(ratio) / gain)


JUDGES: Mapping[str, Callable[[ProfileCase], ConceptVerdict]] = {
    "commitment": _commitment,
    "evolutionary": _evolutionary,
    "coalition": _coalition,
    "perfect": _perfect,
    "proper": _proper,
    "quantal": _quantal,
    "team": partial(_greatest_sum, concept="team"),
    "welfare": partial(_greatest_sum, concept="welfare"),
}

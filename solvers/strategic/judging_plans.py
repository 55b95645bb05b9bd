"""A profile held against a concept of the table of plans: which condition fails, for whom, by which deviation.

The best commitment, the mutant that invades, the coalition that would leave and what it would do, the plan that
dominates, the combination of a greater sum: each is found as the solver of the concept finds it. What a player plays in
a tree is taken as the mixture of plans that does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
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
from gdl.solvers.strategic.evolutionary import against, invading, replies_to, symmetric_matrix
from gdl.solvers.strategic.properness import properness
from gdl.solvers.strategic.tables import dominating
from gdl.solvers.strategic.team_plans import TeamPlanSearch
from gdl.solvers.strategic.trembles import judge_trembles

TOLD = 6  # joint plans of a mixture that are listed
NEAR = 1e-9  # error of a probability in floating point that counts as none

Found = Iterator[ConceptCondition]  # the conditions of a concept, as a profile meets them that says all that is done


def _form(case: ProfileCase, concept: str) -> StrategicForm:
    """The table of plans. Raises Refusal if it is too large; `concept` is named there."""
    try:
        return strategic_form(case.positions, budget=case.budget)
    except LimitReached as large:
        case.budget.check_time()
        why = str(large).partition(";")[0]
        raise Refusal(f"{concept} is judged by the table of plans, which is too large: {why}") from None


def _two(case: ProfileCase, concept: str) -> tuple[str, ...]:
    """The two players of the game. Raises Refusal if it has another number of them."""
    players = case.positions.players
    if len(players) != 2:
        raise Refusal(f"{concept} is a concept of games of two; {case.positions.game} has {len(players)}")
    return players


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


def _rather(
    form: StrategicForm, condition: str, player: int, mix: Sequence[Number], words: str, gain: Number | None = None
) -> ConceptCondition:
    """The failed condition of a player who would rather play a mixture of plans, with the gain if it is known."""
    who, strategy = form.positions.players[player], _strategy(form, {player: mix})
    return ConceptCondition(condition, False, who, None, _text(form, player, mix), gain, words, strategy)


# -- commitment -------------------------------------------------------------------------------------------------------


def _commitment(case: ProfileCase) -> Found:
    """A commitment: the follower replies best, ties go to the leader, and no other mixture is worth more."""
    players, leader = _two(case, "commitment"), case.leader
    leads, follows = players[leader], players[1 - leader]
    value, form = expectation(case.positions, case.behaviour), _form(case, "commitment")
    better = better_reply(case, 1 - leader, value[1 - leader], 0, "best reply")
    yield better or ConceptCondition("best reply", True, words=f"{follows} gains by no other reply")
    if better is None:
        yield _tie(form, form.mix(leader, case.behaviour), leader, value)
    search = CommitmentSearch(form, leader)
    search.search(case.budget)
    assert search.worth is not None
    more = exact(search.worth - value[leader])
    if more > 0:
        words = f"{leads} would rather announce another mixture, and {follows} reply to it"
        other = _strategy(form, {leader: search.mixture, 1 - leader: _pure(form, 1 - leader, search.reply)})
        yield _rather(form, "best commitment", leader, search.mixture, words, more)._replace(strategy=other)
    elif more == 0:
        yield ConceptCondition("best commitment", True, words=f"nothing that {leads} could announce is worth more")


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
    words = f"another reply is as good for {follows}, and better for {leads}"
    return _rather(form, "ties", follower, _pure(form, follower, reply), words, gain)


def _average(form: StrategicForm, mix: Mix, leader: int, reply: int, player: int) -> Number:
    """A player's average payoff if the leader draws a plan from `mix` and the follower plays `reply`."""
    cells = ((lead, reply) if leader == 0 else (reply, lead) for lead in range(len(mix)))
    return sum((weight * form.payoffs[cell][player] for weight, cell in zip(mix, cells, strict=True)), Fraction(0))


# -- evolutionary -----------------------------------------------------------------------------------------------------


def _evolutionary(case: ProfileCase) -> Found:
    """Evolutionary stability: both play the same strategy, it is a best reply to itself, and no other best reply does
    as well against itself."""
    one, other = _two(case, "evolutionary")
    form = _form(case, "evolutionary")
    matrix = symmetric_matrix(form)
    mine, yours = (tuple(map(Fraction, form.mix(player, case.behaviour))) for player in (0, 1))
    if mine != yours:
        yield ConceptCondition("the same strategy", False, other, words=f"{one} and {other} do not play the same")
        return
    yield ConceptCondition("the same strategy", True, words="both play the same")
    replies = list(best_replies(case, 0, "best reply"))
    yield from replies
    if not all(reply.holds for reply in replies):
        return
    best = replies_to(matrix, mine)
    change = invading(matrix, [i for i, x in enumerate(mine) if x], best)
    if change is None:
        yield ConceptCondition("stability", True, words="every mutant does worse than it, once there are a few of them")
        return
    step = min((mine[i] / -z for i, z in change.items() if z < 0), default=Fraction(1))
    mixed = tuple(x + step * change.get(i, 0) for i, x in enumerate(mine))
    pure = [tuple(map(Fraction, _pure(form, 0, i))) for i in best]
    mutant = next(y for y in (*pure, mixed) if y != mine and against(matrix, y, y) >= against(matrix, mine, y))
    own, met = against(matrix, mutant, mutant), against(matrix, mine, mutant)
    words = f"some mutants get {brief(own)} against each other, and it gets {brief(met)} against them"
    yield _rather(form, "stability", 0, mutant, words, exact(own - met))._replace(player=None)


# -- coalition --------------------------------------------------------------------------------------------------------


def _coalition(case: ProfileCase) -> Found:
    """The payoffs lie in the core: no coalition secures more than its members get together."""
    yield from division(case, expectation(case.positions, case.behaviour)).conditions


def division(case: ProfileCase, shares: Sequence[Number]) -> ConceptVerdict:
    """Judge whether a division of payoffs, one share per player, lies in the core."""
    count = len(case.positions.players)
    if count > MOST_PLAYERS:
        raise Refusal(f"coalition looks at every set of players, of {MOST_PLAYERS} at most; there are {count}")
    failed, form = [], _form(case, "coalition")
    for members in (members for size in range(1, count + 1) for members in combinations(form.players, size)):
        found = coalition_value(form, members, case.budget)
        gets = exact(sum((shares[p] for p in members), Fraction(0)))
        if found.worth > gets:
            failed.append(_worse_off(form, members, gets, found))
    none = ConceptCondition("core", True, words="no coalition secures more than its members get together")
    return ConceptVerdict("coalition", tuple(failed or [none]))


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
    weighed = ((text, found.plans[row]) for row, text in short.items())
    told = (text if weight == 1 else f"({text}) {brief(weight)}" for text, weight in weighed)
    deviation = listing(told, most=TOLD) if short else None
    strategy = None
    if len(members) == 1 or len(found.plans) == 1:
        mixes = {p: [exact(sum((w for row, w in found.plans.items() if row[at] == k), Fraction(0)))
                     for k in range(len(form.plans[p]))] for at, p in enumerate(members)}  # fmt: skip
        strategy = _strategy(form, mixes)
    elif deviation:
        words += f" by drawing {deviation}"
    return ConceptCondition("core", False, names, None, deviation, exact(found.worth - gets), words, strategy)


# -- the greatest sum -------------------------------------------------------------------------------------------------


def _greatest_sum(case: ProfileCase) -> Found:
    """No combination of plans pays more in sum."""
    positions, behaviour = case.positions, case.behaviour
    paid = sum(expectation(positions, behaviour), Fraction(0))
    search = TeamPlanSearch(positions, None, case.budget)
    search.run()
    gain = exact(search.worth - paid)
    if not gain:
        yield ConceptCondition("greatest sum", True, words="no plans pay more in sum")
        return
    best = pure_behaviour(positions, search.best)
    h = next(h for h, (row, other) in enumerate(zip(behaviour, best, strict=True)) if row != other)
    found = positions.information_sets[h]
    who, action = positions.players[found.player], found.actions[search.best[h]]
    words = f"all together get {brief(exact(paid))}, and could get {brief(exact(search.worth))}"
    strategy = write_profile(positions, best)
    yield ConceptCondition("greatest sum", False, who, found.name, action, gain, words, strategy)


# -- perfect and proper -----------------------------------------------------------------------------------------------


def _perfect(case: ProfileCase, concept: str = "perfect") -> Found:
    """A perfect equilibrium. With two players: one in which nobody plays what is weakly dominated."""
    form = _form(case, concept)
    mixes = [form.mix(player, case.behaviour) for player in form.players]
    replies = list(best_replies(case, 0, "best reply"))
    yield from replies
    if len(mixes) > 2:
        if all(one.holds for one in replies):
            yield _trembling(case, form, concept, mixes)
        return
    found = [(player, dominating(form, player, mix, case.budget)) for player, mix in enumerate(mixes)]
    failed = [_domination(form, player, better) for player, better in found if better is not None]
    yield from failed or [ConceptCondition("no dominated plan", True, words="nobody plays what is weakly dominated")]


def _domination(form: StrategicForm, player: int, better: Mix) -> ConceptCondition:
    words = f"another strategy never pays {form.positions.players[player]} less than this one, and sometimes more"
    return _rather(form, "no dominated plan", player, better, words)


def _trembling(case: ProfileCase, form: StrategicForm, concept: str, mixes: Sequence[Mix]) -> ConceptCondition:
    """The condition, with three players or more, that an equilibrium is a limit of play with mistakes."""
    found = judge_trembles(form, concept, mixes, case.budget)
    if found.player is not None and found.dominating is not None:
        return _domination(form, found.player, found.dominating)
    rare = ", the costlier as the rarer," if concept == "proper" else ""
    if found.player is not None and found.plan is not None:
        who = case.positions.players[found.player]
        words = f"however the others err now and then{rare or ','} {who} would rather play otherwise"
        return _rather(form, "trembles", found.player, _pure(form, found.player, found.plan), words)
    words = {
        True: f"somebody may err now and then{rare} so that nobody gains by playing otherwise",
        None: f"mistakes{rare} that support it were neither found nor ruled out",
        False: f"however they err now and then{rare or ','} somebody would rather play otherwise",
    }[found.holds]
    return ConceptCondition("trembles", found.holds, words=words)


def _proper(case: ProfileCase) -> Found:
    """A proper equilibrium. With two players: a perfect one for which mistakes can be ranked, costlier ones as rarer
    ones."""
    perfect = list(_perfect(case, "proper" if len(case.positions.players) > 2 else "perfect"))
    yield from perfect
    if len(case.positions.players) > 2 or not all(one.holds for one in perfect):
        return
    form, name = _form(case, "proper"), "rarer mistakes"
    first, second = (form.mix(player, case.behaviour) for player in form.players)
    found = properness(form.tables(), (first, second), case.budget)
    words = {
        True: "mistakes can be ranked so that of two the costlier is far rarer, and nobody gains by that",
        None: "mistakes can be ranked in too many ways to try them all",
        False: "however mistakes are ranked, the costlier ones as the rarer, somebody would rather play otherwise",
    }[found.holds]
    if found.player is None:
        yield ConceptCondition(name, found.holds, words=words)
        return
    who, other = (case.positions.players[p] for p in (found.player, 1 - found.player))
    words = f"however {other}'s mistakes are ranked, the costlier as the rarer, {who} would rather play otherwise"
    if found.plan is None:
        yield ConceptCondition(name, False, who, words=words)
    else:
        yield _rather(form, name, found.player, _pure(form, found.player, found.plan), words)


# -- quantal ----------------------------------------------------------------------------------------------------------


def _quantal(case: ProfileCase) -> Found:
    """A logit equilibrium: each action is played in proportion to exp(lambda times its payoff), at one lambda for all:
    the given one, or the one that the clearest choice shows."""
    rows = [[float(share) for share in row or ()] for row in case.behaviour]
    pays = LogitCurve(case.positions, case.budget).pays(rows)
    rate = _implied_lambda(rows, pays) if case.rate is None else case.rate
    meant = [in_proportion(rate, own) for own in pays]
    most, h, k = max((abs(share - meant[h][k]), -h, -k) for h, row in enumerate(rows) for k, share in enumerate(row))
    told = f"{rate:.6g}"
    if most <= NEAR:
        words = f"every action is played in proportion to exp({told} times what it pays), to {most:.1g}"
        yield ConceptCondition("logit response", True, words=words)
        return
    found, share, right = case.positions.information_sets[-h], rows[-h][-k], meant[-h][-k]
    who, action = case.positions.players[found.player], found.actions[-k]
    words = (
        f"with lambda {told} {who} would play {action} at {found.name} with probability {right:.6g}, not {share:.6g}"
    )
    yield ConceptCondition("logit response", False, who, found.name, action, None, words)


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


Judge = Callable[[ProfileCase], ConceptVerdict]


def _judge_by(conditions: Callable[[ProfileCase], Found]) -> Judge:
    """The judge of profiles by the conditions of a concept."""

    def judge(case: ProfileCase) -> ConceptVerdict:
        behaviour = complete_behaviour(case.positions, case.behaviour)
        return ConceptVerdict(case.concept, tuple(conditions(case._replace(behaviour=behaviour))))

    return judge


judge_commitment = _judge_by(_commitment)
judge_evolutionary = _judge_by(_evolutionary)
judge_coalition = _judge_by(_coalition)
judge_perfect = _judge_by(_perfect)
judge_proper = _judge_by(_proper)
judge_quantal = _judge_by(_quantal)
judge_greatest_sum = _judge_by(_greatest_sum)

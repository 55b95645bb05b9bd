"""Judging a profile: everyone's possible gain by deviating, and the conditions of a concept that it meets.

In detail it is told how often each node and information set is reached, what is believed there, what everyone gets from
there on, what each action pays, and what its player could gain by another action at this set alone.

1. Chances of the nodes, from the start down; beliefs follow by Bayes' rule, and there are none where play never leads.
2. Payoffs from the ends up: of a node by the profile, of an action on average over the belief.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl import wings
from gdl.concepts import installed_concept
from gdl.errors import DamagedData, LimitReached, Refusal, clean
from gdl.formats.answer import START, read_profile
from gdl.formats.solve_answer import JudgeAnswer, JudgedNode, JudgedSet, ProfileJudgement
from gdl.game import Chance, Game, Number, Terminal, exact, require_number
from gdl.numbers import brief
from gdl.playing.concept_conditions import condition_lines, conditions_of
from gdl.render.strategies import align_columns, rename_information_sets
from gdl.solution import NUMBER, Profile

if TYPE_CHECKING:
    from gdl.solvers.equilibria.behaviour import Behaviour
    from gdl.solvers.equilibria.positions import PositionGraph
    from gdl.solvers.equilibria.regret import Judgement
    from gdl.solvers.equilibria.verdicts import ConceptVerdict


MOST_LINES = 20  # conditions that a text shows
LIMIT = 1_000_000  # positions that are looked at, unless a limit is given
TOLD = 20_000  # positions of a game up to which gaining deviations are listed


class CandidateProfile(NamedTuple):
    """A profile to be judged: its name ("" if it is the only one), and the beliefs that came with it (None: no
    beliefs)."""

    name: str
    profile: Profile
    beliefs: Profile | None = None


class ProfileReport(NamedTuple):
    """The findings on a profile: possible gains, by player and information set the deviating actions that bring them,
    and the verdict on a concept (None: none was asked for)."""

    name: str
    judgement: Judgement
    deviations: Mapping[str, Mapping[str, str]]
    verdict: ConceptVerdict | None
    positions: PositionGraph | None  # None where play comes back to positions
    details: ProfileDetails | None = None


class ConceptRequest(NamedTuple):
    """The concept that a profile is held against (None: only gains are computed), the index of the player who commits
    where one does, the lambda of a quantal response equilibrium (`rate`), and if details are wanted."""

    concept: str | None
    leader: int = 0
    rate: float | None = None
    in_detail: bool = False


def judge_profile(game: Game[Any], held: CandidateProfile, sought: ConceptRequest, most: int) -> ProfileReport:
    """Judge one profile by the concept that was asked for, looking at `most` positions at most."""
    concept = sought.concept
    if comes_back(game):
        if sought.in_detail:
            raise Refusal("--details are told of games whose positions cannot come again")
        judgement, gained, verdict = wings.hook("judging play that comes back")(game, held.profile, concept, most)
        return ProfileReport(held.name, judgement, gained, verdict, None)
    from gdl.solvers.budget import Budget
    from gdl.solvers.equilibria.behaviour import read_profile as behaviour_of
    from gdl.solvers.equilibria.concept_judges import judge_profile as judge_by_concept
    from gdl.solvers.equilibria.named_beliefs import read_beliefs
    from gdl.solvers.equilibria.positions import explore
    from gdl.solvers.equilibria.regret import judge
    from gdl.solvers.equilibria.verdicts import deviations

    positions = explore(game, Budget(most))
    behaviour = behaviour_of(positions, with_named_sets(positions, held.profile))
    details = ProfileDetails(positions, behaviour) if sought.in_detail else None
    if game.traits.perfect_recall is False and concept in (None, "nash"):
        from gdl.solvers.imperfect_information.pure_plans import judge_forgetful

        judgement = judge_forgetful(positions, behaviour, Budget(most))
        return ProfileReport(held.name, judgement, {}, None, positions, details)
    judgement = judge(positions, behaviour)
    sets = positions.information_sets
    gained = {
        who: {sets[h].name: sets[h].actions[k] for h, k in deviations(positions, behaviour, player).items()}
        for player, who in enumerate(game.players)
        if judgement.regret[player] and (positions.count <= TOLD or concept is not None)
    }
    verdict = None
    if concept is not None:
        beliefs = None if held.beliefs is None else read_beliefs(positions, held.beliefs)
        verdict = judge_by_concept(concept, positions, behaviour, beliefs, leader=sought.leader, rate=sought.rate)
    return ProfileReport(held.name, judgement, gained, verdict, positions, details)


def comes_back(game: Game[Any]) -> bool:
    """True if play comes back to positions: the game pays rewards on the way, or is known to be cyclic."""
    return game.promises.rewards is not None or bool(game.traits.cyclic)


def with_named_sets(positions: PositionGraph, profile: Profile) -> Profile:
    """The profile with the names of information sets in place of their numbers, if it numbers them."""
    known = {found.name for found in positions.information_sets}
    if not any(name.startswith(NUMBER) for sets in profile.values() for name in sets.keys() - known):
        return profile
    numbered = {
        who: {f"{NUMBER}{k}": name for k, name in enumerate(own, 1)} for who, own in sets_in_order(positions).items()
    }
    return rename_information_sets(profile, numbered)


def judge_record(game: Game[Any], judged: list[ProfileReport]) -> JudgeAnswer:
    """The record of the judgement of one profile; of several, the judgement of the worst one with those of all beside
    it."""
    worst = max(judged, key=lambda found: (_fails(found), found.judgement.nash_conv))
    several = [ProfileJudgement(**_judgement(game, one)) for one in judged] if len(judged) > 1 else None
    return JudgeAnswer(**_judgement(game, worst), profiles=several)


def _judgement(game: Game[Any], found: ProfileReport) -> dict[str, Any]:
    """The findings on a profile as fields; with a verdict, also the conditions of the concept and the beliefs with
    which they hold."""
    from gdl.solvers.equilibria.named_beliefs import write_beliefs

    judgement, verdict = found.judgement, found.verdict
    told: dict[str, Any] = {
        "value": dict(zip(game.players, judgement.value, strict=True)),
        "regret": dict(zip(game.players, judgement.regret, strict=True)),
        "nash_conv": judgement.nash_conv,
        "at_least": judgement.at_least or None,
    }
    if found.details is not None:
        told |= {"sets": found.details.sets(), "nodes": list(found.details.nodes())}
    if verdict is None:
        return told
    told |= {"deviations": found.deviations or None, **conditions_of(verdict)}
    if verdict.beliefs is not None and found.positions is not None:
        told["beliefs"] = write_beliefs(found.positions, verdict.beliefs)
    return told


def _fails(found: ProfileReport) -> bool:
    """True if the profile is no equilibrium in the sense that was asked for."""
    return bool(found.judgement.nash_conv) if found.verdict is None else found.verdict.holds is False


def _is_open(found: ProfileReport) -> bool:
    """True if gdl does not know if the profile is an equilibrium of the kind that was asked for."""
    if found.verdict is None:
        return bool(found.judgement.at_least) and not _fails(found)
    return found.verdict.holds is None


def judgement_summary(judged: list[ProfileReport], concept: str | None) -> str:
    row = installed_concept(concept or "")
    called = () if row is None else row.called
    one, more = called or (f"{concept or ''} equilibrium".lstrip(), f"{concept or ''} equilibria".lstrip())
    article = "an" if one[0] in "aeio" else "a"
    unknown = [found for found in judged if _is_open(found)]
    none = [found for found in judged if _fails(found)]
    if len(judged) == 1:
        if unknown:
            return f"Whether this is {article} {one} is not known."
        return f"This is no {one}." if none else f"This is {article} {one}."
    if not none and not unknown:
        return f"All {len(judged)} are {more}."
    said = f"{len(none)} of {len(judged)} {f'is no {one}' if len(none) == 1 else f'are no {more}'}."
    return f"{said} Of {len(unknown)} it is not known." if unknown else said


def judgement_text(game: Game[Any], found: ProfileReport) -> str:
    """The text of everyone's payoff and possible gain, and of the conditions of the concept, headed by the profile's
    name if it has one."""
    from gdl.states.set_names import set_names

    names = set_names(game, _mentioned_sets(found))
    judgement = found.judgement
    tried = dict.fromkeys(judgement.at_least, ", as far as was tried,")  # deviations of those who forget
    lines = [
        f"{player} gets {brief(value)} and could gain {'at least ' if gain and player in tried else ''}"
        f"{brief(gain) if gain else 'nothing' + tried.get(player, '')} by deviating"
        f"{_by_what(found.deviations.get(player, {}), names.get(player, {}))}."
        for player, value, gain in zip(game.players, judgement.value, judgement.regret, strict=True)
    ]
    if found.verdict is not None:
        lines += ["", *(line for one in found.verdict.conditions[:MOST_LINES] for line in condition_lines(one, names))]
        more = len(found.verdict.conditions) - MOST_LINES
        lines += [f"… {more:,} more (--json has them all)"] if more > 0 else []
    if found.details is not None:
        lines += ["", *detail_lines(found.details.sets(), set_names(game))]
    return "\n".join(map(clean, [*([f"{found.name}:"] if found.name else []), *lines]))


def _mentioned_sets(found: ProfileReport) -> dict[str, set[str]]:
    """The information sets that a report mentions, by player."""
    named = {player: set(sets) for player, sets in found.deviations.items()}
    for one in () if found.verdict is None else found.verdict.conditions:
        if one.player and one.information_set:
            named.setdefault(one.player, set()).add(one.information_set)
        for player, sets in (one.strategy or {}).items():
            named.setdefault(player, set()).update(sets)
    return named


def _by_what(deviations: Mapping[str, str], names: Mapping[str, str]) -> str:
    """The first deviation, as in `: bet at holding 3, after check`; at the start the action alone; "" if there is
    none."""
    if not deviations:
        return ""
    name, action = next(iter(deviations.items()))
    return f": {action}" if name == START else f": {action} at {names.get(name, name)}"


def is_saved_answer(data: Any, game: Game[Any]) -> bool:
    """True if the data is a saved answer, or a part of one, rather than a profile alone."""
    keys = ("solver", "equilibria")
    return isinstance(data, Mapping) and any(key in data and key not in game.players for key in keys)


def read_profiles(game: Game[Any], data: Any, most: int = LIMIT) -> Iterator[CandidateProfile]:
    """The profiles to judge in data as `gdl solve --json` writes it: a profile alone, or the strategy and all
    equilibria of an answer. A lone one has the name "". Without data (None): uniformly random play."""
    if data is None:
        from gdl.solvers.equilibria.regret import uniform

        random_play = wings.hook("random play that comes back") if comes_back(game) else uniform
        yield CandidateProfile("", random_play(game, limit=most))
        return
    if not is_saved_answer(data, game):
        yield CandidateProfile("", read_profile(data, game.players))
        return
    listed = data.get("equilibria") or []
    beliefs = data.get("beliefs") or []
    if not isinstance(listed, list) or not isinstance(beliefs, list):
        raise DamagedData("the answer's equilibria, or its beliefs, are no list")
    found = [("The strategy", data["strategy"], None)] if data.get("strategy") else []
    pairs = zip_longest(listed, beliefs[: len(listed)])
    found += [(f"Equilibrium {number}", one, held) for number, (one, held) in enumerate(pairs, start=1)]
    if not found:
        raise Refusal("the answer tells no strategy and no equilibrium, and only these are judged")
    for name, one, held in found:
        told = None if held is None else read_profile(held, game.players)
        yield CandidateProfile(name if len(found) > 1 else "", read_profile(one, game.players), told)


# ---- A profile in detail -------------------------------------------------------------------------------------------


MOST_NODES = 20_000  # of a game whose profiles are shown in detail
Payoffs = tuple[Number, ...] | None  # of everyone; None where the profile is silent


class ProfileDetails:
    """The chances, beliefs and payoffs of a profile."""

    def __init__(self, positions: PositionGraph, behaviour: Behaviour):
        from gdl.solvers.equilibria.position_paths import PositionPaths, follows, reach_probabilities

        if positions.count > MOST_NODES:
            raise LimitReached(f"a profile is told node by node of {MOST_NODES:,} nodes at most")
        self.positions, self.behaviour = positions, behaviour
        self.names = PositionPaths(positions).names
        self.reached = reach_probabilities(positions, behaviour)
        self.beliefs = follows(positions, behaviour)
        self.payoffs = self._payoffs()

    def _payoffs(self) -> list[Payoffs]:
        """The expected payoffs of all players from each position; None where the profile does not say how to play."""
        found: list[Payoffs] = [None] * self.positions.count
        for position in reversed(range(self.positions.count)):
            node, h = self.positions.nodes[position], self.positions.sets[position]
            if isinstance(node, Terminal):
                found[position] = tuple(map(require_number, node.utilities))
                continue
            row = [share for _, share in node.outcomes] if isinstance(node, Chance) else None
            shares = row if h is None else self.behaviour[h]
            after = [found[successor] for successor in self.positions.successors[position]]
            found[position] = None if shares is None else _weighted_average(shares, after)
        return found

    def nodes(self) -> Iterator[JudgedNode]:
        """The name of each node, the probability of reaching it and everyone's payoff from there on; the start
        first."""
        for position, paid in enumerate(self.payoffs):
            value = None if paid is None else dict(zip(self.positions.players, paid, strict=True))
            yield JudgedNode(self.names[position], self.reached.get(position, 0), value)

    def sets(self) -> Mapping[str, Mapping[str, JudgedSet]]:
        """The details of each information set, by player and by the set's name."""
        told: dict[str, dict[str, JudgedSet]] = {player: {} for player in self.positions.players}
        for h, found in enumerate(self.positions.information_sets):
            told[self.positions.players[found.player]][found.name] = self._set(h)
        return {player: sets for player, sets in told.items() if sets}

    def _set(self, h: int) -> JudgedSet:
        found, belief = self.positions.information_sets[h], self.beliefs.get(h)
        reached = exact(sum((self.reached.get(m, 0) for m in found.members), Fraction(0)))
        if belief is None:
            return JudgedSet(reached)
        shares = list(belief.values())

        def pays(places: Sequence[int]) -> Number | None:
            paid = _weighted_average(shares, [self.payoffs[place] for place in places])
            return None if paid is None else paid[found.player]

        value = pays(list(belief))
        actions = {
            action: pays([self.positions.successors[m][k] for m in belief]) for k, action in enumerate(found.actions)
        }
        known = [paid for paid in actions.values() if paid is not None]
        regret = None if value is None or len(known) < len(actions) else exact(max(known) - value)
        by_name = {self.names[m]: belief.get(m, 0) for m in found.members}
        return JudgedSet(reached, by_name, value, actions, regret)


def _weighted_average(shares: Sequence[Number], payoffs: Sequence[Payoffs]) -> Payoffs:
    """The average payoffs by shares; None where a payoff whose share is not 0 is unknown."""
    pairs = [(share, paid) for share, paid in zip(shares, payoffs, strict=True) if share]
    known = [(share, paid) for share, paid in pairs if paid is not None]
    if len(known) < len(pairs):
        return None
    players = range(len(known[0][1]))
    return tuple(exact(sum((share * Fraction(paid[p]) for share, paid in known), Fraction(0))) for p in players)


def detail_lines(sets: Mapping[str, Mapping[str, JudgedSet]], names: Mapping[str, Mapping[str, str]]) -> list[str]:
    """A table of the information sets, with the belief below each that has several nodes. `names`: by player, the names
    of sets in texts."""
    rows = [["", "reached", "gets", "gains", "actions pay"]]
    for player, own in sets.items():
        for name, one in own.items():
            called = names.get(player, {}).get(name, name)
            paid = ", ".join(f"{action} {_amount_text(amount)}" for action, amount in (one.actions or {}).items())
            rows.append(
                [f"{player} at {called}", brief(one.reached), _amount_text(one.value), _amount_text(one.regret), paid]
            )
            if one.belief is not None and len(one.belief) > 1:
                held = ", ".join(f"{node} {brief(share)}" for node, share in one.belief.items())
                rows.append([f"    believes: {held}"])
    width = max(map(len, rows))
    table = iter(align_columns([row for row in rows if len(row) == width]))
    return [clean(next(table).rstrip() if len(row) == width else row[0]) for row in rows]


def _amount_text(amount: Number | None) -> str:
    return "?" if amount is None else brief(amount)


def sets_in_order(positions: PositionGraph) -> dict[str, list[str]]:
    """The names of each player's information sets, in the order in which a depth-first walk meets them."""
    met: dict[int, None] = {}
    seen: set[int] = set()
    stack = [0]
    while stack:
        position = stack.pop()
        if position in seen:
            continue
        seen.add(position)
        h = positions.sets[position]
        if h is not None:
            met.setdefault(h)
        stack.extend(reversed(positions.successors[position]))
    names: dict[str, list[str]] = {player: [] for player in positions.players}
    for h in met:
        found = positions.information_sets[h]
        names[positions.players[found.player]].append(found.name)
    return names

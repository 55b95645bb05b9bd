r"""`gdl judge` of answers that are no profile of a game that ends.

A correlated plan is judged by who would do other than recommended; a division among coalitions by which of them would
leave, and with what gain; and, where play comes back to positions, a profile of strategies that look at the position
alone by who would leave it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gdl.errors import DamagedData, Refusal, clean, listing
from gdl.formats.solve_answer import JudgeAnswer
from gdl.game import Game, exact
from gdl.numbers import brief, to_text
from gdl.playing.concept_conditions import condition_lines, conditions_of
from gdl.solution import Profile
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.positions import MOST_POSITIONS, explore
from gdl.solvers.equilibria.regret import Judgement
from gdl.solvers.equilibria.verdicts import ConceptCondition, ConceptVerdict, ProfileCase
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.claim import read_claim
from gdl.solvers.verify.plans import drawn_by, gains, plans_of
from gdl.solvers.verify.stationary import Process, StationaryJudgement
from gdl.solvers.verify.verdict import Unchecked


def judge_draws(game: Game[Any], answer: Mapping[str, Any]) -> tuple[JudgeAnswer, str]:
    """Judge a correlated plan: everyone's payoff and possible gain, for JSON and as text. A player gains by the best
    reply to each recommendation, or, if the plan is coarse, by opting out for one plan beforehand. Raises Refusal where
    gains cannot be worked out."""
    case = VerifierCase(game, read_claim(answer), MOST_POSITIONS)
    try:
        drawn, plans = drawn_by(case), plans_of(case)
    except Unchecked as why:
        raise Refusal(f"what could be gained is not worked out: {why}") from None
    value = [
        exact(sum((c * plans.table[cell][p] for cell, c in drawn.items()), Fraction(0)))
        for p in range(len(game.players))
    ]
    best: dict[tuple[int, int | None], tuple[Fraction, int]] = {}
    for (player, told, other), gain in gains(case, drawn):
        if gain > 0 and gain > best.get((player, told), (Fraction(0), 0))[0]:
            best[player, told] = gain, other
    regret = [
        exact(sum((g for (p, _), (g, _) in best.items() if p == player), Fraction(0))) for player in range(len(value))
    ]
    kind = "coarse correlated" if case.claim.concept == "coarse-correlated" else "correlated"
    names = [{k: name for name, k in own.items()} for own in plans.by_name]
    lines = [f"This is {'no' if best else 'a'} {kind} equilibrium.", ""]
    for player, who in enumerate(game.players):
        could = to_text(regret[player]) if regret[player] else "nothing"
        lines.append(f"{who} gets {to_text(value[player])} and could gain {could} by deviating.")
        for (p, told), (gain, other) in best.items():
            if p == player:
                where = "whatever is recommended" if told is None else f"where {names[p][told]} is recommended"
                lines.append(f"    {names[p][other]} {where}: {to_text(exact(gain))}")
    judgement = JudgeAnswer(
        value=dict(zip(game.players, value, strict=True)),
        regret=dict(zip(game.players, regret, strict=True)),
        nash_conv=exact(sum(regret, Fraction(0))),
    )
    return judgement, "\n".join(map(clean, lines))


def judge_shares(game: Game[Any], answer: Mapping[str, Any]) -> tuple[JudgeAnswer, str]:
    """Judge if the shares of a saved answer (by the Shapley value) lie in the core, for JSON and as text. Raises
    DamagedData where the answer does not give each player a share."""
    from gdl.solvers.strategic.judging_plans import division

    value = read_claim(answer).value or {}
    if set(value) != set(game.players):
        raise DamagedData("the answer does not say what each player gets")
    shares = [exact(Fraction(value[player])) for player in game.players]
    verdict = division(ProfileCase(explore(game), (), None, Budget()), shares)
    said = f"This division {'lies' if verdict.holds else 'does not lie'} in the core."
    gets = listing(f"{player} {brief(share)}" for player, share in zip(game.players, shares, strict=True))
    lines = [line for one in verdict.conditions for line in condition_lines(one, {})]
    gained = {player: value[player] for player in game.players}
    told = JudgeAnswer(value=gained, regret=None, nash_conv=None, **conditions_of(verdict))
    return told, "\n".join(map(clean, [said, "", f"It gives {gets}.", "", *lines]))


# possible gains with their deviations, and the verdict on the concept, if one was asked for
StationaryReport = tuple[Judgement, Mapping[str, Mapping[str, str]], ConceptVerdict | None]


def judge_stationary(game: Game[Any], profile: Profile, concept: str | None, most: int) -> StationaryReport:
    """Judge one profile of a game in which play comes back to positions: from the start, or for subgame-perfect from
    every position on. With `concept` None only gains are computed; `most` bounds the positions. Raises Refusal for
    other concepts."""
    if concept not in (None, "nash", "subgame-perfect"):
        raise Refusal(f"where play comes back to positions, {concept} is not judged; nash and subgame-perfect are")
    try:
        found = StationaryJudgement(Process(game, most), profile, everywhere=concept == "subgame-perfect")
    except Unchecked as why:
        raise _untold(game, why) from None
    gained: dict[str, dict[str, str]] = {}
    failing: list[ConceptCondition] = []
    for player, name, action, gain in found.gains():
        who = game.players[player]
        if who not in gained and (found.regret[player] or concept == "subgame-perfect"):
            words = f"{who} would rather play {action} at {name}"
            failing.append(ConceptCondition("best reply", False, who, name, action, gain, words))
        gained.setdefault(who, {})[name] = action
    fine = ConceptCondition("best reply", True, words="nobody gains by another strategy")
    verdict = None if concept is None else ConceptVerdict(concept, tuple(failing) or (fine,))
    leaving = {who: sets for who, sets in gained.items() if found.regret[game.players.index(who)]}
    return Judgement(game.players, found.value, found.regret), leaving, verdict


def uniform(game: Game[Any], *, limit: int) -> Profile:
    """The profile in which everyone acts uniformly at random, in a game of `limit` positions at most."""
    try:
        return Process(game, limit).uniform()
    except Unchecked as why:
        raise _untold(game, why) from None


def _untold(game: Game[Any], why: Unchecked) -> Refusal:
    return Refusal(f"what could be gained in {game.name} is not worked out: {why}")

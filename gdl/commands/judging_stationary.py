"""gdl judge where play comes back to positions: profiles of strategies that look at the position alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gdl.errors import Refusal
from gdl.game import Game, Number
from gdl.solution import Profile
from gdl.solvers.equilibria.regret import Judgement
from gdl.solvers.equilibria.verdicts import ConceptCondition, ConceptVerdict
from gdl.solvers.verify.stationary import Process, StationaryJudgement
from gdl.solvers.verify.verdict import Unchecked


class StationaryReport(NamedTuple):
    """What could be gained, by what; and the verdict on a concept that was asked for."""

    judgement: Judgement
    deviations: Mapping[str, Mapping[str, str]]
    verdict: ConceptVerdict | None


def judge_profile(game: Game[Any], profile: Profile, concept: str | None, most: int) -> StationaryReport:
    """Judge one profile: from the start, or for subgame-perfect from every position on."""
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
            failing.append(_fails_at(who, name, action, gain))
        gained.setdefault(who, {})[name] = action
    verdict = None if concept is None else _verdict(concept, failing)
    leaving = {who: sets for who, sets in gained.items() if found.regret[game.players.index(who)]}
    return StationaryReport(found.judgement(), leaving, verdict)


def uniform(game: Game[Any], *, limit: int) -> Profile:
    """The profile in which everyone acts uniformly at random."""
    try:
        return Process(game, limit).uniform()
    except Unchecked as why:
        raise _untold(game, why) from None


def _untold(game: Game[Any], why: Unchecked) -> Refusal:
    return Refusal(f"what could be gained in {game.name} is not worked out: {why}")


def _fails_at(player: str, name: str, action: str, gain: Number) -> ConceptCondition:
    words = f"{player} would rather play {action} at {name}"
    return ConceptCondition("best reply", False, player, name, action, gain, words)


def _verdict(concept: str, failing: list[ConceptCondition]) -> ConceptVerdict:
    """Whether anybody gains: from the start, or from any position on."""
    fine = ConceptCondition("best reply", True, words="nobody gains by another strategy")
    return ConceptVerdict(concept, tuple(failing) or (fine,))

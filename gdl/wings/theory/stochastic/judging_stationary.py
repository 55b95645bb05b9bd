"""`gdl judge` where play comes back to positions: who would leave a profile of strategies that look at the position
alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.errors import Refusal
from gdl.game import Game
from gdl.solution import Profile
from gdl.solvers.equilibria.regret import Judgement
from gdl.solvers.equilibria.verdicts import ConceptCondition, ConceptVerdict
from gdl.wings.verify.stationary import Process, StationaryJudgement
from gdl.wings.verify.verdict import Unchecked

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
        raise _refuse_unchecked(game, why) from None
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
        raise _refuse_unchecked(game, why) from None


def _refuse_unchecked(game: Game[Any], why: Unchecked) -> Refusal:
    return Refusal(f"what could be gained in {game.name} is not worked out: {why}")

"""gdl verify."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gdl import wings
from gdl.commands import console, engines, saved_answer
from gdl.commands.game_argument import read_json, takes_game, takes_transform, takes_weights
from gdl.commands.help_pages import Command
from gdl.commands.limiting import Limits, briefly, takes_limits
from gdl.commands.profile_estimates import GRACE_SECONDS, SECONDS, has_sums, sample_plays
from gdl.errors import DamagedData, GameError, Interrupted, LimitReached, clean, count_text
from gdl.errors.shares import ESTIMATE_SHARE
from gdl.game import Game
from gdl.model.games import Model
from gdl.playing import profile_judging
from gdl.playing.loading import Asked
from gdl.wings.verify.answers import VerifierFinding, VerifyAnswer

if TYPE_CHECKING:
    from gdl.wings.verify.question_claims import SavedClaim
    from gdl.wings.verify.verifier import VerifierVerdict

POSITIONS_A_SECOND = 20_000  # positions that a check may look at for each second of --time


@click.command(cls=Command)
@console.takes_json("Print what was checked as one JSON object.")
@takes_limits("time", "memory")
@takes_transform
@takes_game
@takes_weights
@click.argument("answer")
def verify(asked: Asked, answer: str, limits: Limits) -> int:
    """Check a saved answer.

    ANSWER is the output of gdl solve --json or gdl ask --json, in a file or, as -, on the standard input. It is checked
    against the game, no matter who found it or how. Settings, variant and position are those of the answer, unless they
    are given here. What cannot be checked is named. A folder is a table made by gdl solve --table.
    """
    if Path(answer).is_dir():
        status: int = wings.hook("verify of a table")(asked.game, Path(answer), limits, _tell_of_table)
        return status
    from gdl.wings.verify.position_graph import MOST_POSITIONS
    from gdl.wings.verify.verifier import Finding, VerifierVerdict, verify_at_once
    from gdl.wings.verify.verifier import verify as checked

    data = read_json(answer)
    try:
        asked = saved_answer.as_the_answer_has_it(asked, data)
    except DamagedData as other:
        _tell_verdict(VerifierVerdict(False, "The answer is wrong.", (Finding(False, (), str(other)),)))
        return 1
    played: Game[Any] = engines.offer(asked.game, "auto", limits.room)
    if isinstance(data, Mapping) and isinstance(question := data.get("question"), str):
        claim = _read_claim(asked, question, data, limits)
        if claim.contradiction:
            wrong = Finding(False, ("answer",), f"the answer contradicts itself: {claim.contradiction}")
            _tell_verdict(VerifierVerdict(False, "The answer is wrong.", (wrong,)))
            return 1
        played, data = claim.game, claim.answer
    try:
        _ = played.traits  # no limit is set on them
        with limits.sparing(ESTIMATE_SHARE).enforce():
            concept = data.get("concept") if isinstance(data, Mapping) else None
            own, takes = saved_answer.origin(asked), saved_answer.takes(played, concept)
            most = max(MOST_POSITIONS, int(POSITIONS_A_SECOND * (limits.seconds or 0)))
            verdict = engines.falling_back(lambda: checked(played, data, limit=most, origin=own, takes=takes), played)
    except (LimitReached, Interrupted) as stop:
        with briefly(stop):
            so_far = stop.partial if isinstance(stop.partial, VerifierVerdict) else verify_at_once(played, data)
            at_once = isinstance(stop, Interrupted)
            _tell_verdict(_with_plays(played, data, so_far, at_once))
        if not so_far.ok:
            return 1
        raise
    _tell_verdict(verdict)
    if verdict.ok and verdict.limit is not None:
        raise LimitReached(verdict.limit)
    return 0 if verdict.ok else 1


def _read_claim(asked: Asked, question: str, answer: Mapping[str, Any], limits: Limits) -> SavedClaim:
    """A saved answer to a question, as a claim about the game in which the question is solved. Raises DamagedData where
    it is none of this game."""
    from gdl.wings.verify import question_claims

    try:
        written, about = asked.read_question(question)
    except GameError as wrong:
        raise DamagedData(clean(f"the answer is of another game: {wrong.problems[0].message}")) from None

    def begin(model: Model) -> Game[Any]:
        return engines.offer(asked.begin_as(model), "auto", limits.room)  # and none to sides, whose rules are others

    return question_claims.read_claim(written, about, begin, answer)


def _with_plays(game: Game[Any], answer: Mapping[str, Any], verdict: VerifierVerdict, at_once: bool) -> VerifierVerdict:
    """The verdict of a check that was stopped, with a finding on the mean payoffs of simulated plays of the answer's
    strategy; `at_once` allows only a moment for these."""
    if not verdict.ok or not answer.get("strategy") or verdict.status("strategy") or not has_sums(game):
        return verdict
    from gdl.wings.verify.verifier import Finding

    profile = next(profile_judging.read_profiles(game, answer)).profile
    found = sample_plays(game, profile, GRACE_SECONDS if at_once else SECONDS)
    pays = ", ".join(f"{who} {mean:.4g}" for who, mean in zip(game.players, found.means, strict=True))
    error = f"standard error {max(found.errors):.2g}"
    said = f"{count_text(found.plays, 'play')} of the strategy paid {pays} on average ({error})"
    return replace(verdict, findings=(*verdict.findings, Finding(None, ("strategy",), said)))


def _tell_verdict(verdict: VerifierVerdict) -> None:
    found = [VerifierFinding(each.ok, each.fields, clean(each.text)) for each in verdict.findings]
    told = VerifyAnswer(verdict.ok, clean(verdict.headline), found)
    console.answer_as(lambda: told, lambda: "\n".join(map(clean, (verdict.headline, *verdict.lines))))


def _tell_of_table(ok: bool, verdict: str, extent: str = "") -> None:
    """Print the verdict on a table of a solved game, and of how much of the table it is."""
    found = [VerifierFinding(ok, ["table"], clean(extent))] if extent else []
    told = VerifyAnswer(ok, clean(verdict), found)
    console.answer_as(lambda: told, lambda: "\n".join(map(clean, (verdict, *([extent] if extent else [])))))

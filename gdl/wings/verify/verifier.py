"""The verifier: checks a saved answer again, knowing nothing of how it was found.

1. The answer must be of this game: by its fingerprint, its title, its players and its traits.
2. Strategies prove a value of constant sum from their own side: against each, the other's best response is computed.
3. Profiles are judged: an equilibrium has no regret. Whether a list of them is complete is found out anew.
4. With perfect information the value and the best actions are computed anew; otherwise a best action must be a best
   response to the other side's proved strategy.
5. The line must be legal play without a blunder, from a best action to the end.
6. What the answer says of a textbook's search (nodes, pruned subtrees, its record) is compared with a run of it.

Whatever is not checked, for want of time, room or a way to do it, is named: no field of an answer is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gdl.errors import Interrupted, listing
from gdl.game import Game
from gdl.wings.verify import identity, value
from gdl.wings.verify.case import STOPS, VerifierCase, VerifierCheck
from gdl.wings.verify.claim import AnswerClaim, read_claim
from gdl.wings.verify.fields import ALWAYS, CHECKS, checks
from gdl.wings.verify.position_graph import MOST_POSITIONS
from gdl.wings.verify.verdict import ANSWER, NOT_CHECKED, Finding, Misfit, VerifierVerdict, verdict_on

__all__ = ["Finding", "VerifierVerdict", "verify", "verify_at_once"]


def verify(
    game: Game[Any],
    answer: Mapping[str, Any],
    *,
    limit: int = MOST_POSITIONS,
    origin: Mapping[str, Any] | None = None,
    takes: identity.Takes | None = None,
) -> VerifierVerdict:
    """Check a `gdl solve --json` answer against the game, of which at most `limit` positions are looked at.

    `origin` is what an answer of this game would state of its origin (`gdl.formats.answer.to_object`): the fingerprint,
    the settings, the variant and the position. `takes` is a function of a solver's name: True if that solver takes the
    game, None if there is none of that name. Raises DamagedData if the answer is not in the form of `gdl solve --json`;
    Interrupted, with the verdict so far, where somebody stops the work.
    """
    claim = read_claim(answer)
    case = VerifierCase(game, claim, limit)
    findings: list[Finding] = []
    same: list[Finding] = []
    try:
        for finding in identity.check_identity(case, origin or {}, takes):
            same.append(finding)
        if any(finding.ok is False for finding in same):
            return verdict_on([finding for finding in same if finding.ok is False], claim)
        for row in (*ALWAYS, *checks(case, CHECKS)):
            _make(row, case, findings)
        findings += same
    except KeyboardInterrupt:
        raise Interrupted(_interrupted_verdict(case, findings, same)) from None
    return _final_verdict(case, findings)


def verify_at_once(game: Game[Any], answer: Mapping[str, Any]) -> VerifierVerdict:
    """The verdict of `verify` where it is stopped before its first check: what needs no position to be looked at."""
    return _interrupted_verdict(VerifierCase(game, read_claim(answer), 0), [], [])


def _make(row: VerifierCheck, case: VerifierCase, findings: list[Finding]) -> None:
    """Make one check. If it stops, the fields of the answer that it was for are reported as not checked, with the
    reason; they fail if they say something that cannot be said of this game."""
    try:
        for finding in row.check(case):
            findings.append(finding)
    except (*STOPS, Misfit) as why:
        fields = tuple(name for name in row.fields if name in case.claim.keys)
        if fields:
            ok = False if isinstance(why, Misfit) else None
            findings.append(Finding(ok, fields, f"{listing(fields)}: {str(why).splitlines()[0]}"))


def _interrupted_verdict(case: VerifierCase, findings: list[Finding], same: list[Finding]) -> VerifierVerdict:
    """The verdict after an interruption: the findings so far, and those that need no position to be looked at."""
    if checks(case) is CHECKS:
        findings += [] if findings else value.check_promised(case)
        if not any("value" in finding.fields for finding in findings):
            findings += value.within_promises(case)
    findings += same
    findings += _passed_over(case.claim, findings)
    return verdict_on(findings, case.claim, "interrupted")


def _final_verdict(case: VerifierCase, findings: list[Finding]) -> VerifierVerdict:
    """The verdict once all checks are made."""
    claim = case.claim
    findings += _passed_over(claim, findings)
    if claim.concept and not claim.exact and not any("exact" in finding.fields for finding in findings):
        findings.append(Finding(None, ("exact",), "whether there is better: the answer does not call itself exact"))
    proved = {field for finding in findings if finding.ok for field in finding.fields}
    unproved = [name for name in claim.keys if name in ANSWER and name not in proved]
    if claim.exact and unproved and all(finding.ok is not False for finding in findings):
        findings.append(Finding(None, ("exact",), f"that the answer is exact: {listing(unproved)}"))
    return verdict_on(findings, claim, case.stop_reason)


def _passed_over(claim: AnswerClaim, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Findings for the fields of the answer of which no check said anything: the wordings that nobody can check, and
    others."""
    told = {name for finding in findings for name in finding.fields}
    left = [name for name in claim.keys if name not in told and name not in ("schema", "exact")]
    words = [name for name in left if name in NOT_CHECKED]
    others = [name for name in left if name not in NOT_CHECKED]
    if others:
        yield Finding(None, tuple(others), listing(others, most=len(others)))
    if words:
        yield Finding(None, tuple(words), f"{listing(words)} (words, which nobody can check)")

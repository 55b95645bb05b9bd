"""Findings of the verifier: for every field of an answer, if it holds, fails or was not checked, and the verdict on the
answer as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gdl import wings
from gdl.errors import DamagedData, listing
from gdl.wings.verify.claim import AnswerClaim

# Fields that nobody checks, and on which nothing rests: how the answer was found, in words, and the title of the game.
# Of the solver it is checked that it exists, and takes the game.
NOT_CHECKED = ("solver", "reason", "notes", "limit", "options", "game")
# Counts that are not checked: those of a table, of a search with one, with random numbers or with threads; and of a
# game by rules, whose positions may be taken for one, if the compiled engine cannot number them once more.
COUNTS = ("nodes", "leaves", "states")
UNREPEATED = ("depth-limited", "proof-number", "mcts", "table")
MERGING = ("retrograde",)
# What may be an estimate, where the answer calls itself one: it is legal, and within the bounds.
ESTIMATED = ("value", "best", "line")
UNTIED = "whether other actions are as good"  # part of the note in an answer that did not look for ties
# Fields that say of which game the answer is.
ORIGIN = (
    "schema", "game", "fingerprint", "settings", "variant", "position", "after", "weights", "traits", "cost", "options",
)  # fmt: skip
CONCEPTS_OF_PLAIN_ANSWERS = ("nash", "subgame-perfect", "grundy")  # whose answers are put to the usual checks
ANSWERING = {"equilibria", "strategy", "distribution", "coalitions"}  # fields that say how to play
# Fields that are the answer. The others follow from it, or tell of the search that found it.
ANSWER = (
    "value", "interval", "secured", "best", "line", "equilibria", "complete", "distribution", "beliefs", "strategy",
    "unknowns", "conditions", "outcome", "grundy", "nimbers", "dominated",
)  # fmt: skip


class Finding(NamedTuple):
    """The result of one check of some fields: `ok` is True if they hold, False if not, None if they were not
    checked."""

    ok: bool | None
    fields: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{_WORDS[self.ok]}: {self.text}"


_WORDS = {True: "holds", False: "FAILS", None: "not checked"}


class Unchecked(Exception):
    """Raised where a check cannot be made; the message says why."""


class Misfit(DamagedData):
    """Raised where an answer speaks of what its game does not have, or does not say what it must; the message says
    which."""


@dataclass(frozen=True)
class VerifierVerdict:
    """The verifier's verdict on an answer: `ok` if nothing in it is wrong; a headline on the fields that hold and those
    that were not checked; and every finding. `limit`: what stopped the verifier or left fields open, if anything
    did."""

    ok: bool
    headline: str
    findings: tuple[Finding, ...]
    limit: str | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        """The findings as text, one a line."""
        return tuple(map(str, self.findings))

    def status(self, field: str) -> bool | None:
        """True if a field holds (everything checked, nothing left out), False if it fails, None if it was not fully
        checked."""
        found = [finding.ok for finding in self.findings if field in finding.fields]
        return False if False in found else None if None in found or not found else True


def verdict_on(findings: Sequence[Finding], claim: AnswerClaim, limit: str | None = None) -> VerifierVerdict:
    """The verdict that these findings make. If nothing is wrong but a field that should be checked was left open, the
    verdict has a limit."""
    ok = all(finding.ok is not False for finding in findings)
    order = [finding for kind in (False, True, None) for finding in findings if finding.ok is kind]
    left = dict.fromkeys(name for finding in findings if finding.ok is None for name in finding.fields)
    open_ = [name for name in left if name not in not_checked(claim)]
    if ok and open_:
        limit = f"{limit}; {_list_fields(open_)} left open" if limit else f"{_list_fields(open_)} left open"
    headline = _headline(findings, claim.exact) if ok else "The answer is wrong."
    return VerifierVerdict(ok, headline, tuple(order), limit)


def not_checked(claim: AnswerClaim) -> tuple[str, ...]:
    """The fields of an answer that need not be checked."""
    rows = {name: row for wing in wings.wings("solvers") for name, row in wing.solvers.items()}
    solver = claim.solver or ""
    by_chance = solver in rows and rows[solver].draws
    unrepeated = solver in (*UNREPEATED, *MERGING) or by_chance or claim.options.get("threads", 1) != 1
    unrepeated = unrepeated or wings.missing_wing("solvers", solver) is not None
    untied = any(UNTIED in note for note in claim.notes)
    estimated = () if claim.exact else (*ESTIMATED, "exact")
    return (*NOT_CHECKED, *(COUNTS if unrepeated else ()), *estimated, *(["best"] * untied))


def _headline(findings: Sequence[Finding], exact: bool) -> str:
    """The sentence on the fields that hold and on those that were not checked."""
    fields = dict.fromkeys(field for finding in findings for field in finding.fields)
    claims = [field for field in fields if field not in (*NOT_CHECKED, *ORIGIN, "exact")]
    if not claims:
        return "The answer states nothing that could be checked."
    holding = [field for field in claims if any(f.ok and field in f.fields for f in findings)]
    left = [field for field in claims if any(f.ok is None and field in f.fields for f in findings)]
    unchecked = _list_fields(f"part of {field}" if field in holding else field for field in left)
    if not left:
        return "The answer holds." if exact else "The estimate holds."
    if exact and not any(field in ANSWER and field not in holding for field in left):
        return f"The answer holds; not checked: {unchecked}."
    told = [field for field in holding if field in ANSWER] or holding
    held = f"{_list_fields(told)} {'holds' if len(told) == 1 else 'hold'}" if told else "nothing was proved"
    said = f"{held}; not checked: {unchecked}."
    return said[0].upper() + said[1:] if exact else f"An estimate: {said}"


def _list_fields(fields: Iterable[str]) -> str:
    return listing(fields, most=len(ANSWER))

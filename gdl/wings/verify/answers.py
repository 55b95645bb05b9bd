"""The answer of `gdl verify`."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.formats.answer_kinds import AnswerPart, AnswerRecord, Names


class VerifierFinding(AnswerPart):
    """The verifier's finding on some fields of an answer; `ok` null: they were not checked."""

    ok: bool | None
    fields_: Names
    text: str


class VerifyAnswer(AnswerRecord):
    """The verifier's judgement of a saved answer."""

    ok: bool
    verdict: str
    findings: Sequence[VerifierFinding]

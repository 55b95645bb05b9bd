"""The answer of `gdl explain`: the key of a search on a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from gdl.formats.answer_kinds import AnswerPart, AnswerRecord, ByPlayer, Count, CutRule, Names, SkippedSubtree, Texts


class KeyAnswer(AnswerPart, kw_only=True):
    """The answer key of a search on a tree."""

    solver: str
    rule: CutRule | None = None
    value: ByPlayer
    best: Annotated[Names, "as the search can know"]
    ties: Annotated[Names, "further actions that are as good"] = ()
    nodes: Annotated[Texts, "the search returns at each"]
    pruned: Sequence[SkippedSubtree]
    leaves: Count | None = None
    key: Annotated[str, "as a student would write it"]


class ExplainAnswer(KeyAnswer, AnswerRecord):
    """The answer key of a search on a tree, with the schema's number."""

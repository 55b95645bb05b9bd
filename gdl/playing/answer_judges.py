"""The judges of saved answers that tell something else than profiles, in a table by what they tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gdl import wings
from gdl.formats.solve_answer import JudgeAnswer
from gdl.game import Game

AnswerJudge = Callable[[Game[Any], Mapping[str, Any]], tuple[JudgeAnswer, str]]  # the judgement, for JSON and as text


class AnswerJudgeRow(NamedTuple):
    """The hook that judges an answer that has a certain key, and lacks another one."""

    has: str
    lacks: str
    hook: str


_ROWS = (
    AnswerJudgeRow("distribution", "", "judging a distribution of plans"),
    AnswerJudgeRow("coalitions", "equilibria", "judging shares of coalitions"),
)


def find_answer_judge(answer: Mapping[str, Any]) -> AnswerJudge | None:
    """The judge of a saved answer; None for one whose profiles are to be judged. Raises Refusal if the
    judge's wing is not installed."""
    for row in _ROWS:
        if answer.get(row.has) and not answer.get(row.lacks):
            judge: AnswerJudge = wings.hook(row.hook)
            return judge
    return None

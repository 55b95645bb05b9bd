"""The judges of saved answers that tell something else than profiles, in a table by what they tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from gdl.formats.solve_answer import JudgeAnswer
from gdl.game import Game

AnswerJudge = Callable[[Game[Any], Mapping[str, Any]], tuple[JudgeAnswer, str]]  # the judgement, for JSON and as text


class AnswerJudgeRow(NamedTuple):
    """The judge, as `module:function`, of an answer that has a certain key, and lacks another one."""

    has: str
    lacks: str
    judge: str


_ROWS = (
    AnswerJudgeRow("distribution", "", "gdl.playing.judging_draws:judge_draws"),
    AnswerJudgeRow("coalitions", "equilibria", "gdl.playing.judging_shares:judge_shares"),
)


def find_answer_judge(answer: Mapping[str, Any]) -> AnswerJudge | None:
    """The judge of a saved answer; None for one whose profiles are to be judged."""
    for row in _ROWS:
        if answer.get(row.has) and not answer.get(row.lacks):
            module, _, name = row.judge.partition(":")
            judge: AnswerJudge = getattr(import_module(module), name)
            return judge
    return None

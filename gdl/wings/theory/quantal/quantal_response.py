"""The part of an answer that is a quantal response equilibrium."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.formats import solve_answer as form
from gdl.formats.answer import is_matrix, profile_by_player
from gdl.record import Record
from gdl.solution import Profile, Solution, SolutionPart


class LambdaFit(Record):
    """The lambda of a quantal response at which counts of play (in the form of a profile) are most likely, with the
    logarithm of their likelihood and the standard error (None: not known)."""

    lambda_: float
    log_likelihood: float
    standard_error: float | None
    counts: Profile


class QuantalResponse(SolutionPart):
    """The record of quantal responses: by how much the probabilities, always `rounded`, miss the equations
    that they solve (`residual`), and the lambda at which counts of play are most likely (`fit`)."""

    rounded: bool = True
    residual: float | None = None
    fit: LambdaFit | None = None

    def restore_float(self, number: Any) -> Any:
        return number if isinstance(number, int) else float(number)

    def json_fields(self, answer: Solution) -> Mapping[str, Any]:
        if self.fit is None:
            return {}
        counts = profile_by_player(answer.players, self.fit.counts, is_matrix(answer))
        return {"fit": form.FittedLambda.fill_from(self.fit, counts=counts)}

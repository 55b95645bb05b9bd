"""Utopia: look at all ends, and take the best for each player."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gdl.game import Game, Terminal
from gdl.solution import Solution, SolutionPart
from gdl.solvers.budget import NO_LIMITS, SearchLimits
from gdl.solvers.equilibria.regret import expectation
from gdl.solvers.equilibria.verdicts import ConceptCondition, ConceptVerdict, ProfileCase
from gdl.solvers.solver import Solver
from gdl.states.explore import explore


class BestEnds(SolutionPart):
    """The record that one end is the best for all, or that none is (`reached`)."""

    reached: bool

    @property
    def says_something(self) -> bool:
        return True

    @property
    def summary(self) -> str:
        return "utopia" if self.reached else "no utopia"

    def facts(self, answer: Solution) -> Iterable[tuple[str, str]]:
        yield "utopia", "an end is the best for all" if self.reached else "no end is the best for all"

    def json_fields(self, answer: Solution) -> Mapping[str, Any]:
        return {"outcome": self.summary}


def utopia(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """The most that each player gets in any end."""
    ends = [node.utilities for node in explore(game).nodes if isinstance(node, Terminal)]
    most = tuple(map(max, zip(*ends, strict=True)))
    return replace(UTOPIA.answer(game), value=most, part=BestEnds(most in ends))


def judge_utopia(case: ProfileCase) -> ConceptVerdict:
    """A profile is of utopia if nobody could get more in any end."""
    ends = [node.utilities for node in case.positions.nodes if isinstance(node, Terminal)]
    most = tuple(map(max, zip(*ends, strict=True)))
    pays = expectation(case.positions, case.behaviour)
    return ConceptVerdict(case.concept, (ConceptCondition("best end", pays == most),))


UTOPIA = Solver(name="utopia", run=utopia, needs={"cyclic": False}, summary="the best end for each", concept="utopia")

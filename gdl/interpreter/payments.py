"""Payments of a position by the file: the terminal line that holds and pays, the evaluation, the quiet number."""

from __future__ import annotations

from gdl.errors import fault
from gdl.game import Bounds, Number, Terminal, broken_bound, exact
from gdl.interpreter.closures import Cells
from gdl.interpreter.evaluator import Evaluator
from gdl.interpreter.reward_totals import with_totals
from gdl.interpreter.state import State
from gdl.model.games import Clause, RulesModel


class Payments:
    """The numbers that a file gives to positions: utilities at the end, the evaluation, the number of quiet play."""

    def __init__(self, model: RulesModel, evaluator: Evaluator):
        self.model = model
        self._evaluator = evaluator
        self._clauses = [(evaluator.value(c.condition), evaluator.values(c.utilities), c) for c in model.clauses]
        self._unproved = _bounds_to_check(model)
        self._features = [(f.weight, evaluator.values(f.values), f) for f in model.features]
        if model.quiet is not None:
            self._quiet = evaluator.value(model.quiet.value)

    def find_ending(self, cells: Cells) -> tuple[Clause, Terminal] | None:
        """The first terminal clause that holds, with its utilities; None if play is not over."""
        for (condition, utilities, clause), bounds in zip(self._clauses, self._unproved, strict=True):
            frame = [None] * clause.frame
            if condition(cells, frame):
                paid = [utility(cells, frame) for utility in utilities]
                if None in paid:
                    raise fault("a utility is none here", clause.span, "ask for '!= none' in the test")
                end = Terminal(tuple(map(exact, paid)))
                if bounds and broken_bound(end.utilities, bounds):
                    told = broken_bound(end.utilities, self.model.bounds or bounds)  # as the file promises it
                    raise fault(told, clause.span, "correct the utility or the bound")
                return clause, end
        return None

    def estimate(self, state: State) -> tuple[Number, ...] | None:
        """The value of a state for each player by the file's evaluation, with the gains so far, or by a learned one;
        None where the file has no evaluation."""
        if self.model.learned is not None:
            found: tuple[Number, ...] = self.model.learned.estimate(state.turn, state.cells)
            return found
        if not self._features:
            return None
        totals: list[Number] = [0] * len(self.model.players)
        self._evaluator.work[0] = 0
        for weight, values, feature in self._features:
            for p, value in enumerate(values):
                term = value(list(state.cells), [None] * feature.frame)
                if term is None:
                    raise fault("a feature of the evaluation is none here", feature.span, "ask for '!= none' first")
                totals[p] += weight * term
        return with_totals(state.earned, tuple(exact(total) for total in totals))

    def quiet(self, state: State) -> Number | None:
        """The number of quiet play in a state; None where the state is not quiet, or the file does not say."""
        assert self.model.quiet is not None
        self._evaluator.work[0] = 0
        found: Number | None = self._quiet(list(state.cells), [None] * self.model.quiet.frame)
        return found


def _bounds_to_check(model: RulesModel) -> tuple[Bounds | None, ...]:
    """For each terminal clause, those bounds that the file promises and the rules do not prove, to be checked in play;
    None where there are none."""
    if model.bounds is None:
        return (None,) * len(model.clauses)
    from gdl.analysis.bounds import unproved_bounds

    return unproved_bounds(model)

"""Lines of `terminal` that stand in each other's way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gdl.errors import Problem, clean
from gdl.inspection.met import Met
from gdl.model.games import Clause, RulesModel


def two_winners(met: Met) -> Iterator[Problem]:
    """Terminal clauses under which different players win at once: the first decides, and perhaps should not."""
    model = met.model
    if not isinstance(model, RulesModel):
        return
    clauses = [clause for clause in model.clauses if clause.winner is not None]
    if len({clause.winner for clause in clauses}) < 2:
        return
    holding = _test(model)
    told = set()
    for number, _ in met.ends():
        held = [clause for clause in clauses if holding(clause, met.states[number])]
        other = next((clause for clause in held if clause.winner != held[0].winner), None)
        if other is not None and (held[0].span, other.span) not in told:
            told.add((held[0].span, other.span))
            first, second = (met.game.players[clause.winner or 0] for clause in (held[0], other))
            yield Problem(
                f"{clean(second)} wins here too, but {clean(first)} by an earlier line, which decides", other.span,
                help="put the line first that should decide, or let a joint win be a draw", warning=True,
                play=met.play(number),
            )  # fmt: skip


def _test(model: RulesModel) -> Callable[[Clause, Any], bool]:
    """Whether a clause holds in a state by itself, whatever the clauses before it say."""
    from gdl.interpreter.closures import NO_ACTIONS
    from gdl.interpreter.evaluator import Evaluator
    from gdl.interpreter.rulebook import Rulebook

    evaluator = Evaluator(model.variables, model.definitions, model.times)
    Rulebook(model, evaluator)  # which answers what players could do
    conditions = {clause.span: evaluator.value(clause.condition) for clause in model.clauses}

    def holds(clause: Clause, state: Any) -> bool:
        cells = list(state.cells)
        cells[NO_ACTIONS] = lambda: False  # of clauses that ask for it nothing is said
        return bool(conditions[clause.span](cells, [None] * clause.frame))

    return holds

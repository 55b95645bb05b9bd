"""Which texts are positions of a game: `position requires` and `position keeps`, asked as a text is read, not in play.

1. The conditions are asked in the order of the file, first those that a position must hold: where one does not, the
   text is refused in the file's words.
2. Then each value for which the condition of its variable does not hold is left out, with a warning.
"""

from __future__ import annotations

from gdl.errors import GameError, Problem, Span, clean, listing
from gdl.interpreter.closures import begin_cells
from gdl.interpreter.evaluator import Evaluator
from gdl.model.domains import default_value, elements
from gdl.model.games import PositionRule, RulesModel, Variable
from gdl.model.notation import Placement


def begin_with(model: RulesModel, placement: Placement) -> RulesModel:
    """The game whose variables begin as a position's text says; those that it leaves out begin as ever."""
    first = placement.values
    variables = (v.copy_with(initial=first.get(index, v.initial)) for index, v in enumerate(model.variables))
    return model.copy_with(variables=tuple(variables))


def keep_legal(model: RulesModel, placement: Placement, text: Span) -> tuple[RulesModel, tuple[Problem, ...]]:
    """The game that begins at a position, without what the position does not keep, and the warnings of that.
    `placement` is what its text says. Raises GameError where it is no position of the game."""
    evaluator = Evaluator(model.variables, model.definitions)
    cells = begin_cells(model.variables, placement.mover or 0, None)
    warnings: list[Problem] = []
    for rule in sorted(model.legality, key=lambda rule: rule.variable is not None):
        holds = evaluator.value(rule.condition)
        frame = [None] * rule.frame
        if rule.variable is None:
            if not holds(cells, frame):
                told = f"this is no position of {clean(model.name)}: {rule.words}"
                raise GameError(Problem(told, text, help="correct the position"))
            continue
        variable = model.variables[rule.variable]
        empty = default_value(variable.type)
        here = slice(variable.place, variable.place + len(variable.initial))
        kept = cells[here]
        wrong: list[int | None] = []
        if rule.each:
            members = elements(kept[0])
            wrong += (member for member in members if not holds(cells, [member, *frame[1:]]))
            kept = [kept[0] - sum(1 << member for member in wrong if member is not None)]
        elif any(value != empty for value in kept) and not holds(cells, frame):
            wrong, kept = [None], [empty] * len(kept)
        if wrong:
            warnings.append(_left_out(variable, rule, wrong, placement, text))
        cells[here] = kept
    variables = tuple(v.copy_with(initial=tuple(cells[v.place : v.place + len(v.initial)])) for v in model.variables)
    return model.copy_with(variables=variables), tuple(warnings)


def _left_out(
    variable: Variable, rule: PositionRule, wrong: list[int | None], placement: Placement, text: Span
) -> Problem:
    """The warning that the value of a variable, or members of its set, are left out of a position."""
    places = [placement.places.get((rule.variable or 0, member), text) for member in wrong]
    what = listing(f"'{clean(place.text)}'" for place in sorted(places, key=lambda place: place.start))
    told = f"{what} of {clean(variable.name)} {'is' if len(wrong) == 1 else 'are'} left out: {rule.words}"
    help = "take it out of the text, or correct the position"
    place = min(places, key=lambda place: place.start)
    return Problem(told, place, help=help, warning=True, code="position-left-out")

"""`position requires` and `position keeps`: which texts are positions of the game; and `notation forgets`."""

from __future__ import annotations

from gdl import syntax
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.scope import LocalFrame, Scope
from gdl.model import core
from gdl.model.domains import ANYTHING, SetType
from gdl.model.games import Field, Notation, PositionRule

_OF_PLAY = (core.Times, core.Since, core.Always, core.Able)


def check_position_rules(
    scope: Scope, written: list[syntax.PositionRequires | syntax.PositionKeeps], notation: Notation | None
) -> tuple[PositionRule, ...]:
    """The conditions that positions hold, and those under which they keep what stands in their texts."""
    return tuple(_rule(scope, line, notation) for line in written)


def _rule(
    scope: Scope, line: syntax.PositionRequires | syntax.PositionKeeps, notation: Notation | None
) -> PositionRule:
    check = ExpressionChecker(scope, LocalFrame())
    variable = None
    if isinstance(line, syntax.PositionKeeps):
        variable = _kept_variable(scope, line, notation, check.frame)
    times = len(scope.times)
    condition = check.truth(line.condition)
    del scope.times[times:]
    if any(isinstance(form, _OF_PLAY) for form in scope.inside_with_calls(condition)):
        message = "this asks about play, and a position that is read from a text has had none"
        scope.problem(message, line.condition.span, help="ask only what stands on the board, and who moves")
    words = line.words.text[1:-1]
    if not words.strip():
        scope.problem("this says nothing", line.words.span, help='say in the words of players what is wrong: "no king"')
    each = isinstance(line, syntax.PositionKeeps) and line.member is not None
    return PositionRule(condition, words, check.frame.size, variable, each)


def _kept_variable(
    scope: Scope, line: syntax.PositionKeeps, notation: Notation | None, frame: LocalFrame
) -> int | None:
    """The number of the variable that a line is about. The name of its members gets the first slot of the frame."""
    name = line.name.name
    if name not in scope.variables:
        scope.unknown(name, line.name.span, "variable", list(scope.variables))
        return None
    variable, index = scope.variables[name], list(scope.variables).index(name)
    scope.used.add(name)
    if notation and index not in {k for part in notation.parts if isinstance(part, Field) for k in part.variables}:
        help = f"a text says nothing of it: put {{{name}}} into the notation, or take this line out"
        scope.problem(f"the notation has no {name}", line.name.span, help=help)
    if line.member is None:
        return index
    if not isinstance(variable.type, SetType) or variable.indices:
        frame.bind(line.member.name, ANYTHING)
        scope.problem(f"{name} is no set", line.name.span, help=f"leave out '{line.member.text} in'")
        return None
    frame.bind(line.member.name, variable.type.item)
    return index

"""Assignments to variables of the state, and to names that a body has made: syntax -> core."""

from __future__ import annotations

from gdl import syntax
from gdl.checker.array_elements import check_indices, place_in
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.scope import Scope
from gdl.checker.sequences import StoredSequence, assign_sequence, sequence_named, there_alone
from gdl.checker.types import base_type, describe_expression, fits, numeric
from gdl.errors import Span, clean, count_text
from gdl.model import core
from gdl.model.domains import ANYTHING, Named, SetType, Type, describe_type
from gdl.model.walk import READS, inside

Assigning = core.Assign | core.Let
_TURNS = {"mover", "turn", "player", "current", "current_player", "active"}  # by which other languages pass the turn


def assignments(check: ExpressionChecker, s: syntax.Assign) -> list[core.Statement]:
    """The assignments of a line, from left to right. Values that one of them reads and an earlier one changes are read
    before any is made: `a, b := b, a` exchanges the two."""
    values = s.values * len(s.targets) if len(s.values) == 1 else s.values
    if len(values) != len(s.targets):
        targets, given = len(s.targets), len(values)
        message = f"{count_text(targets, 'variable')} {'is' if targets == 1 else 'are'} assigned here, and "
        message += f"{count_text(given, 'value')} {'stands' if given == 1 else 'stand'} behind ':='"
        return check.scope.instead(message, s.span, "write a value for each, or one for all of them", [])
    written = ["".join(target.span.text.split()) for target in s.targets]
    for number, target in enumerate(s.targets):
        if written[number] in written[:number]:
            message = f"{clean(written[number])} is assigned twice in this line"
            check.scope.problem(message, target.span, help="name another variable, or take it out")
        elif target.path and any(target.name.text == other.name.text for other in s.targets[:number]):
            message = f"{clean(target.name.text)} is assigned twice in this line, by its fields"
            check.scope.problem(message, target.span, help="give each field a line, or assign the whole record")
    made: list[core.Assign | core.Let | None] = []
    for target, value in zip(s.targets, values, strict=True):
        if target.path and (target.name.text in check.scope.variables or check.frame.find(target.name.text)):
            value = _record_with(_base_expression(target), target.path, value)
        if (to := sequence_named(check, target)) is not None:
            check.scope.assigned.add(to.variable.name)
            made += assign_sequence(check, to, value, s.span)
        else:
            made.append(_assignment(check, target, value, s.span))
    first: list[core.Statement] = []
    rest: list[Assigning] = []
    for statement in made:
        if statement is not None:
            rest.append(_reading_first(check, statement, rest, first) if rest else statement)
    return [*first, *rest]


def _base_expression(target: syntax.Target) -> syntax.Expression:
    """The variable or element whose fields a target names, as an expression: `offer` of `offer.given`."""
    if target.arguments is None:
        return syntax.Name(target.name.span, target.name)
    return syntax.Element(target.span, target.name, target.arguments)


def _record_with(
    whole: syntax.Expression, path: tuple[syntax.Word, ...], value: syntax.Expression
) -> syntax.Expression:
    """The record `whole` with the value in the field that the path names; a path of several fields leads into records
    inside it."""
    field, *inner = path
    if inner:
        value = _record_with(syntax.FieldOf(field.span, whole, field), tuple(inner), value)
    return syntax.RecordWith(value.span, whole, field, value)


def _reading_first(
    check: ExpressionChecker, s: Assigning, before: list[Assigning], first: list[core.Statement]
) -> Assigning:
    """The assignment, with a local name in place of each value that the assignments `before` it change. The statements
    that give these names their values are added to `first`."""

    def store_in_local(expression: core.Expression) -> core.Expression:
        if not _reads(check.scope, expression, before):
            return expression
        slot = check.frame.new_slot()
        first.append(core.Let(slot, expression, s.span))
        return core.Local(slot)

    if isinstance(s, core.Let):
        return s.copy_with(value=store_in_local(s.value))
    return s.copy_with(indices=tuple(store_in_local(index) for index in s.indices), value=store_in_local(s.value))


def _reads(scope: Scope, expression: core.Expression, changes: list[Assigning]) -> bool:
    """True if the value of the expression may depend on a variable or name that the assignments change."""
    variables = list(scope.variables.values())
    slots = {change.slot for change in changes if isinstance(change, core.Let)}
    changed = {change.variable for change in changes if isinstance(change, core.Assign)}
    places = {variables[variable].place for variable in changed}
    definitions = [declared.checked for declared in scope.definitions.values()]
    for form in scope.inside_with_calls(expression):
        match form:
            case core.Cell(place=place):
                found = place in places
            case core.Element(variable=variable) | core.Whole(variable=variable):
                found = variable in changed
            case core.CallDefinition(definition=number):
                found = definitions[number] is None  # it is being checked: not known yet
            case _:
                found = bool(changed) and READS.get(type(form)) == "state"
        if found:
            return True
    return any(isinstance(form, core.Local) and form.slot in slots for form in inside(expression))


def _assignment(
    check: ExpressionChecker, target: syntax.Target, value: syntax.Expression, span: Span
) -> core.Assign | core.Let | None:
    """One assignment; None if something is wrong with it."""
    name, scope = target.name.text, check.scope
    if name in scope.faulty:
        return None
    local = check.frame.find(name)
    if local is not None and (of := check.frame.sequences.get(local[0])) is not None:
        return _to_parameter(check, target, of, value, span)
    if local is not None or name not in scope.variables:
        if local is None:
            turn = "write 'next' and a player: next other(mover)" if name in _TURNS else ""
            new = f"declare it in 'state'; what only this body needs is written 'let {clean(name)} = …'"
            scope.unknown(name, target.span, "variable", list(scope.variables), instead=turn, otherwise=new)
            return None
        return _to_local(check, target, value, span)
    scope.assigned.add(name)
    variable = scope.variables[name]
    index = list(scope.variables).index(name)
    indices: tuple[core.Expression, ...] = ()
    if variable.indices:
        if target.arguments is None:
            help = f"write {name}[…] := …; for all of them below a line such as: for i in {variable.indices[0]}"
            return scope.instead(f"{name} has elements", target.span, help, None)
        found = check_indices(check, variable, target.arguments, target.span)
        if found is None:
            return None
        indices = tuple(typed.core for typed in found)
    elif target.arguments is not None:
        return scope.instead(f"{name} has no elements", target.span, f"write {name} := …", None)
    return _to_element(check, name, index, indices, value, span)


def _to_parameter(
    check: ExpressionChecker, target: syntax.Target, of: StoredSequence, value: syntax.Expression, span: Span
) -> core.Assign | None:
    """The assignment to an element of a sequence that a parameter stands for: `s[2] := x`."""
    check.scope.assigned.add(of.variable.name)
    assert target.arguments is not None  # else the whole sequence is assigned
    place = place_in(check, target.name.text, of.variable, target.arguments, target.span)
    if place is None:
        return None
    return _to_element(check, target.name.text, of.number, (*of.indices, place), value, span)


def _to_element(
    check: ExpressionChecker, name: str, index: int, indices: tuple[core.Expression, ...], value: syntax.Expression,
    span: Span,
) -> core.Assign | None:  # fmt: skip
    """The assignment of a value to the variable of this number, at these indices; `name` is what messages call it."""
    scope = check.scope
    variable = list(scope.variables.values())[index]
    typed = check.checked_as(value, variable.type)
    converted = check.convert(typed, variable.type)
    if converted is None:
        message = (
            f"{name} holds {describe_type(variable.type)}, and this is {describe_expression(typed, variable.type)}"
        )
        slip = scope.changed and numeric(typed.type) and numeric(base_type(variable.type))  # play may never come here
        scope.problem(message, value.span, help=_assignment_help(value, variable.type), warning=slip)
        if not slip:
            return None
        converted = typed.core
    if variable.places:
        indices = there_alone(check, StoredSequence(variable, index, indices[:-1], span), indices[-1], typed)
    return core.Assign(index, indices, converted, span)


def _assignment_help(value: syntax.Expression, wanted: Type) -> str:
    """The help for a value that does not fit its variable; the name of a member is written without quotes."""
    if isinstance(value, syntax.Text) and isinstance(type := base_type(wanted), Named):
        name = value.value.text.strip('"')
        if name in type.members:
            return f"write {clean(name)}, without quotes"
    return "assign a value of its type, or widen the type"


def _to_local(check: ExpressionChecker, target: syntax.Target, value: syntax.Expression, span: Span) -> core.Let | None:
    found = check.frame.find(target.name.text)
    assert found is not None
    slot, wanted = found
    if slot not in check.frame.lets and target.name.text in check.scope.variables:
        return None  # that its name is taken is told already
    if slot not in check.frame.lets:
        help = "only state variables and 'let' names change"
        return check.scope.instead(f"'{clean(target.name.text)}' is chosen and cannot change", target.span, help, None)
    if target.arguments is not None:
        name = clean(target.name.text)
        return check.scope.instead(f"{name} has no elements", target.span, f"write {name} := …", None)
    typed = check.checked_as(value, wanted)
    if not fits(typed.type, wanted):
        message = f"{target.name.text} holds {describe_type(wanted)}, and this is {describe_type(typed.type)}"
        check.scope.problem(message, value.span, help="assign a value of the kind that it began with")
    elif wanted == SetType(ANYTHING):  # it began as {}
        check.frame.learn(target.name.text, typed.type)
    return core.Let(slot, typed.core, span)

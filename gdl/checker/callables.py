"""Definitions and procedures: checked when first needed, since the first use tells what a definition's value is."""

from __future__ import annotations

from typing import Any, NamedTuple

from gdl import syntax
from gdl.checker.constants import reads_state
from gdl.checker.directions import SETS
from gdl.checker.scope import NOTHING_RIGHT, Checks, ChecksBodies, Declared, Scope, Typed
from gdl.checker.sequences import StoredSequence, sequence_named
from gdl.checker.types import fits, read_as
from gdl.errors import Span, limits, listing
from gdl.model import core
from gdl.model.domains import ANYTHING, Array, Part, Type, describe_type, members, text_of
from gdl.model.games import Callable
from gdl.model.walk import inside, parts


class Called(NamedTuple):
    """A call of a definition or procedure: the word that calls it, its name in the table, the arguments as written
    except the sequences, and the indices of the sequences, which are the first arguments."""

    word: str
    name: str
    written: tuple[syntax.Expression, ...]
    places: tuple[core.Expression, ...] = ()


def takes_sequences(written: syntax.Definition | syntax.Procedure) -> bool:
    """True if a parameter of a definition or procedure is a sequence."""
    return any(isinstance(parameter.type, syntax.SequenceOf) for parameter in written.parameters or ())


def for_sequences(
    check: Checks, table: dict[str, Declared], word: str, written: tuple[syntax.Expression, ...], span: Span
) -> Called | None:
    """The call of a definition or procedure of `table`. If parameters of it are sequences, what is called is a copy for
    the variables given, made when first needed; there a parameter stands for its variable, and only the indices are
    arguments. None after a mistake."""
    declared = table[word]
    parameters = declared.written.parameters or ()
    if not takes_sequences(declared.written):
        return Called(word, word, written)
    help = f"write {word}({', '.join(parameter.name.name for parameter in parameters)})"
    if not check.scope.takes(word, len(parameters), len(written), span, help):
        return None
    given: list[StoredSequence | None] = []
    for parameter, argument in zip(parameters, written, strict=True):
        of = None
        if isinstance(parameter.type, syntax.SequenceOf):
            item, of = check.type_of(parameter.type.type), sequence_named(check, argument)
            typed = check.check(argument) if of is None else Typed(NOTHING_RIGHT.core, of.item)
            if typed is NOTHING_RIGHT or item == ANYTHING:
                return None
            if of is None or of.item != item:
                found = f"a sequence of {of.item}" if of else describe_type(typed.type)
                told = f"{word} takes a sequence of {item} here, and this is {found}"
                return check.scope.instead(told, argument.span, "give it one that is declared in 'state'", None)
        given.append(of)
    name = f"{word}({', '.join('' if of is None else of.variable.name for of in given)})"
    check.scope.used.add(name)
    if name not in table:
        table[name] = Declared(declared.written, len(table), sequences=tuple(given))
    rest = tuple(argument for argument, of in zip(written, given, strict=True) if of is None)
    return Called(word, name, rest, tuple(place for of in given if of for place in of.indices))


def signature(check: Checks, name: str) -> Declared:
    """The definition of this name, with the types of its parameters and of its value. The type of the value is found by
    checking the body. While that is under way (the definition is recursive) the type must be declared; else it stays
    unknown."""
    declared = check.scope.definitions[name]
    if declared.checked is None and not declared.busy:
        check_definition(check.with_new_frame(), declared)
    elif declared.busy and declared.result is None:
        declared.result = ANYTHING
    return declared


def check_definition(check: Checks, declared: Declared) -> None:
    """Fill in the parameters, the type of the value and the core form; `check` has a fresh frame."""
    written = declared.written
    assert isinstance(written, syntax.Definition)
    declared.busy = True
    bind_parameters(declared, check)
    told = f"{written.name.name} gives one value, and a sequence is no value by itself"
    if isinstance(written.type, syntax.SequenceOf):
        help = "hand it the sequence to be filled as well, and let effects such as push write there"
        typed, declared.result = check.scope.wrong(told, written.type.span, help=help), ANYTHING
    else:
        declared.result = declared.result if written.type is None else check.type_of(written.type)
        typed = check.checked_as(written.result, declared.result)
        if isinstance(typed.type, Array) and typed.type.kind == "sequence":
            help = f"write {typed.type.name} where it is used"
            typed, declared.result = check.scope.wrong(told, written.result.span, help=help), ANYTHING
    if declared.result is None or declared.result == ANYTHING:
        declared.result = typed.type
    elif not fits(typed.type, declared.result):
        told = f"{written.name.name} gives {describe_type(declared.result)}, and this is {describe_type(typed.type)}"
        check.scope.problem(told, written.result.span, help="write another value, or another type before '='")
    declared.checked = Callable(
        written.name.name, len(declared.parameters), check.frame.size, typed.core, (), written.name.span,
        fixed=not reads_state(typed.core, check.scope, declared.index), recursive=_calls_back(typed.core, check.scope),
        type=None if declared.result == ANYTHING else declared.result, types=declared.parameters,
    )  # fmt: skip
    _measure(declared, check.scope, typed.core)
    declared.busy = False


def _measure(declared: Declared, scope: Scope, *roots: Any) -> None:
    """Note how deeply the operations of a definition or procedure are nested and how many calls it makes, through all
    that it calls; too many are a problem."""
    definitions, procedures = list(scope.definitions.values()), list(scope.procedures.values())
    work = [(root, 1) for root in roots]
    while work:
        form, depth = work.pop()
        if isinstance(form, core.CallDefinition | core.CallProcedure):
            if isinstance(form, core.CallDefinition):
                called = definitions[form.definition]
            else:
                called = procedures[form.procedure]
            depth += called.depth
            declared.calls += 1 + called.calls
        declared.depth = max(declared.depth, depth)
        work += [(part, depth + 1) for part in parts(form)]
    if declared.depth > limits.DEPTH:
        scope.too_deep(declared.written.name.span)
    if declared.calls > limits.CALLS_AT_ONCE:
        name = declared.written.name
        message = f"{name.name} makes more than {limits.CALLS_AT_ONCE:,} calls, through all that it calls"
        scope.problem(message, name.span, help="compute a value once, with 'let', and use it often")
        declared.calls = 0


def _calls_back(expression: core.Expression, scope: Scope) -> bool:
    """True if the expression calls a definition that is still being checked: the one that it belongs to, which is then
    recursive, or one that leads to it."""
    definitions = list(scope.definitions.values())
    return any(isinstance(f, core.CallDefinition) and definitions[f.definition].busy for f in inside(expression))


def check_procedure(check: ChecksBodies, declared: Declared) -> None:
    """Check a procedure, whose body is a block of statements, and keep its checked form in `declared`."""
    written = declared.written
    assert isinstance(written, syntax.Procedure)
    declared.busy = True
    bind_parameters(declared, check.expressions)
    body = check.block(written.body)
    _measure(declared, check.expressions.scope, *body)
    declared.busy = False
    name = written.name
    declared.checked = Callable(
        name.name, len(declared.parameters), check.expressions.frame.size, None, body, name.span
    )


def bind_parameters(declared: Declared, check: Checks) -> None:
    """Give the parameters of a definition or procedure the first slots of the frame, in order. The indices of the
    sequences given to it come first."""
    parameters = declared.written.parameters or ()
    sequences = declared.sequences or (None,) * len(parameters)
    found: list[Type] = []
    listed: list[frozenset[Any] | None] = []
    places = []
    for of in sequences:
        kinds = of.variable.indices[:-1] if of else ()
        places.append(tuple(check.frame.bind(f"index.{len(found) + n}", kind) for n, kind in enumerate(kinds)))
        found += kinds
        listed += [None] * len(kinds)
    for parameter, of in zip(parameters, sequences, strict=True):
        if of is None:
            type, values = _parameter(check, parameter.type)
            check.bind(parameter.name, type)
            found.append(type)
            listed.append(values)
    for parameter, of, slots in zip(parameters, sequences, places, strict=True):
        if of is not None:
            stands_for = of._replace(indices=tuple(map(core.Local, slots)))
            check.frame.sequences[check.bind(parameter.name, ANYTHING)] = stands_for
    declared.parameters, declared.listed = tuple(found), tuple(listed)


def _parameter(check: Checks, written: syntax.Expression) -> tuple[Type, frozenset[Any] | None]:
    """The type of a parameter, and the values that it may have if these are not all values of the type (else None):
    those of a part of an enumeration, or of a set or list known before play."""
    listed = isinstance(written, syntax.Set | syntax.List | syntax.Call)
    if isinstance(written, syntax.Name) and check.as_type(written) is None:
        name, scope = written.word.text, check.scope
        listed = name in scope.constants or name in scope.definitions or name.rpartition(".")[2] in SETS
    if not listed:
        type = check.type_of(written)
        return read_as(type), frozenset(members(type)) if isinstance(type, Part) else None
    domain = check.domain(written)
    values = check.constant_of(domain, written) if domain.type != ANYTHING else None
    return domain.type, None if values is None else frozenset(values)


def check_listed(check: Checks, declared: Declared, arguments: tuple[core.Expression, ...], span: Span) -> None:
    """Report an argument that is plainly not among the values listed for its parameter."""
    for argument, values, type in zip(arguments, declared.listed, declared.parameters, strict=True):
        if argument is NOTHING_RIGHT.core or values is None:
            continue
        if isinstance(argument, core.Const) and argument.value not in values:
            shown = [text_of(type, value) for value in sorted(values, key=repr)]
            told = text_of(type, argument.value)
            message = f"{declared.written.name.name} takes {listing(shown, 'or')} here, and this is {told}"
            check.scope.problem(message, span, help="give it one of them")

"""Declarations of a file: parameters, players, types, boards, variables."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import Any

from gdl import syntax
from gdl.checker.constants import constant_function
from gdl.checker.directions import declare_directions
from gdl.checker.edges import declare_edges, graph_of, pairs
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.records import type_of_record
from gdl.checker.scope import Constant, LocalFrame, Scope
from gdl.checker.sequences import StoredSequence, first_elements, see_length, type_of_sequence
from gdl.checker.types import fits
from gdl.errors import GameError, Problem, Source, clean, count_text, limits, listing, suggestion
from gdl.interpreter.closures import FIRST_CELL
from gdl.model.board import AXES, SHAPES, Board, ShapeError, board_of_shape
from gdl.model.domains import (
    ANYTHING,
    NUMBER,
    TRUTH,
    Named,
    Optional,
    Range,
    Sequence,
    Type,
    bits,
    contains,
    default_value,
    describe_type,
    members,
    text_of,
)
from gdl.model.games import Variable, Visibility
from gdl.syntax.parser import expression

# ---- Parameters and players -------------------------------------------------------------------------------------


def declare_parameters(
    scope: Scope, written: tuple[syntax.Parameter, ...], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The game's parameters with their values in this play: those that were set, else the file's own."""
    found = {}
    known = [parameter.name.name for parameter in written]
    for name, setting in settings.items():
        if name not in known:
            place, help = written[0].span if written else None, "take it out"
            if isinstance(setting, syntax.Syntax):
                place, help = setting.span, f'declare it: game "{scope.game}" ({clean(name)} = {_text(setting)})'
                scope.faulty.add(name)
            note, help = f"It has {listing(known)}." if known else "", suggestion(name, known, help)
            scope.problem(f"{scope.game} has no parameter '{clean(name)}'", place, note=note, help=help)
    for parameter in written:
        name = parameter.name.name
        if not scope.declare(parameter.name, "parameter"):
            continue
        value, type = _parameter_value(scope, parameter, settings.get(name))
        scope.constants[name] = Constant(value, type, parameter.name.span, "parameter")
        found[name] = value
    return found


def _parameter_value(scope: Scope, parameter: syntax.Parameter, setting: Any) -> tuple[Any, Type]:
    check = ExpressionChecker(scope, LocalFrame())
    wanted = None if parameter.type is None else check.type_of(parameter.type)
    before = len(scope.problems)
    typed = check.check(parameter.value)
    default = check.constant(parameter.value)
    if len(scope.problems) > before:
        return None, ANYTHING
    if setting is not None:
        text = str(setting).lower() if isinstance(setting, bool) else str(setting)
        written = setting if isinstance(setting, syntax.Syntax) else _setting(parameter, text, typed.type)
        if written is None:
            message = f"'{clean(str(setting))}' is no value for {parameter.name.name}"
            scope.problem(message, parameter.span, help="write a number, a name, or a list such as 3,4,5")
            return default, typed.type
        chosen = check.check(written)  # type: ignore[arg-type]
        value = check.constant(written)  # type: ignore[arg-type]
        if len(scope.problems) > before:
            return default, typed.type
        if not isinstance(typed.type, Sequence) and not fits(chosen.type, wanted or _kind(typed.type)):
            place = setting.span if isinstance(setting, syntax.Syntax) else parameter.span
            what = describe_type(wanted or _kind(typed.type))
            message = f"{parameter.name.name} is {what}, and {_text(setting)} is not"
            return scope.instead(message, place, "set it to a value of its kind", (default, typed.type))
        default, typed = value, chosen
    elif wanted is not None and not fits(typed.type, wanted):
        message = f"{parameter.name.name} is {describe_type(wanted)}, and this is {describe_type(typed.type)}"
        scope.problem(message, parameter.value.span, help="write a value of its type")
    elif isinstance(wanted, Range) and isinstance(default, int) and not wanted.low <= default <= wanted.high:
        message = f"{parameter.name.name} lies in {wanted}, and {default} does not"
        scope.problem(message, parameter.value.span, help="write a value in its range")
    return default, (typed.type if wanted is None or isinstance(wanted, Range) else wanted)


def _text(setting: Any) -> str:
    """A setting as it was written on the command line or in a variant."""
    return setting.span.text if isinstance(setting, syntax.Syntax) else clean(str(setting))


def _kind(type: Type) -> Type:
    """The type that values set for a parameter may have: any number if its own value is a number, else the type of its
    own value."""
    return NUMBER if isinstance(type, Range) else type


def _setting(parameter: syntax.Parameter, text: str, type: Type) -> Any:
    """A setting as an expression: `4`, `3,4,5`, `1-2,2-3` for a list of pairs, or a name."""
    if isinstance(type, Sequence) and not text.strip().startswith("["):
        text = f"[{pairs(text, type.item.item) if isinstance(type.item, Sequence) else text}]"
    source = Source(f"--set {parameter.name.name}", text)
    try:
        return expression(source, 0, len(source.text))
    except GameError:
        return None


def counted_players(written: syntax.Players, help: str) -> list[Problem]:
    """A warning for `players 2`, which does not declare two players, but one who is called '2'."""
    name = written.names[0].name
    if len(written.names) > 1 or not name.isdecimal() or int(name) < 2:
        return []
    return [Problem(f"this is one player, who is called '{name}'", written.span, help=help, warning=True)]


def declare_players(scope: Scope, written: syntax.Players | syntax.Seats | None) -> tuple[str, ...]:
    """The players' names."""
    if isinstance(written, syntax.Players):
        if len(written.names) > limits.PLAYERS:
            scope.problem(f"a game has 1 to {limits.PLAYERS} players", written.span, help="name fewer")
        scope.problems += counted_players(written, f"write players P[{written.names[0].name}], or name all of them")
        return tuple(word.name for word in written.names)
    if isinstance(written, syntax.Seats):
        before = len(scope.problems)
        count = ExpressionChecker(scope, LocalFrame()).constant(written.count)
        if len(scope.problems) > before:
            count = 2  # already complained about
        elif not isinstance(count, int) or not 1 <= count <= limits.PLAYERS:
            scope.problem(f"a game has 1 to {limits.PLAYERS} players", written.count.span, help="write another number")
            count = 2
        return tuple(f"{written.name.name}{i}" for i in range(1, count + 1))
    return ()


# ---- Types and boards -------------------------------------------------------------------------------------------


def declare_type(scope: Scope, written: syntax.TypeDefinition) -> None:
    if not scope.declare(written.name, "type"):
        return
    name, definition = written.name.name, written.definition
    if isinstance(definition, syntax.Ordered | syntax.Unordered):
        words = tuple(word for word in definition.parts if word.kind == "NAME")
        declare_members(scope, name, words, isinstance(definition, syntax.Ordered))
    elif isinstance(definition, syntax.RecordOf):
        scope.types[name] = type_of_record(ExpressionChecker(scope, LocalFrame()), name, definition)
    else:
        scope.types[name] = ExpressionChecker(scope, LocalFrame()).type_of(definition)


def declare_members(scope: Scope, name: str, words: tuple[syntax.Word, ...], ordered: bool) -> Named:
    """Declare an enumeration and its members as names of the game."""
    type = Named(name, tuple(word.name for word in words), ordered)
    scope.types[name] = type
    for position, word in enumerate(words):
        if scope.declare(word, "member"):
            scope.constants[word.name] = Constant(position, type, word.span, "member")
    return type


def declare_board(scope: Scope, written: syntax.Board) -> None:
    if not scope.declare(written.name, "board"):
        return
    shape = _shape(scope, written)
    if shape is None:
        scope.types[written.name.name] = ANYTHING
        scope.lost |= {
            written.name.name,
            *(word.text for word in syntax.descendants(*written.arguments) if type(word) is syntax.Word),
        }
        return
    if written.mirror is not None:
        shape = replace(shape, mirror=written.mirror.text)
    board = Named(written.name.name, shape.squares, board=shape)
    scope.types[board.name] = board
    scope.boards.append(board)
    declare_edges(scope, board)
    for axis, extent in zip(AXES, shape.sizes, strict=False):
        if len(shape.sizes) > 1:
            scope.types.setdefault(axis, Range(1, extent))
    declare_directions(scope, board)
    if written.player is not None:
        if written.player.name in scope.players.members:
            scope.mirrors[board.name] = scope.players.members.index(written.player.name)
        else:
            scope.unknown(written.player.name, written.player.span, "player", list(scope.players.members))


def _shape(scope: Scope, written: syntax.Board) -> Board | None:
    kind = written.shape.text
    if kind == "graph":
        return graph_of(scope, written)
    if kind not in SHAPES:
        scope.unknown(kind, written.shape.span, "shape of board", [*SHAPES, "graph"])
        return None
    check = ExpressionChecker(scope, LocalFrame())
    sizes = [size for argument in written.arguments if (size := check.whole_number(argument)) is not None]
    if len(sizes) < len(written.arguments):
        return None
    if SHAPES[kind] and len(sizes) not in SHAPES[kind]:
        due, help = ("one or two sizes", "columns, then rows") if 2 in SHAPES[kind] else ("one size", "how long it is")
        return scope.instead(f"{kind} takes {due}, not {len(sizes)}", written.span, f"write {help}", None)
    try:
        return board_of_shape(kind, *sizes)
    except ShapeError as error:
        return scope.instead(str(error), written.span, "write other sizes", None)


# ---- Variables --------------------------------------------------------------------------------------------------


def declare_variables(scope: Scope, sections: list[syntax.State]) -> None:
    """Declare the variables of the state: each gets its place among the cells, after those before it, and its first
    values."""
    place = FIRST_CELL
    total = 0
    for section in sections:
        for variable in section.variables:
            if not scope.declare(variable.name, "variable"):
                continue
            made = _variable(scope, variable, place)
            if made is None:
                scope.faulty.add(variable.name.name)
                continue
            count = prod(made.extents)
            total += count * bits(made.type)
            if total > limits.STATE:
                message = f"a state with {made.name} takes more than {limits.STATE:,} bits"
                scope.problem(message, variable.span, help="use smaller boards, ranges or sets")
                return
            made = _with_first_values(scope, variable, made, count)
            scope.variables[made.name] = made
            place += count


def _variable(scope: Scope, written: syntax.Variable, place: int) -> Variable | None:
    """The variable as declared, still without its first values; None, with a problem, if the declaration is wrong."""
    check = ExpressionChecker(scope, LocalFrame())
    type: Type
    places: tuple[Type, ...]
    if isinstance(written.type, syntax.SequenceOf):
        made = type_of_sequence(check, written.type)
        type, places = (ANYTHING, ()) if made is None else (Optional(made[0]), made[1:])
    else:
        type, places = check.type_of(written.type), ()
    indices = tuple(check.type_of(index.type) for index in written.indices or ())
    for index, extent in zip(written.indices or (), indices, strict=True):
        if not isinstance(extent, Range | Named) and extent not in (TRUTH, ANYTHING):
            message = f"an index is a name, a square or a number, not {describe_type(extent)}"
            return scope.instead(message, index.span, "name a type, a board or a range", None)
    if ANYTHING in (type, getattr(type, "item", None), *indices):
        return None  # already complained about
    return Variable(written.name.name, (*indices, *places), type, place, (), Visibility(), written.name.span)


def _with_first_values(scope: Scope, written: syntax.Variable, variable: Variable, count: int) -> Variable:
    """The variable with a first value for each element: the value after `=`, else the default of its type."""
    type = variable.type
    if written.initial is None:
        first = default_value(type)
        values: tuple[Any, ...] = (first,) * count
    else:
        values = _initial(scope, written, variable)
    return variable.copy_with(initial=values)


def _initial(scope: Scope, written: syntax.Variable, variable: Variable) -> tuple[Any, ...]:
    """The first value of each element, as `= value` gives it; the value may use the names of the indices."""
    check, places = ExpressionChecker(scope, LocalFrame()), variable.places
    before, unknown = len(scope.problems), (None,) * prod(variable.extents)
    if places:
        variable = variable.copy_with(indices=variable.indices[:-1])
    _bind_indices(check, written, variable)
    assert written.initial is not None
    wanted = first_elements if places else ExpressionChecker.want
    expression = wanted(check, written.initial, variable.type)
    if len(scope.problems) > before:
        if variable.indices and isinstance(written.initial, syntax.List) and scope.problems[-1].kind == "wrong-kind":
            help = f"write the values, with blanks between them, below a line 'setup {clean(variable.name)}'"
            scope.problems[-1] = replace(scope.problems[-1], help=help)
        return unknown
    first = constant_function(expression, scope, len(variable.indices))
    if first is None:
        message = "a first value must not depend on the state of play"
        scope.problem(message, written.initial.span, help="use numbers, parameters and the names of its indices")
        return unknown
    values: list[Any] = []
    for positions in itertools.product(*map(members, variable.indices)):
        try:
            value = first(positions)
        except GameError as faulty:
            scope.problems += faulty.problems
            return unknown
        held = tuple(value) if places else (value,)
        wrong = next((v for v in held if not contains(variable.type, v) or (places and v is None)), variable)
        if wrong is not variable:
            told = _misfit(variable, positions, wrong)
            return scope.instead(told, written.initial.span, "widen its type, or write another value", unknown)
        if len(held) > max(places, 1):
            told = f"{clean(variable.name)} has at most {count_text(places, 'element')}, and these are {len(held):,}"
            return scope.instead(told, written.initial.span, "leave some out, or let it be longer", unknown)
        values += [*held, *(None,) * (places - len(held))]
    return tuple(values)


def _bind_indices(check: ExpressionChecker, written: syntax.Variable, variable: Variable) -> None:
    """Give each index of a variable a slot, and its local name where it has one."""
    for index, type in zip(written.indices or (), variable.indices, strict=False):
        if index.name is not None:
            check.bind(index.name, type, hides=True)
        else:
            check.frame.size += 1
            domain = getattr(type, "name", type)
            check.index_help = f"name the index: {variable.name}[{{}}: {domain}], or write another name"


def _misfit(variable: Variable, positions: tuple[Any, ...], value: Any) -> str:
    inside = ", ".join(text_of(type, at) for type, at in zip(variable.indices, positions, strict=True))
    name = f"{variable.name}[{inside}]" if inside else variable.name
    return f"{name} holds {describe_type(variable.type)}, and its first value is {'none' if value is None else value}"


def with_visibility(scope: Scope, written: syntax.Variable, variable: Variable) -> Variable:
    """The variable with the players who see it; called when all names are known, for the condition may use them."""
    visibility = written.visibility
    if visibility is None:
        return variable
    who = visibility.audience.who
    kind: Any = "all"
    slot, condition, check = 0, None, ExpressionChecker(scope, LocalFrame())
    if visibility.condition is not None:
        _bind_indices(check, written, variable)
        if variable.places:
            check.frame.scopes[-1]["place"] = check.frame.new_slot(), variable.indices[-1]
        slot, kind = check.bind(who, scope.players), "when"
        condition = check.truth(visibility.condition)
    elif who.text in ("all", "none", "owner"):
        kind = who.text
    else:
        one = who.text if who.text in scope.players.members else scope.players.members[0]
        help = f"write visible to owner, all or none, or: visible to p when p = {one}"
        scope.problem(f"'{clean(who.text)}' is neither owner, nor all, nor none", who.span, help)
    if kind == "owner" and (not variable.indices or variable.indices[0] != scope.players):
        scope.problem(f"{variable.name} has no owner", who.span, f"index it by the players: {variable.name}[Player]")
        kind = "all"
    seen = Visibility(kind, slot, condition, check.frame.size)
    if variable.places and kind != "all":
        number = list(scope.variables).index(variable.name)
        seen = see_length(StoredSequence(variable, number, (), variable.span), seen)
    scope.variables[variable.name] = variable.copy_with(visibility=seen)
    return scope.variables[variable.name]

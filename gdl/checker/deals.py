"""Things dealt: `deal N from D to H` moves N things, drawn by chance, from one set or array of numbers to another.

1. Each thing is a chance step of its own. They come in the order of their type, never one that stands before the last:
   so what is dealt comes about in one way, and whoever sees it come learns no more than what it is.
2. The weight of a step is the number of ways to choose all that is still to be dealt that begin with it, by binomial
   coefficients. So all choices of N things are equally likely, without a list of them.

Engines see steps, variables and tables alone.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

from gdl import syntax
from gdl.checker.array_elements import check_indices
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.scope import NOTHING_RIGHT, Scope, Typed
from gdl.checker.types import base_type, small_enough
from gdl.errors import Span, clean, limits, listing
from gdl.model import core
from gdl.model.domains import Named, Optional, Range, SetType, Type, describe_type, members, size
from gdl.model.games import Rule, Variable, Visibility

Names = tuple[tuple[str, int, Type], ...]
DEALS = "deal "  # how the names of its chance steps begin; no name of a file has a blank
LARGE = 1 << 30  # entries of a table stay below
_ONE = core.Const(1)


class _Heap(NamedTuple):
    """The things that a set holds, or that a part of an array counts, or the one that a variable has. `kind` is their
    type, `copies` how many equal ones there are at most."""

    variable: Variable
    number: int
    indices: tuple[Typed, ...]
    kind: Type
    copies: int
    span: Span

    @property
    def is_set(self) -> bool:
        return isinstance(self.variable.type, SetType)

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of the indices that say which heap of its variable it is."""
        return self.variable.indices[:-1] if isinstance(self.variable.type, Range) else self.variable.indices

    def value_at(self, indices: tuple[core.Expression, ...]) -> core.Expression:
        """The value of the variable at these indices."""
        on_board = any(isinstance(type, Named) and type.board for type in self.variable.indices)
        cell = core.Cell(self.variable.place)
        return core.Element(self.number, indices, on_board, self.span) if indices else cell

    def change(self, place: tuple[core.Expression, ...], thing: core.Expression, sign: str) -> core.Assign:
        """The statement that puts a thing into the heap at this place (`+`), or takes it out (`-`)."""
        value: Any = thing
        if self.is_set:
            value = core.SetOperation(sign, self.value_at(place), core.SetOf((thing,), self.span))
        elif isinstance(self.variable.type, Range):
            place = (*place, thing)
            value = core.Arithmetic(sign, self.value_at(place), _ONE, self.span)
        return core.Assign(self.number, place, value, self.span)


# ---- The line ---------------------------------------------------------------------------------------------------


def do_deal(check: ExpressionChecker, s: syntax.Deal, names: Names) -> list[Any]:
    """The statements for a line `deal`; `names` are the local names known there."""
    from gdl.checker.draws import Draw  # which few files need

    scope, span, each = check.scope, s.span, isinstance(s.receiver, syntax.EachPlayer)
    typed = check.check(s.count)
    check.as_number(typed, s.count, "how many things are dealt is a number", "write a number from 0 up")
    source = _heap(check, s.source, "from")
    if source is None:
        return []
    several = not isinstance(asked := base_type(typed.type), Range) or asked.high > 1
    if isinstance(s.receiver, syntax.EachPlayer):
        to = _heaps_of_players(check, s.receiver, source, several)
    else:
        to = _heap(check, s.receiver)
    if to is None or not _fits(check, source, to):
        return []
    scope.has_draws = True
    scope.used.add(source.variable.name)
    scope.assigned |= {source.variable.name, to.variable.name}
    held, copies = size(source.kind) * source.copies, source.copies
    most = max(1, asked.high) if isinstance(asked, Range) else held
    if copies * comb(copies, copies // 2) ** 2 * comb(held, min(most - 1, held // 2)) >= limits.NUMBER:
        told = f"{min(most, held)} of {held} things can be chosen in more ways than numbers have digits for"
        return scope.instead(told, span, "deal fewer in one line, or give what they come from a smaller range", [])
    if isinstance(to.variable.type, Optional) and most > 1:
        told = f"{clean(to.span.text)} holds one thing, and up to {most} are dealt"
        return scope.instead(told, s.receiver.span, "deal 1, or declare a set", [])
    step, left = _step(scope, source._replace(span=span), to._replace(span=span), most, span)
    count, player = check.frame.new_slot(), check.frame.new_slot()
    known: Names = (*names, ("dealt", count, Range(0, most)), *([("player", player, scope.players)] if each else []))
    whose = (Typed(core.Local(player), scope.players),) if each else to.indices
    draw: Any = Draw(step, (*source.indices, *whose), core.Local(count), known, span)
    dealt: tuple[Any, ...] = (core.Assign(left, (), core.Local(count), span), draw)
    if each:
        dealt = (core.For(player, core.Const(members(scope.players)), None, dealt, span),)
    return [core.Let(count, typed.core, span), *dealt]


def _heap(check: ExpressionChecker, written: syntax.Expression, word: str = "to") -> _Heap | None:
    """The heap that an expression names; None, with a problem, if it names none."""
    scope, given = check.scope, written.arguments if isinstance(written, syntax.Element) else ()
    name = written.word.text if isinstance(written, syntax.Name | syntax.Element) else ""
    variable = None if check.frame.find(name) or name in scope.faulty else scope.variables.get(name)
    if variable is None:
        if check.check(written) is not NOTHING_RIGHT:
            told = f"what things are dealt {word} is a variable of the state, and this is none"
            scope.problem(told, written.span, help="name a set, or an array that counts: deck: set of Card")
        return None
    found = _shape(variable, len(given), word == "to")
    if found is None:
        what = clean(written.span.text)
        told = f"things are dealt {word} a set, or an array of numbers from 0 up, and {what} is neither"
        return scope.instead(told, written.span, f"declare {name}: set of Card, or {name}[Card]: 0..4", None)
    before = variable.copy_with(indices=variable.indices[: len(given)])
    indices = check_indices(check, before, given, written.span) if given else ()
    number = list(scope.variables).index(name)
    return None if indices is None else _Heap(variable, number, indices, *found, written.span)


def _shape(variable: Variable, given: int, to: bool) -> tuple[Type, int] | None:
    """The type of the things in a heap that so many indices of a variable name, and how many equal ones it may hold;
    None if that is no heap. With `to`, a variable that holds one thing or none is one."""
    type, indices = variable.type, variable.indices
    if isinstance(type, SetType) or (to and isinstance(type, Optional) and not variable.places):
        return (type.item, 1) if given == len(indices) else None
    counts = isinstance(type, Range) and type.low == 0 and given == len(indices) - 1 and not variable.places
    return (indices[-1], type.high) if isinstance(type, Range) and counts and small_enough(indices[-1]) else None


def _fits(check: ExpressionChecker, source: _Heap, to: _Heap) -> bool:
    """True if one heap can hold what the other does; else a problem is noted."""
    from_, to_ = clean(source.span.text), clean(to.span.text)
    if source.kind != to.kind:
        told = f"{from_} has {describe_type(source.kind)}, and {to_} holds {describe_type(to.kind)}"
        check.scope.problem(told, to.span, help="deal to what holds things of the same type")
    elif to.is_set and source.copies > 1:
        told = f"{from_} may have several that are equal, and a set holds each but once"
        check.scope.problem(told, to.span, help=f"declare {to.variable.name} as an array that counts, as {from_} is")
    return source.kind == to.kind and (source.copies == 1 or not to.is_set)


def _heaps_of_players(check: ExpressionChecker, to: syntax.EachPlayer, source: _Heap, several: bool) -> _Heap | None:
    """The heaps of the players, one for each: those of the only variable that has such; where several things are dealt,
    of those that hold more than one."""
    scope, kind, span = check.scope, source.kind, to.span
    if to.who.text != "player":
        told = "what is dealt to each is dealt to each player"
        return scope.instead(told, to.who.span, "write 'to each player'", None)
    found = []
    for number, variable in enumerate(scope.variables.values()):
        shape = _shape(variable, 1, not several) if variable.indices[:1] == (scope.players,) else None
        if shape is not None and shape[0] == kind and number != source.number:
            found.append(_Heap(variable, number, (), *shape, span))
    if not found:
        help = f"declare hand[Player]: set of {kind}"
        return scope.instead(f"nothing holds {kind} for each player", span, help, None)
    if found[1:]:
        told = f"{listing([heap.variable.name for heap in found])} hold {kind} for each player"
        deal = f"deal N from {clean(source.span.text)} to {found[0].variable.name}[p]"
        scope.problem(told, span, help=f"write a loop: for p in Player, and below it: {deal}")
    return found[0]


# ---- The chance step --------------------------------------------------------------------------------------------


def _step(scope: Scope, source: _Heap, to: _Heap, most: int, span: Span) -> tuple[int, int]:
    """The number of the chance step that deals the next thing from one variable to another, of at most so many, and
    that of the variable for how many are left to be dealt; made when first needed."""
    name = f"{DEALS}up to {most} from {source.variable.name} to {to.variable.name}"
    if f"number.{name}" not in scope.variables:
        # How many are left to be dealt, which was dealt last, and how often in a row: between deals the first values.
        for word, type, first in (
            ("number", Range(0, most), 0), ("last", Optional(source.kind), None), ("again", Range(0, source.copies), 0),
        ):  # fmt: skip
            end = max(scope.variables.values(), key=lambda variable: variable.place)
            place, hidden = end.place + len(end.initial), Visibility("none")
            kept = Variable(f"{word}.{name}", (), type, place, (first,), hidden, span)
            scope.variables[kept.name] = kept
            scope.assigned.add(kept.name)
        scope.steps_of_words.append(_deal_next(scope, name, source, to, min(most, size(source.kind) * source.copies)))
    number = next(n for n, step in enumerate(scope.steps_of_words) if step.name == name)
    return len(scope.chances) + number, list(scope.variables).index(f"number.{name}")


def _deal_next(scope: Scope, name: str, source: _Heap, to: _Heap, most: int) -> Rule:
    """The chance step that deals the next thing: its first parameters say which heaps, the last is the thing."""
    span = source.span
    types = (*source.types, *to.types)
    slots = tuple(core.Local(slot) for slot in range(len(types)))
    place, goal, thing = slots[: len(source.types)], slots[len(source.types) :], core.Local(len(types))
    left, last, again = (core.Cell(scope.variables[f"{word}.{name}"].place) for word in ("number", "last", "again"))
    number = list(scope.variables).index(f"number.{name}")
    none, same = core.Const(None), core.Comparison("=", last, thing, span)
    behind = core.Comparison("<" if source.copies == 1 else "<=", last, thing, span)
    guards: list[core.Expression] = [core.Some((core.Comparison("=", last, none, span), behind))]
    domain: core.Expression = core.Members(source.value_at(place))
    if not source.is_set:
        domain = core.Const(members(source.kind))
    if not source.is_set and source.copies == 1:  # of several the weight is 0 where there is none
        guards.append(core.Comparison(">", source.value_at((*place, thing)), core.Const(0), span))
    given = [core.Parameter(n, type, core.Const(members(type)), (), span=span) for n, type in enumerate(types)]
    body = (
        source.change(place, thing, "-"), to.change(goal, thing, "+"),
        core.Assign(number + 2, (), core.If(same, _plus(again, _ONE, span), _ONE), span),
        core.Assign(number + 1, (), thing, span),
        core.Assign(number, (), _plus(left, core.Const(-1), span), span),
        core.Conditional(
            core.Comparison("=", left, core.Const(0), span),
            (core.Assign(number + 1, (), none, span), core.Assign(number + 2, (), core.Const(0), span)), (), span,
        ),
    )  # fmt: skip
    weight = _ways(source, place, thing, left, last, again, most)
    parameters = (*given, core.Parameter(thing.slot, source.kind, domain, tuple(guards), span=span))
    template = core.Template(((thing, source.kind),), span)
    return Rule(name, parameters, (), weight, template, False, body, thing.slot + 3, True, span)


def _plus(one: core.Expression, other: core.Expression, span: Span) -> core.Expression:
    return core.Arithmetic("+", one, other, span)


def _ways(
    source: _Heap, place: tuple[core.Expression, ...], thing: core.Local, left: core.Expression, last: core.Expression,
    again: core.Expression, most: int,
) -> core.Expression:  # fmt: skip
    """The number of ways in which a deal goes on with a thing: how many of the same kind are dealt in all, and which of
    those that come behind it."""
    span, copies, every = source.span, source.copies, members(source.kind)
    k, other, held = core.Local(thing.slot + 1), core.Local(thing.slot + 2), len(every) * copies
    rest = core.Arithmetic("-", left, k, span)
    if source.is_set:
        beyond = 1 << max(32, every[-1] + 1)  # no thing, but by so large a number engines know a set
        sets = tuple(sum((1 << more for more in every if more > one), beyond) for one in every)
        later: core.Expression = core.Lookup("later", sets, (thing,), (every[0],), 0)
        behind: core.Expression = core.Size(core.SetOperation("*", source.value_at(place), later), True, span)
    else:
        greater = core.Comparison(">", other, thing, span)
        number = source.value_at((*place, other))
        behind = core.Quantifier("sum", other.slot, core.Const(every), greater, number, span)
    if copies == 1:
        alone = core.Arithmetic("-", left, _ONE, span)
        return _binomial_coefficient(held, most - 1, behind, alone, span)
    same = core.Comparison("=", last, thing, span)
    before = core.If(same, again, core.Const(0))
    own = _plus(source.value_at((*place, thing)), before, span)
    ways = core.Arithmetic(
        "*",
        _binomial_coefficient(copies, copies, own, _plus(before, k, span), span),
        _binomial_coefficient(held, most - 1, behind, rest, span),
        span,
    )
    ways_on = core.Quantifier("sum", k.slot, core.Const(range(1, copies + 1)), None, ways, span)
    first = core.Some((same, core.Comparison("=", last, core.Const(None), span)))
    earlier = _binomial_coefficient(copies, copies, _plus(source.value_at((*place, last)), again, span), again, span)
    return core.Arithmetic("*", core.If(first, _ONE, earlier), ways_on, span)


def _binomial_coefficient(
    held: int, most: int, things: core.Expression, chosen: core.Expression, span: Span
) -> core.Expression:
    """The number of ways to choose so many of so many things, of at most `held` and `most`: looked up, in two tables if
    it may be large; 0 where the number chosen is below 0."""
    table = [[divmod(comb(n, k), LARGE) for k in range(most + 1)] for n in range(held + 1)]
    parts = (tuple(tuple(number[part] for number in row) for row in table) for part in (0, 1))
    high, low = (core.Lookup("choose", part, (things, chosen), (0, 0), 0) for part in parts)
    if comb(held, min(most, held // 2)) < LARGE:
        return low
    return _plus(core.Arithmetic("*", high, core.Const(LARGE), span), low, span)

"""Sequences: `deck: sequence of Card up to 9` is an array over its places whose elements behind the last are none.

So two sequences of the same content are the same cells, and all that is asked of them and done to them is said in forms
that every engine knows. What does not fit (one element more than it holds, one taken from an empty one, none put in) is
assigned to an element that there is not, which is a fault.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gdl import syntax
from gdl.checker.array_elements import check_indices
from gdl.checker.scope import NOTHING_RIGHT, Checks, Typed
from gdl.checker.types import base_type, fits, read_as, small_enough
from gdl.errors import Span, clean, count_text
from gdl.model import core
from gdl.model.domains import ANYTHING, NOTHING, TRUTH, Named, Optional, Place, Range, SetType, Type, describe_type
from gdl.model.games import Variable, Visibility

MOST_PLACES = 1_000  # the greatest length of a sequence
_NONE, _NOWHERE = core.Const(None), core.Const(0)  # no sequence has a place 0


class StoredSequence(NamedTuple):
    """A sequence stored in the state, which a file names: its variable, the number of that variable, and the indices
    before the place (of an array of sequences)."""

    variable: Variable
    number: int
    indices: tuple[core.Expression, ...]
    span: Span

    @property
    def item(self) -> Type:
        return read_as(base_type(self.variable.type))

    @property
    def places(self) -> core.Const:
        return core.Const(range(1, self.variable.places + 1))

    def element_at(self, place: core.Expression | int) -> core.Element:
        """The element at a place."""
        there = core.Const(place) if isinstance(place, int) else place
        on_board = any(isinstance(index, Named) and index.board for index in self.variable.indices)
        return core.Element(self.number, (*self.indices, there), on_board, self.span)

    def lacks(self, place: core.Expression | int) -> core.Expression:
        """The condition that there is no element at a place."""
        return core.Comparison("=", self.element_at(place), _NONE, self.span)

    def has(self, place: core.Expression) -> core.Expression:
        return core.Comparison("!=", self.element_at(place), _NONE, self.span)

    def assign(self, place: core.Expression | int, value: core.Expression, span: Span) -> core.Assign:
        return core.Assign(self.number, self.element_at(place).indices, value, span)

    def size(self, check: Checks) -> core.Expression:
        slot = check.frame.new_slot()
        return core.Quantifier("count", slot, self.places, None, self.has(core.Local(slot)), self.span)

    def values(self, check: Checks) -> Typed:
        """The set of the elements that the sequence holds, as a domain."""
        if not small_enough(base_type(self.item)):
            message = f"a set cannot hold {describe_type(self.item)}"
            return check.scope.wrong(message, self.span, help="let a place be chosen: i: 1..9 when i <= size(…)")
        slot = check.frame.new_slot()
        one = core.SetOf((self.element_at(core.Local(slot)),), self.span)
        there = self.has(core.Local(slot))
        held = core.Quantifier("union", slot, self.places, there, one, self.span)
        return Typed(core.Members(held), self.item)


def type_of_sequence(check: Checks, written: syntax.SequenceOf) -> tuple[Type, Place] | None:
    """The type of the elements and the type of their places, from 1; None after a mistake."""
    if written.most is None:
        told = "a sequence in 'state' has a greatest length"
        return check.scope.instead(told, written.span, "write it behind: sequence of Card up to 52", None)
    item, most = check.type_of(written.type), check.whole_number(written.most)
    if most is None or item == ANYTHING:
        return None
    if isinstance(item, Optional | SetType):
        told = f"an element of a sequence is one thing, and this is {describe_type(item)}"
        return check.scope.instead(told, written.type.span, "leave out what is none; a set fits in an array", None)
    if not 1 <= most <= MOST_PLACES:
        message = f"a sequence has 1 to {MOST_PLACES:,} places"
        return check.scope.instead(message, written.most.span, "write another number", None)
    return item, Place(1, most)


def first_elements(check: Checks, written: syntax.Expression, type: Type) -> core.Expression:
    """The elements that a sequence begins with, in order: a list, or all values of a type or a set."""
    if isinstance(written, syntax.List):
        return core.Items(tuple(check.want(item, base_type(type)) for item in written.items or ()))
    domain = check.domain(written)
    if not fits(domain.type, type):
        told = f"{describe_type(base_type(type))} is due here, and this is {describe_type(domain.type)}"
        check.scope.problem(told, written.span, help="write values of its kind")
    return domain.core


def see_length(of: StoredSequence, said: Visibility) -> Visibility:
    """The visibility of a sequence's elements: those whom the file names see an element. An empty place is seen by all,
    so that everybody knows how long a sequence is."""
    places = tuple(core.Local(slot) for slot in range(len(of.variable.indices)))
    empty = core.Comparison("=", core.Element(of.number, places, False, of.span), _NONE, of.span)
    if said.condition is not None:
        return said.copy_with(condition=core.Some((said.condition, empty)))
    slot = len(places)
    owns = (core.Comparison("=", places[0], core.Local(slot), of.span),) if said.kind == "owner" else ()
    hides: Any = said.kind
    return Visibility("when", slot, core.Some((*owns, empty)), slot + 1, hides)


def sequence_named(check: Checks, written: syntax.Syntax) -> StoredSequence | None:
    """The stored sequence that an expression or the target of an assignment names; None if it names none."""
    name = ""
    given: tuple[syntax.Expression, ...] = ()
    match written:
        case syntax.Name(word=word):
            name = word.text
        case syntax.Element(word=word, arguments=given) | syntax.Target(name=word, arguments=tuple(given)):
            name = word.text
        case syntax.Target(name=word):
            name = word.text
    if (local := check.frame.find(name)) is not None:
        of = check.frame.sequences.get(local[0])
        return None if of is None or given else of._replace(span=written.span)
    variable = check.scope.variables.get(name)
    if variable is None or not variable.places or len(given) != len(variable.indices) - 1:
        return None
    before = variable.copy_with(indices=variable.indices[:-1])
    found = check_indices(check, before, given, written.span) if given else ()
    indices = tuple(typed.core for typed in found) if found is not None else (NOTHING_RIGHT.core,) * len(given)
    return StoredSequence(variable, list(check.scope.variables).index(name), indices, written.span)


def wants_sequence(check: Checks, e: syntax.Call | syntax.CallProcedure, word: str, due: int) -> StoredSequence | None:
    """The stored sequence given as the first argument of a call of `word`, which takes `due` arguments; None, with a
    problem, after a mistake."""
    given = e.arguments or ()
    if not check.scope.takes(f"'{word}'", due, len(given), e.span, _USES[word]):
        return None
    found = sequence_named(check, given[0])
    if found is None and (typed := check.check(given[0])) is not NOTHING_RIGHT:
        told = f"'{word}' is of a sequence, and this is {describe_type(typed.type)}"
        help = _set_effect(word, given) if isinstance(typed.type, SetType) else ""
        check.scope.problem(told, given[0].span, help=help or _USES[word])
    return found


def _set_effect(word: str, given: tuple[syntax.Expression, ...]) -> str:
    """How a set gets or loses a member, for a word by which a sequence does; empty for the other words."""
    sign = {"push": "+", "append": "+", "insert": "+", "remove": "-"}.get(word)
    of, item = (clean(e.span.text) for e in (given[0], given[-1]))
    return f"write {of} := {of} {sign} {item if word == 'append' else f'{{{item}}}'}" if sign else ""


_USES = {
    "first": "write first(deck) of a deck: sequence of Card up to 9",
    "last": "write last(deck) of a deck: sequence of Card up to 9",
    "push": "write push(deck, card): it becomes the last",
    "append": "write append(deck, discard): what discard holds follows behind",
    "rotate": "write rotate(order): the first becomes the last",
    "pop": "write pop(deck): the last is taken out",
    "insert": "write insert(deck, place, card)",
    "remove": "write remove(deck, place)",
    "shuffle": "write shuffle(deck)",
}


# ---- Asked ------------------------------------------------------------------------------------------------------


def check_end(check: Checks, e: syntax.Call) -> Typed:
    """Check `first(s)` or `last(s)`: the element at that end, `none` of an empty sequence."""
    found = wants_sequence(check, e, e.word.text, 1)
    if found is None:
        return NOTHING_RIGHT
    if e.word.text == "first":
        return Typed(found.element_at(1), Optional(found.item))
    slot = check.frame.new_slot()
    size = core.Local(slot)
    empty = core.Comparison("=", size, core.Const(0), e.span)
    last = core.Scope(((slot, found.size(check)),), core.If(empty, _NONE, found.element_at(size)))
    return Typed(last, Optional(found.item))


def check_content(check: Checks, e: syntax.Compare) -> Typed | None:
    """Check `s = t`, `s != [a, b]` or `x in s`; None where neither side is a stored sequence."""
    right = sequence_named(check, e.right)
    if e.relation in ("in", "not in"):
        same = None if right is None else _holds(check, right, e)
    else:
        left = sequence_named(check, e.left)
        if left is None and right is None:
            return None
        if e.relation not in ("=", "!="):
            return check.scope.wrong("a sequence has no order", e.span, help="compare sizes or elements")
        first, other = (left, e.right) if left is not None else (right, e.left)
        assert first is not None
        same = _same_content(check, first, right if left is not None else None, other)
    if same is None:
        return None
    return Typed(core.Not(same) if e.relation in ("!=", "not in") else same, TRUTH)


def _holds(check: Checks, within: StoredSequence, e: syntax.Compare) -> core.Expression:
    """Check `x in s`; `none` is in no sequence."""
    typed = check.checked_as(e.left, within.item)
    item = check.convert_or_report(typed, e.left, Optional(within.item), describe_type(within.item))
    slot, kept = check.frame.new_slot(), check.frame.new_slot()
    met = core.Comparison("=", within.element_at(core.Local(slot)), core.Local(kept), e.span)
    where = within.has(core.Local(slot)) if _may_be_none(typed.type) else None
    return core.Scope(((kept, item),), core.Quantifier("exists", slot, within.places, where, met, e.span))


def _may_be_none(type: Type) -> bool:
    return isinstance(type, Optional) or type == NOTHING


def _same_content(
    check: Checks, one: StoredSequence, other: StoredSequence | None, written: syntax.Expression
) -> core.Expression:
    if other is None:
        listed, end = members_of_list(check, one, written), one
        parts: list[core.Expression] = [
            part
            for k, value in enumerate(listed or (), start=1)
            for part in (core.Comparison("=", one.element_at(k), value.core, written.span), one.has(core.Const(k)))
        ]
    else:
        one, end = sorted((one, other), key=lambda each: each.variable.places)
        if not one_kind(check, one, end, written.span):
            return NOTHING_RIGHT.core
        slot = check.frame.new_slot()
        same = core.Comparison("=", one.element_at(core.Local(slot)), end.element_at(core.Local(slot)), written.span)
        parts = [core.Quantifier("forall", slot, one.places, None, same, written.span)]
    reached = one.variable.places if other is not None else len(parts) // 2
    if reached < end.variable.places:
        parts.append(end.lacks(reached + 1))
    return core.All(tuple(parts))


def one_kind(check: Checks, one: StoredSequence, other: StoredSequence, span: Span) -> bool:
    """True if two sequences hold things of one kind; else a problem is noted."""
    if base_type(one.item) == base_type(other.item) or {type(one.item), type(other.item)} <= {Range}:
        return True
    told = f"{describe_type(one.item)} and {describe_type(other.item)} cannot stand together"
    return check.scope.instead(told, span, "write values of one kind", False)


def members_of_list(check: Checks, due: StoredSequence, written: syntax.Expression) -> list[Typed] | None:
    """The members of a list that stands where a sequence is due, written out or known before play; None after a
    mistake."""
    before = len(check.scope.problems)
    if isinstance(written, syntax.List):
        items = written.items or ()
        found = [check.checked_as(item, due.item) for item in items]
        spans = [item.span for item in items]
    else:
        domain = check.domain(written)
        values = check.constant_of(domain, written) if len(check.scope.problems) == before else None
        found = [Typed(core.Const(value), domain.type) for value in values or ()]
        spans = [written.span] * len(found)
    name, most = clean(due.variable.name), due.variable.places
    if len(found) > most:
        told = f"{name} has at most {count_text(most, 'element')}, and these are {len(found):,}"
        check.scope.problem(told, written.span, help="leave some out, or let it be longer")
    listed = []
    for typed, span in zip(found, spans, strict=True):
        converted = check.convert(typed, due.item)
        if converted is None and typed is not NOTHING_RIGHT:
            told = f"{name} holds {describe_type(due.item)}, and this is {describe_type(typed.type)}"
            check.scope.problem(told, span, help="write values of its kind")
        listed.append(Typed(converted or _NONE, typed.type))
    return None if len(check.scope.problems) > before else listed


# ---- Done -------------------------------------------------------------------------------------------------------


def assign_sequence(check: Checks, to: StoredSequence, written: syntax.Expression, span: Span) -> list[core.Assign]:
    """The assignments that `s := t` or `s := [a, b]` stands for, one for every place."""
    most, source = to.variable.places, sequence_named(check, written)
    if source is not None:
        if not one_kind(check, to, source, span):
            return []
        there = source.variable.places
        made = [to.assign(k, source.element_at(k) if k <= there else _NONE, span) for k in range(1, most + 1)]
        if there > most:  # what is too long is put where there is no place
            fits = core.If(source.lacks(most + 1), core.Const(1), core.Const(most + 1))
            made.append(to.assign(fits, source.element_at(1), span))
        return made
    listed = members_of_list(check, to, written)
    if listed is None:
        return []
    made = [to.assign(place_for(v, core.Const(k), span), v.core, span) for k, v in enumerate(listed, start=1)]
    return made + [to.assign(k, _NONE, span) for k in range(len(listed) + 1, most + 1)]


def place_for(value: Typed, place: core.Expression, span: Span) -> core.Expression:
    """The place at which to put a value; if the value is `none`, no place at all, which is a fault in play."""
    if not _may_be_none(value.type):
        return place
    return core.If(core.Comparison("!=", value.core, _NONE, span), place, _NOWHERE)


def there_alone(check: Checks, to: StoredSequence, place: core.Expression, value: Typed) -> tuple[core.Expression, ...]:
    """The indices at which to assign an element: there must be an element at the place already, and the value must not
    be `none`; else there is no such place, which is a fault in play."""
    slot = check.frame.new_slot()
    there = core.If(to.has(core.Local(slot)), place_for(value, core.Local(slot), to.span), _NOWHERE)
    return to.element_at(core.Scope(((slot, place),), there)).indices

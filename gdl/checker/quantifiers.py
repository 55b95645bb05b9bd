"""exists, forall, count, sum, min, max, first, those and reach: syntax -> core."""

from __future__ import annotations

from gdl import syntax
from gdl.checker.array_elements import number_lists, pad_lists
from gdl.checker.narrowing import exclude_none
from gdl.checker.scope import NOTHING_RIGHT, Checks, RunningElement, Typed
from gdl.checker.sequences import StoredSequence, sequence_named
from gdl.checker.types import arithmetic_type, base_type, has_order, numeric, small_enough
from gdl.errors import limits
from gdl.model import core
from gdl.model.domains import (
    ANYTHING,
    NUMBER,
    TRUTH,
    Named,
    Optional,
    Range,
    Sequence,
    SetType,
    Type,
    describe_type,
    elements,
    size,
)

_SINGLE = ("first", "those")  # quantifiers that bind only one name


def check_quantifier(check: Checks, e: syntax.Quantified) -> Typed:
    """Check a quantifier. With several names it is nested, the first name outermost; the domain of each may use the
    names before it."""
    kind = e.quantifier.text
    if kind in _SINGLE and len(e.binders) > 1:
        return check.scope.wrong(f"'{kind}' takes one name", e.span, help=f"nest: {kind} x in A: exists y in B: …")
    with check.frame.inner_block():
        bound = bind_all(check, e.binders, e)
        body, type = _body(check, kind, e, bound[-1][1])
    if type is None:
        return NOTHING_RIGHT
    element = check.frame.elements.get(bound[-1][0])
    if kind == "those" and element is not None:
        slot, item, domain, where = bound[-1]
        bound = [(slot, item, domain, core.All((where or core.Const(True), body)))]
        body, kind = core.SetOf((element.element,), e.span), "union"
    inner_kind, outer_kind = kind, {"count": "sum", "union": "union"}.get(kind, kind)
    if kind == "sum" and isinstance(type, SetType):
        inner_kind = outer_kind = "union"
    for position, (slot, _, domain, where) in enumerate(reversed(bound)):
        body = core.Quantifier(inner_kind if position == 0 else outer_kind, slot, domain, where, body, e.span)
    if kind == "first" and element is not None:
        return Typed(element.element.copy_with(indices=(*element.element.indices[:-1], body)), type)
    if kind == "first" and (slot := bound[-1][0]) in check.frame.lists:
        listed = check.frame.lists[slot]
        assert isinstance(listed, core.Lookup)
        return Typed(listed.copy_with(arguments=(*listed.arguments[:-1], body)), type)
    if inner_kind in ("count", "sum"):
        type = _range_of_sum(Range(1, 1) if kind == "count" else base_type(type), bound)
    return Typed(body, type)


Bound = tuple[int, Type, core.Expression, core.Expression | None]


def bind_all(check: Checks, binders: tuple[syntax.Binder, ...], whole: syntax.Syntax) -> list[Bound]:
    """Bind all names of a quantifier or a `for`, in order; `whole` is the part of the file in which they can be
    used."""
    if len(binders) > limits.NAMES:
        message, help = f"at most {limits.NAMES} names run at once", "take some of them into a definition"
        check.scope.problem(message, binders[limits.NAMES].span, help)
    return [bind(check, binder, whole) for binder in binders[: limits.NAMES]]


def bind(check: Checks, binder: syntax.Binder, whole: syntax.Syntax) -> Bound:
    """Bind one name: its slot, its type, the domain that it runs over, and the condition after `where` (None if there
    is none)."""
    stored = sequence_named(check, binder.domain)
    if stored is not None:
        return _bind_element(check, binder, stored)
    domain = check.domain(binder.domain)
    slot = check.bind(binder.name, domain.type)
    numbers = runs_over_lists(domain, whole, binder.name.name) and number_lists(check, slot, domain, binder.domain.span)
    values = up_to(check, slot, (numbers or domain).core, binder.until)
    return slot, domain.type, values, _where(check, binder)


def _where(check: Checks, binder: syntax.Binder) -> core.Expression | None:
    """The condition after `where`, which holds in all that is said of the name; None if there is none."""
    if binder.where is None:
        return None
    condition = check.truth(binder.where)
    exclude_none(check, condition)
    return condition


def _bind_element(check: Checks, binder: syntax.Binder, stored: StoredSequence) -> Bound:
    """Bind a name that runs over the elements of a sequence: its slot runs over the places that hold an element."""
    slot = check.bind(binder.name, stored.item)
    place = core.Local(slot)
    check.frame.elements[slot] = RunningElement(stored.element_at(place), stored.variable.indices[-1])
    where, domain = [stored.has(place)], stored.places
    if binder.until is not None:
        last = core.Some((stored.lacks(place), check.truth(binder.until)))
        where.append(core.Contains(place, core.Until(slot, domain, last, binder.until.span), False))
    if (condition := _where(check, binder)) is not None:
        where.append(condition)
    return slot, stored.item, domain, core.All(tuple(where))


def runs_over_lists(domain: Typed, whole: object, name: str) -> bool:
    """True if a name runs over lists of lists, or over lists of which an element (`w[1]`) occurs in this part of the
    file."""
    return isinstance(domain.type, Sequence) and (
        isinstance(domain.type.item, Sequence)
        or any(isinstance(part, syntax.Element) and part.word.text == name for part in syntax.descendants(whole))
    )


def up_to(check: Checks, slot: int, domain: core.Expression, until: syntax.Expression | None) -> core.Expression:
    """The domain up to and including the first value for which `until` holds; all of it if `until` is None."""
    return domain if until is None else core.Until(slot, domain, check.truth(until), until.span)


def _body(check: Checks, kind: str, e: syntax.Quantified, item: Type) -> tuple[core.Expression, Type | None]:
    """The core form of a quantifier's body, and the type of the quantifier's value; None for the type after a
    mistake."""
    if kind in ("exists", "forall", "count"):
        return check.truth(e.body), TRUTH
    if kind == "first":
        return check.truth(e.body), item if isinstance(item, Optional) else Optional(item)
    if kind == "those":
        if base_type(item) != NUMBER and not small_enough(base_type(item)):
            help = f"sets hold names, squares, or numbers from 0 to {limits.IN_SET - 1:,}"
            check.scope.problem(f"a set cannot hold {describe_type(item)}", e.span, help)
            return NOTHING_RIGHT.core, None
        return check.truth(e.body), SetType(base_type(item))
    typed = check.check(e.body)
    if kind == "sum" and isinstance(typed.type, SetType):
        return typed.core, typed.type
    if not (numeric(base_type(typed.type)) or (kind in ("min", "max") and has_order(base_type(typed.type)))):
        message = f"'{kind}' takes numbers, and this is {describe_type(typed.type)}"
        return check.scope.instead(message, e.body.span, "write a number for each", (typed.core, None))
    return typed.core, typed.type


def _range_of_sum(each: Type, bound: list[Bound]) -> Type:
    """The range of a sum over all combinations of values, each of them a number of this type, or left out."""
    total = each
    for _, item, domain, _ in bound:
        known = isinstance(item, Range | Named)
        total = arithmetic_type("*", total, Range(0, _most_values(domain, item))) if known else NUMBER
    return total


def _most_values(domain: core.Expression, item: Type) -> int:
    """How many values a domain has at most. A list may have one of them several times."""
    if isinstance(domain, core.Until):
        return _most_values(domain.domain, item)
    if isinstance(domain, core.Lookup):
        return pad_lists(domain.table, len(domain.arguments))[1]
    listed = domain.value if isinstance(domain, core.Const) else getattr(domain, "items", None)
    return size(item) if listed is None else len(listed)


def check_reach(check: Checks, e: syntax.Reach) -> Typed:
    """`reach q from START along neighbours|directions where CONDITION`."""
    start = check.check(e.start)
    board = start.type.item if isinstance(start.type, SetType) else None
    if not isinstance(board, Named) or board.board is None:
        if start.type == ANYTHING:
            return NOTHING_RIGHT
        told = f"'reach' starts from a set of squares, and this is {describe_type(start.type)}"
        return check.scope.wrong(told, e.start.span, help="put a single square in braces: {s}")
    match e.along:
        case syntax.Call(word=word, arguments=[syntax.Name(word=syntax.Word(text=e.name.text))]):
            message = f"what 'reach' goes along is the same for all squares, and {e.name.name} is one of them"
            return check.scope.wrong(message, e.along.span, help=f"write {word.text} alone")
    neighbours = _directions_along(check, e.along, board)
    with check.frame.inner_block():
        slot = check.bind(e.name, board)
        where = None if e.where is None else check.truth(e.where)
    return Typed(core.Reach(slot, start.core, neighbours, where), SetType(board))


def check_reach_edges(check: Checks, e: syntax.ReachEdges) -> Typed:
    """`reach q from START along p -> q where CONDITION`: the region along the edges for which a condition holds."""
    start = check.check(e.start)
    item = start.type.item if isinstance(start.type, SetType) else None
    if not isinstance(item, Named):
        if start.type == ANYTHING:
            return NOTHING_RIGHT
        return check.scope.wrong(
            f"'reach' along edges starts from a set of squares or names, and this is {describe_type(start.type)}",
            e.start.span, help="for numbers declare a track(n)" if item else "put a single value in braces: {s}",
        )  # fmt: skip
    if e.target.name != e.name.name:
        message = f"'reach {e.name.name}' looks for {e.name.name}, and the edges lead to {e.target.name}"
        check.scope.problem(message, e.target.span, help=f"write along {e.source.name} -> {e.name.name}")
        return NOTHING_RIGHT
    with check.frame.inner_block():
        slot, source = check.bind(e.name, item), check.bind(e.source, item)
        where = check.truth(e.where)
    neighbours, rest = _edges(where, slot, source, len(item.members))
    if sum(map(len, neighbours)) > limits.WORK:
        help = f"say which may be joined: where {e.name.name} in neighbours({e.source.name}) and …"
        return check.scope.wrong(f"more than {limits.WORK:,} pairs are asked here", e.span, help=help)
    return Typed(core.Reach(slot, start.core, neighbours, rest, source), SetType(item))


def _edges(
    where: core.Expression, slot: int, source: int, count: int
) -> tuple[tuple[tuple[int, ...], ...], core.Expression]:
    """For each square the squares to which an edge may lead, as a part `q in neighbours(p)` of the condition says (else
    all squares), and the rest of the condition. `slot` holds the target of the edge, `source` its source."""
    parts = where.parts if isinstance(where, core.All) else (where,)
    for part in parts:
        near = _neighbours(part, slot, source)
        if near is not None:
            return near, core.All(tuple(other for other in parts if other is not part))
    return (tuple(range(count)),) * count, where


def _neighbours(part: core.Expression, slot: int, source: int) -> tuple[tuple[int, ...], ...] | None:
    """The neighbours of each square, if this part of the condition says that one end of the edge is a neighbour of the
    other; else None."""
    if not isinstance(part, core.Contains) or not part.bits or not isinstance(part.container, core.Lookup):
        return None
    lookup = part.container
    ends = part.item, lookup.arguments[0]
    if not lookup.word.startswith("neighbours"):
        return None
    near = tuple(elements(bits) for bits in lookup.table)
    if ends == (core.Local(slot), core.Local(source)):
        return near
    if ends == (core.Local(source), core.Local(slot)):
        return tuple(tuple(q for q, others in enumerate(near) if p in others) for p in range(len(near)))
    return None


def _directions_along(check: Checks, written: syntax.Expression, board: Named) -> tuple[tuple[int, ...], ...]:
    shape = board.board
    assert shape is not None
    own = check.scope.declared
    if isinstance(written, syntax.Name) and written.word.text == "neighbours" and "neighbours" not in own:
        return shape.adjacent
    wanted = check.scope.directions.get(board.name)
    typed = check.checked_as(written, wanted)
    if not isinstance(typed.type, SetType) or typed.type.item != wanted:
        if typed.type != ANYTHING:
            ways = f"neighbours or directions of the board {board.name}"
            message = f"'reach' goes along {ways}, and this is {describe_type(typed.type)}"
            check.scope.problem(message, written.span, help="write neighbours, orthogonals or directions")
        return ()
    value = check.constant_of(typed, written) or 0
    return tuple(
        tuple(step for d, step in enumerate(row) if step is not None and value >> d & 1) for row in shape.steps
    )

"""Truths of clauses without variables, as expressions of gdl's own language: True and False where they are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gdl.model import core
from gdl.wings.stanford.clauses_model import Atom
from gdl.wings.stanford.grounding import Body

Truth = bool | core.Expression

NONE: Mapping[Atom, Truth] = {}


def form_of(truth: Truth) -> core.Expression:
    return core.Const(truth) if isinstance(truth, bool) else truth


def with_sign(truth: Truth, holds: bool) -> Truth:
    return truth if holds else not truth if isinstance(truth, bool) else core.Not(truth)


def conjunction(parts: Iterable[Truth]) -> Truth:
    return _join_truths(parts, False, core.All)


def disjunction(parts: Iterable[Truth]) -> Truth:
    return _join_truths(parts, True, core.Some)


def _join_truths(parts: Iterable[Truth], decisive: bool, form: type[core.All | core.Some]) -> Truth:
    """The parts as one form; `decisive` if one of them is that, which no other part changes."""
    kept: list[core.Expression] = []
    for part in parts:
        if part is decisive:
            return decisive
        if not isinstance(part, bool):
            kept.append(form_of(part))
    return not decisive if not kept else kept[0] if len(kept) == 1 else form(tuple(kept))


def truth_of(ways: Iterable[Body], known: Mapping[Atom, Truth], others: Mapping[Atom, Truth] = NONE) -> Truth:
    """The condition that at least one of the bodies `ways` holds. The truth of an atom is looked up in `known`, then in
    `others`; an atom in neither is false."""
    return disjunction(
        conjunction(with_sign(known.get(atom, others.get(atom, False)), holds) for atom, holds in way) for way in ways
    )


def choice(condition: Truth, then: core.Expression, otherwise: core.Expression) -> core.Expression:
    if isinstance(condition, bool):
        return then if condition else otherwise
    return core.If(condition, then, otherwise)


def change_of(new: core.Expression, fact: Truth) -> tuple[core.Expression, bool | None]:
    """The condition under which a fact changes, and the value that it changes to, if its next value `new` keeps it
    otherwise; else `new` itself, and None."""
    if isinstance(new, core.Some) and any(part is fact for part in new.parts):
        return form_of(disjunction(part for part in new.parts if part is not fact)), True
    if isinstance(new, core.All) and any(part is fact for part in new.parts):
        return core.Not(form_of(conjunction(part for part in new.parts if part is not fact))), False
    return new, None


def size_of(expression: core.Expression) -> int:
    """The number of operations and operands in an expression; a call of a definition counts as one."""
    count, stack = 0, [expression]
    while stack:
        part = stack.pop()
        count += 1
        if isinstance(part, core.All | core.Some):
            stack.extend(part.parts)
        elif isinstance(part, core.Not):
            stack.append(part.operand)
    return count

"""Texts as values in the names of actions: those that a hole writes, and other values that stand beside them in an
`if`."""

from __future__ import annotations

from gdl import syntax
from gdl.checker.scope import Typed
from gdl.checker.types import base_type
from gdl.errors import limits
from gdl.model import core
from gdl.model.domains import TRUTH, Named, Range, members, size, text_of

_NAME = "text"  # of the type


def texts_in(written: syntax.Syntax) -> Named:
    """The texts written inside a hole of a name (`{if x then "a" else "b"}`) as the members of a type."""
    work, found = [written], list[str]()
    for part in work:  # grows while it is walked
        work += syntax.parts(part)
        found += [part.value.name] if isinstance(part, syntax.Text) else []
    return Named(_NAME, tuple(dict.fromkeys(found)))


def join_as_texts(texts: Named, values: tuple[Typed, ...]) -> tuple[Named, tuple[Typed, ...]] | None:
    """Values of several kinds as the texts that a name shows of them, and the type of all these, which has the texts
    known so far as its first members; None if a value has no text of its own, or one of too many."""
    found = []
    for typed in values:
        type = base_type(typed.type)
        if isinstance(type, Named) and type.name == _NAME and texts.members[: len(type.members)] == type.members:
            found.append(typed)
            continue
        if not (isinstance(type, Named | Range) or typed.type == TRUTH) or size(type) > limits.IN_SET:
            return None
        shown = [text_of(type, value) for value in (*members(type), None)]
        texts = Named(_NAME, tuple(dict.fromkeys((*texts.members, *shown))))
        number = {text: at for at, text in enumerate(texts.members)}
        *table, none = (number[text] for text in shown)
        place = core.If(typed.core, core.Const(1), core.Const(0)) if type == TRUTH else typed.core
        low = type.low if isinstance(type, Range) else 0
        found.append(Typed(core.Lookup(_NAME, tuple(table), (place,), (low,), none), texts))
    return texts, tuple(found)

"""Forms of names of actions: the pieces that a name is made of, and what they prove before play.

A name can be read back if it can be split into its pieces in only one way: where one text of a piece is the beginning
of another, the rest of the longer one cannot begin like the piece that follows. Two forms differ if, where they first
differ, their texts begin differently.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gdl.model import core
from gdl.model.domains import TRUTH, Named, Optional, Range, SetType, Type, members, size, text_of
from gdl.model.domains import Sequence as Listing
from gdl.model.games import Rule

MOST_TEXTS = 1 << 12  # the most texts of a piece
SHORT_LIST = 64  # texts
END = ""  # stands for the end of a name, after the last piece


class Unproved(Exception):
    """Raised where nothing can be proved from the form of the names."""


@dataclass(frozen=True)
class NamePiece:
    """A part of a name, and the texts that may stand there. A `closed` piece gives only how its texts begin: an opening
    bracket, whose closing bracket ends the piece."""

    texts: frozenset[str]
    closed: bool = False


@dataclass(frozen=True)
class Perhaps:
    """Pieces that a body adds once or not at all; with `again` any number of times."""

    pieces: tuple[Form, ...]
    again: bool


Form = NamePiece | Perhaps


def template_of(head: Rule | core.Choose) -> core.Template:
    """The template of the names of a rule's actions, without what choices in the body add; or the part that a choice
    adds."""
    if head.template is not None:
        return head.template
    if isinstance(head, core.Choose):
        return core.Template(tuple(part for p in head.parameters for part in (" ", (core.Local(p.slot), p.type))))
    parts: list[Any] = [head.name]
    for number, parameter in enumerate(head.parameters):
        parts += [", " if number else "(", (core.Local(parameter.slot), parameter.type)]
    return core.Template((*parts, ")") if head.parameters else tuple(parts))


def piece_of(type: Type) -> NamePiece:
    """The texts of a type's values as a piece; for a set or list only the opening bracket. Raises Unproved where there
    are too many texts."""
    inner = type.item if isinstance(type, Optional) else type
    if isinstance(inner, SetType | Listing) and not isinstance(type, Optional):
        brackets = "{}" if isinstance(inner, SetType) else "[]"
        if any(set(f",{brackets}") & set(text) for text in piece_of(inner.item).texts):
            raise Unproved
        return NamePiece(frozenset({brackets[0]}), closed=True)
    if (not isinstance(inner, Named | Range) and inner != TRUTH) or size(type) > MOST_TEXTS:
        raise Unproved
    return NamePiece(frozenset(text_of(type, value) for value in members(type)))


def readable(form: Sequence[Form], follow: frozenset[str]) -> bool:
    """True if a text of this form can be split into its pieces in only one way. `follow`: the characters that may come
    after it."""
    for part in reversed(form):
        if isinstance(part, NamePiece):
            if not _is_prefix_free(part.texts, follow):
                return False
        else:
            begin = starts(part.pieces, frozenset())
            if begin & follow or not readable(part.pieces, follow | begin if part.again else follow):
                return False
        follow = starts([part], follow)
    return True


def _is_prefix_free(texts: frozenset[str], follow: frozenset[str]) -> bool:
    """True if no text of a piece is the beginning of a longer one that goes on with a character of `follow`."""
    # If one text begins another, the rest of the longer one could be the beginning of what follows the shorter.
    ordered = sorted(texts)  # right after each text come those that begin with it
    for at, short in enumerate(ordered, start=1):
        while at < len(ordered) and ordered[at].startswith(short):
            if ordered[at][len(short)] in follow:
                return False
            at += 1
    return True


def starts(form: Sequence[Form], follow: frozenset[str]) -> frozenset[str]:
    """The characters with which a text of this form can begin; those of `follow` too if the text can be empty."""
    for part in reversed(form):
        if isinstance(part, NamePiece):
            begin = frozenset(text[0] for text in part.texts if text)
            follow = begin | follow if "" in part.texts else begin
        else:
            follow = starts(part.pieces, follow) | follow
    return follow


def differ(a: Sequence[Form], b: Sequence[Form]) -> bool:
    """True if no text has both forms. False where that is not proved."""
    for at in range(min(len(a), len(b)) + 1):
        end = frozenset({END})
        # After equal pieces the next characters differ, so whole texts do.
        if not starts(a[at:], end) & starts(b[at:], end):
            return True
        # Only an equal piece that is read in one way can be passed over: then the rests alone must differ.
        if at == min(len(a), len(b)) or a[at] != b[at] or not isinstance(a[at], NamePiece):
            break
        if not readable(a[: at + 1], starts(a[at + 1 :], end) | starts(b[at + 1 :], end)):
            return False
    return _few_and_different(a, b)


def surely_differ(a: Sequence[Form] | None, b: Sequence[Form] | None) -> bool:
    """True if both forms are known, and no text has both."""
    return a is not None and b is not None and differ(a, b)


def _few_and_different(a: Sequence[Form], b: Sequence[Form]) -> bool:
    """True if the texts of both forms can be listed and none is in both lists."""
    lists = [_texts(form) for form in (a, b)]
    return lists[0] is not None and lists[1] is not None and not lists[0] & lists[1]


def short_list(form: Sequence[Form]) -> set[str] | None:
    """The texts of a form if they are few (SHORT_LIST), so that those of all rules can be compared; else None."""
    texts = _texts(form)
    return texts if texts is not None and len(texts) <= SHORT_LIST else None


def _texts(form: Sequence[Form]) -> set[str] | None:
    found = {""}
    for part in form:
        if not isinstance(part, NamePiece) or part.closed or len(found) * len(part.texts) > MOST_TEXTS:
            return None
        found = {text + more for text in found for more in part.texts}
    return found

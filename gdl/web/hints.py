"""Hints for whoever writes a game file: the parameters of what is being called, and the types of definitions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from gdl.model.domains import describe_type
from gdl.model.games import RulesModel
from gdl.web.document import Document
from gdl.web.hover import words

LONGEST = 4000  # characters before a place in which a call may begin
_OPENS, _CLOSES = "([{", ")]}"


class Signature(NamedTuple):
    """The head of something that is called: its text, the start and end of each parameter in it, and the number of the
    parameter that is being written, from 0. `name` is declared in the file, or a word of the language."""

    name: str
    text: str
    parameters: tuple[tuple[int, int], ...]
    active: int


def signature(document: Document, offset: int) -> Signature | None:
    """The head of the call around a place; None where there is no call, or its head is not known."""
    text, depth, commas, at = document.text, 0, 0, offset
    while at > max(0, offset - LONGEST) and (depth or text[at - 1] not in _OPENS):
        at -= 1
        depth += (text[at] in _CLOSES) - (text[at] in _OPENS)
        commas += text[at] == "," and not depth
    if not at or text[at - 1] != "(" or (word := document.word_at(at - 1)) is None or word[2] != at - 1:
        return None
    name = word[0]
    symbol = document.resolve_symbol(name, offset)
    if symbol is None:
        told = words().get(name, ("", ""))[1]  # the manual's example
    elif symbol.span.end == word[2] or not symbol.own:
        return None  # it is being declared here
    else:
        told = text[symbol.span.start :]
    end = _end_of_head(told, len(name))
    if not told.startswith(f"{name}(") or end is None:
        return None
    return Signature(name, told[:end], tuple(_parts(told, len(name) + 1, end - 1)), commas)


def definition_types(document: Document) -> Iterator[tuple[int, str]]:
    """For each definition that does not write its type: the offset where the type would stand, and the type as in the
    last text without an error."""
    if not isinstance(document.model, RulesModel):
        return
    types = {one.name: one.type for one in document.model.definitions}
    for symbol in document.symbols:
        end = _end_of_head(document.text, symbol.span.end)
        found = types.get(symbol.name)
        if symbol.kind != "definition" or found is None or end is None:
            continue
        if document.text[end:].lstrip().startswith("="):
            yield end, f": {describe_type(found)}"


def _end_of_head(text: str, start: int) -> int | None:
    """The end of the brackets that begin at a place; the place itself if none begin there, None if they never end."""
    if text[start : start + 1] != "(":
        return start
    depths = accumulate((sign in _OPENS) - (sign in _CLOSES) for sign in text[start : start + LONGEST])
    return next((at for at, depth in enumerate(depths, start + 1) if not depth), None)


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts between commas: the start and the end of each."""
    depth, begin = 0, start
    for at in range(start, end):
        depth += (text[at] in _OPENS) - (text[at] in _CLOSES)
        if text[at] == "," and not depth:
            yield begin, at
            begin = at + 2
    if begin < end:
        yield begin, end

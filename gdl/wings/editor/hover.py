"""The text that an editor shows for a word: its meaning in the language, or the file's words on a name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, takewhile
from typing import Any, NamedTuple

from gdl.model.domains import describe_type
from gdl.model.games import RulesModel
from gdl.web.manual import word_index
from gdl.wings.editor.document import Document
from gdl.wings.editor.symbols import Symbol


def hover(document: Document, offset: int) -> str | None:
    """The hover text of the word at a place, as Markdown; None where nothing is known of it."""
    symbol = document.symbol_at(offset)
    if symbol is not None:
        return of_symbol(document, symbol)
    found = document.word_at(offset)
    return None if found is None else of_word(found[0])


def of_symbol(document: Document, symbol: Symbol) -> str:
    """The description of a symbol: its line, its kind and type, and the comment that stands with it."""
    text = document.text
    start = text.rfind("\n", 0, symbol.span.start) + 1
    end = text.find("\n", symbol.span.start)
    line = text[start : len(text) if end < 0 else end]
    code, _, behind = line.partition("#")
    comment = [*_comment_above(text, start), behind.strip()] if not symbol.local else [behind.strip()]
    told = [f"```game\n{code.strip()}\n```", f"{symbol.kind}{_type(document.model, symbol)}", *filter(None, comment)]
    return "\n\n".join(told)


def _comment_above(text: str, start: int) -> list[str]:
    """The whole lines of comment directly above a line."""
    above = reversed(text[:start].split("\n")[:-1])
    comment = takewhile(lambda line: line.startswith("#"), map(str.strip, above))
    return [line.lstrip("# ") for line in comment][::-1]


def _type(model: Any, symbol: Symbol) -> str:
    """The end of the line on a symbol, as in the last text without an error: ` of type set of Square` for a definition,
    ` = 3` for a parameter; "" for others."""
    if not isinstance(model, RulesModel):
        return ""
    if symbol.kind == "definition":
        found = next((c.type for c in model.definitions if c.name == symbol.name), None)
        return f" of type {describe_type(found)}" if found is not None else ""
    if symbol.kind == "parameter" and symbol.name in model.parameters:
        return f" = {model.parameters[symbol.name]}"
    return ""


def of_word(word: str) -> str | None:
    """The manual's row on a word of the language, as Markdown; None where it has none."""
    row = word_index().get(word)
    if row is None:
        return None
    meaning, example, _ = row
    return f"`{word}`: {meaning}\n\n```game\n{example}\n```"


# Hints for whoever writes a game file: the parameters of what is being called, and the types of definitions.

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
        told = word_index().get(name, ("", ""))[1]  # the manual's example
    elif symbol.span.end == word[2] or not symbol.is_declared_here:
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

"""The text that an editor shows for a word: its meaning in the language, or the file's words on a name."""

from __future__ import annotations

from typing import Any

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
    lines: list[str] = []
    for line in reversed(text[:start].split("\n")[:-1]):
        if not line.strip().startswith("#"):
            break
        lines.append(line.strip().lstrip("# "))
    return lines[::-1]


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

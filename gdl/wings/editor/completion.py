"""Completion at a place of a file: names that are known there, and words of the language that fit."""

from __future__ import annotations

import re
from typing import NamedTuple

from gdl.checker.sequence_effects import EFFECTS
from gdl.checker.vocabulary import WORDS as BUILT_IN
from gdl.model.appearance import COLOURS, SIGNS
from gdl.model.symbols import symbol_names
from gdl.render.page import page_file
from gdl.syntax.lexer import BEGINNING, LOOKING, OUTCOMES, POSITION_WORDS, QUANTIFIERS, QUESTION_WORDS, SECTIONS
from gdl.syntax.lexer import WORDS as RESERVED
from gdl.wings.editor.document import Document

_VALUES = ("none", "true", "false", "mover", "Player", "Team", "at turn start", "Boolean", "sequence")


class Offer(NamedTuple):
    """A word that may be written; `kind` is that of a symbol, or `word` for a word of the language."""

    text: str
    kind: str


def completions(document: Document, offset: int) -> list[Offer]:
    """Completions that fit at an offset: names of the section first, then those of the game, then words of the
    language."""
    line = document.text[document.text.rfind("\n", 0, offset) + 1 : offset]
    if "#" in re.sub(r'"[^"]*"', "", line):
        return []
    begun = stem(line)
    head = line.strip() == begun
    if head and line == begun:
        return _fitting(begun, [Offer(word, "word") for word in sorted(SECTIONS)])
    if is_look := re.search(r"^look\b(?:\n[ \t].*|\n)*\Z", document.text[:offset], re.MULTILINE):
        texts = {"draw": tuple(symbol_names()), "mark": tuple(SIGNS), "colour": tuple(COLOURS)}
        if said := re.match(r'\s*(draw|mark|colour) .*\bas "\w*$', line):
            return _fitting(begun, [Offer(text, "word") for text in texts[said[1]]])
    section = document.section(offset)
    local = [Offer(s.name, s.kind) for s in document.symbols if s.local and document.section(s.span.start) == section]
    known = [Offer(symbol.name, symbol.kind) for symbol in document.symbols if not symbol.local]
    if any(symbol.kind == "phase" for symbol in document.symbols):
        known.append(Offer("phase", "word"))
    if line.startswith("expect "):
        known += [Offer(word, "word") for word in sorted(QUESTION_WORDS)]
    known += [Offer(word, "word") for word in POSITION_WORDS.get(line.removesuffix(begun).rstrip(), ())]
    if head and is_look:
        return _fitting(begun, [Offer(word, "word") for word in sorted(LOOKING)])
    language = sorted({*BEGINNING, *EFFECTS} if head else {*RESERVED, *QUANTIFIERS, *OUTCOMES, *BUILT_IN, *_VALUES})
    return _fitting(begun, [*local, *known, *(Offer(word, "word") for word in language)])


def stem(line: str) -> str:
    """The beginning of the word at the end of a line."""
    return re.split(r"\W", line)[-1]


def snippet(text: str, kind: str) -> dict[str, str]:
    """For a word of the language its line of help (`info`) and an example with parts that stand as `${name}`
    (`snippet`); {} for other words."""
    found = re.search(rf"(?:^|\n\n){text}: (.*)\n((?:.+\n)+)", page_file("gdl.wings.editor", "snippets.txt"))
    return {"info": found[1], "snippet": found[2].rstrip()} if found and kind == "word" else {}


def _fitting(stem: str, offers: list[Offer]) -> list[Offer]:
    """The offers whose words begin with `stem`, each word once. (An editor filters more finely.)"""
    return list({offer.text: offer for offer in reversed(offers) if offer.text.startswith(stem)}.values())[::-1]

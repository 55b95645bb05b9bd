"""The rules of a game, told from its own file: what its first comment says, its actions, its ends, and the definitions
that these speak of."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

from gdl.errors import Span, clean, listing, nearest
from gdl.game import Game
from gdl.model.core import Choose, Rank, Require
from gdl.model.games import Clause, MatrixModel, Model, OtherModel, RulesModel
from gdl.numbers import vector_text
from gdl.render.position_text import matrix_text, tree_text

WIDTH = 80
_GOES_ON = re.compile(r"\s*(and|or)\b")
_REMARK = re.compile(r"[ \t)]*(?:and\b|or\b)?[ \t]*#([^\n]*)")  # behind a condition
_SIGNS = {"=": "is", "!=": "is not", "<": "is below", "<=": "is at most", ">": "is above", ">=": "is at least"}
_SIGN = re.compile(r"\s*([!<>]?=|[<>])\s*")
_INDEXED = re.compile(r"(\w+)[\[(]([\w, ]+)[\])]")


def rules_text(model: Model, game: Game[Any], text: str, name: str = "") -> str:
    """The rules of a game, whose file holds the text; with a name (not ""), only the rule or definition of that
    name."""
    if isinstance(model, OtherModel):
        return _comment(text, model.comment) or clean(model.name)
    if not isinstance(model, RulesModel):
        parts = [_comment(text), matrix_text(model) if isinstance(model, MatrixModel) else tree_text(game)]
        return "\n\n".join(filter(None, parts))
    blocks = _blocks(model)
    if name:
        return blocks.get(name) or _unknown_block(name, blocks)
    heads = [_head(blocks[rule.name]) for rule in model.actions]
    chances = [_head(blocks[rule.name]) for rule in model.chances]
    ends = list(_ends(model))
    spoken_of = [word for word in dict.fromkeys(re.findall(r"\w+", "\n".join([*heads, *ends]))) if word in blocks]
    own = {rule.name for rule in (*model.actions, *model.chances)}
    definitions = [blocks[word] for word in spoken_of if word not in own]
    sections = [("Actions", heads), ("Chance", chances), ("The end", ends), ("Definitions", definitions)]
    told = [f"{title}:\n{_indent_parts(lines)}" for title, lines in sections if lines]
    more = [word for word in blocks if blocks[word] not in [*heads, *chances, *definitions]]
    if more:
        told.append(textwrap.fill(f"help NAME shows more of {listing(more, most=len(more))}.", WIDTH))
    return "\n\n".join(filter(None, [_comment(text), *told]))


def _comment(text: str, sign: str = "#") -> str:
    """The comment at the head of the text, wrapped anew; `sign` begins the lines of a comment."""
    lines = []
    for line in text.lstrip("\n").splitlines():
        if not line.startswith(sign):
            break
        lines.append(line.lstrip(sign).strip())
    return textwrap.fill(clean(" ".join(lines)), WIDTH)


def _blocks(model: RulesModel) -> dict[str, str]:
    """The text of each action, chance step, definition and procedure, by name."""
    rules = {rule.name: rule.span for rule in (*model.actions, *model.chances)}
    words = {word.name: word.span for word in (*model.definitions, *model.procedures)}
    return {name: _block(span) for name, span in {**rules, **words}.items()}


def _block(span: Span) -> str:
    """The text of a declaration: the line at which the span begins and the more indented lines below."""
    lines = span.source.text.split("\n")[span.line - 1 :]
    margin = _margin(lines[0])
    found = [lines[0][margin:]]
    for line in lines[1:]:
        if line.strip() and _margin(line) <= margin:
            break
        found.append(line[margin:])
    return "\n".join(clean(line.rstrip()) for line in found).rstrip()


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _head(block: str) -> str:
    """The lines of a rule that say when it applies, without its body."""
    first, *others = block.split("\n")
    lines = [first]
    for line in others:
        if not _GOES_ON.match(line) and not _is_open("\n".join(lines)):
            break
        lines.append(line)
    return "\n".join(lines)


def _is_open(text: str) -> bool:
    """True if the text opens a bracket that it does not close."""
    return any(text.count(left) > text.count(right) for left, right in ("()", "[]", "{}"))


def _ends(model: RulesModel) -> Iterator[str]:
    for clause in model.clauses:
        source = clause.span.text
        yield clean(" ".join(source.split()))
    if model.forever is not None:
        yield f"forever -> {vector_text(model.forever)}"


def clause_text(clause: Clause | Require | Rank | Choose, otherwise: str | None = None, *, english: bool = True) -> str:
    """The reason that a line of `terminal` gives for an end of play, or `require` or `rank` for a refusal: the remark
    behind it, else what is said `otherwise` (None: its condition)."""
    assert clause.span is not None
    text = condition_text(clause.span.text.partition("->")[0], english) if otherwise is None else otherwise
    return remark_behind(clause.span) or clean(text)


def remark_behind(span: Span) -> str:
    """The remark in the same line behind what is written there; "" if there is none."""
    found = _REMARK.match(span.source.text, span.end)
    return clean(found[1].strip("# ")) if found else ""


def condition_text(written: str, english: bool = True) -> str:
    """A condition that compares a few names, in words of English; any other in one line, as it is written, and all for
    readers of another language."""
    line = " ".join(written.split())
    parts = re.split(r"\b(and|or)\b", line)
    signs = [len(_SIGN.findall(part)) for part in parts]
    named = "".join(_INDEXED.sub(r"\1 of \2" if k else r"\1 for \2", one) for k, one in zip(signs, parts, strict=True))
    if not english or " for " in line or max(signs) > 1 or re.search(r"[^\w ,=!<>]", named):
        return line
    return _SIGN.sub(lambda sign: f" {_SIGNS[sign[1]]} ", named).replace("_", " ")


def _indent_parts(parts: list[str]) -> str:
    return "\n".join(f"    {line}".rstrip() for part in parts for line in part.split("\n"))


def _unknown_block(name: str, blocks: dict[str, str]) -> str:
    near = nearest(name, blocks)
    hint = f"Did you mean {near}?" if near else f"There are {listing(blocks, most=len(blocks))}."
    return clean(f"No rule is called '{name}'. {hint}")

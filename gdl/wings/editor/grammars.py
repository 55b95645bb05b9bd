"""The look of game files where nothing understands them: a grammar for editors and a lexer for Pygments.

Both are made from the lexer's own lists of words, so that no list can lag behind. They know words by how they are
written alone; what a name means only the language server tells.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from gdl.formats.files import write
from gdl.syntax.lexer import (
    ABILITIES,
    DEALING,
    DOING,
    LOOKING,
    OUTCOMES,
    POSITION_WORDS,
    QUANTIFIERS,
    SECTIONS,
    STATEMENTS,
    WORDS,
)

_CONSTANTS = frozenset(["none", "true", "false"])
_OPERATORS = frozenset(["and", "or", "not", "mod", "div", "in"])
_SIGNS = r":=|->|\.\.|!=|<=|>=|[-+*/=<>?&]"
_NUMBER = r"(?<!\w)(?:\d+(?:\.\d+)?|\.\d+)"
_STRING = r'"(?:[^"\\\n]|\\[^\n])*"'


def _one_of(words: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(words))})\b"


_SECTION = rf"^(?:{'|'.join(sorted(SECTIONS))})\b"  # at the left margin
_STATEMENT = (  # the first word of a line of a block
    rf"^([ \t]+)({'|'.join(sorted(STATEMENTS))}|(?:{'|'.join(DOING)})(?= [^\W\d])"
    rf"|(?:{'|'.join(DEALING)})(?= .*(?:\bfrom\b|[\w)\]] *:))|hide(?= [^\W\d])"
    rf"|(?:{'|'.join(sorted(LOOKING))})(?= .*\bas \"))\b(?!\s*(?::=|\[))"
)
_INNER = rf"^([ \t]+)({'|'.join(sorted(SECTIONS))})\b(?=\s*(?:$|[\w\"(\[]))"  # a section of a variant
_RESERVED = _one_of(WORDS - _CONSTANTS - _OPERATORS)
_QUANTIFIED = rf"\b(?:{'|'.join(sorted(QUANTIFIERS))})\b(?=\s+\w+\s+in\b)"
_OUTCOME = rf"(?<=->)(\s*)({'|'.join(sorted(OUTCOMES))}|next(?= phase\b))\b"
_QUESTION = (  # words that are no names there, the words of types among them
    r"\b(?:set|sequence)(?=\s+of\b)|\bup(?=\s+to\b)|"
    rf"(?<=^expect )(?:always|probability)\b|\bcan (?:{'|'.join(ABILITIES)})\b|\b(?:reachable|within)\b(?=\s*(?:$|\d))"
    r"|(?<=\bnext )phase\b(?= +\w)|\bat turn start\b"
    + "".join(rf'|(?<=\b{head} )(?:{"|".join(words)})\b(?!\s*")' for head, words in POSITION_WORDS.items())
)
_TYPE = r"\b[A-Z]\w*"


_ROWS = (  # a pattern, its name for editors, its kind for Pygments; blanks at a line's beginning are looked at anew
    (r"#[^\n]*", "comment.line.number-sign", Comment.Single),
    (_STRING, "string.quoted.double", String),
    (_SECTION, "keyword.declaration", Keyword.Declaration),
    (_INNER, "keyword.declaration", Keyword.Declaration),
    (_OUTCOME, "keyword.control", Keyword),
    (_STATEMENT, "keyword.control", Keyword),
    (_QUANTIFIED, "keyword.control", Keyword),
    (_QUESTION, "keyword.control", Keyword),
    (_one_of(_CONSTANTS), "constant.language", Keyword.Constant),
    (_one_of(_OPERATORS), "keyword.operator.word", Operator.Word),
    (_RESERVED, "keyword.control", Keyword),
    (_NUMBER, "constant.numeric", Number),
    (_TYPE, "entity.name.type", Name.Class),
    (_SIGNS, "keyword.operator", Operator),
)
_OTHERS = [(r"\w+", Name), (r"[()\[\]{},:]", Punctuation), (r"\n|[^\S\n]+", Text.Whitespace), (r".", Text)]


_KINDS = [  # of the texts that the patterns match; for patterns with blanks before the word, those of both
    (pattern, bygroups(Text.Whitespace, kind) if pattern in (_INNER, _OUTCOME, _STATEMENT) else kind)
    for pattern, _, kind in _ROWS
]


class GameLexer(RegexLexer):  # type: ignore[misc, unused-ignore]  # pygments has no types
    """Pygments' lexer for game files."""

    name = "gdl game"
    aliases = ["game"]  # noqa: RUF012  # as Pygments has it
    filenames = ["*.game"]  # noqa: RUF012
    flags = 8  # re.MULTILINE
    tokens = {"root": [*_KINDS, *_OTHERS]}  # noqa: RUF012


def textmate() -> dict[str, Any]:
    """The grammar that editors such as Visual Studio Code, Sublime Text and TextMate read, as plain data."""
    patterns = [{"match": match, "name": f"{name}.game"} for match, name, _ in _ROWS]
    return {"scopeName": "source.game", "name": "gdl game", "fileTypes": ["game"], "patterns": patterns}


def textmate_text() -> str:
    """The TextMate grammar as JSON text."""
    return json.dumps(textmate(), indent=2)


# The extension for Visual Studio Code: a folder of small files, of which one, the grammar, is made from the lexer.

KEPT = ("package.json", "language-configuration.json", "extension.js", "LICENSE")


def write_extension(folder: Path, version: str) -> None:
    """Write the extension, of this version of gdl, into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in KEPT:
        text = files("gdl.wings.editor").joinpath(f"vscode/{name}").read_text(encoding="utf-8")
        write(folder / name, text.replace('"VERSION"', f'"{version}"'))
    write(folder / "game.tmLanguage.json", textmate_text() + "\n")

"""The parser's tables: made from grammar.lark when the package is built, read at every start.

Building them from the grammar takes longer than most games take to solve, so the build writes them beside the grammar
as JSON. A checkout whose grammar has changed since simply builds them anew in memory.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lark import Lark, Token
from lark.lexer import Lexer

STARTS = ["section", "expr"]
FOLDER = Path(__file__).parent
FILE = "grammar.json"


class _Tokens(Lexer):
    """The tokens are made by gdl.lexer; Lark only reads them on."""

    def __init__(self, configuration: Any) -> None: ...

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        return iter(data)


def grammar() -> str:
    """The grammar's text, with its token names declared as Lark wants it."""
    text = FOLDER.joinpath("grammar.lark").read_text(encoding="utf-8")
    words = "".join(
        c if c.isalnum() or c == "_" else " " for line in text.splitlines() for c in line.split("//")[0] + " "
    )
    tokens = sorted({word for word in words.split() if word.isupper() and word.strip("_").isascii()})
    return f"{text}\n%declare {' '.join(tokens)}\n"


def build() -> Lark:
    """A parser built from the grammar; any conflict in it is an error."""
    return Lark(
        grammar(), parser="lalr", lexer=_Tokens, start=STARTS, strict=True, maybe_placeholders=True,
        propagate_positions=True,
    )  # fmt: skip


def serialize() -> dict[str, Any]:
    """The tables as plain data, with the grammar's fingerprint."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = build().memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in ("lexer", "transformer")}
    data["parser"]["lexer_conf"]["lexer_type"] = None
    return {"grammar": _fingerprint(), "data": data, "memo": memo}


def load() -> Lark:
    """The parser, from the stored tables if they belong to this grammar, else built."""
    stored = FOLDER / FILE
    if not stored.is_file():
        return build()
    tables = json.loads(stored.read_text(encoding="utf-8"), object_hook=_keys)
    if tables["grammar"] != _fingerprint():
        return build()
    tables["data"]["parser"]["lexer_conf"]["lexer_type"] = _Tokens
    tables["data"]["options"]["lexer"] = _Tokens
    parser: Lark = Lark._load_from_dict(tables["data"], tables["memo"])  # type: ignore[no-untyped-call]
    return parser


def _fingerprint() -> str:
    return hashlib.sha256(grammar().encode()).hexdigest()


def _keys(read: dict[str, Any]) -> dict[Any, Any]:
    """JSON writes integer keys as text; give them back. An object's keys are all numbers, or none of them is."""
    if next(iter(read), "").isdigit():
        return {int(key): value for key, value in read.items()}
    return read

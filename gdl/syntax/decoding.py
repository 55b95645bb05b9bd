"""A grammar for programs that write game files under constraint: a language model can be held to it word by word.

It is looser than the parser's: it knows sections and their order of words, brackets that close, texts, numbers and
signs, and leaves types, names and indentation beyond the first step to `gdl check`. Its words are those of the lexer's
lists. It is written in Lark's notation, which llguidance reads as well; no terminal looks ahead.
"""

from __future__ import annotations

import re

from gdl.syntax.lexer import CLOSERS, PICTURED, PUNCTUATION, SECTIONS

_BRACKETS = frozenset([*CLOSERS, *CLOSERS.values()])


def grammar() -> str:
    """The grammar, as text."""
    heads = " | ".join(f'"{word}"' for word in sorted(SECTIONS - PICTURED))
    pictured = " | ".join(f'"{word}"' for word in sorted(PICTURED))
    signs = sorted((sign for sign in PUNCTUATION if sign not in _BRACKETS), key=lambda sign: (-len(sign), sign))
    sign = "|".join(re.escape(sign).replace("/", r"\/") for sign in signs)
    groups = "\n     | ".join(
        f'"{opener}" (piece | _INDENTED | _BREAK)* "{closer}"' for opener, closer in CLOSERS.items()
    )
    return f"""\
// A game file: sections that begin at the left margin, their lines below them, indented.
start: _BREAK? section+
section: head piece* (_INDENTED piece*)* _BREAK
       | pictured piece* (_INDENTED PICTURE?)* _BREAK
head: {heads}
pictured: {pictured}
piece: NAME | NUMBER | STRING | SIGN
     | {groups}

NAME: /[^\\W\\d]\\w*/
NUMBER: /[0-9]+(\\.[0-9]+)?|\\.[0-9]+/
STRING: /"([^"\\\\\\n]|\\\\.)*"/
SIGN: /{sign}|[.!;@%&|~^$']/
PICTURE: /[^ \\n#][^\\n]*/
_BREAK: /([ \\t]*(#[^\\n]*)?\\n)+/
_INDENTED: /([ \\t]*(#[^\\n]*)?\\n)+[ \\t]+/
%ignore /[ \\t]+/
%ignore /#[^\\n]*/
"""

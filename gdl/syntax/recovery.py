"""What is left of a section without a line that has a mistake, so that the mistakes of the other lines are told too."""

from __future__ import annotations

from gdl.errors import Source
from gdl.syntax.lexer import Token
from gdl.syntax.place import LINE_ENDS, Place


def without_line(source: Source, tokens: list[Token], token: Token) -> list[Token] | None:
    """The tokens without the line that a mistake stands on and the block below it; None if nothing is left to read."""
    index = next((i for i, t in enumerate(tokens) if t is token), len(tokens) - 1)
    start = Place(source, tokens, index, set()).line_start
    end = index
    while end < len(tokens) and tokens[end].kind not in LINE_ENDS:
        end += 1
    if start == 0 or end == len(tokens) or tokens[end].kind == "_DEDENT":
        return None
    end = _block_end(tokens, end)
    while end < len(tokens) and tokens[end].text in ("else", "refused"):  # belong to what is left out
        while tokens[end].kind not in LINE_ENDS:
            end += 1
        end = _block_end(tokens, end)
    rest = tokens[:start] + tokens[end:]
    if tokens[start - 1].kind == "_INDENT" and (end == len(tokens) or tokens[end].kind == "_DEDENT"):
        return without_line(source, tokens, tokens[start - 1])  # nothing is left of the block
    return rest


def _block_end(tokens: list[Token], end: int) -> int:
    """Where the tokens go on after a line's end and the block below it."""
    depth = 0
    while end < len(tokens):
        depth += {"_INDENT": 1, "_DEDENT": -1}.get(tokens[end].kind, 0)
        end += 1
        if depth == 0:
            break
    return end

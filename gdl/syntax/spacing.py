"""The layout within a line: what stands between its words, and the columns of a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gdl.syntax.lexer import GIVING, LITERAL, OUTCOMES, STATEMENTS, WORDS, Token

BEHIND_LABELS, BETWEEN_COLUMNS = 4, 3  # blanks in a matrix
_BEFORE_SIGN = WORDS | STATEMENTS | OUTCOMES | GIVING  # words behind which a minus is a sign
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def join_words(words: Sequence[Token], mode: str, before: Token | None = None) -> str:
    """The words of one line of the file in a section of this name, with the blanks between them; `before` is the word
    after which they go on with the line before. Blanks by which an author of a tree aligns things stay."""
    told = words[0].text
    whole = [before or words[0], *words]  # so that each has something before it
    for index, (left, word) in enumerate(pairwise(words), start=1):
        wide = word.start - left.end if mode in LITERAL else 0
        told += " " * max(1, wide) if _are_apart(whole, index, mode) else ""
        told += word.text
    return told


def _are_apart(whole: Sequence[Token], index: int, mode: str) -> bool:
    """Whether a blank stands between the word at this index and the next."""
    left, word = whole[index], whole[index + 1]
    touching = left.end == word.start
    if word.text in (",", ":", "?") or word.text in _CLOSING or left.text in _OPENING or ".." in (left.text, word.text):
        return False
    if "STRING" in (left.kind, word.kind):
        return True
    if mode in LITERAL and (left.text == "-" or word.text in "(/" or left.text == "/"):
        return not touching
    if mode == "board" and "-" in (left.text, word.text):
        return not touching  # an edge such as a-b
    if left.text == "-":
        return not _is_sign(whole, index)
    if word.text == "/":
        return not _is_tight(whole, index + 1)
    if left.text == "/":
        return not _is_tight(whole, index)
    if word.text in ("(", "["):
        return not (touching and _ends_value(left)) or left.text in WORDS
    return True


def _is_sign(whole: Sequence[Token], index: int) -> bool:
    """Whether the minus at this index is the sign of what follows, not a difference."""
    left = whole[index - 1]
    return left is whole[index] or not _ends_value(left) or left.text in _BEFORE_SIGN


def _ends_value(word: Token) -> bool:
    return word.text in _CLOSING or word.text == "?" or word.kind in ("NAME", "INT", "NUMBER", "UNKNOWN", "STRING")


def _is_tight(whole: Sequence[Token], index: int) -> bool:
    """Whether the stroke at this index stands in a fraction such as 1/2, or was written without blanks."""
    left, stroke, *right = whole[index - 1 : index + 2]
    if not right:
        return False
    touching = left.end == stroke.start and stroke.end == right[0].start
    return touching or (left.kind == right[0].kind == "INT")


def in_columns(rows: Sequence[Sequence[Token]]) -> list[str] | None:
    """The lines of a matrix in columns, the first of which names the other player's actions; None where its lines are
    not of that form (profiles, or not as many cells as columns). Numbers stand at the right of their column."""
    header, *lines = [_cells(row) for row in rows]
    if not lines or any(len(line) != len(header) + 1 for line in lines) or not all(len(cell) == 1 for cell in header):
        return None
    labels = [line[0][0] for line in lines]
    columns = [[line[1 + number] for line in lines] for number in range(len(header))]
    told = [_column(name[0], cells) for name, cells in zip(header, columns, strict=True)]
    if None in told:
        return None
    margin = max(map(len, labels)) + BEHIND_LABELS
    blanks = " " * BETWEEN_COLUMNS
    whole = zip(*(column for column in told if column), strict=True)
    return [f"{label:{margin}}{blanks.join(line)}".rstrip() for label, line in zip(["", *labels], whole, strict=True)]


def _cells(row: Sequence[Token]) -> list[list[str]]:
    """The cells of a line, each a list of its words without brackets and commas."""
    cells: list[list[str]] = []
    inside = False
    for word in row:
        if word.text in "(),":
            inside = word.text != ")"
            cells += [[]] if word.text == "(" else []
        elif inside:
            cells[-1].append(word.text)
        else:
            cells.append([word.text])
    return cells


def _column(name: str, cells: Sequence[Sequence[str]]) -> list[str] | None:
    """A column of a matrix: its name above cells of one width. None where they have not as many numbers each."""
    if len({len(cell) for cell in cells}) != 1:
        return None
    widths = [max(map(len, numbers)) for numbers in zip(*cells, strict=True)]
    told = [", ".join(n.rjust(width) for n, width in zip(cell, widths, strict=True)) for cell in cells]
    if len(widths) > 1:
        told = [f"({cell})" for cell in told]
    width = max(len(name), len(told[0]))
    if len(widths) > 1:
        return [name.ljust(width), *(cell.ljust(width) for cell in told)]
    return [name.rjust(width), *(cell.rjust(width) for cell in told)]

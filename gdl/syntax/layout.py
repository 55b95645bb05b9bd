"""A game file in its one layout: `laid_out` is to a game file what a formatter is to a program.

Where lines end stays as the author has it, and so does every word, every comment and every picture. What changes is
what stands between them: a block is indented by four blanks; what goes on in a further line keeps its distance from
the line to which it belongs; one blank stands around operators and after commas; a matrix stands in columns; a comment
behind a line keeps its column if it can; and at most one empty line is left between two others.

The result must read as the same tokens, so that it means the same: that is checked before it is given out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from gdl.errors import Source
from gdl.syntax import lexer
from gdl.syntax.lexer import LITERAL, SECTIONS, YOUNG, Line, Token
from gdl.syntax.parser import normalize_text, parse
from gdl.syntax.spacing import in_columns, join_words

INDENT = 4  # blanks for each block
BEFORE_COMMENT = 2  # blanks at least between a line and the comment behind it


def laid_out(text: str, name: str = "<text>") -> str:
    """The text of a game file in its layout, which is the layout of itself. Raises GameError, with all that is wrong,
    where its form is wrong: such a file is not laid out."""
    parse(text, name)
    source = Source(name, normalize_text(text))
    rows = _rows(source)
    _place(rows)
    _draw_matrices(rows)
    found = "\n".join(_lines(rows)) + "\n"
    assert _tokens(Source(name, found)) == _tokens(source), f"{name} would mean something else in its layout"
    return found


def _tokens(source: Source) -> list[list[tuple[str, str]]]:
    """What the grammar reads, without the places."""
    return [[(token.kind, token.text) for token in section] for section in lexer.sections(source)[0]]


@dataclass
class _Row:
    """A line of the file: how far it is indented, its words, and the comment behind them. `line` is the logical line
    that begins here, `before` the word after which a row goes on with such a line, `mode` the section."""

    written: int
    words: list[Token]
    comment: str = ""
    comment_column: int = 0
    line: Line | None = None
    before: Token | None = None
    mode: str = ""
    column: int = 0  # in the layout
    told: str | None = None  # its words, where they are drawn together with other rows


def _rows(source: Source) -> list[_Row]:
    """The lines of the file, with the words that stand in each."""
    text = source.text
    lines = text.split("\n")
    starts = [0]
    for written in lines:
        starts.append(starts[-1] + len(written) + 1)
    rows = [_Row(len(written.expandtabs(8)) - len(written.expandtabs(8).lstrip()), []) for written in lines]
    for line, mode in _with_sections(source):
        words = lexer.join_signs(line.words) if mode in LITERAL else line.words
        for left, word in zip([None, *words], words, strict=False):
            row = rows[bisect_right(starts, word.start) - 1]
            if not row.words:
                row.line, row.before, row.mode = line if left is None else None, left, mode
            row.words.append(word)
    for row, written, start in zip(rows, lines, starts, strict=False):
        end = row.words[-1].end - start if row.words else 0
        row.comment, row.comment_column = written[end:].strip(), len(written[: written.find("#", end)].expandtabs(8))
    return rows


def _with_sections(source: Source) -> Iterator[tuple[Line, str]]:
    """Every logical line, and the section that it stands in; a variant's are sections of their own."""
    mode, variant = "", -1
    for line in lexer.logical_lines(source):
        named = line.head in SECTIONS and (line.head not in YOUNG or (line.indent == 0 and mode != "matrix"))
        if line.indent == 0 or (named and variant < 0 and mode == "matrix"):
            mode, variant = line.head, 0 if line.head == "variant" else -1
        elif variant >= 0 and named and (variant == 0 or line.indent == variant):
            mode, variant = line.head, line.indent
        yield line, mode


def _place(rows: Sequence[_Row]) -> None:
    """Give each row its column."""
    blocks = [(0, 0)]  # how far the lines of each open block are indented, in the file and in the layout
    first = _Row(0, [])
    for row in rows:
        if row.line is not None:
            first = row
            while len(blocks) > 1 and row.written < blocks[-1][0]:
                blocks.pop()
            if row.mode == "matrix" and row.line.head != "matrix" and len(blocks) > 1:
                blocks[-1] = (min(row.written, blocks[-1][0]), blocks[-1][1])  # only line ends count there
            elif row.written > blocks[-1][0]:
                blocks.append((row.written, blocks[-1][1] + INDENT))
            row.column = blocks[-1][1]
        elif row.words:
            column = first.column + row.written - first.written
            row.column = column if column > 0 else INDENT
    _place_comments(rows)


def _place_comments(rows: Sequence[_Row]) -> None:
    """A whole line of comment stands where the next line of the same indentation does, or the one before it."""
    below: list[_Row | None] = [None]
    for row in reversed(rows):
        below.append(row if row.words else below[-1])
    above: _Row | None = None
    for row, following in zip(rows, reversed(below[:-1]), strict=True):
        if row.words:
            above = row
        elif row.comment:
            near = [other for other in (following, above) if other is not None]
            same = [other.column for other in near if other.written == row.written]
            row.column = same[0] if same else 0 if row.written == 0 or not near else near[0].column


def _draw_matrices(rows: Sequence[_Row]) -> None:
    """Draw the rows of each matrix together, in columns."""
    for mode, group in groupby(rows, key=lambda row: row.mode if row.words else "matrix"):
        inner = [row for row in group if row.words and (row.line is None or row.line.head != "matrix")]
        if mode != "matrix" or not inner or any(row.line is None for row in inner):
            continue
        for row, told in zip(inner, in_columns([row.words for row in inner]) or [], strict=False):
            row.told = told


def _lines(rows: Sequence[_Row]) -> Iterator[str]:
    """The lines of the layout."""
    open_lines = 0
    begun = False
    for row in rows:
        told = _line(row)
        if told:
            yield from [""] if open_lines and begun else []
            yield told
            begun = True
        open_lines = 0 if told else open_lines + 1


def _line(row: _Row) -> str:
    code = "" if not row.words else row.told if row.told is not None else join_words(row.words, row.mode, row.before)
    code = " " * row.column + code
    if not row.comment or not row.words:
        return (code + row.comment).rstrip()
    return code.ljust(max(row.comment_column, len(code) + BEFORE_COMMENT)) + row.comment

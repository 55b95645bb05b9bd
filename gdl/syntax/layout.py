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
from itertools import groupby, pairwise

from gdl.errors import GameError, InternalError, Problem, Source
from gdl.errors.file_size import most_bytes
from gdl.syntax import lexer
from gdl.syntax.lexer import GIVING, LITERAL, OUTCOMES, SECTIONS, STATEMENTS, WORDS, YOUNG, Line, Token
from gdl.syntax.parser import normalize_text, parse

# The layout within a line: what stands between its words, and the columns of a matrix.

BEHIND_LABELS, BETWEEN_COLUMNS = 4, 3  # blanks in a matrix
_BEFORE_SIGN = WORDS | STATEMENTS | OUTCOMES | GIVING  # words behind which a minus is a sign
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def join_words(words: Sequence[Token], mode: str, before: Token | None = None) -> str:
    """The words of a line, with the blanks between them that the layout of its section (`mode`) has. `before` is the
    last word of the line that this one continues (None: it continues none). In trees, wider gaps stay."""
    told = words[0].text
    whole = [before or words[0], *words]  # so that each has something before it
    for index, (left, word) in enumerate(pairwise(words), start=1):
        wide = word.start - left.end if mode in LITERAL else 0
        told += " " * max(1, wide) if _are_apart(whole, index, mode) else ""
        told += word.text
    return told


def _are_apart(whole: Sequence[Token], index: int, mode: str) -> bool:
    """True if a space belongs between the word at this index and the next."""
    left, word = whole[index], whole[index + 1]
    touching = left.end == word.start
    if word.text in (",", ":", "?") or word.text in _CLOSING or left.text in _OPENING:
        return False
    if {".", ".."} & {left.text, word.text}:
        return False
    if "STRING" in (left.kind, word.kind):
        return True
    if mode in LITERAL and (left.text == "-" or word.text in "(/" or left.text == "/"):
        return not touching
    if mode in ("board", "claim") and "-" in (left.text, word.text):
        return not touching  # an edge such as a-b, zero-sum
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
    """True if the minus at this index is the sign of what follows, not a difference."""
    left = whole[index - 1]
    return left is whole[index] or not _ends_value(left) or left.text in _BEFORE_SIGN


def _ends_value(word: Token) -> bool:
    return word.text in _CLOSING or word.text == "?" or word.kind in ("NAME", "INT", "NUMBER", "UNKNOWN", "STRING")


def _is_tight(whole: Sequence[Token], index: int) -> bool:
    """True if the `/` at this index belongs to a fraction such as 1/2, or was written without blanks around it."""
    left, stroke, *right = whole[index - 1 : index + 2]
    if not right:
        return False
    touching = left.end == stroke.start and stroke.end == right[0].start
    return touching or (left.kind == right[0].kind == "INT")


def in_columns(rows: Sequence[Sequence[Token]]) -> list[str] | None:
    """The lines of a matrix, its header first, aligned in columns. None if the lines do not have this form (profiles,
    or lines of different lengths). Numbers are aligned at the right of their column."""
    header, *lines = [_cells(row) for row in rows]
    if not lines or any(len(line) != len(header) + 1 for line in lines) or not all(len(cell) == 1 for cell in header):
        return None
    columns = list(zip(header, *(line[1:] for line in lines), strict=True))  # each with its name above its cells
    if any(len(set(map(len, cells))) != 1 for _, *cells in columns):
        return None
    labels = ["", *(line[0][0] for line in lines)]
    margin, blanks = max(map(len, labels)) + BEHIND_LABELS, " " * BETWEEN_COLUMNS
    whole = zip(*(_column(name, cells) for (name,), *cells in columns), strict=True)
    return [f"{label:{margin}}{blanks.join(line)}".rstrip() for label, line in zip(labels, whole, strict=True)]


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


def _column(name: str, cells: Sequence[Sequence[str]]) -> list[str]:
    """A column of a matrix: its name above its cells, all of one width. Cells have the same number of numbers."""
    widths = [max(map(len, numbers)) for numbers in zip(*cells, strict=True)]
    told = [", ".join(n.rjust(width) for n, width in zip(cell, widths, strict=True)) for cell in cells]
    if len(widths) > 1:
        told = [f"({cell})" for cell in told]
    width, adjust = max(len(name), len(told[0])), str.ljust if len(widths) > 1 else str.rjust
    return [adjust(text, width) for text in (name, *told)]


INDENT = 4  # blanks for each block
BEFORE_COMMENT = 2  # blanks at least between a line and the comment behind it


def laid_out(text: str, name: str = "<text>") -> str:
    """The text of a game file in its one layout; a text in that layout stays as it is. Raises GameError with every
    problem if the file has not the form of a game file."""
    parse(text, name)
    source = Source(name, normalize_text(text))
    rows = _rows(source)
    _place(rows)
    _draw_matrices(rows)
    found = "\n".join(_lines(rows)) + "\n"
    if len(found) > (most := most_bytes(found)):
        help = "write the tree in brackets: MAX(left: MIN(3, 4), right: 5)"
        raise GameError(Problem(f"laid out, {name} would be larger than {most:,} bytes", help=help))
    if _tokens(Source(name, found)) != _tokens(source):
        raise InternalError(f"{name} would mean something else in its layout")
    return found


def _tokens(source: Source) -> list[list[tuple[str, str]]]:
    """The kinds and texts of all tokens, without their places."""
    return [[(token.kind, token.text) for token in section] for section in lexer.sections(source)[0]]


@dataclass
class _Row:
    """A line of the file: how far it is indented, its words, and the comment behind them. `line` is the logical line
    that begins here (None: the row continues one), `before` the last word before such a row, `mode` the section."""

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
    """Every logical line with the name of its section; the sections of a variant count as sections of their own."""
    mode, variant = "", -1
    for line in lexer.logical_lines(source):
        named = line.head in SECTIONS and (line.head not in YOUNG or (line.indent == 0 and mode != "matrix"))
        if line.indent == 0 or (named and variant < 0 and mode == "matrix"):
            mode, variant = line.head, 0 if line.head == "variant" else -1
        elif variant >= 0 and named and (variant == 0 or line.indent == variant):
            mode, variant = line.head, line.indent
        yield line, mode


def _place(rows: Sequence[_Row]) -> None:
    """Set the column at which each row begins."""
    blocks = [(0, 0)]  # how far the lines of each open block are indented, in the file and in the layout
    first = _Row(0, [])
    least = _edges_of_pictures(rows)
    for number, row in enumerate(rows):
        slant = row.written - least.get(number, row.written)
        row.written -= slant
        if row.line is not None:
            first = row
            while len(blocks) > 1 and row.written < blocks[-1][0]:
                blocks.pop()
            if row.mode == "matrix" and row.line.head != "matrix" and len(blocks) > 1:
                blocks[-1] = (min(row.written, blocks[-1][0]), blocks[-1][1])  # only line ends count there
            elif row.written > blocks[-1][0]:
                blocks.append((row.written, blocks[-1][1] + INDENT))
            row.column = blocks[-1][1] + slant
        elif row.words:
            column = first.column + row.written - first.written
            row.column = column if column > 0 else INDENT
    _place_comments(rows)


def _edges_of_pictures(rows: Sequence[_Row]) -> dict[int, int]:
    """For the number of each row of a picture, how far the picture's leftmost row is indented, so that slanting
    pictures keep their form."""
    found: dict[int, int] = {}
    pictures = groupby(enumerate(rows), key=lambda pair: bool(pair[1].words) and pair[1].words[0].kind == "PICTURE")
    for drawn, group in pictures:
        lines = list(group) if drawn else []
        found |= dict.fromkeys((number for number, _ in lines), min((row.written for _, row in lines), default=0))
    return found


def _place_comments(rows: Sequence[_Row]) -> None:
    """Set the column of rows that hold only a comment: that of the next or previous row that was indented as far."""
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
    """Align the rows of each matrix in columns."""
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

"""Matrices as SVG: best replies bold and underlined, equilibria boxed."""

from __future__ import annotations

from gdl.render.matrix import Matrix, MatrixCell, MatrixSlice
from gdl.render.matrix_text import describe
from gdl.render.svg.arrange import LABEL, SMALL, pretty
from gdl.render.svg.elements import document, element, group, number, text, text_width
from gdl.render.svg.legend import headline
from gdl.render.svg.shapes import BEST, INK

_MARGIN = 14.0
_HEIGHT = 30.0  # height of a row
_SIZE = 13.0
_APART = 30.0  # gap between tables


def svg_matrix(matrix: Matrix) -> str:
    """The tables side by side as the text of an SVG file."""
    widths = [_size(table) for table in matrix.tables]
    width = sum(across for across, _ in widths) + _APART * (len(widths) - 1)
    head, head_height, head_width = headline(matrix.title, matrix.caption, max(width, 300))
    parts = [group(head, transform=f"translate({number(_MARGIN)} {number(_MARGIN)})")]
    x, top = _MARGIN, _MARGIN + head_height
    for table, (across, _) in zip(matrix.tables, widths, strict=True):
        parts.append(group(_table(table, matrix.blank), transform=f"translate({number(x)} {number(top)})"))
        x += across + _APART
    height = top + max(down for _, down in widths)
    legend = [] if matrix.blank else _legend(matrix)
    parts.append(group(legend, transform=f"translate({number(_MARGIN)} {number(height + 16)})", fill="#444"))
    width = max(width, head_width, 250 if legend else 0) + 2 * _MARGIN
    height += (28 if legend else 0) + _MARGIN
    return document(parts, width, height, matrix.title, describe(matrix))


def _columns(table: MatrixSlice) -> tuple[float, float]:
    """The width of the column with the names of the rows, and the width of every other column."""
    names = max(text_width(name, _SIZE) for name in table.rows)
    weights = max((text_width(pretty(weight), SMALL) for weight in table.row_weights), default=-8) + 8
    cells = max(text_width(_payoff_text(cell), _SIZE) for line in table.cells for cell in line)
    heads = max(text_width(name, _SIZE) for name in table.columns)
    return names + weights + 12, max(cells, heads) + 24


def _payoff_text(cell: MatrixCell) -> str:
    return ", ".join(map(pretty, cell.payoffs))


def _size(table: MatrixSlice) -> tuple[float, float]:
    names, column = _columns(table)
    player = text_width(table.row_player, _SIZE) + 14
    below = 18 if table.others or table.left_out else 0
    return player + names + column * len(table.columns) + 2, _top(table) + _HEIGHT * len(table.rows) + below + 2


def _top(table: MatrixSlice) -> float:
    """The height of the headings above the first row."""
    return (20 if table.column_player else 0) + 22 + (14 if table.column_weights else 0)


def _table(table: MatrixSlice, blank: bool) -> list[str]:
    names, column = _columns(table)
    player = text_width(table.row_player, _SIZE) + 14
    left, top = player + names, _top(table)
    width, height = column * len(table.columns), _HEIGHT * len(table.rows)
    middle = {"text_anchor": "middle", "fill": INK}
    parts = [text(left + width / 2, 8, table.column_player, size=_SIZE, font_style="italic", **middle)]
    parts.append(text(0, top + height / 2, table.row_player, size=_SIZE, font_style="italic", fill=INK))
    heads = top - 12 - (14 if table.column_weights else 0)
    for at, name in enumerate(table.columns):
        parts.append(text(left + column * (at + 0.5), heads, name, size=_SIZE, **middle))
    for at, weight in enumerate(map(pretty, table.column_weights)):
        parts.append(text(left + column * (at + 0.5), top - 9, weight, size=SMALL, text_anchor="middle", fill=BEST))
    for at, name in enumerate(table.rows):
        y = top + _HEIGHT * (at + 0.5)
        parts.append(text(player, y, name, size=_SIZE, fill=INK))
        if table.row_weights:
            parts.append(text(left - 8, y, pretty(table.row_weights[at]), size=SMALL, text_anchor="end", fill=BEST))
    lines = [f"M{number(left)} {number(top + _HEIGHT * at)}h{number(width)}" for at in range(len(table.rows) + 1)]
    lines += [f"M{number(left + column * at)} {number(top)}v{number(height)}" for at in range(len(table.columns) + 1)]
    parts.append(element("path", d="".join(lines), fill="none", stroke=INK, stroke_width=0.9))
    for row, line in enumerate(table.cells):
        for at, cell in enumerate(line):
            parts += _cell(cell, left + column * (at + 0.5), top + _HEIGHT * (row + 0.5), column, blank)
    note = "; ".join(part for part in (table.others, table.left_out and f"… {table.left_out}") if part)
    return [*parts, text(left + width / 2, top + height + 13, note, text_anchor="middle", fill=INK)] if note else parts


def _cell(cell: MatrixCell, x: float, y: float, width: float, blank: bool) -> list[str]:
    """The payoffs of a cell as SVG, the best replies among them marked; x is the left edge, y the middle."""
    parts = []
    if cell.equilibrium and not blank:
        box = {"x": x - width / 2 + 3.5, "y": y - _HEIGHT / 2 + 3.5, "width": width - 7, "height": _HEIGHT - 7}
        parts.append(element("rect", **box, rx=3, fill="#e3ecf7", stroke=BEST, stroke_width=2.4, class_="equilibrium"))
    at = x - text_width(_payoff_text(cell), _SIZE) / 2
    for seat, (payoff, best) in enumerate(zip(map(pretty, cell.payoffs), cell.replies, strict=True)):
        width_ = text_width(payoff, _SIZE)
        marked = best and not blank
        look = {"font_weight": "bold", "class_": f"reply seat{seat}"} if marked else {}
        parts.append(text(at + width_ / 2, y, payoff, size=_SIZE, text_anchor="middle", fill=INK, **look))
        if marked:
            parts.append(element("line", x1=at, y1=y + 7.5, x2=at + width_, y2=y + 7.5, stroke=INK, stroke_width=1.2))
        at += width_
        if seat < len(cell.payoffs) - 1:
            parts.append(text(at, y, ",", size=_SIZE, fill=INK))
            at += text_width(", ", _SIZE)
    return parts


def _legend(matrix: Matrix) -> list[str]:
    cells = [cell for table in matrix.tables for line in table.cells for cell in line]
    parts, x = [], 0.0
    if any(any(cell.replies) for cell in cells):
        parts += [text(0, 0, "3", size=LABEL, font_weight="bold"), element("line", x1=0, y1=6, x2=7, y2=6, stroke=INK)]
        words = matrix.words.get("best reply", "best reply")
        parts.append(text(14, 0, words, size=SMALL))
        x = 37 + text_width(words, SMALL)
    if any(cell.equilibrium for cell in cells):
        look = {"fill": "#e3ecf7", "stroke": BEST, "stroke_width": 2}
        parts.append(element("rect", x=x, y=-5.5, width=20, height=11, rx=2, **look))
        parts.append(text(x + 26, 0, matrix.words.get("equilibrium", "equilibrium"), size=SMALL))
    return parts

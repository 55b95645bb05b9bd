"""Matrices as text, Markdown and LaTeX: best replies starred or underlined, equilibria in brackets or boxed."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping

from gdl.render.latex import FONTS, latex, math
from gdl.render.matrix import Matrix, MatrixCell, MatrixSlice
from gdl.render.picture.picture_tree import say
from gdl.render.strategies import align_columns


def matrix_text(matrix: Matrix) -> str:
    """The tables in columns: `*` marks a best reply, brackets an equilibrium."""
    parts = [part for part in (matrix.title, matrix.caption) if part]
    parts += ["\n".join(_lines(table, matrix.blank, matrix.words)) for table in matrix.tables]
    return "\n\n".join(parts) + "\n"


def _lines(table: MatrixSlice, blank: bool, words: Mapping[str, str]) -> list[str]:
    lines = [[_cell(cell, blank, str, "{}*", "[{}]", " {} ") for cell in line] for line in table.cells]
    rows = [[name, *line] for name, line in zip(["", *_sides(table)], [_heads(table), *lines], strict=True)]
    notes = [_player_label(table, words), table.others, table.left_out and f"… {table.left_out}"]
    return [*(note for note in notes if note), *align_columns(rows)]


def _heads(table: MatrixSlice) -> list[str]:
    """The headings of the columns, each with its probability, if there is one."""
    return list(map(_name_with_weight, table.columns, table.column_weights or [""] * len(table.columns)))


def _sides(table: MatrixSlice) -> list[str]:
    """The headings of the rows, each with its probability, if there is one."""
    return list(map(_name_with_weight, table.rows, table.row_weights or [""] * len(table.rows)))


def _name_with_weight(name: str, weight: str) -> str:
    return f"{name} ({weight})" if weight else name


def _player_label(table: MatrixSlice, words: Mapping[str, str]) -> str:
    if not table.column_player:
        return say(words, "{0} chooses the row.", table.row_player)
    return say(words, "{0} chooses the row, {1} the column.", table.row_player, table.column_player)


def _cell(
    cell: MatrixCell, blank: bool, plain: Callable[[str], str], best: str, equilibrium: str, other: str = "{}"
) -> str:
    """The payoffs of a cell, each escaped by `plain`. `best`, `equilibrium` and `other` are format strings with one
    `{}`: for a best reply, for a cell that is an equilibrium, and for any other cell."""
    pairs = zip(map(plain, cell.payoffs), cell.replies, strict=True)
    marked = [best.format(payoff) if is_best and not blank else payoff for payoff, is_best in pairs]
    return (equilibrium if cell.equilibrium and not blank else other).format(", ".join(marked))


def describe(matrix: Matrix) -> str:
    """The tables in words, for a reader who cannot see them."""
    head = "" if matrix.blank else say(matrix.words, "* marks a best reply, brackets an equilibrium.") + "\n"
    return head + matrix_text(matrix)


def markdown(matrix: Matrix) -> str:
    """Tables as Markdown knows them: best replies bold, equilibria in brackets."""
    parts = [_md(part) for part in (matrix.title, matrix.caption) if part]
    for table in matrix.tables:
        head = [_md(f"{table.row_player} \\ {table.column_player}"), *map(_md, _heads(table))]
        lines = [_md_row(head), _md_row(["---"] * len(head))]
        for name, line in zip(_sides(table), table.cells, strict=True):
            lines.append(_md_row([_md(name), *(_cell(cell, matrix.blank, _md, "**{}**", "[ {} ]") for cell in line)]))
        notes = [_md(note) for note in (table.others, table.left_out) if note]
        parts.append("\n".join([*lines, *(["", *notes] if notes else [])]))
    return "\n\n".join(parts) + "\n"


def _md(text: str) -> str:
    """The text with every mark of Markdown and HTML written as a character reference."""
    return "".join(c if c.isalnum() or c in " ,.;:" else f"&#{ord(c)};" for c in text)


def _md_row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def matrix_tex(matrix: Matrix) -> str:
    """A LaTeX document with one tabular for each table."""
    tables = "\n\n\\bigskip\n\n".join(_tabular(table, matrix.blank) for table in matrix.tables)
    head = "".join(f"% {line}\n" for line in (matrix.title, matrix.caption) if line)
    opening = f"\\documentclass[border=6pt,varwidth]{{standalone}}\n{FONTS}\\begin{{document}}\n"
    return f"{head}{opening}{tables}\n\\end{{document}}\n"


def _tabular(table: MatrixSlice, blank: bool) -> str:
    count = len(table.columns)
    rule = f" \\\\ \\cline{{2-{count + 1}}}"
    lines = [f"\\begin{{tabular}}{{r|{'c|' * count}}}"]
    if table.column_player:
        lines.append(f"{_spanning_heading(1, '')} & {_spanning_heading(count, table.column_player)} \\\\")
    names = "".join(f" & \\multicolumn{{1}}{{c}}{{{latex(name)}}}" for name in _heads(table))
    lines.append(f"{_spanning_heading(1, table.row_player)}{names}{rule}")
    for name, line in zip(_sides(table), table.cells, strict=True):
        cells = (_cell(cell, blank, math, r"\underline{{{}}}", r"\fbox{{{}}}") for cell in line)
        lines.append(f"{latex(name)} & {' & '.join(cells)}{rule}")
    notes = [latex(note) for note in (table.others, table.left_out) if note]
    return "\n".join([*lines, "\\end{tabular}", *(f"\n{note}" for note in notes)])


def _spanning_heading(columns: int, player: str) -> str:
    return f"\\multicolumn{{{columns}}}{{c}}{{\\textit{{{latex(player)}}}}}"


def matrix_html(matrix: Matrix) -> str:
    """The tables as HTML tables, without a page around them."""
    parts = []
    for table in matrix.tables:
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in _heads(table))
        caption = html.escape(
            " ".join(filter(None, (_player_label(table, matrix.words), table.others, table.left_out)))
        )
        rows = [f"<tr><td></td>{head}</tr>"]
        for name, line in zip(_sides(table), table.cells, strict=True):
            cells = (_cell(cell, matrix.blank, html.escape, "<u><b>{}</b></u>", "<mark>[{}]</mark>") for cell in line)
            numbers = "".join(f"<td>{cell}</td>" for cell in cells)
            rows.append(f'<tr><th scope="row">{html.escape(name)}</th>{numbers}</tr>')
        parts.append(f"<table><caption>{caption}</caption>{''.join(rows)}</table>")
    return "\n".join(parts)

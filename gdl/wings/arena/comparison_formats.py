"""Solvers side by side: as text, as a table for a spreadsheet or for LaTeX, and as a page."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from itertools import groupby

from gdl.errors import clean, count_text
from gdl.formats.answer_kinds import to_plain
from gdl.formats.spreadsheet import csv_table
from gdl.numbers import to_text
from gdl.render.latex import latex
from gdl.render.strategies import align_columns
from gdl.wings.arena.answers import CompareAnswer, ComparedRun

HEADS = ("game", "solver", "value", "best", "exact", "nodes", "seconds", "spread", "preparation", "MiB", "note")
NUMBERS = HEADS[5:10]  # headings of columns that are flush right


def _machine_line(found: CompareAnswer) -> str:
    """A line on how the numbers came about, for the foot of a table."""
    repeats = max((run.repeats for run in found.runs), default=1)
    made = ", ".join(f"{name} {value}" for name, value in found.machine.items())
    return clean(f"seconds: median of {count_text(repeats, 'run')}, each in a process of its own; {made}")


def _cells(run: ComparedRun) -> list[str]:
    """The cells of a run's row, in the order of HEADS."""
    value = "" if run.value is None else ", ".join(n if isinstance(n, str) else to_text(n) for n in run.value.values())
    memory = "" if run.memory is None else f"{run.memory / (1 << 20):.1f}"
    nodes = "" if run.nodes is None else str(run.nodes)
    exact = "yes" if run.exact else "no"
    spread = "" if run.repeats == 1 or run.spread is None else "-".join(f"{end:.3f}" for end in run.spread)
    ready = "" if run.preparation is None else f"{run.preparation:.3f}"
    timed = (nodes, f"{run.seconds:.3f}", spread, ready, memory)
    cells = [run.game, run.solver, value, run.best or "", exact, *timed, run.note or ""]
    return [clean(cell) for cell in cells]


def comparison_text(found: CompareAnswer) -> str:
    """The runs as a table for the terminal, with their notes below it."""
    rows = [_cells(run) for run in found.runs]
    notes = [f"{row[0]}, {row[1]}: {row[-1]}" for row in rows if row[-1]]
    return "\n".join([*align_columns([HEADS[:-1], *(row[:-1] for row in rows)]), "", *notes, _machine_line(found)])


def comparison_csv(found: CompareAnswer) -> str:
    """The runs as CSV: a row for each, under a row of headings."""
    return csv_table([HEADS, *map(_cells, found.runs)])


def comparison_json(found: CompareAnswer) -> str:
    """The runs as JSON, as `--json` prints them, in lines that can be compared."""
    return json.dumps(to_plain(found), indent=1, allow_nan=False) + "\n"


def comparison_tex(found: CompareAnswer) -> str:
    """The runs as a table for LaTeX with the package booktabs; a rule separates two games."""
    kinds = "".join("r" if head in NUMBERS else "l" for head in HEADS[:-1])
    lines = [f"\\begin{{tabular}}{{{kinds}}}", "\\toprule", " & ".join(HEADS[:-1]) + " \\\\"]
    for _, of_game in groupby(found.runs, lambda run: run.game):
        lines.append("\\midrule")
        lines += [" & ".join(map(latex, _cells(run)[:-1])) + " \\\\" for run in of_game]
    return "\n".join(
        ["% \\usepackage{booktabs}", f"% {_machine_line(found)}", *lines, "\\bottomrule", "\\end{tabular}", ""]
    )


def comparison_html(found: CompareAnswer) -> str:
    """The runs as an HTML page."""
    from gdl.render.page import plain_page  # which takes a moment

    head = "".join(f"<th>{name}</th>" for name in HEADS)
    rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in _cells(run)) for run in found.runs]
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
    return plain_page("Solvers side by side", f"{table}<p>{html.escape(_machine_line(found))}</p>")


WRITERS: Mapping[str, Callable[[CompareAnswer], str]] = {
    ".csv": comparison_csv, ".tex": comparison_tex, ".html": comparison_html,
    ".txt": comparison_text, ".json": comparison_json,
}  # fmt: skip

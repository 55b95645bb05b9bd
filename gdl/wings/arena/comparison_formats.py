"""Solvers side by side: as text, as a table for a spreadsheet or for LaTeX, as a chart, and as a page with both."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from math import log10

from gdl.errors import clean, count_text
from gdl.formats.answer_kinds import to_plain
from gdl.formats.spreadsheet import csv_table
from gdl.numbers import to_text
from gdl.render.latex import latex
from gdl.render.strategies import align_columns
from gdl.wings.arena.answers import CompareAnswer, ComparedRun

HEADS = ("game", "solver", "value", "best", "exact", "nodes", "seconds", "spread", "preparation", "MiB", "note")
NUMBERS = HEADS[5:10]  # headings of columns that are flush right
BAR, ROW, GAP, NAME = 180.0, 18.0, 12.0, 40  # of the chart: a bar, a row, between games, characters of a solver


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


def comparison_svg(found: CompareAnswer) -> str:
    """An SVG chart with bars for the nodes and the seconds of each run, on logarithmic scales; a hollow bar marks a run
    whose answer is not exact."""
    from gdl.render.svg.elements import document, element, text, text_width, truncate_text
    from gdl.render.svg.plot import LINE_STYLES
    from gdl.render.svg.shapes import INK

    runs = found.runs
    solvers = list(dict.fromkeys(run.solver for run in runs))
    left = max((text_width(truncate_text(name, NAME), 11) for name in solvers), default=0.0) + 16
    columns = [
        ("nodes", [float(run.nodes or 0) for run in runs], left, "{:,.0f}"),
        ("seconds", [run.seconds for run in runs], left + BAR + 110, "{:.3g}"),
    ]
    parts, y, game = [text(at, 10, head, font_style="italic", fill=INK) for head, _, at, _ in columns], 18.0, None
    for number, run in enumerate(runs):
        if run.game != game:
            game, y = run.game, y + GAP
            parts.append(text(4, y, truncate_text(clean(game), 60), size=13, font_weight="bold", fill=INK))
            y += ROW
        colour, dashes = LINE_STYLES[solvers.index(run.solver) % len(LINE_STYLES)]
        parts.append(text(8, y, truncate_text(clean(run.solver), NAME), fill=INK))
        for _, amounts, at, form in columns:
            width = BAR * _share(amounts[number], amounts)
            inked = {"stroke": colour, "stroke_dasharray": dashes, "fill": colour}
            solid = "1" if run.exact else "0.15"
            parts.append(element("rect", x=at, y=y - 5, width=width, height=10.0, fill_opacity=solid, **inked))
            if amounts[number]:
                parts.append(text(at + width + 6, y, form.format(amounts[number]), fill=INK))
        y += ROW
    described = f"Nodes and seconds of {len(solvers)} solvers. Hollow bars are answers that are not exact."
    parts.append(text(8, y + 4, "a hollow bar: the answer is not exact; scales are powers of ten", fill="#555"))
    return document(parts, left + 2 * BAR + 190, y + 20, "Solvers side by side", described)


def _share(amount: float, all_: Sequence[float]) -> float:
    """The length of a bar, from 0 to 1, on a logarithmic scale that begins below the least positive amount, so that
    this one is visible, too; 0 for an amount of 0."""
    there = [each for each in all_ if each > 0]
    if amount <= 0:
        return 0.0
    low, high = log10(min(there)) - 0.5, log10(max(there))
    return (log10(amount) - low) / (high - low)


def comparison_html(found: CompareAnswer) -> str:
    """The runs as an HTML page with the chart and the table."""
    from gdl.render.page import plain_page  # which takes a moment

    head = "".join(f"<th>{name}</th>" for name in HEADS)
    rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in _cells(run)) for run in found.runs]
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
    return plain_page(
        "Solvers side by side", f"{comparison_svg(found)}\n{table}<p>{html.escape(_machine_line(found))}</p>"
    )


WRITERS: Mapping[str, Callable[[CompareAnswer], str]] = {
    ".csv": comparison_csv, ".tex": comparison_tex, ".svg": comparison_svg, ".html": comparison_html,
    ".txt": comparison_text, ".json": comparison_json,
}  # fmt: skip

"""Tables of equilibria for a paper, by LaTeX with the package booktabs.

Each equilibrium has a row, and each information set a column under the name of its player. What is wider than a page
becomes several tables, where it can one for each player; what is longer, too."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from gdl.errors import clean
from gdl.inspection.sweep import Sweep
from gdl.numbers import SHARE, brief, to_text
from gdl.render.latex import latex, math
from gdl.render.svg.elements import break_lines, text_width
from gdl.render.sweep import answer_profiles, mixture_parts, paid_answers, place_text, run_summary, threshold_text
from gdl.solution import Mixture, Profile

PAGE_WIDTH = 345.0  # points: a line of LaTeX's class article
PAGE_ROWS = 40
_APART = 12.0  # points between two columns
_HEAD = 60.0  # points: wider heads, and mixtures, are broken into lines
_SENTENCE = 240.0  # points: wider sentences are
_SIZE = 10.0


class TableColumn(NamedTuple):
    """A column: what it belongs to, its head and its cells, each in lines of plain text; its `kind` is `r` for
    numbers."""

    group: str
    head: list[str]
    cells: list[list[str]]
    kind: str = "l"

    @property
    def width(self) -> float:
        return max(text_width(line, _SIZE) for cell in (self.head, *self.cells) for line in (*cell, "")) + _APART


def sweep_tables(sweep: Sweep, game: str) -> str:
    """The equilibria for each value of the parameter, if there is one, and the thresholds."""
    answers = [
        (run, number, profile, pays)
        for run in sweep.runs for number, (profile, pays) in enumerate(paid_answers(run.solution), 1)
    ]  # fmt: skip
    players = sweep.runs[0].solution.players if sweep.runs else ()
    values = [[to_text(run.value)] * (number == 1) for run, number, *_ in answers]
    numbers = [[str(number)] for _, number, *_ in answers]
    keys = [TableColumn("", [sweep.parameter], values, "r")] * bool(sweep.parameter)
    keys += [TableColumn("", ["#"], numbers, "r")] * (["2"] in numbers)
    columns = [
        TableColumn("payoff", [player], [[brief(x, longest=SHARE)] for x in gained], "r")
        for player, gained in zip(players, zip(*(pays for *_, pays in answers), strict=False), strict=False)
    ]
    if all(map(answer_profiles, sweep.runs)):
        columns += _strategy_columns(players, [profile for *_, profile, _ in answers])
    else:
        said = [break_lines(run_summary(run), _SIZE, _SENTENCE) for run, *_ in answers]
        columns += [TableColumn("", ["answer"], said)] * any(said)
    tables = [
        _booktabs([*keys, *part], range(first, min(first + PAGE_ROWS, len(answers))))
        for part in _split_columns(keys, columns) for first in range(0, len(answers), PAGE_ROWS)
    ]  # fmt: skip
    if sweep.thresholds:
        places = TableColumn("", [sweep.parameter], [[place_text(one)] for one in sweep.thresholds])
        changes = [break_lines(threshold_text(one), _SIZE, _SENTENCE) for one in sweep.thresholds]
        tables.append(_booktabs([places, TableColumn("", ["change"], changes)], range(len(changes))))
    return "\n".join([f"% {clean(game)}", "% \\usepackage{booktabs}", *tables])


def _strategy_columns(players: Sequence[str], profiles: Sequence[Profile]) -> list[TableColumn]:
    """A column for each information set; where nobody has more than one, it bears the name of its player."""
    own = {player: dict.fromkeys(name for one in profiles for name in one.get(player, {})) for player in players}
    single = all(len(names) < 2 for names in own.values())
    return [
        TableColumn(
            "strategy" if single else player,
            [player] if single else break_lines(name, _SIZE, _HEAD),
            [_mixture_lines(one.get(player, {}).get(name, {})) for one in profiles],
        )
        for player, names in own.items() for name in names
    ]  # fmt: skip


def _mixture_lines(mixture: Mixture) -> list[str]:
    """The actions of a mixture with their probabilities, on one line if they fit."""
    parts = mixture_parts(mixture)
    line = " + ".join(parts)
    return (
        [line] if text_width(line, _SIZE) <= _HEAD else [row for one in parts for row in break_lines(one, _SIZE, 150)]
    )


def _split_columns(keys: Sequence[TableColumn], columns: Sequence[TableColumn]) -> list[list[TableColumn]]:
    """The columns in tables no wider than a page, each with the keys before it; a player's columns stay together where
    they can."""
    tables: list[list[TableColumn]] = [[]]

    def is_too_wide(more: Sequence[TableColumn]) -> bool:
        return sum(one.width for one in (*keys, *tables[-1], *more)) > PAGE_WIDTH

    for _, block in groupby(columns, lambda one: one.group):
        own = list(block)
        if tables[-1] and is_too_wide(own):
            tables.append([])
        for column in own:
            if tables[-1] and is_too_wide([column]):
                tables.append([])
            tables[-1].append(column)
    return tables


def _booktabs(columns: Sequence[TableColumn], rows: range) -> str:
    groups = [(name, len(list(same))) for name, same in groupby(columns, lambda one: one.group)]
    over, rules, first = list[str](), "", 1
    for name, count in groups:
        over.append(f"\\multicolumn{{{count}}}{{c}}{{{latex(name)}}}")
        rules += f"\\cmidrule(lr){{{first}-{first + count - 1}}}" if name else ""
        first += count
    head = " & ".join(_stack_lines(column.head, "b") for column in columns)
    body = [" & ".join(_cell_text(column, row) for column in columns) + " \\\\" for row in rows]
    top = [f"\\begin{{tabular}}{{{''.join(column.kind for column in columns)}}}", "\\toprule"]
    top += [f"{' & '.join(over)} \\\\", rules] if rules else []
    return "\n".join([*top, f"{head} \\\\", "\\midrule", *body, "\\bottomrule", "\\end{tabular}", ""])


def _cell_text(column: TableColumn, row: int) -> str:
    lines = column.cells[row]
    return math(lines[0]) if column.kind == "r" and lines else _stack_lines(lines, "t")


def _stack_lines(lines: Sequence[str], side: str) -> str:
    """The lines one below the other; `side` (t or b) is the one that stands on the line of the row."""
    text = " \\\\ ".join(map(latex, lines))
    return text if len(lines) < 2 else f"\\begin{{tabular}}[{side}]{{@{{}}l@{{}}}}{text}\\end{{tabular}}"

"""What several players do together, as text: a correlated plan, and what coalitions secure."""

from __future__ import annotations

from gdl.numbers import SHARE, brief, to_text
from gdl.render.strategies import WIDTH, align_columns
from gdl.solution import Solution

MAX_COMBINATIONS = 40  # that are shown


def distribution_lines(solution: Solution) -> list[str]:
    """A line for each combination of plans that is drawn, under the names of the players; a block for each where the
    names of the plans are long."""
    drawn = sorted(solution.distribution, key=lambda entry: -entry[1])
    shown = [(brief(chance, longest=SHARE), joint) for joint, chance in drawn[:MAX_COMBINATIONS]]
    lines = align_columns([["drawn", *solution.players], *([chance, *joint] for chance, joint in shown)])
    if max(map(len, lines)) > WIDTH:
        lines = []
        for chance, joint in shown:
            rows = [[f"    {player}", plan] for player, plan in zip(solution.players, joint, strict=True)]
            lines += [f"drawn {chance}", *align_columns(rows)]
    more = len(drawn) - MAX_COMBINATIONS
    return [*lines, *([f"… {more:,} more (--json has them all)"] if more > 0 else []), ""]


def coalition_lines(solution: Solution) -> list[str]:
    """A line for each coalition, with what it secures against all others."""
    worths = () if solution.coalitions is None else solution.coalitions.worths
    rows = [["coalition", "secures"], *([", ".join(members), to_text(worth)] for members, worth in worths)]
    more = len(rows) - 1 - MAX_COMBINATIONS
    shown = align_columns(rows[: MAX_COMBINATIONS + 1])
    return [*shown, *([f"… {more:,} more (--json has them all)"] if more > 0 else []), ""]

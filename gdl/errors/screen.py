"""Messages cut to fit on a screen, saying how much is left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gdl.errors.limits import COLUMNS, LINE_ROWS, ROWS


def cut_line(line: str, most: int = LINE_ROWS * COLUMNS) -> str:
    """A line cut to at most `most` characters, between two words if possible."""
    if len(line) <= most:
        return line
    room = most - len(f" … and {len(line):,} more characters")
    kept = line[: line.rfind(" ", room // 2, room) + 1].rstrip(" ,") or line[:room]
    return f"{kept} … and {len(line) - len(kept):,} more characters"


def cut_lines(lines: Sequence[str], rows: int = ROWS, columns: int = COLUMNS) -> list[str]:
    """The first lines that fit into `rows` rows of a screen, each cut to one row."""
    shown = [cut_line(line, columns) for line in lines[: max(1, rows)]]
    return shown if len(lines) <= len(shown) else [*shown[:-1], f"… and {len(lines) - len(shown) + 1:,} more lines"]


def wrapped_rows(lines: Iterable[str]) -> int:
    """The number of rows of a screen that the lines take when they are wrapped."""
    return sum(1 + max(0, len(line) - 1) // COLUMNS for line in lines)


def fit_to_screen(lines: Sequence[str], rows: int = ROWS) -> list[str]:
    """The first lines that fit into `rows` rows of a screen; long lines are wrapped."""
    shown = [cut_line(line) for line in lines]
    if wrapped_rows(shown) <= rows:
        return shown
    while shown and wrapped_rows(shown) >= rows:
        shown.pop()
    return [*shown, f"… and {len(lines) - len(shown):,} more lines"]

"""The plots of a report: SVG in the colours of the page, each with the table of its numbers beside it.

Nothing is told by colour alone; whoever does not see a plot reads its title and the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gdl.render.svg.elements import element, escape_xml, points, text
from gdl.render.svg.measure import text_width, truncate_text

WIDTH = 340.0
ROW = 22.0  # height of a bar and the room around it
NAMES = 124.0  # width of the names of bars, at most
SANS = 1.25  # times as wide as the measured letters are those of the page
SHARE = 58.0  # width of a share beside its bar, `100.0 %`
CHARACTERS = 18  # of such a name
HEIGHT = 150.0  # of a field
LEFT, RIGHT, FOOT = 44.0, 10.0, 34.0
COLUMNS = 24  # of a histogram, at most


class Bar(NamedTuple):
    """A bar: its name, how long it is, and the ends of the interval, if there is one."""

    name: str
    value: float
    ends: tuple[float, float] | None = None
    second: bool = False  # in the second colour


@dataclass(frozen=True)
class Plot:
    """A plot: its title, the picture, and the table of its numbers, the head first."""

    title: str
    picture: str
    table: Sequence[Sequence[str]]

    def html(self) -> str:
        head, *rows = self.table
        heads = "".join(f'<th scope="col">{escape_xml(cell)}</th>' for cell in head)
        body = "".join(
            f'<tr><th scope="row">{escape_xml(row[0])}</th>{"".join(f"<td>{escape_xml(cell)}</td>" for cell in row[1:])}</tr>'
            for row in rows
        )
        table = f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
        title = f"<h3>{escape_xml(self.title)}</h3>"
        return f"<figure>{title}{self.picture}<details><summary>the numbers</summary>{table}</details></figure>"


def bars(title: str, found: Sequence[Bar], even: float | None = None) -> str:
    """Bars of shares from 0 to 1, each with its interval; `even` is a line across them all."""
    left = (
        min(NAMES, SANS * max((text_width(truncate_text(bar.name, CHARACTERS), 11) for bar in found), default=0.0)) + 8
    )
    scale = WIDTH - left - SHARE
    parts = [_bar(bar, left, scale, number * ROW) for number, bar in enumerate(found)]
    height = max(1, len(found)) * ROW + 4
    parts.append(element("line", x1=left, y1=0.0, x2=left, y2=height, class_="axis"))
    if even is not None:
        x = left + even * scale
        parts.append(element("line", x1=x, y1=0.0, x2=x, y2=height, class_="even"))
    return _plot_svg(parts, height, title)


def _bar(bar: Bar, left: float, scale: float, top: float) -> str:
    middle = top + ROW / 2
    parts = [
        text(left - 6, middle, truncate_text(bar.name, CHARACTERS), text_anchor="end"),
        element("rect", x=left, y=top + 4, width=max(0.0, bar.value * scale), height=ROW - 8,
                class_="two" if bar.second else "one"),
    ]  # fmt: skip
    end = left + bar.value * scale
    if bar.ends is not None:
        low, end = (left + edge * scale for edge in bar.ends)
        parts.append(element("line", x1=low, y1=middle, x2=end, y2=middle, class_="reach"))
        parts += [element("line", x1=x, y1=middle - 4, x2=x, y2=middle + 4, class_="reach") for x in (low, end)]
    parts.append(text(end + 5, middle, f"{100 * bar.value:.1f} %"))
    return "".join(parts)


def histogram(title: str, numbers: Sequence[int], unit: str) -> tuple[str, list[list[str]]]:
    """How many of the numbers lie in each of equal stretches; the picture and its table."""
    low, high = min(numbers), max(numbers)
    step = -(-(high - low + 1) // COLUMNS)
    counts = [0] * (-(-(high - low + 1) // step))
    for number in numbers:
        counts[(number - low) // step] += 1
    width, most = (WIDTH - LEFT - RIGHT) / len(counts), max(counts)
    parts = [
        element("rect", x=LEFT + place * width + 0.5, y=HEIGHT - (HEIGHT - 12) * count / most,
                width=max(0.5, width - 1), height=(HEIGHT - 12) * count / most, class_="one")
        for place, count in enumerate(counts) if count
    ]  # fmt: skip
    parts += _field(f"{low:,}", f"{low + step * len(counts) - 1:,}", f"{most:,}", unit)
    names = [f"{low + place * step:,}" for place in range(len(counts))]
    if step > 1:
        names = [f"{low + place * step:,} to {low + (place + 1) * step - 1:,}" for place in range(len(counts))]
    return _plot_svg(parts, HEIGHT + FOOT, title), [
        [name, f"{count:,}"] for name, count in zip(names, counts, strict=True)
    ]


def course(title: str, numbers: Sequence[float], unit: str) -> str:
    """Numbers that follow each other, as a line."""
    most, step = max(numbers), (WIDTH - LEFT - RIGHT) / max(1, len(numbers) - 1)
    at = [(LEFT + place * step, HEIGHT - (HEIGHT - 12) * number / most) for place, number in enumerate(numbers)]
    parts = [element("polyline", points=points(at), class_="line")]
    return _plot_svg([*parts, *_field("1", f"{len(numbers):,}", f"{most:,.1f}", unit)], HEIGHT + FOOT, title)


def _field(first: str, last: str, most: str, unit: str) -> list[str]:
    """The axes and what stands at them."""
    right = WIDTH - RIGHT
    return [
        element("path", d=f"M{LEFT} 8V{HEIGHT}H{right}", class_="axis"),
        text(LEFT - 5, 12, most, text_anchor="end"),
        text(LEFT - 5, HEIGHT, "0", text_anchor="end"),
        text(LEFT, HEIGHT + 12, first),
        text(right, HEIGHT + 12, last, text_anchor="end"),
        text((LEFT + right) / 2, HEIGHT + 26, unit, text_anchor="middle", class_="soft"),
    ]


def _plot_svg(parts: Sequence[str], height: float, title: str) -> str:
    return element("svg", *parts, viewBox=f"0 0 {WIDTH:g} {height:g}", role="img", aria_label=title)

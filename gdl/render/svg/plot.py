"""The values of a sweep as a picture: a line for each player over the values of the parameter, thresholds upright."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from gdl.game import Number
from gdl.inspection.sweep import Sweep
from gdl.numbers import brief
from gdl.render.svg.elements import document, element, group, on_white, points, text, text_width, truncate_text
from gdl.render.svg.shapes import CUT, INK, SKIPPED

WIDTH, HEIGHT = 560.0, 320.0  # size of the plotting field
LEFT, TOP, BELOW = 56.0, 34.0, 46.0
STEPS = 6  # approximate number of ticks on each scale
LINE_STYLES = (  # a player's colour, and the dashes of the line, for prints without colour
    ("#1b4f8f", None),
    ("#b3261e", "7 3"),
    ("#2e7d32", "2 3"),
    ("#6a3d9a", "9 3 2 3"),
    ("#8a5a00", "4 4"),
    ("#222222", "1 3"),
)
NAME = 24  # characters of a name beside the line
PLACE = 16  # characters of a threshold
MOST_LINES = 24
MOST_DOTS = 120  # dots on a line; with more, only points that no strand joins are drawn

Point = tuple[float, float]


class PlotLine(NamedTuple):
    """A named line of a plot: its strands, each drawn without a gap, and the points that are marked with dots."""

    name: str
    strands: Sequence[Sequence[Point]]
    dots: Sequence[Point] = ()


def plot(sweep: Sweep, game: str) -> str:
    """The plot of a sweep as the text of an SVG file: the values of the players, or what is played along a curve."""
    if not sweep.parameter:
        return sweep.runs[0].solution.part.picture(game)
    lines = _curve(sweep) if sweep.traced else _values(sweep)
    numbers = [y for line in lines for strand in line.strands for _, y in strand]
    across = PlotScale(float(sweep.runs[0].value), float(sweep.runs[-1].value), LEFT, LEFT + WIDTH)
    up = PlotScale(min(numbers, default=0.0), max(numbers, default=1.0), TOP + HEIGHT, TOP)
    parts = [text(0, 8, truncate_text(game, 80), size=15, font_weight="bold", fill=INK)]
    parts += plot_frame(across, up, sweep.parameter)
    parts += [_upright_label(across, float(where), name) for where, name in _places(sweep)]
    parts += _counts(sweep, across)
    heights: list[float] = []
    for number, line in enumerate(lines[:MOST_LINES]):
        parts.append(_line(line, across, up, number))
        if line.strands:
            last = max(line.strands, key=lambda strand: strand[-1])
            parts.append(_name_beside(line.name, up.place_of(last[-1][1]), heights, number))
    margin = max(text_width(truncate_text(line.name, NAME), 11) for line in lines) + 20
    what = "What is played" if sweep.traced else f"The value of {', '.join(line.name for line in lines)}"
    described = f"{what} for {len(sweep.runs)} values of {sweep.parameter}."
    if len(lines) > MOST_LINES:
        described += f" Of {len(lines)} lines {MOST_LINES} are drawn."
    height = max(TOP + HEIGHT, *heights, 0.0) + BELOW
    return document(parts, LEFT + WIDTH + margin, height, game, described)


def _values(sweep: Sweep) -> list[PlotLine]:
    """A line for each player's value; if there are several equilibria, a strand for each."""
    strands = [[(float(x), tuple(map(float, pays))) for x, pays in strand] for strand in sweep.strands()]
    grid = {float(run.value) for run in sweep.runs}
    lines = []
    for player, name in enumerate(sweep.runs[0].solution.players):
        own = [[(x, pays[player]) for x, pays in strand] for strand in strands]
        dots = [(x, y) for strand in own for x, y in strand if x in grid or len(strand) == 1]
        lines.append(PlotLine(name, own, dots))
    return lines


def _curve(sweep: Sweep) -> list[PlotLine]:
    """A line for the probability of each action along a curve."""
    first = sweep.traced[0][1]
    return [
        PlotLine(
            f"{player}: {action}" if len(sets) == 1 else f"{player}, {name}: {action}",
            [[(x, float(profile[player][name][action])) for x, profile in sweep.traced]],
        )
        for player, sets in first.items()
        for name, mixture in sets.items()
        for action in mixture
    ]


def _counts(sweep: Sweep, across: PlotScale) -> Iterator[str]:
    """Texts with the number of equilibria, above each stretch of the parameter with several."""
    for low, high, count in sweep.several():
        left, right = across.place_of(float(low)), across.place_of(float(high))
        said = f"{count} equilibria"
        if right - left > text_width(said, 11) + 2 * PLACE:
            yield text((left + right) / 2, TOP - 8, said, text_anchor="middle", fill=SKIPPED)


class PlotScale:
    """A linear scale: maps the numbers from `low` to `high` to places on the page from `start` to `end`, with a small
    margin at both ends."""

    def __init__(self, low: float, high: float, start: float, end: float):
        if high == low:
            low, high = low - 0.5, high + 0.5
        self.low, self.high = low, high
        self.start = start + (end - start) * 0.03
        self.end = end - (end - start) * 0.03

    def place_of(self, number: float) -> float:
        return self.start + (self.end - self.start) * (number - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Round numbers on the scale, each with its text."""
        rough = (self.high - self.low) / STEPS
        power = 10 ** floor(log10(rough))
        step = next(round_ * power for round_ in (1, 2, 5, 10) if round_ * power >= rough * 0.999)
        digits = max(0, -floor(log10(step) + 1e-9))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [(k * step, f"{k * step:.{digits}f}") for k in range(first, last + 1)]


def plot_frame(across: PlotScale, up: PlotScale, parameter: str) -> list[str]:
    """The frame of a plot with the ticks of both scales and a darker line at 0."""
    right, bottom = LEFT + WIDTH, TOP + HEIGHT
    parts = [element("rect", x=LEFT, y=TOP, width=WIDTH, height=HEIGHT, fill="none", stroke=SKIPPED, stroke_width=1)]
    for number, name in across.ticks():
        x = across.place_of(number)
        parts.append(element("line", x1=x, y1=bottom, x2=x, y2=bottom + 4, stroke=SKIPPED))
        parts.append(text(x, bottom + 12, name, text_anchor="middle"))
    for number, name in up.ticks():
        y = up.place_of(number)
        grid = "#aaa" if number == 0 else "#e4e4e4"
        parts.append(element("line", x1=LEFT, y1=y, x2=right, y2=y, stroke=grid))
        parts.append(text(LEFT - 6, y, name.replace("-", "−"), text_anchor="end"))
    name = truncate_text(parameter, 40)
    return [*parts, text(LEFT + WIDTH / 2, bottom + 30, name, text_anchor="middle", font_style="italic")]


def _places(sweep: Sweep) -> Iterator[tuple[Number | float, str]]:
    """Each threshold's place on the horizontal scale, with its text; if it is only known to lie in an interval, the
    middle of the interval, with ""."""
    for one in sweep.thresholds:
        if one.at is not None:
            yield one.at, brief(one.at, longest=PLACE)
        else:
            yield (float(one.low) + float(one.high)) / 2, ""


def _upright_label(across: PlotScale, where: float, name: str) -> str:
    x = across.place_of(where)
    line = element("line", x1=x, y1=TOP, x2=x, y2=TOP + HEIGHT, stroke=CUT, stroke_width=0.8, stroke_dasharray="3 3")
    return line + (on_white(x, TOP - 8, name, text_anchor="middle", fill=CUT) if name else "")


def _line(line: PlotLine, across: PlotScale, up: PlotScale, number: int) -> str:
    """The strands of a line, and dots at its marked points if these are not too many; `number` picks the line's
    style."""
    colour, dashes = LINE_STYLES[number % len(LINE_STYLES)]
    paths = [
        points((across.place_of(x), up.place_of(y)) for x, y in strand) for strand in line.strands if len(strand) > 1
    ]
    look: dict[str, object] = {"fill": "none", "stroke": colour, "stroke_width": 1.6, "stroke_dasharray": dashes}
    joined = [element("polyline", points=path, **look) for path in paths]
    marked = line.dots if len(line.dots) <= MOST_DOTS else [one[0] for one in line.strands if len(one) == 1]
    return group(
        [*joined, *(element("circle", cx=across.place_of(x), cy=up.place_of(y), r=2.2, fill=colour) for x, y in marked)]
    )


def _name_beside(name: str, y: float, taken: list[float], player: int) -> str:
    """The player's name at the right end of a line, moved down until it clears the names placed already; `taken` gets
    its y."""
    while any(abs(y - other) < 13 for other in taken):
        y += 13
    taken.append(y)
    return text(LEFT + WIDTH + 8, y, truncate_text(name, NAME), fill=LINE_STYLES[player % len(LINE_STYLES)][0])

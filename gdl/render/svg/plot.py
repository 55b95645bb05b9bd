"""The values of a sweep as a picture: a line for each player over the values of the parameter, thresholds upright."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10

from gdl.game import Number
from gdl.inspection.sweep import Sweep
from gdl.numbers import brief, to_text
from gdl.render.svg.elements import document, element, group, on_white, points, text
from gdl.render.svg.measure import text_width, truncate_text
from gdl.render.svg.shapes import CUT, INK, SKIPPED

WIDTH, HEIGHT = 560.0, 320.0  # of the field
LEFT, TOP, BELOW = 56.0, 34.0, 46.0
STEPS = 6  # of each scale, about
LINE_STYLES = (  # a player's colour, and the dashes of the line, for prints without colour
    ("#1b4f8f", None),
    ("#b3261e", "7 3"),
    ("#2e7d32", "2 3"),
    ("#6a3d9a", "9 3 2 3"),
    ("#8a5a00", "4 4"),
    ("#222222", "1 3"),
)
NAME = 16  # characters of a player's name beside the line

Point = tuple[float, float]


def plot(sweep: Sweep, game: str) -> str:
    """The plot of a sweep as the text of an SVG file."""
    players = sweep.runs[0].solution.players
    points_of = [list(_points(sweep, player)) for player in range(len(players))]
    numbers = [y for line in points_of for _, y in line]
    across = PlotScale(float(sweep.runs[0].value), float(sweep.runs[-1].value), LEFT, LEFT + WIDTH)
    up = PlotScale(min(numbers, default=0.0), max(numbers, default=1.0), TOP + HEIGHT, TOP)
    parts = [text(0, 8, truncate_text(game, 80), size=15, font_weight="bold", fill=INK)]
    parts += frame(across, up, sweep.parameter)
    parts += [_upright(across, float(where), name) for where, name in _places(sweep)]
    heights: list[float] = []
    for player, line in enumerate(points_of):
        parts.append(_line(line, across, up, player))
        if line:
            parts.append(_name_beside(players[player], up.at(line[-1][1]), heights, player))
    margin = max(text_width(truncate_text(name, NAME), 11) for name in players) + 20
    described = f"The value of {', '.join(players)} for {len(sweep.runs)} values of {sweep.parameter}."
    return document(parts, LEFT + WIDTH + margin, TOP + HEIGHT + BELOW, game, described)


class PlotScale:
    """From numbers to places on the page, a little room on both ends."""

    def __init__(self, low: float, high: float, start: float, end: float):
        if high == low:
            low, high = low - 0.5, high + 0.5
        self.low, self.high = low, high
        self.start = start + (end - start) * 0.03
        self.end = end - (end - start) * 0.03

    def at(self, number: float) -> float:
        return self.start + (self.end - self.start) * (number - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Round numbers within the ends, and how they are written."""
        rough = (self.high - self.low) / STEPS
        power = 10 ** floor(log10(rough))
        step = next(round_ * power for round_ in (1, 2, 5, 10) if round_ * power >= rough * 0.999)
        digits = max(0, -floor(log10(step) + 1e-9))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [(k * step, f"{k * step:.{digits}f}") for k in range(first, last + 1)]


def _points(sweep: Sweep, player: int) -> Iterator[Point]:
    """Where the player's value is known; where there are several equilibria, what each pays."""
    for run in sweep.runs:
        if run.solution.value is not None:
            yield float(run.value), float(run.solution.value[player])
        else:
            yield from ((float(run.value), float(vector[player])) for vector in run.solution.payoffs)


def frame(across: PlotScale, up: PlotScale, parameter: str, ticks: Sequence[tuple[float, str]] = ()) -> list[str]:
    """The field, its scales, and the line of 0; `ticks` across, if these are not to be round numbers."""
    right, bottom = LEFT + WIDTH, TOP + HEIGHT
    parts = [element("rect", x=LEFT, y=TOP, width=WIDTH, height=HEIGHT, fill="none", stroke=SKIPPED, stroke_width=1)]
    for number, name in ticks or across.ticks():
        x = across.at(number)
        parts.append(element("line", x1=x, y1=bottom, x2=x, y2=bottom + 4, stroke=SKIPPED))
        parts.append(text(x, bottom + 12, name, text_anchor="middle"))
    for number, name in up.ticks():
        y = up.at(number)
        grid = "#aaa" if number == 0 else "#e4e4e4"
        parts.append(element("line", x1=LEFT, y1=y, x2=right, y2=y, stroke=grid))
        parts.append(text(LEFT - 6, y, name.replace("-", "−"), text_anchor="end"))
    parts.append(
        text(LEFT + WIDTH / 2, bottom + 30, truncate_text(parameter, 40), text_anchor="middle", font_style="italic")
    )
    return parts


def _places(sweep: Sweep) -> Iterator[tuple[Number | float, str]]:
    """The thresholds: the place, or the middle of the stretch in which it lies."""
    for one in sweep.thresholds:
        if one.at is not None:
            yield one.at, to_text(one.at) if len(to_text(one.at)) <= NAME else brief(one.at, longest=NAME)
        else:
            yield (float(one.low) + float(one.high)) / 2, ""


def _upright(across: PlotScale, where: float, name: str) -> str:
    x = across.at(where)
    line = element("line", x1=x, y1=TOP, x2=x, y2=TOP + HEIGHT, stroke=CUT, stroke_width=0.8, stroke_dasharray="3 3")
    return line + (on_white(x, TOP - 8, name, text_anchor="middle", fill=CUT) if name else "")


def _line(line: Sequence[Point], across: PlotScale, up: PlotScale, player: int) -> str:
    """A player's values, joined where there is one for each value of the parameter."""
    colour, dashes = LINE_STYLES[player % len(LINE_STYLES)]
    places = [(across.at(x), up.at(y)) for x, y in line]
    dots = [element("circle", cx=x, cy=y, r=2.2, fill=colour) for x, y in places] if len(places) <= 60 else []
    single = len({x for x, _ in places}) == len(places)
    joined = element("polyline", points=points(places), fill="none", stroke=colour, stroke_width=1.6,
                     stroke_dasharray=dashes) if single and len(places) > 1 else ""  # fmt: skip
    return group([joined, *dots])


def _name_beside(name: str, y: float, taken: list[float], player: int) -> str:
    """The player's name at the end of the line, below those that stand there."""
    while any(abs(y - other) < 13 for other in taken):
        y += 13
    taken.append(y)
    return text(LEFT + WIDTH + 8, y, truncate_text(name, NAME), fill=LINE_STYLES[player % len(LINE_STYLES)][0])

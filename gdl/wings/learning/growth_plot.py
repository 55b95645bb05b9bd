"""A plot of how often a learned evaluation is right over the number of games learned from, with the errors."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from gdl.render.svg.elements import document, element, points, text, truncate_text
from gdl.render.svg.plot import BELOW, HEIGHT, LEFT, LINE_STYLES, TOP, WIDTH, PlotScale, frame
from gdl.render.svg.shapes import INK

CAP = 4.0  # half the width of the end of an error

Grown = tuple[int, float, float]  # games, the share that is right after them, and how far it may be off


def growth(grown: Sequence[Grown], game: str, described: str) -> str:
    """An SVG plot of shares, with 0.5 as chance, over the number of games learned from, on a logarithmic scale.
    `described` is the description that screen readers read."""
    across = PlotScale(log2(grown[0][0]) - 1, log2(grown[-1][0]), LEFT, LEFT + WIDTH)
    least, most = (pick(right + sign * error for _, right, error in grown) for pick, sign in ((min, -1), (max, 1)))
    up = PlotScale(min(0.5, least), most, TOP + HEIGHT, TOP)
    parts = [text(0, 8, truncate_text(game, 80), size=15, font_weight="bold", fill=INK)]
    names = [(log2(games), f"{games:,}") for games, *_ in grown]
    parts += frame(across, up, "games", names)
    colour = LINE_STYLES[0][0]
    places = [(across.place_of(log2(games)), up.place_of(right)) for games, right, _ in grown]
    parts.append(element("polyline", points=points(places), fill="none", stroke=colour, stroke_width=1.6))
    for (games, right, error), (x, y) in zip(grown, places, strict=True):
        low, high = up.place_of(right - error), up.place_of(right + error)
        ends = f"M{x - CAP:.1f} {low:.1f}h{2 * CAP:g}M{x:.1f} {low:.1f}V{high:.1f}M{x - CAP:.1f} {high:.1f}h{2 * CAP:g}"
        parts.append(element("path", d=ends, stroke=colour, stroke_width=0.8))
        parts.append(element("circle", element("title", f"{games:,}: {right:.3f}"), cx=x, cy=y, r=2.6, fill=colour))
    parts.append(text(LEFT + 8, TOP + 12, "right", font_style="italic"))
    return document(parts, LEFT + WIDTH + 20, TOP + HEIGHT + BELOW, game, described)

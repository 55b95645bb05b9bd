"""A set of payoffs of two players as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.render.svg.elements import document, element, points, text, truncate_text
from gdl.render.svg.plot import BELOW, HEIGHT, LEFT, LINE_STYLES, TOP, WIDTH, PlotScale, plot_frame
from gdl.render.svg.shapes import INK
from gdl.wings.theory.subgames.polygons import Point


def payoff_picture(inner: Sequence[Point], outer: Sequence[Point], players: Sequence[str], game: str) -> str:
    """The text of an SVG file: the polygon that equilibria pay, and, broken, the one outside of which none pays."""
    columns = [[float(number) for number in numbers] for numbers in zip(*inner, *outer, strict=True)]
    across = PlotScale(min(columns[0]), max(columns[0]), LEFT, LEFT + WIDTH)
    up = PlotScale(min(columns[1]), max(columns[1]), TOP + HEIGHT, TOP)
    colour, _ = LINE_STYLES[0]
    placed = [[(across.place_of(float(x)), up.place_of(float(y))) for x, y in own] for own in (inner, outer)]
    parts = [text(0, 8, truncate_text(game, 80), size=15, font_weight="bold", fill=INK)]
    parts += plot_frame(across, up, f"payoff of {players[0]}")
    parts.append(text(LEFT, TOP - 10, f"payoff of {players[1]}", font_style="italic"))
    look = {"stroke": colour, "stroke_width": 1.6, "stroke_linejoin": "round"}
    parts.append(element("polygon", points=points(placed[1]), fill="none", stroke_dasharray="4 4", **look))
    parts.append(element("polygon", points=points(placed[0]), fill=colour, fill_opacity=0.25, **look))
    parts += [element("circle", cx=x, cy=y, r=2.6, fill=colour) for x, y in placed[0]]
    described = f"What subgame-perfect equilibria pay {' and '.join(players)}; no others pay beyond the broken line."
    return document(parts, LEFT + WIDTH + 20, TOP + HEIGHT + BELOW, game, described)

"""The shapes of nodes, as SVG."""

from __future__ import annotations

from gdl.render.picture import PictureNode
from gdl.render.picture.position_faces import Grid, is_empty
from gdl.render.svg.elements import element, points, text

INK = "#222"
SKIPPED = "#8a8a8a"
BEST = "#1b4f8f"
CUT = "#b3261e"
CELL = 10.0

EDGES: dict[str, dict[str, object]] = {  # the kinds of edges, in the order in which they are drawn
    "skipped": {"stroke": SKIPPED, "stroke_width": 1, "stroke_dasharray": "4 3"},
    "plain": {"stroke": INK, "stroke_width": 1},
    "best": {"stroke": BEST, "stroke_width": 2},
    "principal": {"stroke": BEST, "stroke_width": 2.8},
}

_FILLS = {"max": "#e3ecf7", "min": "#f8e9df", "player": "#eef1ea", "chance": "#fff", "end": "#fff"}


def shape(node: PictureNode, x: float, y: float, width: float, height: float) -> str:
    """The node's outline, centred at x and y; a position is drawn as a card, marked if best play leads there."""
    marked = node.is_position and (node.principal or node.best)
    fill, stroke = ("#fff", SKIPPED) if node.skipped else (_FILLS[node.shape], BEST if marked else INK)
    look: dict[str, object] = {"fill": fill, "stroke": stroke, "stroke_width": 2.4 if marked else 1.2}
    look["stroke_dasharray"] = "3 2" if node.skipped else None
    left, top = x - width / 2, y - height / 2
    if node.is_position:
        rounded = 0.0 if node.shape == "end" else 4.0
        return element("rect", x=left, y=top, width=width, height=height, rx=rounded, **look)
    if node.shape in ("max", "min"):
        flat, apex = (top + height, top) if node.shape == "max" else (top, top + height)
        return element("polygon", points=points([(x - width / 2, flat), (x + width / 2, flat), (x, apex)]), **look)
    if node.shape == "end":
        return element("rect", x=left, y=top, width=width, height=height, **look)
    if width == height:
        return element("circle", cx=x, cy=y, r=width / 2, **look)
    return element("rect", x=left, y=top, width=width, height=height, rx=height / 2, **look)


def tab(node: PictureNode, x: float, top: float) -> str:
    """The small shape of the mover, on top of a position's card."""
    small = PictureNode((), None, (), node.shape, skipped=node.skipped)
    return shape(small, x, top - 3, 9.0, 8.0 if node.shape in ("max", "min") else 9.0)


def board(grid: Grid, x: float, y: float, ink: str) -> list[str]:
    """A board with its pieces, centred at x and y."""
    rows, columns = len(grid), len(grid[0])
    left, top = x - columns * CELL / 2, y - rows * CELL / 2
    lines = [f"M{left + CELL * c:g} {top:g}v{CELL * rows:g}" for c in range(1, columns)]
    lines += [f"M{left:g} {top + CELL * r:g}h{CELL * columns:g}" for r in range(1, rows)]
    parts = [element("path", d="".join(lines), fill="none", stroke="#b5b5b5", stroke_width=0.6)] if lines else []
    squares = ((r, c, symbol) for r, row in enumerate(grid) for c, symbol in enumerate(row) if not is_empty(symbol))
    pieces = [
        text(left + CELL * (c + 0.5), top + CELL * (r + 0.5), symbol[:2], size=8.5 if len(symbol) < 2 else 6)
        for r, c, symbol in squares
    ]
    return [*parts, element("g", *pieces, text_anchor="middle", font_weight="bold", fill=ink)] if pieces else parts

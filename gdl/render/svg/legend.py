"""The text around a tree: the title and the answer above it, who moves beside it, the meaning of its lines below it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl.render.picture import Picture
from gdl.render.svg.arrange import SMALL, PictureLayout, shows_fold_sizes
from gdl.render.svg.elements import break_lines, document, element, group, number, text, text_width, truncate_text
from gdl.render.svg.groups import SET_STYLE
from gdl.render.svg.shapes import CUT, EDGES, INK

_MARGIN = 14.0  # around the drawing and all that is written
_TITLE = 15.0
_BOLD = 1.05  # width of bold letters, relative to plain ones
SAMPLE = 26.0  # length of the sample of a line in the legend
SIGNS_APART = 18.0
_HYPHEN = re.compile(r"(?<![\w.)])-(?=[0-9])")  # a hyphen that stands before a number as its minus sign


def headline(title: str, caption: str, width: float) -> tuple[list[str], float, float]:
    """The title and the caption as SVG texts, in lines no longer than about `width` pixels; then their height and their
    width."""
    width = max(210, width)
    titles = break_lines(truncate_text(title, 90), _TITLE * _BOLD, width)
    parts = [text(0, 8 + 19 * at, line, size=_TITLE, font_weight="bold", fill=INK) for at, line in enumerate(titles)]
    y = 26.0 + 19 * (len(titles) - 1) if title else 6.0
    lines = break_lines(typeset_caption(caption), 11, width)
    for line in lines:
        parts.append(text(0, y, line, fill="#444"))
        y += 14
    reach = [text_width(line, _TITLE * _BOLD) for line in titles] + [text_width(line, 11) for line in lines]
    return parts, y + 4, max(reach, default=0)


def typeset_caption(caption: str) -> str:
    """A caption with the signs of a book: ≥, and a minus that is no hyphen."""
    return _HYPHEN.sub("−", caption.replace(" >= ", " ≥ ").replace(" <= ", " ≤ "))


def margin_names(arranged: PictureLayout) -> tuple[list[str], float]:
    """The names of the players as SVG texts at the margin, one beside each level on which a single player moves; and
    their width. Empty if no level belongs to MAX or MIN."""
    names = level_names(arranged)
    parts = [text(0, height, name) for height, name in names.items()]
    return parts, max((text_width(name, 11) + 16 for name in names.values()), default=0.0)


def level_names(arranged: PictureLayout) -> dict[float, str]:
    """The names of the players, by the height of the level on which each alone moves. Empty if no level belongs to MAX
    or MIN."""
    movers: dict[int, set[tuple[str, str]]] = {}
    heights: dict[int, float] = {}
    for at, node in enumerate(arranged.picture.nodes):
        if node.mover:
            level = arranged.levels[at]
            movers.setdefault(level, set()).add((node.shape, node.mover))
            heights[level] = min(heights.get(level, arranged.ys[at]), arranged.ys[at])
    told = {level: min(who) for level, who in movers.items() if len(who) == 1}
    alone = len(arranged.picture.players) == 1
    if not any(shape in ("max", "min") for shape, _ in told.values()):
        return {}
    return {heights[at]: _role(shape, mover, alone) for at, (shape, mover) in told.items() if shape != "player"}


def _role(shape: str, mover: str, alone: bool) -> str:
    """The name of a mover with the side in brackets, `Ann (max)`; only the name, as in `MAX`, if it says the side
    itself or there is only one player (`alone`)."""
    name = truncate_text(mover, 20)
    return name if alone or shape == "chance" or mover.lower() == shape else f"{name} ({shape})"


def footer(picture: Picture, more: Sequence[tuple[str, str]] = ()) -> tuple[list[str], float, float]:
    """The legend of the lines and signs in this picture, and `more` of them (pairs of a sample and its meaning), in a
    row; then its height and its width."""
    parts: list[str] = []
    x = 0.0
    for sample, words in (*line_signs(picture), *more):
        if sample:
            parts.append(_sample(sample, x))
            x += SAMPLE + 5
        parts.append(text(x, 0, words, size=SMALL))
        x += text_width(words, SMALL) + SIGNS_APART
    return parts, 12.0 if parts else 0.0, max(x - SIGNS_APART, 0)


def add_frame(
    arranged: PictureLayout, body: Sequence[str], description: str, *, more: Sequence[tuple[str, str]] = (),
    before: Sequence[str] = (), left: float = 0.0, right: float = 0.0,
) -> str:  # fmt: skip
    """The text of an SVG file of a picture whose drawing is `body`: title and caption above it, the names of the
    players beside it, the legend with `more` signs below it. `before` are elements that the drawing uses; it reaches
    from `left` pixels before the layout's left edge to `right` behind that edge, if that is farther than the layout."""
    picture = arranged.picture
    names, aside = margin_names(arranged)
    head, head_height, head_width = headline(picture.title, picture.caption, max(arranged.width + aside, 300))
    foot, foot_height, foot_width = footer(picture, more)
    across = max(arranged.width, right) + left
    width = max(across + aside, head_width, foot_width) + 2 * _MARGIN
    x, y = (width - across - aside) / 2 + aside + left, _MARGIN + head_height
    beside = f"translate({number(x - left - aside)} {number(y)})"
    parts = [
        *before,
        group(head, transform=f"translate({number(_MARGIN)} {number(_MARGIN)})"),
        group(names, transform=beside, fill="#555", font_style="italic"),
        group(body, transform=f"translate({number(x)} {number(y)})"),
        group(foot, transform=f"translate({number(_MARGIN)} {number(y + arranged.height + 22)})", fill="#444"),
    ]
    height = y + arranged.height + (22 + foot_height if foot else 0) + _MARGIN
    return document(parts, width, height, picture.title, description)


def line_signs(picture: Picture) -> list[tuple[str, str]]:
    """The kinds of lines in the picture ("": a text without a sample), each with its meaning."""
    nodes, played = picture.nodes, picture.strategic
    windows = picture.bounds == "edges" and not picture.blank and any(node.window for node in nodes)
    line = any(node.principal and node.parent is not None for node in nodes)
    best = any(node.best and not node.principal for node in nodes)
    signs = [
        (line, "principal", "the line of play" if played else "best play"),
        (best, "best", "played" if played else "best for the one who moves"),
        (any(node.cut for node in nodes), "cut", "cut: never looked at"),
        (bool(picture.groups), "set", "one information set"),
        (windows, "", "[α, β]: the window on entry"),
        (not shows_fold_sizes(picture), "", "… play goes on below"),
    ]
    return [(sample, picture.words.get(words, words)) for occurs, sample, words in signs if occurs]


def _sample(kind: str, x: float) -> str:
    looks = EDGES | {"cut": EDGES["skipped"], "set": SET_STYLE}
    line = element("line", x1=x, y1=0.0, x2=x + SAMPLE, y2=0.0, **looks[kind])
    if kind != "cut":
        return line
    strokes = "".join(f"M{x + at - 1.5:g} 5L{x + at + 1.5:g} -5" for at in (11, 15))
    return element("g", line, element("path", d=strokes, stroke=CUT, stroke_width=1.5))

"""A picture as LaTeX that a person edits: a line of TikZ for each node and the edge above it, placed from the node
above, so that whoever moves it moves all below it; every look is a style with a name at the head of the document.

The document compiles by itself with pdflatex, lualatex or xelatex, and needs no package but tikz.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import pairwise

from gdl.render.latex import FONTS, latex
from gdl.render.picture import Picture, PictureNode
from gdl.render.picture.position_faces import Grid, is_empty
from gdl.render.picture.states import StatePicture
from gdl.render.svg.arrange import LANE, LONGEST, SMALL, PictureLayout
from gdl.render.svg.elements import Point, break_lines, text_width, truncate_text
from gdl.render.svg.labelled import arrange
from gdl.render.svg.legend import SAMPLE, SIGNS_APART, level_names, line_signs, typeset_caption
from gdl.render.svg.states import RouteCurve, arrange_states, leads_down, link_signs, middle_of_route
from gdl.render.svg.tree import edge_kind

_CLASS = "\\documentclass[tikz,border=6pt]{standalone}\n"
_STYLES = files("gdl.render").joinpath("tree_styles.tex").read_text(encoding="utf-8")
_SHAPES = {"max": "max player", "min": "min player", "player": "decision", "chance": "chance", "end": "terminal"}
_CUT = "{$\\parallel$}"
_BREAK = "\\\\"
_LINE = " \\\\\\hline "  # between two rows of a board


def tikz(picture: Picture) -> str:
    """The picture of a tree as a LaTeX document."""
    arranged = arrange(picture)
    nodes = [_node_line(arranged, at, node.parent) for at, node in enumerate(picture.nodes)]
    return _document(arranged, [*nodes, *_tray_lines(arranged), *_set_lines(arranged)], line_signs(picture))


def tikz_states(states: StatePicture) -> str:
    """A state graph as a LaTeX document."""
    written = arrange_states(states)
    arranged, nodes = written.routes.arranged, states.picture.nodes
    lines = [_node_line(arranged, at, 0 if at else None) for at in range(len(nodes))]
    for at, (link, way) in enumerate(zip(states.links, written.routes.ways, strict=True)):
        start, (x, y) = _node_name(nodes[link.source]), (arranged.xs[link.source], arranged.ys[link.source])
        kind = edge_kind(PictureNode((), None, (), "end", skipped=link.cut, principal=link.principal, best=link.best))
        look = kind if leads_down(states, link) else f"{kind}, back"
        plumb = {round(across) for curve in way for across, _ in curve.points} == {round(x)}
        if plumb or (len(way) == 1 and len(way[0].points) == 2):
            lines.append(f"\\draw[{look}] ({start}) -- ({_node_name(nodes[link.target])});")
        else:
            lines.append(f"\\draw[{look}, shift={{({start}.center)}}] {_route_path(way, (x, y))};")
        if label := written.places.get(at):
            text = latex(truncate_text(link.label, LONGEST))
            lines.append(f"\\path ({start}.center) +{_relative_place(label, (x, y))} node[action] {{{text}}};")
        if link.cut:
            away = _relative_place(middle_of_route(written.routes, at)[0], (x, y))
            lines.append(f"\\path ({start}.center) +{away} node[cut] {_CUT};")
    return _document(arranged, lines, [*line_signs(states.picture), *link_signs(states, written)])


def _document(arranged: PictureLayout, lines: Sequence[str], signs: Sequence[tuple[str, str]]) -> str:
    """The lines between the head of a document, the names of the players beside them, the answer and the legend."""
    picture, names = arranged.picture, level_names(arranged)
    left = -arranged.xs[0] - max((text_width(name, 11) + 16 for name in names.values()), default=0)
    body = [*lines, *(
        f"\\path (n.center) +{_relative_place((left, height), (0, arranged.ys[0]))} node[mover] {{{latex(name)}}};"
        for height, name in names.items()
    )]  # fmt: skip
    caption = break_lines(typeset_caption(picture.caption), 11, max(arranged.width, 300))
    body += [f"\\node[answer] at (current bounding box.north west) {{{_stack_lines(caption)}}};"] if caption else []
    body += _legend_lines(signs)
    head = "".join(f"% {line}\n" for line in (picture.title, picture.caption) if line)
    drawn = ["\\begin{document}", "\\begin{tikzpicture}[game]", *(f"  {line}" for line in body)]
    return head + _CLASS + FONTS + _STYLES + "\n".join([*drawn, "\\end{tikzpicture}", "\\end{document}", ""])


def _legend_lines(signs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The legend under the drawing: a sample of each kind of line with its meaning, or only that where no kind is."""
    x = 0.0
    for at, (kind, words) in enumerate(signs):
        if not at:
            yield "\\coordinate[yshift=-16bp] (legend) at (current bounding box.south west);"
        look = {"cut": "skipped", "set": "information set"}.get(kind, kind)
        mark = f"node[cut] {_CUT} " if kind == "cut" else ""
        line = f"-- {mark}++({SAMPLE:.0f},0) " if kind else ""
        yield f"\\draw[{look or 'plain'}] (legend) ++({x:.0f},0) {line}node[legend] {{{latex(words)}}};"
        x += text_width(words, SMALL) + SIGNS_APART + (SAMPLE + 5 if kind else 0)


def _node_line(arranged: PictureLayout, at: int, near: int | None) -> str:
    """The path of a node: where it is from the node `near` it, its shape, the texts around it, and the edge above."""
    node, box, name = arranged.picture.nodes[at], arranged.boxes[at], _node_name(arranged.picture.nodes[at])
    grey = ", skipped" * node.skipped
    marked = ", best" * (node.is_position and not node.skipped and (node.principal or node.best))
    shape = "position" if node.is_position else _SHAPES[node.shape]
    text = _board_table(node.grid) if node.grid else _stack_lines(box.inside)
    place = "(0,0)"
    if near is not None:
        away = _relative_place((arranged.xs[at], arranged.ys[at]), (arranged.xs[near], arranged.ys[near]))
        place = f"({_node_name(arranged.picture.nodes[near])}.center) ++{away}"
    parts = [f"{place} node[{shape}{marked}{grey}] ({name}) {{{text}}}"]
    if node.has_tab:
        parts.append(f"({name}.north) node[{_SHAPES[node.shape]}, sign{grey}] {{}}")
    if box.beside:
        parts.append(f"({name}.west) node[named{grey and ', text=grey'}] {{{latex(box.beside)}}}")
    if box.found:
        found = _BREAK.join([f"\\textbf{{{latex(box.found[0])}}}", *map(latex, box.found[1:])])
        parts.append(f"({name}.east) node[beside] {{{found}}}")
    if box.under:
        dots = "\\ensuremath{\\vdots}\\\\" * bool(node.folded)
        parts.append(f"({name}.south) node[under{grey and ', text=grey'}] {{{dots}{_stack_lines(box.under)}}}")
    if node.parent is not None and at not in arranged.tray_nodes:
        parts.append(f"({_node_name(arranged.picture.nodes[node.parent])}) {_edge_path(arranged, at)} ({name})")
    elif node.cut:
        parts.append(f"({name}.north) node[cut] {_CUT}")
    return f"\\path {' '.join(parts)};"


def _edge_path(arranged: PictureLayout, at: int) -> str:
    """The edge above a node with what is written at it, for a path from the parent to the node."""
    node, lines = arranged.picture.nodes[at], arranged.labels[at]
    label = f" node[action, pos={arranged.along[at]:g}] {{{_stack_lines(lines)}}}" if lines else ""
    cut = f" node[cut, sloped, pos=0.4] {_CUT}" if node.cut else ""
    return f"edge[{edge_kind(node)}]{cut}{label}"


def _tray_lines(arranged: PictureLayout) -> Iterator[str]:
    """The trays that hold last positions in rows, each with the line from the node that they hang from."""
    for parent, tray in arranged.trays.items():
        name = _node_name(arranged.picture.nodes[parent])
        around = "".join(f"({_node_name(arranged.picture.nodes[member])})" for member in tray.members)
        yield f"\\node[tray, fit={around}] (tray{name}) {{}};"
        yield f"\\draw[plain] ({name}) -- (tray{name}.north -| {name});"


def _set_lines(arranged: PictureLayout) -> Iterator[str]:
    """The information sets: an outline around nodes side by side, a line below the level between others, and names."""
    nodes = arranged.picture.nodes
    for at, (group, strand) in enumerate(zip(arranged.picture.groups, arranged.strands, strict=True)):
        for run in strand.runs:
            if len(run) > 1:
                around = "".join(f"({_node_name(nodes[member])})" for member in run)
                yield f"\\node[around, fit={around}] {{}};"
        for before, after in pairwise(strand.runs):
            one, other = _node_name(nodes[before[-1]]), _node_name(nodes[after[0]])
            down = arranged.feet[strand.level] + LANE * (strand.lane + 1) - arranged.bottom(before[-1]) + 4
            yield f"\\draw[information set] ({one}.south east) -- ++(0,{down:.0f}) -| ({other}.south west);"
        if place := arranged.names[at]:
            away = _relative_place(place, (arranged.xs[first := group.members[0]], arranged.ys[first]))
            yield f"\\path ({_node_name(nodes[first])}.center) +{away} node[set name] {{{latex(group.name)}}};"


def _node_name(node: PictureNode) -> str:
    """The name of a node in TikZ: `n` for the root, `n1-0` for the first child of its second."""
    return f"n{'-'.join(map(str, node.path))}"


def _relative_place(point: Point, origin: Point) -> str:
    return f"({point[0] - origin[0]:.0f},{point[1] - origin[1]:.0f})"


def _stack_lines(lines: Sequence[str]) -> str:
    return _BREAK.join(map(latex, lines))


def _board_table(grid: Grid) -> str:
    """A board as a table of cells."""
    kinds = "|".join(["@{}c@{}"] * len(grid[0]))
    rows = (" & ".join(f"\\boardcell{{{'' if is_empty(one) else latex(one[:2])}}}" for one in row) for row in grid)
    return f"\\begin{{tabular}}{{{kinds}}}{_LINE.join(rows)}\\end{{tabular}}"


def _route_path(way: Sequence[RouteCurve], origin: Point) -> str:
    """The route of a link, from the position at the `origin`."""
    parts = [_relative_place(way[0].points[0], origin)]
    for curve in way:
        *bends, end = (_relative_place(point, origin) for point in curve.points[1:])
        parts.append(f".. controls {' and '.join(bends)} .. {end}" if bends else f"-- {end}")
    return " ".join(parts)

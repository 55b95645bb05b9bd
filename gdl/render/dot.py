"""A picture as Graphviz DOT: the unmerged tree, in the shapes of the other formats. (Merged state graphs are written
by gdl.formats.dot.)"""

from __future__ import annotations

from itertools import pairwise

from gdl.formats.dot import attributes, quote_dot
from gdl.render.picture import Picture, PictureNode, labels

_SHAPES = {"max": "triangle", "min": "invtriangle", "player": "ellipse", "chance": "circle", "end": "box"}
_SKIPPED = {"style": "dashed", "color": "gray55", "fontcolor": "gray55"}


def dot(picture: Picture) -> str:
    """The picture as DOT text. Every name is quoted and cleaned, so that none can be read as DOT."""
    lines = [f"graph {quote_dot(picture.title or 'game')} {{", "  ordering=out;", "  node [fontname=Times];"]
    lines += ["  edge [fontname=Times];"]
    for number, node in enumerate(picture.nodes):
        lines.append(f"  n{number} {attributes(_node(picture, node))};")
        if node.parent is not None:
            lines.append(f"  n{node.parent} -- n{number} {attributes(_edge(picture, node))};")
    for group in picture.groups:
        look = attributes({"style": "dashed", "constraint": "false", "label": group.name})
        lines += [f"  n{left} -- n{right} {look};" for left, right in pairwise(group.members)]
    return "\n".join([*lines, "}"]) + "\n"


def _node(picture: Picture, node: PictureNode) -> dict[str, str]:
    board = labels.board(node)
    who = (node.mover if node.shape == "player" or board else "", node.name)
    inside = [
        line for line in (" ".join(part for part in who if part), *board, labels.payoff(node), node.folded) if line
    ]
    beside = [line for line in (labels.value(picture, node), labels.window(picture, node, "nodes")) if line]
    look = {"shape": "box" if board else _SHAPES[node.shape], "label": "\n".join(inside)}
    look |= {"xlabel": "\n".join(beside)} if beside else {}
    return look | (_SKIPPED if node.skipped else {})


def _edge(picture: Picture, node: PictureNode) -> dict[str, str]:
    look = {"label": "\n".join([*labels.edge(picture, node), *(["//"] if node.cut else [])])}
    if node.skipped:
        return look | _SKIPPED
    return look | ({"penwidth": "3"} if node.principal else {"penwidth": "2"} if node.best else {})

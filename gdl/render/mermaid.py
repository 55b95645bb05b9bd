"""A picture as Mermaid text, for pages that draw it themselves. MAX is a trapezium on its long side, MIN one on its
short side, chance a circle, an end a box; best play is thick, what search skipped is dashed and grey."""

from __future__ import annotations

from itertools import pairwise

from gdl.errors import clean
from gdl.render.picture import Picture, PictureNode, labels

_SHAPES = {  # shape -> the brackets before and after the quoted text
    "max": ("[/", "\\]"),
    "min": ("[\\", "/]"),
    "player": ("([", "])"),
    "chance": ("((", "))"),
    "end": ("[", "]"),
}


def mermaid(picture: Picture) -> str:
    """The picture as a flowchart."""
    lines = ["flowchart TD"]
    for number, node in enumerate(picture.nodes):
        before, after = _SHAPES[node.shape]
        lines.append(f'  n{number}{before}"{_escape_lines(_texts(picture, node))}"{after}')
    edges = 0
    thick: list[str] = []
    for number, node in enumerate(picture.nodes):
        if node.parent is not None:
            label = _escape_lines([*labels.edge(picture, node), *(["cut"] if node.cut else [])])
            arrow = "-.-" if node.skipped else "---"
            lines.append(f"  n{node.parent} {arrow}" + (f'|"{label}"| ' if label else " ") + f"n{number}")
            thick += [str(edges)] if node.best or node.principal else []
            edges += 1
    for group in picture.groups:
        lines += [f"  n{left} -.- n{right}" for left, right in pairwise(group.members)]
    skipped = [f"n{number}" for number, node in enumerate(picture.nodes) if node.skipped]
    lines += [f"  linkStyle {','.join(thick)} stroke-width:4px"] if thick else []
    lines += ["  classDef skipped stroke:#8a8a8a,stroke-dasharray:4 3,color:#8a8a8a"] if skipped else []
    lines += [f"  class {','.join(skipped)} skipped"] if skipped else []
    return "\n".join(lines) + "\n"


def _texts(picture: Picture, node: PictureNode) -> list[str]:
    """The lines of text in a node."""
    head = " ".join(part for part in (node.mover, node.name) if part)
    found = [labels.payoff(node), labels.value(picture, node), labels.window(picture, node, "nodes"), node.folded]
    return [line for line in (head, *labels.board(node), *found) if line]


def _escape_lines(lines: list[str]) -> str:
    """The lines as one quoted text; characters with a meaning in Mermaid are written as character codes."""
    told = ("".join(c if c.isalnum() or c == " " else f"#{ord(c)};" for c in clean(line)) for line in lines)
    return "<br>".join(told) or " "

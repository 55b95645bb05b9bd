"""A picture as LaTeX: a document of its own for the package forest, to be compiled or copied from."""

from __future__ import annotations

from itertools import pairwise

from gdl.render.latex import FONTS, latex, math
from gdl.render.layout import levels
from gdl.render.picture import Drawn, Picture, told
from gdl.render.picture.boards import Grid

_CLASS = "\\documentclass[tikz,border=6pt]{standalone}\n"
_PREAMBLE = r"""\usepackage{forest}
\usetikzlibrary{shapes.geometric,shapes.misc}
\forestset{
  game/.style={for tree={
    draw, s sep=#1, l sep=12mm, parent anchor=south, child anchor=north,
    font=\small, inner sep=1.5pt, minimum size=5.5mm, align=center}},
  max/.style={regular polygon, regular polygon sides=3, inner sep=0pt, minimum size=9mm},
  min/.style={regular polygon, regular polygon sides=3, shape border rotate=180, inner sep=0pt, minimum size=9mm},
  chance/.style={circle},
  player/.style={rounded rectangle, inner sep=2.5pt},
  end/.style={rectangle, inner sep=2.5pt},
  board/.style={rectangle, rounded corners=2pt, inner sep=1pt},
  best/.style={edge={line width=1pt}},
  principal/.style={edge={line width=1.8pt}},
  skipped/.style={dashed, draw=gray, text=gray, edge={dashed, gray}},
}
\tikzset{
  move/.style={midway, fill=white, inner sep=1pt, font=\footnotesize, text=black, align=center},
  cut/.style={pos=0.36, sloped, inner sep=0pt, font=\bfseries, text=black},
  told/.style={font=\footnotesize, text=black, align=left, label distance=2pt},
  wide/.style={label distance=2.5mm},
}
\begin{document}
"""

_BREAK = r"\\"  # of a line


def tikz(picture: Picture) -> str:
    """The picture as a LaTeX document; lualatex knows more letters than pdflatex."""
    groups = [group.members for group in picture.groups]
    members = {member for group in groups for member in group}
    level = levels([node.children for node in picture.nodes], groups)
    lines = ["\\begin{forest}", f"  game={_apart(picture)}mm,"]
    stack: list[tuple[int, int] | str] = [(0, 1)]  # a node and its depth, or what closes one
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            lines.append(top)
            continue
        number, depth = top
        children = picture.nodes[number].children
        keys = [*_node(picture, number), *([f"tier=level{level[number]}"] if number in members else [])]
        lines.append("  " * depth + "[" + ", ".join(keys) + ("" if children else "]"))
        stack += ["  " * depth + "]"] * bool(children) + [(child, depth + 1) for child in reversed(children)]
    lines += [line for group in groups for line in _set(group)]
    head = "".join(f"% {line}\n" for line in (picture.title, picture.caption) if line)
    return head + _CLASS + FONTS + _PREAMBLE + "\n".join([*lines, "\\end{forest}", "\\end{document}"]) + "\n"


def _apart(picture: Picture) -> int:
    """Millimetres between siblings: room for the labels of their edges, as far as a page goes."""
    last = [node for node in picture.nodes if not node.children]
    longest = max(len(line) for node in last for line in ["", *told.edge(picture, node)])
    return max(3, min(4 + 2 * max(0, longest - 2), 16, 400 // len(last)))


def _node(picture: Picture, number: int) -> list[str]:
    """The node's content and its keys."""
    node = picture.nodes[number]
    marks = {"best": node.best, "principal": node.principal, "skipped": node.skipped}
    shape = "board" if node.shape != "end" and (node.grid or node.lines) else node.shape
    keys = [f"{{{_content(node)}}}", shape, f"name=n{number}", *(key for key, holds in marks.items() if holds)]
    under = [latex(line) for line in (node.name if node.shape == "end" else "", node.folded) if line]
    found = _found(picture, node)
    keys += [_label("right", found, "told, wide" if shape in ("max", "min") else "told")] if found else []
    keys += [_label("below", under)] if under else []
    edge = _edge(picture, node)
    return [*keys, f"edge label={{{edge}}}"] if edge else keys


def _label(place: str, lines: list[str], style: str = "told") -> str:
    return f"label={{[{style}]{place}:{{{_BREAK.join(lines)}}}}}"


def _content(node: Drawn) -> str:
    """What stands in the shape: a name, a position, a payoff, the mover where the shape does not tell."""
    if node.grid:
        return _board(node.grid) + (rf"\\{math(told.payoff(node))}" if node.payoff else "")
    if node.lines:
        return r"\\".join([*map(latex, node.lines), *([math(told.payoff(node))] if node.payoff else [])])
    if node.payoff:
        return math(told.payoff(node))
    shown = (node.mover, node.name) if node.shape == "player" else (node.name,)
    return " ".join(latex(text) for text in shown if text)


def _board(grid: Grid) -> str:
    rows = r"\\".join(" & ".join(latex(symbol) for symbol in row) for row in grid)
    columns = f"*{{{len(grid[0])}}}{{c}}"
    return rf"\ttfamily\scriptsize\setlength{{\tabcolsep}}{{1.5pt}}\begin{{tabular}}{{{columns}}}{rows}\end{{tabular}}"


def _found(picture: Picture, node: Drawn) -> list[str]:
    """Value and window, beside an inner node."""
    if node.shape == "end":
        return []
    if picture.blank:
        return [r"\underline{\hspace{6mm}}"]
    lines = [rf"\textbf{{{math(f'{node.bound} {node.value}')}}}"] if node.value else []
    if picture.bounds == "nodes" and node.window:
        alpha, beta = node.window
        lines += [rf"$\alpha$ {math(f'= {alpha}')}", rf"$\beta$ {math(f'= {beta}')}"]
    return lines


def _edge(picture: Picture, node: Drawn) -> str:
    """The label of the edge above, and the strokes through it where it is cut."""
    if node.parent is None:
        return ""
    lines = [latex(node.action)] if node.action else []
    lines += [math(line) for line in told.edge(picture, node)[len(lines) :]]
    cut = "node[cut]{/\\!\\!/}" if node.cut else ""
    return (f"node[move]{{{_BREAK.join(lines)}}}" if lines else "") + cut


def _set(members: tuple[int, ...]) -> list[str]:
    """The dashed curve through the nodes of an information set."""
    bend = "controls +(0,-7mm) and +(0,-7mm)"
    return [f"  \\draw[dashed] (n{one}.south) .. {bend} .. (n{other}.south);" for one, other in pairwise(members)]

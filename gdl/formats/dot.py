"""State graphs as Graphviz DOT, to be drawn: `dot -Tsvg game.dot`.

Decision nodes have one shape per player, chance nodes are diamonds, ends show their utilities. Nodes that a player
cannot tell apart are joined by dotted lines. On an annotated graph best actions are bold, actions that search never
looked at are dashed and grey, and nodes show value, bound and window.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from gdl.formats.attributes import as_text, clean_lines
from gdl.game import constant_sum
from gdl.numbers import to_text
from gdl.states.graph_game import Edge, Graph, name_list, ordered_edges

_SHAPES = ("box", "ellipse", "hexagon", "house", "octagon", "trapezium")  # of the players' nodes, in turn
_BOUNDS = {"exact": "", "lower": ">= ", "upper": "<= "}


def write(graph: Graph) -> str:
    """The graph as DOT text. Every name is quoted and cleaned, so that none can be read as DOT."""
    ids = {node: f"n{number}" for number, node in enumerate(graph)}
    players = name_list(graph.graph.get("players") or ())
    lines = [f"digraph {quote_dot(graph.graph.get('name') or 'game')} {{", "  node [fontname=Helvetica];"]
    lines += [f"  {ids[node]} {attributes(_node(data, players))};" for node, data in graph.nodes(data=True)]
    for node in graph:
        for edge in ordered_edges(graph, node):
            lines.append(f"  {ids[node]} -> {ids[edge.target]} {attributes(_edge(edge))};")
    for (player, name), (first, *others) in _nodes_of_sets(graph).items():
        look = {"dir": "none", "style": "dotted", "constraint": "false", "label": f"{player}: {name}"}
        for before, after in zip([first, *others], others, strict=False):
            lines.append(f"  {ids[before]} -> {ids[after]} {attributes(look)};")
            look = look | {"label": ""}
    return "\n".join([*lines, "}"]) + "\n"


def _node(data: dict[str, Any], players: tuple[str, ...]) -> dict[str, str]:
    kind, player = data.get("kind"), data.get("player")
    ends = data.get("utilities")
    picture = str(data.get("state") or "")
    drawn = "\n" in picture and "label" not in data
    title = picture if drawn else " ".join(str(part) for part in (data.get("label"), player) if part is not None)
    value = None if data.get("unvisited") else data.get("returned", data.get("value"))
    parts = [title or (str(kind) if kind in ("chance", "simultaneous") else "")]
    parts += [_payoff(ends)] if ends is not None else []
    parts += [_BOUNDS.get(str(data.get("bound")), "") + _payoff(value)] if value is not None and ends is None else []
    parts += [str(as_text("window", data["window"]))] if data.get("window") and ends is None else []
    parts += ["…"] if data.get("frontier") else []  # it has moves that were not followed
    look = {"label": "\n".join(part for part in parts if part), "shape": _shape(data, players)}
    if drawn:
        look["fontname"] = "Courier"
    if data.get("cut"):
        look["tooltip"] = f"cut: {data['cut']}"
    return look | ({"penwidth": "2"} if data.get("principal") else {})


def _shape(data: dict[str, Any], players: tuple[str, ...]) -> str:
    if data.get("kind") == "terminal" or "utilities" in data:
        return "plaintext"
    if data.get("kind") == "chance":
        return "diamond"
    if data.get("player") in players:
        return _SHAPES[players.index(data["player"]) % len(_SHAPES)]
    return "doubleoctagon"


def _payoff(value: Any) -> str:
    """Utilities as a label; only the first number for two players whose utilities add up to 0."""
    if isinstance(value, list | tuple) and len(value) == 2 and constant_sum([tuple(value)]) == 0:
        return to_text(value[0])
    return str(as_text("value", value))


def _edge(edge: Edge) -> dict[str, str]:
    data = edge.data
    parts = [edge.action]
    if data.get("probability") is not None:
        parts.append(str(as_text("probability", data["probability"])))
    if data.get("played") not in (None, 0, 1):  # what is played always, or never, is told by the line
        parts.append(str(as_text("played", data["played"])))
    look = {"label": " ".join(parts)}
    if data.get("cut"):
        return look | {"style": "dashed", "color": "gray60", "fontcolor": "gray60"}
    best = data.get("best") or data.get("principal") or data.get("played")
    return look | ({"style": "bold", "penwidth": "2.5"} if best else {})


def _nodes_of_sets(graph: Graph) -> dict[tuple[str, str], list[Hashable]]:
    """The nodes of each information set, by player and name."""
    sets: dict[tuple[str, str], list[Hashable]] = {}
    for node, data in graph.nodes(data=True):
        named = data.get("information_set")
        if named is not None and not isinstance(named, dict):
            sets.setdefault((str(data.get("player")), str(named)), []).append(node)
    return sets


def attributes(look: dict[str, str]) -> str:
    """Graphical attributes as a list in DOT, `[key=value, …]`."""
    return f"[{', '.join(f'{name}={quote_dot(value)}' for name, value in look.items())}]"


def quote_dot(text: str) -> str:
    """The text in quotes, line by line, so that nothing in it can be read as DOT."""
    escaped = clean_lines(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'

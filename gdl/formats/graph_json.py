"""State graphs as networkx' node-link JSON: numbers stay exact, a fraction is the text "1/3".

The object has `directed`, `multigraph`, `graph` (attributes), `nodes` (each with its `id`) and `edges` (each with
`source`, `target` and, between the same nodes, `key`); networkx.node_link_graph reads it.
"""

from __future__ import annotations

import json
from typing import Any

from gdl.formats.attributes import plain
from gdl.states.graph_game import Graph


def write(graph: Graph) -> str:
    """The graph as JSON text, one node or edge a line."""
    nodes = [{"id": plain(node)} | _plain(data) for node, data in graph.nodes(data=True)]
    edges = [
        {"source": plain(source), "target": plain(target)} | ({} if key is None else {"key": plain(key)}) | _plain(data)
        for source, target, key, data in _edges(graph)
    ]
    head = f'{{"directed": {_line(graph.is_directed())}, "multigraph": {_line(graph.is_multigraph())}'
    parts = [f'{head}, "graph": {_line(_plain(graph.graph))}']
    parts += [f'"{name}": [\n{_lines(rows)}\n]' for name, rows in (("nodes", nodes), ("edges", edges))]
    return ",\n".join(parts) + "}\n"


def _edges(graph: Graph) -> Any:
    if graph.is_multigraph():
        return graph.edges(keys=True, data=True)
    return ((source, target, None, data) for source, target, data in graph.edges(data=True))


def _plain(data: dict[Any, Any]) -> dict[str, Any]:
    return {str(name): plain(value) for name, value in data.items()}


def _line(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def _lines(rows: list[dict[str, Any]]) -> str:
    return ",\n".join(map(_line, rows))

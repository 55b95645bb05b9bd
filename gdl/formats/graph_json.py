"""State graphs as networkx' node-link JSON: numbers stay exact, a fraction is the text "1/3".

The object has `directed`, `multigraph`, `graph` (attributes), `nodes` (each with its `id`) and `edges` (each with
`source`, `target` and, between the same nodes, `key`); networkx.node_link_graph reads it as well.
"""

from __future__ import annotations

import json
from typing import Any

from gdl.errors import GameError, Problem
from gdl.formats.attributes import plain, refuse_large, restore_attribute
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


def read(text: str) -> Graph:
    """The MultiDiGraph in the text; `links` is accepted as an older name for `edges`. Raises GameError if the text
    holds no graph."""
    import networkx  # type: ignore[import-untyped]

    refuse_large(text)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise GameError(Problem("this is not JSON", help="write one with `gdl graph FILE -o g.json`")) from None
    edges = data.get("edges", data.get("links")) if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list) or not isinstance(edges, list):
        raise _not_node_link("it has no list of nodes, or none of edges")
    if data.get("directed") is False:
        raise _not_node_link("its edges have no direction")
    graph = networkx.MultiDiGraph(**_restore_attributes(data.get("graph", {})))
    for node in data["nodes"]:
        graph.add_node(_name(node, "id"), **_restore_attributes(node, "id"))
    for edge in edges:
        source, target = _name(edge, "source"), _name(edge, "target")
        if source not in graph or target not in graph:
            raise _not_node_link(f"an edge joins {source!r} and {target!r}, which are not both nodes")
        key = _name(edge, "key") if "key" in edge else None
        graph.add_edge(source, target, key, **_restore_attributes(edge, "source", "target", "key"))
    return graph


def _name(record: Any, field: str) -> str | int:
    name = record.get(field) if isinstance(record, dict) else None
    if not isinstance(name, str | int):
        raise _not_node_link(f"a node or edge has no {field} that is a number or text")
    return name


def _restore_attributes(record: Any, *without: str) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise _not_node_link("attributes must be an object")
    return {name: restore_attribute(name, value) for name, value in record.items() if name not in without}


def _not_node_link(why: str) -> GameError:
    return GameError(Problem(f"this JSON is not a directed graph in node-link form: {why}"))

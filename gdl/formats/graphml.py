"""State graphs as GraphML, for Gephi, yEd and networkx: fractions and vectors are text, `1/3` and `(1, -1/2)`."""

from __future__ import annotations

import warnings
from typing import Any

from gdl.errors import GameError, Problem
from gdl.formats.attributes import as_text, clean_lines, refuse_large, restore_attribute
from gdl.states.graph_game import Graph


def write(graph: Graph) -> str:
    """The graph as GraphML text; names lose characters that XML does not know."""
    import networkx  # type: ignore[import-untyped]

    simple = networkx.MultiDiGraph(**_scalars(graph.graph))
    for node, data in graph.nodes(data=True):
        simple.add_node(_id(node), **_scalars(data))
    for number, (source, target, data) in enumerate(graph.edges(data=True)):  # each its own id, as Gephi wants it
        simple.add_edge(_id(source), _id(target), key=number, **_scalars(data))
    return "\n".join(networkx.generate_graphml(simple)) + "\n"


def _id(node: Any) -> str:
    return clean_lines(str(node))


def _scalars(data: dict[Any, Any]) -> dict[str, Any]:
    return {clean_lines(str(name)): as_text(name, value) for name, value in data.items()}


def read(text: str) -> Graph:
    """The MultiDiGraph in the text. Raises GameError if it holds none, or has a document type, since entities defined
    there can grow without bound."""
    import networkx

    refuse_large(text)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise GameError(Problem("a GraphML file with a document type is not read", help="remove its <!DOCTYPE …>"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts that only drawing programs need
            raw = networkx.parse_graphml(text, force_multigraph=True)
    except (networkx.NetworkXError, SyntaxError, ValueError, KeyError, IndexError, TypeError, AttributeError) as wrong:
        raise GameError(Problem(f"this is not GraphML: {wrong}")) from None
    if not raw.is_directed():
        raise GameError(Problem("this GraphML graph has no directed edges", help='write edgedefault="directed"'))
    defaults = {element: raw.graph.pop(f"{element}_default", {}) for element in ("node", "edge")}
    names = _names(raw)
    graph = networkx.MultiDiGraph(**_restore_attributes(raw.graph))
    for node, data in raw.nodes(data=True):
        graph.add_node(names[node], **_restore_attributes(defaults["node"] | data))
    for source, target, data in raw.edges(data=True):
        graph.add_edge(
            names[source], names[target], data.get("position"), **_restore_attributes(defaults["edge"] | data)
        )
    return graph


def _names(graph: Graph) -> dict[str, str | int]:
    """The names of the nodes in the file, made integers if all are numbers, as in the graphs of state_graph."""
    numbers = all(node.isdecimal() and str(int(node)) == node for node in graph)
    return {node: int(node) if numbers else node for node in graph}


def _restore_attributes(data: dict[str, Any]) -> dict[str, Any]:
    return {name: restore_attribute(name, value) for name, value in data.items()}

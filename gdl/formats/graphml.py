"""State graphs as GraphML, for Gephi, yEd and networkx: fractions and vectors are text, `1/3` and `(1, -1/2)`."""

from __future__ import annotations

from typing import Any

from gdl.formats.attributes import as_text, clean_lines
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

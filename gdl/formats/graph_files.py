"""Graphs of games in files, as `gdl graph` writes them: GraphML, and networkx' node-link JSON.

What a file holds is counted before anything is made of it, and a document type, by which XML grows without end, is
refused. Sources: U. Brandes and others, GraphML Progress Report, 2001; networkx.readwrite.json_graph.node_link.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from gdl import syntax
from gdl.errors import GameError, Problem, Source, Span, clean, limits
from gdl.graph import GraphGame
from gdl.model.games import OtherModel
from gdl.states.graph_game import Graph

GRAPH_FILE = "graph-file"  # the code of every mistake in such a file
EDGES = 1_500_000  # of a graph in a file, at most
_PARTS = {"node": limits.NODES, "edge": EDGES}
_TYPE = re.compile(r"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


class GraphFile(syntax.OtherLanguage):
    """A file that is a graph."""

    check = "gdl.formats.graph_files:check_graph"
    text: str


class GraphModel(OtherModel):
    """A game given as a graph: the text of its file."""

    playable = "gdl.playing.steppable_graph:playable_graph"
    language, ending = "nodes and edges", ".json"

    text: str


def description(text: str, name: str) -> syntax.Description:
    """The graph in a text, as the one section of a game."""
    span = Span(Source(name, text), 0, len(text))
    return syntax.Description(span, Path(name).stem or name, (GraphFile(span, text),))


def check_graph(name: str, file: GraphFile) -> tuple[GraphModel, tuple[Problem, ...]]:
    """The model of a graph in a file. Raises GameError with everything that is wrong in the part that play reaches."""
    try:
        graph = read_graph(file.text)
        graph.graph.setdefault("name", name)
        game = GraphGame(graph)
    except GameError as wrong:
        shown = clean(file.span.source.name)
        told = [replace(problem, message=f"{shown}: {problem.message}", code=GRAPH_FILE) for problem in wrong.problems]
        raise GameError(told) from None
    return GraphModel(game.name, game.players, file.text), ()


@lru_cache(1)
def read_graph(text: str) -> Graph:
    """The graph in a text, whose attributes are not looked at. Raises GameError where there is none."""
    return _read_graphml(text) if text.lstrip("\ufeff \t\r\n").startswith("<") else _read_node_link(text)


def _read_graphml(text: str) -> Graph:
    import networkx  # type: ignore[import-untyped]

    if _TYPE.search(text):
        _refuse("a document type, or entities of its own, have no place in GraphML", "take the line of <!DOCTYPE out")
    for part, most in _PARTS.items():
        _refuse_many(text.count(f"<{part}"), part, most)
    try:
        return networkx.parse_graphml(text, node_type=str, force_multigraph=True)
    except Exception as wrong:  # whatever the reader of networkx stumbles over
        told = f"this is no GraphML that networkx reads: {clean(str(wrong))[:200]}"
        _refuse(told, "write it by gdl graph -o g.graphml")


def _read_node_link(text: str) -> Graph:
    import networkx

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        _refuse(f"this is no JSON: {clean(str(wrong))}", "write it by gdl graph -o g.json")
    nodes, edges = data.get("nodes"), data.get("edges", data.get("links"))
    for part, rows in (("node", nodes), ("edge", edges)):
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            _refuse(f"the {part}s of a graph are a list of objects", "write them as networkx.node_link_data does")
        _refuse_many(len(rows), part, _PARTS[part])
    if not isinstance(data.get("graph", {}), Mapping):
        _refuse("the attributes of the graph are no object", 'write "graph": {"players": ["A", "B"]}')
    kind = networkx.MultiDiGraph if data.get("directed", True) else networkx.MultiGraph
    graph = kind(**{str(name): value for name, value in data.get("graph", {}).items()})
    for row in nodes:
        graph.add_node(_identity(row, "id", "node"), **_attributes(row, "id"))
    for row in edges:
        ends = [_identity(row, end, "edge") for end in ("source", "target")]
        lost = next((end for end in ends if end not in graph), None)
        if lost is not None:
            _refuse(f"an edge speaks of the node {clean(repr(lost))}, which is not among the nodes", "add it to them")
        graph.add_edge(*ends, **_attributes(row, "source", "target", "key"))
    return graph


def _identity(row: Mapping[str, Any], name: str, part: str) -> Hashable:
    """The node that a row names; a list stands for a tuple."""
    if not isinstance(row.get(name), str | int | float | list):
        _refuse(f"a row of a graph's {part}s has no '{name}'", f'write "{name}": and the name or number of a node')
    return _as_tuple(row[name])


def _as_tuple(value: Any) -> Hashable:
    if isinstance(value, list):
        return tuple(map(_as_tuple, value))
    if not isinstance(value, Hashable):
        _refuse("a node is named by an object", "name it by a text, a number or a list")
    return value


def _attributes(row: Mapping[str, Any], *without: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in without}


def _refuse_many(count: int, part: str, most: int) -> None:
    if count > most:
        _refuse(f"the graph has more than {most:,} {part}s", "make it in Python, and give it to gdl.solve")


def _refuse(message: str, help: str) -> NoReturn:
    raise GameError(Problem(message, help=help))

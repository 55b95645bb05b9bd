"""Graphs that are loaded: games as they stand, which also give environments of themselves."""

from __future__ import annotations

from gdl.formats import graph_json
from gdl.formats.graph_files import GraphModel, read_graph
from gdl.graph import GraphGame
from gdl.playing.steppable import Steppable


class SteppableGraph(Steppable, GraphGame):
    """A networkx graph as a game."""

    @property
    def model(self) -> GraphModel:
        """The graph as a file would hold it."""
        return GraphModel(self.name, self.players, graph_json.write(self.graph))


def playable_graph(model: GraphModel) -> SteppableGraph:
    """The game of a graph in a file."""
    graph = read_graph(model.text)
    graph.graph.setdefault("name", model.name)
    return SteppableGraph(graph)

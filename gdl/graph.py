"""State graphs for programs: a game as a networkx graph, such a graph as a game, and answers written onto it."""

from gdl.states.graph import GraphGame, annotate, state_graph

__all__ = ["GraphGame", "annotate", "state_graph"]

"""A networkx graph is stepped as any game is."""

import networkx

import gdl


def test_a_graph_is_stepped():
    graph = networkx.DiGraph(players=["MAX", "MIN"])
    graph.add_edge("start", "low", action="down")
    graph.add_edge("start", "high", action="up")
    graph.nodes["start"]["player"] = "MAX"
    graph.nodes["low"]["utilities"], graph.nodes["high"]["utilities"] = 3, 5
    for play in (gdl.load(graph).environment(), gdl.environment(graph)):
        play.step(play.numbers["up"])
        assert play.utilities == (5, -5)

"""A graph of networkx is a game wherever one is taken, in Python and from a file, and a hostile file is refused before
anything is made of it."""

import json
from fractions import Fraction

import networkx
import pytest
from click.testing import CliRunner

import gdl
from gdl.commands import cli
from gdl.errors import GameError, limits
from gdl.formats import graph_files, graph_json, graphml
from gdl.graph import state_graph
from gdl.render.draw import draw
from gdl.states.count import perft, states
from gdl.states.playouts import playouts

WRITERS = {"json": graph_json.write, "graphml": graphml.write}
GAMES = ["figure_5_2", "prisoners", "kuhn", "tic_tac_toe"]  # with hidden cards, chance, moves at once; not a tree


def graph_of(name):
    return state_graph(gdl.load(name))


def run(*words, given=None):
    return CliRunner().invoke(cli.commands, [*map(str, words)], input=given)


def simple(**attributes):
    """A graph by hand: MAX goes to 3 or to 5."""
    graph = networkx.DiGraph(**{"players": ["MAX", "MIN"], **attributes})
    graph.add_edge("start", "low", action="down")
    graph.add_edge("start", "high", action="up")
    graph.nodes["start"]["player"] = "MAX"
    graph.nodes["low"]["utilities"], graph.nodes["high"]["utilities"] = 3, 5
    return graph


@pytest.mark.thorough_of("tic_tac_toe")
@pytest.mark.parametrize("name", GAMES)
def test_a_graph_is_solved_as_its_game(name):
    game, graph = gdl.load(name), graph_of(name)
    assert gdl.solve(graph).value == gdl.solve(game, engine="interpreter").value
    assert gdl.solve(graph).best == gdl.solve(game).best


@pytest.mark.thorough_of("tic_tac_toe-json", "tic_tac_toe-graphml")
@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("name", GAMES)
def test_a_file_of_a_graph_is_a_game(name, form, tmp_path):
    file = tmp_path / f"game.{form}"
    file.write_text(WRITERS[form](graph_of(name)), encoding="utf-8")
    told, own = (json.loads(run("solve", subject, "--json", "--solver", "auto").stdout) for subject in (file, name))
    assert [told[key] for key in ("value", "exact")] == [own[key] for key in ("value", "exact")]
    assert gdl.load(file).players == gdl.load(name).players


def test_every_place_of_the_python_api_takes_a_graph():
    graph = simple()
    game = gdl.load(graph)
    assert game.players == ("MAX", "MIN")
    assert gdl.solve(graph, "alpha-beta").best == gdl.solvers.solve(graph, "minimax").best == ("up",)
    assert gdl.load(graph, after="up").node(gdl.load(graph, after="up").initial()).utilities == (5, -5)
    assert gdl.check_game(graph) == ()
    assert state_graph(graph).number_of_nodes() == states(graph).states == 3
    assert perft(graph, 1) == playouts(graph, 2, seed=1).playouts == 2
    assert "MAX" in str(draw(graph, kind="txt"))


def test_a_graph_has_no_settings():
    with pytest.raises(GameError, match="a graph has no settings, variants or positions"):
        gdl.solve(simple(), settings={"n": 1})


@pytest.mark.parametrize(
    "command", ["check", "solve", "show", "draw", "states", "explain", "playouts", "graph", "judge"]
)
def test_commands_take_a_graph(command, tmp_path):
    file = tmp_path / "g.json"
    file.write_text(graph_json.write(simple(name="Up or down")), encoding="utf-8")
    more = {"draw": ["--format", "txt"], "judge": ["--profile", "uniform"]}.get(command, [])
    done = run(command, file, *more)
    assert done.exit_code == 0, done.output
    assert run("show", file, "--source").output.startswith("{")


def test_a_graph_comes_by_the_standard_input_as_well():
    told = run("solve", "-", given=graphml.write(simple()))
    assert told.exit_code == 0 and "MAX wins 5 by playing up" in told.output


def test_numbers_stay_exact():
    graph = networkx.MultiDiGraph(players=["A"])
    graph.add_edge("roll", 1, probability=Fraction(1, 3))
    graph.add_edge("roll", 2, probability="2/3")
    graph.nodes[1]["utilities"], graph.nodes[2]["utilities"] = "1/7", Fraction(2, 7)
    for write in WRITERS.values():
        assert gdl.loads(write(graph)).game.name == "<text>"
        assert gdl.solve(gdl.loads(write(graph))).value == (Fraction(5, 21),)


def test_the_older_name_of_edges_is_read():
    told = graph_json.write(simple()).replace('"edges": [', '"links": [')
    assert gdl.solve(gdl.loads(told)).value == (5, -5)


def test_an_answer_is_no_graph(tmp_path):
    file = tmp_path / "answer.json"
    file.write_text(run("solve", "figure_5_2", "--json", "--trace").stdout, encoding="utf-8")
    done = run("solve", file)
    assert done.exit_code == 3 and "no section" in done.output


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><graphml><graph id="&b;"/></graphml>'
)
HOSTILE = {
    "entities": (LAUGHS, "a document type, or entities of its own"),
    "no XML": ("<graphml><graph", "this is no GraphML that networkx reads"),
    "no graph": ("<graphml></graphml>", "this is no GraphML that networkx reads"),
    "a type that GraphML has not": (
        graphml.write(simple()).replace('attr.type="string"', 'attr.type="code"'), "this is no GraphML that networkx reads",
    ),
    "a number that is none": (
        graphml.write(simple()).replace('attr.type="string"', 'attr.type="int"'), "this is no GraphML that networkx reads",
    ),
    "undirected": (graph_json.write(simple().to_undirected()), "an undirected graph is no game"),
    "deep": ('{"nodes": [' + "[" * 100_000 + '], "edges": []}', "this is no JSON"),
    "cut off": ('{"nodes": [{"id": 1}], "edges": [', "this is no JSON"),
    "long number": ('{"nodes": [{"id": %s}], "edges": []}' % ("9" * 5000), "this is no JSON"),
    "numbers for nodes": ('{"nodes": [1, 2], "edges": []}', "the nodes of a graph are a list of objects"),
    "no names": ('{"nodes": [{"player": "A"}], "edges": []}', "a row of a graph's nodes has no 'id'"),
    "an object for a name": ('{"nodes": [{"id": [{}]}], "edges": []}', "a node is named by an object"),
    "an end that is no node": ('{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]}', "speaks of the node 2"),
    "attributes": ('{"graph": [], "nodes": [{"id": 1}], "edges": []}', "the attributes of the graph are no object"),
    "infinity": (
        '{"graph": {"players": ["A"]}, "nodes": [{"id": 1, "utilities": [Infinity]}], "edges": []}', "node 1",
    ),
    "no players": ('{"nodes": [{"id": 1, "utilities": [1]}], "edges": []}', "the graph names no players"),
    "nothing": ('{"nodes": [], "edges": []}', "the graph names no players"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_graph_is_refused(text, message):
    with pytest.raises(GameError) as raised:
        gdl.loads(text, "mine.json")
    assert message in str(raised.value) and "mine.json: " in str(raised.value)


@pytest.mark.parametrize("form", WRITERS)
def test_a_graph_of_too_many_nodes_is_refused_before_it_is_made(form, monkeypatch):
    monkeypatch.setitem(graph_files._PARTS, "node", 2)
    text = WRITERS[form](simple())
    text = text.replace("</graphml>", "")  # of this no graph could be made
    with pytest.raises(GameError, match="the graph has more than 2 nodes"):
        gdl.loads(text)


def test_a_file_larger_than_a_tree_may_be_is_refused():
    with pytest.raises(GameError, match=f"larger than {limits.EXPLICIT:,} bytes"):
        gdl.decoded(b'{"nodes": [' + b" " * limits.EXPLICIT, "mine.json")

"""Files written and read: graphs as JSON, GraphML and DOT, answers as JSON."""

import json
import random
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal

import networkx
import pytest
from graph_games import COIN, RESTLESS, Priced, assert_same_play, bounded
from handmade import Circle, Goofspiel, Kuhn, TicTacToe, figure_5_2, matrix, prisoners, tree
from random_graphs import random_tree

from gdl.errors import DamagedData, GameError
from gdl.formats import answer, attributes, dot, graph_json, graphml, schema
from gdl.formats.answer_kinds import AnswerPart, Count
from gdl.game import Traits, Unknown
from gdl.graph import GraphGame, annotate, state_graph
from gdl.numbers import read_number, read_utility, read_vector, to_json, to_text, vector_text
from gdl.solution import Condition, Interval, Solution
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import minimax

UNKNOWN = tree("MAX", "MIN", name="unknown", root=("MAX", {"a": 1, "b": [Unknown("x"), Unknown("x", negative=True)]}))
GAMES = [
    figure_5_2(),
    COIN,
    UNKNOWN,
    prisoners(),
    Kuhn(),
    Goofspiel(3),
    Circle(4),
    TicTacToe(),
    *(random_tree(seed) for seed in range(10)),
]
NAMES = [game.name for game in GAMES]
READABLE = {"json": graph_json, "graphml": graphml}


@pytest.mark.parametrize("number", [0, -7, Fraction(1, 18), Fraction(-5, 3), 10**40, Fraction(1, 3**60)])
def test_exact_numbers_survive_json_and_text(number):
    assert read_number(json.loads(json.dumps(to_json(number)))) == number
    assert read_number(to_text(number)) == number
    assert type(read_number(to_text(number))) is type(number)


def test_forms_of_numbers():
    assert (to_json(Fraction(4, 2)), to_json(Fraction(-1, 18)), to_json(0.5)) == (2, "-1/18", 0.5)
    assert (read_number("0.1"), read_number(0.1), read_number("-2/4")) == (
        Fraction(1, 10),
        Fraction(1, 10),
        Fraction(-1, 2),
    )
    assert (read_utility("?x"), read_utility("-?x")) == (Unknown("x"), Unknown("x", negative=True))
    assert vector_text((1, Fraction(-1, 2), Unknown("x"))) == "(1, -1/2, ?x)"
    assert read_vector("(1, -1/2)") == (1, Fraction(-1, 2))
    assert read_vector("(?v, ?v, ?v)") == tuple(Unknown("v", player=seat) for seat in range(3))


@pytest.mark.parametrize("form", READABLE.values(), ids=READABLE)
def test_bounds_of_utilities_survive(form):
    graph = state_graph(bounded())
    read = form.read(form.write(graph))
    assert read.graph["bounds"] == graph.graph["bounds"]
    assert [GraphGame(read).promises.bounds(node) for node in graph] == [
        GraphGame(graph).promises.bounds(node) for node in graph
    ]


@pytest.mark.parametrize("form", READABLE.values(), ids=READABLE)
def test_what_quiet_play_keeps_survives(form):
    graph = state_graph(RESTLESS)
    assert dict(form.read(form.write(graph)).nodes(data="quiet")) == dict(graph.nodes(data="quiet"))


@pytest.mark.parametrize("form", READABLE.values(), ids=READABLE)
def test_what_endless_play_is_worth_survives(form):
    assert GraphGame(form.read(form.write(state_graph(Priced())))).promises.forever == Priced.promises.forever


@pytest.mark.parametrize("text", ["", "one", "1/0", "1e5", "1e999999999", "0x10", "1_000", "٣", "9" * 5000, True, None])
def test_what_is_no_number(text):
    with pytest.raises(ValueError):
        read_number(text)


@pytest.mark.parametrize("format", READABLE.values(), ids=READABLE.keys())
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.slow if g.name == "tic-tac-toe" else (), id=g.name) for g in GAMES]
)
def test_a_graph_written_and_read_is_the_same_graph_and_plays_as_the_game(game, format):
    graph = state_graph(game)
    read = format.read(format.write(graph))
    assert networkx.utils.graphs_equal(graph, read)
    assert (list(read), read.graph) == (list(graph), graph.graph)
    assert_same_play(game, GraphGame(read))


@pytest.mark.parametrize("format", READABLE.values(), ids=READABLE.keys())
def test_an_annotated_graph_keeps_its_annotations(format):
    game = figure_5_2()
    for solution in (minimax(game, values=True), alpha_beta(game)):
        graph = annotate(state_graph(game), solution)
        assert networkx.utils.graphs_equal(graph, format.read(format.write(graph)))


@pytest.mark.parametrize("format", READABLE.values(), ids=READABLE.keys())
def test_a_graph_by_hand_survives(format):
    graph = networkx.DiGraph([("top", "left"), ("top", "right")], players=["A", "B"])
    graph.nodes["top"].update(player="A", note={"seen": [1, None]}, colour="red")
    graph.nodes["left"].update(utilities={"B": Fraction(1, 3), "A": 2})
    graph.nodes["right"].update(utilities="1/2")
    assert_same_play(GraphGame(graph), GraphGame(format.read(format.write(graph))))


def test_networkx_itself_reads_what_is_written():
    graph = state_graph(Kuhn())
    data = json.loads(graph_json.write(graph))
    theirs = networkx.node_link_graph({**data, "links": data["edges"]}, **_link_keyword())
    assert list(theirs) == list(graph) and theirs.number_of_edges() == graph.number_of_edges()
    assert GraphGame(theirs).traits == Kuhn().traits
    theirs = networkx.parse_graphml(graphml.write(graph), node_type=int, force_multigraph=True)
    assert GraphGame(theirs).traits == Kuhn().traits


def _link_keyword():
    """networkx 3.4 renamed the argument that names the list of edges."""
    import inspect

    return {"edges": "edges"} if "edges" in inspect.signature(networkx.node_link_graph).parameters else {}


def test_numbers_in_files_are_exact():
    text = graph_json.write(state_graph(COIN))
    assert '"probability": "3/4"' in text and '"utilities": ["1/3", "-1/3"]' in text
    assert ">3/4</data>" in graphml.write(state_graph(COIN)) and ">(1/3, -1/3)</data>" in graphml.write(
        state_graph(COIN)
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is not JSON"),
        ("{", "this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
        ("[]", "not a directed graph in node-link form: it has no list of nodes"),
        ('{"nodes": 3, "edges": []}', "it has no list of nodes"),
        ('{"nodes": []}', "it has no list of nodes, or none of edges"),
        ('{"directed": false, "nodes": [], "edges": []}', "its edges have no direction"),
        ('{"nodes": [3], "edges": []}', "a node or edge has no id that is a number or text"),
        ('{"nodes": [{"id": [1]}], "edges": []}', "has no id that is a number or text"),
        ('{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]}', "an edge joins 1 and 2, which are not both"),
        (
            '{"nodes": [{"id": 1, "utilities": ["x"]}], "edges": []}',
            "the attribute 'utilities' of the graph: 'x' is not",
        ),
        ('{"nodes": [{"id": 1, "window": [1]}], "edges": []}', "a window has two ends"),
    ],
)
def test_damaged_json_is_refused(text, message):
    with pytest.raises(GameError) as fault:
        graph_json.read(text)
    assert message in str(fault.value)


BOMB = """<?xml version="1.0"?>
<!DOCTYPE bomb [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed"><node id="&b;"/></graph></graphml>
"""
HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "a GraphML file with a document type is not read"),
        ("", "this is not GraphML"),
        ("<graphml", "this is not GraphML"),
        ("<html></html>", "this is not GraphML"),
        (f"{HEAD}<graph edgedefault='undirected'><node id='a'/></graph></graphml>", "has no directed edges"),
        (
            f"{HEAD}<graph edgedefault='directed'><node id='a'><data key='d'>1</data></node></graph></graphml>",
            "not GraphML",
        ),
    ],
)
def test_damaged_or_dangerous_graphml_is_refused(text, message):
    with pytest.raises(GameError) as fault:
        graphml.read(text)
    assert message in str(fault.value)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("format", READABLE.values(), ids=READABLE.keys())
def test_a_file_changed_anywhere_is_read_or_refused_and_nothing_else(format):
    chooser = random.Random(7)
    whole = format.write(state_graph(Goofspiel(2)))
    refused = 0
    for _ in range(600):
        start = chooser.randrange(len(whole))
        end = start + chooser.randrange(1, 12)
        put = chooser.choice(["", '"', "0", "-", "{", "[]", "null", "true", "Infinity", "1e999", "&#0;", "<a/>"])
        try:
            GraphGame(format.read(whole[:start] + put + whole[end:]))
        except GameError:
            refused += 1
    assert 100 < refused < 600


@pytest.mark.parametrize("format", READABLE.values(), ids=READABLE.keys())
def test_a_file_too_large_is_not_parsed(format, monkeypatch):
    text = format.write(state_graph(figure_5_2()))
    monkeypatch.setattr(attributes, "LARGEST", len(text) - 1)
    with pytest.raises(GameError, match="characters long"):
        format.read(text)


def test_defaults_of_a_graphml_file_count():
    text = f"""{HEAD}
        <key id="u" for="node" attr.name="utilities" attr.type="string"><default>(1, -1)</default></key>
        <key id="p" for="node" attr.name="player" attr.type="string"/>
        <key id="g" for="graph" attr.name="players" attr.type="string"/>
        <graph edgedefault="directed"><data key="g">A, B</data>
        <node id="top"><data key="p">B</data></node><node id="end"/><edge source="top" target="end"/>
        </graph></graphml>"""
    game = GraphGame(graphml.read(text))
    assert game.players == ("A", "B")
    assert game.node("end").utilities == (1, -1)


EVIL = 'x"]; evil [label="\\" -> y\x1b[2J\u202e\n</data>&amp;'


@pytest.mark.parametrize("format", READABLE.values(), ids=READABLE.keys())
def test_names_cannot_break_out_of_a_file(format):
    game = tree(EVIL, "B", name=EVIL, root=(EVIL, {EVIL: 1, "fine": 0}, {"label": EVIL}))
    read = GraphGame(format.read(format.write(state_graph(game))))
    assert read.node(read.initial()).actions[1] == "fine"
    assert len(read.players) == 2 and len(read.graph) == 3


STRING = r'"(?:[^"\\]|\\.)*"'
LINE = re.compile(
    rf"digraph {STRING} \{{|  node \[fontname=Helvetica\];|\}}|"
    rf"  n\d+(?: -> n\d+)? \[(?:\w+={STRING})(?:, \w+={STRING})*\];"
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_every_line_of_dot_is_well_formed(game):
    graph = state_graph(game)
    lines = dot.write(graph).splitlines()
    assert all(LINE.fullmatch(line) for line in lines)
    assert sum(" -> " in line for line in lines) >= graph.number_of_edges()


def test_names_cannot_break_out_of_dot():
    game = tree(EVIL, "B", name=EVIL, root=(EVIL, {EVIL: 1, "fine": 0}, {"label": EVIL}))
    text = dot.write(state_graph(game))
    assert all(LINE.fullmatch(line) for line in text.splitlines())
    assert not any(character in text for character in "\x1b\u202e")


def test_dot_of_a_solved_tree():
    game = figure_5_2()
    text = dot.write(annotate(state_graph(game), alpha_beta(game)))
    assert '  n2 [label="C MIN\\n<= 2\\n(3, inf)", shape="ellipse", tooltip="cut: c1: 2 <= alpha 3"];' in text
    assert '  n2 -> n8 [label="c2", style="dashed", color="gray60", fontcolor="gray60"];' in text
    assert '  n0 -> n1 [label="a1", style="bold", penwidth="2.5"];' in text
    assert '  n4 [label="3", shape="plaintext", penwidth="2"];' in text


def test_dot_shows_chance_and_what_is_hidden():
    text = dot.write(state_graph(COIN))
    assert '  n0 [label="weather", shape="diamond"];' in text
    assert '  n0 -> n1 [label="sunny 3/4"];' in text
    assert '  n1 -> n2 [dir="none", style="dotted", constraint="false", label="MAX: forecast"];' in text


def test_answer_of_alpha_beta_in_full():
    plain = tree(
        "MAX",
        "MIN",
        name="plain",
        root=(
            "MAX",
            {
                "1": ("MIN", {"1": 3, "2": 12, "3": 8}),
                "2": ("MIN", {"1": 2, "2": 4, "3": 6}),
                "3": ("MIN", {"1": 14, "2": 5, "3": 2}),
            },
        ),
    )
    text = answer.write(alpha_beta(plain))
    assert text.startswith(
        '{"schema": 1, "game": "plain", "solver": "alpha-beta", "exact": true, "traits": {"players": 2, "zero_sum": true, '
        '"chance": false, "simultaneous": false, "perfect_information": true, "perfect_recall": true, '
        '"cyclic": false}, "value": {"MAX": 3, "MIN": -3}, "best": ["1"], "line": ["1", "1"], "nodes": 11, '
        '"leaves": 7, "pruned": [{"path": [1, 1]}, {"path": [1, 2]}]'
    )


def test_pruned_subtrees_are_called_by_action_else_by_name():
    assert [entry["label"] for entry in answer.to_object(alpha_beta(figure_5_2()))["pruned"]] == ["c2", "c3"]
    named = ("MIN", {"1": 0, "2": ("MAX", {"1": 1}, {"label": "F"}), "3": 0})
    game = tree("MAX", "MIN", root=("MAX", {"1": ("MIN", {"1": 3}), "2": named}))
    assert answer.to_object(alpha_beta(game))["pruned"] == [{"path": [1, 1], "label": "F"}, {"path": [1, 2]}]


def test_a_search_that_skipped_nothing_says_so():
    data = answer.to_object(alpha_beta(tree("MAX", "MIN", root=("MAX", {"1": 1, "2": 2}))))
    assert data["pruned"] == []


def test_long_lists_are_given_on_request():
    data = answer.to_object(alpha_beta(figure_5_2()), trace=True)
    at_c, at_d = data["cuts"]
    assert at_c == {
        "path": [1],
        "alpha": 3,
        "beta": None,
        "value": 2,
        "child": "c1",
        "reason": "2 <= alpha 3",
        "skipped": [{"path": [1, 1], "label": "c2"}, {"path": [1, 2], "label": "c3"}],
    }
    assert (at_d["path"], at_d["skipped"]) == ([2], [])  # the last child crossed the window: nothing was left to skip
    assert data["visits"][0]["window"] == [None, None] and data["visits"][0]["window_after"] == [3, None]
    values = answer.to_object(minimax(figure_5_2(), values=True), values=True)["values"]
    assert values[0] == {"path": [], "value": {"MAX": 3, "MIN": -3}}
    assert not {"values", "cuts", "visits"} & set(answer.to_object(alpha_beta(figure_5_2())))


SIMULTANEOUS = Traits(2, True, 0, False, True, False, True, False)
HALF = {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}


def pennies(name: str) -> Solution:
    return Solution(
        game="pennies",
        solver="nash",
        players=("B", "A"),
        traits=SIMULTANEOUS,
        value=(Fraction(-1, 18), 0.25),
        equilibria=({"A": {name: HALF}, "B": {name: {"heads": 1, "tails": 0}}},),
        complete=False,
        regret=(0, 0),
        reason="it is a matrix",
        notes=("A note.",),
    )


def test_in_a_matrix_the_level_of_information_sets_is_left_out():
    data = answer.to_object(pennies("start"))
    assert data["equilibria"] == [{"B": {"heads": 1, "tails": 0}, "A": {"heads": "1/2", "tails": "1/2"}}]
    assert data["value"] == {"B": "-1/18", "A": 0.25}
    assert list(data["value"]) == list(data["equilibria"][0]) == list(data["regret"]) == ["B", "A"]
    assert list(data)[-4:] == ["regret", "reason", "notes", "complete"]
    assert answer.to_object(pennies("round 1"))["equilibria"][0]["B"] == {"round 1": {"heads": 1, "tails": 0}}


@pytest.mark.parametrize("name", ["start", "round 1"])
def test_an_equilibrium_that_was_written_is_read_as_a_profile(name):
    solution = pennies(name)
    written = json.loads(answer.write(solution))["equilibria"][0]
    assert answer.read_profile(written, solution.players) == solution.equilibria[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3", "a profile must map each player"),
        ('{"A": 3}', "a profile must map each player"),
        ('{"C": {"x": 1}}', "the profile is for 'C', who does not play this game"),
        ('{"A": {"h": {"x": "?"}}}', "A at h: '?' is not a number"),
        ('{"A": {"h": {"x": 1}, "k": 1}}', "A at k: a mixture must map actions to probabilities"),
    ],
)
def test_a_damaged_profile_is_refused(text, message):
    with pytest.raises(DamagedData) as fault:
        answer.read_profile(json.loads(text), ("A", "B"))
    assert message in str(fault.value)


def test_a_profile_is_read_with_and_without_information_sets():
    nested = {"A": {"start": {"x": "1/3", "y": "2/3"}}, "B": {"start": {"l": 1}}}
    flat = {player: sets["start"] for player, sets in nested.items()}
    third = Fraction(1, 3)
    expected = {"A": {"start": {"x": third, "y": 2 * third}}, "B": {"start": {"l": 1}}}
    assert answer.read_profile(nested, ("A", "B")) == answer.read_profile(flat, ("A", "B")) == expected
    assert answer.read_profile({"B": {"l": 0.1}}, ("A", "B")) == {"A": {}, "B": {"start": {"l": Fraction(1, 10)}}}


def test_rounded_probabilities_of_a_profile_sum_to_one():
    thirds = {"l": 1 / 3, "r": 2 / 3}
    assert sum(map(Fraction, thirds.values())) != 1
    mixture = answer.read_profile({"A": thirds}, ["A"])["A"][answer.START]
    assert sum(mixture.values()) == 1 and mixture != thirds
    assert answer.read_profile({"A": {"l": 0.5, "r": 1.0}}, ["A"])["A"][answer.START] == {"l": 0.5, "r": 1}


def test_a_matrix_solved_on_its_graph_keeps_the_names_of_its_information_sets():
    sides = ("heads", "tails")
    game = matrix("pennies", sides, sides, (1, -1), (-1, 1), (-1, 1), (1, -1))
    read = GraphGame(graph_json.read(graph_json.write(state_graph(game))))
    assert (read.describe(0, 0), read.describe(0, 1)) == ("start", "start")


def test_of_an_inexact_answer_the_middle_of_its_bounds_is_the_value():
    solution = Solution("g", "s", ("A", "B"), exact=False, interval=((0, 1), (-1, 0)))
    assert answer.to_object(solution)["value"] == {"A": 0.5, "B": -0.5}


def test_ends_of_an_unknown_and_conditions():
    line = (Interval(0, 1, (True, False), best=("a",)), Interval(1, None, (False, True)))
    conditions = (Condition("best", ("a",), (("x < 1",),)), Condition("pruned", (1, 0), ()))
    solution = Solution("g", "s", ("A",), exact=True, unknowns={"x": line}, conditions=conditions)
    found = answer.to_object(solution)
    assert [one["ends"] for one in found["unknowns"]["x"]] == [["closed", "open"], ["open", "closed"]]
    assert [one["of"] for one in found["conditions"]] == ["a", [1, 0]]


def test_information_sets_that_are_listed_are_numbered_from_1():
    listed = answer.read_profile({"A": [{"l": 1}, {"r": 1}]}, ["A"])["A"]
    assert listed == {f"{answer.NUMBER}1": {"l": 1}, f"{answer.NUMBER}2": {"r": 1}}


class Row(AnswerPart):
    """A row of
    a table."""

    pair: tuple[int, int]
    names: Annotated[Mapping[str, Count], "how often"]
    items: Sequence[str]
    either: int | None
    from_: Literal["a", "b"] = "a"
    maybe: Annotated[float | None, "left out where it is None"] = None


def test_the_schema_of_a_record():
    definitions: dict[str, object] = {}
    assert schema._schema(Row, definitions) == {"$ref": "#/$defs/Row"}
    assert definitions == {
        "Row": {
            "description": "A row of a table.", "type": "object", "required": ["pair", "names", "items", "either"],
            "additionalProperties": False,
            "properties": {
                "pair": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
                "names": {"type": "object", "additionalProperties": {"$ref": "#/$defs/count"}, "description": "how often"},
                "items": {"type": "array", "items": {"type": "string"}},
                "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "from": {"enum": ["a", "b"]},
                "maybe": {"type": "number", "description": "left out where it is None"},
            },
        }
    }  # fmt: skip
    whole = schema.document()["$defs"]
    assert "anyOf" in whole["solve"] and whole["perft"] == {"$ref": "#/$defs/PerftAnswer"}
    assert whole["PerftAnswer"]["required"][0] == "schema"

"""Files written: graphs as JSON, GraphML and DOT, as other programs read them; answers as JSON, written and read."""

import inspect
import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal

import networkx
import pytest
from graph_games import COIN, RESTLESS, Priced, assert_same_play, bounded
from handmade import Circle, Goofspiel, Kuhn, TicTacToe, figure_5_2, matrix, prisoners, tree
from random_graphs import random_tree

from gdl.errors import DamagedData, LimitReached
from gdl.formats import answer, dot, graph_json, graphml, schema
from gdl.formats.answer_kinds import AnswerPart, Count
from gdl.game import Traits, Unknown
from gdl.graph import GraphGame, annotate, state_graph
from gdl.numbers import read_number, read_utility, read_vector, to_json, to_text, vector_text
from gdl.solution import Condition, Interval, OpenNumbers, Solution
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


def _through_json(graph):
    """The graph that networkx reads in the JSON written of a graph."""
    data = json.loads(graph_json.write(graph))
    newer = "edges" in inspect.signature(networkx.node_link_graph).parameters  # the name of the argument since 3.4
    return networkx.node_link_graph({**data, "links": data["edges"]}, **({"edges": "edges"} if newer else {}))


def _through_graphml(graph):
    """The graph that networkx reads in the GraphML written of a graph."""
    whole = all(isinstance(node, int) for node in graph)
    text = graphml.write(graph)
    return networkx.parse_graphml(text, node_type=int if whole else str, force_multigraph=True)


THROUGH = pytest.mark.parametrize("through", [_through_json, _through_graphml], ids=["json", "graphml"])


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


@THROUGH
def test_bounds_of_utilities_survive(through):
    graph = state_graph(bounded())
    read = through(graph)
    assert [GraphGame(read).promises.bounds(node) for node in graph] == [
        GraphGame(graph).promises.bounds(node) for node in graph
    ]


@THROUGH
def test_what_quiet_play_keeps_survives(through):
    graph = state_graph(RESTLESS)
    read, written = GraphGame(through(graph)).promises.quiet, GraphGame(graph).promises.quiet
    assert [read(node) for node in graph] == [written(node) for node in graph]


@THROUGH
def test_what_endless_play_is_worth_survives(through):
    assert GraphGame(through(state_graph(Priced()))).promises.forever == Priced.promises.forever


@pytest.mark.parametrize("text", ["", "one", "1/0", "1e5", "1e999999999", "0x10", "1_000", "٣", "9" * 5000, True, None])
def test_what_is_no_number(text):
    with pytest.raises(ValueError):
        read_number(text)


@THROUGH
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.slow if g.name == "tic-tac-toe" else (), id=g.name) for g in GAMES]
)
def test_a_graph_written_and_read_plays_as_the_game(game, through):
    graph = state_graph(game)
    read = through(graph)
    assert list(read) == list(graph) and read.number_of_edges() == graph.number_of_edges()
    assert GraphGame(read).traits == GraphGame(graph).traits
    assert_same_play(game, GraphGame(read))


@THROUGH
def test_an_annotated_graph_plays_as_before(through):
    game = figure_5_2()
    for solution, value in ((minimax(game, values=True), "3, -3"), (alpha_beta(game), "3, -3")):
        read = through(annotate(state_graph(game), solution))
        assert_same_play(game, GraphGame(read))
        assert str(read.nodes[0]["value"]).strip("()[]") == value


def test_a_graph_by_hand_survives():
    graph = networkx.DiGraph([("top", "left"), ("top", "right")], players=["A", "B"])
    graph.nodes["top"].update(player="A", note={"seen": [1, None]}, colour="red")
    graph.nodes["left"].update(utilities={"B": Fraction(1, 3), "A": 2})
    graph.nodes["right"].update(utilities="1/2")
    assert_same_play(GraphGame(graph), GraphGame(_through_json(graph)))


def test_numbers_in_files_are_exact():
    text = graph_json.write(state_graph(COIN))
    assert '"probability": "3/4"' in text and '"utilities": ["1/3", "-1/3"]' in text
    assert ">3/4</data>" in graphml.write(state_graph(COIN)) and ">(1/3, -1/3)</data>" in graphml.write(
        state_graph(COIN)
    )


EVIL = 'x"]; evil [label="\\" -> y\x1b[2J\u202e\n</data>&amp;'


@THROUGH
def test_names_cannot_break_out_of_a_file(through):
    game = tree(EVIL, "B", name=EVIL, root=(EVIL, {EVIL: 1, "fine": 0}, {"label": EVIL}))
    read = GraphGame(through(state_graph(game)))
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
    read = GraphGame(_through_json(state_graph(game)))
    assert (read.describe(0, 0), read.describe(0, 1)) == ("start", "start")


def test_of_an_inexact_answer_the_middle_of_its_bounds_is_the_value():
    solution = Solution("g", "s", ("A", "B"), exact=False, interval=((0, 1), (-1, 0)))
    assert answer.to_object(solution)["value"] == {"A": 0.5, "B": -0.5}


def test_ends_of_an_unknown_and_conditions():
    line = (Interval(0, 1, (True, False), best=("a",)), Interval(1, None, (False, True)))
    conditions = (Condition("best", ("a",), (("x < 1",),)), Condition("pruned", (1, 0), ()))
    solution = Solution("g", "s", ("A",), exact=True, part=OpenNumbers(unknowns={"x": line}, conditions=conditions))
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
    assert schema.schema_of(Row, definitions) == {"$ref": "#/$defs/Row"}
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


def test_dot_marks_what_was_not_followed():
    """A part of a graph looked like the whole of it."""
    with pytest.raises(LimitReached) as stop:
        state_graph(COIN, limit=2)
    assert "…" in dot.write(stop.value.partial) and "…" not in dot.write(state_graph(COIN))

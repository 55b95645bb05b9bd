"""Games as networkx graphs, networkx graphs as games, and answers written onto graphs."""

import ast
import copy
import importlib
import json
import pickle
import pkgutil
from fractions import Fraction
from itertools import count
from time import monotonic

import networkx
import pytest
from graph_games import COIN, RESTLESS, Priced, assert_same_play, bounded
from handmade import Circle, Goofspiel, Kuhn, TicTacToe, figure_5_2, matrix, prisoners, tree
from late_clock import all_clocks_replaced
from random_graphs import random_tree

import gdl
import gdl.solvers
from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import Chance, Decision, Simultaneous, Terminal, Unknown
from gdl.graph import GraphGame, annotate, state_graph
from gdl.solution import Cut, RecordedSearch, Skipped, Solution, Visit
from gdl.solvers.cyclic.cyclic import retrograde
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import minimax
from gdl.solvers.minimax.cut_off import depth_limited
from gdl.solvers.minimax.star import star1
from gdl.solvers.solver import Solver
from gdl.states.count import histories, perft, states
from gdl.states.explore import explore
from gdl.states.game_wrapper import GameWrapper

WRITTEN = [
    figure_5_2(),
    COIN,
    prisoners(),
    Kuhn(),
    Goofspiel(3),
    Circle(4),
    TicTacToe(),
    tree(
        "MAX",
        "MIN",
        root=("MAX", {"1": ("MIN", {"1": 3, "2": [Unknown("x"), Unknown("x", True)]}), "2": 2}),
        name="open",
    ),
]
RANDOM = [random_tree(seed) for seed in range(20)]
GAMES = [*WRITTEN, *RANDOM]
NAMES = [game.name for game in GAMES]


@pytest.mark.thorough_of("tic-tac-toe")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_a_state_graph_plays_as_its_game(game):
    assert_same_play(game, GraphGame(state_graph(game)))


@pytest.mark.thorough_of("tic-tac-toe")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_a_state_graph_counts_as_its_game(game):
    graph = state_graph(game)
    played = GraphGame(graph)
    assert states(played) == states(game)
    assert graph.number_of_edges() == states(game).edges
    assert [perft(played, depth) for depth in range(5)] == [perft(game, depth) for depth in range(5)]
    if not game.traits.cyclic:
        assert histories(played) == histories(game)


def test_attributes_of_a_decision_a_chance_node_and_an_end():
    graph = state_graph(COIN)
    assert graph.graph == {"name": "coin", "players": ["MAX", "MIN"], "root": 0, "complete": True}
    assert graph.nodes[0] == {
        "kind": "chance",
        "state": "chance at weather",
        "label": "weather",
        "evaluation": (4, -4),
        "depth": 0,
    }
    assert graph.nodes[1] == {
        "kind": "decision",
        "state": "MAX at sunny",
        "player": "MAX",
        "information_set": "forecast",
        "depth": 1,
    }
    assert graph.nodes[4] == {
        "kind": "terminal",
        "state": "sunny > stay",
        "utilities": (Fraction(1, 3), Fraction(-1, 3)),
        "depth": 2,
    }
    assert graph.edges[0, 1, 0] == {"action": "sunny", "position": 0, "probability": Fraction(3, 4)}
    assert graph.edges[1, 4, 1] == {"action": "stay", "position": 1}


def test_attributes_of_a_simultaneous_node():
    graph = state_graph(prisoners())
    assert graph.nodes[0]["information_set"] == {"A": "start", "B": "start"}
    assert graph.edges[0, 2, 1] == {"action": "silent, betray", "position": 1, "joint": ("silent", "betray")}


def test_what_endless_play_is_worth_is_on_the_graph():
    graph = state_graph(Priced())
    assert graph.graph["forever"] == Priced.promises.forever
    assert retrograde(GraphGame(graph)).value == retrograde(Priced()).value == Priced.promises.forever
    assert "forever" not in state_graph(Circle()).graph and GraphGame(state_graph(Circle())).promises.forever is None
    graph.graph["forever"] = "4/3"
    assert GraphGame(graph).promises.forever == Priced.promises.forever


def test_bounds_of_utilities_are_on_the_graph_once_and_where_they_differ():
    game = bounded()
    graph = state_graph(game)
    narrow = game.promises.bounds(4)
    assert graph.graph["bounds"] == game.promises.bounds(0)
    assert {n: data["bounds"] for n, data in graph.nodes(data=True) if "bounds" in data} == dict.fromkeys(
        (2, 5, 6), narrow
    )
    assert [GraphGame(graph).promises.bounds(node) for node in (0, 1, 2)] == [
        game.promises.bounds(0),
        game.promises.bounds(0),
        narrow,
    ]
    assert star1(GraphGame(graph)) == star1(game)
    assert "bounds" not in state_graph(COIN).graph and GraphGame(state_graph(COIN)).promises.bounds(0) is None


def test_what_quiet_play_keeps_is_on_the_graph():
    twin = GraphGame(state_graph(RESTLESS))
    assert list(dict(twin.graph.nodes(data="quiet")).values())[:5] == ["none", Fraction(1, 2), 1, 1, "none"]
    assert [twin.promises.quiet(node) for node in range(5)] == [None, Fraction(1, 2), 1, 1, None]
    found, wanted = depth_limited(twin, depth=1), depth_limited(RESTLESS, depth=1)
    assert (found.value, found.nodes, found.limit) == (wanted.value, wanted.nodes, wanted.limit)
    assert GraphGame(state_graph(COIN)).promises.quiet is None


def test_two_actions_to_the_same_state_stay_two_edges_and_cycles_stay():
    graph = state_graph(Circle(1))
    assert set(graph.edges) == {(0, 1, 0), (0, 2, 1), (1, 0, 0), (1, 3, 1)}
    assert not networkx.is_directed_acyclic_graph(graph)
    merged = state_graph(TicTacToe())
    assert max(degree for _, degree in merged.in_degree()) == 5  # five crosses, any of them drawn last


def test_over_the_limit_the_partial_graph_says_so():
    with pytest.raises(LimitReached, match="tic-tac-toe has more than 50 states") as stop:
        state_graph(TicTacToe(), limit=50)
    partial = stop.value.partial
    assert len(partial) == 50 and partial.graph["complete"] is False
    cut_off = [node for node, data in partial.nodes(data=True) if data.get("frontier")]
    assert cut_off and all(partial.out_degree(node) == 0 for node in cut_off)
    game = GraphGame(partial)
    with pytest.raises(GameError, match="the graph was cut off at node") as fault:
        explore(game)
    assert len(fault.value.problems[0].play) >= 1


def with_ends(graph, **utilities):
    """The graph with a mover and these ends."""
    graph.graph.setdefault("players", ["A"])
    for node in graph:
        graph.nodes[node].setdefault("player", "A")
    for node, number in utilities.items():
        graph.nodes[node].pop("player")
        graph.nodes[node]["utilities"] = number
    return graph


@pytest.mark.parametrize("written", [1, 7, 60])
def test_what_there_is_no_time_for_is_left_out_with_what_leads_only_there(written):
    """To write a state down may take a hundred times as long as to meet it."""
    said = "not all states of tic-tac-toe were written down"
    with pytest.raises(LimitReached, match=said) as stop, all_clocks_replaced(count().__next__):
        state_graph(TicTacToe(), until=written - 1.5)
    graph = stop.value.partial
    assert 1 <= len(graph) <= written and not graph.graph["complete"]
    assert set(graph) == {0} | networkx.descendants(graph, 0)
    for node, held in graph.nodes(data=True):
        assert held.get("frontier", False) == (graph.out_degree(node) == 0)
    GraphGame(graph)


def test_states_are_written_down_while_there_is_room_for_their_moves():
    """In amazons each of 2,000 states has as many moves, which took minutes to list for a picture of one of them."""
    looked_at = []

    class LookedAt(TicTacToe):
        def node(self, state):
            looked_at.append(state)
            return super().node(state)

    with pytest.raises(LimitReached) as stop:
        state_graph(LookedAt(), limit=50, most_moves=100)
    assert len(stop.value.partial) == 10  # three states of the third level have room: of none are all successors there
    assert len(set(looked_at)) == 1 + 9 + 3


def test_the_plainest_graph_by_hand_is_a_game():
    graph = networkx.DiGraph()
    graph.add_node("top", player="MAX")
    graph.add_node("left", player="MIN")
    graph.add_node("right", player="MIN")
    for place, (parent, leaf, number) in enumerate(
        [("left", "a", 3), ("left", "b", 12), ("right", "c", 2), ("right", "d", 4)]
    ):
        graph.add_node(leaf, utilities=number, label=f"leaf {place}")
        graph.add_edge(parent, leaf)
    graph.add_edges_from([("top", "left"), ("top", "right")])
    game = GraphGame(graph)
    assert (game.name, game.players, game.initial()) == ("graph", ("MAX", "MIN"), "top")
    assert game.node("top") == Decision(0, ("1", "2"))
    assert game.successor("left", "2") == "b"
    assert game.node("b") == Terminal((12, -12))
    assert (game.describe("left", 1), game.describe("a", 0)) == ("node 'left'", "leaf 0")
    assert minimax(game).value == (3, -3)


def test_single_numbers_belong_to_max_wherever_max_sits():
    graph = networkx.DiGraph([("top", "end")], players=["MIN", "MAX"])
    graph.nodes["top"]["player"] = "MIN"
    graph.nodes["end"]["utilities"] = 5
    assert GraphGame(graph).node("end") == Terminal((-5, 5))


def test_numbers_may_be_text_fractions_decimals_and_unknowns():
    graph = networkx.DiGraph(players="A, B")
    chances = ["1/3", Fraction(1, 3), 0.25, "1/12"]
    ends = [("1/2", 0.1), "(1, -1/2)", {"B": 2, "A": "0.5"}, "?x"]
    for end, (chance, utilities) in enumerate(zip(chances, ends, strict=True)):
        graph.add_edge("root", end, probability=chance)
        graph.nodes[end]["utilities"] = utilities
    game = GraphGame(graph)
    twelfths = [Fraction(n, 12) for n in (4, 4, 3, 1)]
    assert game.node("root") == Chance(tuple(zip("1234", twelfths, strict=True)))
    assert game.node(0) == Terminal((Fraction(1, 2), Fraction(1, 10)))
    assert game.node(1) == Terminal((1, Fraction(-1, 2)))
    assert game.node(2) == Terminal((Fraction(1, 2), 2))
    assert game.node(3) == Terminal((Unknown("x"), Unknown("x", negative=True)))


def test_a_simultaneous_graph_by_hand_needs_no_order_and_no_names():
    graph = networkx.MultiDiGraph(players=["A", "B", "C"])
    for joint in (("u", "", "l"), ("d", "", "r"), ("d", "", "l"), ("u", "", "r")):
        end = "same" if joint[0] == "d" else joint
        graph.add_edge("start", end, joint=joint)
        graph.nodes[end]["utilities"] = (1, 2, 3)
    game = GraphGame(graph)
    assert game.node("start") == Simultaneous((("u", "d"), (), ("l", "r")))
    assert game.successor("start", ("d", "", "r")) == "same"
    assert game.information_set("start", 0) == game.information_set("start", 2)


def test_nodes_of_one_information_set_are_not_told_apart():
    graph = networkx.DiGraph(players=["A", "B"])
    graph.add_node("root", player="A")
    for node in ("l", "r"):
        graph.add_edge("root", node)
        graph.add_node(node, player="B", information_set="B1", label="same")
        for end in (1, 2):
            graph.add_node(f"{node}{end}", utilities=end)
            graph.add_edge(node, f"{node}{end}")
    game = GraphGame(graph)
    assert game.information_set("l", 1) == game.information_set("r", 1)
    assert game.information_set("l", 0) != game.information_set("r", 0)
    assert (game.traits.perfect_information, game.traits.perfect_recall) == (False, True)


def broken(change) -> networkx.DiGraph:
    graph = networkx.DiGraph([("top", "left"), ("top", "right")], players=["A", "B"])
    graph.nodes["top"]["player"] = "A"
    graph.nodes["left"]["utilities"] = (1, -1)
    graph.nodes["right"]["utilities"] = (0, 0)
    change(graph)
    return graph


def test_the_graph_that_the_broken_ones_are_made_from_is_whole():
    assert GraphGame(broken(lambda graph: None)).node("top") == Decision(0, ("1", "2"))


def test_utilities_may_be_arrays_of_numpy():
    numpy = pytest.importorskip("numpy")
    graph = broken(lambda graph: graph.nodes["left"].update(utilities=numpy.array([1.5, -1.5])))
    assert GraphGame(graph).node("left") == Terminal((Fraction(3, 2), Fraction(-3, 2)))


PROBLEMS = {
    "no node": (lambda g: g.clear(), "the graph names no players"),
    "no root": (lambda g: g.add_edge("left", "top"), "it is not clear where play begins: edges lead to every node"),
    "two roots": (lambda g: g.add_node("else"), "it is not clear where play begins: no edge leads to 'top' or 'else'"),
    "unknown root": (lambda g: g.graph.update(root="top!"), "the graph has no node 'top!', which it names as its root"),
    "players twice": (lambda g: g.graph.update(players=["A", "A"]), "the graph names no players, or one twice"),
    "players a number": (lambda g: g.graph.update(players=7), "the graph's players: 7 is not a list of names"),
    "no utilities": (lambda g: g.nodes["left"].clear(), "node 'left' is an end of play without utilities"),
    "wrong length": (
        lambda g: g.nodes["left"].update(utilities=(1, 2, 3)),
        "node 'left': 3 numbers for the 2 players A and B",
    ),
    "no number": (lambda g: g.nodes["left"].update(utilities=("one", 1)), "node 'left': 'one' is not a number"),
    "not finite": (lambda g: g.nodes["left"].update(utilities=(float("nan"), 1)), "node 'left': nan is not a number"),
    "huge exponent": (lambda g: g.nodes["left"].update(utilities=("1e999999999", 1)), "is not a number"),
    "by wrong names": (
        lambda g: g.nodes["left"].update(utilities={"A": 1, "C": 2}),
        "node 'left': numbers by name must name exactly A and B",
    ),
    "unknown player": (
        lambda g: g.nodes["top"].update(player="a"),
        "node 'top' belongs to 'a', but the players are A and B\nhelp: write 'A'",
    ),
    "no player": (lambda g: g.nodes["top"].clear(), "node 'top' does not say who moves there"),
    "unknown kind": (lambda g: g.nodes["top"].update(kind="max"), "node 'top' has the kind 'max'"),
    "dead end": (lambda g: g.nodes["left"].update(kind="decision"), "node 'left' is a decision node, but no edge"),
    "end with edges": (
        lambda g: g.nodes["top"].update(kind="terminal"),
        "node 'top' is an end of play, but edges lead",
    ),
    "same action": (
        lambda g: [g.edges[edge].update(action="go") for edge in g.edges],
        "node 'top' has more than one action called 'go'",
    ),
    "probabilities": (
        lambda g: [g.nodes["top"].clear(), *(g.edges[edge].update(probability="1/3") for edge in g.edges)],
        "the probabilities at node 'top' are 1/3 and 1/3: they must not be negative and must sum to 1, not 2/3",
    ),
    "negative": (
        lambda g: [
            g.nodes["top"].clear(),
            g.edges["top", "left"].update(probability=2),
            g.edges["top", "right"].update(probability=-1),
        ],
        "must not be negative",
    ),
    "no probability": (
        lambda g: [g.nodes["top"].clear(), g.edges["top", "left"].update(probability="1")],
        "node 'top' is a chance node, but its outcome '2' has no probability",
    ),
    "joint too short": (
        lambda g: [g.edges[edge].update(joint=("x",)) for edge in g.edges],
        "a joint move at node 'top' does not name one action for each of A and B",
    ),
    "joint missing": (
        lambda g: [
            g.edges["top", "left"].update(joint=("x", "y")),
            g.edges["top", "right"].update(joint=("z", "w")),
        ],
        "the joint moves at node 'top' are not all combinations of the players' actions, each once",
    ),
    "forever": (lambda g: g.graph.update(forever=(1, 2, 3)), "what the graph says endless play is worth: 3 numbers"),
    "bounds for three": (
        lambda g: g.graph.update(bounds=((0, 1),) * 3),
        "node 'top': bounds are pairs of numbers, (lowest, highest), one for each of A and B",
    ),
    "bounds broken": (
        lambda g: g.graph.update(bounds=((0, 2), (0, 2))),
        "node 'left': the utility -1 breaks its bound: at least 0 and at most 2",
    ),
    "utilities on the way": (
        lambda g: g.nodes["top"].update(utilities=(1, -1)),
        "node 'top' is an end of play, but edges lead on",
    ),
    "chances of a player": (
        lambda g: g.edges["top", "left"].update(probability="1/2"),
        "A moves at node 'top', but its edges have probabilities",
    ),
    "bounds no pairs": (lambda g: g.nodes["left"].update(bounds=(0, 1)), "node 'left': bounds are pairs of numbers"),
    "quiet": (lambda g: g.nodes["top"].update(quiet="loud"), "node 'top': 'loud' is not a number"),
    "cost": (lambda g: g.graph.update(cost="yes"), "the graph's cost is true or false, not 'yes'"),
    "estimate unknown": (lambda g: g.nodes["top"].update(evaluation="?x"), "is not a number"),
    "position": (
        lambda g: g.edges["top", "left"].update(position="first"),
        "node 'top': the position 'first' of an edge is not a whole number",
    ),
}


@pytest.mark.parametrize(("change", "message"), PROBLEMS.values(), ids=PROBLEMS.keys())
def test_a_broken_graph_is_refused_with_its_problem(change, message):
    with pytest.raises(GameError) as fault:
        GraphGame(broken(change))
    assert message in str(fault.value)


def test_an_undirected_graph_is_no_game():
    with pytest.raises(GameError, match="an undirected graph is no game"):
        GraphGame(networkx.Graph([(0, 1)]))


def test_all_problems_are_told_at_once():
    with pytest.raises(GameError) as fault:
        GraphGame(broken(lambda g: [g.nodes["left"].clear(), g.nodes["right"].update(utilities="x")]))
    assert len(fault.value.problems) == 2


def test_an_information_set_offers_the_same_actions_everywhere():
    graph = networkx.DiGraph([("a", "b"), ("b", "c"), ("b", "d")], players=["A"])
    for node in "ab":
        graph.nodes[node].update(player="A", information_set="here")
    for node in "cd":
        graph.nodes[node]["utilities"] = 0
    with pytest.raises(GameError, match="node 'a' and node 'b' are in the information set 'here', but their actions"):
        GraphGame(graph)


def test_a_problem_cannot_steer_the_terminal():
    with pytest.raises(GameError) as fault:
        GraphGame(broken(lambda g: g.nodes["top"].update(player="\x1b[2Jeve\u202e")))
    assert "\x1b" not in str(fault.value) and "\u202e" not in str(fault.value)


def test_minimax_annotates_values_best_actions_and_the_line():
    game = figure_5_2()
    graph = state_graph(game)
    before = networkx.MultiDiGraph(graph)
    solved = annotate(graph, minimax(game, values=True))
    assert networkx.utils.graphs_equal(graph, before)  # the answer is on a copy
    assert {node: solved.nodes[node]["value"][0] for node in range(4)} == {0: 3, 1: 3, 2: 2, 3: 2}
    best = [data["action"] for *_, data in solved.edges(data=True) if data.get("best")]
    assert best == ["a1", "b1", "c1", "d3"]
    assert [node for node in solved if solved.nodes[node].get("principal")] == [0, 1, 4]
    assert solved.graph["value"] == (3, -3) and solved.graph["best"] == ("a1",)


def test_alpha_beta_annotates_bounds_windows_and_cuts():
    game = figure_5_2()
    solved = annotate(state_graph(game), alpha_beta(game))
    assert (solved.nodes[2]["returned"], solved.nodes[2]["value"]) == (2, (2, -2))
    assert (solved.nodes[2]["bound"], solved.nodes[2]["cut"]) == ("upper", "c1: 2 <= alpha 3")
    assert (solved.nodes[2]["window"], solved.nodes[2]["window_after"]) == ((3, None), (3, 2))
    cut = [data["action"] for *_, data in solved.edges(data=True) if data.get("cut")]
    assert cut == ["c2", "c3"]
    assert all(solved.nodes[node]["unvisited"] for node in (8, 9))
    assert "unvisited" not in solved.nodes[2]


def test_an_edge_that_another_path_visited_is_not_cut():
    """Two ways lead to `shared`; its second child is skipped on the first way only."""
    graph = networkx.DiGraph([("top", "l"), ("top", "r"), ("l", "shared"), ("r", "shared")], players=["A"])
    graph.add_edges_from([("shared", "x"), ("shared", "y")])
    with_ends(graph, x=1, y=2)

    def visit(*path):
        return Visit(path, None, None, None, "decision", None, None, None, None, 1, "lower")

    skipped = Skipped((0, 0, 1), "2")
    found = RecordedSearch(cuts=(Cut((0, 0), None, 1, 1, "1", (skipped,)),), visits=(visit(), visit(1, 0, 0)))
    solution = Solution("g", "by hand", ("A",), part=found)
    assert annotate(graph, solution).edges["shared", "y"]["cut"] is True
    both = Solution("g", "by hand", ("A",), part=RecordedSearch(cuts=solution.cuts, visits=(visit(), visit(1, 0, 1))))
    assert "cut" not in annotate(graph, both).edges["shared", "y"]


def test_a_mixed_equilibrium_is_written_as_the_probabilities_of_play():
    sides = ("heads", "tails")
    game = matrix("pennies", sides, sides, (1, -1), (-1, 1), (-1, 1), (1, -1))
    half = {"heads": Fraction(1, 3), "tails": Fraction(2, 3)}
    solution = Solution(
        "pennies",
        "by hand",
        game.players,
        equilibria=({"A": {"start": half}, "B": {"start": {"heads": 1, "tails": 0}}},),
    )
    solved = annotate(state_graph(game), solution)
    played = {data["action"]: data["played"] for *_, data in solved.edges(data=True)}
    third = Fraction(1, 3)
    assert played == {"heads, heads": third, "heads, tails": 0, "tails, heads": 2 * third, "tails, tails": 0}


def test_what_lies_beyond_a_partial_graph_is_left_out():
    with pytest.raises(LimitReached) as stop:
        state_graph(figure_5_2(), limit=8)
    solved = annotate(stop.value.partial, minimax(figure_5_2(), values=True))
    assert solved.nodes[0]["value"] == (3, -3)
    assert len(solved) == 8


def every_solver() -> list[Solver]:
    """Every solver's record, wherever in the package it stands."""
    found = pkgutil.walk_packages(gdl.solvers.__path__, "gdl.solvers.")
    modules = [importlib.import_module(module.name) for module in found]
    records = [value for module in modules for value in vars(module).values() if isinstance(value, Solver)]
    rows = {record.name: record for record in records if not record.needs.get("rewards")}  # which no graph holds
    return list(rows.values())


def answer_or_refusal(solver: Solver, game) -> object:
    try:
        return solver.run(game, **WORK.get(solver.name, {}))
    except (GameError, Refusal, LimitReached) as stop:
        return str(stop)


FORGETTING_OF_TWO = """
players A, B
tree
    A
        l: A in x (p: (1, 0), q: (0, 1))
        r: B in b (s: A in x (p: (0, 1), q: (1, 0)), t: (0, 0))
"""
FORGETFUL = gdl.loads("players D\ntree\n    D in road\n        out: 0\n        on: D in road (out: 4, on: 1)\n").game


LONG = {"sequential", "perfect-bayesian", "perfect", "proper", "commitment", "correlated"}
LONG_AT_KUHN = {"nash", "subgame-perfect", "mccfr", "dominance", "correlated", "coarse-correlated"}
WORK = {"mccfr": {"iterations": 200}}  # of those that would go on for longer
FEW, REST = RANDOM[:2], RANDOM[2:]


# But grundy, which asks what either player could do in a position: only rules tell that; and those that look at the
# position alone, which of these games only a graph shows.
@pytest.mark.thorough_of("few-nash", "few-logit")
@pytest.mark.parametrize(
    "solver",
    [
        pytest.param(row, id=row.name, marks=pytest.mark.slow if row.name in LONG or at % 2 else ())
        for at, row in enumerate(every_solver())
        if row.name != "grundy" and not row.position
    ],
)
@pytest.mark.parametrize("random", [FEW, pytest.param(REST, marks=pytest.mark.slow)], ids=["few", "rest"])
def test_every_solver_searches_the_graph_as_it_searches_the_game(solver, random):
    answers = 0
    forgetting = [gdl.loads(FORGETTING_OF_TWO).game] if solver.name == "pure-plans" else []
    for game in [*WRITTEN, *random, *map(gdl.load, ("two_roads", "beer_quiche")), FORGETFUL, *forgetting]:
        if random is FEW and game.name == "kuhn" and solver.name in LONG_AT_KUHN:
            continue
        if game.name != "tic-tac-toe" and not solver.lacks(game.traits):
            found = answer_or_refusal(solver, game)
            assert answer_or_refusal(solver, GraphGame(state_graph(game))) == found, game.name
            answers += isinstance(found, Solution)
    assert answers


@pytest.mark.slow
def test_alpha_beta_searches_the_graph_of_tic_tac_toe_as_the_game():
    assert alpha_beta(GraphGame(state_graph(TicTacToe()))) == alpha_beta(TicTacToe())


def test_texts_of_states_are_drawn_when_they_are_asked_for():
    """However the attributes of a node are read or copied, they are those of a plain dict; no text is drawn before."""
    drawn: list[object] = []

    class Counted(GameWrapper):
        def show(self, state):
            drawn.append(state)
            return f"drawing {len(drawn)}"

    game = Counted(figure_5_2())
    first = state_graph(game).nodes[0]
    assert drawn == []
    assert list(first)[:4] == ["kind", "state", "player", "information_set"]
    assert first["state"] == first.get("state") == "drawing 1"
    for reading in (
        dict, dict.copy, copy.copy, copy.deepcopy, lambda node: {**node}, lambda node: {} | node, lambda node: node | {},
        lambda node: dict(node.items()), lambda node: dict(zip(node, node.values(), strict=True)),
        lambda node: {name: node.get(name) for name in node}, lambda node: json.loads(json.dumps(node)),
        lambda node: pickle.loads(pickle.dumps(node)), lambda node: ast.literal_eval(repr(node)),
        lambda node: {name: node.pop(name) for name in list(node)}, lambda node: node.setdefault("state") and dict(node),
    ):  # fmt: skip
        read = reading(state_graph(game).nodes[0])
        assert read["state"] == f"drawing {len(drawn)}", reading
        assert type(read) is dict and read == first | {"state": read["state"]}, reading
    assert state_graph(game).nodes[0] != first
    del drawn[:]
    in_time = state_graph(game, until=monotonic() + 1000)  # what has to be done in a time includes the drawing
    assert len(drawn) == len(in_time)
    copies = [
        state_graph(game).copy(),
        networkx.MultiDiGraph(state_graph(game)),
        pickle.loads(pickle.dumps(state_graph(figure_5_2()))),
    ]
    assert all(type(data) is dict and type(data["state"]) is str for one in copies for _, data in one.nodes(data=True))

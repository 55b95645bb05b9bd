"""The value of every state from every exact answer, by the state and written onto the graph."""

import pickle
from fractions import Fraction

import networkx
import pytest

import gdl
from gdl.game import Terminal
from gdl.graph import annotate, state_graph

TREES = ["minimax", "alpha-beta", "retrograde", "proof-number", "maxn", "auto"]


@pytest.mark.parametrize("solver", TREES)
def test_every_exact_solver_gives_the_value_of_every_state(solver):
    game = gdl.load("figure_5_2")
    graph = state_graph(game)
    answer = gdl.solve(game, solver)
    assert answer.exact and answer.values[game.initial()] == (3, -3)
    assert answer.values[game.initial()]["MAX"] == 3
    solved = annotate(graph, answer)
    listed = annotate(graph, gdl.solve(game, "minimax", values=True))
    assert {n: data["value"] for n, data in solved.nodes(data=True)} == dict(listed.nodes(data="value"))
    assert [gdl.solve(graph, solver).values[node] for node in (1, 2, 3)] == [(3, -3), (2, -2), (2, -2)]


def test_what_a_search_worked_with_stands_beside_the_value():
    solved = annotate(graph := state_graph(gdl.load("figure_5_2")), gdl.solve(graph, "alpha-beta"))
    assert (solved.nodes[2]["value"], solved.nodes[2]["returned"], solved.nodes[2]["bound"]) == ((2, -2), 2, "upper")
    assert [node for node, data in solved.nodes(data=True) if data.get("unvisited")] == [8, 9]


def test_positions_that_come_again_have_their_values():
    """Whoever moves can go round or end the play; without a price of endless play, a state is left out where that
    would decide."""
    graph = networkx.DiGraph(players=["MAX", "MIN"], root="a")
    graph.add_edges_from([("a", "b"), ("b", "a"), ("a", "good"), ("b", "bad"), ("good", "end")])
    graph.nodes["a"]["player"], graph.nodes["b"]["player"], graph.nodes["good"]["player"] = "MAX", "MIN", "MAX"
    graph.nodes["bad"]["utilities"], graph.nodes["end"]["utilities"] = -1, 2
    answer = gdl.solve(graph, "retrograde")
    assert [answer.values[node] for node in ("a", "b", "good")] == [(2, -2), (-1, 1), (2, -2)]
    assert annotate(graph, answer).nodes["b"]["value"] == (-1, 1)


def test_hidden_cards_are_worth_what_the_strategies_pay():
    game = gdl.load("kuhn")
    answer = gdl.solve(game, "sequence-form")
    assert answer.values[game.initial()] == (Fraction(-1, 18), Fraction(1, 18)) == answer.value
    solved = annotate(state_graph(game), answer)
    ends = [data for _, data in solved.nodes(data=True) if data["kind"] == "terminal"]
    assert ends and all(data["value"] == data["utilities"] for data in ends)
    assert len(dict(solved.nodes(data="value"))) == len(solved)


def test_a_table_of_payoffs_has_the_values_of_its_cells():
    game = gdl.load("prisoners")
    answer = gdl.solve(game)
    after = game.successor(game.initial(), ("silent", "betray"))
    assert isinstance(game.node(after), Terminal) and answer.values[after] == (-3, 0)


def test_an_estimate_gives_no_values():
    answer = gdl.solve("tic_tac_toe", "mcts", simulations=20, seed=1)
    assert not answer.exact and answer.values == {}
    with pytest.raises(KeyError, match="the answer, an estimate, gives this state no value"):
        answer.values[gdl.load("tic_tac_toe").initial()]


def test_listed_values_are_asked_for_by_path():
    answer = gdl.solve("figure_5_2", "minimax", values=True)
    assert answer.values[()] == answer.values[0,] == (3, -3) and len(answer.values) == 13


def test_another_equilibrium_than_that_of_backward_induction_pays_by_its_own_strategies():
    game = gdl.loads(
        "players A, B\ntree\n    A\n        enter: B\n            fight: (-1, -1)\n            yield: (1, 1)\n        out: (0, 2)\n"
    ).game
    for answer in (gdl.solve(game, "nash"), gdl.solve(game, "subgame-perfect")):
        paid = answer.payoffs[0] if answer.payoffs else answer.value
        try:
            assert answer.values[game.initial()] == tuple(paid)
        except KeyError:
            assert not answer.exact or not (answer.strategy or answer.equilibria)


@pytest.mark.parametrize("solver", ["alpha-beta", "proof-number", "retrograde", "auto"])
def test_policies_lead_to_the_value(solver):
    game = gdl.load("tic_tac_toe", after="take(b2) take(b1)")
    answer, state = gdl.solve(game, solver), game.initial()
    while not isinstance(game.node(state), Terminal):
        assert answer.values[state] == (1, -1)
        played = answer.policy(state)
        assert list(played) == list(game.node(state).actions) and sum(played.values()) == 1
        state = game.successor(state, max(played, key=played.get))
    assert game.node(state).utilities == (1, -1)


def test_policies_mix_and_belong_to_players():
    answer = gdl.solve("kuhn", "sequence-form")
    first = answer.of
    state = first.successor(first.successor(first.initial(), "deal(1)"), "deal(2)")
    assert answer.policy(state) == answer.strategy["P1"][first.describe(state, 0)]
    answer = gdl.solve("rock_paper_scissors")
    start = answer.of.initial()
    assert (
        answer.policy(start, 1)
        == answer.policy(start, answer.players[0])
        == dict.fromkeys(answer.policy(start, 0), Fraction(1, 3))
    )
    with pytest.raises(KeyError, match="2 players choose here at once"):
        answer.policy(start)


def test_no_policy_is_made_up():
    """Play that comes back needs more than values; an estimate says how to begin."""
    answer = gdl.solve("tic_tac_toe", "mcts", simulations=20, seed=1)
    game = answer.of
    assert max(answer.policy(game.initial()).values()) == 1
    with pytest.raises(KeyError, match="gives this state no value"):
        answer.policy(game.successor(game.initial(), "take(b2)"))
    end = gdl.load("prisoners").successor((), ("silent", "betray"))
    with pytest.raises(KeyError, match="no players choose here"):
        gdl.solve("prisoners").policy(end)


def test_packed_states_have_values_and_policies():
    pytest.importorskip("wasmtime")
    game = gdl.load("nim", settings={"heaps": "1,2"}, packed=True)
    answer, state = gdl.solve(game), game.successor(game.initial(), "take(2, 1)")
    assert isinstance(state, bytes) and state in answer.values and answer.values.get(b"") is None
    assert answer.values[state] == (1, -1) and answer.policy(game.initial())["take(2, 1)"] == 1
    assert pickle.loads(pickle.dumps(answer)).values[state] == (1, -1)

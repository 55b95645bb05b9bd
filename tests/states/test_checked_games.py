"""Games made in Python are held to the protocol: what breaks it is a GameError with its place, never an answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from handmade import Circle, HandMade

import gdl
from gdl.errors import GameError
from gdl.game import Chance, Decision, Node, Promises, Simultaneous, Terminal, Traits
from gdl.graph import GraphGame, state_graph
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.interpreter.position import Continuation
from gdl.model.games import MatrixModel, TreeModel, TreeNode
from gdl.solvers import SOLVERS, solve
from gdl.states import count
from gdl.states.explore import explore
from gdl.states.playouts import playouts
from gdl.states.sequential import Sequential

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


class Own(HandMade):
    """Two decisions, and below `on, go` whatever the test puts there."""

    name = "own"
    players = ("Ann", "Bob")
    traits = Traits(2, True, 0, None, None, True, True, False)

    def __init__(self, node: Any):
        self.below = node

    def initial(self) -> str:
        return "start"

    def node(self, state: str) -> Node:
        if state == "start":
            return Decision(0, ("on", "stop"))
        if state == "start on":
            return Decision(1, ("go",))
        return self.below if state == "start on go" else Terminal((1, -1))

    def successor(self, state: str, action: Any) -> Any:
        return f"{state} {action}"


WRONG = {
    "probabilities below one": (Chance((("a", HALF), ("b", THIRD))), "the probabilities sum to 5/6"),
    "probabilities above one": (Chance((("a", 1), ("b", 1))), "the probabilities sum to 2"),
    "a negative probability": (Chance((("a", 2), ("b", -1))), "a probability is -1"),
    "a float for a probability": (Chance((("a", 0.5), ("b", HALF))), "a probability is the float 0.5, and gdl computes"),
    "an outcome twice": (Chance((("a", HALF), ("a", HALF))), "two actions are called 'a'"),
    "no outcomes": (Chance(()), "there are no actions"),
    "outcomes without probabilities": (Chance(("a", "b")), "the outcomes are no pairs"),
    "a float for a utility": (Terminal((0.1, -0.1)), "a utility is the float 0.1, and gdl computes with exact numbers"),
    "no number": (Terminal((1, float("nan"))), "a utility is nan, which is no exact number"),
    "a text for a number": (Terminal(("1", "-1")), "a utility is '1', which is no exact number"),
    "too few utilities": (Terminal((1,)), "1 number for 2 players"),
    "a list of utilities": (Terminal([1, -1]), "no tuple for 2 players"),
    "no actions": (Decision(0, ()), "there are no actions"),
    "an action twice": (Decision(0, ("a", "a")), "two actions are called 'a'"),
    "a number for an action": (Decision(0, (1, 2)), "the action 1 is no text"),
    "a text for actions": (Decision(0, "ab"), "the actions are no tuple"),
    "a player too many": (Decision(2, ("a",)), "there is no player 2"),
    "a player by name": (Decision("Ann", ("a",)), "there is no player 'Ann'"),
    "a simultaneous move of one": (Simultaneous((("a", "b"),)), "not every player has a tuple of actions"),
    "nothing": (None, "this is no node"),
    "not what the traits say": (Terminal((1, 1)), "the utilities sum to 2 here, and the traits say that they always sum"),
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("node", "message"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize(
    "solver", ["auto", "minimax", "expectiminimax", "alpha-beta", "retrograde", "sequence-form", "mcts"]
)
def test_no_solver_answers_a_game_that_breaks_the_protocol(node: Any, message: str, solver: str) -> None:
    if isinstance(node, Chance | Simultaneous) and solver in ("minimax", "alpha-beta"):
        solver = "nash"
    with pytest.raises(GameError) as found:
        solve(Own(node), solver)
    (problem,) = found.value.problems
    assert problem.message.startswith(message)
    assert problem.help
    assert problem.play == ("on", "go")
    assert "It is so in Own.node('start on go') = " in problem.note


@pytest.mark.parametrize(
    "work", [explore, state_graph, count.states, lambda game: playouts(game, 50, 1), lambda game: count.perft(game, 5)]
)
def test_whatever_else_walks_the_game_tells_it_too(work: Any) -> None:
    for wrapped in (lambda game: game, Sequential, lambda game: Continuation(game, "start")):
        with pytest.raises(GameError, match="the probabilities sum to 5/6"):
            work(wrapped(Own(Chance((("a", HALF), ("b", THIRD))))))


def test_what_is_right_is_answered() -> None:
    assert solve(Own(Chance((("a", HALF), ("b", HALF))))).value == (1, -1)
    assert solve(Own(Terminal((-2, 2)))).value == (1, -1)


def test_traits_that_the_game_does_not_have() -> None:
    game = Own(Chance((("a", HALF), ("b", HALF))))
    game.traits = Traits(2, True, 0, False, False, True, True, False)  # type: ignore[misc]
    with pytest.raises(GameError, match="chance moves here, and the traits say that it never does"):
        solve(game)


def test_a_state_that_cannot_be_hashed() -> None:
    class Lists(Own):
        def successor(self, state: str, action: str) -> Any:
            return [state]

    with pytest.raises(
        GameError, match=r"(?s)the state \['start'\] cannot be hashed.*Lists.successor\('start', 'on'\)"
    ):
        solve(Lists(None), "minimax")


def test_an_information_set_that_cannot_be_hashed() -> None:
    class Lists(Own):
        traits = Traits(2, True, 0, False, False, False, True, False)

        def information_set(self, state: str, player: int) -> Any:
            return [state]

    with pytest.raises(GameError, match=r"the information set \['start'\] cannot be hashed"):
        solve(Lists(Terminal((1, -1))), "sequence-form")


def test_a_price_of_endless_play_that_is_not_exact() -> None:
    class Priced(Own):
        promises = Promises(forever=(0.5, -0.5))

    with pytest.raises(GameError, match=r"(?s)a number is the float 0.5.*Priced.promises.forever = \(0.5, -0.5\)"):
        solve(Priced(Terminal((1, -1))))


def test_the_price_of_endless_play_is_not_passed_over():
    class Earlier(Circle):
        forever = (0, 0)
        promises = property()  # as in a class that knows nothing of promises

    with pytest.raises(GameError, match=r"(?s)Earlier\.forever is not read.*write promises = Promises"):
        solve(Earlier())


def test_an_evaluation_that_is_not_exact() -> None:
    class Hopeful(Own):
        def evaluate(self, state: str) -> Any:
            return (0.25, -0.25)

    with pytest.raises(GameError, match=r"(?s)a number is the float 0.25.*write Fraction\(1, 4\)"):
        solve(Hopeful(Terminal((1, -1))), "depth-limited", depth=1)


def test_a_class_that_is_no_game() -> None:
    class Nothing:
        name, players = "nothing", ("Ann",)
        traits = Own.traits

    with pytest.raises(GameError, match="Nothing is no game: it has no initial, node, successor, information_set, "):
        solve(Nothing())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("players", "message"), [(["A", "B"], "no tuple of names"), ((), "no tuple"), (("A", "A"), "same name")]
)
def test_players_are_names(players: Any, message: str) -> None:
    game = Own(Terminal((1, -1)))
    game.players = players
    with pytest.raises(GameError, match=message):
        solve(game)


# ---- Models -----------------------------------------------------------------------------------------------------


def tree(*nodes: TreeNode) -> TreeModel:
    return TreeModel("own", ("Ann", "Bob"), nodes)


END = TreeNode("terminal", utilities=(1, -1))


@pytest.mark.parametrize(
    ("model", "messages"),
    [
        (
            tree(TreeNode("chance", actions=("a", "b"), probabilities=(HALF, THIRD), children=(1, 2)), END, END),
            ["node 0: the probabilities sum to 5/6"],
        ),
        (
            tree(TreeNode("chance", actions=("a", "b"), probabilities=(1,), children=(1, 2)), END, END),
            ["node 0: 2 outcomes and 1 probabilities"],
        ),
        (
            tree(TreeNode("decision", 0, "A", actions=("a", "b"), children=(1, 7)), END),
            ["node 0 (A): it has no child 7"],
        ),
        (tree(TreeNode("decision", 0, actions=("a", "b"), children=(1,)), END), ["node 0: 2 actions and 1 children"]),
        (
            tree(TreeNode("decision", 0, actions=("a", "b"), children=(1, 1)), END),
            ["node 0: its child 1 is a child of node 0 already"],
        ),
        (
            tree(TreeNode("decision", 3, actions=("a", "a"), children=(1, 2)), END, TreeNode("terminal", utilities=(0.5, 1))),
            ["node 0: there is no player 3", "node 2: a utility is the float 0.5, and gdl computes with exact numbers"],
        ),
        (tree(END, END), ["node 1: it is nobody's child"]),
        (tree(), ["the tree own has no nodes"]),
    ],
)  # fmt: skip
def test_every_problem_of_a_tree_is_told(model: TreeModel, messages: list[str]) -> None:
    with pytest.raises(GameError) as found:
        TreeGame(model)
    assert [problem.message for problem in found.value.problems] == messages


@pytest.mark.parametrize(
    ("actions", "utilities", "message"),
    [
        ((("u", "d"), ("l",)), {("u", "l"): (1, 2)}, "d, l: no tuple for 2 players"),
        ((("u",), ("l",)), {("u", "l"): (1, 0.5)}, "u, l: a utility is the float 0.5"),
        ((("u", "u"), ("l",)), {("u", "l"): (1, 2)}, "the matrix own: two actions are called 'u'"),
        ((("u",), ()), {}, "the matrix own: a player has no actions"),
    ],
)
def test_a_matrix_is_checked(actions: Any, utilities: Any, message: str) -> None:
    with pytest.raises(GameError) as found:
        MatrixGame(MatrixModel("own", ("Ann", "Bob"), actions, utilities))
    assert found.value.problems[0].message.startswith(message)


# ---- Actions that there are not ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "action", "message", "help"),
    [
        (gdl.load("tic_tac_toe"), "take(z9)", "there is no action 'take(z9)' here", "write 'take("),
        (gdl.load("tic_tac_toe"), 3, "there is no action 3 here", "there are take(a1), "),
        (gdl.load("figure_5_2"), "b7", "there is no action 'b7' here", "there are a1, a2 and a3"),
        (gdl.load("prisoners"), ("betray",), "there is no joint action ('betray',) here", "write a tuple with one action per player, such as ('silent', 'silent')"),
        (gdl.load("rock_paper_scissors"), ("rock", "stone"), "there is no joint action ('rock', 'stone') here", "write a tuple"),
        (gdl.load("rock_paper_scissors"), "rock", "there is no joint action 'rock' here", "write a tuple"),
        (Sequential(gdl.load("prisoners")), "confess", "there is no action 'confess' here", "there are silent and betray"),
        (GraphGame(state_graph(gdl.load("figure_5_2"))), "b7", "there is no action 'b7' here", "there are a1, a2 and a3"),
        (Sequential(Own(Terminal((1, -1)))), "off", "there is no action 'off' here", "there are on and stop"),
    ],
)  # fmt: skip
def test_an_action_that_there_is_not(game: Any, action: Any, message: str, help: str) -> None:
    with pytest.raises(GameError) as found:
        game.successor(game.initial(), action)
    (problem,) = found.value.problems
    assert problem.message == message
    assert problem.help.startswith(help)


@pytest.mark.parametrize("name", ["tic_tac_toe", "figure_5_2", "prisoners"])
def test_nothing_can_be_done_when_play_is_over(name: str) -> None:
    game = gdl.load(name)
    state = game.initial()
    while not isinstance(node := game.node(state), Terminal):
        state = game.successor(
            state, tuple(own[0] for own in node.actions) if isinstance(node, Simultaneous) else node.actions[0]
        )
    with pytest.raises(GameError, match="play is over here"):
        game.successor(state, "more")


def test_every_solver_takes_a_game_that_keeps_the_protocol() -> None:
    """Attributes that a class of one's own has beside the protocol, such as a price of endless play, are still
    found."""

    class Priced(Own):
        promises = Promises(forever=(0, 0))

    for solver in ("auto", "retrograde", "mcts"):
        assert solver in ("auto", *SOLVERS)
        assert solve(Priced(Terminal((2, -2))), solver).best == ("on",)

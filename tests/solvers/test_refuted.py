"""An estimate never begins with an action that a short exact search shows to lose."""

import gdl
from gdl.solvers.budget import Budget
from gdl.solvers.mcts.mcts import mcts
from gdl.solvers.mcts.refutation import refutation_seconds, refuted_actions


def trap():
    """Of fifty replies forty-nine let Ann win at once, and one leaves her two ways to lose."""
    wins = ", ".join(f"w{number}: 1" for number in range(49))
    return gdl.loads(
        f"players Ann, Bob\nutility in -1..1\ntree Ann(trap: Bob({wins}, kill: Ann(x: -1, y: -1)), safe: Bob(a: 0, b: 0))\n"
    ).game


def test_what_loses_by_force_is_found():
    assert list(refuted_actions(trap(), ["trap", "safe"])) == ["trap"]
    assert list(refuted_actions(gdl.load("tic_tac_toe"), ["take(a1)", "take(b1)"])) == []


def test_few_simulations_do_not_recommend_it():
    answer = mcts(trap(), simulations=12, seed=1)
    assert answer.best == ("safe",)
    assert any("trap was tried most, but loses by force" in note for note in answer.notes)


def test_looking_is_within_the_time_that_was_asked_for() -> None:
    assert [refutation_seconds(None), refutation_seconds(1), refutation_seconds(60)] == [0.3, 0.1, 0.3]
    spared = Budget(None, 60, None).sparing(refutation_seconds(60)).seconds_left
    assert spared is not None
    assert spared <= 59.7


def test_a_win_at_once_is_seen_where_a_node_joins_the_tree() -> None:
    """Bob has it after either action of Ann; the line goes on to it."""
    game = gdl.loads(
        "players Ann, Bob\nutility in -1..1\ntree Ann(left: Bob(a: 1, b: -1), right: Bob(a: -1, b: 0))\n"
    ).game
    answer = mcts(game, simulations=2)
    assert (answer.exact, answer.value, answer.line) == (True, (-1, 1), ("left", "b"))
    assert answer.best == ("left", "right")


def test_what_loses_at_once_is_passed_by() -> None:
    """The first simulation goes on to an action after which Bob does not win at once, if there is one; an action after
    which Ann herself moves again and wins is no such."""
    replies = "Bob(a: 1, b: -1)"
    game = gdl.loads(f"players Ann, Bob\nutility in -1..1\ntree Ann(x: {replies}, y: {replies}, z: 0)\n").game
    answer = mcts(game, simulations=1)
    assert (answer.value, answer.line) == ((0, 0), ("z",))
    assert answer.notes[:2] == ("x: 1 visit, -1 for Ann, proven", "y: 1 visit, -1 for Ann, proven")
    again = gdl.loads("players Ann, Bob\nutility in -1..1\ntree Ann(x: Ann(a: 1, b: -1), y: 0, z: 0)\n").game
    assert mcts(again, simulations=1).line == ("x", "a")

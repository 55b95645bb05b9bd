"""The `expect` lines: each quantity holds and fails where it should, and what is malformed is told with its place."""

import pytest

import gdl
from gdl.errors import GameError, Problem
from gdl.inspection import expectations
from gdl.inspection.quantities import QUANTITIES
from gdl.solvers import solve

FIGURE = """players MAX, MIN
tree
    MAX A
        a1: MIN B (b1: 3, b2: 12, b3: 8)
        a2: MIN C (c1: 2, c2: 4, c3: 6)
        a3: MIN D (14, 5, 2)
"""
NUMBERED = "players MAX, MIN\ntree MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2))\n"
MIN_FIRST = "players MIN, MAX\ntree MIN(MAX(3, 12), MAX(2, 4))\n"
THREE = "players A, B, C\ntree A(B((1, 2, 3), (4, 5, 6)), B((0, 0, 0), (9, 1, 1)))\n"
COORDINATE = "players A, B\nmatrix\n       x       y\n    a (2, 1) (0, 0)\n    b (0, 0) (1, 2)\n"
HIDDEN = """players Me
tree
    chance (heads 1/2: Me in blind (stay: 3, go: 10), tails 1/2: Me in blind (stay: 3, go: -10))
"""
HEAP = """game "Heap" (heap = 4)
players A, B
state
    left: 0..heap = heap
action take(n: 1..2) when n <= left
    left := left - n
terminal
    left = 0 -> lose mover
variant misere "Misère"
    terminal
        left = 0 -> win mover
"""

ROWS = [  # a game, what holds of it, what does not
    (FIGURE, "value = 3", "value = 2"),
    (FIGURE, "value = (3, -3)", "value = (3, 3)"),
    (MIN_FIRST, "value = 4", "value = -4"),  # a lone number is MAX's
    (THREE, "value = (9, 1, 1)", "value = (4, 5, 6)"),
    (THREE, "value = (9, 1, 1)", "value = 9"),  # general-sum wants a number for each
    (FIGURE, "best = a1", "best = a2"),
    (FIGURE, "best = {a1}", "best = {a1, a2}"),
    (HIDDEN, "best = stay", "best = go"),  # as the equilibria begin
    (FIGURE, "pruned = {c2, c3}", "pruned = {c2}"),
    (FIGURE, "pruned = {a2 > c2, a2 > c3}", "pruned = {a2 > c2, a3 > 3}"),
    (NUMBERED, "pruned = {2 > 2, 2 > 3}", "pruned = {2, 3}"),  # a 2 and a 3 are at every node
    (MIN_FIRST, "pruned = {}", "pruned = {1 > 2}"),
    (HEAP, "perft(2) = 4", "perft(2) = 5"),
    (HEAP, "states = 8", "states = 4"),
    (HEAP, "ends = 2", "ends = 1"),
    (HEAP, "plays = 5", "plays = 6"),
    (HEAP, "actions = {take(1), take(2)}", "actions = {take(1)}"),
    (COORDINATE, "actions = {a, b, x, y}", "actions = {a, b}"),
    (HIDDEN, "infosets = 1", "infosets = 2"),
    (COORDINATE, "equilibria = 3", "equilibria = 2"),
    (COORDINATE, "equilibrium = (b, y)", "equilibrium = (a, y)"),
    (HEAP, "value = -1 with heap = 3", "value = 1 with heap = 3"),
    (HEAP, "value = -1 at misere", "value = 1 at misere"),
    (HEAP, "best = take(1) at misere with heap = 5", "best = take(2) at misere with heap = 5"),
    (HEAP, 'actions = {take(1)} after "take(2) take(1)"', 'actions = {take(1), take(2)} after "take(2) take(1)"'),
    (HEAP, 'value = -1 after "take(2)"', 'value = 1 after "take(2)"'),
]


def outcomes(text: str, *expected: str) -> list[expectations.ExpectationOutcome]:
    text += "".join(f"expect {line}\n" for line in expected)
    loaded = gdl.loads(text, "test.game")
    return list(expectations.run(loaded.description, gdl.play, solve))


@pytest.mark.parametrize(("game", "right", "wrong"), ROWS, ids=[right for _, right, _ in ROWS])
def test_holds_and_fails(game: str, right: str, wrong: str):
    holds, fails = outcomes(game, right, wrong)
    assert holds.holds, holds.found
    assert not fails.holds, fails.found
    assert holds.text == f"expect {right}"


def test_every_quantity_is_tested():
    assert {right.split()[0].partition("(")[0] for _, right, _ in ROWS} == set(QUANTITIES)


def test_an_estimate_proves_nothing():
    def estimated(game, solver):
        return solve(game, "mcts", simulations=10)

    loaded = gdl.loads(FIGURE + "expect value = 3\nexpect best = a1\n")
    found = list(expectations.run(loaded.description, gdl.play, estimated))
    assert [outcome.holds for outcome in found] == [False, False]
    assert all("only an estimate" in outcome.found for outcome in found)


def test_a_question_that_no_solver_answers_fails():
    (found,) = outcomes(HIDDEN, "pruned = {}")
    assert not found.holds
    assert found.found.startswith("no answer: alpha-beta needs")


@pytest.mark.parametrize(
    ("line", "message", "help", "at"),
    [
        ("valu = 3", "there is no quantity 'valu' to expect", "write 'value'", "valu"),
        ("perft = 3", "perft needs a number of plies", "write perft(3)", "perft"),
        ("states(2) = 3", "states takes no number in brackets", "write states", "2"),
        ("states = 1/2", "this is no answer for states, the reachable states", "write a whole number", "1/2"),
        ("states = {1}", "this is no answer for states, the reachable states", "write one name or number here", "{1}"),
        ("value = a", "this is no answer for value, the value for MAX or the first player, or for each",
         "write a number, or one for each player: (1, -1/2)", "a"),
        ("pruned = c2", "this is no answer for pruned, what alpha-beta skips",
         "write a set of actions, or of paths from the root: {c2, a2 > c3}, or {} for none", "c2"),
        ("value = 1 at misery", "the game has no variant 'misery'", "write 'misere'", "misery"),
        ("value = 1 with heaps = 3", "the game has no parameter 'heaps'", "write 'heap'", "heaps"),
        ("value = (1, 2, 3)", "3 answers for 2 players", "write one for each of A and B", "(1, 2, 3)"),
    ],
)  # fmt: skip
def test_what_is_malformed_is_told(line: str, message: str, help: str, at: str):
    loaded = gdl.loads(f"{HEAP}expect {line}\n")
    (problem,) = expectations.problems(loaded.description, loaded.game.players)
    assert (problem.message, problem.help) == (message, help)
    assert problem.span is not None
    assert problem.span.source.text[problem.span.start : problem.span.end] == at
    with pytest.raises(GameError):
        list(expectations.run(loaded.description, gdl.play, solve))


def test_all_that_is_malformed_is_told_at_once():
    loaded = gdl.loads(f"{HEAP}expect valu = 3\nexpect perft = 3\nexpect states = a\n")
    assert len(expectations.problems(loaded.description)) == 3


def test_actions_that_cannot_be_played_are_told_with_their_place():
    with pytest.raises(GameError) as wrong:
        outcomes(HEAP, 'value = 1 after "take(3)"')
    (problem,) = wrong.value.problems
    assert isinstance(problem, Problem)
    assert problem.message == "this play goes wrong: 'take(3)' is not an action of Heap"
    assert problem.span is not None
    assert problem.span.line == HEAP.count("\n") + 1


def test_each_game_is_solved_once():
    asked = []

    def counting(game, solver):
        asked.append(solver)
        return solve(game, solver)

    loaded = gdl.loads(
        FIGURE + "expect value = 3\nexpect best = a1\nexpect pruned = {c2, c3}\nexpect value = (3, -3)\n"
    )
    assert all(outcome.holds for outcome in expectations.run(loaded.description, gdl.play, counting))
    assert asked == ["auto", "alpha-beta"]

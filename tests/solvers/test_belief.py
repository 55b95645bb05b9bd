"""Belief-state averaging: what it chooses, what it promises, and what it really gets."""

from fractions import Fraction as F

import pytest
from games_by_hand import Branch as B
from games_by_hand import TicTacToe, imperfect_recall, kuhn, matching_pennies, minority, prisoners, tree, two_roads

from gdl.errors import Refusal
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.regret import regret
from gdl.solvers.imperfect_information.belief import BELIEF, belief_averages, clairvoyant_values

solve = BELIEF.run


def test_two_roads():
    """Averaging takes the road to the fork, though the gold on the other road is sure."""
    solution = solve(two_roads())
    assert solution.best == ("B",)
    assert solution.value == (20,)  # as if the way were known at the fork
    assert not solution.exact
    assert regret(two_roads(), solution.strategy).value == (-40,)
    assert regret(two_roads(), solution.strategy).regret == solution.regret == (50,)
    assert solution.notes[:2] == ("On average at roads: A 10, B 20.", "On average at fork: left -40, right -40.")
    assert solution.notes[-1] == (
        "Averaging over clairvoyance, each world played with open cards, promises MAX 20; its choices secure -40, "
        "but the best strategy secures 10."
    )


def used_car(offered):
    """Seven of ten cars are good; a test passes nine of ten good and two of ten bad ones. Then buy or not."""

    def decide(good, report):
        return B("Buyer", {"buy": (500,) if good else (-200,), "not": (0,)}, report)

    if not offered:
        children = {"good": decide(True, "prior"), "bad": decide(False, "prior")}
    else:
        tests = {True: (F(9, 10), F(1, 10)), False: (F(1, 5), F(4, 5))}
        children = {
            name: B("chance", {r: decide(good, r) for r in ("pass", "fail")}, chances=tests[good])
            for name, good in (("good", True), ("bad", False))
        }
    return tree("used car", ["Buyer"], B("chance", children, chances=[F(7, 10), F(3, 10)]))


def test_used_car_without_a_test():
    solution = solve(used_car(offered=False))
    assert solution.value == (290,)
    assert solution.best == ("buy",)
    assert solution.exact
    assert solution.regret == (0,)


def test_used_car_with_a_test():
    """The information is worth 13; after a failed test one does not buy."""
    solution = solve(used_car(offered=True))
    assert solution.value == (290 + 13,)
    assert solution.exact
    assert solution.best == ()  # there are two first information sets, and each has its own
    assert solution.strategy == {"Buyer": {"pass": {"buy": 1, "not": 0}, "fail": {"buy": 0, "not": 1}}}
    assert solution.notes[:2] == (
        "On average at pass: buy 10100/23, not 0.",
        "On average at fail: buy -1300/31, not 0.",
    )


def test_beliefs_are_weighed_by_bayes():
    positions = explore(used_car(offered=True))
    averages = belief_averages(positions, 0, clairvoyant_values(positions))
    assert [average[0] for average in averages] == [F(10100, 23), F(-1300, 31)]


def test_unseen_moves_count_as_random():
    solution = solve(matching_pennies())
    assert solution.value == (-1, 1)  # the second player is taken to see the penny
    assert solution.best == ("heads", "tails")
    second = tree("late", "AB", B("A", {a: B("B", {b: (a != b, -(a != b)) for b in "lr"}, "B") for a in "lr"}))
    assert not solve(second).exact


def test_first_mover_after_unseen_moves():
    """The mover's later set follows a hidden move of the other, three to two in favour of x if that is random."""
    reply = {a: B("A", {"x": (6 if a == "l" else 0,), "y": (2,)}, "later") for a in "lr"}
    pays = {a: B("A", {k: (v[0], -v[0]) for k, v in b.children.items()}, "later") for a, b in reply.items()}
    game = tree("hidden", "AB", B("A", {"go": B("B", pays), "stop": (1, -1)}, "first"))
    solution = solve(game)
    assert "On average at later: x 3, y 2." in solution.notes
    assert "Moves that A did not see are taken to be uniformly random." in solution.notes
    assert solution.strategy["A"]["later"] == {"x": 1, "y": 0}
    assert "promises A 2; its choices secure 0, but the best strategy secures 2." in solution.notes[-1]


def test_kuhn():
    solution = solve(kuhn())
    assert not solution.exact
    assert solution.best == ()
    assert "secure -1/6, but the best strategy secures -1/18." in solution.notes[-1]


@pytest.mark.slow
def test_open_games_are_minimax():
    solution = solve(TicTacToe())
    assert solution.exact
    assert solution.value == (0, 0)
    assert solution.best == tuple("012345678")


def test_exact_answers_carry_both_sides():
    """Guessing does not help where one side is better whatever the other does."""

    def reply(*leaves):
        return B("B", {"x": (leaves[0], -leaves[0]), "y": (leaves[1], -leaves[1])}, "B")

    game = tree("saddle", "AB", B("A", {"l": reply(3, 5), "r": reply(1, 2)}, "A"))
    solution = solve(game)
    assert solution.exact
    assert solution.value == (3, -3)
    assert regret(game, solution.strategy).regret == (0, 0)


@pytest.mark.parametrize("game", [prisoners(), minority()], ids=["general-sum", "three players"])
def test_refusals(game):
    with pytest.raises(Refusal, match="one player, or two with a constant sum"):
        solve(game)


def test_forgetting_leaves_the_best_strategy_open():
    assert "what the best strategy secures is not known." in solve(imperfect_recall()).notes[-1]

"""Nash equilibria: published facts, laws for random games, and honesty where the list is not all there is."""

import random
from fractions import Fraction as F
from itertools import accumulate, islice, product
from math import prod

import pytest
from games_by_hand import Branch as B
from games_by_hand import (
    Repeated,
    absent_minded,
    bimatrix,
    dealt,
    entry,
    kuhn,
    matching_pennies,
    minority,
    prisoners,
    tree,
    two_roads,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from late_clock import partial_answers

import gdl
from gdl.errors import LimitReached, Refusal
from gdl.errors.deadline import Deadline
from gdl.solvers.budget import Budget, SearchLimits
from gdl.solvers.equilibria.bimatrix import ExtremeSoFar, extreme_equilibria
from gdl.solvers.equilibria.nash import nash
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.regret import expectation, regret
from gdl.solvers.equilibria.simplex import minimax
from gdl.solvers.equilibria.strategic_form import strategic_form

HALF = F(1, 2)
THIRD = F(1, 3)

# first player's payoffs, second player's (None: zero-sum), equilibria as pairs of mixtures, whether these are all
MATRICES = {
    "prisoner's dilemma": ([[-1, -3], [0, -2]], [[-1, 0], [-3, -2]], [((0, 1), (0, 1))], True),
    "battle of the sexes": (
        [[2, 0], [0, 1]],
        [[1, 0], [0, 2]],
        [((1, 0), (1, 0)), ((0, 1), (0, 1)), ((F(2, 3), THIRD), (THIRD, F(2, 3)))],
        True,
    ),
    "coordination": (
        [[3, 1], [0, 2]],
        [[2, 1], [0, 3]],
        [((1, 0), (1, 0)), ((0, 1), (0, 1)), ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)))],
        True,
    ),
    "no pure one": ([[1, 3], [2, 0]], [[2, 1], [0, 3]], [((F(3, 4), F(1, 4)),) * 2], True),
    "two by three": (
        [[1, 1, -1], [2, -1, 0]],
        [[HALF, -1, -HALF], [-1, 3, 2]],
        [((F(2, 3), THIRD), (0, THIRD, F(2, 3)))],
        True,
    ),
    "dominance solvable": (
        [[3, -3, -3], [0, 3, -1], [-3, -3, 2]],
        [[-1, 1, 2], [1, 2, -1], [-2, 3, -3]],
        [((0, 1, 0), (0, 1, 0))],
        True,
    ),
    "a dominated row": (
        [[2, -1, 3], [1, -1, -2], [-1, 3, 2]],
        [[0, 0, 3], [-3, 3, 3], [-1, 3, 2]],
        [((1, 0, 0), (0, 0, 1)), ((0, 0, 1), (0, 1, 0)), ((F(1, 4), 0, F(3, 4)), (0, F(1, 5), F(4, 5)))],
        True,
    ),
    "an indifferent column": (
        [[3, 3, 3], [-2, 0, -1], [-1, -2, 3]],
        [[3, 3, 1], [0, 2, 1], [3, 0, -2]],
        [((1, 0, 0), (1, 0, 0)), ((1, 0, 0), (0, 1, 0))],
        False,
    ),
    "a continuum": (
        [[0, 0, 4], [4, 0, 0], [1, 1, 1]],
        [[4, 1, 0], [0, 1, 4], [3, 3, 3]],
        [
            ((0, 0, 1), (0, 1, 0)),
            ((0, 0, 1), (F(1, 4), F(3, 4), 0)),
            ((0, 0, 1), (0, F(3, 4), F(1, 4))),
            ((HALF, HALF, 0), (HALF, 0, HALF)),
            ((0, 0, 1), (F(1, 4), HALF, F(1, 4))),
        ],
        False,
    ),
    "pure coordination": (
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [
            *(((1, 0, 0),) * 2, ((0, 1, 0),) * 2, ((0, 0, 1),) * 2),
            *(((HALF, HALF, 0),) * 2, ((HALF, 0, HALF),) * 2, ((0, HALF, HALF),) * 2),
            ((THIRD, THIRD, THIRD),) * 2,
        ],
        True,
    ),
    "matching pennies": ([[1, -1], [-1, 1]], None, [((HALF, HALF),) * 2], True),
    "rock paper scissors": ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], None, [((THIRD,) * 3,) * 2], True),
    "two-finger Morra": ([[-2, 3], [3, -4]], None, [((F(7, 12), F(5, 12)),) * 2], True),
    "Blotto, 4 units against 3": (
        [[4, 2, 1, 0], [1, 3, 0, -1], [-2, 2, 2, -2], [-1, 0, 3, 1], [0, 1, 2, 4]],
        None,
        [
            ((F(4, 9), 0, F(1, 9), 0, F(4, 9)), (F(7, 90), F(16, 45), F(8, 15), F(1, 30))),
            ((F(4, 9), 0, F(1, 9), 0, F(4, 9)), (F(1, 30), F(8, 15), F(16, 45), F(7, 90))),
        ],
        False,
    ),
}


@pytest.mark.parametrize("first, second, expected, complete", MATRICES.values(), ids=MATRICES)
def test_matrices(first, second, expected, complete):
    solution = nash(bimatrix(first, second))
    assert mixtures(solution) == expected
    assert solution.complete is complete
    assert solution.regret == (0, 0)
    assert not solution.best
    assert any("degenerate" in note for note in solution.notes) is not complete


def mixtures(solution):
    """The equilibria of a matrix as pairs of rows."""
    return [
        tuple(tuple(profile[player]["start"].values()) for player in solution.players)
        for profile in solution.equilibria
    ]


VALUES = {
    "matching pennies": 0,
    "rock paper scissors": 0,
    "two-finger Morra": F(1, 12),
    "Blotto, 4 units against 3": F(14, 9),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_of_zero_sum_matrices(name):
    payoffs = MATRICES[name][0]
    assert nash(bimatrix(payoffs)).value == (VALUES[name], -VALUES[name])
    assert minimax(payoffs).value == VALUES[name]


def test_mendelsohn_games():
    """Both name a number from 1 to 5; the higher wins one, but exactly one higher loses two."""
    payoffs = [
        [0 if i == j else (1 if i > j else -1) * (-2 if abs(i - j) == 1 else 1) for j in range(5)] for i in range(5)
    ]
    mix = (F(1, 16), F(5, 16), F(1, 4), F(5, 16), F(1, 16))
    solution = nash(bimatrix(payoffs))
    assert mixtures(solution) == [(mix, mix)]
    assert solution.value == (0, 0)


def test_a_dominant_equilibrium_is_called_so():
    solution = nash(prisoners())
    assert solution.value == (-2, -2)
    assert solution.complete is True
    assert "betray is strictly dominant for Row and for Column." in solution.notes


def test_unequal_payoffs_have_no_value():
    assert nash(bimatrix(*MATRICES["battle of the sexes"][:2])).value is None


def test_more_than_two_players():
    """Someone is alone just if not all agree, and nobody else can become so."""
    solution = nash(minority())
    found = [
        tuple(next(a for a, x in profile[p]["start"].items() if x) for p in "ABC")
        for profile in solution.equilibria[:-1]
    ]
    assert found == [sides for sides in product("01", repeat=3) if len(set(sides)) == 2]
    assert solution.complete is None
    mixed = solution.equilibria[-1]
    assert all(row == {"0": HALF, "1": HALF} for own in mixed.values() for row in own.values())


def test_more_than_two_players_with_dominant_actions():
    game = minority()
    payoffs = {joint: tuple(int(side) for side in joint) for joint in product("01", repeat=3)}
    game.model.utilities.clear()
    game.model.utilities.update(payoffs)
    solution = nash(game)
    assert solution.complete is True
    assert solution.value == (1, 1, 1)


def veto():
    """The first player strikes one of a, b, c; the second chooses among the others."""
    worth = {"a": (2, 0), "b": (1, 1), "c": (0, 2)}
    replies = {x: B("2", {y: worth[y] for y in "abc" if y != x}, f"after {x}") for x in "abc"}
    return tree("veto", "12", B("1", replies, "strike"))


def stages():
    """Three decisions in a row, the first player's again last."""
    last = B("1", {"E": (0, 0), "F": (1, 2)}, "1b")
    return tree("stages", "12", B("1", {"A": (2, 0), "B": B("2", {"C": (3, 1), "D": last}, "2")}, "1a"))


PURE = {
    "stages": (stages(), [("A", "E", "D"), ("A", "F", "D"), ("B", "E", "C")]),
    "veto": (veto(), [("c", "b", "c", "b"), ("c", "c", "c", "b")]),
    "entry": (entry(), [("out", "fight"), ("in", "accommodate")]),
    "pennies": (matching_pennies(), []),
}


@pytest.mark.parametrize("game, expected", PURE.values(), ids=PURE)
def test_pure_equilibria_of_trees_in_full_plans(game, expected):
    found = [
        tuple(next(a for a, x in mixture.items() if x) for sets in profile.values() for mixture in sets.values())
        for profile in nash(game).equilibria
        if all(1 in mixture.values() for sets in profile.values() for mixture in sets.values())
    ]
    assert found == expected


def test_full_plans_stand_by_the_reduced_ones_with_which_they_agree():
    solution = nash(stages())
    (several, first), (alone, second) = solution.groups[:2]
    assert (several, first) == (2, {"1": {"1a": {"A": 1, "B": 0}}, "2": {"2": {"C": 0, "D": 1}}})
    assert (alone, second["1"]) == (1, {"1a": {"A": 0, "B": 1}, "1b": {"E": 1, "F": 0}})
    assert "equilibria 1, 2 and 4 pay 1 2, 2 0, of one outcome; the first: (A, D)" in str(solution).splitlines()
    assert nash(prisoners()).groups == ()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(6))
def test_groups_of_repeated_games_hold_every_equilibrium_in_full_plans_once(seed):
    """Each stands in the group of its reduced plans, and a group has all full plans that agree with these."""
    dice = random.Random(seed)
    first, second = ([[dice.randint(0, 3) for _ in range(2)] for _ in range(2)] for _ in range(2))
    solution = nash(Repeated(bimatrix(first, second), 2))
    sizes = [size for size, _ in solution.groups]
    assert sum(sizes) == (len(solution.equilibria) if solution.groups else 0)
    for (size, reduced), last in zip(solution.groups, accumulate(sizes), strict=True):
        for profile in solution.equilibria[last - size : last]:
            assert all(profile[player][name] == row for player in reduced for name, row in reduced[player].items())
        silent = [len(row) for p, sets in profile.items() for name, row in sets.items() if name not in reduced[p]]
        assert size in (1, prod(silent))


def test_components_are_told_by_the_numbers_of_the_list():
    """Mixed side by side, the equilibria of each are equilibria; in the list full plans stand before mixtures."""
    game = Repeated(prisoners(), 2)
    solution = nash(game)
    assert [size for size, _ in solution.groups] == [16, 1, 1, 1]
    assert any("Components: 1 to 16, 17, 18 and 19." in note for note in solution.notes)
    first, second = game.players
    mixed = {first: solution.equilibria[0][first], second: solution.equilibria[-1][second]}
    assert regret(game, mixed).regret == (0, 0)


def test_mixed_equilibrium_of_a_tree_with_chance():
    """Nobody sees what chance did, so this is a game of two by two."""

    def moves(*leaves):
        return B(
            "1",
            {"A": B("2", {"X": leaves[0], "Y": leaves[1]}, "2"), "B": B("2", {"X": leaves[2], "Y": leaves[3]}, "2")},
            "1",
        )

    left, right = moves((2, 1), (-1, 2), (1, -1), (0, 0)), moves((1, 0), (0, 1), (-1, 1), (2, -1))
    game = tree("chance", "12", B("chance", {"l": left, "r": right}, chances=[HALF, HALF]))
    solution = nash(game)
    assert solution.equilibria == ({"1": {"1": {"A": THIRD, "B": F(2, 3)}}, "2": {"2": {"X": HALF, "Y": HALF}}},)
    assert solution.value == (HALF, F(1, 6))


@pytest.mark.thorough
def test_large_zero_sum_games_by_linear_programming():
    """The 27 by 64 plans of Kuhn poker have too many supports to enumerate."""
    solution = nash(kuhn())
    assert solution.value == (F(-1, 18), F(1, 18))
    assert solution.complete is None
    assert regret(kuhn(), solution.equilibria[0]).regret == (0, 0)


@pytest.mark.thorough
def test_all_equilibria_of_a_larger_game():
    dice = random.Random(1)
    payoffs = [[[dice.randint(0, 99) for _ in range(12)] for _ in range(12)] for _ in range(2)]
    solution = nash(bimatrix(*payoffs))
    assert solution.complete and solution.regret == (0, 0)
    assert len(solution.payoffs) == len(solution.equilibria) > 4


def test_limit_on_the_table():
    with pytest.raises(LimitReached, match="2 x 2 x 2 cells, more than 3"):
        nash(minority(), cells=3)
    assert nash(prisoners(), cells=3).regret == (0, 0)  # by the sequence form
    twice = Repeated(bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]]), 2)
    assert nash(twice, cells=5).regret == (0, 0)
    with pytest.raises(LimitReached, match="at least 2 x 2 cells, more than 1"):
        nash(entry(), cells=1)  # of general sum: no sequence form
    with pytest.raises(LimitReached, match="seconds"):
        nash(kuhn(), SearchLimits(time=-1))
    assert nash(kuhn(), cells=20).value == (F(-1, 18), F(1, 18))  # by the sequence form


def test_one_player():
    game = tree("choice", "A", B("A", {"l": (1,), "m": (3,), "r": (3,)}, "set"))
    solution = nash(game)
    assert solution.value == (3,)
    assert len(solution.equilibria) == 2
    assert solution.complete is False


def test_one_player_with_too_many_plans():
    solution = nash(two_roads(), cells=1)
    assert solution.value == (10,)
    assert solution.equilibria[0]["MAX"]["roads"] == {"A": 1, "B": 0}
    assert solution.complete is None


def test_forgetful_players_are_refused():
    with pytest.raises(Refusal, match="forgets"):
        nash(absent_minded())


def test_repeated_dilemma():
    solution = nash(Repeated(prisoners(), 2))
    assert solution.value == (-4, -4)
    assert len(solution.equilibria) > 1  # promises after moves that nobody makes


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_laws_of_random_matrices(seed, zero_sum):
    """There is an equilibrium, all have no regret, and a game that is not degenerate has an odd number of them."""
    dice = random.Random(seed)
    height, width = dice.randint(1, 4), dice.randint(1, 4)
    first, second = ([[dice.randint(-9, 9) for _ in range(width)] for _ in range(height)] for _ in range(2))
    game = bimatrix(first, None if zero_sum else second)
    solution = nash(game)
    assert solution.equilibria
    judgements = [regret(game, profile) for profile in solution.equilibria]
    assert all(judgement.regret == (0, 0) for judgement in judgements)
    if zero_sum:
        assert {judgement.value[0] for judgement in judgements} == {minimax(first).value} == {solution.value[0]}
    if not extreme_equilibria(first, [[-a for a in row] for row in first] if zero_sum else second).degenerate:
        assert len(solution.equilibria) % 2 == 1
        assert solution.complete is True


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_laws_of_random_trees(seed):
    game = dealt(random.Random(seed), cards=1)
    solution = nash(game)
    assert all(regret(game, profile).regret == (0, 0) for profile in solution.equilibria)
    assert solution.equilibria or solution.complete is None


@pytest.mark.thorough
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_mixtures_of_plans_pay_what_their_behaviour_does(seed):
    dice = random.Random(seed)
    positions = explore(dealt(dice))
    form = strategic_form(positions)
    mixes = []
    for plans in form.plans:
        weights = [dice.randint(0, 2) for _ in plans]
        weights[0] += 1
        mixes.append(tuple(F(weight, sum(weights)) for weight in weights))
    expected = [
        sum(mixes[0][i] * mixes[1][j] * payoffs[player] for (i, j), payoffs in form.payoffs.items())
        for player in (0, 1)
    ]
    assert list(expectation(positions, form.behaviour(mixes))) == expected


def test_a_limit_while_equilibria_are_judged_leaves_those_found():
    game = bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    left = list(partial_answers(lambda: nash(game, SearchLimits(time=60))))
    met = [len(one.equilibria) for one in left]
    assert met == sorted(met) and {*met} == {0, 2, 3}  # the third is met while vertices are
    assert {one.limit for one in left} == {"stopped after 60 seconds, the limit set for this search"}


def test_a_limit_of_time_leaves_an_equilibrium_of_a_large_table():
    """One is found before all of them are looked for, and judged."""
    cycle = [[2 if i == j else 0 if (i - j) % 11 == 1 else 1 for j in range(11)] for i in range(11)]
    game = bimatrix(cycle, [[2 - x for x in row] for row in cycle])
    *_, partial = islice(partial_answers(lambda: nash(game, SearchLimits(time=60)), 40), 12)
    assert partial.equilibria and partial.payoffs and not any(partial.regret) and partial.complete is None


def test_a_limit_of_time_leaves_all_to_which_labels_lead():
    """Only the first was left, where the vertices of a table of 16x16 were too many to be met in time."""
    drawn = random.Random(0)
    tables = [[[drawn.randrange(100) for _ in range(11)] for _ in range(11)] for _ in "AB"]
    game = bimatrix(*tables)
    theirs = {str(one) for one in gdl.solve(game, "lemke-howson").equilibria}
    *_, partial = islice(partial_answers(lambda: nash(game, SearchLimits(time=60)), 400), 5)
    assert len(theirs) > 1 and theirs <= {str(one) for one in partial.equilibria}


def test_a_limit_before_there_is_a_table_leaves_an_equilibrium_of_a_tree():
    says = [f"say {k}" for k in range(4)]
    guess = {(h, say): B("2", {d: (d != h, d == h) for d in "LR"}, say) for h in "LR" for say in says}
    root = B("1", {h: B("1", {say: guess[h, say] for say in says}, f"with {h}") for h in "LR"}, "hide")
    game = tree("a coin and a word", "12", root)
    left = list(islice(partial_answers(lambda: nash(game, SearchLimits(time=60)), 20), 9))
    assert all(one.equilibria for one in left[2:])  # the first looks are those of the positions
    partial = left[-1]
    assert partial.payoffs == ((HALF, HALF),) and not any(partial.regret) and partial.complete is None
    assert partial.notes == ("The search was stopped: these equilibria need not be all.",)


def test_a_limit_while_vertices_are_met_leaves_the_equilibria_among_them():
    class Steps(Budget):
        left = 0

        def check_time(self):
            self.left -= 1
            if self.left < 0:
                raise LimitReached("stopped")

    same = [[int(i == j) for j in range(4)] for i in range(4)]
    every, met = extreme_equilibria(same, same).equilibria, []
    for steps in range(0, 30, 3):
        budget = Steps()
        budget.left = steps
        with pytest.raises(ExtremeSoFar) as stop:
            extreme_equilibria(same, same, budget)
        assert set(stop.value.equilibria) <= set(every)
        met.append(len(stop.value.equilibria))
    assert met == sorted(met) and 0 < met[-1] < len(every)


def test_after_a_limit_only_as_many_equilibria_are_judged_as_there_is_time_for():
    same = [[int(i == j) for j in range(12)] for i in range(12)]
    left = partial_answers(lambda: nash(bimatrix(same, same), SearchLimits(time=60)), 10, goes_on=True)
    partial = next(one for one in left if one.equilibria)
    assert len(partial.equilibria) == 1 and not any(partial.regret)
    assert partial.notes[-1] == "11 further ones had been found, and not judged yet."


def test_after_a_limit_no_equilibrium_is_judged_twice():
    """Mixed ones of three players are judged as they are found, and all of them are left, also behind pure ones."""
    met = set()
    for one in partial_answers(lambda: nash(minority(), SearchLimits(time=60)), goes_on=True):
        names = [str(each) for each in one.equilibria]
        assert len(names) == len(set(names))
        further = next((int(note.split()[0]) for note in one.notes if "not judged yet" in note), 0)
        met.add((len(names), further, any("Fraction" in name for name in names)))
    assert (1, 5, False) in met and (2, 5, True) in met


def test_not_all_time_goes_into_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was left for the attempts behind nash in a plan, where there were too many positions."""
    left: list[float | None] = []

    def recorded(game, budget):
        left.append(budget.seconds_left)
        return explore(game, budget)

    monkeypatch.setattr("gdl.solvers.equilibria.nash.explore", recorded)
    nash(gdl.load("one_card_poker"), SearchLimits(time=Deadline.starting_now(100)))
    assert left and left[0] is not None and left[0] < 70

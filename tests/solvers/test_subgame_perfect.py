"""Subgame-perfect equilibria: textbook trees, ties, stages with hidden moves."""

import itertools
import random
from fractions import Fraction as F

import pytest
from games_by_hand import Branch as B
from games_by_hand import (
    Repeated,
    TicTacToe,
    bimatrix,
    dealt,
    entry,
    inspection,
    kuhn,
    matrix,
    minority,
    prisoners,
    tree,
    two_roads,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from installed import without_wing
from verification import verify

from gdl.errors import LimitReached, Refusal
from gdl.formats.answer import to_object
from gdl.render.sentence import first_sentence
from gdl.solvers.budget import SearchLimits
from gdl.solvers.equilibria import subgame_perfect as module
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.regret import regret
from gdl.solvers.equilibria.subgame_perfect import SUBGAME_PERFECT, subgame_roots
from gdl.solvers.minimax.backward_induction import maxn

solve = SUBGAME_PERFECT.run


def chosen(profile):
    """The pure choices of a profile, by information set."""
    return {
        name: next(action for action, chance in mixture.items() if chance)
        for sets in profile.values()
        for name, mixture in sets.items()
    }


def nested(players, leaves, actions="12"):
    """A complete tree in which the players move in turn."""

    def build(node, depth):
        if not isinstance(node, list):
            return node
        return B(players[depth % len(players)], {str(k + 1): build(n, depth + 1) for k, n in enumerate(node)})

    return tree("nested", players, build(leaves, 0))


def alice_and_bob():
    replies = {
        "X": B("Bob", {"a": (4, 1), "b": (3, 5)}, "B1"),
        "W": B("Bob", {"c": B("Alice", {"Y": (4, 2), "Z": (3, 1)}, "A2"), "d": (2, 0)}, "B2"),
    }
    return tree("alice and bob", ("Alice", "Bob"), B("Alice", replies, "A1"))


def centipede(length=6):
    """Take the larger part of a growing pot, or pass it on."""
    node = (2**length, 2 ** (length - 1))
    for turn in reversed(range(length)):
        pots = (2 ** (turn + 1), 2**turn // 2)
        mover = turn % 2
        node = B("AB"[mover], {"take": pots if mover == 0 else pots[::-1], "pass": node})
    return tree("centipede", "AB", node)


TREES = {
    "entry": (entry(), (2, 1), ("in", "accommodate")),
    "alice and bob": (alice_and_bob(), (4, 2), ("W", "c", "Y")),
    "two players": (
        nested("AB", [[(10, 1), (8, 3), (3, 5)], [(2, 4), (15, 9), (7, 8)], [(6, 5), (5, 10), (4, 12)]]),
        (15, 9),
        ("2", "2"),
    ),
    "three players": (
        nested(
            "ABC",
            [[[(3, 7, 1), (5, 8, 6)], [(1, 2, 4), (8, 1, 3)]], [[(6, 4, 2), (2, 5, 5)], [(7, 6, 8), (4, 3, 7)]]],
        ),
        (7, 6, 8),
        ("2", "2", "1"),
    ),
    "centipede": (centipede(), (2, 0), ("take",)),
}


@pytest.mark.parametrize("game, value, line", TREES.values(), ids=TREES)
def test_trees_of_perfect_information(game, value, line):
    solution = solve(game)
    assert solution.value == value
    assert solution.line == line
    assert solution.best == line[:1]
    assert solution.complete is True
    assert not any(solution.regret)
    assert maxn(game).value == value


def test_threats_that_are_not_credible_go():
    assert [chosen(profile) for profile in solve(entry()).equilibria] == [{"market": "in", "entered": "accommodate"}]


def ties():
    """The second player does not care what the first gets, and the first is careful or not."""
    return tree("ties", "AB", B("A", {"out": (1, 0), "in": B("B", {"kind": (2, 0), "cruel": (0, 0)}, "B")}, "A"))


def test_ties_are_followed_up():
    solution = solve(ties())
    assert [chosen(profile) for profile in solution.equilibria] == [
        {"A": "in", "B": "kind"},
        {"A": "out", "B": "cruel"},
    ]
    assert solution.best == ("in", "out")  # the one to play first
    assert solution.value is None
    assert solution.complete is False  # the second player can mix
    assert "indifferent" in solution.notes[0]


@pytest.fixture
def without_lists_of_payoffs():
    """The wing that lists all payoffs of subgame-perfect equilibria is not installed."""
    with without_wing("theory"):
        yield


def test_too_many_ties_leave_one(without_lists_of_payoffs):
    solution = solve(ties(), most=1)
    assert [chosen(profile) for profile in solution.equilibria] == [{"A": "in", "B": "kind"}]
    assert solution.complete is False
    assert solution.value is None
    assert "more than 1 subgame-perfect" in solution.notes[0]


def test_tic_tac_toe():
    solution = solve(TicTacToe())
    assert solution.value == (0, 0)
    assert solution.best == tuple("012345678")
    assert len(solution.equilibria) == 1
    assert len(solution.line) == 9
    assert regret(TicTacToe(), solution.equilibria[0]).regret == (0, 0)


def test_repeated_dilemma_unravels():
    solution = solve(Repeated(prisoners(), 2))
    assert [set(chosen(profile).values()) for profile in solution.equilibria] == [{"betray"}]
    assert solution.value == (-4, -4)
    assert solution.complete is True


@pytest.mark.thorough
def test_repeated_battle_of_the_sexes_has_many(without_lists_of_payoffs):
    battle = bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    once, twice = solve(Repeated(battle, 1)), solve(Repeated(battle, 2), most=300)
    assert len(once.equilibria) == 3
    assert len(twice.equilibria) > 3
    assert all(not any(regret(Repeated(battle, 2), profile).regret) for profile in twice.equilibria)
    assert solve(Repeated(battle, 2)).notes[0].startswith("There are more than 64 subgame-perfect equilibria")


@pytest.mark.parametrize("periods, value", [(2, F(1, 3)), (3, F(1, 2))])
def test_inspection_game(periods, value):
    solution = solve(inspection(periods, 1))
    assert solution.value == (value, -value)
    assert not any(solution.regret)


def pennies(name, x, y):
    """Two who match pennies, the second not seeing what the first takes."""
    return B("B", {"l": B("A", {"x": x, "y": y}, name), "r": B("A", {"x": y, "y": x}, name)}, "B")


LINES = {
    "goes on where somebody does not see": (pennies("A2", (3, 1), (2, 0)), ("in", "l", "x")),
    "stops where somebody mixes": (pennies("A2", (3, 0), (0, 1)), ("in",)),
}


@pytest.mark.parametrize("after, line", LINES.values(), ids=LINES)
def test_the_line(after, line):
    game = tree("line", "AB", B("A", {"out": (0, 0), "in": after}, "A1"))
    solution = solve(game)
    assert solution.line == line
    assert verify(game, to_object(solution)).status("line")


def test_an_entry_before_a_battle():
    """The first player may stay out of a simultaneous game; each of its equilibria is a subgame's."""
    battle = {
        a: B("B", row, "B") for a, row in {"x": {"x": (3, 1), "y": (0, 0)}, "y": {"x": (0, 0), "y": (1, 3)}}.items()
    }
    game = tree("outside option", "AB", B("A", {"out": (2, 2), "in": B("A", battle, "A2")}, "A1"))
    solution = solve(game)
    assert len(solution.equilibria) == 3
    assert [chosen(profile)["A1"] for profile in solution.equilibria] == ["in", "out", "out"]
    assert list(subgame_roots(explore(game)))[:3] == [0, 1, 2]


@pytest.mark.thorough
def test_games_without_proper_subgames_are_one_stage():
    roots = [position for position in subgame_roots(explore(kuhn())) if explore(kuhn()).successors[position]]
    assert roots == [0]
    assert solve(kuhn()).value == (F(-1, 18), F(1, 18))


def test_one_player_with_a_hidden_world():
    solution = solve(two_roads())
    assert solution.value == (10,)
    assert all(chosen(profile)["roads"] == "A" for profile in solution.equilibria)


def test_in_a_stage_of_three_without_pure_equilibrium_a_mixed_one_is_found():
    """Jordan's pennies: A wants what B does, B what C does, C what A does not."""
    sides = {(a, b, c): (int(a == b), int(b == c), int(c != a)) for a in "HT" for b in "HT" for c in "HT"}
    found = solve(matrix("pennies for three", "ABC", ("HT", "HT", "HT"), sides))
    assert found.payoffs == ((F(1, 2),) * 3,) and found.complete is None and not any(found.regret)
    assert len(solve(minority()).equilibria) == 6


def test_a_stage_of_three_whose_equilibrium_is_no_fraction_is_refused():
    told = [(2, 1, 2), (1, 3, 1), (1, 0, 3), (1, 1, 1), (3, 1, 0), (0, 3, 0), (1, 3, 1), (1, 0, 2)]
    cells = dict(zip(itertools.product("HT", repeat=3), told, strict=True))
    with pytest.raises(Refusal, match="no pure equilibrium in the stage at start, nor a mixed one in fractions"):
        solve(matrix("three", "ABC", ("HT",) * 3, cells))


def test_one_of_very_many_is_not_called_the_value():
    """Three players share 3 in every end, and C, who moves last, gets 1 of it: how C breaks ties decides the rest."""
    tie = [(2, 0, 1), (0, 2, 1)]
    game = nested("ABC", [[[tie[:], tie[:]] for _ in range(2)] for _ in range(2)])
    assert game.traits.constant_sum == 3
    solution = solve(game)
    assert len(solution.equilibria) == 1
    assert (solution.complete, solution.value) == (False, None)
    assert solution.payoffs[0] in tie
    assert first_sentence(solution, "A").startswith("One equilibrium of several is ")


def test_limits(monkeypatch):
    with pytest.raises(LimitReached):
        solve(TicTacToe(), SearchLimits(nodes=100))
    monkeypatch.setattr(module, "TANGLED", 10)
    with pytest.raises(LimitReached, match="subgames are looked for among 10"):
        solve(kuhn())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_trees_without_ties_have_the_one_that_maxn_finds(seed):
    dice = random.Random(seed)
    numbers = [dice.sample(range(30), 30) for _ in range(3)]

    def build(depth):
        if depth == 3 or dice.random() < 0.2:
            return tuple(column.pop() for column in numbers)
        return [build(depth + 1) for _ in range(dice.randint(2, 3))]

    game = nested("ABC", [build(1), build(1)])
    solution = solve(game)
    assert solution.complete is True
    assert solution.value == maxn(game).value
    assert solution.best == maxn(game).best


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_all_that_is_found_is_an_equilibrium(seed):
    game = dealt(random.Random(seed), cards=1)
    solution = solve(game)
    assert all(not any(regret(game, profile).regret) for profile in solution.equilibria)

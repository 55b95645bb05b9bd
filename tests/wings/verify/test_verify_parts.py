"""The small programs of the verifier beside those of the solvers: two ways to find the same."""

from __future__ import annotations

import random
from fractions import Fraction as F
from typing import Any

import pytest
from answers_at_random import network
from games_by_hand import bimatrix, entry, kuhn, matrix
from small_games import Ruin
from together import together
from trees import random_tree, tree

from gdl.errors import DamagedData, Refusal
from gdl.game import Promises, require_number
from gdl.solvers.cyclic.cyclic import retrograde
from gdl.solvers.equilibria.bimatrix import extreme_equilibria
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.strategic_form import strategic_form
from gdl.solvers.minimax.backward_induction import backward_induction
from gdl.wings.verify import worth as values_of
from gdl.wings.verify.complete import extreme_equilibria as corners
from gdl.wings.verify.complete import find_undominated_cell
from gdl.wings.verify.open_numbers import Reader
from gdl.wings.verify.open_parts import ends, find_point, form_of, parts
from gdl.wings.verify.plans import VerifierPlans
from gdl.wings.verify.position_graph import collect
from gdl.wings.verify.verdict import Unchecked
from gdl.wings.verify.worth import Worths


@together(range(60))
def test_corners_of_polytopes_and_supports(seed: int) -> None:
    rng = random.Random(seed)
    rows, columns, most = rng.randint(1, 5), rng.randint(1, 5), rng.choice([1, 2, 9])
    one, other = ([[rng.randint(-most, most) for _ in range(columns)] for _ in range(rows)] for _ in range(2))
    assert set(corners(one, [*zip(*other, strict=True)])) == set(extreme_equilibria(one, other).equilibria)


def test_polytopes_with_too_many_corners_are_left() -> None:
    identity = [[int(i == j) for j in range(11)] for i in range(11)]
    with pytest.raises(Unchecked, match="more than 300 corners"):
        corners(identity, identity)


@together(range(120))
def test_endless_play_and_retrograde_analysis(seed: int) -> None:
    """Compares each position's value without chance; with chance, the values that the solver's strategies secure."""
    game = network(random.Random(seed))
    game.promises = Promises(forever=game.promises.forever or (0, 0))
    try:
        answer = retrograde(game)
    except Refusal:
        return
    ground = collect(game, 1_000)
    if not ground.cyclic:
        return
    if game.traits.chance is False:
        assert values_of.values(ground.positions, 0, game.promises.forever[0])[0] == answer.value[0]
    assert answer.strategy is not None
    for player, name in enumerate(game.players):
        rows = [answer.strategy[name].get(h.name) for h in ground.positions.information_sets]
        behaviour = tuple(None if row is None else tuple(row.values()) for row in rows)
        price = game.promises.forever[player]
        worth = values_of.least_payoffs(
            ground.positions, lambda end, p=player: require_number(end.utilities[p]), price, player, behaviour
        )
        assert worth[0] == answer.value[player]
        assert values_of.improve_strategies(ground.positions, player, price, answer.strategy)[0] == answer.value[player]


@pytest.mark.parametrize("chance", [F(1, 2), F(1, 3), F(3, 5)])
def test_the_gamblers_ruin(chance: F) -> None:
    """One player, chance, and no end of it: what is reached at most (Feller, volume 1, XIV.2)."""
    positions = collect(Ruin(2, 5, chance), 1_000).positions
    worth = -values_of.least_payoffs(positions, lambda end: -require_number(end.utilities[0]), 0)[0]
    odds = (1 - chance) / chance
    assert worth == (F(2, 5) if odds == 1 else (1 - odds**2) / (1 - odds**5))


def test_who_can_stay_for_ever_takes_the_price() -> None:
    rng = random.Random(5)
    found = [network(rng) for _ in range(200)]
    stay = [game for game in found if game.children[0] == [0] and game.traits.chance is False]
    for game in stay:
        assert values_of.values(collect(game, 100).positions, 0, 7)[0] == 7


@pytest.mark.parametrize("seed", range(20))
def test_plans_and_the_strategic_form(seed: int) -> None:
    rng = random.Random(seed)
    leaves = [(k, rng.randint(-2, 2)) for k in range(-2, 3)]
    game: Any = tree(random_tree(rng, 3, players="AB", leaves=leaves, chances=0.3, width=2), "AB")
    plans, twin = VerifierPlans(collect(game, 1_000).positions), strategic_form(explore(game))
    assert [len(own) for own in plans.of] == [len(own) for own in twin.plans]
    assert sorted(plans.table.values()) == sorted(twin.payoffs.values())


@pytest.mark.parametrize("game", [kuhn("JQ"), entry()])
def test_equal_weights_are_equal_behaviour(game: Any) -> None:
    plans, twin = VerifierPlans(collect(game, 1_000).positions), strategic_form(explore(game))
    for player, own in enumerate(plans.of):
        pure = [plans.weights_of_mix(player, [int(k == one) for k in range(len(own))]) for one in range(len(own))]
        assert len(set(pure)) == len(own)
        cells = [cell for cell in twin.payoffs if not any(k for p, k in enumerate(cell) if p != player)]
        assert {plans.weights_of(player, twin.pure(cell)) for cell in cells} == set(pure)


def test_dominance_by_a_mixture() -> None:
    """The third row is worse than half of each of the others, and then the columns can be compared."""
    game = bimatrix([[4, 0], [0, 4], [1, 1]], [[1, 0], [1, 0], [0, 9]])
    table = VerifierPlans(collect(game, 1_000).positions).table
    assert find_undominated_cell(table, [3, 2]) == (0, 0)
    joint = [("u", "l", "e"), ("u", "r", "e"), ("d", "l", "e"), ("d", "r", "e")]
    three = matrix(
        "three", "ABC", ["ud", "lr", "e"], dict(zip(joint, [(1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 0)], strict=True))
    )
    assert find_undominated_cell(VerifierPlans(collect(three, 1_000).positions).table, [2, 2, 1]) == (0, 0, 0)


@pytest.mark.parametrize("seed", range(20))
def test_plain_backward_induction(seed: int) -> None:
    game = tree(random_tree(random.Random(seed), 4, chances=0.2))
    worths = Worths(game, 10_000)
    assert worths.vector_at(game.initial(), None) == backward_induction(game).of[game.initial()]
    assert {state for state, _ in worths.found} == set(backward_induction(game).of)


def test_the_parts_of_a_line_are_found() -> None:
    """The greater of min(x, 3) and 2 - x, in order of the points at which it is computed."""
    found = []
    for part in parts(["x"], []):
        x = part.unknowns()["x"]
        least = x if x < 3 else 3
        most = least if least > 2 - x else 2 - x
        found.append((part.point["x"], *ends(["x"], "x", [], part.sides), part.is_open, form_of(most)))
    assert [one[1:] for one in sorted(found)] == [
        (None, 1, True, (("x", -1), 2)), (1, 1, False, (("x", -1), 2)), (1, 3, True, (("x", 1), 0)),
        (3, 3, False, (3,)), (3, None, True, (3,)),
    ]  # fmt: skip


def test_forms_that_differ_by_a_number_divide_nothing() -> None:
    (part,) = parts(["x"], [])
    x = part.unknowns()["x"]
    assert x < x + F(1, 2) < x + 1 and x - F(1, 2) < x and x + F(1, 2) > x - F(1, 2) and x == x + x * 0
    assert not part.sides and form_of(x * 0) == (0,)


@pytest.mark.parametrize(("promises", "count"), [
    ([], 13), ([({"x": 1}, 0), ({"y": 1}, 0)], 6), ([({"x": 1}, 0), ({"y": -1}, 0)], 4), ([({"x": 1}, 0), ({"x": -1}, -1)], 0),
], ids=["the-plane", "a-quarter", "where-lines-meet-in-a-corner", "nowhere"])  # fmt: skip
def test_the_parts_of_a_plane_are_found(promises: Any, count: int) -> None:
    """Three lines: each order of 0, x and y, with ties."""
    orders = set()
    for part in parts(["x", "y"], promises):
        x, y = part.unknowns().values()
        orders.add((x > y, x == y, x > 0, x == 0, y > 0, y == 0))
        assert find_point(["x", "y"], promises, part.sides) is not None
    assert len(orders) == count


@pytest.mark.parametrize(
    "text, terms, constant",
    [
        ("x", {"x": 1}, 0),
        ("3 - 2*x", {"x": -2}, 3),
        ("1/2*x + 1/2*y - 1", {"x": F(1, 2), "y": F(1, 2)}, -1),
        ("-x", {"x": -1}, 0),
        ("2/3", {}, F(2, 3)),
        ("-5", {}, -5),
    ],
)
def test_linear_forms_are_read(text: str, terms: dict[str, Any], constant: Any) -> None:
    assert Reader(["x", "y"]).linear(text) == (terms, constant)


@pytest.mark.parametrize("text", ["x y", "2x", "x**2", "z", "1/0*x", "3 3"])
def test_what_is_no_linear_form_is_refused(text: str) -> None:
    with pytest.raises(DamagedData, match="belongs"):
        Reader(["x", "y"]).linear(text)


def test_comparisons_are_read() -> None:
    reader = Reader(["x", "y"])
    assert reader.holds("2 < x <= 3", {"x": 3, "y": 0})
    assert not reader.holds("2 < x < 3", {"x": 3, "y": 0})
    assert reader.holds("x > y", {"x": 1, "y": F(1, 2)})
    with pytest.raises(DamagedData, match="belongs"):
        reader.holds("x", {"x": 1, "y": 0})

"""Lemke and Howson's paths: where they end nobody gains by deviating, in degenerate and in large games too."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from games_by_hand import bimatrix
from verification import verify

import gdl
from gdl.errors import Refusal
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria import lemke_howson
from gdl.solvers.equilibria.bimatrix import extreme_equilibria, maximal_components
from gdl.solvers.equilibria.lemke_howson import path
from gdl.solvers.equilibria.tableau import Tableau, positive

Rows = list[list[int]]


def tables(seed: int, m: int, n: int, most: int) -> tuple[Rows, Rows]:
    dice = random.Random(seed)
    one, other = ([[dice.randint(0, most) for _ in range(n)] for _ in range(m)] for _ in range(2))
    return one, other


def is_equilibrium(rows: Rows, columns: Rows, x: Any, y: Any) -> bool:
    """Whatever is played pays most, and the weights sum to one."""
    mine = [sum(a * q for a, q in zip(row, y, strict=True)) for row in rows]
    yours = [sum(columns[i][j] * p for i, p in enumerate(x)) for j in range(len(y))]
    fair = sum(x) == sum(y) == 1 and min(*x, *y) >= 0
    return fair and all(
        pays == max(all_)
        for weights, all_ in ((x, mine), (y, yours))
        for w, pays in zip(weights, all_, strict=True)
        if w
    )


@pytest.mark.parametrize(("m", "n", "most"), [(2, 2, 3), (3, 3, 1), (4, 3, 2), (3, 5, 9), (6, 6, 4), (5, 5, 0)])
def test_every_label_leads_to_an_equilibrium(m: int, n: int, most: int) -> None:
    """Payoffs from 0 to 1 make almost every game degenerate."""
    for seed in range(12):
        rows, columns = tables(seed, m, n, most)
        for label in range(m + n):
            x, y = path(rows, columns, label, Budget())
            assert is_equilibrium(rows, columns, x, y), (seed, label)


def test_in_a_game_that_is_not_degenerate_it_is_an_extreme_one() -> None:
    for seed in range(10):
        rows, columns = tables(seed, 5, 5, 9999)
        every = extreme_equilibria(rows, columns)
        assert not every.degenerate and len(every.equilibria) % 2 == 1
        assert {path(rows, columns, label, Budget()) for label in range(10)} <= set(every.equilibria)


@pytest.mark.parametrize("size", [25, 40])
def test_floating_point_finds_what_whole_numbers_prove(size: int) -> None:
    rows, columns = tables(size, size, size, 999)
    x, y = path(rows, columns, 0, Budget())
    assert is_equilibrium(rows, columns, x, y)
    replies = positive([[columns[i][j] for i in range(size)] for j in range(size)])
    found = lemke_howson.follow_float_path(replies, positive(rows), 0, Budget())
    assert found is not None
    scaled = [tuple(Fraction(w) / sum(map(Fraction, side)) for w in side) for side in found]
    assert scaled == [x, y]


def test_where_floating_point_is_lost_another_label_does(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, columns = tables(25, 25, 25, 999)
    asked, ended = [], lemke_howson.follow_float_path

    def lost_at_first(replies: Any, own: Any, label: int, budget: Budget) -> Any:
        asked.append(label)
        return None if label < 2 else ended(replies, own, label, budget)

    monkeypatch.setattr("gdl.solvers.equilibria.lemke_howson.follow_float_path", lost_at_first)
    found = path(rows, columns, None, Budget())
    assert asked == [0, 1, 2] and is_equilibrium(rows, columns, *found)
    assert found == path(rows, columns, 2, Budget())


def test_what_floating_point_gets_wrong_is_forgotten() -> None:
    replies = positive([[1, 2], [2, 1]])
    assert lemke_howson.verify_equilibrium(replies, replies, [0, 1], [0, 1]) is not None
    assert lemke_howson.verify_equilibrium(replies, replies, [0, 3], [2, 1]) is None


def test_hide_and_seek_on_fourteen_places() -> None:
    """Only a mixed equilibrium: the seeker is indifferent between the places, worth k to the hider in place k."""
    count = 14
    hider = [[(0 if i == j else i + 1) for j in range(count)] for i in range(count)]
    seeker = [[int(i == j) for j in range(count)] for i in range(count)]
    game = bimatrix(hider, seeker)
    found = solve(game)
    assert found.solver == "nash" and found.complete and found.regret == (0, 0)
    assert solve(game, "lemke-howson").equilibria == found.equilibria


@pytest.mark.thorough
def test_a_large_table_has_one_equilibrium_at_least() -> None:
    rows, columns = tables(1, 24, 24, 99)
    game = bimatrix(rows, columns)
    found = solve(game)
    assert found.complete is None and found.equilibria and not any(found.regret or (1,))
    assert any("Lemke and Howson" in note for note in found.notes)
    assert verify(game, to_object(found)).ok


def test_labels_by_number() -> None:
    game = gdl.load("battle_of_the_sexes")
    one = solve(game, "lemke-howson", label=1)
    assert len(one.equilibria) == len(one.payoffs) == 1 and one.regret == (0, 0)
    assert len(solve(game, "lemke-howson").equilibria) == 2  # no label leads to the mixed one
    with pytest.raises(Refusal, match="a label is a number from 1 to 4: a strategy of He or of She"):
        solve(game, "lemke-howson", label=5)


def test_components_of_a_degenerate_game() -> None:
    """Two strategies that are the same make squares of equilibria."""
    pairs = [("a", "u"), ("a", "v"), ("b", "u"), ("b", "v"), ("c", "v"), ("d", "w")]
    assert maximal_components(pairs) == [(0, 1, 2, 3), (1, 3, 4), (5,)]
    assert maximal_components([]) == []


def test_components_of_random_games_hold_every_equilibrium() -> None:
    for seed in range(30):
        rows, columns = tables(seed, 3, 4, 1)
        every = extreme_equilibria(rows, columns).equilibria
        components = maximal_components(every)
        assert sorted({k for one in components for k in one}) == list(range(len(every)))
        for one in components:
            for i in one:
                for j in one:
                    assert is_equilibrium(rows, columns, every[i][0], every[j][1])
            xs, ys = {every[k][0] for k in one}, {every[k][1] for k in one}
            assert len(one) == len(xs) * len(ys)
            for x, y in every:  # nothing can be added
                if x not in xs and all(is_equilibrium(rows, columns, x, other) for other in ys):
                    raise AssertionError("a first side is missing")
                if y not in ys and all(is_equilibrium(rows, columns, other, y) for other in xs):
                    raise AssertionError("a second side is missing")


def test_a_tableau_stays_whole() -> None:
    tableau = Tableau.from_system(positive([[3, 1, 4], [1, 5, 9]]))
    tableau.enter(0)
    tableau.enter(2)
    assert all(isinstance(a, int) for row in tableau.rows for a in row)
    assert sorted((*tableau.over, *tableau.under)) == list(range(5))


@pytest.mark.thorough_of("large")
@pytest.mark.parametrize("large", [1, 10**400], ids=["small", "large"])
def test_what_leaves_is_what_leaves_where_the_sides_are_a_little_larger(large: int) -> None:
    """The rows of a basis by elimination in fractions, the sides 1 + e, 1 + e^2, …; also where a ratio is too large for
    a float."""
    rng = random.Random(large)
    for _ in range(12):
        system = [[rng.choice([1, 1, 2, 3]) * rng.choice([1, large]) for _ in range(3)] for _ in range(4)]
        tableau, e = Tableau.from_system(system), Fraction(1, 10**9) / large**4
        rows = [
            [*map(Fraction, row), *(Fraction(int(k == i)) for k in range(4)), 1 + e ** (i + 1)]
            for i, row in enumerate(system)
        ]
        for _ in range(8):
            found = tableau.leaving()
            for entering, leaving in zip(tableau.over, found, strict=True):
                ratios = {row[-1] / row[entering]: i for i, row in enumerate(rows) if row[entering] > 0}
                assert leaving == ratios[min(ratios)]
            c = rng.randrange(3)
            entering, leaving = tableau.over[c], found[c]
            tableau.pivot(leaving, c)
            head = [x / rows[leaving][entering] for x in rows[leaving]]
            rows = [head if i == leaving else [x - row[entering] * y for x, y in zip(row, head, strict=True)]
                    for i, row in enumerate(rows)]  # fmt: skip

"""The best plan of a lone player who forgets."""

from __future__ import annotations

import random
from fractions import Fraction as F
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner
from trees import Inner, node, tree

import gdl
from gdl.commands.cli import commands
from gdl.solvers import solve
from gdl.solvers.equilibria.polynomials import complementary_root, greatest_place, polynomial, value

D = node("D")


def driver(*pays: int) -> Any:
    """Exits that pay so; going on at the last pays the last."""
    place: Any = pays[-1]
    for pay in reversed(pays[:-1]):
        place = D(exit=pay, on=place, infoset="road")
    return tree(place, ("D",), "driver")


def test_the_absent_minded_driver() -> None:
    found = solve(driver(0, 4, 1))
    assert (found.solver, found.value, found.exact) == ("forgetful", (F(4, 3),), True)
    assert found.strategy == {"D": {"road": {"exit": F(1, 3), "on": F(2, 3)}}}


def test_an_irrational_plan_is_told_by_its_polynomial() -> None:
    found = solve(driver(0, 5, 1, 0))
    assert not found.exact and found.rounded and found.value is not None and found.interval is not None
    (low, high) = found.interval[0]
    assert low is not None and high is not None and 0 < high - low < F(1, 10**30)
    p = max(range(100_001), key=lambda k: (1 - k / 1e5) * (5 * k / 1e5 + (k / 1e5) ** 2)) / 1e5
    assert found.value[0] == pytest.approx((1 - p) * (5 * p + p * p), abs=1e-8)
    roots = found.roots[0]["D"]
    for action, root in roots.items():
        assert found.strategy is not None
        f = polynomial(root.polynomial)
        assert value(f, F(root.low)) * value(f, F(root.high)) < 0
        assert root.low <= found.strategy["D"]["road"][action] <= root.high
    assert F(roots["on"].low) + F(roots["exit"].high) == 1


def test_who_forgets_but_is_never_twice_at_a_place_needs_no_mixing() -> None:
    """Coordinating with oneself: the second move cannot depend on the first, nor need it."""
    second = {"l": D(l=3, r=0, infoset="again"), "r": D(l=0, r=2, infoset="again")}
    found = solve(tree(D(**second, infoset="begin"), ("D",), "twins"))
    assert (found.value, found.exact) == ((3,), True)


def test_rules_that_forget() -> None:
    text = (
        "players Driver\nstate\n    passed: 0..2 visible to none\n    left: Boolean\n"
        "action exit\n    left := true\naction on\n    passed := passed + 1\n    forget\n"
        "terminal\n    left -> if passed = 1 then 4 else 0\n    passed = 2 -> 1\n"
    )
    assert solve(gdl.loads(text).game).value == (F(4, 3),)


def test_several_to_mix_are_found_but_not_proved() -> None:
    three = D(a=D(a=0, b=3, c=0, infoset="x"), b=D(a=0, b=0, c=3, infoset="x"), c=0, infoset="x")
    found = solve(tree(three, ("D",), "three"))
    assert not found.exact and found.value is not None and found.value[0] >= F(3, 4)
    assert any("is not proved" in note for note in found.notes)


def test_the_command_line_warns_and_answers(tmp_path: Any) -> None:
    file = tmp_path / "driver.game"
    file.write_text(
        "players D\ntree\n    D in road\n        exit: 0\n        on: D in road (exit: 4, on: 1)\n", encoding="utf-8"
    )
    done = CliRunner().invoke(commands, ["solve", str(file)])
    assert "recall is imperfect" in done.stderr and "D gets 4/3 on average" in done.stdout


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(30))
def test_random_forgetful_trees(seed: int) -> None:
    """No plan on a grid is better than the best; a polynomial is greatest where it is said to be."""
    rng = random.Random(seed)

    def grown(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.2:
            return rng.randint(0, 9)
        name = rng.choice(("x", "x", "y"))
        return Inner("D", ["1", "2"], [grown(depth - 1), grown(depth - 1)], information_set=name)

    root = Inner("D", ["1", "2"], [grown(3), grown(3)], information_set="x")
    found = solve(tree(root, ("D",), "forgetful"), "forgetful") if _forgets(root) else None
    if found is None or found.value is None:
        return

    def worth(place: Any, share: dict[str, float]) -> float:
        if not isinstance(place, Inner):
            return float(place)
        p = share[str(place.information_set)]
        return p * worth(place.children[0], share) + (1 - p) * worth(place.children[1], share)

    grid = [k / 40 for k in range(41)]
    best = max(worth(root, {"x": p, "y": q}) for p, q in product(grid, grid))
    assert float(found.value[0]) >= best - 1e-9 or not found.exact
    assert float(found.value[0]) >= max(worth(root, {"x": p, "y": q}) for p, q in product((0, 1), (0, 1)))


def _forgets(root: Inner) -> bool:
    return any(isinstance(child, Inner) for child in root.children)


@pytest.mark.parametrize("seed", range(20))
def test_polynomials_are_greatest_where_they_are_said_to_be(seed: int) -> None:
    rng = random.Random(seed)
    f = polynomial([rng.randint(-9, 9) for _ in range(rng.randint(1, 6))])
    peak = greatest_place(f)
    seen = max(value(f, F(k, 500)) for k in range(501))
    assert peak.high >= seen and 0 <= peak.at <= 1
    assert peak.low <= value(f, F(peak.at)) <= peak.high
    assert abs(seen - peak.low) < F(1, 100)
    if peak.root is not None:
        other = complementary_root(peak.root)
        g = polynomial(other.polynomial)
        assert value(g, F(other.low)) * value(g, F(other.high)) < 0

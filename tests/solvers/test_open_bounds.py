"""Conditions with min and max on numbers left open: true at every point, short, quick, and under assumptions."""

from __future__ import annotations

import json
import random
import time
from itertools import product
from math import inf
from typing import Any

import pytest
from click.testing import CliRunner
from test_unknowns import ALWAYS, HALF, holds, put, skipped, told, true, valued, worth
from trees import MAX, MIN, Inner, chance, random_tree, tree, unknown

import gdl
from gdl.commands.cli import commands
from gdl.errors import LimitReached, Refusal
from gdl.formats import answer
from gdl.solvers import solve
from gdl.solvers.open_numbers.lattice import Comparison, Lattice, extreme, possible, simplify

FINAL = """game "final"
players MAX, MIN
tree MAX r (u1: MIN U1 (u1_A: ?A, u1_X: MAX X (u1_B: ?B, u1_C: ?C)),
            u2: MIN U2 (u2_D: ?D, u2_E: MAX Y (e: ?E, f: ?F)))
"""


def run(tmp_path: Any, text: str, *words: str) -> Any:
    (tmp_path / "open.game").write_text(text)
    return CliRunner().invoke(commands, ["solve", str(tmp_path / "open.game"), *words])


def test_conditions_of_an_exam_tree_are_read_off_its_bounds(tmp_path: Any) -> None:
    lines = run(tmp_path, FINAL).stdout.splitlines()
    assert "u2_E is pruned exactly when D <= min(A, max(B, C))." in [line.strip() for line in lines]
    assert "u1_C is pruned exactly when A <= B." in [line.strip() for line in lines]
    strict = run(tmp_path, FINAL, "--cut", "gt").stdout
    assert "u2_E is pruned exactly when D < min(A, max(B, C))." in strict
    expanded = solve(gdl.loads("players MAX, MIN\ntree MAX(MIN(?A, MAX(?B, 3)), MIN(?D, 1))").game, expand=True)
    assert not any("min(" in text for c in expanded.conditions for case in c.cases for text in case)


def test_six_numbers_are_multiplied_out_at_once() -> None:
    begun = time.process_time()
    answer = solve(gdl.loads(FINAL).game, expand=True)
    assert time.process_time() - begun < 5
    texts = {str(one.subject): one.text for one in answer.conditions if one.what == "pruned"}
    assert texts["(1, 1)"] == "D <= A and D <= B, or D <= A and D <= C"


def test_an_assumption_decides_what_is_always_or_never_so(tmp_path: Any) -> None:
    def under(*assumed: str) -> dict[str, str]:
        words = [word for one in assumed for word in ("--assume", one)]
        data = json.loads(run(tmp_path, FINAL, *words, "--json").stdout)
        return {str(c["of"]): c["status"] for c in data["conditions"] if c["what"] == "pruned"}

    assert under("D <= A") == {"[0, 1, 1]": "sometimes", "[1, 1]": "sometimes", "[1, 1, 1]": "sometimes"}
    assert under("D <= A", "B >= max(C, D)") == {"[0, 1, 1]": "sometimes", "[1, 1]": "always"}
    assert under("D > A")["[1, 1]"] == "never"
    data = json.loads(run(tmp_path, FINAL, "--assume", "B ≥ max(C, D)", "--json").stdout)
    found = {str(c["of"]): c["if"] for c in data["conditions"] if c["what"] == "pruned"}
    assert found["[1, 1]"] == "D <= A"
    assert data["options"] == {"assume": ["B ≥ max(C, D)"]}


def test_one_number_and_chance_are_answered_under_an_assumption_too() -> None:
    one = solve(tree(MAX(3, MIN(unknown("x"), 5))), assume=("x > 3 and x <= 9",))
    assert told(one, "best") == {"1": (), "2": ALWAYS} and told(one, "pruned") == {(1, 1): ()}
    game = tree(MAX(chance((HALF, unknown("x")), (HALF, unknown("y"))), 3))
    assert told(solve(game, assume=("x >= 4", "y >= 2")), "best") == {"1": ALWAYS, "2": (("x + y <= 6",),)}
    with pytest.raises(Refusal, match="holds in several ways"):
        solve(game, assume=("x <= max(y, 3)",))


@pytest.mark.parametrize(
    "assumed", ["x", "x > zz", "x or y", "x != y", "x < y or y < x", "f(x) > 3", "min() < x", "x in y", "x > " * 400]
)
def test_what_cannot_be_assumed(assumed: str) -> None:
    game = tree(MAX(MIN(unknown("x"), 5), MIN(unknown("y"), 4)))
    with pytest.raises(Refusal, match="cannot be assumed"):
        solve(game, assume=(assumed,))
    with pytest.raises(Refusal, match="can never hold"):
        solve(game, assume=("x < y", "y < min(x, 3)"))


def test_where_nothing_is_known_no_action_is_named(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The headline named the first legal action as the one that MAX plays."""
    monkeypatch.setattr("gdl.solvers.open_numbers.unknowns.MAX_PARTS", 3)
    done = run(tmp_path, FINAL.replace("?F", "chance (1/2: 0, 1/2: ?F)"))
    assert done.exit_code == 4 and "plays" not in done.stdout and "best" not in done.stdout


@pytest.mark.thorough_of("gt-True", "ge-True")
@pytest.mark.parametrize(("cut", "expand"), [("ge", False), ("gt", False), ("ge", True), ("gt", True)])
def test_conditions_agree_with_a_search_at_every_point(cut: Any, expand: bool) -> None:
    rng = random.Random(f"bounds {cut}")
    for _ in range(15):
        root = random_tree(rng, 4, leaves=range(6))
        names = ["x", "y", "z", "x"]
        if not isinstance(root, Inner) or not put(rng, root, names):
            continue
        solution = solve(tree(root), cut=cut, expand=expand)
        for _ in range(40):
            at = {name: rng.choice([-1, 0, 1, 1.5, 2, 3, 3.5, 4, 5, 6]) for name in names}
            value = worth(root, at)
            out: list[Any] = []
            assert skipped(root, at, cut, -inf, inf, (), out) == value
            found = {what: [c for c in solution.conditions if c.what == what] for what in ("best", "value", "pruned")}
            assert sorted(c.subject for c in found["pruned"] if holds(c, at)) == sorted(out)
            best = [a for a, child in zip(root.actions, root.children, strict=True) if worth(child, at) == value]
            assert [c.subject[0] for c in found["best"] if holds(c, at)] == best
            assert {valued(str(c.subject[0]), at) for c in found["value"] if holds(c, at)} == {value}
            assert not any("min(" in c.text or "max(" in c.text for c in solution.conditions) or not expand
            (x,) = [one for one in solution.unknowns["x"] if lies_in(one, at["x"])]
            assert x.value is None or valued(str(x.value[0]), at) == value
            assert x.best is None or list(x.best) == best
            assert x.pruned is None or sorted(x.pruned) == sorted(out)
            assert all(holds(c, at) for c in solution.conditions if c.status == "always")


def lies_in(one: Any, point: Any) -> bool:
    above = one.low is None or point > one.low or (point == one.low and one.closed[0])
    return above and (one.high is None or point < one.high or (point == one.high and one.closed[1]))


def random_lattice(rng: random.Random, depth: int) -> Lattice:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["x", "y", "z", 1, 2])
    return extreme(rng.choice([1, -1]), *(random_lattice(rng, depth - 1) for _ in range(rng.randint(2, 3))))


@pytest.mark.thorough
def test_whether_comparisons_can_hold_at_once_is_decided_exactly() -> None:
    """Unknowns matter by their order among each other and the numbers alone: a grid with gaps has every order."""
    rng = random.Random(5)
    grid = [0, 0.3, 0.6, 1, 1.2, 1.5, 1.8, 2, 3, 4, 5]
    for _ in range(40):
        texts = [Comparison(random_lattice(rng, 2), random_lattice(rng, 2), rng.random() < 0.6) for _ in range(3)]
        points = [dict(zip("xyz", point, strict=True)) for point in product(grid, repeat=3)]
        fitting = [point for point in points if all(true(str(one), point) for one in texts)]
        assert possible(texts) == bool(fitting)
        short = simplify(texts, ())
        assert (short is None) == (not fitting)
        if short is not None:
            assert [point for point in points if all(true(str(one), point) for one in short)] == fitting
            assert sum(map(len, map(str, short))) <= sum(map(len, map(str, texts)))


@pytest.mark.thorough
def test_ten_unknowns_and_thirty_leaves_take_less_than_a_second() -> None:
    rng = random.Random(3)
    leaves = [f"?x{k}" if k < 10 else str(rng.randint(0, 20)) for k in range(30)]
    rng.shuffle(leaves)
    middle = [f"MAX({', '.join(leaves[k : k + 3])})" for k in range(0, 30, 3)]
    text = f"players MAX, MIN\ntree MAX({', '.join(f'MIN({middle[k]}, {middle[k + 1]})' for k in range(0, 10, 2))})\n"
    game = gdl.loads(text).game
    start = time.process_time()
    solution = solve(game)
    assert time.process_time() - start < 1 and len(solution.unknowns) == 10
    with pytest.raises(LimitReached, match="compared at once"):
        solve(gdl.loads(f"players MAX, MIN\ntree MAX({', '.join(f'?x{k}' for k in range(20))})").game)


@pytest.mark.thorough
def test_the_verifier_reads_min_and_max_and_finds_what_is_false(tmp_path: Any) -> None:
    pytest.importorskip("gdl.wings.verify")
    game = gdl.loads(FINAL).game
    for words, right in (([], 0), (["--assume", "B >= max(C, D)"], 4)):
        data = run(tmp_path, FINAL, *words, "--json").stdout
        for text, code in (
            (data, right),
            (data.replace('"D <= ', '"E <= '), 1),
            (data.replace("max(min", "min(min"), 1),
        ):
            (tmp_path / "answer.json").write_text(text)
            done = CliRunner().invoke(commands, ["verify", str(tmp_path / "open.game"), str(tmp_path / "answer.json")])
            assert done.exit_code == code, done.stdout
            assert ("what was looked at is true" in done.stdout) == (code == 4)
    assert json.loads(answer.write(solve(game)))["conditions"][0]["status"] == "sometimes"

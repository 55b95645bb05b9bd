"""Numbers left open: breakpoints are exact, and what holds between them is what a search at any point there finds."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from math import inf
from typing import Any

import pytest
from trees import MAX, MIN, Inner, chance, node, random_tree, tree, unknown

import gdl
from gdl.errors import GameError, LimitReached, Refusal
from gdl.formats import answer
from gdl.game import Number, Unknown, exact
from gdl.graph import GraphGame, state_graph
from gdl.render.text import solution_text
from gdl.solution import Condition, Interval, Path, Solution
from gdl.solvers import SOLVERS, solve
from gdl.solvers.open_numbers.unknowns import unknowns

HALF = Fraction(1, 2)


def told(solution: Solution, what: str) -> dict[Any, Any]:
    return {
        c.subject if what in ("pruned", "equilibrium") else c.subject[0]: c.cases
        for c in solution.conditions
        if c.what == what
    }


ALWAYS = ((),)


# ---- By hand --------------------------------------------------------------------------------------------------------


def test_unknowns_that_do_not_matter() -> None:
    answer = solve(tree(MAX(MIN(3, 12, 8), MIN(2, unknown("x"), unknown("y")), MIN(14, 5, 2))))
    assert (answer.solver, answer.exact) == ("unknowns", True)
    assert (answer.value, answer.best, answer.line) == ((3, -3), ("1",), ("1", "1"))
    assert (answer.nodes, answer.leaves) == (11, 7)
    assert [skipped.path for skipped in answer.pruned] == [(1, 1), (1, 2)]
    whole = Interval(None, None, (False, False), ("1",), (3, -3), ((1, 1), (1, 2)))
    assert answer.unknowns == {"x": (whole,), "y": (whole,)}
    assert solution_text(answer).startswith("MAX wins 3 by playing 1, whatever x and y are.")


def figure(x: Any) -> Inner:
    return MAX(a1=MIN(3, 12, 8, label="B"), a2=MIN(c1=x, c2=4, c3=6, label="C"), a3=MIN(14, 5, 2, label="D"), label="A")


def test_breakpoints_of_figure_5_2() -> None:
    answer = solve(tree(figure(unknown("x"))))
    assert told(answer, "best") == {"a1": (("x <= 3",),), "a2": (("x >= 3",),)}
    assert told(answer, "value") == {"3": (("x <= 3",),), "x": (("3 <= x <= 4",),), "4": (("x >= 4",),)}
    assert told(answer, "pruned") == {(1, 1): (("x <= 3",),), (1, 2): (("x <= 3",),)}
    assert (answer.value, answer.best) == (None, ())
    assert answer.unknowns["x"] == (
        Interval(None, 3, (False, False), ("a1",), (3, -3), ((1, 1), (1, 2))),
        Interval(3, 3, (True, True), ("a1", "a2"), (3, -3), ((1, 1), (1, 2))),
        Interval(3, 4, (False, True), ("a2",), ("x", "-x"), ()),
        Interval(4, None, (False, False), ("a2",), (4, -4), ()),
    )


def test_the_strict_rule_keeps_what_is_equal() -> None:
    answer = solve(tree(figure(unknown("x"))), cut="gt")
    assert answer.solver == "unknowns"
    assert told(answer, "pruned") == {(1, 1): (("x < 3",),), (1, 2): (("x < 3",),)}


def test_words() -> None:
    game = tree(figure(unknown("x")))
    text = solution_text(solve(game), game)
    assert text.splitlines()[:5] == [
        "The answer depends on x.",
        "",
        "a1 is best for x <= 3, a2 for x >= 3.",
        "The value for MAX is 3 for x <= 3, x for 3 <= x <= 4, 4 for x >= 4.",
        "c2 and c3 are pruned exactly when x <= 3.",
    ]


def test_json() -> None:
    data = json.loads(answer.write(solve(tree(figure(unknown("x"))))))
    assert data["unknowns"]["x"][0] == {
        "from": None, "to": "3", "ends": ["open", "open"], "best": ["a1"], "value": {"MAX": 3, "MIN": -3},
        "pruned": [[1, 1], [1, 2]],
    }  # fmt: skip
    assert data["unknowns"]["x"][2]["value"] == {"MAX": "x", "MIN": "-x"}
    assert data["unknowns"]["x"][2]["ends"] == ["open", "closed"]
    assert "value" not in data


def test_one_unknown_at_several_places_and_several_roots() -> None:
    answer = solve(tree(MAX(chance((HALF, unknown("x")), (HALF, 3)), MIN(unknown("x"), 7))))
    assert told(answer, "best") == {"1": (("x <= 3",), ("x >= 11",)), "2": (("3 <= x <= 11",),)}
    assert told(answer, "value") == {
        "1/2*x + 3/2": (("x <= 3",), ("x >= 11",)), "x": (("3 <= x <= 7",),), "7": (("7 <= x <= 11",),),
    }  # fmt: skip


def test_two_unknowns_are_told_together_and_each_alone() -> None:
    game = tree(MAX(MIN(unknown("x"), 5), MIN(unknown("y"), 4)))
    short = solve(game)
    assert told(short, "best") == {"1": (("x >= min(y, 4)",),), "2": (("x <= min(y, 4)",),)}
    assert told(short, "value") == {"max(min(x, 5), min(y, 4))": ALWAYS}
    answer = solve(game, expand=True)
    assert told(answer, "best") == {"1": (("y <= x",), ("x >= 4",)), "2": (("x <= y", "x <= 4"),)}
    x = answer.unknowns["x"]
    assert [(one.low, one.high) for one in x] == [(None, 4), (4, 4), (4, 5), (5, None)]
    assert [one.best for one in x] == [None, None, ("1",), ("1",)]
    assert [one.value for one in x] == [None, (4, -4), ("x", "-x"), (5, -5)]
    assert {one.depends for one in x} == {("y",)}  # what is pruned still hangs on y


def test_an_unknown_that_matters_beside_one_that_does_not() -> None:
    game = tree(MAX(2, MIN(3, unknown("x")), MIN(1, unknown("y"))))
    answer = solve(game)
    assert "depends on x, whatever y is" in solution_text(answer, game)
    assert told(answer, "pruned") == {(1, 1): (), (2, 1): ALWAYS}
    answer = solve(game, expand=True)
    assert told(answer, "pruned") == {(2, 1): ALWAYS}
    assert [(one.depends, one.best) for one in answer.unknowns["y"]] == [(("x",), None)]
    assert [(one.low, one.high) for one in answer.unknowns["x"]] == [(None, 2), (2, 2), (2, 3), (3, None)]


def test_promised_bounds_are_kept() -> None:
    answer = solve(tree(MAX(MIN(4, unknown("x")), 3), utility=(2, 10)))
    ends = [(one.low, one.high, one.closed) for one in answer.unknowns["x"]]
    assert (ends[0][0], ends[0][2][0], ends[-1][1], ends[-1][2][1]) == (2, True, 10, True)
    assert told(answer, "best") == {"1": (("x >= 3",),), "2": (("x <= 3",),)}
    assert solve(tree(MAX(MIN(4, unknown("x")), 3), utility=(4, 10))).best == ("1",)


def test_three_players_get_an_unknown_each() -> None:
    A, B, C = node("A"), node("B"), node("C")
    game = tree(A(B((1, 2, 3), unknown("x")), C((2, 2, 2))), players=("A", "B", "C"))
    answer = solve(game)
    assert list(answer.unknowns) == ["x[A]", "x[B]", "x[C]"]
    assert told(answer, "best") == {"1": (("x[B] > 2", "x[A] >= 2"),), "2": (("x[A] <= 2",), ("x[B] <= 2",))}


# ---- Probabilities --------------------------------------------------------------------------------------------------


def loaded(text: str) -> Any:
    return gdl.loads(text).game


def test_what_is_left_of_a_probability_is_written_or_left_out() -> None:
    for written, won in (
        ("win ?p: 10, lose 1 - ?p: -2", lambda p: p),
        ("win 1 - ?p: 10, lose: -2", lambda p: 1 - p),
        ("win (?p): 10, lose (1 - ?p): -2", lambda p: p),
        ("(1 - ?p): -2, (?p): 10", lambda p: p),
        ("?p: 10, 1/2 - ?p: 10, 1/2: -2", lambda p: Fraction(1, 2)),
        ("one ?p: 10, two 1 - ?p - ?q: 10, ?q: -2", lambda p: Fraction(3, 4)),
    ):
        text = f"players MAX\ntree MAX(bet: chance({written}), pass: -9)\n"
        for p in (Fraction(0), Fraction(1, 8), Fraction(1, 2)):
            settings = {"p": str(p)} | ({"q": "1/4"} if "?q" in written else {})
            assert solve(gdl.loads(text, settings=settings).game).value == (12 * won(p) - 2,)
    both = loaded("players MAX\ntree MAX(chance(?p: 10, 1 - ?p: -2), chance(1 - ?p: 10, ?p: -2))\n")
    assert solve(both).unknowns["p"][0].high == Fraction(1, 2)
    for wrong in ("?p: 1, 1 - ?q: 2", "?p: 1, 1/2 - ?p: 2", "1 - ?p: 1, 1 - ?p: 2", "1 - ?p - ?q: 1, 2"):
        with pytest.raises(GameError, match="one outcome takes the rest"):
            loaded(f"players MAX\ntree chance({wrong})\n")


def test_an_unknown_probability() -> None:
    answer = solve(loaded("players MAX\ntree MAX(bet: chance(win ?p: 10, lose: -2), pass: 0)\n"))
    assert told(answer, "best") == {"bet": (("p >= 1/6",),), "pass": (("p <= 1/6",),)}
    assert told(answer, "value") == {"0": (("p <= 1/6",),), "12*p - 2": (("p >= 1/6",),)}
    first, _, last = answer.unknowns["p"]
    assert (first.low, first.closed, last.high, last.closed) == (0, (True, False), 1, (False, True))


def test_probabilities_that_share_what_is_left() -> None:
    answer = solve(loaded("players MAX\ntree MAX(chance(?p: 10, ?q: 3, 1/4: 0, 0), 4)\n"))
    assert told(answer, "best") == {"1": (("10*p + 3*q >= 4",),), "2": (("10*p + 3*q <= 4",),)}
    assert answer.unknowns["q"][-1].high == Fraction(3, 4)
    twice = solve(loaded("players MAX\ntree MAX(chance(?p: 10, ?p: 3, 0), 7)\n"))
    assert twice.best == ("2",)  # p is a half at most


def test_a_product_of_unknowns_is_refused() -> None:
    with pytest.raises(Refusal, match=r"not linear: it holds a product of \?p and \?x"):
        solve(loaded("players MAX\ntree MAX(chance(?p: ?x, 0), 1)\n"))


def test_an_unknown_probability_stops_every_other_solver() -> None:
    game = loaded("players MAX\ntree MAX(chance(?p: 10, 0), chance(1/2: 3, 1/2: 1))\n")
    for name in SOLVERS:
        if name != "unknowns" and not SOLVERS[name].lacks(game.traits):
            options = {"depth": 5} if name == "depth-limited" else {}
            with pytest.raises(GameError, match=r"unknown number \?p"):
                solve(game, name, **options)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ("chance(?p: 1, ?q: 2)", "one outcome takes the rest of the probability"),
        ("chance(?p: 1, 2, 3)", "one outcome takes the rest of the probability"),
        ("chance(?p: 1, 3/2: 2, 3)", "The others already sum to 3/2"),
        ("MAX(?p: 1, 2)", "only a child of chance has a probability"),
    ],
)
def test_wrong_probabilities(tree: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        loaded(f"players MAX\ntree {tree}\n")


# ---- Matrices -------------------------------------------------------------------------------------------------------


def matrix(*rows: str) -> Any:
    return loaded("\n".join(["players A, B", "matrix", *(f"    {row}" for row in rows)]) + "\n")


def test_the_prisoners_dilemma_in_letters() -> None:
    game = matrix("silent betray", "silent (?r, ?r) (?s, ?t)", "betray (?t, ?s) (?p, ?p)")
    answer = solve(game)
    assert told(answer, "equilibrium") == {
        ("betray", "betray"): (("p >= s",),),
        ("betray", "silent"): (("t >= r", "p <= s"),),
        ("silent", "betray"): (("t >= r", "p <= s"),),
        ("silent", "silent"): (("t <= r",),),
    }
    assert "(betray, betray) is an equilibrium exactly when p >= s." in solution_text(answer, game)


def test_one_unknown_payoff() -> None:
    answer = solve(matrix("c d", "c (3, 3) (0, ?x)", "d (?x, 0) (1, 1)"))
    assert told(answer, "equilibrium") == {("c", "c"): (("x <= 3",),), ("d", "d"): ALWAYS}
    assert [one.equilibria for one in answer.unknowns["x"]] == [(("c", "c"), ("d", "d")), (("d", "d"),)]


# ---- What it does not do --------------------------------------------------------------------------------------------


def test_refusals() -> None:
    with pytest.raises(Refusal, match="unknowns needs numbers left open; tree leaves nothing open"):
        solve(tree(MAX(1, 2)), "unknowns")
    with pytest.raises(Refusal, match="unknowns needs perfect information, or a matrix"):
        solve(tree(MIN(MAX(1, unknown("x"), infoset="s"), MAX(2, 1, infoset="s"))), "unknowns")
    with pytest.raises(GameError, match=r"unknown utility \?x"):
        solve(tree(figure(unknown("x"))), "minimax")


def test_too_many_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdl.solvers.open_numbers.unknowns.MAX_PARTS", 20)
    names = [unknown(f"x{k}") for k in range(4)]
    with pytest.raises(LimitReached, match="in too many ways"):
        solve(tree(MAX(*names, chance((HALF, 1), (HALF, 2)))), expand=True)


def test_graphs_keep_what_is_open() -> None:
    for game in (tree(figure(unknown("x"))), loaded("players MAX\ntree MAX(chance(?p: 10, 1/4: 2, 0), 4)\n")):
        assert solve(GraphGame(state_graph(game))).conditions == solve(game).conditions


# ---- Against a sweep of values --------------------------------------------------------------------------------------


def put(rng: random.Random, root: Any, names: list[str]) -> bool:
    """Write the unknowns in place of leaves; whether there were enough."""
    spots = [
        (inner, k) for inner in inners(root) for k, child in enumerate(inner.children) if not isinstance(child, Inner)
    ]
    if len(spots) < len(names):
        return False
    for name, (inner, k) in zip(names, rng.sample(spots, len(names)), strict=True):
        inner.children[k] = unknown(name)
    return True


def inners(root: Any) -> Iterator[Inner]:
    if isinstance(root, Inner):
        yield root
        for child in root.children:
            yield from inners(child)


def worth(item: Any, at: Mapping[str, Number]) -> Number:
    """Minimax with chance, once more and simply."""
    if isinstance(item, Unknown):
        return at[item.name]
    if not isinstance(item, Inner):
        return item
    values = [worth(child, at) for child in item.children]
    if item.player == "chance":
        return sum(w * v for w, v in zip(item.weights, values, strict=True))
    return max(values) if item.player == "MAX" else min(values)


def skipped(item: Any, at: Mapping[str, Number], cut: str, alpha: Any, beta: Any, path: Path, out: list[Path]) -> Any:
    """Alpha-beta, once more and simply; collects the roots of what it skips."""
    if not isinstance(item, Inner):
        return worth(item, at)
    best = -inf if item.player == "MAX" else inf
    for k, child in enumerate(item.children):
        value = skipped(child, at, cut, alpha, beta, (*path, k), out)
        best = max(best, value) if item.player == "MAX" else min(best, value)
        over = best - beta if item.player == "MAX" else alpha - best
        if over > 0 or (cut == "ge" and over == 0):
            out += [(*path, later) for later in range(k + 1, len(item.children))]
            return best
        alpha, beta = (max(alpha, best), beta) if item.player == "MAX" else (alpha, min(beta, best))
    return best


def samples(intervals: tuple[Interval, ...]) -> Iterator[tuple[Interval, Number]]:
    """The ends, the middles, and far out: with the interval that each belongs to."""
    for one in intervals:
        low = one.low if one.low is not None else (one.high or 0) - 7
        high = one.high if one.high is not None else (one.low or 0) + 7
        yield one, exact(Fraction(low + high) / 2)
        if one.closed[0]:
            yield one, low
        if one.closed[1]:
            yield one, high


def valued(told: Number | str, at: Mapping[str, Number]) -> Number:
    return eval(told, {}, {name: Fraction(v) for name, v in at.items()}) if isinstance(told, str) else told


def fractional(text: str) -> str:
    return "".join(f"Fraction({word})" if word.isdigit() else word for word in text.replace("/", " / ").split(" "))


@pytest.mark.thorough
@pytest.mark.parametrize("trees", [200, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("cut", ["ge", "gt"])
def test_breakpoints_agree_with_a_sweep(cut: str, trees: int) -> None:
    """Under each rule. Stretches cover the line without gaps, each is as long as it can be, and at
    every end and in every middle a plain search finds what is said."""
    rng = random.Random(f"sweep {cut}")
    count = 0
    while count < trees:
        root = random_tree(rng, 4, leaves=range(8))
        if not isinstance(root, Inner) or not put(rng, root, ["x"]):
            continue
        count += 1
        found = unknowns(tree(root), cut=cut).unknowns["x"]
        assert (found[0].low, found[-1].high) == (None, None)
        for one, after in pairwise(found):
            assert one.high == after.low
            assert one.closed[1] != after.closed[0]
        for one, x in samples(found):
            check(root, one, x, cut)


def check(root: Inner, one: Interval, x: Number, cut: str) -> None:
    at = {"x": x}
    value = worth(root, at)
    assert valued(one.value[0], at) == value
    mine = [worth(child, at) for child in root.children]
    assert sorted(one.best) == sorted(a for a, v in zip(root.actions, mine, strict=True) if v == value)
    out: list[Path] = []
    assert skipped(root, at, cut, -inf, inf, (), out) == value
    assert sorted(one.pruned) == sorted(out)


@pytest.mark.thorough
def test_stretches_are_as_long_as_they_can_be() -> None:
    rng = random.Random(17)
    for _ in range(150):
        root = random_tree(rng, 4, leaves=range(8), chances=0.3)
        if not isinstance(root, Inner) or not put(rng, root, ["x"]):
            continue
        found = unknowns(tree(root)).unknowns["x"]
        for one, after in pairwise(found):
            same = (one.best, one.pruned) == (after.best, after.pruned)
            at = {"x": one.high}
            joins = valued(one.value[0], at) == valued(after.value[0], at)
            alike = one.value == after.value or one.low == one.high or after.low == after.high
            assert not (same and joins and alike), (one, after)


def test_chance_trees_agree_with_a_sweep() -> None:
    rng = random.Random(23)
    for _ in range(150):
        root = random_tree(rng, 4, leaves=range(8), chances=0.4)
        if not isinstance(root, Inner) or not put(rng, root, ["x"]) or root.player == "chance":
            continue
        for one, x in samples(unknowns(tree(root)).unknowns["x"]):
            at = {"x": x}
            value = worth(root, at)
            assert eval(fractional(str(one.value[0])), {"Fraction": Fraction}, at) == value
            mine = [worth(child, at) for child in root.children]
            assert sorted(one.best) == sorted(a for a, v in zip(root.actions, mine, strict=True) if v == value)


def holds(condition: Condition, at: Mapping[str, Number]) -> bool:
    return any(all(true(text, at) for text in case) for case in condition.cases)


def true(text: str, at: Mapping[str, Number]) -> bool:
    return bool(eval(text.replace(" = ", " == "), {}, dict(at)))


@pytest.mark.parametrize("count", [12, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.parametrize("names", [["x", "y"], ["x", "y", "x"]])
def test_conditions_on_two_unknowns_agree_with_a_sweep(names: list[str], count: int) -> None:
    rng = random.Random(str(names))
    for _ in range(count):
        root = random_tree(rng, 3, leaves=range(6))
        if not isinstance(root, Inner) or not put(rng, root, names):
            continue
        solution = unknowns(tree(root))
        best = {c.subject[0]: c for c in solution.conditions if c.what == "best"}
        pruned = {c.subject: c for c in solution.conditions if c.what == "pruned"}
        values = [c for c in solution.conditions if c.what == "value"]
        for x, y in product([-1, 0, 1, HALF, 2, 3, Fraction(7, 2), 4, 5, 6], repeat=2):
            at = {"x": x, "y": y}
            value = worth(root, at)
            mine = [worth(child, at) for child in root.children]
            optimal = {a for a, v in zip(root.actions, mine, strict=True) if v == value}
            assert {a for a, c in best.items() if holds(c, at)} == optimal
            out: list[Path] = []
            skipped(root, at, "ge", -inf, inf, (), out)
            assert sorted(path for path, c in pruned.items() if holds(c, at)) == sorted(out)
            true_values = {valued(str(c.subject[0]), at) for c in values if holds(c, at)}
            assert true_values == {value}
            for name, other in (("x", "y"), ("y", "x")):
                one = next(one for one, v in around(solution.unknowns[name], at[name]))
                if one.best is not None:
                    assert set(one.best) == optimal
                assert one.depends in ((), (other,))


def around(intervals: tuple[Interval, ...], x: Number) -> Iterator[tuple[Interval, Number]]:
    for one in intervals:
        above = one.low is None or x > one.low or (one.closed[0] and x == one.low)
        below = one.high is None or x < one.high or (one.closed[1] and x == one.high)
        if above and below:
            yield one, x


@pytest.mark.thorough
def test_equilibria_agree_with_a_sweep() -> None:
    rng = random.Random(31)
    for _ in range(20):
        cells = [[[str(rng.randint(0, 3)) for _ in "AB"] for _ in range(2)] for _ in range(2)]
        for name in "xy":
            rng.choice(rng.choice(cells))[rng.randint(0, 1)] = f"?{name}"
        if "?x" not in str(cells) or "?y" not in str(cells):
            continue
        rows = [f"{name} {' '.join(f'({a}, {b})' for a, b in row)}" for name, row in zip("rs", cells, strict=True)]
        solution = solve(matrix("l m", *rows))
        found = {c.subject: c for c in solution.conditions}
        for x, y in product([-1, 0, HALF, 1, 2, 3, 4], repeat=2):
            at = {"?x": x, "?y": y}
            pay = [
                [
                    [at.get(n, n if n.startswith("?") else None) if n.startswith("?") else int(n) for n in cell]
                    for cell in row
                ]
                for row in cells
            ]
            for i, j in product(range(2), repeat=2):
                stable = pay[i][j][0] >= pay[1 - i][j][0] and pay[i][j][1] >= pay[i][1 - j][1]
                condition = found.get(("rs"[i], "lm"[j]))
                assert stable == (condition is not None and holds(condition, {"x": x, "y": y}))

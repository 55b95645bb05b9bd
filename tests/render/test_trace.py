"""A trace is data first: the steps agree with the visits and cuts, windows are the textbook's, words follow."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from math import inf
from typing import Any

import pytest
from trees import MAX, MIN, node, random_tree, tree

import gdl
from gdl.explain.minimum import Uniform, uniform
from gdl.formats import answer
from gdl.formats.attributes import as_text
from gdl.render import trace
from gdl.render.text import solution_text
from gdl.render.trace import induction_events, story_text, tell
from gdl.solution import Event, RecordedSearch, Solution
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import expectiminimax, maxn, minimax
from gdl.solvers.minimax.shallow import shallow
from gdl.solvers.minimax.star import star1, star2

FIGURE_5_2 = MAX(
    a1=MIN(b1=3, b2=12, b3=8, label="B"),
    a2=MIN(c1=2, c2=4, c3=6, label="C"),
    a3=MIN(d1=14, d2=5, d3=2, label="D"),
    label="A",
)


def steps(solution: Solution) -> list[tuple[Any, ...]]:
    return [("".join(map(str, e.node)), e.event, e.alpha, e.beta, e.value, e.bound) for e in solution.events]


def test_the_steps_at_the_cut_of_figure_5_2() -> None:
    found = steps(alpha_beta(tree(FIGURE_5_2)))
    assert found[:4] == [
        ("", "enter", None, None, None, None),
        ("0", "enter", None, None, None, None),
        ("00", "leaf", None, None, 3, "exact"),
        ("0", "update", None, 3, 3, "upper"),
    ]
    at = found.index(("1", "enter", 3, None, None, None))
    assert found[at + 1 : at + 5] == [
        ("10", "leaf", 3, None, 2, "exact"),
        ("1", "cut", 3, None, 2, "upper"),
        ("1", "leave", 3, 2, 2, "upper"),
        ("", "update", 3, None, 3, "lower"),
    ]
    assert found[-1] == ("", "leave", 3, None, 3, "exact")


def test_a_long_story_is_told_as_far_as_it_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = tree(FIGURE_5_2)
    solution = alpha_beta(game)
    whole = story_text(game, solution).splitlines()
    told: list[Event] = []
    as_before = trace._TraceNarrator._update
    monkeypatch.setattr(
        trace._TraceNarrator, "_update", lambda self, event: told.append(event) or as_before(self, event)
    )
    monkeypatch.setattr(trace, "MAX_STEPS", 5)
    *begun, more = story_text(game, solution).splitlines()
    assert begun == whole[: len(begun)] != whole
    assert more == f"… {len(whole) - len(begun)} more steps (--trace --json has them all)"  # each is one line here
    assert 0 < len(told) < sum(event.event == "update" for event in solution.events)


def brackets(events: tuple[Event, ...]) -> None:
    """Every node is left as often as it is entered, the last entered first; in between only it and what lies below."""
    path: list[Any] = []
    for event in events:
        if event.event == "enter":
            assert not path or event.node[:-1] == path[-1]
            path.append(event.node)
        elif event.event == "leaf":
            assert not path or event.node[:-1] == path[-1]
        else:
            assert event.node == path[-1]
            if event.event == "leave":
                path.pop()
    assert not path


def check_record(solution: Solution) -> None:
    """The steps, the visits and the cuts tell the same search."""
    brackets(solution.events)
    entered = [e for e in solution.events if e.event in ("enter", "leaf")]
    assert [e.node for e in entered] == [v.path for v in solution.visits]
    assert len(entered) == solution.nodes
    assert sum(e.event == "leaf" for e in entered) == solution.leaves
    for event, visit in zip(entered, solution.visits, strict=True):
        assert (event.alpha, event.beta) == (visit.alpha, visit.beta)
    left = {e.node: e for e in solution.events if e.event in ("leave", "leaf")}
    for visit in solution.visits:
        event = left[visit.path]
        assert (event.alpha, event.beta, event.value, event.bound) == (
            visit.alpha_after, visit.beta_after, visit.value, visit.bound,
        )  # fmt: skip
    cuts = [(e.node, e.alpha, e.beta, e.value) for e in solution.events if e.event == "cut"]
    assert cuts == [(c.node, c.alpha, c.beta, c.value) for c in solution.cuts]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("order", ["given", "best", "worst"])
def test_steps_visits_and_cuts_agree(cut: str, order: str) -> None:
    rng = random.Random(f"{cut}{order}")
    for _ in range(60):
        solution = alpha_beta(tree(random_tree(rng, 4)), cut=cut, order=order)
        check_record(solution)
        for event in solution.events:
            alpha, beta = (-inf if event.alpha is None else event.alpha), (inf if event.beta is None else event.beta)
            if event.event == "enter":
                assert alpha < beta or (cut == "gt" and alpha == beta)
            if event.event == "cut":
                assert event.value <= alpha or event.value >= beta


def test_backward_induction_is_told_as_a_search() -> None:
    rng = random.Random(5)
    for _ in range(60):
        game = tree(random_tree(rng, 4, chances=0.2))
        solution = expectiminimax(game, values=True)
        events = induction_events(game, solution)
        brackets(events)
        assert {e.node: e.value for e in events if e.event in ("leave", "leaf")} == {
            path: vector[0] for path, vector in solution.values.items()
        }
        last: dict[Any, Event] = {}
        for event in events:
            if event.event == "leave":
                assert (last[event.node].value, last[event.node].bound) == (event.value, "exact")
            last[event.node] = event


def test_max_n_tells_vectors() -> None:
    A, B, C = node("A"), node("B"), node("C")
    game = tree(A(B(C((1, 2, 6), (4, 2, 3)), (6, 1, 2)), (0, 9, 9)), players=("A", "B", "C"))
    solution = maxn(game, values=True)
    events = induction_events(game, solution)
    assert events[-1] == Event((), "leave", value=(1, 2, 6), bound="exact")
    told = answer.to_object(Solution("g", "maxn", ("A", "B", "C"), part=RecordedSearch(events=events)), trace=True)[
        "trace"
    ]
    assert told[-1] == {
        "node": [], "event": "leave", "alpha": None, "beta": None, "value": {"A": 1, "B": 2, "C": 6}, "bound": "exact",
    }  # fmt: skip


def test_the_trace_in_json() -> None:
    data = json.loads(answer.write(alpha_beta(tree(FIGURE_5_2), cut="gt"), trace=True))
    assert data["rule"] == {"cut": "gt", "order": "given"}
    assert [e["node"] for e in data["trace"] if e["event"] == "cut"] == [[1], [2]]
    assert set(data["trace"][0]) == {"node", "event", "alpha", "beta", "value", "bound"}
    assert "trace" not in json.loads(answer.write(alpha_beta(tree(FIGURE_5_2))))


@pytest.mark.parametrize(
    ("solve", "options"),
    [(alpha_beta, {"cut": "ge"}), (alpha_beta, {"cut": "gt", "order": "worst"}), (minimax, {"values": True})],
)
def test_every_step_has_its_words(solve: Any, options: Any) -> None:
    rng = random.Random(7)
    for _ in range(30):
        game = tree(random_tree(rng, 4))
        solution = solve(game, **options)
        told = tell(game, solution)
        assert all(one.text.endswith(".") and "None" not in one.text + one.why for one in told)
        if solve is alpha_beta:
            cuts = [one for one in told if one.event.event == "cut"]
            skipping = [one for one in cuts if "never looked at" in one.text]
            assert len(skipping) == sum(bool(cut.skipped) for cut in solution.cuts)
            assert all(one.why for one in skipping)


@pytest.mark.parametrize("solve", [star1, star2])
def test_words_at_chance_nodes(solve: Any) -> None:
    rng = random.Random(8)
    for _ in range(40):
        game = tree(
            random_tree(rng, 4, leaves=range(7), chances=0.5), utility=rng.choice([(0, 6), (None, 6), (0, None), None])
        )
        story = story_text(game, solve(game))
        assert "None" not in story
        assert max(map(len, story.splitlines())) <= 100


def test_words_among_many() -> None:
    rng = random.Random(9)
    leaves = [(a, b, 6 - a - b) for a in range(7) for b in range(7 - a)]
    for _ in range(30):
        game = tree(
            random_tree(rng, 4, players=("A", "B", "C"), leaves=leaves), players=("A", "B", "C"), utility=(0, None)
        )
        assert "None" not in story_text(game, shallow(game))


def test_where_alpha_and_beta_come_from() -> None:
    """A cut far below its reason (deep pruning) names the node that set the limit, not the parent."""
    game = tree(MAX(MIN(5, 9, label="B"), MIN(MAX(MIN(4, 7, label="F"), 1, label="E"), 8, label="C"), label="A"))
    told = [one.text for one in tell(game, alpha_beta(game))]
    assert "at F (MIN): 4 <= alpha 5 from B, so node 2.1.1.2 is never looked at." in told


def test_numbers_that_are_rounded_alike_are_not_equal() -> None:
    """The sign is that of the numbers, not of their texts; where data is told, the numbers stand in full."""
    least, most = Fraction(1732050807568, 1000000000003), Fraction(1732050807569, 1000000000003)
    game = tree(MAX(a=MIN(b=most, b2=5, label="B"), c=MIN(c=least, c2=7, label="C"), label="A"))
    solution = alpha_beta(game, cut="gt")
    reason = "at C (MIN): 1.73205 < alpha 1.73205 from B, so c2 is never looked at"
    assert f"{reason}." in [one.text for one in tell(game, solution)]
    assert reason in " ".join(solution_text(solution).split())
    assert solution.cuts[0].reason == f"{least} <= alpha {most}"
    assert as_text("window", (most, None)) == f"({most}, inf)"


@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("solver", [alpha_beta, star1, star2, shallow])
def test_solve_tells_cuts_in_the_words_of_explain(solver: Any, cut: str) -> None:
    """The window that is crossed, the node that set it, and the branches: the same sentence in both, without a game."""
    rng, players = random.Random(16), ("A", "B", "C") if solver is shallow else ("MAX", "MIN")
    leaves = [(a, b, 6 - a - b) for a in range(7) for b in range(7 - a)] if solver is shallow else range(7)
    found = 0
    for _ in range(40):
        luck = 0.3 if solver in (star1, star2) else 0
        bounds = {"utility": (0, 6)} if solver is not alpha_beta else {}
        game = tree(random_tree(rng, 4, players=players, leaves=leaves, chances=luck), players=players, **bounds)
        solution = solver(game, cut=cut)
        written = " ".join(solution_text(solution).split())
        told = [one for one in tell(game, solution) if one.crossing is not None and one.crossing.skipped]
        found += len(told)
        assert all(one.text.removesuffix(".") in written for one in told)
        assert written.count("never looked at") == len(told)
    assert found > 5


def test_uniform_trees_and_their_least_number_of_leaves() -> None:
    assert uniform(tree(MAX(MIN(1, 2, 3), MIN(1, 2, 3), MIN(1, 2, 3)))) == Uniform(3, 2)
    assert uniform(tree(MAX(MIN(1, 2), MIN(1, 2, 3)))) is None
    assert uniform(tree(MAX(MIN(1, 2), 3))) is None
    assert uniform(tree(MAX(MAX(1, 2), MAX(1, 2)))) is None  # nobody answers
    assert uniform(tree(MAX(MIN(MAX(1, 2), 3), MIN(3, 4))), depth=2) == Uniform(2, 2)
    assert [(Uniform(3, d).leaves, Uniform(3, d).least) for d in range(1, 5)] == [(3, 3), (9, 5), (27, 11), (81, 17)]
    assert Uniform(3, 3).formula == "3^2 + 3^1 - 1"


def test_no_order_beats_the_minimum_and_the_best_reaches_it() -> None:
    rng = random.Random(11)
    for depth in range(1, 5):
        for _ in range(10):

            def grow(left: int) -> Any:
                return (MAX, MIN)[left % 2](*(grow(left - 1) for _ in range(3))) if left else rng.randint(0, 10**6)

            game = tree(grow(depth))
            shape = uniform(game)
            assert shape == Uniform(3, depth)
            leaves = {order: alpha_beta(game, order=order).leaves for order in ("given", "best", "worst")}
            assert leaves["best"] == shape.least <= min(leaves.values())
            assert max(leaves.values()) <= shape.leaves


def test_nodes_without_names_are_told_apart() -> None:
    """By numbers, as students may write them, or by the actions that lead there."""
    game = tree(MAX(MIN(3, 12), MIN(MAX(2, 4), 6)))
    told = [one.text for one in tell(game, alpha_beta(game))]
    assert "node 2.1 (MAX): node 2.1.1 = 2, so node 2.1 >= 2; the window stays (3, inf)." in told
    assert not any("[" in text for text in told)
    nim = gdl.loads(gdl.read("nim")[0], settings={"heaps": "1,2"}).game
    told = [one.text for one in tell(nim, alpha_beta(nim))]
    assert (
        "take(1, 1).take(2, 1) (First): take(2, 1) = 1, so take(1, 1).take(2, 1) = 1; the window becomes (1, inf)."
        in told
    )


def test_windows_and_bounds_below_chance_show_their_arithmetic() -> None:
    game = gdl.loads(
        "players MAX, MIN\nutility in -2..2\ntree MAX (a: chance L (1/2: 2, 1/2: MIN (2, 1)), "
        "b: chance R (1/2: MIN Z (0, 2), 1/2: MIN S (-1, 0)))\n"
    ).game
    story = " ".join(story_text(game, star1(game)).split())
    assert (
        "Z (MIN), which is looked at with the window (1, 2) (1 = (3/2 - 1) / (1/2), 2 the greatest possible)." in story
    )
    assert "b leads to R (chance), which is looked at with the window (3/2, inf) (3/2 from L), -2 <= R <= 2." in story
    assert "R <= 1 = 1/2 * 0 + 1/2 * 2: a bound only." in story


def test_the_ceiling_of_one_of_three_shows_its_sum() -> None:
    """Yann has 7, and Zoe gets -10 at least: of the sum of 0 no more than 3 is left for Xena."""
    text = """
players Xena, Yann, Zoe
utility in -10..10
tree Yann A (a1: Zoe L ((2, 8, -10), (-3, 7, -4)), a2: Xena R ((4, 1, -5), (1, 3, -4)))
"""
    game = gdl.loads(text).game
    told = [one.text for one in tell(game, shallow(game))]
    assert any("with the window (-inf, 3) (3 = 0 - 7 - (-10))" in line for line in told)

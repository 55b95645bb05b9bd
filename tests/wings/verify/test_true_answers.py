"""True answers to small games that stand where one number more, in some line of the verifier, would make a difference:
nothing is refused in them and nothing is left open. And claims at such places that are false."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from altered_answers import WRITTEN, asked, solved, verdict_on

import gdl
from gdl.errors import Refusal
from gdl.solvers import solve
from gdl.wings.verify import beliefs, complete
from gdl.wings.verify.beliefs import intuitive_failures
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.claim import read_claim
from gdl.wings.verify.complete import find_undominated_cell
from gdl.wings.verify.open_numbers import Reader
from gdl.wings.verify.position_graph import collect
from gdl.wings.verify.verdict import Unchecked, not_checked


def cycle(first: int, second: int) -> str:
    """Stone, paper, scissors, for what is won and lost."""
    w, v = (first, -second), (-second, first)
    rows = {"r": ((0, 0), v, w), "p": (w, (0, 0), v), "s": (v, w, (0, 0))}
    lines = [f"    {name} {' '.join(map(str, row))}" for name, row in rows.items()]
    return "\n".join(["players A, B", "matrix", "      r p s", *lines, ""])


TEXTS = {
    "unpriced": WRITTEN["ruin"].replace("    forever -> draw\n", ""),
    "alone": "players A\nstate\n    n: 0..3 = 1\naction up\n    n := n + 1\naction down\n    n := n - 1\naction stay\n"
    "    n := n\nterminal\n    n = 0 -> 1\n    n = 3 -> 2\n    forever -> 3\n",
    "misere": WRITTEN["take"].replace("lose mover", "win mover"),
    "stag": "players A, B\nmatrix\n          stag      hare\n    stag (2, 2)  (0, 1)\n    hare (1, 0)  (1, 1)\n",
    "costly draws": cycle(2, 1),
    "costly defeats": cycle(1, 2),
    "second": WRITTEN["race"].replace("players A, B", "players MIN, MAX").replace("mover = A", "mover = MIN"),
    "probed": "players MAX, MIN\ntree MAX utility in -6..6 (l: chance(a 1/2: MIN(p: 2), b 1/2: MIN(p: 4, q: 1)), "
    "r: chance(a 1/2: MIN(p: 0), b 1/2: MIN(x: 2, y: -4)))\n",
    "opening": WRITTEN["patience"].replace("n: 0..1\n", "n: 0..1\nstart toss\n").replace(
        "discount", "chance toss(r: Boolean)\n    n := if r then 1 else 0\ndiscount"),
    "lone plan": "players A\ntree chance(x 1/2: A in x (l: 1, r: 1), y 1/2: A in y (l: 0, r: 1))\n",
    "tied": "players A, B\ntree A(l: B(x: (1, 2), y: (2, 2)), r: (0, 0))\n",
    "three plans": "players A, B\nmatrix\n      a      b      c\n    a (2, 2) (0, 3) (3, 0)\n    b (3, 0) (0, 0) (2, 2)\n"
    "    c (0, 3) (2, 2) (0, 0)\n",
    "tied later": "players A, B\ntree A(l: B(x: (1, 0), y: (3, 0)), r: (2, 0))\n",
    "leader": "players A, B\nstate\n    q[Player]: 0..9?\naction make(n: 0..9)\n    q[mover] := n\n"
    "define price = max(0, 9 - q[A] - q[B])\nterminal\n    q[B] != none -> (q[A] * price, q[B] * price)\n",
    "later": "players A, B, C\ntree A(l: (0, 1, 1), r: B(x: (5, 3, 2), y: (2, 3, 5)))\n",
    "latest": "players MAX, MIN\ntree MAX(l: MIN(a: 0, b: 5), r: MIN(c: 1, d: 3))\n",
    "lone chance": "players MAX, MIN\ntree MAX utility in 0..4 (r: 2, l: chance(a 1: MIN(x: 3)))\n",
    "probed early": "players MAX, MIN\ntree MAX utility in 0..4 (r: 2, l: chance(a 1/2: MIN (x: MAX eval 0 (p: 1, q: 2), y: MAX eval 3 (p: 1, q: 0)), b 1/2: MIN (x: 0, y: 4)))\n",
    "chance first": "players MAX, MIN\ntree chance(a 1/2: MAX(l: 1, r: 0), b 1/2: 2)\n",
    "open end": "players MAX, MIN\ntree MAX utility in 0..5 (r: 2, l: ?x)\n",
    "one open": "players MAX, MIN\ntree MAX(l: ?x, r: MIN(l: 3, r: 1))\n",
    "bounded open": "players MAX, MIN\ntree MAX(l: ?x, r: MIN(l: ?y, r: 1))\n",
    "three open": "players MAX, MIN\ntree MAX(l: MIN(a: ?x, b: 3), m: MIN(c: ?z, d: 1), r: MIN(a: 2, b: ?y))\n",
    "five open": "players MAX, MIN\ntree MAX(l: MIN(a: ?x, b: ?y), m: MIN(c: ?z, d: ?w), r: ?v)\n",
    "partly open": "players MAX, MIN\ntree chance(a 1/2: MAX utility in 0..5 (r: 2, l: ?x), b 1/2: 4)\n",
}  # fmt: skip
TEXTS["unpriced alone"] = TEXTS["alone"].replace("    forever -> 3\n", "")
TRUE = [
    ("unpriced", "retrograde"), ("unpriced", "shapley"), ("alone", "retrograde"), ("misere", "grundy"),
    ("stag", "evolutionary"), ("costly draws", "evolutionary"), ("costly defeats", "evolutionary"),
    ("second", "alpha-beta --depth 3"), ("race", "alpha-beta --depth 3 --order best"), ("probed", "star2 --trace"),
    ("race", "alpha-beta --trace --order reverse"), ("three plans", "evolutionary"), ("later", "paranoid"),
    ("later", "maxn"), ("latest", "minimax"), ("opening", "policy-iteration"), ("opening", "stationary"),
    ("tied", "subgame-perfect"), ("tied later", "subgame-perfect"), ("leader", "subgame-perfect"), ("lone plan", "nash"), ("shares", "paranoid"), ("three_players", "paranoid"),
    ("poker", "cfr --iterations 50"), ("round", "shapley"), ("ruin", "retrograde"), ("tie", "minimax --trace"),
    ("probed early", "star2 --depth 4 --trace --order best"), ("lone chance", "star2 --trace"), ("matching_pennies", "quantal --lambda 0"),
    ("shares", "maxn"), ("poker", "sequence-form --concept nash"), ("draws", "star2"), ("race", "alpha-beta"),
    ("crash", "unknowns --assume c>=3"), ("umbrella", "unknowns --assume p<1/2 --assume p>0"),
    ("one open", "unknowns --assume x>0"), ("one open", "unknowns --expand --assume x>0 --assume x<=3"),
    ("two_open", "unknowns --assume y>2 --assume x<=2"), ("three open", "unknowns"), ("five open", "unknowns"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in TEXTS.items():
        monkeypatch.setitem(WRITTEN, name, text)


def answer_to(game: str, words: str) -> dict[str, Any]:
    found = solved(game, "--solver", *words.split())
    assert found is not None
    return found


def verdict(game: str, answer: dict[str, Any]) -> Any:
    found = verdict_on(game, answer)
    assert found is not None
    return found


@pytest.mark.thorough_of("three_open-unknowns", "five_open-unknowns")
@pytest.mark.parametrize("game, words", TRUE, ids=lambda part: part.replace(" ", "_"))
def test_a_true_answer_holds_whole(game: str, words: str) -> None:
    answer = answer_to(game, words)
    found = verdict(game, answer)
    assert found.ok and found.limit is None, found
    assert all(found.status(name) for name in ("line", "interval", "concept") if name in answer and answer["exact"])


@pytest.mark.parametrize(("game", "words", "fields", "refused"), [
    ("tie", "minimax", {"interval": {"MAX": [1, 1], "MIN": [-1, -1]}}, None),
    ("tie", "minimax", {"interval": {"MAX": [1, 2], "MIN": [-1, -1]}, "value": None, "strategy": None}, None),
    ("tie", "minimax", {"interval": {"MAX": [2, 2], "MIN": [-2, -2]}, "value": None, "strategy": None}, "interval"),
    ("tie", "minimax", {"strategy": {"MAX": {"start": {"l": 1}}, "MIN": {"l": {"a": 1}}}}, "strategy"),
    ("latest", "minimax", {"interval": {"MAX": [1, 1], "MIN": [-1, -1]}}, None),
    ("later", "maxn", {"line": ["l"]}, "line"),
    ("tied", "subgame-perfect", {"complete": True}, "complete"),
    ("lone plan", "nash", {"equilibria": [{"A": {"x": {"l": 1}, "y": {"l": 1}}}]}, "equilibria"),
    ("lone plan", "nash", {"complete": True}, "complete"),
    ("two_open", "unknowns", {"unknowns": None, "conditions": []}, "conditions"),
    ("round", "retrograde", {"regret": {"A": 0, "B": 0}}, None),
    ("round", "retrograde", {"regret": {"A": 1, "B": 0}}, "regret"),
    ("shares", "maxn", {"value": None, "line": ["r", "y"], "best": None}, "line"),
])  # fmt: skip
def test_a_claim_at_a_boundary(game: str, words: str, fields: dict[str, Any], refused: str | None) -> None:
    found = verdict(game, {**answer_to(game, words), **fields})
    assert [name for name in fields if found.status(name) is False] == ([refused] if refused else []), found


@pytest.mark.parametrize(("game", "best"), [("chance first", "l"), ("open end", "l")])
def test_what_is_best_can_stay_open(game: str, best: str) -> None:
    found = verdict(game, {"game": asked(game).game.name, "exact": True, "best": [best]})
    assert found.ok and found.status("best") is None


def test_stretches_are_those_of_the_assumption() -> None:
    answer = answer_to("crash", "unknowns --assume c>=3")
    for other in ("c >= 2", "c > 3"):
        assert verdict("crash", {**answer, "options": {"assume": [other]}}).status("unknowns") is False


def test_a_piece_of_the_value_has_its_ends() -> None:
    """At x = 1 the value is x as well."""
    answer = answer_to("one open", "unknowns")
    (piece,) = [one for one in answer["conditions"] if (one["what"], one["of"]) == ("value", "x")]
    assert piece["when"] == [["x >= 1"]]
    others = [one for one in answer["conditions"] if one != piece]
    told = {**answer, "conditions": [*others, {**piece, "when": [["x > 1"]], "if": "x > 1"}]}
    assert verdict("one open", told).status("conditions") is False


def test_a_stretch_says_the_value_that_its_own_unknown_gives() -> None:
    """Where x > 1 it is x, whatever y is, though which subtrees are pruned depends on y."""
    answer = answer_to("bounded open", "unknowns --expand")
    *_, last = answer["unknowns"]["x"]
    assert last["value"]["MAX"] == "x" and last["depends"] == ["y"]
    told = {**answer["unknowns"], "x": [*answer["unknowns"]["x"][:-1], {**last, "value": None}]}
    assert verdict("bounded open", {**answer, "unknowns": told}).status("unknowns") is False


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["three open", "five open"])
def test_a_stretch_names_the_unknowns_on_which_it_depends(name: str) -> None:
    answer = answer_to(name, "unknowns")
    (stretch,) = answer["unknowns"]["y"]
    for less in (stretch["depends"][1:], stretch["depends"][:-1], []):
        told = {**answer["unknowns"], "y": [{**stretch, "depends": less}]}
        assert verdict(name, {**answer, "unknowns": told}).status("unknowns") is False


def test_an_open_end_below_chance_leaves_the_value_open() -> None:
    game = asked("partly open").game
    case = VerifierCase(game, read_claim({"game": game.name, "exact": True}), 100)
    (low, high), *_ = case.worth(0)
    assert low == Fraction(3) and high == float("inf")


def test_endless_play_without_a_price_pays_anything_between_the_ends_and_nothing() -> None:
    for name, prices in (("alone", ((3,), (3,))), ("unpriced alone", ((0,), (2,)))):
        one = asked(name).game
        assert VerifierCase(one, read_claim({"game": one.name, "exact": True}), 100).prices == prices


def test_counts_of_one_thread_are_checked() -> None:
    answer = {"game": "", "exact": True, "solver": "alpha-beta", "nodes": 3}
    assert "nodes" not in not_checked(read_claim(answer))
    assert "nodes" in not_checked(read_claim({**answer, "options": {"threads": 2}}))


def test_one_equation_is_taken_from_another() -> None:
    one, other = ({(0, 0): 1, (1, 0): 1}, Fraction(2), [0]), ({(0, 0): 1}, Fraction(3), [1])
    assert beliefs.eliminate_step((0, 0), one, other) == ({(1, 0): 1}, Fraction(2, 3), [0, 1])
    more = ({(0, 0): 1, (1, 0): 1}, Fraction(3), [1])
    assert beliefs.eliminate_step((0, 0), ({(0, 0): 1}, Fraction(2), [0]), more) == (
        {(1, 0): -1},
        Fraction(2, 3),
        [0, 1],
    )
    assert Reader(["x"]).linear("x + 2*x") == ({"x": 3}, 0)


def test_a_plan_that_a_mixture_dominates_by_less_than_one_goes() -> None:
    table = {
        (i, j): (Fraction(row[j]), j) for i, row in enumerate([(1, 0), (0, 1), (Fraction(1, 3),) * 2]) for j in (0, 1)
    }
    assert find_undominated_cell(table, [3, 2]) == (1, 1)
    assert complete.is_dominated(table, [[0, 1, 2], [0, 1]], 0, 2)


def test_two_senders_send_no_signals() -> None:
    pytest.importorskip("gdl.wings.theory")
    text = "chance(s 1/2: A in s (m: B in h (x: (1, 0), y: (0, 1))), w 1/2: B in w (m: A in g (x: (1, 0), y: (0, 1))))"
    game = gdl.loads(f"players A, B\ntree {text}\n").game
    with pytest.raises(Refusal, match="not always the same player moves first"):
        solve(game, "intuitive")
    positions = collect(game, 100).positions
    with pytest.raises(Unchecked, match="one sender"):
        next(intuitive_failures(positions, [(1,)] * len(positions.information_sets)))


def test_beliefs_that_bear_a_threat_out_are_said() -> None:
    pytest.importorskip("gdl.wings.theory")
    ways = [f"{way}: B in h (x: (0, {pay}), y: (3, 1))" for way, pay in (("l", 2), ("m", 0), ("r", 0))]
    game = gdl.loads(f"players A, B\ntree A(o: (2, 0), {', '.join(ways)})\n").game
    said = "l to be at least 1/2 likely, m to be at most 1/2 likely, r to be at most 1/2 likely"
    assert f"B plays x at h if they hold {said}." in solve(game, "perfect-bayesian").notes

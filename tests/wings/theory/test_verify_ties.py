"""The verifier where two numbers are equal: on which side of a condition a tie falls."""

from __future__ import annotations

import json
from fractions import Fraction
from textwrap import dedent
from typing import Any

import pytest
from games_by_hand import bimatrix

import gdl
from gdl.errors import DamagedData
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.equilibria.positions import explore
from gdl.wings.theory.beliefs.signals import signals, unintuitive
from gdl.wings.verify.complete import find_undominated_cell
from gdl.wings.verify.open_numbers import AnswerCondition
from gdl.wings.verify.plans import VerifierPlans
from gdl.wings.verify.position_graph import collect
from gdl.wings.verify.replies import best_reply_value, find_better
from gdl.wings.verify.value import compare_interval
from gdl.wings.verify.verdict import Unchecked
from gdl.wings.verify.verifier import verify

SIGNALS = dedent("""\
    players S, R
    tree
        chance
            one 1/2: S in one
                a: R in a (x: (2, 0), y: (1, -1))
                b: R in b (l: ({one}, 1), r: (0, 0))
            two 1/2: S in two
                a: R in a (x: (2, 0), y: (1, -1))
                b: R in b (l: ({two}, 0), r: (0, 1))
""")


@pytest.mark.parametrize(
    ("one", "two", "passes"),
    [
        pytest.param(3, 1, False, id="one-would-gain"),
        pytest.param(2, 1, True, id="one-would-get-as-much"),
        pytest.param(3, 2, True, id="two-could-get-as-much"),
    ],
)
def test_the_intuitive_criterion(one: int, two: int, passes: bool) -> None:
    """Both types send a, and get 2. Who hears b replies r, believing that type two sent it."""
    game: Any = gdl.loads(SIGNALS.format(one=one, two=two)).game
    positions = explore(game)
    rows = [(1, 0) if "a" in found.actions or found.name == "a" else (0, 1) for found in positions.information_sets]
    assert (not list(unintuitive(signals(positions), rows))) is passes
    even = {"one > a": "1/2", "two > a": "1/2"}
    told = {
        "game": game.name,
        "concept": "intuitive",
        "exact": True,
        "equilibria": [{"S": {"one": {"a": 1}, "two": {"a": 1}}, "R": {"a": {"x": 1}, "b": {"r": 1}}}],
        "beliefs": [{"S": {"one": {"one": 1}, "two": {"two": 1}}, "R": {"a": even, "b": {"two > b": 1}}}],
    }
    verdict = verify(game, told)
    assert verdict.ok is passes, verdict.lines


@pytest.mark.parametrize(("b", "ok"), [(2, True), (5, True), (3, False)])
def test_ties_may_be_broken_in_any_way(b: int, ok: bool) -> None:
    game = gdl.loads("players A, B\ntree\n    A (l: (1, 2), r: (1, 5), s: (0, 3))\n").game
    told = {"game": game.name, "solver": "maxn", "exact": True, "value": {"A": 1, "B": b}}
    assert verify(game, told).ok is ok


def test_of_two_players_perfection_is_shown() -> None:
    game = gdl.load("stag_hunt")
    assert verify(game, to_object(solve(game, concept="perfect"))).status("concept") is True


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        pytest.param([[4, 0], [0, 4], [2, 2]], [[1, 0], [1, 0], [0, 9]], id="as-good-as-a-mixture"),
        pytest.param([[1, 0], [0, 0]], [[1, 0], [0, 1]], id="weakly"),
    ],
)
def test_only_what_is_always_worse_is_dominated(rows: Any, columns: Any) -> None:
    table = VerifierPlans(collect(bimatrix(rows, columns), 100).positions).table
    assert find_undominated_cell(table, [len(rows), 2]) is None


def test_combinations_that_are_never_drawn_may_be_listed_and_ends_of_the_table_are_enclosed() -> None:
    game = gdl.load("chicken")
    told = json.loads(json.dumps(to_object(solve(game, concept="correlated")), default=str))
    told["distribution"].append({"profile": {"Ann": "go_on", "Bob": "go_on"}, "probability": 0})
    told["equilibria"] = [{"distribution": told["distribution"]}]
    paid = list(VerifierPlans(collect(game, 100).positions).table.values())
    for player, name in enumerate(game.players):
        column = [vector[player] for vector in paid]
        told.setdefault("interval", {})[name] = [min(column), max(column)]
    verdict = verify(game, told)
    assert verdict.ok and verdict.status("interval") is True, verdict.lines


@pytest.mark.parametrize(("together", "ok"), [(0, True), (1, False)])
def test_a_mutant_that_does_as_well_is_not_resisted(together: int, ok: bool) -> None:
    """Half of the second and half of the third may do as well against themselves as the first does against them."""
    rows = [[0, 0, 0], [0, -1, together], [0, together, -1]]
    game = bimatrix(rows, rows)
    first = {"Row": {"r1": 1}, "Column": {"c1": 1}}
    told = {"game": game.name, "concept": "evolutionary", "exact": True, "equilibria": [first]}
    assert verify(game, told).ok is ok


@pytest.mark.parametrize(
    ("ends", "known", "ok"),
    [
        pytest.param((1, 2), (1, 2), True, id="the-same"),
        pytest.param((1, 1), (1, 1), True, id="a-point"),
        pytest.param((2, 3), (1, 2), None, id="they-meet-above"),
        pytest.param((0, 1), (1, 2), None, id="they-meet-below"),
        pytest.param((2, 1), (1, 2), False, id="turned-round"),
        pytest.param((3, 4), (1, 2), False, id="apart"),
    ],
)
def test_an_interval_beside_what_is_known(ends: tuple[int, int], known: tuple[int, int], ok: bool | None) -> None:
    assert compare_interval("A", ends, known).ok is ok


def told_of(game: Any, solver: str, **options: Any) -> dict[str, Any]:
    """A solver's answer with these options, as JSON."""
    found = {**to_object(solve(game, solver=solver, **options)), "options": options}
    read: dict[str, Any] = json.loads(json.dumps(found, default=str))
    return read


@pytest.mark.parametrize(
    ("text", "solver"),
    [
        pytest.param("tree chance(a ?p: 1, b ?q: MIN(2, 3), c: MAX(l: 3, r: -1))", "unknowns", id="two-probabilities"),
        pytest.param("tree MAX utility in 5..5 (l: ?x, r: 5)", "unknowns", id="an-unknown-of-one-value"),
        pytest.param("tree MAX(l: ?x, r: MIN(l: ?y, r: 1))", "unknowns", id="open-utilities"),
    ],
)
def test_unknowns_at_their_ends(text: str, solver: str) -> None:
    game = gdl.loads(f"players MAX, MIN\n{text}\n").game
    verdict = verify(game, told_of(game, solver=solver))
    assert verdict.ok and verdict.limit is None, verdict.lines


def test_shares_of_an_unknown_vector_are_unknowns_of_their_own() -> None:
    game = gdl.loads("players A, B, C\ntree A (l: ?v, r: B(l: (1, 2, 3), r: (0, 3, 1)))\n").game
    verdict = verify(game, told_of(game, solver="unknowns"))
    assert verdict.ok and verdict.limit is None, verdict.lines


@pytest.mark.parametrize(("mover", "value"), [("MAX", 1), ("MIN", 1)])
def test_what_a_promise_leaves_open_begins_at_its_end(mover: str, value: int) -> None:
    """The other action may be worth anything between 0 and 5, so that the value may be 1 or lie on one side of it."""
    game = gdl.loads(f"players MAX, MIN\ntree {mover} utility in 0..5 (l: ?x, r: 1)\n").game
    told = {"game": game.name, "exact": True, "value": {"MAX": value, "MIN": -value}}
    assert verify(game, told).status("value") is None


@pytest.mark.parametrize(("ends", "told"), [((1, 2), 0), ((-1, -2), 0), ((1, 2), 3), ((1, 2), -1)])
def test_an_estimate_may_be_0_or_between_the_ends(ends: tuple[int, int], told: int) -> None:
    game = gdl.loads(f"players MAX, MIN\ntree MAX(l: {ends[0]}, r: {ends[1]})\n").game
    answer = {"game": game.name, "exact": False, "value": {"MAX": told, "MIN": -told}}
    assert verify(game, answer).ok is (told == 0)


@pytest.mark.parametrize(
    ("options", "followed"),
    [
        ({"cut": "ge", "order": "given", "depth": 9, "window": ".."}, True),
        ({"cut": "ge", "order": "given"}, True),
        ({"cut": "ge", "order": "given", "threads": 2}, None),
    ],
)
def test_options_of_a_run_that_is_made_once_more(options: dict[str, Any], followed: bool | None) -> None:
    game = gdl.load("figure_5_2")
    told = {**told_of(game, solver="alpha-beta"), "options": options}
    assert verify(game, told).status("options") is followed


@pytest.mark.parametrize(
    ("solver", "options"),
    [("minimax", {"depth": 1}), ("alpha-beta", {"depth": 1}), ("alpha-beta", {"depth": 1, "cut": "ge", "order": "given"})],
)  # fmt: skip
def test_options_of_an_estimate(solver: str, options: dict[str, Any]) -> None:
    game = gdl.loads("players MAX, MIN\ntree MAX(l: MIN eval 1 (1, 2), r: MIN eval 2 (3, 0))\n").game
    told = told_of(game, solver, **options)
    assert verify(game, told).status("options") is True, told


@pytest.mark.parametrize(
    ("form", "ends", "listed", "ok"),
    [
        pytest.param([-1, 2], ["1/2", "1/2"], "1/2", True, id="a-fraction"),
        pytest.param([-1, 2], [0, 1], "1/2", True, id="a-root-of-a-line"),
        pytest.param([-1, 2], [0, 1], "3/4", False, id="another-number"),
        pytest.param([-1, 2], ["1/2", 1], "1/2", True, id="a-root-at-the-end"),
        pytest.param([1], [0, 1], "1/2", False, id="a-constant"),
        pytest.param([3, -16, 16], [0, 1], "1/4", False, id="two-roots"),
        pytest.param([3, -16, 16], [0, "1/2"], "1/4", True, id="one-of-two-roots"),
        pytest.param([-3, 22, -48, 32], [0, 1], "1/2", False, id="three-roots"),
        pytest.param([-3, 22, -48, 32], ["1/3", "2/3"], "1/2", True, id="the-middle-one-of-three"),
        pytest.param([-3, 22, -48, 32], ["3/8", "1/3"], "1/2", False, id="ends-turned-round"),
    ],
)
def test_roots(form: list[int], ends: list[Any], listed: str, ok: bool) -> None:
    """The probabilities of heads are given as roots of polynomials, the constant first."""
    game = gdl.load("matching_pennies")
    told = told_of(game, solver="nash")
    (player, _), (action, _) = game.players, told["equilibria"][0][game.players[0]]
    told["equilibria"][0][player] = {action: listed, **{
        other: str(1 - Fraction(listed)) for other in told["equilibria"][0][player] if other != action
    }}  # fmt: skip
    told["algebraic"] = [{player: {action: {"polynomial": form, "interval": ends}}}]
    assert verify(game, told).status("algebraic") is ok


@pytest.mark.parametrize(
    ("cases", "text"),
    [
        ((("x < 1",), ("x > 3",)), "x < 1 or x > 3"),
        ((("x > 1", "x < 3"),), "x > 1 and x < 3"),
        ((("x < 1",), ("x > 3", "y < 1")), "x < 1, or x > 3 and y < 1"),
    ],
)
def test_conditions_in_words(cases: tuple[tuple[str, ...], ...], text: str) -> None:
    assert AnswerCondition("best", "l", cases).in_words == (text, "sometimes")


HIDDEN_STAGE = """players A, B
tree
    A in a
        go: B in b
            l: A in c (l: ({best}, 1), r: (0, 0))
            r: A in c (l: (0, 0), r: (1, 3))
        out: B in d
            l: A in e (l: (2, 2), r: (0, 0))
            r: A in e (l: (0, 0), r: (0, 0))
"""


@pytest.mark.parametrize(
    ("best", "first", "b", "c", "ok"),
    [
        pytest.param(3, "go", "l", "l", True, id="both-stages"),
        pytest.param(2, "go", "l", "l", True, id="go-and-out-pay-the-same"),
        pytest.param(2, "out", "l", "l", True, id="out-and-go-pay-the-same"),
        pytest.param(3, "out", "r", "r", True, id="the-worse-second-stage"),
        pytest.param(1, "out", "r", "l", False, id="no-equilibrium-of-the-second-stage"),
        pytest.param(1, "out", "l", "r", False, id="none-either"),
    ],
)
def test_subgames_in_which_something_is_hidden(best: int, first: str, b: str, c: str, ok: bool) -> None:
    game: Any = gdl.loads(HIDDEN_STAGE.format(best=best)).game
    profile = {"A": {"a": {first: 1}, "c": {c: 1}, "e": {"l": 1}}, "B": {"b": {b: 1}, "d": {"l": 1}}}
    told = {"game": game.name, "concept": "subgame-perfect", "exact": True, "equilibria": [profile]}
    verdict = verify(game, told)
    assert verdict.ok is ok and (not ok or verdict.status("concept") is True), verdict.lines


@pytest.mark.parametrize(("dodge", "beside", "out", "complete"), [
    pytest.param((1, 0), (0, 1), 2, True, id="one-of-each-part"),
    pytest.param((1, 0), (0, 1), 1, False, id="go-and-out-pay-the-same"),
    pytest.param((0, 0), (0, 0), 2, False, id="two-of-the-stage"),
])  # fmt: skip
def test_other_equilibria_of_subgames_in_which_something_is_hidden(
    dodge: tuple[int, int], beside: tuple[int, int], out: int, complete: bool
) -> None:
    """The stage pays both 1 if they play l; where B dodges and where A does it pays so."""
    stage = f"B in b (l: A in c (l: (1, 1), r: {beside}), r: A in c (l: {dodge}, r: (0, 0)))"
    game: Any = gdl.loads(f"players A, B\ntree A in a (go: {stage}, out: ({out}, 0))\n").game
    profile = {"A": {"a": {"out": 1}, "c": {"l": 1}}, "B": {"b": {"l": 1}}}
    told = {
        "game": game.name,
        "solver": "subgame-perfect",
        "concept": "subgame-perfect",
        "exact": True,
        "complete": True,
    }
    told |= {"equilibria": [profile]}
    verdict = verify(game, told)
    assert verdict.status("equilibria") and verdict.status("complete") is complete, verdict.lines


def road(*pays: int) -> Any:
    """The positions of a driver who forgets the exits passed, each of which pays this."""
    *exits, end = pays
    text = str(end)
    for pay in reversed(exits):
        text = f"D in road (exit: {pay}, on: {text})"
    return collect(gdl.loads(f"players D\ntree {text}\n").game, 100).positions


@pytest.mark.parametrize(("pays", "paid", "better"), [
    ((0, 0, 1), Fraction(1, 2), 1), ((0, 0, 1), 1, None), ((0, 4, 1), 1, Fraction(5, 4)), ((1, 0, 0), 0, 1),
])  # fmt: skip
def test_who_forgets_and_mixes_gets_no_more_than_probabilities_allow(pays: Any, paid: Any, better: Any) -> None:
    assert find_better(road(*pays), paid) == better


def test_who_forgets_among_several_gets_no_more_where_all_seen_is_worth_no_more() -> None:
    """To go on twice comes to where B leaves half of 1; of what B does behind a move of probability 0 nothing is said."""
    last = "B in last (l: (1, 0), r: (0, 0))"
    first = "B in first (stay: (0, 0), away: B in off (x: (0, 0), y: (0, 0)))"
    text = f"A in road (exit: {first}, on: A in road (exit: (0, 0), on: {last}))"
    positions = collect(gdl.loads(f"players A, B\ntree {text}\n").game, 100).positions
    rows = {"road": (0, 1), "first": (1, 0), "off": None, "last": (Fraction(1, 2), Fraction(1, 2))}
    behaviour: Any = tuple(rows[found.name] for found in positions.information_sets)
    assert best_reply_value(positions, behaviour, 0) == Fraction(1, 2)


def test_two_places_that_are_passed_twice_are_left_open() -> None:
    twice = "D in {0} (x: D in {0} (x: {1}, y: 0), y: 0)"
    game = gdl.loads(f"players D\ntree {twice.format('a', twice.format('b', 1))}\n").game
    with pytest.raises(Unchecked, match="several information sets more than once"):
        find_better(collect(game, 100).positions, 0)


def test_a_mixture_of_two_plans_of_who_forgets_is_no_behaviour() -> None:
    again = "D in again (l: {}, r: {})"
    game = gdl.loads(f"players D\ntree D in begin (l: {again.format(3, 0)}, r: {again.format(0, 2)})\n").game
    plans, half = VerifierPlans(collect(game, 100).positions), Fraction(1, 2)
    assert plans.weights_of_mix(0, (1, 0, 0, 0))
    with pytest.raises(Unchecked):
        plans.weights_of_mix(0, (half, 0, 0, half))


@pytest.mark.parametrize(("share", "ok"), [("1/2", True), ("2/3", False), ("0", False)])
def test_beliefs_of_two_who_see_the_same_come_from_the_same_trembles(share: str, ok: bool) -> None:
    """A stays out; of what A may have played by mistake B holds both for equally likely, and so must C."""
    stage = "B in b (x: C in c (p: (0, 0, 0), q: (0, 0, 0)), y: (0, 0, 0))"
    game: Any = gdl.loads(f"players A, B, C\ntree A in a (out: (0, 0, 0), l: {stage}, r: {stage})\n").game
    rest = str(1 - Fraction(share))
    told = {
        "game": game.name,
        "concept": "sequential",
        "exact": True,
        "equilibria": [{"A": {"a": {"out": 1}}, "B": {"b": {"x": 1}}, "C": {"c": {"p": 1}}}],
        "beliefs": [{"A": {"a": {"start": 1}}, "B": {"b": {"l": "1/2", "r": "1/2"}}, "C": {"c": {"l > x": share, "r > x": rest}}}],
    }  # fmt: skip
    verdict = verify(game, told)
    assert verdict.ok is ok, verdict.lines


def test_of_deviations_from_play_that_comes_back_one_that_gains_is_named() -> None:
    """To go gains nothing as long as A comes back; to finish does."""
    game: Any = gdl.loads(
        "players A\nstate\n    n: 0..2\naction stay when n = 0\n    n := 0\naction go when n = 0\n    n := 1\n"
        "action back when n = 1\n    n := 0\naction finish when n = 1\n    n := 2\n"
        "terminal\n    n = 2 -> 1\n    forever -> 0\n"
    ).game
    idle = {"A": {"start": {"stay": 1}, "n=1": {"back": 1}}}
    told = {"game": game.name, "solver": "markov-perfect", "concept": "nash", "exact": True, "equilibria": [idle]}
    assert "FAILS: equilibrium 1 is none: A gains by finish at n=1" in verify(game, told).lines


def test_play_without_ends_and_without_a_price_is_worth_nothing() -> None:
    text = "players A, B\nstate\n    n: 0..2\naction flip\n    n := 1 - n\nterminal\n    n = 2 -> lose mover\n"
    game: Any = gdl.loads(text).game
    told = {"game": game.name, "exact": True, "value": {"A": 0, "B": 0}}
    assert verify(game, told).status("value") is True
    assert verify(game, {**told, "value": {"A": 1, "B": -1}}).status("value") is False


def test_an_estimate_may_be_dominated_and_then_its_concept_is_open() -> None:
    game = bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    profile = {"Row": {"r2": 1}, "Column": {"c2": 1}}
    verdict = verify(game, {"game": game.name, "concept": "perfect", "exact": False, "equilibria": [profile]})
    assert [one.fields for one in verdict.findings if "dominated" in one.text] == [("concept",)], verdict


def circle(win: int, lose: int) -> Any:
    """Rock, paper, scissors with these stakes."""
    rows = [[0, lose, win], [win, 0, lose], [lose, win, 0]]
    return bimatrix(rows, [list(column) for column in zip(*rows, strict=True)])


@pytest.mark.parametrize(("rows", "kept"), [
    ([[4, 1], [3, 3]], 1), ([[-1, 4], [0, 2]], 0), ([[3, 0, 0], [0, 2, 0], [0, 0, 1]], 2),
], ids=["two-pure", "a-mixture", "three-pure"])  # fmt: skip
def test_a_stable_strategy_that_is_not_listed(rows: list[list[int]], kept: int) -> None:
    game = bimatrix(rows, [list(column) for column in zip(*rows, strict=True)])
    answer = to_object(solve(game, concept="evolutionary"))
    assert verify(game, answer).limit is None and answer["complete"]
    for gone in range(len(answer["equilibria"])):
        fewer = {name: [one for k, one in enumerate(answer[name]) if k != gone] for name in ("equilibria", "payoffs")}
        assert len(fewer["equilibria"]) == kept
        assert "FAILS: 1 stable ones are not listed" in verify(game, {**answer, **fewer}).lines


@pytest.mark.parametrize(("win", "lose", "stable"), [(2, -1, True), (1, -1, False), (1, -2, False)])
def test_an_even_mixture_in_a_circle(win: int, lose: int, stable: bool) -> None:
    """Where to win and to lose is as much there are mutants that do as well."""
    third = "1/3"
    even = {
        "Row": {"start": {f"r{k}": third for k in (1, 2, 3)}},
        "Column": {"start": {f"c{k}": third for k in (1, 2, 3)}},
    }
    told = {"game": "matrix", "concept": "evolutionary", "exact": True, "equilibria": [even]}
    verdict = verify(circle(win, lose), told)
    assert verdict.status("equilibria") is stable, verdict.lines


@pytest.mark.parametrize(("other", "stable"), [(-1, True), (0, False)])
def test_a_lone_mutant_that_does_as_well_is_not_resisted(other: int, stable: bool) -> None:
    """Against itself the mutant is paid this, and the first strategy 0; all else pays 0."""
    game = bimatrix([[0, 0], [0, other]], [[0, 0], [0, other]])
    told = {
        "game": game.name,
        "concept": "evolutionary",
        "exact": True,
        "equilibria": [{"Row": {"r1": 1}, "Column": {"c1": 1}}],
    }
    assert verify(game, told).status("equilibria") is stable


def test_tables_that_are_not_symmetric_have_no_stable_strategies() -> None:
    for rows in ([[1, 2], [3, 4]], [[1, 2, 3], [4, 5, 6]]):
        one = {"Row": {"start": {"r1": 1}}, "Column": {"start": {"c1": 1}}}
        with pytest.raises(DamagedData, match="the game is not symmetric"):
            verify(
                bimatrix(rows, rows), {"game": "matrix", "concept": "evolutionary", "exact": True, "equilibria": [one]}
            )


OWN_MOVES = """players Left, Right
state
    a: 0..3 = {left}
    b: 0..3 = {right}
action go when (mover = Left and a > 0) or (mover = Right and b > 0)
    if mover = Left
        a := a - 1
    else
        b := b - 1
terminal
    no actions -> lose mover
"""


@pytest.mark.parametrize(("left", "right", "outcome"), [(2, 1, "L"), (1, 2, "R"), (0, 0, "P"), (1, 1, "P")])
def test_who_wins_where_each_has_moves_of_their_own(left: int, right: int, outcome: str) -> None:
    """No other outcome is accepted, and no other number of positions of each."""
    game: Any = gdl.loads(OWN_MOVES.format(left=left, right=right)).game
    answer = to_object(solve(game, "grundy"))
    assert answer["outcome"] == outcome and verify(game, answer).limit is None
    for other in {*"LRPN"} - {outcome}:
        assert not verify(game, {**answer, "outcome": other}).ok
        assert not verify(game, {**answer, "classes": {**answer["classes"], other: 9}}).ok


def test_the_equilibrium_of_an_answer_says_how_others_decide_their_ties() -> None:
    """l is as good as r where B takes p, which pays B as much; by the equilibrium of the answer B takes q."""
    game = gdl.loads("players A, B\ntree A(l: B(q: (0, 0), p: (2, 0)), r: (2, 1))\n").game
    told = to_object(solve(game, "maxn"))
    assert told["best"] == ["r"] and verify(game, told).status("best") is True
    del told["equilibria"], told["regret"]
    assert verify(game, told).status("best") is None


def test_a_search_that_a_limit_stopped_need_not_list_all_pure_equilibria() -> None:
    """They were refused, as one in pure plans was not listed."""
    game = gdl.load("battle_of_the_sexes")
    told = to_object(solve(game, "nash"))
    told["equilibria"], told["payoffs"] = told["equilibria"][:1], told["payoffs"][:1]
    del told["complete"]
    assert verify(game, told).status("equilibria") is False
    stopped = verify(game, {**told, "limit": "stopped after 1 second, the limit set for this search"})
    assert stopped.ok and stopped.status("equilibria")

"""Where two numbers of a file are equal: on which side of a condition of the checker that falls."""

from __future__ import annotations

import pytest

import gdl
from gdl.checker.types import NUMBER, arithmetic_type
from gdl.errors import GameError
from gdl.model.domains import Range

COUNTER = """players A
state
    n: 1..3
action add when {condition}
    n := n mod 3 + 1
terminal
    n = 2 -> 1
    forever -> 0
"""


@pytest.mark.parametrize(
    ("condition", "never"),
    [
        ("n < 1", True), ("n < 2", False), ("n <= 0", True), ("n <= 1", False),
        ("n > 3", True), ("n > 2", False), ("n >= 4", True), ("n >= 3", False),
        ("n = 0", True), ("n = 1", False), ("n = 3", False), ("n = 4", True),
    ],
)  # fmt: skip
def test_comparisons_that_are_never_true(condition: str, never: bool) -> None:
    found = [problem.message for problem in gdl.loads(COUNTER.format(condition=condition)).warnings]
    assert any("is never" in message for message in found) is never


def test_a_probability_may_be_zero() -> None:
    game = gdl.loads("players A\ntree\n    chance(a 0: 1, b 1: 2)\n").game
    assert game.node(game.initial()).outcomes == (("a", 0), ("b", 1))


def test_the_rest_of_a_probability_may_be_zero() -> None:
    assert gdl.loads("players A\ntree\n    chance(a ?p: 1, b 1: 2, c: 3)\n").game.traits.unknowns
    with pytest.raises(GameError) as wrong:
        gdl.loads("players A\ntree\n    chance(a ?p: 1, b 1: 2)\n")
    assert wrong.value.problems[0].note == ""


@pytest.mark.parametrize(
    ("sign", "divisor", "known"),
    [("mod", (0, 3), False), ("mod", (1, 3), True), ("div", (0, 3), False), ("div", (-3, 0), False), ("div", (-3, -1), True)],
)  # fmt: skip
def test_what_may_divide_by_zero_has_no_range(sign: str, divisor: tuple[int, int], known: bool) -> None:
    assert (arithmetic_type(sign, Range(0, 5), Range(*divisor)) is not NUMBER) is known


GAINS = """players A
state
    n: 0..1
action go
    reward 1 to A
    n := 1 - n
terminal
    n = 1 -> 0
discount {discount}
"""


def test_a_discount_is_above_0_and_at_most_1() -> None:
    assert gdl.loads(GAINS.format(discount="1")).warnings == ()
    with pytest.raises(GameError, match="above 0 and at most 1"):
        gdl.loads(GAINS.format(discount="0"))


def test_play_that_counts_in_full_ends() -> None:
    endless = GAINS.replace("terminal\n    n = 1 -> 0\n", "")
    assert gdl.loads(endless.format(discount="1/2")).warnings == ()
    with pytest.raises(GameError, match="never ends"):
        gdl.loads(endless.format(discount="1"))


def rules(top: str = "", state: str = "", action: str = "", end: str = "n = 2 -> 1") -> str:
    """A counter, with more before it, in its state, and among its actions."""
    return (
        f"{top}players A\nstate\n    n: 1..3\n{state}action add\n    n := n mod 3 + 1\n{action}"
        f"terminal\n    {end}\n    forever -> 0\n"
    )


GRID, RING, GRAPH = "board Square = grid(3, 3)\n", "board Point = ring(6)\n", "board Town = graph(1-2, 2-3)\n"
KINDS, PIECES = f"type Kind = pawn, rook\n{GRID}", "    at[Square]: Kind?\n"
WAY = 'action go(d: {type}) as "{{d}}" when {condition}\n    n := 1\n'


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        pytest.param('game "G" (k: 1..3 = 1)\n' + rules(end="n = k -> 1"), (), id="least-value-of-a-parameter"),
        pytest.param('game "G" (k: 1..3 = 3)\n' + rules(end="n = k -> 1"), (), id="greatest-value-of-a-parameter"),
        pytest.param(rules().replace("players A", "players P[1]"), (), id="one-player"),
        pytest.param(rules(state="    x: -3..0\n"), ("x begins at 0, which its range holds", "x is never used"), id="range-up-to-0"),
        pytest.param("players MAX, MIN\ntree MAX utility in 5..5 (5, MIN(5, 5))\n", (), id="bounds-that-meet"),
        pytest.param(rules() + "utility in 0..1\n", (), id="utilities-at-their-bounds"),
        pytest.param("players A\ntree\n    chance(a ?p: 1, b 0: 2, c: 3)\n", (), id="probability-0-beside-an-unknown"),
        pytest.param("players A\ntree\n    chance(a ?p: 1, b 1: 2, c: 3)\n", (), id="probability-1-beside-an-unknown"),
        pytest.param("players A\ntree\n    chance(l 1/2: 1, r 1/2: 0)\n", (), id="the-only-player-need-not-move"),
        pytest.param("players A, B\ntree\n    A (l: 1, r: 0)\n", ("B never moves",), id="one-of-two-should-move"),
        pytest.param(rules(GRAPH, action=WAY.format(type="Edge", condition="n = 1")), (), id="edges-of-the-only-graph"),
        pytest.param(rules(GRAPH, "    w: Edge = 3\n"), ("an Edge is due here, and this is the number 3",), id="the-only-edges"),
        pytest.param(rules(GRID, "    w: Direction = 3\n"), ("a Direction is due here, and this is the number 3",), id="the-only-directions"),
        pytest.param(rules("board Point = track(6)\n", "    w: Column\n"), ("no type is called 'Column'",), id="a-track-has-no-columns"),
        pytest.param(rules(GRID + RING, action=WAY.format(type="Direction", condition="n = 1")), ("each of the boards Square and Point has directions of its own",), id="directions-of-two-boards"),
        pytest.param(rules(GRID + RING, action=WAY.format(type="Square.Direction", condition="d = forward")), ("a Square.Direction is never equal to a Point.Direction",), id="a-word-of-one-of-two-boards"),
        pytest.param(rules(GRID + "board Cell = grid(2, 2)\n", action=WAY.format(type="Square.Direction", condition="d = north")), (), id="a-word-of-both-boards"),
        pytest.param(rules(GRID, action=WAY.format(type="Square", condition="exists line in lines(Square, 1): d in line")), (), id="lines-of-one-square"),
        pytest.param("players A, B\ntree (1, 2)\n", (), id="a-tree-of-one-end"),
        pytest.param(rules(GRID + "board Cell = grid(2, 2)\n", action=WAY.format(type="Square.Direction", condition="north = d")), (), id="a-word-of-both-boards-in-front"),
        pytest.param("players A, B\nmatrix\n        l  r\n    u  (1, 1)\n", ("1 cell for 2 columns",), id="the-only-row-is-short"),
        pytest.param(rules(KINDS, PIECES + "setup at\n    P = pawn rook\n    P..\n    ...\n    ...\n"), ("an operator is missing before 'rook'",), id="two-words-for-one-array"),
        pytest.param(rules(KINDS, PIECES + "setup at\n    P = pawn..rook\n    P..\n    ...\n    ...\n"), ("a Kind or none is due here, and this is a list of Kind",), id="a-range-for-one-symbol"),
        pytest.param(rules(state="    x: 2..2\n"), ("x is never used",), id="range-of-one-number"),
        pytest.param(rules("type Kind = pawn, rook\n", "    k: pawn..pawn\n"), ("k is never used",), id="range-of-one-member"),
        pytest.param(rules(state="    k: 2..3\n", action="action go\n    for m in 2..2\n        k := m\n"), ("k is written but never read",), id="run-through-one-number"),
        pytest.param(rules(action="define p = exists m in 1..3: m = n\n    and n = 2\naction go when p\n    n := 1\n"), (), id="a-quantifier-joined-by-the-next-line"),
    ],
)  # fmt: skip
def test_a_tie(text: str, messages: tuple[str, ...]) -> None:
    try:
        problems = gdl.loads(text).warnings
    except GameError as wrong:
        problems = wrong.problems
    assert tuple(problem.message for problem in problems) == messages


def test_a_warning_at_the_end_of_a_variant() -> None:
    text = rules() + 'variant "later"\n    terminal\n        n = 2 -> 1\n        n = 2 -> 1'
    for ending in ("", "\n"):
        messages = [problem.message for problem in gdl.loads(text + ending, variant="later").warnings]
        assert messages == ["this test is above, so this line never decides"]


def test_an_open_probability_may_be_given_0_or_1() -> None:
    text = "players A\ntree\n    chance(a ?p: 1, b: 2)\n"
    for given, rest in (("0", 1), ("1", 0)):
        game = gdl.loads(text, settings={"p": given}).game
        assert game.node(game.initial()).outcomes == (("a", int(given)), ("b", rest))


def test_a_head_without_a_body_is_no_rule() -> None:
    with pytest.raises(GameError, match="a relation is due here"):
        gdl.loads("(role a)\n(<=)\n", "a.kif")

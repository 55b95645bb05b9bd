"""Where two numbers of a file are equal: on which side of a condition of the checker that falls."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

import gdl
from gdl.checker.types import NUMBER, arithmetic_type
from gdl.errors import GameError
from gdl.model.domains import Range
from gdl.model.games import Unit

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


def when(condition: str, top: str = "", state: str = "", more: str = "") -> str:
    """A counter with an action that asks for a condition."""
    return rules(top, state, f"{more}action go when {condition}\n    n := 1\n")


def ending(clauses: str, players: str = "A, B", more: str = "") -> str:
    """A counter of several players that ends by these clauses."""
    return rules(end=clauses).replace("players A", f"players {players}").replace("    forever -> 0\n", more)


GRID, RING, GRAPH = "board Square = grid(3, 3)\n", "board Point = ring(6)\n", "board Town = graph(1-2, 2-3)\n"
KINDS, PIECES = f"type Kind = pawn, rook\n{GRID}", "    at[Square]: Kind?\n"
WAY = 'action go(d: {type}) as "{{d}}" when {condition}\n    n := 1\n'
MEN, PILE = "type Man = pawn, rook, king\n", "    pile: sequence of Man up to {}\n"
PUT = "action put(x: {type})\n    q := x\n"
PICTURE = "setup {}\n    {}\n    P R .\n    . . .\n    . . .\n"


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        pytest.param('game "G" (k: 1..3 = 1)\n' + rules(end="n = k -> 1"), (), id="least-value-of-a-parameter"),
        pytest.param('game "G" (k: 1..3 = 3)\n' + rules(end="n = k -> 1"), (), id="greatest-value-of-a-parameter"),
        pytest.param(rules().replace("players A", "players P[1]"), (), id="one-player"),
        pytest.param(rules(state="    x: -3..0\n"), ("x is never used",), id="range-up-to-0"),
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
        pytest.param(when("size(pile) = 0", MEN, PILE.format(3), "action more\n    push(pile, pawn)\n"), (), id="an-empty-sequence"),
        pytest.param(when("max(4, n) = 4"), (), id="the-first-is-the-greater"),
        pytest.param(when("max(n, 4) = 4"), (), id="the-second-is-the-greater"),
        pytest.param(when("abs(0 - n) = 1"), (), id="least-distance-from-0"),
        pytest.param(when("abs(0 - n) = 0"), ("a number from 1 to 3 is never equal to the number 0",), id="below-the-least-distance"),
        pytest.param(when("abs(n) = 4"), ("a number from 1 to 3 is never equal to the number 4",), id="above-the-greatest-distance"),
        pytest.param(when("abs(n + n - 4) = 0"), (), id="no-distance"),
        pytest.param(when("number(q) = 1", MEN, "    q: Man\n", PUT.format(type="Man")), (), id="number-of-the-first"),
        pytest.param(when("since(n) = 1"), (), id="one-ply-ago"),
        pytest.param(when("distance(q, a1) = 0", GRID, "    q: Square\n", PUT.format(type="Square")), (), id="no-step-away"),
        pytest.param(when("l[2] = 7", more="define l = [7]\n"), ("the number 1 is due here, and this is the number 2",), id="behind-the-only-element"),
        pytest.param(when("Square(1, 1) + 1 = 2", GRID), ("'+' takes numbers, and this is a Square",), id="a-corner-is-no-none"),
        pytest.param(when("Square(4, 1) + 1 = 2", GRID), ("'+' takes numbers, and this is a Square or none",), id="beside-the-board"),
        pytest.param(when("d4 = a1", "board Square = grid(1, 1)\n"), ("no name is called 'd4'",), id="a-board-of-one-square"),
        pytest.param(when("-n = -3"), (), id="least-of-the-opposite"),
        pytest.param(when("-n = 0"), ("a number from -3 to -1 is never equal to the number 0",), id="above-the-opposite"),
        pytest.param(when("(count x in 1..3: n > x) = 0"), (), id="a-count-of-none"),
        pytest.param(when("(count x in 1..3: n > x) = 4"), ("a number from 0 to 3 is never equal to the number 4",), id="a-count-of-more-than-all"),
        pytest.param(when("c = 1", GRID).replace("go when", "go(c: Column) when"), (), id="the-first-column"),
        pytest.param(rules(GRAPH + GRAPH.replace("Town", "Land"), "    w: Town.Edge = 3\n"), ("a Town.Edge is due here, and this is the number 3",), id="edges-of-two-graphs"),
        pytest.param(rules("type One = record(a: 1..1)\n", "    o: One\n"), ("o is never used",), id="a-record-of-one-value"),
        pytest.param(rules(MEN, PILE.format(1)), ("pile is never used",), id="a-sequence-of-one-place"),
        pytest.param(rules(MEN, PILE.format("1 = [pawn, rook]")), ("pile has at most 1 element, and these are 2",), id="two-first-elements-for-one-place"),
        pytest.param(rules(MEN, PILE.format(1), "action mix when size(pile) < 1\n    push(pile, pawn)\n    shuffle(pile)\n"), (), id="a-shuffle-of-one"),
        pytest.param(rules(MEN, "    k: 1..rook\n"), ("a whole number is due here",), id="from-a-number-to-a-member"),
        pytest.param(rules(MEN, "    k: Man\n", "action put when k = pawn\n    k := rook\naction go when k = king\n    n := 1\n"), ("k is never king: nothing assigns it that",), id="two-of-three-values"),
        pytest.param(rules(state="    k: 0..3\n", action="chance roll(d: 1..3)\n    n := d\naction go when k > 0\n    draw roll 0 times\n    k := 1\n"), (), id="nothing-is-drawn"),
        pytest.param(rules(action="action go\n    repeat\n        choose k: 1..2 when k > n\n        n := k\n    stop\n"), ("'stop' leaves a 'repeat', and none is open here",), id="stop-behind-a-repeat"),
        pytest.param(rules(action="action go\n    try\n        stop\n    n := 1\n"), ("'stop' leaves a 'repeat', and none is open here",), id="stop-in-what-is-tried"),
        pytest.param(when(f"(sum x in [{'0, ' * 1200}0]: x) = 0"), (), id="many-side-by-side"),
        pytest.param(rules(action="action go\n" + "    if n = 1\n        n := 2\n" * 1200), (), id="many-below-one-another"),
        pytest.param("players A\nphase only\n    action go\n        next phase only\nterminal\n    forever -> 0\n", (), id="the-only-phase"),
        pytest.param(rules(KINDS, PIECES + PICTURE.format("at", "P R = pawn..rook")), ("at is never used",), id="two-symbols-for-two-members"),
        pytest.param(rules(KINDS, PIECES + PICTURE.format("at", "P R = pawn")), ("2 symbols stand here for 1 value",), id="two-symbols-for-one-member"),
        pytest.param(rules(KINDS, PIECES + "    by[Square]: Kind?\n" + PICTURE.format("at, by", "R = rook rook").replace("P R", "p R")), ("'p' stands for nothing that at and by holds",), id="two-arrays-need-a-legend"),
        pytest.param("players 2, 3\ntree 2(1, 3(2, 3))\n", (), id="two-players-called-by-numbers"),
        pytest.param("players 2\ntree 2(1, 2)\n", ("this is one player, who is called '2'",), id="a-player-called-2"),
        pytest.param("players 1\ntree 1(1, 2)\n", (), id="a-player-called-1"),
        pytest.param(ending("n = 2 -> win P1", "P[0]"), ("a game has 1 to 64 players",), id="no-player"),
        pytest.param(ending("n = 2 -> win P1", "P[x]"), ("no name is called 'x'",), id="an-unknown-number-of-players"),
        pytest.param(ending("n = 2 -> 1", more="claim zero-sum\nutility in 0..1\n"), (), id="what-one-of-two-gets"),
        pytest.param(ending("n = 2 -> draw", more="claim zero-sum\nutility in 0..0\n"), (), id="nothing-in-a-draw"),
        pytest.param(ending("n = 2 -> win A", more="utility in 0..1\n"), (), id="what-the-loser-gets"),
        pytest.param(ending("n = 2 -> pay 1 to A", more="utility in 0..1\n"), (), id="what-the-payer-gets"),
        pytest.param(ending("n = 2 -> 1", "A, B, C"), ("one number is not enough for 3 players",), id="a-number-for-three"),
        pytest.param(ending("n = 2 -> win A", "A, B, C"), ("'win' is for two players, and there are 3",), id="a-win-of-one-of-three"),
        pytest.param(ending("n = 2 -> (1, 2, 3)", "A, B, C", "evaluate\n    n\n"), ("one evaluation is not enough for 3 players",), id="an-evaluation-for-three"),
        pytest.param(ending("n = 2 -> win A\n    n = 2 -> lose B"), ("this test is above, so this line never decides",), id="one-winner"),
        pytest.param(ending("n = 2 -> win A\n    n = 2 -> lose A"), ("this test is above with another winner, so this line never decides",), id="two-winners"),
        pytest.param(ending("n = 2 -> pay 1 to A, 2 to B"), (), id="two-payments-of-two"),
        pytest.param(rules(end="n = 2 -> n") + "utility in 5..6\n", ("a utility between 1 and 3 breaks its bound: at least 5 and at most 6", "the utility 0 breaks its bound: at least 5 and at most 6"), id="utilities-between-two"),
        pytest.param("players A\ntree chance(a 1/0: 1, b 1: 2)\n", ("a fraction's denominator is not zero",), id="no-further-word-on-a-fraction"),
        pytest.param("players A, B\ntree A utility <= 0 (l: (0, 0, 0), r: (0, 0))\n", ("3 utilities for 2 players",), id="no-further-word-on-three-utilities"),
        pytest.param("players A, B, C\ntree A utility <= 0 (l: 0, r: B(C((0, 0, 0), (0, 0, 0)), (0, 0, 0)))\n", ("one number is not enough for 3 players",), id="no-further-word-on-one-number"),
        pytest.param("players A\ntree A utility in ?x..0 (0, 0)\n", ("a bound is a number",), id="no-further-word-on-a-bound"),
        pytest.param("players A, B\ntree A(l: C in s (1, 2), r: A in s (1, 2))\n", ("no player is called 'C'",), id="no-further-word-on-a-player"),
        pytest.param("players A, B\ntree A(l 1/2: 1, r: B(2, 3))\n", ("only a child of chance has a probability",), id="an-action-and-a-probability"),
        pytest.param("players A, B\ntree A(l: (1, -1), r: B(2, 3))\n", (), id="a-pair-of-opposites"),
        pytest.param("players A, B\ntree A(l: 1)\n", ("B never moves",), id="a-tree-of-one-move"),
        pytest.param("players A, max, B\ntree A(?x, max(?y, B(?z, ?w)))\n", (), id="no-single-numbers-of-three"),
        pytest.param("players A\ntree chance(a 1 - ?p: 1, b: 2)\n", (), id="the-rest-of-the-rest"),
        pytest.param("players A\ntree chance(a 1 - ?p: 1, b 1/2: 2)\n", ("with ?p unknown, one outcome takes the rest of the probability",), id="a-number-for-an-unknown"),
        pytest.param("players A\ntree chance(a 1 - ?p: 1, b: 2, c: 3)\n", ("with ?p unknown, one outcome takes the rest of the probability",), id="two-without-a-probability"),
        pytest.param("players A, B\nmatrix\n      l r\n    u 1 2 3\n    d 1 2 3\n", ("the header names 2 columns, and every row has 3 cells",), id="two-rows-of-one-length"),
        pytest.param("players A, B\nmatrix\n      l r\n    u 1 2 3\n    d 1 2 3 4\n", ("3 cells for 2 columns", "4 cells for 2 columns"), id="two-rows-of-two-lengths"),
        pytest.param(when("size({step(q, north)}) = 1", GRID, "    q: Square\n", PUT.format(type="Square")), ("step(q, north) is none beyond the edge of the board, and a set holds no none",), id="a-step-in-a-set"),
        pytest.param(rules(GRID, "    seeds[Square, 1..2]: 0..3\n") + 'notation "{seeds}"\n    seeds at here: X = 1\ndefine here(s: Square) = row(s)\n', ("here does not call a Square by a name",), id="squares-by-name-of-two-indices"),
        pytest.param(when("n = 2 / 1"), (), id="a-division-by-1"),
        pytest.param(when("n = 2 / 0"), ("division by zero",), id="a-division-by-0"),
        pytest.param(when("size({step(a1, d)}) = 1", GRID).replace("go when", "go(d: Direction) when"), ("step(a1, d) is none beyond the edge of the board, and a set holds no none",), id="a-step-from-a-corner-in-a-set"),
        pytest.param(rules(state="    x: 1..2\n    y: 1..2\n") + 'notation "{x, y}"\n', ("the variables of a field are arrays over the same squares",), id="a-field-of-two-numbers"),
        pytest.param(rules(KINDS + "board Cell = grid(2, 2)\n", PIECES + "    by[Cell]: Kind?\n") + 'notation "{at, by}"\n', ("the variables of a field are arrays over the same squares",), id="a-field-of-two-boards"),
        pytest.param(when("size({step(a1, west)}) = 1", GRID), ("step(a1, west) is none beyond the edge of the board, and a set holds no none",), id="a-step-off-a-corner-in-a-set"),
        pytest.param(when("always(n > 0, n)"), (), id="always-with-one-key"),
        pytest.param(when("offset(a1, 1, 1) = n", GRID), ("a Square or none is never equal to a number from 1 to 3",), id="an-offset-by-numbers"),
        pytest.param(when("step(a1, north, 0) = a1", GRID), (), id="no-steps"),
        pytest.param(when("Square(3, 3) + 1 = 2", GRID), ("'+' takes numbers, and this is a Square",), id="the-other-corner-is-no-none"),
        pytest.param(when("size({step(a1, north)}) = 1", GRID), (), id="a-step-along-the-edge-in-a-set"),
        pytest.param(rules(state="    w: set of 0..3\n"), ("w is never used",), id="a-set-from-0"),
        pytest.param(when("a = b", state="    a: sequence of 1..3 up to 2\n    b: sequence of 1..9 up to 2\n", more="action more\n    push(a, n)\n    push(b, n)\n"), (), id="sequences-of-numbers"),
        pytest.param(when("pile = [pawn]", MEN, PILE.format(1), "action more\n    push(pile, pawn)\n"), (), id="a-list-as-long-as-a-sequence"),
        pytest.param(rules(action="chance roll(d: 1..3)\n    n := d\naction go\n    draw roll(2)\n"), (), id="all-is-given-to-a-draw"),
        pytest.param(ending("n < 2 -> 1\n    n <= 2 -> 2"), (), id="at-most-is-more-than-less"),
        pytest.param(ending("n > 2 -> 1\n    n >= 2 -> 2"), (), id="at-least-is-more-than-greater"),
        pytest.param("players A, max\ntree A(1, max(2, 3))\n", (), id="single-numbers-of-two"),
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


def test_the_first_of_the_lists_that_a_number_chooses() -> None:
    ways = "define ways = [[[0, 2], [1, 5]], [[1, 7], [2, 0]], [[1, 3]]]\n"
    text = "players P\n" + ways + 'state\n    n: 1..3\naction show as "{first w in ways[n]: w[1] = 1}"\n'
    game = gdl.loads(text + "    n := 2\nterminal\n    forever -> 0\n").game
    first = game.initial()
    assert game.node(first).actions == ("[1, 5]",)
    assert game.node(game.successor(first, "[1, 5]")).actions == ("[1, 7]",)


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


@pytest.mark.parametrize(
    ("given", "outcomes"),
    [({"p": "1/4", "q": "1/2"}, (F(1, 4), F(1, 4), F(1, 2))), ({"p": "1", "q": "0"}, (0, 1, 0))],
)  # fmt: skip
def test_the_rest_of_two_unknowns(given: dict[str, str], outcomes: tuple[F, ...]) -> None:
    text = "players A\ntree chance(1 - ?p - ?q: 1, ?p: 2, ?q: 3)\n"
    game = gdl.loads(text, settings=given).game
    assert game.node(game.initial()).outcomes == tuple(zip("123", outcomes, strict=True))
    half = gdl.loads(text, settings={"p": "1/4"}).game
    assert half.node(half.initial()).outcomes[0][1].share == F(3, 4)
    with pytest.raises(GameError, match="a probability would be 3/2"):
        gdl.loads("players A\ntree chance(?p: 1, rest: 2)\n", settings={"p": "3/2"})


@pytest.mark.parametrize("first", ["MAX", "MIN"])
def test_a_single_number_is_what_max_gets(first: str) -> None:
    other = {"MAX": "MIN", "MIN": "MAX"}[first]
    pair = (3, -3) if first == "MAX" else (-3, 3)
    tree = gdl.loads(f"players {first}, {other}\ntree {first}(?x, {other}(1, 2))\n", settings={"x": "3"}).game
    assert tree.node(tree.successor(tree.initial(), "1")).utilities == pair
    counter = gdl.loads(ending("n = 2 -> 3", f"{first}, {other}")).game
    assert counter.node(counter.successor(counter.initial(), "add")).utilities == pair


@pytest.mark.parametrize(
    ("outcome", "utilities"), [("draw", (0, 0)), ("win A", (1, -1)), ("lose A", (-1, 1)), ("pay 2 to B", (-2, 2))]
)
def test_what_an_end_pays(outcome: str, utilities: tuple[int, int]) -> None:
    game = gdl.loads(ending(f"n = 2 -> {outcome}")).game
    assert game.node(game.successor(game.initial(), "add")).utilities == utilities


def test_a_feature_without_a_weight_has_the_weight_1() -> None:
    text = ending("n = 3 -> 1", more="evaluate in points\n    n\n")
    game = gdl.loads(text).game
    assert game.evaluate(game.initial()) == (1, -1)
    assert gdl.loads(text).model.unit == Unit("points", 1)


def test_an_unknown_setting_is_told_at_the_parameters() -> None:
    with pytest.raises(GameError) as wrong:
        gdl.loads('game "G" (k: 1..3 = 1)\n' + rules(end="n = k -> 1"), settings={"m": "2"})
    place = wrong.value.problems[0].span
    assert place is not None and place.line == 1


def test_many_quotes_behind_a_brace_that_does_not_close_take_no_time() -> None:
    name = "{ " + r"\"a\" " * 400
    text = f'players A\naction go as "{name}"\nterminal\n    no actions -> 0\n'
    game = gdl.loads(text).game
    assert game.node(game.initial()).actions == (("{ " + '"a" ' * 400).strip(),)


def test_a_truth_of_python_is_a_setting() -> None:
    text = 'game "G" (open = false)\n' + rules(end="n = (if open then 3 else 1) -> 1")
    assert gdl.loads(text, settings={"open": True}).game == gdl.loads(text, settings={"open": "true"}).game

"""Syntax -> model: what the checker infers, and how it tells of mistakes: all at once, in order, each once."""

from functools import partial

import pytest

import gdl
from gdl.checker import vocabulary
from gdl.checker.scope import WAYS
from gdl.errors import GameError
from gdl.model import board_tables
from gdl.model.domains import NUMBER, Named, Optional, Range, SetType
from gdl.model.games import MatrixModel, RulesModel, TreeModel

RULES = """players Ann, Bob
{declarations}
board Square = grid(3, 3)
type Card = J < Q < K

state
    heap: 0..5 = 5
    mark[Square]: Player?
    hand[Player]: set of Card
    {variable}

{definitions}
action take(s: Square){guard}
    mark[s] := mover
    {body}

terminal
    heap = 0 -> draw
    no actions -> draw
"""


def rules(declarations="", variable="", definitions="", guard=" when mark[s] = none", body=""):
    return RULES.format(declarations=declarations, variable=variable, definitions=definitions, guard=guard, body=body)


def errors(text):
    with pytest.raises(GameError) as raised:
        gdl.loads(text, "x.game")
    return [problem.message for problem in raised.value.problems]


def warnings(text):
    return [problem.message for problem in gdl.loads(text, "x.game").warnings]


def node(text):
    game = gdl.loads(text, "x.game").game
    return game.node(game.initial())


# ---- Three forms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("players A, B\ntree A(B(1, 2), 3)\n", TreeModel),
        ("players A, B\nmatrix\n    l r\n    u 1 2\n    d 3 4\n", MatrixModel),
        (rules(), RulesModel),
    ],
)
def test_a_file_is_rules_a_tree_or_a_matrix(text, model):
    assert isinstance(gdl.loads(text).model, model)


# ---- Telling ------------------------------------------------------------------------------------------------------


def test_all_mistakes_are_told_at_once_in_the_order_of_their_places():
    text = rules(
        variable="wrong: Coin", definitions="define f(x: 1..3) = y", guard=" when mark[s] = Cid", body="heep := 1"
    )
    with pytest.raises(GameError) as raised:
        gdl.loads(text, "x.game")
    found = [(problem.span.line, problem.message) for problem in raised.value.problems]
    assert [message for _, message in found] == [
        "no type is called 'Coin'",
        "no name is called 'y'",
        "no name is called 'Cid'",
        "no variable is called 'heep'",
    ]
    assert found == sorted(found)


CASCADES = {
    "a variable of an unknown type": (
        rules(variable="phase: Phase", guard=" when phase = mark[s] or phase < 3", body="phase := 7"),
        "no type is called 'Phase'",
    ),
    "a board of an unknown shape": (
        rules(definitions="board Other = gird(3, 3)\n", guard=" when exists o in Other: row(o) = 1"),
        "no shape of board is called 'gird'",
    ),
    "a name that is taken": (
        rules(variable="Ann: 0..3", guard=" when mark[s] = none and Ann = 2"),
        "the name 'Ann' is taken: line 1 declares it",
    ),
    "a definition with a mistake, used often": (
        rules(
            definitions="define f(x: Square) = mark[x] = nobody",
            guard=" when f(s)",
            body="require f(s)\n    heap := if f(s) then 1 else 2",
        ),
        "no name is called 'nobody'",
    ),
    "lines of none": (
        rules(guard=" when exists l in lines(Square, 0): forall q in l: q in l and mark[q] = none"),
        "a line has at least one square",
    ),
    "a set that is none": (
        rules(guard=" when heap in {heap} + Ann or mark[s] = none"),
        "a set is due here, and this is a Player",
    ),
    "an unknown player in a tree": ("players A, B\ntree A(C(1, 2), C(3, 4), B(5, 6))\n", "no player is called 'C'"),
    "one number for each leaf of a tree for three": (
        "players A, B, C\ntree A(B(1, 2), C(3, 4), B(5, 6))\n",
        "one number is not enough for 3 players",
    ),
    "a parameter that is wrong": (
        rules().replace("players", 'game "Heap" (most: 1..3 = Ann)\nplayers').replace("0..5 = 5", "0..most = most"),
        "no name is called 'Ann'",
    ),
    "a second set of players": (rules(declarations="players Cid, Dan"), "a second 'players' section"),
}


@pytest.mark.parametrize(("text", "message"), CASCADES.values(), ids=CASCADES)
def test_one_mistake_is_told_once(text, message):
    assert errors(text) == [message]


@pytest.mark.parametrize("word", [*vocabulary.WORDS, *sorted(WAYS), "north"])
def test_a_definition_hides_the_word_of_the_language(word):
    text = rules(definitions=f"define {word}(p: Player): Boolean = mark[1, 1] = p\n", body=f"require not {word}(Ann)")
    gdl.loads(text)


def test_a_near_name_is_proposed():
    with pytest.raises(GameError, match="help: write 'heap'"):
        gdl.loads(rules(body="heap := heep - 1"))


def test_warnings_do_not_stop_a_game():
    text = rules(definitions="define unused = 3", body="heap := heap - 1")
    assert warnings(text) == ["hand is never used", "the definition unused is never used"]
    assert node(text).actions


# ---- Kinds of values ----------------------------------------------------------------------------------------------


def test_the_types_of_variables():
    model = gdl.loads(rules(variable="deck: set of 1..3\n    best: Card?\n    far[1..3, Player]: Boolean")).model
    types = {variable.name: variable.type for variable in model.variables}
    assert types["heap"] == Range(0, 5)
    assert isinstance(types["mark"], Optional)
    assert types["deck"] == SetType(Range(1, 3))
    assert isinstance(types["best"], Optional)
    assert isinstance(types["best"].item, Named)
    assert [v.extents for v in model.variables if v.name == "far"] == [(3, 2)]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2 + 3 * 4 - 1", 13), ("7 div 2", 3), ("-7 div 2", -4), ("7 mod 3", 1), ("-7 mod 3", 2), ("6 / 4 * 2", 3),
        ("0.5 + 0.5", 1), ("min(3, 1, 2)", 1), ("max(3, 1, 2)", 3), ("abs(-3)", 3), ("count x in 1..5: x > 2", 3),
        ("sum x in 1..4: x", 10), ("size({1, 2, 2})", 2), ("number(Q)", 2), ("if 1 < 2 then 4 else 5", 4),
        ("max x in 1..3: x * x", 9), ("size(lines(Square, 3))", 8), ("size(neighbours(b2))", 4),
        ("distance(a1, c3)", 4), ("row(b3)", 3), ("column(b3)", 2),
    ],
)  # fmt: skip
def test_constants_are_computed_exactly(written, value):
    """The size of a type is known before play, and shows what an expression is worth."""
    text = rules(declarations=f"type Probe = -9..({written})", variable="probe: Probe")
    if "Square" in written or "neighbours" in written or "distance" in written or "(b3)" in written or "Q" in written:
        text = text.replace(f"type Probe = -9..({written})", "").replace(
            "type Card = J < Q < K", f"type Card = J < Q < K\ntype Probe = -9..({written})"
        )
    types = {variable.name: variable.type for variable in gdl.loads(text).model.variables}
    assert types["probe"] == Range(-9, value)


def test_a_local_name_that_changes_has_no_bounds_known_before():
    """`x` begins as 1; that it holds more later must not be taken for impossible."""
    text = rules(guard="", body="let x = 1\n    x := x + 3\n    require x = 4")
    assert node(text).actions


def test_a_set_of_a_word_about_no_square_is_empty():
    text = rules(
        guard=" when size(neighbours(step(step(step(s, north), north), north))) = 0 and not (s in neighbours(step(a1, south)))"
    )
    assert len(node(text).actions) == 9


def test_a_filter_stops_where_the_answer_is_known():
    text = rules(guard=" when exists x in 0..4000000 where x mod 2 = 0: x = 4")
    assert len(node(text).actions) == 9


# ---- What looks like a slip ---------------------------------------------------------------------------------------


def test_leaks_are_found_through_recursive_definitions():
    text = """players Ann, Bob
state
    card[Player]: 1..3 visible to owner
    n: 0..3
define high(p: Player, k: 0..3): Boolean = k > 0 and (card[p] > k or high(p, k - 1))
action go when high({who}, 3) or n < 3
    n := 3
terminal
    n = 3 -> draw
"""
    assert warnings(text.format(who="mover")) == ["card is never assigned, so it keeps its first value"]
    assert errors(text.format(who="other(mover)")) == ["go is legal or not by card, which the mover may not see"]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("A(a: B(1, 2), b: A in s (l: 1, r: 2), c: A in s (l: 3, r: B(3, 4)))", True),
        ("A(a: B in s (l: 1, r: 2), b: B in s (l: 3, r: 4))", False),
        ("chance(1/2: A in s (l: B(1, 2), r: 2), 1/2: A in s (l: 3, r: 4))", False),
    ],
)
def test_imperfect_recall_of_a_tree(tree, expected):
    found = warnings(f"players A, B\ntree {tree}\n")
    assert any("recall is imperfect" in message for message in found) is expected


def test_a_comparison_that_never_holds():
    assert "a number from 0 to 5 is never greater than the number 7" in warnings(
        rules(guard=" when heap > 7 or mark[s] = none")
    )


def test_the_range_of_an_arithmetic_expression():
    found = warnings(rules(guard=" when heap * 2 + 1 = row(s) - 9 or mark[s] = none"))
    assert "a number from 1 to 11 is never equal to a number from -8 to -6" in found


def test_numbers_without_bounds_are_numbers():
    text = rules(definitions="define half(x: 0..5) = x / 2", guard=" when half(heap) >= 0")
    assert node(text).actions
    assert NUMBER not in [variable.type for variable in gdl.loads(text).model.variables]


MIRRORED = """players White, Black
board Square = grid(2, 4) flipped for Black
state
    gone: Boolean
action go as "{row(a1)} {row(a1) for Black} {height(a1)} {height(a1) for Black}"
    gone := true
terminal
    gone -> draw
"""


def test_a_word_of_squares_is_mirrored_by_its_row_alone(monkeypatch: pytest.MonkeyPatch):
    height = vocabulary.word_of_squares("height", 1, (), partial(board_tables.axis, number=1), "number")
    monkeypatch.setitem(vocabulary.WORDS, "height", height)
    game = gdl.loads(MIRRORED).game
    assert game.node(game.initial()).actions == ("1 4 1 4",)


@pytest.mark.parametrize(("square", "near"), [("b1", True), ("a2", True), ("a1", False), ("b2", False)])
def test_what_lies_beside_a_square_lies_there_for_both_sides(square: str, near: bool):
    start, end = MIRRORED.index("action"), MIRRORED.index("    gone := true")
    text = f"{MIRRORED[:start]}action beside when {square} in neighbours(a1) for Black\n    gone := true\naction no\n{MIRRORED[end:]}"
    game = gdl.loads(text).game
    assert ("beside" in game.node(game.initial()).actions) is near


def test_a_word_of_another_board_is_one_where_a_direction_is_due():
    text = """players White, Black
board Square = grid(3, 3)
board Cell = ring(6)
state
    at: Square? = a1
define far(s: Square, d: Square.Direction) = step(s, d)
action go when far(a1, forward) = b1
    at := none
terminal
    no actions -> draw
"""
    with pytest.raises(GameError, match=r"a Square.Direction is due here, and this is a Cell.Direction"):
        gdl.loads(text)


def test_a_list_that_is_called_like_a_word_is_not_mirrored():
    """The index of such a list is no square, though `row(s)` is asked for one."""
    text = MIRRORED.replace("action", "define row = [[a1, a2], [b3, b4]]\naction", 1)
    text = text.replace(
        '"{row(a1)} {row(a1) for Black} {height(a1)} {height(a1) for Black}"', '"{row[1, 2] for Black}"'
    )
    game = gdl.loads(text).game
    assert game.node(game.initial()).actions == ("a3",)

"""Text -> syntax: one record per rule of the grammar, each with its place; all mistakes of form at once."""

import pytest

from gdl import syntax
from gdl.errors import GameError, Source
from gdl.syntax import parser, tables


def sections(text):
    return parser.parse(text, "x.game").sections


def section(text):
    (found,) = sections(text)
    return found


def messages(text):
    with pytest.raises(GameError) as raised:
        parser.parse(text, "x.game")
    return [problem.message for problem in raised.value.problems]


def shape(part):
    """An expression in brackets, so that what belongs together is seen."""
    match part:
        case syntax.Binary():
            return f"({shape(part.left)} {part.operator.text} {shape(part.right)})"
        case syntax.Compare():
            return f"({shape(part.left)} {part.relation} {shape(part.right)})"
        case syntax.And() | syntax.Or():
            return f"({shape(part.left)} {type(part).__name__.lower()} {shape(part.right)})"
        case syntax.Not() | syntax.Negative():
            return f"({type(part).__name__.lower()} {shape(part.operand)})"
        case syntax.Quantified():
            return f"({part.quantifier.text} … {shape(part.body)})"
        case syntax.ChoiceOf():
            return f"(if {shape(part.condition)} then {shape(part.then)} else {shape(part.otherwise)})"
    return part.span.source.text[part.span.start : part.span.end]


EXPRESSIONS = {
    "a + b * c": "(a + (b * c))",
    "a - b - c": "((a - b) - c)",
    "a * b mod c": "((a * b) mod c)",
    "-a + b": "((negative a) + b)",
    "a + 1 < b * 2": "((a + 1) < (b * 2))",
    "not a = b": "(not (a = b))",
    "not a and b": "((not a) and b)",
    "a or b and c": "(a or (b and c))",
    "a and b or c and d": "((a and b) or (c and d))",
    "(a or b) and c": "((a or b) and c)",
    "a in b": "(a in b)",
    "a not in b": "(a not in b)",
    "1 + count x in s: x = 1": "(1 + (count … (x = 1)))",
    "exists x in s: x = 1 and x = 2": "(exists … ((x = 1) and (x = 2)))",
    "(exists x in s: a) and b": "((exists … a) and b)",
    "if a then b else c + 1": "(if a then b else (c + 1))",
    "if a then b else if c then d else e": "(if a then b else (if c then d else e))",
    "a = if b then c else d": "(a = (if b then c else d))",
}


@pytest.mark.parametrize(("text", "expected"), EXPRESSIONS.items(), ids=EXPRESSIONS)
def test_operators_bind_as_in_arithmetic(text, expected):
    source = Source("x.game", text)
    assert shape(parser.expression(source, 0, len(text))).removeprefix("(").removesuffix(")") == expected[1:-1]


@pytest.mark.parametrize("text", ["n +", "n <", "not", "2 *"])
def test_an_expression_that_ends_early_is_told_so_behind_it(text):
    with pytest.raises(GameError) as raised:
        parser.expression(Source("x.game", text), 0, len(text))
    (problem,) = raised.value.problems
    assert (problem.message, problem.span.start) == ("the line ends where a value is due", len(text))


@pytest.mark.thorough
def test_the_grammar_has_no_conflict():
    assert tables.build() is not None  # with strict=True, any conflict raises


def test_every_part_knows_its_place():
    text = 'game "Nim"\nplayers Ann, Bob\naction take(n: 1..3) when n <= 3\n    next mover\n'
    game, players, action = sections(text)
    assert (players.names[1].span.line, players.names[1].span.column) == (2, 14)
    assert text[game.title.span.start : game.title.span.end] == '"Nim"'
    guard = action.modifiers[0]
    assert text[guard.span.start : guard.span.end] == "when n <= 3"


@pytest.mark.parametrize(
    ("written", "meant"),
    [("word", "word"), ("010", "010"), ("1a", "1a"), ('"two words"', "two words"), (r'"a \"b\" \\c"', 'a "b" \\c')],
)
def test_names(written, meant):
    tree = section(f"tree A({written}: 1, other: 2)\n")
    assert tree.root.children[0].label.parts[0].name == meant


@pytest.mark.parametrize(
    "text",
    [
        "tree A(l: B(1, 2), r: 3)",
        "tree\n    A\n        l: B\n            1\n            2\n        r: 3",
        "tree\n    A\n        l: B (\n    1,\n        2)\n        r: 3",
        "tree A\n    l: B(1, 2)\n    r: 3",
    ],
)
def test_a_tree_is_one_however_it_is_written(text):
    def outline(node):
        label = node.label.parts[0].name if node.label else None
        if isinstance(node, syntax.LeafNode):
            return label, node.leaf.utilities.text
        return label, node.head.player.name, [outline(child) for child in node.children]

    expected = (None, "A", [("l", "B", [(None, "1"), (None, "2")]), ("r", "3")])
    assert outline(section(text + "\n").root) == expected


def test_rows_of_a_matrix_need_no_common_margin():
    matrix = section("matrix\n        l      r\n  u   (1, 2)  0\n      d 3 -1/2\n")
    assert [row.name.name for row in matrix.rows] == ["u", "d"]
    assert matrix.rows[1].cells[1].text == "-1/2"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems(ending):
    assert len(sections("players A, B\ntree A(1, B(2, 3))\n".replace("\n", ending))) == 2


def test_a_byte_order_mark_is_no_part_of_the_text():
    assert isinstance(section("\ufeffplayers A, B\n"), syntax.Players)


def test_accents_are_joined_to_their_letters():
    assert section("players Rene\u0301, Bob\n").names[0].name == "René"


def test_every_section_tells_its_own_mistake():
    assert messages("players A B\n\nstate\n    x 0..1\n\nterminal\n    x = 1: draw\n") == [
        "a comma is missing before 'B'",
        "'x' has no type",
        "'->' leads from a test to its outcome",
    ]


def test_every_line_of_a_section_tells_its_own_mistake():
    text = "resolve\n    x = 1\n    y := 2\n    if x = 1\n        y = 3\n    z =\n"
    assert messages(text) == ["'=' compares; an effect assigns with ':='"] * 3


def test_a_mistake_in_a_block_is_told_once():
    assert messages("resolve\n    if x == 1\n        y := 3\n    else\n        y := 4\n") == [
        "'==' is not a sign of the language"
    ]


def test_else_belongs_to_the_if_that_is_wrong():
    assert messages("resolve\n    if x 1\n        y := 3\n    else\n        y := 4\n    z = 1\n") == [
        "an operator is missing before '1'",
        "'=' compares; an effect assigns with ':='",
    ]


def test_sections_after_an_open_bracket_are_read():
    assert messages("action a(n: 1..2\n    x := 1\n\nterminal\n    x = 1: draw\n") == [
        "this '(' is never closed",
        "'->' leads from a test to its outcome",
    ]


def test_problems_stand_in_the_order_of_their_places():
    with pytest.raises(GameError) as raised:
        parser.parse("players A B\nstate\n    x: 0..1;\nterminal\n    -> draw\n", "x.game")
    places = [problem.span.start for problem in raised.value.problems]
    assert places == sorted(places)
    assert len(places) == 3

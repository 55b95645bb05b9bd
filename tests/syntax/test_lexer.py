"""Text -> tokens: what a word is depends on its section; indentation is made visible; mistakes stay where they are."""

import gc

import pytest

from gdl.errors import GameError, Source
from gdl.syntax import lexer


def read(text):
    """The kinds of the tokens, section by section, and the messages."""
    groups, problems = lexer.sections(Source("x.game", text))
    return [[token.kind for token in tokens] for tokens in groups], [problem.message for problem in problems]


def words(text):
    """The sections' words with their kinds, without the signs of lines and blocks."""
    groups, problems = lexer.sections(Source("x.game", text))
    assert problems == []
    return [[(t.text, t.kind) for t in tokens if t.kind not in ("_NL", "_INDENT", "_DEDENT")] for tokens in groups]


def texts(text):
    return [[value for value, _ in section] for section in words(text)]


def test_sections_begin_at_the_left_margin():
    assert texts("players A\nstate\n    x: 0..1\nterminal\n    x = 1 -> draw\n") == [
        ["players", "A"],
        ["state", "x", ":", "0", "..", "1"],
        ["terminal", "x", "=", "1", "->", "draw"],
    ]


def test_indentation_is_made_visible():
    kinds, problems = read("resolve\n    if true\n        stop\n    stop\n")
    assert problems == []
    assert kinds == [
        ["_RESOLVE", "_INDENT", "_IF", "TRUE", "_INDENT", "_STOP", "_NL", "_DEDENT", "_STOP", "_NL", "_DEDENT"]
    ]


@pytest.mark.parametrize("filler", ["\n", "   \n", "# a comment\n", "        # an indented comment\n\n", "\t\n"])
def test_blank_lines_and_comments_are_nothing(filler):
    plain = "resolve\n    if true\n        stop\n    stop\n"
    filled = "".join(filler + line for line in plain.splitlines(keepends=True)) + filler
    assert read(filled) == read(plain)


def test_a_comment_may_end_a_line_and_a_file():
    assert texts("players A, B # two\n# the end") == [["players", "A", ",", "B"]]


def test_line_ends_in_brackets_do_not_count():
    assert texts("tree A(\n 1,\n\n2 # two\n)\nexpect value = 3\n") == [
        ["tree", "A", "(", "1", ",", "2", ")"],
        ["expect", "value", "=", "3"],
    ]


def test_lines_that_begin_with_and_or_or_go_on():
    (section,) = words("define f = a = 1\n    and b = 2\n    or c = 3\n")
    assert ("and", "_LINE_AND") in section
    assert ("or", "_LINE_OR") in section


def test_an_and_within_a_line_is_another_word():
    (section,) = words("define f = a = 1 and b = 2\n")
    assert ("and", "_AND") in section


def test_else_if_is_one_word():
    kinds, _ = read("resolve\n    if true\n        stop\n    else if false\n        stop\n    else\n        stop\n")
    assert [kind for kind in kinds[0] if kind in ("_IF", "_ELIF", "_ELSE")] == ["_IF", "_ELIF", "_ELSE"]


def test_a_statement_may_begin_with_a_bracket():
    """`require (a) and b` is one; `rank(a)` calls a definition of that name."""
    assert ("require", "_REQUIRE") in words("resolve\n    require (n) and m\n")[0]
    assert ("rank", "NAME") in words("resolve\n    rank(n)\n")[0]


def test_no_actions_is_one_word():
    assert ("no", "NO_ACTIONS") in words("terminal\n    no actions -> draw\n")[0]


@pytest.mark.parametrize(
    "word", ["win", "lose", "pay", "next", "if", "count", "for", "and", "draw", "state", "players"]
)
def test_nearly_every_word_is_a_name_in_a_tree(word):
    assert (word, "NAME") in words(f"tree A({word}: 1, b: 2)\n")[0]


@pytest.mark.parametrize("word", ["in", "eval", "utility", "chance"])
def test_few_words_of_a_tree_are_reserved(word):
    assert (word, "NAME") not in words(f"tree A {word} x (1, 2)\n")[0]


@pytest.mark.parametrize("word", ["win", "pay", "count", "first", "after", "everyone", "tree", "value"])
def test_words_that_are_special_elsewhere_name_variables(word):
    assert (word, "NAME") in words(f"state\n    {word}: 0..1\n")[0]


@pytest.mark.parametrize("name", ["1", "010", "1a", "x2", "Überzug", "a_b"])
def test_names_are_words_and_words_of_digits(name):
    assert words(f"tree A({name}: 1, b: 2)\n")[0][3] in ((name, "NAME"), (name, "INT"))


def test_numbers_of_a_tree_carry_their_signs():
    assert texts("tree A(-1, 1/2, -3/4, 0.25, ?x)\n") == [
        ["tree", "A", "(", "-1", ",", "1/2", ",", "-3/4", ",", "0.25", ",", "?x", ")"]
    ]


def test_a_name_with_digits_is_no_denominator():
    assert texts("tree A(1a/2, 3)\n")[0][3:6] == ["1a", "/", "2"]


def test_in_rules_a_minus_is_an_operator():
    assert texts("define f = -1 - 2/3\n") == [["define", "f", "=", "-", "1", "-", "2", "/", "3"]]


def test_matrix_lines_are_rows_however_they_are_indented():
    straight = "matrix\n    l r\n    u 1 2\n    d 3 4\n"
    crooked = "matrix\n          l r\n  u   1 2\n     d   3 4\n"
    assert read(straight) == read(crooked)


def test_a_matrix_may_call_an_action_like_a_section_in_quotes():
    assert texts('matrix\n    l r\n    "state" 1 2\n    d 3 4\n')[0][3] == '"state"'


def test_a_picture_is_passed_on_as_it_stands():
    assert texts('setup mark\n    . X "\n    ( # O\naction a\n') == [
        ["setup", "mark", '. X "', "( # O"],
        ["action", "a"],
    ]


def test_an_open_bracket_does_not_swallow_the_next_section():
    kinds, problems = read("action a(n: 1..2\n    heap := 1\nterminal\n    heap = 0 -> draw\n")
    assert problems == ["this '(' is never closed"]
    assert kinds[1][0] == "_TERMINAL"


def test_an_open_text_does_not_swallow_the_next_line():
    kinds, problems = read('game "Nim\nplayers A, B\n')
    assert problems == ["this text is never closed"]
    assert kinds[1] == ["_PLAYERS", "NAME", "_COMMA", "NAME", "_NL"]


def test_the_same_slip_is_told_once_a_section():
    _, problems = lexer.sections(Source("x.game", "players A; B;\nstate\n    x: 0..1;\n    y: 0..1;\n"))
    assert [problem.message for problem in problems] == ["';' is not a sign of the language"] * 2
    assert [problem.note for problem in problems] == [
        "It is so 1 more time in this line.",
        "It is so 1 more time in line 4.",
    ]


def test_tabs_alone_are_fine():
    assert read("resolve\n\tif true\n\t\tstop\n") == read("resolve\n    if true\n        stop\n")


def test_tabs_and_blanks_in_different_sections_are_fine():
    assert read("state\n\tx: 0..1\nresolve\n    stop\n")[1] == []


def test_tabs_between_blanks_are_not():
    assert read("resolve\n    stop\n\tstop\n")[1][0] == "this line is indented with tabs, those above it with blanks"


def test_nesting_ends_somewhere():
    with pytest.raises(GameError, match="nested more than 100 deep"):
        lexer.sections(Source("x.game", "define f = " + "(" * 101))
    assert len(lexer.sections(Source("x.game", "tree " + "A(" * 3_000))[1]) == 1  # none of them is closed


@pytest.mark.thorough
def test_a_long_line_of_fractions_is_not_copied_for_each():
    """Whenever a word is looked at, it stands in the line and among the words made of it, in no other list."""
    held = []

    class Watched(lexer.Token):
        @property
        def end(self):
            held.append(sum(isinstance(holder, list) for holder in gc.get_referrers(self)))
            return self[3]

    line = [
        Watched(kind, word, at, at + 1)
        for k in range(4)
        for kind, word, at in (("INT", "1", 4 * k), ("MARK", "/", 4 * k + 1), ("INT", "2", 4 * k + 2))
    ]
    assert [token.text for token in lexer.join_signs(line)] == ["1/2"] * 4
    assert held and max(held) == 2

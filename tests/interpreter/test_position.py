"""Games begun after given actions, and what is said of actions that cannot be played."""

import pytest

import gdl
from gdl.game import Decision, Terminal
from gdl.interpreter.position import WrongPlay, begin_after, longest_match
from gdl.solvers import solve


def game(text: str):
    return gdl.loads(text).game


def legal(game) -> tuple[str, ...]:
    node = game.node(game.initial())
    assert isinstance(node, Decision)
    return node.actions


SPACES = """players A, B
tree A(a: B("a b": 1, b: 2), "a b": B(c: 3, "c d, e": 4))
"""


@pytest.mark.parametrize(
    ("text", "utility"),
    [
        ("a a b", 1),
        ("a b c", 3),  # the longest match is taken: "a b", not "a"
        ("a  b  c", 3),
        ("a b, c d, e", 4),
        ("a > b", 2),
        (" a , b ", 2),
    ],
)
def test_actions_are_split_by_longest_match(text: str, utility: int):
    later = begin_after(game(SPACES), text)
    assert later.node(later.initial()) == Terminal((utility, -utility))


def test_nothing_leads_to_the_start():
    start = game(SPACES)
    assert begin_after(start, "  ").initial() == start.initial()


def test_a_joint_move_is_a_choice_of_each_player():
    prisoners = gdl.load("prisoners")
    for text in ("silent betray", "silent, betray"):
        later = begin_after(prisoners, text)
        assert later.node(later.initial()) == Terminal((-3, 0))


def test_half_a_joint_move_leaves_the_rest_unseen():
    later = begin_after(gdl.load("prisoners"), "silent")
    assert later.node(later.initial()) == Decision(1, ("silent", "betray"))
    assert later.information_set(later.initial(), 1) == gdl.load("prisoners").initial()


def test_chance_outcomes_are_actions():
    kuhn = gdl.load("kuhn")
    assert legal(begin_after(kuhn, "deal(3) deal(2) bet")) == ("call", "fold")


def test_blanks_inside_an_action_do_not_matter():
    nim = gdl.load("nim")
    assert legal(begin_after(nim, "take(4,3)")) == legal(begin_after(nim, "take(4, 3)"))


def test_solvers_solve_what_is_left():
    tictactoe = gdl.load("tic_tac_toe")
    assert solve(begin_after(tictactoe, "take(a1) take(b1)")).value == (1, -1)
    assert solve(begin_after(tictactoe, "take(a1) take(b2)")).value == (0, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fly", "'fly' is not an action of Nim"),
        ("take(1, 1) take(1, 1)", "'take(1, 1)' is not legal after take(1, 1)"),
        ("take(1, 1) take(2, 1) x", "the game is over after take(1, 1), take(2, 1), so 'x' cannot be played"),
        ("take(1, 1), ", None),
    ],
)
def test_what_cannot_be_played(text: str, message: str | None):
    nim = gdl.load("nim", settings={"heaps": "1,1"})
    if message is None:
        assert legal(begin_after(nim, text)) == ("take(2, 1)",)
        return
    with pytest.raises(WrongPlay) as wrong:
        begin_after(nim, text)
    assert wrong.value.problems[0].message == message


def test_the_message_shows_the_position_and_what_is_legal():
    with pytest.raises(WrongPlay) as wrong:
        begin_after(gdl.load("tic_tac_toe"), "take(b2) take(b2)")
    note = wrong.value.problems[0].note
    assert "2 . X ." in note
    assert "O moves after take(b2); legal: take(a1), " in note


def test_of_large_games_only_what_was_looked_at_is_said():
    with pytest.raises(WrongPlay) as wrong:
        begin_after(gdl.load("connect_four"), "jump(3)")
    assert "nor is it an action of the first positions" in wrong.value.problems[0].message


def test_an_action_ends_where_it_ends():
    assert longest_match("ab", ["a"]) is None
    assert longest_match("a(b)", ["a"]) is None
    assert longest_match("a,b", ["a"]) == ("a", 1)

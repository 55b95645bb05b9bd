"""Plays in the terminal, by what is said and what is shown."""

import re
from fractions import Fraction
from random import Random

import pytest

import gdl
from gdl.match import Match, chosen, weighted


def play(name: str, *replies: str, people: tuple[int, ...] = (0,), seed: int = 1, opponent=None, **options) -> str:
    """The dialogue, with the replies after their prompts."""
    game = gdl.load(name, **options)
    told: list[str] = []
    waiting = list(replies)

    def ask(prompt: str) -> str | None:
        told.append(prompt + (waiting[0] if waiting else ""))
        return waiting.pop(0) if waiting else None

    def first(state, player):
        node = match.game.node(state)
        return node.actions[0]

    match = Match(game, people, opponent or first, seed, ask, told.append)
    match.run()
    assert not waiting, "the play was over before"
    return "\n".join(told)


def test_a_whole_game():
    shown = play("tic_tac_toe", "take(b1)", "3", "take(b3)")
    assert "O: take(a1)" in shown
    assert shown.endswith("The game is over: X 1 and O -1.")
    assert "3 . X .\n2 . X .\n1 O X O" in shown


def test_two_people():
    shown = play("tic_tac_toe", "5", "take(a1)", "quit", people=(0, 1))
    assert "You play X and O." in shown
    assert "O> take(a1)" in shown
    assert shown.endswith("Good-bye.")


def test_undo_goes_back_to_ones_own_last_choice():
    shown = play("tic_tac_toe", "undo", "take(b2)", "undo", "take(c3)", "quit")
    assert shown.count("3 . . .\n2 . . .\n1 . . .") == 2
    assert "There is nothing to take back." in shown
    assert "3 . . X\n2 . . .\n1 O . ." in shown


def test_undo_does_not_draw_again():
    """The same chances come after the same actions."""
    shown = play("pig", "roll", "undo", "roll", "quit", settings={"goal": "20"})
    drawn = [line for line in shown.splitlines() if line.startswith("Chance: ")]
    assert len(drawn) == 2
    assert drawn[0] == drawn[1]


def test_seeds_draw_chances():
    drawn = {play("kuhn", seed=seed).partition("P1 knows: ")[2].partition(",")[0] for seed in range(12)}
    assert drawn == {"card[P1]=1", "card[P1]=2", "card[P1]=3"}
    assert play("kuhn", seed=3) == play("kuhn", seed=3)


def test_nothing_hidden_is_shown_before_the_end():
    before, end = play("kuhn", "bet", seed=3).split("P1> bet")
    assert "P2" not in before.partition("P1 knows:")[2]
    assert "card: P1: 2, P2: 1" in end
    assert "The play: deal(2), deal(1), bet, call" in end


def test_joint_moves_are_made_unseen():
    shown = play("repeated_prisoners", "silent", "quit", people=(0, 1), seed=1)
    second = shown.partition("B knows:")[2]
    assert "silent" not in second.partition("\n")[0]


def test_what_was_told_is_not_told_again():
    shown = play("repeated_prisoners", "betray", "betray", "quit", settings={"rounds": "3"})
    first, second = [line for line in shown.splitlines() if "knows:" in line][1:3]
    assert "betray said[A]" in first
    assert len(second) < len(first) + 20


def test_a_hint_and_all_moves():
    shown = play("nim", "hint", "moves", "help", "quit")
    assert "hint: take(1, 1)" in shown
    assert shown.count("1 take(1, 1)") == 2
    assert "Good-bye." in shown


def test_an_empty_line_is_asked_again():
    shown = play("nim", "", "quit")
    assert "is not an action" not in shown
    assert shown.endswith("Good-bye.")


def test_the_end_of_the_input_ends_the_play():
    assert play("nim").endswith("Good-bye.")


@pytest.mark.parametrize(
    ("reply", "action"),
    [("1", "drop"), ("2", "raise 5"), ("d", "drop"), ("RAISE 5", "raise 5"), ("raise 1", "raise 10"), ("fold", "fold")],
)
def test_actions_are_named_in_many_ways(reply: str, action: str):
    assert chosen(reply, ["drop", "raise 5", "raise 10", "fold"], set()) == action


@pytest.mark.parametrize(
    ("reply", "action"),
    [("a1", "take(a1)"), ("TAKE A1", "take(a1)"), ("2, 3", "heap(2, 3)"), ("2 3", "heap(2, 3)"), ("e2-e4", "e2e4")],
)
def test_actions_are_named_by_their_words_or_those_in_brackets(reply: str, action: str):
    assert chosen(reply, ["take(a1)", "take(a2)", "heap(2, 3)", "heap(2, 1)", "e2e4", "e2e3"], set()) == action


def test_what_was_legal_is_known_by_its_words():
    with pytest.raises(ValueError, match=re.escape("take(a1) is not legal here. Legal: take(a2).")):
        chosen("a1", ["take(a2)"], {"take(a1)", "take(a2)"})


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("raise", "'raise' could be raise 5 or raise 10."),
        ("check", "check is not legal here. Legal: drop, raise 5, raise 10 and fold."),
        ("dorp", "'dorp' is not an action here. Did you mean drop?"),
        ("9", "'9' is not an action here. See moves, or help."),
        ("", "'' is not an action here. See moves, or help."),
    ],
)
def test_what_is_no_action_is_answered(reply: str, says: str):
    with pytest.raises(ValueError) as answer:
        chosen(reply, ["drop", "raise 5", "raise 10", "fold"], {"check"})
    assert str(answer.value) == says


def test_an_action_called_like_a_word_is_an_action(tmp_path):
    file = tmp_path / "words.game"
    file.write_text("players A, B\ntree A(quit: 3, undo: B(hint: 1))\n", encoding="utf-8")
    assert play(str(file), "undo").endswith("The game is over: A 1 and B -1.")


def test_draws_keep_their_probabilities():
    random = Random(5)
    drawn = [weighted({"a": Fraction(1, 4), "b": 0, "c": Fraction(3, 4)}, random) for _ in range(4000)]
    assert set(drawn) == {"a", "c"}
    assert abs(drawn.count("a") - 1000) < 120

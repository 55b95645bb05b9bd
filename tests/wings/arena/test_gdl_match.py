"""Plays in the terminal, by what is said and what is shown."""

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from places import LANGUAGE

import gdl
from gdl.game import Chance, Decision, Terminal, actions
from gdl.states.possible import Possible
from gdl.states.sequential import Turn
from gdl.wings.arena.draws import draw_action
from gdl.wings.arena.match import Match, TellingProgress
from gdl.wings.arena.rules_in_words import condition_text, rules_text

CARDS = """
players Ann, Bob
type Colour = blue, red
type Card = record(colour: Colour, rank: 1..2)
state
    hand: set of Card = those c in Card: true
action lay(c: hand)  # {mover} lays {c}
    hand := hand - {c}
terminal
    hand = {} -> draw  # no card is left
"""


class First:
    """Plays the first action, and advises it."""

    def __init__(self) -> None:
        self.match: Match

    def move(self, state: Turn, player: int) -> str:
        return actions(self.match.game.node(state))[0]

    def hint(self, state: Turn, player: int) -> str:
        return f"{self.move(state, player)}, the first"


class Script:
    """A console at which replies are waiting."""

    def __init__(self, replies: Sequence[str]) -> None:
        self.waiting = list(replies)
        self.told: list[str] = []

    def ask(self, prompt: str) -> str | None:
        self.told.append(prompt + (self.waiting[0] if self.waiting else ""))
        return self.waiting.pop(0) if self.waiting else None

    def line(self, text: str) -> None:
        self.told.append(text)

    def hand_over(self, name: str) -> bool:
        self.told.append(f"--- {name} ---")
        return True


def play(name: str, *replies: str, people: tuple[int, ...] = (0,), seed: int = 1, **settings: str) -> str:
    """The dialogue, with the replies after their prompts."""
    text, shown = gdl.read(name)
    loaded = gdl.loads(text, shown, settings=settings)
    opponent, console = First(), Script(replies)

    def rules(word: str) -> str:
        return rules_text(loaded.model, loaded.game, text, word)

    opponent.match = Match(loaded.game, people, opponent, seed, console, rules)
    opponent.match.run()
    assert not console.waiting, "the play was over before"
    return "\n".join(console.told)


def test_a_whole_game():
    shown = play("tic_tac_toe", "take(b1)", "3", "take(b3)")
    assert "O: take(a1)" in shown
    assert shown.endswith("The game is over: X 1 and O -1.\nReason: a full row.")
    assert "3 . X .\n2 . X .\n1 O X O" in shown


def test_a_hand_dealt_card_by_card_is_told_once():
    shown = play("tests/bench/games/tarneeb.game", "quit", tricks="3", least="2")
    assert shown.count("By chance: holding") == 1
    assert re.fullmatch(r"By chance: holding \{\w+ \d+, \w+ \d+, \w+ \d+\}", shown.splitlines()[4])


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
    """After the same actions chance gives the same outcomes."""
    shown = play("pig", "roll", "undo", "roll", "quit", goal="20")
    drawn = [line for line in shown.splitlines() if line.startswith("Chance: ")]
    assert len(drawn) == 2
    assert drawn[0] == drawn[1]


def test_seeds_draw_chances():
    drawn = {play("kuhn", seed=seed).partition("\ncard: P1: ")[2].partition(",")[0] for seed in range(12)}
    assert drawn == {"1", "2", "3"}
    assert play("kuhn", seed=3) == play("kuhn", seed=3)


def test_nothing_hidden_is_shown_before_the_end():
    before, end = play("kuhn", "bet", seed=3).split("P1> bet")
    assert "Chance: deal(2)\nChance: unseen\ncard: P1: 2, P2: ?" in before
    assert "card: P1: 2, P2: 1" in end
    assert "The play: deal(2), deal(1), bet, call" in end


def test_what_the_other_did_is_told_as_far_as_it_is_known():
    shown = play("liars_dice", "bid(1, 1)", "quit", seed=1)
    assert "Bob bid 1 × 2\ndice Ann" in shown.partition("Ann> bid(1, 1)")[2]
    shown = play("cheat", "1", "quit", seed=1)
    assert "Bob: unseen\n" in shown
    assert "Bob: lay" not in shown


def test_of_a_tree_is_told_what_is_known():
    assert "B knows: across" in play("seltens_horse", "1", "quit", people=(0, 1, 2))
    shown = play("seltens_horse", "1", "quit", people=(0, 1, 2))
    assert "A: across\nB knows: across" in shown
    shown = play("seltens_horse", "2", "quit", people=(0, 1, 2))
    assert "A: down" not in shown.rpartition("--- C ---")[2]


def test_joint_moves_are_made_unseen():
    shown = play("repeated_prisoners", "silent", "quit", people=(0, 1), seed=1)
    assert "A: unseen\nsaid: A: none, B: none" in shown


def test_joint_moves_are_told_when_they_are_made():
    shown = play("repeated_prisoners", "silent", "betray", "quit", people=(0, 1), seed=1)
    assert "B: betray\nsaid: A: silent, B: betray" in shown.partition("B> betray")[2]


def test_what_was_told_is_not_told_again():
    shown = play("goofspiel", "play(1)", "play(2)", "quit", n="4")
    assert [shown.count(f'You hear "{card}".') for card in (1, 2, 3)] == [2, 2, 0]
    assert [shown.count(f"Bob: play({card})") for card in (1, 2)] == [1, 1]


def test_what_is_public_is_told_once():
    shown = play(str(LANGUAGE / "who_did_it.game"), "ask(plum)", "quit")
    assert shown.count("Bob: ask(plum)") == 1
    assert 'You hear "Bob' not in shown


@pytest.mark.thorough
def test_public_actions_are_told_where_too_many_plays_are_possible():
    """Sentences such as "P2 acts: stopping {duke}, asked.for allow or block" stood there instead."""
    shown = play("tests/bench/games/coup.game", "income", "allow", "quit", people=(0,), seed=1)
    assert "P2: income" in shown and "P2: foreign_aid" not in shown and "asked" not in shown and " acts" not in shown


def test_what_is_hidden_from_the_other_person_is_cleared_away():
    shown = play("kuhn", "check", "bet", "quit", people=(0, 1), seed=3)
    assert [line for line in shown.splitlines() if line.startswith("---")] == ["--- P1 ---", "--- P2 ---", "--- P1 ---"]
    assert "--- P2 ---\n\nChance: unseen\nChance: deal(1)\nP1 checks\ncard: P1: ?, P2: 1" in shown
    assert "--- P1 ---\n\nP2 bets\ncard: P1: 2, P2: ?" in shown
    assert "---" not in play("kuhn", "check", seed=3)
    assert "---" not in play("tic_tac_toe", "a1", "b1", "quit", people=(0, 1))


def test_what_others_could_do_is_not_betrayed_by_what_is_no_action():
    """Bob could lay(2) and has done so; of that Ann knows nothing."""
    shown = play("cheat", "lay(1)", "lay(2)", "lay(2)", "quit", people=(0, 1), seed=15)
    assert shown.endswith("'lay(2)' is not an action here. Did you mean lay(1)?\nAnn> quit\nGood-bye.")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name", ["kuhn", "liars_dice", "cheat", "goofspiel", "stratego", "bridge_ending", "blind_tic_tac_toe", "leduc"]
)
def test_who_cannot_tell_positions_apart_is_told_the_same(name: str):
    game, random = gdl.load(name), Random(name)
    console = Script(())
    match = Match(game, range(len(game.players)), First(), 1, console)
    while not isinstance(node := match.game.node(match.state), Terminal):
        if isinstance(node, Chance):
            match.make_move(random.choice(node.outcomes)[0])
            continue
        assert isinstance(node, Decision)
        here = match.state
        belief = Possible(match.game, here, node.player).all()
        assert belief is not None
        told = []
        for other in [here, *belief.weights][:20]:
            match.state = other
            console.told.clear()
            match.show_situation(node)
            told.append("\n".join(line for line in console.told if not line.startswith("---")))
        assert set(told) == {told[0]}
        match.state = here
        match.told_so_far[node.player] = TellingProgress(
            len(match.played) + 1, len(match.sight.sayings_to(here, node.player))
        )
        match.make_move(random.choice(node.actions))


def test_a_hint_and_all_moves():
    shown = play("nim", "hint", "moves", "quit")
    assert "hint: take(1, 1), the first." in shown
    assert shown.count("1 take(1, 1)") == 2
    assert "Good-bye." in shown


def test_help_tells_the_rules():
    shown = play("connect_four", "help", "help drop", "help nothing", "quit")
    for told in (
        "Connect four (Howard Wexler and Ned Strongin, 1974): drop discs, four in a row",
        "Actions:\n    action drop(c: Column) when height(c) < rows  # {mover} drops in {c}\n",
        "The end:\n    connects(Yellow) -> win Yellow\n",
        "Definitions:\n    define height(c: Column) = count r in Row: disc[c, r] != none\n",
        "Other words: moves lists all actions",
        "action drop(c: Column) when height(c) < rows  # {mover} drops in {c}\n    disc[c, height(c) + 1] := mover\n",
        "No rule is called 'nothing'. There are drop, height and connects.",
    ):
        assert told in shown


def test_help_tells_a_matrix_and_a_tree():
    assert "silent  (-1, -1)  (-3, 0)" in play("prisoners", "help", "quit")
    assert "across: B\n        across: (1, 1, 1)" in play("seltens_horse", "help", "quit")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", gdl.shipped())
def test_every_game_can_be_helped_with(name: str):
    loaded = gdl.loads(*gdl.read(name))
    told = rules_text(loaded.model, loaded.game, loaded.description.span.source.text)
    assert told
    assert all(len(line) <= 124 for line in told.splitlines())
    for rule in getattr(loaded.model, "actions", ()):
        if hasattr(rule, "name"):
            assert f"action {rule.name}" in told
            assert rules_text(loaded.model, loaded.game, "", rule.name).startswith(f"action {rule.name}")


def test_short_words_are_enough():
    shown = play("connect_four", "4", "d", "8", "e", "quit")
    assert "Yellow> 4\nYellow: drop(4)\nRed drops in 1\n" in shown
    assert "Yellow> d\nYellow: drop(4)\n" in shown
    assert "'8' is not an action here." in shown
    assert "\ndrop(1)   drop(2)" in shown


def test_an_empty_line_is_asked_again():
    shown = play("nim", "", "quit")
    assert "is not an action" not in shown
    assert shown.endswith("Good-bye.")


def test_the_end_of_the_input_ends_the_play():
    assert play("nim").endswith("Good-bye.")


def test_an_action_called_like_a_word_is_an_action(tmp_path):
    file = tmp_path / "words.game"
    file.write_text("players A, B\ntree A(quit: 3, undo: B(hint: 1))\n", encoding="utf-8")
    assert play(str(file), "undo").endswith("The game is over: A 1 and B -1.")


def test_cards_are_told_as_pictures_have_them(tmp_path: Path):
    file = tmp_path / "cards.game"
    file.write_text(CARDS, encoding="utf-8")
    assert "Bob lays blue 2\n" in play(str(file), "lay(Card(blue, 1))", "lay(Card(red, 2))")


def test_cards_are_listed_and_typed_as_pages_have_them(tmp_path: Path):
    """Names as the rules have them are understood as well."""
    file = tmp_path / "cards.game"
    file.write_text(CARDS, encoding="utf-8")
    listed, named, typed = (play(str(file), *lines) for lines in ([], ["lay(Card(red, 2))"], ["lay red 2"]))
    assert "lay blue 1" in listed and "Card(" not in listed + typed
    assert named.split("\nBob ")[1:] == typed.split("\nBob ")[1:] != []
    assert "hint: lay " in play(str(file), "hint")


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("left = 1 and hands >= 2", "left is 1 and hands is at least 2"),
        ("out != none", "out is not none"),
        ("supply[duchy] = 0\n  or turns_left = 0", "supply of duchy is 0 or turns left is 0"),
        ("row(Black)", "row for Black"),
        ("heap=0", "heap is 0"),
        ("won[X] or size(hand)<=2", "won for X or size of hand is at most 2"),
        ("a < b < c", "a < b < c"),
        ("hand[Ann] = {}", "hand[Ann] = {}"),
        ("row(r) for mover = 1", "row(r) for mover = 1"),
        ("exists s in Cell: size(pile[s]) = 2", "exists s in Cell: size(pile[s]) = 2"),
    ],
)
def test_a_condition_that_compares_names_is_told_in_words(written: str, words: str):
    assert condition_text(written) == words
    assert condition_text(written, english=False) == " ".join(written.split())


def test_draws_keep_their_probabilities():
    random = Random(5)
    drawn = [draw_action({"a": Fraction(1, 4), "b": 0, "c": Fraction(3, 4)}, random) for _ in range(4000)]
    assert set(drawn) == {"a", "c"}
    assert abs(drawn.count("a") - 1000) < 120

"""The fingerprint of a game: the same for the same rules however they are written, another one for other rules."""

from __future__ import annotations

import random
import re

import pytest
from random_rules import written

import gdl
from gdl import checker
from gdl.errors import GameError
from gdl.interpreter.position import after_actions, begin_after
from gdl.model.fingerprint import FORM, comparable, fingerprint

HEAP = """
game "One heap" (stones = 21)
players Ann, Bob

state
    left: 0..stones = stones
    moved[Player]: Boolean

define few = 1..3
define is_over(n: 0..stones) = n = 0

action take(n: few) when n <= left
    left := left - n
    if n = 3
        moved[mover] := true

evaluate
    2 * (left mod 4)

terminal
    is_over(left) -> lose mover

variant "Misère"
    terminal
        left = 0 -> win mover
"""
TREE = """
game "Figure"
players MAX, MIN
tree MAX A (b: MIN B (3, 12, 1/2), c: chance (1/3: 2, 2/3: ?x), d: MIN (14, 5) in late)
""".replace(" (14, 5) in late", " in late (14, 5)")
MATRIX = """
players A, B
matrix
              silent     betray
    silent    (-1, -1)   (-3,  0)
    betray    ( 0, -3)   (-2, -2)
"""


def of(text: str, **settings: str) -> str:
    return fingerprint(gdl.loads(text, "game", settings=settings).model)


# Forms are compared by their number: whoever changes what is made of these games raises FORM.
PINNED = {
    "rules": (HEAP, "1:6f653e7d9bccac29f8aa927d164bcc66"),
    "tree": (TREE, "1:f12eb74d2be932e4f18a65fa25eb5f44"),
    "matrix": (MATRIX, "1:e777265f130e24c93e81dd4d77bed615"),
}


@pytest.mark.parametrize("text, pinned", PINNED.values(), ids=PINNED)
def test_the_form_is_what_it_was(text: str, pinned: str):
    assert of(text) == pinned, "raise FORM where the same game gets another fingerprint"


SAME = {
    "comments": (HEAP, HEAP.replace("state\n", "state  # the heap\n") + "# The end.\n"),
    "empty lines and blanks": (HEAP, HEAP.replace("\n\n", "\n\n\n").replace(":=", " :=  ")),
    "indentation": (HEAP, HEAP.replace("    ", "  ")),
    "line ends": (HEAP, HEAP.replace("\n", "\r\n")),
    "the title": (HEAP, HEAP.replace("One heap", "Nim")),
    "names that its author uses": (HEAP, HEAP.replace("is_over", "done").replace("few", "one_to_three")),
    "brackets that say nothing": (HEAP, HEAP.replace("left - n", "(left) - (n)")),
    "a parameter's name": (HEAP, HEAP.replace("stones", "pebbles")),
    "what is expected": (HEAP, HEAP.replace("terminal\n    is", "expect value = 1\n\nterminal\n    is")),
    "a tree on several lines": (TREE, TREE.replace("tree MAX A (", "tree\n    MAX A (\n").replace(", d:", ",\n d:")),
    "a fraction's spelling": (TREE, TREE.replace("1/2", "0.5")),
    "the cells' distance": (MATRIX, re.sub(" +", " ", MATRIX)),
}


@pytest.mark.parametrize("text, other", SAME.values(), ids=SAME)
def test_spelling_does_not_matter(text: str, other: str):
    assert text != other
    assert of(text) == of(other)


OTHER = {
    "a condition": (HEAP, HEAP.replace("n <= left", "n < left")),
    "a number": (HEAP, HEAP.replace("if n = 3", "if n = 2")),
    "a first value": (HEAP, HEAP.replace("(stones = 21)", "(stones = 20)")),
    "a utility": (HEAP, HEAP.replace("lose mover", "win mover")),
    "who sees what": (HEAP, HEAP.replace("moved[Player]: Boolean", "moved[Player]: Boolean visible to owner")),
    "an action's name": (HEAP, HEAP.replace("take(n", "grab(n")),
    "a player's name": (HEAP, HEAP.replace("Bob", "Eve")),
    "a variable's name, which information sets tell": (HEAP, HEAP.replace("left", "rest")),
    "the evaluation": (HEAP, HEAP.replace("2 * (left", "3 * (left")),
    "a leaf": (TREE, TREE.replace("12", "11")),
    "an action": (TREE, TREE.replace("b: MIN", "e: MIN")),
    "an information set": (TREE, TREE.replace("late", "early")),
    "a probability": (TREE, TREE.replace("1/3", "1/4").replace("2/3", "3/4")),
    "an unknown": (TREE, TREE.replace("?x", "?y")),
    "the order of two children": (TREE, TREE.replace("3, 12", "12, 3")),
    "a node's name": (TREE, TREE.replace("MIN B", "MIN C")),
    "a promise": (TREE, TREE.replace("players", "utility in 0..14\nplayers", 1)),
    "a cell": (MATRIX, MATRIX.replace("-3,  0", "-3,  1")),
}


@pytest.mark.parametrize("text, other", OTHER.values(), ids=OTHER)
def test_rules_do(text: str, other: str):
    assert text != other
    assert of(text) != of(other)


def test_settings_variant_and_actions_matter():
    found = [
        of(HEAP),
        of(HEAP, stones="5"),
        fingerprint(gdl.loads(HEAP, "game", variant="misere").model),
        fingerprint(gdl.loads(HEAP, "game").model, ["take(1)"]),
        fingerprint(gdl.loads(HEAP, "game").model, ["take(1)", "take(2)"]),
    ]
    assert len(set(found)) == len(found)
    assert of(HEAP, stones="21") == of(HEAP)


def test_positions_matter():
    text, name = gdl.read("tic_tac_toe")
    there = ["3/3/X2 O", "3/3/X2 X", "3/3/XO1 X"]
    loaded = gdl.loads(text, name)
    found = [fingerprint(gdl.loads(text, name, position=position).model) for position in there]
    assert len({fingerprint(loaded.model), *found}) == 4


def test_two_ways_to_name_the_same_actions():
    game = gdl.loads(HEAP, "game").game
    assert begin_after(game, "take(1), take(2)").played == begin_after(game, "take(1) > take(2)").played
    assert after_actions(game, ["take(1)", "take(2)"]).initial() == begin_after(game, "take(1) take(2)").initial()


@pytest.mark.thorough
def test_every_shipped_game_and_variant_has_its_own():
    found = {}
    for name in gdl.shipped():
        description = gdl.described(*gdl.read(name))
        for variant in (None, *checker.variants(description)):
            one = fingerprint(checker.check(description, variant=variant)[0])
            assert found.setdefault(one, (name, variant)) == (name, variant)
    assert len(found) > 80


@pytest.mark.thorough
@pytest.mark.parametrize("count", [15, pytest.param(150, marks=pytest.mark.slow)])
def test_random_games_written_in_another_way(count):
    rng, found = random.Random(7), {}
    for seed in range(count):
        text = written(seed)
        try:
            one = of(text)
        except GameError:
            continue
        lines = [
            line + rng.choice(["", "  # so", "  "]) + rng.choice(["", "\n", "\n# and\n"]) for line in text.split("\n")
        ]
        assert of("\n".join(lines)) == one
        assert found.setdefault(one, text) == text
    assert len(found) > 0.6 * count


def test_forms_that_cannot_be_compared():
    assert comparable(f"{FORM}:ab", f"{FORM}:cd")
    assert not comparable(f"{FORM}:ab", f"{FORM + 1}:ab")


def test_what_holds_something_unheard_of_has_none():
    with pytest.raises(TypeError, match="object has no fingerprint"):
        fingerprint(object())

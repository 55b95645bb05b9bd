"""Proofs that no position comes again, and rules that come near it and must not be taken for it."""

from __future__ import annotations

import pytest

import gdl
from gdl.analysis.measures import always_progresses
from gdl.model.games import RulesModel
from gdl.states.explore import reachable_traits

# Discs are dropped into the columns of a board.
DROP = """
game "Drop"
players Ann, Bob

board Square = grid(2, 3)

state
    disc[Square]: Player?

define height(c: Column) = count r in Row: disc[c, r] != none

action drop(c: Column) when height(c) < 3
    disc[c, height(c) + 1] := mover

terminal
    no actions -> draw
"""

# Stacks of an array without a board, counted from 0; one of them is filled at random.
PILES = """
players Ann, Bob

state
    pile[1..2, 0..3]: 1..3? = none

define fits(p: 1..2) = (count i in 0..3: pile[p, i] != none) < 4

action put(v: 1..3) when fits(2)
    pile[2, count i in 0..3: pile[2, i] != none] := v
    next deal

chance deal(v: 1..2)
    if fits(1)
        pile[1, count i in 0..3: pile[1, i] != none] := v

terminal
    not fits(2) -> draw
"""

# Whose turn it is plays no part; cells are filled once for good.
FILL = """
players Ann, Bob

state
    x: 1..3 = 1
    cell[1..3]: Player?

action fill(i: 1..3) when cell[i] = none
    cell[i] := mover

terminal
    no actions -> draw
"""


def proved(text: str) -> bool:
    loaded = gdl.loads(text)
    assert isinstance(loaded.model, RulesModel)
    if always_progresses(loaded.model):
        assert reachable_traits(loaded.game).cyclic is False
        return True
    return False


@pytest.mark.parametrize("text", [DROP, PILES, FILL], ids=["drop", "piles", "fill"])
def test_progress_is_proved(text: str) -> None:
    assert proved(text)


SAME_SENSE = {
    "counted in place": ("height(c) + 1", "1 + (count r in Row: disc[c, r] != none)"),
    "lines the other way": (
        "action drop(c: Column) when height(c) < 3\n    disc[c, height(c) + 1]",
        "action drop(r: Row) when disc[2, r] = none\n    disc[(count c in Column: disc[c, r] != none) + 1, r]",
    ),
    "a line that nobody chooses": (
        "action drop(c: Column) when height(c) < 3\n    disc[c, height(c) + 1]",
        "action drop when height(2) < 3\n    disc[2, height(2) + 1]",
    ),
    "for every line": (
        "    disc[c,",
        "    for d in Column where height(d) < 2\n        disc[d, height(d) + 1] := mover\n    disc[c,",
    ),
    "begun with a disc below": ("disc[Square]: Player?", "disc[s: Square]: Player? = if row(s) = 1 then Ann else none"),
}


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) >= 1
    return text.replace(old, new)


NEAR = {
    "one cell too high": ("height(c) + 1]", "height(c) + 2]"),
    "not on top": ("height(c) + 1]", "height(c)]"),
    "the height of another line": ("disc[c, height(c) + 1]", "disc[c, height(3 - c) + 1]"),
    "another condition is counted": ("!= none", "= mover"),
    "empty cells are counted": ("!= none", "= none"),
    "the count skips cells": ("count r in Row:", "count r in Row where r != 2:"),
    "the count begins higher": ("count r in Row:", "count r in 2..3:"),
    "the count ends lower": ("count r in Row:", "count r in 1..2:"),
    "always the same line is counted": ("r] != none", "r] != none or disc[1, r] != none"),
    "lines the other way are counted": ("count r in Row: disc[c, r]", "count r in Column: disc[r, c]"),
    "the value may be none": (":= mover", ":= disc[c, 1]"),
    "another action clears a cell": (
        "terminal",
        "action clear(s: Square) when disc[s] != none\n    disc[s] := none\n\nterminal",
    ),
    "another action moves a disc": (
        "terminal",
        "action lift(s: Square) when disc[s] != none and disc[1, 3] = none\n    disc[1, 3] := mover\n\nterminal",
    ),
    "another action drops nothing": ("terminal", "action pass\n    next mover\n\nterminal"),
    "dropped only sometimes": ("    disc[c, height", "    if c = 1\n        disc[c, height"),
    "a column is emptied": (
        "terminal",
        "action pop(c: Column)\n    for r in Row\n        disc[c, r] := none\n\nterminal",
    ),
    "chance clears a cell": ("terminal", "chance wind(s: Square)\n    disc[s] := none\n\nterminal"),
    "dropped both ways": (
        "terminal",
        "action push(r: Row) when (count c in Column: disc[c, r] != none) < 2\n"
        "    disc[(count c in Column: disc[c, r] != none) + 1, r] := mover\n\nterminal",
    ),
    "begun with a disc in the air": (
        "disc[Square]: Player?",
        "disc[s: Square]: Player? = if row(s) = 2 then Ann else none",
    ),
    "a disc is set before play": ("terminal", "start\n    disc[1, 2] := Ann\n\nterminal"),
    "a board with holes": ("grid(2, 3)", "hexagon(2)"),
}


def test_a_cell_asked_about_is_the_one_written() -> None:
    """`x` is another when the cell is written: a full one, and nothing comes to an end."""
    asked = ("action fill(i: 1..3) when cell[i] = none\n    cell[i]", "action fill when cell[x] = none\n    cell[x]")
    moved = ("    cell[x] := mover", "    x := 2\n    cell[x] := mover\n    x := 1")
    assert not proved(changed(FILL, *asked))
    text = changed(changed(FILL, *asked), *moved)
    assert not proved(text)
    assert reachable_traits(gdl.loads(text).game).cyclic is True


@pytest.mark.parametrize(("old", "new"), NEAR.values(), ids=NEAR)
def test_what_is_no_stack_is_not_proved(old: str, new: str) -> None:
    assert not proved(changed(DROP, old, new))


@pytest.mark.parametrize(("old", "new"), SAME_SENSE.values(), ids=SAME_SENSE)
def test_stacks_written_in_other_words(old: str, new: str) -> None:
    assert proved(changed(DROP, old, new))


# All choose at once, cards are taken from hands, rounds are counted, chance turns something up in between.
ROUNDS = """
players Ann, Bob

state
    hand[Player]: set of 1..2 = {1, 2}
    bid[Player]: 0..2
    round: 0..2
    up: 1..2

start turn_up

define note(n: 1..2)
    up := n

chance turn_up(n: 1..2)
    note(n)
    next everyone

action play(c: hand[mover])
    hand[mover] := hand[mover] - {c}
    bid[mover] := c

resolve
    round := round + 1
    next turn_up

terminal
    round = 2 -> draw
    no actions -> draw
    forever -> draw
"""
COUNTED = changed(changed(ROUNDS, "    hand[mover] := hand[mover] - {c}\n", ""), "hand[mover])", "1..2)")
TAKEN = changed(ROUNDS, "    round := round + 1\n", "")


@pytest.mark.parametrize("text", [ROUNDS, COUNTED, TAKEN], ids=["both", "counted", "taken"])
def test_rounds_are_counted_and_cards_are_taken(text: str) -> None:
    assert proved(text)


CHANCE = "chance turn_up(n: 1..2)\n    note(n)\n    next everyone"
UNCOUNTED = {
    "counted sometimes": ("    round := round + 1", "    if up = 1\n        round := round + 1"),
    "counted by nothing": ("round + 1", "round + up - 1"),
    "counted from the start again": ("    next everyone", "    round := 0\n    next everyone"),
    "an action sets it back": ("    bid[mover] := c", "    bid[mover] := c\n    round := 0"),
    "a procedure sets it back": ("    up := n", "    up := n\n    round := 0"),
    "counted by a procedure": ("    round := round + 1", "    note(1)\n    if up = 3\n        round := round + 1"),
    "somebody moves alone": ("    next turn_up", "    if up = 1\n        next Ann"),
    "chance lets somebody move alone": (
        "    note(n)\n    next everyone",
        "    note(n)\n    if n = 1\n        next everyone",
    ),
    "a procedure lets somebody move alone": (
        CHANCE,
        f"define alone\n    next Ann\n\n{CHANCE}\n    if n = 1\n        alone",
    ),
    "somebody begins alone": ("start turn_up", "start Ann"),
    "what is done first lets somebody move alone": ("start turn_up", "start\n    next Ann"),
    "chance after chance": ("    next everyone", "    if n = 1\n        next everyone\n    else\n        next turn_up"),
    "a procedure after which chance goes on": (
        CHANCE,
        f"define go_on\n    next turn_up\n\n{CHANCE}\n    if n = 1\n        go_on",
    ),
}
UNTAKEN = {
    "taken sometimes": ("    hand[mover] := hand[mover] - {c}", "    if c = 1\n        hand[mover] := hand[mover] - {c}"),
    "taken from the other": ("hand[mover] - {c}", "hand[other(mover)] - {c}"),
    "another is taken": ("- {c}", "- {up}"),
    "chosen from elsewhere": ("(c: hand[mover])", "(c: hand[other(mover)])"),
    "chosen from more": ("(c: hand[mover])", "(c: hand[mover] + {up})"),
    "given back in the end": ("    next turn_up", "    hand[Ann] := {1, 2}\n    next turn_up"),
    "given back by chance": ("    next everyone", "    hand[Bob] := hand[Bob] + {n}\n    next everyone"),
    "given back by a procedure": ("    up := n", "    up := n\n    hand[Ann] := {1, 2}"),
    "kept": ("- {c}", "- {c} + {c}"),
    "another action takes nothing": ("resolve", "action wait\n    bid[mover] := 0\n\nresolve"),
    "several at once, maybe none": ("(c: hand[mover])\n    hand[mover] := hand[mover] - {c}\n    bid[mover] := c",
                                    "(c: up - 1 from hand[mover])\n    hand[mover] := hand[mover] - c"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [*((COUNTED, *way) for way in UNCOUNTED.values()), *((TAKEN, *way) for way in UNTAKEN.values())],
    ids=[*UNCOUNTED, *UNTAKEN],
)
def test_what_is_not_counted_or_taken_for_good_is_not_proved(text: str, old: str, new: str) -> None:
    text = changed(text, old, new)
    assert not proved(text)
    assert reachable_traits(gdl.loads(text).game, 200).cyclic is not False

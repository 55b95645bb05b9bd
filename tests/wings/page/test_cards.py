"""Cards of a hand are played by a click, or dragged to where they go; nothing else that is called like a card plays it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsers import needs_browser
from test_play_page import browse

POINTER = """
    gdl.seats("person", "person");
    const at = (each) => { const { x, y, width, height } = each.getBoundingClientRect(); return { clientX: x + width / 2, clientY: y + height / 2, bubbles: true }; };
    const card = (name) => [...document.querySelectorAll(".strip.turn .card")].find((each) => each.textContent === name);
    const drag = (name, to) => {
      card(name).dispatchEvent(new PointerEvent("pointerdown", at(card(name))));
      document.dispatchEvent(new PointerEvent("pointermove", at(to)));
      const lit = [...document.querySelectorAll("body > .ghost")].map((each) => each.textContent);
      document.dispatchEvent(new PointerEvent("pointerup", at(to)));
      return [lit, document.querySelectorAll(".ghost").length, gdl.moves().at(-1) ?? ""];
    };
"""
SHEDDING = """# Lay one of your cards on the table, or bid.
game "Shedding"
players Ann, Bob

type Rank = 1..5

state
    hand[Player]: set of Rank = {2, 3, 5}
    top: Rank?
    bid: 0..3

action lay(r: hand[mover]) as "lay {r}"
    hand[mover] := hand[mover] - {r}
    top := r

action raise(n: bid + 1..3)
    bid := n

terminal
    hand[Ann] = {} -> win Ann  # no card is left
    hand[Bob] = {} -> win Bob  # no card is left
"""
LAYING = """# Put a card of yours on an empty square; the board is filled together.
game "Laying"
players Ann, Bob

type Card = c7, c8, d7, d8

board Square = grid(3, 1)

state
    table[Square]: Card?
    hand[Player]: set of Card = {c7, d8}

action lay(c: hand[mover], s: Square) as "{c} {s}" when table[s] = none
    hand[mover] := hand[mover] - {c}
    table[s] := c

terminal
    forall s in Square: table[s] != none -> draw  # the board is full
"""


def played(folder: Path, text: str, body: str) -> Any:
    (folder / "cards.game").write_text(text, encoding="utf-8")
    return browse(folder, folder / "cards.game", POINTER + body)


@pytest.mark.thorough
@needs_browser
def test_a_card_is_dragged_to_the_table_and_let_go_in_the_hand_it_stays(tmp_path: Path):
    body = """
        const things = document.getElementById("things");
        result.titles = [...document.querySelectorAll(".strip.turn button.card")].map((each) => each.title);
        result.back = drag("5", card("2"));
        result.beside = drag("5", document.getElementById("status"));
        result.there = drag("5", things);
        card("3").click();
        result.clicked = gdl.moves().at(-1);
        result.left = gdl.legal();
    """
    assert played(tmp_path, SHEDDING, body) == {
        "titles": ["lay 2", "lay 3", "lay 5"],  # nobody bids by a click on a card of that number
        "back": [["5"], 0, ""],
        "beside": [["5"], 0, ""],
        "there": [["5"], 0, "lay 5"],
        "clicked": "lay 3",
        "left": ["lay 2", "lay 3", "raise(1)", "raise(2)", "raise(3)"],
    }


@pytest.mark.thorough
@needs_browser
def test_a_card_is_dragged_to_the_square_where_it_goes(tmp_path: Path):
    body = """
        const read = (name) => [...document.querySelectorAll(".strip.turn .card")].find((each) => each.textContent.includes(name)).textContent;
        result.first = drag(read("c7"), square("b1"));
        result.taken = drag(read("d8"), square("b1"));
        result.second = drag(read("d8"), square("c1"));
    """
    found = played(tmp_path, LAYING, body)
    assert [last for _, _, last in found.values()] == ["c7 b1", "c7 b1", "d8 c1"]
    assert all(len(lifted) == 1 and left == 0 for lifted, left, _ in found.values())


@pytest.mark.thorough
@needs_browser
def test_a_card_is_dragged_to_a_square_where_more_is_to_be_chosen(tmp_path: Path):
    """A fault: the card was asked for its name as a square, which ended in an error."""
    body = """
        const read = (name) => [...document.querySelectorAll(".strip.turn .card")].find((each) => each.textContent.includes(name)).textContent;
        drag(read("c7"), square("b1"));
        result.choices = [...document.querySelectorAll("#choices button")].map((each) => each.getAttribute("aria-label"));
        document.querySelector("#choices button").click();
        result.last = gdl.moves().at(-1);
    """
    turned = LAYING.replace('s: Square) as "{c} {s}"', 's: Square, d: {east, west}) as "{c} {s} {d}"')
    found = played(tmp_path, turned, body)
    assert found == {"choices": ["c7 b1 east", "c7 b1 west"], "last": "c7 b1 east"}


@pytest.mark.thorough
@needs_browser
def test_a_man_of_the_hand_is_dragged_while_one_of_the_board_is_picked(tmp_path: Path):
    """A fault: the square that was picked was taken for the first of two, and the hand has none."""
    body = """
        gdl.seats("person", "person");
        for (const name of ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"]) gdl.play(name);
        click("g1");
        const at = (each) => { const { x, y, width, height } = each.getBoundingClientRect(); return { clientX: x + width / 2, clientY: y + height / 2, bubbles: true }; };
        const held = document.querySelector("[data-hand]");
        held.scrollIntoView({ block: "end" });
        held.dispatchEvent(new PointerEvent("pointerdown", at(held)));
        document.dispatchEvent(new PointerEvent("pointermove", at(square("e4"))));
        document.dispatchEvent(new PointerEvent("pointerup", at(square("e4"))));
        result.last = gdl.moves().at(-1);
    """
    assert browse(tmp_path, "crazyhouse", body, "1200,1000") == {"last": "p@e4"}


SUITED = """# Lay one of your cards on the table.
game "Suited"
players Ann, Bob

type Suit = clubs, hearts
type Card = record(suit: Suit, rank: 2..14)
type Court = jack, queen
type Picture = record(court: Court, suit: Suit)
type Boat = record(kind: Kind, number: 1..3)
type Kind = ships, cows

state
    shown: set of Picture = {Picture(queen, hearts)}
    fleet: set of Boat = {Boat(ships, 2)}
    hand[Player]: set of Card = {Card(clubs, 7), Card(hearts, 12), Card(hearts, 14)}
    top: Card?

action lay(c: hand[mover]) as "lay {c.suit} {c.rank}"
    hand[mover] := hand[mover] - {c}
    top := c

terminal
    hand[Ann] = {} -> win Ann  # no card is left
    hand[Bob] = {} -> win Bob  # no card is left
"""


@pytest.mark.thorough
@needs_browser
def test_records_of_a_suit_and_a_rank_are_drawn_as_playing_cards(tmp_path: Path):
    body = """
        const parts = (each) => [...each.querySelectorAll("use")].map((part) => part.getAttribute("href"));
        const cards = [...document.querySelectorAll(".strip.turn .card")];
        result.read = cards.map((each) => each.textContent);
        result.corners = cards.map((each) => parts(each)[0]);
        result.court = parts(cards[1]).at(-1);
        result.others = [...document.querySelectorAll("#things .card")].map((each) => [each.textContent, parts(each)[0] ?? ""]);
        cards[1].click();
        result.moves = gdl.moves();
    """
    assert played(tmp_path, SUITED, body) == {
        "read": ["clubs 7", "hearts 12", "hearts 14"],
        "corners": ["#s-letter-7", "#s-letter-Q", "#s-letter-A"],
        "court": "#s-court-Q",
        "others": [["queen hearts", "#s-letter-Q"], ["ships 2", ""]],
        "moves": ["lay hearts 12"],
    }


ROWS = """# Lay cards into one of your two rows.
game "Rows"
players Ann, Bob

type Colour = red, blue
type Card = record(colour: Colour, worth: 1..3)

state
    row[Player, Colour]: sequence of Card up to 3 = [Card(red, 2), Card(blue, 3)]

action lay(c: Card) as "lay {c.colour} {c.worth}" when size(row[mover, c.colour]) < 3
    push(row[mover, c.colour], c)

terminal
    no actions -> draw
"""


@needs_browser
def test_rows_of_cards_that_each_player_lays_by_colour_lie_beside_the_names(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        gdl.play("lay blue 1");
        result.read = [...document.querySelectorAll(".strip .hand")].map((each) => each.textContent);
    """
    rows = ["row red red 2blue 3", "row blue red 2blue 3"]
    assert played(tmp_path, ROWS, body)["read"] == [*rows, rows[0], f"{rows[1]}blue 1"]


TOLD = """# Lay a card, which is called out, or throw one away.
game "Told"
players Ann, Bob

type Suit = hearts, spades
type Card = record(suit: Suit, rank: 1..3)

state
    hand[Player]: set of Card = {c in Card} visible to owner
    turns: 0..9

action lay(c: hand[mover]) as "{c}" unseen
    hand[mover] := hand[mover] - {c}
    say c to all
    turns := turns + 1

action throw(c: hand[mover]) as "throw {c}" public  # {mover} throws {c} away
    hand[mover] := hand[mover] - {c}
    turns := turns + 1

terminal
    turns = 9 -> draw
"""


@needs_browser
def test_cards_are_called_in_moves_and_in_what_is_told_as_they_are_written_on_them(tmp_path: Path):
    body = """
        gdl.seats("person", "computer");
        gdl.play("Card(spades, 1)");
        result.laid = document.getElementById("log").textContent;
        gdl.back();
        result.moves = [...document.querySelectorAll("#moves button")].map((each) => each.textContent).slice(5, 8);
        document.getElementById("move").value = "throw hearts 2";  // or by its name
        document.getElementById("typed").requestSubmit();
        result.log = document.getElementById("log").textContent;
    """
    found = played(tmp_path, TOLD, body)
    assert found["moves"] == ["spades 3", "throw hearts 1", "throw hearts 2"]
    assert found["laid"] == "Ann plays spades 1"
    assert found["log"] == "Ann throws hearts 2 away"

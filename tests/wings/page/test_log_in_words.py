"""The list of a play says every ply in a sentence: what somebody else did where it can be told from what was seen, and
nothing where it cannot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from page_script import needs_node, open_in_node
from test_play_page import page_of

import gdl

SCRIPT = """{
const result = {};
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const read = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
const look = () => document.getElementById("look").click();
(async () => { while (!window.gdl) await wait(5); BODY fetch("", { method: "POST", body: JSON.stringify(result) }); })();
}"""


def acted(name: str | Path, body: str, variant: str | None = None) -> Any:
    """The result of a script on the page of a shipped game, or of a file or its variant, in Node."""
    source = name if isinstance(name, Path) else gdl.shipped()[name]
    script = SCRIPT.replace("BODY", body)
    found = open_in_node(page_of(source, variant).replace("</body>", f"<script>{script}</script></body>"))
    assert found.pop("faults") == []
    return found


@pytest.mark.thorough
@needs_node
def test_buttons_say_what_they_do_as_the_log_does():
    body = """
        gdl.seats("person", "person");
        look();
        result.buttons = read("#moves button");
        result.titles = [...document.querySelectorAll("#moves button")].map((each) => each.title);
        document.querySelector("#moves button").click();
        look(); result.log = read("#log li").slice(-1);
    """
    found = acted("for_sale", body)
    assert found == {
        "buttons": ["raise 1", "raise 2", "pass"],
        "titles": ["raise(1)", "raise(2)", ""],
        "log": ["P1 bids 1"],
    }


@pytest.mark.thorough
@needs_node
def test_a_bid_of_several_numbers_is_called_as_the_sentence_on_it_calls_it():
    """A fault: the buttons read bid 2, 6."""
    body = """
        gdl.seats("person", "person");
        look();
        result.button = read("#moves button").at(-1);
        document.getElementById("move").value = result.button;
        document.getElementById("typed").requestSubmit();
        look(); result.log = read("#log li").slice(-1)[0];
    """
    assert acted("liars_dice", body, "play") == {"button": "bid 4 × 6", "log": "Ann bid 4 × 6"}


@pytest.mark.thorough
@needs_node
def test_what_an_opponent_did_is_told_from_what_was_seen():
    body = """
        gdl.seats("person", "person");
        look(); gdl.play("raise");
        result.curtained = read("#told, #log li");
        look(); result.bob = read("#log li"); gdl.play("call");
        look(); result.ann = read("#log li"); result.told = read("#told")[0];
    """
    found = acted("leduc", body)
    card = r"Chance: deal [JQK]"
    assert found["curtained"] == [""]  # nobody reads what is meant for the other
    assert re.fullmatch(rf"{card}\|Ann raises", "|".join(found["bob"]))
    assert re.fullmatch(rf"{card}\|Ann raises\|Bob calls\|{card}", "|".join(found["ann"]))
    assert re.fullmatch(rf"Bob calls\. {card}\.", found["told"])


@pytest.mark.thorough
@needs_node
def test_what_cannot_be_told_stays_hidden_and_a_shot_is_named():
    body = """
        gdl.seats("person", "person");
        for (const name of ["hide a1-east", "hide b1-north", "a2"]) { look(); result.name = gdl.play(name); }
        look(); result.bob = read("#log li");
    """
    found = acted("battleships", body)
    assert found["bob"] == ["Ann acts", "Bob hides b1-north", "Ann fires at a2, “missed”"]


@pytest.mark.thorough
@needs_node
def test_a_fleet_of_five_is_hidden_ship_by_ship_and_sunk():
    body = """
        const sea = (name) => [...document.querySelectorAll('.square[aria-disabled="false"]')].find((each) => each.querySelector("title").textContent.split(" ")[0] === name);
        const click = (name) => { look(); sea(name).dispatchEvent(new MouseEvent("click", { bubbles: true })); };
        const east = () => [...document.querySelectorAll("#choices button")].at(-1).click();
        gdl.seats("person", "person");
        for (const row of [1, 2, 3, 4, 5]) for (const _ of ["Ann", "Bob"]) { click(`a${row}`); east(); }
        result.hidden = gdl.legal().length;
        const ships = [5, 4, 3, 3, 2].flatMap((long, row) => [..."abcde"].slice(0, long).map((column) => `${column}${row + 1}`));
        const seas = [..."abcdefghij"].flatMap((column) => [10, 9].map((row) => `${column}${row}`));
        ships.forEach((square, k) => { click(square); if (k === 4) { look(); result.log = read("#log li").slice(-1); } if (!gdl.over()) click(seas[k]); });
        result.told = [...read("#status"), ...read("#why"), ...read("#log li").slice(-2)];
    """
    found = acted("battleships", body, "play")
    assert found == {
        "hidden": 100,
        "log": ["Ann fires at e1, “sunk”"],
        "told": [
            "The game is over: Ann wins",
            "all of Bob's ships are sunk",
            "Bob fires at h9, “missed”",
            "Ann fires at b5, “sunk”",
        ],
    }


@pytest.mark.thorough
@needs_node
def test_a_public_shot_on_a_sea_of_more_fleets_than_can_be_tried_is_named(tmp_path: Path):
    text = gdl.shipped()["battleships"].read_text(encoding="utf-8")
    text = text.replace("columns = 2, rows = 2, ships = [2]", "columns = 8, rows = 8, ships = [3]")
    sea = tmp_path / "sea.game"
    sea.write_text(text.replace("when hidden(mover) and", "public when hidden(mover) and"), encoding="utf-8")
    body = """
        gdl.seats("person", "person");
        look(); gdl.play(gdl.legal()[0]); look(); gdl.play(gdl.legal()[0]); look(); gdl.play("e5"); look();
        result.bob = read("#log li");
    """
    found = acted(sea, body)
    assert found["bob"][::2] == ["Ann acts", "Ann fires at e5, “missed”"]


@pytest.mark.thorough
@needs_node
def test_every_move_and_every_roll_is_said():
    body = """
        gdl.seats("person", "person");
        gdl.play("roll");
        result.told = read("#told")[0];
        gdl.back();
        result.back = read("#told")[0];
    """
    found = acted("pig", body)
    assert re.fullmatch(r"Ann rolls\. Chance: [1-6]\.", found["told"]) and found["back"] == ""


@pytest.mark.thorough
@needs_node
def test_what_chance_does_in_a_row_is_one_sentence_and_who_wins_of_three_is_named():
    body = """
        gdl.seats("person", "person", "person");
        look(); gdl.play("pass"); look(); gdl.play("pass"); look();
        result.told = read("#told")[0];
        do {
          document.getElementById("new").click();
          while (!gdl.over()) { look(); gdl.play(gdl.legal()[0]); }
          result.status = read("#status")[0];
          result.winners = Object.values(gdl.utilities()).filter(Boolean).length;
        } while (result.winners > 1);
    """
    found = acted("for_sale", body)
    assert re.fullmatch(r"P\d passes\. Chance: buyers(, \d+){3}\.", found["told"])
    assert re.fullmatch(r"The game is over: P\d wins", found["status"])


@pytest.mark.thorough
@needs_node
def test_a_bid_at_once_is_told_once_and_kept_over_a_reload_until_all_have_bid():
    body = """
        gdl.seats("person", "person");
        look(); result.chosen = gdl.legal()[0]; gdl.play(result.chosen);
        const address = location.hash;
        location.hash = "#pp/"; dispatchEvent(new Event("hashchange")); result.anew = gdl.player();
        location.hash = address; dispatchEvent(new Event("hashchange")); result.again = gdl.player();
        look(); gdl.play(result.chosen); look();
        result.told = read("#told")[0];
    """
    found = acted("goofspiel", body)
    bid = found["chosen"].removeprefix("play(").removesuffix(")")
    assert (found["anew"], found["again"]) == ("Ann", "Bob")
    assert found["told"].startswith(f"Ann plays {bid}, Bob plays {bid}. ")


REFUSED = """
    const clicked = (name) => { look(); [...document.querySelectorAll(".square")].filter((each) => each.querySelector("title").textContent.split(" ")[0] === name).at(BOARD).dispatchEvent(new MouseEvent("click", { bubbles: true })); return read("#notice")[0]; };
    gdl.seats("person", "person");
    for (const name of PLAYED) { look(); if (!gdl.play(name)) throw new Error(`${name} of ${gdl.legal()}`); }
    result.told = clicked(SQUARE);
"""
SECRET = """# Go to the first square, which the rules ask for in two parts.
game "Secret"
players Ann, Bob

board Square = grid(3, 1)

state
    secret[Player]: Boolean visible to none
    man[Square]: Player?

start hide

chance hide(b: Boolean)
    secret[Ann] := b
    next Ann

action go(s: Square) as "{s}"
    let open = secret[Ann]
    require open or column(s) = 1      # it is closed
    require not open or column(s) = 1  # it is open
    man[s] := mover

terminal
    man[Square(1, 1)] != none -> win Ann  # there
"""


@pytest.mark.thorough
@needs_node
@pytest.mark.parametrize(
    ("name", "variant", "played", "square", "board", "reason"),
    [
        ("battleships", "play", ["hide a1-east", "hide a1-east"], "b1", 0, "no room for the ship"),
        ("battleships", None, ["hide a1-east", "hide a1-east", "a2", "b1"], "a2", -1, "a2 is not empty"),
        ("battleships", None, ["hide a1-east", "hide a1-east"], "a1", 0, "nothing can be done with a1 now"),
        ("battleships", None, ["hide a1-east", "hide a1-east", "a2", "b1"], "a2", 0, "nothing can be done with a2 now"),
        ("stratego", "play", [], "b4", 0, "one deploys in one's first row"),
        ("stratego", "play", ["flag on b1"], "b1", 0, "a man stands there"),
        ("scrabble", None, [], "c1", 0, "nothing can be done with c1 now"),
    ],
)
def test_a_refusal_is_told_where_it_betrays_nothing(
    name: str, variant: str | None, played: list[str], square: str, board: int, reason: str
):
    """Reasons are what whoever acts sees, or the one condition on what is hidden, as they know whether all hold."""
    body = REFUSED.replace("PLAYED", str(played)).replace("SQUARE", repr(square)).replace("BOARD", str(board))
    assert acted(name, body, variant) == {"told": f"“{square}” is not possible here: {reason}."}


@pytest.mark.thorough
@needs_node
def test_which_of_two_conditions_on_what_is_hidden_fails_is_not_told(tmp_path: Path):
    (tmp_path / "secret.game").write_text(SECRET, encoding="utf-8")
    body = REFUSED.replace("PLAYED", "[]").replace("SQUARE", "'b1'").replace("BOARD", "0")
    assert acted(tmp_path / "secret.game", body) == {
        "told": "“b1” is not possible here: nothing can be done with b1 now."
    }


TRAPS = """# Go to a square without a trap and without a stone.
game "Traps"
players Ann, Bob

board Square = grid(3, 1)

state
    trap[s: Square]: Boolean = TRAP and column(s) = 2 visible to p when man[s] = p
    stone[s: Square]: Boolean = column(s) = 2
    man[Square]: Player?

define trapped(s: Square) = trap[s]

action go(s: Square) as "{s}" ASKED
    man[s] := mover
    next Bob

terminal
    man[Square(1, 1)] != none or man[Square(3, 1)] != none -> win Ann  # there
"""
NOTHING = "nothing can be done with b1 now"


@pytest.mark.thorough
@needs_node
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("when not trapped(s)\n        and not stone[s]  # a stone is there", (NOTHING, NOTHING)),
        ("when not trapped(s)\n    choose d: {east, west} when not stone[s]", (NOTHING, NOTHING)),
        ("\n    check(s)\n    require not stone[s]  # a stone is there", (NOTHING, NOTHING)),
        ("\n    require not stone[s]  # a stone is there\n    require not trapped(s)", ("a stone is there",) * 2),
    ],
)
def test_a_hidden_condition_is_told_only_if_it_is_asked_last(asked: str, told: tuple[str, str], tmp_path: Path):
    """A fault: whether a trap is hidden was seen from the reason why nobody goes to a square with a stone."""
    for trap, reason in zip(("true", "false"), told, strict=True):
        path = tmp_path / f"{trap}.game"
        procedure = (
            "define check(s: Square)\n    require not trapped(s)\n\naction go" if "check" in asked else "action go"
        )
        text = TRAPS.replace("TRAP", trap).replace("ASKED", asked).replace("action go", procedure)
        path.write_text(text, encoding="utf-8")
        body = REFUSED.replace("PLAYED", "[]").replace("SQUARE", "'b1'").replace("BOARD", "0")
        assert acted(path, body) == {"told": f"“b1” is not possible here: {reason}."}


SAYING = """# Raise by a number, or only say so.
game "Saying"
players Ann

state
    done: Boolean

action raise(n: 1..2)
    done := true

action speak as "raise 1"
    done := true

terminal
    done -> draw  # done
"""


@pytest.mark.thorough
@needs_node
def test_a_name_is_typed_before_what_another_action_is_called(tmp_path: Path):
    """A fault: both fitted what was written, so that neither could be played."""
    (tmp_path / "saying.game").write_text(SAYING, encoding="utf-8")
    body = """
        for (const name of ["raise 1", "Raise 2"]) {
          document.getElementById("move").value = name;
          document.getElementById("typed").requestSubmit();
          result[name] = gdl.moves()[0];
          gdl.back();
        }
    """
    found = acted(tmp_path / "saying.game", body)
    assert found == {"raise 1": "raise 1", "Raise 2": "raise(2)"}


@pytest.mark.thorough
@needs_node
def test_actions_are_called_by_their_sentence_only_if_it_names_all_of_each(tmp_path: Path):
    """A fault: two pairs of buttons were called the same, and neither action could be typed."""
    head = "action pick(a: 1..2, b: 1..2)  # {mover} pick {a}"
    picking = SAYING.replace("action raise(n: 1..2)", head)
    (tmp_path / "picking.game").write_text(picking, encoding="utf-8")
    found = acted(tmp_path / "picking.game", 'result.buttons = read("#moves button");')
    assert found["buttons"] == ["pick 1, 1", "pick 1, 2", "pick 2, 1", "pick 2, 2", "raise 1"]

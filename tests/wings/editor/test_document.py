"""The facts that an editor learns of a file that is being written: names, their places and meaning, and what may be written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import pytest

import gdl
from gdl.web.manual import word_index
from gdl.wings.editor.completion import completions
from gdl.wings.editor.document import Document
from gdl.wings.editor.hover import hover
from gdl.wings.editor.marking import TYPES, folds, marks

RULES = """\
# About
game "Heap" (most = 3)
players Ann, Bob

type Colour = red, blue

state
    left: 0..9 = 9     # stones
    mark[Colour]: Player?

# how many may go
define room(c: Colour) =
    if c = red then most else left

action take(n: 1..3) as "take {n}" when n <= room(red)
    let c = blue
    left := left - min(n, left)
    mark[c] := if mark[c] = none then mover else none

terminal
    left = 0 -> win mover
"""


def document(text: str = RULES) -> Document:
    made = Document("heap.game")
    made.update(text)
    return made


def lines(found: Document, name: str, offset: int | None = None) -> list[int]:
    symbol = found.symbol_at(found.text.index(name) if offset is None else offset)
    assert symbol is not None
    return [found.text.count("\n", 0, start) + 1 for start, _ in found.occurrences(symbol)]


def test_names_are_found_where_they_stand():
    found = document()
    assert found.problems == []
    assert lines(found, "left: 0") == [8, 13, 17, 17, 17, 21]
    assert lines(found, "room(c") == [12, 15]
    assert lines(found, "most") == [2, 13]
    assert lines(found, "red") == [5, 13, 15]


def test_a_file_that_is_opened_with_a_mistake_has_the_names_of_its_sound_sections():
    found = document(f"{RULES}define half = room(")
    assert [s.name for s in found.symbols] == [s.name for s in document().symbols]
    assert found.problems and lines(found, "most") == [2, 13]
    assert document("(" * 10_000).symbols == []


def test_a_local_name_is_that_of_its_section():
    found = document()
    assert lines(found, "c: Colour") == [12, 13]
    assert lines(found, "c = blue") == [16, 18, 18]
    assert lines(found, "n: 1..3") == [15, 15, 15, 17]  # one of them in the action's name


def test_legends_and_templates_hold_names():
    found = Document("chess.game")
    found.update(gdl.shipped()["chess"].read_text(encoding="utf-8"))
    pawn = found.symbol_at(found.text.index("White pawn") + 6)  # in the legend
    assert pawn is not None and pawn.kind == "member"
    knight = found.symbol_at(found.text.index("knight"))
    assert knight is not None and knight.kind == "member"
    places = [found.text[start:end] for start, end in found.occurrences(knight)]
    assert set(places) == {"knight"}
    assert len(places) == len(re.findall(r"\bknight\b", re.sub("#.*", "", found.text))) > 5


def test_a_field_that_is_marked_is_a_name():
    found = Document("crazyhouse.game")
    found.update(gdl.shipped()["crazyhouse"].read_text(encoding="utf-8"))
    promoted = found.symbol_at(found.text.index("promoted: set"))
    assert promoted is not None
    assert found.text.index("promoted marked: ~") in [start for start, _ in found.occurrences(promoted)]


@pytest.mark.thorough_of("chess-3", "crazyhouse-3", "kuhn-3", "othello-3")
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["chess", "kuhn", "othello", "two_roads", "prisoners", "crazyhouse", "liars_dice"])
def test_every_name_of_a_game_can_be_renamed_without_changing_the_game(name: str, step: int):
    text = gdl.shipped()[name].read_text(encoding="utf-8")
    found = Document(f"{name}.game")
    found.update(text)
    before = gdl.loads(text).model
    kinds = ("definition", "procedure", "local name", "variable")
    for symbol in [symbol for symbol in found.symbols if symbol.kind in kinds][:25:step]:
        fresh = text
        for start, end in sorted(found.occurrences(symbol), reverse=True):
            fresh = f"{fresh[:start]}renamed_{fresh[end:]}"
        model = gdl.loads(fresh).model
        assert [a.name for a in model.actions] == [a.name for a in before.actions], symbol.name


def test_a_broken_file_keeps_the_names_that_were_known():
    found = document()
    found.update(RULES.replace("let c = blue", "let c = "))
    assert [problem.span.line for problem in found.problems if problem.span] == [17]  # the line goes on there
    assert "room" in [offer.text for offer in completions(found, found.text.index("room(red)") + 2)]


def test_hovering_tells_the_line_the_type_and_the_comment():
    found = document()
    told = hover(found, found.text.index("room(red)"))
    assert told is not None
    assert "define room(c: Colour) =" in told and "how many may go" in told and "from 0 to 9" in told
    told = hover(found, found.text.index("left - min"))
    assert told is not None and "stones" in told
    told = hover(found, found.text.index("mover"))
    assert told is not None and "the player whose turn it is" in told
    assert hover(found, 2) is None  # a comment
    assert len(word_index()) > 100


def test_what_is_offered_depends_on_the_place():
    found = document()
    assert {"action", "define"} <= {offer.text for offer in completions(found, 0)}
    inside = found.text.index("    let c")
    begun = {offer.text for offer in completions(found, inside + 4)}
    assert {"let", "require", "deal", "reward", "n", "room", "c"} <= begun
    assert [offer.text for offer in completions(found, found.text.index("min(n") + 2)][:1] == ["min"]
    assert completions(found, found.text.index("stones")) == []
    phased = document(
        "players A, B\n\nphase one\n    action go\n        next phase two\n\nphase two\n    action halt\n"
    )
    offered = {offer.text: offer.kind for offer in completions(phased, phased.text.index(" two") + 1)}
    assert offered["two"] == "phase" and offered["go"] == "action" and "phase" in offered
    assert lines(phased, "two") == [5, 7]


def test_every_word_has_the_look_of_what_it_is():
    found = document()
    looks = {(found.text[mark.start : mark.end], TYPES[mark.type]) for mark in marks(found)}
    wanted = {
        ("state", "keyword"), ("left", "property"), ("room", "function"), ("take", "method"), ("red", "enumMember"),
        ("# stones", "comment"), ("n", "variable"), ('"take {n}"', "string"), ("9", "number"), ("->", "operator"),
        ("Colour", "type"), ("most", "parameter"), ("Ann", "enumMember"),
    }  # fmt: skip
    assert wanted <= looks


def test_blocks_fold():
    assert folds(document()) == [(6, 8), (11, 12), (14, 17), (19, 20)]


def test_no_text_makes_it_stumble():
    for text in ("", "#", '"', "tree\n", "(" * 500, "players A,", "state\n  x: 0..", "\x00", "define f(", "🂡 players"):
        found = document()
        found.update(text)
        completions(found, len(text))
        hover(found, max(len(text) - 1, 0))
        marks(found)
        folds(found)
        assert found.problems or not text.strip("#\n")


def count_calls(work: Callable[[], None]) -> int:
    """The calls of some work: 8,000 are about a millisecond of processor time."""
    made = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made


@pytest.mark.thorough
def test_an_edit_of_the_longest_game_costs_little():
    """Calls are counted, as time depends on the machine: 290,000 are some 35 ms of processor time."""
    text = gdl.read("chess")[0]
    found = Document("chess.game")
    found.update(text)
    assert count_calls(lambda: found.update(text + "\n")) < 330_000 and found.problems == []


@pytest.mark.thorough
def test_after_an_edit_of_300_lines_names_are_known_before_problems():
    """300 lines with a warning for each copy of a definition are read in about 40 ms, and answered from."""
    text = gdl.read("chess")[0].rstrip("\n") + "\n"
    definitions = re.findall(r"^define .*(?:\n[ \t].*)*", text, re.MULTILINE)
    for number in range(32):
        copy, place = divmod(number, len(definitions))
        text += re.sub(r"^define \w+", rf"\g<0>{copy + 2}", definitions[place]) + "\n"
    text += "#\n" * (300 - text.count("\n"))
    found = Document("long.game")
    found.update(text)
    assert text.count("\n") >= 300 and len(found.problems) > 30
    assert count_calls(lambda: found.read(text + "\n")) < 340_000
    assert found.problems == [] and found.symbol_at(text.rindex("define ") + len("define ")) is not None
    found.check()
    assert len(found.problems) > 30

"""The wall of pictures on the site's first page: its games, its choices, and a search that forgives spelling."""

from __future__ import annotations

import json
import re
import subprocess
from xml.etree import ElementTree

import pytest
from page_script import NODE, needs_node

import gdl
from gdl.wings.page.play_page import play_page
from gdl.wings.page.playground import site_file
from gdl.wings.page.wall import describe_game, game_picture, wall_html

NAMES = ("chess", "kuhn", "prisoners", "liars_dice", "nim")


def test_each_game_has_its_kind_its_players_and_its_minutes():
    games = [describe_game(name, gdl.loads(*gdl.read(name)).model, "about <it>") for name in NAMES]
    assert [game.kind for game in games] == ["board", "cards", "theory", "dice", "numbers"]
    wall = wall_html(games)
    assert wall.count("<li ") == 5 and "about &lt;it&gt;" in wall and 'href="games/chess.html"' in wall
    assert "2 players, 40 min" in wall and '<option value="theory">' in wall


def test_the_minutes_of_every_shipped_game_are_told():
    told = {line.partition(",")[0] for line in site_file("minutes.csv").splitlines()[1:]}
    assert told == set(gdl.shipped())


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_whole_and_the_same_each_time(name: str):
    model = gdl.loads(*gdl.read(name)).model
    picture = game_picture(name, model)
    assert ElementTree.fromstring(picture).tag.endswith("svg") and picture == game_picture(name, model)


def test_a_page_leads_back_to_the_wall():
    text, name = gdl.read("nim")
    page = play_page(gdl.loads(text, name).model, text, home="../index.html")
    assert '<a id="home" href="../index.html">All games</a>' in page
    assert 'id="home"' not in play_page(gdl.loads(text, name).model, text)


@needs_node
@pytest.mark.parametrize(
    ("written", "title", "fits"),
    [
        ("backgamon", "Backgammon", True), ("ches", "Chess", True), ("tick tac", "Tic-tac-toe", True), ("xiangki", "Xiangqi", True),
        ("bakgammon", "Backgammon", True), ("bakgamon", "Backgammon", True), ("othelo", "Othello", True),
        ("poker", "Kuhn poker", True), ("chess", "Go", False), ("go", "Hex", False),
        ("shogi", "Othello", False), ("tictactoe", "Tic-tac-toe", True), ("connectfour", "Connect four", True),
    ],
)  # fmt: skip
def test_the_search_forgives_spelling(written: str, title: str, fits: bool):
    words, part = json.dumps(written.split()), json.dumps({"title": title, "text": ""})
    assert _asked_of_the_search(f"fits({part}, {words}) >= EACH * {words}.length") == str(fits).lower()


@needs_node
@pytest.mark.parametrize(
    ("written", "found"),
    [("backgamon", "Backgammon"), ("ches", "Chess"), ("alpha beta prunning", "Alpha-beta"), ("go", "Go")],
)
def test_the_search_puts_first_what_a_stranger_means(written: str, found: str):
    """A heading that is misspelled a little comes before a text in which the mistake stands, the beginning of a word
    before the middle of one; where no part has all the words, the one with the most of them comes first."""
    texts = {"Play in the browser": "as backgamon", "Searches": "of trees", "Minichess": "", "Chess": "", "Hex": "go on",
             "Backgammon": "", "Goofspiel": "", "Go": "", "Alpha-beta": "cuts"}  # fmt: skip
    index = json.dumps([{"title": title, "text": text} for title, text in texts.items()])
    ranked = f"{index}.sort((a, b) => fits(b, {written.split()}) - fits(a, {written.split()}))[0].title"
    assert _asked_of_the_search(ranked) == found


def _asked_of_the_search(call: str) -> str:
    """The output of a call of the functions of the search."""
    parts = re.search(r"const EACH.*?\n(?=function search)", site_file("search.js"), re.DOTALL)
    assert NODE is not None and parts is not None
    done = subprocess.run([NODE, "-e", f"{parts[0]}console.log({call})"], capture_output=True, text=True, check=True)
    return done.stdout.strip()

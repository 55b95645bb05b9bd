"""Typed moves on a page: what the page says of an action chooses that action when it is typed, and moves of chessmen are
called as chess players call them."""

from __future__ import annotations

import pytest
from page_script import needs_node
from places import LANGUAGE
from test_log_in_words import acted

import gdl
from gdl.checker import variants

TAUGHT = "arrays deck_building draws graphs hearing lists ranks records_drawn sets sides tracks".split()
TYPING = """
let seed = 7;
const random = (most) => (seed = (seed * 16807) % 2147483647) % most;
const by = (id) => document.getElementById(id);
const done = () => (Array.isArray(gdl.moves()) ? gdl.moves() : Array(gdl.moves()).fill(null)); // nobody reads what is hidden
by("every").checked = true;
gdl.seats(...[...document.querySelectorAll(".strip select")].map(() => "person"));
result.wrong = [];
result.typed = 0;
/** Type a text; true if something was played. */
const type = (text, name) => {
  const before = done().length;
  by("move").value = text;
  by("typed").requestSubmit();
  const played = done().slice(before);
  if (by("move").value ? !by("told").textContent.includes(name) : played.length && played[0] !== null && !played.flat().includes(name)) result.wrong.push([text, name, played, by("told").textContent]);
  return !by("move").value;
};
for (let ply = 0; ply < 12 && !gdl.over(); ply++) {
  look();
  const named = [...document.querySelectorAll("#moves button")].map((each) => [each.textContent, each.title || each.textContent]).filter(([, name]) => gdl.legal().includes(name));
  if (!named.length) break;
  const [[text, name], whose] = [named[random(named.length)], gdl.player()];
  if (!type(text, name)) { gdl.play(name); continue; }
  result.typed++;
  look();
  const said = Array.isArray(gdl.moves()) ? [...document.querySelectorAll("#log [aria-current]")].at(-1)?.textContent : "";
  const last = Array.isArray(gdl.moves()) && gdl.moves().at(-1) === name;
  if (!said || !last) continue; // chance acted, or others have to choose
  gdl.back();
  if (gdl.player() !== whose || !gdl.legal().includes(name) || !type(said, name)) gdl.play(name);
}
"""


@pytest.mark.thorough
@pytest.mark.one_in(8)
@needs_node
@pytest.mark.parametrize("name", [*gdl.shipped(), *TAUGHT])
def test_what_the_page_says_of_an_action_can_be_typed(name: str):
    source = LANGUAGE / f"{name}.game" if name in TAUGHT else gdl.shipped()[name]
    variant = "play" if "play" in variants(gdl.described(source.read_text("utf-8"), name)) else None
    found = acted(source, TYPING, variant)
    assert found["wrong"] == [] and found["typed"]


@pytest.mark.thorough
@needs_node
def test_words_that_may_be_several_actions_are_answered_with_them():
    body = """
        gdl.seats("person", "person");
        for (const name of ["d2d4", "a7a6", "g1f3", "a6a5", "c1e3", "a5a4"]) gdl.play(name);
        document.getElementById("move").value = "Nd2";
        document.getElementById("typed").requestSubmit();
        result.told = read("#told")[0];
    """
    assert acted("chess", body) == {"told": "“Nd2” may be b1d2, f3d2."}


@pytest.mark.thorough
@needs_node
@pytest.mark.parametrize("seed", range(3))
def test_chessmen_move_as_python_chess_calls_it(seed: int):
    chess = pytest.importorskip("chess")
    from random import Random

    random, board, names, wanted = Random(seed), chess.Board(), list[str](), list[str]()
    if seed == 0:
        names = "f2f3 e7e5 g2g4 d8h4".split()
    while seed and len(names) < 60 and not board.is_game_over():
        moves = list(board.legal_moves)
        names.append(random.choice([move for move in moves if board.gives_check(move)] or moves).uci())
        board.push_uci(names[-1])
    board.reset()
    for name in names:
        wanted.append(board.san(chess.Move.from_uci(name)))
        board.push_uci(name)
    body = f"""
        gdl.seats("person", "person");
        for (const name of {names}) gdl.play(name);
        result.log = read("#log button");
    """
    assert acted("chess", body)["log"] == wanted and any(san[-1] in "+#" for san in wanted)

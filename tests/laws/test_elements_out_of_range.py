"""A number beyond an array's range is a fault wherever it is an index, on every engine; none as an index gives none."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from both_engines import said, told_alike
from page_script import game_data, needs_node, run_with_search

import gdl
from gdl.compiler.searches.perft import perft
from gdl.errors import GameError, Refusal
from gdl.interpreter.rules_game import RulesGame, playable
from gdl.playing.page_engine import page_engine
from gdl.states.explore import moves

GAME = """players Ann, Bob
type Level = 1..3
board Cell = grid(2, 1)
state
    n: 0..3 = 2
    pile[Level, Cell]: Player?
    wall[Cell, Level]: set of 1..2
    row[Level, Level]: 0..9
    seen: 0..9
action lower(by: 1..2) as "lower {by}NAME" when n >= by WHEN
    n := n - by
    BODY
    next other(mover)
terminal
    seen = 9 -> END
    no actions -> 0
"""
FAULTS = {
    "read": {"BODY": "seen := if pile[n, a1] = none then 1 else 2"},
    "of a set": {"BODY": "seen := size(wall[a1, n])"},
    "written": {"BODY": "pile[n, a1] := mover"},
    "condition": {"WHEN": "and pile[n - by, b1] = none"},
    "quantifier": {"BODY": "seen := count s in Cell: pile[n, s] = none"},
    "name": {"NAME": " {pile[n - by, a1] = none}"},
    "end": {"BODY": "seen := 9", "END": "if pile[n, a1] = none then 1 else 0"},
    "no board": {"BODY": "seen := row[n, 3]"},
}
NO_FAULTS = {
    "off the board": {"BODY": "if pile[1, step(a1, west)] != none\n        seen := 1"},
    "off the board, and out of range": {"BODY": "if pile[n, step(a1, west)] != none\n        seen := 1"},
    "out of range, and off the board": {"BODY": "if pile[3 - n, step(a1, west)] != none\n        seen := 1"},
    "not asked": {"BODY": "if n > 0 and pile[n, a1] = none\n        pile[n, a1] := mover"},
}
SETS = """players Ann, Bob
type Level = 1..3
state
    at: Level?
    hand[Level]: set of 1..3
    one: set of 1..3
    seen: 0..9
define held = hand[at]
action lower(x: DOMAIN)
    seen := 1
    BODY
    next other(mover)
terminal
    seen > 0 -> 0
"""
NO_SETS = {
    "size": "seen := size(hand[at]) + 1",
    "in": "seen := if x in hand[at] then 1 else 2",
    "not in": "seen := if x not in hand[at] then 1 else 2",
    "union": "one := hand[at] + {x}",
    "difference": "one := {x} - hand[at]",
    "intersection": "one := {x} * hand[at]",
    "choice": "seen := size(if seen = 1 then hand[at] else {}) + 1",
    "definition": "seen := size(held) + 1",
    "name": "let h = hand[at]\n    seen := size(h) + 1",
    "count": "seen := count y in hand[at]: y > 0",
    "for": "for y in hand[at]\n        seen := y",
    "none": "seen := if hand[at] = none then 1 else size(hand[at])",
    "not empty": "seen := if hand[at] = {} then size(hand[at]) else 3",
}
COUNT = """
const count = (game, state, depth) => {
  const node = game.node(state);
  if (!depth || node.kind === "end") return depth ? 0 : 1;
  return node.options.reduce((sum, { row }) => sum + count(game, game.next(state, row), depth - 1), 0);
};
Promise.all(JSON.parse(require("fs").readFileSync(0)).map(async (data) => {
  const game = await Game.made(data);
  try { return count(game, game.initial(), 2); } catch (error) { return error instanceof WebAssembly.RuntimeError ? "fault" : String(error); }
})).then((found) => console.log(JSON.stringify(found)));
"""


def written(parts: dict[str, str]) -> RulesGame:
    text = GAME
    for name, default in (("NAME", ""), ("WHEN", ""), ("BODY", "seen := 1"), ("END", "0")):
        text = text.replace(name, parts.get(name, default))
    game = gdl.loads(text).game
    assert isinstance(game, RulesGame)
    return game


def counted(game: Any, state: Any, depth: int) -> int:
    """The sequences of so many actions; names and values are worked out on the way."""
    ways = moves(game.node(state))
    return sum(counted(game, game.successor(state, way), depth - 1) for way in ways) if depth else 1


@pytest.mark.parametrize("parts", FAULTS.values(), ids=FAULTS)
def test_it_is_a_fault_on_every_engine(parts: dict[str, str]):
    game = written(parts)
    with pytest.raises(GameError, match=r"(pile|wall|row) has no element 0"):
        counted(game, game.initial(), 2)
    told_alike(game, range(8), 4)
    for engine in ("python", "wasm"):  # which count without working out names
        assert "NAME" in parts or "has no element 0" in str(said(partial(perft, game, game.initial(), 2, engine)))


@pytest.mark.parametrize("parts", NO_FAULTS.values(), ids=NO_FAULTS)
def test_none_is_no_fault_on_any_engine(parts: dict[str, str]):
    game = written(parts)
    told_alike(game, range(8), 4)
    assert {perft(game, game.initial(), 2, engine) for engine in ("python", "wasm")} == {
        counted(game, game.initial(), 2)
    }


def written_of_sets(body: str, domain: str = "1..2") -> RulesGame:
    game = gdl.loads(SETS.replace("BODY", body).replace("DOMAIN", domain)).game
    assert isinstance(game, RulesGame)
    return game


SET_GAMES = {**{name: (body,) for name, body in NO_SETS.items()}, "parameter": ("seen := x", "hand[at]")}
LEFT = ("choice", "definition", "name", "none", "not empty")
TOLD_APART = ("none", "not empty")  # which ask whether it is none, so that these games meet no fault


@pytest.mark.parametrize("name", SET_GAMES)
def test_none_is_no_set(name: str):
    """The compiled engine leaves those games to the interpreter in which none may be kept, or told from a set."""
    game = written_of_sets(*SET_GAMES[name])
    found = str(said(partial(counted, game, game.initial(), 1)))
    assert found == "2" if name in TOLD_APART else "a set is due here, and this is none" in found
    for engine in ("python", "wasm"):
        if name in LEFT:
            with pytest.raises(Refusal, match="does not take hand"):
                perft(game, game.initial(), 1, engine)
        else:
            assert "a set is due here, and this is none" in str(said(partial(perft, game, game.initial(), 2, engine)))
    if name not in LEFT:
        told_alike(game, range(4), 3)


@needs_node
def test_the_page_meets_the_same_faults():
    games = [written(parts) for parts in (*FAULTS.values(), *NO_FAULTS.values())]
    wanted = [counted(game, game.initial(), 2) for game in games[len(FAULTS) :]]
    found = run_with_search(COUNT, [game_data(playable(game.model)) for game in games])
    assert found == ["fault"] * len(FAULTS) + wanted
    for words in map(SET_GAMES.__getitem__, LEFT):
        with pytest.raises(Refusal, match="has no page: the compiled engine does not take hand"):
            page_engine(written_of_sets(*words))

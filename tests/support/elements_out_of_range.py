"""Games in which an index may lie beyond the range of an array, or be none: with a fault, and without one."""

from __future__ import annotations

from typing import Any

import gdl
from gdl.interpreter.rules_game import RulesGame
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


def written_of_sets(body: str, domain: str = "1..2") -> RulesGame:
    game = gdl.loads(SETS.replace("BODY", body).replace("DOMAIN", domain)).game
    assert isinstance(game, RulesGame)
    return game


SET_GAMES = {**{name: (body,) for name, body in NO_SETS.items()}, "parameter": ("seen := x", "hand[at]")}
LEFT = ("choice", "definition", "name", "none", "not empty")

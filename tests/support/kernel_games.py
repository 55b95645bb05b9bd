"""Rules for tests of compiled searches: races, dice, purses, and games of chance at random."""

from __future__ import annotations

import random
import re
from typing import Any

import gdl
from gdl.analysis.traits import accumulates
from gdl.commands.engines import offer
from gdl.game import Terminal
from gdl.interpreter.rules_game import RulesGame
from gdl.states.explore import moves


def pays_on_the_way(game: RulesGame) -> bool:
    """True if the compiled engine refuses the rules because they have rewards (tests/compiler/test_compiled.py)."""
    return accumulates(game.model)


# Three players, each with luck of their own; to give gold away is never good.
FORTUNES = """players A, B, C
state
    gold[Player]: 0..9
    round: 0..9
start luck
chance luck(n: 0..1)
    round := round + 1
    gold[mover] := min(gold[mover] + n, 9)
    next if mover = A then B else if mover = B then C else A
action keep
    next luck
action give
    gold[mover] := max(gold[mover] - 1, 0)
    next luck
terminal
    round = 9 -> each p: gold[p]
"""


RACE = """
game "Race" (last = 7)
players Ann, Bob

state
    place[Player]: 0..20 = 0
    pot: 0..40 = 1

action step(n: 1..3) when place[mover] + n <= last
    place[mover] := place[mover] + n
    pot := pot + place[other(mover)] mod 3

action wait when place[mover] > 0 and pot < 7
    pot := pot + 2

terminal
    place[Ann] = last -> pot
    place[Bob] = last -> -pot
    pot >= 7 -> place[Ann] - place[Bob]

evaluate
    1/2 * (place[Ann] - place[Bob])
"""


DICE = """
game "Dice" (last = 9)
players Ann, Bob, Cid

state
    place[Player]: 0..20 = 0
    pot: 1..40 = 1
    bold: 0..1 = 0
    turn: Player = Ann

action step(n: 1..2)
    place[mover] := min(last, place[mover] + n)
    bold := 0
    turn := mover
    next roll

action dare when pot < 30
    pot := pot + 3
    bold := 1
    turn := mover
    next roll

chance roll(n: 1..3) weight 2 * n + bold
    place[turn] := max(0, min(last, place[turn] + n - 2 * bold))
    next if turn = Ann then Bob else if turn = Bob then Cid else Ann

terminal
    exists p in Player: place[p] = last -> each p: if place[p] = last then pot else place[p] / 7

evaluate
    each p: place[p] * pot / 6
"""


PIG = """
evaluate
    1/100 * (score[Ann] - score[Bob])
    1/300 * (if mover = Ann then sum else -sum)
"""


STAR = """
evaluate
    each p: -to_go(p)
"""


def written(name: str, more: str = "", **settings: str) -> Any:
    """A shipped game with the sections `more` in place of its own evaluation."""
    with open(f"games/{name}.game", encoding="utf-8") as file:
        text = file.read()
    if more:
        text = re.sub(r"^evaluate\b.*\n(    .*\n|\n)+", "", text, flags=re.MULTILINE)
    return gdl.loads(text + more, settings=settings).game


def on(engine: str, game: Any) -> Any:
    """The game with this engine chosen for solving it."""
    return offer(game, engine)


def at_random(game: Any, rng: random.Random) -> Any:
    """A random position that is reached by some moves and is no end."""
    state = game.initial()
    for _ in range(rng.randrange(12)):
        after = game.successor(state, rng.choice(list(moves(game.node(state)))))
        if isinstance(game.node(after), Terminal):
            break
        state = after
    return state


ROLLS = """
game "Rolls" (turns = 6)
players Ann, Bob

state
    left: 0..9 = turns
    lead: -60..60 = 0
    stake: 1..3 = 1
    turn: Player = Ann

action bet(n: 1..3)
    stake := n
    turn := mover
    next roll

chance roll(n: 1..3) weight n
    lead := lead + (if turn = Ann then 1 else -1) * stake * (n - 2)
    left := max(0, left - stake)
    next other(turn)

terminal
    left = 0 -> (lead / 2, 3 - lead / 2)
"""


LADDER = """
players Ann, Bob

state
    rung: 0..9

action climb
    rung := rung + 1

action wait when rung > 0
    rung := rung - 1

terminal
    rung = 9 -> win mover
"""


PURSES = """
game "Purses" (stones = 12)
players Ann, Bob

state
    left: 0..30 = stones
    purse[Player]: 0..90

action leave(n: 0..1) when left = 2
    left := 0
    purse[mover] := purse[mover] + 2
    purse[other(mover)] := purse[other(mover)] + n

action take(n: 1..3) when n <= left
    left := left - n
    purse[mover] := purse[mover] + n mod 3

terminal
    left = 0 -> each p: purse[p]
"""

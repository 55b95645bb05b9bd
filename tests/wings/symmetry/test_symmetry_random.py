"""Whatever rules are written at random: a symmetry that is found is one, in every position that is looked at."""

import random

import pytest

import gdl
from gdl.errors import GameError
from gdl.game import Terminal
from gdl.interpreter.rules_game import RulesGame
from gdl.states.explore import moves
from gdl.wings.symmetry.group import find_symmetries

CONDITIONS = """
mark[{s}] = none | mark[{s}] = mover | mark[{s}] != mover | column({s}) = {k} | row({s}) < {k} | {s} = b2 | {s} in {{a1, c3}}
mark[step({s}, north)] = none | mark[step({s}, southwest)] = none | (count q in neighbours({s}): mark[q] = mover) >= {k}
mark[first q in ray({s}, east): mark[q] != none] = A | ko != {s} | ko = {s} | (exists q in neighbours({s}): mark[q] = B)
n > {k} | (column({s}) + row({s})) mod 2 = {k} mod 2 | {s} in seen | mark[b2] = mover
(exists d in Direction: mark[step({s}, d)] = mover)
size(reach q from {{{s}}} along neighbours where mark[q] = mark[{s}]) > {k}
size(reach q from {{{s}}} along p -> q where q in neighbours(p) and mark[q] != mark[p]) > {k}
size(reach q from {{{s}}} along p -> q where mark[q] = B and row(p) < row(q)) > {k}
(min q in neighbours({s}): (if mark[q] = A then {k} else 2)) = {k}
"""
EFFECTS = """
mark[s] := mover
mark[s] := if {if s} then A else B
for t in neighbours(s) where {if t}/    mark[t] := none
for t in neighbours(s) where {if t}/    mark[t] := mark[s]
for t in Square where {if t}/    mark[t] := mover
ko := s
ko := first t in Square: {if t}
if {if s}/    next mover
if {if s}/    mark[b2] := none
seen := seen + {{s}}
seen := seen - (those t in Square: {if t})
for k in 0..n/    if mark[b2] = none and {if s}/        mark[s] := mover
choose t: neighbours(s) when {if t}/mark[t] := mover
for d in Direction, q in ray(s, d) until mark[q] != none/    mark[q] := mover
"""
PAYS = """
draw
win A
(count s in Square: mark[s] = A) - (count s in Square: mark[s] = B)
sum s in Square: if mark[s] = A then column(s) else 0
if ko = a1 then 1 else -1
if mark[first s in Square: mark[s] != none] = A then 1 else -1
(if mark[a1] = A then 1 else 0) - (if mark[c3] = B then 1 else 0)
max s in Square: (if mark[s] = A then row(s) else 0)
size(seen)
"""
GAME = """
players A, B
board Square = grid(3, {rows})
state
    mark[Square]: Player?
    ko: Square?
    n: 0..3
    seen: set of Square
    turns: 0..6
action take(s: Square) when turns < 6 and {condition}
    {effects}
    turns := turns + 1
action pass when turns < 6
    n := min(3, n + {n})
    turns := turns + 1
terminal
    n = 3 -> {pays[0]}
    mark[b2] = A -> {pays[1]}
    turns = 6 -> {pays[2]}
    no actions -> draw
"""


def written(rng):
    """The rules of some game on a small board."""

    def condition(square):
        lines = CONDITIONS.strip().replace("\n", " | ").split(" | ")
        parts = [rng.choice(lines).format(s=square, k=rng.randint(0, 3)) for _ in range(rng.randint(1, 2))]
        return "(" + rng.choice([" and ", " or "]).join(f"({part})" for part in parts) + ")"

    def effect():
        line = rng.choice(EFFECTS.strip().split("\n")).replace("{{", "{").replace("}}", "}").replace("/", "\n    ")
        return line.replace("{if s}", condition("s")).replace("{if t}", condition("t"))

    effects = [effect() for _ in range(rng.randint(1, 3))]
    pays = [rng.choice(PAYS.strip().split("\n")) for _ in range(3)]
    return GAME.format(
        rows=rng.choice([2, 3]),
        condition=condition("s"),
        effects="\n    ".join(effects),
        n=rng.randint(0, 1),
        pays=pays,
    )


def check(seed):
    """Looks at the positions of one random game; how many images were compared."""
    rng = random.Random(seed)
    try:
        model = gdl.loads(written(rng), "random").model
    except GameError:
        return 0  # some texts are no game
    found, rules, images = find_symmetries(model), RulesGame(model), 0
    known, work = {rules.initial()}, [rules.initial()]
    while work and len(known) < 150 and found.order > 1:
        state = work.pop(rng.randrange(len(work)))
        try:
            for symmetry in (*found.keeping, *found.exchanging):
                assert after(rules, state, symmetry.image, symmetry.utilities) == after(rules, symmetry.image(state)), (
                    seed
                )
                images += 1
            new = {rules.successor(state, move) for move in moves(rules.node(state))} - known
        except GameError:
            return images  # a fault of the rules
        known |= new
        work += sorted(new, key=repr)
    return images


def after(rules, state, image=lambda state: state, utilities=lambda paid: paid):
    """The utilities if a state is an end, else all its successors, turned by a symmetry."""
    node = rules.node(state)
    if isinstance(node, Terminal):
        return tuple(utilities(node.utilities))
    return sorted(repr(image(rules.successor(state, move))) for move in moves(node))


@pytest.mark.thorough
@pytest.mark.parametrize("start", [0, *[pytest.param(n, marks=pytest.mark.slow) for n in range(100, 1000, 100)]])
def test_what_is_found_is_a_symmetry(start):
    many = 100 if start else 15
    assert sum(check(seed) for seed in range(start, start + many)) > 5 * many

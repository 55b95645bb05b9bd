"""Values that do not depend on the innermost parameter are computed once: Hive, the counts of others, and faults."""

from functools import cache
from pathlib import Path

import pytest
from both_engines import told_alike

import gdl
from gdl.compiler.searches.perft import perft
from gdl.compiler.searches.playouts_driver import line_work
from gdl.errors import GameError
from gdl.interpreter.rules_game import RulesGame
from gdl.states.explore import Walk

LEVELS = "tests/bench/games/hive_by_levels.game"
COUNTS = (4, 96, 1_440, 21_600, 516_240)  # of Hive's base set, the opening queen barred: Mzinga's perft

FAULTY = """players A, B
board Cell = grid(3, 1)
type Way = 1..3
state
    mark[c: Cell]: Player? = if c = a1 then A else none
    turns: 0..6
    limit: 0..3 = 1
define marked = those c in Cell: mark[c] != none
action go(w: Way, c: Cell) when w <= limit
    require mark[c] = none
    let far = 6 div (size(marked) - w + 1)
    require c = a1 or w != 2
    require (sum n in marked: far) < 12 and (exists n in Cell: n != c and mark[n] = none)
    mark[c] := mover
    turns := turns + 1
action more when limit = 0
    limit := 2
action rest when turns < 5
    limit := turns mod 3
    turns := turns + 1
terminal
    turns >= 5 -> draw
"""

TOWERS = """game "Towers"
players A, B
board Cell = grid(8, 8)
type Level = 1..3
type Kind = 1..3
state
    whose[Level, Cell]: Player?
    turns: 0..30
    beside: 0..9
define height(c: Cell) = count l in Level: whose[l, c] != none
define top(c: Cell) = if height(c) = 0 then none else whose[height(c), c]
define taken = those c in Cell: whose[1, c] != none
define near(p: Player, c: Cell) = exists q in neighbours(c): top(q) = p
define may_stand(p: Player, k: Kind, c: Cell) =
    if taken = {} then c = d4
    else if turns < k then near(A, c) or near(B, c)
    else near(p, c) and 6 div (size(taken) + 3 - k) < 7
action place(k: Kind, c: Cell) when height(c) < k and may_stand(mover, k, c)
    whose[height(c) + 1, c] := mover
    turns := turns + 1
    beside := count n in neighbours(c): height(n) < 3 and may_stand(mover, k, n)
terminal
    turns = 30 or beside = 0 and turns > 9 -> draw
"""

EARLIER = """players A, B
board Cell = grid(3, 1)
state
    mark[c: Cell]: Player?
    turns: 0..12
define been(c: Cell) = if (exists p in Player: p = mover and times(mark) >= 1) then c = a1 else c != a1
action go(c: Cell) when been(c) or turns < 3
    require been(c) or turns > 1
    mark[c] := if mark[c] = none then mover else none
    turns := turns + 1
action rest
    turns := turns + 1
terminal
    turns = 12 -> draw
"""


@cache
def hive() -> RulesGame:
    found = gdl.load("tests/bench/games/hive.game")
    assert isinstance(found, RulesGame)
    return found


@pytest.mark.thorough_of("1", "2", "4")
@pytest.mark.parametrize("plies", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.thorough)])
def test_hive_has_as_many_plays_as_others_count(plies: int):
    assert perft(hive(), hive().initial(), plies, "wasm") == COUNTS[plies - 1]


@pytest.mark.thorough
def test_the_interpreter_plays_hive_alike():
    told_alike(hive(), range(1), 8)


@pytest.mark.thorough
def test_where_an_ant_can_walk_is_looked_for_once_and_along_edges_that_exist():
    """Not once for every square, nor by asking of every square whether it is near: that took a second a ply."""
    plies, _, work = line_work(hive(), "tests/bench/games/hive.game", "wasm", 60, 10**9)
    assert plies >= 60
    assert sum(work.values()) < 10_000_000 * plies


@pytest.mark.thorough
def test_hive_as_a_newcomer_writes_it_is_counted_as_soon():
    """Two arrays for the stacks, requirements under `if`, and `pass when not mover has …`: perft 5 took 74 seconds."""
    found = gdl.load(LEVELS)
    assert isinstance(found, RulesGame)
    assert perft(found, found.initial(), 4, "wasm") == COUNTS[3]
    plies, _, work = line_work(found, LEVELS, "wasm", 10, 10**9)
    assert plies >= 10
    assert sum(work.values()) < 10_000_000 * plies


def test_what_a_called_definition_asks_of_the_position_alone_is_worked_out_once(tmp_path: Path):
    """Hive with `if taken = {}` in a definition of its own: perft 5 took 88 seconds. A body that calls the definition
    again, after it has put a stone, sees that stone."""
    file = tmp_path / "towers.game"
    file.write_text(TOWERS)
    found = gdl.load(file)
    assert isinstance(found, RulesGame)
    told_alike(found, range(3), 12)
    taken = 1 + TOWERS.splitlines().index("define taken = those c in Cell: whose[1, c] != none")
    plies, _, work = line_work(found, str(file), "wasm", 30, 10**9)
    assert plies >= 30 and work[taken] < 3_000 * plies  # 6,600 before


def test_the_interpreter_works_it_out_once_as_well():
    found = gdl.loads(TOWERS).game
    assert isinstance(found, RulesGame)
    found.node(found.successor(found.initial(), "place(1, d4)"))
    assert 0 < found.work < 1_000  # 12,480 before


def test_a_fault_of_a_called_definition_is_met_where_the_rules_come_to_it():
    found = gdl.loads(TOWERS.replace("+ 3 - k", "- k")).game
    assert isinstance(found, RulesGame)
    told_alike(found, range(3), 3)
    with pytest.raises(GameError, match="division by zero"):
        perft(found, found.initial(), 2, "wasm")


def test_a_called_definition_counts_the_position_itself_in_a_body_alone():
    """In `when` earlier positions are those before the present one; in a body it is among them."""
    found = gdl.loads(EARLIER).game
    assert isinstance(found, RulesGame)
    told_alike(found, range(3), 12)
    assert [perft(found, found.initial(), plies, "wasm") for plies in (1, 2, 3)] == [2, 4, 16]


def test_the_kind_of_a_slow_game_is_looked_for_in_few_positions(monkeypatch: pytest.MonkeyPatch):
    """Ways to fill a head that the opening of a body excludes are work as well."""
    looked: list[int] = []
    node = Walk.node
    monkeypatch.setattr(Walk, "node", lambda walk, number: looked.append(number) or node(walk, number))
    found = gdl.load("tests/bench/games/hive.game")
    assert found.traits.cyclic is None
    assert 3 < len(looked) < 20  # of 34 before


def test_a_fault_is_met_where_the_rules_come_to_it_and_nowhere_else():
    """The division is a fault for some ways alone, and only where a free cell leads there."""
    found = gdl.loads(FAULTY).game
    assert isinstance(found, RulesGame)
    told_alike(found, range(8), 6)
    with pytest.raises(GameError, match="division by zero"):
        perft(found, found.initial(), 4, "wasm")
    assert perft(found, found.initial(), 1, "wasm") == len(found.node(found.initial()).actions) == 3

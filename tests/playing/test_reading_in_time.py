"""Whatever reads a game, and a position for which much is gone through, keeps a limit of time."""

from time import monotonic

import pytest
from late_clock import clock_replaced

import gdl
from gdl.errors import LimitReached
from gdl.errors.deadline import Deadline

TEXTS = {
    "rules.game": "players A, B\nstate\n    n: 0..3\naction go(a: 1..2)\n    n := n + 1\nterminal\n    n = 3 -> win A\n",
    "tree.game": "players MAX, MIN\ntree MAX(MIN(3, 12), MIN(2, 4))\n",
    "matrix.game": "players A, B\nmatrix\n        left  right\n    up     3      1\n    down   0      2\n",
    "tree.efg": 'EFG 2 R "t" { "A" "B" }\n""\np "" 1 1 "" { "a" "b" } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { 0, 0 }\n',
    "table.nfg": 'NFG 1 R "t" { "A" "B" } { 2 2 }\n1 1 0 0 0 0 1 1\n',
    "graph.json": """{"directed": true, "multigraph": true, "graph": {"players": ["A", "B"]}, "nodes": [
        {"id": 0, "kind": "decision", "player": "A"}, {"id": 1, "kind": "terminal", "utilities": [1, -1]}],
        "edges": [{"source": 0, "target": 1, "key": 0, "action": "go"}]}""",
}
VAST = """\
players A
state
    n: 0..3
action go(a: 1..2)
    n := n + 1
terminal
    n = 0 and (sum i in 1..150, j in 1..150, k in 1..150: i * j * k) = 1 -> 1
    n = 3 -> 0
"""


@pytest.fixture
def late():
    """The clock is set forward as soon as somebody has looked at it."""
    looks = []

    def later():
        looks.append(None)
        return monotonic() + 1_000 * (len(looks) > 3)

    with clock_replaced(later):
        yield


@pytest.mark.parametrize("name", TEXTS)
def test_each_reader_looks_at_the_clock(tmp_path, late, name):
    file = tmp_path / name
    file.write_text(TEXTS[name])
    with pytest.raises(LimitReached, match="stopped after 20 seconds, the limit set for reading the game"):
        gdl.load(file, time=20)


@pytest.mark.parametrize("name", TEXTS)
def test_a_game_is_read_in_its_time(name):
    assert len(gdl.loads(TEXTS[name], name, time=60).game.players) == 2


def test_reading_for_a_search_keeps_its_time(tmp_path, late):
    file = tmp_path / "rules.game"
    file.write_text(TEXTS["rules.game"])
    with pytest.raises(LimitReached, match="reading the game"):
        gdl.solve(file, time=20)


def test_a_position_is_left_where_the_time_is_over():
    """Three million values are gone through for it."""
    game = gdl.loads(VAST).game
    begun = monotonic()
    with pytest.raises(LimitReached), Deadline.ending(1, monotonic() - 60).enforce():
        game.node(game.initial())
    assert monotonic() - begun < 2

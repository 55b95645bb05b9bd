"""Solvers that are compared share no process: none profits from what another one has kept, whatever their order."""

import os

import pytest

import gdl
from gdl.errors import LimitReached
from gdl.wings.arena.comparison import median_run, runs
from gdl.wings.arena.measuring import in_fresh_process

pytestmark = pytest.mark.usefixtures("little_garbage")  # before each run it is collected
TINY = """
game "Tiny"
players A, B
tree
    A (left: 1, right: 0)
"""


def test_each_run_has_a_process_of_its_own(tmp_path):
    """The first of three equal solvers paid for all: 0.35 seconds, then 0.14 and 0.14."""
    kept = []

    def left(game):
        kept.append(os.getpid())
        (tmp_path / str(os.getpid())).write_text(str(len(kept)))
        return "left"

    table = gdl.compare(gdl.loads(TINY), [left, left], repeats=2)
    assert [(run.best, run.exact, run.repeats) for run in table.runs] == [("left", True, 2)] * 2
    met = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert len(met) == 4 and {*met.values()} == {"1"} and str(os.getpid()) not in met and not kept


def test_a_run_that_ends_its_process_is_a_row_of_the_table():
    def leaves(game):
        os._exit(3)

    def fails(game):
        raise ZeroDivisionError("as it does")

    (first, second) = gdl.compare(gdl.loads(TINY), [leaves, "minimax"], repeats=1).runs
    assert first.note == "its process ended without an answer (exit status 3)" and second.exact
    with pytest.raises(ZeroDivisionError, match="as it does") as raised:
        gdl.compare(gdl.loads(TINY), fails)
    assert "in fails" in raised.value.__notes__[0]


def test_a_limit_in_the_process_is_one_here():
    def stopped():
        raise LimitReached("enough", 3)

    with pytest.raises(LimitReached, match="enough") as raised:
        in_fresh_process(stopped)
    assert raised.value.partial == 3


def test_what_its_time_ended_is_not_repeated_and_the_median_stands_for_all():
    game = gdl.loads(TINY).game
    *_, (run,) = runs([game], ["minimax"], {"time": 1e-9, "nodes": None}, 5)
    assert run.repeats == 1
    made = [run.copy_with(seconds=seconds, nodes=seconds) for seconds in (3, 1, 9)]
    found = median_run(made)
    assert (found.seconds, found.nodes, found.repeats, found.spread) == (3, 3, 3, (1, 9))

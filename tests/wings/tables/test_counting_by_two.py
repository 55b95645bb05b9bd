"""A count of all states that two continue is the count of one."""

import pytest
from shipped import shipped

import gdl
from gdl.compiler.searches.enumeration import Enumeration
from gdl.errors import GameError, Interrupted, LimitReached
from gdl.interpreter.rules_game import RulesGame
from gdl.states import count
from gdl.wings.tables import counting_by_two
from gdl.wings.tables.counting_by_two import Count

pytest.importorskip("wasmtime")

FAULTY = """game "Faulty"
players Ann, Bob

state
    heap[1..12]: 0..3
    n: 0..1

action add(i: 1..12) when heap[i] < 3
    heap[i] := heap[i] + 1

action burst when heap[1] = 3 and heap[2] = 3
    n := n + heap[1] - 1

terminal
    (sum i in 1..12: heap[i]) = 9 -> win mover
"""


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two go on with a count after the first states, and have little room for each other's keys."""
    monkeypatch.setattr(counting_by_two, "processors", lambda: 2)
    monkeypatch.setattr(counting_by_two, "ALONE", 400)
    monkeypatch.setattr(counting_by_two, "SPARE", 20)


def counted(search: Enumeration) -> tuple[object, str]:
    """The count, and what stopped it."""
    try:
        return search.result(), ""
    except LimitReached as stop:
        return stop.partial, str(stop)


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("name", "settings"),
    [("connect_four", {"columns": "4", "rows": "4"}), ("tic_tac_toe_3d", {}), ("othello", {"n": "4"})],
    ids=["connect four", "past the limit", "othello"],
)
def test_two_count_as_one(name: str, settings: dict[str, str]):
    found = shipped(name, settings)
    limit = 20_000 if name == "tic_tac_toe_3d" else None
    search = Count(found, found.initial(), "wasm", limit)
    one = Enumeration(found, found.initial(), "wasm", limit)
    assert counted(search) == counted(one)
    assert (search.shared is not None) == (limit is None)


@pytest.mark.thorough
@pytest.mark.usefixtures("two")
def test_two_meet_the_fault_that_one_meets():
    found = gdl.loads(FAULTY).game
    assert isinstance(found, RulesGame)
    told = []
    for search in (Enumeration, Count):
        with pytest.raises(GameError) as fault:
            search(found, found.initial(), "wasm").result()
        told.append(str(fault.value))
    assert told[0] == told[1]
    assert "n holds a number from 0 to 1, and this play assigns 2" in told[0]


@pytest.mark.usefixtures("two")
def test_two_that_are_interrupted_tell_what_they_have_counted():
    found = shipped("connect_four", {"columns": "4", "rows": "4"})
    search = Count(found, found.initial(), "wasm")

    def interrupt(states: int) -> None:
        if search.shared and states > 3000:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stop:
        search.result(interrupt)
    partial = stop.value.partial
    assert isinstance(partial, count.StateCount)
    assert partial.states == sum(partial.depth) > 3000

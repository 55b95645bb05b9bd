"""Several actions compared by a search of each: the order in which they are told, and the one that is played."""

from __future__ import annotations

from time import monotonic, sleep

import pytest

from gdl.wings.arena.protocol import ComparedActions, Info, ThinkingLimits


@pytest.mark.parametrize(
    ("mates", "order"),
    [
        ({"a": -1, "b": -5, "c": -3}, ["b", "c", "a"]),  # who loses plays on as long as possible
        ({"a": 4, "b": 2, "c": 4}, ["b", "a", "c"]),  # who wins ends it soon; equals stand in the order of the file
        ({"a": -2, "b": 3, "c": None}, ["b", "c", "a"]),
    ],
)
def test_wins_come_soon_and_losses_late(mates: dict[str, int | None], order: list[str]):
    found = {
        action: Info(score=0.0 if mate is None else 1.0 if mate > 0 else -1.0, mate=mate)
        for action, mate in mates.items()
    }
    told: list[Info] = []
    compared = ComparedActions(list(mates), lambda action, limits: (found[action], False), 3, told.append)
    assert compared.run(ThinkingLimits(nodes=3), lambda: False, lambda last: True) == order[0]
    assert [info.mate for info in told] == [mates[action] for action in order]


def test_one_deadline_holds_for_all_actions():
    """Each search lasts longer than it may; the first findings, of which there must be some, are told all the same."""
    looked, told = list[str](), list[Info]()

    def search(action: str, limits: ThinkingLimits) -> tuple[Info, bool]:
        looked.append(action)
        sleep(0.03)
        return Info(1, float(len(looked))), False

    compared = ComparedActions([f"a{k}" for k in range(50)], search, 2, told.append)
    compared.know("a7", Info(9, 100.0))
    began = monotonic()
    assert compared.run(ThinkingLimits(seconds=0.1), lambda: False, lambda last: False) == "a7"
    assert monotonic() - began < 0.5 and 1 <= len(looked) < 50
    assert looked[0] == "a7" and told[0].depth == 9  # a shallower finding does not take the place of a deeper one

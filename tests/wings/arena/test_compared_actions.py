"""Several actions compared by a search of each: the order in which they are told, and the one that is played."""

from __future__ import annotations

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

"""Players who change seats: seen in play, where rules are too long to be proved symmetric."""

import pytest
from shipped import shipped

import gdl
from gdl.symmetry import find
from gdl.symmetry.seats import seats

RACE = """players A, B, C
state
    at[Player]: 0..3
    last: Player?
    seen: set of Player
action step when at[mover] < 3
    at[mover] := at[mover] + 1
    last := mover
    seen := seen + {mover}
action push(p: Player) when p in seen and p != mover and at[p] > 0
    at[p] := at[p] - 1
    seen := seen - {p}
terminal
    (exists p in Player: at[p] = 3) -> each p: if p = last then 1 else 0
"""


def test_what_is_seen_is_what_is_proved():
    (seen,) = seats(shipped("pig"))
    assert seen.mark in {one.mark for one in find(shipped("pig").model).exchanging}


def test_everything_that_is_a_players_changes_hands():
    found = gdl.loads(RACE).game
    (seen,) = seats(found)
    assert seen.players == (1, 2, 0)
    state = found.initial()
    for action in ("step", "step", "step", "push(C)"):
        state = found.successor(state, action)
    image = seen.image(state)
    assert found.node(image).player == seen.players[found.node(state).player]
    assert image.cells[-6:] != state.cells[-6:]


@pytest.mark.parametrize(
    "text",
    [
        RACE.replace("at[mover] < 3", "at[mover] < (if mover = A then 2 else 3)"),  # who are not alike
        RACE.replace("p = last", "p = A"),
        RACE.replace("p != mover", "p = A"),
    ],
)
def test_who_differs_keeps_the_seat(text: str):
    assert not seats(gdl.loads(text).game)


def test_a_position_that_cannot_be_is_no_symmetry():
    """Of chess the image has kings on squares from which the rules look beyond the board."""
    assert not seats(shipped("chess"))

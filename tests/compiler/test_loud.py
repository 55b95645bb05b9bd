"""`loud_moves()` lists what `moves()` does, less actions that keep the number of quiet play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gdl
from gdl.compiler import wasm
from gdl.compiler.lower import lower
from gdl.compiler.searches.principal_variation import PrincipalVariation
from gdl.errors import GameError

pytest.importorskip("wasmtime")

COUNTED = """players Ann, Bob
state
    left: 0..20 = 20
    taken[Player]: 0..20 = 0
action take
    choose n: 1..4
    left := max(left - n, 0)
    taken[mover] := min(taken[mover] + n div 2, 20)
    require {condition}
terminal
    left = 0 -> lose mover
evaluate
    0.01 * (taken[Ann] - taken[Bob])
    quiet: {quiet}
"""

# Whoever goes wins. After reply(3) there are two actions that are called go0, of which the quiet one leads on.
ALIKE = """players Ann, Bob
state
    at: 0..3 = 0
    left: 0..9 = 5
    over: Player?
    spare: 0..4 = 0
action begin
    require at = 0
    at := 1
action reply(n: 2..3)
    require at = 1
    at := n
action go
    require at >= 2
    choose n: 0..1 as "{n * (3 - at)}"
    if n = 1
        over := mover
        left := 1
    else
        spare := spare + 1
    require not (over = Bob and spare = 3)
terminal
    over = Ann -> win Ann
    over = Bob -> win Bob
    spare = 4 -> draw
evaluate
    0.01 * left
    quiet: left
"""


def module(game: Any) -> dict[str, Any]:
    """The game's own functions."""
    return wasm.load([lower(game.model, game).module], ["start", "status", "moves", "apply", "quiet", "loud_moves"])


def left_by(made: dict[str, Any], rows: int, again: Any) -> list[tuple[bytes, int]]:
    """The states that the rows leave, each with its number of quiet play."""
    state, found = bytes(made["s"]), []
    for row in range(rows):
        made["apply"](row)
        found.append((bytes(made["s"]), made["quiet"]()))
        made["s"][:] = memoryview(state).cast("i")
        again()
    return found


@pytest.mark.thorough
def test_rows_are_those_that_are_not_quiet() -> None:
    """Castling is not tried, so it is listed though it is quiet."""
    made, random, rows, tried = module(gdl.load("chess")), Random(1), 0, 0
    for _ in range(2):
        made["start"]()
        for _ in range(50):
            if made["status"]():
                break
            before = made["quiet"]()
            every = left_by(made, made["moves"](), made["moves"])
            some = left_by(made, made["loud_moves"](before), lambda: made["loud_moves"](before))  # noqa: B023
            loud = [(state, quiet) for state, quiet in every if quiet != before]
            assert [(state, quiet) for state, quiet in some if quiet != before] == loud
            assert len(some) <= len(loud) + 2
            rows, tried = rows + len(loud), tried + len(every)
            made["apply"](random.randrange(made["moves"]()))
    assert 50 < rows < tried / 4


def test_a_number_that_may_be_none_is_quiet_then() -> None:
    """20 is followed by 19, as quiet, 18, which is quiet too, and 16."""
    quiet = "if left = 18 then none else if left > 18 then 1 else 2"
    made = module(gdl.loads(COUNTED.format(condition="left != 17", quiet=quiet)).game)
    made["start"]()
    assert [state[8] for state, _ in left_by(made, made["moves"](), made["moves"])] == [19, 18, 16]
    rows = made["loud_moves"](made["quiet"]())
    assert [state[8] for state, _ in left_by(made, rows, lambda: made["loud_moves"](1))] == [16]


@pytest.mark.parametrize("quiet", ["taken[mover]", "if mover has take then 1 else left", "times(left)", "20 div left"])
def test_where_a_body_cannot_tell_all_actions_are_listed(quiet: str) -> None:
    """The number of `quiet` depends on the mover, on possible actions or on earlier positions, or may be a fault."""
    game: Any = gdl.loads(COUNTED.format(condition="left != 17", quiet=quiet)).game
    assert "loud_moves" not in lower(game.model, game).module.functions


def test_a_proof_that_leads_past_the_horizon_hides_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two plies deep that Ann wins is proved by what she can do past the horizon, whatever Bob replies."""
    monkeypatch.setattr("gdl.compiler.searches.principal_variation.RANDOM_PLIES", 0)  # no play that meets it before
    for told, right in ((ALIKE, False), (ALIKE.replace("n * (3 - at)", "n"), True)):
        game: Any = gdl.loads(told).game
        search = PrincipalVariation(game, game.initial(), "wasm", quiescent=True)
        if right:
            list(search.deepen(2))
            assert search.answer is not None and search.answer.proved and search.answer.value == 1
        else:
            with pytest.raises(GameError, match="two actions with different results are both called 'go0'"):
                list(search.deepen(2))

"""A play as plain data, as it travels between processes and is kept in a file; what a file says is held to the game."""

from __future__ import annotations

from typing import Any

from gdl.errors import DamagedData
from gdl.numbers import read_number, to_json
from gdl.wings.report.trace import Estimate, Trace, TraceChoice


def to_data(trace: Trace) -> dict[str, Any]:
    """The play as lists, numbers and texts, ready to be written as JSON."""
    return {
        "seats": list(trace.seats), "first": trace.first, "steps": sorted(trace.steps), "plies": trace.plies,
        "choices": [[c.player, c.action, c.rule, c.ways, sorted(c.offered)] for c in trace.choices],
        "utilities": None if trace.utilities is None else list(map(to_json, trace.utilities)),
        "ending": trace.ending, "judged": [list(judged) for judged in trace.judged], "played": list(trace.played),
    }  # fmt: skip


def of_data(data: Any, players: int, agents: int) -> Trace:
    """The play of a game with `players` players and `agents` agents, read from data. Raises DamagedData if the data is
    no such play."""
    try:
        utilities = data["utilities"]
        found = Trace(
            tuple(_number_below(agents, seat) for seat in data["seats"]),
            None if data["first"] is None else _number_below(players, data["first"]),
            tuple(_choice(choice, players) for choice in data["choices"]),
            frozenset(map(_text, data["steps"])),
            _number_below(1 << 40, data["plies"]),
            None if utilities is None else tuple(map(read_number, utilities)),
            None if data["ending"] is None else _number_below(1 << 20, data["ending"]),
            tuple(_estimate(judged, players) for judged in data["judged"]),
            tuple(map(_text, data["played"])),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as wrong:
        raise DamagedData(f"a checkpoint holds a play that is none: {wrong}") from None
    if len(found.seats) != players or len(found.utilities or found.seats) != players:
        raise DamagedData("a checkpoint holds a play of another game")
    return found


def _choice(data: Any, players: int) -> TraceChoice:
    player, action, rule, ways, offered = data
    if _number_below(1 << 40, ways) < 1:
        raise ValueError("a choice from nothing")
    return TraceChoice(_number_below(players, player), _text(action), _text(rule), ways, frozenset(map(_text, offered)))


def _estimate(data: Any, players: int) -> Estimate:
    found = tuple(map(float, data))
    if len(found) != players:
        raise ValueError("a judgement of other players")
    return found


def _number_below(most: int, number: Any) -> int:
    if not isinstance(number, int) or not 0 <= number < most:
        raise ValueError(f"a number out of its range, of {most}")
    return number


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a name that is no text")
    return value

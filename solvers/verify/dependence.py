"""Stretches of an unknown and conditions, as an answer writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gdl.errors import DamagedData
from gdl.game import Number
from gdl.numbers import to_json
from gdl.solution import Path
from gdl.solvers.verify.claim import read_amount, read_list, read_object, read_path, read_text, read_texts

_KEY = "unknowns"


class IntervalClaim(NamedTuple):
    """A stretch of one unknown's line (None: without end; `closed`: whether the ends belong to it), and what the answer
    says of it: None where it says nothing. A value is a text: of a number, or of a form such as `3 - 2*x`."""

    low: Number | None
    high: Number | None
    closed: tuple[bool, bool]
    best: tuple[str, ...] | None
    value: Mapping[str, str] | None
    pruned: tuple[Path, ...] | None
    equilibria: tuple[Mapping[str, str], ...] | None
    depends: tuple[str, ...]

    def holds(self, t: Number) -> bool:
        """Whether a number lies in it."""
        above = self.low is None or t > self.low or (t == self.low and self.closed[0])
        below = self.high is None or t < self.high or (t == self.high and self.closed[1])
        return above and below


class AnswerCondition(NamedTuple):
    """When something holds: in any of the cases, all of whose comparisons hold."""

    what: str
    of: str | tuple[Any, ...]
    when: tuple[tuple[str, ...], ...]

    @property
    def subject_text(self) -> str:
        return self.of if isinstance(self.of, str) else str(self.of)


def read_stretches(data: Any) -> dict[str, tuple[IntervalClaim, ...]]:
    """The stretches of every unknown. DamagedData where they are not in the form of `gdl solve --json`."""
    return {name: tuple(map(_stretch, read_list(own, _KEY))) for name, own in read_object(data, _KEY).items()}


def _stretch(data: Any) -> IntervalClaim:
    one = read_object(data, _KEY)
    ends = read_list(one.get("ends"), _KEY)
    if len(ends) != 2 or not all(end in ("closed", "open") for end in ends):
        raise DamagedData("the answer's unknowns do not say whether ends belong to a stretch")
    best, value, pruned, equilibria = (one.get(name) for name in ("best", "value", "pruned", "equilibria"))
    return IntervalClaim(
        _end(one.get("from")),
        _end(one.get("to")),
        (ends[0] == "closed", ends[1] == "closed"),
        None if best is None else read_texts(best, _KEY),
        None if value is None else {player: _form(form) for player, form in read_object(value, _KEY).items()},
        None if pruned is None else tuple(read_path(path, _KEY) for path in read_list(pruned, _KEY)),
        None if equilibria is None else tuple(map(_profile, read_list(equilibria, _KEY))),
        read_texts(one.get("depends", ()), _KEY),
    )


def _end(value: Any) -> Number | None:
    found = None if value is None else read_amount(value, _KEY)
    if isinstance(found, float):
        raise DamagedData("the answer's unknowns have rounded ends")
    return found


def _form(value: Any) -> str:
    return value if isinstance(value, str) else str(to_json(read_amount(value, _KEY)))


def _profile(data: Any) -> dict[str, str]:
    return {player: read_text(action, _KEY) for player, action in read_object(data, _KEY).items()}


def read_conditions(data: Any) -> tuple[AnswerCondition, ...]:
    """The conditions. DamagedData where they are not in the form of `gdl solve --json`."""
    return tuple(map(_condition, read_list(data, "conditions")))


def _condition(data: Any) -> AnswerCondition:
    key = "conditions"
    one = read_object(data, key)
    about = one.get("of")
    found = tuple(read_list(about, key)) if isinstance(about, list) else read_text(about, key)
    if not all(isinstance(item, int | str) for item in found):
        raise DamagedData("the answer's conditions are about something that is neither a node nor a profile")
    when = tuple(read_texts(case, key) for case in read_list(one.get("when"), key))
    return AnswerCondition(read_text(one.get("what"), key), found, when)

"""Stretches of an unknown and conditions, as an answer writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gdl.errors import DamagedData
from gdl.game import Number
from gdl.numbers import to_json
from gdl.solution import Path
from gdl.solvers.verify.claim import read_amount

_KEY = "unknowns"


class IntervalClaim(NamedTuple):
    """An interval of one unknown's line, and in `data` what the answer says is true there. An end that is None is
    infinite; `closed` says of each end whether it belongs to the interval. In `data` null stands where the answer
    leaves something open."""

    low: Number | None
    high: Number | None
    closed: tuple[bool, bool]
    data: Mapping[str, Any]

    @property
    def value(self) -> Mapping[str, str] | None:
        """For each player the value as a text: a number, or a form such as `3 - 2*x`; None if the answer leaves it
        open."""
        value = self.data.get("value")
        return None if value is None else {player: _form(form) for player, form in value.items()}

    @property
    def pruned(self) -> list[Path] | None:
        """The paths of the roots of skipped subtrees; None if the answer leaves them open."""
        pruned = self.data.get("pruned")
        return None if pruned is None else [*map(tuple, pruned)]

    def holds(self, t: Any) -> bool:
        """True if the number lies in the interval."""
        above = self.low is None or t > self.low or (t == self.low and self.closed[0])
        below = self.high is None or t < self.high or (t == self.high and self.closed[1])
        return above and below


class AnswerCondition(NamedTuple):
    """A statement of when something holds, such as that an action (`of`) is best (`what`): in any of the cases `when`,
    in each of which all comparisons hold."""

    what: str
    of: str | tuple[Any, ...]
    when: tuple[tuple[str, ...], ...]

    @property
    def in_words(self) -> tuple[str, str]:
        """The cases as one text, and "always", "never" or "sometimes"."""
        if self.when in ((), ((),)):
            often = "always" if self.when else "never"
            return often, often
        cases = [" and ".join(case) for case in self.when]
        apart = any(len(case) > 1 for case in self.when)
        return (", or " if apart else " or ").join(cases), "sometimes"


def read_stretches(data: Any) -> dict[str, tuple[IntervalClaim, ...]]:
    """The intervals that the answer lists for each unknown. Raises DamagedData where an end is no exact number."""
    return {name: tuple(map(_stretch, own)) for name, own in data.items()}


def _stretch(one: Mapping[str, Any]) -> IntervalClaim:
    ends = one["ends"]
    return IntervalClaim(_end(one["from"]), _end(one["to"]), (ends[0] == "closed", ends[1] == "closed"), one)


def _end(value: Any) -> Number | None:
    found = None if value is None else read_amount(value, _KEY)
    if isinstance(found, float):
        raise DamagedData("the answer's unknowns have rounded ends")
    return found


def _form(value: Any) -> str:
    return value if isinstance(value, str) else str(to_json(read_amount(value, _KEY)))


def read_conditions(data: Any) -> tuple[AnswerCondition, ...]:
    """The conditions of an answer. Raises DamagedData where one is about something else than an action, a value, a node
    or a profile."""
    return tuple(map(_condition, data))


def _condition(one: Mapping[str, Any]) -> AnswerCondition:
    about = one["of"]
    found = tuple(about) if isinstance(about, list) else about
    if not isinstance(found, str | tuple) or not all(isinstance(item, int | str) for item in found):
        raise DamagedData("the answer's conditions are about something that is neither a node nor a profile")
    return AnswerCondition(one["what"], found, tuple(map(tuple, one["when"])))

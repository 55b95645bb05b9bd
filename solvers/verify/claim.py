"""What a saved `gdl solve --json` answer claims, read from the plain JSON object and nothing else.

The verifier reads by itself: it shares no code with whoever wrote the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from gdl.errors import DamagedData
from gdl.game import Number, exact
from gdl.solution import Profile

Read = TypeVar("Read")

MATRIX_SET = "start"  # the one information set of a matrix, left out in its JSON
_DIGITS = 4000  # of the longest number read


@dataclass(frozen=True)
class Claim:
    """What is to be checked. A value that is a float is inexact by its own account."""

    game: str
    exact: bool
    traits: Mapping[str, Any]
    value: Mapping[str, Number | float] | None
    secured: bool  # whether it is what each player secures against all others
    best: tuple[str, ...]
    line: tuple[str, ...]
    equilibria: tuple[Profile, ...]
    strategy: Profile | None
    regret: Mapping[str, Number | float] | None
    search: tuple[str, ...]  # keys that tell of the search, not of the game

    def is_estimate(self) -> bool:
        """Whether it states nothing that could be proved or measured: no exact value, no strategy, no equilibrium."""
        return not (self.exact or self.equilibria or self.strategy or self.regret)

    def names(self) -> list[str]:
        """Everyone whom the answer names as a player."""
        parts = (self.value, self.regret, self.strategy, *self.equilibria)
        return list(dict.fromkeys(name for part in parts if part is not None for name in part))


def read_claim(answer: Mapping[str, Any]) -> Claim:
    """The claim of an answer; DamagedData where it is not in the form of `gdl solve --json`."""
    if not isinstance(answer, Mapping):
        raise DamagedData("the answer is not a JSON object")
    if not isinstance(answer.get("exact"), bool):
        raise DamagedData("the answer does not say whether it is exact")
    return Claim(
        game=_text(answer.get("game"), "game"),
        exact=answer["exact"],
        traits=_optional(answer, "traits", _object) or {},
        value=_optional(answer, "value", _numbers),
        secured=answer.get("secured") is True,
        best=_optional(answer, "best", _texts) or (),
        line=_optional(answer, "line", _texts) or (),
        equilibria=_optional(answer, "equilibria", _profiles) or (),
        strategy=_optional(answer, "strategy", _profile),
        regret=_optional(answer, "regret", _numbers),
        search=tuple(key for key in ("nodes", "leaves", "pruned", "values", "cuts", "visits") if key in answer),
    )


def _optional(answer: Mapping[str, Any], key: str, read: Callable[[Any, str], Read]) -> Read | None:
    found = answer.get(key)
    return None if found is None else read(found, key)


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise DamagedData(f"the answer's {key} is not text")
    return value


def _texts(value: Any, key: str) -> tuple[str, ...]:
    return tuple(_text(item, key) for item in _list(value, key))


def _list(value: Any, key: str) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise DamagedData(f"the answer's {key} is not a list")
    return value


def _object(value: Any, key: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise DamagedData(f"the answer's {key} is not an object")
    return value


def _numbers(value: Any, key: str) -> dict[str, Number | float]:
    return {player: _number(number, key) for player, number in _object(value, key).items()}


def _number(value: Any, key: str) -> Number | float:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, str) and len(value) <= _DIGITS and value.removeprefix("-").replace("/", "", 1).isdecimal():
        try:
            return exact(Fraction(value))
        except (ValueError, ZeroDivisionError):
            pass
    raise DamagedData(f"the answer's {key} has {str(value)[:40]!r} where a number belongs")


def _profiles(value: Any, key: str) -> tuple[Profile, ...]:
    return tuple(_profile(item, key) for item in _list(value, key))


def _profile(value: Any, key: str) -> Profile:
    """Player → information set → action → probability; without the level of sets, as a matrix has it, one is put in."""
    profile: dict[str, dict[str, dict[str, Number]]] = {}
    for player, sets in _object(value, key).items():
        flat = any(not isinstance(mixture, Mapping) for mixture in _object(sets, key).values())
        levels = {MATRIX_SET: sets} if flat else sets
        profile[player] = {name: _mixture(mixture, key) for name, mixture in levels.items()}
    return profile


def _mixture(value: Mapping[str, Any], key: str) -> dict[str, Number]:
    """Probabilities, exactly; those given as floats are scaled to sum to one, if they nearly do."""
    numbers = _numbers(value, key)
    mixture: dict[str, Number] = {action: exact(Fraction(number)) for action, number in numbers.items()}
    total = sum((Fraction(number) for number in mixture.values()), Fraction(0))
    inexact = any(isinstance(number, float) for number in numbers.values())
    if inexact and abs(total - 1) < Fraction(1, 10**6):
        return {action: exact(Fraction(number) / total) for action, number in mixture.items()}
    return mixture

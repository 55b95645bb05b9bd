"""Claims of a saved `gdl solve --json` answer, read from the plain JSON object and nothing else.

The verifier reads by itself: it shares no code with whoever wrote the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from gdl.errors import DamagedData, GameError
from gdl.formats.answer_kinds import AnswerPart, Kind
from gdl.formats.solve_answer import SolveAnswer
from gdl.game import Bounds, Game, Number, bounds_at, exact, tightest_bounds
from gdl.solution import Profile

Amounts = Mapping[str, Number | float]  # player -> number
Ends = Mapping[str, tuple[Number | float, Number | float]]  # player -> the least and the greatest

Drawn = tuple[Mapping[str, str], Number | float]  # player -> plan, and the probability that these plans are drawn

SCHEMA = 1  # the version of answers that can be read
DRAWN = "distribution"  # the key under which an equilibrium is a correlated one
MATRIX_SET = "start"  # the one information set of a matrix, left out in its JSON
_FILLED = ("value", "interval", "best", "line", "strategy", "regret", "reason", "notes", "limit", "after")
_LISTS = ("equilibria", "payoffs")  # filled too, unless the answer says that there are none
_LONG_DENOMINATOR = 10**60  # of fractions that are rounded in findings
_DIGITS = 4000  # characters of the longest number read


@dataclass(frozen=True)
class AnswerClaim:
    """The fields of an answer, read for the checks. A value that is a float is inexact by its own account. `keys` are
    the names of all fields that the answer has, and `data` has all of them as they stand, also the long lists that are
    not read here."""

    keys: tuple[str, ...]
    data: Mapping[str, Any]
    game: str
    exact: bool
    solver: str | None = None
    fingerprint: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    traits: Mapping[str, Any] = field(default_factory=dict)
    value: Amounts | None = None
    interval: Ends | None = None
    secured: bool = False  # whether `value` is what each player secures against all others
    best: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    nodes: int | None = None
    leaves: int | None = None
    states: int | None = None
    equilibria: tuple[Profile, ...] = ()
    payoffs: tuple[Amounts, ...] = ()
    complete: bool | None = None
    concept: str | None = None
    residual: float | None = None
    distribution: tuple[Drawn, ...] = ()
    beliefs: tuple[Profile, ...] = ()
    strategy: Profile | None = None
    regret: Amounts | None = None
    notes: tuple[str, ...] = ()
    limit: str | None = None

    def option(self, name: str, otherwise: Any = None) -> Any:
        """An option of the solver; older answers wrote `lambda_`, `as_` and `for_`."""
        return self.options.get(name, self.options.get(f"{name}_", otherwise))

    @property
    def profiles(self) -> list[Profile]:
        """The strategy and the equilibria, as far as the answer has them."""
        return [profile for profile in (self.strategy, *self.equilibria) if profile is not None]

    @property
    def by_player(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Each field that has an entry for each player, as a list of its parts: one part, or one for each
        equilibrium."""
        one = {"value": self.value, "regret": self.regret, "strategy": self.strategy}
        one |= {"shapley": self.data.get("shapley"), "core": self.data.get("core", {}).get("point")}
        several = {"equilibria": self.equilibria, "payoffs": self.payoffs, "beliefs": self.beliefs}
        return {**{name: (part,) for name, part in one.items() if part is not None}, **several}

    def names(self) -> list[str]:
        """Everyone whom the answer names as a player."""
        parts = [part for own in self.by_player.values() for part in own]
        return list(dict.fromkeys(name for part in (*parts, self.interval or {}) for name in part))


def read_claim(answer: Mapping[str, Any]) -> AnswerClaim:
    """Read an answer. Raises DamagedData if it is not in the form of `gdl solve --json`."""
    if not isinstance(answer, Mapping):
        raise DamagedData("the answer is not a JSON object")
    data = {key: value for key, value in answer.items() if value is not None}
    if data.get("schema", SCHEMA) != SCHEMA:
        raise DamagedData(f"the answer is of the schema {str(data['schema'])[:20]}; this version of gdl reads {SCHEMA}")
    if not isinstance(data.get("exact"), bool):
        raise DamagedData("the answer does not say whether it is exact")
    if "game" not in data:
        raise DamagedData("the answer does not say of which game it is")
    check_form(data)
    none_is_told = data.get("complete") is True and "concept" in data  # there is no equilibrium of this concept
    for key in (key for key in (*_FILLED, *(() if none_is_told else _LISTS)) if data.get(key) in ([], {}, "")):
        raise DamagedData(f"the answer's {key} is empty")
    known = {one.name: data[one.name] for one in fields(AnswerClaim) if one.name in data}
    read = {name: _READ[name](value, name) if name in _READ else value for name, value in known.items()}
    return AnswerClaim(keys=tuple(data), data=data, **read)


def read_amounts(value: Any, key: str) -> dict[str, Number | float]:
    """Read a number for each player; `key` names the field in error messages."""
    return {player: read_amount(number, key) for player, number in value.items()}


def _ends(value: Any, key: str) -> dict[str, tuple[Number | float, Number | float]]:
    """Read the two ends of an interval for each player; one that is null is infinite."""
    return {
        player: (
            -math.inf if low is None else read_amount(low, key),
            math.inf if high is None else read_amount(high, key),
        )
        for player, (low, high) in value.items()
    }


def read_amount(value: Any, key: str) -> Number | float:
    """Read a number: whole, a fraction as text, or an inexact one as a float. Raises DamagedData for anything else."""
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
    """Read a list of profiles; items that are distributions of a correlated plan are left out."""
    return tuple(_profile(item, key) for item in value if DRAWN not in item)


def read_distribution(value: Any, key: str) -> tuple[Drawn, ...]:
    """Read a distribution: combinations of plans, each with the probability that it is drawn."""
    return tuple((item["profile"], read_amount(item["probability"], key)) for item in value)


def _profile(value: Any, key: str) -> Profile:
    """Read a profile: player → information set → action → probability. For a matrix, which has no level of information
    sets, the set MATRIX_SET is put in."""
    profile: dict[str, dict[str, dict[str, Number]]] = {}
    for player, sets in value.items():
        flat = any(not isinstance(mixture, Mapping) for mixture in sets.values())
        levels = {MATRIX_SET: sets} if flat else sets
        profile[player] = {name: _mixture(mixture, key) for name, mixture in levels.items()}
    return profile


def _mixture(value: Mapping[str, Any], key: str) -> dict[str, Number]:
    """Read a mixture as exact probabilities. If some are floats, and they sum to one but for 1 in 10^6, they are scaled
    to sum to one."""
    numbers = read_amounts(value, key)
    mixture: dict[str, Number] = {action: exact(Fraction(number)) for action, number in numbers.items()}
    if any(isinstance(number, float) for number in numbers.values()):
        total = sum((Fraction(number) for number in mixture.values()), Fraction(0))
        if abs(total - 1) < Fraction(1, 10**6):
            return {action: exact(Fraction(number) / total) for action, number in mixture.items()}
    return mixture


_READ: Mapping[str, Callable[[Any, str], Any]] = {
    **dict.fromkeys(("best", "line", "notes"), lambda value, key: tuple(value)),
    **dict.fromkeys(("value", "regret"), read_amounts),
    **dict.fromkeys(("equilibria", "beliefs"), _profiles),
    "interval": _ends,
    "payoffs": lambda value, key: tuple(read_amounts(item, key) for item in value),
    "residual": lambda value, key: float(read_amount(value, key)),
    "distribution": read_distribution,
    "strategy": _profile,
}


# Claimed numbers beside actual ones, and beside those between which the game promises them.

CLOSE = 1e-9  # how near a rounded number is to the one that it stands for


def same(claimed: Number | float, actual: Number | float) -> bool:
    """True if the claimed number is the actual one; a float need only be within CLOSE of it."""
    if isinstance(claimed, float):
        return math.isclose(claimed, actual, rel_tol=CLOSE, abs_tol=CLOSE)
    return claimed == actual


def same_all(claimed: Sequence[Number | float], actual: Sequence[Number | float]) -> bool:
    return len(claimed) == len(actual) and all(map(same, claimed, actual))


def amounts(players: Sequence[str], numbers: Sequence[Number | float]) -> str:
    """The numbers with the players' names, such as `Ann 1, Bob -1`; fractions of many digits are rounded."""
    told = (f"{float(x):.12g}" if Fraction(x).denominator > _LONG_DENOMINATOR else str(x) for x in numbers)
    return ", ".join(f"{player} {number}" for player, number in zip(players, told, strict=True))


def promised_bounds(game: Game[Any]) -> Bounds:
    """For each player the bounds of the value, by what is promised or proved of all ends, by the price of endless play,
    and, of two opponents, by what the other can get."""
    start = game.initial()
    try:
        bounds = bounds_at(game, start)
    except GameError:  # a promise that cannot be computed
        return ((None, None),) * len(game.players)
    total = game.traits.constant_sum
    if len(bounds) == 2 and total is not None:
        rest = [tuple(None if end is None else exact(total - end) for end in reversed(pair)) for pair in bounds]
        bounds = tightest_bounds(bounds, tuple(reversed(rest)))  # type: ignore[arg-type]  # each has two ends
    return bounds


# Is an answer in the form of `gdl solve --json`? Held against the record of its fields, with all their parts.

_PLAIN = {str: "text", int: "a whole number", bool: "true or false", NoneType: "null"}
_COUNTED = ("count", "positive")  # kinds of whole numbers


def check_form(answer: Mapping[str, Any]) -> None:
    """Raise DamagedData if the answer has a field that answers do not have, or one of the wrong type. Any field may be
    missing."""
    found = next(_of_record(SolveAnswer, {k: v for k, v in answer.items() if k != "schema"}, "", whole=False), None)
    if found is not None:
        raise DamagedData(f"the answer's {found}")


def _of_record(kind: type[AnswerPart], value: Any, path: str, *, whole: bool = True) -> Iterator[str]:
    """The faults of a value that should be a record of this kind. `whole`: no field may be missing."""
    if not isinstance(value, Mapping):
        yield f"{path} is not an object"
        return
    kinds = get_type_hints(kind, include_extras=True)
    names = {name.rstrip("_"): name for name in kind.fields}
    for key, inner in value.items():
        if key not in names:
            yield f"{path}.{str(key)[:40]} is no field of an answer".lstrip(".")
        else:
            yield from _misfits(kinds[names[key]], inner, f"{path}.{key}".lstrip("."))
    for key, name in names.items():
        if whole and key not in value and not hasattr(kind, name):
            yield f"{path} has no {key}"


def _misfits(kind: Any, value: Any, path: str) -> Iterator[str]:
    """The faults of a value that should be of this type."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated and isinstance(kind.__metadata__[0], Kind):
        yield from _of_kind(kind.__metadata__[0], value, path)
    elif origin is Annotated:
        yield from _misfits(parts[0], value, path)
    elif origin in (UnionType, Union):
        wrong = [list(_misfits(part, value, path)) for part in parts if part is not NoneType or value is None]
        yield from [] if [] in wrong else min(wrong, key=lambda said: said[0].count("."), default=[])[:1]
    elif origin is Literal:
        if value not in parts:
            yield f"{path} is none of {', '.join(map(str, parts))}"
    elif origin is Mapping:
        if not isinstance(value, Mapping):
            yield f"{path} is not an object"
            return
        for name, inner in value.items():
            yield from _misfits(parts[1], inner, f"{path}.{name}")
    elif origin in (Sequence, tuple):
        if not isinstance(value, list | tuple) or (origin is tuple and len(value) != len(parts)):
            yield f"{path} is not a list" + (f" of {len(parts)}" if origin is tuple else "")
            return
        for inner in value:
            yield from _misfits(parts[0], inner, path)
    elif kind is not Any and issubclass(kind, AnswerPart):
        yield from _of_record(kind, value, path)
    elif kind is not Any and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        yield f"{path} is not {_PLAIN[kind]}"


def _of_kind(kind: Kind, value: Any, path: str) -> Iterator[str]:
    """The faults of a value that should be a number of this kind."""
    if kind in _COUNTED:
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            yield f"{path} is not a count"
    elif isinstance(value, bool | NoneType | list | Mapping):
        yield f"{path} is not a number"

"""Parts that answers as JSON are made of: frozen records whose fields are the keys, and kinds of values they share.

A field is a key (`from_` is the key `from`); its type, annotated with what it means, defines it. A key is left out of
the JSON where it has its default; every other is always there, and null where it is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from gdl.numbers import to_json
from gdl.record import Record

SCHEMA = 1  # the version of all answers; increased when a key changes its meaning
DIGITS = 6  # significant digits of a rounded float
ABSENT: Any = object()  # the default of a key that may be left out, and may be null as well


class Kind(str):
    """The name of a kind of value that has a definition of its own in the schema."""


Amount = Annotated[Any, Kind("number")]  # exact or a float
Count = Annotated[int, Kind("count")]
Counts = Mapping[str, Count]
Names = Sequence[str]
Texts = Mapping[str, str]
ByPlayer = Mapping[str, Amount | str]  # text where it moves with an unknown
Ends = tuple[Amount, Amount]
TreePath = Sequence[Count]  # child positions from 0, from the root
Mixture = Mapping[str, Amount]  # action -> probability
Profile = Mapping[str, Mixture | Mapping[str, Mixture]]  # by player and information set; a matrix has no such sets


class AnswerPart(Record):
    """A part of an answer: a record that becomes a JSON object."""

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        """Accept `kw_only`, which is for type checkers only: a field without a default may then follow one with a
        default."""
        super().__init_subclass__()

    @classmethod
    def fill_from(cls, source: Any, **given: Any) -> Self:
        """A part whose fields are those given and, for the others, the attributes of the same name of `source`, if it
        has them."""
        same = [name for name in cls.fields if name not in given and hasattr(source, name)]
        return cls(**{name: getattr(source, name) for name in same}, **given)

    def to_object(self) -> dict[str, Any]:
        """The JSON object for this part, without the fields that have their defaults."""
        kind = type(self)
        return {
            name.rstrip("_"): to_plain(value)
            for name, value in vars(self).items()
            if not (hasattr(kind, name) and getattr(kind, name) == value)
        }


class AnswerRecord(AnswerPart):
    """A whole answer; its first key, `schema`, is the version of the schema."""

    def to_object(self) -> dict[str, Any]:
        return {"schema": SCHEMA} | super().to_object()


class AnswerTraits(AnswerPart):
    """The kind of a game; null: undecided."""

    players: Annotated[int, Kind("positive")]
    zero_sum: bool | None
    chance: bool | None
    simultaneous: bool | None
    perfect_information: bool | None
    perfect_recall: bool | None
    cyclic: Annotated[bool | None, "play can come back to a state"]


class SkippedSubtree(AnswerPart):
    """The root of a subtree that a search never entered."""

    path: TreePath
    label: Annotated[str | None, "the action, or the node's own name where children are only numbered"] = None


class CutRule(AnswerPart):
    """The rule by which a search cut, and the order in which it took children."""

    cut: Annotated[Literal["ge", "gt"], "when it left a node early"]
    order: Annotated[str, "in which order it took children"]


class RoundedPart(AnswerPart):
    """A part whose floats are rounded to six digits."""

    def to_object(self) -> dict[str, Any]:
        rounded: dict[str, Any] = round_floats(super().to_object())
        return rounded


def round_floats(value: Any) -> Any:
    """A plain value with its floats rounded to six digits."""
    if isinstance(value, dict):
        return {key: round_floats(one) for key, one in value.items()}
    if isinstance(value, list):
        return [round_floats(one) for one in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def to_plain(value: Any) -> Any:
    """A value of an answer as plain JSON data: records and mappings become objects, fractions and unknowns text."""
    if isinstance(value, AnswerPart):
        return value.to_object()
    if isinstance(value, Mapping):
        return {key: to_plain(one) for key, one in value.items()}
    return [to_plain(one) for one in value] if isinstance(value, list | tuple) else to_json(value)

"""The numbers of a game's actions, or of the steps of actions, as far as they follow from the rules: sums of digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

NO_STEP = -(1 << 30)  # of a place whose values have no numbers, which no value can lift to 0


class Digits(NamedTuple):
    """The numbering of the actions of a rule whose body chooses `words` values. An action's number is `first` plus the
    sum of its values, those of the head before those of the body, each times its stride.

    Where steps have numbers: that of the rule is `first`, that of a value at a place its stride plus the value; the
    places of the body come again after `words` values."""

    rule: int
    words: int
    first: int
    strides: Sequence[int]

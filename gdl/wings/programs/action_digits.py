"""The numbers of a game's actions, as far as they follow from the rules: sums of digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Digits(NamedTuple):
    """The numbering of the actions of a rule whose body chooses `words` values. An action's number is `first` plus the
    sum of its values, those of the head before those of the body, each times its stride."""

    rule: int
    words: int
    first: int
    strides: Sequence[int]

"""The option --sweep of gdl solve: a parameter and its values."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import click

from gdl.errors import clean
from gdl.game import Number, exact
from gdl.numbers import read_number

MOST_RUNS = 1_000


class SweepParameter(NamedTuple):
    """A parameter, and the values that the sweep gives it."""

    name: str
    values: tuple[Number, ...]


def read(ctx: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> SweepParameter | None:
    """The callback of --sweep: NAME=LOW..HIGH:STEP; without a step whole numbers follow each other."""
    if not texts:
        return None
    if len(texts) > 1:
        raise click.BadParameter("one number goes through its values at a time; give the others one each, by --set")
    text = texts[0]
    name, equals, rest = text.partition("=")
    ends, colon, step = rest.partition(":")
    low, dots, high = ends.partition("..")
    if not (name.strip() and equals and dots):
        raise click.BadParameter(f"'{clean(text[:60])}' is not of the form NAME=LOW..HIGH:STEP, as d=1/10..9/10:1/10")
    try:
        first, last, by = (read_number(number) for number in (low, high, step if colon else "1"))
    except ValueError as wrong:
        raise click.BadParameter(f"{clean(str(wrong))}; write it as d=1/10..9/10:1/10") from None
    if by <= 0 or last < first:
        what = "its step is not above 0" if by <= 0 else "it begins above its end"
        raise click.BadParameter(f"'{clean(text[:60])}' has no values: {what}")
    count = (last - first) // by + 1
    if count > MOST_RUNS:
        raise click.BadParameter(f"'{clean(text[:60])}' is {count:,} values; {MOST_RUNS:,} can be asked for")
    return SweepParameter(name.strip(), tuple(exact(first + Fraction(by) * k) for k in range(int(count))))

"""Files of learned weights by which random play leans: the numbers that are not 0, and where they stand."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from gdl.model.games import RulesModel
from gdl.model.leanings import Leanings, find_local_patterns


def arrays_of(leanings: Leanings, exact: bool) -> dict[str, array[Any]]:
    """The numbers and their places; rounded to 32 bits unless `exact`."""
    place = array("i", [at for at, number in enumerate(leanings.number) if number])
    return {"place": place, "number": array("d" if exact else "f", [leanings.number[at] for at in place])}


def read(model: RulesModel, arrays: Mapping[str, Any]) -> Leanings:
    """The weights in a file's arrays. Raises ValueError or KeyError where they do not belong to this game."""
    found, place, number = find_local_patterns(model), arrays["place"], arrays["number"]
    if found is None or place.typecode != "i" or number.typecode not in "fd" or len(place) != len(number):
        raise ValueError
    if len(place) and not (place[0] >= 0 and place[-1] < found.numbers and all(a < b for a, b in pairwise(place))):
        raise ValueError
    held = array("d", bytes(8 * found.numbers))
    for at, one in zip(place, number, strict=True):
        held[at] = one
    return Leanings(found, held)

"""Questions read again from the JSON of `gdl quiz --json`: the game as text, what is asked with its points, and the
search that is asked for."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from gdl.errors import DamagedData, clean
from gdl.game import exact
from gdl.numbers import read_number
from gdl.wings.exam.answers import AskedItem, SavedQuestion

_MOST = 1_000  # items of a question


def read_questions(text: str, name: str) -> list[SavedQuestion]:
    """The questions in a text; `name` is its name in messages. Raises DamagedData if it holds none."""
    try:
        told = json.loads(text.lstrip("\ufeff"))
        found = [_question(*one) for one in enumerate(told if isinstance(told, list) else [told], start=1)]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise DamagedData(f"{clean(name)} is no question as gdl quiz --json writes it") from None
    if not found:
        raise DamagedData(f"{clean(name)} has no question")
    return found


def _question(number: int, told: Any) -> SavedQuestion:
    search = told.get("answers") or {}
    rule = search.get("rule") or {}
    options = {"cut": rule.get("cut"), "order": rule.get("order")}
    asked = tuple(map(_item, told["asked"][:_MOST]))
    text = [told["kind"], told["game"], search.get("solver", "auto"), *filter(None, options.values())]
    if told["schema"] != 1 or not all(isinstance(one, str) for one in text):
        raise ValueError
    points = exact(sum((Fraction(one.points) for one in asked), Fraction(0)))
    return SavedQuestion(text[0], text[1], asked, points, text[2], {k: v for k, v in options.items() if v}, number)


def _item(told: Any) -> AskedItem:
    points = read_number(str(told["points"]))
    also, partly = (tuple(map(str, told[name])) for name in ("also", "partly"))
    if points < 0 or not isinstance(told["item"], str) or not isinstance(told["right"], str):
        raise ValueError
    return AskedItem(told["item"], points, told["right"], also, partly)

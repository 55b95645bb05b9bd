"""The published problems in tests/exam and what their sources answer, for tests to read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from places import PROBLEMS

from gdl import load
from gdl.game import Number, exact
from gdl.solution import Path

FOLDER = PROBLEMS
ANSWERS: dict[str, dict[str, Any]] = json.loads((FOLDER / "answers.json").read_text())


def of_kind(*kinds: str) -> list[str]:
    return [name for name, answer in ANSWERS.items() if answer["kind"] in kinds]


def game_of(name: str) -> Any:
    return load(FOLDER / f"{name}.game")


def number(text: str | int) -> Number:
    return exact(Fraction(text))


def vector(value: Any, players: Sequence[str]) -> tuple[Number, ...]:
    """The value of a published answer: one number per player, or MAX's number alone."""
    if isinstance(value, list):
        return tuple(map(number, value))
    return (number(value), -number(value))[: len(players)]


def path(text: str) -> Path:
    return tuple(map(int, text.split(".")))

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


SEARCHED = of_kind("alphabeta", "minimax", "expectiminimax", "maxn")
SEARCH = {"alphabeta": "alpha-beta", "minimax": "minimax", "expectiminimax": "expectiminimax", "maxn": "maxn"}


def search_options(name: str, cut: str) -> list[str]:
    """The options by which a problem is asked for. (Backward induction sees the end of every tree.)"""
    answer = ANSWERS[name]
    if answer["kind"] != "alphabeta":
        return ["--solver", SEARCH[answer["kind"]]]
    depth = ["--depth", str(answer["depth"])] if "depth" in answer else []
    return ["--solver", "alpha-beta", "--cut", cut, *depth]


def rules(name: str) -> list[str]:
    published = ANSWERS[name].get("published", {}).get("rule", "ge")
    return ["ge", "gt"] if published == "both" else [published]

"""A profile of a game's rules by lines: each engine plays at random, and counts the work of each line.

On the interpreter it is the forms of the language that are evaluated, on the compiled engine the operations of the
code into which a line is lowered: numbers that are the same each time, on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import process_time
from typing import Any

from gdl.errors import GameError, Source
from gdl.interpreter.rules_game import RulesGame
from gdl.states.playouts import random_positions
from gdl.states.random_numbers import Generator

PLIES = 20_000  # that are played on an engine,
FORMS = 1_000_000  # and how many forms the interpreter evaluates in them; what comes first ends the plays
OPERATIONS = 200_000_000  # and of the compiled engine


@dataclass(frozen=True)
class EngineProfile:
    """The cost of plies on one engine: the number of plies, the processor time in seconds, and the work done for each
    line by its number."""

    engine: str
    plies: int
    seconds: float
    work: dict[int, int]

    def shares(self) -> dict[int, float]:
        """The share of each line in the work (0 to 1), the greatest first."""
        total = sum(self.work.values())
        return {line: count / total for line, count in sorted(self.work.items(), key=lambda row: (-row[1], row[0]))}


def profile_lines(game: RulesGame, file: str) -> tuple[EngineProfile, Source | None]:
    """The profile of random plays on the interpreter, and the text of the file (None if no form of the file was
    evaluated). A fault of the rules ends the plays; other checks report it."""
    watch, plies, started = _Watch(file), 0, process_time()
    with suppress(GameError):
        for _ in random_positions(RulesGame(game.model, watch), Generator(0)):
            plies += 1
            if plies >= PLIES or watch.counts.total() > FORMS:
                break
    return EngineProfile("interpreter", plies, process_time() - started, dict(watch.counts)), watch.source


class _Watch:
    """Counts how often forms of the rules are evaluated, by their lines in one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.counts: Counter[int] = Counter()
        self.source: Source | None = None

    def __call__(self, form: Any, closure: Callable[..., Any]) -> Callable[..., Any]:
        span = getattr(form, "span", None)
        if span is None or span.source.name != self.file:
            return closure
        counts, line = self.counts, span.line
        self.source = span.source

        def count_call(*given: Any) -> Any:
            counts[line] += 1
            return closure(*given)

        return count_call

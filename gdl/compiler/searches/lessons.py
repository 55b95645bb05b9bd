"""What self-play has taught before it is over, and the file that keeps it: so that it can go on later, to the same end.

After each round the file is written anew: first whole under another name, then in the place of the one before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gdl.compiler.searches.retrograde_tables import rules_of
from gdl.errors import DamagedData, Refusal, clean
from gdl.formats import files
from gdl.formats.resuming import differs, read_line, write_line
from gdl.interpreter.rules_game import RulesGame, State

FORMAT = 1


@dataclass(frozen=True)
class Lesson:
    """What some rounds have taught: the weights after each of them; what is remembered of their experience, the matrix
    A and the vector b; and the greatest that an end of the last one was worth."""

    rounds: tuple[tuple[float, ...], ...]
    a: tuple[float, ...]
    b: tuple[float, ...]
    greatest: float

    @property
    def weights(self) -> list[float]:
        """The mean of the later half of the rounds, which the beginning at random disturbs no longer."""
        settled = self.rounds[len(self.rounds) // 2 :]
        return [sum(column) / len(settled) for column in zip(*settled, strict=True)]


def of_game(game: RulesGame, start: State) -> str:
    """What tells one game from another: its rules, where it begins, and the weights that are its own."""
    return rules_of(
        game.model, str([[str(feature.weight) for feature in game.model.features], start.turn, start.cells])
    )


def save(file: Path, lesson: Lesson, known: Mapping[str, Any]) -> None:
    """Keep a lesson; `known` says what it is about. (A number is written with all its digits.)"""
    files.write(file, write_line({"format": FORMAT, **known, **asdict(lesson)}))


def load(file: Path, known: Mapping[str, Any]) -> Lesson | None:
    """The lesson that is kept, or None where there is none. Raises DamagedData where it is not whole, Refusal where it
    is about something else."""
    try:
        held = read_line(file.read_bytes())
    except OSError:
        return None
    if held is None:
        raise DamagedData(f"{clean(str(file))} is damaged: --fresh begins anew")
    if differs(held, {"format": FORMAT, **known}):
        raise Refusal(f"{clean(str(file))} is of another game, or of other --games or --seed: --fresh begins anew")
    rounds = tuple(tuple(weights) for weights in held["rounds"])
    return Lesson(rounds, tuple(held["a"]), tuple(held["b"]), held["greatest"])

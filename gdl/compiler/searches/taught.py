"""Learning an evaluation from the rules alone: for so many games or so long, and so that it can go on later.

Whatever learns plays game after game, and what a game teaches follows from the seed, the number of the game and what
was learned before it. So what is saved between two games goes on to the same bytes, whenever that was. It is saved as
the file of the evaluation is written, with exact numbers and all that only the learner needs.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from gdl.compiler.searches import lessons
from gdl.compiler.searches.learning import Match
from gdl.errors import DamagedData, Refusal, clean
from gdl.formats import files, learned, tensors
from gdl.interpreter.rules import RulesGame, State
from gdl.states.random_numbers import stream

EVERY = 10.0  # seconds between two savings
GROUPS = 100  # groups of games of the match that judges
_MATCH = 1 << 20  # the number of its random numbers


class Learner(Protocol):
    """What learns from self-play."""

    @property
    def games(self) -> int:
        """Games that have taught something."""
        ...

    @property
    def learned(self) -> Any:
        """The evaluation so far."""
        ...

    @property
    def further(self) -> dict[str, array[Any]]:
        """What it needs besides to go on."""
        ...

    def go_on(self, learned: Any, further: Mapping[str, Any], games: int) -> None:
        """Go on from what was saved. Raises ValueError where that does not fit."""
        ...

    def measure(self, seed: int, pause: Callable[[], None]) -> None:
        """Find out what must be known before the first game."""
        ...

    def teach(self, games: int, seed: int) -> Iterator[None]:
        """Learn until there were so many games; yields now and then, between two games or within one."""
        ...

    def stop_soon(self) -> None:
        """Let `teach` end after the game that is played."""
        ...

    def match(self, groups: int, seed: int, pause: Callable[[], None]) -> Match:
        """Games against the game's own evaluation, or against random play where it has none."""
        ...


@dataclass(frozen=True)
class Wanted:
    """What is to be learned, and for how long: games or seconds; what is left out has no end."""

    model: str
    games: int | None
    seconds: float | None
    seed: int


class Course:
    """One course of learning, which saves itself in a file now and then."""

    def __init__(
        self, game: RulesGame, start: State, engine: str, wanted: Wanted, kept: Path | None, numbers: Any = None,
        others: Any = None,
    ):  # fmt: skip
        """`numbers` are those of the game's actions, where a net is learned, `others` who play the games then, if that
        is not done here. Raises Refusal where the game is none for this."""
        self.game, self.wanted, self.kept = game, wanted, kept
        made: Any = learner(game, start, engine, wanted, numbers)
        self.learner: Learner = made
        self._known = {"model": wanted.model, "seed": str(wanted.seed), "begins": lessons.of_game(game, start)}
        if others is not None:
            made.others = others
            self._known["rounds"] = "1"  # what comes out is another net
        self._before = 0.0  # seconds of learning that were saved
        self._since = monotonic()

    @property
    def seconds(self) -> float:
        """How long it has been learning, what was saved included."""
        return self._before + monotonic() - self._since

    def go_on(self) -> bool:
        """Go on from what was saved, if something was. Raises DamagedData where it is not whole, Refusal where it is
        of another command."""
        if self.kept is None or not self.kept.is_file():
            return False
        name = str(self.kept)
        if self.kept.stat().st_size > tensors.LARGEST:
            raise DamagedData(f"{clean(name)} is damaged: --fresh begins anew")
        arrays, texts = tensors.read(self.kept.read_bytes(), name)
        if {key: texts.get(key) for key in (*self._known, "rounds")} != {"rounds": None, **self._known}:
            raise Refusal(
                f"{clean(name)} is of another game, --model or --seed, or --workers differs: --fresh begins anew"
            )
        found = learned.read(self.game.model, arrays, texts, name)
        try:
            self._before = float(texts["seconds"])
            self.learner.go_on(found, arrays, int(texts["games"]))
        except (KeyError, ValueError):
            raise DamagedData(f"{clean(name)} is damaged: --fresh begins anew") from None
        return True

    def save(self) -> None:
        """Keep what has been learned; called between two games."""
        if self.kept is not None:
            told = {**self._known, "games": str(self.learner.games), "seconds": f"{self.seconds:.3f}"}
            data = learned.written(self.learner.learned, self.game.model, told, self.learner.further)
            files.write(self.kept, data)

    def run(self, progress: Callable[[int], None]) -> Match:
        """Learn to the end; then a match judges what was learned."""
        learner, wanted = self.learner, self.wanted

        def pause() -> None:
            progress(learner.games)

        self._since = monotonic()
        if learner.games == 0:
            learner.measure(stream(wanted.seed, _MATCH + 1), pause)
        saved = monotonic()
        for _ in learner.teach(wanted.games or 1 << 40, stream(wanted.seed, 0)):
            pause()
            if wanted.seconds is not None and self.seconds > wanted.seconds:
                learner.stop_soon()
            elif monotonic() - saved > EVERY:
                self.save()
                saved = monotonic()
        self.save()
        return learner.match(GROUPS, stream(wanted.seed, _MATCH), pause)


def learner(game: RulesGame, start: State, engine: str, wanted: Wanted, numbers: Any) -> Any:
    """What learns this, a Learner."""
    if wanted.model == "net":
        from gdl.compiler.searches.self_play import SelfPlay, begun, symmetries_of

        drawn = begun(game, start, numbers, stream(wanted.seed, _MATCH + 2), symmetries_of(game))
        return SelfPlay(game, start, engine, drawn)
    from gdl.compiler.searches.temporal_differences import Teaching, inputs_for

    return Teaching(game, start, engine, inputs_for(game, wanted.model == "tuples"))

"""Series of games, which begin alike in groups: the common part of searches that learn from games or judge by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic

from gdl.compiler import python
from gdl.compiler.joining import kernel, kernel_constants
from gdl.compiler.searches.slices import KernelNumber, KernelSearch, explain_trap
from gdl.errors import GameError, Refusal
from gdl.states.random_numbers import as_signed_word, stream

K = kernel_constants("series")  # what stands where in the kernel's memory

Play = tuple[float, ...]  # the utilities of a game
Payoffs = list[list[Play | None]]  # of games, group by group; None for a game that does not count


class Series(KernelSearch):
    """Games one after the other, on a kernel that is joined with `series`."""

    deadline: float | None = None  # the moment by monotonic() at which games end, whether they are over or not
    node_weight = 500  # a node is a move chosen by looking at all: with thousands of moves it takes a tenth of a second

    def join(self, name: str, most: int, opening: int, **sizes: int) -> None:
        """Load the kernel of this name, with further constants. It keeps the results of `most` games
        at a time, which begin with at most `opening` random moves."""
        game = self.game
        self.seats = max(2, len(game.players))
        self.batch = most // self.seats * self.seats
        made = kernel(name, WEIGHED=self.lowered.weighs, SEATS=self.seats, SERIES_KEPT=self.batch, **sizes)
        self.load(made, "series_run")
        self.count = self.module["series_count"]
        self.module["series_start"][:] = memoryview(self._start)
        self.count[K.SERIES_OPENING] = opening
        self.count[K.SERIES_PRICED] = int(game.model.forever is not None)
        for player, price in enumerate(game.model.forever or ()):
            self.module["series_price"][player] = float(price)

    games = KernelNumber("series_count", K.SERIES_PLAYED)  # the number of games that were played

    def playing(self) -> Iterator[None]:
        """Play the games that are wanted, or those for which there is time; yields after each slice."""
        self.count[K.SERIES_PLAYING] = 0
        try:
            for _ in self.slices():
                yield
                if self.is_late:
                    return
        except python.Trap as trap:
            raise self.explain_fault(trap) from None

    def wants(self, seat: int, seed: int, games: int) -> None:
        """Ask for games up to the number `games`, with random numbers by `seed`. If `seat` is not -1, one seat after
        the other plays differently from all others in a group."""
        self.count[K.SERIES_SEAT], self.count[K.SERIES_SEED] = seat, as_signed_word(seed)
        self.count[K.SERIES_WANTED] = games

    def match_payoffs(self, groups: int, seed: int, pause: Callable[[], None]) -> Payoffs:
        """Play groups of games, or those for which there is time, as a match: in parts of as many games as the kernel
        keeps, with streams of one seed. Returns group by group the payoffs of each game, or None for a game that
        does not count. The number of games played (`games`) stays as it was."""
        found: Payoffs = []
        taught, number = self.games, 0
        while len(found) < groups and not self.is_late:
            self.wants(0, stream(seed, number), min(self.batch, (groups - len(found)) * self.seats))
            self.count[K.SERIES_PLAYED] = 0
            for _ in self.playing():
                pause()
            found += self.game_payoffs()
            number += 1
        self.count[K.SERIES_PLAYED] = taught
        return found

    def stop_soon(self) -> None:
        """Stop after the game that is being played."""
        self.count[K.SERIES_WANTED] = self.games + self.count[K.SERIES_PLAYING]

    @property
    def is_late(self) -> bool:
        """True if the time for games is over."""
        return self.deadline is not None and monotonic() > self.deadline

    def explain_fault(self, trap: python.Trap) -> GameError | Refusal:
        """The fault that the last game has met, which is played once more, step by step, for it."""
        self.count[K.SERIES_PLAYING] = 0
        line = [self._start.tobytes()]
        with suppress(python.Trap):
            while self.run(1):
                line.append(bytes(self.module["s"]))
        return explain_trap(self, trap, line)

    def game_payoffs(self) -> Payoffs:
        """The payoffs of the games played, group by group, without a last group that is not complete; None for a game
        that does not count."""
        players = len(self.game.players)
        result, cut = self.module["series_result"], self.module["series_cut"]
        games = [None if cut[i] else tuple(result[i * players : (i + 1) * players]) for i in range(self.games)]
        return [games[i : i + self.seats] for i in range(0, len(games) + 1 - self.seats, self.seats)]

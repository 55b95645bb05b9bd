"""Random playouts on the compiled engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from time import monotonic, process_time
from typing import Any

from gdl.compiler import python
from gdl.compiler.fault import engine_faults
from gdl.compiler.joining import constants, kernel, kernel_constants
from gdl.compiler.lower import Lowered, lower, lower_counting
from gdl.compiler.lower.writer import LINE_WORK
from gdl.compiler.searches.slices import KernelSearch, explain_trap
from gdl.compiler.searches.threads import processors, run_together
from gdl.errors import EngineFault, GameError, Interrupted, Refusal
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.explore import Progress
from gdl.states.playouts import LONG_PLAY, Playouts, Sums, play, warn_of_length
from gdl.states.random_numbers import STREAM, Generator, as_signed_word
from gdl.states.tally import BRIEF, ENDLESS, Tally

K = kernel_constants("generator", "random_step")  # what stands where in the kernel's memory
NODES = constants("nodes")  # the kinds of states, by name
HALF = constants("playouts")["HALF"]  # bits of the lower part of a number
_ADDED_UP = ("played", "played_sum", "played_squares", "counted", "counted_first", "counted_lengths")
ALONE = 0.3  # seconds of play before a second worker may be called,
SECONDS_WORTH_A_THREAD = 0.6  # if at least so many seconds are left


def seed_generator(played: Any, state: int) -> None:
    """Set the state of the generator in a module's memory."""
    played[K.PLAYED_RANDOM], played[K.PLAYED_AHEAD] = as_signed_word(state), as_signed_word(Generator(state).word())


class Playing(KernelSearch):
    """Random playouts: `count` of them, numbered from `first` on. With `counts`, the kernel also collects statistics,
    which takes it 5 to 20 % longer."""

    evaluates = False

    def __init__(
        self, game: RulesGame, start: State, count: int, seed: int, engine: str, counts: bool = False, first: int = 0,
        lowered: Lowered | None = None, *entries: str,
    ):  # fmt: skip
        super().__init__(game, start, engine, lowered=lowered)
        weighed = self.lowered.weighs
        made = kernel("playouts", WEIGHED=weighed, AT_ONCE=self.at_once, COUNTS=counts, STREAM=STREAM, BRIEF=BRIEF)
        self.load(made, "playouts_run", *entries)
        self.module["playout_start"][:] = memoryview(self._start)
        self._asked = (game, start, seed, engine, counts)
        self.counts = counts
        if counts:
            self.module["counted"][K.COUNTED_SHORTEST] = ENDLESS
        self._count = count
        self._played = self.module["played"]
        self._played[K.PLAYED_LEFT] = count
        self._played[K.PLAYED_NEXT] = first
        self._played[K.PLAYED_SEED] = as_signed_word(seed)
        self._warned = False  # of a long play
        self._note_sums()

    def _mind_length(self) -> None:
        """Warn of a play that becomes long, once."""
        if not self._warned and self._played[K.PLAYED_PLIES] - self.noted_plies > LONG_PLAY:
            self._warned = True
            warn_of_length(self.game.name)

    def _note_sums(self) -> None:
        """Copy the sums and counts as they are after whole plays: code that is stopped within a slice leaves them half
        done."""
        self.noted = {name: list(self.module[name]) for name in _ADDED_UP if name in self.module}
        self.noted_plays = self.complete
        under_way = self.module["playing"][0]
        self.noted_plies = self.module["counted"][K.COUNTED_BEFORE] if under_way else self._played[K.PLAYED_PLIES]

    @property
    def complete(self) -> int:
        """The number of plays that are complete."""
        return int(self._count - self._played[K.PLAYED_LEFT] - self.module["playing"][0])

    def split_off_half(self) -> Playing | None:
        """Hand the later half of the remaining plays, in whole streams of random numbers, to a new worker, which is
        returned; None if that is not worth while."""
        following = self._played[K.PLAYED_NEXT]
        end = following + self._played[K.PLAYED_LEFT]
        middle = -(-(following + end) // 2 // STREAM) * STREAM
        if middle >= end:
            return None
        game, start, seed, engine, counts = self._asked
        other = Playing(game, start, end - middle, seed, engine, counts, middle)
        self._count -= end - middle
        self._played[K.PLAYED_LEFT] -= end - middle
        return other

    def work(self) -> Iterator[None]:
        """Play; yields after each slice."""
        try:
            for _ in self.slices():
                self._note_sums()
                self._mind_length()
                yield
        except python.Trap as trap:
            raise self.explain_fault(trap) from None
        self._note_sums()

    def result(self, progress: Progress | None = None) -> Playouts:
        """The result of all plays; Interrupted keeps those that were complete.

        A second worker joins in where plays take long, if the machine has a second processor.
        """
        workers = [self]

        def pause() -> None:
            if progress:
                progress(sum(worker.complete for worker in workers))

        try:
            for _ in self._play_alone():
                pause()
            with suppress(EngineFault):  # the machine may have no room for another
                other = self.split_off_half() if self.last_result > 0 else None
                workers += [other] if other else []
            run_together([worker.work() for worker in workers], pause)
        except KeyboardInterrupt:
            raise Interrupted(total(workers).to_playouts(self.game.players)) from None
        return total(workers).to_playouts(self.game.players)

    def _play_alone(self) -> Iterator[None]:
        """Play until it pays to call a second worker, or to the end; yields after each slice."""
        begun = monotonic()
        for _ in self.work():
            yield
            spent = monotonic() - begun
            left = self._played[K.PLAYED_LEFT] * spent / max(1, self.complete)
            if spent > ALONE and left > SECONDS_WORTH_A_THREAD and self.engine == "wasm" and processors() > 1:
                return

    def explain_fault(self, trap: python.Trap) -> GameError | Refusal:
        """The fault that the last playout has met, which is played once more for it."""
        seed_generator(self._played, self._played[K.PLAYED_BEGUN])
        self._played[K.PLAYED_LEFT] += 1
        self._played[K.PLAYED_NEXT] -= 1
        self.module["playing"][0] = 0
        line = [self._start.tobytes()]
        with suppress(python.Trap):
            while self.run(1):
                line.append(bytes(self.module["s"]))
        try:
            play(self.game, self.first, Generator(self._played[K.PLAYED_BEGUN]), len(line))
        except GameError as fault:
            return fault
        return explain_trap(self, trap, line)

    def find_faulty(self, entries: Sequence[str], states: Sequence[State]) -> Iterator[int]:
        """Yield the numbers of the states in which one of the entries meets a fault, or a limit of the engine."""
        for number, state in enumerate(states if entries else ()):
            self._set_start(state)
            self.load_start_state()
            try:
                for entry in entries:
                    self.module[entry]()
            except python.Trap:
                yield number


def total(workers: Sequence[Playing]) -> Sums:
    """The sums of all workers added up. (They are whole numbers, so the order does not matter.)"""
    denominator = workers[0].lowered.denominator
    sums = tuple(Fraction(total, denominator) for total in _whole_sums(workers, "played_sum"))
    products = iter(_whole_sums(workers, "played_squares"))
    squares = tuple(
        Fraction((upper << 2 * HALF) + (mixed << HALF + 1) + lower, denominator**2)
        for upper, mixed, lower in zip(products, products, products, strict=True)
    )
    plies = sum(worker.noted_plies for worker in workers)
    complete = sum(worker.noted_plays for worker in workers)
    return Sums(complete, plies, sums, squares, _tally(workers))


def _whole_sums(workers: Sequence[Playing], name: str) -> list[int]:
    """The sums of all workers with this name, as whole numbers put together from their upper and lower parts."""
    parts = [sum(own) for own in zip(*(worker.noted[name] for worker in workers), strict=True)]
    return [(upper << HALF) + lower for upper, lower in zip(parts[::2], parts[1::2], strict=True)]


def _tally(workers: Sequence[Playing]) -> Tally | None:
    """The statistics of all workers together; None if they collect none."""
    if not workers[0].counts:
        return None

    def sum_of_workers(name: str) -> list[int]:
        return [sum(parts) for parts in zip(*(worker.noted[name] for worker in workers), strict=True)]

    counted = [worker.noted["counted"] for worker in workers]
    return Tally(
        sum_of_workers("counted_first"), sum_of_workers("counted_lengths"),
        min(own[K.COUNTED_SHORTEST] for own in counted), max(own[K.COUNTED_LONGEST] for own in counted),
        sum(own[K.COUNTED_DECISIONS] for own in counted), sum(own[K.COUNTED_CHOICES] for own in counted),
    )  # fmt: skip


def line_work(
    game: RulesGame, file: str, engine: str, plies: int, operations: int
) -> tuple[int, float, dict[int, int]]:
    """Play at random until the plies or operations are reached, or a fault of the rules is met. Returns the plies, the
    processor time in seconds, and the operations of each line of a file, by the line's number."""
    lowered, lines = lower_counting(game.model, game)
    playing = Playing(game, game.initial(), 1 << 30, 0, engine, lowered=lowered)
    played, work = playing.module["played"], playing.module[LINE_WORK]
    started = process_time()
    with suppress(python.Trap), engine_faults(game.name):
        while playing.run(16) > 0 and played[K.PLAYED_PLIES] < plies and sum(work[: len(lines) + 1]) < operations:
            pass
    found = {line: work[number] for (name, line), number in lines.items() if name == file and work[number]}
    return played[K.PLAYED_PLIES], process_time() - started, found


def find_fault_in_plays(
    game: RulesGame, plies: int, engine: str, states: Sequence[State]
) -> tuple[GameError | None, list[int]]:
    """A fault of the rules that random plays meet before so many plies are over, None if they meet none; and the
    numbers of those `states` whose evaluation, or number of quiet play, may be faulty. Raises Refusal or EngineFault
    where the engine cannot play the game."""
    entries = ["evaluate"] * game.model.evaluates + ["quiet"] * (game.model.quiet is not None)
    with engine_faults(game.name):
        playing = Playing(game, game.initial(), 1 << 30, 0, engine, False, 0, lower(game.model, game), *entries)
        try:
            while playing.run(16) > 0 and playing.module["played"][K.PLAYED_PLIES] < plies:
                pass
        except python.Trap as trap:
            found = playing.explain_fault(trap)
            return (found, []) if isinstance(found, GameError) else (None, [*range(len(states))])
        return None, list(playing.find_faulty(entries, states))

"""The choice of the engine for a command's work: the interpreter, or kernel code on one of its back-ends."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click

import gdl
from gdl.commands import console
from gdl.compiler import compiled_engine as compiled
from gdl.compiler.compiled_engine import CHOICES, by_rules, is_by_rules
from gdl.compiler.search_kinds import UNFOLDING
from gdl.errors import INTERPRETED, EngineFault, NotMadeInTime, Refusal
from gdl.game import Game
from gdl.model.games import Model
from gdl.states.explore import Progress

if TYPE_CHECKING:
    from gdl.compiler.searches.enumeration import Enumeration
    from gdl.states.count import HistoryCount, StateCount
    from gdl.states.playouts import Playouts

Found = TypeVar("Found")
Count = Callable[[Progress | None], Found]

INTERPRETER_SECONDS = 0.2  # seconds that the interpreter has for itself: so long takes the start of the compiled engine
KERNEL_SHARE = 4  # time for the kernel's turns, relative to the interpreter's
_SLICE = 0.05  # seconds
MAX_EXPECTED_STATES = 100_000_000  # states that a file may expect


def takes_engine(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the option --engine."""
    return click.option(
        "--engine", type=click.Choice(CHOICES), default="auto",
        help="The engine that does the work; auto takes the fastest. The answer is the same.",
    )(command)  # fmt: skip


def offer(game: Game[Any], engine: str, room: Callable[[], int | None] = lambda: None) -> Game[Any]:
    """The game with the compiled searches of an engine, for solvers to use; with `auto` each solver decides. `room`
    returns the bytes of memory that a search may take (None: no limit)."""
    return compiled.offer(game, engine, room, console.remark)


def game_with_engine(model: Model, engine: str = "auto") -> Game[Any]:
    """The game of a model; a game by rules gets the compiled searches of the engine named."""
    game = gdl.play(model)
    return offer(game, engine if is_by_rules(game) else "auto")


def engine_failed(fault: EngineFault) -> None:
    """Report that the compiled engine failed and the interpreter does its work."""
    console.engine_fault(fault, INTERPRETED)


def falling_back(work: Callable[[], Found], game: Game[Any]) -> Found:
    """Do the work as `compiled_engine.falling_back` does, and report a fault of the engine on stderr."""
    return compiled.falling_back(work, game, engine_failed)


def without_wasm(work: Callable[[str], Found], engine: str) -> Found:
    """The result of work that only the compiled engine can do: on WebAssembly, or as Python if that is missing or
    fails. A back-end that was asked for by name is not replaced."""
    from gdl.compiler import wasm

    if engine in ("python", "wasm"):
        return work(engine)
    if wasm.available():
        try:
            return work("wasm")
        except EngineFault as fault:
            console.engine_fault(fault, "its code runs as Python, which is slow")
    return work("python")


def _unless_late(work: Callable[[], Found], interpret: Callable[[], Found]) -> Found:
    """The result of work on the compiled engine. Once its code was not made in time, it is the interpreter's for the
    rest of the command, with a remark."""
    context = click.get_current_context(silent=True)
    late = context.meta.setdefault(__name__, []) if context else []
    if not late:
        try:
            return work()
        except NotMadeInTime as why:
            late.append(why)
            console.remark(f"{why}; {INTERPRETED}")
    return interpret()


def _if_it_can(work: Callable[[], Found]) -> Found | None:
    """The result of work on the compiled engine, which was not asked for by name; None if the engine refuses the game
    or fails."""
    try:
        return _unless_late(work, lambda: None)
    except Refusal:
        return None
    except EngineFault as fault:
        engine_failed(fault)
        return None


def perft(game: Game[Any], plies: int, engine: str, progress: Progress | None) -> int:
    """Count action sequences, as `count.perft` does, on an engine. The interpreter counts equal states together; the
    compiled engine walks through every sequence but those below equal results of joint moves, and far faster. Since it
    cannot be known which is done first, with `auto` the interpreter begins, and then they take turns."""
    return int(_sequences("perft", "Perft", lambda search: search.count, game, plies, engine, progress))


def divide(game: Game[Any], plies: int, engine: str, progress: Progress | None) -> dict[str, int]:
    """Count action sequences by first action, as `count.divide` does, on an engine chosen as for `perft`."""
    return dict(_sequences("divide", "Division", lambda search: search.counts, game, plies, engine, progress))


def _sequences(
    function: str, kernel: str, found: Callable[[Any], Any],
    game: Game[Any], plies: int, engine: str, progress: Progress | None,
) -> Any:  # fmt: skip
    """The result of the function of this name in `count`, or of the kernel of this name on the compiled engine; `found`
    takes the result from the finished kernel search."""
    from gdl.states import count

    counted: Callable[..., Any] = getattr(count, function)
    if engine == "interpreter":
        return counted(game, plies, progress)
    if engine != "auto":
        from gdl.compiler.searches import perft

        return _unless_late(
            lambda: getattr(perft, function)(*by_rules(game), plies, engine, progress),
            lambda: counted(game, plies, progress),
        )
    try:
        return _by_turns(counted, kernel, game, plies, progress)
    except _CompiledTakeover as first:
        return found(first.search)


class _CompiledTakeover(Exception):
    """Raised to leave the interpreter's count for the compiled engine's `search`."""

    def __init__(self, search: Any):
        super().__init__()
        self.search = search


def _by_turns(
    counted: Callable[..., Found], name: str, game: Game[Any], plies: int, progress: Progress | None
) -> Found:
    """The result of the interpreter's count, with both engines taking turns: whenever the interpreter reports progress,
    the kernel works for a multiple of the time that has passed. Raises _CompiledTakeover if the kernel is done
    first."""
    search: Any = None
    work: Any = None
    begun = monotonic()
    due = begun + INTERPRETER_SECONDS

    def turn(met: int) -> None:
        nonlocal search, work, begun, due
        if progress:
            progress(met)
        if (now := monotonic()) < due:
            return
        until = now + KERNEL_SHARE * (now - begun)
        if search is None:
            search = _search(name, game, plies)
            work = iter(search or ())
        while search and monotonic() < until:
            done = _if_it_can(lambda: next(work, work) is work)
            if done:
                raise _CompiledTakeover(search)
            if done is None:
                search = False
        begun = monotonic()
        due = begun + _SLICE if search else float("inf")

    return counted(game, plies, turn)


def _search(name: str, game: Game[Any], plies: int) -> Any:
    """The search of this name on the compiled engine; False if the game or the machine has none."""
    from gdl.compiler import wasm
    from gdl.compiler.searches import perft

    return wasm.available() and (_if_it_can(lambda: getattr(perft, name)(*by_rules(game), plies, "wasm")) or False)


def states(
    game: Game[Any], engine: str, limit: int, progress: Progress | None, memory: int | None = None
) -> StateCount:
    """Count the states, as `count.states` does, on an engine that may use `memory` bytes (None: no limit). With `auto`
    the interpreter begins, and the compiled engine takes over if it is not done soon."""
    from gdl.states import count

    def on_engine(name: str) -> Count[StateCount]:
        return _enumeration(game, name, limit, memory).result

    return count_by_engine(game, engine, lambda told: count.states(game, limit, told), on_engine, progress)


def histories(
    game: Game[Any], engine: str, limit: int, progress: Progress | None, memory: int | None = None
) -> HistoryCount:
    """Count the histories, as `count.histories` does, on an engine; with `auto` the interpreter begins."""
    from gdl.states import count

    def on_engine(name: str) -> Count[HistoryCount]:
        found: Count[HistoryCount] = UNFOLDING.load()(*by_rules(game), name, limit, memory).histories
        return found

    return count_by_engine(game, engine, lambda told: count.histories(game, limit, told), on_engine, progress)


def count_by_engine(
    game: Game[Any], engine: str, counted: Count[Found], on: Callable[[str], Count[Found]], progress: Progress | None
) -> Found:
    """Count by the interpreter (`counted`) or `on` the engine of a name; with `auto` by the interpreter for a short
    time."""
    from gdl.compiler import wasm

    if engine == "interpreter":
        return counted(progress)
    if engine != "auto":
        return _unless_late(lambda: on(engine)(progress), lambda: counted(progress))
    due = monotonic() + INTERPRETER_SECONDS

    def look(met: int) -> None:
        nonlocal due
        if progress:
            progress(met)
        if monotonic() < due:
            return
        due = float("inf")
        if wasm.available() and is_by_rules(game) and (search := _if_it_can(lambda: on("wasm"))):
            raise _CompiledTakeover(search)

    try:
        return counted(look)
    except _CompiledTakeover as begun:
        search = begun.search
    return _if_it_can(lambda: search(progress)) or counted(progress)


class CompiledCounter:
    """The counts of `gdl.states.count`, by the compiled engine if it is available and the game has enough states for it
    to pay."""

    def __init__(self, engine: str = "auto") -> None:
        self._engine = engine
        self._last: tuple[Game[Any], StateCount] | None = None

    def perft(self, game: Game[Any], depth: int) -> int:
        return self._on_engine(game, lambda engine: perft(game, depth, engine, None))

    def states(self, game: Game[Any]) -> StateCount:
        if self._last is None or self._last[0] is not game:
            counted = self._on_engine(game, lambda engine: states(game, engine, MAX_EXPECTED_STATES, None))
            self._last = game, counted
        return self._last[1]

    def _on_engine(self, game: Game[Any], work: Callable[[str], Found]) -> Found:
        """The result of the work on the engine that was named, or on the interpreter if that engine refuses the
        game."""
        if not is_by_rules(game):
            return work("auto")
        try:
            return work(self._engine)
        except Refusal:
            return work("interpreter")


def _enumeration(game: Game[Any], engine: str, limit: int, memory: int | None) -> Enumeration:
    """The search that counts states on the compiled engine."""
    from gdl.compiler.searches.enumeration import Enumeration

    return Enumeration(*by_rules(game), engine, limit, memory)


def playouts(
    game: Game[Any], number: int, seed: int, engine: str, progress: Progress | None, counts: bool = False
) -> Playouts:
    """Play at random, as `gdl.states.playouts.playouts` does, on an engine; `auto` is the compiled one if it takes the
    game."""
    from gdl.states import playouts as random_play

    def interpret() -> Playouts:
        return random_play.playouts(game, number, seed, progress, counts)

    if engine == "interpreter" or (engine == "auto" and not is_by_rules(game)):
        return interpret()
    from gdl.compiler import wasm
    from gdl.compiler.searches.playouts_driver import Playing

    def compiled_by(name: str) -> Playouts:
        return Playing(*by_rules(game), number, seed, name, counts).result(progress)

    if engine != "auto":
        return _unless_late(lambda: compiled_by(engine), interpret)
    return _if_it_can(lambda: compiled_by("wasm" if wasm.available() else "python")) or interpret()

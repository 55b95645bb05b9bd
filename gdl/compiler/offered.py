"""What a game offers to solvers, by the solver's name: the search of the same name on the compiled engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gdl.compiler import wasm
from gdl.interpreter.rules import RulesGame, State

if TYPE_CHECKING:
    from gdl.compiler.lower import Lowered

_ROWS: dict[str, tuple[str, str]] = {  # solver -> module of `gdl.compiler.searches`, class
    "minimax": ("vectors", "Induction"),
    "expectiminimax": ("vectors", "Induction"),
    "maxn": ("vectors", "Induction"),
    "alpha-beta": ("alpha_beta", "AlphaBeta"),
    "depth-limited": ("principal_variation", "PrincipalVariation"),
    "proof-number": ("proof_number", "ProofNumber"),
    "star1": ("star", "Star"),
    "star2": ("star", "Star"),
    "paranoid": ("star", "Star"),
    "retrograde": ("retrograde", "Retrograde"),
    "mcts": ("mcts", "Forest"),
}
_FURTHER: dict[str, tuple[str, str]] = {  # searches that a solver asks for beside that of its name
    "depth-limited max^n": ("vectors", "Vectors"),
}
_PROBING = ("alpha-beta", "depth-limited")  # those that take a game whose positions end where a table has them


class Kernels(Mapping[str, Any]):
    """Makers of searches: `kernels[name](**arguments)` joins the game with the kernel and returns a `Search`.

    Raises Refusal where the rules have a construct that the compiled engine does not take. Nothing is lowered or
    imported before a maker is called.
    """

    def __init__(self, game: RulesGame, start: State, engine: str):
        """The engine is one of those of the command line; `asked` tells solvers whether a person chose it."""
        self.asked = engine in ("python", "wasm")
        self._named = engine
        self.room: Callable[[], int | None] = lambda: None  # bytes that a search may take now; None: nobody set a limit
        self.tell: Callable[[str], None] = lambda text: None  # what a person who asked for the engine is to know
        self.kept: dict[str, Any] = {}  # searches that have begun, by solver: for solvers to leave and to take
        self._made: dict[str, tuple[Any, Any]] = {}  # of each name: how it was made, and what can begin again
        self._game = game
        self._start = start
        self._lowered: Lowered | None = None  # where it is not as the rules alone say

    @cached_property
    def engine(self) -> str:
        """The back-end that does the work; to tell it may take a while."""
        return self._named if self.asked else "wasm" if wasm.available() else "python"

    def at(self, start: State) -> Kernels:
        """The same for the game from another state on."""
        other = Kernels(self._game, start, self._named)
        other._made, other.room, other.tell = self._made, self.room, self.tell
        other._lowered = self._lowered
        return other

    def probing(self, lowered: Lowered, room: Callable[[], int | None]) -> Kernels:
        """Searches that probe a table of the game, which is joined with it in `lowered`; so many bytes they may have
        beside it."""
        other = self.at(self._start)
        other._made, other.room, other._lowered = {}, room, lowered
        return other

    def __getitem__(self, name: str) -> Any:
        module, made = self._rows[name]
        joined = {} if self._lowered is None else {"lowered": self._lowered}

        def make(**arguments: Any) -> Any:
            found = getattr(import_module(f"gdl.compiler.searches.{module}"), made)
            if not hasattr(found, "restart"):
                return found(self._game, self._start, self.engine, **arguments, **joined)
            call, search = self._made.get(name, (None, None))
            if call == arguments:
                search.restart(self._start)
            else:
                search = found(self._game, self._start, self.engine, **arguments, **joined)
                self._made[name] = arguments, search
            return search

        return make

    @property
    def probes(self) -> bool:
        """Whether searches probe a table here; those that are not here do so by their twins."""
        return self._lowered is not None

    @property
    def _rows(self) -> Mapping[str, tuple[str, str]]:
        return {name: _ROWS[name] for name in _PROBING} if self.probes else _ROWS | _FURTHER

    def __iter__(self) -> Iterator[str]:
        return iter(_PROBING if self.probes else _ROWS)

    def __len__(self) -> int:
        return sum(1 for _ in self)

"""The compiled engine as solvers know it: the searches of a game by rules, by name, and a game that offers them."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from gdl import wings
from gdl.compiler.search_kinds import VECTORS, WINDOWS
from gdl.errors import INTERPRETED, EngineFault, NotMadeInTime, Problem, Refusal, clean
from gdl.game import Asked, Game, Made, SearchKind
from gdl.model.games import RulesModel
from gdl.states.game_wrapper import GameWithEngine, without_wrappers

if TYPE_CHECKING:
    from gdl.interpreter.rules_game import RulesGame, State
    from gdl.states.explore import Walk

Found = TypeVar("Found")

CHOICES = ("auto", "interpreter", "python", "wasm")  # the engines that a user may ask for

_SOLVERS = tuple(
    "minimax expectiminimax maxn alpha-beta depth-limited proof-number star1 star2 paranoid retrograde mcts".split()
)
_FURTHER = (VECTORS.name, WINDOWS.name)


def is_by_rules(game: Game[Any]) -> bool:
    """True if a game is one by rules, from its start or from another state on, unless that is amid a joint move."""
    if not isinstance(getattr(without_wrappers(game), "model", None), RulesModel):
        return False
    from gdl.interpreter import rules_game

    return isinstance(game.initial(), rules_game.State)


def by_rules(game: Game[Any]) -> tuple[RulesGame, Any]:
    """The game by rules inside a game, and the state where it begins. Raises Refusal if there is none."""
    if not is_by_rules(game):
        raise Refusal(f"the compiled engine takes games by rules, not {clean(game.name)} as it is asked for here")
    return without_wrappers(game), game.initial()


def offer(
    game: Game[Any],
    engine: str,
    room: Callable[[], int | None] = lambda: None,
    tell: Callable[[str], None] = lambda text: None,
) -> Game[Any]:
    """The game with its compiled searches, for solvers; the game itself with `interpreter`, and with `auto` if it is
    not played by rules. With `auto`, each solver decides whether these searches pay. The further arguments are those of
    `CompiledEngine`."""
    if engine == "interpreter" or (engine == "auto" and not is_by_rules(game)):
        return game
    return GameWithEngine(game, CompiledEngine(*by_rules(game), engine, room, tell))


def playing_engine(game: Game[Any]) -> tuple[str, Problem | None]:
    """The engine that plays a game if none is named, and the problem that keeps the compiled one from it, if any."""
    if not is_by_rules(game):
        reason = getattr(game, "reason", "")  # of a game of clauses
        said = f"{game.name} is played by its clauses, not by rules: {reason}"
        return "interpreter", Problem(said, warning=True) if reason else None
    from gdl.compiler.fault import engine_faults
    from gdl.compiler.lower import lower

    rules, _ = by_rules(game)
    try:
        with engine_faults(game.name):
            lower(rules.model, rules)
    except (Refusal, EngineFault) as why:
        return "interpreter", getattr(why, "problem", None) or Problem(str(why), warning=True)
    return "wasm" if find_spec("wasmtime") else "python", None  # to import it takes a while


def falling_back(work: Callable[[], Found], game: Game[Any], tell: Callable[[EngineFault], None]) -> Found:
    """The result of the work. If the compiled engine of the game fails, and nobody asked for it by name, `tell` is
    called, the engine retires, and the work is done once more."""
    try:
        return work()
    except EngineFault as fault:
        if game.engine.is_user_choice:
            raise
        tell(fault)
        game.engine.retire()
        return work()


class CompiledEngine:
    """The compiled searches of a game by rules: a `gdl.game.Engine`.

    Each search is the game joined with a kernel. Nothing is lowered or imported before a search is asked for.
    """

    def __init__(
        self,
        game: RulesGame,
        start: State,
        engine: str,
        room: Callable[[], int | None] = lambda: None,
        tell: Callable[[str], None] = lambda text: None,
    ):
        """`engine`: one of CHOICES, but for the interpreter. `room`: gives the bytes that a search may take now, None:
        no limit was set; `tell`: shows a message to the person who chose the engine."""
        self._game, self._start, self.origin = game, start, _Origin(engine)
        self._kept: dict[str, Any] = {}
        self.room, self.tell = room, tell

    def begun_at(self, start: State) -> CompiledEngine:
        """The engine for the same game from another state on."""
        other = copy(self)
        other._start, other._kept = start, {}
        return other

    @property
    def is_user_choice(self) -> bool:
        return self.origin.is_user_choice and not self.origin.retired

    @property
    def engine(self) -> str:
        """The back-end that does the work. Asking for it may take a while."""
        return self.origin.back_end

    @property
    def fast(self) -> bool:
        return not self.origin.retired and self.engine == "wasm"

    @property
    def names(self) -> tuple[str, ...]:
        if self.origin.retired:
            return ()
        found = list(_SOLVERS)
        for name, row in (pair for wing in wings.wings("solvers") for pair in wing.solvers.items()):
            if row.compiled:
                found.insert(found.index(row.behind) + 1 if row.behind in found else len(found), name)
        return tuple(found)

    def offers(self, search: str | SearchKind[..., Any]) -> bool:
        if isinstance(search, SearchKind):
            if search.remembers:
                return not self.origin.retired and search.is_installed()
            search = search.name
        if self._start.memories is not None:
            return False  # it would take states for one that only memories tell apart
        return search in self.names or (search in _FURTHER and not self.origin.retired)

    def search(self, kind: SearchKind[Asked, Made], *more: Asked.args, **arguments: Asked.kwargs) -> Made:
        make: Any = kind.load()
        call, search = self.origin.made.get(kind.name, (None, None))
        if search is not None and (call == arguments or (hasattr(search, "takes") and search.takes(**arguments))):
            search.restart(self._start)
        else:
            try:
                search = make(self._game, self._start, self.engine, **arguments)
            except NotMadeInTime as late:
                self.tell(f"{late}; {INTERPRETED}")
                self.retire()
                raise
        if hasattr(make, "restart"):
            self.origin.made[kind.name] = arguments, search
        found: Made = search
        return found

    def keep(self, kind: SearchKind[..., Made], search: Made) -> None:
        self._kept[kind.name] = search

    def take(self, kind: SearchKind[..., Made]) -> Made | None:
        found: Made | None = self._kept.pop(kind.name, None)
        return found

    def go_on(self, walk: Walk[Any]) -> None:
        from gdl.compiler.packed_game import pack_game, walked_game

        if isinstance(walk.game, GameWithEngine) and not self.is_user_choice:
            whole: Any = pack_game(self._game)
            packed, pack, _ = walked_game(walk.game.game)  # the same, or that from a later position on
            if packed is not walk.game.game and self.fast:  # which takes a while to find out
                whole.compile(lambda why: None)
                if whole.compiled is not None:
                    walk.go_on(packed, pack)

    def retire(self) -> None:
        self.origin.retired = True


@dataclass
class _Origin:
    """The state that the engines of a game and of its positions share."""

    named: str  # one of CHOICES
    made: dict[str, tuple[Any, Any]] = field(default_factory=dict)  # by kind: arguments and search, to be used again
    retired: bool = False  # whether the engine has failed, and no longer offers searches

    @property
    def is_user_choice(self) -> bool:
        return self.named in ("python", "wasm")

    @cached_property
    def back_end(self) -> str:
        if self.is_user_choice:
            return self.named
        from gdl.compiler import wasm  # with what answers Ctrl-C meanwhile: small games need neither

        return "wasm" if wasm.available() else "python"

"""A game by rules for programs that walk it: its states are packed, and compiled code gives nodes and successors.

A packed state is bytes: it can be hashed, compared, put in order, pickled, and is small. The rules alone decide what is
packed, and how. At first the interpreter answers, and compiled code once that has taken as long as compiling may. Names
and drawings of states, estimates and faults are always the interpreter's.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import cached_property
from importlib.util import find_spec
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gdl.analysis.traits import accumulates, shows_everything
from gdl.errors import INTERPRETED, EngineFault, Refusal, clean, warn_of_fault
from gdl.game import NO_PROMISES, Action, Game, Joint, Node, Number, Promises
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.game_wrapper import GameWrapper

if TYPE_CHECKING:
    from gdl.compiler.packed_states import StatePacking

PAYS = 0.1  # seconds of the interpreter, after which code is compiled, which takes some tenths
UNPACKED = 1_000  # states that are kept as the interpreter holds them
_compiling = RLock()


class PackedGame(GameWrapper):
    """A game by rules with packed states; `why_unpacked` says of which games there is none."""

    game: RulesGame

    def __init__(self, game: RulesGame):
        super().__init__(game)
        del self.promises  # which are made when they are asked for
        self._unpacked: dict[bytes, State] = {}
        self._spent = 0.0  # seconds of the interpreter
        self.compiled: Any = None  # the nodes by compiled code; None: there are none, or none yet
        self._decided = False  # whether it is decided that there are

    @cached_property
    def _packing(self) -> StatePacking | None:
        """The packing of states; None if they have values that words cannot hold: then they stay as they are."""
        from gdl.compiler.lower.code_values import UnsupportedConstruct
        from gdl.compiler.lower.state_layout import layout
        from gdl.compiler.packed_states import StatePacking

        try:
            return StatePacking(layout(self.game.model))
        except UnsupportedConstruct:
            return None

    @cached_property
    def promises(self) -> Promises:  # type: ignore[override]
        own, inside = self.game.promises, self.inside
        mover, bare, quiet = own.with_mover, own.without_memory, own.quiet
        return replace(
            own,
            quiet=None if quiet is None else lambda state: quiet(inside(state)),
            with_mover=None if mover is None else lambda state, player: self.pack_state(mover(inside(state), player)),
            without_memory=None if bare is None else lambda state: state,
            parts=NO_PROMISES.parts,
        )

    def initial(self) -> Any:
        return self._initial

    @cached_property
    def _initial(self) -> Any:
        return self._keep(self.game.initial())

    def node(self, state: Any) -> Node:
        if self.compiled is not None:  # who asks has kept this method from before
            return self.compiled.node(state)  # type: ignore[no-any-return]
        begun = perf_counter()
        found = self.interpreted_node(state)
        self._spend(begun)
        return found

    def successor(self, state: Any, action: Action | Joint) -> Any:
        if self.compiled is None and self.game.model.times:  # only compiled code writes digests of earlier positions
            self.compile()
        if self.compiled is not None:
            return self.compiled.successor(state, action)
        begun = perf_counter()
        made = self.interpreted_successor(state, action)
        self._spend(begun)
        return made

    def information_set(self, state: Hashable, player: int) -> Hashable:
        return state

    def evaluate(self, state: Any) -> tuple[Number, ...] | None:
        return super().evaluate(state) if self.game.model.evaluates else None

    def label(self, state: Any) -> None:
        return None

    # -- by the interpreter ----------------------------------------------------------------------------------

    def interpreted_node(self, state: Any) -> Node:
        """The node of a state, by the interpreter."""
        return self.game.node(self.inside(state))

    def interpreted_successor(self, state: Any, action: Action | Joint) -> Any:
        """The state after an action, by the interpreter."""
        made = self.game.successor(self.inside(state), action)
        if self.game.model.times and self.compiled is None:
            return made  # no state of this game is packed then
        return self._keep(made)

    def pack_state(self, state: State) -> Any:
        """The packed state of one that the interpreter holds."""
        return state if self._packing is None else self._packing.pack_state(state)

    def inside(self, state: Any) -> Any:
        if self._packing is None or not isinstance(state, bytes) or len(state) != self._packing.size:
            return state  # the interpreter's own; or no state, of which it will complain
        found = self._unpacked.get(state)
        if found is None:
            if self.game.model.times:  # only compiled code can read the earlier positions
                self.compile()
            past = () if self.compiled is None else self.compiled.past(state)
            found = self._packing.unpack_state(state, past)
            self._unpacked[state] = found
        return found

    def _keep(self, state: State) -> Any:
        """The packed state of one that the interpreter holds, which is kept beside it."""
        packed = self.pack_state(state)
        if len(self._unpacked) > UNPACKED:
            self._unpacked.clear()
        self._unpacked[packed] = state
        return packed

    # -- by compiled code ------------------------------------------------------------------------------------

    def _spend(self, begun: float) -> None:
        """Count the interpreter's time since `begun`, and compile if it has taken long."""
        self._spent += perf_counter() - begun
        if self._spent > PAYS:
            self.compile()

    def compile(self, tell: Callable[[str], None] = lambda why: warnings.warn(why, stacklevel=5)) -> None:
        """Let compiled code answer from now on, if the engine takes the game, or else `tell` why not; decided once."""
        with _compiling:
            if self._decided:
                return
            self._decided = True
            from gdl.compiler.packed_states import StatePacking
            from gdl.compiler.searches.state_nodes_driver import StateNodes

            try:
                nodes = StateNodes(self.game, self, "wasm")
            except Refusal as why:
                tell(f"{why}; {INTERPRETED}")
            except EngineFault as fault:
                warn_of_fault(fault)
            else:
                vars(self)["_packing"] = StatePacking(nodes.lowered.layout)
                self.compiled = nodes
                vars(self).update(node=nodes.node, successor=nodes.successor)  # without a call in between

    def retire(self, fault: EngineFault) -> None:
        """Let the interpreter answer from now on: the compiled code has failed."""
        warn_of_fault(fault)
        self.compiled = None
        for name in ("node", "successor"):
            vars(self).pop(name, None)


def why_unpacked(game: Game[Any]) -> str:
    """A sentence that says why the game cannot have packed states; "" if it can."""
    name = clean(game.name)
    if not isinstance(game, RulesGame):
        return f"{name} is not played by rules"
    if not shows_everything(game.model):
        return f"what players of {name} remember is no part of a packed state"
    if accumulates(game.model):
        return f"what is gained on the way in {name} is no part of a packed state"
    return "" if find_spec("wasmtime") else "there is no wasmtime, which runs compiled code"


def pack_game(game: Game[Any]) -> Game[Any]:
    """The game with packed states, for a program that walks it; the game itself if it has none."""
    if isinstance(game, Continuation):
        whole = pack_game(game.game)
        return (
            Continuation(whole, whole.pack_state(game.initial()), game.played)
            if isinstance(whole, PackedGame)
            else game
        )
    if not isinstance(game, RulesGame) or why_unpacked(game):
        return game
    made: PackedGame = vars(game).setdefault("packed", PackedGame(game))
    return made


def walked_game(game: Game[Any]) -> tuple[Game[Any], Callable[[Any], Any], Callable[[Any], Any]]:
    """The game for a walk whose states are looked up later, with functions that give of any state, packed or not, that
    of the walk and that of the interpreter. Where rules ask for earlier positions, states of the walk are not packed,
    as a packed one remembers how it was reached."""
    packed = pack_game(game)
    whole = packed.game if isinstance(packed, Continuation) else packed
    if not isinstance(whole, PackedGame) or whole.game.model.times:
        return game, lambda state: state, lambda state: state
    return packed, lambda state: whole.pack_state(state) if isinstance(state, State) else state, whole.inside


def interpreted_game(game: Game[Any]) -> Game[Any]:
    """The game as the interpreter plays it, for solvers and environments, which bring compiled code of their own."""
    if isinstance(game, PackedGame):
        return game.game
    if isinstance(game, Continuation) and isinstance(game.game, PackedGame):
        return type(game)(game.game.game, game.game.inside(game.initial()), game.played)
    return game

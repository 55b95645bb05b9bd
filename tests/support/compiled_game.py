"""The compiled engine: a game by rules whose positions and moves are made by kernel code.

It claims to be the same game as the interpreter's, and tests hold it to that. Kernel code knows positions and rows of
moves as numbers; names of actions, drawings, what players remember, and the words of a fault are made here with the
interpreter's own workers, only where somebody asks for them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from fractions import Fraction
from struct import Struct
from typing import Any, NamedTuple

from gdl.compiler import python
from gdl.compiler.lower import lower
from gdl.compiler.lower.bodies import REFUSAL
from gdl.compiler.lower.ends import RESTLESS
from gdl.compiler.reading import NONE, Reading, value_of
from gdl.errors import GameError, Refusal
from gdl.game import (
    NO_ENGINE,
    Action,
    Chance,
    Decision,
    Engine,
    Joint,
    Node,
    Number,
    Promises,
    Simultaneous,
    Terminal,
    Traits,
    exact,
)
from gdl.interpreter.closures import MOVER, PAST
from gdl.interpreter.earlier import Past
from gdl.interpreter.memory import Events, Memories
from gdl.interpreter.rules_game import RulesGame, playable
from gdl.interpreter.rules_game import State as Reference
from gdl.model import core
from gdl.model.domains import text_of
from gdl.model.games import RulesModel

DECISION, CHANCE, SIMULTANEOUS, TERMINAL = range(4)
KEPT = 4096  # listings in memory


Done = tuple[int | None, Action, int]  # a player (None: chance), what they do, and its row


class CompiledState(NamedTuple):
    """A position as its words; what each player remembers of the play (None where everybody sees everything); and the
    keys of earlier positions, where the rules ask for them."""

    words: bytes
    memories: Memories | None = None
    past: Past = ()


class Listing(NamedTuple):
    """A state's node, with the row of the kernel's listing for each action: one mapping, or one for each player in a
    simultaneous move."""

    node: Node
    rows: tuple[dict[Action, int], ...] = ()


class CompiledGame:
    """A game by rules on the compiled engine."""

    engine: Engine = NO_ENGINE

    def __init__(self, reference: RulesGame):
        """`reference`: the same game on the interpreter."""
        self.reference = reference
        self.model = model = reference.model
        self.name = model.name
        self.players = model.players
        self.lowered = lower(model, reference)
        self.module = python.load([self.lowered.source, *self.lowered.further])
        if self.lowered.fill is not None:
            self.lowered.fill(self.module)
        self._words = Struct(f"{self.lowered.layout.words}i")
        self._reading = Reading(self.reference, self.lowered, self.module)
        self._hears = any(rule.hearers for rule in self._reading.rules)  # whether any is told of an action
        self._kept: OrderedDict[CompiledState, Listing] = OrderedDict()

    # -- the protocol ---------------------------------------------------------------------------------------

    @property
    def traits(self) -> Traits:
        return self.reference.traits

    def initial(self) -> CompiledState:
        self.module["start"]()
        first = self.reference.initial()
        return CompiledState(self._state_bytes(), first.memories, first.cells[PAST])

    def node(self, state: CompiledState) -> Node:
        return self._listing_of(state).node

    def successor(self, state: CompiledState, action: Action | Joint) -> CompiledState:
        listing = self._listing_of(state)
        self._enter(state)
        self._run("moves", state)
        if isinstance(listing.node, Simultaneous):
            done: list[Done] = [(p, a, listing.rows[p][a]) for p, a in enumerate(action) if listing.node.actions[p]]
            rows = {player: row for player, _, row in done}
            for player in range(len(self.players)):
                self.module["joint"][player] = rows.get(player, -1)
            told = self._events_of_actions(state, done)
            self._run("apply_joint", state, tuple(action))
        else:
            assert isinstance(action, str)
            mover = listing.node.player if isinstance(listing.node, Decision) else None
            done = [(mover, action, listing.rows[0][action])]
            told = self._events_of_actions(state, done)
            self._run("apply", state, action, done[0][2])
        acted = {player: action for player, action, _ in done if player is not None}
        past = self.reference.plies.past_after(self.as_reference(state)) if state.past else ()
        return CompiledState(self._state_bytes(), self._update_memories(state, acted, told), past)

    def information_set(self, state: CompiledState, player: int) -> Hashable:
        return state if state.memories is None else state.memories[player]

    def describe(self, state: CompiledState, player: int) -> str:
        return self.reference.describe(self.as_reference(state), player)

    def evaluate(self, state: CompiledState) -> tuple[Number, ...] | None:
        if not self.model.evaluates:
            return None
        self._enter(state)
        self._run("evaluate", state)
        return self._utilities(self.lowered.evaluation_denominator)

    @property
    def promises(self) -> Promises:
        """The promises of the game, as the interpreter makes them."""
        inner = self.reference.promises
        quiet = None if inner.quiet is None else self._quiet
        return Promises(quiet=quiet, forever=inner.forever, constant_sum=inner.constant_sum, endless=inner.endless)

    def _quiet(self, state: CompiledState) -> Number | None:
        self._enter(state)
        found = self._run("quiet", state)
        return None if found == RESTLESS else exact(Fraction(found, self.lowered.quiet_denominator))

    def label(self, state: CompiledState) -> str | None:
        return None

    def show(self, state: CompiledState) -> str:
        return self.reference.show(self.as_reference(state))

    def as_reference(self, state: CompiledState) -> Reference:
        """The interpreter's form of a state."""
        return self._reading.state(state.words, state.memories, state.past)

    def from_reference(self, state: Reference) -> CompiledState:
        """The compiled form of a state of the interpreter."""
        words = self.lowered.layout.words_of_state(state.turn, state.cells)
        return CompiledState(self._words.pack(*words), state.memories, state.cells[PAST])

    # -- listing --------------------------------------------------------------------------------------------

    def _listing_of(self, state: CompiledState) -> Listing:
        kept = self._kept.get(state)
        if kept is None:
            kept = self._kept[state] = self._list(state)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return kept

    def _list(self, state: CompiledState) -> Listing:
        self._enter(state)
        status = self._run("status", state)
        if status == TERMINAL:
            return Listing(Terminal(self._utilities(self.lowered.denominator)))
        count = self._run("moves", state)
        if status == CHANCE:
            return self._chance(state, count)
        if status == SIMULTANEOUS:
            first = self.module["first"]
            rows = tuple(
                self._rows_by_action(state, player, range(first[player], first[player + 1]))
                for player in range(len(self.players))
            )
            return Listing(Simultaneous(tuple(tuple(own) for own in rows)), rows)
        player = self.module["s"][0]
        named = self._rows_by_action(state, player, range(count))
        return Listing(Decision(player, tuple(named)), (named,))

    def _chance(self, state: CompiledState, count: int) -> Listing:
        weight = self.module["weight"]
        total = sum(weight[row] for row in range(count))
        weights: dict[Action, int] = {}
        rows: dict[Action, int] = {}
        for name, row in zip(self._names(state, 0, range(count)), range(count), strict=True):
            weights[name] = weights.get(name, 0) + weight[row]
            rows.setdefault(name, row)
        outcomes = tuple((name, exact(Fraction(weight, total))) for name, weight in weights.items())
        return Listing(Chance(outcomes), (rows,))

    def _rows_by_action(self, state: CompiledState, player: int, rows: range) -> dict[Action, int]:
        """The actions of a player with their rows, each name once."""
        named: dict[Action, int] = {}
        for name, row in zip(self._names(state, player, rows), rows, strict=True):
            named.setdefault(name, row)
        return named

    def _names(self, state: CompiledState, player: int, rows: range) -> list[Action]:
        """The names of the actions in these rows."""
        return self._reading.names(self.as_reference(state), player, rows)

    # -- kernel code ----------------------------------------------------------------------------------------

    def _enter(self, state: CompiledState) -> None:
        """Load the state into kernel memory."""
        self.module["s"][:] = memoryview(state.words).cast("i")
        if self.lowered.keys is not None and not self.lowered.keys.holds(self.module, self.module["s"]):
            self.lowered.keys.load(self.module, state.past)

    def _state_bytes(self) -> bytes:
        return bytes(self.module["s"])

    def _run(self, function: str, state: CompiledState, action: Any = None, *arguments: int) -> Any:
        """Call a kernel function. A trap is raised as the fault that the interpreter raises in the same place."""
        try:
            return self.module[function](*arguments)
        except python.Trap as trap:
            raise self._fault(trap.code, state, action) from None

    def _fault(self, code: int, state: CompiledState, action: Any) -> GameError | Refusal:
        reference = self.as_reference(state)
        try:
            self.reference.node(reference)
            self.reference.evaluate(reference)
            if action is not None:
                self.reference.successor(reference, action)
        except GameError as error:
            error.state = state
            return error
        return self.lowered.refusal(code)

    def _utilities(self, denominator: int) -> tuple[Number, ...]:
        util = self.module["util"]
        return tuple(exact(Fraction(util[p], denominator)) for p in range(len(self.players)))

    def _events_of_actions(self, state: CompiledState, done: list[Done]) -> list[tuple[int | None, Events]]:
        """For each action done: its player, and the events by which others learn of it. Rows are those listed for the
        state."""
        if state.memories is None or not self._hears:
            return []
        reference, told = self.as_reference(state), []
        for player, action, row in done:
            rule, arguments, _ = self._reading.head(row)
            told.append((player, self.reference.plies.action_announcements(reference, rule, action, player, arguments)))
        return told

    def _update_memories(
        self, state: CompiledState, acted: dict[int, str], told: list[tuple[int | None, Events]]
    ) -> Memories | None:
        """The players' memories after a ply; kernel memory must hold the state after it."""
        if state.memories is None:
            return None
        before, after = self.as_reference(state), self.as_reference(CompiledState(self._state_bytes()))
        event = self.module.get("event", (0, 0))
        heard = [event[at : at + 3] for at in range(2, 2 + 3 * event[0], 3)]
        refused = {mover for site, mover, _ in heard if site == REFUSAL}
        events = [one for player, own in told if (before.cells[MOVER] if player is None else player) not in refused
                  for one in own]  # fmt: skip
        for site, hearer, value in heard:
            if site == REFUSAL:
                continue
            say = self.lowered.says[site]
            known = say.event.value if isinstance(say.event, core.Const) else value_of(say.type, (value,))
            events.append((None if hearer == NONE else hearer, text_of(say.type, known)))
        if before.memories is None:
            return None
        return self.reference.memorist.extend_memories(
            before.memories, acted, events, after.turn, list(after.cells), bool(event[1])
        )


def compile_game(model: RulesModel) -> CompiledGame:
    """The game on the compiled engine; Refusal names the construct that it does not take."""
    return CompiledGame(playable(model))

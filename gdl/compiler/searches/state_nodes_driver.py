"""The nodes and successors of packed states by kernel code (gdl/compiler/kernels/state_nodes.py).

An instance of the module stands at one state at a time, and belongs to the thread that has taken it from the list of
free ones. The first successor of a state takes one call, which also gives its node; a second one asked of the same
state makes all its children at once. What the kernel meets as a fault, and what is too unusual for it, is left to the
interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from operator import itemgetter
from struct import Struct, unpack_from
from threading import Lock
from typing import Any, Protocol

from gdl.analysis.dependence import Dependence
from gdl.compiler.joining import constants, kernel
from gdl.compiler.packed_states import LinkedState
from gdl.compiler.python import Trap
from gdl.compiler.reading import Reading
from gdl.compiler.searches.slices import KernelSearch
from gdl.compiler.short_calls import WarmUp
from gdl.compiler.wasm import TWIN
from gdl.errors import EngineFault, Refusal, clean
from gdl.game import Action, Chance, Decision, Node, Terminal, actions, exact
from gdl.interpreter.earlier import Past, empty_past
from gdl.interpreter.rules_game import RulesGame
from gdl.model import core
from gdl.model.walk import inside_with_calls

K, NODES = constants("state_nodes"), constants("nodes")
DECISION, CHANCE, TERMINAL = NODES["DECISION"], NODES["CHANCE"], NODES["TERMINAL"]
LEARNT = K["NODE_SLOTS"] // 2
ENTRIES = ("node_here", "node_after", "node_after_in", "node_children", "node_learn")
KEPT = 10_000  # states whose nodes are kept; with many more the garbage collector takes longer than they save
ASKED = 1_000  # states that are known to have been asked; the processor's cache does not hold many more
TOLD = 50_000  # nodes that are kept by their texts
LONG = 56  # bytes of a text of actions that hardly comes again in one line of play
LONGEST = 256  # bytes of a text that is kept: longer ones need much memory, and hardly come again at all
IN_A_ROW = 5  # successors there already, after which a program is taken for one that asks for all of a state
MOST_RULES, MOST_PLAYERS = 200, 256  # that numbers have room for
NUMBER_BITS = 62  # of the number of a name
_HEAD = Struct("2i")  # the first words of a node's text
_tuple = tuple.__new__  # makes a node of its parts at once


class UnusualState(Exception):
    """A state or a move that is left to the interpreter."""


# The reasons to ask the interpreter, which knows what to say of faults of rules, and of what is no state or no action.
LEFT = (UnusualState, Trap, EngineFault, KeyError, TypeError, ValueError)


class Interpreted(Protocol):
    """The interpreter of a game, asked with packed states."""

    def interpreted_node(self, state: Any) -> Node: ...
    def interpreted_successor(self, state: Any, action: Any) -> Any: ...
    def retire(self, fault: EngineFault) -> None: ...


class Stand:
    """An instance of the module, with the state at which it stands and that state's node; None: at no state."""

    def __init__(self, module: dict[str, Any], warming: WarmUp):
        self.module, self._warming = module, warming
        self.words, self.text = memoryview(module["s"]).cast("B"), memoryview(module["node_text"]).cast("B")
        self.child_words = memoryview(module["node_child"]).cast("B")
        self.state: bytes | None = None
        self.node: Node | None = None
        self.make_calls()

    def make_calls(self) -> None:
        """Make the entry points anew, each in the fastest way that may be taken now."""
        self.here, self.after, self.after_in, self.children, self.learn = (
            self._warming.entry(self.module, name, self.make_calls) for name in ENTRIES
        )


class StateNodes(KernelSearch):
    """The nodes and successors of a game's packed states, which are LinkedStates where rules ask for earlier
    positions."""

    evaluates = False

    def __init__(self, game: RulesGame, interpreted: Interpreted, engine: str):
        super().__init__(game, game.initial(), engine)
        rules, dependence = (*game.model.actions, *game.model.chances), Dependence(game.model)
        if len(rules) > MOST_RULES or len(game.players) > MOST_PLAYERS:
            raise Refusal(f"{clean(game.name)} has more rules or players than this engine walks with")
        self._interpreted = interpreted
        longest = (NUMBER_BITS - (len(rules) * (len(game.players) + 4)).bit_length()) // K["NODE_BITS"]
        settings = {"NODE_RULES": len(rules), "NODE_LONGEST": longest, "NODE_CHOOSES": any(self.lowered.chooses)}
        settings["NODE_WEIGHS"] = self.lowered.weighs
        self.load(kernel("state_nodes", **settings), *ENTRIES)
        self.module["node_fixed"][: len(rules)] = bytes(map(dependence.fixes_name, rules))
        asks = tuple((rule.guards, rule.before, rule.body) for rule in rules)
        past = core.Times | core.Since | core.Always
        self._names_ask = any(isinstance(form, past) for form in inside_with_calls(game.model, asks))
        self._linked = self.lowered.keys is not None
        self._warming = WarmUp()
        self._free = [Stand(self.module, self._warming)]
        self._size = len(self._free[0].words)
        self._names: list[Action] = []
        self._place: dict[int, int] = {}  # by the number of a name its place among these
        self._naming = Lock()
        self._nodes: dict[bytes, Node] = {}  # by their texts
        self._kept: dict[bytes, Node] = {}
        self._last: tuple[bytes | None, Any] = None, None  # the state met last and its node, not kept yet
        self._asked: set[bytes] = set()  # states of which one successor was asked for
        self._in_a_row = 0  # how many successors were there already; fewer than none after one that was made alone
        self._families: dict[bytes, dict[Action, bytes]] = {}  # all children of a state, by their actions

    # -- the questions ---------------------------------------------------------------------------------------

    def node(self, state: bytes) -> Node:
        """The node of a state."""
        last, node = self._last
        if last is state:
            return node  # type: ignore[no-any-return]
        try:
            found = self._kept.get(state)
        except TypeError:  # it is no state
            found = None
        if found is not None:
            return found
        stand = self._take()
        try:
            return self._look(stand, state)
        except LEFT as why:
            return self._leave(stand, why).interpreted_node(state)
        finally:
            self._free.append(stand)

    def successor(self, state: bytes, action: Action) -> bytes:
        """The state after an action, or an outcome of chance."""
        node: Node | None
        found: Node | None
        try:  # as in `_take`: what takes most of the time of a walk is done in place
            stand = self._free.pop()
        except IndexError:
            stand = self._second_instance()
        try:
            if stand.state is state:
                node, call = stand.node, stand.after
            else:
                family = self._families.get(state)
                if family is not None:
                    self._in_a_row += 1
                    return family[action]
                if self._in_a_row >= IN_A_ROW or state in self._asked:
                    self._in_a_row = 0
                    return self._expand(stand, state)[action]
                node, call = self._kept.get(state), stand.after_in
                if node is None:
                    node, call = self._look(stand, state), stand.after
                else:
                    self._enter(stand, state)
            row = (node.actions if type(node) is Decision else actions(node)).index(action)  # type: ignore[arg-type]
            stand.state, self._in_a_row = None, -IN_A_ROW
            end = call(row)
            made = state.follow(stand.words, row) if self._linked else bytes(stand.words)  # type: ignore[attr-defined]
            found = (self._nodes.get(bytes(stand.text[:end])) if end < LONG else None) or self._read(stand, end)
            stand.state, stand.node, self._last = made, found, (made, found)
            self._asked.add(state)
            if len(self._asked) > ASKED:
                self._asked.clear()
            if len(self._kept) > KEPT:
                self._forget()
            return made
        except LEFT as why:
            return self._leave(stand, why).interpreted_successor(state, action)  # type: ignore[no-any-return]
        finally:
            self._free.append(stand)

    def past(self, state: bytes) -> Past:
        """The positions before a state, as the interpreter holds them."""
        if not self._linked:
            return ()
        stand = self._take()
        try:
            self._enter(stand, state)
            return self._read_past(stand)
        finally:
            self._free.append(stand)

    # -- an instance of the module ----------------------------------------------------------------------------

    def _take(self) -> Stand:
        """A free instance of the module; another one where threads have taken all."""
        try:
            return self._free.pop()
        except IndexError:
            return self._second_instance()

    def _second_instance(self) -> Stand:
        """Another instance of the module."""
        stand = Stand(self.module[TWIN](), self._warming)
        self._clear_past(stand)
        return stand

    def _leave(self, stand: Stand, why: Exception) -> Interpreted:
        """The interpreter, to which a question is left."""
        stand.state = None
        if isinstance(why, EngineFault):
            self._interpreted.retire(why)
        elif isinstance(why, Trap):
            self._clear_past(stand)  # on which kernel code may have been at work
        return self._interpreted

    def _look(self, stand: Stand, state: bytes) -> Node:
        """Let an instance stand at a state. Returns its node."""
        self._enter(stand, state)
        self._kept[state] = node = self._read(stand, stand.here(0))
        stand.state, stand.node, self._last = state, node, (state, node)
        return node

    def _enter(self, stand: Stand, state: bytes) -> None:
        """Write a state into memory, with the positions before it."""
        if not isinstance(state, bytes) or len(state) != self._size:
            raise UnusualState
        stand.state = None
        stand.words[:] = state
        if self._linked:
            self._recall(stand, state)

    def _recall(self, stand: Stand, state: bytes) -> None:
        """Put the positions before a state on the stack, unless they are there: by the moves that led to it from the
        last state whose own are there."""
        keys, words, rows, at = self.lowered.keys, stand.module["s"], list[int](), state
        assert keys is not None
        if not isinstance(at, LinkedState):
            raise UnusualState
        while not keys.holds(stand.module, words):
            if at.parent is None:
                keys.load(stand.module, at.past)
                break
            rows.append(at.row)
            at = at.parent
            stand.words[:] = at
        for row in reversed(rows):
            stand.here(0)
            stand.after(row)
        stand.words[:] = state

    def _read_past(self, stand: Stand) -> Past:
        """The positions before the state at which an instance stands, as the interpreter holds them."""
        keys = self.lowered.keys
        found = None if keys is None else keys.read(stand.module, stand.module["s"])
        return found or ()

    def _clear_past(self, stand: Stand) -> None:
        """Empty the stack of earlier positions."""
        if self.lowered.keys is not None:
            self.lowered.keys.load(stand.module, empty_past(self.game.model.times))

    # -- all children at once ---------------------------------------------------------------------------------

    def _forget(self) -> None:
        """Forget the nodes and children of all states."""
        for held in (self._kept, self._families, self._asked):
            held.clear()

    def _expand(self, stand: Stand, state: bytes) -> dict[Action, bytes]:
        """The children of a state by their actions, all made at once, with the nodes of most."""
        node = self._kept.get(state) or self._look(stand, state)
        made, rows = list[bytes](), actions(node)
        while len(made) < len(rows):
            self._enter(stand, state)
            made += self._read_children(stand, state, len(made), stand.children(len(made)))
        if len(self._kept) > KEPT:
            self._forget()
        self._families[state] = family = dict(zip(rows, made, strict=True))
        return family

    def _read_children(self, stand: Stand, state: bytes, first: int, count: int) -> list[bytes]:
        """The children in memory, which begin with that of row `first`. Their nodes are kept if they are usual."""
        size, at, nodes = self._size, 0, self._nodes
        words, ends = bytes(stand.child_words[: size * count]), stand.module["node_end"][:count].tolist()
        text = bytes(stand.text[: ends[-1]])
        found = [words[begin : begin + size] for begin in range(0, size * count, size)]
        if isinstance(state, LinkedState):
            found = [state.follow(child, first + k) for k, child in enumerate(found)]
        for child, end in zip(found, ends, strict=True):
            own, at = text[at:end], end
            node = nodes.get(own) or (self._make_node(own) if own else None)
            if node is not None:
                self._kept[child] = node
        return found

    # -- the node in memory ----------------------------------------------------------------------------------

    def _read(self, stand: Stand, end: int) -> Node:
        """The node of the state at which an instance stands, whose text ends there; at 0: some name is not in it."""
        if end >= LONG and stand.text[0] % 4 == DECISION:
            node = self._node_of(stand.text[:end])
        elif end:
            text = bytes(stand.text[:end])
            node = self._nodes.get(text) or self._make_node(text)
        else:
            head, count = _HEAD.unpack_from(stand.text)
            names = self._name_rows(stand, count)
            if head % 4 == CHANCE:
                weights = stand.module["weight"][:count].tolist() if self.lowered.weighs else [1] * count
                node = _outcomes_node(names, weights)
            else:
                node = Decision(head // 4, names) if names and head % 4 == DECISION else None
        if node is None:
            raise UnusualState
        return node

    def _make_node(self, text: bytes) -> Node | None:
        """The node with a text, which is kept if it is not too long; None if it is unusual."""
        node = self._node_of(text)
        if len(self._nodes) >= TOLD:
            self._nodes.clear()
        if node is not None and len(text) <= LONGEST:
            self._nodes[text] = node
        return node

    def _node_of(self, text: Any) -> Node | None:
        """The node with a text; None if it is unusual."""
        head, count = _HEAD.unpack_from(text)
        if head == TERMINAL:
            over, paid = self.lowered.denominator, unpack_from(f"{len(self.game.players)}q", text, _HEAD.size)
            return Terminal(tuple(exact(Fraction(utility, over)) for utility in paid))
        places, end = _places(count)(text, _HEAD.size), _HEAD.size + 4 * count
        names = itemgetter(*places)(self._names) if count > 1 else (self._names[places[0]],)
        if head % 4 == DECISION:
            return _tuple(Decision, (head // 4, names))
        return _outcomes_node(names, unpack_from(f"{count}q", text, end) if end < len(text) else (1,) * count)

    def _name_rows(self, stand: Stand, count: int) -> tuple[Action, ...]:
        """The names of the rows of the last listing. The interpreter makes those that are new, or depend on the
        state."""
        reading, state, found = Reading(self.game, self.lowered, stand.module), None, list[Action]()
        for row, number in enumerate(stand.module["node_number"][:count].tolist()):
            place = self._place.get(number)
            if place is not None:
                found.append(self._names[place])
            else:
                if state is None:
                    past = self._read_past(stand) if self._names_ask else ()
                    state = reading.state(bytes(stand.words), None, past)
                found += reading.names(state, stand.module["s"][0], range(row, row + 1))
                if number >= 0:
                    place = self._keep_name(number, found[-1])
            if place is not None and stand.module["node_text"][2 + row] < 0 and place < LEARNT:
                stand.learn(place * stand.module["MOVES"] + row)
        return tuple(found)

    def _keep_name(self, number: int, name: Action) -> int:
        """The place of a name in the list, where it is put if it is new."""
        with self._naming:
            place = self._place.get(number)
            if place is None:
                place = len(self._names)
                self._names.append(name)
                self._place[number] = place
            return place


def _outcomes_node(names: tuple[Action, ...], weights: Sequence[int]) -> Chance | None:
    """The node of these outcomes; None if there are none, one never comes, or two have one name."""
    if not names or 0 in weights or len(set(names)) < len(names):
        return None
    total = sum(weights)
    return Chance(tuple((name, exact(Fraction(weight, total))) for name, weight in zip(names, weights, strict=True)))


@cache
def _places(count: int) -> Callable[..., tuple[int, ...]]:
    """The function that reads so many places of names from a text."""
    return Struct(f"{count}i").unpack_from

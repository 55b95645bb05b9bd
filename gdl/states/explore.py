"""The reachable states of a game, walked breadth-first, and the traits that can be read off them.

States that are equal are one state, however play came there. Depth counts plies: a chance outcome is one, every
choice of a player is one, so a joint move of k players who have a choice is k.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import product
from math import log10, prod
from sys import getsizeof
from typing import Any, Generic, NamedTuple, TypeVar

from gdl.errors import GameError, Interrupted, LimitReached, size_text, with_play
from gdl.errors.courtesy import Courtesy
from gdl.errors.limits import JOINT, LOOK
from gdl.game import (
    Action,
    Chance,
    Decision,
    Game,
    Joint,
    Node,
    Promises,
    Simultaneous,
    State,
    Terminal,
    Traits,
    Unknown,
    actions,
    constant_sum,
)
from gdl.states.checked_game import ensure_checked
from gdl.states.game_wrapper import GameWrapper

MOST_NAMED = 3  # histories in the name of a position

# How many bytes the states of a game take, where many of them are kept.
#
# What several states have in common counts once: a tuple that is part of two of them lies in memory once.

_SCANNED = 64  # the first members of a tuple, among which others may be; the rest are plain values
_HOLDERS = (tuple, frozenset)


class Footprint:
    """An estimate of the memory, in bytes, that all states added so far take."""

    def __init__(self) -> None:
        self.bytes = 0
        self._known: set[int] = set()  # the identities of what was added; it is kept, so they stay

    def add(self, state: object) -> None:
        """Add a state, which must stay in memory from now on."""
        known, waiting = self._known, [state]
        for part in waiting:  # which grows
            if id(part) not in known:
                known.add(id(part))
                self.bytes += getsizeof(part)
                if isinstance(part, tuple):
                    waiting += [each for each in part[:_SCANNED] if isinstance(each, _HOLDERS)]


Returned = TypeVar("Returned")
# A recursive function that yields calls of its kind, and is sent their results:
Recursion = Generator["Recursion[Any]", Any, Returned]


def run_recursion(call: Recursion[Returned]) -> Returned:
    """The result of a recursive function, which may go deeper than Python's own stack."""
    stack: list[Recursion[Any]] = [call]
    result: Any = None
    while stack:
        try:
            stack.append(stack[-1].send(result))
            result = None
        except StopIteration as returned:
            stack.pop()
            result = returned.value
    found: Returned = result
    return found


SEARCHED = 2_000  # states, for a shortest play to a fault
TOLD_EVERY = 16  # successors of one state: between them its limits are looked at too

Move = Action | Joint
Progress = Callable[[int], None]  # called with the number of states met so far; may raise LimitReached


def moves(node: Node) -> tuple[Move, ...]:
    """All that can happen at a node, in file order: outcomes, actions or joint moves; () at the end of play.

    Raises LimitReached where the joint moves are too many to be listed."""
    if isinstance(node, Decision):
        return node.actions
    if isinstance(node, Chance):
        return tuple(action for action, _ in node.outcomes)
    if isinstance(node, Simultaneous):
        choices = [actions or ("",) for actions in node.actions]
        if (count := prod(map(len, choices))) > JOINT:
            much = f"{count:,}" if count < JOINT**2 else f"10^{int(log10(count))}"
            raise LimitReached(f"one position has {much} joint moves; {JOINT:,} can be looked at")
        return tuple(product(*choices))
    return ()


def choosers(node: Node) -> tuple[int, ...]:
    """The players who choose at a node, in their order."""
    if isinstance(node, Decision):
        return (node.player,)
    if isinstance(node, Simultaneous):
        return tuple(player for player, actions in enumerate(node.actions) if actions)
    return ()


def plies(node: Node) -> int:
    """The number of plies that a move at this node takes: one for each player who chooses, and at least one."""
    return max(1, len(choosers(node)))


def move_text(move: Move) -> str:
    """The move as one text; a joint move names the choices of those who have one, in the order of the players."""
    return move if isinstance(move, str) else ", ".join(action for action in move if action)


def position_names(nodes: Sequence[Node], successors: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """The names of positions, each of which stands before its successors: the actions of the histories that lead there,
    `start` for the first. Of more than MOST_NAMED histories only the first is named, and how many others there are.
    Names that are not unique get numbers."""
    counts, ways = [1, *(0 for _ in nodes[1:])], [["start"], *(list[str]() for _ in nodes[1:])]
    for position, after in enumerate(successors):
        for action, successor in zip(actions(nodes[position]), after, strict=True):
            counts[successor] += counts[position]
            further = [f"{way} > {action}" if position else action for way in ways[position]]
            ways[successor] = (ways[successor] + further)[:MOST_NAMED]
    found = tuple(
        " or ".join(histories) if count <= MOST_NAMED else f"{histories[0]} or {count - 1:,} others"
        for count, histories in zip(counts, ways, strict=True)
    )
    return found if len(set(found)) == len(found) else tuple(f"{name} #{k}" for k, name in enumerate(found))


class WalkExpansion(NamedTuple):
    """A state and its successors, given by their numbers in order of discovery."""

    number: int
    node: Node
    moves: tuple[Move, ...]
    children: tuple[int, ...]  # one for each move


class Walk(Generic[State]):
    """Iterating expands every reachable state once.

    1. The initial state has number 0 and depth 0.
    2. The nearest state not yet expanded is next; among equally deep ones, the first discovered.
    3. A successor not seen before gets the next number; one seen before on a longer way moves nearer.
    4. To discover more than `limit` states, or more than take `room` bytes, raises LimitReached; so does the clock of a
       walk that is a courtesy.
    5. States of which `leads_on` is false are met and not expanded.

    `states`, `depth` and `play` tell at any time what was discovered so far.
    """

    def __init__(
        self,
        game: Game[State],
        limit: int | None = None,
        progress: Progress | None = None,
        room: int | None = None,
        courtesy: Courtesy | None = None,
        leads_on: Callable[[State], bool] | None = None,
    ):
        self.game: Game[State] = ensure_checked(game)
        self.leads_on = leads_on
        self.courtesy = courtesy
        self.limit = limit
        self.room = room
        self.progress = progress
        self.states: list[State] = []
        self.depth: list[int] = []
        self._footprint = Footprint()
        self._arrivals: list[tuple[int, Move]] = []  # the state and the move from which each was discovered
        self._numbers: dict[State, int] = {}
        self._layers: defaultdict[int, list[int]] = defaultdict(list)  # ply -> states to expand there

    def __iter__(self) -> Iterator[WalkExpansion]:
        self._meet(self.game.initial(), 0, 0, "")
        ply = 0
        while self._layers:
            for number in self._layers.pop(ply, ()):
                # What is not as deep was reached sooner, and expanded then.
                if self.depth[number] == ply and (self.leads_on is None or self.leads_on(self.states[number])):
                    yield self._expand(number)
                    self._tell_progress()
            ply += 1

    def _expand(self, number: int) -> WalkExpansion:
        node = self.node(number)
        options = moves(node)
        ply = self.depth[number] + plies(node)
        state, successor = self.states[number], self.game.successor
        children = []
        for move in options:
            if self.courtesy is not None and self.courtesy.is_over:
                raise LimitReached(f"there was no time to look at more of {self.game.name}")
            try:
                child = successor(state, move)
            except GameError as fault:
                raise with_play(fault, (*self.play(number), move_text(move))) from None
            children.append(self._meet(child, ply, number, move))
            if len(children) % TOLD_EVERY == 0:
                self._tell_progress()
        return WalkExpansion(number, node, options, tuple(children))

    def go_on(self, game: Game[Any], convert: Callable[[State], Any]) -> None:
        """Go on with a game that differs in its states alone: `convert` gives the one for each of this walk's."""
        self.game, self.states = game, list(map(convert, self.states))
        self._numbers = {state: number for number, state in enumerate(self.states)}

    def _tell_progress(self) -> None:
        if self.progress:
            self.progress(len(self.states))

    def _meet(self, state: State, ply: int, before: int, move: Move) -> int:
        """The number of a state. If the state is new, or nearer than it was known to be, it is put among those to be
        expanded at its ply."""
        number = self._numbers.get(state)
        if number is None:
            number = len(self.states)
            if self.limit is not None and number >= self.limit:
                raise LimitReached(f"{self.game.name} has more than {self.limit:,} states, the limit set for this walk")
            if self.room is not None:
                self._keep(state, self.room)
            self._numbers[state] = number
            self.states.append(state)
            self.depth.append(ply)
            self._arrivals.append((before, move))
        elif ply < self.depth[number]:
            self.depth[number] = ply
            self._arrivals[number] = before, move
        else:
            return number
        self._layers[ply].append(number)
        return number

    def _keep(self, state: State, room: int) -> None:
        """Count the memory for one more state; raises LimitReached where there is no room for it."""
        if self._footprint.bytes > room:
            here = f"{self.game.name} has more states than fit in {size_text(room)}"
            raise LimitReached(f"{here}, the limit set for this walk")
        self._footprint.add(state)

    def node(self, number: int) -> Node:
        """The node of a discovered state. A fault of the rules there reports the play that leads to it."""
        try:
            return self.game.node(self.states[number])
        except GameError as fault:
            raise with_play(fault, self.play(number)) from None

    def play(self, number: int) -> tuple[str, ...]:
        """A shortest play that leads to the state, as texts."""
        return tuple(map(move_text, self.way(number)))

    def way(self, number: int) -> tuple[Move, ...]:
        """A shortest play that leads to the state, as its moves."""
        way: list[Move] = []
        while number:
            number, move = self._arrivals[number]
            way.append(move)
        return tuple(reversed(way))


class WalkedGame(GameWrapper):
    """A game whose states were all met by a walk: they are the numbers of the walk, and nothing is computed again."""

    def __init__(self, game: Game[Any], states: Sequence[Any], expansions: Collection[WalkExpansion]):
        super().__init__(game)
        self.promises = Promises(forever=game.promises.forever, cost=game.promises.cost)
        self.states, self._expansions = states, expansions
        self._found = {number: (node, dict(zip(moves, children, strict=True)))
                       for number, node, moves, children in expansions}  # fmt: skip

    def __iter__(self) -> Iterator[WalkExpansion]:
        """Every expansion, as the walk made it."""
        return iter(self._expansions)

    def inside(self, state: int) -> Any:
        return self.states[state]

    def initial(self) -> int:
        return 0

    def node(self, state: int) -> Node:
        return self._found[state][0]

    def successor(self, state: int, action: Move) -> int:
        return self._found[state][1][action]


@contextmanager
def attach_partial(partial: Callable[[], object], quick: bool = True) -> Iterator[None]:
    """Within the block, give the exception by which a limit or Ctrl-C stops the work the result so far, made by
    `partial`; after Ctrl-C only if `quick` says that making it takes hardly any time, else None."""
    try:
        yield
    except LimitReached as stop:
        raise LimitReached(str(stop), partial()) from None
    except KeyboardInterrupt:
        raise Interrupted(partial() if quick else None) from None


@dataclass
class Exploration(Generic[State]):
    """The result of a walk, as lists indexed by the number of the state. A state that was not expanded before the walk
    was stopped (`complete` is then False) has moves but no children."""

    states: list[State]
    depth: list[int]
    nodes: list[Node] = field(default_factory=list)
    moves: list[tuple[Move, ...]] = field(default_factory=list)
    children: list[tuple[int, ...]] = field(default_factory=list)
    complete: bool = False


def explore(
    game: Game[State],
    limit: int | None = None,
    progress: Progress | None = None,
    partly: bool = True,
    room: int | None = None,
) -> Exploration[State]:
    """All reachable states of the game. If a limit of states or bytes stops the walk, the exception's `partial` is the
    Exploration so far, or None unless `partly` asks for it."""
    walk = Walk(game, limit, progress, room)
    expanded: dict[int, WalkExpansion] = {}
    with attach_partial(lambda: _collect_exploration(walk, expanded) if partly else None, quick=False):
        expanded.update((expansion.number, expansion) for expansion in walk)
    return _collect_exploration(walk, expanded)


def with_shortest_play(game: Game[Any], fault: GameError, limit: int = SEARCHED) -> GameError:
    """The fault with a shortest play to it, for searches that do not know the play that led there: the first fault that
    a walk meets in short time; unchanged if it meets none."""
    if fault.state is None or any(problem.play for problem in fault.problems):
        return fault
    with suppress(LimitReached):
        try:
            for _ in Walk(game, limit, room=LOOK, courtesy=Courtesy()):
                pass
        except GameError as nearest:
            return nearest
    return fault


def _collect_exploration(walk: Walk[State], expanded: dict[int, WalkExpansion]) -> Exploration[State]:
    """The result of a walk: its states with their nodes, moves and children, in the order of their numbers."""
    found = Exploration(walk.states, walk.depth, complete=len(expanded) == len(walk.states))
    for number in range(len(walk.states)):
        node = expanded[number].node if number in expanded else walk.node(number)
        found.nodes.append(node)
        found.moves.append(expanded[number].moves if number in expanded else moves(node))
        found.children.append(expanded[number].children if number in expanded else ())
    return found


def topological_order(children: Sequence[tuple[int, ...]]) -> list[int]:
    """The numbers ordered so that every edge points forward (Kahn 1962); those on or behind a cycle are left out."""
    waiting = [0] * len(children)
    for targets in children:
        for target in targets:
            waiting[target] += 1
    order = [number for number, count in enumerate(waiting) if count == 0]
    for number in order:  # grows while it is walked
        for target in children[number]:
            waiting[target] -= 1
            if waiting[target] == 0:
                order.append(target)
    return order


def reachable_traits(
    game: Game[State], limit: int | None = 20_000, progress: Progress | None = None, suspects: bool = True
) -> Traits:
    """The traits of a game, found by walking its reachable states until `limit` of them are met, they take too many
    bytes, or `progress` stops the walk. After a walk that was stopped, a trait is None if the states walked do not
    decide it. If every information set is a single state, nothing is hidden, and recall is perfect if besides all move
    in turn, or what players know is no more than the state; otherwise `perfect_recall` judges it. With `suspects`
    False, a walk that was stopped does not look for hidden information."""
    walk = Walk(game, limit, progress, None if limit is None else LOOK)
    walked: dict[int, WalkExpansion] = {}
    with suppress(LimitReached):
        walked.update((expansion.number, expansion) for expansion in walk)
    complete = len(walked) == len(walk.states)
    nodes = {0: walk.node(0), **{number: expansion.node for number, expansion in walked.items()}}
    ends = [node.utilities for node in nodes.values() if isinstance(node, Terminal)]
    children = [walked[number].children if number in walked else () for number in range(len(walk.states))]
    cyclic = _was_ever_seen(len(topological_order(children)) < len(children), complete)
    if cyclic and game.promises.forever is not None:
        ends.append(game.promises.forever)  # play without end pays as well
    total = constant_sum(ends) if ends else 0
    simultaneous = any(isinstance(node, Simultaneous) and len(choosers(node)) > 1 for node in nodes.values())
    hidden = (complete or suspects) and hides_something(game, walk.states, nodes)
    remembered = simultaneous and game.information_set(walk.states[0], 0) != walk.states[0]
    return Traits(
        players=len(game.players),
        zero_sum=_always_held(total == 0, complete),
        constant_sum=total if complete else None,
        chance=_was_ever_seen(any(isinstance(node, Chance) for node in nodes.values()), complete),
        simultaneous=_was_ever_seen(simultaneous, complete),
        perfect_information=_always_held(not hidden and not simultaneous, complete),
        perfect_recall=(perfect_recall(game, _collect_exploration(walk, walked)) if hidden or remembered else True)
        if complete
        else None,
        cyclic=cyclic,
        states=len(walk.states) if complete else None,
        actions=max(map(_widest_choice, nodes.values())) if complete else None,
        unknowns=any(map(_leaves_open, nodes.values())),
    )


def _leaves_open(node: Node) -> bool:
    """True if a utility or probability at the node is unknown."""
    numbers: Iterable[object] = getattr(node, "utilities", (chance for _, chance in getattr(node, "outcomes", ())))
    return any(isinstance(number, Unknown) for number in numbers)


def _always_held(holds_so_far: bool, complete: bool) -> bool | None:
    return (True if complete else None) if holds_so_far else False


def _was_ever_seen(seen: bool, complete: bool) -> bool | None:
    return True if seen else (False if complete else None)


def hides_something(game: Game[State], states: Sequence[State], nodes: Mapping[int, Node]) -> bool:
    """True if some player must choose without knowing which of two states the game is in."""
    holder: dict[tuple[int, Hashable], int] = {}
    return any(
        holder.setdefault((player, game.information_set(states[number], player)), number) != number
        for number, node in nodes.items()
        for player in choosers(node)
    )


def _widest_choice(node: Node) -> int:
    """The most actions that one player, or nature, has at the node."""
    return max(map(len, node.actions)) if isinstance(node, Simultaneous) else len(moves(node))


def perfect_recall(game: Game[State], found: Exploration[State], budget: int = 2_000_000) -> bool | None:
    """True if every player always remembers what they knew and did; None if finding out takes more than `budget` steps.

    An own past is the sequence of information sets met and actions taken there; recall is perfect if all ways into an
    information set share one own past (Kuhn 1953). It is enough that they share its last step: by induction the same
    last step then has the same past before it. For each player:

    1. Start at the initial state with an empty past.
    2. Where the player chooses, each information set must always be entered with the same last step.
    3. Go on to every child, the last step renewed where the player chose; never twice to the same state and step.
    """
    for player in range(len(game.players)):
        entered: dict[Hashable, int] = {}
        steps: dict[tuple[Hashable, Action], int] = {}  # an own step -> its number, from 1; 0 is no step yet
        met = {(0, 0)}
        stack = [(0, 0)]
        while stack:
            number, last = stack.pop()
            budget -= 1
            if budget < 0:
                return None
            node = found.nodes[number]
            mine = player in choosers(node)
            here = game.information_set(found.states[number], player) if mine else None
            if mine and entered.setdefault(here, last) != last:
                return False
            for move, child in zip(found.moves[number], found.children[number], strict=True):
                action = move if isinstance(move, str) else move[player]
                after = steps.setdefault((here, action), len(steps) + 1) if mine else last
                if (child, after) not in met:
                    met.add((child, after))
                    stack.append((child, after))
    return True

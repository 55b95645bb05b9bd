"""A depth-first search with windows (alpha, beta) on a stack of its own: what alpha-beta and its kin have in common.

Alpha is the most that MAX is sure of on the path to a node, beta the least that MIN is sure of. A frame is a node on
that path: it says which child comes next and with which window, takes in what the child returns, and knows when
enough was seen. The frame of a player's node is the textbook's MAX-VALUE and MIN-VALUE; gdl.solvers.minimax.star
adds chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from math import inf
from typing import Any, TypeVar

from gdl.errors import GameError, Refusal, listing, with_play
from gdl.game import Action, Bounds, Decision, Game, Node, Number, Terminal, actions, exact, maximiser, require_number
from gdl.numbers import read_number, to_text
from gdl.solution import Path, RecordedSearch, Rule, Skipped, Solution
from gdl.solvers.budget import Budget, answering, secured_bounds
from gdl.solvers.horizon import Horizon, NoEvaluation, cut_off_at
from gdl.solvers.minimax.backward_induction import backward_induction
from gdl.solvers.minimax.vectors import Vector
from gdl.solvers.needs import Watch
from gdl.solvers.record import Bound, NodeResult, SearchPlace, SearchRecord, Window, most_recorded, number
from gdl.solvers.solver import Solver

ORDERS = ("given", "reverse", "best", "worst")
Order = Callable[[Any, Decision], Sequence[int]]  # the positions of a node's children as they are to be searched


class WindowFrame(ABC):
    """A node on the path from the root, with the window it was entered with."""

    player: int | None = None  # who moves at the node; None for chance

    def __init__(self, place: SearchPlace, actions: Sequence[Action], children: Sequence[int], window: Window):
        self.place = place
        self.actions = actions
        self.children = children  # positions in file order, in the order of the search
        self.done = 0  # how many of them were searched
        self.window = window

    @property
    def position(self) -> int:
        """The child to be searched next."""
        return self.children[self.done]

    @property
    def probes(self) -> bool:
        """True if the next child only gets a first look."""
        return False

    def left_out(self) -> list[Path]:
        """The paths of the roots of all subtrees that are never looked at if the node is left now."""
        return [(*self.place.path, position) for position in sorted(self.children[self.done :])]

    def finish(self) -> None:
        """Leave the node now: no further child is searched."""
        self.done = len(self.children)

    @property
    def child_window(self) -> Window:
        """The node's own window, narrowed by the children searched so far."""
        return self.window

    @property
    def next_window(self) -> Window:
        """The window with which the next child is entered."""
        return self.child_window

    @abstractmethod
    def take(self, position: int, found: NodeResult) -> None:
        """Take in the result of the child at this position."""

    @abstractmethod
    def is_outside_window(self, strictly: bool) -> bool:
        """True if the value so far lies outside the window; with `strictly` a value on the edge does not."""

    @property
    @abstractmethod
    def partial_result(self) -> NodeResult | None:
        """The result for the node so far; None if nothing is known."""

    @property
    @abstractmethod
    def result(self) -> NodeResult:
        """The result of the node when it is left."""

    @property
    def own_value(self) -> Number:
        """The number that is compared with the window."""
        value: Number = self.result.value
        return value

    def event_details(self) -> dict[str, Any]:
        """Fields for the record of an event, beside the value."""
        return {}


class DecisionFrame(WindowFrame):
    """A player's node.

    1. MAX-VALUE: v is the greatest value of the children seen so far. If v >= beta, MIN would never let play come
       here: the node is left. Otherwise alpha becomes max(alpha, v).
    2. MIN-VALUE: v is the least value of the children seen so far. If v <= alpha, MAX would never let play come here:
       the node is left. Otherwise beta becomes min(beta, v).

    A returned v may lie outside the window (fail-soft) and is then only a bound on the node's value.
    """

    def __init__(self, place: SearchPlace, node: Decision, children: Sequence[int], window: Window, maximises: bool):
        super().__init__(place, node.actions, children[:1] if place.probe else children, window)
        self.all_children = children
        self.player: int = node.player
        self.maximises = maximises
        self.alpha, self.beta = window
        self.v: Bound = -inf if maximises else inf
        self.line: tuple[Action, ...] = ()  # begins with the best action so far
        self.attained = False  # some child is known to be as good as v for the one who moves
        self.closed = len(self.children) == len(node.actions)  # no child is better, as far as was searched

    @property
    def child_window(self) -> Window:
        return self.alpha, self.beta

    def take(self, position: int, found: NodeResult) -> None:
        """Take in a child's value: the better value is kept, the first of equals; the window narrows."""
        promising, doubtful = ("lower", "upper") if self.maximises else ("upper", "lower")
        if found.value > self.v if self.maximises else found.value < self.v:
            self.v, self.line = found.value, (self.actions[position], *found.line)
            self.attained = found.bound != doubtful
        elif found.value == self.v:
            self.attained = self.attained or found.bound != doubtful
        if found.bound == promising:
            self.closed = False
        if self.maximises:
            self.alpha = max(self.alpha, self.v)
        else:
            self.beta = min(self.beta, self.v)

    def is_outside_window(self, strictly: bool) -> bool:
        if self.maximises:
            return self.v > self.beta if strictly else self.v >= self.beta
        return self.v < self.alpha if strictly else self.v <= self.alpha

    def left_out(self) -> list[Path]:
        return [(*self.place.path, position) for position in sorted(self.all_children[self.done :])]

    def finish(self) -> None:
        self.closed = self.closed and self.done == len(self.children)
        super().finish()

    @property
    def partial_result(self) -> NodeResult:
        if self.done == len(self.children):
            return self.result
        bound = ("lower" if self.maximises else "upper") if self.attained else None
        return NodeResult(number(self.v), bound, self.line)

    @property
    def result(self) -> NodeResult:
        if self.attained and self.closed:
            bound: str | None = "exact"
        elif self.place.probe and not self.attained:
            bound = None
        else:
            bound = "lower" if self.attained == self.maximises else "upper"
        return NodeResult(number(self.v), bound, self.line)


class WindowSearch:
    """One run, left to right, with a record of its visits and cuts. `strictly`: leave a node only when its value lies
    beyond the window, not on its edge (the rule `gt`)."""

    def __init__(
        self,
        game: Game[Any],
        order: Order,
        strictly: bool,
        watch: Watch,
        budget: Budget,
        window: Window = (-inf, inf),
    ):
        self.game = game
        self.window = window  # of the root
        self.order = order
        self.strictly = strictly
        self.watch = watch
        self.budget = budget
        self.max_player = max_player(game)
        self.stack: list[WindowFrame] = []
        self.on_path: set[Hashable] = set()
        self.begun = False
        self.result: NodeResult | None = None  # the root's
        self.root: list[tuple[int, NodeResult]] = []  # the root's children, by position
        self.leaves = 0
        self.cut_off = 0  # leaves that the depth limit made
        self.record = SearchRecord(most_recorded(game))

    def run(self, most: float = inf) -> None:
        """Search the whole game, or stop when `most` nodes are visited; another call continues."""
        action: Action | None = None
        try:
            if not self.begun:
                self.begun = True
                self._enter((), None, self.game.initial(), self.window, probe=False)
            while self.stack and self.budget.spent < most:
                frame = self.stack[-1]
                position = frame.position
                action = frame.actions[position]
                state = self.game.successor(frame.place.state, action)
                self._enter((*frame.place.path, position), action, state, frame.next_window, frame.probes)
        except NoEvaluation as fault:
            raise fault.with_play(self._play(action)) from None
        except GameError as fault:
            raise with_play(fault, self._play(action)) from None

    def _play(self, last: Action | None) -> tuple[Action, ...]:
        return tuple(a for a in (*(frame.place.action for frame in self.stack), last) if a is not None)

    def frame(self, place: SearchPlace, node: Node, window: Window) -> WindowFrame:
        """The frame of an inner node."""
        assert isinstance(node, Decision)
        order = self.order(place.state, node)
        return DecisionFrame(place, node, order, window, node.player == self.max_player)

    def utility(self, state: Any, node: Terminal) -> Any:
        """The worth of an end to this search: MAX's utility."""
        return require_number(node.utilities[self.max_player])

    def _enter(self, path: Path, action: Action | None, state: Any, window: Window, probe: bool) -> None:
        """Visit a node: a leaf returns its utility at once, an inner node goes on the stack."""
        node = self.game.node(state)
        self.watch.check_node(state, node)
        if state in self.on_path:
            raise self.watch.unmet_need("cyclic", "give it a depth")
        place = SearchPlace(path, action, self.game.label(state), state, len(self.record.visits), probe)
        self.budget.visit()
        self.record.enter(place)
        if isinstance(node, Terminal):
            self._return(place, self._leaf(place, node, window))
            return
        frame = self.frame(place, node, window)
        self.stack.append(frame)
        self.on_path.add(state)
        self.record.step(place, "enter", frame.window, **frame.event_details())

    def _leaf(self, place: SearchPlace, node: Terminal, window: Window) -> NodeResult:
        found = NodeResult(self.utility(place.state, node), "exact", ())
        cut_off = isinstance(self.game, Horizon) and self.game.is_cut_off(place.state)
        self.leaves += 1
        self.cut_off += cut_off
        self.record.step(place, "leaf", window, found)
        self.record.leave(place, None, "cutoff" if cut_off else "terminal", window, window, found)
        return found

    def _return(self, place: SearchPlace, found: NodeResult) -> None:
        """Hand a node's value to its parent; a parent that has seen enough returns its own in turn."""
        while self.stack:
            frame = self.stack[-1]
            before = frame.child_window
            frame.take(place.path[-1], found)
            frame.done += 1
            if len(self.stack) == 1:
                self.root.append((place.path[0], found))
            if frame.is_outside_window(self.strictly):
                self._cut(frame, before)
            else:
                self.record.step(
                    frame.place, "update", frame.child_window, frame.partial_result, **frame.event_details()
                )
            if frame.done < len(frame.children):
                return
            self.stack.pop()
            self.on_path.remove(frame.place.state)
            place, found = frame.place, frame.result
            self._leave(frame)
        self.result = found

    def _cut(self, frame: WindowFrame, window: Window) -> None:
        """Leave the node: skip the children still to come."""
        child = frame.actions[frame.children[frame.done - 1]]
        roots = frame.left_out()
        frame.finish()
        found = frame.result
        if self.record.kept:
            skipped = tuple(self._skipped_root(frame, root) for root in roots)
            self.record.cut(frame.place, window, frame.own_value, child, skipped, found.bound)
        self.record.step(frame.place, "cut", window, found, **frame.event_details())

    def _skipped_root(self, frame: WindowFrame, root: Path) -> Skipped:
        """The root of a skipped subtree, with its action and label; the label is None if the file has a fault there,
        which does not matter to the search."""
        state, action = frame.place.state, ""
        try:
            for position in root[len(frame.place.path) :]:
                action = actions(self.game.node(state))[position]
                state = self.game.successor(state, action)
            return Skipped(root, action, self.game.label(state))
        except GameError:
            return Skipped(root, action, None)

    def _leave(self, frame: WindowFrame) -> None:
        player = None if frame.player is None else self.game.players[frame.player]
        kind = "chance" if player is None else "decision"
        self.record.step(frame.place, "leave", frame.child_window, frame.result, **frame.event_details())
        self.record.leave(frame.place, player, kind, frame.window, frame.child_window, frame.result)


def max_player(game: Game[Any]) -> int:
    """The player whose utility values and windows count: the one called MAX, else the first."""
    return maximiser(game.players)


def ordering(game: Game[Any], order: str, budget: Budget) -> Order:
    """The order of search: "given", "reverse", or with the truly best ("best") or worst ("worst") children of each
    mover first."""
    if order in ("given", "reverse"):
        step = 1 if order == "given" else -1
        return lambda state, node: range(len(node.actions))[::step]
    values = backward_induction(game, budget=budget).of

    def sort(state: Any, node: Decision) -> Sequence[int]:
        worth = [values[game.successor(state, action)][node.player] for action in node.actions]
        return sorted(range(len(worth)), key=worth.__getitem__, reverse=order == "best")

    return sort


# ---- What a run is worth as an answer -----------------------------------------------------------------------------


def check_rule(solver: str, cut: str, order: str, orders: Sequence[str] = ORDERS) -> None:
    """Raise Refusal for a rule or an order that does not exist."""
    for option, value, allowed in (("cut", cut, ("ge", "gt")), ("order", order, orders)):
        if value not in allowed:
            raise Refusal(f"{solver} has no {option} {value!r}; {option} is {listing(allowed, 'or')}")


Search = TypeVar("Search", bound=WindowSearch)


def begin_search(
    kind: type[Search],
    row: Solver,
    game: Game[Any],
    rule: Rule,
    depth: int | None,
    budget: Budget,
    orders: Sequence[str] = ORDERS,
    window: str | None = None,
) -> tuple[Search, Solution]:
    """A search of the game, cut off at the depth if there is one, and its answer that is to be filled in. Raises
    Refusal for a rule or a window that there is not, and where play without a depth would not end."""
    assert rule.cut is not None
    check_rule(row.name, rule.cut, rule.order, orders)
    searched: Game[Any] = game if depth is None else Horizon(game, depth)
    watch = Watch(row.name, row.needs if depth is not None else {**row.needs, "cyclic": False}, searched)
    if depth is None and game.traits.cyclic:
        raise watch.unmet_need("cyclic", "give it a depth")
    answer = row.answer(game, exact=False).with_part(RecordedSearch, rule=rule)
    with answering(lambda: replace(answer, nodes=0)):
        order = ordering(searched, rule.order, budget.without_node_limit())
    return kind(searched, order, rule.cut == "gt", watch, budget, read_window(window)), answer


def partial_answer(search: WindowSearch, answer: Solution) -> Solution:
    """The best answer so far of a run that a limit stopped."""
    answer = replace(answer, nodes=search.budget.spent, leaves=search.leaves)
    root = search.stack[0] if search.stack else None
    if not isinstance(root, DecisionFrame) or not root.line:
        return answer
    value = vector_of(search, root.v)
    proven = None if search.cut_off else secured_bounds(answer, root.player, value)
    return best_so_far(answer, (root.done, len(root.children)), value, root.line, proven)


def best_so_far(
    answer: Solution, searched: tuple[int, int], value: Vector, line: tuple[Action, ...], proven: Bounds | None = None
) -> Solution:
    """The answer of a run that a limit stopped. `searched`: how many actions at the start were searched, and how many
    there are. `proven`: the interval of each player's value that is proven."""
    note = "{} of {} actions at the start were searched; the value is the best so far".format(*searched)
    return replace(answer, value=value, interval=proven, best=line[:1], line=line, notes=(note,))


def complete_answer(search: WindowSearch, answer: Solution, depth: int | None) -> Solution:
    """The answer of a finished run, before ties are settled."""
    assert search.result is not None
    notes = []
    if not search.record.kept:
        notes.append(f"windows and skipped nodes are not listed: more than {search.record.most:,} nodes were visited")
    value = search.result.value
    recorded = answer.with_part(
        RecordedSearch,
        cuts=tuple(search.record.cuts),
        visits=tuple(visit for visit in search.record.visits if visit),
        events=tuple(search.record.events),
    )
    return replace(
        recorded,
        exact=not search.cut_off,
        value=value if isinstance(value, tuple) else vector_of(search, value),
        best=search.result.line[:1],
        line=search.result.line,
        nodes=search.budget.spent,
        leaves=search.leaves,
        notes=tuple(notes),
        limit=cut_off_at(depth, search.cut_off, "node") if search.cut_off else None,
    )


def read_window(text: str | None) -> Window:
    """The window of the root from text: `2..8`, `..8`, `2..`; unbounded if None. Raises Refusal if it is malformed or
    empty."""
    low, dots, high = (text or "..").partition("..")
    try:
        alpha = read_number(low) if low.strip() not in ("", "-inf") else -inf
        beta = read_number(high) if high.strip() not in ("", "inf") else inf
    except ValueError:
        dots = ""
    if not dots or alpha >= beta:
        raise Refusal("a window is written LOW..HIGH, as in 2..8, the lower end first")
    return alpha, beta


def outside_window(search: WindowSearch, answer: Solution, text: str) -> Solution:
    """The answer of a run whose value lies outside the window at the root: a bound on the value alone."""
    assert search.result is not None
    value, player = number(search.result.value), search.max_player
    is_low = search.result.bound == "lower"
    ends = {player: (value, None) if is_low else (None, value)}
    other = exact((search.watch.total or 0) - value)
    interval = tuple(ends.get(p, (None, other) if is_low else (other, None)) for p in range(len(answer.players)))
    said = f"outside the window {text} the search knows only that {answer.players[player]} gets at "
    note = f"{said}{'least' if is_low else 'most'} {to_text(value)}"
    return replace(answer, exact=False, value=None, interval=interval, best=(), line=(), notes=(*answer.notes, note))


def vector_of(search: WindowSearch, value: Bound) -> Vector:
    """The values of all players, from MAX's value and the constant sum."""
    return constant_sum_vector(search.game, search.max_player, number(value), search.watch.total)


def constant_sum_vector(game: Game[Any], player: int, value: Any, total: Number | None = 0) -> tuple[Any, ...]:
    """The values of all players: `value` for `player`, and the rest of the total for the other, if there is one (an
    unknown total counts as 0)."""
    left = exact((total or 0) - value)
    return tuple(value if p == player else left for p in range(len(game.players)))

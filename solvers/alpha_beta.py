"""ALPHA-BETA-SEARCH in the textbook's form: left to right, with a record of every window and every cut.

Alpha is the most that MAX is sure of on the path to a node, beta the least that MIN is sure of. At a node:

1. MAX-VALUE: v is the greatest value of the children seen so far. If v >= beta, MIN would never let play come here:
   return v, skip the other children. Otherwise alpha becomes max(alpha, v).
2. MIN-VALUE: v is the least value of the children seen so far. If v <= alpha, MAX would never let play come here:
   return v, skip the other children. Otherwise beta becomes min(beta, v).

`cut="gt"` is the rule of courses that keep equal values apart: skip only if v > beta, or v < alpha. A returned v may
lie outside the window (fail-soft) and is then only a bound on the node's value; the record says which.

The run is the textbook's: no table of transpositions, no other order than asked for. That further root actions are as
good as the answer, and that the value is right, is proved afterwards by another search, which is not counted.

Sources: Russell and Norvig, Artificial Intelligence, figure 5.7; Knuth and Moore, An analysis of alpha-beta pruning,
Artificial Intelligence 6, 1975; fail-soft: Fishburn, Another optimization of alpha-beta search, SIGART 84, 1983.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from math import inf
from typing import Any, Literal, NamedTuple

from gdl.errors import GameError, Refusal, listing, with_play
from gdl.game import Action, Decision, Game, Number, Terminal, Unknown, exact, known
from gdl.solution import Cut, Path, Profile, Skipped, Solution, Visit
from solvers.backward_induction import backward_induction
from solvers.budget import Budget, answering
from solvers.certificate import LARGEST, strategies
from solvers.guarantee import Guarantee
from solvers.horizon import Horizon, NoEvaluation
from solvers.needs import Watch
from solvers.solver import Progress, Solver

Bound = Number | float  # a number, or an infinity
Order = Callable[[Any, Decision], Sequence[int]]  # the positions of a node's children as they are to be searched

RECORDED = 100_000  # nodes; of a longer run no visits and cuts are kept
PROOF = 100_000  # states that a proof may always look at; after longer runs, twice the nodes of the run


class _Place(NamedTuple):
    """Where a node stands, and its number in the order of entry."""

    path: Path
    action: Action | None  # that led here
    label: str | None
    state: Any
    number: int


class _Found(NamedTuple):
    """What a node returns: a number, what it is to the node's value (exact, lower, upper), and the line to it."""

    value: Number
    bound: str
    line: tuple[Action, ...]


class _Frame:
    """A node on the path from the root: its window, its value so far, and what that value is known to be."""

    def __init__(self, search: _Search, place: _Place, node: Decision, alpha: Bound, beta: Bound):
        self.place = place
        self.node = node
        self.children = search.order(place.state, node)  # positions in file order, in the order of the search
        self.done = 0  # how many of them were searched
        self.maximises = node.player == search.max_player
        self.window = alpha, beta
        self.alpha, self.beta = alpha, beta
        self.v: Bound = -inf if self.maximises else inf
        self.line: tuple[Action, ...] = ()  # begins with the best action so far
        self.attained = False  # some child is known to be as good as v for the one who moves
        self.closed = True  # no child is better than v for the one who moves, as far as was searched

    def take(self, action: Action, found: _Found) -> None:
        """A child's value: the better, the first of equals, is kept; the window narrows."""
        promising, doubtful = ("lower", "upper") if self.maximises else ("upper", "lower")
        if found.value > self.v if self.maximises else found.value < self.v:
            self.v, self.line = found.value, (action, *found.line)
            self.attained = found.bound != doubtful
        elif found.value == self.v:
            self.attained = self.attained or found.bound != doubtful
        if found.bound == promising:
            self.closed = False
        if self.maximises:
            self.alpha = max(self.alpha, self.v)
        else:
            self.beta = min(self.beta, self.v)

    def crossed(self, strictly: bool) -> bool:
        """The cut of MAX-VALUE (v >= beta) and of MIN-VALUE (v <= alpha)."""
        if self.maximises:
            return self.v > self.beta if strictly else self.v >= self.beta
        return self.v < self.alpha if strictly else self.v <= self.alpha

    @property
    def bound(self) -> str:
        """What v is to the node's value, once the search has left it."""
        if self.attained and self.closed:
            return "exact"
        return "lower" if self.attained == self.maximises else "upper"


class _Search:
    """One run, and everything it saw."""

    def __init__(self, game: Game[Any], order: Order, strictly: bool, watch: Watch, budget: Budget):
        self.game = game
        self.order = order
        self.strictly = strictly
        self.watch = watch
        self.budget = budget
        self.max_player = max_player(game)
        self.stack: list[_Frame] = []
        self.on_path: set[Hashable] = set()
        self.found: _Found | None = None  # the root's
        self.root: list[tuple[int, _Found]] = []  # the root's children, by position
        self.leaves = 0
        self.cut_off = 0  # leaves that the depth limit made
        self.visits: list[Visit | None] = []
        self.cuts: list[Cut] = []

    @property
    def recording(self) -> bool:
        return self.budget.spent <= RECORDED

    def run(self) -> None:
        """Search the whole game, left to right."""
        action: Action | None = None
        try:
            self._enter((), None, self.game.initial(), -inf, inf)
            while self.stack:
                frame = self.stack[-1]
                position = frame.children[frame.done]
                action = frame.node.actions[position]
                state = self.game.successor(frame.place.state, action)
                self._enter((*frame.place.path, position), action, state, frame.alpha, frame.beta)
        except NoEvaluation as fault:
            raise fault.after(self._play(action)) from None
        except GameError as fault:
            raise with_play(fault, self._play(action)) from None

    def _play(self, last: Action | None) -> tuple[Action, ...]:
        return tuple(a for a in (*(frame.place.action for frame in self.stack), last) if a is not None)

    def _enter(self, path: Path, action: Action | None, state: Any, alpha: Bound, beta: Bound) -> None:
        """Visit a node: a leaf returns its utility at once, an inner node goes on the stack."""
        node = self.game.node(state)
        self.watch.see(state, node)
        if state in self.on_path:
            raise self.watch.unmet("cyclic", "give it a depth")
        place = _Place(path, action, self.game.label(state), state, self.budget.spent)
        self.budget.visit()
        if self.recording:
            self.visits.append(None)
        if isinstance(node, Decision):
            self.stack.append(_Frame(self, place, node, alpha, beta))
            self.on_path.add(state)
            return
        assert isinstance(node, Terminal)
        self.leaves += 1
        found = _Found(known(node.utilities[self.max_player]), "exact", ())
        self._record_leaf(place, alpha, beta, found.value)
        self._return(place, found)

    def _return(self, place: _Place, found: _Found) -> None:
        """Hand a node's value to its parent; a parent that has seen enough returns its own in turn."""
        while self.stack:
            frame = self.stack[-1]
            window = frame.alpha, frame.beta
            assert place.action is not None
            frame.take(place.action, found)
            frame.done += 1
            if len(self.stack) == 1:
                self.root.append((place.path[0], found))
            if frame.crossed(self.strictly):
                self._cut(frame, place.action, window)
            if frame.done < len(frame.children):
                return
            self.stack.pop()
            self.on_path.remove(frame.place.state)
            place, found = frame.place, _Found(_number(frame.v), frame.bound, frame.line)
            self._record(frame)
        self.found = found

    def _cut(self, frame: _Frame, child: Action, window: tuple[Bound, Bound]) -> None:
        """Leave the node: skip the children still to come."""
        positions = sorted(frame.children[frame.done :])
        frame.done = len(frame.children)
        frame.closed = frame.closed and not positions
        if self.recording:
            skipped = tuple(self._skipped(frame, position) for position in positions)
            alpha, beta = map(_finite, window)
            self.cuts.append(Cut(frame.place.path, alpha, beta, _number(frame.v), child, skipped))

    def _skipped(self, frame: _Frame, position: int) -> Skipped:
        action = frame.node.actions[position]
        try:
            label = self.game.label(self.game.successor(frame.place.state, action))
        except GameError:  # a fault where search does not go is not its business
            label = None
        return Skipped((*frame.place.path, position), action, label)

    def _record(self, frame: _Frame) -> None:
        if self.recording:
            player = self.game.players[frame.node.player]
            after = frame.alpha, frame.beta
            self._visit(frame.place, player, "decision", frame.window, after, _number(frame.v), frame.bound)

    def _record_leaf(self, place: _Place, alpha: Bound, beta: Bound, value: Number) -> None:
        cut_off = isinstance(self.game, Horizon) and self.game.is_cut_off(place.state)
        self.cut_off += cut_off
        if self.recording:
            window = alpha, beta
            self._visit(place, None, "cutoff" if cut_off else "terminal", window, window, value, "exact")

    def _visit(
        self,
        place: _Place,
        player: str | None,
        kind: str,
        window: tuple[Bound, Bound],
        after: tuple[Bound, Bound],
        value: Number,
        bound: str,
    ) -> None:
        self.visits[place.number] = Visit(
            path=place.path,
            action=place.action,
            label=place.label,
            player=player,
            kind=kind,
            alpha=_finite(window[0]),
            beta=_finite(window[1]),
            alpha_after=_finite(after[0]),
            beta_after=_finite(after[1]),
            value=value,
            bound=bound,
        )


def _finite(limit: Bound) -> Number | None:
    return None if isinstance(limit, float) else limit


def _number(value: Bound) -> Number:
    assert not isinstance(value, float)  # a node has children, so its value is no longer infinite
    return exact(value)


def max_player(game: Game[Any]) -> int:
    """The player whose utility values and windows count: the one called MAX, else the first."""
    return game.players.index("MAX") if "MAX" in game.players else 0


def _ordering(game: Game[Any], order: str, budget: Budget) -> Order:
    """The order of search: as given, or with each mover's truly best (or worst) children first."""
    if order == "given":
        return lambda state, node: range(len(node.actions))
    values = backward_induction(game, budget=budget).of

    def sort(state: Any, node: Decision) -> Sequence[int]:
        worth = [values[game.successor(state, action)][node.player] for action in node.actions]
        return sorted(range(len(worth)), key=worth.__getitem__, reverse=order == "best")

    return sort


def _proof(search: _Search, game: Game[Any], player: int, budget: Budget) -> Guarantee:
    """The search that proves that a player secures the value found."""
    assert search.found is not None
    value = search.found.value

    def enough(end: Terminal) -> bool | None:
        utility = end.utilities[search.max_player]
        if isinstance(utility, Unknown):
            return None
        return utility >= value if player == search.max_player else utility <= value

    return Guarantee(game, player, enough, budget, limit=max(PROOF, 2 * search.budget.spent))


def _ties(search: _Search, budget: Budget) -> tuple[list[Action], list[Action]]:
    """The root actions other than the answer that are proved as good, and those of which that was not settled."""
    game, found = search.game, search.found
    node = game.node(game.initial())
    assert found is not None and isinstance(node, Decision)
    proof = _proof(search, game, node.player, budget)
    doubtful = "upper" if node.player == search.max_player else "lower"
    tied, open_ = [], []
    for position, child in sorted(search.root, key=lambda entry: entry[0]):
        action = node.actions[position]
        if action == found.line[0] or (child.bound in ("exact", doubtful) and child.value != found.value):
            continue
        as_good = child.bound == "exact" or proof.holds(game.successor(game.initial(), action))
        if as_good:
            tied.append(action)
        elif as_good is None:
            open_.append(action)
    return tied, open_


def _certificate(search: _Search, game: Game[Any], budget: Budget) -> Profile | None:
    """A strategy for every player, which together prove the value from both sides; None where that is not feasible."""
    proofs = [_proof(search, game, player, budget) for player in range(len(game.players))]
    if not all(proof.holds(game.initial()) for proof in proofs):
        return None
    return strategies(game, tuple(proof.choose for proof in proofs))


def alpha_beta(
    game: Game[Any],
    *,
    cut: Literal["ge", "gt"] = "ge",
    order: Literal["given", "best", "worst"] = "given",
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Alpha-beta search with a full record: value, optimal actions, every visit and every cut.

    `cut` is "ge" (skip when alpha >= beta) or "gt" (only when alpha > beta); `order` is "given", "best" or "worst";
    with `depth`, search is cut off after so many plies and EVAL taken there. Numbers in the record are MAX's.
    """
    _check("cut", cut, ("ge", "gt"))
    _check("order", order, ("given", "best", "worst"))
    budget = Budget(nodes, time, progress)
    uncounted = budget.without_node_limit()
    needs = ALPHA_BETA.needs if depth is not None else {**ALPHA_BETA.needs, "cyclic": False}
    searched: Game[Any] = game if depth is None else Horizon(game, depth)
    watch = Watch(ALPHA_BETA.name, needs, searched)
    if depth is None and game.traits.cyclic:
        raise watch.unmet("cyclic", "give it a depth")
    answer = Solution(game.name, ALPHA_BETA.name, game.players, game.traits, exact=False)
    with answering(lambda: replace(answer, nodes=0)):
        ordering = _ordering(searched, order, uncounted)
    search = _Search(searched, ordering, cut == "gt", watch, budget)
    with answering(lambda: _unfinished(search, answer)):
        search.run()
    answer = _finished(search, answer, depth)
    with answering(lambda: answer):
        answer = _with_ties(search, answer, uncounted)
        return answer if search.cut_off else _with_certificate(search, game, answer, uncounted)


def _check(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise Refusal(f"alpha-beta has no {option} {value!r}; {option} is {listing(allowed, 'or')}")


def _unfinished(search: _Search, answer: Solution) -> Solution:
    """The best so far, when a limit stopped the run."""
    answer = replace(answer, nodes=search.budget.spent, leaves=search.leaves)
    root = search.stack[0] if search.stack else None
    if root is None or not root.line:
        return answer
    note = f"{root.done} of {len(root.children)} actions at the start were searched; the value is the best so far"
    return replace(answer, value=_vector(search, root.v), best=root.line[:1], line=root.line, notes=(note,))


def _finished(search: _Search, answer: Solution, depth: int | None) -> Solution:
    """What the run itself found."""
    assert search.found is not None
    notes = []
    if not search.recording:
        notes.append(f"windows and skipped nodes are not listed: more than {RECORDED:,} nodes were visited")
    limit = None
    if search.cut_off:
        limit = f"cut off at depth {depth}: {search.cut_off:,} nodes were only estimated, by the file's evaluation"
    return replace(
        answer,
        exact=not search.cut_off,
        value=_vector(search, search.found.value),
        best=search.found.line[:1],
        line=search.found.line,
        nodes=search.budget.spent,
        leaves=search.leaves,
        cuts=tuple(search.cuts) if search.recording else (),
        visits=tuple(visit for visit in search.visits if visit) if search.recording else (),
        notes=tuple(notes),
        limit=limit,
    )


def _vector(search: _Search, value: Bound) -> tuple[Number, ...]:
    """The value of everyone, from MAX's and the constant sum."""
    number = _number(value)
    others = exact((search.watch.total or 0) - number)
    return tuple(number if p == search.max_player else others for p in range(len(search.game.players)))


def _with_ties(search: _Search, answer: Solution, budget: Budget) -> Solution:
    if not answer.best:
        return answer
    tied, unsettled = _ties(search, budget)
    notes = answer.notes
    if unsettled:
        notes = (
            *notes,
            f"{listing(unsettled)} may be as good: that depends on what the file leaves open, or was too long to prove",
        )
    return replace(answer, best=(*answer.best, *tied), notes=notes)


def _with_certificate(search: _Search, game: Game[Any], answer: Solution, budget: Budget) -> Solution:
    strategy = _certificate(search, game, budget)
    if strategy is None:
        note = f"no strategies are listed: they have more than {LARGEST:,} choices, or cannot be completed"
        return replace(answer, notes=(*answer.notes, note))
    return replace(answer, strategy=strategy)


ALPHA_BETA = Solver(
    name="alpha-beta",
    run=alpha_beta,
    needs={
        "players": (1, 2),
        "zero_sum": True,
        "chance": False,
        "simultaneous": False,
        "perfect_information": True,
    },
    summary="minimax that skips what cannot matter, left to right, with every window and cut on record",
)
